/* SPDX-License-Identifier: MIT */
/* model/common/observer.hpp - the events that a block reports to its observer. A block holds one pointer,
 * null by default: the cost without an observer is one branch. Waveform, transaction and log writers are
 * observers that a platform attaches. */
#ifndef WALKWAY_MODEL_COMMON_OBSERVER_HPP
#define WALKWAY_MODEL_COMMON_OBSERVER_HPP

#include "model/common/clock.hpp"
#include "model/common/stats.hpp"

#include <vector>

namespace walkway
{

class block;
struct xlat_request;

/* A block declares its kinds of events beside its own code, each once: a kind is known by its address. */
struct event_kind {
    const char *name;
    const char *values; /* meaning of a and b */
};

struct observed_event {
    tick time; /* of the event: now or before (block::observe_at()) */
    const block *source;
    const event_kind *kind;
    uint64_t a;
    uint64_t b;
    const xlat_request *request; /* the request concerned, valid during on_event(); null: none */
};

class observer
{
public:
    virtual ~observer() = default;
    virtual void on_event(const observed_event &event) = 0;
};

/* Receives every translation when its account is closed, and so final. */
class account_observer
{
public:
    virtual ~account_observer() = default;
    /* The account was closed by `requester`. */
    virtual void on_closed(const block &requester, const xlat_request &r, tick now) = 0;
};

/* A block that sends translation requests and closes their accounts. */
class account_closer
{
public:
    virtual ~account_closer() = default;
    /* Shows where the time of those translations went: statistics, as named by the stages, in the order of
     * these blocks. */
    virtual void visit_account(stat_visitor &v, const std::vector<const block *> &order) const = 0;
    void watch(account_observer *o) { accounts_ = o; } /* null: none */

protected:
    account_observer *accounts_ = nullptr;
};

} // namespace walkway

#endif
