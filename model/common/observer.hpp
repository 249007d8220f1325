/* SPDX-License-Identifier: MIT */
/* model/common/observer.hpp - what a block tells whoever watches it. A block holds one pointer, null by
 * default: the cost when nobody watches is one branch. Waveform, transaction and log writers are observers
 * that a platform attaches. */
#ifndef WALKWAY_MODEL_COMMON_OBSERVER_HPP
#define WALKWAY_MODEL_COMMON_OBSERVER_HPP

#include "model/common/clock.hpp"

namespace walkway
{

class block;
struct xlat_request;

/* Kind, and the meaning of a and b. */
#define WALKWAY_EVENT_LIST(X)                                                                                \
    X(tlb_hit, "virtual address; page shift")                                                                \
    X(tlb_miss, "virtual address; MSHRs in use")                                                             \
    X(tlb_merge, "virtual address; MSHRs in use")                                                            \
    X(tlb_fill, "virtual address; page shift")                                                               \
    X(buffer_enter, "virtual address; entries in use")                                                       \
    X(buffer_leave, "virtual address; entries in use")                                                       \
    X(walk_start, "virtual address; walker")                                                                 \
    X(walk_read, "virtual address; walker * 8 + level")                                                      \
    X(walk_end, "virtual address; walker")                                                                   \
    X(walk_coalesced, "virtual address; walker that read the line")                                          \
    X(cache_hit, "physical address; 1 for a write")                                                          \
    X(cache_miss, "physical address; 1 for a write")                                                         \
    X(dram_command, "channel * 65536 + rank * 256 + bank; command")                                          \
    X(wave_start, "wave serial; compute unit")                                                               \
    X(wave_end, "wave serial; compute unit")                                                                 \
    X(group_dispatch, "group number; compute unit")

enum class event_kind {
#define X(name, text) name,
    WALKWAY_EVENT_LIST(X)
#undef X
};

struct observed_event {
    tick time;
    const block *source;
    event_kind kind;
    uint64_t a;
    uint64_t b;
};

class observer
{
public:
    virtual ~observer() = default;
    virtual void on_event(const observed_event &event) = 0;
};

/* Told of every translation when its account is closed: what it holds is final then. */
class account_observer
{
public:
    virtual ~account_observer() = default;
    virtual void on_closed(const xlat_request &r, tick now) = 0;
};

} // namespace walkway

#endif
