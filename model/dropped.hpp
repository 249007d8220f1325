/* SPDX-License-Identifier: MIT */
/* model/dropped.hpp - what a change of page tables removed from a machine, by holder. docs/use/events.md. */
#ifndef WALKWAY_MODEL_DROPPED_HPP
#define WALKWAY_MODEL_DROPPED_HPP

#include "model/common/clock.hpp"

#include <cstdint>
#include <functional>

namespace walkway
{

#define WALKWAY_DROPPED_LIST(X)                                                                              \
    X(tlb, "entries of TLBs, of those in memory too")                                                        \
    X(lds, "translations in local memory")                                                                   \
    X(icache, "translations in instruction caches")                                                          \
    X(fills, "victims on their way down, refused")                                                           \
    X(walk_cache, "entries of page-walk caches")                                                             \
    X(table_lines, "lines of PTE-line caches")                                                               \
    X(buffered, "requests in walk buffers that forget how far their way is known")                           \
    X(walks, "walks that discard the line on its way to them and start again")

struct drop_counts {
#define X(name, text) uint64_t name = 0;
    WALKWAY_DROPPED_LIST(X)
#undef X

    drop_counts operator-(const drop_counts &before) const
    {
        drop_counts left;
#define X(name, text) left.name = name - before.name;
        WALKWAY_DROPPED_LIST(X)
#undef X
        return left;
    }
};

/* Called at the acknowledgement of an invalidate, with the counts of what was dropped for it. */
using acknowledged_fn = std::function<void(tick, const drop_counts &)>;

/* A block that holds some of these. */
class drop_counter
{
public:
    /* Adds its counts so far. */
    virtual void count_dropped(drop_counts &all) const = 0;

protected:
    ~drop_counter() = default;
};

} // namespace walkway

#endif
