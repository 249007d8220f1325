/* SPDX-License-Identifier: MIT */
/* translate/walk_translator.cpp - see walk_translator.hpp. */
#include "translate/walk_translator.hpp"

#include "model/common/kernel_blob.hpp"

#include <algorithm>

namespace walkway
{

walk_translator::walk_translator(const page_tables &tables, const walk_caches &caches,
                                 const clock_domain &clock, const walk_times &times, line_memory &memory)
    : tables_(tables), clock_(clock), times_(times), memory_(memory),
      pwc_(kernel_blob(ww_pwc_bytes, ww_pwc_init, caches.pwc)), inner_(caches.inner),
      at_once_(caches.at_once), ideal_(caches.ideal), ok_(pwc_.bytes() != 0)
{
    if (caches.lines.bytes == 0)
        return;
    lines_ = kernel_blob(ww_pte_cache_bytes, ww_pte_cache_init, caches.lines);
    ok_ = ok_ && lines_.bytes() != 0;
}

uint64_t walk_translator::last_read_of(uint64_t va, uint16_t vmid)
{
    const ww_table &table = tables_.of(vmid);
    uint64_t walk = tables_.start(vmid, va), line[WW_LINE_PTES];
    ww_walk_read entry = {};
    while (ww_walk_step(walk) != table.kind->last &&
           ww_table_next(&table, walk, va, &entry) == WW_WALK_READ) {
        tick untimed = 0;
        const bool there = memory_.line_now(entry.pa, line, &untimed);
        const uint64_t next = ww_table_feed(&table, walk, va, there ? line : nullptr);
        if (ww_walk_act(next) != WW_WALK_READ)
            break;
        walk = next;
    }
    return walk;
}

/* Returns the walk as the page-walk cache has it, or, on a miss, start(). */
uint64_t walk_translator::first(const now_request &r, now_how how)
{
    const uint64_t cached =
        how == now_how::look ? ww_pwc_probe(pwc(), r.va, r.vmid) : ww_pwc_lookup(pwc(), r.va, r.vmid);
    return cached != 0 ? cached : start(r.va, r.vmid);
}

/* Reads the line from its cache or from memory, which takes at least a cycle unless it answers at once. */
bool walk_translator::read(uint64_t pa, bool last, uint64_t *line, tick *at, now_how how)
{
    const bool cached = has_lines() && !(inner_ && last);
    if (cached) {
        *at += times_.lines;
        if (how == now_how::look ? ww_pte_cache_probe(lines(), pa, line)
                                 : ww_pte_cache_lookup(lines(), pa, line))
            return true;
    }
    if (at_once_) {
        *at += times_.ideal_read;
        return memory_.line_now(pa, line, at);
    }
    *at += std::max(times_.read, clock_.period());
    const bool there = memory_.line_now(pa, line, at);
    *at = clock_.ceil(*at + times_.reply);
    if (there && how == now_how::commit && cached)
        ww_pte_cache_fill(lines(), pa, line);
    return there;
}

now_answer walk_translator::translate_now(const now_request &r, tick t, now_how how)
{
    const ww_table &table = tables_.of(r.vmid);
    tick at = clock_.ceil(t) + times_.pwc, matched = 0;
    uint64_t walk = first(r, how);
    for (ww_walk_read entry = {}; ww_table_next(&table, walk, r.va, &entry) == WW_WALK_READ;) {
        uint64_t line[WW_LINE_PTES];
        const bool there = read(entry.pa, ww_walk_step(walk) == table.kind->last, line, &at, how);
        at = std::max(at, matched); /* the state machine has finished the line before */
        matched = at + times_.match;
        walk = ww_table_feed(&table, walk, r.va, there ? line : nullptr);
        if (how == now_how::commit && ww_walk_act(walk) == WW_WALK_READ)
            ww_pwc_fill(pwc(), r.va, r.vmid, walk);
    }
    now_answer a = {};
    a.fault = ww_walk_act(walk) != WW_WALK_DONE;
    if (a.fault)
        a.walk = walk;
    else
        a.xlat = ww_walk_xlat(walk);
    a.at = at + times_.response;
    return a;
}

uint32_t walk_translator::forget_nodes(const ww_inval_scope &scope)
{
    const uint64_t more = scope.last_va - scope.first_va;
    if (!scope.all_vms)
        return ww_pwc_invalidate(pwc(), scope.first_va, more == UINT64_MAX ? more : more + 1, scope.vmid);
    uint32_t all = 0;
    for (uint32_t step = 1; step <= WW_STEPS_MAX; ++step)
        all += ww_pwc_count(pwc(), step);
    ww_pwc_flush(pwc());
    return all;
}

void walk_translator::forget_now(const ww_inval_scope &scope)
{
    forget_nodes(scope);
    if (has_lines())
        ww_pte_cache_flush(lines());
}

void walk_translator::states(const state_fn &f) const
{
    f("pwc", pwc_.as<void>(), pwc_.bytes());
    if (has_lines())
        f("pte_cache", lines_.as<void>(), lines_.bytes());
}

const char *walk_translator::check() const
{
    const char *broken = ww_pwc_check(pwc_.as<ww_pwc>());
    return broken != nullptr || !has_lines() ? broken : ww_pte_cache_check(lines_.as<ww_pte_cache>());
}

} // namespace walkway
