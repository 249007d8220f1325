/* SPDX-License-Identifier: MIT */
/* model/page_plan.hpp - the planned page tables, and the pages that exist. Memory follows as a pager writes
 * the differences (model/pager.hpp). */
#ifndef WALKWAY_MODEL_PAGE_PLAN_HPP
#define WALKWAY_MODEL_PAGE_PLAN_HPP

#include "kernels/table/table.h"
#include "model/batch_rules.hpp"
#include "model/common/lanes.hpp"
#include "model/page_change.hpp"

#include <cstdint>
#include <vector>

namespace walkway
{

/* A move of contents, in whole lines. */
struct page_copy {
    uint64_t from_pa, to_pa, bytes;
};

/* A range of physical memory, whole lines. */
struct pa_range {
    uint64_t pa, bytes;
};

/* A step before pages are mapped: tables are written, old translations are invalidated, and, once no stage
 * holds them, contents are moved. */
struct page_step {
    std::vector<uint64_t> nodes;   /* of tables, 4 KiB each, written in the order of their first mention */
    invalidation stale;            /* scope of the invalidate, */
    bool invalidates = false;      /* if there is one */
    std::vector<pa_range> flushes; /* ranges whose cached lines go to memory before contents move */
    std::vector<page_copy> copies;
};

class page_plan
{
public:
    virtual ~page_plan() = default;
    virtual batch_rules batch() const { return {}; }
    /* Returns the part of a page. Faults in pages of one part are handled together. */
    virtual uint64_t part_of(uint16_t /* vmid */, uint64_t va) const { return va; }
    /* Adds to `pages`, those of one part that have faulted, the pages to be mapped with them. At least one of
     * `pages` is not mapped. */
    virtual void add_company(uint16_t /* vmid */, std::vector<uint64_t> & /* pages */) {}
    /* Performs the next step in the plan before these pages are mapped and sets *out; returns false if there
     * is none. Pages that come from elsewhere are not mapped during the step. */
    virtual bool next_step(page_change, uint16_t /* vmid */, const std::vector<uint64_t> & /* pages */,
                           page_step * /* out */)
    {
        return false;
    }
    /* True if a page holds va, mapped or not; sets *first_va to its first address. */
    virtual bool page_of(uint16_t vmid, uint64_t va, uint64_t *first_va) const = 0;
    virtual bool mapped(uint16_t vmid, uint64_t va) const = 0;
    /* Maps the page that holds va in the plan. Required: it is not mapped. */
    virtual void map(uint16_t vmid, uint64_t va) = 0;
    /* Change a mapped page in the plan: unmap it (it still exists and may be mapped again), move it to
     * another frame, or give or take the right to write. */
    virtual void unmap(uint16_t vmid, uint64_t va) = 0;
    virtual void remap(uint16_t vmid, uint64_t va) = 0;
    virtual void protect(uint16_t vmid, uint64_t va, bool writable) = 0;
    /* True if two VM-IDs have pages of the same sizes at the same addresses, so that their tables may be
     * exchanged. */
    virtual bool alike(uint16_t vmid, uint16_t other) const { return vmid == other; }
    virtual void exchange(uint16_t /* vmid */, uint16_t /* other */) {}
    /* No stage holds a translation from before the changes so far: frees the frames that pages have left. */
    virtual void settle() {}
    /* No cache holds a line of the step's flushes, and memory has all that they had written. */
    virtual void flushed() {}
    /* Returns the bytes of the page that holds va. Required: there is one. */
    virtual uint64_t bytes_of(uint16_t vmid, uint64_t va) const = 0;
    virtual const ww_table &table(uint16_t vmid) const = 0;
    /* True if such a change must invalidate the VM's whole address space. */
    virtual bool forgets_all(uint16_t /* vmid */, page_change /* what */) const { return false; }
    /* Returns the planned 512 words of the node at this physical address. */
    virtual const uint64_t *node(uint64_t pa) const = 0;
    /* Returns the words of the tables that differ in memory from the plan; 0 if no write is in progress. */
    virtual uint64_t words_lacking() const = 0;
};

} // namespace walkway

#endif
