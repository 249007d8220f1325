/* SPDX-License-Identifier: MIT */
/* model/common/block.hpp - base of every module. A block serves everything that is due in one activation and
 * then requests its next one; the scheduler of its simulation context runs it then. Calls from sockets only
 * enqueue and wake(). */
#ifndef WALKWAY_MODEL_COMMON_BLOCK_HPP
#define WALKWAY_MODEL_COMMON_BLOCK_HPP

#include "model/common/account.hpp"
#include "model/common/clock.hpp"
#include "model/common/conservation.hpp"
#include "model/common/link_end.hpp"
#include "model/common/observer.hpp"
#include "model/common/scheduler.hpp"

#include <systemc>

#include <string>
#include <vector>

namespace walkway
{

class signal_visitor;

/* Units of a run's progress, besides its time. */
enum class progress_unit : uint8_t { instructions, translations };

/* Samples a block's signals after each of its steps. */
class sampler
{
public:
    virtual ~sampler() = default;
    virtual void after_step(tick now) = 0;
};

class block : public sc_core::sc_module
{
public:
    block(const sc_core::sc_module_name &name, const clock_domain &clock);
    ~block() override;

    const clock_domain &clock() const { return clock_; }
    /* Requests an activation at t, an edge of the block's clock (the earliest wins); now or earlier means
     * now. */
    void wake(tick t)
    {
        if (t >= next_) {
            /* the earlier activation may not know of this one: keep the earliest */
            if (t > next_ && t < after_)
                after_ = t;
            return;
        }
        if (next_ != never && next_ < after_)
            after_ = next_;
        next_ = t;
        if (!stepping_) /* else activate() schedules once, at its end */
            scheduler_->schedule(id_, t);
    }
    /* Returns the activations so far: the unit of the model's host cost. */
    uint64_t activations() const { return activations_; }
    tick now() const { return scheduler_->now(); }
    /* Convert foreign times at sockets: see scheduler.hpp. */
    tick arrival(const sc_core::sc_time &delay) const { return scheduler_->arrival(delay); }
    sc_core::sc_time delay_to(tick t) const { return scheduler_->delay_to(t); }
    /* The unit under which the block is drawn: itself, unless the wiring sets another. */
    const block &unit() const { return *unit_; }
    void belongs_to(const block &unit) { unit_ = &unit; }
    /* The registry of the causes of all blocks of this simulation. */
    const std::shared_ptr<account_names> &names() const { return names_; }
    /* Returns one line about what the block waits for, for deadlock reports; empty if it is idle. */
    virtual std::string waiting() const = 0;
    /* A machine calls these of every block. visit() shows the statistics of a run that ends at `until`. */
    virtual void visit(stat_visitor &, tick until) const { static_cast<void>(until); }
    /* Adds the block's laws of conservation to the list. */
    virtual void laws(law_list &) const {}
    /* Adds to the list the flows that begin and end in this block: how many began, ended, and are in
     * flight. */
    virtual void flows(std::vector<block_flow> &, tick until) const { static_cast<void>(until); }
    /* Returns how many objects of the block's pools are in use; 0 at the end of a run. */
    virtual uint64_t live() const { return 0; }
    /* Returns the block's counter of this unit, which only grows; null: the block counts none of these. */
    virtual const uint64_t *progress(progress_unit) const { return nullptr; }
    /* Before time zero: the contents were entered without being counted. */
    virtual void starts_filled() {}
    /* Restarts peaks. */
    virtual void restart_peaks() {}
    /* Stops new work; work in flight completes. */
    virtual void halt() {}
    /* Its ends of links, in the order of construction. */
    const std::vector<const asking_end *> &asks() const { return asks_; }
    const std::vector<serving_end *> &serves() const { return serves_; }
    /* Gives each of the block's in_ports slots for requests on the wire: as many as the pipeline and wire of
     * the sender with most of them hold. A machine calls it at the end of its elaboration; a foreign sender
     * counts as 0. */
    void room_for_wires();
    /* Sets the observer from now on; null: none. */
    void attach(observer *o) { observer_ = o; }
    /* Shows the block's signals, for waveforms: see model/common/signals.hpp. */
    virtual void signals(signal_visitor &) const {}
    /* Sets the only sampler; null: none. Costs one branch per step. The block notices it in the step that
     * this call schedules. */
    void sample(sampler *s)
    {
        sampler_ = s;
        if (s != nullptr)
            wake(clock_.ceil(now()));
    }
    /* True if an observer is attached. */
    bool observed() const { return observer_ != nullptr; }
    /* True if its signals are sampled. Then it marks the signals it touches, if it has marks. */
    bool sampled() const { return sampler_ != nullptr; }

protected:
    /* Serves everything due at or before now, then calls wake() for the rest. */
    virtual void step(tick now) = 0;

    /* Before the simulation starts: within a time this block runs after `other`, so that it sees what the
     * other gives it in no time. */
    void runs_after(block &other)
    {
        if (id_ < other.id_)
            scheduler_->swap(id_, other.id_);
    }
    /* Returns the time of the next step of any other block. */
    tick next_of_others() const { return scheduler_->next_but(id_); }

    void observe(const event_kind &kind, uint64_t a, uint64_t b = 0, const xlat_request *r = nullptr) const
    {
        if (observer_ != nullptr)
            notify(now(), kind, a, b, r);
    }
    /* Reports an event of time t. Required: t is not after the present. */
    void observe_at(tick t, const event_kind &kind, uint64_t a, uint64_t b = 0) const
    {
        if (observer_ != nullptr)
            notify(t, kind, a, b, nullptr);
    }

private:
    friend class scheduler;
    friend class asking_end;
    friend class serving_end;
    [[gnu::cold]] void notify(tick t, const event_kind &kind, uint64_t a, uint64_t b,
                              const xlat_request *r) const;
    tick activate(tick current) /* returns its next wake-up */
    {
        ++activations_;
        next_ = after_ > current ? after_ : never;
        after_ = never;
        stepping_ = true;
        step(current);
        stepping_ = false;
        if (sampler_ != nullptr)
            sampler_->after_step(current);
        return next_;
    }

    clock_domain clock_;
    std::shared_ptr<scheduler> scheduler_;
    uint32_t id_;
    tick next_ = never;  /* the activation requested from the scheduler */
    tick after_ = never; /* the earliest later wake-up */
    bool stepping_ = false;
    uint64_t activations_ = 0;
    observer *observer_ = nullptr;
    sampler *sampler_ = nullptr;
    std::vector<const asking_end *> asks_;
    std::vector<serving_end *> serves_;
    const block *unit_ = this;
    std::shared_ptr<account_names> names_ = account_names::here();
};

} // namespace walkway

#endif
