/* SPDX-License-Identifier: MIT */
/* model/window_watch.hpp - stops the simulation at a moment: a time, or the first clock edge by which a count
 * has reached a number. It waits for two moments at once, independently. Constructed after all other blocks,
 * it runs after them; it checks when one of them has run, and changes nothing. */
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
    enum what : uint8_t { window, step_of_run }; /* what the moment is for */

    window_watch(const sc_core::sc_module_name &name, const clock_domain &clock) : block(name, clock) {}
    void stop_at(tick t);
    void stop_when(count_fn count, uint64_t reaches, what of = window);
    void forget(what of) { moments_[of] = moment(); }
    /* True if the simulation has reached the moment requested last, or passed it. */
    bool reached(what of = window) const { return moments_[of].reached; }
    std::string waiting() const override { return ""; }

private:
    struct moment {
        count_fn count;
        uint64_t until = 0; /* a count, or a time */
        bool armed = false, reached = false;
        bool here(tick now) const { return (count ? count() : now) >= until; }
    };
    void arm(moment m, what of);
    /* An earlier wake-up would be the first that SystemC receives, and be taken for the start of time. */
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
