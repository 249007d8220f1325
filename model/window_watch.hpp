/* SPDX-License-Identifier: MIT */
/* model/window_watch.hpp - stops the simulation at a moment: a time, or the first clock edge by which a
 * count has reached a number. It is made after all other blocks and so runs after them; it looks when one of
 * them has run, and changes nothing. */
#ifndef WALKWAY_MODEL_WINDOW_WATCH_HPP
#define WALKWAY_MODEL_WINDOW_WATCH_HPP

#include "model/common/block.hpp"

#include <functional>

namespace walkway
{

class window_watch final : public block
{
public:
    using count_fn = std::function<uint64_t()>;

    window_watch(const sc_core::sc_module_name &name, const clock_domain &clock) : block(name, clock) {}
    void stop_at(tick t);
    void stop_when(count_fn count, uint64_t reaches);
    /* The simulation stands at the moment asked for last. */
    bool reached() const { return reached_; }
    std::string waiting() const override { return ""; }

private:
    void arm(count_fn count, uint64_t until);
    /* A wake-up before it would be the first that SystemC hears of, and taken for where its time begins. */
    void start_of_simulation() override
    {
        started_ = true;
        begin();
    }
    void begin()
    {
        if (armed_ && started_)
            wake(count_ ? clock().ceil(now()) : until_);
    }
    void step(tick now) override;

    count_fn count_;
    uint64_t until_ = 0; /* count, or time */
    bool armed_ = false, reached_ = false, started_ = false;
};

} // namespace walkway

#endif
