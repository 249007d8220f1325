/* SPDX-License-Identifier: MIT */
/* workbench/batch_jobs.cpp - see batch_jobs.hpp. */
#include "workbench/batch_jobs.hpp"

#include "run/input.hpp"
#include "support/interrupt.hpp"
#include "workbench/run_record.hpp"

#include <iostream>

namespace walkway
{

void run_batch_jobs(
    const batch_jobs &b, unsigned parallel, bool quiet,
    const std::function<bool(size_t k, const job_result &end, const std::string &fault)> &keep)
{
    std::cout << "batch " << b.name << ": " << b.todo.size() << " of " << b.wanted << " runs to do, on "
              << host_json().at("name").get<std::string>() << ", " << now_text() << std::endl;
    exit_code stopped = exit_ok;
    std::string lost;
    run_jobs(b.todo, parallel, quiet, [&](size_t k, const job_result &end) {
        if (end.code == exit_interrupted || end.code == exit_output) {
            stopped = end.code;
            return false;
        }
        const std::string fault = end.code == exit_ok || !end.fault.empty() ? end.fault : "internal error";
        if (keep(k, end, fault))
            lost = b.todo[k].label + ": " + fault;
        return true;
    });
    if (interrupted())
        throw failure(exit_interrupted, "batch " + b.name + " was interrupted");
    if (stopped != exit_ok)
        throw failure(stopped, "batch " + b.name + ": a run's results could not be written");
    if (!lost.empty())
        throw failure(exit_input, "batch " + b.name + ": " + lost);
}

} // namespace walkway
