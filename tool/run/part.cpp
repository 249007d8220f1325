/* SPDX-License-Identifier: MIT */
/* run/part.cpp - selects launches and work-groups. Memory: four bytes per chosen work-group. */
#include "run/part.hpp"

#include "support/nearest.hpp"

#include <algorithm>
#include <fnmatch.h>

namespace walkway
{

std::vector<option_def> part_option_defs()
{
    return {
        {"kernels", 0, "LIST", "only these launches: numbers, ranges, names with * and ?: \"0,2-4,atax_*\""},
        {"groups", 0, "LIST", "only these work-groups of each: \"0-63\", \"100-\", \"sample:1/16[,SEED]\""}};
}

trace_part part_of(const arguments &args)
{
    return {args.value("kernels"), args.value("groups")};
}

json part_json(const trace_part &part)
{
    json j = json::object();
    if (!part.kernels.empty())
        j["kernels"] = part.kernels;
    if (!part.groups.empty())
        j["groups"] = part.groups;
    return j;
}

namespace
{

/* An item of a list, "7", "2-4", "100-", or another text without numbers. */
struct range {
    uint64_t first = 0, last = UINT64_MAX;
    std::string text = {};
    bool has(uint64_t n) const { return n >= first && n <= last; }
};

/* Returns false for another text than a number or a range. */
bool parse_range(const std::string &text, range &r)
{
    r.text = text;
    const size_t dash = text.find('-');
    if (!parse_number(text.substr(0, dash), r.first))
        return false;
    r.last = dash == std::string::npos ? r.first : UINT64_MAX;
    if (dash != std::string::npos && dash + 1 < text.size() && !parse_number(text.substr(dash + 1), r.last))
        return false;
    return r.first <= r.last;
}

/* Returns "0 first, 1-3 second": runs of launches of one name. */
std::string kernels_there_are(const wkt_reader *trace)
{
    constexpr unsigned most = 12;
    const uint32_t n = wkt_reader_info(trace)->launches;
    std::string text;
    unsigned runs = 0;
    for (uint32_t i = 0; i < n;) {
        if (++runs > most)
            return text + ", ... (" + std::to_string(n) + " launches)";
        const std::string name = wkt_reader_launch(trace, i)->name;
        uint32_t end = i + 1;
        while (end < n && name == wkt_reader_launch(trace, end)->name)
            ++end;
        text += (i == 0 ? "" : ", ") + std::to_string(i) +
                (end - i > 1 ? "-" + std::to_string(end - 1) : std::string()) + " " +
                as_written(readable_name(name));
        i = end;
    }
    return text.empty() ? "none" : text;
}

[[noreturn]] void no_kernel(const wkt_reader *trace, const std::string &item)
{
    std::vector<std::string> names;
    for (uint32_t i = 0; i < wkt_reader_info(trace)->launches; ++i)
        names.push_back(readable_name(wkt_reader_launch(trace, i)->name));
    throw failure(exit_usage, "--kernels: '" + as_written(item) + "' is no kernel of this trace" +
                                  did_you_mean(item, names) + "; there are " + kernels_there_are(trace));
}

/* An item of --kernels: numbers of launches, or a name with * and ?. */
struct kernel_item {
    range numbers;
    bool by_number;
    std::vector<bool> has; /* by launch: the item names it */

    kernel_item(const wkt_reader *trace, const std::string &item) : by_number(parse_range(item, numbers))
    {
        for (uint32_t i = 0; i < wkt_reader_info(trace)->launches; ++i)
            has.push_back(names(trace, i));
    }

private:
    bool names(const wkt_reader *trace, uint32_t launch) const
    {
        if (by_number)
            return numbers.has(launch);
        const std::string name = wkt_reader_launch(trace, launch)->name;
        return fnmatch(numbers.text.c_str(), name.c_str(), 0) == 0 ||
               fnmatch(numbers.text.c_str(), readable_name(name).c_str(), 0) == 0;
    }
};

std::vector<kernel_item> kernel_items(const wkt_reader *trace, const std::string &list)
{
    std::vector<kernel_item> items;
    if (!list.empty())
        for (const std::string &item : split(list, ','))
            items.emplace_back(trace, item);
    return items;
}

std::vector<bool> chosen_launches(const wkt_reader *trace, const std::vector<kernel_item> &items)
{
    const uint32_t n = wkt_reader_info(trace)->launches;
    std::vector<bool> chosen(n, items.empty());
    for (const kernel_item &item : items) {
        bool any = false;
        for (uint32_t i = 0; i < n; ++i) {
            chosen[i] = chosen[i] || item.has[i];
            any = any || item.has[i];
        }
        if (!any || (item.by_number && item.numbers.last != UINT64_MAX && item.numbers.last >= n))
            no_kernel(trace, item.numbers.text);
    }
    return chosen;
}

/* --groups, parsed. */
struct group_rule {
    std::vector<range> ranges;
    uint64_t every = 0; /* of a sample; 0: none */
    uint64_t seed = 0;
    bool seeded = false;

    explicit group_rule(const std::string &list)
    {
        const std::string sample = "sample:1/";
        if (list.empty()) {
            ranges.emplace_back();
        } else if (list.compare(0, sample.size(), sample) == 0) {
            const std::vector<std::string> items = split(list.substr(sample.size()), ',');
            seeded = items.size() == 2;
            if (items.size() > 2 || !parse_number(items[0], every) || every == 0 || every > UINT32_MAX ||
                (seeded && !parse_number(items[1], seed)))
                refuse(list);
        } else {
            for (const std::string &item : split(list, ',')) {
                range r;
                if (!parse_range(item, r))
                    refuse(list);
                ranges.push_back(r);
            }
        }
    }
    [[noreturn]] static void refuse(const std::string &list)
    {
        throw failure(exit_usage, "--groups " + as_written(list) +
                                      ": wants numbers and ranges (0-63,100-) or sample:1/N[,SEED]");
    }
    /* A sample has one of each N groups, and of the fewer at the end: the first, or the seed's choice. */
    bool has(uint32_t launch, uint32_t group, uint32_t groups) const
    {
        if (every == 0)
            return std::any_of(ranges.begin(), ranges.end(),
                               [group](const range &r) { return r.has(group); });
        if (!seeded)
            return group % every == 0;
        const uint64_t block = group / every;
        const uint64_t key[] = {launch, block};
        const uint64_t length = std::min<uint64_t>(every, groups - block * every);
        return group - block * every == wkt_hash64(key, sizeof key, seed) % length;
    }
};

struct chosen_launch {
    uint32_t launch;
    std::vector<uint32_t> groups;
};

[[noreturn]] void no_group(const std::string &item, const std::string &kernels, uint32_t groups)
{
    throw failure(exit_usage, "--groups " + as_written(item) + ": no work-group of " + kernels +
                                  ", which have up to " + std::to_string(groups) + " (from 0)");
}

/* Refuses an item of either list that adds nothing to the part. */
void refuse_empty_items(const wkt_reader *trace, const std::vector<kernel_item> &items,
                        const group_rule &rule, const std::string &groups,
                        const std::vector<chosen_launch> &all, uint32_t largest)
{
    for (const range &r : rule.ranges)
        if (r.first >= largest)
            no_group(r.text, "the chosen kernels", largest);
    for (const kernel_item &item : items) {
        uint32_t most = 0;
        for (uint32_t l = 0; l < wkt_reader_info(trace)->launches; ++l)
            if (item.has[l])
                most = std::max(most, wkt_reader_launch(trace, l)->groups);
        if (std::none_of(all.begin(), all.end(), [&](const chosen_launch &l) { return item.has[l.launch]; }))
            no_group(groups, "--kernels " + as_written(item.numbers.text), most);
    }
    if (all.empty())
        no_group(groups, "the chosen kernels", largest);
}

/* Removes the groups to be skipped from the front. */
skipped take_off(wkt_reader *trace, std::vector<chosen_launch> &all, const trace_skip &skip)
{
    skipped s;
    s.counted = skip.instructions != 0 || skip.groups == 0;
    group_ptr group;
    for (chosen_launch &l : all) {
        size_t n = 0;
        for (; n < l.groups.size() && (skip.instructions != 0 || s.groups < skip.groups); ++n) {
            if (skip.instructions != 0) {
                wkt_error error{};
                wkt_totals t{};
                wkt_group *loaded = group.release();
                const int status = wkt_group_load(trace, l.launch, l.groups[n], &loaded, &error);
                group.reset(loaded);
                if (status != WKT_OK || !wkt_group_count(loaded, &t))
                    throw failure(exit_input, status != WKT_OK ? error.text : "a record does not decode");
                uint64_t instructions = t.compute;
                for (const uint64_t r : t.records)
                    instructions += r;
                if (s.instructions + instructions > skip.instructions)
                    break;
                s.instructions += instructions;
            }
            ++s.groups;
        }
        const bool more = n == l.groups.size();
        l.groups.erase(l.groups.begin(), l.groups.begin() + static_cast<std::ptrdiff_t>(n));
        if (!more)
            break;
    }
    return s;
}

} // namespace

skipped select_part(wkt_reader *trace, const trace_part &part, const trace_skip &skip)
{
    if (part.whole() && skip.groups == 0 && skip.instructions == 0)
        return {0, 0, true};
    const std::vector<kernel_item> items = kernel_items(trace, part.kernels);
    const std::vector<bool> launches = chosen_launches(trace, items);
    const group_rule rule(part.groups);
    std::vector<chosen_launch> all;
    uint32_t largest = 0;
    for (uint32_t l = 0; l < launches.size(); ++l) {
        if (!launches[l])
            continue;
        const uint32_t groups = wkt_reader_launch(trace, l)->groups;
        largest = std::max(largest, groups);
        chosen_launch chosen{l, {}};
        for (uint32_t g = 0; g < groups; ++g)
            if (rule.has(l, g, groups))
                chosen.groups.push_back(g);
        if (!chosen.groups.empty())
            all.push_back(std::move(chosen));
    }
    refuse_empty_items(trace, items, rule, part.groups, all, largest);
    const skipped left_out = take_off(trace, all, skip);
    std::vector<wkt_part> parts;
    for (const chosen_launch &l : all)
        if (!l.groups.empty())
            parts.push_back({l.launch, l.groups.data(), static_cast<uint32_t>(l.groups.size())});
    if (parts.empty())
        throw failure(exit_usage, "--skip: nothing is left; the trace has " +
                                      std::to_string(left_out.groups) + " work-groups");
    wkt_error error{};
    if (wkt_reader_select(trace, parts.data(), static_cast<uint32_t>(parts.size()), &error) != WKT_OK)
        throw failure(exit_input, error.text);
    return left_out;
}

} // namespace walkway
