/* SPDX-License-Identifier: MIT */
/* Tests every kind of store in the build, on shapes of every sort: the laws of kernels/store/store.h, the
 * kind's own texts and keys, and that a section reaches the kernel. Names no kind but the plain one. */
#include "translate/tlb_stores.hpp"

#include "model/common/params.hpp"
#include "tb/kernels/store_contract.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <set>

using namespace walkway;
using walkway_tb::store_contract;
using walkway_tb::store_seen;
namespace data = boost::unit_test::data;

namespace
{

std::vector<std::string> kinds()
{
    std::vector<std::string> all;
    for (const named_store &s : tlb_stores())
        all.emplace_back(s.name);
    return all;
}

/* A shape that every kind accepts, with the kind's default keys. */
tlb_section usual(const std::string &kind)
{
    tlb_section s = plain_tlb(64, 16, 1u << 12);
    s.va_bits = 48;
    s.pa_bits = 40;
    s.store.choose(kind);
    return s;
}

const tlb_store_kind &kind_of(const std::string &kind)
{
    return usual(kind).store.kind();
}

/* Other shapes; a kind may refuse some of them. */
std::vector<tlb_section> shapes(const std::string &kind)
{
    constexpr std::pair<uint32_t, uint32_t> sizes[] = {{1, 1},  {8, 8},   {32, 32},
                                                       {64, 4}, {256, 1}, {512, 128}};
    std::vector<tlb_section> all;
    for (const auto &[entries, ways] : sizes)
        for (const uint32_t page_sizes : {1u << 12, 1u << 12 | 1u << 16 | 1u << 21})
            for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR})
                for (const uint8_t replace : {WW_REPLACE_LRU, WW_REPLACE_RANDOM}) {
                    tlb_section s = usual(kind);
                    s.entries = entries;
                    s.ways = ways;
                    s.page_sizes = page_sizes;
                    s.index = index;
                    s.replace = replace;
                    all.push_back(s);
                    s.va_bits = 57; /* the widest addresses */
                    s.pa_bits = 52;
                    all.push_back(s);
                }
    return all;
}

/* The section itself, and with each key at its limits and next to its default. */
std::vector<tlb_section> with_other_keys(const tlb_section &s)
{
    std::vector<tlb_section> all = {s};
    for (const store_key &key : s.store.kind().keys())
        for (const uint64_t value : {key.least, key.most, std::min(key.value + 1, key.most),
                                     std::max(key.value, key.least + 1) - 1}) {
            all.push_back(s);
            all.back().store.set(key.name, value);
        }
    return all;
}

std::vector<uint8_t> shifts_of(uint32_t page_sizes)
{
    std::vector<uint8_t> all;
    for (uint8_t shift = 12; shift < 32; ++shift)
        if ((page_sizes >> shift & 1) != 0)
            all.push_back(shift);
    return all;
}

std::string bytes_of(const stage_store &s)
{
    return {s.storage.as<char>(), s.storage.bytes()};
}

/* Fills with `junk` the stack that the next call uses for its locals. */
__attribute__((noinline)) void litter(unsigned char junk)
{
    volatile unsigned char stack[2048];
    for (volatile unsigned char &byte : stack)
        byte = junk;
}

/* Checks the store's laws and its own sums over `steps` random operations. */
store_seen lawful(const tlb_section &s, int steps, uint64_t seed)
{
    stage_store made = make_tlb_store(s);
    void *store = made.storage.as<void>();
    BOOST_TEST(made.kind->count(store) == 0u);
    BOOST_TEST(made.kind->probes(store) >= 1u);
    store_contract laws(*made.kind, store, made.storage.bytes(), shifts_of(s.page_sizes), 100, 3, seed);
    const store_seen seen = laws.run(steps);
    for (const law &l : s.store.kind().laws(store, seen.victims))
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return seen;
}

/* Collects the declared keys and choices. */
class declared final : public param_visitor
{
public:
    using param_visitor::number;
    std::vector<std::string> choices;
    std::vector<std::pair<std::string, std::string>> keys; /* {key, what it needs} */
    uint8_t choose = UINT8_MAX;

    void begin(const char *, const char *) override {}
    void end() override {}
    void needs(const char *what) override { needed_ = what; }
    void number(const char *key, uint64_t &, const param_info &info) override
    {
        keys.emplace_back(key, needed_);
        BOOST_TEST(info.text != std::string());
    }
    void choice(const char *key, uint8_t &value, const choice_names &names, const param_info &info) override
    {
        if (key != std::string("store")) {
            keys.emplace_back(key, needed_);
            BOOST_TEST(
                (names.size() > 1 && info.text != std::string() && info.missing == if_missing::neutral), key);
            return;
        }
        choices.assign(names.begin(), names.end());
        for (const std::string &name : choices)
            BOOST_TEST(std::string(info.text).find(name + ", ") != std::string::npos, info.text);
        if (choose != UINT8_MAX)
            value = choose;
    }
    void flag(const char *, bool &, const param_info &) override {}

private:
    std::string needed_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(stores_of_tlbs)

BOOST_AUTO_TEST_CASE(a_section_that_says_nothing_has_a_plain_one)
{
    BOOST_TEST(kinds().front() == "plain");
    BOOST_TEST(&tlb_section().store.kind() == tlb_stores().front().kind);
    BOOST_TEST(make_tlb_store(plain_tlb(8, 4, 1u << 12)).kind->name == std::string("tlb"));
}

BOOST_AUTO_TEST_CASE(names_of_kinds_and_of_keys_are_one_kinds_each)
{
    std::set<std::string> names, keys;
    for (const named_store &s : tlb_stores()) {
        BOOST_TEST(names.insert(s.name).second, s.name);
        BOOST_TEST(s.kind->text() != std::string());
        for (const store_key &key : s.kind->keys()) {
            BOOST_TEST(keys.insert(key.name).second, key.name);
            BOOST_TEST(is_store_key(key.name));
            BOOST_TEST((key.least <= key.value && key.value <= key.most && key.least < key.most), key.name);
        }
    }
    BOOST_TEST(!is_store_key("entries"));
}

BOOST_AUTO_TEST_CASE(a_section_lists_what_is_registered_and_each_key_needs_its_kind)
{
    store_choice section;
    declared list;
    section.visit(list);
    BOOST_TEST(list.choices == kinds(), boost::test_tools::per_element());
    std::vector<std::pair<std::string, std::string>> expected;
    for (const named_store &s : tlb_stores())
        for (const store_key &key : s.kind->keys())
            expected.emplace_back(key.name, std::string("store=") + s.name);
    BOOST_TEST((list.keys == expected));
    for (size_t i = 0; i < kinds().size(); ++i) {
        list.choose = static_cast<uint8_t>(i);
        section.visit(list);
        BOOST_TEST(&section.kind() == tlb_stores()[i].kind);
    }
}

BOOST_AUTO_TEST_CASE(what_there_is_not_is_a_defect_of_who_asks)
{
    store_choice section;
    BOOST_CHECK_THROW(section.choose("no such kind"), std::invalid_argument);
    BOOST_CHECK_THROW(section.set("no such key", 1), std::invalid_argument);
    BOOST_CHECK_THROW(section.key("no such key"), std::invalid_argument);
    const tlb_section wrong = plain_tlb(24, 8, 1u << 12);
    BOOST_CHECK_THROW(make_tlb_store(wrong), std::invalid_argument);
    BOOST_TEST(bits_of_store(wrong, {48, 40, 12, 16}) == 0u);
}

BOOST_DATA_TEST_CASE(each_has_the_usual_shape_and_does_something_in_it, data::make(kinds()), kind)
{
    const tlb_section s = usual(kind);
    BOOST_TEST_REQUIRE(fault_of_store(s) == "");
    BOOST_TEST(bits_of_store(s, {48, 40, 12, 16}) > 64u);
    const store_seen seen = lawful(s, 4000, 1);
    BOOST_TEST(seen.hits > 30u);
    BOOST_TEST(seen.results[WW_STORE_KEPT] > 100u);
    BOOST_TEST(seen.results[WW_STORE_REFRESHED] > 10u);
    BOOST_TEST(seen.victims > 100u);
    BOOST_TEST(seen.taken > 5u);
    BOOST_TEST(seen.invalidated > 30u);
}

BOOST_DATA_TEST_CASE(each_keeps_the_laws_in_every_shape_that_it_has, data::make(kinds()), kind)
{
    uint64_t seed = 0;
    for (const tlb_section &shape : shapes(kind))
        for (const tlb_section &s : with_other_keys(shape)) {
            const std::string fault = fault_of_store(s);
            BOOST_TEST_REQUIRE((!fault.empty() || bytes_of_store(s) != 0),
                               "refused without a word: " << s.entries << " entries of " << s.ways
                                                          << " ways");
            if (fault.empty())
                lawful(s, 250, ++seed);
        }
    BOOST_TEST(seed > 8u);
}

/* Snapshots contain the padding bytes of a configuration, so these must be defined. */
BOOST_DATA_TEST_CASE(each_is_made_alike_whatever_the_stack_has, data::make(kinds()), kind)
{
    const tlb_section s = usual(kind);
    std::string made[2];
    for (const int junk : {0x00, 0xa5}) {
        litter(static_cast<unsigned char>(junk));
        made[junk != 0] = bytes_of(make_tlb_store(s));
    }
    BOOST_TEST((made[0] == made[1]));
}

/* A kernel keeps its configuration: if no byte of it changes, the key is ignored. */
BOOST_DATA_TEST_CASE(each_of_its_keys_reaches_its_kernel, data::make(kinds()), kind)
{
    const tlb_section s = usual(kind);
    for (const store_key &key : kind_of(kind).keys()) {
        unsigned tried = 0;
        for (const uint64_t value :
             {key.least, key.most, key.value == key.least ? key.least + 1 : key.value - 1}) {
            tlb_section other = s;
            other.store.set(key.name, value);
            if (value == key.value || !fault_of_store(other).empty())
                continue;
            BOOST_TEST((bytes_of(make_tlb_store(other)) != bytes_of(make_tlb_store(s))), key.name);
            ++tried;
        }
        BOOST_TEST(tried > 0u, key.name << " has no other value in the usual shape");
    }
}

BOOST_AUTO_TEST_SUITE_END()
