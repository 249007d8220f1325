/* SPDX-License-Identifier: MIT */
/* cli/workload.hpp - the OpenCL programs delivered with this one: where they are, and their descriptions of
 * themselves (`PROGRAM --describe`). */
#ifndef WALKWAY_CLI_WORKLOAD_HPP
#define WALKWAY_CLI_WORKLOAD_HPP

#include "report/table.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

struct workload_preset {
    std::string name, text, values;
    uint64_t footprint_bytes = 0; /* of all buffers; 0: not known, as no one asked for it */
};

struct workload {
    std::string name, path;
    std::string summary, suite;
    std::vector<std::string> papers, kernels;
    std::vector<workload_preset> presets;
    std::string fault; /* why it has no description, or no footprint; then the rest is empty */

    const workload_preset *find_preset(const std::string &preset) const; /* null if there is none */
};

/* Returns all benchmarks in workload_folders(), by name; of equal names, the first folder's. A program that
 * exits from --describe with a code other than 0 is a tool and omitted; one that crashes or prints nonsense
 * has a fault. With footprints, programs whose descriptions lack one are asked for it, too. Throws
 * failure(exit_input) if there is none. */
std::vector<workload> find_workloads(bool with_footprints);

nlohmann::ordered_json workloads_json(const std::vector<workload> &all);
void print_workloads(std::ostream &out, const std::vector<workload> &all);
table workloads_table(const std::vector<workload> &all);

/* Returns the presets' names, each once: demo, default, then the papers by name. */
std::vector<std::string> preset_names(const std::vector<workload> &all);

} // namespace walkway

#endif
