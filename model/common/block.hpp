/* SPDX-License-Identifier: MIT */
/* model/common/block.hpp - base of every module: one SC_METHOD on one 'next due' event. A block serves
 * everything that is due in one activation and then says when it wants the next. Calls from sockets only
 * enqueue and wake(). */
#ifndef WALKWAY_MODEL_COMMON_BLOCK_HPP
#define WALKWAY_MODEL_COMMON_BLOCK_HPP

#include "model/common/clock.hpp"
#include "model/common/observer.hpp"

#include <systemc>

#include <string>

namespace walkway
{

class signal_visitor;

/* Looks at a block's signals after each of its steps. */
class sampler
{
public:
    virtual ~sampler() = default;
    virtual void after_step(tick now) = 0;
};

class block : public sc_core::sc_module
{
public:
    SC_HAS_PROCESS(block);
    block(const sc_core::sc_module_name &name, const clock_domain &clock);

    const clock_domain &clock() const { return clock_; }
    /* Asks for an activation at t (the earliest wish wins); now or earlier means the next delta cycle. */
    void wake(tick t);
    /* Activations so far: the unit of the model's host cost. */
    uint64_t activations() const { return activations_; }
    static tick now() { return sc_core::sc_time_stamp().value(); }
    /* One line that says what the block is waiting for; empty when it is idle. For deadlock reports. */
    virtual std::string waiting() const = 0;
    void attach(observer *o) { observer_ = o; }
    /* The block's signals, for waveforms: see model/common/signals.hpp. */
    virtual void signals(signal_visitor &) const {}
    /* One at a time; null: nobody, and a step costs one branch more. */
    void sample(sampler *s) { sampler_ = s; }
    bool observed() const { return observer_ != nullptr || sampler_ != nullptr; }

protected:
    /* Serve everything due at or before now, then wake() for what is left. */
    virtual void step(tick now) = 0;

    void observe(event_kind kind, uint64_t a, uint64_t b = 0)
    {
        if (observer_ != nullptr)
            observer_->on_event(observed_event{now(), this, kind, a, b});
    }

private:
    void activate();

    clock_domain clock_;
    sc_core::sc_event due_;
    tick next_ = never;  /* the activation that is notified */
    tick after_ = never; /* the earliest later wish */
    bool stepping_ = false;
    uint64_t activations_ = 0;
    observer *observer_ = nullptr;
    sampler *sampler_ = nullptr;
};

} // namespace walkway

#endif
