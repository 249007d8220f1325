/* SPDX-License-Identifier: MIT */
/* run/simulation_job.cpp - simulates, writes the result, and reports failures. */
#include "run/simulation_job.hpp"

namespace walkway
{

job simulation_job(platform_spec &spec, const std::string &trace, const std::string &folder, kept what,
                   const std::string &label, const run_scope &scope, const company &with)
{
    return {label.empty() ? spec.label : label,
            [&spec, trace, folder, what, scope, with](const progress_fn &progress) {
                const simulation result = scope.sample.wanted
                                              ? simulate_sampled(spec, trace, progress, scope.sample, 1)
                                              : simulate(spec, trace, progress, {}, {}, scope, with);
                if (what == kept::always || result.code == exit_ok)
                    write_simulation(folder, result);
                if (!result.story.empty())
                    throw failure(result.code, result.story);
                return result.code;
            }};
}

} // namespace walkway
