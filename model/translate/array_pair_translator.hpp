/* SPDX-License-Identifier: MIT */
/* translate/array_pair_translator.hpp - two TLB arrays that are probed together; one may be absent: the TLBs
 * of an IOMMU [M18 Table I]. model/iommu_tlb.hpp is the same with queues. */
#ifndef WALKWAY_TRANSLATE_ARRAY_PAIR_TRANSLATOR_HPP
#define WALKWAY_TRANSLATE_ARRAY_PAIR_TRANSLATOR_HPP

#include "translate/store_translator.hpp"

#include <array>
#include <vector>

namespace walkway
{

/* An array; a store without kind: it is absent. */
struct tlb_array {
    stage_store held;
    tick time = 0; /* time to a hit */
    bool there() const { return held.kind != nullptr; }
    const ww_store_kind &kind() const { return *held.kind; }
    void *store() { return held.storage.as<void>(); }
    const void *store() const { return held.storage.as<void>(); }
};

class array_pair_translator final : public translator
{
public:
    enum hit : uint8_t { miss, first, second };

    /* way_up: time from an answer to the requester above. */
    array_pair_translator(tlb_array one, tlb_array other, const clock_domain &clock, tick way_up,
                          translator &below);
    array_pair_translator(const array_pair_translator &) = delete;
    array_pair_translator &operator=(const array_pair_translator &) = delete;

    now_answer translate_now(const now_request &r, tick t, now_how how) override;
    void forget_now(const ww_inval_scope &scope) override;
    void states(const state_fn &f) const override;
    const char *check() const override;

    /* Parts for a stage that does the same in time. A hit in the first array leaves the second's order of use
     * unchanged. */
    hit find(const now_request &r, ww_xlat *x);
    /* Returns the end of a lookup that starts at t. */
    tick looked_up(hit where, tick t) const
    {
        return t + (where == first || !arrays_[1].there() ? arrays_[0].time : arrays_[1].time);
    }
    /* Enters a page into both arrays. Evicted pages are added to `left`, unless that is null. */
    void enter(const ww_mapping &page, std::vector<ww_mapping> *left = nullptr);
    uint32_t drop(const ww_inval_scope &scope); /* returns how many entries */

private:
    std::array<tlb_array, 2> arrays_;
    clock_domain clock_;
    tick way_up_;
    translator &below_;
};

} // namespace walkway

#endif
