/* SPDX-License-Identifier: MIT */
/* cli/accelsim_import.cpp - walkway trace import-accelsim: options, progress, what was left out, and the
 * nearest valid name in errors. */
#include "cli/accelsim.hpp"

#include "report/table.hpp"
#include "run/progress.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace walkway
{

namespace fs = std::filesystem;

static std::vector<std::string> names_of(const char *const *valid)
{
    std::vector<std::string> names;
    for (; *valid != nullptr; ++valid)
        names.emplace_back(*valid);
    return names;
}

/* True if a word differs from a valid one by at most two letters. Other unknown words are skipped: tracers
 * derived from Accel-Sim's have commands and keys of their own. */
bool accelsim_misspelt(const char *word, const char *const *valid)
{
    const auto names = names_of(valid);
    return std::any_of(names.begin(), names.end(),
                       [word](const std::string &name) { return edit_distance(word, name) <= 2; });
}

/* Returns the names in a missing file's folder, to suggest one of them. */
static std::vector<std::string> files_beside(const std::string &path)
{
    std::vector<std::string> names;
    std::error_code ignored;
    const fs::path folder = fs::path(path).parent_path();
    for (const auto &file : fs::directory_iterator(folder.empty() ? "." : folder, ignored))
        names.push_back(file.path().filename().string());
    return names;
}

static failure failure_of(const asim_error &e, const std::string &list)
{
    std::string text = e.text;
    if (e.word[0] != 0)
        text += did_you_mean(e.word, e.valid != nullptr ? names_of(e.valid) : files_beside(list));
    return failure(e.output ? exit_output : exit_input, text);
}

accelsim_list read_accelsim_list(const std::string &path)
{
    accelsim_list list(new asim_list{});
    asim_error error{};
    std::error_code ignored;
    if (asim_list_read(path.c_str(), accelsim_misspelt, list.get(), &error) != WKT_OK)
        throw failure_of(error, fs::is_directory(path, ignored) ? path + "/" : path);
    will_read(list->path, "the list of kernels");
    for (size_t i = 0; i < list->n; ++i)
        if (list->entries[i].command == ASIM_KERNEL)
            will_read(list->entries[i].text, "a kernel of the list");
    return list;
}

namespace
{

struct watch {
    progress_line line;
    std::string name;
    uint64_t bytes_total = 0;
};

bool stop(void *context, const asim_summary *so_far, uint64_t bytes_read)
{
    watch &w = *static_cast<watch *>(context);
    if (w.line.shown()) {
        const double seconds = w.line.seconds();
        const double share = static_cast<double>(bytes_read) / static_cast<double>(w.bytes_total);
        w.line.message(
            "importing " + w.name + "  " + text_of_share(share) + "  kernel " +
            std::to_string(so_far->launches) + "  " + text_of_count(so_far->instructions) + " instructions" +
            (share > 0.0 ? "  " + text_of_duration(seconds * (1.0 - share) / share) + " left" : ""));
    }
    return interrupted();
}

} // namespace

static uint64_t bytes_of_kernels(const asim_list &list)
{
    uint64_t bytes = 1;
    for (size_t i = 0; i < list.n; ++i) {
        std::error_code error;
        const auto size =
            list.entries[i].command == ASIM_KERNEL ? fs::file_size(list.entries[i].text, error) : 0;
        bytes += error ? 0 : size;
    }
    return bytes;
}

static void note(uint64_t n, const std::string &text)
{
    if (n != 0)
        std::cout << "  " << text_of_count(n) << ' ' << text << '\n';
}

static void print_summary(const std::string &path, const asim_summary &s)
{
    const trace_file trace = open_trace(path);
    const wkt_info &info = *wkt_reader_info(trace.get());
    uint64_t records = 0;
    for (const uint64_t n : info.totals.records)
        records += n;
    std::cout << path << ": " << info.launches << " launches, " << text_of_count(info.totals.groups)
              << " work-groups, " << text_of_count(info.totals.waves) << " waves of " << info.wave_lanes
              << " lanes, " << text_of_count(records) << " records, " << text_of_bytes(info.file_bytes)
              << "; from " << text_of_count(s.instructions) << " instructions in "
              << text_of_bytes(s.text_bytes) << " of text\n";
    note(s.off, "memory instructions without an active lane: no record");
    note(s.constant, "accesses to constant memory left out");
    note(s.unknown,
         "accesses to memory of unknown kind left out, the first of them " + as_written(s.unknown_opcode));
    note(s.local_records, "records of local memory, at addresses of their own");
    note(s.split, "generic accesses to several spaces at once, a record for each space");
    note(s.guessed, "accesses of version 1 by base and stride whose base may be another lane's");
    note(s.blocks_missing, "thread blocks of the grids are not in the trace");
    note(s.blocks_disordered, "thread blocks out of the grid's order, kept in the file's");
    note(s.commands, "lines of the list that are neither copies to the device nor kernels, skipped");
}

int import_accelsim_main(const arguments &args, const std::vector<std::string> &files)
{
    if (!args.has("output"))
        throw failure(exit_usage, "trace import-accelsim: wants -o TRACE.wkt");
    new_file("--output", args.value("output")); /* here, too, so that its errors come before the list's */
    const auto level = static_cast<int>(args.number("level", 0, 1, 19));
    const accelsim_list list = read_accelsim_list(files[0]);
    const std::string out = new_file("--output", args.value("output"));
    const std::string folder = fs::absolute(list->path).parent_path().filename().string();
    watch w{progress_line(args.has("quiet")), as_written(folder), bytes_of_kernels(*list)};
    asim_import_cfg cfg{};
    cfg.program = folder.c_str();
    cfg.command = files[0].c_str();
    cfg.producer = "walkway import-accelsim 1";
    cfg.level = level;
    cfg.misspelt = accelsim_misspelt;
    cfg.stop = stop;
    cfg.context = &w;
    asim_summary summary{};
    asim_error error{};
    const int status = asim_import(list.get(), out.c_str(), &cfg, &summary, &error);
    w.line.clear();
    if (status != WKT_OK && interrupted())
        throw failure(exit_interrupted, "import interrupted; there is no " + out);
    if (status != WKT_OK)
        throw failure_of(error, list->path);
    if (!args.has("quiet"))
        print_summary(out, summary);
    return exit_ok;
}

} // namespace walkway
