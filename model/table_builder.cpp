/* SPDX-License-Identifier: MIT */
/* model/table_builder.cpp - what formats have in common. */
#include "model/table_builder.hpp"

#include "model/common/fail.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

namespace
{
const uint32_t sizes_of_page[] = {1u << 12, 1u << 16, 1u << 21, 1u << 12 | 1u << 21};
}

/* In all entries of the page that holds va, the bits of the mask become those. */
void table_builder::rewrite(uint64_t va, uint64_t mask, uint64_t bits)
{
    const ww_table all = table();
    uint64_t walk = ww_table_start(&all, va), entry = 0;
    for (ww_walk_read read = {}; ww_table_next(&all, walk, va, &read) == WW_WALK_READ;) {
        entry = (read.pa - first_pa_) / sizeof(uint64_t);
        walk = ww_table_feed(&all, walk, va, words_ + entry / WW_LINE_PTES * WW_LINE_PTES);
    }
    if (ww_walk_act(walk) != WW_WALK_DONE)
        fail("/walkway/address_space", "virtual address " + std::to_string(va) + " is not mapped");
    const uint64_t entries = uint64_t{1}
                             << (ww_walk_xlat(walk).page_shift - all.kind->reach[ww_walk_step(walk)]);
    for (uint64_t i = entry & ~(entries - 1); i <= (entry | (entries - 1)); ++i)
        words_[i] = (words_[i] & ~mask) | (bits & mask);
}

/* What an entry's address says of size and part of the page stays. */
void table_builder::move(uint64_t va, const ww_xlat &to)
{
    rewrite(va, WW_WALK_PA >> to.page_shift << to.page_shift, to.page_pa);
}

std::string table_maker::width(const address_space_params &p) const
{
    return "address_space.levels = " + std::to_string(p.levels);
}

uint32_t table_maker::page_sizes(const address_space_params &p) const
{
    return sizes_of_page[p.page];
}

const table_maker &tables_of(table_format format)
{
    static const table_maker *const makers[] = {
#define X(name, text) &name##_tables(),
        WALKWAY_TABLE_LIST(X)
#undef X
    };
    return *makers[static_cast<size_t>(format)];
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
