/* SPDX-License-Identifier: MIT */
/* platforms/gpu_params.cpp - the parameters of a machine, and values derived from them. */
#include "platforms/gpu_params.hpp"

#include "kernels/bits.h"
#include "model/common/needs.hpp"
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

void translation_params::visit(param_visitor &v, const std::vector<const char *> &levels)
{
    v.choice(
        "ideal", ideal, {"off", "unlimited_walkers", "zero_walk", "infinite_tlb", "perfect_l1", "none"},
        {"", 0, 0,
         "the ideal ladder, each rung on top of those before it: 4096 walkers and buffer entries of each "
         "unit; page-table reads take no time; a TLB holds everything; every translation takes one "
         "cycle; a translation is there with its request",
         neutral});
    v.needs("ideal");
    v.only_timed(no_program);
    if (!levels.empty())
        v.choice("infinite", infinite, levels,
                 {"", 0, 0, "the level whose TLBs hold everything, from infinite_tlb on", neutral});
}

/* By default the last TLB of the path is the one that the ladder makes infinite. */
gpu_machine_params::gpu_machine_params(const std::string &text) : path(text)
{
    const size_t count = path.finite().size();
    translation.infinite = static_cast<uint8_t>(count == 0 ? 0 : count - 1);
}

void gpu_machine_params::visit(param_visitor &v)
{
    v.section("gpu", "the GPU as a whole", gpu);
    v.begin("translation", "the ideal ladder");
    translation.visit(v, path.finite());
    v.end();
    v.section("dispatcher", "hands work-groups to compute units", dispatcher, no_program);
    v.section("cu", "each compute unit", cu, no_program);
    v.section("lds", "each compute unit's controller of local memory", lds, no_program);
    v.section("icache", "each instruction cache", icache, no_program);
    v.section("coalescer", "each compute unit's address coalescer", coalescer, no_program);
    for (const auto &l : path.all())
        l->visit(v);
    v.section("l1d", "each compute unit's data cache", l1d, no_program);
    v.section("l2d", "the data cache shared by the compute units", l2d, callers_memory);
    v.section("dram", "main memory", dram, callers_memory);
    v.section("address_space", "the program's virtual memory, laid out before time zero", address_space);
    v.section("pager", "maps pages that are not mapped before time zero", pager, callers_tables);
    v.section("driver", "pages of a program that is larger than device memory", driver);
    v.section("host_link", "the way to host memory, where there is a driver", host_link, callers_memory);
    v.section("copy_engine", "moves pages between device and host memory", copy_engine, callers_memory);
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

std::string gpu_machine_params::validate() const
{
    const std::string pages = address_space.validate(); /* levels depend on it */
    if (!pages.empty())
        return "address_space: " + pages;
    gpu_machine_params p = *this;
    const std::string small = text_of_too_small(
        [&p](param_visitor &v) { p.visit(v); },
        [&p](const std::string &name) { return !p.perfect() || p.overruled_by(name).empty(); });
    if (!small.empty())
        return small;
    p.know(1);
    return p.validate_known();
}

std::string gpu_machine_params::validate_known() const
{
    std::vector<part_check> checks = {
        {"cu", [this] { return cu.validate(); }},
        {"lds", [this] { return lds.validate(); }},
        {"icache", [this] { return icache.validate(); }},
    };
    for (const auto &l : path.all())
        checks.push_back({l->section().c_str(), [of = l.get()] { return of->validate(); }});
    const std::vector<part_check> others = {
        {nullptr, [this] { return path.validate(gpu.cus, lds, icache); }},
        {"l1d", [this] { return l1d.validate(); }},
        {"l2d", [this] { return l2d.validate(); }},
        {"dram", [this] { return dram.validate(); }},
        {"driver", [this] { return driver.validate(); }},
        {"driver", [this] { return validate_driver(); }},
        {nullptr, [this] { return validate_together(); }},
    };
    checks.insert(checks.end(), others.begin(), others.end());
    return first_fault(checks);
}

/* Checks conditions between parts. */
std::string gpu_machine_params::validate_together() const
{
    for (const level *l : path.present())
        if (const lds_tx_params *tx = params_in<lds_tx_params>(*l);
            tx != nullptr && cu.lds_granule % tx->segment_bytes != 0)
            return l->section() + ": segment_bytes does not divide cu.lds_granule";
    if (gpu.cus % dispatcher.shares != 0)
        return "dispatcher: shares = " + std::to_string(dispatcher.shares) +
               " does not divide gpu.cus = " + std::to_string(gpu.cus);
    const uint64_t memory = memory_end();
    if (icache.present() && icache.code_pa >= std::min(address_space.table_pa, address_space.data_pa))
        return "icache: code_pa does not lie below address_space.table_pa and address_space.data_pa";
    if (address_space.data_pa + address_space.memory_bytes > memory)
        return "address_space: data_pa + memory_bytes lies above the " + std::to_string(memory) +
               " bytes of dram";
    if (carved_bytes() != 0 && carved_bytes() >= address_space.memory_bytes)
        return "memory_tlb: entries take " + std::to_string(carved_bytes()) +
               " bytes and leave none of address_space.memory_bytes to pages";
    return "";
}

/* The driver places pages of one program and one size, on touch or at start. */
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
        return set +
               "a frame that a page leaves has to fit the next one, so pages are of one size: "
               "address_space.page = 4k, 64k or 2m is needed" +
               (address_space.buffer_pages.none() ? "" : ", and address_space.buffer_pages = none");
    if (address_space.spaces != 1)
        return set + "there is one address space";
    if (address_space.table.is("nested") && static_cast<paging_by>(address_space.paging) != paging_by::host)
        return set +
               "of nested tables it is the host whose pages move, so address_space.paging = host is needed";
    return "";
}

uint64_t gpu_machine_params::memory_end() const
{
    return (uint64_t{dram.row_bytes} << dram.row_bits) * dram.banks * dram.ranks * dram.channels;
}

std::string gpu_machine_params::why_not_in_the_middle() const
{
    if (faults() || driven())
        return "pages are mapped or moved during the run, and when that is, only a whole run knows "
               "(address_space.map, driver)";
    if (dispatcher.spread_cycles != 0)
        return "a kernel's first waves begin apart, and how much of that is left in its middle, only a whole "
               "run knows (dispatcher.spread_cycles)";
    return address_space.spaces == 1 ? ""
                                     : "a program's kernels or work-groups have address spaces of their own "
                                       "(address_space.spaces)";
}

std::string gpu_machine_params::infinite_level() const
{
    const std::vector<const char *> levels = path.finite();
    return translation.infinite < levels.size() ? levels[translation.infinite] : "";
}

/* The cause is the ladder's rung, a level below, or a need that is not met. */
std::string gpu_machine_params::overruled_by(const std::string &parameter) const
{
    const size_t dot = parameter.find('.');
    const std::string section = parameter.substr(0, dot), key = parameter.substr(dot + 1);
    if (perfect() && (parameter == "address_space.map" || section == "pager" || section == "driver" ||
                      section == "host_link" || section == "copy_engine"))
        return "translation.ideal";
    if (parameter == "translation.infinite" && rung() != ideal::infinite_tlb)
        return "translation.ideal";
    if (const level *l = path.find(section)) {
        const std::vector<level *> there = path.present();
        const bool first = !there.empty() && there.front() == l;
        const bool queue = key == "queue_entries" || key == "walk_queue_entries";
        const bool stays = (first && queue) || ((first || l->ends_path()) && key == "shared_by");
        if ((perfect() && !stays) || rung() >= l->lost_from(key, section == infinite_level()))
            return "translation.ideal";
        if (key == "ideal_read_cycles" && rung() < ideal::zero_walk)
            return "translation.ideal";
        if (key == "victims" && !path.made_to_pass(*l).empty())
            return path.made_to_pass(*l);
    }
    return unmet_need([p = *this](param_visitor &v) mutable { p.visit(v); }, parameter);
}

void gpu_machine_params::structures(structure_list &list) const
{
    add_structures(list, "lds", gpu.cus, lds);
    add_structures(list, "icache", icache.caches(gpu.cus), icache);
    for (const level *l : path.present())
        add_structures(list, l->section().c_str(), l->groups().of(gpu.cus).size(), *l);
    add_structures(list, "l1d", gpu.cus, l1d);
    add_structures(list, "l2d", 1, l2d);
}

structure_list structures_of(gpu_machine_params p)
{
    p.translation.ideal = 0;
    p = p.resolved(0);
    structure_list list(p.widths());
    p.structures(list);
    return list;
}

std::vector<level *> gpu_machine_params::lasting_levels() const
{
    std::vector<level *> there;
    for (level *l : path.present())
        if (rung() < l->lost_from("", false))
            there.push_back(l);
    return there;
}

uint64_t gpu_machine_params::carved_bytes(uint64_t table_bytes) const
{
    const uint64_t unit = uint64_t{1} << address_space.largest_shift();
    return (table_bytes + unit - 1) / unit * unit;
}

uint64_t gpu_machine_params::carved_bytes() const
{
    uint64_t all = 0;
    for (const level *l : lasting_levels())
        all += l->groups().of(gpu.cus).size() * carved_bytes(l->wants().table_bytes);
    return all;
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
    if (!address_space.buffer_pages.none())
        throw std::runtime_error(many + "address_space.buffer_pages = " + address_space.buffer_pages.text() +
                                 " names buffers of one");
    address_space.spaces = static_cast<uint32_t>(count);
}

void gpu_machine_params::set_buffers(size_t count)
{
    const pages_of_buffers &named = address_space.buffer_pages;
    if (!named.none() && named.last() >= count)
        throw std::runtime_error("address_space.buffer_pages = " + named.text() + ": the program has " +
                                 (count == 0   ? "no buffers"
                                  : count == 1 ? "one buffer, 0"
                                               : "buffers 0 to " + std::to_string(count - 1)) +
                                 "; 'walkway trace info' has them");
    address_space.buffers = count;
}

address_space_params gpu_machine_params::address_space_of_run() const
{
    address_space_params p = address_space;
    p.driven = driven();
    if (perfect())
        p.map = static_cast<uint8_t>(map_mode::all);
    p.memory_bytes -= carved_bytes();
    return p;
}

void gpu_machine_params::know(uint64_t pages)
{
    lds.bytes = cu.lds_bytes;
    path.know({address_space.page_sizes(), widths(), faults(), rung(), false, pages, &lds, &icache},
              infinite_level());
}

gpu_machine_params gpu_machine_params::resolved(uint64_t pages) const
{
    gpu_machine_params p = *this;
    p.host_link.host_pa = memory_end();
    p.dispatcher.spaces = address_space.spaces;
    p.coalescer.page_shift = address_space.page_shift();
    p.coalescer.va_bits = address_space.va_bits();
    p.coalescer.wave_lanes = cu.lanes();
    p.know(pages);
    p.path.stand_together(gpu.cus);
    return p;
}

level_path gpu_machine_params::path_now(uint32_t page_sizes, const address_widths &of) const
{
    level_path p = path;
    p.know({page_sizes, of, false, rung(), false, 0, &lds, &icache}, "");
    p.stand_together(gpu.cus);
    return p;
}

/* Returns the end of the frames, below which tables and code lie; memory may be larger. If tables lie above
 * the frames, or with an image, whose table may map any address, returns the end of memory. */
uint64_t gpu_machine_params::frames_end() const
{
    if (address_space.image != nullptr)
        return memory_end();
    const uint64_t end = address_space.data_pa + address_space.memory_bytes;
    return address_space.table_pa < end ? end : memory_end();
}

address_widths gpu_machine_params::widths() const
{
    address_widths widths;
    widths.va = address_space.va_bits();
    widths.pa = ww_name_bits(driven() ? 2 * memory_end() : frames_end()); /* host memory is above */
    widths.page_shift = address_space.page_shift();
    widths.kind = address_space.kind();
    return widths;
}

std::unique_ptr<machine_params> make_machine_params(const std::string &path)
{
    return std::make_unique<gpu_params_as<>>(path);
}

} // namespace walkway
