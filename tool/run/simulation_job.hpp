/* SPDX-License-Identifier: MIT */
/* run/simulation_job.hpp - a simulation as a job: in a process of its own, its result in a folder. */
#ifndef WALKWAY_RUN_SIMULATION_JOB_HPP
#define WALKWAY_RUN_SIMULATION_JOB_HPP

#include "run/jobs.hpp"
#include "run/simulate.hpp"

namespace walkway
{

enum class kept { always, when_complete }; /* whether a cut or broken run's results are written */

/* Returns a job. `spec` is used when the job runs; its label is the job's unless another is given. */
job simulation_job(platform_spec &spec, const std::string &trace, const std::string &folder, kept what,
                   const std::string &label = "", const run_scope &scope = {}, const company &with = {});

} // namespace walkway

#endif
