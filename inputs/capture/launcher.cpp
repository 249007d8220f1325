/* SPDX-License-Identifier: MIT */
/* capture/launcher.cpp - starts Oclgrind with the plugin and turns its exit into a result (capture.hpp). */
#include "capture/capture.hpp"
#include "capture/environment.hpp"
#include "support/stop_requests.hpp"
#include "trace/wkt.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace walkway::capture
{
namespace
{

namespace fs = std::filesystem;

volatile pid_t forward_to = 0;
stop_requests asked;

/* Forwards a signal unless it is a terminal's, which the program receives itself. A second request kills the
 * program. */
void forward(int number, siginfo_t *info, void *)
{
    const unsigned before = asked.requests(), now = asked.received(*info);
    if (forward_to <= 0)
        return;
    if (now >= 2)
        kill(forward_to, SIGKILL);
    else if (now > before && stop_requests::sender_of(*info) != 0)
        kill(forward_to, number);
}

/* Forwards signals while it exists. */
class signal_guard
{
    struct sigaction old_int, old_term;

public:
    explicit signal_guard(bool has_starter)
    {
        struct sigaction pass = {};
        pass.sa_sigaction = forward;
        pass.sa_flags = SA_SIGINFO;
        sigemptyset(&pass.sa_mask);
        sigaddset(&pass.sa_mask, SIGINT);
        sigaddset(&pass.sa_mask, SIGTERM);
        asked.expect_from(has_starter ? getppid() : 0);
        asked.forget();
        sigaction(SIGINT, &pass, &old_int);
        sigaction(SIGTERM, &pass, &old_term);
    }
    ~signal_guard()
    {
        sigaction(SIGINT, &old_int, nullptr);
        sigaction(SIGTERM, &old_term, nullptr);
    }
    signal_guard(const signal_guard &) = delete;
    signal_guard &operator=(const signal_guard &) = delete;
    void restore_in_child() const
    {
        struct sigaction plain = {};
        plain.sa_handler = SIG_DFL;
        sigaction(SIGINT, &plain, nullptr);
        sigaction(SIGTERM, &plain, nullptr);
        signal(SIGXFSZ, SIG_IGN); /* the recorder in the program reports which file is too large */
    }
};

constexpr const char *work_mark = ".capture", *error_end = ".error";

/* The files of one capture, with a trace per process that used OpenCL. Removes those that are not renamed. */
struct work_files {
    std::string trace, error, seen;
    explicit work_files(const std::string &start)
        : trace(start), error(start + error_end), seen(start + ".seen")
    {
    }
    static std::string start_of(const std::string &out)
    {
        return fs::absolute(out).string() + work_mark + std::to_string(getpid());
    }
    ~work_files()
    {
        std::error_code ignored;
        for (const fs::path &p : traces())
            fs::remove(p, ignored);
        fs::remove(seen, ignored);
        fs::remove(error, ignored);
        if (lock_ >= 0)
            close(lock_);
    }
    work_files(const work_files &) = delete;
    work_files &operator=(const work_files &) = delete;
    /* Returns the finished traces, and the unfinished ones (".partial"). */
    std::vector<fs::path> traces() const
    {
        const fs::path start(trace);
        const std::string prefix = start.filename().string() + ".";
        std::vector<fs::path> all;
        std::error_code bad;
        for (fs::directory_iterator i(start.parent_path(), bad), end; !bad && i != end; i.increment(bad)) {
            const std::string name = i->path().filename().string();
            if (name.compare(0, prefix.size(), prefix) == 0 && name != fs::path(error).filename() &&
                name != fs::path(seen).filename())
                all.push_back(i->path());
        }
        return all;
    }
    /* Reserves room for the reason of a failure, which may be a full disk, and holds a lock on it, by which
     * remove_abandoned() of other processes sees that this capture runs. Returns errno, or 0. */
    int make_room()
    {
        struct stat status {
        };
        do { /* again if it was removed before it was locked */
            if (lock_ >= 0)
                close(lock_);
            lock_ = open(error.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
            if (lock_ < 0)
                return errno;
            flock(lock_, LOCK_EX); /* if it fails, this file system has no locks, and nothing is removed */
        } while (fstat(lock_, &status) == 0 && status.st_nlink == 0);
        const std::string room(reason_bytes, '\0');
        errno = ENOSPC; /* of a short write */
        return write(lock_, room.data(), room.size()) == ssize_t(room.size()) ? 0 : errno;
    }
    std::string reason() const
    {
        std::ifstream in(error);
        const std::string all{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        return all.substr(0, all.find('\0'));
    }
    /* Returns the rest of the first line in `seen` that begins with `what`, or nothing if there is none. */
    std::optional<std::string> first_seen(const std::string &what) const
    {
        std::ifstream in(seen);
        for (std::string line; std::getline(in, line);)
            if (line.compare(0, what.size(), what) == 0)
                return line.substr(what.size());
        return {};
    }
    static constexpr size_t reason_bytes = 512;

private:
    int lock_ = -1;
};

/* Removes what captures left in this folder whose process was killed. */
void remove_abandoned(const fs::path &folder)
{
    std::vector<std::string> starts;
    std::error_code bad;
    for (fs::directory_iterator i(folder, bad), end; !bad && i != end; i.increment(bad)) {
        const std::string path = i->path().string();
        const size_t mark = path.rfind(work_mark);
        if (mark == std::string::npos)
            continue;
        const size_t number_end = path.find_first_not_of("0123456789", mark + std::strlen(work_mark));
        if (number_end != std::string::npos && path.substr(number_end) == error_end)
            starts.push_back(path.substr(0, number_end));
    }
    for (const std::string &start : starts) {
        const int file = open((start + error_end).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (file < 0)
            continue;
        if (flock(file, LOCK_EX | LOCK_NB) == 0)
            const work_files abandoned(start);
        close(file);
    }
}

std::string joined(const std::vector<std::string> &argv)
{
    std::string line;
    for (const std::string &a : argv)
        line += (line.empty() ? "" : " ") + a;
    return line;
}

[[noreturn]] void become_oclgrind(const std::vector<std::string> &arguments)
{
    std::vector<char *> raw;
    for (const std::string &a : arguments)
        raw.push_back(const_cast<char *>(a.c_str()));
    raw.push_back(nullptr);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execv(raw[0], raw.data());
    const char *text = "walkway: cannot start oclgrind\n";
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
        _exit(126);
    _exit(127);
}

/* Memory of the simulated device: the most that Oclgrind 21.10 accepts (it reads 32 bits), minus a page. */
constexpr unsigned long long device_memory_bytes = (4ULL << 30) - 4096;

/* Most work-items per work-group: the capacity of a compute unit in all the papers' machines. GraphBIG's
 * programs use the device's maximum. */
constexpr unsigned most_group_items = 1024;

void set_environment(const work_files &files, const std::vector<std::string> &argv,
                     const std::string &program, const std::string &oclgrind, const capture_options &options)
{
    auto set = [](const char *name, const std::string &value) { setenv(name, value.c_str(), 1); };
    set(env_trace, files.trace);
    set(env_error, files.error);
    set(env_seen, files.seen);
    set(env_device, std::to_string(options.choices.device_type));
    set(env_compute_units, std::to_string(options.choices.compute_units));
    setenv(env_group_items, std::to_string(most_group_items).c_str(), 0); /* keeps the user's own value */
    set(env_program, fs::path(program).filename().string());
    set(env_command, joined(argv));
    set(env_level, std::to_string(options.level));
    set("OCLGRIND_NUM_THREADS", std::to_string(options.threads ? options.threads : 1));
    auto set_if = [&](bool wanted, const char *name, const std::string &value) {
        if (wanted)
            set(name, value);
        else
            unsetenv(name);
    };
    set_if(options.max_launches, env_launches, std::to_string(options.max_launches));
    set_if(options.progress, env_progress, "1");
    set_if(options.choices.interpret, env_interpret, "1");
    /* Oclgrind's default, 128 MiB, is too little for the papers' programs; the host backs only touched pages.
     * Keeps the user's own value. */
    setenv("OCLGRIND_GLOBAL_MEM_SIZE", std::to_string(device_memory_bytes).c_str(), 0);
    setenv("OCLGRIND_LOCAL_MEM_SIZE", "65536", 0); /* cu.lds_bytes; Oclgrind's default is 32 KiB */
    /* Serves programs that load libOpenCL themselves, past LD_PRELOAD. */
    std::error_code absent;
    const fs::path vendor =
        fs::absolute(oclgrind).parent_path() / ".." / "lib" / "oclgrind" / "liboclgrind-rt-icd.so";
    if (fs::exists(vendor, absent))
        setenv("OCL_ICD_VENDORS", fs::weakly_canonical(vendor, absent).c_str(), 1);
    for (const char *name : {"OCLGRIND_QUICK", "OCLGRIND_INTERACTIVE", "OCLGRIND_PLUGINS"})
        unsetenv(name); /* they would change or prevent the recording */
}

/* Returns how the program failed; an empty string if it did not. */
std::string ended_badly(int status, const std::string &name, const std::vector<unsigned> &accepted)
{
    if (WIFSIGNALED(status))
        return "'" + name + "' was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    const auto code = unsigned(WEXITSTATUS(status));
    if (code == 0 || std::find(accepted.begin(), accepted.end(), code) != accepted.end())
        return {};
    return "'" + name + "' ended with exit code " + std::to_string(code);
}

/* Returns a hint for a program that was refused a device; else an empty string. */
std::string device_hint(const work_files &files, wkt_device_type shown)
{
    const std::optional<std::string> types = files.first_seen(seen_refusal);
    if (!types)
        return {};
    const char *const one = wkt_device_name(uint32_t(std::strtoul(types->c_str(), nullptr, 10)));
    const std::string wanted = one ? one : wkt_device_name(WKT_DEVICE_ALL); /* several types */
    return std::string("; the device is of type ") + wkt_device_name(shown) + ", and the program asked for " +
           (one ? wanted : "several others") + ": 'walkway capture --device-type " + wanted +
           "' has it find one";
}

/* The traces that the program's processes wrote. */
struct found_traces {
    std::string path;       /* of the process that ran kernels */
    uint32_t processes = 0; /* that ran kernels */
    bool used = false;      /* a process used OpenCL */
    bool unfinished = false, partial = false;
    bool empty = false; /* no work-group finished */
    std::string damage;

    explicit found_traces(const work_files &files)
    {
        for (const fs::path &p : files.traces()) {
            wkt_reader *r = nullptr;
            wkt_error e;
            used = true;
            if (p.extension() == ".partial") {
                unfinished = true;
            } else if (wkt_open(p.c_str(), &r, &e) != WKT_OK) {
                damage = e.text;
            } else {
                if (wkt_reader_info(r)->launches > 0) {
                    path = p.string();
                    processes++;
                    partial = wkt_reader_info(r)->partial;
                    empty = wkt_reader_info(r)->totals.groups == 0;
                }
                wkt_close(r);
            }
        }
    }
};

/* Adds the exit code to the trace, which is finished before the program exits. */
bool state_exit_code(const std::string &trace, int status, std::string &error)
{
    wkt_error e;
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 0 ||
        wkt_state_exit_code(trace.c_str(), uint32_t(WEXITSTATUS(status)), &e) == WKT_OK)
        return true;
    error = e.text;
    return false;
}

/* Returns why there is no trace to keep; empty if there is one. */
std::string nothing_to_keep(const found_traces &found, const std::string &bad, const std::string &name,
                            bool asked_for_opencl)
{
    if (!found.damage.empty())
        return found.damage;
    if (found.processes > 1)
        return std::to_string(found.processes) + " processes of '" + name +
               "' ran OpenCL kernels, and a trace is of one: capture each command by itself";
    if (found.processes == 0 && !bad.empty())
        return bad;
    if (found.unfinished)
        return "a process of '" + name +
               "' used OpenCL and did not come to its end: it was killed, still runs, or became another "
               "program (exec)";
    if (!found.used && asked_for_opencl)
        return "'" + name + "' asked for OpenCL's platforms or devices, but used none: it ran no kernel";
    if (!found.used)
        return "'" + name + "' never used OpenCL through Oclgrind, so there is nothing to record";
    if (found.empty)
        return bad.empty() ? "'" + name + "' ended before a work-group had finished" : bad;
    return found.processes == 0 ? "'" + name + "' ran no OpenCL kernel" : "";
}

int judge(int status, const std::string &name, const work_files &files, const std::string &out,
          const capture_options &options, std::string &error)
{
    const found_traces found(files);
    if (access(files.error.c_str(), F_OK) != 0) {
        error = "cannot write " + out + ": its folder was removed while the program ran";
        return capture_no_output;
    }
    std::string reason = files.reason(), bad = ended_badly(status, name, options.accepted_exits);
    if (!reason.empty() && reason[0] == output_mark) {
        error = reason.substr(1);
        return capture_no_output;
    }
    const bool cut = !reason.empty() && reason[0] == cut_mark;
    if (cut) { /* ignores failures of processes that waited for the ended one */
        bad.clear();
        reason.clear();
    }
    const bool stopped = asked.requests() != 0;
    if (stopped && (found.processes == 0 || found.empty || found.unfinished))
        return capture_dropped;
    if (!reason.empty() && reason[0] == kept_mark) {
        bad = reason.substr(1);
        reason.clear();
    }
    error = reason.empty() ? nothing_to_keep(found, bad, name, files.first_seen(seen_question).has_value())
                           : reason;
    if (!error.empty()) {
        if (found.processes == 0)
            error += device_hint(files, options.choices.device_type);
        return capture_failed;
    }
    if (!cut && !stopped && !state_exit_code(found.path, status, error))
        return capture_no_output;
    if (rename(found.path.c_str(), out.c_str()) != 0) {
        error = "cannot write " + out + ": " + std::strerror(errno);
        return capture_no_output;
    }
    if (stopped)
        return capture_interrupted;
    if (cut)
        return capture_cut;
    if (bad.empty() && !found.partial)
        return capture_done;
    error = bad.empty() ? "a process of '" + name + "' crashed" : bad;
    if (WIFEXITED(status) && !found.partial)
        error += " ('walkway capture --accept-exit " + std::to_string(WEXITSTATUS(status)) +
                 "' takes that for a good end)";
    return capture_ended_badly;
}

} // namespace

std::string find_program(const std::string &name)
{
    auto runs = [](const std::string &p) {
        std::error_code ignored;
        return fs::is_regular_file(p, ignored) && access(p.c_str(), X_OK) == 0;
    };
    if (name.find('/') != std::string::npos)
        return runs(name) ? name : "";
    const char *path = std::getenv("PATH");
    std::string folders = path ? path : "";
    for (size_t at = 0; at <= folders.size();) {
        size_t colon = std::min(folders.find(':', at), folders.size());
        std::string candidate = colon == at ? "./" + name : folders.substr(at, colon - at) + "/" + name;
        if (runs(candidate))
            return candidate;
        at = colon + 1;
    }
    return {};
}

std::string find_plugin()
{
    const char *library = "libwalkway-capture.so";
    if (const char *given = std::getenv("WALKWAY_CAPTURE_PLUGIN"))
        return given;
    std::error_code bad;
    fs::path here = fs::read_symlink("/proc/self/exe", bad).parent_path();
    for (const char *folder : {".", "../capture", "../lib/walkway", "../lib"}) {
        fs::path candidate = here / folder / library;
        if (!bad && fs::exists(candidate, bad))
            return fs::weakly_canonical(candidate, bad).string();
        bad.clear();
    }
    return {};
}

int run_capture(const std::string &plugin, const std::vector<std::string> &argv, const std::string &out,
                const capture_options &options, std::string &error)
{
    auto failed = [&](const std::string &text) {
        error = text;
        return int(capture_failed);
    };
    if (argv.empty())
        return failed("no program given");
    std::string oclgrind = find_program(options.oclgrind);
    if (oclgrind.empty())
        return failed("cannot find '" + options.oclgrind +
                      "': install oclgrind (Debian: apt-get install oclgrind)");
    std::string program = find_program(argv[0]);
    if (program.empty())
        return failed("cannot find program '" + argv[0] + "', or it is not executable");
    if (plugin.empty() || access(plugin.c_str(), R_OK) != 0)
        return failed("cannot find the capture plugin" + (plugin.empty() ? "" : " '" + plugin + "'"));
    fs::path folder = fs::absolute(out).parent_path();
    auto unwritable = [&](const std::string &what, int reason) {
        error = "cannot write " + what + ": " + std::strerror(reason);
        return int(capture_no_output);
    };
    if (access(folder.c_str(), W_OK) != 0)
        return unwritable(folder.string(), errno);
    std::error_code absent;
    if (fs::is_directory(out, absent))
        return unwritable(out, EISDIR);

    remove_abandoned(folder);
    work_files files(work_files::start_of(out));
    if (const int reason = files.make_room())
        return unwritable(folder.string(), reason);
    /* Oclgrind puts its runtime first in LD_PRELOAD; the plugin must precede it. */
    const std::string library = fs::absolute(plugin).string();
    std::vector<std::string> arguments = {oclgrind, "--plugins",
                                          library,  "/bin/sh",
                                          "-c",     "library=$0; LD_PRELOAD=$library:$LD_PRELOAD exec \"$@\"",
                                          library,  program};
    arguments.insert(arguments.end(), argv.begin() + 1, argv.end());
    const signal_guard guard(options.has_starter);
    const pid_t self = getpid();
    pid_t child = fork();
    if (child < 0)
        return failed(std::string("cannot start a process: ") + std::strerror(errno));
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self)
            _exit(127);
        guard.restore_in_child();
        set_environment(files, argv, program, oclgrind, options);
        become_oclgrind(arguments);
    }
    forward_to = child;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    forward_to = 0;
    return judge(status, argv[0], files, fs::path(folder / fs::path(out).filename()).string(), options,
                 error);
}

} // namespace walkway::capture
