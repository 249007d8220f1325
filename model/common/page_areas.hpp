/* SPDX-License-Identifier: MIT */
/* model/common/page_areas.hpp - the pages that hold a program's buffers, if these use pages of several
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

/* Sizes are powers of two and pages aligned, so of two pages that overlap one contains the other: only the
 * larger exists. */
class page_areas
{
public:
    /* buffers: all buffers; own: those with pages of their own; others: the page of the others, an index in
     * page_names(). */
    page_areas(const space_ranges &buffers, const pages_of_buffers &own, uint8_t others);
    /* Returns the begin of the buffer's first page, as if no other buffer shared its pages; of a buffer
     * without bytes, which has no page, its address. */
    uint64_t first_page_of(size_t buffer) const { return first_[buffer]; }
    /* Returns log2 of the bytes of the page that holds va. Required: a page of some buffer holds va. */
    uint8_t shift_at(uint64_t va) const;
    /* Returns the bytes of all pages. */
    uint64_t bytes() const;

private:
    void add(uint32_t shift, uint64_t first, uint64_t end);

    std::vector<uint64_t> first_;                         /* by buffer */
    std::map<uint32_t, space_ranges, std::greater<>> of_; /* whole pages by shift, the largest first */
};

} // namespace walkway

#endif
