/* SPDX-License-Identifier: MIT */
/* cli/listing.cpp - what `walkway list` prints. */
#include "cli/listing.hpp"

#include "cli/errors.hpp"
#include "cli/paths.hpp"
#include "cli/table.hpp"
#include "cli/trace_file.hpp"

#include <ostream>

namespace walkway
{

void print_parameters(std::ostream &out, const std::vector<parameter> &now,
                      const std::vector<parameter> &fresh)
{
    table t({"parameter", "value", "default", "range", "unit", "meaning", "source"});
    t.align_left();
    for (size_t i = 0; i < now.size(); ++i) {
        const parameter &p = now[i];
        const bool number = p.what == parameter::kind::number;
        t.row({p.name, p.value, fresh[i].value, p.range(), number ? p.unit : "", p.text, p.source});
    }
    t.print(out);
}

json parameters_json(const std::vector<parameter> &now, const std::vector<parameter> &fresh)
{
    json all = json::object();
    for (size_t i = 0; i < now.size(); ++i) {
        const parameter &p = now[i];
        json entry = {{"value", p.json_value()},
                      {"default", fresh[i].json_value()},
                      {"unit", p.unit},
                      {"description", p.text},
                      {"source", p.source}};
        if (p.what == parameter::kind::number) {
            entry["minimum"] = p.min;
            entry["maximum"] = p.max;
        } else {
            entry["choices"] = p.choices;
        }
        all[p.name] = entry;
    }
    return all;
}

void print_cfg(std::ostream &out, const platform_spec &spec)
{
    out << "# SPDX-License-Identifier: MIT\n"
           "# Every parameter of the machine. After each value: unit, range; where the number comes from.\n\n"
           "[platform]\nwiring = "
        << spec.wiring << "\ntext = " << (spec.text.empty() ? spec.name : spec.text) << '\n';
    const std::vector<parameter> list = list_parameters(*spec.config);
    for (size_t i = 0; i < list.size(); ++i) {
        const parameter &p = list[i];
        if (i == 0 || p.section != list[i - 1].section) {
            out << '\n';
            if (!p.section_text.empty())
                out << "# " << p.section_text << '\n';
            out << '[' << p.section << "]\n";
        }
        const bool number = p.what == parameter::kind::number;
        out << "# " << p.text << '\n'
            << p.key << " = " << p.value << "  # " << (number ? p.unit + ", " : "") << p.range() << "; "
            << p.source << '\n';
    }
}

static void must(int status, const wkt_error &error)
{
    if (status != WKT_OK)
        throw failure(exit_output, error.text);
}

static void write_idle_trace(const std::string &path)
{
    wkt_error error{};
    wkt_writer_cfg cfg{};
    cfg.program = cfg.command = "idle";
    cfg.producer = "walkway list";
    wkt_writer *w = nullptr;
    must(wkt_writer_open(path.c_str(), &cfg, &w, &error), error);
    wkt_buffer buffer{};
    buffer.base_va = uint64_t{1} << 32;
    buffer.bytes = 65536;
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
    write_idle_trace(path);
    const trace_file trace = open_trace(path);
    const std::unique_ptr<platform> machine = spec.config->build(trace.get());
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

std::vector<signal_info> signals_of_idle_machine(const platform_spec &spec)
{
    return with_idle_machine(spec, [](const platform &machine) { return machine.signals(); });
}

} // namespace walkway
