/* SPDX-License-Identifier: MIT */
/* cli/guest.cpp - walkway guest: runs an operating system in an emulator, walks each access through the
 * guest's page tables, compares the addresses, and times accesses on a machine's TLBs. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"
#include "guest/emulator.hpp"
#include "guest/session.hpp"
#include "observe/output_file.hpp"
#include "report/guest.hpp"
#include "run/machine.hpp"
#include "run/progress.hpp"
#include "run/result_folder.hpp"
#include "run/simulate.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sys/resource.h>
#include <unistd.h>

namespace walkway
{

constexpr uint64_t mebi = uint64_t{1} << 20;
constexpr uint64_t ring_records = 1u << 16;
constexpr double handshake_seconds = 60.0;
constexpr double panic_patience_seconds = 3.0;       /* for a dying kernel's messages */
constexpr double hold_patience_seconds = 2.0;        /* until the guest accesses memory again */
constexpr uint64_t recorded_by_default = 10'000'000; /* accesses */

/* Reads what the guest prints, shows it, and searches it for an awaited text. */
class console_reader
{
public:
    console_reader(const std::string &path, bool shown, const std::string &awaited)
        : path_(path), awaited_(awaited), shown_(shown)
    {
    }
    /* Returns true if the awaited text has been printed. */
    bool read()
    {
        if (!in_.is_open())
            in_.open(path_, std::ios::binary);
        std::array<char, 4096> buffer;
        while (in_.is_open() && (in_.read(buffer.data(), buffer.size()), in_.gcount() != 0)) {
            const std::string text(buffer.data(), static_cast<size_t>(in_.gcount()));
            if (shown_)
                std::cout << text << std::flush;
            tail_ += text;
            panicked_ = panicked_ || tail_.find("Kernel panic") != std::string::npos;
            found_ = found_ || (!awaited_.empty() && tail_.find(awaited_) != std::string::npos);
            if (tail_.size() > kept)
                tail_.erase(0, tail_.size() - kept);
        }
        in_.clear();
        return found_;
    }
    bool panicked() const { return panicked_; }

private:
    static constexpr size_t kept = 1u << 16;
    std::string path_, awaited_, tail_;
    std::ifstream in_;
    bool shown_, found_ = false, panicked_ = false;
};

static const gpu_machine_params &machine_with_levels(const platform_spec &spec)
{
    if (spec.config->gpu() == nullptr)
        throw failure(exit_usage, "the machine " + spec.name + " has no levels: it cannot time a guest");
    return *spec.config->gpu();
}

static guest_machine machine_of(const arguments &args, const guest_session &session,
                                const std::string &console)
{
    guest_machine m;
    m.emulator = args.value("emulator", "qemu-system-x86_64");
    m.plugin = args.value("plugin", find_guest_plugin());
    m.kernel = args.value("kernel");
    m.initrd = args.value("initrd");
    m.append = args.value("append", "console=ttyS0 panic=-1 quiet");
    m.cpu = args.value("cpu", "max");
    m.ram_bytes = session.ram().bytes();
    m.ram_path = session.ram().path();
    m.share_path = session.share_file().path();
    m.console = console;
    m.more = args.program;
    return m;
}

/* Returns the kinds of invalidations to hide from the TLBs, as bits of ww_guest_share::without. */
static uint64_t without_of(const arguments &args)
{
    static const std::vector<std::string> names = {"invlpg", "cr3", "cr4"};
    uint64_t bits = 0;
    for (const std::string &name : args.values("without")) {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end())
            throw failure(exit_usage, "--without " + as_written(name) + ": wants invlpg, cr3 or cr4" +
                                          did_you_mean(name, names));
        bits |= uint64_t{1} << (at - names.begin());
    }
    return bits;
}

static void check_files(const arguments &args)
{
    if (!args.positional.empty())
        throw failure(exit_usage,
                      "guest: takes no " + as_written(args.positional[0]) +
                          (access(args.positional[0].c_str(), R_OK) == 0
                               ? " (did you mean '--kernel " + as_written(args.positional[0]) + "'?)"
                               : std::string()));
    if (!args.has("kernel"))
        throw failure(exit_usage,
                      "guest: say which kernel, with --kernel IMAGE; scripts/setup --guest brings one");
    for (const char *option : {"kernel", "initrd", "plugin"}) {
        if (args.has(option) && access(args.value(option).c_str(), R_OK) != 0)
            throw failure(exit_input, std::string("--") + option + " " + as_written(args.value(option)) +
                                          ": cannot be read");
        if (args.has(option))
            will_read(args.value(option), std::string("the ") + option);
    }
    if (!args.has("plugin") && find_guest_plugin().empty())
        throw failure(exit_usage, "guest: this build has no plugin for the emulator (WALKWAY_GUEST=OFF)");
}

/* How the guest ended, and whether it ran to its own end. */
struct guest_end {
    std::string how; /* "complete", "stopped", "reset", "died", "refused" */
    std::string why; /* for the error message; empty: no error */
    exit_code code;
};

static void save_memory(const guest_session &session, const std::string &path)
{
    constexpr uint64_t piece = mebi;
    const shared_file &ram = session.ram();
    try {
        output_file file(path);
        for (uint64_t at = 0; at < ram.bytes(); at += piece)
            file.put(std::string(reinterpret_cast<const char *>(ram.at()) + at, piece));
        file.finish();
    } catch (const file_failure &e) {
        throw failure(exit_output, e.what());
    }
}

/* Records a window of accesses as a trace, and saves the guest's memory at the end of the window, while the
 * memory does not change. */
class window_keeper
{
public:
    window_keeper(const arguments &args, guest_session &session)
        : session_(session), image_(args.value("image"))
    {
        if (!args.has("record") && args.has("image"))
            throw failure(exit_usage, "--image is for --record FILE");
        if (!args.has("record"))
            return;
        if (session.share().every == 0)
            throw failure(exit_usage, "--record: with --every 0 there is nothing to record");
        const std::string path = new_file("--record", args.value("record"));
        if (args.has("image"))
            new_file("--image", image_);
        if (same_place(path, image_))
            throw failure(exit_usage, "--record and --image want the same file, " + path);
        const std::string every = std::to_string(session.share().every);
        trace_.emplace(path, args.value("kernel") + (every == "1" ? "" : " (one access in " + every + ")"),
                       "walkway " + program_version());
        session.record_to(&*trace_);
    }
    bool wanted() const { return trace_.has_value(); }
    bool held() const { return held_; }
    /* Called while the guest's memory does not change; only the first call acts. */
    void memory_stands(bool held)
    {
        if (!wanted() || seen_)
            return;
        seen_ = true;
        held_ = held;
        session_.compare_recorded();
        if (!image_.empty() && trace_->accesses() != 0)
            save_memory(session_, image_);
    }
    /* Gives the trace its name; without accesses there is no trace. */
    void finish(bool partial) { kept_ = wanted() && trace_->finish(partial); }
    bool kept() const { return kept_; }

private:
    guest_session &session_;
    std::string image_;
    std::optional<guest_recorder> trace_;
    bool seen_ = false, held_ = false, kept_ = false;
};

static guest_end end_of(const guest_session &session, const emulator_process &emulator, bool asked,
                        bool interrupt, const console_reader &console)
{
    if (session.state() == WW_GUEST_REFUSED)
        return {"refused", session.reason(), exit_input};
    if (interrupt)
        return {"stopped", "interrupted", exit_interrupted};
    if (asked)
        return {"stopped", "", exit_ok};
    if (session.state() == WW_GUEST_EMPTY)
        return {"died", "the emulator ended before the plugin ran: " + emulator.story(), exit_input};
    const std::string reason = emulator.shutdown_reason();
    if (console.panicked())
        return {"died", "the guest's kernel panicked; its console says why", exit_input};
    if (!emulator.succeeded())
        return {"died", "the emulator ended: " + emulator.story(), exit_input};
    if (reason == "guest-reset")
        return {"reset", "the guest reset its machine instead of powering off", exit_input};
    return {"complete", "", exit_ok};
}

static std::string progress_text(const guest_session &session, double seconds)
{
    const ww_guest_counts &c = session.counts();
    return text_of_count(c.agreed) + " accesses agree, " + text_of_count(session.disagreed()) + " do not  " +
           text_of_rate(static_cast<double>(c.accesses) / std::max(seconds, 0.001)) + " accesses/s  " +
           text_of_rate(static_cast<double>(session.timed().accesses) / std::max(seconds, 0.001)) +
           " timed/s";
}

/* Takes records until the emulator ends, by itself or stopped here. */
static guest_end follow(guest_session &session, emulator_process &emulator, console_reader &console,
                        const arguments &args, window_keeper &window, progress_line &line)
{
    const double limit = static_cast<double>(args.number("seconds", 0, 1, 1u << 30));
    const bool awaits = args.has("when");
    double shown = 0.0, patient_until = 0.0, panic_ends = 0.0;
    bool asked = false;
    while (true) {
        /* read before take(), so that the last records of an emulator that ends are taken */
        const bool ran = emulator.running(), held = session.state() == WW_GUEST_HELD;
        const uint64_t n = session.take();
        const double seconds = line.seconds();
        if (n == 0 && !ran)
            break;
        if (n == 0)
            usleep(200);
        if (seconds - shown > 0.1 || !ran) {
            shown = seconds;
            if (console.read() && awaits && !asked)
                session.select(true);
            line.message(progress_text(session, seconds));
        }
        const bool silent = session.state() == WW_GUEST_EMPTY && seconds > handshake_seconds;
        if (console.panicked() && panic_ends == 0.0)
            panic_ends = seconds + panic_patience_seconds;
        const bool dead = panic_ends != 0.0 && seconds > panic_ends; /* without panic=-1 a panic never ends */
        const bool over = (limit != 0.0 && seconds > limit) || interrupted();
        if (over && patient_until == 0.0) {
            session.hold_after(0);
            patient_until = seconds + (window.wanted() ? hold_patience_seconds : 0.0);
        }
        const bool full = held && n == 0;
        if (ran && !asked &&
            (full || silent || dead || (over && seconds >= patient_until) ||
             session.state() == WW_GUEST_REFUSED)) {
            asked = !silent && !dead;
            if (full)
                window.memory_stands(true);
            session.stop();
            emulator.end();
        }
    }
    console.read();
    return end_of(session, emulator, asked, interrupted(), console);
}

static simulation result_of(const guest_session &session, const guest_end &end, platform_spec &spec,
                            const arguments &args, const window_keeper &window, double seconds)
{
    simulation result;
    result.code = end.code;
    result.stats = guest_json(session);
    const bool whole = end.how == "complete";
    json about = {{"kernel", args.value("kernel")},
                  {"initrd", args.value("initrd")},
                  {"memory_bytes", session.ram().bytes()},
                  {"timed_one_in", session.share().every},
                  {"reason", end.why}};
    if (window.kept())
        about["recorded"] = {{"trace", std::filesystem::path(args.value("record")).filename().string()},
                             {"partial", end.code != exit_ok},
                             {"memory", window.held() ? "held behind the last access" : "after the end"}};
    json head = {{"schema_version", 1}, {"program", program_json()}};
    head["guest"] = about;
    head["platform"] = {{"name", spec.name}, {"path", spec.levels}};
    head["configuration"] = configuration_json(*spec.config);
    head["end"] = end.how;
    head["partial"] = !whole;
    head.update(result.stats);
    result.stats = head;
    rusage spent{};
    getrusage(RUSAGE_CHILDREN, &spent); /* the emulator is a child that has ended */
    const auto seconds_of = [](const timeval &t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    result.host = {{"machine", spec.label},
                   {"host_seconds", seconds},
                   {"emulator_processor_seconds", seconds_of(spent.ru_utime) + seconds_of(spent.ru_stime)},
                   {"accesses_per_second", static_cast<double>(session.counts().accesses) / seconds},
                   {"timed_per_second", static_cast<double>(session.timed().accesses) / seconds}};
    return result;
}

/* Reports what is broken. Checks the laws only if the guest ended in order: the counts of a killed guest are
 * incomplete. */
static void judge(const guest_session &session, const guest_end &end, simulation &result)
{
    if (const char *broken = session.chain().check())
        result.story += std::string("a store is broken: ") + broken + "\n";
    if (end.how != "died" && session.state() == WW_GUEST_ENDED)
        for (const law &l : session.laws())
            if (!l.holds())
                result.story += "law broken: " + l.name + ": " + text_of_count(l.left) + " is not " +
                                text_of_count(l.right) + "\n";
    if (session.disagreed() != 0)
        result.story += text_of_count(session.disagreed()) + " translations disagree with the emulator's\n";
    if (!result.story.empty() && result.code == exit_ok)
        result.code = exit_law;
}

/* Keeps the results of a long run that has no --output. */
static void keep_long(const simulation &result, const std::string &label, const std::string &kernel,
                      const std::string &console)
{
    const temporary_folder scratch;
    write_simulation(scratch.path(), result);
    std::error_code ignored; /* an emulator that failed may have no console */
    std::filesystem::copy_file(console, scratch.path() + "/console.txt", ignored);
    keep_results(scratch.path(), label + "-guest-" + std::filesystem::path(kernel).filename().string());
}

static table headline_table(const json &stats)
{
    table t({"name", "value", "unit"});
    for (const auto &item : stats.at("headline").items())
        t.row({item.key(), item.value().at("value").dump(), item.value().at("unit").get<std::string>()});
    t.number_columns(1);
    return t;
}

static int guest_main(const arguments &args)
{
    check_files(args);
    const output_form form = form_of(args);
    platform_spec spec = resolve_platform(args.value("platform", default_platform), changes_of(args));
    const uint64_t bytes = args.number("memory", 256 * mebi, 32 * mebi, 2047 * mebi);
    if (bytes % mebi != 0)
        throw failure(exit_usage, "--memory " + args.value("memory") + ": not a multiple of 1 Mi");
    const std::string folder = args.value("output");
    std::optional<result_folder> place;
    if (!folder.empty()) {
        place.emplace(folder, "guest", args);
        check_place_of_results(folder);
        place->clear({});
        const std::string kernel = args.value("kernel");
        result_folder::say_replaced(folder, {spec.label, kernel, kernel});
    }
    const temporary_folder scratch;
    const std::string console = folder.empty() ? scratch.path() + "/console.txt" : folder + "/console.txt";
    std::remove(console.c_str());

    guest_session session(bytes, ring_records,
                          args.number("every", args.has("record") ? 1 : 100, 0, UINT32_MAX),
                          machine_with_levels(spec));
    session.share().from = args.number("from", 0, 0, UINT64_MAX);
    session.share().without = without_of(args);
    if (!args.has("when"))
        session.select(true);
    window_keeper window(args, session);
    session.hold_after(
        args.number("measure", window.wanted() ? recorded_by_default : UINT64_MAX, 1, UINT64_MAX));
    console_reader reader(console, args.has("console"), args.value("when"));
    guest_end end;
    double seconds = 0.0;
    {
        progress_line line(args.has("quiet") || args.has("console"));
        emulator_process emulator(emulator_command(machine_of(args, session, console)));
        end = follow(session, emulator, reader, args, window, line);
        seconds = line.seconds();
    }
    window.memory_stands(false);
    window.finish(end.code != exit_ok);
    simulation result = result_of(session, end, spec, args, window, seconds);
    judge(session, end, result);
    if (!folder.empty())
        write_simulation(folder, result);
    else if (seconds >= long_seconds)
        keep_long(result, spec.label, args.value("kernel"), console);
    if (form.text())
        print_guest(std::cout, session, spec.label, end.how, seconds);
    write_forms(form, headline_table(result.stats), result.stats);
    if (form.text() && window.wanted() && !window.kept())
        std::cout << "nothing was recorded, so there is no trace\n";
    if (form.text() && window.kept())
        std::cout << "trace: " << args.value("record") << (end.code == exit_ok ? "" : " (PARTIAL)")
                  << (args.has("image") ? ", the memory: " + args.value("image") : "") << '\n';
    if (form.text() && !folder.empty())
        std::cout << "statistics: " << folder << "/stats.json, the guest's console: " << console << '\n';
    const std::string story = end.why + (end.why.empty() || result.story.empty() ? "" : "\n") + result.story;
    if (result.code != exit_ok)
        throw failure(result.code, story);
    return exit_ok;
}

static std::vector<option_def> guest_options()
{
    return joined(
        {in_group("Guest",
                  {{"kernel", 0, "IMAGE", "a Linux kernel for x86-64, as a boot loader takes it"},
                   {"initrd", 0, "IMAGE", "its first file system"},
                   {"append", 0, "TEXT", "the kernel's command line (default: console=ttyS0 panic=-1 quiet)"},
                   {"memory", 0, "BYTES", "of the guest, below 2 Gi (default 256Mi)"},
                   {"cpu", 0, "MODEL", "of the emulator (default max: five levels; max,la57=off: four)"},
                   {"console", 0, nullptr, "show what the guest prints"}}),
         in_group("Machine",
                  {{"platform", 'p', "MACHINE",
                    "whose TLBs and walks time (default apu-micro18), changes after ':'"},
                   {"set", 0, "SECTION.KEY=VALUE", "change one of its parameters; may be repeated", true},
                   {"seed", 0, "N", "value of every parameter named seed"},
                   memory_option_def()}),
         in_group(
             "What is timed",
             {{"every", 0, "N", "time one access in N (default 100, with --record 1; 1: all; 0: none)"},
              {"from", 0, "N", "time none before the guest's access number N"},
              {"when", 0, "TEXT", "time none before the guest has printed TEXT"},
              {"measure", 0, "N", "stop when N accesses are timed (with --record: default 10000000)"},
              {"seconds", 0, "N", "stop after N seconds of host time"},
              {"without", 0, "WHAT",
               "hide from the TLBs invlpg, or cr3 or cr4 written anew: what would they hold? May be repeated",
               true}}),
         in_group(
             "Recording",
             {{"record", 0, "FILE.wkt", "keep the accesses that are timed as a trace, with the root of each"},
              {"image", 0, "FILE",
               "with --record: the guest's memory behind the last of them, for walkway run --memory"}}),
         in_group("Results",
                  {{"output", 'o', "DIR", "write DIR/stats.json, DIR/host.json and DIR/console.txt"},
                   csv_option,
                   json_option,
                   quiet_option}),
         in_group("Emulator", {{"emulator", 0, "PROGRAM", "QEMU 9.1 to 10.x (default qemu-system-x86_64)"},
                               {"plugin", 0, "FILE", "the plugin (default: this build's)"}})});
}

const command_def guest_command = {
    "guest",
    "guest --kernel IMAGE [--initrd IMAGE] [-p MACHINE] [options] [-- EMULATOR'S ARGUMENTS]",
    "Does the model translate a running operating system's addresses as an emulator does, and how long would "
    "it "
    "take?",
    "Starts QEMU with the guest's memory in a shared file and a plugin that sees every data access. Each is "
    "walked\n"
    "through the guest's own page tables within the emulator's callback, and compared with the emulator's "
    "physical\n"
    "address. One in N goes to the machine's TLBs, page-walk caches and walks, in order with the guest's "
    "writes of\n"
    "CR3 and CR4 and its invalidations; what they answer is compared, too, and their time accounted for.\n"
    "\n"
    "Ctrl-C stops the guest and leaves the result so far, marked \"partial\". The exit code is 3 when "
    "translations\n"
    "disagree, 2 when the guest or the emulator died. docs/use/guest.md.",
    guest_options(),
    "walkway guest --kernel build/guest/vmlinuz --initrd build/guest/initrd.gz --every 20",
    guest_main,
};

} // namespace walkway
