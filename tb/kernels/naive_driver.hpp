/* SPDX-License-Identifier: MIT */
/* The driver of a fixed-size hashed page table, written from the paper's text with sets and lists.
 * kernels/table/hpt_map.h must agree with it. */
#ifndef WW_TB_KERNELS_NAIVE_DRIVER_HPP
#define WW_TB_KERNELS_NAIVE_DRIVER_HPP

#include "kernels/table/hpt_map.h"

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <vector>

/* The driver as sections 3.3 to 3.7 describe it. */
struct naive_driver {
    ww_hptmap_cfg cfg;
    struct slot {
        bool valid = false, deleted = false;
        uint64_t tag = 0;
    };
    std::vector<slot> hpt;
    std::map<uint64_t, std::map<uint32_t, bool>> pages; /* by tag: page -> is in device memory */
    std::set<uint64_t> victims;
    std::list<uint64_t> faulted, remote; /* least recently used first */

    explicit naive_driver(const ww_hptmap_cfg &c) : cfg(c), hpt(c.slots) {}
    size_t locals(uint64_t tag) { return count(tag, true); }
    size_t count(uint64_t tag, bool local)
    {
        size_t n = 0;
        for (const auto &p : pages[tag])
            n += p.second == local;
        return n;
    }
    size_t frames()
    {
        size_t n = 0;
        for (auto &r : pages)
            n += count(r.first, true);
        return n;
    }
    size_t entries() const
    {
        return static_cast<size_t>(
            std::count_if(hpt.begin(), hpt.end(), [](const slot &s) { return s.valid; }));
    }
    slot &at(uint64_t tag, uint32_t step)
    {
        return hpt[(ww_hashed_home(tag << 21, cfg.slots) + uint64_t{step} * cfg.stride) % cfg.slots];
    }
    int step_of(uint64_t tag)
    {
        for (uint32_t s = 0; s < 8; ++s)
            if (at(tag, s).valid && at(tag, s).tag == tag)
                return static_cast<int>(s);
        return -1;
    }
    void order(uint64_t tag)
    {
        faulted.remove(tag);
        remote.remove(tag);
        if (locals(tag) != 0)
            faulted.push_back(tag);
        else if (step_of(tag) >= 0)
            remote.push_back(tag);
    }
    void remote_eviction(uint64_t tag)
    {
        slot &s = at(tag, static_cast<uint32_t>(step_of(tag)));
        s.valid = false;
        s.deleted = true;
        victims.insert(tag);
        remote.remove(tag);
    }
    void page_eviction()
    {
        const uint64_t tag = faulted.front();
        for (auto &p : pages[tag])
            p.second = false;
        order(tag);
    }
    bool free_step(uint64_t tag, uint32_t *step)
    {
        for (*step = 0; *step < 8; ++*step)
            if (!at(tag, *step).valid)
                return true;
        return false;
    }
    void map(uint64_t tag, uint32_t first, uint32_t count, bool local)
    {
        for (uint32_t p = first; p < first + count; ++p) {
            const bool there = pages[tag].count(p) != 0 && pages[tag][p];
            pages[tag][p] = there || local;
        }
        if (step_of(tag) < 0) {
            if (entries() >= cfg.most_slots && !remote.empty())
                remote_eviction(remote.front());
            uint32_t step = 0;
            bool is_free = free_step(tag, &step);
            if (!is_free)
                for (const uint64_t other : std::list<uint64_t>(remote)) {
                    bool near = false;
                    for (uint32_t s = 0; s < 8; ++s)
                        near = near || at(tag, s).tag == other;
                    if (!near)
                        continue;
                    remote_eviction(other);
                    is_free = free_step(tag, &step);
                    break;
                }
            if (is_free) {
                at(tag, step) = {true, false, tag};
                victims.erase(tag);
            } else {
                victims.insert(tag);
            }
        }
        order(tag);
    }
};

#endif
