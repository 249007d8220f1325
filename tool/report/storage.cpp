/* SPDX-License-Identifier: MIT */
/* report/storage.cpp - bits per structure, in a column per machine. */
#include "report/storage.hpp"

#include "report/table.hpp"
#include "support/names.hpp"

#include <algorithm>
#include <ostream>

namespace walkway
{

static uint64_t bits_of(const std::vector<hardware_structure> &all, const std::string &name)
{
    uint64_t bits = 0;
    for (const hardware_structure &s : all)
        bits += name.empty() || s.name == name ? s.bits : 0;
    return bits;
}

/* Returns the names of the structures of all machines, in the order in which each machine has them. */
static std::vector<std::string> structures_of(const std::vector<named_result> &machines)
{
    std::vector<std::string> names;
    for (const named_result &m : machines) {
        std::vector<std::string> once;
        for (const hardware_structure &s : m.structures)
            add_once(once, s.name);
        add_in_order(names, once);
    }
    return names;
}

void print_storage(std::ostream &out, const std::vector<named_result> &machines)
{
    std::vector<std::string> head = {"storage that differs, bits"};
    for (size_t i = 0; i < machines.size(); ++i)
        head.push_back("[" + std::to_string(i + 1) + "]");
    table t(head);
    bool any = false;
    const auto add_row = [&](const std::string &title, const std::string &name) {
        std::vector<std::string> row = {title};
        for (const named_result &m : machines)
            row.push_back(text_of_count(bits_of(m.structures, name)));
        t.row(row);
    };
    for (const std::string &name : structures_of(machines)) {
        const uint64_t first = bits_of(machines.front().structures, name);
        if (std::all_of(machines.begin(), machines.end(),
                        [&](const named_result &m) { return bits_of(m.structures, name) == first; }))
            continue;
        add_row(name, name);
        any = true;
    }
    if (!any)
        return;
    add_row("all structures", "");
    t.print(out);
    out << '\n';
}

json storage_json(const std::vector<hardware_structure> &structures)
{
    json bits = json::object();
    for (const hardware_structure &s : structures)
        bits[s.name] = s.bits;
    bits["all"] = bits_of(structures, "");
    return bits;
}

} // namespace walkway
