/* SPDX-License-Identifier: MIT */
/* model/tables/nested.cpp - a guest's radix table within a host's (kernels/table/table_nested.h).
 * Guest-physical memory begins with the guest's nodes; its pages follow in the order in which they are laid
 * out, aligned to their size. In memory, the guest's nodes are before the host's. The host maps the guest's
 * nodes from the beginning, and never moves them. */
#include "kernels/table/radix.h"
#include "kernels/table/table_nested.h"
#include "model/table_builder.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace walkway
{

namespace
{

constexpr uint8_t levels = 4;

struct nested_size {
    uint32_t guest_nodes, host_nodes;
};

class nested_table final : public table_builder
{
public:
    nested_table(const nested_size &size, paging_by paging, uint64_t first_pa, uint64_t *words)
        : table_builder(first_pa, words), paging_(paging), size_(size),
          next_gpa_(uint64_t{size.guest_nodes} * WW_NODE_BYTES)
    {
        const ww_radix_cfg guest = {levels, 0, size.guest_nodes},
                           host = {levels, first_pa + next_gpa_, size.host_nodes};
        require_table(ww_radix_init(&guest_, &guest, words, size_t{size.guest_nodes} * WW_NODE_ENTRIES));
        require_table(ww_radix_init(&host_, &host, host_words(), size_t{size.host_nodes} * WW_NODE_ENTRIES));
        for (uint64_t gpa = 0; gpa < next_gpa_; gpa += WW_NODE_BYTES)
            require_table(map_host(gpa, first_pa + gpa, WW_PAGE_4K));
    }
    ww_table table() const override { return ww_nested_table(0, ww_radix_root_pa(&host_)); }
    /* Maps the page in each of the two tables that has no entry for it. */
    int map(uint64_t va, uint64_t pa, uint8_t shift) override
    {
        ww_xlat x;
        const uint64_t gpa = gpa_of(va, shift);
        const bool by_guest = ww_radix_lookup(&guest_, words(), va, &x),
                   by_host = ww_radix_lookup(&host_, host_words(), gpa, &x);
        int rc = by_guest && by_host ? WW_E_ARG : WW_OK;
        if (!by_host)
            rc = map_host(gpa, pa, shift);
        return by_guest || rc != WW_OK ? rc : map_guest(va, gpa, shift);
    }
    /* The table that does not page keeps its entry; the other one keeps only the nodes. */
    void place(uint64_t va, uint64_t pa, uint8_t shift) override
    {
        const uint64_t gpa = gpa_of(va, shift);
        require_table(map_host(gpa, pa, shift));
        require_table(map_guest(va, gpa, shift));
        unmap(va);
    }
    bool translate(uint64_t va, ww_xlat *out, const uint64_t *words) const override
    {
        ww_xlat guest, host;
        if (!ww_radix_lookup(&guest_, words, va, &guest))
            return false;
        const uint64_t gpa = ww_nested_gpa(&guest, va);
        if (!ww_radix_lookup(&host_, words + host_at(), gpa, &host))
            return false;
        *out = ww_nested_xlat(&guest, &host, gpa);
        return true;
    }
    uint64_t nodes() const override { return size_.guest_nodes + uint64_t{host_.nodes}; }
    /* The host knows the pages of such changes only by guest-physical address. */
    bool forgets_all(page_change what) const override
    {
        return what == page_change::remap || (what != page_change::map && paging_ == paging_by::host);
    }

private:
    /* A remap is in the host's entries, which have the location; others are in the table that pages. */
    entries entries_of(uint64_t va, page_change what) const override
    {
        const ww_table all = table();
        ww_walk_read read = {}, of_guest = {};
        uint64_t walk = ww_table_start(&all, va);
        while (ww_table_next(&all, walk, va, &read) == WW_WALK_READ) {
            if (ww_walk_step(walk) < WW_NESTED_AT_PAGE)
                of_guest = read;
            walk = ww_table_feed(&all, walk, va, line_of(read.pa));
        }
        if (ww_walk_act(walk) != WW_WALK_DONE)
            throw std::logic_error("virtual address " + std::to_string(va) + " is not mapped");
        const uint64_t count = ww_walk_xlat(walk).page_shift == WW_PAGE_64K ? WW_PAGE_64K_ENTRIES : 1;
        const bool by_host = what == page_change::remap || paging_ == paging_by::host;
        return around((by_host ? read : of_guest).pa, count);
    }
    const uint64_t *line_of(uint64_t pa) const
    {
        return words() + (pa - first_pa()) / WW_LINE_BYTES * WW_LINE_PTES;
    }
    size_t host_at() const { return size_t{size_.guest_nodes} * WW_NODE_ENTRIES; }
    uint64_t *host_words() { return words_to_write() + host_at(); }
    int map_host(uint64_t gpa, uint64_t pa, uint8_t shift)
    {
        return ww_radix_map(&host_, host_words(), gpa, pa, shift, WW_PERM_ALL);
    }
    int map_guest(uint64_t va, uint64_t gpa, uint8_t shift)
    {
        return ww_radix_map(&guest_, words_to_write(), va, gpa, shift, WW_PERM_ALL);
    }
    /* Returns the guest-physical address of the page at va; the first call assigns it. */
    uint64_t gpa_of(uint64_t va, uint8_t shift)
    {
        const auto known = gpas_.find(va);
        if (known != gpas_.end())
            return known->second;
        const uint64_t mask = (uint64_t{1} << shift) - 1;
        const uint64_t gpa = (next_gpa_ + mask) & ~mask;
        next_gpa_ = gpa + mask + 1;
        gpas_[va] = gpa;
        return gpa;
    }

    paging_by paging_;
    nested_size size_;
    uint64_t next_gpa_;
    ww_radix guest_{}, host_{};
    std::unordered_map<uint64_t, uint64_t> gpas_; /* by the pages' first addresses; never iterated */
};

class nested_maker final : public table_maker
{
    const char *text() const override { return "a guest's radix table within a host's"; }
    std::string wrong(const address_space_params &p) const override
    {
        return p.levels == levels ? ""
                                  : "levels = " + std::to_string(p.levels) + ": a nested table has 4 of each";
    }
    uint32_t va_bits(const address_space_params & /* p */) const override { return ww_va_bits(levels); }
    const ww_table_kind *kind(const address_space_params & /* p */) const override { return &ww_nested; }
    table_room room(const address_space_params &p, const std::vector<space_ranges> &of_space) const override
    {
        const uint8_t shift = p.page_shift();
        const uint64_t guest = most_nodes(of_space, [shift](const space_ranges &ranges) {
            return nodes_for(ranges, shift, [shift](uint64_t va, uint64_t bytes) {
                return ww_radix_nodes_needed(levels, va, bytes, shift);
            });
        });
        const uint64_t large = uint64_t{1} << p.largest_shift();
        const uint64_t host = most_nodes(of_space, [=](const space_ranges &ranges) {
            uint64_t bytes = guest * WW_NODE_BYTES; /* of guest-physical memory, gaps before pages included */
            for (const va_range &r : ranges)
                bytes += r.bytes / large * large + 4 * large;
            return ww_radix_nodes_needed(levels, 0, bytes, WW_PAGE_4K);
        });
        const nested_size size = {static_cast<uint32_t>(guest), static_cast<uint32_t>(host)};
        return {guest + host, [size, paging = p.by()](uint64_t first_pa, uint64_t *words) {
                    return std::make_unique<nested_table>(size, paging, first_pa, words);
                }};
    }
};

} // namespace

const table_maker &nested_tables()
{
    static const nested_maker maker;
    return maker;
}

} // namespace walkway
