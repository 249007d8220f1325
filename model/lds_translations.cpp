/* SPDX-License-Identifier: MIT */
/* model/lds_translations.cpp - behaviour of translations in local memory. */
#include "model/lds_translations.hpp"

#include "model/common/kernel_blob.hpp"

#include <algorithm>

namespace walkway
{

static stage_store make_store(const lds_tx_params &p)
{
    blob tags = kernel_blob(ww_lds_tx_bytes, ww_lds_tx_init, p.store());
    if (tags.bytes() == 0)
        fail("/walkway/lds", "illegal translations in local memory: " + p.validate());
    return {&ww_lds_tx_store, std::move(tags)};
}

lds_translations::lds_translations(const sc_core::sc_module_name &name, const clock_domain &clock,
                                   const lds_tx_params &p, memory_owner &owner, const stage_name &stage)
    : lent_stage(name, clock, make_store(p), stage, p.lent, 1, owner), params_(p)
{
}

/* Takes effect in the next cycle, before its lookups and fills. */
void lds_translations::later(change c)
{
    if (c.bytes == 0)
        return;
    c.due = now() + clock().period();
    changes_.push_back(c);
    wake(c.due);
}

/* Adjacent lanes claim one range. Addresses beyond the work-group's piece claim nothing. */
void lds_translations::accessed(const wave_access &a)
{
    uint64_t first = 0, end = 0;
    for (uint64_t left = a.lanes.mask; left != 0; left &= left - 1) {
        const uint64_t offset = a.lanes.va[__builtin_ctzll(left)], at = a.local_first + offset;
        if (offset >= a.local_bytes || a.lanes.bytes > a.local_bytes - offset)
            continue;
        if (at < first || at > end) {
            later({change::used, first, end - first});
            first = end = at;
        }
        end = std::max(end, at + a.lanes.bytes);
    }
    later({change::used, first, end - first});
}

void lds_translations::allocate(const change &c, tick now)
{
    const uint64_t before = segments()->counts.readjusted;
    lose(ww_lds_tx_allocate(segments(), c.first, c.bytes));
    if (params_.layout == WW_LDS_TX_READJUSTED)
        owner().moves(now, segments()->counts.readjusted - before);
}

void lds_translations::owner_changes(tick now)
{
    for (; !changes_.empty() && changes_.front().due <= now; changes_.pop_front()) {
        const change &c = changes_.front();
        if (c.kind == change::allocated)
            allocate(c, now);
        else if (c.kind == change::freed)
            ww_lds_tx_release(segments(), c.first, c.bytes);
        else
            lose(ww_lds_tx_access(segments(), c.first, c.bytes));
    }
}

bool lds_translations::may_hold(uint64_t va) const
{
    for (uint32_t sizes = params_.lent.page_sizes; sizes != 0; sizes &= sizes - 1) {
        const uint32_t segment =
            ww_lds_tx_segment(segments(), va, static_cast<uint32_t>(__builtin_ctz(sizes)));
        if (ww_lds_tx_mode_of(segments(), segment) == WW_LDS_TX_TX)
            return true;
    }
    return false;
}

void lds_translations::visit(stat_visitor &v, tick until) const
{
    lent_stage::visit(v, until);
    const ww_lds_tx_counts &c = segments()->counts;
    v.count("opened", c.opened, "segments", "idle segments that took translations");
    v.count("segments_claimed", c.claimed, "segments", "that a local access took back");
    v.count("bypassed_mode", c.bypassed_mode, "count", "fills passed on: the segment is a work-group's");
    v.count("bypassed_base", c.bypassed_base, "count", "fills passed on: the segment has another base");
    v.count("rebases", c.rebases, "count", "segments whose translations left for a fill of another base");
    v.count("rebased", c.rebased, "count", "translations that left so");
    v.count("orphaned", c.orphaned, "bytes",
            "of tags or translations whose other part an access claimed (layout apart)");
    v.count("readjusted", c.readjusted, "bytes",
            "that allocations read and wrote to keep what they cover (layout readjusted), or would have to "
            "(layout apart)");
    v.count("homeless", c.homeless, "segments", "that allocations left without a place (layout readjusted)");
}

} // namespace walkway
