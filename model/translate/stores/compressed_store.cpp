/* SPDX-License-Identifier: MIT */
/* translate/stores/compressed_store.cpp - a store of which some slots hold two entries [P20]:
 * docs/model/compressed-tlb.md. */
#include "kernels/store/tlb_compressed.h"
#include "translate/tlb_store_kind.hpp"

namespace walkway
{

namespace
{

class compressed_kind final : public kernel_store<ww_tlbc, ww_tlbc_cfg>
{
public:
    compressed_kind() : kernel_store(ww_tlbc_store, ww_tlbc_bytes, ww_tlbc_init) {}
    const char *text() const override { return "two in some, docs/model/compressed-tlb.md"; }
    std::vector<store_key> keys() const override
    {
        return {
            {"compressed_ways", "ways", 0, WW_TLBC_MAX_WAYS - 1,
             "of a compressed store, those ways of a set that hold two entries", 8},
            {"rebase_after", "entries", 1, 65535,
             "entries that do not compress until a set's compressed ones leave and its bases are set anew",
             16}};
    }
    ww_tlbc_cfg config(const tlb_section &s) const override
    {
        ww_tlbc_cfg cfg = {};
        cfg.sets = s.sets();
        cfg.ways = s.ways;
        cfg.compressed_ways = s.own_small("compressed_ways");
        cfg.va_bits = s.va_bits;
        cfg.pa_bits = s.pa_bits;
        cfg.page_sizes = s.page_sizes;
        cfg.rebase_after = static_cast<uint16_t>(s.own("rebase_after"));
        cfg.index = s.index;
        return cfg;
    }
    std::string fault(const tlb_section &s) const override
    {
        if (s.ways > WW_TLBC_MAX_WAYS)
            return "a compressed store has at most " + std::to_string(WW_TLBC_MAX_WAYS) + " ways";
        if (s.own("compressed_ways") >= s.ways)
            return "compressed_ways leaves no way for an entry that does not compress";
        if (s.replace != WW_REPLACE_LRU)
            return "a compressed store knows no replacement but lru";
        return bytes(s) == 0 ? "tag and frame do not fit a slot of 64 bits: more sets, or less memory" : "";
    }
    void visit(const void *store, stat_visitor &v) const override
    {
        const ww_tlbc &t = kernel(store);
        v.count("kept_compressed", t.counts.compressed, "count", "entries kept two to a slot");
        v.count("kept_plain", t.counts.plain, "count", "entries kept one to a slot");
        v.count("failures", t.counts.failures, "count", "entries that did not compress");
        v.count("rebases", t.counts.rebases, "count",
                "times that a set's compressed entries left for new bases");
        v.count("rebased", t.counts.rebased, "count", "of the evictions, entries that left by it");
        v.level("slots", uint64_t{t.cfg.sets} * t.cfg.ways, "slots", "slots, of an entry or two each");
        v.level("slots_used", ww_tlbc_slots_used(&t), "slots",
                "slots in use; entries held / slots used is the effective gain");
        v.level("capacity", ww_tlbc_capacity(&t), "entries", "entries that the slots can hold at most");
        v.level("held", t.live, "entries", "entries held");
    }
    void count_from_here(void *store) const override { kernel(store).counts = {}; }
    std::vector<law> laws(const void *store, uint64_t evictions) const override
    {
        const ww_tlbc_counts &c = kernel(store).counts;
        return {{"evictions = displaced + rebased", evictions, c.displaced + c.rebased, ""}};
    }
};

} // namespace

const tlb_store_kind &compressed_store()
{
    static const compressed_kind kind;
    return kind;
}

} // namespace walkway
