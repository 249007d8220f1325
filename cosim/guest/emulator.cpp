/* SPDX-License-Identifier: MIT */
/* guest/emulator.cpp - see emulator.hpp. The standard output has QEMU's monitor protocol (QMP), which names
 * the reason of a shutdown. Standard output and error are unnamed files, so that the emulator never waits for
 * a reader. */
#include "guest/emulator.hpp"

#include "support/child_process.hpp"
#include "support/errors.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace walkway
{

constexpr int cannot_start = 127; /* as in a shell */
constexpr unsigned end_patience_ms = 5000;
constexpr size_t said_bytes = 4096;

/* Doubles commas, which otherwise separate QEMU's options. */
static std::string in_option(const std::string &path)
{
    std::string out;
    for (const char c : path)
        out += c == ',' ? ",," : std::string(1, c);
    return out;
}

std::vector<std::string> emulator_command(const guest_machine &m)
{
    const std::string mib = std::to_string(m.ram_bytes >> 20) + "M";
    std::vector<std::string> c = {
        m.emulator,
        "-accel",
        "tcg",
        "-cpu",
        m.cpu,
        "-smp",
        "1",
        "-m",
        mib,
        "-object",
        "memory-backend-file,id=ram,size=" + mib + ",share=on,mem-path=" + in_option(m.ram_path),
        "-machine",
        "q35,memory-backend=ram,smm=off",
        "-nodefaults",
        "-no-user-config",
        "-display",
        "none",
        "-no-reboot",
        "-qmp",
        "stdio",
        "-chardev",
        "file,id=console,path=" + in_option(m.console),
        "-serial",
        "chardev:console",
        "-kernel",
        m.kernel,
        "-append",
        m.append,
        "-plugin",
        in_option(m.plugin) + ",share=" + in_option(m.share_path) + ",ram=" + in_option(m.ram_path)};
    if (!m.initrd.empty())
        c.insert(c.end(), {"-initrd", m.initrd});
    c.insert(c.end(), m.more.begin(), m.more.end());
    return c;
}

emulator_process::emulator_process(const std::vector<std::string> &command)
    : out_(memfd_create("emulator-out", MFD_CLOEXEC)), err_(memfd_create("emulator-err", MFD_CLOEXEC))
{
    std::vector<char *> argv;
    for (const std::string &word : command)
        argv.push_back(const_cast<char *>(word.c_str()));
    argv.push_back(nullptr);
    static const char hello[] = "{\"execute\":\"qmp_capabilities\"}\n";
    std::array<int, 2> pipe{-1, -1};
    const bool ready = out_ >= 0 && err_ >= 0 && pipe2(pipe.data(), O_CLOEXEC) == 0 &&
                       write(pipe[1], hello, sizeof(hello) - 1) == static_cast<ssize_t>(sizeof(hello) - 1);
    const pid_t parent = getpid();
    child_ = ready ? fork() : -1;
    if (child_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(cannot_start);
        setpgid(0, 0);                              /* Ctrl-C reaches only Walkway, which ends the emulator */
        fcntl(pipe[1], F_DUPFD, STDERR_FILENO + 1); /* the monitor's input stays open */
        take_standard_files({pipe[0], out_, err_});
        execvp(argv[0], argv.data());
        _exit(cannot_start);
    }
    const std::string why = std::strerror(errno);
    for (const int end : pipe)
        if (end >= 0)
            close(end);
    if (child_ >= 0)
        return;
    for (const int file : {out_, err_})
        if (file >= 0)
            close(file);
    throw failure(exit_input, "the emulator cannot be started: " + why);
}

emulator_process::~emulator_process()
{
    end();
    close(out_);
    close(err_);
}

bool emulator_process::running()
{
    if (!ended_ && waitpid(child_, &how_, WNOHANG) == child_)
        ended_ = true;
    return !ended_;
}

void emulator_process::end()
{
    if (running())
        kill(child_, SIGTERM);
    for (unsigned ms = 0; running() && ms < end_patience_ms; ++ms)
        usleep(1000);
    if (running()) {
        kill(-child_, SIGKILL);
        waitpid(child_, &how_, 0);
        ended_ = true;
    }
}

std::string emulator_process::text_of(int file) const
{
    const off_t size = lseek(file, 0, SEEK_END);
    const off_t from = std::max<off_t>(0, size - static_cast<off_t>(said_bytes));
    std::string text(static_cast<size_t>(size - from), '\0');
    const ssize_t got = pread(file, text.data(), text.size(), from);
    text.resize(got < 0 ? 0 : static_cast<size_t>(got));
    return text;
}

std::string emulator_process::story() const
{
    std::string how = WIFSIGNALED(how_) ? "it was ended by signal " + std::to_string(WTERMSIG(how_)) + " (" +
                                              strsignal(WTERMSIG(how_)) + ")"
                                        : "exit code " + std::to_string(WEXITSTATUS(how_));
    if (WIFEXITED(how_) && WEXITSTATUS(how_) == cannot_start)
        how = "it cannot be started; scripts/setup --guest installs it";
    std::string said = text_of(err_);
    while (!said.empty() && said.back() == '\n')
        said.pop_back();
    const size_t line = said.rfind('\n');
    return said.empty() ? how
                        : how + ": " + as_written(line == std::string::npos ? said : said.substr(line + 1));
}

std::string emulator_process::shutdown_reason() const
{
    const std::string said = text_of(out_), key = "\"reason\": \"";
    const size_t event = said.rfind("\"SHUTDOWN\""), at = said.find(key, event);
    if (event == std::string::npos || at == std::string::npos)
        return "";
    const size_t from = at + key.size();
    return as_written(said.substr(from, said.find('"', from) - from));
}

} // namespace walkway
