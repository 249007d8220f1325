/* SPDX-License-Identifier: MIT */
/* Tests a section's subentry store: it names keys in refusals, passes all of the section to the kernel, and
 * counts. */
#include "translate/tlb_stores.hpp"

#include "kernels/store/tlb_subentry.h"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>

using namespace walkway;

namespace
{

tlb_section section(uint32_t entries = 64, uint32_t ways = 16)
{
    tlb_section s = plain_tlb(entries, ways, 1u << 12);
    s.store.choose("subentry");
    return s;
}

ww_mapping page(uint64_t number)
{
    return {number << 12, {number << 12, 12, WW_PERM_R}, 0};
}

struct counted final : stat_visitor {
    std::map<std::string, uint64_t> all;
    void begin(const std::string &, const char *) override {}
    void end() override {}
    void count(const char *name, uint64_t value, const char *, const char *) override { all[name] = value; }
    void real(const char *, double, const char *, const char *) override {}
    void hist(const char *, const histogram &, const char *, const char *) override {}
};

} // namespace

BOOST_AUTO_TEST_CASE(what_it_has_not_is_refused_by_the_names_of_keys)
{
    BOOST_TEST(fault_of_store(section()) == "");
    BOOST_TEST(fault_of_store(section(128, 128)) == "");
    BOOST_TEST(fault_of_store(section(256, 128)) == "more than 64 ways only when fully associative");
    tlb_section s = section();
    s.replace = WW_REPLACE_RANDOM;
    BOOST_TEST(fault_of_store(s) == "a subentry store knows no replacement but lru");
    for (uint64_t pages = 1; pages <= 32; ++pages) {
        s = section();
        s.store.set("subentry_pages", pages);
        const bool power = pages == 1 || pages == 2 || pages == 4 || pages == 8 || pages == 16 || pages == 32;
        BOOST_TEST(fault_of_store(s) == (power ? "" : "subentry_pages is no power of two"));
    }
}

/* Groups of eight pages whose numbers differ by 4 share one of four sets, unless XOR folds the number. */
BOOST_AUTO_TEST_CASE(the_index_is_the_sections)
{
    for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR}) {
        tlb_section s = section(4, 1);
        s.index = index;
        stage_store made = make_tlb_store(s);
        void *store = made.storage.as<void>();
        for (const uint64_t group : {0, 4})
            for (uint64_t i = 0; i < 3; ++i) {
                const ww_mapping m = page(group * 8 + i);
                made.kind->insert(store, &m, nullptr);
            }
        BOOST_TEST(made.kind->count(store) == (index == WW_INDEX_XOR ? 6u : 3u));
    }
}

/* The test asks for page 3. Pages 1 and 6 are not mapped; page 7 is in a page of 2 MiB. */
namespace
{

class some_pages final : public translator
{
public:
    unsigned asked = 0, looked = 0;
    now_answer translate_now(const now_request &r, tick t, now_how how) override
    {
        const uint64_t number = r.va >> 12;
        ++(how == now_how::look ? looked : asked);
        if (number == 1 || number == 6)
            return {{number << 12, 12, 0}, true, t};
        return number == 7 ? now_answer{{0, 21, WW_PERM_R}, false, t}
                           : now_answer{{number << 12, 12, WW_PERM_R}, false, t};
    }
    void forget_now(const ww_inval_scope &) override {}
};

} // namespace

BOOST_AUTO_TEST_CASE(an_answer_fills_its_page_or_all_of_its_place_that_are_mapped_in_its_size)
{
    const clock_domain clock(500);
    for (const uint64_t fill : {uint64_t{WW_TLBS_FILL_ONE}, uint64_t{WW_TLBS_FILL_ALL}}) {
        tlb_section s = section();
        s.page_sizes |= 1u << 21;
        s.store.set("subentry_fill", fill);
        some_pages below;
        store_translator t(make_tlb_store(s), {}, clock, {0, 0, 0}, below);
        t.translate_now({3 << 12, 0}, 0, now_how::look);
        BOOST_TEST(t.kind().count(t.store()) == 0u);
        below.looked = 0;
        t.translate_now({3 << 12, 0}, 0, now_how::commit);
        BOOST_TEST(below.asked == 1u);
        BOOST_TEST(below.looked == (fill == WW_TLBS_FILL_ALL ? 7u : 0u));
        for (uint64_t number = 0; number < 9; ++number) {
            ww_xlat x{};
            const bool mapped = number == 0 || (number >= 2 && number <= 5);
            BOOST_TEST(t.kind().probe(t.store(), number << 12, 0, &x) ==
                           (number == 3 || (fill == WW_TLBS_FILL_ALL && mapped)),
                       number);
        }
    }
}

BOOST_AUTO_TEST_CASE(it_counts_places_and_pages_beside_others)
{
    const tlb_section s = section(4, 1);
    stage_store made = make_tlb_store(s);
    void *store = made.storage.as<void>();
    for (const uint64_t number : {0, 1, 2, 9, 32, 40}) { /* group 4 evicts group 0, group 5 group 1 */
        const ww_mapping m = page(number);
        made.kind->insert(store, &m, nullptr);
    }
    counted seen;
    s.store.kind().visit(store, seen);
    const std::map<std::string, uint64_t> expected = {
        {"kept_beside", 2}, {"places_evicted", 2}, {"places", 4}, {"places_used", 2}, {"held", 2}};
    BOOST_TEST((seen.all == expected));
    const std::vector<law> laws = s.store.kind().laws(store, 4);
    BOOST_REQUIRE(laws.size() == 1u);
    BOOST_TEST(laws[0].holds());
}

/* One place that holds `used` pages of a group gets a page of a second group. */
BOOST_AUTO_TEST_CASE(a_place_takes_a_second_base_by_the_choice_and_says_so_in_its_statistics)
{
    for (const auto &[share, few] : {std::pair(WW_TLBS_SHARE_OFF, 0u), std::pair(WW_TLBS_SHARE_QUARTER, 2u),
                                     std::pair(WW_TLBS_SHARE_HALF, 4u), std::pair(WW_TLBS_SHARE_ANY, 8u)})
        for (const uint64_t used : {2u, 4u, 8u}) {
            tlb_section s = section(1, 1);
            s.store.set("subentry_share", share);
            stage_store made = make_tlb_store(s);
            void *store = made.storage.as<void>();
            for (uint64_t number = 0; number < used; ++number) {
                const ww_mapping m = page(number);
                made.kind->insert(store, &m, nullptr);
            }
            const ww_mapping second = page(15); /* in sub-entry 0: a second base is stored in reverse */
            const uint64_t victims = made.kind->insert(store, &second, nullptr).victims;
            const bool shared = used <= few;
            BOOST_TEST(victims == (shared ? 1u : used));
            counted seen;
            s.store.kind().visit(store, seen);
            std::map<std::string, uint64_t> expected = {{"kept_beside", used - 1},
                                                        {"places_evicted", !shared},
                                                        {"places", 1},
                                                        {"places_used", 1},
                                                        {"held", used + 1 - victims}};
            if (share != WW_TLBS_SHARE_OFF) {
                expected["shared"] = shared;
                expected["ousted"] = shared;
                expected["places_shared"] = shared;
            }
            BOOST_TEST((seen.all == expected));
            BOOST_TEST(s.store.kind().laws(store, victims)[0].holds());
            s.store.kind().count_from_here(store);
            BOOST_TEST(s.store.kind().laws(store, 0)[0].holds());
        }
}
