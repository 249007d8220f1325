/* SPDX-License-Identifier: MIT */
/* image/table_dump.hpp - every mapping of a page table in an image, as ranges. Tables may be shared and may
 * contain themselves (a root with an entry of its own, clones, shadows of zero): what a node leads to is
 * counted once for each walk that can stand there, so that counting takes time in proportion to the tables'
 * bytes, not to the memory that they map. Listing takes as long as there are ranges, unless what is shared is
 * folded. */
#ifndef WALKWAY_IMAGE_TABLE_DUMP_HPP
#define WALKWAY_IMAGE_TABLE_DUMP_HPP

#include "image/table_walk.hpp"

#include <array>
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace walkway
{

/* Pages of one size and with the same rights whose addresses, virtual and physical, follow each other. */
struct mapped_range {
    uint64_t va, bytes, pa;
    uint8_t page_shift;
    uint64_t rights; /* WW_X86_... */
};

/* Addresses that a node translates which has been listed already, with the same rights. */
struct repeated_range {
    uint64_t va, bytes;
    uint64_t first_va; /* where it was listed */
};

/* Entries that are present and map nothing. */
struct broken_entries {
    uint64_t count = 0;
    uint64_t va = 0, pa = 0, entry = 0; /* of the first: what it would translate, where it is, its value */
    uint32_t level = 0;
};

struct dump_totals {
    std::array<uint64_t, 3> pages{}; /* of 4 KiB, 2 MiB, 1 GiB */
    uint64_t ranges = 0;             /* an upper bound: a range that spans several nodes counts for each */
    uint64_t nodes = 0;
    broken_entries malformed, outside; /* reserved bits; nodes that the image does not have */
};

class table_dump
{
public:
    explicit table_dump(const image_table &t) : table_(t) {}

    /* May be asked to stop, as list(); what it answers then is of no use. */
    dump_totals count(const std::function<bool()> &stop);

    struct sink {
        virtual void range(const mapped_range &r) = 0;
        virtual void repeated(const repeated_range &r) = 0;
        virtual ~sink() = default;
    };
    /* In the order of addresses. `fold`: a node of several ranges that has been listed is repeated(). After
     * count(). */
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
