/* SPDX-License-Identifier: MIT */
/* model/driver_policy.hpp - a driver's decisions about pages that fault: how many faults are handled
 * together, which pages come with them, what share a region takes of device memory, what becomes of pages
 * that leave. The driver (model/driver.hpp) decides the frame of a page and what is written, invalidated and
 * copied; the pager decides when. A policy is a file policies/NAME_policy.cpp, which defines NAME_policy();
 * the build lists these files, and `driver.policy = NAME` selects one. No SystemC.
 * docs/model/oversubscription.md. */
#ifndef WALKWAY_MODEL_DRIVER_POLICY_HPP
#define WALKWAY_MODEL_DRIVER_POLICY_HPP

#include "kernels/table/hashed_slot.h"
#include "model/batch_rules.hpp"
#include "model/common/stats.hpp"
#include "model/params/driver_policy_kind.hpp"

#include <algorithm>
#include <bitset>
#include <cstdint>

namespace walkway
{

/* Pages of a 2 MiB region: bit n is page n, of any page size. */
using region_pages = std::bitset<WW_HASHED_PTES>;

/* A region with pages that have faulted. */
struct region_faults {
    uint32_t region; /* its index, dense from 0, in the order in which the driver first saw regions */
    uint64_t us;     /* time since time zero */
    /* Pages that exist; that faulted; that are in device memory; that were there once and are now in host
     * memory, unmapped. */
    region_pages there, faulted, device, away;
};

/* The answer to such faults. Pages not in `faulted` or `device` come only if no address space has them
 * mapped. */
struct region_served {
    region_pages come; /* pages to fetch into device memory besides those that faulted */
    region_pages stay; /* of the faulted pages that are `away`: pages to map in host memory */
};

/* Returns a number of 4 KiB pages in pages of this size, at least 1. */
inline uint32_t in_pages(uint32_t small_pages, uint8_t page_shift)
{
    return std::max(1u, small_pages >> (page_shift - WW_PAGE_4K));
}

class driver_policy
{
public:
    virtual ~driver_policy() = default;
    /* Returns how many faults are handled together, and the times this takes. */
    virtual batch_rules batch() const { return {}; }
    /* Decides what comes and what stays of a region with these faults. */
    virtual region_served serve(const region_faults &of) = 0;
    /* Returns the most pages that may come together in a region of that many pages. Device memory must have
     * room for them. */
    virtual uint32_t together(uint32_t pages_of_region) const = 0;
    /* True if a region takes frames for all its pages as soon as one of them comes, and the region that came
     * first is evicted first, even if it was served since. False: the region with the oldest last fault is
     * evicted. */
    virtual bool whole_regions() const { return false; }
    /* True if evicted pages stay mapped, in host memory. */
    virtual bool maps_host() const { return true; }
    /* Called at time zero: earlier decisions do not count for the run. */
    virtual void count_from_here() {}
    virtual void visit(stat_visitor &) const {}
};

} // namespace walkway

#endif
