/* SPDX-License-Identifier: MIT */
/* capi/chain.cpp - see chain.hpp. */
#include "capi/chain.hpp"

#include "capi/refusal.hpp"
#include "kernels/table_amd.h"
#include "kernels/table_radix.h"
#include "kernels/table_x86.h"
#include "translate/tlb_stores.hpp"

#include <utility>

namespace walkway
{

namespace
{

[[noreturn]] void refuse(const chain_parameters &p, const std::string &name, const std::string &why)
{
    const chain_parameter &of = p[name];
    throw refusal(WALKWAY_E_CONFIG,
                  (of.set_by.empty() ? "" : of.set_by + ": ") + name + " = " + of.value + ": " + why);
}

bool is_mmu(const chain_parameters &p)
{
    return p.has("walk_unit.shared_by");
}

/* What asks for a stage, or for time, that is not here. */
void refuse_what_is_not_here(const chain_parameters &p)
{
    struct rule {
        const char *name, *allowed, *why;
    };
    static const rule rules[] = {
        {"lds.translations", "off", "local memory is a compute unit's, and there is none here; valid: off"},
        {"icache.translations", "off",
         "instruction caches have no translations without instructions; valid: off"},
        {"prefetch.entries", "0", "a prefetcher needs time to pass between requests; valid: 0"},
        {"memory_tlb.entries", "0", "a table of translations wants memory to write into; valid: 0"},
        {"driver.oversubscription", "0", "who moves pages is the caller; valid: 0"},
    };
    for (const rule &r : rules)
        if (p.has(r.name) && p[r.name].value != r.allowed)
            refuse(p, r.name, r.why);
    const std::string &ideal = p["translation.ideal"].value;
    if (ideal != "off" && ideal != "unlimited_walkers" && ideal != "zero_walk")
        refuse(p, "translation.ideal",
               "TLBs that hold everything are none; valid: off | unlimited_walkers | zero_walk");
    const std::string &format = p["address_space.table"].value;
    if (format != "radix" && format != "amd_v1")
        refuse(p, "address_space.table",
               "a root does not say where such a table lies; valid: radix | amd_v1");
}

/* Those that pages of the program may have, of a machine that lays them out; that of 4 KiB always, as the
 * tables are the caller's. */
uint32_t sizes_of(const chain_parameters &p)
{
    const std::string &page = p["address_space.page"].value;
    return 1u << WW_PAGE_4K | (page == "64k" ? 1u << WW_PAGE_64K : page == "4k" ? 0u : 1u << WW_PAGE_2M);
}

ww_table empty_table(const chain_parameters &p, const chain_tables &tables)
{
    const uint32_t levels = p.small("address_space.levels");
    const bool amd = p["address_space.table"].value == "amd_v1";
    if (tables.table == WALKWAY_TABLE_CONFIGURED && amd)
        return ww_amd_v1_table(levels, 0);
    if (levels < WW_LEVELS_MIN || levels > WW_LEVELS_MAX)
        refuse(p, "address_space.levels", "an x86-64 table has 4 or 5; valid: 4 ... 5");
    return tables.table == WALKWAY_TABLE_CONFIGURED ? ww_radix_table(levels, 0)
                                                    : ww_x86_table(levels, 0, tables.physical_bits);
}

uint64_t va_mask_of(const ww_table &table, uint32_t levels)
{
    return ww_page_mask(table.kind == &ww_amd_v1 ? ww_amd_va_bits(levels) : ww_va_bits(levels));
}

/* A power of two of sets, of ways that are compared at once. */
void check_shape(const chain_parameters &p, const std::string &entries, const std::string &ways, uint64_t of)
{
    const uint64_t n = p.number(entries);
    if (n % of != 0)
        refuse(p, entries, "is not a multiple of " + ways + " = " + std::to_string(of));
    if (!ww_is_pow2(n / of))
        refuse(p, entries, "divided by " + ways + " = " + std::to_string(of) + " is not a power of two");
    if ((of > 64 && of != n) || of > 4096)
        refuse(p, ways, "more than 64 ways only when fully associative, and then up to 4096");
}

} // namespace

chain::chain(const chain_parameters &p, const chain_tables &tables)
    : clock_(p.number("gpu.clock_ps")), page_sizes_(sizes_of(p)), model_table_{}, vmids_(tables.vmids),
      levels_(p.small("address_space.levels")), physical_bits_(tables.physical_bits), va_mask_(0),
      canonical_(tables.table == WALKWAY_TABLE_X86)
{
    refuse_what_is_not_here(p);
    model_table_ = empty_table(p, tables);
    if (canonical_)
        model_table_.regs.word[1] |= WW_X86_FOLDED;
    va_mask_ = va_mask_of(model_table_, levels_);
    if (is_mmu(p))
        make_mmu(p);
    else
        make_apu(p);
}

translator &chain::count(const char *stage, translator &below)
{
    counters_.push_back({stage, std::make_unique<stage_counter>(below)});
    return *counters_.back().counter;
}

translator &chain::make_walks(const chain_parameters &p)
{
    const std::string s = "walk_unit.";
    walk_caches caches = {};
    caches.pwc.kind = model_table_.kind;
    for (uint32_t step = 2; step <= 5 && step <= model_table_.kind->steps; ++step)
        caches.pwc.entries[step] = p.small(s + "pwc_l" + std::to_string(step));
    caches.lines = {p.small(s + "pte_cache_bytes"), p.small(s + "pte_cache_ways")};
    caches.inner = p[s + "pte_cache_holds"].value == "inner";
    caches.at_once = p["translation.ideal"].value == "zero_walk";
    if (caches.lines.bytes != 0 && ww_pte_cache_bytes(&caches.lines) == 0)
        refuse(p, s + "pte_cache_bytes",
               "is not a multiple of 64, or pte_cache_ways does not divide its lines (fully associative: up "
               "to 4096)");
    const walk_times times = {
        clock_.cycles(p.number(s + "pwc_cycles")), clock_.cycles(p.number(s + "pte_cache_cycles")),
        clock_.cycles(p.number(s + "read_cycles")), clock_.cycles(p.number(s + "reply_cycles")),
        clock_.cycles(p.number(s + "response_cycles"))};
    walks_.push_back(std::make_unique<walk_translator>(
        page_tables(std::vector<ww_table>(vmids_, model_table_)), caches, clock_, times, memory_));
    if (!walks_.back()->ok())
        throw refusal(WALKWAY_E_INTERNAL, "the caches of a walk unit are illegal");
    between_.push_back(std::make_unique<page_parts>(*walks_.back(), page_sizes_, physical_bits_));
    return count("walks", *between_.back());
}

translator &chain::make_tlb(const chain_parameters &p, const std::string &section, translator &below,
                            bool passes_victims, std::vector<std::unique_ptr<translator>> &into)
{
    const std::string s = section + ".";
    const uint64_t entries = p.number(s + "entries"), ways = p.number(s + "ways");
    check_shape(p, s + "entries", s + "ways", ways);
    ww_tlb_cfg cfg = plain_tlb(entries, ways, page_sizes_);
    cfg.index = static_cast<uint8_t>(p.choice(s + "index"));
    cfg.replace = static_cast<uint8_t>(p.choice(s + "replace"));
    cfg.seed = p.number(s + "seed");
    stage_policy policy;
    policy.fills = p.has(s + "fills") ? p.small(s + "fills") : 0;
    policy.passes_victims = passes_victims;
    const uint64_t probes =
        p.number(s + "size_probe_cycles") * (static_cast<uint64_t>(__builtin_popcount(page_sizes_)) - 1);
    const stage_times times = {clock_.cycles(p.number(s + "hit_cycles") + probes),
                               clock_.cycles(p.number(s + "response_cycles")),
                               clock_.cycles(p.number(s + "link_cycles"))};
    stage_store store = p.has(s + "store") && p[s + "store"].value == "compressed"
                            ? compressed_store(p, section)
                            : make_tlb_store(cfg);
    into.push_back(std::make_unique<store_translator>(std::move(store), policy, clock_, times, below));
    return *into.back();
}

/* Its entries are made for the width of addresses. */
stage_store chain::compressed_store(const chain_parameters &p, const std::string &section) const
{
    const std::string s = section + ".";
    ww_tlbc_cfg cfg = {};
    cfg.sets = static_cast<uint32_t>(p.number(s + "entries") / p.number(s + "ways"));
    cfg.ways = p.small(s + "ways");
    cfg.compressed_ways = p.small(s + "compressed_ways");
    cfg.va_bits = static_cast<uint32_t>(__builtin_popcountll(va_mask_));
    cfg.pa_bits = physical_bits_;
    cfg.page_sizes = page_sizes_;
    cfg.rebase_after = static_cast<uint16_t>(p.number(s + "rebase_after"));
    cfg.index = static_cast<uint8_t>(p.choice(s + "index"));
    if (p[s + "replace"].value != "lru")
        refuse(p, s + "replace", "a compressed store knows no replacement but lru");
    if (cfg.ways > WW_TLBC_MAX_WAYS || cfg.compressed_ways >= cfg.ways)
        refuse(p, s + "compressed_ways", "has to leave one of the ways, which are 32 at most");
    if (ww_tlbc_bytes(&cfg) == 0)
        refuse(p, s + "store",
               "tag and frame of addresses of " + std::to_string(cfg.va_bits) + " and " +
                   std::to_string(cfg.pa_bits) +
                   " bits do not fit a slot of 64: options.physical_bits says how many bits physical "
                   "addresses have");
    return make_tlb_store(cfg);
}

translator &chain::make_victim(const chain_parameters &p, translator &below)
{
    const uint64_t entries = p.number("victim.entries"),
                   ways = p.number("victim.ways") == 0 ? entries : p.number("victim.ways");
    check_shape(p, "victim.entries", "victim.ways", ways);
    stage_policy policy;
    policy.fills = p.small("victim.fills");
    policy.passes_victims = p["victim.victims"].value == "pass";
    policy.keeps_answers = false;
    policy.moves_hits = true;
    const stage_times times = {clock_.cycles(p.number("victim.hit_cycles")),
                               clock_.cycles(p.number("victim.response_cycles")),
                               clock_.cycles(p.number("victim.link_cycles"))};
    between_.push_back(std::make_unique<store_translator>(
        make_tlb_store(plain_tlb(entries, ways, page_sizes_)), policy, clock_, times, below));
    return count("victim", *between_.back());
}

void chain::make_apu(const chain_parameters &p)
{
    const uint32_t one = p.small("iommu_tlb.tlb1_entries"), two = p.small("iommu_tlb.tlb2_entries");
    translator *below = &make_walks(p);
    if (one + two != 0) {
        tlb_array arrays[2];
        if (one != 0)
            arrays[0] = {make_tlb_store(plain_tlb(one, one, page_sizes_)).storage,
                         clock_.cycles(p.number("iommu_tlb.tlb1_cycles"))};
        if (two != 0) {
            check_shape(p, "iommu_tlb.tlb2_entries", "iommu_tlb.tlb2_ways", p.number("iommu_tlb.tlb2_ways"));
            arrays[1] = {make_tlb_store(plain_tlb(two, p.number("iommu_tlb.tlb2_ways"), page_sizes_)).storage,
                         clock_.cycles(p.number("iommu_tlb.tlb2_cycles"))};
        }
        between_.push_back(std::make_unique<array_pair_translator>(
            std::move(arrays[0]), std::move(arrays[1]), clock_,
            clock_.cycles(p.number("iommu_tlb.response_cycles")), *below));
        below = &count("iommu_tlb", *between_.back());
    }
    translator &second = make_tlb(p, "l2_tlb", *below, false, between_);
    translator &shared = count("l2_tlb", second);
    for (uint64_t unit = 0; unit < p.number("gpu.cus"); ++unit)
        make_l1(p, unit, shared);
}

/* With the victim TLB that neighbours by number share, where there is one. */
void chain::make_l1(const chain_parameters &p, uint64_t unit, translator &next)
{
    const bool victims = p.number("victim.entries") != 0;
    if (victims && unit % p.number("victim.shared_by") == 0)
        victims_to_ = &make_victim(p, next);
    make_tlb(p, "l1_tlb", victims ? *victims_to_ : next, victims || p["l1_tlb.victims"].value == "pass", l1_);
}

void chain::make_mmu(const chain_parameters &p)
{
    const uint64_t cus = p.number("gpu.cus"), shared_by = p.number("walk_unit.shared_by");
    const bool second = p.number("l2_tlb.entries") != 0;
    if (second && shared_by < cus)
        refuse(p, "l2_tlb.entries",
               "a TLB for all compute units wants one walk unit for all: walk_unit.shared_by = " +
                   std::to_string(cus));
    if (p.number("victim.entries") != 0 && shared_by < cus && shared_by % p.number("victim.shared_by") != 0)
        refuse(p, "walk_unit.shared_by",
               "has to be a multiple of victim.shared_by, whose translations lie above");
    translator *next = nullptr;
    for (uint64_t unit = 0; unit < cus; ++unit) {
        if (unit % shared_by == 0) {
            next = &make_walks(p);
            if (second)
                next = &count("l2_tlb", make_tlb(p, "l2_tlb", *next, false, between_));
        }
        make_l1(p, unit, *next);
    }
}

ww_table chain::table_of(uint64_t root_pa) const
{
    ww_table t = model_table_;
    t.regs.word[0] |= root_pa;
    return t;
}

void chain::set_table(uint32_t vmid, const ww_table &table)
{
    for (const auto &w : walks_)
        w->set_table(static_cast<uint16_t>(vmid), table);
}

/* Each stage forgets what is below it first; a walk that several share does so several times, which changes
 * nothing. */
void chain::forget(const ww_inval_scope &scope)
{
    for (const auto &t : l1_)
        t->forget_now(scope);
}

void chain::states(const translator::state_fn &f) const
{
    for (const auto *group : {&l1_, &between_})
        for (const auto &t : *group)
            t->states(f);
    for (const auto &w : walks_)
        w->states(f);
}

const char *chain::check() const
{
    const char *broken = nullptr;
    for (const auto *group : {&l1_, &between_})
        for (const auto &t : *group)
            broken = broken != nullptr ? broken : t->check();
    for (const auto &w : walks_)
        broken = broken != nullptr ? broken : w->check();
    return broken;
}

std::vector<stage_count> chain::counts() const
{
    std::vector<stage_count> all;
    for (const char *stage : {"victim", "l2_tlb", "iommu_tlb", "walks"}) {
        stage_count sum = {stage, 0, 0};
        bool there = false;
        for (const named_counter &c : counters_)
            if (std::string(c.stage) == stage) {
                there = true;
                sum.lookups += c.counter->requests;
                sum.fills += c.counter->fills;
            }
        if (there)
            all.push_back(sum);
    }
    return all;
}

std::vector<uint64_t *> chain::counters()
{
    std::vector<uint64_t *> all = {&memory_.reads, &memory_.refused};
    for (const named_counter &c : counters_) {
        all.push_back(&c.counter->requests);
        all.push_back(&c.counter->fills);
    }
    return all;
}

void chain::reset_counts()
{
    for (uint64_t *n : counters())
        *n = 0;
}

} // namespace walkway
