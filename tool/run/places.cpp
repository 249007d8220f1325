/* SPDX-License-Identifier: MIT */
/* run/places.cpp - see places.hpp. */
#include "run/places.hpp"

#include "support/numbers.hpp"
#include "trace/wkt.h"

#include <algorithm>
#include <map>

namespace walkway
{

/* Returns a row for each part, the longest wait first; equal waits keep the machine's order. `about` returns
 * the members that name a place. */
static json sorted(const std::vector<place_part> &parts, const std::function<json(const place_part &)> &about)
{
    std::vector<json> rows;
    for (const place_part &part : parts) {
        json row = about(part);
        row["counted"] = json::object();
        for (const auto &[statistic, n] : part.counted)
            row["counted"][statistic] = n;
        rows.push_back(std::move(row));
    }
    const auto waited = [](const json &row) { return row.at("counted").at(waited_cycles).get<uint64_t>(); };
    std::stable_sort(rows.begin(), rows.end(),
                     [&waited](const json &a, const json &b) { return waited(a) > waited(b); });
    return rows;
}

json buffers_json(const platform &machine, const wkt_reader &trace)
{
    return sorted(machine.places(place_kind::buffer), [&trace](const place_part &part) -> json {
        if (part.number == place_part::nowhere)
            return {{"buffer", "other"}};
        const wkt_buffer *b = wkt_reader_buffer(&trace, part.number);
        return {{"buffer", part.number}, {"base", text_of_hex(b->base_va)}, {"bytes", b->bytes}};
    });
}

/* Returns the lines by kernel and pc. If launches of one name have several for a pc, the first counts. */
static std::map<std::pair<std::string, uint32_t>, const wkt_line *> lines_of(const wkt_reader &trace)
{
    std::map<std::pair<std::string, uint32_t>, const wkt_line *> all;
    for (uint32_t launch = 0; launch < wkt_reader_info(&trace)->launches; ++launch) {
        uint32_t n = 0;
        const wkt_line *lines = wkt_reader_lines(&trace, launch, &n);
        for (uint32_t i = 0; i < n; ++i)
            all.emplace(std::pair(wkt_reader_launch(&trace, launch)->name, lines[i].pc), &lines[i]);
    }
    return all;
}

/* Omits the file and the text if they are not known. */
static json line_json(const wkt_line &line)
{
    json all = {{"line", line.line}};
    if (*line.file != '\0')
        all["file"] = line.file;
    if (*line.text != '\0')
        all["text"] = line.text;
    return all;
}

json instructions_json(const platform &machine, const wkt_reader &trace)
{
    const auto lines = lines_of(trace);
    return sorted(machine.places(place_kind::instruction), [&lines](const place_part &part) -> json {
        if (part.number == place_part::nowhere)
            return {{"access", "prefetch"}};
        json row = {{"kernel", part.kernel}, {"pc", part.number}, {"access", part.access}};
        if (const auto line = lines.find({part.kernel, part.number}); line != lines.end())
            row["source"] = line_json(*line->second);
        return row;
    });
}

} // namespace walkway
