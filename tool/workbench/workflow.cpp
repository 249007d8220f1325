/* SPDX-License-Identifier: MIT */
/* workbench/workflow.cpp - runs Snakemake, and reads the fate of each job from the files that it left. */
#include "workbench/workflow.hpp"

#include "run/progress.hpp"
#include "run/simulate.hpp"
#include "support/interrupt.hpp"
#include "support/numbers.hpp"
#include "support/paths.hpp"
#include "workbench/snakemake.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace walkway
{

namespace fs = std::filesystem;

static constexpr unsigned most_refused = 3; /* jobs, before any begins: then the cluster counts as missing */
static constexpr unsigned shortest_nap = 20000, longest_nap = 1000000; /* microseconds between looks */

/* Memory that a job needs besides that of its runs (for Snakemake and this program), and memory that it
 * requests if nothing is known. */
static constexpr double beside_mib = 256, unknown_mib = 1024;

uint64_t batch_memory_mib(uint64_t bytes)
{
    if (bytes == 0)
        return static_cast<uint64_t>(unknown_mib);
    return static_cast<uint64_t>(std::ceil(beside_mib + 1.5 * static_cast<double>(bytes) / 1048576));
}

uint64_t batch_minutes(double seconds)
{
    return 2 + static_cast<uint64_t>(std::ceil(3 * seconds / 60));
}

bool may_do_with_more(const job_result &end)
{
    return end.fault.empty() || end.fault.compare(0, 18, "ended by signal 9 ") == 0;
}

void workflow::write(const cluster_order &cluster, const std::vector<std::string> &batches,
                     const std::map<size_t, std::string> &captures) const
{
    std::error_code error;
    json sweep = {{"program", fs::read_symlink("/proc/self/exe", error).string()},
                  {"folder", fs::current_path().string()},
                  {"words", cluster.words},
                  {"capture_words", cluster.capture_words},
                  {"batch_seconds", static_cast<uint64_t>(cluster.batch_seconds)},
                  {"batches", batches},
                  {"captures", json::object()}};
    for (const auto &[number, name] : captures)
        sweep["captures"][std::to_string(number)] = name;
    make_folder(folder_ + "/logs");
    write_file(folder_ + "/sweep.json", dump(sweep));
}

void workflow::run(const std::string &profile, unsigned parallel, bool quiet,
                   const std::function<std::string(double)> &look)
{
    snakemake process(folder_, profile, parallel);
    progress_line line(quiet);
    unsigned nap = shortest_nap;
    for (bool ended = false; !ended;) {
        ended = process.ended(); /* true: look() is called once more, for its last files */
        line.message(look(line.seconds()));
        if (interrupted() || (process.refused() >= most_refused && !any_began()))
            process.interrupt();
        if (!ended)
            usleep(nap);
        nap = std::min(nap + shortest_nap, longest_nap);
    }
    failed_ = !process.succeeded();
    why_ = process.refused() != 0 ? process.why() : process.last_words();
    if (failed_ && process.no_room() && !interrupted())
        throw failure(exit_output, as_written(folder_) + ": " + std::strerror(ENOSPC) +
                                       "; the same command goes on where it stopped, when there is room");
}

bool workflow::any_began() const
{
    std::error_code ignored;
    for (const auto &entry : fs::directory_iterator(folder_ + "/logs", ignored))
        if (entry.file_size(ignored) != 0)
            return true;
    return false;
}

bool workflow::ended_well(const std::string &batch) const
{
    std::error_code ignored;
    return fs::exists(folder_ + "/done/" + batch, ignored);
}

std::string workflow::tale_of(const std::string &log, unsigned &attempts) const
{
    std::ifstream in(folder_ + "/logs/" + log);
    std::string last = "nothing";
    attempts = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, 6, "begins") == 0) {
            ++attempts;
            last = "it was ended from outside (its time limit, its memory limit or its machine)";
        } else if (line.compare(0, 9, "walkway: ") == 0) {
            last = line.substr(9);
        }
    }
    return last;
}

std::string workflow::text_of_tale(const std::string &tale, unsigned attempts)
{
    return "begun " + std::to_string(attempts) + (attempts == 1 ? " time: " : " times: ") + tale;
}

void workflow::refuse(uint64_t runs) const
{
    throw failure(exit_input, "the cluster did not begin " +
                                  (runs == 0 ? "what was to be captured"
                                             : text_of_count(runs) + (runs == 1 ? " run" : " runs")) +
                                  ": " + as_written(why_) + " (" + folder_ +
                                  "/snakemake.log); the same command goes on where it stopped");
}

} // namespace walkway
