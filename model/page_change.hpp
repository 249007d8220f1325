/* SPDX-License-Identifier: MIT */
/* model/page_change.hpp - changes of pages while a program runs, and their results. */
#ifndef WALKWAY_MODEL_PAGE_CHANGE_HPP
#define WALKWAY_MODEL_PAGE_CHANGE_HPP

#include "model/dropped.hpp"

#include <cstdint>

namespace walkway
{

/* Changes of a page. The text is from an operating system's view. */
#define WALKWAY_PAGE_CHANGE_LIST(X)                                                                          \
    X(map, "in the table, if it is not: what a fault does")                                                  \
    X(unmap, "out of it: the next access is a fault")                                                        \
    X(remap, "to other frames")                                                                              \
    X(protect, "the next access that writes is refused")                                                     \
    X(permit, "accesses may write again")                                                                    \
    X(fetch, "into device memory: what a driver does with pages that lie in host memory")

enum class page_change : uint8_t {
#define X(name, text) name,
    WALKWAY_PAGE_CHANGE_LIST(X)
#undef X
};

struct page_span {
    uint64_t va, bytes; /* bytes: at least 1 */
    uint16_t vmid;
};

/* True if the pages are mapped afterwards. */
inline bool maps(page_change what)
{
    return what == page_change::map || what == page_change::fetch;
}

/* Result of a change, in pages. */
struct change_result {
    uint32_t changed = 0;
    uint32_t same = 0;   /* already as requested: mapped before a map, or not mapped before another change */
    uint32_t absent = 0; /* smallest pages that do not exist */
    uint32_t lines = 0;  /* lines of tables written */
    drop_counts dropped; /* dropped for the change */
};

} // namespace walkway

#endif
