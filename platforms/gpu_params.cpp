/* SPDX-License-Identifier: MIT */
/* platforms/gpu_params.cpp - what machines with a GPU have in common. */
#include "platforms/gpu_params.hpp"

#include "kernels/bits.h"
#include "model/program_list.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

void gpu_params::visit(param_visitor &v)
{
    v.number("cus", cus, {"compute units", 1, most_units, "compute units"});
    v.number("clock_ps", clock_ps,
             {"ps", 100, 100000, "clock period of the GPU, its TLBs, walkers and caches"});
}

void translation_params::visit(param_visitor &v, bool shared_tlb)
{
    if (shared_tlb)
        v.choice("ideal", ideal,
                 {"off", "unlimited_walkers", "zero_walk", "infinite_l2", "perfect_l1", "none"},
                 {"", 0, 0,
                  "the ideal ladder, each rung on top of those before it: 4096 walkers and buffer entries; "
                  "page-table reads take "
                  "no time; the L2 TLB holds everything; every translation takes one cycle; a translation is "
                  "there with its "
                  "request"});
    else
        v.choice(
            "ideal", ideal, {"off", "unlimited_walkers", "zero_walk", "infinite_l1", "perfect_l1", "none"},
            {"", 0, 0,
             "the ideal ladder, each rung on top of those before it: 4096 walkers and buffer entries of each "
             "unit; page-table reads take no time; each L1 TLB holds everything; every translation takes "
             "one cycle; a translation is there with its request"});
}

gpu_machine_params::gpu_machine_params()
{
    l1_tlb.may_pass = lds.may_lend = icache.may_lend = true;
    l2d.bytes = 4u << 20;
    l2d.write = WW_WRITE_BACK;
    l2d.hit_cycles = 100;
    l2d.ports = 4;
    l2d.mshrs = 1024;
}

static std::string section_of(const std::string &parameter)
{
    return parameter.substr(0, parameter.find('.'));
}

void gpu_machine_params::visit_units(param_visitor &v, bool shared_tlb)
{
    v.section("gpu", "the GPU as a whole", gpu);
    v.begin("translation", "the ideal ladder");
    translation.visit(v, shared_tlb);
    v.end();
    v.section("dispatcher", "hands work-groups to compute units", dispatcher);
    v.section("cu", "each compute unit", cu);
    v.section("lds", "each compute unit's controller of local memory", lds);
    v.section("icache", "each instruction cache", icache);
    v.section("coalescer", "each compute unit's address coalescer", coalescer);
    v.section("l1_tlb", "each compute unit's TLB", l1_tlb);
    v.section("prefetch", "the prefetcher below each compute unit's TLB", prefetch);
    v.section("victim", "each victim TLB, between L1 TLBs and the next level", victim);
}

void gpu_machine_params::visit_memory(param_visitor &v)
{
    v.section("l1d", "each compute unit's data cache", l1d);
    v.section("l2d", "the data cache shared by the compute units", l2d);
    v.section("dram", "main memory", dram);
    v.section("address_space", "the program's virtual memory, laid out before time zero", address_space);
    v.section("pager", "maps pages that are not mapped before time zero", pager);
    v.section("driver", "pages of a program that is larger than device memory", driver);
    v.section("host_link", "the way to host memory, where there is a driver", host_link);
    v.section("copy_engine", "moves pages between device and host memory", copy_engine);
}

std::string first_fault(const std::vector<part_check> &checks)
{
    for (const part_check &check : checks) {
        const std::string fault = check.fault();
        if (!fault.empty())
            return check.part == nullptr ? fault : std::string(check.part) + ": " + fault;
    }
    return "";
}

std::string gpu_machine_params::validate_shared() const
{
    return first_fault({
        {"cu", [this] { return cu.validate(); }},
        {"lds", [this] { return lds.validate(); }},
        {"icache", [this] { return icache.validate(); }},
        {"l1_tlb", [this] { return l1_tlb.validate(); }},
        {"l1d", [this] { return l1d.validate(); }},
        {"l2d", [this] { return l2d.validate(); }},
        {"victim", [this] { return victim.validate(); }},
        {"dram", [this] { return dram.validate(); }},
        {"address_space", [this] { return address_space.validate(); }},
        {"driver", [this] { return driver.validate(); }},
        {"driver", [this] { return validate_driver(); }},
        {nullptr, [this] { return validate_together(); }},
    });
}

/* What no part can know by itself. */
std::string gpu_machine_params::validate_together() const
{
    if (icache.lends() && victim.present() && victim.shared_by % icache.shared_by != 0)
        return "victim.shared_by: has to be a multiple of icache.shared_by, whose translations lie above";
    if (lds.lends() && cu.lds_granule % lds.segment_bytes != 0)
        return "lds: segment_bytes does not divide cu.lds_granule";
    if (gpu.cus % dispatcher.shares != 0)
        return "dispatcher: shares = " + std::to_string(dispatcher.shares) +
               " does not divide gpu.cus = " + std::to_string(gpu.cus);
    const uint64_t memory = memory_end();
    if (icache.present() && icache.code_pa >= std::min(address_space.table_pa, address_space.data_pa))
        return "icache: code_pa does not lie below address_space.table_pa and address_space.data_pa";
    if (address_space.data_pa + address_space.memory_bytes > memory)
        return "address_space: data_pa + memory_bytes lies above the " + std::to_string(memory) +
               " bytes of dram";
    return "";
}

/* What it places is pages of one program as they are touched. */
std::string gpu_machine_params::validate_driver() const
{
    if (!driver.present())
        return "";
    const std::string set = "oversubscription = " + std::to_string(driver.oversubscription) + ": ";
    if (address_space.mode() != map_mode::first_touch && address_space.mode() != map_mode::all_paged)
        return set + "pages come as they are touched, or as many as there is room for are there at the "
                     "start, so address_space.map = first_touch or all_paged is needed";
    if (driver.at_start() == pages_start::host && address_space.mode() != map_mode::all_paged)
        return "driver.start = host: address_space.map = all_paged is needed, else nothing is mapped at the "
               "start";
    if (address_space.page_sizes() != 1u << address_space.page_shift())
        return set + "a frame that a page leaves has to fit the next one, so pages are of one size: "
                     "address_space.page = 4k, 64k or 2m is needed";
    if (address_space.spaces != 1)
        return set + "there is one address space";
    if (address_space.format() == table_format::nested &&
        static_cast<paging_by>(address_space.paging) != paging_by::host)
        return set +
               "of nested tables it is the host whose pages move, so address_space.paging = host is needed";
    return "";
}

uint64_t gpu_machine_params::memory_end() const
{
    return (uint64_t{dram.row_bytes} << dram.row_bits) * dram.banks * dram.ranks * dram.channels;
}

bool gpu_machine_params::idealised_shared(const std::string &parameter) const
{
    return perfect() && (parameter == "address_space.map" || section_of(parameter) == "pager" ||
                         section_of(parameter) == "prefetch" || section_of(parameter) == "victim" ||
                         section_of(parameter) == "driver" || section_of(parameter) == "host_link" ||
                         section_of(parameter) == "copy_engine" || lds_params::of_translations(parameter) ||
                         icache_params::of_translations(parameter) ||
                         (parameter != "l1_tlb.queue_entries" && section_of(parameter) == "l1_tlb"));
}

std::string gpu_machine_params::passes_victims() const
{
    return victim.present() ? "victim.entries"
           : lds.lends()    ? "lds.translations"
           : icache.lends() ? "icache.translations"
                            : "";
}

void gpu_machine_params::structures_of_units(structure_list &list) const
{
    add_structures(list, "lds", gpu.cus, lds);
    add_structures(list, "icache", icache.caches(gpu.cus), icache);
    add_structures(list, "l1_tlb", gpu.cus, l1_tlb);
    add_structures(list, "prefetch", gpu.cus, prefetch);
    add_structures(list, "victim", victim.tlbs(gpu.cus), victim);
}

void gpu_machine_params::set_programs(size_t count)
{
    if (count <= 1)
        return;
    const std::string many = std::to_string(count) + " programs at a time: ";
    if (driver.present())
        throw std::runtime_error(many + "driver.oversubscription is for one");
    if (count > program_list::most)
        throw std::runtime_error(many + "there are VM-IDs for " + std::to_string(program_list::most));
    if (address_space.spaces != 1)
        throw std::runtime_error(many + "each has an address space of its own, and address_space.spaces = " +
                                 std::to_string(address_space.spaces) + " is for one");
    if (dispatcher.shares != 1 && dispatcher.shares < count)
        throw std::runtime_error(many + "dispatcher.shares = " + std::to_string(dispatcher.shares) +
                                 " is neither 1, which is for taking turns, nor enough");
    address_space.spaces = static_cast<uint32_t>(count);
}

address_space_params gpu_machine_params::address_space_of_run() const
{
    address_space_params p = address_space;
    p.driven = driven();
    if (perfect())
        p.map = static_cast<uint8_t>(map_mode::all);
    return p;
}

void gpu_machine_params::resolve_shared()
{
    host_link.host_pa = memory_end();
    dispatcher.spaces = address_space.spaces;
    coalescer.page_shift = address_space.page_shift();
    coalescer.va_bits = address_space.va_bits();
    coalescer.wave_lanes = cu.lanes();
    lds.bytes = cu.lds_bytes;
    l1_tlb.page_sizes = prefetch.page_sizes = victim.page_sizes = lds.tx.page_sizes = icache.tx.page_sizes =
        page_sizes();
    if (!passes_victims().empty())
        l1_tlb.victims = 1; /* passed on */
    prefetch.va_bits = address_space.va_bits();
    prefetch.ports = l1_tlb.ports;
    prefetch.queue_entries = l1_tlb.queue_entries;
    prefetch.mshrs = l1_tlb.mshrs;
}

tlb_params gpu_machine_params::second_tlb(tlb_params l2_tlb) const
{
    const address_widths w = widths();
    l2_tlb.page_sizes = page_sizes();
    l2_tlb.va_bits = w.va;
    l2_tlb.pa_bits = w.pa;
    return l2_tlb;
}

address_widths gpu_machine_params::widths() const
{
    address_widths widths;
    widths.va = address_space.va_bits();
    widths.pa = ww_name_bits(driven() ? 2 * memory_end() : memory_end()); /* the host's are above */
    widths.page_shift = address_space.page_shift();
    widths.kind = address_space.kind();
    return widths;
}

void make_infinite(tlb_params &tlb, uint64_t pages)
{
    uint64_t entries = 4096;
    while (entries < pages * 8)
        entries *= 2;
    tlb.entries = static_cast<uint32_t>(entries);
    tlb.ways = entries == 4096 ? 4096 : 64;
    tlb.index = WW_INDEX_XOR;
    tlb.store = static_cast<uint8_t>(tlb_store::plain);
}

} // namespace walkway
