/* SPDX-License-Identifier: MIT */
/* report/places.cpp - see places.hpp. */
#include "report/places.hpp"

#include "run/places.hpp"
#include "run/result_levels.hpp"
#include "support/nearest.hpp"

#include <algorithm>
#include <ostream>

namespace walkway
{

namespace
{

/* By the run's statistic; those of several places add up. */
class place_counts
{
public:
    void add(const json &place)
    {
        for (const auto &item : place.at("counted").items())
            all_[item.key()] = of(item.key()) + item.value().get<uint64_t>();
    }
    uint64_t of(const std::string &statistic) const { return all_.value(statistic, uint64_t{0}); }
    std::string text(const std::string &statistic) const
    {
        return all_.contains(statistic) ? text_of_count(of(statistic)) : "-";
    }
    /* The cause of most cycles. */
    std::string most() const
    {
        const std::string prefix = "account.", sum = waited_cycles;
        std::string name;
        uint64_t most = 0;
        for (const auto &item : all_.items())
            if (item.key().compare(0, prefix.size(), prefix) == 0 && item.key() != sum &&
                item.value() > most) {
                name = item.key().substr(prefix.size());
                most = item.value();
            }
        return most == 0 ? "-" : name;
    }

private:
    json all_ = json::object();
};

/* "12"; empty where it has no such member. */
std::string text_of(const json &place, const char *member)
{
    if (!place.contains(member))
        return "";
    const json &value = place.at(member);
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/* Of a place, for people. */
std::vector<std::string> name_of(const json &place, bool instruction)
{
    if (instruction && !place.contains("kernel"))
        return {text_of(place, "access")};
    if (instruction)
        return {readable_name(text_of(place, "kernel")) + " " + text_of(place, "pc") + " " +
                text_of(place, "access")};
    return {text_of(place, "buffer"), text_of(place, "base"),
            place.contains("bytes") ? text_of_bytes(place.at("bytes").get<uint64_t>()) : ""};
}

void print(std::ostream &out, const json &stats, const char *member)
{
    if (!stats.contains(member))
        return;
    const bool instructions = std::string(member) == "instructions";
    const json &places = stats.at(member);
    const result_levels levels = result_levels::of(stats);
    const std::string walks = levels.walks() + ".walks_started";
    std::vector<std::string> heads = {"buffer", "base", "bytes"};
    if (instructions)
        heads = {"instruction"};
    heads.emplace_back("translations");
    for (const level *tlb : levels.tlbs())
        heads.push_back(tlb->title() + " misses");
    for (const char *head : {"walks", "cycles", ""})
        heads.emplace_back(head);
    if (instructions)
        heads.emplace_back("waves stood");
    heads.emplace_back("mostly");
    table t(heads);
    t.align_last_left();
    place_counts all;
    for (const json &place : places)
        all.add(place);
    const auto row = [&](std::vector<std::string> cells, const place_counts &of) {
        cells.push_back(of.text("coalescer.answered"));
        for (const level *tlb : levels.tlbs())
            cells.push_back(of.text(tlb->section() + ".misses"));
        cells.push_back(of.text(walks));
        cells.push_back(of.text(waited_cycles));
        cells.push_back(all.of(waited_cycles) == 0
                            ? "-"
                            : text_of_share(static_cast<double>(of.of(waited_cycles)) /
                                            static_cast<double>(all.of(waited_cycles))));
        if (instructions)
            cells.push_back(of.text("gpu.wave_stall.translation"));
        cells.push_back(of.most());
        t.row(cells);
    };
    place_counts rest;
    for (size_t i = 0; i < places.size(); ++i) {
        place_counts one;
        one.add(places[i]);
        if (i < places_shown)
            row(name_of(places[i], instructions), one);
        else
            rest.add(places[i]);
    }
    if (places.size() > places_shown) {
        const std::string more = text_of_count(places.size() - places_shown) + " more";
        row(instructions ? std::vector<std::string>{more} : std::vector<std::string>{more, "", ""}, rest);
    }
    t.print(out);
    const std::string of_instructions =
        " Instruction: kernel, place in it. Walks, misses: for the access that came first. Waves stood: "
        "cycles in "
        "which waves waited for its values and their translations were not there.";
    out << flowed("Cycles: of its translations from the coalescer and back, added up. Mostly: the cause of "
                  "most of "
                  "them. Walks: that a walker began." +
                  (instructions ? of_instructions : ""))
        << '\n';
}

} // namespace

void print_places(std::ostream &out, const json &stats)
{
    print(out, stats, "buffers");
    print(out, stats, "instructions");
}

table places_table(const json &stats, const std::string &member)
{
    const json &places = stats.at(member);
    const std::vector<const char *> names = member == "instructions"
                                                ? std::vector<const char *>{"kernel", "pc", "access"}
                                                : std::vector<const char *>{"buffer", "base", "bytes"};
    std::vector<std::string> heads(names.begin(), names.end());
    if (!places.empty())
        for (const auto &item : places.front().at("counted").items())
            heads.push_back(item.key());
    table t(heads);
    t.number_columns(names.size(), heads.size() - names.size());
    for (const json &place : places) {
        std::vector<std::string> cells;
        for (const char *name : names)
            cells.push_back(text_of(place, name));
        for (const auto &item : place.at("counted").items())
            cells.push_back(item.value().dump());
        t.row(cells);
    }
    return t;
}

} // namespace walkway
