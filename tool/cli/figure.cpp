/* SPDX-License-Identifier: MIT */
/* cli/figure.cpp - writes the script and its data, and runs it. */
#include "cli/figure.hpp"

#include "cli/python.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/paths.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

namespace walkway
{

namespace fs = std::filesystem;

static constexpr const char *data_begins = "workload,point,machine,"; /* first columns of every drawn table */
static constexpr const char *report_begins = "{\n  \"title\": ";      /* first line of every drawn report */
/* A script's first line is one, whatever it says between, and the other with the checksum of the rest. */
static constexpr const char *written = "# written by walkway", *checked = "; checksum of what follows: ";

static std::string beside(const std::string &file, const char *ending)
{
    return fs::path(file).replace_extension(ending).string();
}

static std::string data_of(const figure_plan &plan)
{
    return beside(plan.file, plan.kind == "report" ? ".json" : ".csv");
}

static std::string contents_of(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

static std::string checked_by(const std::string &text)
{
    return checked + text_of_checksum(wkt_hash64(text.data(), text.size(), 0));
}

/* Returns true if the script was not edited, whichever table it draws. */
static bool is_unchanged(const std::string &script)
{
    const size_t end = script.find('\n');
    return end != std::string::npos && script.rfind(written, 0) == 0 &&
           ends_with(script.substr(0, end), checked_by(script.substr(end + 1)));
}

/* Replaces what is between the first `begin` and the next `end`. */
static void replace_between(std::string &text, const std::string &begin, const std::string &end,
                            const std::string &by)
{
    const size_t from = text.find(begin) + begin.size();
    text.replace(from, text.find(end, from) - from, by);
}

/* JSON strings and lists of strings are valid Python, unless characters are escaped: JSON's escapes beyond
 * U+FFFF are two, and each is a character to Python. */
static std::string script_of(const figure_plan &plan)
{
    std::string script = contents_of(python_file("walkway/figure.py"));
    replace_between(script, "# settings:", "\n", " change them, or anything below, and run this file again");
    const std::pair<const char *, nlohmann::ordered_json> settings[] = {
        {"KIND", plan.kind},
        {"OVER", plan.over},
        {"FORMAT", fs::path(plan.file).extension().string()},
        {"NOTES", plan.notes}};
    for (const auto &[name, value] : settings)
        replace_between(script, std::string("\n") + name + " = ", " #",
                        value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return written + checked_by(script) + "\n" + script;
}

void check_figure(const figure_plan &plan, const std::vector<std::string> &others)
{
    new_picture(plan.option, plan.file);
    const std::string data = data_of(plan), script = beside(plan.file, ".py");
    for (const std::string &file : {data, script})
        new_file(plan.option, file);
    for (const std::string &file : {plan.file, data, script})
        for (const std::string &other : others)
            if (same_place(file, other))
                throw failure(exit_usage, plan.option + " " + as_written(plan.file) + ": " +
                                              as_written(file) +
                                              " is a result of the command itself: name another figure");
    const auto refuse = [&](const std::string &file, const char *why) {
        throw failure(exit_usage, plan.option + " " + as_written(plan.file) + ": would overwrite " +
                                      as_written(file) + ", " + why + ": name another figure, or remove it");
    };
    const bool is_report = plan.kind == "report";
    std::error_code ignored; /* what cannot be reached cannot be written either, which says why */
    if (fs::exists(data, ignored) && contents_of(data).rfind(is_report ? report_begins : data_begins, 0) != 0)
        refuse(data, is_report ? "which is no study's report" : "which is another table");
    if (fs::exists(script, ignored) && !is_unchanged(contents_of(script)))
        refuse(script, is_report ? "which is not as it was written"
                                 : "which is not as it was written (--csv writes its data alone)");
}

/* Draws data that is written. */
static void draw(const figure_plan &plan)
{
    const std::string script = beside(plan.file, ".py");
    write_file(script, script_of(plan));
    try {
        run_script(script, {});
    } catch (const failure &e) {
        throw failure(e.code(), plan.option + " " + as_written(plan.file) +
                                    ": not drawn, though its script and data are written: " + e.what());
    }
}

void write_figure(const figure_plan &plan, const table &t)
{
    write_csv(data_of(plan), t);
    draw(plan);
}

void write_figure(const figure_plan &plan, const std::string &report)
{
    write_file(data_of(plan), report);
    draw(plan);
}

std::string text_of_figure(const figure_plan &plan)
{
    return "figure: " + plan.file + ", and beside it its data (" +
           fs::path(data_of(plan)).extension().string() + ") and the script that draws it (.py)";
}

} // namespace walkway
