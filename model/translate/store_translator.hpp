/* SPDX-License-Identifier: MIT */
/* translate/store_translator.hpp - a stage over a store (kernels/store/store.h): a TLB level or any other
 * holder of translations. model/xlat_stage.hpp is the same with queues. */
#ifndef WALKWAY_TRANSLATE_STORE_TRANSLATOR_HPP
#define WALKWAY_TRANSLATE_STORE_TRANSLATOR_HPP

#include "kernels/store/store.h"
#include "model/common/pool.hpp"
#include "translate/translator.hpp"

#include <array>
#include <vector>

namespace walkway
{

/* The store of a stage: a kind with its storage. */
struct stage_store {
    const ww_store_kind *kind = nullptr;
    blob storage = blob();
};

struct stage_policy {
    uint32_t fills = 0;          /* most victims of each requester in flight to here; 0: takes none */
    bool passes_victims = false; /* passes victims to a level below that takes fills; else drops them */
    bool keeps_answers = true;   /* enters answers from below; else it holds only pages passed on to it */
    bool moves_hits = false;     /* a hit moves to the level above and leaves the store */
    bool passes_fills = false;   /* passes fills on to the level below; its own victims are dropped */
    bool prefetches = false;     /* with each request, fetches and holds the next page */
    bool lent = false;           /* its memory is lent, and the owner may claim it */
};

/* Times from its place at a port to the answer, hit or miss; from an answer to the requester above; to
 * below. */
struct stage_times {
    tick hit, way_up, link;
};

class store_translator final : public translator
{
public:
    /* page_shift: log2 of the smallest page's bytes. */
    store_translator(stage_store store, const stage_policy &policy, const clock_domain &clock,
                     const stage_times &times, translator &below, uint32_t page_shift = WW_PAGE_4K);
    store_translator(const store_translator &) = delete;
    store_translator &operator=(const store_translator &) = delete;

    now_answer translate_now(const now_request &r, tick t, now_how how) override;
    bool fill_now(const ww_mapping &page) override;
    void forget_now(const ww_inval_scope &scope) override;
    void states(const state_fn &f) const override { f(kind_.name, storage_.as<void>(), storage_.bytes()); }
    const char *check() const override { return kind_.check(store_); }

    /* Parts for a stage that does the same in time. */
    const ww_store_kind &kind() const { return kind_; }
    void *store() { return store_; }
    bool find(const now_request &r, ww_xlat *out)
    {
        return (policy_.moves_hits ? kind_.take : kind_.lookup)(store_, r.va, r.vmid, out);
    }
    /* Enters a page. If `wanted`, victims() has the evicted pages until the next insert. */
    ww_store_entered enter(const ww_mapping &page, bool wanted)
    {
        return kind_.insert(store_, &page, wanted ? victims_.data() : nullptr);
    }
    const std::vector<ww_mapping> &victims() const { return victims_; }
    /* Calls enter(page) for each page that an answer brings besides its own (kernels/store/store.h), as
     * mapped at t. Looks at the level below without side effect. */
    template <class F> void each_beside(const ww_mapping &answer, tick t, F enter)
    {
        if (kind_.beside == nullptr)
            return;
        std::array<uint64_t, WW_STORE_MOST_BESIDE> va;
        const uint32_t n = kind_.beside(store_, &answer, va.data());
        for (uint32_t i = 0; i < n; ++i) {
            const now_answer a = below_.translate_now({va[i], answer.vmid}, t, now_how::look);
            if (!a.fault && a.xlat.page_shift == answer.xlat.page_shift)
                enter(ww_mapping{va[i], a.xlat, answer.vmid});
        }
    }
    void hit_takes(tick time) { times_.hit = time; }

private:
    uint32_t put(const ww_mapping &page);
    void prefetch(const now_request &page, tick t);

    stage_policy policy_;
    clock_domain clock_;
    stage_times times_;
    translator &below_;
    uint32_t page_shift_;
    const ww_store_kind &kind_;
    blob storage_;
    void *store_;
    std::vector<ww_mapping> victims_; /* of one insert */
};

} // namespace walkway

#endif
