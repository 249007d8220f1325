/* SPDX-License-Identifier: MIT */
/* platforms/mmu_params.cpp - the parameters of the mmu wiring, and what follows from them. */
#include "platforms/mmu_params.hpp"

#include "platforms/needs.hpp"

namespace walkway
{

void mmu_walk_params::visit(param_visitor &v)
{
    v.number("shared_by", shared_by, {"compute units", 1, 250, "compute units that share a walk unit"});
    walk_unit_params::visit(v);
}

mmu_params::mmu_params()
{
    l2_tlb.may_be_absent = l2_tlb.may_take = l2_tlb.may_compress = true;
}

void mmu_params::visit(param_visitor &v)
{
    visit_units(v, false);
    v.section("l2_tlb", "the TLB in front of a walk unit that all compute units share", l2_tlb);
    v.section("walk_unit", "page-table walks, of one compute unit or of several", walk_unit);
    visit_memory(v);
}

std::string mmu_params::validate() const
{
    return first_fault({
        {nullptr, [this] { return validate_shared(); }},
        {"l2_tlb", [this] { return second_tlb(l2_tlb).validate(); }},
        {"walk_unit", [this] { return walk_unit.validate(); }},
        {nullptr, [this] { return validate_sharers(); }},
    });
}

std::string mmu_params::validate_sharers() const
{
    if (walk_units() == 1)
        return "";
    if (l2_tlb.present())
        return "l2_tlb.entries: a TLB for all compute units wants one walk unit for all (walk_unit.shared_by "
               "= " +
               std::to_string(gpu.cus) + ")";
    if (walk_unit.shared_by % last_sharers() != 0)
        return std::string("walk_unit.shared_by: has to be a multiple of ") +
               (victim.present() ? "victim.shared_by" : "icache.shared_by") +
               ", whose translations lie above";
    return "";
}

std::string mmu_params::overruled_by(const std::string &parameter) const
{
    static const std::pair<const char *, ideal> lost[] = {
        {"walk_unit.walkers", ideal::unlimited_walkers},
        {"walk_unit.buffer_entries", ideal::unlimited_walkers},
        {"walk_unit.read_cycles", ideal::zero_walk},
        {"walk_unit.reply_cycles", ideal::zero_walk},
        {"l1_tlb.entries", ideal::infinite_tlb},
        {"l1_tlb.ways", ideal::infinite_tlb},
        {"l1_tlb.index", ideal::infinite_tlb},
    };
    for (const auto &[name, from] : lost)
        if (parameter == name && rung() >= from)
            return "translation.ideal";
    const std::string section = parameter.substr(0, parameter.find('.'));
    const bool lost_here = perfect() && (section == "walk_unit" || section == "l2_tlb");
    if (lost_here || idealised_shared(parameter))
        return "translation.ideal";
    if (parameter == "l1_tlb.victims" && !passes_victims().empty())
        return passes_victims();
    return unmet_need([p = *this](param_visitor &v) mutable { p.visit(v); }, parameter);
}

void mmu_params::structures(structure_list &list) const
{
    structures_of_units(list);
    add_structures(list, "l2_tlb", l2_tlb.present() ? 1 : 0, l2_tlb);
    add_structures(list, "walk_unit", walk_units(), walk_unit);
    add_structures(list, "l1d", gpu.cus, l1d);
    add_structures(list, "l2d", 1, l2d);
}

mmu_params mmu_params::resolved(uint64_t pages) const
{
    mmu_params p = *this;
    p.resolve_shared();
    p.l2_tlb = second_tlb(l2_tlb);
    if (!faults())
        p.walk_unit.fault_entries = 0;
    if (rung() >= ideal::unlimited_walkers) {
        p.walk_unit.walkers = 4096;
        p.walk_unit.buffer_entries = 4096;
    }
    p.walk_unit.zero_walk = rung() >= ideal::zero_walk;
    if (rung() >= ideal::infinite_tlb)
        make_infinite(p.l1_tlb, pages);
    return p;
}

std::unique_ptr<machine_params> make_mmu_params()
{
    return std::make_unique<params_of_wiring<mmu_params>>();
}

} // namespace walkway
