/* SPDX-License-Identifier: MIT */
/* platforms/array_energy.cpp - see array_energy.hpp. */
#include "platforms/array_energy.hpp"

#include <stdexcept>

namespace walkway
{

std::array<ww_array_cost, WW_ARRAY_ESTIMATES> costs_of(const hardware_array &a)
{
    std::array<ww_array_cost, WW_ARRAY_ESTIMATES> costs{};
    for (unsigned e = 0; e < WW_ARRAY_ESTIMATES; ++e) {
        if (ww_array_cost_of(&costs[e], &a.shape, &ww_array_constants_of[e]) != WW_OK)
            throw std::logic_error("the array " + a.block + "." + a.part + " has an illegal shape");
        if (a.stated.has_value())
            costs[e] = *a.stated;
    }
    return costs;
}

namespace
{

/* The energy of the accesses in pJ and the area of all copies in um2, by estimate. */
struct array_sums {
    std::array<uint64_t, WW_ARRAY_ESTIMATES> energy{}, area{};

    void show(stat_visitor &v) const
    {
        v.count("energy", energy[WW_ARRAY_MIDDLE], "pJ", "what the accesses took");
        v.count("energy_low", energy[WW_ARRAY_LOW], "pJ", "the same by the low estimate");
        v.count("energy_high", energy[WW_ARRAY_HIGH], "pJ", "the same by the high estimate");
        v.level("area", area[WW_ARRAY_MIDDLE], "um2", "of all copies; 0: in the cells of another array");
        v.level("area_low", area[WW_ARRAY_LOW], "um2", "the same by the low estimate");
        v.level("area_high", area[WW_ARRAY_HIGH], "um2", "the same by the high estimate");
    }
};

std::vector<stat_term> terms_of(const std::vector<std::string> &names)
{
    return {names.begin(), names.end()};
}

array_sums show_array(stat_visitor &v, const hardware_array &a, const stat_values &counted)
{
    const auto costs = costs_of(a);
    const uint64_t reads = counted.sum(terms_of(a.reads)), writes = counted.sum(terms_of(a.writes));
    array_sums sums;
    for (unsigned e = 0; e < WW_ARRAY_ESTIMATES; ++e) {
        sums.energy[e] = (reads * costs[e].read_fj + writes * costs[e].write_fj) / 1000;
        sums.area[e] = a.lent ? 0 : a.copies * costs[e].area_um2;
    }
    v.begin(a.part, "one of the block's arrays");
    v.level("copies", a.copies, "arrays", "equal ones in the machine");
    v.level("entries", a.shape.entries, "entries", "of each copy");
    v.level("entry_bits", a.shape.entry_bits, "bits", "of an entry");
    v.level("compared_bits", a.shape.cam_bits, "bits", "of an entry, that every search compares");
    v.level("ways", a.shape.ways, "ways", "entries that a read reads");
    v.level("read_bits", a.shape.read_bits, "bits", "read of each of these");
    v.level("ports", a.shape.ports, "ports", "of each copy");
    v.count("reads", reads, "count", "reads and searches of all copies");
    v.count("writes", writes, "count", "writes of all copies");
    v.level("read_energy", costs[WW_ARRAY_MIDDLE].read_fj, "fJ", "of a read or search");
    v.level("write_energy", costs[WW_ARRAY_MIDDLE].write_fj, "fJ", "of a write");
    sums.show(v);
    v.end();
    return sums;
}

} // namespace

void show_arrays(stat_visitor &v, const std::vector<hardware_array> &arrays, const stat_values &counted)
{
    array_sums all;
    v.begin("arrays", "energy and area of on-chip arrays, by one formula");
    const std::string *open = nullptr;
    for (const hardware_array &a : arrays) {
        if (open != nullptr && *open != a.block)
            v.end();
        if (open == nullptr || *open != a.block)
            v.begin(a.block, "arrays of these blocks");
        open = &a.block;
        const array_sums sums = show_array(v, a, counted);
        for (unsigned e = 0; e < WW_ARRAY_ESTIMATES; ++e) {
            all.energy[e] += sums.energy[e];
            all.area[e] += sums.area[e];
        }
    }
    v.end();
    all.show(v);
    v.end();
}

law law_of_arrays(const std::vector<hardware_array> &arrays, const stat_values &shown)
{
    uint64_t sum = 0;
    for (const hardware_array &a : arrays) {
        const auto of = [&](const char *what) {
            return shown.sum({"arrays." + a.block + "." + a.part + "." + what});
        };
        sum += (of("reads") * of("read_energy") + of("writes") * of("write_energy")) / 1000;
    }
    return {"arrays: energy = accesses at their energies, added up", shown.sum({"arrays.energy"}), sum, ""};
}

} // namespace walkway
