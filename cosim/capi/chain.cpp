/* SPDX-License-Identifier: MIT */
/* capi/chain.cpp - see chain.hpp. */
#include "capi/chain.hpp"

#include "capi/refusal.hpp"
#include "kernels/table/table_amd.h"
#include "kernels/table/table_radix.h"
#include "kernels/table/table_x86.h"
#include "model/params/walk_unit.hpp"
#include "platforms/gpu_params.hpp"

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

/* Refuses parameters that need what a translation within a call does not have. */
void refuse_what_is_not_here(const chain_parameters &p)
{
    for (const level *l : p.machine().path.present())
        if (const std::string why = l->why_not_now(); !why.empty()) {
            const std::string name = l->presence();
            refuse(p, name, why + "; valid: " + (p[name].choices.empty() ? "0" : p[name].choices.front()));
        }
    if (p.machine().driver.present())
        refuse(p, "driver.oversubscription", "the caller moves pages; valid: 0");
    const std::string &ideal = p["translation.ideal"].value;
    if (ideal != "off" && ideal != "unlimited_walkers" && ideal != "zero_walk")
        refuse(p, "translation.ideal",
               "TLBs that hold everything are none; valid: off | unlimited_walkers | zero_walk");
    const std::string &format = p["address_space.table"].value;
    if (format != "radix" && format != "amd_v1")
        refuse(p, "address_space.table",
               "a root does not say where such a table lies; valid: radix | amd_v1");
}

/* Returns the sizes that the machine's own page layout uses (bit n: 1 << n bytes), and always 4 KiB, because
 * the caller builds the tables. */
uint32_t sizes_of(const chain_parameters &p)
{
    const std::string &page = p["address_space.page"].value;
    return 1u << WW_PAGE_4K | (page == "64k" ? 1u << WW_PAGE_64K : page == "4k" ? 0u : 1u << WW_PAGE_2M);
}

ww_table empty_table(const chain_parameters &p, const chain_tables &tables)
{
    const uint32_t levels = p.machine().address_space.levels;
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

std::string stage_of(const level &l)
{
    return l.ends_path() ? "walks" : l.section();
}

/* Returns the origin of a setting in the section, as the start of an error; "" if none is set. */
std::string set_in(const chain_parameters &p, const std::string &section)
{
    for (const chain_parameter &one : p.all())
        if (one.section == section && !one.set_by.empty())
            return one.set_by + ": ";
    return "";
}

/* Returns the path with the widths of the caller's tables. Throws refusal if it is illegal. */
level_path path_of(const chain_parameters &p, uint32_t page_sizes, uint64_t va_mask, uint32_t physical_bits)
{
    address_widths widths;
    widths.va = static_cast<uint32_t>(__builtin_popcountll(va_mask));
    widths.pa = physical_bits;
    const gpu_machine_params &machine = p.machine();
    level_path path = machine.path_now(page_sizes, widths);
    address_widths narrow = widths;
    narrow.pa = WW_PAGE_4K + 1;
    const level_path with_little_memory = machine.path_now(page_sizes, narrow);
    for (const level *l : path.present()) {
        std::string wrong = l->validate();
        if (!wrong.empty() && with_little_memory.find(l->section())->validate().empty())
            wrong += "; options.physical_bits says how many bits physical addresses have, here " +
                     std::to_string(physical_bits);
        if (!wrong.empty())
            throw refusal(WALKWAY_E_CONFIG, set_in(p, l->section()) + l->section() + ": " + wrong);
    }
    const std::string wrong = path.validate(machine.gpu.cus, machine.lds, machine.icache);
    if (!wrong.empty())
        throw refusal(WALKWAY_E_CONFIG, set_in(p, wrong.substr(0, wrong.find('.'))) + wrong);
    return path;
}

} // namespace

chain::chain(const chain_parameters &p, const chain_tables &tables)
    : clock_(p.machine().gpu.clock_ps), page_sizes_(sizes_of(p)), model_table_{}, vmids_(tables.vmids),
      levels_(p.machine().address_space.levels), physical_bits_(tables.physical_bits), va_mask_(0),
      canonical_(tables.table == WALKWAY_TABLE_X86)
{
    refuse_what_is_not_here(p);
    model_table_ = empty_table(p, tables);
    if (canonical_)
        model_table_.regs.word[1] |= WW_X86_FOLDED;
    va_mask_ = va_mask_of(model_table_, levels_);
    const level_path path = path_of(p, page_sizes_, va_mask_, physical_bits_);
    for (const level *l : path.present())
        if (l == path.present().front() && !l->ends_path())
            first_ = l->section();
        else
            order_.push_back(stage_of(*l));
    stages_ = now_path(path, p.machine().gpu.cus, clock_,
                       {[this](const level &l) -> translator & { return make_walks(l); },
                        [this](const level &l, translator &made) -> translator & {
                            return l.section() == first_ ? made : watch(stage_of(l), made);
                        }});
}

translator &chain::watch(const std::string &stage, translator &made)
{
    counters_.push_back({stage, std::make_unique<stage_counter>(made)});
    return *counters_.back().counter;
}

translator &chain::make_walks(const level &l)
{
    const walk_unit_params &p = params_of<walk_unit_params>(l);
    walks_.push_back(
        std::make_unique<walk_translator>(page_tables(std::vector<ww_table>(vmids_, model_table_)),
                                          p.caches(model_table_.kind), clock_, p.times(clock_), memory_));
    if (!walks_.back()->ok())
        throw refusal(WALKWAY_E_INTERNAL, "the caches of a walk unit are illegal");
    parts_.push_back(std::make_unique<page_parts>(*walks_.back(), page_sizes_, physical_bits_));
    return *parts_.back();
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

/* Each stage first invalidates the stages below it. A shared stage is invalidated once per unit, which is
 * harmless. */
void chain::forget(const ww_inval_scope &scope)
{
    for (uint32_t unit = 0; unit < units(); ++unit)
        of_unit(unit).forget_now(scope);
}

void chain::states(const translator::state_fn &f) const
{
    for (const auto &t : stages_.all())
        t->states(f);
    for (const auto &w : walks_)
        w->states(f);
}

const char *chain::check() const
{
    const char *broken = nullptr;
    for (const auto &t : stages_.all())
        broken = broken != nullptr ? broken : t->check();
    for (const auto &w : walks_)
        broken = broken != nullptr ? broken : w->check();
    return broken;
}

std::vector<stage_count> chain::counts() const
{
    std::vector<stage_count> all;
    for (const std::string &stage : order_) {
        stage_count sum = {stage, 0, 0};
        for (const named_counter &c : counters_)
            if (c.stage == stage) {
                sum.lookups += c.counter->requests;
                sum.fills += c.counter->fills;
            }
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
