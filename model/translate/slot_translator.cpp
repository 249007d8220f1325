/* SPDX-License-Identifier: MIT */
/* translate/slot_translator.cpp - see slot_translator.hpp. */
#include "translate/slot_translator.hpp"

#include <algorithm>

namespace walkway
{

slot_lines::slot_lines(const ww_slot_cfg &cfg, const ww_inval_scope &scope) : cfg_(cfg), scope_(scope)
{
    of_size();
}

void slot_lines::of_size()
{
    const uint32_t shift = ww_slot_probe_shift(&cfg_, probe_);
    page_ = scope_.first_va >> shift;
    left_ = (scope_.last_va >> shift) - page_ + 1;
}

uint32_t slot_lines::front() const
{
    if (every_)
        return static_cast<uint32_t>(page_);
    const uint32_t shift = ww_slot_probe_shift(&cfg_, probe_);
    return ww_slot_line(&cfg_, page_ << shift, shift);
}

void slot_lines::pop()
{
    ++page_;
    if (--left_ == 0 && !every_ && ++probe_ != ww_slot_probes(&cfg_))
        of_size();
}

slot_translator::slot_translator(const ww_slot_cfg &cfg, uint64_t table_pa, const clock_domain &clock,
                                 const slot_times &times, slot_memory &memory, translator &below)
    : cfg_(cfg), table_pa_(table_pa), clock_(clock), times_(times), memory_(memory), below_(below)
{
}

/* Probes each size that occurs, the smallest first, one after another; a read is sent in the next cycle at
 * the earliest. */
now_answer slot_translator::translate_now(const now_request &r, tick t, now_how how)
{
    now_answer a = {};
    tick at = clock_.ceil(t);
    for (uint32_t n = 0; n < ww_slot_probes(&cfg_); ++n) {
        uint64_t line[WW_SLOT_LINE_WORDS];
        at += std::max(times_.read, clock_.period());
        memory_.read_line(line_pa(ww_slot_line(&cfg_, r.va, ww_slot_probe_shift(&cfg_, n))), line, &at);
        at = clock_.ceil(at) + times_.compare;
        if (!ww_slot_find(line, r.va, r.vmid, epoch_, &a.xlat))
            continue;
        if (memory_.masked(r.va, a.xlat.page_shift, r.vmid))
            break; /* a miss, without probes of larger sizes */
        a.at = at + times_.way_up;
        return a;
    }
    a = below_.translate_now(r, at + times_.link, how);
    a.at = clock_.ceil(a.at) + times_.way_up;
    if (how == now_how::commit && !a.fault)
        put(ww_mapping{r.va, a.xlat, r.vmid});
    return a;
}

void slot_translator::put(const ww_mapping &page)
{
    const uint64_t pa = line_pa(ww_slot_line(&cfg_, page.va, page.xlat.page_shift));
    uint64_t line[WW_SLOT_LINE_WORDS];
    tick at = 0;
    memory_.read_line(pa, line, &at);
    if (ww_slot_fill(line, &page, epoch_).result != WW_SLOT_SAME)
        memory_.write_line(pa, line);
}

slot_lines slot_translator::begin_drop(const ww_inval_scope &scope, bool *every)
{
    const uint32_t smallest = ww_slot_probe_shift(&cfg_, 0);
    *every = false;
    if ((scope.last_va >> smallest) - (scope.first_va >> smallest) < pages_by_line)
        return slot_lines(cfg_, scope);
    epoch_ = ww_slot_epoch_after(&cfg_, epoch_);
    *every = epoch_ == 0;
    return *every ? slot_lines(cfg_) : slot_lines();
}

void slot_translator::forget_now(const ww_inval_scope &scope)
{
    below_.forget_now(scope);
    bool every = false;
    for (slot_lines lines = begin_drop(scope, &every); !lines.empty(); lines.pop()) {
        uint64_t line[WW_SLOT_LINE_WORDS];
        tick at = 0;
        memory_.read_line(line_pa(lines.front()), line, &at);
        if (every ? ww_slot_clear(line) : ww_slot_drop(line, &scope, epoch_) != 0)
            memory_.write_line(line_pa(lines.front()), line);
    }
}

uint64_t slot_translator::held()
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < cfg_.sets; ++i) {
        uint64_t line[WW_SLOT_LINE_WORDS];
        tick at = 0;
        memory_.read_line(line_pa(i), line, &at);
        n += ww_slot_count(line, epoch_);
    }
    return n;
}

} // namespace walkway
