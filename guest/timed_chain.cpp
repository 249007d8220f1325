/* SPDX-License-Identifier: MIT */
/* guest/timed_chain.cpp - builds a chain from a platform's parameters, and asks it. */
#include "guest/timed_chain.hpp"

#include "support/errors.hpp"
#include "translate/array_pair_translator.hpp"
#include "translate/store_translator.hpp"
#include "translate/tlb_stores.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>

namespace walkway
{

constexpr uint32_t x86_page_sizes = 1u << WW_PAGE_4K | 1u << WW_PAGE_2M | 1u << WW_PAGE_1G;

/* The platform's parameters by name. */
struct timed_chain::numbers {
    std::map<std::string, parameter> of;

    explicit numbers(const std::vector<parameter> &parameters)
    {
        for (const parameter &p : parameters)
            of.emplace(p.name, p);
        for (const char *needed : {"gpu.clock_ps", "l1_tlb.entries", "walk_unit.walkers", "dram.tck_ps"})
            if (of.count(needed) == 0)
                throw failure(exit_usage,
                              std::string("the machine has no ") + needed + ": it cannot time a guest");
        refuse("translation.ideal", "a guest is timed without the ideal ladder");
        refuse("l1_tlb.store", "a guest is timed by plain TLBs");
        refuse("l2_tlb.store", "a guest is timed by plain TLBs");
        refuse("walk_unit.pte_cache_bytes",
               "a processor's tables change without invalidates for entries that become present, which a "
               "cache of table lines would miss");
    }
    void refuse(const std::string &name, const std::string &why) const
    {
        const auto at = of.find(name);
        if (at != of.end() && at->second.number != 0)
            throw failure(exit_usage, name + " = " + at->second.value + ": " + why);
    }
    uint64_t operator[](const std::string &name) const
    {
        const auto at = of.find(name);
        return at == of.end() ? 0 : at->second.number;
    }
    bool has_iommu_tlb() const
    {
        return (*this)["iommu_tlb.tlb1_entries"] + (*this)["iommu_tlb.tlb2_entries"] != 0;
    }
    uint32_t small(const std::string &name) const { return static_cast<uint32_t>((*this)[name]); }
};

/* Memory that has what the guest's has, but of the entries of the present walk what they were at its time. */
class timed_chain::guest_memory final : public line_memory
{
public:
    guest_memory(ww_guest_ram ram, tick read_ps, part_account &account)
        : ram_(ram), read_ps_(read_ps), account_(account)
    {
    }
    void present(const ww_guest_record &access, uint64_t cr3)
    {
        const auto levels = static_cast<uint32_t>(ww_bits_get(WW_GUEST_LEVELS, access.what));
        count_ = static_cast<uint32_t>(ww_bits_get(WW_GUEST_ENTRIES, access.what));
        for (uint32_t i = 0; i < count_; ++i) {
            const uint64_t node = (i == 0 ? cr3 : access.entry[i - 1]) & WW_PTE_FRAME;
            at_[i] = node + ww_index(access.va, levels - i) * sizeof(uint64_t);
            entry_[i] = access.entry[i];
        }
    }
    bool line_now(uint64_t pa, uint64_t line[WW_LINE_PTES], tick *at) override
    {
        const uint64_t base = ww_line_base(pa);
        *at += read_ps_;
        ++account_.lookups;
        account_.whole_ps += read_ps_;
        if (base >= ram_.bytes)
            return false;
        std::memcpy(line, ram_.at + base, WW_LINE_BYTES);
        for (uint32_t i = 0; i < count_; ++i)
            if (ww_line_base(at_[i]) == base)
                line[at_[i] % WW_LINE_BYTES / sizeof(uint64_t)] = entry_[i];
        return true;
    }

private:
    ww_guest_ram ram_;
    tick read_ps_;
    part_account &account_;
    uint32_t count_ = 0;
    std::array<uint64_t, WW_GUEST_LEVELS_MAX> at_{}, entry_{};
};

/* Counts what passes on its way to a part, and the time until the answer. */
class timed_chain::watched final : public translator
{
public:
    watched(translator &inner, part_account &account) : inner_(inner), account_(account) {}
    now_answer translate_now(const now_request &r, tick t, now_how how) override
    {
        const now_answer a = inner_.translate_now(r, t, how);
        ++account_.lookups;
        account_.whole_ps += a.at - t;
        return a;
    }
    void forget_now(const ww_inval_scope &scope) override { inner_.forget_now(scope); }
    const char *check() const override { return inner_.check(); }

private:
    translator &inner_;
    part_account &account_;
};

timed_chain::timed_chain(const std::vector<parameter> &parameters, ww_guest_ram ram)
    : numbers_(std::make_unique<numbers>(parameters)), clock_((*numbers_)["gpu.clock_ps"])
{
    const numbers &n = *numbers_;
    parts_.push_back({"l1_tlb", "the L1 TLB"});
    if (n["l2_tlb.entries"] != 0)
        parts_.push_back({"l2_tlb", "the L2 TLB"});
    if (n.has_iommu_tlb())
        parts_.push_back({"iommu_tlb", "the IOMMU's TLBs"});
    parts_.push_back({"walks", "walks of the guest's page table, without memory"});
    parts_.push_back({"memory", "reads of page-table entries in memory"});
    const tick read_ps = n["dram.tck_ps"] * (n["dram.overhead_cycles"] + n["dram.rcd"] + n["dram.cl"] +
                                             n["dram.burst"] * std::max<uint64_t>(1, n["dram.bursts"]));
    memory_ = std::make_unique<guest_memory>(ram, read_ps, parts_.back());
    build(WW_LEVELS_MIN);
}

timed_chain::~timed_chain() = default;

static stage_store tlb_of(uint32_t entries, uint32_t ways, const std::string &what, ww_tlb_cfg cfg = {})
{
    cfg.sets = ways == 0 ? 0 : entries / ways;
    cfg.ways = ways;
    cfg.page_sizes = x86_page_sizes;
    try {
        return make_tlb_store(cfg);
    } catch (const std::invalid_argument &e) {
        throw failure(exit_usage, what + " = " + std::to_string(entries) + ": " + e.what());
    }
}

/* From the walk upwards; each part has its account at the same place of parts_. */
void timed_chain::build(uint32_t levels)
{
    const numbers &n = *numbers_;
    ww_table table = ww_x86_table(levels, cr3_ & WW_PTE_FRAME, WW_X86_PHYS_BITS_MAX);
    table.regs.word[1] |= WW_X86_FOLDED;
    walk_caches caches = {};
    caches.pwc.kind = table.kind;
    for (uint32_t step = 2; step <= levels; ++step)
        caches.pwc.entries[step] = n.small("walk_unit.pwc_l" + std::to_string(step));
    const auto time = [&](const std::string &name) { return clock_.cycles(n[name]); };
    stages_.clear();
    levels_ = levels;
    size_t part = parts_.size() - 2;
    const auto put = [&](std::unique_ptr<translator> stage) {
        stages_.push_back(std::move(stage));
        stages_.push_back(std::make_unique<watched>(*stages_.back(), parts_[part]));
        top_ = stages_.back().get();
        --part;
    };
    auto walks = std::make_unique<walk_translator>(
        page_tables(table), caches, clock_,
        walk_times{time("walk_unit.pwc_cycles"), 0, time("walk_unit.read_cycles"),
                   time("walk_unit.reply_cycles"), time("walk_unit.response_cycles")},
        *memory_);
    if (!walks->ok())
        throw failure(exit_usage,
                      "walk_unit.pwc_l2 ... pwc_l5: no page-walk caches have these numbers of entries");
    walks_ = walks.get();
    put(std::move(walks));
    if (n.has_iommu_tlb()) {
        const uint32_t first = n.small("iommu_tlb.tlb1_entries"), second = n.small("iommu_tlb.tlb2_entries");
        tlb_array one, other;
        if (first != 0)
            one = {tlb_of(first, first, "iommu_tlb.tlb1_entries").storage, time("iommu_tlb.tlb1_cycles")};
        if (second != 0)
            other = {tlb_of(second, n.small("iommu_tlb.tlb2_ways"), "iommu_tlb.tlb2_entries").storage,
                     time("iommu_tlb.tlb2_cycles")};
        put(std::make_unique<array_pair_translator>(std::move(one), std::move(other), clock_,
                                                    time("iommu_tlb.response_cycles"), *top_));
    }
    for (const char *section : {"l2_tlb.", "l1_tlb."}) {
        const std::string s = section;
        if (n[s + "entries"] == 0)
            continue;
        const tick probes = time(s + "size_probe_cycles") * 2; /* three sizes */
        ww_tlb_cfg cfg = {};
        cfg.index = static_cast<uint8_t>(n[s + "index"]);
        cfg.replace = static_cast<uint8_t>(n[s + "replace"]);
        cfg.seed = n[s + "seed"];
        put(std::make_unique<store_translator>(
            tlb_of(n.small(s + "entries"), n.small(s + "ways"), s + "entries", cfg), stage_policy{}, clock_,
            stage_times{time(s + "hit_cycles") + probes, time(s + "response_cycles"),
                        time(s + "link_cycles")},
            *top_));
    }
}

static uint64_t folded(uint64_t va, uint32_t levels)
{
    return va & ww_page_mask(ww_va_bits(levels));
}

void timed_chain::root(uint64_t cr3, uint64_t cr4)
{
    const uint32_t levels = (cr4 >> 12 & 1) != 0 ? WW_LEVELS_MAX : WW_LEVELS_MIN;
    cr3_ = cr3;
    if (levels != levels_) {
        build(levels);
        return;
    }
    ww_table table = walks_->tables().of(0);
    table.regs.word[0] = cr3 & WW_PTE_FRAME;
    walks_->set_table(0, table);
    drop_all();
}

void timed_chain::drop_page(uint64_t va)
{
    top_->forget_now(ww_inval_range(folded(va, levels_) & ~ww_page_mask(WW_PAGE_4K), WW_NODE_BYTES, 0));
}

void timed_chain::drop_all()
{
    top_->forget_now(ww_inval_all());
}

bool timed_chain::translate(const ww_guest_record &access, uint64_t *pa)
{
    const now_request r = {folded(access.va, levels_), 0};
    memory_->present(access, cr3_);
    now_answer a = top_->translate_now(r, now_, now_how::commit);
    if (a.fault) { /* a processor, too, walks again without what it held before it raises a fault */
        ++again_;
        drop_page(access.va);
        const now_answer second = top_->translate_now(r, a.at, now_how::commit);
        latency_.add(clock_.ceil_cycle(second.at - now_));
        now_ = second.at;
        *pa = second.fault ? 0 : ww_xlat_pa(&second.xlat, r.va);
        return !second.fault;
    }
    latency_.add(clock_.ceil_cycle(a.at - now_));
    now_ = a.at;
    *pa = ww_xlat_pa(&a.xlat, r.va);
    return true;
}

const char *timed_chain::check() const
{
    for (const auto &stage : stages_)
        if (const char *broken = stage->check())
            return broken;
    return nullptr;
}

} // namespace walkway
