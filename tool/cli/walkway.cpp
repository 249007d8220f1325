/* SPDX-License-Identifier: MIT */
/* cli/walkway.cpp - selects the command, and turns its failures into messages and exit codes. */
#include "cli/commands.hpp"

#include "run/simulate.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"

#include <exception>
#include <filesystem>
#include <iostream>
#include <new>

namespace walkway
{

const std::vector<const command_def *> &all_commands()
{
    static const std::vector<const command_def *> commands = {
        &run_command,   &compare_command,   &advise_command,    &capture_command, &trace_command,
        &list_command,  &reproduce_command, &workloads_command, &walk_command,    &guest_command,
        &sweep_command, &search_command,    &results_command,   &report_command,  &completion_command};
    return commands;
}

static void print_overview(std::ostream &out)
{
    out << "Walkway models how a GPU translates addresses: it runs real OpenCL programs on a machine of "
           "compute units,\n"
           "TLBs, IOMMU and page-table walkers, and says where every cycle of every translation went.\n\n"
           "Usage: walkway COMMAND ...   ('walkway COMMAND --help' explains one)\n\n"
           "  run        run a trace or a program on one machine\n"
           "  compare    run it on several machines side by side and explain the difference\n"
           "  advise     larger pages, another order, longer rows: what would help it\n"
           "  capture    record a program's wavefronts once, to be run for ever\n"
           "  trace      look into a trace: info, cat, check; import one of Accel-Sim\n"
           "  list       machines, workloads, parameters, stats: everything there is\n"
           "  reproduce  a paper's figures and tables beside ours\n"
           "  workloads  run the OpenCL programs and check their results\n"
           "  sweep      all points of a study into one file of results\n"
           "  search     the best machines of a study, by fewer runs than all\n"
           "  results    what a sweep found: best points, tables, SQL\n"
           "  report     the same as a page to look at\n"
           "  walk       addresses through the page tables of a real machine's memory image\n"
           "  guest      a running guest in an emulator, its translations timed and compared\n"
           "  completion for shells, and pages for man\n\n"
           "  --help, --version\n\n"
           "First steps:\n"
           "  walkway list workloads\n"
           "  walkway compare apu-micro18 apu-micro18:walk_unit.coalesce=full -- atax 1024\n";
    const std::string documents = documents_folder();
    if (!documents.empty())
        out << "\nThe documents, docs/README.md first, are in " << documents << '\n';
}

/* Returns the command line that an unknown word suggests: "trace info" for "info", "run x.wkt" for a trace,
 * "results x.db" for a file of results; empty if there is none. */
static std::string command_with(const std::string &word)
{
    if (word == "platforms") /* alias of machines */
        return "list machines";
    for (const command_def *command : all_commands())
        for (const std::string &form : split(command->synopsis, '\n')) {
            const std::vector<std::string> words = split(form, ' ');
            if (words.size() > 1 && words[1] == word)
                return std::string(command->name) + " " + word;
        }
    const std::string extension = std::filesystem::path(word).extension();
    const std::string file = as_written(word);
    return extension == ".wkt" || word.rfind("gen:", 0) == 0 ? "run " + file
           : extension == ".db"                              ? "results " + file
           : extension == ".cfg"                             ? "run -p " + file + " TRACE"
                                                             : "";
}

static bool asks_for_help(const std::string &word)
{
    return word == "--help" || word == "-h" || word == "help";
}

static int dispatch(const std::vector<std::string> &words)
{
    if (words.empty() || asks_for_help(words[0])) {
        if (words.size() > 1 && !asks_for_help(words[1]))
            return dispatch({words[1], "--help"});
        print_overview(words.empty() ? std::cerr : std::cout);
        return words.empty() ? exit_usage : exit_ok;
    }
    if (words[0] == "--version") {
        if (words.size() > 1)
            throw failure(exit_usage, "--version stands alone, without " + as_written(words[1]));
        std::cout << "walkway " << program_version() << '\n';
        return exit_ok;
    }
    std::vector<std::string> names;
    for (const command_def *command : all_commands()) {
        names.emplace_back(command->name);
        if (words[0] != command->name)
            continue;
        const arguments args = parse_arguments(*command, {words.begin() + 1, words.end()});
        if (args.has("help")) {
            print_help(std::cout, *command);
            return exit_ok;
        }
        return command->main(args);
    }
    const std::string inner = command_with(words[0]);
    throw failure(exit_usage, "unknown command '" + as_written(words[0]) + "'" +
                                  (inner.empty() ? did_you_mean(words[0], names)
                                                 : " (did you mean 'walkway " + inner + "'?)") +
                                  "; 'walkway --help' has them all");
}

int walkway_main(const std::vector<std::string> &words)
{
    watch_interrupts();
    int code = exit_ok;
    try {
        code = dispatch(words);
        std::cout.flush();
        if (!std::cout)
            throw failure(exit_output, "standard output cannot be written");
    } catch (const failure &e) {
        std::cout.flush();
        std::cerr << "walkway: " << readable_names(e.what()) << '\n';
        code = interrupted() ? exit_interrupted : e.code();
    } catch (const std::bad_alloc &) {
        std::cerr << "walkway: out of memory\n";
        code = exit_input;
    } catch (const std::exception &e) {
        std::cout.flush();
        std::cerr << "walkway: internal error: " << e.what() << '\n';
        code = exit_law;
    }
    return code;
}

} // namespace walkway
