/* SPDX-License-Identifier: MIT */
/* model/window_watch.hpp - stops the simulation at a moment: a time, or the first clock edge by which a
 * count has reached a number. Two are waited for at once, each by itself. It is made after all other blocks
 * and so runs after them; it looks when one of them has run, and changes nothing. */
#ifndef WALKWAY_MODEL_WINDOW_WATCH_HPP
#define WALKWAY_MODEL_WINDOW_WATCH_HPP

#include "model/common/block.hpp"

#include <array>
#include <functional>

namespace walkway
{

class window_watch final : public block
{
public:
    using count_fn = std::function<uint64_t()>;
    enum what : uint8_t { window, step_of_run }; /* is waited for */

    window_watch(const sc_core::sc_module_name &name, const clock_domain &clock) : block(name, clock) {}
    void stop_at(tick t);
    void stop_when(count_fn count, uint64_t reaches, what of = window);
    void forget(what of) { moments_[of] = moment(); }
    /* The simulation stands at the moment asked for last, or has passed it. */
    bool reached(what of = window) const { return moments_[of].reached; }
    std::string waiting() const override { return ""; }

private:
    struct moment {
        count_fn count;
        uint64_t until = 0; /* count, or time */
        bool armed = false, reached = false;
        bool here(tick now) const { return (count ? count() : now) >= until; }
    };
    void arm(moment m, what of);
    /* A wake-up before it would be the first that SystemC hears of, and taken for where its time begins. */
    void start_of_simulation() override
    {
        started_ = true;
        begin();
    }
    void begin()
    {
        for (const moment &m : moments_)
            if (m.armed && started_)
                wake(m.count ? clock().ceil(now()) : m.until);
    }
    void step(tick now) override;

    std::array<moment, 2> moments_;
    bool started_ = false;
};

} // namespace walkway

#endif
