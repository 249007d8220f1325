/* SPDX-License-Identifier: MIT */
/* run/places.cpp - see places.hpp. */
#include "run/places.hpp"

#include "support/numbers.hpp"
#include "trace/wkt.h"

#include <algorithm>

namespace walkway
{

/* Equal ones in the machine's order. `about`: the members that say which place it is. */
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

json instructions_json(const platform &machine)
{
    return sorted(machine.places(place_kind::instruction), [](const place_part &part) -> json {
        if (part.number == place_part::nowhere)
            return {{"access", "prefetch"}};
        return {{"kernel", part.kernel}, {"pc", part.number}, {"access", part.access}};
    });
}

} // namespace walkway
