/* SPDX-License-Identifier: MIT */
/* cli/walk.cpp - walkway walk: addresses through a page table in an image of memory, or all that it maps. */
#include "cli/commands.hpp"

#include "report/image_tables.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"

#include <csignal>
#include <cstring>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace walkway
{

using json = nlohmann::ordered_json;

/* Above so many ranges, what is shared is listed once unless --shared says otherwise: a shadow of zero alone
 * has 2^32 pages. */
static constexpr uint64_t ranges_without_folding = uint64_t{1} << 22;

/* A mapped file that becomes shorter. */
extern "C" {
static void image_is_gone(int)
{
    static const char text[] =
        "walkway: the image cannot be read any more: it became shorter, or its disk fails\n";
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        _exit(exit_input);
    _exit(exit_input);
}
}

static std::unique_ptr<memory_image> open_image(const arguments &args)
{
    if (!args.has("memory"))
        throw failure(exit_usage,
                      "walk: say which image of memory, with --memory FILE" +
                          (!args.positional.empty() && access(args.positional[0].c_str(), F_OK) == 0
                               ? " (did you mean '--memory " + as_written(args.positional[0]) + "'?)"
                               : std::string()));
    const uint64_t base = args.number("base", 0, 0, memory_image::max_pa - 1);
    if (base % WW_NODE_BYTES != 0)
        throw failure(exit_usage, "--base " + args.value("base") + ": not a multiple of 4096");
    try {
        return std::make_unique<memory_image>(
            args.value("memory"), args.has("raw") ? memory_image::format::raw : memory_image::format::detect,
            base);
    } catch (const std::runtime_error &e) {
        throw failure(exit_input, as_written(args.value("memory")) + ": " + e.what());
    }
}

static uint32_t levels_of(const arguments &args, uint32_t fallback)
{
    static const std::vector<std::string> kinds = {"radix4", "radix5"};
    if (!args.has("kind"))
        return fallback;
    for (size_t i = 0; i < kinds.size(); ++i)
        if (args.value("kind") == kinds[i])
            return WW_LEVELS_MIN + static_cast<uint32_t>(i);
    throw failure(exit_usage, "--kind " + as_written(args.value("kind")) + ": wants radix4 or radix5" +
                                  did_you_mean(args.value("kind"), kinds));
}

/* CR3 from the notes of a core; said, since it is one processor's at one moment. */
static image_cpu processor_of(const memory_image &image)
{
    const std::vector<image_cpu> &cpus = image.cpus();
    if (cpus.empty())
        throw failure(exit_usage,
                      std::string("walk: say where the table's root is, with --root ADDR: the value of CR3") +
                          (image.is_core() ? " (the core has no note with it)" : ""));
    std::string others;
    for (size_t i = 1; i < cpus.size() && i <= 16; ++i)
        others += (i == 1 ? "; of the others: " : ", ") + text_of_hex(cpus[i].cr3);
    std::cerr << "walk: root from the core: CR3 of processor 0 is " << text_of_hex(cpus[0].cr3) << others
              << '\n';
    return cpus[0];
}

static image_table table_of(const arguments &args, const memory_image &image)
{
    const auto phys_bits = static_cast<uint32_t>(
        args.number("phys-bits", WW_X86_PHYS_BITS_MAX, WW_X86_PHYS_BITS_MIN, WW_X86_PHYS_BITS_MAX));
    image_cpu cpu{args.number("root", 0, 0, UINT64_MAX), 0};
    if (!args.has("root"))
        cpu = processor_of(image);
    const uint32_t levels = levels_of(args, cpu.five_levels() ? 5 : 4);
    const std::string root = "root " + text_of_hex(cpu.cr3);
    if (cpu.cr3 >> phys_bits != 0)
        throw failure(exit_usage,
                      root + ": CR3 has no bits above physical addresses of " + std::to_string(phys_bits) +
                          " bits" +
                          (cpu.cr3 >> 47 == 0x1ffff ? "; this is a virtual address of a kernel" : ""));
    const image_table t{image, ww_x86_table(levels, cpu.cr3, phys_bits)};
    if (cpu.cr3 != t.root_pa())
        std::cerr << "walk: " << root << ": the table is at " << text_of_hex(t.root_pa())
                  << "; the low 12 bits, " << text_of_hex(cpu.cr3 - t.root_pa()) << ", are flags or a PCID\n";
    if (image.at(t.root_pa(), WW_NODE_BYTES) == nullptr)
        throw failure(exit_usage, root + ": outside the image: " + image.text_around(t.root_pa()));
    return t;
}

/* "ffffffff81000000" and "fffff803`12345678": addresses as other programs print them. */
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

/* The addresses of the command line, or a line each of standard input, where # begins a comment. */
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

static void walk_addresses(const arguments &args, const image_table &t)
{
    if (!args.has("json")) {
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
    if (args.has("json")) {
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
    std::signal(SIGBUS, image_is_gone);
    const std::unique_ptr<memory_image> image = open_image(args);
    const image_table t = table_of(args, *image);
    if (args.has("dump"))
        dump_table(args, t);
    else
        walk_addresses(args, t);
    if (interrupted())
        throw failure(exit_interrupted, "interrupted: what is above is not all");
    return exit_ok;
}

const command_def walk_command = {
    "walk",
    "walk --memory IMAGE [--root ADDR] [--kind radix4|radix5] [options] VA...\n"
    "walk --memory IMAGE [--root ADDR] [--kind radix4|radix5] [options] --dump",
    "Where does this address lie in the memory of a real machine, or why does it fault? What does its page "
    "table "
    "map?",
    "IMAGE is the physical memory of an x86-64 machine: raw (offset = physical address), or an ELF core as "
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
    "pages of each size; entries that are present and wrong. docs/walk.md has an example of each.",
    {
        {"memory", 0, "IMAGE", "the physical memory: raw, or an ELF core"},
        {"base", 0, "ADDR", "physical address of a raw image's first byte (default 0)"},
        {"raw", 0, nullptr, "the image is raw, whatever it begins with"},
        {"root", 0, "ADDR",
         "physical address of the table's root, as CR3 has it: flags or PCID below bit 12"},
        {"kind", 0, "KIND", "radix4 or radix5: 4 or 5 levels (default: the core's CR4.LA57, else radix4)"},
        {"phys-bits", 0, "N",
         "MAXPHYADDR: bits of physical addresses, 32 to 52 (default); those above are reserved"},
        {"dump", 0, nullptr, "list every mapping instead"},
        {"shared", 0, "HOW",
         "--dump: tables that several entries lead to; list: at each, fold: at the first (default: list, up "
         "to "
         "4 Mi ranges)"},
        {"json", 0, nullptr, "for programs"},
    },
    "walkway walk --memory guest.core 0xffffffff81000000",
    walk_main,
};

} // namespace walkway
