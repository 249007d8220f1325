/* SPDX-License-Identifier: MIT */
/* workbench/searcher.hpp - the process that chooses which machines to try next: python/walkway/searcher.py,
 * which has the conversation's lines, and in it Optuna. */
#ifndef WALKWAY_WORKBENCH_SEARCHER_HPP
#define WALKWAY_WORKBENCH_SEARCHER_HPP

#include "run/statistics.hpp"

#include <string>
#include <sys/types.h>

namespace walkway
{

class searcher
{
public:
    /* Starts it with the conversation's first question. Throws failure(exit_input) where Python, the file or
     * Optuna is not there ($WALKWAY_PYTHON: another Python than Debian's). */
    explicit searcher(const json &head);
    ~searcher();
    searcher(const searcher &) = delete;
    searcher &operator=(const searcher &) = delete;

    const std::string &version() const { return version_; } /* of Optuna */
    /* Waits for the answer. Throws failure(exit_input) when the process has none, failure(exit_interrupted)
     * when the user asks for the end. */
    json answer(const json &question);

private:
    std::string line();
    [[noreturn]] void lost(const std::string &said);

    pid_t child_ = -1;
    int in_ = -1, out_ = -1; /* its standard input and output */
    std::string read_;       /* and not answered yet */
    std::string version_;
};

} // namespace walkway

#endif
