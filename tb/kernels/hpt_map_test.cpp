/* SPDX-License-Identifier: MIT */
/* Tests the driver's HPT map: the cases of Algorithm 1 one by one, its corrections, and random use against a
 * driver written from the paper's text with sets and lists. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/table/hpt_map.h"
#include "tb/kernels/blob.hpp"
#include "tb/kernels/naive_driver.hpp"

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using walkway_tb::blob;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t region_bytes = uint64_t{1} << 21;

struct map {
    ww_hptmap_cfg cfg;
    blob<ww_hptmap> h;
    ww_hptmap_done did{};

    explicit map(const ww_hptmap_cfg &c) : cfg(c), h(ww_hptmap_bytes(&c))
    {
        BOOST_REQUIRE_EQUAL(ww_hptmap_init(h, h.bytes(), &c), WW_OK);
        for (uint32_t n = 0; n < c.regions; ++n)
            ww_hptmap_region(h, n, va(n));
    }
    ~map() { BOOST_TEST(h.intact()); }
    static uint64_t va(uint32_t n) { return (uint64_t{3} << 33) + n * region_bytes; }
    std::string check() const
    {
        const char *broken = ww_hptmap_check(h);
        return broken != nullptr ? broken : "";
    }
    uint32_t evict()
    {
        uint32_t pages = 0;
        const uint32_t n = ww_hptmap_evict_pages(h, &pages);
        BOOST_TEST(check() == "");
        return n;
    }
    const ww_hptmap_done &put(uint32_t n, bool local = true, uint32_t first = 0, uint32_t count = 1)
    {
        while (local && ww_hptmap_frames_lacking(h, n, first, count) != 0)
            evict();
        ww_hptmap_map(h, n, first, count, local, &did);
        BOOST_TEST(check() == "");
        return did;
    }
    /* The only evicted region, or none. */
    uint32_t left() const
    {
        BOOST_TEST(did.lefts <= 1u);
        return did.lefts == 0 ? WW_HPTMAP_NONE : did.left[0].region;
    }
    ww_hptmap_home home(uint32_t n) const { return ww_hptmap_home_of(h, n); }
    ww_hptmap_page page(uint32_t n, uint32_t p) const { return ww_hptmap_page_of(h, n, p); }
    const ww_hptmap_counts &counts() const { return *ww_hptmap_so_far(h); }
    uint32_t slot(uint32_t n, uint32_t step) const
    {
        return static_cast<uint32_t>(ww_hashed_slot(va(n), step, cfg.slots, cfg.stride));
    }
};

ww_hptmap_cfg roomy()
{
    return {64, 7, 4096, 64, 200};
}

/* Regions with the same home slot as region 0. */
std::vector<uint32_t> of_one_home(const map &m, size_t want)
{
    std::vector<uint32_t> found;
    for (uint32_t n = 0; n < m.cfg.regions && found.size() < want; ++n)
        if (m.slot(n, 0) == m.slot(0, 0))
            found.push_back(n);
    BOOST_REQUIRE(found.size() == want);
    return found;
}

/* A region whose home is neither the first one's nor the second one's slot. */
uint32_t off_their_way(const map &m, const std::vector<uint32_t> &same)
{
    uint32_t n = 0;
    while (m.slot(n, 0) == m.slot(same[0], 0) || m.slot(n, 0) == m.slot(same[1], 1))
        ++n;
    return n;
}

} // namespace

BOOST_AUTO_TEST_SUITE(hpt_map)

BOOST_AUTO_TEST_CASE(a_region_gets_its_home_slot_and_keeps_it)
{
    map m(roomy());
    BOOST_TEST(m.home(5) == WW_HPTMAP_NOWHERE);
    const ww_hptmap_done first = m.put(5, true, 16, 16);
    BOOST_TEST(first.fresh);
    BOOST_TEST(first.slot == m.slot(5, 0));
    BOOST_TEST(first.step == 0u);
    BOOST_TEST(first.mapped == 16u);
    BOOST_TEST(ww_hptmap_entry(m.h, first.slot) == (ww_hashed_tag(map::va(5)) | WW_HPTMAP_VALID));
    const ww_hptmap_done more = m.put(5, true, 30, 4);
    BOOST_TEST(!more.fresh);
    BOOST_TEST(more.slot == first.slot);
    BOOST_TEST(more.mapped == 2u, "two were there");
    BOOST_TEST(ww_hptmap_used_frames(m.h) == 18u);
    BOOST_TEST(ww_hptmap_used_slots(m.h) == 1u);
    BOOST_TEST(m.page(5, 15) == WW_HPTMAP_PAGE_UNTOUCHED);
    BOOST_TEST(m.page(5, 16) == WW_HPTMAP_PAGE_DEVICE);
}

BOOST_AUTO_TEST_CASE(a_slot_that_another_has_costs_a_step)
{
    map m(roomy());
    const auto same = of_one_home(m, 3);
    for (uint32_t step = 0; step < 3; ++step) {
        BOOST_TEST(m.put(same[step]).step == step);
        uint32_t found = 9;
        BOOST_TEST(ww_hptmap_find(m.h, map::va(same[step]), &found) == m.slot(same[step], step));
        BOOST_TEST(found == step);
        BOOST_TEST(ww_hptmap_slot_of(m.h, same[step], &found) == m.slot(same[step], step));
    }
    BOOST_TEST(m.counts().at_step[2] == 1u);
    BOOST_TEST(m.counts().probes == 1u + 2 + 3);
}

/* Line 24 of Algorithm 1 takes the first deleted slot with that slot's step. */
BOOST_AUTO_TEST_CASE(the_first_deleted_slot_is_taken_with_its_own_step)
{
    ww_hptmap_cfg c = roomy();
    c.most_slots = 3;
    map m(c);
    const auto same = of_one_home(m, 4);
    m.put(same[0], false);
    m.put(same[1], true);
    m.put(same[2], true);
    const ww_hptmap_done d = m.put(same[3], true); /* at the threshold: evicts the only remote entry */
    BOOST_TEST(m.left() == same[0]);
    BOOST_TEST(d.left[0].slot == m.slot(same[0], 0));
    BOOST_TEST(d.slot == m.slot(same[3], 0));
    BOOST_TEST(d.step == 0u);
    BOOST_TEST(m.counts().reused == 1u);
    BOOST_TEST(m.counts().probes == 1u + 2 + 3 + 4, "the search for the tag ends where no region ever was");
    BOOST_TEST(m.counts().evicted_remote == 1u);
    BOOST_TEST(m.home(same[0]) == WW_HPTMAP_VICTIM);
    uint32_t step = 0;
    BOOST_TEST(ww_hptmap_find(m.h, map::va(same[2]), &step) == m.slot(same[2], 2), "it is found behind it");
    BOOST_TEST(ww_hptmap_find(m.h, map::va(same[0]), &step) == WW_HPTMAP_NONE);
}

BOOST_AUTO_TEST_CASE(a_deleted_slot_is_no_end_of_the_way)
{
    ww_hptmap_cfg c = roomy();
    c.most_slots = 2;
    map m(c);
    const auto same = of_one_home(m, 2);
    const uint32_t elsewhere = off_their_way(m, same);
    m.put(same[0], false);
    m.put(same[1], true);
    m.put(elsewhere, true);
    BOOST_TEST(ww_hptmap_entry(m.h, m.slot(same[0], 0)) == WW_HPTMAP_DELETED);
    uint32_t step = 9;
    BOOST_TEST(ww_hptmap_find(m.h, map::va(same[1]), &step) == m.slot(same[1], 1));
    BOOST_TEST(step == 1u);
}

/* Line 18 evicts only when this allocation lacks a frame. */
BOOST_AUTO_TEST_CASE(pages_are_evicted_when_no_frame_is_left_and_their_mappings_are_remote_then)
{
    ww_hptmap_cfg c = roomy();
    c.frames = 512;
    map m(c);
    m.put(0, true, 0, 300);
    m.put(1, true, 0, 200);
    m.put(0, true, 300, 1); /* makes its fault the newer one */
    BOOST_TEST(ww_hptmap_frames_lacking(m.h, 2, 0, 11) == 0u);
    BOOST_TEST(ww_hptmap_frames_lacking(m.h, 2, 0, 12) == 1u);
    m.put(2, false, 0, 400);
    BOOST_TEST(m.counts().evicted_pages == 0u, "what stays in host memory takes none");
    m.put(2, true, 0, 12);
    BOOST_TEST(m.counts().evicted_pages == 200u);
    BOOST_TEST(m.page(1, 199) == WW_HPTMAP_PAGE_HOST);
    BOOST_TEST(m.home(1) == WW_HPTMAP_TABLE);
    BOOST_TEST(m.page(2, 11) == WW_HPTMAP_PAGE_DEVICE);
    BOOST_TEST(m.page(2, 12) == WW_HPTMAP_PAGE_HOST);
    BOOST_TEST(ww_hptmap_used_frames(m.h) == 313u);
}

/* Evicts a region other than the oldest; order and counts must follow. */
BOOST_AUTO_TEST_CASE(a_region_that_is_named_is_evicted)
{
    map m(roomy());
    m.put(1, true, 0, 16);
    m.put(2, true, 0, 5);
    m.put(3);
    BOOST_TEST(ww_hptmap_evict_region(m.h, 2) == 5u);
    BOOST_TEST(m.check() == "");
    BOOST_TEST(m.page(2, 4) == WW_HPTMAP_PAGE_HOST);
    BOOST_TEST(m.page(1, 4) == WW_HPTMAP_PAGE_DEVICE);
    BOOST_TEST(m.counts().evicted_pages == 5u);
    BOOST_TEST(ww_hptmap_used_frames(m.h) == 17u);
    BOOST_TEST(m.evict() == 1u);
}

/* Lines 20 and 21 also hold after pages were evicted. */
BOOST_AUTO_TEST_CASE(at_the_threshold_the_remote_entry_goes_that_was_not_used_for_longest)
{
    ww_hptmap_cfg c = roomy();
    c.most_slots = 4;
    map m(c);
    for (uint32_t n = 0; n < 4; ++n)
        m.put(n, false);
    ww_hptmap_used(m.h, 0);
    ww_hptmap_used(m.h, 1);
    m.put(10, false);
    BOOST_TEST(m.left() == 2u);
    m.put(11, true);
    BOOST_TEST(m.left() == 3u);
    m.put(12, true);
    BOOST_TEST(m.left() == 0u);
    const ww_hptmap_done back = m.put(2, false, 7, 1); /* a fault on another of its pages: all return */
    BOOST_TEST(back.returned);
    BOOST_TEST(m.left() == 1u);
    BOOST_TEST(m.page(2, 0) == WW_HPTMAP_PAGE_HOST);
    BOOST_TEST(m.counts().returned == 1u);
}

/* An entry with a page in a frame is not remote. */
BOOST_AUTO_TEST_CASE(without_a_remote_entry_the_threshold_is_passed_and_that_is_counted)
{
    ww_hptmap_cfg c = roomy();
    c.most_slots = 1;
    map m(c);
    m.put(0, true);
    m.put(0, false, 5, 1);
    m.put(1, true);
    BOOST_TEST(m.left() == WW_HPTMAP_NONE);
    BOOST_TEST(m.counts().over_threshold == 1u);
    BOOST_TEST(ww_hptmap_used_slots(m.h) == 2u);
}

/* Line 3: the three bits of a step reach eight slots. */
BOOST_AUTO_TEST_CASE(where_eight_slots_are_taken_a_remote_neighbour_goes_or_the_region_gets_none)
{
    ww_hptmap_cfg c = roomy();
    c.regions = 4000;
    map m(c);
    const auto same = of_one_home(m, 11);
    for (uint32_t i = 0; i < 8; ++i)
        BOOST_TEST(m.put(same[i], i != 5 && i != 3).step == i);
    ww_hptmap_used(m.h, same[3]);
    const ww_hptmap_done ninth = m.put(same[8], true);
    BOOST_TEST(ninth.overflow);
    BOOST_TEST(m.left() == same[5]);
    BOOST_TEST(ninth.step == 5u);
    m.put(same[9], true);
    BOOST_TEST(m.left() == same[3]);
    const ww_hptmap_done none = m.put(same[10], true);
    BOOST_TEST(none.overflow);
    BOOST_TEST(none.slot == WW_HPTMAP_NONE);
    BOOST_TEST(m.home(same[10]) == WW_HPTMAP_VICTIM);
    BOOST_TEST(m.page(same[10], 0) == WW_HPTMAP_PAGE_DEVICE);
    BOOST_TEST(m.counts().refused == 1u);
    BOOST_TEST(m.counts().evicted_neighbour == 2u);
    m.evict(); /* evicts the region that was mapped first */
    ww_hptmap_done d = m.put(same[10], true, 1, 1);
    BOOST_TEST(m.left() == same[0]);
    BOOST_TEST(d.step == 0u);
    BOOST_TEST(d.returned);
}

/* The region evicted at the threshold does not free a reachable slot. */
BOOST_AUTO_TEST_CASE(two_regions_leave_where_one_was_not_enough)
{
    ww_hptmap_cfg c = roomy();
    c.regions = 4000;
    c.most_slots = 9;
    map m(c);
    const auto same = of_one_home(m, 9);
    uint32_t elsewhere = 0;
    for (bool near = true; near; elsewhere += near) {
        near = false;
        for (uint32_t step = 0; step < 8; ++step)
            near = near || m.slot(elsewhere, 0) == m.slot(same[0], step);
    }
    m.put(elsewhere, false);
    for (uint32_t i = 0; i < 8; ++i)
        m.put(same[i], i != 4);
    m.put(same[8]);
    BOOST_TEST(m.did.lefts == 2u);
    BOOST_TEST(m.did.left[0].region == elsewhere);
    BOOST_TEST(m.did.left[0].slot == m.slot(elsewhere, 0));
    BOOST_TEST(m.did.left[1].region == same[4]);
    BOOST_TEST(m.did.left[1].slot == m.slot(same[0], 4));
    BOOST_TEST(m.did.step == 4u);
    BOOST_TEST(m.home(elsewhere) == WW_HPTMAP_VICTIM);
    BOOST_TEST(m.home(same[4]) == WW_HPTMAP_VICTIM);
}

BOOST_AUTO_TEST_CASE(sizes_are_the_papers)
{
    const uint64_t gib = 1 << 18;                             /* pages */
    BOOST_TEST(ww_hptmap_slots_for(80 * gib, 10) == 102400u); /* 2.5 x 80 GB / 2 MiB */
    BOOST_TEST(ww_hptmap_map_bits(102400) == 102400u * 29);   /* 0.37 MB; the paper states 200 */
    BOOST_TEST(ww_hptmap_slots_for(1, 10) == 3u);
    BOOST_TEST(ww_hptmap_threshold(80 * gib, 120) == 49152u);
    BOOST_TEST(ww_hptmap_threshold(513, 100) == 2u);
    /* A frame of PTEs per slot takes 0.49 % of memory; the paper states 0.5. */
    BOOST_TEST(102400.0 * 4096 / (80.0 * gib * 4096) == 0.00488, boost::test_tools::tolerance(0.001));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused)
{
    const auto wrong = [](const ww_hptmap_cfg &c) {
        const char *text = ww_hptmap_wrong(&c);
        BOOST_TEST((ww_hptmap_bytes(&c) == 0) == (text != nullptr));
        return std::string(text != nullptr ? text : "");
    };
    BOOST_TEST(wrong(roomy()) == "");
    ww_hptmap_cfg c = roomy();
    c.stride = 0;
    BOOST_TEST(wrong(c).find("stride") != std::string::npos);
    c = roomy();
    c.regions = 0;
    BOOST_TEST(wrong(c).find("there is a region") != std::string::npos);
    c.regions = WW_HPTMAP_MOST + 1;
    BOOST_TEST(wrong(c) != "");
    c = roomy();
    c.slots = WW_HPTMAP_MOST + 1;
    BOOST_TEST(wrong(c) != "");
    c = roomy();
    c.frames = 0;
    BOOST_TEST(wrong(c).find("at least a frame") != std::string::npos);
    for (const uint32_t most : {0u, 65u}) {
        c = roomy();
        c.most_slots = most;
        BOOST_TEST(wrong(c).find("threshold") != std::string::npos);
    }
    const ww_hptmap_cfg good = roomy();
    blob<ww_hptmap> h(ww_hptmap_bytes(&good));
    BOOST_TEST(ww_hptmap_init(h, h.bytes() - 64, &good) == WW_E_SIZE);
    BOOST_TEST(ww_hptmap_init(h, h.bytes(), &c) == WW_E_ARG);
}

namespace
{

struct shape {
    const char *name;
    ww_hptmap_cfg cfg;
};
std::ostream &operator<<(std::ostream &out, const shape &s)
{
    return out << s.name;
}
const shape shapes[] = {
    {"roomy", {256, 37, 8192, 256, 60}},
    {"oversubscribed", {160, 11, 8192, 20, 60}},
    {"full of steps", {40, 3, 16384, 40, 48}},
    {"no room", {16, 1, 2048, 9, 60}},
};

} // namespace

BOOST_DATA_TEST_CASE(random_use_is_as_the_paper_tells_it, data::make(shapes), s)
{
    map m(s.cfg);
    naive_driver t(s.cfg);
    std::mt19937 random(7);
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    for (unsigned i = 0; i < 3000; ++i) {
        const uint32_t n = below(4) == 0 ? below(s.cfg.regions) : below(s.cfg.regions) / 2;
        const uint64_t tag = ww_hashed_tag(map::va(n));
        if (below(3) == 0) {
            ww_hptmap_used(m.h, n);
            if (t.step_of(tag) >= 0 && t.locals(tag) == 0)
                t.order(tag);
            continue;
        }
        const uint32_t count = below(2) == 0 ? 16 : 1 + below(512),
                       first = below(513 - count) / count * count;
        const bool local = below(3) != 0;
        while (local && ww_hptmap_frames_lacking(m.h, n, first, count) != 0) {
            uint32_t pages = 0;
            const uint64_t oldest = t.faulted.front();
            BOOST_REQUIRE(ww_hashed_tag(map::va(ww_hptmap_evict_pages(m.h, &pages))) == oldest);
            BOOST_REQUIRE(pages == t.locals(oldest));
            t.page_eviction();
        }
        ww_hptmap_map(m.h, n, first, count, local, &m.did);
        t.map(tag, first, count, local);
        BOOST_REQUIRE(m.check() == "");
        BOOST_REQUIRE(ww_hptmap_used_slots(m.h) == t.entries());
        BOOST_REQUIRE((m.did.slot == WW_HPTMAP_NONE) == (t.step_of(tag) < 0));
        if (m.did.slot != WW_HPTMAP_NONE)
            BOOST_REQUIRE(m.did.step == static_cast<uint32_t>(t.step_of(tag)));
    }
    BOOST_TEST(ww_hptmap_used_frames(m.h) == t.frames());
    for (uint32_t n = 0; n < s.cfg.regions; ++n) {
        const uint64_t tag = ww_hashed_tag(map::va(n));
        BOOST_TEST((m.home(n) == WW_HPTMAP_TABLE) == (t.step_of(tag) >= 0));
        BOOST_TEST((m.home(n) == WW_HPTMAP_VICTIM) == (t.victims.count(tag) != 0));
        uint32_t step = 9;
        BOOST_TEST((ww_hptmap_find(m.h, map::va(n), &step) != WW_HPTMAP_NONE) == (t.step_of(tag) >= 0));
        for (uint32_t p = 0; p < 512; ++p) {
            const auto &known = t.pages[tag];
            const auto there = known.find(p);
            const ww_hptmap_page want = there == known.end() ? WW_HPTMAP_PAGE_UNTOUCHED
                                        : there->second      ? WW_HPTMAP_PAGE_DEVICE
                                                             : WW_HPTMAP_PAGE_HOST;
            if (m.page(n, p) != want)
                BOOST_FAIL("region " << n << " page " << p);
        }
    }
    const std::string name = s.name;
    BOOST_TEST((m.counts().evicted_remote > 0) == (name == "oversubscribed" || name == "no room"));
    BOOST_TEST((m.counts().refused > 0) == (name == "full of steps" || name == "no room"));
    BOOST_TEST((m.counts().evicted_neighbour > 0) == (name == "full of steps" || name == "no room"));
}

BOOST_AUTO_TEST_CASE(two_regions_with_one_tag_are_named)
{
    map m({64, 3, 8, 64, 4});
    const ww_hptmap_cfg cfg = m.cfg;
    BOOST_REQUIRE_EQUAL(ww_hptmap_init(m.h, m.h.bytes(), &cfg), WW_OK);
    for (uint32_t n = 0; n < cfg.regions; ++n)
        ww_hptmap_region(m.h, n, map::va(n % 3));
    m.put(1);
    m.put(3);
    ww_hptmap_map(m.h, 0, 0, 1, true, &m.did); /* the first and the last are alike */
    BOOST_TEST(m.check() == "hpt_map: two regions have one tag");
}

/* Flips each bit after the configuration. The check does not report unused bits and the counts. */
BOOST_AUTO_TEST_CASE(damage_is_named)
{
    ww_hptmap_cfg c = roomy();
    c.regions = 4;
    c.most_slots = 3;
    map m(c);
    m.put(0, true, 0, 3);
    m.put(1, false, 0, 2);
    m.put(2, false, 5, 1);
    m.put(3, true, 1, 1);
    std::map<std::string, unsigned> named;
    uint64_t *words = m.h.words(0);
    for (size_t bit = sizeof c * 8; bit < m.h.bytes() * 8; ++bit) {
        words[bit / 64] ^= uint64_t{1} << bit % 64;
        ++named[m.check()];
        words[bit / 64] ^= uint64_t{1} << bit % 64;
    }
    for (const char *text :
         {"a region's pages are not as many as it counts",
          "a region's slot is another's, or not where its step says", "a region is in the wrong order of use",
          "an order of use is broken", "frames are lost, or there are more than device memory has",
          "a slot is lost, or has no region", "a region is missing in its order of use"})
        BOOST_TEST(named.count(std::string("hpt_map: ") + text) == 1u, text);
    BOOST_TEST(m.check() == "");
}

/* Damage that flipping one bit does not cause. */
BOOST_AUTO_TEST_CASE(a_broken_way_and_a_threshold_that_was_passed_are_named)
{
    ww_hptmap_cfg c = roomy();
    c.most_slots = 2;
    map m(c);
    const auto same = of_one_home(m, 2);
    const uint32_t elsewhere = off_their_way(m, same);
    m.put(same[0], false);
    m.put(same[1], true);
    m.put(elsewhere, true); /* evicts the first, whose slot is on the second's way */
    auto *cfg = reinterpret_cast<ww_hptmap_cfg *>(m.h.words(0));
    cfg->most_slots = 1;
    BOOST_TEST(ww_hptmap_check(m.h) ==
               std::string("hpt_map: more slots are in use than the threshold allows"));
    cfg->most_slots = 2;
    cfg->frames = 1;
    BOOST_TEST(m.check() == "hpt_map: frames are lost, or there are more than device memory has");
    cfg->frames = c.frames;
    auto *owners = reinterpret_cast<uint32_t *>(m.h.bytes_at(m.h.bytes() - ww_align64(c.slots * 4)));
    owners[m.slot(same[0], 0)] = 0;
    BOOST_TEST(m.check() == "hpt_map: the way to a region's slot is broken");
}

/* What the check reports for `after` with any two words taken from `before`. */
static std::set<std::string> named_of_two_words(map &before, map &after)
{
    uint64_t *was = before.h.words(0), *is = after.h.words(0);
    std::vector<size_t> differ;
    for (size_t word = 0; word < after.h.bytes() / 8; ++word)
        if (was[word] != is[word])
            differ.push_back(word);
    std::set<std::string> named;
    for (const size_t one : differ)
        for (const size_t other : differ) {
            const uint64_t kept[] = {is[one], is[other]};
            is[one] = was[one];
            is[other] = was[other];
            named.insert(after.check());
            is[one] = kept[0];
            is[other] = kept[1];
        }
    BOOST_TEST(after.check() == "");
    return named;
}

/* Takes words from before the last region was mapped, when its order of use ended at the region before it. */
BOOST_AUTO_TEST_CASE(a_region_that_is_missing_in_its_order_of_use_is_named)
{
    map before(roomy()), after(roomy());
    for (map *m : {&before, &after}) {
        m->put(0);
        m->put(1);
    }
    after.put(2);
    BOOST_TEST(named_of_two_words(before, after).count("hpt_map: a region is missing in its order of use") ==
               1u);
}

BOOST_AUTO_TEST_CASE(a_slot_without_a_page_is_named)
{
    map before(roomy()), after(roomy());
    after.put(0, false);
    BOOST_TEST(named_of_two_words(before, after).count("hpt_map: a region has a slot and no page") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
