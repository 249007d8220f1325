/* SPDX-License-Identifier: MIT */
/* report/trace_print.cpp - header, totals and records of a trace as text and JSON. */
#include "report/trace_print.hpp"

#include "report/table.hpp"
#include "run/extent.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <ostream>
#include <set>

namespace walkway
{

static std::string text_of_3(const uint32_t (&v)[3])
{
    return std::to_string(v[0]) + "x" + std::to_string(v[1]) + "x" + std::to_string(v[2]);
}

static std::string text_of_flags(uint32_t flags)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } names[] = {{WKT_BUFFER_CONSTANT, "constant"},
                 {WKT_BUFFER_READ, "read-only"},
                 {WKT_BUFFER_WRITE, "write-only"},
                 {WKT_BUFFER_HOST, "host"}};
    std::string text;
    for (const auto &n : names)
        if ((flags & n.bit) != 0)
            text += (text.empty() ? "" : " ") + std::string(n.name);
    return text;
}

/* "gpu, 8 compute units, work-groups of at most 1,024" */
static std::string text_of_device(const wkt_device &device)
{
    return std::string(wkt_device_name(device.type)) + ", " + text_of_count(device.compute_units) +
           " compute units, work-groups of at most " + text_of_count(device.group_items);
}

/* "0x1234000, 4 levels" */
static std::string text_of_root(uint64_t root)
{
    return text_of_hex(root & WKT_ROOT_PA) + ", " + std::to_string(wkt_root_levels(root)) + " levels";
}

static size_t count_roots(const wkt_reader *trace)
{
    std::set<uint64_t> roots;
    for (uint32_t i = 0; i < wkt_reader_info(trace)->launches; ++i)
        roots.insert(wkt_reader_launch(trace, i)->root);
    return roots.size();
}

static json totals_json(const wkt_totals &totals)
{
    json kinds = json::object();
    for (uint8_t k = 0; k < WKT_KINDS; ++k)
        kinds[wkt_kind_name(k)] = {{"records", totals.records[k]}, {"lanes", totals.lanes[k]}};
    return {
        {"groups", totals.groups}, {"waves", totals.waves}, {"compute", totals.compute}, {"kinds", kinds}};
}

json trace_info_json(const std::string &path, const wkt_reader *trace, const trace_part &part)
{
    const wkt_info &info = *wkt_reader_info(trace);
    json launches = json::array();
    for (uint32_t i = 0; i < info.launches; ++i) {
        const wkt_launch &l = *wkt_reader_launch(trace, i);
        launches.push_back({{"kernel", l.name},
                            {"grid", {l.grid[0], l.grid[1], l.grid[2]}},
                            {"group", {l.group[0], l.group[1], l.group[2]}},
                            {"groups", l.groups},
                            {"groups_of", wkt_launch_groups(&l)},
                            {"lds_bytes", l.lds_bytes},
                            {"code_bytes", l.code_bytes}});
        if (info.rooted)
            launches.back()["table"] = {{"root", text_of_hex(l.root & WKT_ROOT_PA)},
                                        {"levels", wkt_root_levels(l.root)}};
    }
    json buffers = json::array();
    for (uint32_t i = 0; i < info.buffers; ++i) {
        const wkt_buffer &b = *wkt_reader_buffer(trace, i);
        buffers.push_back({{"base_va", b.base_va},
                           {"bytes", b.bytes},
                           {"flags", text_of_flags(b.flags)},
                           {"first_launch", b.first_launch},
                           {"end_launch", b.end_launch}});
    }
    json j = {{"file", std::filesystem::path(path).filename().string()},
              {"version", info.version},
              {"checksum", text_of_checksum(info.checksum)},
              {"program", info.program},
              {"command", info.command},
              {"producer", info.producer}};
    if (info.device.type != 0) {
        j["device"] = {{"type", wkt_device_name(info.device.type)},
                       {"compute_units", info.device.compute_units},
                       {"group_items", info.device.group_items}};
        j["exit_code"] = info.exit_code;
    }
    add_extent(j, info, part);
    j.update({{"file_bytes", info.file_bytes},
              {"raw_bytes", info.raw_bytes},
              {"wave_lanes", info.wave_lanes},
              {"totals", totals_json(info.totals)},
              {"launches", launches},
              {"buffers", buffers}});
    return j;
}

table launches_table(const wkt_reader *trace)
{
    std::vector<std::string> head = {"launch", "kernel"};
    for (const char *what : {"grid", "group"})
        for (const char *axis : {"_x", "_y", "_z"})
            head.push_back(std::string(what) + axis);
    head.insert(head.end(), {"groups", "groups_of", "lds_bytes", "code_bytes", "root", "levels"});
    table t(head);
    for (uint32_t i = 0; i < wkt_reader_info(trace)->launches; ++i) {
        const wkt_launch &l = *wkt_reader_launch(trace, i);
        std::vector<std::string> row = {std::to_string(i), l.name};
        for (const auto &extent : {l.grid, l.group})
            for (size_t axis = 0; axis < 3; ++axis)
                row.push_back(std::to_string(extent[axis]));
        row.insert(row.end(), {std::to_string(l.groups), std::to_string(wkt_launch_groups(&l)),
                               std::to_string(l.lds_bytes), std::to_string(l.code_bytes)});
        const bool rooted = wkt_reader_info(trace)->rooted;
        row.push_back(rooted ? text_of_hex(l.root & WKT_ROOT_PA) : "");
        row.push_back(rooted ? std::to_string(wkt_root_levels(l.root)) : "");
        t.row(row);
    }
    t.number_columns(0);
    t.number_columns(2, 10);
    t.number_columns(13);
    return t;
}

table totals_table(const wkt_totals &totals)
{
    table t({"kind", "records", "lanes"});
    for (uint8_t k = 0; k < WKT_KINDS; ++k)
        t.row({wkt_kind_name(k), std::to_string(totals.records[k]), std::to_string(totals.lanes[k])});
    t.number_columns(1, 2);
    return t;
}

static std::string missing_of(const wkt_info &info, const trace_part &part)
{
    json extent = json::object();
    add_extent(extent, info, part);
    return text_of_missing(extent);
}

static std::string text_of_groups(const wkt_launch &l)
{
    const uint64_t all = wkt_launch_groups(&l);
    return text_of_count(l.groups) + (l.groups == all ? "" : " of " + text_of_count(all));
}

static void print_totals(std::ostream &out, const wkt_totals &totals)
{
    out << text_of_count(totals.groups) << " work-groups, " << text_of_count(totals.waves) << " waves, "
        << text_of_count(totals.compute) << " wave instructions without memory\n\n";
    table t({"kind", "records", "active lanes", "lanes per record"});
    for (uint8_t k = 0; k < WKT_KINDS; ++k) {
        if (totals.records[k] == 0)
            continue;
        const double lanes = static_cast<double>(totals.lanes[k]) / static_cast<double>(totals.records[k]);
        t.row({wkt_kind_name(k), text_of_count(totals.records[k]), text_of_count(totals.lanes[k]),
               text_of_real(lanes, 1)});
    }
    t.print(out);
}

void print_trace_info(std::ostream &out, const std::string &path, const wkt_reader *trace,
                      const trace_part &part)
{
    const wkt_info &info = *wkt_reader_info(trace);
    out << path << ": format " << info.version << ", checksum " << text_of_checksum(info.checksum) << ", "
        << (info.file_bytes == 0 ? "made on demand"
                                 : text_of_bytes(info.file_bytes) + " (" + text_of_bytes(info.raw_bytes) +
                                       " before compression)")
        << (info.wave_lanes != WKT_WAVE_LANES ? ", waves of 32 lanes" : "") << '\n'
        << missing_of(info, part) << "program:  " << escaped(info.program)
        << "\ncommand:  " << escaped(info.command) << "\nproducer: " << escaped(info.producer) << "\n";
    if (info.device.type != 0)
        out << "device:   " << text_of_device(info.device) << '\n';
    if (info.exit_code != 0)
        out << "ended:    with exit code " << info.exit_code << '\n';
    if (info.rooted)
        out << "memory:   addresses are those of " << text_of_count(count_roots(trace))
            << " page tables in the memory that it was recorded in (walkway run --memory)\n";
    out << '\n';
    print_totals(out, info.totals);
    out << '\n';
    std::vector<std::string> columns = {"launch", "kernel",    "grid",      "group",
                                        "groups", "lds bytes", "code bytes"};
    if (info.rooted)
        columns.emplace_back("root");
    table launches(columns);
    for (uint32_t i = 0; i < info.launches; ++i) {
        const wkt_launch &l = *wkt_reader_launch(trace, i);
        std::vector<std::string> row = {
            std::to_string(i), escaped(readable_name(l.name)), text_of_3(l.grid),          text_of_3(l.group),
            text_of_groups(l), text_of_count(l.lds_bytes),     text_of_count(l.code_bytes)};
        if (info.rooted)
            row.push_back(text_of_root(l.root));
        launches.row(row);
    }
    launches.print(out);
    if (info.rooted && info.buffers == 0)
        return;
    out << '\n';
    table buffers({"buffer", "from", "to", "size", "launches", "flags"});
    for (uint32_t i = 0; i < info.buffers; ++i) {
        const wkt_buffer &b = *wkt_reader_buffer(trace, i);
        buffers.row({std::to_string(i), text_of_hex(b.base_va), text_of_hex(b.base_va + b.bytes),
                     text_of_bytes(b.bytes),
                     std::to_string(b.first_launch) + " to " + std::to_string(b.end_launch),
                     text_of_flags(b.flags)});
    }
    buffers.print(out);
}

void print_report(std::ostream &out, const std::string &path, const wkt_reader *trace, const trace_part &part,
                  const wkt_report &report)
{
    const std::string missing = missing_of(*wkt_reader_info(trace), part);
    out << path << (missing.compare(0, 7, "PARTIAL") == 0 ? ": undamaged" : ": whole")
        << ". Every checksum, every record and the totals are right.\n"
        << missing;
    print_totals(out, report.totals);
    out << "\nlargest work-group " << text_of_bytes(report.peak_group_bytes) << " in memory; "
        << (wkt_reader_info(trace)->rooted
                ? text_of_count(count_roots(trace)) +
                      " roots of page tables, no address wider than its table\n"
                : text_of_count(report.lanes_unmapped) + " lane addresses outside every buffer\n");
}

/* Returns the lanes' addresses in a short form; of irregular ones only four, unless every_lane. */
static std::string text_of_addresses(const wkt_record &r, bool every_lane)
{
    if (r.kind == WKT_BARRIER)
        return "";
    unsigned first = WKT_WAVE_LANES, second = WKT_WAVE_LANES;
    for (unsigned lane = 0; lane < WKT_WAVE_LANES; ++lane) {
        if ((r.mask >> lane & 1) == 0)
            continue;
        if (first == WKT_WAVE_LANES) {
            first = lane;
        } else {
            second = lane;
            break;
        }
    }
    if (second == WKT_WAVE_LANES)
        return text_of_hex(r.va[first]);
    const auto step = static_cast<int64_t>(r.va[second] - r.va[first]) / static_cast<int64_t>(second - first);
    bool regular = true;
    for (unsigned lane = first; lane < WKT_WAVE_LANES; ++lane)
        if ((r.mask >> lane & 1) != 0)
            regular = regular && r.va[lane] == r.va[first] + static_cast<uint64_t>(step) * (lane - first);
    if (regular && !every_lane)
        return text_of_hex(r.va[first]) + (step == 0 ? " by all" : " step " + std::to_string(step));
    std::string text;
    unsigned shown = 0;
    for (unsigned lane = first; lane < WKT_WAVE_LANES; ++lane) {
        if ((r.mask >> lane & 1) == 0)
            continue;
        if (shown == 4 && !every_lane)
            return text + " ... (" + wkt_form_name(r.form) + ")";
        text += (shown == 0 ? "" : " ") + text_of_hex(r.va[lane]);
        ++shown;
    }
    return text;
}

static std::string text_of_use(uint32_t use)
{
    if (use == WKT_USE_NEVER)
        return "-";
    return use == WKT_USE_UNKNOWN ? "?" : std::to_string(use);
}

static void print_record(std::ostream &out, const wkt_record &r, bool lanes)
{
    char head[128];
    std::snprintf(head, sizeof head, "    pc %6" PRIu32 "  +%-4" PRIu32 " %-12s %3u B x %2d  use %-4s ", r.pc,
                  r.compute, wkt_kind_name(r.kind), static_cast<unsigned>(r.bytes),
                  __builtin_popcountll(r.mask), text_of_use(r.use).c_str());
    out << head << text_of_addresses(r, lanes) << '\n';
}

/* Returns the number of printed records. */
static uint64_t print_wave(std::ostream &out, wkt_group *group, uint32_t wave, uint64_t limit, bool lanes)
{
    wkt_cursor cursor{};
    wkt_cursor_start(group, wave, &cursor);
    out << "  wave " << wave << ": " << __builtin_popcountll(cursor.lanes) << " lanes, "
        << cursor.records_left << " records\n";
    const uint32_t tail = cursor.tail_compute;
    uint64_t printed = 0;
    wkt_record record{};
    while (printed < limit && wkt_next(&cursor, &record)) {
        print_record(out, record, lanes);
        ++printed;
    }
    if (wkt_cursor_failed(&cursor))
        throw failure(exit_input, "wave " + std::to_string(wave) + ": its contents contradict themselves");
    if (printed < limit)
        out << "    +" << tail << " to the end\n";
    return printed;
}

void print_records(std::ostream &out, wkt_reader *trace, const trace_selection &wanted)
{
    const auto selected = [](std::optional<uint32_t> want, uint32_t i) { return want.value_or(i) == i; };
    const uint32_t launches = wkt_reader_info(trace)->launches;
    if (wanted.launch && *wanted.launch >= launches)
        throw failure(exit_usage, "--launch " + std::to_string(*wanted.launch) + ": the trace has " +
                                      std::to_string(launches) + " launches, from 0");
    group_ptr group;
    uint64_t left = wanted.limit;
    bool any = false;
    for (uint32_t l = 0; l < launches; ++l) {
        if (!selected(wanted.launch, l))
            continue;
        const wkt_launch &launch = *wkt_reader_launch(trace, l);
        for (uint32_t g = 0; g < launch.groups; ++g) {
            if (!selected(wanted.group, g))
                continue;
            wkt_group *loaded = group.release();
            wkt_error error{};
            const int status = wkt_group_load(trace, l, g, &loaded, &error);
            group.reset(loaded);
            if (status != WKT_OK)
                throw failure(exit_input, error.text);
            out << "launch " << wkt_reader_launch_origin(trace, l) << " ("
                << escaped(readable_name(launch.name)) << ") work-group "
                << wkt_reader_group_origin(trace, l, g)
                << (launch.root == 0 ? "" : ", root " + text_of_root(launch.root)) << '\n';
            for (uint32_t w = 0; w < wkt_group_waves(loaded); ++w) {
                if (!selected(wanted.wave, w))
                    continue;
                any = true;
                left -= print_wave(out, loaded, w, left, wanted.lanes);
                if (left == 0 || !out)
                    return;
                if (interrupted())
                    throw failure(exit_interrupted, "interrupted");
            }
        }
    }
    if (!any)
        throw failure(exit_usage, "no such work-group or wave in the trace");
}

} // namespace walkway
