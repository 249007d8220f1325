/* SPDX-License-Identifier: MIT */
/* model/table_builder.cpp - code common to all formats. */
#include "model/table_builder.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

table_builder::entries table_builder::last_read(uint64_t va) const
{
    const ww_table all = table();
    uint64_t walk = ww_table_start(&all, va);
    ww_walk_read read = {};
    while (ww_table_next(&all, walk, va, &read) == WW_WALK_READ)
        walk = ww_table_feed(&all, walk, va, words_ + (read.pa - first_pa_) / WW_LINE_BYTES * WW_LINE_PTES);
    if (ww_walk_act(walk) != WW_WALK_DONE)
        throw std::logic_error("virtual address " + std::to_string(va) + " is not mapped");
    return around(read.pa,
                  uint64_t{1} << (ww_walk_xlat(walk).page_shift - all.kind->reach[ww_walk_step(walk)]));
}

/* Replaces the masked bits of all these entries. */
void table_builder::rewrite(const entries &of, uint64_t mask, uint64_t bits)
{
    for (uint64_t i = of.first; i < of.first + of.count; ++i)
        words_[i] = (words_[i] & ~mask) | (bits & mask);
}

void table_builder::add_way(const ww_table &table, uint64_t va, std::vector<uint64_t> *nodes) const
{
    const auto before = static_cast<std::ptrdiff_t>(nodes->size());
    uint64_t walk = ww_table_start(&table, va);
    for (ww_walk_read read = {}; ww_table_next(&table, walk, va, &read) == WW_WALK_READ;) {
        nodes->push_back(read.pa & ~uint64_t{WW_NODE_BYTES - 1});
        walk = ww_table_feed(&table, walk, va,
                             words_ + (read.pa - first_pa_) / sizeof(uint64_t) / WW_LINE_PTES * WW_LINE_PTES);
    }
    std::reverse(nodes->begin() + before, nodes->end());
}

/* Keeps the address bits below the page size, which may encode a size or a part of the page. */
void table_builder::move(uint64_t va, const ww_xlat &to)
{
    rewrite(entries_of(va, page_change::remap), address_field(WW_WALK_PA >> to.page_shift << to.page_shift),
            address_field(to.page_pa));
}

void table_builder::protect(uint64_t va, bool writable)
{
    rewrite(entries_of(va, page_change::protect), right_to_write(), writable != forbids() ? UINT64_MAX : 0);
}

std::string table_maker::width(const address_space_params &p) const
{
    return "address_space.levels = " + std::to_string(p.levels);
}

uint32_t table_maker::page_sizes(const address_space_params &p) const
{
    const bool others = p.buffers == 0 || !p.buffer_pages.names(p.buffers);
    return p.buffer_pages.sizes() | (others ? sizes_of_page(p.page) : 0);
}

#define X(name) const table_maker &name##_tables();
#include "table_formats.inc"
#undef X

const std::vector<named_tables> &table_formats()
{
    static const std::vector<named_tables> all = {
#define X(name) {#name, &name##_tables()},
#include "table_formats.inc"
#undef X
    };
    return all;
}

uint64_t nodes_for(const space_ranges &ranges, uint8_t page_shift,
                   const std::function<uint64_t(uint64_t va, uint64_t bytes)> &of)
{
    const uint64_t page_bytes = uint64_t{1} << page_shift;
    uint64_t nodes = 1;
    for (const va_range &r : ranges)
        nodes += of(r.base_va & ~(page_bytes - 1),
                    ((r.base_va & (page_bytes - 1)) + r.bytes + page_bytes - 1) & ~(page_bytes - 1));
    return nodes;
}

uint64_t most_nodes(const std::vector<space_ranges> &of_space,
                    const std::function<uint64_t(const space_ranges &)> &of)
{
    uint64_t most = 0;
    for (const space_ranges &ranges : of_space)
        most = std::max(most, of(ranges));
    return most;
}

void require_table(int rc)
{
    if (rc != WW_OK)
        throw std::runtime_error("address_space: illegal page table");
}

} // namespace walkway
