/* SPDX-License-Identifier: MIT */
/* workbench/searcher.hpp - the process that chooses which machines to try next: python/walkway/searcher.py,
 * which defines the lines of the conversation, with Optuna. */
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
    /* Starts it with the conversation's first question. Throws failure(exit_input) if Python, the file or
     * Optuna is missing ($WALKWAY_PYTHON: another Python than Debian's). */
    explicit searcher(const json &head);
    ~searcher();
    searcher(const searcher &) = delete;
    searcher &operator=(const searcher &) = delete;

    const std::string &version() const { return version_; } /* of Optuna */
    /* Asks a question and waits for the answer. Throws failure(exit_input) if the process has none,
     * failure(exit_interrupted) on the user's interrupt. */
    json answer(const json &question);

private:
    searcher() = default; /* so that the destructor ends a child whose first answer fails */
    std::string line();
    [[noreturn]] void lost(const std::string &said);

    pid_t child_ = -1;
    int talk_ = -1;    /* with its standard input and output */
    std::string read_; /* read, and not yet used */
    std::string version_;
};

} // namespace walkway

#endif
