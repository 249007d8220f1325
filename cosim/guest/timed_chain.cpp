/* SPDX-License-Identifier: MIT */
/* guest/timed_chain.cpp - builds a chain from a machine's path and translates with it. */
#include "guest/timed_chain.hpp"

#include "model/params/tlb.hpp"
#include "model/params/walk_unit.hpp"
#include "platforms/gpu_params.hpp"
#include "support/errors.hpp"

#include <algorithm>
#include <cstring>

namespace walkway
{

constexpr uint32_t x86_page_sizes = 1u << WW_PAGE_4K | 1u << WW_PAGE_2M | 1u << WW_PAGE_1G;

/* The guest's memory, but with the entries that the present access's walk read at the time of the access. */
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

/* Counts the requests to a part, and their time until the answer. */
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

static void refuse(const std::string &what, const std::string &why)
{
    throw failure(exit_usage, what + ": " + why);
}

/* Returns the levels. Refuses those that cannot serve a processor that waits for each translation. */
static level_path path_of(const gpu_machine_params &p)
{
    if (p.rung() != ideal::off)
        refuse("translation.ideal", "a guest is timed without the ideal ladder");
    address_widths widths;
    widths.va = ww_va_bits(WW_LEVELS_MAX);
    widths.pa = WW_X86_PHYS_BITS_MAX;
    level_path path = p.path_now(x86_page_sizes, widths);
    for (const level *l : path.present()) {
        if (const std::string why = l->why_not_now(); !why.empty())
            refuse(l->presence(), why + "; a guest is timed without");
        if (const auto *of = params_in<walk_unit_params>(*l); of != nullptr && of->pte_cache_bytes != 0)
            refuse(l->section() + ".pte_cache_bytes",
                   "a processor's tables change without invalidates for entries that become present, which a "
                   "cache of table lines would miss");
        if (const std::string wrong = l->validate(); !wrong.empty())
            refuse(l->section(), wrong);
    }
    return path;
}

timed_chain::timed_chain(const gpu_machine_params &p, ww_guest_ram ram)
    : path_(path_of(p)), cus_(p.gpu.cus), clock_(p.gpu.clock_ps)
{
    for (const level *l : path_.present())
        if (!l->ends_path())
            parts_.push_back({l->section(), l->title()});
    parts_.push_back({"walks", "walks of the guest's page table, without memory"});
    parts_.push_back({"memory", "reads of page-table entries in memory"});
    const tick read_ps = tick{p.dram.tck_ps} * (p.dram.overhead_cycles + p.dram.rcd + p.dram.cl +
                                                p.dram.burst * std::max<uint64_t>(1, p.dram.bursts));
    memory_ = std::make_unique<guest_memory>(ram, read_ps, parts_.back());
    build(WW_LEVELS_MIN);
}

timed_chain::~timed_chain() = default;

/* Builds the stages, each with its account. Compute unit 0's first stage gets the requests. */
void timed_chain::build(uint32_t levels)
{
    ww_table table = ww_x86_table(levels, cr3_ & WW_PTE_FRAME, WW_X86_PHYS_BITS_MAX);
    table.regs.word[1] |= WW_X86_FOLDED;
    watched_.clear();
    walks_.clear();
    levels_ = levels;
    const now_ends ends = {
        [&](const level &l) -> translator & {
            const walk_unit_params &p = params_of<walk_unit_params>(l);
            walks_.push_back(std::make_unique<walk_translator>(page_tables(table), p.caches(table.kind),
                                                               clock_, p.times(clock_), *memory_));
            if (!walks_.back()->ok())
                refuse(l.section(), "pwc_l2 ... pwc_l5: no page-walk caches have these numbers of entries");
            return *walks_.back();
        },
        [&](const level &l, translator &made) -> translator & {
            const std::string part = l.ends_path() ? "walks" : l.section();
            const auto of = std::find_if(parts_.begin(), parts_.end(),
                                         [&](const part_account &a) { return a.name == part; });
            watched_.push_back(std::make_unique<watched>(made, *of));
            return *watched_.back();
        }};
    stages_ = now_path(path_, cus_, clock_, ends);
    top_ = &stages_.of_unit(0);
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
    for (const auto &walks : walks_) {
        ww_table table = walks->tables().of(0);
        table.regs.word[0] = cr3 & WW_PTE_FRAME;
        walks->set_table(0, table);
    }
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
    if (a.fault) { /* like a processor, walks again without held entries before it faults */
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
    for (const auto &stage : stages_.all())
        if (const char *broken = stage->check())
            return broken;
    for (const auto &walks : walks_)
        if (const char *broken = walks->check())
            return broken;
    return nullptr;
}

} // namespace walkway
