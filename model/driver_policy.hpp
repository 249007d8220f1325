/* SPDX-License-Identifier: MIT */
/* model/driver_policy.hpp - what a driver decides about pages that fault: how many faults are handled
 * together, which pages come with them, what a region takes of device memory, what becomes of pages that
 * leave. Which frame a page gets, what is written, invalidated and copied is the driver's (model/driver.hpp),
 * when it happens the pager's. A policy is a file policies/NAME_policy.cpp, which defines NAME_policy(): the
 * build lists these files, and `driver.policy = NAME` is one. No SystemC. docs/model/oversubscription.md. */
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

/* Of a region of 2 MiB: bit n is its page n, of any page size. */
using region_pages = std::bitset<WW_HASHED_PTES>;

/* A region, pages of which have faulted. */
struct region_faults {
    uint32_t region;                           /* its number */
    uint64_t us;                               /* since time zero */
    region_pages there, faulted, device, away; /* that exist; that faulted; that lie in device memory; that
                                                  lay there once, and lie in host memory unmapped */
};

/* What becomes of them. Others than `faulted` and pages that lie in device memory come only if no
 * address space has them mapped. */
struct region_served {
    region_pages come; /* into device memory, beside those that faulted */
    region_pages stay; /* of those that faulted and are away: mapped where they are */
};

/* A number of 4 KiB pages in pages of this size, at least 1. */
inline uint32_t in_pages(uint32_t small_pages, uint8_t page_shift)
{
    return std::max(1u, small_pages >> (page_shift - WW_PAGE_4K));
}

class driver_policy
{
public:
    virtual ~driver_policy() = default;
    /* How many faults are handled together, and what times this takes. */
    virtual batch_rules batch() const { return {}; }
    /* Decides what comes and what stays of a region with these faults. */
    virtual region_served serve(const region_faults &of) = 0;
    /* Returns how many pages of a region with that many pages may come together; device memory must have room
     * for them. */
    virtual uint32_t together(uint32_t pages_of_region) const = 0;
    /* True if a region takes frames for all its pages as soon as one of them comes, and the region that came
     * first is evicted first, even if it was served since. False: the region whose last fault is oldest. */
    virtual bool whole_regions() const { return false; }
    /* True if evicted pages stay mapped, in host memory. */
    virtual bool maps_host() const { return true; }
    /* Time zero: what was decided before is no run's. */
    virtual void count_from_here() {}
    virtual void visit(stat_visitor &) const {}
};

} // namespace walkway

#endif
