/* SPDX-License-Identifier: MIT */
/* support/child_process.cpp - starts a program with fork and exec. */
#include "support/child_process.hpp"

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace walkway
{

void take_standard_files(const standard_files &files)
{
    const int none = open("/dev/null", O_RDWR | O_CLOEXEC);
    /* Standard files may be closed here, so that others have their numbers. A copy above them is neither
     * overwritten below nor closed by exec because dup2() had nothing to do. */
    const auto copy = [none](int file) {
        const int above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        return above < 0 ? fcntl(none, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : above;
    };
    const int in = copy(files.in), out = copy(files.out), err = copy(files.err);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
}

pid_t start_child(const std::vector<std::string> &words, const standard_files &files, int at_death)
{
    std::vector<char *> argv; /* made before the fork, so that the child does not allocate */
    for (const std::string &word : words)
        argv.push_back(const_cast<char *>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child != 0)
        return child;
    if (at_death != 0)
        prctl(PR_SET_PDEATHSIG, at_death);
    setpgid(0, 0);
    take_standard_files(files);
    signal(SIGINT, SIG_DFL);
    execvp(argv[0], argv.data());
    _exit(127);
}

} // namespace walkway
