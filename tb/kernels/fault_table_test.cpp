/* SPDX-License-Identifier: MIT */
/* Tests the fault table: a page's sequence of roles by example, random use against plain lists, and damage
 * that the check reports. */
#include <boost/test/unit_test.hpp>

#include "kernels/walk/fault_table.h"
#include "tb/kernels/blob.hpp"

#include <algorithm>
#include <string>
#include <vector>

using walkway_tb::blob;

namespace
{

constexpr uint64_t page = 4096;

struct table {
    blob<ww_faults> t;
    explicit table(uint32_t entries) : t(ww_faults_bytes(entries))
    {
        BOOST_REQUIRE_EQUAL(ww_faults_init(t, t.bytes(), entries), WW_OK);
    }
    ~table() { BOOST_TEST(t.intact()); }
    uint32_t park(uint64_t va, uint16_t vmid, uint32_t req)
    {
        const uint32_t slot = ww_faults_park(t, va, vmid, req);
        BOOST_TEST(check() == "");
        return slot;
    }
    uint32_t send_oldest()
    {
        const uint32_t slot = ww_faults_oldest(t, WW_FAULT_QUEUED);
        ww_faults_sent(t, slot);
        return slot;
    }
    /* Removes all requests of a page; returns them in order of removal. */
    std::vector<uint32_t> empty(uint64_t va, uint16_t vmid)
    {
        std::vector<uint32_t> left;
        for (uint32_t req = 0; ww_faults_leave(t, va, vmid, &req);)
            left.push_back(req);
        BOOST_TEST(check() == "");
        return left;
    }
    std::string check() const
    {
        const char *broken = ww_faults_check(t);
        return broken ? broken : "";
    }
};

using list = std::vector<uint32_t>;

} // namespace

BOOST_AUTO_TEST_SUITE(fault_table)

BOOST_AUTO_TEST_CASE(illegal_sizes_are_refused)
{
    BOOST_TEST(ww_faults_bytes(0) == 0u);
    BOOST_TEST(ww_faults_bytes(WW_FAULTS_MAX_ENTRIES + 1) == 0u);
    BOOST_TEST(ww_faults_bytes(WW_FAULTS_MAX_ENTRIES) > 0u);
    blob<ww_faults> b(ww_faults_bytes(4));
    BOOST_TEST(ww_faults_init(b, b.bytes(), 0) == WW_E_ARG);
    BOOST_TEST(ww_faults_init(b, b.bytes() - 1, 4) == WW_E_SIZE);
}

/* Per entry: 36 + 16 bits for the page, 3 for the role, and 3 for the place among five. */
BOOST_AUTO_TEST_CASE(an_entry_has_its_role_its_page_and_its_place_in_the_order)
{
    BOOST_TEST(ww_faults_bits(5, 36, 16) == 5u * (3 + 36 + 16 + 3));
    BOOST_TEST(ww_faults_bits(8, 36, 0) == 8u * (3 + 36 + 3));
    BOOST_TEST(ww_faults_bits(1, 36, 16) == 1u * (3 + 36 + 16));
}

BOOST_AUTO_TEST_CASE(a_page_is_queued_sent_handled_walked_and_left)
{
    table f(4);
    const uint32_t first = f.park(0x7000 + 12, 3, 70); /* the offset within the page is ignored */
    BOOST_TEST(ww_faults_role(f.t, first) == WW_FAULT_QUEUED);
    BOOST_TEST(ww_faults_va(f.t, first) == 0x7000u);
    BOOST_TEST(ww_faults_vmid(f.t, first) == 3u);
    const uint32_t second = f.park(0x7fff, 3, 71);
    BOOST_TEST(ww_faults_role(f.t, second) == WW_FAULT_JOINED);
    f.park(0x7000, 3, 72);
    BOOST_TEST(ww_faults_used(f.t) == 3u);
    BOOST_TEST(ww_faults_oldest(f.t, WW_FAULT_SENT) == WW_FAULTS_NONE);

    BOOST_TEST(f.send_oldest() == first);
    BOOST_TEST(ww_faults_oldest(f.t, WW_FAULT_QUEUED) == WW_FAULTS_NONE);
    ww_faults_handled(f.t, first);
    BOOST_TEST(ww_faults_oldest(f.t, WW_FAULT_READY) == first);
    BOOST_TEST(!ww_faults_walking(f.t, 0x7000, 3));
    BOOST_TEST(ww_faults_take(f.t, first) == 70u);
    BOOST_TEST(ww_faults_walking(f.t, 0x7000, 3));
    BOOST_TEST(f.check() == "");
    BOOST_TEST(ww_faults_used(f.t) == 2u);
    BOOST_TEST(ww_faults_oldest(f.t, WW_FAULT_WALKING) == second);
    BOOST_TEST(ww_faults_req(f.t, second) == 71u);
    BOOST_TEST(f.empty(0x7000, 3) == (list{71, 72}), boost::test_tools::per_element());
    BOOST_TEST(ww_faults_used(f.t) == 0u);
}

BOOST_AUTO_TEST_CASE(who_walks_alone_leaves_nothing_behind)
{
    table f(1);
    const uint32_t slot = f.park(0, 0, 9); /* page 0 of VM 0 is not special */
    BOOST_TEST(ww_faults_full(f.t));
    f.send_oldest();
    ww_faults_handled(f.t, slot);
    BOOST_TEST(ww_faults_take(f.t, slot) == 9u);
    BOOST_TEST(ww_faults_used(f.t) == 0u);
    BOOST_TEST(!ww_faults_full(f.t));
    ww_faults_again(f.t, 0, 0); /* no request waits for it */
    BOOST_TEST(f.check() == "");
    BOOST_TEST(f.empty(0, 0).empty());
}

BOOST_AUTO_TEST_CASE(a_walk_that_faults_again_queues_its_page_once_more_at_its_old_place)
{
    table f(4);
    const uint32_t slot = f.park(page, 0, 1);
    const uint32_t joined = f.park(page, 0, 2);
    f.park(2 * page, 0, 3);
    BOOST_TEST(f.send_oldest() == slot);
    ww_faults_handled(f.t, slot);
    BOOST_TEST(ww_faults_take(f.t, slot) == 1u);
    ww_faults_again(f.t, page, 0);
    BOOST_TEST(f.check() == "");
    f.park(page, 0, 1); /* the request that walked joins the page's new leader */
    BOOST_TEST(f.send_oldest() == joined);
    BOOST_TEST(f.empty(page, 0) == (list{2, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pages_are_told_apart_by_number_and_by_vm)
{
    table f(5);
    BOOST_TEST(ww_faults_role(f.t, f.park(page, 0, 0)) == WW_FAULT_QUEUED);
    BOOST_TEST(ww_faults_role(f.t, f.park(page, 1, 1)) == WW_FAULT_QUEUED);
    BOOST_TEST(ww_faults_role(f.t, f.park(uint64_t{1} << 56, 0, 2)) == WW_FAULT_QUEUED);
    BOOST_TEST(ww_faults_role(f.t, f.park(page, 1, 3)) == WW_FAULT_JOINED);
    list of;
    for (uint32_t s = ww_faults_of(f.t, page, 1, WW_FAULTS_NONE); s != WW_FAULTS_NONE;
         s = ww_faults_of(f.t, page, 1, s))
        of.push_back(ww_faults_req(f.t, s));
    BOOST_TEST(of == (list{1, 3}), boost::test_tools::per_element());
}

/* The reference keeps plain lists: pages in the order of their oldest request. */
BOOST_AUTO_TEST_CASE(random_use_gives_what_plain_lists_give)
{
    struct parked {
        uint64_t va;
        uint16_t vmid;
        uint32_t req;
        ww_fault_role role;
    };
    ww_rng random;
    ww_rng_init(&random, 3);
    for (const uint32_t entries : {1u, 2u, 7u, 33u}) {
        table f(entries);
        std::vector<parked> all; /* oldest first */
        const auto page_of = [&](const parked &a) {
            return [&a](const parked &b) { return b.va == a.va && b.vmid == a.vmid; };
        };
        const auto lead = [&](ww_fault_role role) {
            return std::find_if(all.begin(), all.end(), [&](const parked &p) { return p.role == role; });
        };
        for (uint32_t i = 0; i < 4000; ++i) {
            parked p = {ww_rng_below(&random, 6) * page, static_cast<uint16_t>(ww_rng_below(&random, 2)), i,
                        WW_FAULT_QUEUED};
            const auto any = [&] { return std::find_if(all.begin(), all.end(), page_of(p)); };
            const auto act = ww_rng_below(&random, 6);
            if (act < 2 && all.size() < entries) {
                p.role = any() == all.end() ? WW_FAULT_QUEUED : WW_FAULT_JOINED;
                BOOST_REQUIRE(ww_faults_role(f.t, f.park(p.va, p.vmid, i)) == p.role);
                all.push_back(p);
            } else if (act == 2 && lead(WW_FAULT_QUEUED) != all.end()) {
                BOOST_REQUIRE(ww_faults_req(f.t, f.send_oldest()) == lead(WW_FAULT_QUEUED)->req);
                lead(WW_FAULT_QUEUED)->role = WW_FAULT_SENT;
            } else if (act == 3 && lead(WW_FAULT_SENT) != all.end()) {
                ww_faults_handled(f.t, ww_faults_oldest(f.t, WW_FAULT_SENT));
                lead(WW_FAULT_SENT)->role = WW_FAULT_READY;
            } else if (act == 4 && lead(WW_FAULT_READY) != all.end()) {
                const auto it = lead(WW_FAULT_READY);
                p = *it;
                BOOST_REQUIRE(ww_faults_take(f.t, ww_faults_oldest(f.t, WW_FAULT_READY)) == p.req);
                all.erase(it);
                if (any() != all.end())
                    any()->role = WW_FAULT_WALKING;
            } else if (act == 5 && any() != all.end() && any()->role == WW_FAULT_WALKING) {
                if (ww_rng_below(&random, 2) == 0) {
                    ww_faults_again(f.t, p.va, p.vmid);
                    any()->role = WW_FAULT_QUEUED;
                } else {
                    list want;
                    for (; any() != all.end(); all.erase(any()))
                        want.push_back(any()->req);
                    BOOST_REQUIRE(f.empty(p.va, p.vmid) == want);
                }
            }
            BOOST_REQUIRE(f.check() == "");
            BOOST_REQUIRE(ww_faults_used(f.t) == all.size());
            BOOST_REQUIRE(ww_faults_full(f.t) == (all.size() == entries));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_check_names_what_is_broken)
{
    table f(4);
    f.park(page, 0, 1);
    f.park(page, 0, 2);
    const blob<ww_faults> good = f.t;
    const auto broken_by = [&](auto damage) {
        f.t = good;
        damage(f.t.words(f.t->word_at));
        return f.check();
    };
    BOOST_TEST(broken_by([](uint64_t *) {}) == "");
    BOOST_TEST(broken_by([](uint64_t *w) { w[2] = uint64_t{7} << 45; }) == "an entry has no role");
    BOOST_TEST(broken_by([](uint64_t *w) { w[3] = 9; }) == "a free entry is not zero");
    BOOST_TEST(broken_by([](uint64_t *w) { w[0] = w[1]; }) == "a page is not led by one entry");
    BOOST_TEST(broken_by([](uint64_t *w) { w[1] = w[0]; }) == "a page is not led by one entry");
    BOOST_TEST(broken_by([](uint64_t *w) { w[1] = 0; }) == "the entries of a role are miscounted");
    BOOST_TEST(broken_by([&](uint64_t *) { f.t.words(f.t->seq_at)[1] = 2; }) ==
               "an entry is younger than the next");
}

BOOST_AUTO_TEST_SUITE_END()
