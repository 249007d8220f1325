/* SPDX-License-Identifier: MIT */
/* model/common/page_areas.hpp - which pages hold a program's buffers, where those ask for pages of several
 * sizes. */
#ifndef WALKWAY_MODEL_COMMON_PAGE_AREAS_HPP
#define WALKWAY_MODEL_COMMON_PAGE_AREAS_HPP

#include "model/common/pages_of_buffers.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace walkway
{

struct va_range {
    uint64_t base_va;
    uint64_t bytes;
    bool operator==(const va_range &o) const { return base_va == o.base_va && bytes == o.bytes; }
};
using space_ranges = std::vector<va_range>; /* of one address space */

/* Sizes are powers of two and pages aligned, so two pages either have nothing in common or one lies in the
 * other: then it is the larger one that there is. */
class page_areas
{
public:
    /* The buffers, those with pages of their own, and which page the others have: a place in page_names(). */
    page_areas(const space_ranges &buffers, const pages_of_buffers &own, uint8_t others);
    /* Where the buffer's first page begins, were its pages its own. */
    uint64_t first_page_of(size_t buffer) const { return first_[buffer]; }
    /* Of the page that holds va, which lies in a page of some buffer. */
    uint8_t shift_at(uint64_t va) const;
    /* Of all pages together. */
    uint64_t bytes() const;

private:
    void add(uint32_t shift, uint64_t first, uint64_t end);

    std::vector<uint64_t> first_;                         /* by buffer */
    std::map<uint32_t, space_ranges, std::greater<>> of_; /* whole pages by shift, the largest first */
};

} // namespace walkway

#endif
