/* SPDX-License-Identifier: MIT */
/* model/page_plan.hpp - the page tables as they shall be, and which pages there are. Memory follows as a
 * pager writes what it lacks (model/pager.hpp). */
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

/* Contents that move, whole lines. */
struct page_copy {
    uint64_t from_pa, to_pa, bytes;
};

/* Physical memory, whole lines. */
struct pa_range {
    uint64_t pa, bytes;
};

/* What has to be done before pages are mapped: tables are written, what was before is invalidated, and when
 * it is held nowhere any more contents are moved. */
struct page_step {
    std::vector<uint64_t> nodes;   /* of tables, 4 KiB each, in the order in which they are written, by the
                                      first time each is named */
    invalidation stale;            /* of what, */
    bool invalidates = false;      /* if of anything */
    std::vector<pa_range> flushes; /* what caches have of it goes to memory before contents move */
    std::vector<page_copy> copies;
};

class page_plan
{
public:
    virtual ~page_plan() = default;
    virtual batch_rules batch() const { return {}; }
    /* Of a page: those that are equal are of one part. */
    virtual uint64_t part_of(uint16_t /* vmid */, uint64_t va) const { return va; }
    /* The pages that are to be mapped with those of one part that have faulted, of which some is not mapped.
     */
    virtual void add_company(uint16_t /* vmid */, std::vector<uint64_t> & /* pages */) {}
    /* The next step before these pages are mapped, which is done in the plan; false: there is none. Pages
     * that come from elsewhere are not mapped then. */
    virtual bool next_step(page_change, uint16_t /* vmid */, const std::vector<uint64_t> & /* pages */,
                           page_step * /* out */)
    {
        return false;
    }
    /* The first address of the page that holds va, mapped or not; false: there is none. */
    virtual bool page_of(uint16_t vmid, uint64_t va, uint64_t *first_va) const = 0;
    virtual bool mapped(uint16_t vmid, uint64_t va) const = 0;
    /* Maps the page that holds va, which is not, in the plan. */
    virtual void map(uint16_t vmid, uint64_t va) = 0;
    /* Of a page that is mapped, in the plan. Unmapped, it is there still, and may be mapped again; elsewhere;
     * with the right to write, or without. */
    virtual void unmap(uint16_t vmid, uint64_t va) = 0;
    virtual void remap(uint16_t vmid, uint64_t va) = 0;
    virtual void protect(uint16_t vmid, uint64_t va, bool writable) = 0;
    /* Have two VM-IDs pages of the same sizes at the same addresses? Then their tables may be exchanged. */
    virtual bool alike(uint16_t vmid, uint16_t other) const { return vmid == other; }
    virtual void exchange(uint16_t /* vmid */, uint16_t /* other */) {}
    /* No stage has a translation of before the changes so far: frames that pages have left are free. */
    virtual void settle() {}
    /* No cache has a line of what the step flushes, and memory has what they had written. */
    virtual void flushed() {}
    /* Of the page that holds va, which there is. */
    virtual uint64_t bytes_of(uint16_t vmid, uint64_t va) const = 0;
    virtual const ww_table &table(uint16_t vmid) const = 0;
    /* Must all be forgotten that is known of the VM, when pages of it are changed so? */
    virtual bool forgets_all(uint16_t /* vmid */, page_change /* what */) const { return false; }
    /* The 512 words that the node at this physical address shall have. */
    virtual const uint64_t *node(uint64_t pa) const = 0;
    /* Words of the tables that are not in memory as they shall be: none when nothing is being written. */
    virtual uint64_t words_lacking() const = 0;
};

} // namespace walkway

#endif
