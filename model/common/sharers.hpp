/* SPDX-License-Identifier: MIT */
/* model/common/sharers.hpp - how many compute units use a translation while a shared TLB holds it [H14 Figure
 * 10]. A statistic of the host only: no hardware has it. Counts each use by a unit that is new to the page,
 * by the unit's number among them, from 1. So value n of the histogram counts the pages that at least n units
 * used; it only grows, which windows need, and includes pages still held at the end. */
#ifndef WALKWAY_MODEL_COMMON_SHARERS_HPP
#define WALKWAY_MODEL_COMMON_SHARERS_HPP

#include "kernels/invalidate.h"
#include "kernels/xlat.h"
#include "model/common/stats.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <unordered_map>

namespace walkway
{

class page_sharers
{
public:
    /* A request used the page of `va`, served by that page's translation. */
    void used(uint64_t va, const ww_xlat &page, uint16_t vmid, uint16_t cu)
    {
        users &by = pages_[key(va, page, vmid)];
        by.shift = page.page_shift;
        if (by.units.test(cu % by.units.size()))
            return;
        by.units.set(cu % by.units.size());
        counts_.add(++by.count);
    }
    void left(const ww_mapping &page) { pages_.erase(key(page.va, page.xlat, page.vmid)); }
    void invalidated(const ww_inval_scope &scope)
    {
        for (auto at = pages_.begin(); at != pages_.end();)
            at = ww_inval_covers(&scope, (at->first & vpn_mask) << 12, at->second.shift,
                                 static_cast<uint16_t>(at->first >> vmid_at))
                     ? pages_.erase(at)
                     : std::next(at);
    }
    const histogram &counts() const { return counts_; }
    size_t pages() const { return pages_.size(); }

private:
    static constexpr unsigned vmid_at = 48;
    static constexpr uint64_t vpn_mask = (uint64_t{1} << vmid_at) - 1;
    struct users {
        std::bitset<256> units;
        uint16_t count = 0;
        uint8_t shift = 0;
    };
    static uint64_t key(uint64_t va, const ww_xlat &page, uint16_t vmid)
    {
        return va >> page.page_shift << page.page_shift >> 12 | uint64_t{vmid} << vmid_at;
    }

    std::unordered_map<uint64_t, users> pages_; /* pages held, or answered and about to be held */
    histogram counts_;
};

} // namespace walkway

#endif
