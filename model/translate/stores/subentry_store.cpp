/* SPDX-License-Identifier: MIT */
/* translate/stores/subentry_store.cpp - each place holds consecutive pages: docs/model/subentry-tlb.md. */
#include "kernels/store/tlb_subentry.h"
#include "translate/tlb_store_kind.hpp"

namespace walkway
{

namespace
{

class subentry_kind final : public kernel_store<ww_tlbs, ww_tlbs_cfg>
{
public:
    subentry_kind() : kernel_store(ww_tlbs_store, ww_tlbs_bytes, ww_tlbs_init) {}
    const char *text() const override { return "pages in a row in each place, docs/model/subentry-tlb.md"; }
    std::vector<store_key> keys() const override
    {
        return {
            {"subentry_pages", "pages", 1, WW_TLBS_MAX_PAGES,
             "of a subentry store, the pages in a row that a place has sub-entries for; a power of two", 8},
            {"subentry_fill",
             "",
             WW_TLBS_FILL_ONE,
             WW_TLBS_FILL_ALL,
             "of a subentry store, what an answer makes valid: its own page, or all of its place's that are "
             "mapped",
             WW_TLBS_FILL_ONE,
             {"one", "all"}},
            {"subentry_share",
             "",
             WW_TLBS_SHARE_OFF,
             WW_TLBS_SHARE_ANY,
             "of a subentry store, which places take a second base in a full set rather than that one "
             "leaves: "
             "those with at most a quarter or a half of their pages, or any",
             WW_TLBS_SHARE_OFF,
             {"off", "quarter", "half", "any"}}};
    }
    ww_tlbs_cfg config(const tlb_section &s) const override
    {
        ww_tlbs_cfg cfg = {};
        cfg.sets = s.sets();
        cfg.ways = s.ways;
        cfg.pages = s.own_small("subentry_pages");
        cfg.page_sizes = s.page_sizes;
        cfg.index = s.index;
        cfg.fill = static_cast<uint8_t>(s.own("subentry_fill"));
        cfg.share = static_cast<uint8_t>(s.own("subentry_share"));
        return cfg;
    }
    std::string fault(const tlb_section &s) const override
    {
        if (s.replace != WW_REPLACE_LRU)
            return "a subentry store knows no replacement but lru";
        if (!ww_is_pow2(s.own("subentry_pages")))
            return "subentry_pages is no power of two";
        return bytes(s) == 0 ? "more than 64 ways only when fully associative" : "";
    }
    void visit(const void *store, stat_visitor &v) const override
    {
        const ww_tlbs &t = kernel(store);
        v.count("kept_beside", t.counts.beside, "count", "pages kept in a place that was in use already");
        v.count("places_evicted", t.counts.places, "count",
                "places that other pages took; evictions / this is pages that left at a time");
        v.level("places", uint64_t{t.cfg.sets} * t.cfg.ways, "places", "places, each of a tag");
        v.level("places_used", ww_tlbs_places_used(&t), "places",
                "places in use; pages held / places used is what a place reaches");
        v.level("held", t.live, "entries", "pages held");
        if (t.cfg.share == WW_TLBS_SHARE_OFF)
            return;
        v.count("shared", t.counts.shared, "count",
                "times that a place took another base instead of leaving");
        v.count("ousted", t.counts.ousted, "count",
                "of the evictions, pages that left their sub-entry to a page of their place's other base");
        v.level("places_shared", ww_tlbs_places_shared(&t), "places", "places in which two bases have pages");
    }
    void count_from_here(void *store) const override { kernel(store).counts = {}; }
    std::vector<law> laws(const void *store, uint64_t evictions) const override
    {
        const ww_tlbs &t = kernel(store);
        const bool shares = t.cfg.share != WW_TLBS_SHARE_OFF;
        return {{shares ? "evictions = displaced + ousted" : "evictions = displaced", evictions,
                 t.counts.displaced + t.counts.ousted, ""}};
    }
};

} // namespace

const tlb_store_kind &subentry_store()
{
    static const subentry_kind kind;
    return kind;
}

} // namespace walkway
