/* SPDX-License-Identifier: MIT */
/* cli/walk.cpp - walkway walk: walks addresses through a page table in an image of memory, or lists all that
 * it maps. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"
#include "cli/image_options.hpp"
#include "report/image_formats.hpp"
#include "report/image_tables.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"

#include <iostream>
#include <unistd.h>

namespace walkway
{

using json = nlohmann::ordered_json;

/* With more ranges, shared tables are listed once unless --shared says otherwise: a kernel's shadow of zeros
 * alone has 2^32 pages. */
static constexpr uint64_t ranges_without_folding = uint64_t{1} << 22;

/* Suggests 0x... for an address as other programs print it: "ffffffff81000000", "fffff803`12345678". */
static std::string meant_address(const std::string &text)
{
    std::string digits;
    for (const char c : text.compare(0, 2, "0x") == 0 ? text.substr(2) : text)
        if (c != '`' && c != '_' && c != ',')
            digits += c;
    uint64_t value = 0;
    return read_number("0x" + digits, value) == number_kind::whole ? " (did you mean '0x" + digits + "'?)"
                                                                   : "";
}

static uint64_t address_of(const std::string &text, const std::string &place)
{
    uint64_t va = 0;
    const number_kind kind = read_number(text, va);
    if (kind != number_kind::whole)
        throw failure(exit_usage,
                      place + as_written(text) +
                          (kind == number_kind::too_large
                               ? ": more than 64 bits"
                               : ": not an address, which is 0x... or decimal" + meant_address(text)));
    return va;
}

/* Calls each() for the command line's addresses; without any, for those of standard input, one per line,
 * where # begins a comment. */
template <class Fn> static void for_addresses(const arguments &args, Fn each)
{
    for (const std::string &text : args.positional)
        each(address_of(text, "walk: "));
    std::string line;
    for (uint64_t number = 1; args.positional.empty() && !interrupted() && std::getline(std::cin, line);
         ++number) {
        const std::string text = line.substr(0, line.find('#'));
        const size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
        if (first != std::string::npos)
            each(address_of(text.substr(first, last - first + 1),
                            "standard input:" + std::to_string(number) + ": "));
    }
}

template <class Table> static void walk_addresses(const arguments &args, const Table &t)
{
    using walk_type = decltype(walk_of(t, 0));
    const output_form form = form_of(args);
    if (!form.csv.empty()) {
        if (form.json)
            throw failure(exit_usage, "walk: --json and --csv: one of them");
        std::vector<walk_type> walks;
        for_addresses(args, [&](uint64_t va) { walks.push_back(walk_of(t, va)); });
        write_csv(form.csv, walks_table(t, walks));
        if (form.text())
            for (const walk_type &w : walks)
                print_walk(std::cout, t, w);
        return;
    }
    if (!form.json) {
        std::cout << text_of_table(t) << '\n';
        for_addresses(args, [&](uint64_t va) { print_walk(std::cout, t, walk_of(t, va)); });
        return;
    }
    std::cout << "{\n  \"table\": " << table_json(t).dump() << ",\n  \"walks\": [";
    const char *before = "\n    ";
    for_addresses(args, [&](uint64_t va) {
        std::cout << before << walk_json(t, walk_of(t, va)).dump();
        before = ",\n    ";
    });
    std::cout << "\n  ]\n}\n";
}

static bool folds(const arguments &args, uint64_t ranges)
{
    if (!args.has("shared")) {
        if (ranges <= ranges_without_folding)
            return false;
        std::cerr << "walk: the tables are shared many times over, up to " << ranges
                  << " ranges: what is listed already is not listed again; --shared list lists all\n";
        return true;
    }
    const std::string how = args.value("shared");
    if (how != "fold" && how != "list")
        throw failure(exit_usage, "--shared " + as_written(how) + ": wants fold or list" +
                                      did_you_mean(how, {"fold", "list"}));
    return how == "fold";
}

static void dump_table(const arguments &args, const image_table &t)
{
    table_dump dump(t);
    const dump_totals totals = dump.count(interrupted);
    const bool fold = folds(args, totals.ranges);
    const output_form form = form_of(args);
    if (!form.csv.empty()) {
        if (form.json)
            throw failure(exit_usage, "walk: --json and --csv: one of them");
        dump_rows out;
        dump.list(out, fold, interrupted);
        write_csv(form.csv, out.made());
    }
    if (!form.text() && !form.json)
        return;
    if (form.json) {
        dump_json out(std::cout);
        out.head(t);
        dump.list(out, fold, interrupted);
        out.totals(totals);
    } else {
        dump_text out(std::cout);
        out.head();
        dump.list(out, fold, interrupted);
        if (!interrupted())
            out.totals(t, totals);
    }
}

static int walk_main(const arguments &args)
{
    if (args.has_program)
        throw failure(exit_usage, "walk: runs no program; what is behind -- ?");
    if (args.has("dump") && !args.positional.empty())
        throw failure(exit_usage, "walk: --dump lists every mapping, and takes no addresses");
    if (args.has("shared") && !args.has("dump"))
        throw failure(exit_usage, "walk: --shared is for --dump");
    if (!args.has("memory"))
        throw failure(exit_usage,
                      "walk: say which image of memory, with --memory FILE" +
                          (!args.positional.empty() && access(args.positional[0].c_str(), F_OK) == 0
                               ? " (did you mean '--memory " + as_written(args.positional[0]) + "'?)"
                               : std::string()));
    const std::shared_ptr<const memory_image> image = open_image(args);
    if (const image_format *format = format_in_image(args)) {
        if (args.has("dump"))
            throw failure(exit_usage,
                          "walk: --dump lists x86-64's tables so far, --kind radix4 or radix5, and "
                          "this is --kind " +
                              args.value("kind"));
        walk_addresses(args, format_table_in_image(args, *image, *format));
    } else {
        const image_table t = table_in_image(args, *image);
        if (args.has("dump"))
            dump_table(args, t);
        else
            walk_addresses(args, t);
    }
    if (interrupted())
        throw failure(exit_interrupted, "interrupted: what is above is not all");
    return exit_ok;
}

static std::vector<option_def> walk_options()
{
    return joined(
        {in_group("Memory and table", image_option_defs()),
         in_group("What is printed",
                  {{"dump", 0, nullptr, "list every mapping instead"},
                   {"shared", 0, "HOW",
                    "--dump: tables that several entries lead to; list: at each, fold: at the first "
                    "(default: list, up to 4 Mi ranges)"},
                   json_option,
                   csv_option})});
}

const command_def walk_command = {
    "walk",
    "walk --memory IMAGE [--root ADDR] [--kind KIND] [options] VA...\n"
    "walk --memory IMAGE [--root ADDR] [--kind radix4|radix5] [options] --dump",
    "Where does this address lie in the memory of a real machine, or why does it fault? What does its page "
    "table "
    "map?",
    "IMAGE is the physical memory of an x86-64 machine, or with --kind of a device: raw (offset = physical "
    "address), or an ELF core as "
    "QEMU's\n"
    "dump-guest-memory and VirtualBox's dumpvmcore write it. It is mapped, not read, and may be sparse and "
    "larger "
    "than\n"
    "this computer's memory. Without --root, CR3 of the core's first processor counts, where the core has "
    "it. A "
    "VA is\n"
    "0x... or decimal; without any, there is one on each line of standard input, where # begins a comment.\n"
    "\n"
    "Of each VA: the entry of each level, with address, value, meaning and bits; then the physical address, "
    "the "
    "page\n"
    "and its rights, which all levels have to grant: u user, r read, w write, x execute. Or the fault and "
    "its "
    "cause.\n"
    "An address that faults is an answer: the exit code is 0.\n"
    "\n"
    "--dump: ranges of pages of one size and with the same rights whose virtual and physical addresses go "
    "on; "
    "how many\n"
    "pages of each size; entries that are present and wrong. docs/use/walk.md has an example of each.",
    walk_options(),
    "walkway walk --memory guest.core 0xffffffff81000000",
    walk_main,
};

} // namespace walkway
