/* SPDX-License-Identifier: MIT */
/* A scheduler of page walks, with its state and the idle walkers. */
#ifndef WW_TB_SCHED_RIG_HPP
#define WW_TB_SCHED_RIG_HPP

#include "kernels/walk/walk_sched.h"
#include "tb/kernels/blob.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace walk_fixture
{

/* Returns null if none has that name. */
inline const ww_sched_kind *scheduler_named(const std::string &name)
{
    for (uint32_t i = 0; i < ww_sched_count; i++)
        if (ww_scheds[i]->name == name)
            return ww_scheds[i];
    return nullptr;
}

class scheduler
{
public:
    /* With one walker, which is idle. */
    explicit scheduler(const char *name) : scheduler(name, {1, 64, {}}, 1) {}
    scheduler(const char *name, const ww_sched_cfg &cfg, uint64_t idle_walkers)
        : idle{idle_walkers}, kind(*scheduler_named(name)), state(kind.bytes(&cfg))
    {
        BOOST_REQUIRE(state.bytes() != 0);
        BOOST_REQUIRE_EQUAL(kind.init(static_cast<void *>(+state), state.bytes(), &cfg), WW_OK);
    }
    ww_sched_pick pick_pair(const ww_wbuf *b, const ww_table *tables, const ww_pwc *pwc = nullptr) const
    {
        const ww_sched_view view = {b, pwc, tables, idle.data(), static_cast<uint32_t>(idle.size())};
        return kind.pick(static_cast<const void *>(+state), &view);
    }
    uint32_t pick(const ww_wbuf *b, const ww_pwc *pwc, const ww_table *tables) const
    {
        return pick_pair(b, tables, pwc).slot;
    }
    void took(const ww_wbuf_entry *e, uint32_t walker = 0)
    {
        if (kind.took != nullptr)
            kind.took(get(), e, walker);
    }
    void *get() { return static_cast<void *>(+state); }

    std::vector<uint64_t> idle; /* by walker, 64 per word */
    const ww_sched_kind &kind;

private:
    walkway_tb::blob<unsigned char> state;
};

} // namespace walk_fixture

#endif
