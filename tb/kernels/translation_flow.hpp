/* SPDX-License-Identifier: MIT */
/* A chain of stores without time: how victims move down and how a hit is promoted, [M21 section 4.4, Figure
 * 12]. For tests; the model's stages do it with lanes and latencies. */
#ifndef WW_TB_KERNELS_TRANSLATION_FLOW_HPP
#define WW_TB_KERNELS_TRANSLATION_FLOW_HPP

#include "kernels/store/store.h"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace walkway_tb
{

struct flow_level {
    std::string name;
    const ww_store_kind *kind;
    void *store;
};

/* One requester's levels: its L1 TLB first; the last level takes what all others pass on. */
class flow
{
public:
    explicit flow(std::vector<flow_level> levels) : levels_(std::move(levels)) {}

    /* Fills a victim of the level above into `level`. Returns what it and its victims do, in words, in
     * order. */
    std::vector<std::string> fill(size_t level, const ww_mapping &m)
    {
        std::vector<std::string> steps;
        fill(level, m, &steps);
        return steps;
    }

    /* Returns the translation and promotes it to the first level: copied, or moved. The first level's victim
     * takes the fill flow. */
    std::optional<ww_xlat> access(uint64_t va, uint16_t vmid, bool move)
    {
        ww_xlat x{};
        for (size_t level = 0; level < levels_.size(); ++level) {
            const flow_level &l = levels_[level];
            const bool hit = move && level != 0 ? l.kind->take(l.store, va, vmid, &x)
                                                : l.kind->lookup(l.store, va, vmid, &x);
            if (!hit)
                continue;
            hit_level = level;
            if (level != 0)
                enter(ww_mapping{va, x, vmid});
            return x;
        }
        return std::nullopt;
    }

    /* Enters a walk's answer into the last level and the first. */
    void answer(const ww_mapping &m)
    {
        fill(levels_.size() - 1, m);
        enter(m);
    }

    size_t hit_level = 0; /* of the last access that hit */

private:
    void enter(const ww_mapping &m)
    {
        const flow_level &l = levels_[0];
        std::vector<ww_mapping> victims(l.kind->most_victims(l.store));
        const ww_store_entered e = l.kind->insert(l.store, &m, victims.data());
        for (uint32_t i = 0; i < e.victims; ++i)
            fill(1, victims[i]);
    }

    void fill(size_t level, const ww_mapping &m, std::vector<std::string> *steps)
    {
        static const char *const words[] = {" keeps", " refreshes", " bypassed", " refuses"};
        if (level == levels_.size()) {
            steps->push_back("dropped");
            return;
        }
        const flow_level &l = levels_[level];
        std::vector<ww_mapping> victims(l.kind->most_victims(l.store));
        const ww_store_entered e = l.kind->insert(l.store, &m, victims.data());
        const std::string leave = e.victims == 0   ? ""
                                  : e.victims == 1 ? ", displaces"
                                                   : ", displaces " + std::to_string(e.victims);
        steps->push_back(l.name + words[e.result] + leave);
        for (uint32_t i = 0; i < e.victims; ++i)
            fill(level + 1, victims[i], steps);
        if (e.result == WW_STORE_PASSED)
            fill(level + 1, m, steps);
    }

    std::vector<flow_level> levels_;
};

} // namespace walkway_tb

#endif
