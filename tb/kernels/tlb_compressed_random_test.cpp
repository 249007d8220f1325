/* SPDX-License-Identifier: MIT */
/* A compressed TLB against plain sets, and without compressed slots against the plain TLB. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/store/tlb.h"
#include "tb/kernels/tlb_compressed_rig.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace bdata = boost::unit_test::data;
using namespace walkway_tb;

namespace
{

/* A set: whole pages in two arrays, and the common part of their numbers as the base. */
class reference
{
public:
    struct entry {
        bool valid = false;
        ww_mapping m{};
        uint64_t used = 0;
    };
    using part = std::vector<entry>;
    struct base {
        uint64_t tag, frame;
        uint16_t vmid;
        bool operator==(const base &o) const { return tag == o.tag && frame == o.frame && vmid == o.vmid; }
    };
    struct set {
        part plain, compressed;
        std::optional<base> bases;
        uint32_t failures = 0;
    };

    reference(const ww_tlbc_cfg &cfg, uint32_t tag_delta, uint32_t ppn_delta)
        : cfg_(cfg), tag_delta_(tag_delta), ppn_delta_(ppn_delta), sets_(cfg.sets)
    {
        for (set &s : sets_) {
            s.plain.resize(cfg.ways - cfg.compressed_ways);
            s.compressed.resize(2 * cfg.compressed_ways);
        }
    }

    set &set_of(uint64_t va, uint8_t shift)
    {
        uint64_t vpn = va >> shift, folded = 0;
        if (cfg_.index == WW_INDEX_MODULO)
            return sets_[vpn % cfg_.sets];
        for (int group = 0; group < 4; ++group, vpn /= cfg_.sets)
            folded ^= vpn % cfg_.sets;
        return sets_[folded];
    }
    base base_of(const ww_mapping &m) const
    {
        const uint8_t shift = m.xlat.page_shift;
        return {(m.va >> shift) / cfg_.sets >> tag_delta_, m.xlat.page_pa >> shift >> ppn_delta_, m.vmid};
    }
    static entry *find(part &p, uint64_t va, uint16_t vmid, uint8_t shift)
    {
        for (entry &e : p)
            if (e.valid && e.m.vmid == vmid && e.m.xlat.page_shift == shift && e.m.va >> shift == va >> shift)
                return &e;
        return nullptr;
    }
    entry *find(uint64_t va, uint16_t vmid)
    {
        for (uint8_t shift = 12; shift <= 30; ++shift) {
            if ((cfg_.page_sizes >> shift & 1) == 0)
                continue;
            set &s = set_of(va, shift);
            for (part *p : {&s.plain, &s.compressed})
                if (entry *e = find(*p, va, vmid, shift))
                    return e;
        }
        return nullptr;
    }
    void use(entry *e) { e->used = ++clock_; }

    entered insert(const ww_mapping &m)
    {
        const uint8_t shift = m.xlat.page_shift;
        if (m.va >> cfg_.va_bits != 0)
            return {WW_STORE_REFUSED, {}};
        set &s = set_of(m.va, shift);
        const bool fits = s.bases.has_value() && *s.bases == base_of(m);
        if (entry *e = find(s.plain, m.va, m.vmid, shift))
            return refresh(e, m);
        entry *e = find(s.compressed, m.va, m.vmid, shift);
        if (e != nullptr && fits)
            return refresh(e, m);
        entered out{static_cast<uint32_t>(e != nullptr ? WW_STORE_REFRESHED : WW_STORE_KEPT), {}};
        if (e != nullptr)
            e->valid = false;
        if (cfg_.compressed_ways == 0) {
            enter(s.plain, m, &out.victims);
            return out;
        }
        if (!s.bases.has_value()) {
            s.bases = base_of(m);
            s.failures = 0;
        }
        if (*s.bases == base_of(m)) {
            enter(s.compressed, m, &out.victims);
            return out;
        }
        if (++s.failures == cfg_.rebase_after) {
            for (entry &gone : s.compressed) {
                if (gone.valid)
                    out.victims.push_back(gone.m);
                gone.valid = false;
            }
            s.bases.reset();
        }
        enter(s.plain, m, &out.victims);
        return out;
    }

    uint32_t count() const
    {
        uint32_t n = 0;
        for (const set &s : sets_)
            for (const part *p : {&s.plain, &s.compressed})
                for (const entry &e : *p)
                    n += e.valid;
        return n;
    }
    uint32_t compressed() const
    {
        uint32_t n = 0;
        for (const set &s : sets_)
            for (const entry &e : s.compressed)
                n += e.valid;
        return n;
    }
    uint32_t invalidate(uint64_t first, uint64_t bytes, uint16_t vmid)
    {
        uint32_t n = 0;
        for (set &s : sets_)
            for (part *p : {&s.plain, &s.compressed})
                for (entry &e : *p) {
                    const uint64_t last = e.m.va + (uint64_t{1} << e.m.xlat.page_shift) - 1;
                    if (!e.valid || e.m.vmid != vmid || last < first || e.m.va > first + bytes - 1)
                        continue;
                    e.valid = false;
                    ++n;
                }
        return n;
    }
    void flush() { *this = reference(cfg_, tag_delta_, ppn_delta_); }

private:
    entered refresh(entry *e, const ww_mapping &m)
    {
        e->m.xlat = m.xlat;
        use(e);
        return {WW_STORE_REFRESHED, {}};
    }
    void enter(part &p, const ww_mapping &m, std::vector<ww_mapping> *victims)
    {
        entry *place = p.data();
        for (entry &e : p)
            if (place->valid && (!e.valid || e.used < place->used))
                place = &e;
        if (place->valid)
            victims->push_back(place->m);
        *place = {true, m, 0};
        place->m.va = m.va >> m.xlat.page_shift << m.xlat.page_shift;
        use(place);
    }

    ww_tlbc_cfg cfg_;
    uint32_t tag_delta_, ppn_delta_;
    std::vector<set> sets_;
    uint64_t clock_ = 0;
};

/* Random operations: every answer, every victim and the count of entries must agree. */
class random_run
{
public:
    random_run(const ww_tlbc_cfg &cfg, uint32_t tag_delta, uint32_t ppn_delta, uint64_t seed)
        : cfg_(cfg), t_(cfg), ref_(cfg, tag_delta, ppn_delta)
    {
        ww_rng_init(&rng_, seed);
        for (uint8_t shift = 12; shift <= 30; ++shift)
            if (cfg.page_sizes >> shift & 1)
                shifts_.push_back(shift);
    }

    void run(int steps)
    {
        for (int step = 0; step < steps; ++step) {
            const uint32_t what = below(100);
            if (what < 35)
                look();
            else if (what < 90)
                insert();
            else if (what < 95)
                take();
            else if (what < 99)
                invalidate();
            else if (below(10) == 0)
                flush();
            BOOST_REQUIRE_EQUAL(t_.count(), ref_.count());
            BOOST_REQUIRE_EQUAL(t_.t->live_compressed, ref_.compressed());
            BOOST_REQUIRE_EQUAL(kept_, gone_ + t_.count());
            if (step % 16 == 0)
                BOOST_REQUIRE_EQUAL(t_.check(), "");
        }
        const ww_tlbc_counts &c = t_.counts();
        BOOST_TEST(c.displaced + c.rebased == victims_);
        BOOST_TEST((c.rebases > 0) == (cfg_.compressed_ways != 0));
        BOOST_TEST((c.compressed > 0) == (cfg_.compressed_ways != 0));
        BOOST_TEST(c.plain > 0u);
        BOOST_TEST(t_.t.intact());
    }

private:
    uint32_t below(uint32_t n) { return ww_rng_below(&rng_, n); }

    uint64_t some_va()
    {
        uint64_t va = uint64_t{below(3 * cfg_.sets * cfg_.ways)} * 4096 + below(4096);
        if (below(8) == 0)
            va |= uint64_t{1 + below(3)} << (cfg_.va_bits - 2);
        return below(200) == 0 ? va | uint64_t{1} << cfg_.va_bits : va;
    }
    uint16_t some_vm() { return static_cast<uint16_t>(below(8) == 0 ? 0xffff : 1); }
    /* Mostly frames that share a base. */
    uint64_t some_frame(uint8_t shift)
    {
        const uint64_t frames = uint64_t{1} << (cfg_.pa_bits - shift);
        const uint64_t frame = below(6) == 0 ? below(1u << 30) : below(64);
        return frame % frames << shift;
    }

    void look()
    {
        const uint64_t va = some_va();
        const uint16_t vmid = some_vm();
        reference::entry *e = ref_.find(va, vmid);
        const auto probed = t_.probe(va, vmid), found = t_.lookup(va, vmid);
        BOOST_REQUIRE_EQUAL(found.has_value(), e != nullptr);
        BOOST_REQUIRE_EQUAL(probed.has_value(), e != nullptr);
        if (e == nullptr)
            return;
        BOOST_REQUIRE(ww_xlat_same(&*found, &e->m.xlat) && ww_xlat_same(&*probed, &e->m.xlat));
        ref_.use(e);
    }
    void insert()
    {
        const uint8_t shift = shifts_[below(static_cast<uint32_t>(shifts_.size()))];
        const ww_mapping m =
            mapping(some_va(), some_vm(), some_frame(shift), shift, static_cast<uint8_t>(below(8)));
        const entered want = ref_.insert(m), got = t_.insert(m);
        BOOST_REQUIRE_EQUAL(got.result, want.result);
        BOOST_REQUIRE_EQUAL(got.victims.size(), want.victims.size());
        for (size_t i = 0; i < want.victims.size(); ++i)
            BOOST_REQUIRE(same(got.victims[i], want.victims[i]));
        kept_ += got.result == WW_STORE_KEPT;
        gone_ += got.victims.size();
        victims_ += got.victims.size();
    }
    void take()
    {
        const uint64_t va = some_va();
        const uint16_t vmid = some_vm();
        reference::entry *e = ref_.find(va, vmid);
        BOOST_REQUIRE_EQUAL(t_.take(va, vmid).has_value(), e != nullptr);
        if (e != nullptr)
            e->valid = false;
        gone_ += e != nullptr;
    }
    void invalidate()
    {
        const uint64_t va = some_va(), bytes = 1 + below(1u << 15);
        const uint16_t vmid = some_vm();
        const uint32_t n = ref_.invalidate(va, bytes, vmid);
        BOOST_REQUIRE_EQUAL(t_.invalidate(va, bytes, vmid), n);
        gone_ += n;
    }
    void flush()
    {
        gone_ += t_.count();
        t_.kind.flush(t_.store());
        ref_.flush();
    }

    ww_tlbc_cfg cfg_;
    tlbc t_;
    reference ref_;
    std::vector<uint8_t> shifts_;
    ww_rng rng_{};
    uint64_t kept_ = 0, gone_ = 0, victims_ = 0;
};

} // namespace

BOOST_DATA_TEST_CASE(it_answers_as_the_reference,
                     bdata::make({32u, 1u, 4u, 8u, 2u, 4u}) ^ bdata::make({16u, 4u, 2u, 8u, 32u, 4u}) ^
                         bdata::make({8u, 2u, 1u, 2u, 31u, 0u}) ^
                         bdata::make({31u, 31u, 34u, 40u, 31u, 31u}) ^
                         bdata::make({13u, 15u, 14u, 13u, 15u, 14u}) ^
                         bdata::make({9u, 9u, 11u, 14u, 9u, 9u}),
                     sets, ways, compressed, pa_bits, tag_delta, ppn_delta)
{
    for (const uint32_t page_sizes : {1u << 12, 1u << 12 | 1u << 16 | 1u << 21})
        for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR})
            for (const uint16_t rebase_after : {uint16_t{1}, uint16_t{5}}) {
                const ww_tlbc_cfg cfg = {sets,    ways,       compressed,   48,
                                         pa_bits, page_sizes, rebase_after, index};
                random_run(cfg, tag_delta, ppn_delta, sets + rebase_after).run(2500);
            }
}

BOOST_AUTO_TEST_CASE(without_compressed_slots_it_is_a_plain_TLB)
{
    ww_tlbc_cfg cfg = tlbc_config();
    cfg.compressed_ways = 0;
    cfg.page_sizes |= 1u << 21;
    tlbc t(cfg);
    const ww_tlb_cfg plain_cfg = {32, 16, WW_INDEX_MODULO, WW_REPLACE_LRU, cfg.page_sizes, 1};
    blob<ww_tlb> plain(ww_tlb_bytes(&plain_cfg));
    BOOST_REQUIRE_EQUAL(ww_tlb_init(plain, plain.bytes(), &plain_cfg), WW_OK);
    ww_rng rng;
    ww_rng_init(&rng, 3);
    for (int step = 0; step < 20000; ++step) {
        const uint64_t va = uint64_t{ww_rng_below(&rng, 2000)} * 4096;
        const uint16_t vmid = static_cast<uint16_t>(ww_rng_below(&rng, 2));
        ww_xlat x{};
        if (ww_rng_below(&rng, 2) == 0) {
            const auto found = t.lookup(va, vmid);
            BOOST_REQUIRE_EQUAL(ww_tlb_store.lookup(plain, va, vmid, &x), found.has_value());
            BOOST_REQUIRE(!found || ww_xlat_same(&*found, &x));
            continue;
        }
        const uint8_t shift = ww_rng_below(&rng, 4) == 0 ? 21 : 12;
        const ww_mapping m = mapping(va, vmid, uint64_t{ww_rng_below(&rng, 500)} << shift, shift);
        const entered e = t.insert(m);
        ww_mapping victim{};
        const ww_store_entered other = ww_tlb_store.insert(plain, &m, &victim);
        BOOST_REQUIRE_EQUAL(e.result, other.result);
        BOOST_REQUIRE_EQUAL(e.victims.size(), other.victims);
        BOOST_REQUIRE(e.victims.empty() || same(e.victims[0], victim));
    }
}
