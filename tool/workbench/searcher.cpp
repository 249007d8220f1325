/* SPDX-License-Identifier: MIT */
/* workbench/searcher.cpp - a process, and a socket as its standard input and output. Its stderr is this
 * program's. */
#include "workbench/searcher.hpp"

#include "support/child_process.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/paths.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace walkway
{

searcher::searcher(const json &head) : searcher()
{
    const std::string python = python_program(), file = python_file("walkway/searcher.py");
    if (access(python.c_str(), X_OK) != 0)
        throw failure(exit_input, as_written(python) +
                                      ": there is no such Python; a search needs python3 and python3-optuna");
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw failure(exit_output, std::string("socketpair: ") + std::strerror(errno));
    talk_ = ends[0];
    /* -I: the search path has neither the user's packages nor the current folder. */
    child_ = start_child({python, "-I", "-B", file}, {ends[1], ends[1], STDERR_FILENO}, SIGKILL);
    close(ends[1]);
    if (child_ < 0)
        lost(std::strerror(errno));
    version_ = answer(head).at("version").get<std::string>();
}

searcher::~searcher()
{
    close(talk_); /* ends its input */
    if (child_ > 0) {
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
    }
}

void searcher::lost(const std::string &said)
{
    throw failure(exit_input, "the search's process has no answer" + (said.empty() ? said : ": " + said));
}

std::string searcher::line()
{
    size_t end = 0;
    while ((end = read_.find('\n')) == std::string::npos) {
        pollfd wait{talk_, POLLIN, 0};
        if (poll(&wait, 1, 100) <= 0) {
            if (interrupted())
                throw failure(exit_interrupted, "interrupted; the same command goes on where it stopped");
            continue;
        }
        std::array<char, 8192> buffer;
        const ssize_t got = read(talk_, buffer.data(), buffer.size());
        if (got == 0 || (got < 0 && errno != EINTR))
            lost("it has ended");
        read_.append(buffer.data(), got > 0 ? static_cast<size_t>(got) : 0);
    }
    const std::string first = read_.substr(0, end);
    read_.erase(0, end + 1);
    return first;
}

json searcher::answer(const json &question)
{
    const std::string text = question.dump() + "\n";
    for (size_t at = 0; at < text.size();) {
        const ssize_t put = send(talk_, text.data() + at, text.size() - at, MSG_NOSIGNAL);
        if (put < 0 && errno != EINTR)
            break; /* the process has ended; line() reports its last output */
        at += put < 0 ? 0 : static_cast<size_t>(put);
    }
    const std::string said = line();
    const json answer = json::parse(said, nullptr, false);
    if (!answer.is_object())
        lost(as_written(said));
    if (answer.contains("error"))
        throw failure(exit_input, answer.at("error").get<std::string>());
    return answer;
}

} // namespace walkway
