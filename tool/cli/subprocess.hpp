/* SPDX-License-Identifier: MIT */
/* cli/subprocess.hpp - runs another program to its end, or to a time limit. */
#ifndef WALKWAY_CLI_SUBPROCESS_HPP
#define WALKWAY_CLI_SUBPROCESS_HPP

#include <string>
#include <utility>
#include <vector>

namespace walkway
{

struct subprocess {
    std::vector<std::string> command;                             /* first word: a path, or a name in $PATH */
    std::vector<std::pair<std::string, std::string>> environment; /* set unless the user has set them */
    double limit_seconds = 0.0;                                   /* 0: no limit */
};

struct subprocess_end {
    enum kind { exited, signalled, hung, stopped, not_started } how;
    int code;        /* exit code, or signal */
    double seconds;  /* from start to end */
    std::string out; /* stdout, and stderr, up to a mebibyte each */
    std::string err;
    bool succeeded() const { return how == exited && code == 0; }
};

/* Runs the program and waits. It has a process group of its own, which ends with it, at its time limit, when
 * the user interrupts, or with this process. */
subprocess_end run_subprocess(const subprocess &program);

/* Returns "exit code 3", "signal 11 (Segmentation fault)", "no end within 60 s". */
std::string text_of_end(const subprocess_end &end);

} // namespace walkway

#endif
