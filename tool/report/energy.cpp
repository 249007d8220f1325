/* SPDX-License-Identifier: MIT */
/* report/energy.cpp - the table of a run's energy. */
#include "report/energy.hpp"

#include "report/table.hpp"
#include "support/names.hpp"

#include <ostream>

namespace walkway
{

std::vector<std::string> arrays_of(const json &statistics)
{
    static const std::string before = "arrays.", after = ".copies";
    std::vector<std::string> names;
    for (const auto &item : statistics.items()) {
        const std::string &name = item.key();
        if (name.size() > before.size() + after.size() && name.compare(0, before.size(), before) == 0 &&
            ends_with(name, after))
            names.push_back(name.substr(before.size(), name.size() - before.size() - after.size()));
    }
    return names;
}

static std::string text_of_nj(uint64_t pj)
{
    return text_of_real(static_cast<double>(pj) / 1e3, pj < 100000 ? 1 : 0);
}

static std::string text_of_mm2(uint64_t um2)
{
    return text_of_real(static_cast<double>(um2) / 1e6, 4);
}

/* Returns "1,234 (900 to 2,000)": the middle estimate and its range. */
static std::string text_of_range(const stat_view &view, const std::string &name,
                                 std::string (*text)(uint64_t))
{
    return text(view.count(name)) + " (" + text(view.count(name + "_low")) + " to " +
           text(view.count(name + "_high")) + ")";
}

std::string text_of_energy(const json &statistics)
{
    const stat_view view(statistics);
    if (!view.has("arrays.energy"))
        return "";
    return "energy: accesses of on-chip arrays " + text_of_range(view, "arrays.energy", text_of_nj) +
           " nJ, main memory " + text_of_nj(view.count("energy.dram")) + " nJ (--energy has the table)";
}

void print_energy(std::ostream &out, const json &statistics)
{
    const stat_view view(statistics);
    if (!view.has("arrays.energy")) {
        out << "energy: this machine is no hardware (translation.ideal), so that its arrays have none\n";
        return;
    }
    table t({"array", "copies", "reads", "writes", "pJ per read", "pJ per write", "nJ", "mm2"});
    uint64_t energy = 0, area = 0;
    for (const std::string &name : arrays_of(statistics)) {
        const auto of = [&](const char *what) { return view.count("arrays." + name + "." + what); };
        const auto pj = [&](const char *what) {
            return text_of_real(static_cast<double>(of(what)) / 1e3, 1);
        };
        energy += of("energy");
        area += of("area");
        t.row({name, text_of_count(of("copies")), text_of_count(of("reads")), text_of_count(of("writes")),
               pj("read_energy"), pj("write_energy"), text_of_nj(of("energy")), text_of_mm2(of("area"))});
    }
    t.row({"all arrays", "", "", "", "", "", text_of_nj(energy), text_of_mm2(area)});
    const auto memory = [&](const char *name, const char *reads, const char *writes, const char *pj) {
        t.row({name, "", text_of_count(view.count(reads)),
               *writes == 0 ? "" : text_of_count(view.count(writes)), "", "", text_of_nj(view.count(pj)),
               ""});
    };
    memory("main memory", "dram.column_reads", "dram.column_writes", "energy.dram");
    memory("its page-table reads", "dram.walk_reads", "", "energy.walk_reads_actual");
    t.print(out);
    out << flowed(
        "All arrays: " + text_of_range(view, "arrays.energy", text_of_nj) + " nJ, " +
        text_of_range(view, "arrays.area", text_of_mm2) +
        " mm2, the range of an analytic formula at 45 nm; an area of 0 lies in the cells of another "
        "array. Main memory from its currents, standby and refresh included. Not modelled: leakage "
        "and clock of arrays, wires between blocks, queues, compute units.");
}

} // namespace walkway
