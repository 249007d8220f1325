/* SPDX-License-Identifier: MIT */
/* Local memory above the instruction cache, both with translations [M21]: every order of lookups, fills,
 * answers in flight, local accesses, instruction fetches, a kernel's end and an invalidate. Each distinct
 * state is visited once (identified by a digest of 128 bits). */
#include "tb/kernels/reach_machine.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <set>

namespace bdata = boost::unit_test::data;
using namespace reach;
using walkway::test::test_share;

namespace
{

const char *const step_names[steps] = {"ask",
                                       "LDS takes request",
                                       "I-cache takes request",
                                       "walk",
                                       "I-cache takes answer",
                                       "LDS takes answer",
                                       "requester takes answer",
                                       "first access ends",
                                       "second access ends",
                                       "turn back",
                                       "LDS takes fill",
                                       "I-cache takes fill",
                                       "fill leaves",
                                       "local access",
                                       "fetch",
                                       "invalidate"};

struct outcome {
    uint64_t ends = 0;
    std::string fault, way;
    seen all{};
    std::set<std::array<uint64_t, 2>> states;
};

void go_on(const machine &m, outcome &o, std::vector<step> &way)
{
    if (!o.states.insert(m.key()).second)
        return;
    o.fault = m.wrong();
    bool moved = false;
    for (uint8_t s = 0; s < steps && o.fault.empty(); ++s)
        if (m.can(step(s))) {
            moved = true;
            machine next = m;
            next.take(step(s), o.all);
            way.push_back(step(s));
            go_on(next, o, way);
            if (o.fault.empty())
                way.pop_back();
        }
    if (moved || !o.fault.empty())
        return;
    ++o.ends;
    if (!m.done())
        o.fault = "nothing can happen, and something is under way";
}

outcome enumerate(const plan &p)
{
    outcome o;
    std::vector<step> way;
    go_on(machine(p), o, way);
    for (const step s : way)
        o.way += std::string(o.way.empty() ? "" : ", ") + step_names[s];
    BOOST_TEST_MESSAGE(o.states.size() << " states, " << o.ends
                                       << " ends: " << (o.fault.empty() ? "holds" : o.fault) << ' ' << o.way);
    return o;
}

/* A is in the LDS with another page; D is in a full line of the I-cache. */
plan usual()
{
    plan p;
    p.asks = {page_a, page_d, page_a};
    p.in_l1 = page_b;
    p.in_lds = {page_a, page_c};
    p.in_icache = {page_d};
    for (uint8_t n = page_f; n <= page_l; ++n)
        p.in_icache.push_back(page(n));
    return p;
}

/* Nothing blocks fills; page E, which has another base, is filled. */
plan other_base(uint8_t lds_mismatch, uint8_t icache_mismatch)
{
    plan p = usual();
    p.asks = {page_e, page_a, page_d};
    p.lds_mismatch = lds_mismatch;
    p.icache_mismatch = icache_mismatch;
    p.local_accesses = p.fetches = false;
    return p;
}

struct row {
    const char *name;
    void (*change)(plan &);
    const char *fault;
};
std::ostream &operator<<(std::ostream &s, const row &r)
{
    return s << r.name;
}

const char *const stale = "acknowledged, and the old translation is there";
const row rows[] = {
    {"no refusal in the LDS", [](plan &p) { p.with.lds_refuses = false; }, stale},
    {"no refusal in the I-cache", [](plan &p) { p.with.icache_refuses = false; }, stale},
    {"the LDS drops nothing", [](plan &p) { p.with.lds_drops = false; }, stale},
    {"the I-cache drops nothing", [](plan &p) { p.with.icache_drops = false; }, stale},
    {"no turn", [](plan &p) { p.with.turn = false; }, stale},
    {"out ahead of the answers", [](plan &p) { p.with.behind_answers = false; }, stale},
    {"back ahead of the fills", [](plan &p) { p.with.behind_fills = false; }, stale},
};

} // namespace

BOOST_AUTO_TEST_SUITE(translation_reach)

BOOST_DATA_TEST_CASE(no_order_leaves_an_old_translation_or_waits_for_ever, bdata::make({false, true}), moves)
{
    static test_share some(2);
    if (!some.takes())
        return;
    plan p = usual();
    p.moves = moves;
    const outcome o = enumerate(p);
    BOOST_TEST(o.fault == "", o.fault << ": " << o.way);
    BOOST_TEST(o.states.size() > 10000u);
    BOOST_TEST(o.ends > 0u);
    BOOST_TEST(o.all.refused > 0u);
    BOOST_TEST(o.all.lds_hits > 0u);
    BOOST_TEST(o.all.icache_hits > 0u);
    BOOST_TEST(o.all.lds.claimed > 0u);
    BOOST_TEST(o.all.lds.dropped > 0u);
    BOOST_TEST(o.all.lds.displaced > 0u);
    BOOST_TEST(o.all.lds.bypassed_mode > 0u);
    BOOST_TEST(o.all.icache.claimed > 0u);
    BOOST_TEST(o.all.icache.dropped > 0u);
    BOOST_TEST(o.all.icache.displaced > 0u);
    BOOST_TEST(o.all.icache.bypassed_mode > 0u);
    BOOST_TEST(o.all.icache.code_flushed > 0u);
}

BOOST_DATA_TEST_CASE(nor_does_a_page_of_another_base,
                     bdata::make({WW_LDS_TX_REBASE, WW_LDS_TX_BYPASS}) *
                         bdata::make({WW_ICACHE_TX_COUNT, WW_ICACHE_TX_REBASE, WW_ICACHE_TX_BYPASS}),
                     lds_mismatch, icache_mismatch)
{
    const outcome o = enumerate(other_base(lds_mismatch, icache_mismatch));
    BOOST_TEST(o.fault == "", o.fault << ": " << o.way);
    BOOST_TEST((o.all.lds.rebased > 0u) == (lds_mismatch == WW_LDS_TX_REBASE));
    BOOST_TEST((o.all.lds.bypassed_base > 0u) == (lds_mismatch == WW_LDS_TX_BYPASS));
    BOOST_TEST((o.all.icache.rebased > 0u) == (icache_mismatch == WW_ICACHE_TX_REBASE));
    BOOST_TEST((o.all.icache.bypassed_base > 0u) == (icache_mismatch != WW_ICACHE_TX_REBASE));
}

BOOST_DATA_TEST_CASE(any_part_taken_out_leaves_an_old_translation, bdata::make(rows), r)
{
    plan p = usual();
    r.change(p);
    const outcome o = enumerate(p);
    BOOST_TEST(o.fault == r.fault, o.fault << ": " << o.way);
}

BOOST_AUTO_TEST_SUITE_END()
