/* SPDX-License-Identifier: MIT */
/* capture/launcher.cpp - starts Oclgrind with the plugin and turns its end into a result (capture.hpp). */
#include "capture/capture.hpp"
#include "capture/environment.hpp"
#include "trace/wkt.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace walkway::capture
{
namespace
{

namespace fs = std::filesystem;

volatile pid_t forward_to = 0;

void forward(int number)
{
    if (forward_to > 0)
        kill(forward_to, number);
}

/* SIGINT reaches the program from the terminal; SIGTERM is passed on. Restored at the end. */
class signal_guard
{
    struct sigaction old_int, old_term;

public:
    signal_guard()
    {
        struct sigaction ignore = {}, pass = {};
        ignore.sa_handler = SIG_IGN;
        pass.sa_handler = forward;
        sigaction(SIGINT, &ignore, &old_int);
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
    }
};

/* The files of one capture; whatever is not kept is removed. */
struct work_files {
    std::string trace, error;
    explicit work_files(const std::string &out)
        : trace(fs::absolute(out).string() + ".capture" + std::to_string(getpid())), error(trace + ".error")
    {
    }
    ~work_files()
    {
        std::error_code ignored;
        for (const std::string &p : {trace, trace + ".partial", error})
            fs::remove(p, ignored);
    }
    work_files(const work_files &) = delete;
    work_files &operator=(const work_files &) = delete;
    std::string reason() const
    {
        std::ifstream in(error);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
};

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

/* Memory of the simulated device: the most that Oclgrind 21.10 can be told (it reads 32 bits), less a page.
 */
constexpr unsigned long long device_memory_bytes = (4ULL << 30) - 4096;

void set_environment(const work_files &files, const std::vector<std::string> &argv,
                     const std::string &program, const capture_options &options)
{
    auto set = [](const char *name, const std::string &value) { setenv(name, value.c_str(), 1); };
    set(env_trace, files.trace);
    set(env_error, files.error);
    set(env_program, fs::path(program).filename().string());
    set(env_command, joined(argv));
    set(env_level, std::to_string(options.level));
    set("OCLGRIND_NUM_THREADS", std::to_string(options.threads ? options.threads : 1));
    if (options.progress)
        set(env_progress, "1");
    else
        unsetenv(env_progress);
    /* Oclgrind's own limit is 128 MiB, too little for the papers' programs; the host backs only what is
     * touched. The user's own wish stays. */
    setenv("OCLGRIND_GLOBAL_MEM_SIZE", std::to_string(device_memory_bytes).c_str(), 0);
    setenv("OCLGRIND_LOCAL_MEM_SIZE", "65536", 0); /* cu.lds_bytes; Oclgrind has 32 KiB */
    for (const char *name : {"OCLGRIND_QUICK", "OCLGRIND_INTERACTIVE", "OCLGRIND_PLUGINS"})
        unsetenv(name); /* they would change, or stop, what is recorded */
}

/* Empty when the program ended well. */
std::string ended_badly(int status, const std::string &name)
{
    if (WIFSIGNALED(status))
        return "'" + name + "' was killed by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    if (WEXITSTATUS(status) != 0)
        return "'" + name + "' ended with exit code " + std::to_string(WEXITSTATUS(status));
    return {};
}

int judge(int status, const std::string &name, const work_files &files, const std::string &out,
          std::string &error)
{
    wkt_reader *r = nullptr;
    wkt_error e;
    uint32_t launches = 0;
    bool partial = false, whole = wkt_open(files.trace.c_str(), &r, &e) == WKT_OK;
    if (whole) {
        launches = wkt_reader_info(r)->launches;
        partial = wkt_reader_info(r)->partial;
        wkt_close(r);
    }
    std::string reason = files.reason(), bad = ended_badly(status, name);
    if (!reason.empty())
        error = reason;
    else if (!bad.empty() && !partial)
        error = bad;
    else if (!whole && access(files.trace.c_str(), F_OK) != 0)
        error = "'" + name + "' never used OpenCL through Oclgrind, so there is nothing to record";
    else if (!whole)
        error = e.text;
    else if (launches == 0)
        error = "'" + name + "' ran no OpenCL kernel";
    else if (rename(files.trace.c_str(), out.c_str()) != 0)
        error = "cannot write " + out + ": " + std::strerror(errno);
    else
        return partial ? capture_interrupted : capture_done;
    return capture_failed;
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
    if (access(folder.c_str(), W_OK) != 0)
        return failed("cannot write to " + folder.string() + ": " + std::strerror(errno));

    work_files files(out);
    /* Oclgrind puts its runtime in front of LD_PRELOAD; local_size.cpp has to come before that. */
    std::string library = fs::absolute(plugin).string();
    std::vector<std::string> arguments = {oclgrind, "--plugins",
                                          library,  "/bin/sh",
                                          "-c",     "library=$0; LD_PRELOAD=$library:$LD_PRELOAD exec \"$@\"",
                                          library,  program};
    arguments.insert(arguments.end(), argv.begin() + 1, argv.end());
    signal_guard guard;
    pid_t child = fork();
    if (child < 0)
        return failed(std::string("cannot start a process: ") + std::strerror(errno));
    if (child == 0) {
        guard.restore_in_child();
        set_environment(files, argv, program, options);
        become_oclgrind(arguments);
    }
    forward_to = child;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    forward_to = 0;
    return judge(status, argv[0], files, out, error);
}

} // namespace walkway::capture
