/* SPDX-License-Identifier: MIT */
/* model/walk_unit_invalidate.cpp - an invalidate starts at the walk unit: docs/invalidate.md. The page table
 * has been written before. */
#include "model/walk_unit.hpp"

namespace walkway
{

bool walk_unit::invalidate(const invalidation &what, std::function<void(tick)> acknowledged)
{
    const tick began = now();
    if (!post_lanes_.start(what.scope, [this, began, done = std::move(acknowledged)](tick at) {
            stats_.invalidate_latency.add(clock().floor_cycle(at - began));
            done(at);
        }))
        return false;
    ++stats_.invalidates;
    changed_ = what;
    return true;
}

void walk_unit::count_dropped(drop_counts &all) const
{
    all.walk_cache += dropped_.walk_cache;
    all.table_lines += dropped_.table_lines;
    all.buffered += dropped_.buffered;
    all.walks += dropped_.walks;
}

/* Lines have physical addresses. */
void walk_unit::forget_entries()
{
    auto *cache = walks_.lines();
    if (changed_.entries.empty()) {
        dropped_.table_lines += ww_pte_cache_count(cache);
        ww_pte_cache_flush(cache);
    }
    for (const uint64_t pa : changed_.entries)
        dropped_.table_lines += ww_pte_cache_invalidate(cache, pa, sizeof(uint64_t));
}

/* Before the lines of the cycle are looked at. What waits is new already; what was read, or is being read,
 * may be old: walk caches, PL and PA, lines. A line is discarded if any of its entries lies in scope, whoever
 * reads it, since every request of its neighbourhood would take its entry from it. */
void walk_unit::forget()
{
    const ww_inval_scope &scope = changed_.scope;
    if (changed_.tables)
        dropped_.walk_cache += walks_.forget_nodes(scope);
    if (params_.pte_cache_bytes != 0)
        forget_entries();
    for (uint32_t slot = ww_wbuf_oldest(buffer()); slot != WW_WBUF_NONE;
         slot = ww_wbuf_younger(buffer(), slot)) {
        const ww_wbuf_entry *e = ww_wbuf_at(buffer(), slot);
        if (e->walk == 0 || !ww_inval_covers(&scope, ww_wbuf_va(e), WW_PAGE_4K, ww_wbuf_vmid(e)))
            continue;
        ++dropped_.buffered;
        ww_wbuf_clear_partial(buffer(), slot);
    }
    for (uint32_t w = 0; w < params_.walkers; ++w) {
        const ww_pwst_entry e = ww_pwst_at(pwst_.as<ww_pwst>(), w);
        walker &me = walkers_[w];
        if (e.valid && ww_walk_act(me.walk) == WW_WALK_READ &&
            ww_inval_covers(&scope, e.va, tables_.kind()->shift[e.step], e.vmid)) {
            ++dropped_.walks;
            me.again = true;
        }
    }
}

/* Will the read of this line, which is under way, be discarded? */
bool walk_unit::discarded(uint64_t line_number) const
{
    for (uint32_t w = 0; w < params_.walkers; ++w)
        if (walkers_[w].again && pte_pa(w) / line_bytes == line_number)
            return true;
    return false;
}

/* The walk starts at the registers; who was held back for its line is held back for the first one now. */
void walk_unit::start_again(uint32_t w, tick now)
{
    walker &me = walkers_[w];
    me.again = me.refused = false;
    me.walk = tables_.start(me.vmid, me.va);
    ++stats_.walks_restarted;
    count_cam(0, ww_pwst_end(pwst_.as<ww_pwst>(), buffer(), w));
    count_cam(1, ww_pwst_begin(pwst_.as<ww_pwst>(), buffer(), w, me.va, me.vmid, ww_walk_step(me.walk)));
    read(w, now);
}

} // namespace walkway
