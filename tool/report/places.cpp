/* SPDX-License-Identifier: MIT */
/* report/places.cpp - see places.hpp. */
#include "report/places.hpp"

#include "run/places.hpp"
#include "run/result_levels.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"

#include <algorithm>
#include <ostream>

namespace walkway
{

namespace
{

/* Counts by the name of the run's statistic; those of several places add up. */
class place_counts
{
public:
    void add(const json &place)
    {
        if (place.contains("counted"))
            for (const auto &item : place.at("counted").items())
                count(item.key(), item.value());
        else /* a kernel, which has every statistic */
            for (const auto &item : place.at("statistics").items())
                if (item.value().contains("value") && item.value().at("value").is_number_unsigned())
                    count(item.key(), item.value().at("value"));
    }
    uint64_t of(const std::string &statistic) const { return all_.value(statistic, uint64_t{0}); }
    std::string text(const std::string &statistic) const
    {
        return all_.contains(statistic) ? text_of_count(of(statistic)) : "-";
    }
    /* Returns the cause with the most cycles; "-" if there are none. */
    std::string most() const
    {
        const std::string prefix = "account.";
        std::string name;
        uint64_t most = 0;
        for (const auto &item : all_.items())
            if (item.key().compare(0, prefix.size(), prefix) == 0 && item.key() != waited_cycles &&
                item.value() > most) {
                name = item.key().substr(prefix.size());
                most = item.value();
            }
        return most == 0 ? "-" : name;
    }

private:
    void count(const std::string &statistic, const json &n)
    {
        all_[statistic] = of(statistic) + n.get<uint64_t>();
    }
    json all_ = json::object();
};

/* Returns a member as text, such as "12"; empty if there is none. */
std::string text_of(const json &place, const char *member)
{
    if (!place.contains(member))
        return "";
    const json &value = place.at(member);
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/* Returns "atax.cl:12" or "line 12"; empty if it is not known. */
std::string line_of(const json &place)
{
    if (!place.contains("source"))
        return "";
    const json &source = place.at("source");
    return source.contains("file") ? text_of(source, "file") + ":" + text_of(source, "line")
                                   : "line " + text_of(source, "line");
}

/* What the tables are of: a member of results, and the heads of the cells that name one. */
struct place_table {
    const char *member;
    std::vector<std::string> heads;
};
const place_table kernels{"kernels", {"kernel"}};
const place_table buffers{"buffers", {"buffer", "base", "bytes"}};
const place_table instructions{"instructions", {"instruction"}};

/* Returns the cells that name a place, escaped, since kernels' and files' names are from the trace. */
std::vector<std::string> name_of(const json &place, const place_table &of)
{
    if (&of == &kernels)
        return {escaped(readable_name(text_of(place, "name")))};
    const bool instruction = &of == &instructions;
    if (instruction && !place.contains("kernel"))
        return {text_of(place, "access")};
    if (instruction)
        return {escaped(readable_name(text_of(place, "kernel")) + " " + text_of(place, "pc") + " " +
                        text_of(place, "access") + (place.contains("source") ? ", " + line_of(place) : ""))};
    return {text_of(place, "buffer"), text_of(place, "base"),
            place.contains("bytes") ? text_of_bytes(place.at("bytes").get<uint64_t>()) : ""};
}

/* The table of a result's kernels, buffers or instructions. */
class place_rows
{
public:
    place_rows(const result_levels &levels, const place_table &of)
        : instructions_(&of == &instructions), walks_(levels.walks() + ".walks_started"),
          heads_(heads(levels, of))
    {
    }
    void add(std::vector<std::string> name, const place_counts &of, uint64_t all_cycles)
    {
        std::vector<std::string> cells = std::move(name);
        cells.push_back(of.text("coalescer.answered"));
        for (const std::string &statistic : misses_)
            cells.push_back(of.text(statistic));
        cells.push_back(of.text(walks_));
        cells.push_back(of.text(waited_cycles));
        cells.push_back(all_cycles == 0 ? "-"
                                        : text_of_share(static_cast<double>(of.of(waited_cycles)) /
                                                        static_cast<double>(all_cycles)));
        if (instructions_)
            cells.push_back(of.text("gpu.wave_stall.translation"));
        cells.push_back(of.most());
        rows_.push_back(cells);
    }
    json as_json() const { return {{"head", heads_}, {"rows", rows_}, {"about", about()}}; }
    void print(std::ostream &out) const
    {
        table t(heads_);
        t.align_last_left();
        for (const std::vector<std::string> &cells : rows_)
            t.row(cells);
        t.print(out);
        out << flowed(about()) << '\n';
    }

private:
    std::string about() const
    {
        return std::string(
                   "Walks: that a walker began. Cycles: of translations from the coalescer and back, added "
                   "up. Mostly: the cause of most of them.") +
               (instructions_
                    ? " Misses, walks: of a page that several wanted, for the first. Waves stood: cycles "
                      "in which waves waited for values whose translation was not there."
                    : "");
    }
    std::vector<std::string> heads(const result_levels &levels, const place_table &of)
    {
        std::vector<std::string> all = of.heads;
        all.emplace_back("translations");
        for (const level *tlb : levels.tlbs()) {
            all.push_back(tlb->title() + " misses");
            misses_.push_back(tlb->section() + ".misses");
        }
        for (const char *head : {"walks", "cycles", ""})
            all.emplace_back(head);
        if (instructions_)
            all.emplace_back("waves stood");
        all.emplace_back("mostly");
        return all;
    }

    bool instructions_;
    std::string walks_;
    std::vector<std::string> misses_, heads_;
    std::vector<std::vector<std::string>> rows_;
};

/* Prints the source lines of the first places, each once. */
void print_lines(std::ostream &out, const json &places)
{
    std::vector<std::string> known;
    for (size_t i = 0; i < places.size() && i < places_shown; ++i) {
        if (!places[i].contains("source") || !places[i].at("source").contains("text"))
            continue;
        add_once(known, line_of(places[i]) + ": " + text_of(places[i].at("source"), "text"));
    }
    for (const std::string &line : known)
        out << escaped(line) << '\n';
}

/* Returns the first places, and one row for the others. */
place_rows rows_of(const json &stats, const json &places, const place_table &of)
{
    place_rows rows(result_levels::of(stats), of);
    place_counts all, rest;
    for (const json &place : places)
        all.add(place);
    for (size_t i = 0; i < places.size(); ++i) {
        place_counts one;
        (i < places_shown ? one : rest).add(places[i]);
        if (i < places_shown)
            rows.add(name_of(places[i], of), one, all.of(waited_cycles));
    }
    if (places.size() > places_shown) {
        std::vector<std::string> name = {text_of_count(places.size() - places_shown) + " more"};
        name.resize(of.heads.size());
        rows.add(name, rest, all.of(waited_cycles));
    }
    return rows;
}

/* Returns a result's kernels, which stand in the order of their launches, the most costly first. */
json costly_kernels(const json &stats)
{
    std::vector<std::pair<uint64_t, const json *>> by_cost;
    for (const json &kernel : stats.at(kernels.member)) {
        place_counts of;
        of.add(kernel);
        by_cost.emplace_back(of.of(waited_cycles), &kernel);
    }
    std::stable_sort(by_cost.begin(), by_cost.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    json all = json::array();
    for (const auto &[cycles, kernel] : by_cost)
        all.push_back(*kernel);
    return all;
}

} // namespace

void print_places(std::ostream &out, const json &stats)
{
    for (const place_table *of : {&buffers, &instructions})
        if (stats.contains(of->member)) {
            rows_of(stats, stats.at(of->member), *of).print(out);
            print_lines(out, stats.at(of->member));
        }
}

json places_json(const json &stats)
{
    json all = json::object();
    if (stats.contains(kernels.member))
        all[kernels.member] = rows_of(stats, costly_kernels(stats), kernels).as_json();
    for (const place_table *of : {&buffers, &instructions})
        if (stats.contains(of->member))
            all[of->member] = rows_of(stats, stats.at(of->member), *of).as_json();
    return all;
}

table places_table(const json &stats, const std::string &member)
{
    const json &places = stats.at(member);
    const std::vector<const char *> names = member == "instructions"
                                                ? std::vector<const char *>{"kernel", "pc", "access"}
                                                : std::vector<const char *>{"buffer", "base", "bytes"};
    const bool lines =
        std::any_of(places.begin(), places.end(), [](const json &place) { return place.contains("source"); });
    std::vector<std::string> heads(names.begin(), names.end());
    if (lines)
        heads.insert(heads.end(), {"source", "text"});
    const size_t first_count = heads.size();
    if (!places.empty())
        for (const auto &item : places.front().at("counted").items())
            heads.push_back(item.key());
    table t(heads);
    t.number_columns(first_count, heads.size() - first_count);
    for (const json &place : places) {
        std::vector<std::string> cells;
        for (const char *name : names)
            cells.push_back(text_of(place, name));
        if (lines)
            cells.insert(cells.end(),
                         {line_of(place), text_of(place.value("source", json::object()), "text")});
        for (const auto &item : place.at("counted").items())
            cells.push_back(item.value().dump());
        t.row(cells);
    }
    return t;
}

} // namespace walkway
