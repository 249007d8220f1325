/* SPDX-License-Identifier: MIT */
/* workbench/search_history.hpp - what a search knew before each of its choices beside what it chose: machines
 * whose runs the file of results had already. Kept in that file, so that a search which was interrupted makes
 * the choices that it would have made, though the file has more by then. */
#ifndef WALKWAY_WORKBENCH_SEARCH_HISTORY_HPP
#define WALKWAY_WORKBENCH_SEARCH_HISTORY_HPP

#include "workbench/results_file.hpp"

#include <functional>
#include <string>

namespace walkway
{

class search_history
{
public:
    /* Searches of equal `asked` are one. The file is open for writing, and outlives it. */
    search_history(results_file &results, std::string asked);

    /* Machines that are told to the chooser before choice number `step`, an array of their numbers. Behind
     * the last choice that the history has, and there once, this is what `find` answers. */
    json known_before(uint64_t step, const std::function<json()> &find);

private:
    results_file &results_;
    const std::string asked_;
    bool found_ = false;
};

} // namespace walkway

#endif
