/* SPDX-License-Identifier: MIT */
/* translate/store_translator.cpp - see store_translator.hpp. */
#include "translate/store_translator.hpp"

#include <algorithm>
#include <utility>

namespace walkway
{

store_translator::store_translator(stage_store store, const stage_policy &policy, const clock_domain &clock,
                                   const stage_times &times, translator &below, uint32_t page_shift)
    : policy_(policy), clock_(clock), times_(times), below_(below), page_shift_(page_shift),
      kind_(*store.kind), storage_(std::move(store.storage)), store_(storage_.as<void>()),
      victims_(kind_.most_victims(store_))
{
}

/* Enters the page, then passes the pages that it evicted down, in the order of eviction. */
uint32_t store_translator::put(const ww_mapping &page)
{
    const bool passes = policy_.passes_victims && !policy_.passes_fills;
    const ww_store_entered entered = enter(page, passes);
    if (passes)
        for (uint32_t i = 0; i < entered.victims; ++i)
            below_.fill_now(victims_[i]);
    return entered.result;
}

/* A miss leaves for the level below after its lookup, but not before the next cycle. */
now_answer store_translator::translate_now(const now_request &r, tick t, now_how how)
{
    const tick here = clock_.ceil(t), looked = here + times_.hit;
    now_answer a = {};
    a.at = looked;
    const tick leaves = std::max(looked, here + clock_.period()) + times_.link;
    const bool commit = how == now_how::commit;
    if (commit ? find(r, &a.xlat) : kind_.probe(store_, r.va, r.vmid, &a.xlat)) {
        if (commit && policy_.prefetches)
            prefetch({ww_page_after(r.va, a.xlat.page_shift), r.vmid}, leaves);
        return a;
    }
    a = below_.translate_now(r, leaves, how);
    a.at = clock_.ceil(a.at) + times_.way_up;
    if (commit && !a.fault && policy_.keeps_answers) {
        const ww_mapping page = {r.va, a.xlat, r.vmid};
        put(page);
        each_beside(page, a.at, [this](const ww_mapping &other) { put(other); });
    }
    if (commit && policy_.prefetches)
        prefetch({ww_page_after(r.va, page_shift_), r.vmid}, leaves);
    return a;
}

/* Does not enter a page that begins before the prefetch's address: it is the page of the request itself. */
void store_translator::prefetch(const now_request &page, tick t)
{
    ww_xlat held;
    if (kind_.probe(store_, page.va, page.vmid, &held))
        return;
    const now_answer a = below_.translate_now(page, t, now_how::commit);
    if (!a.fault && (page.va & ww_page_mask(a.xlat.page_shift)) == 0)
        put(ww_mapping{page.va, a.xlat, page.vmid});
}

bool store_translator::fill_now(const ww_mapping &page)
{
    if (policy_.fills == 0)
        return false;
    if (policy_.passes_fills)
        return below_.fill_now(page);
    if (put(page) == WW_STORE_PASSED && policy_.passes_victims)
        below_.fill_now(page);
    return true;
}

/* Drops the pages below first, so that no level can fetch a dropped page again. */
void store_translator::forget_now(const ww_inval_scope &scope)
{
    below_.forget_now(scope);
    kind_.invalidate(store_, &scope);
}

} // namespace walkway
