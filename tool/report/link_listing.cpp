/* SPDX-License-Identifier: MIT */
/* report/link_listing.cpp - the links of a machine as a table, as JSON, and as a graph for Graphviz. */
#include "report/listing.hpp"
#include "report/numbered.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

/* Links that differ only in the numbers of their names. */
struct equal_links {
    std::string key;
    link_info first;
    name_range from, to;
    unsigned count;
};

std::vector<equal_links> together(const std::vector<link_info> &links)
{
    std::vector<equal_links> all;
    for (const link_info &l : links) {
        const numbered_name from(l.from), to(l.to);
        const std::string key = from.text + " " + to.text + " " + l.protocol + " " +
                                std::to_string(l.queue_slots) + " " + std::to_string(l.wire_slots);
        const auto it =
            std::find_if(all.begin(), all.end(), [&key](const equal_links &e) { return e.key == key; });
        if (it == all.end()) {
            all.push_back({key, l, name_range(from), name_range(to), 1});
            continue;
        }
        it->from.add(from);
        it->to.add(to);
        ++it->count;
    }
    return all;
}

const char *const outside = "(outside)";

std::string block_of(const std::string &end)
{
    return end.empty() ? outside : end.substr(0, end.rfind('.'));
}

} // namespace

table links_table(const std::vector<link_info> &links)
{
    table t({"from", "to", "carries", "links", "queue slots", "wire slots"});
    t.align_left();
    for (const equal_links &e : together(links))
        t.row({e.from.name(), e.first.to.empty() ? outside : e.to.name(), e.first.protocol,
               std::to_string(e.count), std::to_string(e.first.queue_slots),
               std::to_string(e.first.wire_slots)});
    return t;
}

void print_links(std::ostream &out, const std::vector<link_info> &links)
{
    links_table(links).print(out);
    out << '\n'
        << wrapped("Requests go from left to right, answers come back. Slots are those of each link: in the "
                   "queue of the target, and for what the pipeline and the wire before it hold.")
        << '\n';
}

json links_json(const std::vector<link_info> &links)
{
    json all = json::array();
    for (const link_info &l : links)
        all.push_back({{"from", l.from},
                       {"to", l.to},
                       {"carries", l.protocol},
                       {"queue_slots", l.queue_slots},
                       {"wire_slots", l.wire_slots}});
    return all;
}

/* Draws equal blocks as one box, equal links as one arrow. */
void print_links_dot(std::ostream &out, const std::vector<link_info> &links)
{
    std::map<std::string, name_range> blocks; /* by the text of their names */
    const auto note = [&blocks](const std::string &end) {
        const numbered_name name(block_of(end));
        const auto [it, fresh] = blocks.emplace(name.text, name_range(name));
        if (!fresh)
            it->second.add(name);
        return name.text;
    };
    std::string arrows;
    for (const equal_links &e : together(links))
        arrows += "  \"" + note(e.first.from) + "\" -> \"" + note(e.first.to) + "\" [label=\"" +
                  e.first.protocol + (e.count == 1 ? "" : " x " + std::to_string(e.count)) + "\"];\n";
    for (const link_info &l : links) {
        note(l.from);
        note(l.to);
    }
    out << "digraph machine {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n"
           "  edge [fontname=\"sans-serif\", fontsize=10];\n";
    for (const auto &b : blocks)
        out << "  \"" << b.first << "\" [label=\"" << b.second.name() << "\"];\n";
    out << arrows << "}\n";
}

} // namespace walkway
