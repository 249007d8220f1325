/* SPDX-License-Identifier: MIT */
/* Several address spaces in one memory: equal virtual addresses, nothing shared. */
#include "model/address_space.hpp"

#include "kernels/table/table_nested.h"
#include "tb/support/block_numbers.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t base_va = uint64_t{1} << 32;
const std::vector<va_range> buffers = {{base_va, 5u << 20}, {base_va + (uint64_t{3} << 30) + 4096, 70000}};

address_space_params three(uint8_t table, uint8_t page, uint8_t frames)
{
    address_space_params p = numbers_of<address_space_params>();
    p.table.choose(table_formats().at(table).name);
    p.page = page;
    p.frames = frames;
    p.spaces = 3;
    return p;
}

/* Translates as a walker does: from the registers, by lines of memory. */
bool walked(const ww_table &table, const memory_store &store, uint64_t va, ww_xlat *out,
            std::set<uint64_t> *nodes)
{
    uint64_t walk = ww_table_start(&table, va);
    ww_walk_read read{};
    while (ww_table_next(&table, walk, va, &read) == WW_WALK_READ) {
        uint64_t line[WW_LINE_PTES];
        store.read(read.pa & ~uint64_t{63}, reinterpret_cast<unsigned char *>(line), sizeof line);
        nodes->insert(read.pa >> 12);
        walk = ww_table_feed(&table, walk, va, line);
    }
    if (ww_walk_act(walk) != WW_WALK_DONE)
        return false;
    *out = ww_walk_xlat(walk);
    return true;
}

} // namespace

BOOST_AUTO_TEST_SUITE(spaces_in_one_memory)

BOOST_DATA_TEST_CASE(no_two_spaces_share_a_frame_or_a_node,
                     data::xrange(table_formats().size()) * data::xrange(4) * data::xrange(3), table, page,
                     frames)
{
    memory_store store;
    const address_space_params p =
        three(static_cast<uint8_t>(table), static_cast<uint8_t>(page), static_cast<uint8_t>(frames));
    const address_spaces all(p, buffers, store);
    BOOST_REQUIRE(all.count() == 3u);
    const bool sparse = p.table.is("hashed") || p.table.is("hashed_stepless") || p.table.is("nested");
    std::map<uint64_t, uint16_t> owner; /* by frame */
    std::map<uint64_t, uint16_t> node_owner;
    uint64_t walked_pages = 0;
    for (uint16_t vmid = 0; vmid < 3; ++vmid) {
        std::set<uint64_t> nodes;
        for (const va_range &b : buffers)
            for (uint64_t va = b.base_va; va < b.base_va + b.bytes; va += 4096) {
                ww_xlat x{}, by_walk{};
                BOOST_REQUIRE(all[vmid].translate(va, &x));
                BOOST_REQUIRE(walked(all[vmid].table(), store, va, &by_walk, &nodes));
                BOOST_TEST((x.page_pa == by_walk.page_pa && x.page_shift == by_walk.page_shift));
                const uint64_t pa = x.page_pa | (va & ((uint64_t{1} << x.page_shift) - 1));
                BOOST_REQUIRE(owner.emplace(pa >> 12, vmid).second);
                ++walked_pages;
            }
        for (const uint64_t node : nodes) {
            BOOST_REQUIRE(node_owner.emplace(node, vmid).second);
            BOOST_TEST(node << 12 >= p.table_pa);
            BOOST_TEST(node << 12 < all.table_end());
        }
        if (sparse) /* their frames exist even when unused */
            BOOST_TEST(nodes.size() < all[vmid].table_nodes());
        else
            BOOST_TEST(nodes.size() == all[vmid].table_nodes());
    }
    BOOST_TEST(owner.size() == walked_pages);
    BOOST_TEST((sparse || all.table_nodes() == node_owner.size()));
    BOOST_TEST(all.pages() == 3 * all[0].pages());
}

/* A page that two buffers share has the larger of the two requested sizes. */
BOOST_DATA_TEST_CASE(buffers_have_pages_of_their_own, data::xrange(table_formats().size()), table)
{
    memory_store store;
    address_space_params p = three(static_cast<uint8_t>(table), 0, WW_FRAMES_FRAGMENTED);
    p.run_frames = 512;
    BOOST_TEST(p.buffer_pages.read("1:64k+3:2m+5:mixed") == "");
    const uint64_t mib = 1 << 20;
    const std::vector<va_range> six = {{base_va, 3 * 65536 + 5000},  {base_va + 3 * 65536 + 8192, 2 * 65536},
                                       {base_va + 8 * 65536, 4096},  {base_va + 4 * mib + 5, 10},
                                       {base_va + 5 * mib, 4 * mib}, {base_va + 11 * mib, 6 * mib}};
    const address_spaces all(p, six, store);
    const std::vector<std::pair<uint64_t, uint8_t>> expected = {{0, 12},
                                                                {3 * 65536 - 1, 12},
                                                                {3 * 65536, 16},
                                                                {3 * 65536 + 8192, 16},
                                                                {5 * 65536 + 8191, 16},
                                                                {8 * 65536, 12},
                                                                {4 * mib, 21},
                                                                {4 * mib + 5, 21},
                                                                {6 * mib - 1, 21},
                                                                {6 * mib, 12},
                                                                {9 * mib - 1, 12},
                                                                {11 * mib, 12},
                                                                {12 * mib - 1, 12},
                                                                {12 * mib, 21},
                                                                {16 * mib - 1, 21},
                                                                {16 * mib, 12},
                                                                {17 * mib - 1, 12}};
    std::map<uint64_t, uint64_t> owner; /* by frame: the page's first address, and the VM-ID */
    for (uint16_t vmid = 0; vmid < 3; ++vmid)
        for (const auto &[at, shift] : expected) {
            ww_xlat x{}, by_walk{};
            std::set<uint64_t> nodes;
            BOOST_REQUIRE(all[vmid].translate(base_va + at, &x));
            BOOST_REQUIRE(walked(all[vmid].table(), store, base_va + at, &by_walk, &nodes));
            BOOST_TEST(x.page_shift == shift, at);
            BOOST_TEST(x.page_pa == by_walk.page_pa);
            const uint64_t page = ((base_va + at) >> shift << shift) + vmid;
            for (uint64_t frame = 0; frame < uint64_t{1} << (shift - 12); ++frame)
                BOOST_TEST(owner.emplace((x.page_pa >> 12) + frame, page).first->second == page);
        }
    for (const uint64_t nowhere : {6 * 65536, 8 * 65536 + 4096})
        BOOST_TEST(!all.mapped(0, base_va + nowhere));
    BOOST_TEST(!all.mapped(0, base_va + 9 * mib));
    BOOST_TEST(p.page_sizes() == (1u << 12 | 1u << 16 | 1u << 21));
    BOOST_TEST(all[0].pages() == 48u + 3u + 1u + 1u + 768u + 256u + 2u + 256u);
    BOOST_TEST(page_areas(six, p.buffer_pages, p.page).bytes() ==
               (48u + 1u + 768u + 256u + 256u) * 4096u + 3u * 65536u + 3u * 2 * mib);
}

BOOST_AUTO_TEST_CASE(a_buffer_without_bytes_has_no_page_wherever_it_is)
{
    for (const uint64_t offset : {0, 100}) {
        const space_ranges with = {buffers[0], {base_va + (uint64_t{1} << 30) + offset, 0}};
        const page_areas areas(with, {}, 0);
        BOOST_TEST(areas.bytes() == page_areas({buffers[0]}, {}, 0).bytes());
        BOOST_TEST(areas.first_page_of(1) == with[1].base_va);
        memory_store one_store, store;
        const address_spaces one(three(0, 0, 0), {buffers[0]}, one_store), both(three(0, 0, 0), with, store);
        BOOST_TEST(both.pages() == one.pages());
    }
}

/* If all buffers are named, the size for the rest is not used. */
BOOST_AUTO_TEST_CASE(sizes_are_those_of_buffers_that_there_are)
{
    address_space_params p = numbers_of<address_space_params>();
    BOOST_TEST(p.buffer_pages.read("0-1:64k") == "");
    for (const auto &[buffers, sizes] : std::vector<std::pair<size_t, uint32_t>>{
             {0, 1u << 12 | 1u << 16}, {3, 1u << 12 | 1u << 16}, {2, 1u << 16}}) {
        p.buffers = buffers;
        BOOST_TEST(p.page_sizes() == sizes, buffers);
    }
}

/* A space's results must not depend on the number of spaces. */
BOOST_AUTO_TEST_CASE(the_first_of_several_is_laid_out_like_the_only_one)
{
    memory_store one_store, store;
    address_space_params p = three(0, 0, WW_FRAMES_RANDOM);
    const address_spaces all(p, buffers, store);
    p.spaces = 1;
    const address_space only(p, buffers, one_store);
    for (uint64_t va = base_va; va < base_va + buffers[0].bytes; va += 4096) {
        ww_xlat a{}, b{};
        BOOST_REQUIRE((only.translate(va, &a) && all[0].translate(va, &b)));
        BOOST_TEST(a.page_pa == b.page_pa);
    }
}

BOOST_AUTO_TEST_CASE(memory_must_suffice_for_all_of_them)
{
    address_space_params p = numbers_of<address_space_params>();
    p.memory_bytes = uint64_t{1} << 30;
    const std::vector<va_range> most = {{base_va, uint64_t{400} << 20}};
    for (const uint32_t spaces : {1u, 2u}) {
        memory_store store;
        p.spaces = spaces;
        BOOST_TEST(address_spaces(p, most, store).pages() == spaces * most[0].bytes / 4096);
    }
    memory_store store;
    p.spaces = 3;
    BOOST_CHECK_EXCEPTION(address_spaces(p, most, store), std::runtime_error,
                          [](const std::runtime_error &e) {
                              return std::string(e.what()).find("of 3 address spaces") != std::string::npos;
                          });
}

BOOST_AUTO_TEST_CASE(the_tables_of_all_stay_below_the_data)
{
    address_space_params p = numbers_of<address_space_params>();
    p.data_pa = p.table_pa + (uint64_t{1} << 20); /* 256 nodes; one space needs 202 at most */
    const std::vector<va_range> wide = {{base_va, uint64_t{1} << 20}, {base_va, uint64_t{398} << 20}};
    memory_store one_store, store;
    BOOST_TEST(address_spaces(p, {wide[1]}, one_store).count() == 1u);
    p.spaces = 2;
    BOOST_CHECK_THROW(address_spaces(p, {wide[1]}, store), std::runtime_error);
}

/* Any address of the page names it. */
BOOST_AUTO_TEST_CASE(a_page_of_several_entries_is_unmapped_whole)
{
    memory_store store;
    address_space_params p = numbers_of<address_space_params>();
    p.page = 1; /* 64 KiB */
    p.map = static_cast<uint8_t>(map_mode::half);
    address_spaces all(p, {{base_va, 1 << 20}}, store);
    BOOST_TEST(all.mapped(0, base_va));
    all.unmap(0, base_va + 5 * 4096);
    for (uint64_t entry = 0; entry < 16; ++entry)
        BOOST_TEST(!all.mapped(0, base_va + entry * 4096), entry);
    BOOST_TEST(all.mapped(0, base_va + 2 * 65536));
    BOOST_TEST(all.words_lacking() == 16u);
}

/* A guest's table within a host's: absent entries and changes are in the table of the side that pages; the
 * host places the pages. */
BOOST_DATA_TEST_CASE(of_two_tables_one_is_paged, data::xrange(2) * data::xrange(3), by_host, page)
{
    memory_store store;
    address_space_params p = numbers_of<address_space_params>();
    p.table.choose("nested");
    p.paging = static_cast<uint8_t>(by_host);
    p.page = static_cast<uint8_t>(page);
    p.map = static_cast<uint8_t>(map_mode::half);
    address_spaces all(p, {{base_va, 4u << 21}}, store);
    const uint64_t bytes = all.bytes_of(0, base_va), entries = page == 1 ? 16 : 1, other = base_va + bytes;
    const auto end_of =
        [&](uint64_t va, uint64_t *last) { /* of a walk in the plan's table */
                                           uint64_t walk = ww_table_start(&all.table(0), va);
                                           for (ww_walk_read read{}; ww_table_next(&all.table(0), walk, va,
                                                                                   &read) == WW_WALK_READ;) {
                                               *last = read.pa;
                                               walk = ww_table_feed(&all.table(0), walk, va,
                                                                    all.node(read.pa & ~uint64_t{4095}) +
                                                                        read.pa % 4096 / 64 * 8);
                                           }
                                           return walk;
        };
    const auto missing = by_host == 1 ? WW_WHY_HOST : WW_WHY_ABSENT;
    uint64_t at = 0;
    BOOST_TEST(ww_walk_why(end_of(other, &at)) == missing);
    all.map(0, other + bytes / 2);
    BOOST_TEST(all.words_lacking() == entries);
    BOOST_TEST(ww_walk_act(end_of(other, &at)) == WW_WALK_DONE);
    BOOST_CHECK_THROW(all.map(0, other), std::runtime_error);
    all.unmap(0, other + bytes / 2);
    BOOST_TEST(all.words_lacking() == 0u);

    uint64_t leaf = 0;
    const ww_xlat before = ww_walk_xlat(end_of(base_va, &leaf));
    all.protect(0, base_va, false);
    BOOST_TEST(all.words_lacking() == entries);
    BOOST_TEST((ww_walk_xlat(end_of(base_va, &leaf)).perm & WW_PERM_W) == 0);
    all.protect(0, base_va, true);
    BOOST_TEST(all.words_lacking() == 0u);
    all.remap(0, base_va + bytes / 2);
    const ww_xlat after = ww_walk_xlat(end_of(base_va + 4096 * (entries - 1), &leaf));
    BOOST_TEST(after.page_pa != before.page_pa);
    BOOST_TEST(after.page_pa % bytes == 0u);
    BOOST_TEST(all.words_lacking() == entries);
    BOOST_TEST((all.node(leaf & ~uint64_t{4095})[leaf % 4096 / 8] & WW_PTE_FRAME) >= after.page_pa);
    end_of(base_va, &leaf);
    all.unmap(0, base_va);
    BOOST_TEST(ww_walk_why(end_of(base_va, &at)) == missing);
    BOOST_TEST((at == leaf) == (by_host == 1));

    using change = page_change;
    BOOST_TEST(all.forgets_all(0, change::remap));
    BOOST_TEST(!all.forgets_all(0, change::map));
    for (const change c : {change::unmap, change::protect, change::permit})
        BOOST_TEST(all.forgets_all(0, c) == (by_host == 1));
}

/* The pages are consecutive in guest-physical memory, in the order of the buffers, after the guest's
 * table. */
BOOST_AUTO_TEST_CASE(guest_physical_addresses_are_not_the_hosts)
{
    memory_store store;
    address_space_params p = numbers_of<address_space_params>();
    p.table.choose("nested");
    p.frames = WW_FRAMES_RANDOM;
    const address_spaces all(p, {{base_va, 20 * 4096}, {base_va + (uint64_t{3} << 30), 20 * 4096}}, store);
    uint64_t next = 0;
    unsigned apart = 0;
    for (unsigned i = 0; i < 40; ++i) {
        const uint64_t va = base_va + (i < 20 ? 0 : (uint64_t{3} << 30)) + uint64_t{i % 20} * 4096;
        uint64_t walk = ww_table_start(&all.table(0), va), gpa = 0;
        for (ww_walk_read read{}; ww_table_next(&all.table(0), walk, va, &read) == WW_WALK_READ;) {
            if (ww_walk_step(walk) == WW_NESTED_AT_PAGE && gpa == 0)
                gpa = walk & WW_BITS64(47, 12);
            walk = ww_table_feed(&all.table(0), walk, va,
                                 all.node(read.pa & ~uint64_t{4095}) + read.pa % 4096 / 64 * 8);
        }
        BOOST_TEST(gpa == (i == 0 ? gpa : next));
        next = gpa + 4096;
        apart += ww_walk_xlat(walk).page_pa != gpa;
    }
    BOOST_TEST(apart == 40u);
}

/* Otherwise an absent page would be an address outside the table instead of a fault that can be handled. */
BOOST_AUTO_TEST_CASE(a_table_that_grows_leaves_no_node_out)
{
    memory_store store;
    address_space_params p = numbers_of<address_space_params>();
    p.table.choose("amd_v1");
    p.map = static_cast<uint8_t>(map_mode::first_touch);
    const uint64_t low = 0, high = uint64_t{5} << 30;
    address_spaces all(p, {{low, 4096}, {high, 4096}}, store);
    all.map(0, low);
    uint64_t walk = ww_table_start(&all.table(0), high);
    for (ww_walk_read read{}; ww_table_next(&all.table(0), walk, high, &read) == WW_WALK_READ;)
        walk = ww_table_feed(&all.table(0), walk, high,
                             all.node(read.pa & ~uint64_t{4095}) + read.pa % 4096 / 64 * 8);
    BOOST_REQUIRE(ww_walk_act(walk) == WW_WALK_FAULT);
    BOOST_TEST(ww_walk_why(walk) == WW_WHY_ABSENT);
}

BOOST_AUTO_TEST_SUITE_END()
