/* SPDX-License-Identifier: MIT */
/* Tests of kernels/pwst: the size of the added state, the example of [M18 Figure 8] step by step, each rule,
 * random walks against a naive statement of the rules, and each invariant of the checker broken on purpose.
 * pwst_interleavings_test.cpp tests all interleavings on a real page table. */
#include "hashed_fixture.hpp"
#include "sched_rig.hpp"
#include "walk_fixture.hpp"

#include "kernels/table/pte.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace walk_fixture;

namespace
{

using line = uint64_t[WW_LINE_PTES];

/* A line whose entries point to the nodes (or pages) base + 4 KiB * index in the line. */
void fill(line &words, uint64_t base_pa, bool leaf)
{
    for (uint64_t i = 0; i < WW_LINE_PTES; i++)
        words[i] = leaf ? ww_pte_leaf(base_pa + i * 4096, WW_PTE_RW) : ww_pte_table(base_pa + i * 4096);
}

uint32_t add(service_table &p, buffer &b, const ww_wbuf_job &j)
{
    const uint32_t slot = ww_wbuf_insert(b, &j);
    BOOST_REQUIRE(slot != WW_WBUF_NONE);
    ww_pwst_admit(p, b, slot);
    return slot;
}

void check(service_table &p, buffer &b)
{
    BOOST_REQUIRE_EQUAL(text(ww_pwst_check(p, b)), "");
}

/* Completes a walker's read at a level. */
uint32_t deliver(service_table &p, buffer &b, uint32_t walker, uint32_t level, const line &words,
                 ww_pwst_done *out, uint32_t max)
{
    static const ww_table table = ww_radix_table(5, 0);
    return ww_pwst_deliver(p, b, walker, &table, ww_walk_reading(level, 0, 0), words, out, max);
}

/* CL, PL and PA of an entry as one line of text: the row of the figure. */
std::string row(buffer &b, uint32_t slot)
{
    const ww_wbuf_entry *e = ww_wbuf_at(b, slot);
    return "CL=" + std::to_string(ww_wbuf_cl(e)) + " PL=" + std::to_string(ww_walk_from(e->walk)) +
           " PA=" + std::to_string(ww_walk_pa(e->walk));
}

std::string row(service_table &p, uint32_t walker)
{
    const ww_pwst_entry e = ww_pwst_at(p, walker);
    return e.valid ? std::to_string(e.va >> 12) + " L" + std::to_string(e.step) : "idle";
}

/* The reference: a list of requests and a list of reads in flight; linear scans apply the rules. */
struct naive {
    struct request {
        ww_wbuf_job job;
        uint32_t slot, level;
        uint64_t next_pa;
    };
    struct read {
        bool valid;
        uint64_t va;
        uint16_t vmid;
        uint32_t level;
    };
    ww_coalesce_mode mode;
    std::vector<request> waiting;
    std::vector<read> walker;
    uint32_t brought_nearer = 0; /* entries whose PL and PA the last deliver() wrote */

    bool applies(uint32_t level) const
    {
        return mode == WW_COALESCE_FULL || (mode == WW_COALESCE_LEAF && level == 1);
    }
    bool covers(const ww_wbuf_job &j) const
    {
        for (const read &w : walker)
            if (w.valid && applies(w.level) && same_nbhd(j, w.va, w.vmid, w.level))
                return true;
        return false;
    }
    /* Sets what the walker reads, if anything. Returns for how many entries that changes CL. */
    uint32_t change(uint32_t w, const read &now)
    {
        std::vector<bool> before;
        for (const request &q : waiting)
            before.push_back(covers(q.job));
        walker[w] = now;
        uint32_t changed = 0;
        for (size_t i = 0; i < waiting.size(); i++)
            changed += before[i] != covers(waiting[i].job);
        return changed;
    }
    /* Returns the completed requests in order of age. */
    std::vector<ww_pwst_done> deliver(uint32_t w, const line &words)
    {
        brought_nearer = 0;
        std::vector<ww_pwst_done> done;
        std::vector<request> left;
        const read r = walker[w];
        for (request &q : waiting) {
            const bool nearer = q.level != 0 && q.level <= r.level;
            if (!applies(r.level) || !same_nbhd(q.job, r.va, r.vmid, r.level) || nearer) {
                left.push_back(q);
                continue;
            }
            const uint64_t pte = words[(q.job.va >> (12 + 9 * (r.level - 1))) & 7];
            const bool present = (pte & 1) != 0, large = (pte & 0x80) != 0;
            if (present && r.level > 1 && !large) {
                q.level = r.level;
                q.next_pa = pte & UINT64_C(0x000ffffffffff000);
                brought_nearer++;
                left.push_back(q);
                continue;
            }
            ww_pwst_done d{};
            d.va = q.job.va >> 12 << 12;
            d.req = q.job.req;
            d.fault = !present || (large && r.level > 3);
            if (!d.fault)
                d.xlat = ww_pte_xlat(pte, r.level);
            done.push_back(d);
        }
        waiting = left;
        return done;
    }
};

void compare(service_table &p, buffer &b, const naive &ref)
{
    check(p, b);
    BOOST_REQUIRE_EQUAL(ww_wbuf_count(b), ref.waiting.size());
    uint32_t slot = ww_wbuf_oldest(b), held = 0;
    for (const naive::request &q : ref.waiting) {
        BOOST_REQUIRE_EQUAL(slot, q.slot);
        const ww_wbuf_entry *e = ww_wbuf_at(b, slot);
        const bool cl = ref.covers(q.job);
        BOOST_REQUIRE_EQUAL(ww_wbuf_cl(e), cl);
        BOOST_REQUIRE_EQUAL(ww_pwst_covers(p, q.job.va, q.job.vmid), cl);
        BOOST_REQUIRE_EQUAL(ww_walk_from(e->walk), q.level);
        BOOST_REQUIRE_EQUAL(ww_walk_pa(e->walk), q.next_pa);
        held += cl;
        slot = ww_wbuf_younger(b, slot);
    }
    BOOST_REQUIRE_EQUAL(ww_wbuf_cl_count(b), held);
}

void compare(const std::vector<ww_pwst_done> &got, const std::vector<ww_pwst_done> &expect)
{
    BOOST_REQUIRE_EQUAL(got.size(), expect.size());
    for (size_t i = 0; i < got.size(); i++) {
        BOOST_REQUIRE_EQUAL(got[i].va, expect[i].va);
        BOOST_REQUIRE_EQUAL(got[i].req, expect[i].req);
        BOOST_REQUIRE_EQUAL(got[i].fault, expect[i].fault);
        BOOST_REQUIRE(ww_xlat_same(&got[i].xlat, &expect[i].xlat));
    }
}

void random_run(ww_coalesce_mode mode, uint32_t walkers, uint32_t entries, uint64_t seed)
{
    ww_rng rng;
    ww_rng_init(&rng, seed);
    buffer b(entries);
    service_table p(walkers, mode);
    naive ref{mode, {}, std::vector<naive::read>(walkers, naive::read{})};
    for (uint32_t step = 0; step < 2500; step++) {
        const uint32_t w = ww_rng_below(&rng, walkers);
        if (ww_rng_below(&rng, 2) == 0) {
            const ww_wbuf_job j = job(random_va(&rng), step, static_cast<uint16_t>(ww_rng_below(&rng, 2)));
            if (!ww_wbuf_full(b))
                ref.waiting.push_back({j, add(p, b, j), 0, 0});
        } else if (!ref.walker[w].valid) {
            const uint32_t slot = ww_wbuf_oldest_ready(b);
            if (slot == WW_WBUF_NONE)
                continue;
            const ww_wbuf_job j = ww_wbuf_job_of(ww_wbuf_at(b, slot));
            const uint32_t level = 1 + ww_rng_below(&rng, 5);
            for (size_t i = 0; i < ref.waiting.size(); i++)
                if (ref.waiting[i].slot == slot)
                    ref.waiting.erase(ref.waiting.begin() + static_cast<std::ptrdiff_t>(i--));
            ww_wbuf_remove(b, slot);
            const uint32_t changed = ref.change(w, {true, j.va, j.vmid, level});
            BOOST_REQUIRE_EQUAL(ww_pwst_begin(p, b, w, j.va, j.vmid, level), changed);
        } else {
            const uint32_t level = ref.walker[w].level;
            line words;
            for (uint64_t &pte : words) {
                const uint32_t kind = ww_rng_below(&rng, 6);
                pte = ww_rng_next(&rng) & ~(WW_PTE_P | WW_PTE_PS);
                pte |= kind == 0 ? 0 : kind == 1 ? WW_PTE_P | WW_PTE_PS : WW_PTE_P;
            }
            const std::vector<ww_pwst_done> expect = ref.deliver(w, words);
            std::vector<ww_pwst_done> got;
            ww_pwst_done out[3];
            uint32_t n, nearer = 0;
            do {
                n = deliver(p, b, w, level, words, out, 3);
                nearer += ww_pwst_partials(p);
                got.insert(got.end(), out, out + n);
                check(p, b);
            } while (n == 3);
            compare(got, expect);
            BOOST_REQUIRE_EQUAL(nearer, ref.brought_nearer);
            const uint32_t next = ww_rng_below(&rng, level); /* 0: the walk is over */
            naive::read r = ref.walker[w];
            r.level = next;
            r.valid = next != 0;
            const uint32_t changed = ref.change(w, r);
            BOOST_REQUIRE_EQUAL(next != 0 ? ww_pwst_advance(p, b, w, next) : ww_pwst_end(p, b, w), changed);
        }
        compare(p, b, ref);
    }
}

template <typename Break> std::string broken(Break what)
{
    buffer b(4);
    service_table p(2, WW_COALESCE_LEAF);
    ww_pwst_begin(p, b, 0, 0x1000, 0, 1);
    ww_pwst_begin(p, b, 1, 0x1000, 0, 2);
    add(p, b, job(0x2000));
    add(p, b, job(0x200000));
    what(p, b);
    return text(ww_pwst_check(p, b));
}

} // namespace

BOOST_AUTO_TEST_CASE(the_added_state_is_1447_bytes)
{
    BOOST_TEST(ww_table_vpn_bits(&ww_radix4) == 36u);
    BOOST_TEST(ww_table_step_bits(&ww_radix4) == 3u);
    BOOST_TEST(ww_table_walk_bits(&ww_radix4) == 3u + 40u);
    BOOST_TEST(ww_pwst_extra_bits(&ww_radix4, 256, 8) == 256u * (3 + 40 + 1) + 8u * (36 + 3));
    BOOST_TEST(ww_pwst_extra_bits(&ww_radix4, 256, 8) == 11576u);
    BOOST_TEST(ww_pwst_extra_bits(&ww_radix4, 256, 8) / 8 == 1447u);
}

BOOST_AUTO_TEST_CASE(the_added_state_is_as_wide_as_the_kind_needs)
{
    BOOST_TEST(ww_pwst_extra_bits(&ww_radix5, 256, 8) == 256u * (3 + 40 + 1) + 8u * (45 + 3));
    BOOST_TEST(ww_pwst_extra_bits(&two_step::kind, 256, 8) == 256u * (2 + 40 + 1) + 8u * (20 + 2));
}

BOOST_AUTO_TEST_CASE(modes_have_names)
{
    BOOST_TEST(std::string(ww_coalesce_mode_name(WW_COALESCE_OFF)) == "off");
    BOOST_TEST(std::string(ww_coalesce_mode_name(WW_COALESCE_LEAF)) == "leaf");
    BOOST_TEST(std::string(ww_coalesce_mode_name(WW_COALESCE_FULL)) == "full");
    BOOST_CHECK_THROW(ww_coalesce_mode_name(WW_COALESCE_COUNT), std::logic_error);
}

BOOST_AUTO_TEST_CASE(illegal_configurations_and_short_storage_are_refused)
{
    blob memory(1 << 17);
    auto *p = static_cast<ww_pwst *>(memory.get());
    ww_table_kind narrow = ww_radix4, wrong = ww_radix4;
    narrow.reach[1] = narrow.shift[1] = 9; /* a region would have 64 bits */
    wrong.last = 5;
    for (const ww_pwst_cfg cfg :
         {ww_pwst_cfg{0, WW_COALESCE_FULL, &ww_radix4}, ww_pwst_cfg{8, WW_COALESCE_COUNT, &ww_radix4},
          ww_pwst_cfg{WW_PWST_MAX_WALKERS + 1, WW_COALESCE_FULL, &ww_radix4},
          ww_pwst_cfg{8, WW_COALESCE_FULL, &narrow}, ww_pwst_cfg{8, WW_COALESCE_FULL, &wrong}}) {
        BOOST_TEST(ww_pwst_bytes(&cfg) == 0u);
        BOOST_TEST(ww_pwst_init(p, memory.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_pwst_cfg cfg{WW_PWST_MAX_WALKERS, WW_COALESCE_FULL, &ww_radix4};
    const size_t need = ww_pwst_bytes(&cfg);
    BOOST_TEST(ww_pwst_init(p, need - 1, &cfg) == WW_E_SIZE);
    BOOST_TEST(ww_pwst_init(p, need, &cfg) == WW_OK);
}

/* [M18 Figure 8]: VA0 is from the text; VA1 shares its L1 line, VA2 its L2 line but not its L1 node. */
BOOST_AUTO_TEST_CASE(figure_8_state_by_state)
{
    const uint64_t va0 = va_of(0x0F5, 0x0A3, 0x029, 0x089), va1 = va_of(0x0F5, 0x0A3, 0x029, 0x08A),
                   va2 = va_of(0x0F5, 0x0A3, 0x02A, 0x011);
    const uint64_t l3_node = 0x100000, l2_node = 0x200000, l1_nodes = 0x300000, pages = 0x50000,
                   page2 = 0x90000;
    const std::string node0 = std::to_string(l1_nodes + 1 * 4096); /* index 0x029 is word 1 of its line */
    const std::string node2 = std::to_string(l1_nodes + 2 * 4096);
    const std::string vpn0 = std::to_string(va0 >> 12), vpn2 = std::to_string(va2 >> 12);
    buffer b(256);
    service_table p(2, WW_COALESCE_FULL);
    const scheduler s("fcfs");
    line words;
    ww_pwst_done done[4];

    /* (a) three requests wait, both walkers are idle. */
    const uint32_t req0 = add(p, b, job(va0, 0)), req1 = add(p, b, job(va1, 1)),
                   req2 = add(p, b, job(va2, 2));
    for (uint32_t slot : {req0, req1, req2})
        BOOST_TEST(row(b, slot) == "CL=0 PL=0 PA=0");
    BOOST_TEST(row(p, 0) == "idle");
    BOOST_TEST(row(p, 1) == "idle");
    check(p, b);

    /* (b) PTW0 takes Req0 at the root. Req1 and Req2 are held, so PTW1 finds nothing to take. */
    const ww_table table = ww_radix_table(4, 0x1000);
    BOOST_REQUIRE_EQUAL(s.pick(b, nullptr, &table), req0);
    uint64_t cached = 0;
    BOOST_TEST(ww_sched_start(ww_wbuf_at(b, req0), nullptr, &table, &cached) ==
               ww_walk_reading(4, 0, 0x1000));
    ww_wbuf_remove(b, req0);
    BOOST_TEST(ww_pwst_begin(p, b, 0, va0, 0, 4) == 2u); /* CL of both */
    BOOST_TEST(row(p, 0) == vpn0 + " L4");
    BOOST_TEST(row(p, 1) == "idle");
    BOOST_TEST(row(b, req1) == "CL=1 PL=0 PA=0");
    BOOST_TEST(row(b, req2) == "CL=1 PL=0 PA=0");
    BOOST_TEST(s.pick(b, nullptr, &table) == WW_WBUF_NONE);
    check(p, b);

    /* The reads at L4 and L3: both requests follow and stay held. VA0's L4 and L3 indexes are words 5 and
     * 3. */
    for (uint32_t level = 4; level >= 3; level--) {
        const uint64_t base_pa = level == 4 ? l3_node - 5 * 4096 : l2_node - 3 * 4096;
        const std::string next_pa = std::to_string(level == 4 ? l3_node : l2_node);
        fill(words, base_pa, false);
        BOOST_TEST(deliver(p, b, 0, level, words, done, 4) == 0u);
        BOOST_TEST(ww_pwst_partials(p) == 2u);
        BOOST_TEST(ww_pwst_advance(p, b, 0, level - 1) == 0u);
        BOOST_TEST(row(p, 0) == vpn0 + " L" + std::to_string(level - 1));
        BOOST_TEST(row(b, req1) == "CL=1 PL=" + std::to_string(level) + " PA=" + next_pa);
        BOOST_TEST(row(b, req2) == "CL=1 PL=" + std::to_string(level) + " PA=" + next_pa);
        BOOST_TEST(s.pick(b, nullptr, &table) == WW_WBUF_NONE);
        check(p, b);
    }

    /* (c) The read at L2 returns: each request has its own L1 node; Req2 is released, Req1 is still held. */
    fill(words, l1_nodes, false);
    BOOST_TEST(deliver(p, b, 0, 2, words, done, 4) == 0u);
    BOOST_TEST(ww_pwst_advance(p, b, 0, 1) == 1u);
    BOOST_TEST(row(p, 0) == vpn0 + " L1");
    BOOST_TEST(row(b, req1) == "CL=1 PL=2 PA=" + node0);
    BOOST_TEST(row(b, req2) == "CL=0 PL=2 PA=" + node2);
    check(p, b);

    /* PTW1 takes Req2 and starts in its L1 node. */
    BOOST_REQUIRE_EQUAL(s.pick(b, nullptr, &table), req2);
    BOOST_TEST(ww_sched_start(ww_wbuf_at(b, req2), nullptr, &table, &cached) ==
               after_level(2, l1_nodes + 2 * 4096));
    ww_wbuf_remove(b, req2);
    ww_pwst_begin(p, b, 1, va2, 0, 1);
    BOOST_TEST(row(p, 1) == vpn2 + " L1");
    BOOST_TEST(row(b, req1) == "CL=1 PL=2 PA=" + node0);
    check(p, b);

    /* (d) PTW0's read at L1 returns: Req0 and Req1 are translated; PTW1 still reads for Req2. */
    fill(words, pages, true);
    BOOST_REQUIRE_EQUAL(deliver(p, b, 0, 1, words, done, 4), 1u);
    BOOST_TEST(done[0].req == 1u);
    BOOST_TEST(done[0].va == va1);
    BOOST_TEST(!done[0].fault);
    BOOST_TEST(ww_xlat_pa(&done[0].xlat, va1) == pages + 2 * 4096);
    ww_pwst_end(p, b, 0);
    BOOST_TEST(row(p, 0) == "idle");
    BOOST_TEST(row(p, 1) == vpn2 + " L1");
    BOOST_TEST(ww_wbuf_count(b) == 0u);
    check(p, b);

    /* PTW1 finishes Req2. */
    fill(words, page2, true);
    BOOST_TEST(deliver(p, b, 1, 1, words, done, 4) == 0u);
    ww_pwst_end(p, b, 1);
    BOOST_TEST(ww_pwst_busy(p) == 0u);
    check(p, b);
}

/* Four requests in a line of leaves: one walks, two have absent entries, one has a present one. */
BOOST_AUTO_TEST_CASE(absent_entries_complete_as_many_requests_as_there_is_room_for)
{
    for (const uint32_t room : {0u, 1u, 2u, 3u, WW_PWST_ANY}) {
        buffer b(4);
        service_table p(1, WW_COALESCE_FULL);
        const uint64_t va = va_of(1, 1, 1, 0);
        ww_pwst_begin(p, b, 0, va, 0, 1);
        for (uint32_t n = 1; n < 4; n++)
            add(p, b, job(va + n * 4096, n));
        const uint32_t oldest = ww_wbuf_oldest(b);
        line words;
        fill(words, 0x100000, true);
        words[1] = words[2] = 0;
        ww_wbuf_set_partial(b, oldest, after_level(2, 0x7000));
        if (room != WW_PWST_ANY)
            ww_pwst_set_fault_room(p, room);
        ww_pwst_done done[4];
        const uint32_t faults = room < 2 ? room : 2;
        BOOST_REQUIRE_EQUAL(deliver(p, b, 0, 1, words, done, 4), 1 + faults);
        BOOST_TEST(ww_pwst_faults_left(p) == 2 - faults);
        BOOST_TEST(ww_wbuf_count(b) == 2 - faults);
        for (uint32_t n = 0; n < 1 + faults; n++) {
            BOOST_TEST(done[n].fault == (n < faults));
            BOOST_TEST(done[n].why == (done[n].fault ? WW_WHY_ABSENT : 0));
        }
        if (room == 0)
            BOOST_TEST(ww_walk_from(ww_wbuf_at(b, oldest)->walk) == 2u);
        ww_pwst_end(p, b, 0);
        BOOST_TEST(ww_wbuf_cl_count(b) == 0u);
        check(p, b);
    }
}

/* Mapping a page does not resolve these faults, so they need no room. */
BOOST_AUTO_TEST_CASE(other_faults_complete_a_request_without_room)
{
    buffer b(4);
    service_table p(1, WW_COALESCE_FULL);
    const uint64_t va = va_of(1, 1, 1, 0);
    ww_pwst_begin(p, b, 0, va, 0, 4);
    add(p, b, job(va));
    line words;
    fill(words, 0x100000, false);
    for (uint64_t &word : words)
        word |= WW_PTE_PS; /* no page has the size of level 4 */
    ww_pwst_set_fault_room(p, 0);
    ww_pwst_done done[4];
    BOOST_REQUIRE_EQUAL(deliver(p, b, 0, 4, words, done, 4), 1u);
    BOOST_TEST(done[0].why == WW_WHY_MALFORMED);
    BOOST_TEST(ww_pwst_faults_left(p) == 0u);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_nearer_keeps_its_node)
{
    buffer b(4);
    service_table p(2, WW_COALESCE_FULL);
    const uint32_t slot = add(p, b, job(va_of(0, 0, 1, 0)));
    ww_wbuf_set_partial(b, slot, after_level(2, 0x7000));
    line words;
    ww_pwst_done done[1];
    for (uint32_t level : {3u, 2u}) {
        ww_pwst_begin(p, b, 0, va_of(0, 0, 2, 0), 0, level);
        fill(words, 0x40000, false);
        BOOST_TEST(row(b, slot) == "CL=1 PL=2 PA=28672");
        BOOST_TEST(deliver(p, b, 0, level, words, done, 1) == 0u);
        BOOST_TEST(ww_pwst_partials(p) == 0u);
        ww_pwst_end(p, b, 0);
        BOOST_TEST(row(b, slot) == "CL=0 PL=2 PA=28672");
    }
}

BOOST_AUTO_TEST_CASE(an_absent_entry_faults_its_own_request_only)
{
    for (uint32_t level = 1; level <= 4; level++) {
        buffer b(4);
        service_table p(1, WW_COALESCE_FULL);
        const uint64_t step = UINT64_C(1) << ww_level_shift(level);
        ww_pwst_begin(p, b, 0, 0, 0, level);
        add(p, b, job(1 * step, 1));
        add(p, b, job(2 * step, 2));
        line words;
        fill(words, 0x40000, level == 1);
        words[1] = 0;
        ww_pwst_done done[4];
        BOOST_TEST(deliver(p, b, 0, level, words, done, 4) == (level == 1 ? 2u : 1u));
        BOOST_TEST(done[0].req == 1u);
        BOOST_TEST(done[0].fault);
        BOOST_TEST(ww_wbuf_count(b) == (level == 1 ? 0u : 1u));
        check(p, b);
    }
}

/* Four entries per line, steps numbered from the root, two words per entry: the rules must use the kind. */
BOOST_AUTO_TEST_CASE(the_rules_hold_on_a_table_that_is_no_radix_table)
{
    two_step::memory m;
    m.map(0x000000, 0x7000000);
    m.map(0x101000, 0x7001000);
    m.map(0x102000, 0x7002000);
    m.map_large(0x200000, 0x8000000);
    buffer b(8, &two_step::kind);
    service_table p(2, WW_COALESCE_FULL, &two_step::kind);
    const uint64_t first_va = 0x101000, root = ww_table_start(&m.table, first_va);
    BOOST_TEST(ww_pwst_begin(p, b, 0, first_va, 0, 1) == 0u);
    const uint32_t near = add(p, b, job(0x102abc, 1));
    add(p, b, job(0x200123, 2));                      /* a large page */
    add(p, b, job(0x300000, 3));                      /* absent */
    const uint32_t far = add(p, b, job(0x400000, 4)); /* the next line of the root */
    const uint32_t low = add(p, b, job(0, 5));        /* another node */
    BOOST_TEST(ww_wbuf_cl_count(b) == 4u);
    BOOST_TEST(!ww_wbuf_cl(ww_wbuf_at(b, far)));
    ww_pwst_done done[4];
    const uint64_t *line_of_root = m.line(two_step::memory::base_pa);
    BOOST_REQUIRE_EQUAL(ww_pwst_deliver(p, b, 0, &m.table, root, line_of_root, done, 4), 2u);
    BOOST_TEST(done[0].req == 2u);
    BOOST_TEST(ww_xlat_pa(&done[0].xlat, 0x200123) == 0x8000123u);
    BOOST_TEST(done[1].req == 3u);
    BOOST_TEST(done[1].fault);
    BOOST_TEST(ww_pwst_partials(p) == 2u);
    const uint64_t leaf = m.read(root, first_va);
    BOOST_TEST(ww_wbuf_at(b, near)->walk == leaf);
    BOOST_TEST(ww_wbuf_at(b, low)->walk == m.read(root, 0));
    BOOST_TEST(ww_pwst_advance(p, b, 0, 2) == 1u); /* releases `low` */
    check(p, b);
    BOOST_REQUIRE_EQUAL(ww_pwst_deliver(p, b, 0, &m.table, leaf, m.line(ww_walk_pa(leaf)), done, 4), 1u);
    BOOST_TEST(done[0].req == 1u);
    BOOST_TEST(ww_xlat_pa(&done[0].xlat, 0x102abc) == 0x7002abcu);
    ww_pwst_end(p, b, 0);
    BOOST_TEST(ww_wbuf_count(b) == 2u);
    check(p, b);
}

/* A hashed table: neighbours in a slot's line take their entries from it. A walk that does not find its entry
 * there continues alone in the victim buffer, since its neighbours may find theirs. */
BOOST_AUTO_TEST_CASE(walks_that_did_not_find_their_entry_share_nothing)
{
    hashed_memory m({false, 16, 1, 4, 8, 0x100000});
    const uint64_t absent = 0x40000000, there = absent + 0x1000, later = absent + 0x2000;
    m.map(there, 0x7000, 12);
    m.map(later, 0x8000, 12);
    buffer b(8, &ww_hashed);
    service_table p(1, WW_COALESCE_FULL, &ww_hashed);
    uint64_t walk = ww_table_start(&m.kind, absent);
    ww_pwst_begin(p, b, 0, absent, 0, WW_HASHED_AT_STEPS);
    const uint32_t other = add(p, b, job(absent + 0x1000000, 9)); /* in the group */
    ww_pwst_done done[4];
    ww_walk_read r = {};
    ww_table_next(&m.kind, walk, absent, &r);
    BOOST_TEST(ww_pwst_deliver(p, b, 0, &m.kind, walk, m.line(r.pa), done, 4) == 0u);
    walk = m.step(walk, absent);
    BOOST_TEST(ww_wbuf_at(b, other)->walk == walk);
    BOOST_TEST(ww_pwst_advance(p, b, 0, WW_HASHED_AT_SLOT) == 1u);
    add(p, b, job(there, 1));
    const uint32_t twin = add(p, b, job(absent, 2)); /* does not find it either, but walks by itself */
    check(p, b);
    ww_table_next(&m.kind, walk, absent, &r);
    BOOST_TEST(ww_pwst_deliver(p, b, 0, &m.kind, walk, m.line(r.pa), done, 4) == 1u);
    BOOST_TEST(done[0].req == 1u);
    BOOST_TEST(ww_pwst_partials(p) == 0u);
    BOOST_TEST(ww_wbuf_at(b, twin)->walk == 0u);
    walk = m.step(walk, absent);
    BOOST_TEST(ww_walk_step(walk) == 4u);
    BOOST_TEST(ww_pwst_advance(p, b, 0, 4) == 1u); /* releases the twin */
    const uint32_t waits = add(p, b, job(later, 3));
    BOOST_TEST(!ww_wbuf_cl(ww_wbuf_at(b, waits)));
    check(p, b);
    ww_table_next(&m.kind, walk, absent, &r);
    BOOST_TEST(ww_pwst_deliver(p, b, 0, &m.kind, walk, m.line(r.pa), done, 4) == 0u);
    ww_pwst_end(p, b, 0);
    BOOST_TEST(ww_wbuf_count(b) == 3u);
    check(p, b);
}

BOOST_AUTO_TEST_CASE(another_vm_is_another_neighbourhood)
{
    buffer b(4);
    service_table p(1, WW_COALESCE_FULL);
    ww_pwst_begin(p, b, 0, 0x1000, 3, 1);
    BOOST_TEST(row(b, add(p, b, job(0x1000, 0, 3))) == "CL=1 PL=0 PA=0");
    BOOST_TEST(row(b, add(p, b, job(0x1000, 0, 2))) == "CL=0 PL=0 PA=0");
}

BOOST_AUTO_TEST_CASE(done_says_how_long_the_request_was_held)
{
    buffer b(4);
    service_table p(1, WW_COALESCE_LEAF);
    ww_wbuf_set_stamp(b, 100);
    add(p, b, job(0x1000));
    ww_wbuf_set_stamp(b, 150);
    ww_pwst_begin(p, b, 0, 0x2000, 0, 1);
    ww_wbuf_set_stamp(b, 157);
    line words;
    fill(words, 0x40000, true);
    ww_pwst_done done[1];
    BOOST_TEST(deliver(p, b, 0, 1, words, done, 1) == 1u);
    BOOST_TEST(done[0].held == 7u);
}

BOOST_AUTO_TEST_CASE(broken_contracts_are_caught)
{
    buffer b(4);
    service_table p(2, WW_COALESCE_FULL);
    line words{};
    ww_pwst_done done[1];
    BOOST_CHECK_THROW(ww_pwst_begin(p, b, 2, 0, 0, 1), std::logic_error);
    BOOST_CHECK_THROW(ww_pwst_begin(p, b, 0, UINT64_C(1) << 57, 0, 1), std::logic_error);
    BOOST_CHECK_THROW(ww_pwst_begin(p, b, 0, 0, 0, 6), std::logic_error);
    BOOST_CHECK_THROW(ww_pwst_begin(p, b, 0, 0, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_pwst_advance(p, b, 0, 1), std::logic_error);
    BOOST_CHECK_THROW(ww_pwst_end(p, b, 0), std::logic_error);
    BOOST_CHECK_THROW(deliver(p, b, 0, 2, words, done, 1), std::logic_error);
    BOOST_CHECK_THROW(ww_pwst_at(p, 2), std::logic_error);
    ww_pwst_begin(p, b, 0, 0, 0, 2);
    BOOST_CHECK_THROW(ww_pwst_begin(p, b, 0, 0, 0, 2), std::logic_error);
    BOOST_CHECK_THROW(ww_pwst_advance(p, b, 0, 2), std::logic_error);
    BOOST_CHECK_THROW(ww_pwst_advance(p, b, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(deliver(p, b, 0, 2, words, done, 0), std::logic_error);
    BOOST_CHECK_THROW(deliver(p, b, 0, 1, words, done, 1), std::logic_error);
    check(p, b);
}

BOOST_DATA_TEST_CASE(random_walks_agree_with_the_naive_rules,
                     boost::unit_test::data::xrange(3) * boost::unit_test::data::xrange(3), mode, seed)
{
    const auto m = static_cast<ww_coalesce_mode>(mode);
    const auto base = static_cast<uint64_t>(seed) * 100;
    random_run(m, 1, 4, base + 1);
    random_run(m, 2, 8, base + 2);
    random_run(m, 5, 40, base + 3);
    random_run(m, 8, 100, base + 4);
}

BOOST_AUTO_TEST_CASE(the_table_is_one_word_per_walker_of_number_step_and_vm)
{
    buffer b(4);
    service_table p(2, WW_COALESCE_FULL);
    const uint64_t va = UINT64_C(0x123456789abcdef);
    BOOST_TEST(ww_pwst_word(p, 1) == 0u);
    ww_pwst_begin(p, b, 1, va, 0xfffe, 5);
    BOOST_TEST(ww_pwst_word(p, 1) == UINT64_C(0xfffeb23456789abc));
    BOOST_TEST(ww_pwst_at(p, 1).va == (va & ~UINT64_C(0xfff)));
    BOOST_TEST(ww_pwst_at(p, 1).vmid == 0xfffeu);
    ww_pwst_advance(p, b, 1, 2);
    BOOST_TEST(ww_pwst_word(p, 1) == UINT64_C(0xfffe523456789abc));
    ww_pwst_end(p, b, 1);
    BOOST_TEST(ww_pwst_word(p, 1) == 0u);
    BOOST_TEST(ww_pwst_word(p, 0) == 0u);
}

BOOST_AUTO_TEST_CASE(the_checker_names_each_broken_invariant)
{
    const auto cover = [](service_table &p) { return p.array<uint64_t>(p->cover_at); };
    const auto word = [](service_table &p) { return p.array<uint64_t>(p->word_at); };
    BOOST_TEST(broken([](service_table &, buffer &) {}) == "");
    const char *unshared = "a walker without a shared read covers something";
    BOOST_TEST(broken([&](service_table &p, buffer &) { cover(p)[1] = 0; }) == unshared);
    BOOST_TEST(broken([&](service_table &p, buffer &) { word(p)[0] = 0; }) == unshared);
    const char *other = "a walker covers another region than it reads";
    BOOST_TEST(broken([&](service_table &p, buffer &) { cover(p)[0] ^= 8; }) == other);
    BOOST_TEST(broken([&](service_table &p, buffer &) { p.array<uint8_t>(p->span_at)[0] = 9; }) == other);
    BOOST_TEST(broken([&](service_table &p, buffer &) { p->busy = 1; }) ==
               "busy is not the number of valid entries");
    BOOST_TEST(broken([&](service_table &, buffer &b) { ww_wbuf_set_cl(b, 1, true); }) ==
               "CL is not the rule of the neighbourhoods");
    BOOST_TEST(broken([&](service_table &, buffer &b) { b->cl_count = 2; }) ==
               "a count is not the number of entries");
}
