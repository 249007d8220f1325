/* SPDX-License-Identifier: MIT */
/* NVIDIA's page tables in an address space: pages of each size are changed in place, a region has the tables
 * that it needs or both, and how an image's words are described. */
#include "kernels/table/table_nv.h"
#include "model/address_space.hpp"
#include "model/table_builder.hpp"
#include "tb/support/block_numbers.hpp"

#include <boost/algorithm/string/join.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

const uint64_t base_va = uint64_t{1} << 32;
const std::vector<std::string> formats = {"nvidia_v2", "nvidia_v3"};

address_space_params params_of(const std::string &format, uint8_t page, bool both = false)
{
    address_space_params p = numbers_of<address_space_params>();
    p.table.choose(format);
    p.table.set("page_tables", both ? 1 : 0);
    p.page = page;
    p.frames = WW_FRAMES_RANDOM;
    return p;
}

/* The walk's word at its end, and the steps that it read. */
uint64_t end_of(const address_spaces &all, uint64_t va, std::string *steps = nullptr)
{
    uint64_t walk = ww_table_start(&all.table(0), va);
    for (ww_walk_read read{}; ww_table_next(&all.table(0), walk, va, &read) == WW_WALK_READ;) {
        if (steps != nullptr)
            *steps += static_cast<char>('0' + ww_walk_step(walk));
        walk = ww_table_feed(&all.table(0), walk, va,
                             all.node(read.pa & ~uint64_t{4095}) + read.pa % 4096 / 64 * 8);
    }
    return walk;
}

const image_format &in_image(const std::string &format)
{
    const auto &all = table_formats();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const named_tables &f) { return format == f.name; });
    BOOST_REQUIRE(found != all.end());
    return *found->maker->in_image();
}

} // namespace

BOOST_DATA_TEST_CASE(a_page_is_changed_in_place, data::make(formats) * data::xrange(3), format, page)
{
    memory_store store;
    address_space_params p = params_of(format, static_cast<uint8_t>(page));
    p.map = static_cast<uint8_t>(map_mode::all_paged);
    const uint64_t bytes = uint64_t{1} << p.page_shift(), va = base_va + bytes;
    address_spaces all(p, {{base_va, 4 * bytes}}, store);
    const ww_xlat before = ww_walk_xlat(end_of(all, va));
    BOOST_TEST(before.page_shift == p.page_shift());
    BOOST_TEST(before.perm == WW_PERM_ALL);
    all.protect(0, va + 1, false);
    BOOST_TEST(ww_walk_xlat(end_of(all, va)).perm == (WW_PERM_R | WW_PERM_X));
    BOOST_TEST(ww_walk_xlat(end_of(all, va)).page_pa == before.page_pa);
    BOOST_TEST(ww_walk_xlat(end_of(all, va + bytes)).perm == WW_PERM_ALL);
    all.protect(0, va, true);
    BOOST_TEST(ww_walk_xlat(end_of(all, va)).perm == WW_PERM_ALL);
    all.remap(0, va + bytes / 2);
    const ww_xlat after = ww_walk_xlat(end_of(all, va));
    BOOST_TEST(after.page_pa != before.page_pa);
    BOOST_TEST(after.page_pa % bytes == 0u);
    BOOST_TEST(after.page_pa - p.data_pa < p.memory_bytes);
    all.unmap(0, va);
    BOOST_TEST(ww_walk_why(end_of(all, va)) == WW_WHY_ABSENT);
    BOOST_TEST(ww_walk_act(end_of(all, base_va)) == WW_WALK_DONE);
    BOOST_TEST(ww_walk_act(end_of(all, va + bytes)) == WW_WALK_DONE);
    all.map(0, va);
    BOOST_TEST(ww_walk_act(end_of(all, va)) == WW_WALK_DONE);
}

/* page_tables: where every region has both tables, the walk of a 4 KiB page reads a big entry first. */
BOOST_DATA_TEST_CASE(a_region_has_the_tables_that_it_needs_or_both, data::make(formats) * data::xrange(2),
                     format, both)
{
    const std::string above = format == "nvidia_v2" ? "6543" : "76543";
    const std::pair<uint8_t, std::string> sizes[] = {
        {uint8_t{0}, both != 0 ? "21" : "1"}, {uint8_t{1}, "2"}, {uint8_t{2}, ""}};
    for (const auto &[page, below] : sizes) {
        memory_store store;
        const address_spaces all(params_of(format, page, both != 0), {{base_va, 4 << 20}}, store);
        std::string steps;
        BOOST_TEST(ww_walk_act(end_of(all, base_va + 4096, &steps)) == WW_WALK_DONE);
        BOOST_TEST(steps == above + below);
    }
}

BOOST_AUTO_TEST_CASE(what_a_format_does_not_have_is_refused)
{
    address_space_params p = params_of("nvidia_v2", 0);
    BOOST_TEST(p.validate().empty());
    BOOST_TEST(p.va_bits() == 49u);
    BOOST_CHECK_THROW(p.table.choose("nvidia_v4"), std::invalid_argument);
    BOOST_CHECK_THROW(p.table.key("tables"), std::invalid_argument);
    BOOST_CHECK_THROW(p.table.set("tables", 1), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(words_of_v2_are_told)
{
    const image_format &f = in_image("nvidia_v2");
    BOOST_TEST(f.table(0x3000).regs.word[0] == 0x3000u);
    const auto says = [&](uint32_t step, uint64_t low, uint64_t high = 0) {
        const uint64_t words[] = {low, high};
        return f.meaning(step, words) + " | " + boost::algorithm::join(f.flags(step, words), " ");
    };
    BOOST_TEST(says(6, 0x20a) == "table 0x2000 | ");
    BOOST_TEST(says(3, 0x51a, 0x60a) == "tables 0x5100 of 64K and 0x6000 of 4K | ");
    BOOST_TEST(says(3, 0x51a) == "table 0x5100 of 64K | ");
    BOOST_TEST(says(3, 0, 0x60a) == "table 0x6000 of 4K | ");
    BOOST_TEST(says(3, 8) == "sparse | ");
    BOOST_TEST(says(3, 0) == "not present | ");
    BOOST_TEST(says(3, 0x20001) == "page of 2M | ");
    BOOST_TEST(says(4, 0x2000001) == "page of 512M | ");
    BOOST_TEST(says(2, 0x1001) == "page of 64K | ");
    BOOST_TEST(says(2, 0x20) == "not present, nor is any 4K page behind it | ");
    BOOST_TEST(says(1, 0x20) == "not present | ");
    BOOST_TEST(says(1, UINT64_C(0x06000030000701f9)) ==
               "page of 4K | volatile encrypted privileged read-only no-atomics kind=6 comptag=3");
    BOOST_TEST(says(5, 1) == "a page, where only tables can be | ");
    BOOST_TEST(says(1, 3) == "page in another device's memory, which the image is not of | ");
    BOOST_TEST(says(1, 5) == "page in system memory, which the image is not of | ");
    BOOST_TEST(says(5, 0x20c) == "table in system memory, which the image is not of | ");
    BOOST_TEST(says(3, 0, 0x60c) == "table in system memory, which the image is not of | ");
    BOOST_TEST(says(5, 0x21a) == "malformed: bits that have no name | ");
    BOOST_TEST(says(2, 0x101) == "malformed: bits that have no name, or a misaligned page | ");
}

BOOST_AUTO_TEST_CASE(words_of_v3_are_told)
{
    const image_format &f = in_image("nvidia_v3");
    const auto says = [&](uint32_t step, uint64_t low, uint64_t high = 0) {
        const uint64_t words[] = {low, high};
        return f.meaning(step, words) + " | " + boost::algorithm::join(f.flags(step, words), " ");
    };
    BOOST_TEST(says(7, 0x201a) == "table 0x2000 | no-ATS");
    BOOST_TEST(says(3, 0x510a, 0x600a) == "tables 0x5100 of 64K and 0x6000 of 4K | ");
    const uint64_t far = uint64_t{1} << WW_NV_DUAL_BITS;
    BOOST_TEST(says(3, 0x510a, far | 0x600a) ==
               "tables 0x5100 of 64K and 0x2000006000 of 4K, beyond 128 GiB, where no walk takes both | ");
    BOOST_TEST(says(3, far | 0x510a) == "table 0x2000005100 of 64K | ");
    BOOST_TEST(says(1, 0x76f9) == "page of 4K | uncached privileged read-only no-atomics not-counted kind=6");
    BOOST_TEST(says(2, 0x18) == "not present, nor is any 4K page behind it | ");
    BOOST_TEST(says(1, 0x10) == "sparse | ");
}
