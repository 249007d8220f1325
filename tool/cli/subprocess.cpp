/* SPDX-License-Identifier: MIT */
/* cli/subprocess.cpp - starts a program by fork and exec, with two pipes. Between fork and exec it calls only
 * what a signal handler may call, since other threads may be running. */
#include "cli/subprocess.hpp"

#include "support/child_process.hpp"
#include "support/interrupt.hpp"
#include "support/numbers.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace walkway
{

namespace
{

constexpr size_t kept_bytes = 1u << 20;
constexpr int cannot_start = 127; /* as in a shell */

/* The arguments of exec, made before the fork. */
struct exec_image {
    std::vector<std::string> variables;
    std::vector<char *> argv, envp;

    explicit exec_image(const subprocess &program)
    {
        for (const std::string &word : program.command)
            argv.push_back(const_cast<char *>(word.c_str()));
        argv.push_back(nullptr);
        for (char **e = environ; *e != nullptr; ++e)
            envp.push_back(*e);
        for (const auto &[name, value] : program.environment)
            if (std::getenv(name.c_str()) == nullptr)
                variables.push_back(std::string(name).append("=").append(value));
        for (const std::string &variable : variables)
            envp.push_back(const_cast<char *>(variable.c_str()));
        envp.push_back(nullptr);
    }
};

[[noreturn]] void become(const exec_image &image, const standard_files &files)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    take_standard_files(files);
    execvpe(image.argv[0], image.argv.data(), image.envp.data());
    _exit(cannot_start);
}

/* True if the program has ended. What is left of its process group then ends, too, before the program is
 * reaped, so that the group's number is still its own. */
bool has_ended(pid_t program, int &status)
{
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(program), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == 0)
        return false;
    kill(-program, SIGKILL);
    return waitpid(program, &status, 0) == program;
}

/* Reads what is available. Returns false at the end of the stream. */
bool take(int pipe, std::string &text)
{
    std::array<char, 8192> buffer;
    const ssize_t got = read(pipe, buffer.data(), buffer.size());
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (text.size() < kept_bytes)
        text.append(buffer.data(), static_cast<size_t>(got));
    return got != 0;
}

double seconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

subprocess_end run_subprocess(const subprocess &program)
{
    subprocess_end end{subprocess_end::not_started, errno, 0.0, "", ""};
    const exec_image image(program);
    const int in = fcntl(STDIN_FILENO, F_GETFD) < 0 ? -1 : STDIN_FILENO; /* before a pipe has its number */
    std::array<int, 2> out{}, err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0)
        return end;
    if (pipe2(err.data(), O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return end;
    }
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0)
        become(image, {in, out[1], err[1]});
    close(out[1]);
    close(err[1]);
    std::array<pollfd, 2> streams = {pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
    int status = 0;
    bool ended = child < 0;
    end.how = child < 0 ? subprocess_end::not_started : subprocess_end::exited;
    while (!ended) {
        poll(streams.data(), streams.size(), 20);
        for (size_t i = 0; i < streams.size(); ++i)
            if (streams[i].revents != 0 && !take(streams[i].fd, i == 0 ? end.out : end.err))
                streams[i].fd = -1; /* poll ignores it */
        ended = has_ended(child, status);
        if (streams[0].fd < 0 && streams[1].fd < 0 && !ended)
            usleep(1000);
        const bool late = program.limit_seconds > 0.0 && seconds_since(start) > program.limit_seconds;
        if (ended || end.how != subprocess_end::exited || (!late && !interrupted()))
            continue;
        end.how = late ? subprocess_end::hung : subprocess_end::stopped;
        kill(-child, SIGKILL);
    }
    end.seconds = seconds_since(start);
    /* Reads the rest from the pipes, and no more than is kept: a process that left the group may write on. */
    for (size_t i = 0; i < streams.size(); ++i) {
        std::string &text = i == 0 ? end.out : end.err;
        fcntl(streams[i].fd, F_SETFL, O_NONBLOCK);
        while (streams[i].fd >= 0 && text.size() < kept_bytes && poll(&streams[i], 1, 0) == 1 &&
               take(streams[i].fd, text)) {
        }
    }
    close(out[0]);
    close(err[0]);
    if (end.how != subprocess_end::exited)
        return end;
    end.how = WIFEXITED(status) ? subprocess_end::exited : subprocess_end::signalled;
    end.code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    if (end.how == subprocess_end::exited && end.code == cannot_start)
        end.how = subprocess_end::not_started;
    return end;
}

std::string text_of_end(const subprocess_end &end)
{
    switch (end.how) {
    case subprocess_end::exited:
        return "exit code " + std::to_string(end.code);
    case subprocess_end::signalled:
        return "signal " + std::to_string(end.code) + " (" + strsignal(end.code) + ")";
    case subprocess_end::hung:
        return "no end within " + text_of_real(end.seconds, 0) + " s";
    case subprocess_end::stopped:
        return "interrupted";
    case subprocess_end::not_started:
        break;
    }
    return "it cannot be started";
}

} // namespace walkway
