/* SPDX-License-Identifier: MIT */
/* TLB: examples, then random operations against maps and lists in order of use, over geometries, indices and
 * seeds. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/store/tlb.h"
#include "tb/kernels/blob.hpp"
#include "tb/kernels/store_contract.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace bdata = boost::unit_test::data;
using walkway_tb::blob;

namespace
{

constexpr uint32_t size_4k = 1u << 12;
constexpr uint32_t size_64k = 1u << 16;
constexpr uint32_t size_2m = 1u << 21;
constexpr uint32_t size_1g = 1u << 30;

ww_tlb_cfg config(uint32_t sets, uint32_t ways, uint32_t page_sizes = size_4k)
{
    return {sets, ways, WW_INDEX_MODULO, WW_REPLACE_LRU, page_sizes, 1};
}

ww_xlat page(uint64_t page_pa, uint8_t page_shift = 12, uint8_t perm = WW_PERM_R)
{
    return {page_pa, page_shift, perm};
}

struct tlb {
    blob<ww_tlb> t;

    explicit tlb(const ww_tlb_cfg &cfg) : t(ww_tlb_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_tlb_init(t, t.bytes(), &cfg), WW_OK);
    }

    bool hit(uint64_t va, uint16_t vmid = 0)
    {
        ww_xlat x;
        return ww_tlb_store.lookup(t, va, vmid, &x);
    }

    bool holds(uint64_t va, uint16_t vmid = 0)
    {
        ww_xlat x;
        return ww_tlb_store.probe(t, va, vmid, &x);
    }

    /* Returns whether an entry was evicted. */
    bool insert(uint64_t va, const ww_xlat &x, uint16_t vmid = 0, ww_mapping *victim = nullptr)
    {
        const ww_mapping m{va, x, vmid};
        return ww_tlb_store.insert(t, &m, victim).victims == 1;
    }

    uint32_t invalidate(uint64_t va, uint64_t bytes, uint16_t vmid)
    {
        const ww_inval_scope scope = ww_inval_range(va, bytes, vmid);
        return ww_tlb_store.invalidate(t, &scope);
    }

    std::string check() const
    {
        const char *broken = ww_tlb_store.check(t);
        return broken ? broken : "";
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    std::vector<ww_tlb_cfg> bad(10, config(32, 16));
    bad[0].sets = 0;
    bad[1].sets = 24;
    bad[2].ways = 0;
    bad[3].ways = 65;
    bad[4].page_sizes = 0;
    bad[5].page_sizes |= 1u << 11;
    bad[6].page_sizes |= 1u << 31;
    bad[7].index = WW_INDEX_XOR + 1;
    bad[8].replace = WW_REPLACE_RANDOM + 1;
    bad[9].page_sizes = 0xff000; /* eight sizes */
    blob<ww_tlb> t(4096);
    for (const auto &cfg : bad) {
        BOOST_TEST(ww_tlb_bytes(&cfg) == 0u);
        BOOST_TEST(ww_tlb_init(t, t.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_tlb_cfg good = config(32, 16);
    BOOST_TEST(ww_tlb_init(t, ww_tlb_bytes(&good) - 1, &good) == WW_E_SIZE);
}

BOOST_AUTO_TEST_CASE(names_and_probes)
{
    BOOST_TEST(ww_replace_name(WW_REPLACE_LRU) == "lru");
    BOOST_TEST(ww_replace_name(WW_REPLACE_RANDOM) == "random");
    BOOST_TEST(ww_index_name(WW_INDEX_MODULO) == "modulo");
    BOOST_TEST(ww_index_name(WW_INDEX_XOR) == "xor");
    BOOST_TEST(ww_tlb_store.probes(tlb(config(4, 4)).t) == 1u);
    BOOST_TEST(ww_tlb_store.probes(tlb(config(4, 4, size_4k | size_64k | size_2m | size_1g)).t) == 4u);
}

BOOST_AUTO_TEST_CASE(a_hit_returns_what_was_inserted_and_a_miss_leaves_the_answer_alone)
{
    tlb t(config(1, 32, size_4k | size_2m));
    ww_xlat out = page(0x42000);
    BOOST_TEST(!ww_tlb_store.lookup(t.t, 0x1000, 0, &out));
    BOOST_TEST(!ww_tlb_store.probe(t.t, 0x1000, 0, &out));
    BOOST_TEST(out.page_pa == 0x42000u);
    BOOST_TEST(!t.insert(0x1234, page(0xabc000, 12, WW_PERM_R | WW_PERM_W), 7));
    BOOST_TEST(ww_tlb_store.lookup(t.t, 0x1fff, 7, &out));
    BOOST_TEST(out.page_pa == 0xabc000u);
    BOOST_TEST(out.page_shift == 12);
    BOOST_TEST(out.perm == (WW_PERM_R | WW_PERM_W));
    BOOST_TEST(!t.hit(0x1fff, 8));
    BOOST_TEST(!t.hit(0x2000, 7));
    BOOST_TEST(!t.hit(0x0fff, 7));
}

BOOST_AUTO_TEST_CASE(the_smallest_page_that_covers_the_address_wins)
{
    tlb t(config(4, 4, size_4k | size_64k | size_2m | size_1g));
    ww_xlat out;
    t.insert(0x40000000, page(uint64_t{7} << 30, 30));
    BOOST_TEST(ww_tlb_store.probe(t.t, 0x40201234, 0, &out));
    BOOST_TEST(out.page_shift == 30);
    t.insert(0x40200000, page(uint64_t{5} << 21, 21));
    t.insert(0x40200000, page(uint64_t{3} << 16, 16));
    t.insert(0x40201000, page(0x9000));
    BOOST_TEST(ww_tlb_store.probe(t.t, 0x40201234, 0, &out));
    BOOST_TEST(out.page_shift == 12);
    BOOST_TEST(ww_tlb_store.probe(t.t, 0x40202234, 0, &out));
    BOOST_TEST(out.page_shift == 16);
    BOOST_TEST(ww_tlb_store.probe(t.t, 0x40302234, 0, &out));
    BOOST_TEST(out.page_shift == 21);
    BOOST_TEST(ww_tlb_store.count(t.t) == 4u);
}

BOOST_AUTO_TEST_CASE(the_top_page_of_a_57_bit_space_and_the_last_vm_fit_the_key)
{
    tlb t(config(8, 2));
    const uint64_t top_va = (uint64_t{1} << 57) - 4096;
    t.insert(top_va, page(0x7000), 0xffff);
    t.insert(0, page(0x8000), 0);
    BOOST_TEST(t.hit(top_va, 0xffff));
    BOOST_TEST(t.hit(0));
    BOOST_TEST(t.check() == "");
    BOOST_CHECK_THROW(t.hit(uint64_t{1} << 57), std::logic_error);
}

BOOST_AUTO_TEST_CASE(the_victim_is_the_least_recently_used_and_is_described)
{
    tlb t(config(2, 2));
    ww_mapping v;
    BOOST_TEST(!t.insert(0x0000, page(0x10000, 12, WW_PERM_W), 3, &v));
    BOOST_TEST(!t.insert(0x2000, page(0x20000), 3, &v));
    BOOST_TEST(!t.insert(0x1000, page(0x30000), 3, &v)); /* the other set */
    BOOST_TEST(t.holds(0x0000, 3));                      /* a probe does not count as a use */
    BOOST_TEST(t.insert(0x4000, page(0x40000), 3, &v));
    BOOST_TEST(v.va == 0u);
    BOOST_TEST(v.vmid == 3u);
    BOOST_TEST(v.xlat.page_shift == 12);
    BOOST_TEST(v.xlat.page_pa == 0x10000u);
    BOOST_TEST(v.xlat.perm == WW_PERM_W);
    BOOST_TEST(t.hit(0x2000, 3)); /* a lookup does */
    BOOST_TEST(t.insert(0x6000, page(0x50000), 3, &v));
    BOOST_TEST(v.va == 0x4000u);
}

BOOST_AUTO_TEST_CASE(inserting_a_held_page_refreshes_it_in_place)
{
    tlb t(config(1, 2));
    t.insert(0x1000, page(0x10000));
    t.insert(0x2000, page(0x20000));
    const ww_mapping again{0x1000, page(0x90000), 0};
    BOOST_TEST(ww_tlb_store.insert(t.t, &again, nullptr).result == WW_STORE_REFRESHED);
    BOOST_TEST(ww_tlb_store.count(t.t) == 2u);
    ww_xlat out;
    BOOST_TEST(ww_tlb_store.probe(t.t, 0x1000, 0, &out));
    BOOST_TEST(out.page_pa == 0x90000u);
    ww_mapping v;
    BOOST_TEST(t.insert(0x3000, page(0x30000), 0, &v));
    BOOST_TEST(v.va == 0x2000u);
}

BOOST_AUTO_TEST_CASE(an_xor_index_spreads_a_power_of_two_stride)
{
    for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR}) {
        ww_tlb_cfg cfg = config(16, 1);
        cfg.index = index;
        tlb t(cfg);
        for (uint64_t i = 0; i < 16; ++i)
            t.insert(i << 16, page(0x1000));
        BOOST_TEST(ww_tlb_store.count(t.t) == (index == WW_INDEX_XOR ? 16u : 1u));
    }
}

BOOST_AUTO_TEST_CASE(invalidation_takes_every_overlapping_page_of_the_vm)
{
    tlb t(config(1, 32, size_4k | size_2m));
    for (uint64_t i = 0; i < 8; ++i)
        t.insert(0x200000 + (i << 12), page(0x1000), 1);
    t.insert(0x200000, page(0, 21), 1);
    t.insert(0x400000, page(0, 21), 1);
    t.insert(0x201000, page(0x1000), 2);
    BOOST_TEST(t.invalidate(0x201800, 0x1000, 1) == 3u); /* two small pages and the large one */
    BOOST_TEST(!t.holds(0x201000, 1));
    BOOST_TEST(!t.holds(0x202000, 1));
    BOOST_TEST(t.holds(0x203000, 1));
    BOOST_TEST(t.holds(0x201000, 2));
    BOOST_TEST(t.invalidate(0, UINT64_MAX, 1) == 7u);
    BOOST_TEST(t.holds(0x201000, 2));
    BOOST_TEST(t.check() == "");
    t.insert(0x203000, page(0x1000), 3);
    const ww_inval_scope low = {0x201000, 0x201fff, 0, true}, all = ww_inval_all();
    BOOST_TEST(ww_tlb_store.invalidate(t.t, &low) == 1u); /* in every VM */
    t.insert(0x201000, page(0x1000), 2);
    BOOST_TEST(ww_tlb_store.invalidate(t.t, &all) == 2u);
    t.insert(0x201000, page(0x1000), 2);
    ww_tlb_store.flush(t.t);
    BOOST_TEST(!t.holds(0x201000, 2));
    BOOST_TEST(ww_tlb_store.count(t.t) == 0u);
    BOOST_TEST(t.check() == "");
    BOOST_CHECK_THROW(t.invalidate(uint64_t{1} << 57, 1, 0), std::logic_error);
}

BOOST_AUTO_TEST_CASE(misuse_is_asserted)
{
    tlb t(config(4, 4, size_4k | size_2m));
    BOOST_CHECK_THROW(t.insert(uint64_t{1} << 57, page(0)), std::logic_error);
    BOOST_CHECK_THROW(t.insert(0, page(0, 16)), std::logic_error);
    BOOST_CHECK_THROW(t.insert(0, page(0, 40)), std::logic_error);
    BOOST_CHECK_THROW(t.insert(0, page(0x1000, 21)), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_snapshot_is_a_copy_of_the_bytes)
{
    tlb a(config(4, 4));
    for (uint64_t i = 0; i < 30; ++i)
        a.insert(i << 12, page(i << 12));
    tlb b = a;
    for (uint64_t i = 0; i < 40; ++i) {
        a.insert(i * 7 << 12, page(0));
        b.insert(i * 7 << 12, page(0));
    }
    BOOST_TEST(a.t.same_as(b.t));
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    tlb fresh(config(2, 4));
    fresh.insert(0x1000, page(0x5000));
    tlb t = fresh;
    t.t->live_of[1] = 2;
    BOOST_TEST(t.check() == "tlb: the count of a page size is wrong");
    t = fresh;
    t.t->tags.live = 0;
    BOOST_TEST(t.check() == "assoc: the count of valid slots is wrong");
    for (const uint64_t code :
         {uint64_t{0},
          uint64_t{2}}) { /* a key of another size code, in the right set, in the tag store's good order */
        t = fresh;
        ww_assoc_put(&t.t->tags, t.t, 0, uint64_t{2} | code << 45);
        BOOST_TEST(t.check() == "tlb: an entry of a page size that is not configured");
    }
    t = fresh;
    ww_assoc_put(&t.t->tags, t.t, 0, uint64_t{3} | uint64_t{1} << 45);
    BOOST_TEST(t.check() == "tlb: an entry in the wrong set");
}

namespace
{

/* Sets as lists in order of use, oldest first. */
class reference
{
public:
    using key = std::tuple<uint8_t, uint64_t, uint16_t>; /* page_shift, vpn, vmid */

    explicit reference(const ww_tlb_cfg &cfg) : cfg_(cfg), sets_(cfg.sets) {}

    uint32_t set_of(uint64_t vpn) const
    {
        if (cfg_.index == WW_INDEX_MODULO)
            return static_cast<uint32_t>(vpn % cfg_.sets);
        uint64_t folded = 0;
        for (int group = 0; group < 4; ++group) {
            folded ^= vpn % cfg_.sets;
            vpn /= cfg_.sets;
        }
        return static_cast<uint32_t>(folded);
    }

    std::list<key> &set(const key &k) { return sets_[set_of(std::get<1>(k))]; }

    bool find(uint64_t va, uint16_t vmid, key *found) const
    {
        for (uint8_t shift = 12; shift <= 30; ++shift) {
            const key k{shift, va >> shift, vmid};
            if (xlats.count(k) != 0) {
                *found = k;
                return true;
            }
        }
        return false;
    }

    void use(const key &k)
    {
        set(k).remove(k);
        set(k).push_back(k);
    }

    void remove(const key &k)
    {
        set(k).remove(k);
        xlats.erase(k);
    }

    std::map<key, ww_xlat> xlats;

private:
    ww_tlb_cfg cfg_;
    std::vector<std::list<key>> sets_;
};

/* Random operations on a TLB and on the reference; every answer must agree and the invariants hold after each
 * step. */
void run_random(const ww_tlb_cfg &cfg, uint64_t seed, int steps)
{
    tlb t(cfg);
    reference ref(cfg);
    std::vector<uint8_t> shifts;
    for (uint8_t shift = 12; shift <= 30; ++shift)
        if (cfg.page_sizes >> shift & 1)
            shifts.push_back(shift);
    ww_rng rng;
    ww_rng_init(&rng, seed);
    const uint32_t span = 2 * cfg.sets * cfg.ways;
    for (int step = 0; step < steps; ++step) {
        const uint64_t va =
            static_cast<uint64_t>(ww_rng_below(&rng, span)) * 4096 * (1 + ww_rng_below(&rng, 20)) +
            ww_rng_below(&rng, 4096);
        const uint16_t vmid = static_cast<uint16_t>(ww_rng_below(&rng, 2));
        const uint32_t what = ww_rng_below(&rng, 100);
        reference::key k;
        if (what < 45) {
            ww_xlat x{};
            const bool held = ref.find(va, vmid, &k);
            BOOST_REQUIRE_EQUAL(ww_tlb_store.lookup(t.t, va, vmid, &x), held);
            if (held) {
                BOOST_REQUIRE(ww_xlat_same(&x, &ref.xlats[k]));
                ref.use(k);
            }
        } else if (what < 95) {
            const uint8_t shift = shifts[ww_rng_below(&rng, static_cast<uint32_t>(shifts.size()))];
            const ww_xlat x{static_cast<uint64_t>(ww_rng_below(&rng, 1000)) << shift, shift,
                            static_cast<uint8_t>(ww_rng_below(&rng, 8))};
            k = reference::key{shift, va >> shift, vmid};
            const bool full = ref.xlats.count(k) == 0 && ref.set(k).size() == cfg.ways;
            ww_mapping v{};
            BOOST_REQUIRE_EQUAL(t.insert(va, x, vmid, &v), full);
            if (full) {
                const reference::key gone{v.xlat.page_shift, v.va >> v.xlat.page_shift, v.vmid};
                if (cfg.replace == WW_REPLACE_LRU)
                    BOOST_REQUIRE(gone == ref.set(k).front());
                BOOST_REQUIRE(ref.xlats.count(gone) == 1);
                BOOST_REQUIRE(&ref.set(gone) == &ref.set(k));
                BOOST_REQUIRE(ww_xlat_same(&v.xlat, &ref.xlats[gone]));
                ref.remove(gone);
            }
            ref.xlats[k] = x;
            ref.use(k);
        } else if (what < 99) {
            const uint64_t bytes = 1 + ww_rng_below(&rng, what == 95 ? 1u << 24 : 1u << 14);
            uint32_t gone = 0;
            for (auto at = ref.xlats.begin(); at != ref.xlats.end();) {
                const uint64_t first = std::get<1>(at->first) << std::get<0>(at->first);
                const uint64_t last = first + (uint64_t{1} << std::get<0>(at->first)) - 1;
                const reference::key victim = (at++)->first;
                if (std::get<2>(victim) != vmid || last < va || first > va + bytes - 1)
                    continue;
                ref.remove(victim);
                gone += 1;
            }
            BOOST_REQUIRE_EQUAL(t.invalidate(va, bytes, vmid), gone);
        } else if (ww_rng_below(&rng, 10) == 0) {
            ww_tlb_store.flush(t.t);
            ref = reference(cfg);
        }
        BOOST_REQUIRE_EQUAL(ww_tlb_store.count(t.t), ref.xlats.size());
        if (cfg.ways <= 64 || step % 50 == 0)
            BOOST_REQUIRE_EQUAL(t.check(), "");
    }
    BOOST_TEST(t.t.intact());
}

} // namespace

BOOST_DATA_TEST_CASE(it_answers_as_the_reference,
                     bdata::make({1u, 16u, 8u, 32u, 1u, 1u}) ^ bdata::make({1u, 1u, 4u, 16u, 32u, 100u}),
                     sets, ways)
{
    for (const uint32_t page_sizes : {size_4k, size_4k | size_64k | size_2m | size_1g, size_2m})
        for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR})
            for (const uint8_t replace : {WW_REPLACE_LRU, WW_REPLACE_RANDOM})
                for (uint64_t seed = 0; seed < 2; ++seed)
                    run_random({sets, ways, index, replace, page_sizes, seed}, seed, 1200);
}

BOOST_AUTO_TEST_CASE(it_keeps_the_laws_of_a_store)
{
    for (const uint32_t ways : {1u, 4u, 100u}) {
        const ww_tlb_cfg cfg = config(ways == 100 ? 1 : 8, ways, size_4k | size_64k | size_2m);
        tlb t(cfg);
        const ww_store_kind &kind = ww_tlb_store;
        walkway_tb::store_contract laws(kind, t.t, t.t.bytes(), {12, 16, 21}, 100, 3, ways);
        const walkway_tb::store_seen &seen = laws.run(3000);
        BOOST_TEST(seen.hits > 30u);
        BOOST_TEST(seen.results[WW_STORE_KEPT] > 100u);
        BOOST_TEST(seen.results[WW_STORE_REFRESHED] > 10u);
        BOOST_TEST(seen.results[WW_STORE_PASSED] + seen.results[WW_STORE_REFUSED] == 0u);
        BOOST_TEST(seen.victims > 0u);
        BOOST_TEST(seen.taken > 5u);
        BOOST_TEST(seen.invalidated > 50u);
        BOOST_TEST(kind.probes(t.t) == 3u);
        BOOST_TEST(kind.claim == nullptr);
        BOOST_TEST(kind.release == nullptr);
        BOOST_TEST(t.t.intact());
    }
}

BOOST_AUTO_TEST_CASE(its_bits_are_those_of_its_entries)
{
    const auto bits_of = [](const ww_tlb_cfg &of) {
        const ww_widths widths = {48, 34, 12, 16};
        return ww_tlb_store.bits(tlb(of).t, &widths);
    };
    ww_tlb_cfg cfg = config(1, 32);
    /* valid, page number and VM-ID, frame, permissions; place in the order of use */
    BOOST_TEST(bits_of(cfg) == 32u * (1 + 36 + 16 + 22 + 3 + 5));
    cfg = config(8, 4, size_4k | size_64k | size_2m);
    BOOST_TEST(bits_of(cfg) == 32u * (1 + 33 + 16 + 22 + 3 + 2 + 2));
    cfg.replace = WW_REPLACE_RANDOM;
    BOOST_TEST(bits_of(cfg) == 32u * (1 + 33 + 16 + 22 + 3 + 2));
}
