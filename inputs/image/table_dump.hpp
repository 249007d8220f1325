/* SPDX-License-Identifier: MIT */
/* image/table_dump.hpp - every mapping of a page table in an image, as ranges. Tables may be shared and may
 * contain themselves (a root with an entry of its own, clones, shadows of zero): the mappings under a node
 * are counted once for each walk that can reach it, so that counting takes time in proportion to the tables'
 * bytes, not to the memory that they map. Listing takes time in proportion to the ranges, unless shared nodes
 * are folded. */
#ifndef WALKWAY_IMAGE_TABLE_DUMP_HPP
#define WALKWAY_IMAGE_TABLE_DUMP_HPP

#include "image/table_walk.hpp"

#include <array>
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace walkway
{

/* Pages of one size and with the same rights whose virtual and physical addresses are contiguous. */
struct mapped_range {
    uint64_t va, bytes, pa;
    uint8_t page_shift;
    uint64_t rights; /* WW_X86_... */
};

/* Addresses of a node that was already listed with the same rights. */
struct repeated_range {
    uint64_t va, bytes;
    uint64_t first_va; /* address of that listing */
};

/* Entries that are present and map nothing. */
struct broken_entries {
    uint64_t count = 0;
    uint64_t va = 0, pa = 0, entry = 0; /* the first: its virtual address, its place, its value */
    uint32_t level = 0;
};

struct dump_totals {
    std::array<uint64_t, 3> pages{}; /* of 4 KiB, 2 MiB, 1 GiB */
    uint64_t ranges = 0;             /* an upper bound: a range that spans several nodes counts for each */
    uint64_t nodes = 0;
    broken_entries malformed, outside; /* with reserved bits set; in nodes that the image does not contain */
};

class table_dump
{
public:
    explicit table_dump(const image_table &t) : table_(t) {}

    /* Counts all mappings. stop() may return true to stop it, as in list(); the result is then
     * meaningless. */
    dump_totals count(const std::function<bool()> &stop);

    struct sink {
        virtual void range(const mapped_range &r) = 0;
        virtual void repeated(const repeated_range &r) = 0;
        virtual ~sink() = default;
    };
    /* Lists in the order of addresses. `fold`: a node of several ranges that was already listed is
     * repeated(). Required: after count(). */
    void list(sink &to, bool fold, const std::function<bool()> &stop);

private:
    struct node_count {
        std::array<uint64_t, 3> pages{};
        uint64_t ranges = 0;
    };
    struct listing;

    template <class Fn> void for_entries(uint64_t walk, uint64_t va, Fn each) const;
    bool whole(uint64_t node_pa) const;
    const node_count &count_node(uint64_t walk, uint64_t va, dump_totals &totals,
                                 const std::function<bool()> &stop);
    void list_node(uint64_t walk, uint64_t va, listing &l) const;

    const image_table &table_;
    std::unordered_map<uint64_t, node_count> counts_; /* by the walk that reads the node */
    std::unordered_set<uint64_t> met_;                /* the same without rights */
};

} // namespace walkway

#endif
