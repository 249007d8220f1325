/* SPDX-License-Identifier: MIT */
/* A TLB whose answers fill a whole place: the level below gives the other mapped pages of the place with the
 * answer, in no time and without a request. */
#include "model/tlb.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

using namespace walkway;
using namespace walkway::test;
using xrow = row<xlat_protocol>;

namespace
{

tlb_params places_of_four(const std::string &fill)
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = p.ways = 2;
    p.hit_cycles = 10;
    p.response_cycles = 1;
    p.store.choose("subentry");
    p.store.set("subentry_pages", 4);
    p.store.set("subentry_fill", fill == "all");
    return p;
}

/* Pages 4 n + 3 are not mapped. */
struct rig {
    simulation sim;
    xlat_requester top{"top"};
    xlat_responder below{"below"};
    tlb dut;
    translations asked{top};
    unsigned looked = 0;

    explicit rig(const std::string &fill) : dut("tlb", gpu_clock, places_of_four(fill), {"l1", "L1 TLB"}, 1)
    {
        top.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        invent(below);
        below.latency = 100;
        below.on_debug = [this](xlat_request &r) {
            ++looked;
            r.fault = (r.va >> 12) % 4 == 3;
            r.result = invented(r.va);
            return 1u;
        };
    }
    xlat_request &page(uint64_t n, tick at) { return asked.make(n << 12, at); }
    void rows(const std::vector<xrow> &list) { check_rows<xlat_protocol>(sim, top, list); }
};

constexpr uint64_t hit = 10, miss = 10 + 100 + 1;

} // namespace

BOOST_AUTO_TEST_SUITE(fills_of_places)

BOOST_AUTO_TEST_CASE(one_miss_makes_the_mapped_pages_of_its_place_valid_or_its_own_alone)
{
    for (const char *fill : {"one", "all"}) {
        rig r(fill);
        const uint64_t beside = fill == std::string("all") ? hit : miss;
        xlat_request &first = r.page(5, cycle(20)), &lower = r.page(4, cycle(300)),
                     &upper = r.page(6, cycle(600));
        xlat_request &absent = r.page(7, cycle(900)), &other = r.page(8, cycle(1200));
        r.rows({{cycle(20), &first, cycle(20 + miss)},
                {cycle(300), &lower, cycle(300 + beside)},
                {cycle(600), &upper, cycle(600 + beside)},
                {cycle(900), &absent, cycle(900 + miss)},
                {cycle(1200), &other, cycle(1200 + miss)}});
        BOOST_TEST(upper.result.page_pa == invented(6 << 12).page_pa);
        const tlb_stats s = r.dut.stats();
        BOOST_TEST(s.misses == (beside == hit ? 3u : 5u));
        BOOST_TEST(r.below.taken.size() == s.misses); /* other pages of the place cause no request */
        /* for page 5: 4, 6, 7; for page 7: none, as its others are held; for page 8: 9, 10, 11 */
        BOOST_TEST(r.looked == (beside == hit ? 6u : 0u));
        BOOST_TEST(s.fills == (beside == hit ? 1u + 2 + 1 + 1 + 2 : 5u));
        law_list laws(0, false);
        r.dut.laws(laws);
        for (const law &l : laws.all())
            BOOST_TEST(l.left == l.right, l.name);
    }
}

BOOST_AUTO_TEST_CASE(a_place_that_is_taken_loses_them_all_and_one_miss_brings_them_back)
{
    rig r("all");
    std::vector<xrow> rows;
    uint64_t at = 20;
    for (const auto &[number, latency] :
         {std::pair(0, miss), std::pair(4, miss), std::pair(2, hit), std::pair(8, miss), /* evicts 4 */
          std::pair(1, hit), std::pair(5, miss), std::pair(6, hit)}) {
        rows.push_back({cycle(at), &r.page(static_cast<uint64_t>(number), cycle(at)), cycle(at + latency)});
        at += 300;
    }
    r.rows(rows);
    BOOST_TEST(r.dut.stats().evictions == 6u);
}

BOOST_AUTO_TEST_SUITE_END()
