/* SPDX-License-Identifier: MIT */
/* report/listing.cpp - the output of `walkway list`. */
#include "report/listing.hpp"

#include "platforms/gpu_params.hpp"
#include "run/machine.hpp"
#include "run/simulate.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <map>
#include <ostream>

namespace walkway
{

std::string listed_parameter::provenance() const
{
    if (!changed())
        return fresh.provenance();
    return set_by.empty() ? "SET" : "SET by " + as_written(set_by);
}

std::vector<listed_parameter> parameters_of(const platform_spec &spec)
{
    const std::vector<parameter> now = described_parameters(spec), fresh = described_files(spec);
    std::vector<listed_parameter> list;
    for (size_t i = 0; i < now.size(); ++i) {
        const auto by = spec.set_by.find(now[i].name);
        list.push_back({now[i], fresh[i], by == spec.set_by.end() ? "" : by->second});
    }
    return list;
}

static std::string unit_of(const parameter &p)
{
    return p.what == parameter::kind::number ? p.unit : "";
}

std::string parameter_line(const parameter &p, const std::string &name, const std::string &value)
{
    return name + " = " + value + (unit_of(p).empty() ? "" : "  " + unit_of(p)) + "  [" + p.range() + "]";
}

void print_parameters(std::ostream &out, const std::vector<listed_parameter> &list)
{
    std::map<std::string, size_t> origins;
    size_t names = 0;
    for (const listed_parameter &l : list) {
        ++origins[l.changed() ? "SET" : name_of(l.now.from.kind)];
        names = std::max(names, l.now.name.size());
    }
    for (const listed_parameter &l : list) {
        const parameter &p = l.now;
        const std::string value = p.value + (l.changed() ? " (default " + l.fresh.value + ")" : "");
        out << wrapped(parameter_line(p, p.name + std::string(names - p.name.size(), ' '), value)) << '\n'
            << wrapped(p.text + "; " + l.provenance(), line_width(), 4) << '\n';
    }
    out << '\n' << list.size() << (list.size() == 1 ? " parameter:" : " parameters:");
    const char *before = " ";
    for (const auto &origin : origins) {
        out << before << origin.second << ' ' << origin.first;
        before = ", ";
    }
    out << '\n';
}

table parameters_table(const std::vector<listed_parameter> &list)
{
    table t({"parameter", "value", "default", "range", "unit", "meaning", "source"});
    t.align_left();
    for (const listed_parameter &l : list)
        t.row({l.now.name, l.now.value, l.fresh.value, l.now.range(), unit_of(l.now), l.now.text,
               l.provenance()});
    return t;
}

/* Returns the origin without its kind. */
static std::string source_of(const parameter &p)
{
    const std::string whose = p.from.whose.empty() ? "" : "(" + p.from.whose + ")";
    return whose + (whose.empty() || p.from.text.empty() ? "" : " ") + p.from.text;
}

json parameter_json(const parameter &p)
{
    json entry = {{"value", json_of(p)}, {"unit", p.unit}, {"description", p.text}};
    if (p.what == parameter::kind::number) {
        entry["minimum"] = p.min;
        entry["maximum"] = p.max;
    } else {
        entry["choices"] = p.choices;
    }
    return entry;
}

json parameters_json(const std::vector<listed_parameter> &list)
{
    json all = json::object();
    for (const listed_parameter &l : list) {
        const parameter &p = l.now;
        json entry = parameter_json(p);
        entry["default"] = json_of(l.fresh);
        entry["origin"] = l.changed() ? "SET" : name_of(p.from.kind);
        entry["source"] = l.changed() ? l.set_by : source_of(p);
        entry["default_origin"] = name_of(p.from.kind);
        entry["default_source"] = source_of(p);
        all[p.name] = entry;
    }
    return all;
}

static const char *const cfg_head =
    "# SPDX-License-Identifier: MIT\n"
    "# Every parameter of the machine. Before each value what it is, its unit and range; behind '@' where "
    "the number comes from:\n"
    "#   paper    stands in the paper named; \"another machine\": the paper is not the one of this machine\n"
    "#   derived  follows from such numbers, or from a standard\n"
    "#   assumed  no source states it\n"
    "#   chosen   assumed, and fixed after results had been seen: docs/results/reproduction.md\n"
    "# (NAME): the machine that this one has it from.\n\n";

void print_cfg(std::ostream &out, const platform_spec &spec)
{
    out << cfg_head << "[machine]\nparameters = " << parameters_of(spec).size() << "\npath = " << spec.levels
        << "\ntext = " << (spec.text.empty() ? spec.name : spec.text) << '\n';
    std::string section;
    for (const listed_parameter &l : parameters_of(spec)) {
        const parameter &p = l.now;
        if (p.section != section) {
            section = p.section;
            out << '\n';
            if (!p.section_text.empty())
                out << "# " << p.section_text << '\n';
            out << '[' << p.section << "]\n";
        }
        const bool number = p.what == parameter::kind::number;
        out << "# " << p.text << ": " << (number ? p.unit + ", " : "") << p.range() << '\n'
            << p.key << " = " << p.value;
        if (l.changed())
            out << "  # " << l.provenance() << "; default " << l.fresh.value << ": " << l.fresh.provenance();
        else
            out << "  @ " << text_of_origin(p.from);
        out << '\n';
    }
}

static void must(int status, const wkt_error &error)
{
    if (status != WKT_OK)
        throw failure(exit_output, error.text);
}

/* With a driver, device memory must hold all pages of one migration, at most a block of 2 MiB. */
static uint64_t idle_bytes(const platform_spec &spec)
{
    const gpu_machine_params *p = spec.config->gpu();
    return p != nullptr && p->driver.present() ? uint64_t{p->driver.oversubscription} * (2u << 20) / 100
                                               : 65536;
}

static void write_idle_trace(const std::string &path, uint64_t bytes)
{
    wkt_error error{};
    wkt_writer_cfg cfg{};
    cfg.program = cfg.command = "idle";
    cfg.producer = "walkway list";
    wkt_writer *w = nullptr;
    must(wkt_writer_open(path.c_str(), &cfg, &w, &error), error);
    wkt_buffer buffer{};
    buffer.base_va = uint64_t{1} << 32;
    buffer.bytes = bytes;
    uint32_t number = 0;
    wkt_launch launch{};
    launch.name[0] = 'i';
    for (unsigned d = 0; d < 3; ++d)
        launch.grid[d] = launch.group[d] = 1;
    launch.code_bytes = 8;
    wkt_record record{};
    record.kind = WKT_LOAD;
    record.bytes = 4;
    record.use = WKT_USE_NEVER;
    record.mask = 1;
    record.va[0] = buffer.base_va;
    must(wkt_writer_buffer(w, &buffer, &number, &error), error);
    must(wkt_writer_launch_begin(w, &launch, &error), error);
    must(wkt_writer_group_begin(w, &error), error);
    must(wkt_writer_wave(w, 1, &error), error);
    must(wkt_writer_record(w, &record, &error), error);
    must(wkt_writer_group_end(w, &error), error);
    must(wkt_writer_launch_end(w, &error), error);
    must(wkt_writer_finish(w, false, &error), error);
}

template <class F> static auto with_idle_machine(const platform_spec &spec, F ask)
{
    const temporary_folder folder;
    const std::string path = folder.path() + "/idle.wkt";
    write_idle_trace(path, idle_bytes(spec));
    const trace_file trace = open_trace(path);
    check_memory(spec, trace.get());
    const std::unique_ptr<platform> machine = build_machine(spec, trace.get());
    return ask(*machine);
}

void ask_idle_machine(const platform_spec &spec, const std::function<void(const platform &)> &ask)
{
    with_idle_machine(spec, ask);
}

json statistics_of_idle_machine(const platform_spec &spec)
{
    return with_idle_machine(spec, [](const platform &machine) { return statistics_json(machine); });
}

std::vector<link_info> links_of_idle_machine(const platform_spec &spec)
{
    return with_idle_machine(spec, [](platform &machine) { return machine.links(); });
}

std::vector<signal_info> signals_of_idle_machine(const platform_spec &spec)
{
    return with_idle_machine(spec, [](const platform &machine) { return machine.signals(); });
}

} // namespace walkway
