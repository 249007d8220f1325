/* SPDX-License-Identifier: MIT */
/* cli/runs.hpp - several runs of one command: every trace on every machine, in parallel processes. */
#ifndef WALKWAY_CLI_RUNS_HPP
#define WALKWAY_CLI_RUNS_HPP

#include "cli/forms.hpp"
#include "report/summary.hpp"
#include "run/config.hpp"
#include "run/result_folder.hpp"
#include "run/scope.hpp"
#include "support/errors.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct several_runs {
    std::vector<platform_spec> machines;
    std::vector<std::string> traces;
    std::string folder; /* of the results, with a folder per run; empty: results are only printed */
    unsigned parallel;
    bool quiet;
    run_scope scope;
    output_form form;
    laws_shown laws;
    bool energy;          /* prints a table of it for each run */
    result_folder *place; /* with a folder: its lock and manifest */
};

/* Runs all and prints one table of the runs, in the order of the traces, then of the machines. Returns the
 * first exit code that is not exit_ok. A run that fails prints why, and does not stop the others. */
exit_code run_several(several_runs &runs);

} // namespace walkway

#endif
