/* SPDX-License-Identifier: MIT */
/* model/tlb.cpp - what a TLB level is made of. */
#include "model/tlb.hpp"

#include "model/common/set_sizes.hpp"

namespace walkway
{

void tlb_params::visit(param_visitor &v)
{
    v.number("entries", entries,
             {"entries", may_be_absent ? 0u : 1u, 1u << 22,
              may_be_absent ? "translations held; 0: there is none" : "translations held",
              paper("[M18] Table I")});
    v.number("ways", ways,
             {"ways", 1, 4096, "associativity; equal to entries: fully associative", paper("[M18] Table I")});
    v.choice("index", index, {"modulo", "xor"}, {"", 0, 0, "how a page number picks its set", assumed()});
    v.choice("replace", replace, {"lru", "random"}, {"", 0, 0, "which entry leaves", assumed()});
    v.number("hit_cycles", hit_cycles,
             {"cycles", 1, 100000, "from a port to the answer, hit or miss",
              paper("[M21] Table 1, another machine")});
    v.number("ports", ports, {"lookups per cycle", 1, 64, "lookups that may start in one cycle", assumed()});
    v.number("mshrs", mshrs,
             {"entries", 1, 1u << 19, "pages that may be in flight below",
              chosen("raised after seeing BICG wait for them; one for each lane of each resident wave")});
    v.number("merges", merges,
             {"requests", 1, 1u << 19, "requests that may wait for pages in flight",
              chosen("L2: raised with its MSHRs after seeing BICG")});
    v.number("queue_entries", queue_entries,
             {"requests", 1, 65536, "input queue of each requester", assumed()});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from a fill to the requester above", assumed()});
    v.number("link_cycles", link_cycles,
             {"cycles", 0, 100000, "from this level to the one below, for a miss", assumed()});
    v.number("size_probe_cycles", size_probe_cycles,
             {"cycles", 0, 100000, "more time for each page size beyond the first that has to be probed",
              assumed()});
    v.number("seed", seed, {"1", 0, UINT64_MAX, "seed of random replacement", assumed()});
    if (may_pass)
        v.choice("victims", victims, {"drop", "pass"},
                 {"", 0, 0,
                  "what leaves for another: dropped, or passed on to a level below that takes fills",
                  assumed("docs/tlb.md")});
    if (may_take)
        v.number("fills", fills,
                 {"entries", 0, 4096,
                  "victims of each requester that may be on their way here; 0: takes none",
                  assumed("docs/tlb.md")});
    if (may_compress) {
        v.choice(
            "store", store, {"plain", "compressed"},
            {"", 0, 0, "an entry in each place, or two in some: docs/compressed-tlb.md", assumed("off")});
        v.number("compressed_ways", compressed_ways,
                 {"ways", 0, WW_TLBC_MAX_WAYS - 1,
                  "of a compressed store, those ways of a set that hold two entries", paper("[P20]: half")});
        v.number(
            "rebase_after", rebase_after,
            {"entries", 1, 65535,
             "entries that do not compress until a set's compressed ones leave and its bases are set anew",
             assumed("docs/compressed-tlb.md")});
    }
}

namespace
{
ww_tlbc_cfg compressed_cfg(const tlb_params &p)
{
    ww_tlbc_cfg cfg = {};
    cfg.sets = p.entries / p.ways;
    cfg.ways = p.ways;
    cfg.compressed_ways = p.compressed_ways;
    cfg.va_bits = p.va_bits;
    cfg.pa_bits = p.pa_bits;
    cfg.page_sizes = p.page_sizes;
    cfg.rebase_after = static_cast<uint16_t>(p.rebase_after);
    cfg.index = p.index;
    return cfg;
}

std::string validate_compressed(const tlb_params &p)
{
    if (p.ways > WW_TLBC_MAX_WAYS)
        return "a compressed store has at most " + std::to_string(WW_TLBC_MAX_WAYS) + " ways";
    if (p.compressed_ways >= p.ways)
        return "compressed_ways leaves no way for an entry that does not compress";
    if (p.replace != WW_REPLACE_LRU)
        return "a compressed store knows no replacement but lru";
    const ww_tlbc_cfg cfg = compressed_cfg(p);
    return ww_tlbc_bytes(&cfg) == 0 ? "tag and frame do not fit a slot of 64 bits: more sets, or less memory"
                                    : "";
}
} // namespace

std::string tlb_params::validate() const
{
    if (!present())
        return "";
    const std::string sets = wrong_sets("entries / ways", "entries", entries, ways);
    if (!sets.empty())
        return sets;
    if (ways > 64 && ways != entries)
        return "more than 64 ways only when fully associative";
    return compressed() ? validate_compressed(*this) : "";
}

namespace
{
ww_tlb_cfg kernel_cfg(const tlb_params &p)
{
    ww_tlb_cfg cfg = {};
    cfg.sets = p.entries / p.ways;
    cfg.ways = p.ways;
    cfg.index = p.index;
    cfg.replace = p.replace;
    cfg.page_sizes = p.page_sizes;
    cfg.seed = p.seed;
    return cfg;
}
ww_mshr_cfg mshr_cfg_of(const tlb_params &p)
{
    return {p.mshrs, p.merges};
}

stage_store make_store(const tlb_params &p)
{
    if (p.compressed()) {
        const ww_tlbc_cfg cfg = compressed_cfg(p);
        blob slots(ww_tlbc_bytes(&cfg));
        if (ww_tlbc_init(slots.as<ww_tlbc>(), slots.bytes(), &cfg) != WW_OK)
            fail("/walkway/tlb", "illegal compressed TLB: " + p.validate());
        return {&ww_tlbc_store, std::move(slots)};
    }
    const ww_tlb_cfg cfg = kernel_cfg(p);
    blob tags(ww_tlb_bytes(&cfg));
    if (ww_tlb_init(tags.as<ww_tlb>(), tags.bytes(), &cfg) != WW_OK)
        fail("/walkway/tlb", "illegal TLB: " + p.validate());
    return {&ww_tlb_store, std::move(tags)};
}

uint64_t store_bytes(const tlb_params &p)
{
    const ww_tlb_cfg plain = kernel_cfg(p);
    const ww_tlbc_cfg compressed = compressed_cfg(p);
    return p.compressed() ? ww_tlbc_bytes(&compressed) : ww_tlb_bytes(&plain);
}

miss_limits limits_of(const tlb_params &p)
{
    return {p.ports, p.queue_entries, p.mshrs, p.merges, p.hit_cycles, p.response_cycles, p.link_cycles};
}
} // namespace

uint64_t tlb_params::state_bytes() const
{
    return store_bytes(*this) + pending_bytes(mshr_cfg_of(*this));
}

void tlb_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const address_widths &w = list.widths;
    const ww_tlb_cfg plain = kernel_cfg(*this);
    uint64_t bits = ww_tlb_bits(&plain, &w);
    if (compressed()) {
        stage_store made = make_store(*this);
        bits = made.kind->bits(made.storage.as<void>(), &w);
    }
    add_entries(list, bits, entries, ways, ports);
    list.add_mshrs(mshr_cfg_of(*this), w.va - w.page_shift + w.vmid);
}

tlb::tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_params &p,
         const stage_name &stage, unsigned requesters)
    : xlat_stage(name, clock, make_store(p), stage, limits_of(p), {p.fills, p.victims != 0},
                 static_cast<uint32_t>(__builtin_ctz(p.page_sizes)), requesters),
      compressed_(p.compressed() ? static_cast<const ww_tlbc *>(store()) : nullptr)
{
    probe_time(p.size_probe_cycles);
    if (requesters > 1)
        count_sharers();
}

void tlb::visit(stat_visitor &v, tick now) const
{
    xlat_stage::visit(v, now);
    if (compressed_ == nullptr)
        return;
    const ww_tlbc_counts &c = compressed_->counts;
    v.count("kept_compressed", c.compressed, "count", "entries kept two to a slot");
    v.count("kept_plain", c.plain, "count", "entries kept one to a slot");
    v.count("failures", c.failures, "count", "entries that did not compress");
    v.count("rebases", c.rebases, "count", "times that a set's compressed entries left for new bases");
    v.count("rebased", c.rebased, "count", "of the evictions, entries that left by it");
    v.level("slots", uint64_t{compressed_->cfg.sets} * compressed_->cfg.ways, "slots",
            "slots, of an entry or two each");
    v.level("slots_used", ww_tlbc_slots_used(compressed_), "slots",
            "slots in use; entries held / slots used is the effective gain");
    v.level("held", compressed_->live, "entries", "entries held");
}

/* Whatever is kept plain did not compress, but for refreshes that stayed where they were. */
void tlb::laws(law_list &list) const
{
    xlat_stage::laws(list);
    if (compressed_ != nullptr)
        list.add("evictions = displaced + rebased", stats().evictions,
                 compressed_->counts.displaced + compressed_->counts.rebased);
}

} // namespace walkway
