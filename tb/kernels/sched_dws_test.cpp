/* SPDX-License-Identifier: MIT */
/* Tests of kernels/sched_dws: each rule of docs/model/walk-stealing.md by example, refused configurations,
 * and random use against plainly written rules. */
#include "sched_rig.hpp"
#include "walk_fixture.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <stdexcept>

using namespace walk_fixture;

namespace
{

enum { never, idle, thresholds };
enum { own, stolen_idle, stolen_busy, uneven_epochs };

const ww_table table = ww_radix_table(4, 0x9000);

ww_sched_cfg with(uint32_t owners, uint32_t steal, uint32_t walkers = 4, uint32_t entries = 40)
{
    return {walkers, entries, {owners, steal, 8, 20, 60, 50}};
}

/* A scheduler with a buffer and walkers, as a walk unit has them. */
struct unit {
    explicit unit(const ww_sched_cfg &cfg, uint64_t idle_walkers = 0)
        : b(cfg.entries), s("dws", cfg, idle_walkers)
    {
    }
    uint32_t add(uint16_t vmid, uint32_t req = 0)
    {
        s.kind.arrived(s.get(), vmid);
        const ww_wbuf_job j = job(uint64_t{req} << 12, req, vmid);
        s.kind.entered(s.get(), vmid);
        return ww_wbuf_insert(b, &j);
    }
    bool room(uint16_t vmid) { return s.kind.room(s.get(), s.kind.queue_of(s.get(), vmid)); }
    /* Picks a walk and its walker, and takes it. Returns false if there is none. */
    bool take(uint32_t *walker, uint16_t *vmid, uint32_t *req)
    {
        const ww_sched_pick p = s.pick_pair(b, &table);
        if (p.slot == WW_WBUF_NONE)
            return false;
        const ww_wbuf_entry *e = ww_wbuf_at(b, p.slot);
        BOOST_REQUIRE(!ww_wbuf_cl(e));
        BOOST_REQUIRE((s.idle[p.walker / 64] >> p.walker % 64 & 1) != 0);
        *walker = p.walker;
        *vmid = ww_wbuf_vmid(e);
        *req = e->req;
        s.took(e, p.walker);
        ww_wbuf_remove(b, p.slot);
        s.kind.left(s.get(), *vmid);
        s.idle[p.walker / 64] &= ~(uint64_t{1} << p.walker % 64);
        return true;
    }
    /* All walks that are taken now, in order, as "walker:request". */
    std::string takes()
    {
        std::string all;
        uint32_t walker = 0, req = 0;
        for (uint16_t vmid = 0; s.idle[0] != 0 && take(&walker, &vmid, &req);)
            all += (all.empty() ? "" : " ") + std::to_string(walker) + ":" + std::to_string(req);
        return all;
    }
    uint64_t stat(uint32_t i) { return s.kind.stat(s.get(), i); }
    std::string broken() { return text(s.kind.check(s.get())); }

    buffer b;
    scheduler s;
};

std::string refusal(const ww_sched_cfg &cfg)
{
    const ww_sched_kind &kind = *scheduler_named("dws");
    BOOST_TEST((kind.fault(&cfg) == nullptr || kind.bytes(&cfg) == 0));
    return text(kind.fault(&cfg));
}

/* Random walks arrive, are held, released, completed by another's line, and taken. */
void hold_at_random(uint32_t steal, uint32_t owners)
{
    ww_rng rng;
    ww_rng_init(&rng, 11 + steal * 8 + owners);
    const uint32_t walkers = 70;
    ww_sched_cfg cfg = with(owners, steal, walkers, 23);
    unit u(cfg);
    u.s.idle = {0, 0};
    std::deque<std::pair<uint32_t, uint16_t>> naive; /* slot, VM-ID, oldest first */
    uint32_t came[16] = {}, epoch = 0;
    bool uneven = false, stole[70] = {};
    uint64_t counts[4] = {};
    for (uint32_t step = 0; step < 6000; step++) {
        const auto waits = [&](uint32_t owner) {
            return static_cast<uint32_t>(std::count_if(
                naive.begin(), naive.end(), [&](const auto &one) { return one.second % owners == owner; }));
        };
        const auto has = [&](uint32_t owner) { return 23 / owners + (owner < 23 % owners ? 1u : 0u); };
        const auto vmid = static_cast<uint16_t>(ww_rng_below(&rng, 2) == 0 ? 0 : ww_rng_below(&rng, 9));
        BOOST_REQUIRE_EQUAL(u.room(vmid), waits(vmid % owners) < has(vmid % owners));
        if (u.room(vmid) && ww_rng_below(&rng, 3) != 0) {
            naive.emplace_back(u.add(vmid), vmid);
            ww_wbuf_set_cl(u.b, naive.back().first, ww_rng_below(&rng, 4) == 0);
            if (steal == thresholds) {
                came[vmid % owners]++;
                if (++epoch == 8) {
                    const uint32_t most = *std::max_element(came, came + owners),
                                   least = *std::min_element(came, came + owners);
                    uneven = most >= 2 * least || (uneven && 2 * most > 3 * least);
                    counts[uneven_epochs] += most >= 2 * least;
                    std::fill(came, came + owners, 0);
                    epoch = 0;
                }
            }
        }
        if (!naive.empty() && ww_rng_below(&rng, 8) == 0) { /* completed or released */
            const size_t i = ww_rng_below(&rng, static_cast<uint32_t>(naive.size()));
            ww_wbuf_set_cl(u.b, naive[i].first, false);
            if (ww_rng_below(&rng, 2) == 0) {
                ww_wbuf_remove(u.b, naive[i].first);
                u.s.kind.left(u.s.get(), naive[i].second);
                naive.erase(naive.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        const uint32_t freed = ww_rng_below(&rng, walkers);
        if (ww_rng_below(&rng, 3) == 0)
            u.s.idle[freed / 64] |= uint64_t{1} << freed % 64;
        if ((u.s.idle[0] | u.s.idle[1]) == 0)
            continue;
        const auto idle_of = [&](uint32_t owner) {
            for (uint32_t w = owner; w < walkers; w += owners)
                if ((u.s.idle[w / 64] >> w % 64 & 1) != 0)
                    return w;
            return walkers;
        };
        const auto oldest_of = [&](uint32_t owner) {
            return std::find_if(naive.begin(), naive.end(), [&](const auto &one) {
                return one.second % owners == owner && !ww_wbuf_cl(ww_wbuf_at(u.b, one.first));
            });
        };
        auto expect = std::find_if(naive.begin(), naive.end(), [&](const auto &one) {
            return !ww_wbuf_cl(ww_wbuf_at(u.b, one.first)) && idle_of(one.second % owners) != walkers;
        });
        uint32_t walker = expect == naive.end() ? walkers : idle_of(expect->second % owners);
        uint32_t victim = owners;
        for (uint32_t o = 0; o < owners && steal != never; o++)
            if (oldest_of(o) != naive.end() && idle_of(o) == walkers &&
                (victim == owners || waits(o) > waits(victim)))
                victim = o;
        if (victim != owners) {
            const uint32_t o = walker % owners;
            if (walker == walkers) {
                for (uint32_t other = 0; other < owners; other++)
                    walker = std::min(walker, idle_of(other));
                expect = oldest_of(victim);
            } else if (steal == thresholds && !stole[walker] && waits(o) * 100 < 50 * has(o) &&
                       waits(victim) * 100 > waits(o) * 100 + (uneven ? 60 : 20) * has(o)) {
                expect = oldest_of(victim);
            }
        }
        const ww_sched_pick p = u.s.pick_pair(u.b, &table);
        BOOST_REQUIRE_EQUAL(p.slot, expect == naive.end() ? WW_WBUF_NONE : expect->first);
        if (expect != naive.end()) {
            BOOST_REQUIRE_EQUAL(p.walker, walker);
            stole[walker] = expect->second % owners != walker % owners;
            counts[!stole[walker] ? own : waits(walker % owners) == 0 ? stolen_idle : stolen_busy]++;
            uint32_t w = 0, req = 0;
            uint16_t of = 0;
            BOOST_REQUIRE(u.take(&w, &of, &req));
            naive.erase(expect);
        }
        BOOST_REQUIRE_EQUAL(u.broken(), "");
    }
    for (uint32_t i = 0; i < 4; i++)
        BOOST_TEST(u.stat(i) == counts[i]);
    BOOST_TEST(counts[own] != 0u);
    BOOST_TEST((counts[stolen_idle] != 0) == (steal != never && owners > 1));
    BOOST_TEST((counts[stolen_busy] != 0) == (steal != never && owners > 1)); /* or own walks are held */
}

} // namespace

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused)
{
    const ww_sched_kind &kind = *scheduler_named("dws");
    BOOST_TEST(refusal(with(2, idle)) == "");
    BOOST_TEST(refusal(with(4, idle)) == "");
    BOOST_TEST(refusal(with(5, idle)) == "dws_owners is more than walkers: each owner needs one");
    BOOST_TEST(refusal(with(4, idle, 4, 4)) == "");
    BOOST_TEST(refusal(with(4, idle, 4, 3)) ==
               "dws_owners is more than buffer_entries: each owner needs one");
    const auto bytes = [&kind](ww_sched_cfg cfg) { return kind.bytes(&cfg); };
    BOOST_TEST(bytes(with(16, idle, 4096)) != 0u);
    BOOST_TEST(bytes(with(16, idle, 4097)) == 0u);
    BOOST_TEST(bytes(with(0, idle)) == 0u);
    BOOST_TEST(bytes(with(17, idle, 64)) == 0u);
    BOOST_TEST(bytes(with(2, 3)) == 0u);
    for (uint32_t key = 2; key < 6; key++) { /* only the thresholds mode reads these keys */
        ww_sched_cfg none = with(2, thresholds), most = none;
        none.keys[key] = 0;
        most.keys[key] = 65537;
        BOOST_TEST(bytes(none) == 0u);
        BOOST_TEST(bytes(most) == 0u);
        none.keys[1] = idle;
        BOOST_TEST(bytes(none) != 0u);
        BOOST_TEST(std::string(kind.keys[key].needs) == "dws_steal=thresholds");
    }
    const ww_sched_cfg cfg = with(2, idle), bad = with(0, idle);
    blob memory(bytes(cfg));
    BOOST_TEST(kind.init(memory.get(), bytes(cfg) - 1, &cfg) == WW_E_SIZE);
    BOOST_TEST(kind.init(memory.get(), bytes(cfg), &bad) == WW_E_ARG);
}

/* Rules 1 and 3. */
BOOST_AUTO_TEST_CASE(walkers_take_the_oldest_of_their_own_owner)
{
    unit u(with(2, never), 0xf);
    u.add(0, 1);
    u.add(0, 2);
    u.add(3, 3); /* owner 1 */
    u.add(0, 4);
    BOOST_TEST(u.takes() == "0:1 2:2 1:3");
    u.s.idle[0] = 1u << 3;
    BOOST_TEST(u.takes() == ""); /* 4's owner has no idle walker */
    u.s.idle[0] = 1u << 2;
    BOOST_TEST(u.takes() == "2:4");
    BOOST_TEST(u.stat(own) == 4u);
    BOOST_TEST(u.stat(stolen_idle) + u.stat(stolen_busy) == 0u);
}

/* Rule 2. */
BOOST_AUTO_TEST_CASE(each_owner_has_its_part_of_the_places)
{
    unit u(with(3, never, 3, 8));
    const uint32_t has[] = {3, 3, 2};
    BOOST_TEST(u.s.kind.queues(u.s.get()) == 3u);
    for (uint16_t vmid = 0; vmid < 3; vmid++) {
        for (uint32_t i = 0; i < has[vmid]; i++) {
            BOOST_TEST(u.room(vmid));
            u.add(static_cast<uint16_t>(vmid + 3 * i));
        }
        BOOST_TEST(!u.room(vmid));
        BOOST_CHECK_THROW(u.s.kind.entered(u.s.get(), vmid), std::logic_error);
    }
    u.s.kind.left(u.s.get(), 7);
    BOOST_TEST(u.room(1));
    BOOST_TEST(!u.room(0));
    unit empty(with(2, never));
    BOOST_CHECK_THROW(empty.s.kind.left(empty.s.get(), 0), std::logic_error);
}

/* Rule 4. */
BOOST_AUTO_TEST_CASE(an_idle_walker_steals_only_what_its_owner_has_no_walker_for)
{
    unit u(with(2, idle), 0x7);
    u.add(0, 1);
    BOOST_TEST(u.takes() == "0:1"); /* not by walker 1, although it is idle */
    u.add(0, 2);
    u.add(0, 3);
    u.add(0, 4);
    BOOST_TEST(u.takes() == "2:2 1:3");
    u.s.idle[0] = 1u << 3;
    const uint32_t held = u.add(1, 5);
    ww_wbuf_set_cl(u.b, held, true);
    BOOST_TEST(u.takes() == "3:4"); /* its own walk waits, but is held */
    BOOST_TEST(u.stat(own) == 2u);
    BOOST_TEST(u.stat(stolen_idle) == 1u);
    BOOST_TEST(u.stat(stolen_busy) == 1u);
    u.s.idle[0] = 1;
    BOOST_TEST(u.takes() == "");
    ww_wbuf_set_cl(u.b, held, false);
    BOOST_TEST(u.takes() == "0:5");
}

BOOST_AUTO_TEST_CASE(the_owner_with_most_that_wait_is_stolen_from)
{
    unit u(with(4, idle), 1);
    for (const uint32_t vmid : {1u, 2u, 2u, 3u, 3u})
        u.add(static_cast<uint16_t>(vmid));
    uint32_t walker = 0, req = 0;
    uint16_t vmid = 0;
    BOOST_TEST(u.take(&walker, &vmid, &req));
    BOOST_TEST(vmid == 2); /* as many as of 3: the lowest */
    u.s.idle[0] = 1;
    BOOST_TEST(u.take(&walker, &vmid, &req));
    BOOST_TEST(vmid == 3);
    u.s.idle[0] = 1;
    BOOST_TEST(u.take(&walker, &vmid, &req));
    BOOST_TEST(vmid == 1);
}

/* Rule 5: 20 places each; 20 % of them are 4, own_most 50 % are 10. */
BOOST_AUTO_TEST_CASE(with_thresholds_a_walker_passes_its_own_over_for_far_more_of_anothers)
{
    for (const uint32_t of_other : {5u, 6u}) {
        unit u(with(2, thresholds));
        u.add(0, 1);
        for (uint32_t i = 0; i < of_other; i++)
            u.add(1, 100 + i);
        u.s.idle[0] = 1;
        BOOST_TEST(u.takes() == (of_other == 5 ? "0:1" : "0:100"));
        BOOST_TEST(u.stat(stolen_busy) == (of_other == 5 ? 0u : 1u));
        u.s.idle[0] = 1; /* not twice in a row while its own walk waits */
        BOOST_TEST(u.takes() == (of_other == 5 ? "0:100" : "0:1"));
    }
}

BOOST_AUTO_TEST_CASE(of_an_owner_with_half_of_its_places_taken_no_walker_passes_anything_over)
{
    for (const uint32_t of_own : {9u, 10u}) {
        unit u(with(2, thresholds));
        for (uint32_t i = 0; i < 20; i++) {
            u.add(1, 100 + i);
            i < of_own ? static_cast<void>(u.add(0, i)) : u.s.kind.arrived(u.s.get(), 0);
        }
        BOOST_TEST(u.stat(uneven_epochs) == 0u);
        u.s.idle[0] = 1;
        BOOST_TEST(u.takes() == (of_own == 9 ? "0:100" : "0:0"));
    }
}

BOOST_AUTO_TEST_CASE(whose_owner_has_an_idle_walker_itself_is_not_stolen_from)
{
    unit u(with(2, thresholds));
    u.add(0, 1);
    for (uint32_t i = 0; i < 9; i++)
        u.add(1, 100 + i);
    u.s.idle[0] = 3;
    BOOST_TEST(u.takes() == "0:1 1:100");
}

/* Rule 6. */
BOOST_AUTO_TEST_CASE(an_epoch_in_which_one_walks_twice_as_much_asks_for_more)
{
    /* Rows: how many of eight walks are of VM 0, per epoch. Then 8 of VM 1 wait and 1 of VM 0: over 4, not
     * over 12. */
    struct {
        std::vector<uint32_t> epochs;
        bool steals;
        uint64_t uneven;
    } const rows[] = {{{4}, true, 0},  {{5}, true, 0},     {{6}, false, 1},   {{2}, false, 1},
                      {{0}, false, 1}, {{6, 5}, false, 1}, {{6, 4}, true, 1}, {{3, 6}, false, 1}};
    for (const auto &row : rows) {
        unit u(with(2, thresholds));
        for (const uint32_t of_first : row.epochs)
            for (uint32_t i = 0; i < 8; i++)
                u.s.kind.arrived(u.s.get(), i < of_first ? 0 : 1);
        BOOST_TEST(u.stat(uneven_epochs) == row.uneven);
        ww_wbuf_job j = job(0, 1, 0);
        ww_wbuf_insert(u.b, &j);
        u.s.kind.entered(u.s.get(), 0);
        for (uint32_t i = 0; i < 8; i++) {
            j = job(0x1000, 100, 1);
            ww_wbuf_insert(u.b, &j);
            u.s.kind.entered(u.s.get(), 1);
        }
        u.s.idle[0] = 1;
        BOOST_TEST(u.takes() == (row.steals ? "0:100" : "0:1"), row.epochs[0]);
        BOOST_TEST(u.broken() == "");
    }
    /* 1.5 times is still even: 3 and 2 of 5. */
    ww_sched_cfg five = with(2, thresholds);
    five.keys[2] = 5;
    unit u(five);
    for (uint32_t i = 0; i < 10; i++)
        u.s.kind.arrived(u.s.get(), i < 5 || i >= 8 ? 0 : 1);
    BOOST_TEST(u.stat(uneven_epochs) == 1u);
    u.add(0, 1);
    for (uint32_t i = 0; i < 6; i++) {
        const ww_wbuf_job j = job(0x1000, 100, 1);
        ww_wbuf_insert(u.b, &j);
        u.s.kind.entered(u.s.get(), 1);
    }
    u.s.idle[0] = 1;
    BOOST_TEST(u.takes() == "0:100");
}

BOOST_AUTO_TEST_CASE(state_in_hardware_by_hand)
{
    const ww_sched_kind &kind = *scheduler_named("dws");
    const ww_sched_cfg plain = {16, 192, {2, idle, 0, 0, 0, 0}}, uneven = {16, 193, {2, never, 0, 0, 0, 0}},
                       full = {16, 192, {2, thresholds, 200, 40, 80, 50}};
    BOOST_TEST(kind.bits(&plain) == 2u * 7);  /* counts 0 to 96 each */
    BOOST_TEST(kind.bits(&uneven) == 2u * 7); /* 0 to 97 */
    BOOST_TEST(kind.bits(&full) == 2u * 7 + 3 * 8 + 1 + 16);
}

BOOST_AUTO_TEST_CASE(what_is_broken_is_named)
{
    const auto words = [](unit &u) { return static_cast<uint32_t *>(u.s.get()); };
    constexpr size_t waiting = sizeof(ww_sched_cfg) / 4, came = waiting + WW_SCHED_MOST_QUEUES;
    unit u(with(2, thresholds));
    u.add(1);
    BOOST_TEST(u.broken() == "");
    words(u)[waiting + 2] = 1;
    BOOST_TEST(u.broken() == "a walk of no owner waits or came");
    words(u)[waiting + 2] = 0;
    words(u)[came + 2] = 1;
    BOOST_TEST(u.broken() == "a walk of no owner waits or came");
    words(u)[came + 2] = 0;
    words(u)[waiting] = 21;
    BOOST_TEST(u.broken() == "more wait of an owner than it has places");
    words(u)[waiting] = 20;
    BOOST_TEST(u.broken() == "");
    words(u)[came]++;
    BOOST_TEST(u.broken() == "the epoch's walks are not those of its owners");
}

BOOST_DATA_TEST_CASE(the_rules_hold_at_random,
                     boost::unit_test::data::xrange(3u) * boost::unit_test::data::make({1u, 2u, 3u, 5u}),
                     steal, owners)
{
    hold_at_random(steal, owners);
}
