/* SPDX-License-Identifier: MIT */
/* Compares stack distances and working sets with naive counting, on random streams of several kinds. */
#include <boost/test/unit_test.hpp>

#include "analysis/page_set.h"
#include "analysis/stack_distance.h"
#include "analysis/working_set.h"
#include "kernels/bits.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <vector>

namespace
{

struct stack {
    ww_stack s;
    stack() { BOOST_REQUIRE(ww_stack_init(&s)); }
    ~stack() { ww_stack_free(&s); }
    stack(const stack &) = delete;
    stack &operator=(const stack &) = delete;
    uint32_t access(uint32_t item)
    {
        uint32_t distance = 0;
        BOOST_REQUIRE(ww_stack_access(&s, item, &distance));
        return distance;
    }
};

/* The LRU stack itself: an item's distance is its depth. */
class naive_stack
{
public:
    uint32_t access(uint32_t item)
    {
        const auto found = std::find(order_.begin(), order_.end(), item);
        const uint32_t depth = found == order_.end()
                                   ? WW_STACK_COLD
                                   : static_cast<uint32_t>(std::distance(order_.begin(), found));
        if (found != order_.end())
            order_.erase(found);
        order_.push_front(item);
        return depth;
    }

private:
    std::list<uint32_t> order_;
};

/* Numbers items by first access. kind 0: uniform; 1: mostly five items; 2: cyclic; 3: a moving window. */
std::vector<uint32_t> stream(uint64_t seed, unsigned kind, uint32_t items, uint32_t length)
{
    ww_rng random;
    ww_rng_init(&random, seed);
    std::map<uint64_t, uint32_t> numbers;
    std::vector<uint32_t> list;
    for (uint32_t i = 0; i < length; ++i) {
        uint64_t item = ww_rng_below(&random, items);
        if (kind == 1 && ww_rng_below(&random, 8) != 0)
            item %= 5;
        if (kind == 2)
            item = i % items;
        if (kind == 3)
            item = i / 3 + item % 17;
        list.push_back(numbers.emplace(item, static_cast<uint32_t>(numbers.size())).first->second);
    }
    return list;
}

BOOST_AUTO_TEST_CASE(a_distance_is_the_number_of_distinct_others_since)
{
    stack s;
    const uint32_t items[] = {0, 0, 1, 2, 1, 0, 2, 2, 3, 0};
    const uint32_t expect[] = {WW_STACK_COLD, 0, WW_STACK_COLD, WW_STACK_COLD, 1, 2, 2, 0, WW_STACK_COLD, 2};
    for (size_t i = 0; i < 10; ++i)
        BOOST_TEST(s.access(items[i]) == expect[i], "access " << i);
    BOOST_TEST(s.s.items == 4u);
}

BOOST_AUTO_TEST_CASE(random_streams_have_the_distances_of_the_stack_itself)
{
    for (unsigned kind = 0; kind < 4; ++kind) {
        for (const uint32_t items : {1u, 2u, 63u, 64u, 65u, 700u}) {
            stack fast;
            naive_stack slow;
            uint64_t wrong = 0;
            for (const uint32_t item : stream(kind + items, kind, items, 6000))
                wrong += fast.access(item) != slow.access(item);
            BOOST_TEST(wrong == 0u, "kind " << kind << ", items " << items);
        }
    }
}

BOOST_AUTO_TEST_CASE(memory_is_that_of_the_items_however_many_accesses)
{
    stack s;
    for (uint32_t i = 0; i < 1000000; ++i)
        s.access(i % 900);
    BOOST_TEST(s.s.slots <= 4 * 900u);
    for (uint32_t i = 900; i < 5000; ++i)
        BOOST_REQUIRE(s.access(i) == WW_STACK_COLD);
    BOOST_TEST(s.access(0) == 99u + 4100u, "items 1 to 99 and the new ones came since");
    BOOST_TEST(s.s.slots <= 4 * 5000u);
}

BOOST_AUTO_TEST_CASE(windows_hold_what_counting_says)
{
    for (unsigned kind = 0; kind < 4; ++kind) {
        for (const uint32_t windows : {2u, 3u, 8u, 64u}) {
            for (const uint32_t length : {1u, 7u, 64u, 65u, 1000u, 4096u}) {
                const std::vector<uint32_t> items = stream(length, kind, 90, length);
                ww_working_set w;
                BOOST_REQUIRE(ww_working_set_init(&w, windows));
                std::map<uint32_t, uint64_t> last;
                for (uint64_t i = 0; i < length; ++i) {
                    const auto before = last.find(items[i]);
                    ww_working_set_access(&w, before == last.end() ? WW_NEVER_BEFORE : before->second);
                    last[items[i]] = i;
                }
                const uint32_t room = windows - windows % 2, used = ww_working_set_windows(&w);
                const uint64_t size = uint64_t{1} << w.shift;
                BOOST_TEST(used == (length + size - 1) / size);
                BOOST_TEST(used <= room);
                BOOST_TEST((size == 1 || used > room / 2));
                std::set<uint32_t> seen;
                for (uint32_t i = 0; i < used; ++i) {
                    const uint64_t from = i * size, to = std::min<uint64_t>(length, from + size);
                    const std::set<uint32_t> here(items.begin() + static_cast<long>(from),
                                                  items.begin() + static_cast<long>(to));
                    const size_t before = seen.size();
                    seen.insert(here.begin(), here.end());
                    BOOST_TEST(ww_working_set_distinct(&w, i) == here.size());
                    BOOST_TEST(ww_working_set_fresh(&w, i) == seen.size() - before);
                }
                ww_working_set_free(&w);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(no_accesses_have_no_windows)
{
    ww_working_set w;
    BOOST_REQUIRE(ww_working_set_init(&w, 64));
    BOOST_TEST(ww_working_set_windows(&w) == 0u);
    ww_working_set_free(&w);
}

BOOST_AUTO_TEST_CASE(pages_are_numbered_by_first_touch)
{
    ww_page_set set;
    BOOST_REQUIRE(ww_page_set_init(&set));
    std::map<uint64_t, uint32_t> numbers;
    ww_rng random;
    ww_rng_init(&random, 5);
    for (int i = 0; i < 20000; ++i) {
        const uint64_t vpn = uint64_t{ww_rng_below(&random, 3000)} << (i % 2 == 0 ? 0 : 40);
        const auto expect = numbers.emplace(vpn, static_cast<uint32_t>(numbers.size()));
        bool added = false;
        BOOST_REQUIRE(ww_page_set_add(&set, vpn, &added) == expect.first->second);
        BOOST_REQUIRE(added == expect.second);
        BOOST_REQUIRE(set.pages[expect.first->second].vpn == vpn);
    }
    BOOST_TEST(set.count == numbers.size());
    ww_page_set_free(&set);
}

BOOST_AUTO_TEST_CASE(a_set_of_numbers_tells_what_is_new)
{
    ww_number_set set = {nullptr, 0};
    bool added = false;
    for (const uint32_t number : {0u, 63u, 64u, 100000u}) {
        BOOST_REQUIRE(ww_number_set_add(&set, number, &added));
        BOOST_TEST(added);
        BOOST_REQUIRE(ww_number_set_add(&set, number, &added));
        BOOST_TEST(!added);
    }
    ww_number_set_free(&set);
}

} // namespace
