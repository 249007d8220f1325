/* SPDX-License-Identifier: MIT */
/* cli/image_options.cpp - opens the memory image and finds the root of a table that a command line names. */
#include "cli/image_options.hpp"

#include "cli/image_layout.hpp"
#include "image/image_space.hpp"
#include "model/table_builder.hpp"
#include "report/image_tables.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/read_files.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <unistd.h>

namespace walkway
{

std::vector<option_def> image_option_defs()
{
    return {
        {"memory", 0, "IMAGE", "the physical memory: raw, or an ELF core"},
        {"base", 0, "ADDR", "physical address of a raw image's first byte (default 0)"},
        {"map", 0, "OFFSET:PA:SIZE,...",
         "a raw image in pieces, as of a machine with a hole below 4 GiB: SIZE bytes of the file from OFFSET "
         "on "
         "are at physical address PA"},
        {"raw", 0, nullptr, "the image is raw, even if it begins like another format"},
        {"root", 0, "ADDR",
         "physical address of the table's root, as CR3 has it: flags or PCID below bit 12"},
        {"kind", 0, "KIND",
         "radix4 or radix5: x86-64's of 4 or 5 levels (default: radix4; without --root the core's CR4.LA57); "
         "or another format, whose addresses can be walked"},
        {"phys-bits", 0, "N",
         "MAXPHYADDR: bits of physical addresses, 32 to 52 (default); those above are reserved"},
        {"encryption-bits", 0, "N",
         "bits of CR3 and entries that choose how memory is encrypted, not where it is: AMD's C-bit (SME), "
         "or "
         "LOW-HIGH, Intel's keys (TME-MK); the image itself is decrypted"},
    };
}

/* SIGBUS: a mapped file became shorter or unreadable. */
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

std::shared_ptr<const memory_image> open_image(const arguments &args)
{
    std::signal(SIGBUS, image_is_gone);
    const raw_layout raw = raw_layout_of(args);
    try {
        auto image = std::make_shared<memory_image>(
            args.value("memory"), args.has("raw") ? memory_image::format::raw : memory_image::format::detect,
            raw);
        if (!image->remark().empty())
            std::cerr << "walkway: " << as_written(args.value("memory")) << ": " << image->remark() << '\n';
        return image;
    } catch (const std::runtime_error &e) {
        throw failure(exit_input, as_written(args.value("memory")) + ": " + e.what());
    }
}

static const std::vector<std::string> radix_kinds = {"radix4", "radix5"}; /* in the order of levels */

/* Returns radix_kinds and the other formats that can be read from an image. */
static std::vector<std::string> all_kinds()
{
    std::vector<std::string> kinds = radix_kinds;
    for (const named_tables &f : table_formats())
        if (f.maker->in_image() != nullptr)
            kinds.emplace_back(f.name);
    return kinds;
}

static uint32_t levels_of(const arguments &args, uint32_t fallback)
{
    if (!args.has("kind"))
        return fallback;
    for (size_t i = 0; i < radix_kinds.size(); ++i)
        if (args.value("kind") == radix_kinds[i])
            return WW_LEVELS_MIN + static_cast<uint32_t>(i);
    throw failure(exit_usage,
                  "--kind " + as_written(args.value("kind")) +
                      ": a machine's memory is an x86-64 machine's so far: wants radix4 or radix5" +
                      did_you_mean(args.value("kind"), radix_kinds));
}

const image_format *format_in_image(const arguments &args)
{
    if (!args.has("kind"))
        return nullptr;
    const std::string kind = args.value("kind");
    for (const named_tables &f : table_formats())
        if (kind == f.name && f.maker->in_image() != nullptr)
            return f.maker->in_image();
    const std::vector<std::string> kinds = all_kinds();
    if (std::find(radix_kinds.begin(), radix_kinds.end(), kind) != radix_kinds.end())
        return nullptr;
    std::string wanted;
    for (size_t i = 0; i < kinds.size(); ++i)
        wanted += (i == 0 ? "" : i + 1 == kinds.size() ? " or " : ", ") + kinds[i];
    throw failure(exit_usage, "--kind " + as_written(kind) + ": wants " + wanted + did_you_mean(kind, kinds));
}

format_table format_table_in_image(const arguments &args, const memory_image &image,
                                   const image_format &format)
{
    for (const char *option : {"phys-bits", "encryption-bits"})
        if (args.has(option))
            throw failure(exit_usage, std::string("--") + option +
                                          " is for x86-64's tables, --kind radix4 or "
                                          "radix5");
    if (!args.has("root"))
        throw failure(exit_usage,
                      "--kind " + args.value("kind") + ": say where the table's root is, with --root ADDR");
    const uint64_t root = args.number("root", 0, 0, UINT64_MAX);
    const std::string text = "root " + text_of_hex(root);
    const uint64_t bits = format.root_bits();
    if ((root & ~bits) != 0)
        throw failure(exit_usage, text + ": a root is at a multiple of " +
                                      std::to_string(bits & (~bits + 1)) + ", below 2^" +
                                      std::to_string(ww_log2_u64(bits) + 1) + " (did you mean '" +
                                      text_of_hex(root & bits) + "'?)");
    if (!image.has(root, WW_LINE_BYTES))
        throw failure(exit_usage, text + ": outside the image: " + image.text_around(root));
    return {image, format, format.table(root), root};
}

/* Returns processor 0 of the core's notes. Prints its CR3, and the others', as any of them may be meant. */
static image_cpu processor_of(const memory_image &image)
{
    const std::vector<image_cpu> &cpus = image.cpus();
    if (cpus.empty())
        throw failure(
            exit_usage,
            std::string("--memory: say where the table's root is, with --root ADDR: the value of CR3") +
                (image.is_core() ? " (the core has no note with it)" : ""));
    std::string others;
    for (size_t i = 1; i < cpus.size() && i <= 16; ++i)
        others += (i == 1 ? "; of the others: " : ", ") + text_of_hex(cpus[i].cr3);
    std::cerr << "walkway: root from the core: CR3 of processor 0 is " << text_of_hex(cpus[0].cr3) << others
              << '\n';
    return cpus[0];
}

static uint32_t phys_bits_of(const arguments &args)
{
    return static_cast<uint32_t>(
        args.number("phys-bits", WW_X86_PHYS_BITS_MAX, WW_X86_PHYS_BITS_MIN, WW_X86_PHYS_BITS_MAX));
}

/* Warns if no entry of the root's page points to a table: the root or image is probably wrong. */
static void say_if_empty(const image_table &t)
{
    const root_entries of_root = entries_of_root(t);
    if (of_root.leading != 0)
        return;
    std::cerr << "walkway: the root's page at " << text_of_hex(t.root_pa());
    if (of_root.present == 0)
        std::cerr << " holds no entry that is present: nothing is mapped. ";
    else
        std::cerr << " has " << of_root.present
                  << (of_root.present == 1 ? " entry that is" : " entries that are")
                  << " present, and none leads to a table in the image. ";
    std::cerr << "Is the root there, and is the file "
              << (t.image.is_core() ? "of the same moment?\n" : "memory as it is, from that address on?\n");
}

/* Refuses a root whose present entries all point outside the image: no walk could read its tables. */
static void refuse_if_elsewhere(const image_table &t)
{
    const root_entries of_root = entries_of_root(t);
    if (of_root.present != 0 && of_root.leading == 0)
        throw failure(exit_usage, "root " + text_of_hex(t.root_pa()) +
                                      " of the trace: its page has entries that are present, and none leads "
                                      "to a table in the image" +
                                      (t.encryption() != 0 ? ": are these the --encryption-bits?"
                                                           : ": is memory encrypted (--encryption-bits)?"));
    say_if_empty(t);
}

/* Returns CR3 without the flags of its upper bits, and prints those that are set. */
static uint64_t say_flags(uint64_t cr3)
{
    static const struct {
        uint64_t bit;
        const char *what;
    } flags[] = {
        {WW_X86_CR3_LAM_U57, "bit 61 (LAM_U57) masks bits 62 to 57 of users' addresses"},
        {WW_X86_CR3_LAM_U48, "bit 62 (LAM_U48) masks bits 62 to 48 of users' addresses"},
        {ww_page_bytes(63), "bit 63 keeps a PCID's TLB entries when CR3 is written, and is not stored in it"},
    };
    if (cr3 >> 47 == 0x1ffff)
        return cr3; /* a kernel's virtual address */
    uint64_t rest = cr3;
    for (const auto &flag : flags)
        if ((cr3 & flag.bit) != 0) {
            std::cerr << "walkway: root " << text_of_hex(cr3) << ": " << flag.what
                      << ": no part of the table's address; addresses are walked as they are given\n";
            rest &= ~flag.bit;
        }
    return rest;
}

image_table table_in_image(const arguments &args, const memory_image &image)
{
    const uint32_t phys_bits = phys_bits_of(args);
    image_cpu cpu{args.number("root", 0, 0, UINT64_MAX), 0};
    if (!args.has("root"))
        cpu = processor_of(image);
    const uint32_t levels = levels_of(args, cpu.five_levels() ? 5 : 4);
    const image_table t{image, ww_x86_encrypted(ww_x86_table(levels, say_flags(cpu.cr3), phys_bits),
                                                encryption_bits_of(args))};
    const std::string root = "root " + text_of_hex(cpu.cr3);
    if (t.plain(t.cr3()) >> phys_bits != 0)
        throw failure(exit_usage,
                      root + ": CR3 has no address bits above physical addresses of " +
                          std::to_string(phys_bits) + " bits" +
                          (cpu.cr3 >> 47 == 0x1ffff ? "; this is a virtual address of a kernel" : ""));
    if (t.plain(t.cr3()) != t.root_pa())
        std::cerr << "walkway: " << root << ": the table is at " << text_of_hex(t.root_pa())
                  << "; the low 12 bits, " << text_of_hex(t.plain(t.cr3()) - t.root_pa())
                  << ", are flags or a PCID\n";
    if (!image.has(t.root_pa(), WW_NODE_BYTES))
        throw failure(exit_usage, root + ": outside the image: " + image.text_around(t.root_pa()) +
                                      text_of_encrypted(image, t.root_pa()));
    say_if_empty(t);
    return t;
}

std::vector<option_def> run_image_option_defs()
{
    std::vector<option_def> options = image_option_defs();
    options[0].text =
        "memory and pages of a real machine, instead of pages laid out for the program: docs/use/walk.md";
    options.push_back(
        {"at", 0, "VA", "the program's data lie in the image's pages from this address on (default 0)"});
    return options;
}

/* Places a program without recorded roots in the pages of one table. */
static company laid_over(const std::shared_ptr<const memory_image> &image, const arguments &args)
{
    const image_table t = table_in_image(args, *image);
    const uint64_t at = args.number("at", 0, 0, UINT64_MAX);
    if (ww_x86_canonical(at, t.levels()) != at)
        throw failure(exit_usage, "--at " + args.value("at") + ": not canonical");
    company with;
    with.image = std::make_shared<image_space>(image, t, at);
    with.image_about = table_json(t);
    with.image_about["at"] = text_of_hex(at);
    return with;
}

/* Returns the roots of the trace's launches by first use; empty if it was not recorded in a memory. */
static std::vector<uint64_t> roots_of(const arguments &args, const trace_part &part)
{
    std::vector<uint64_t> roots;
    if (args.has_program || args.positional.size() != 1)
        return roots;
    const trace_file trace = open_trace(args.positional[0]);
    select_part(trace.get(), part);
    const wkt_info &info = *wkt_reader_info(trace.get());
    for (uint32_t l = 0; l < info.launches && info.rooted; ++l) {
        const uint64_t root = wkt_reader_launch(trace.get(), l)->root;
        if (std::find(roots.begin(), roots.end(), root) != roots.end())
            continue;
        if (roots.size() == program_list::most)
            throw failure(exit_usage, as_written(args.positional[0]) +
                                          ": it goes through more page tables than there are "
                                          "VM-IDs (" +
                                          std::to_string(roots.size()) + "); the first " +
                                          std::to_string(roots.size()) + " are those of launches 0 to " +
                                          std::to_string(wkt_reader_launch_origin(trace.get(), l) - 1) +
                                          ": choose some with --kernels");
        roots.push_back(root);
    }
    return roots;
}

/* Returns the tables of a recorded trace, in the memory in which it was recorded. */
static company recorded_in(const std::shared_ptr<const memory_image> &image, const arguments &args,
                           const std::vector<uint64_t> &roots)
{
    for (const char *option : {"root", "kind", "at"})
        if (args.has(option))
            throw failure(exit_usage, std::string("--") + option +
                                          ": the trace has roots and addresses of its own, 'walkway trace "
                                          "info' lists them");
    std::vector<ww_table> tables;
    json about = {{"roots", json::array()}};
    for (const uint64_t root : roots) {
        const uint64_t pa = root & WKT_ROOT_PA;
        if (wkt_root_levels(root) != wkt_root_levels(roots[0]))
            throw failure(exit_usage, as_written(args.positional[0]) +
                                          ": it goes through tables of 4 and of 5 levels, and a machine has "
                                          "one kind: choose launches with --kernels");
        tables.push_back(ww_x86_encrypted(ww_x86_table(wkt_root_levels(root), pa, phys_bits_of(args)),
                                          encryption_bits_of(args)));
        if (!image->has(pa, WW_NODE_BYTES))
            throw failure(exit_usage, "root " + text_of_hex(pa) + " of the trace: outside the image: " +
                                          image->text_around(pa) + "; it was recorded in another memory");
        refuse_if_elsewhere({*image, tables.back()});
        about["roots"].push_back(text_of_hex(pa));
    }
    company with;
    with.image = std::make_shared<image_space>(image, tables);
    about["levels"] = wkt_root_levels(roots[0]);
    about["phys_bits"] = phys_bits_of(args);
    if (encryption_bits_of(args) != 0)
        about["encryption"] = text_of_hex(encryption_bits_of(args));
    with.image_about = about;
    return with;
}

company in_image(const arguments &args, const trace_part &part)
{
    company with;
    if (!args.has("memory")) {
        for (const option_def &option : run_image_option_defs())
            if (args.has(option.name))
                throw failure(exit_usage, std::string("--") + option.name + " is for --memory IMAGE");
        return with;
    }
    for (const char *option : {"beside", "events"})
        if (args.has(option))
            throw failure(exit_usage,
                          std::string("--") + option +
                              " needs pages that are laid out for the program; --memory has its own");
    const std::shared_ptr<const memory_image> image = open_image(args);
    const std::vector<uint64_t> roots = roots_of(args, part);
    with = roots.empty() ? laid_over(image, args) : recorded_in(image, args, roots);
    with.image_about["file"] = std::filesystem::path(args.value("memory")).filename().string();
    with.image_about["bytes"] = image->bytes();
    if (args.has("map"))
        with.image_about["map"] = args.value("map");
    return with;
}

} // namespace walkway
