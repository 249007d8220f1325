/* SPDX-License-Identifier: MIT */
/* model/icache_translations.cpp - behaviour of translations in an instruction cache. */
#include "model/icache_translations.hpp"

#include "model/common/kernel_blob.hpp"

namespace walkway
{

static stage_store make_store(const icache_tx_params &p)
{
    blob lines = kernel_blob(ww_icache_tx_bytes, ww_icache_tx_init, p.store());
    if (lines.bytes() == 0)
        fail("/walkway/icache", "illegal translations in an instruction cache: " + p.validate());
    return {&ww_icache_tx_store, std::move(lines)};
}

icache_translations::icache_translations(const sc_core::sc_module_name &name, const clock_domain &clock,
                                         const icache_tx_params &p, icache &owner, unsigned requesters,
                                         const stage_name &stage)
    : lent_stage(name, clock, make_store(p), stage, p.lent, requesters, owner), params_(p)
{
    runs_after(owner); /* its lines are entered first in a cycle */
}

/* Code has physical addresses and no VM-ID. A fetch that waits for an MSHR is looked up again, so a miss is
 * counted when its line arrives. */
bool icache_translations::fetch(uint64_t pa)
{
    owner_changes(now());
    return ww_icache_tx_has(lines(), pa, 0) && ww_icache_tx_fetch(lines(), pa, 0);
}

void icache_translations::fill(uint64_t pa)
{
    owner_changes(now());
    ww_icache_tx_fetch(lines(), pa, 0);
    const uint32_t lost = ww_icache_tx_fill(lines(), pa, 0);
    lose(lost);
    if (lost != 0 && sampled())
        wake(clock().ceil(now()));
}

/* Takes effect in the next cycle, before its fetches, lookups and fills. */
void icache_translations::kernel_begins(bool same)
{
    kernels_.push_back({same, now() + clock().period()});
    wake(kernels_.front().due);
}

void icache_translations::owner_changes(tick now)
{
    for (; !kernels_.empty() && kernels_.front().due <= now; kernels_.pop_front()) {
        used_ += ww_icache_tx_used(lines());
        ++begun_;
        ww_icache_tx_kernel(lines(), kernels_.front().same);
    }
}

bool icache_translations::may_hold(uint64_t va) const
{
    const ww_icache_tx *t = lines();
    for (uint32_t sizes = params_.lent.page_sizes; sizes != 0; sizes &= sizes - 1) {
        const uint32_t first = ww_icache_tx_line(t, va, static_cast<uint32_t>(__builtin_ctz(sizes)));
        const uint32_t lines_of_it = params_.design == WW_ICACHE_TX_ONE ? params_.ways : 1;
        for (uint32_t n = 0; n < lines_of_it; ++n)
            if (ww_icache_tx_mode_of(t, first + n * t->sets) == WW_ICACHE_TX_TX)
                return true;
    }
    return false;
}

void icache_translations::visit(stat_visitor &v, tick until) const
{
    lent_stage::visit(v, until);
    const ww_icache_tx_counts &c = lines()->counts;
    v.count("opened", c.opened, "lines", "idle lines that took translations");
    v.count("lines_claimed", c.claimed, "lines", "of translations that instructions took");
    v.count("code_lost", c.code_lost, "lines", "of instructions that translations took (design naive)");
    v.count("code_flushed", c.code_flushed, "lines", "of instructions that went when another kernel began");
    v.count("bypassed_mode", c.bypassed_mode, "count", "fills passed on: instructions have the line");
    v.count("bypassed_base", c.bypassed_base, "count", "fills passed on: the line has another base");
    v.count("rebases", c.rebases, "count", "lines whose translations left for a fill of another base");
    v.count("rebased", c.rebased, "count", "translations that left so");
    v.count("kernels", begun_, "count", "kernels that began");
    v.count("kernel_lines", used_ + (begun_ == 0 ? 0 : ww_icache_tx_used(lines())), "lines",
            "used by each kernel, added up: Equation 1 of [M21], its misses, at most all lines");
}

} // namespace walkway
