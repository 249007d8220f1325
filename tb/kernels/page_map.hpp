/* SPDX-License-Identifier: MIT */
/* The pages that a table should have, as a map by first address; tests compare random tables with it. */
#ifndef WW_TB_KERNELS_PAGE_MAP_HPP
#define WW_TB_KERNELS_PAGE_MAP_HPP

#include "kernels/xlat.h"

#include <iterator>
#include <map>

namespace walkway::test
{

struct page_map : std::map<uint64_t, ww_xlat> {
    /* Returns the page that holds va, or end(). */
    const_iterator holding(uint64_t va) const
    {
        const auto after = upper_bound(va);
        if (after == begin())
            return end();
        const auto at = std::prev(after);
        return va - at->first < ww_page_bytes(at->second.page_shift) ? at : end();
    }
    /* True if a page of this size at va would overlap another. */
    bool overlaps(uint64_t va, uint32_t shift) const
    {
        const auto after = lower_bound(va);
        return holding(va) != end() || (after != end() && after->first < va + ww_page_bytes(shift));
    }
};

} // namespace walkway::test

#endif
