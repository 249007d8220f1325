/* SPDX-License-Identifier: MIT */
/* report/signal_listing.cpp - the signals of a machine as a table and as JSON, and their states in the
 * formats of viewers. */
#include "report/listing.hpp"
#include "report/numbered.hpp"
#include "report/table.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <sstream>

namespace walkway
{

static const char *name_of(signal_kind kind)
{
    switch (kind) {
    case signal_kind::value:
        return "value";
    case signal_kind::state:
        return "state";
    case signal_kind::pulse:
        return "pulse";
    }
    return "?";
}

table signals_table(const std::vector<signal_info> &signals)
{
    struct family {
        const signal_info *first;
        name_range range;
    };
    std::vector<std::string> order;
    std::map<std::string, family> families;
    for (const signal_info &s : signals) {
        const numbered_name name(s.name);
        /* with its text: hit_1 and hit_2 of a level are different signals, not instances of one */
        const std::string key = name.text + "\n" + s.text;
        const auto [found, fresh] = families.emplace(key, family{&s, name_range(name)});
        if (fresh)
            order.push_back(key);
        else
            found->second.range.add(name);
    }
    table t({"signal", "bits", "kind", "what it is"});
    t.align_left();
    for (const std::string &key : order) {
        const family &f = families.at(key);
        t.row({f.range.name(), std::to_string(f.first->bits), name_of(f.first->kind), f.first->text});
    }
    return t;
}

void print_signals(std::ostream &out, const std::vector<signal_info> &signals)
{
    signals_table(signals).print(out);
    std::vector<const signal_states *> kinds;
    for (const signal_info &s : signals)
        if (s.states != nullptr && std::find(kinds.begin(), kinds.end(), s.states) == kinds.end())
            kinds.push_back(s.states);
    for (const signal_states *k : kinds) {
        out << '\n' << k->name << ":\n";
        table states({"code", "state", "what it means"});
        states.align_left();
        for (size_t i = 0; i < k->names.size(); ++i)
            states.row({std::to_string(i), k->names[i], k->texts[i]});
        states.print(out);
    }
    out << '\n'
        << wrapped(
               std::to_string(signals.size()) +
               " signals. A pulse counts what happened in a clock cycle and is back at zero with the next.")
        << '\n';
}

json signals_json(const std::vector<signal_info> &signals)
{
    json all = json::object();
    for (const signal_info &s : signals) {
        json entry = {
            {"block", s.block}, {"kind", name_of(s.kind)}, {"bits", s.bits}, {"description", s.text}};
        if (s.states != nullptr) {
            entry["filter"] = s.states->name;
            entry["states"] = s.states->names;
        }
        all[s.name] = entry;
    }
    return all;
}

void write_state_filters(const std::string &folder, const std::vector<signal_info> &signals)
{
    make_folder(folder + "/filters");
    make_folder(folder + "/surfer");
    std::vector<const signal_states *> done;
    for (const signal_info &s : signals) {
        if (s.states == nullptr || std::find(done.begin(), done.end(), s.states) != done.end())
            continue;
        done.push_back(s.states);
        const std::string name = s.states->name;
        const std::string origin = "made from the model's states by: walkway list signals --filters DIR";
        std::string filter = "# " + name + ", " + origin + "\n";
        std::string mapping = "Name = " + name + "\nBits = " + std::to_string(s.bits) + "\n";
        for (size_t i = 0; i < s.states->names.size(); ++i) {
            std::ostringstream digits; /* as GTKWave shows the value: hexadecimal with leading zeros */
            digits << std::hex << std::uppercase << std::setfill('0')
                   << std::setw(static_cast<int>((s.bits + 3) / 4)) << i;
            filter += digits.str() + " " + s.states->names[i] + "\n";
            mapping += std::to_string(i) + " " + s.states->names[i] + "\n";
        }
        write_file(folder + "/filters/" + name + ".txt", filter);
        write_file(folder + "/surfer/" + name + ".txt", mapping);
    }
}

} // namespace walkway
