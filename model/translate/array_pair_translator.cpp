/* SPDX-License-Identifier: MIT */
/* translate/array_pair_translator.cpp - see array_pair_translator.hpp. */
#include "translate/array_pair_translator.hpp"

#include <utility>

namespace walkway
{

array_pair_translator::array_pair_translator(tlb_array one, tlb_array other, const clock_domain &clock,
                                             tick way_up, translator &below)
    : arrays_{std::move(one), std::move(other)}, clock_(clock), way_up_(way_up), below_(below)
{
}

array_pair_translator::hit array_pair_translator::find(const now_request &r, ww_xlat *x)
{
    for (unsigned i = 0; i < arrays_.size(); ++i)
        if (arrays_[i].there() && arrays_[i].kind().lookup(arrays_[i].store(), r.va, r.vmid, x))
            return i == 0 ? first : second;
    return miss;
}

void array_pair_translator::enter(const ww_mapping &page, std::vector<ww_mapping> *left)
{
    for (tlb_array &a : arrays_) {
        if (!a.there())
            continue;
        if (left == nullptr) {
            a.kind().insert(a.store(), &page, nullptr);
            continue;
        }
        const size_t before = left->size();
        left->resize(before + a.kind().most_victims(a.store()));
        left->resize(before + a.kind().insert(a.store(), &page, left->data() + before).victims);
    }
}

uint32_t array_pair_translator::drop(const ww_inval_scope &scope)
{
    uint32_t n = 0;
    for (tlb_array &a : arrays_)
        if (a.there())
            n += a.kind().invalidate(a.store(), &scope);
    return n;
}

now_answer array_pair_translator::translate_now(const now_request &r, tick t, now_how how)
{
    const tick here = clock_.ceil(t);
    now_answer a = {};
    hit where = miss;
    if (how == now_how::commit) {
        where = find(r, &a.xlat);
    } else {
        for (unsigned i = 0; i < arrays_.size() && where == miss; ++i)
            if (arrays_[i].there() && arrays_[i].kind().probe(arrays_[i].store(), r.va, r.vmid, &a.xlat))
                where = i == 0 ? first : second;
    }
    a.at = looked_up(where, here);
    if (where == miss) {
        a = below_.translate_now(r, a.at, how);
        a.at = clock_.ceil(a.at);
        if (how == now_how::commit && !a.fault)
            enter(ww_mapping{r.va, a.xlat, r.vmid});
    }
    a.at += way_up_;
    return a;
}

/* From below upwards, so that no level can fetch a dropped page again. */
void array_pair_translator::forget_now(const ww_inval_scope &scope)
{
    below_.forget_now(scope);
    drop(scope);
}

void array_pair_translator::states(const state_fn &f) const
{
    for (const tlb_array &a : arrays_)
        if (a.there())
            f(&a == &arrays_[0] ? "tlb1" : "tlb2", a.store(), a.held.storage.bytes());
}

const char *array_pair_translator::check() const
{
    for (const tlb_array &a : arrays_)
        if (const char *broken = a.there() ? a.kind().check(a.store()) : nullptr)
            return broken;
    return nullptr;
}

} // namespace walkway
