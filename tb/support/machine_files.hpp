/* SPDX-License-Identifier: MIT */
/* tb/support/machine_files.hpp - the parameters of shipped machines, read from their files. */
#ifndef WW_TB_SUPPORT_MACHINE_FILES_HPP
#define WW_TB_SUPPORT_MACHINE_FILES_HPP

#include "platforms/gpu_params.hpp"
#include "support/parameters.hpp"
#include "support/platform_file.hpp"

#include <map>
#include <string>
#include <vector>

namespace walkway::test
{

/* `name`: a shipped machine such as "apu-micro18", or with its folder: "platforms/examples/gpu3". */
std::string path_of_machine(const std::string &name);

/* Names of all .cfg files directly in platforms/. */
std::vector<std::string> shipped_machines();

/* Machines that only a file defines: one with three TLB levels, whose L2 TLBs serve listed compute units, and
 * one with two victim TLBs and a prefetcher between them. */
const std::vector<std::string> &example_machines();

/* `machine`: a shipped one, or "apu-micro18: l1_tlb walk_unit" for that machine with another path. */
const platform_chain &chain_of(const std::string &machine);

/* Reads the machine's values; returns the origin of each. */
std::map<std::string, value_origin> read_machine(const std::string &machine, const visit_fn &visit);

/* Sets those of the visited parameters that the machine's own file has; `visit` may show a single section. */
void read_sections(const std::string &machine, const visit_fn &visit);

const gpu_machine_params &machine_params_of(const std::string &machine);

struct machine_settings {
    std::string machine, settings;
};

/* Splits settings of a shipped machine. "above.SECTION=LEVEL" inserts a level into its path above SECTION. */
machine_settings with_levels(const std::string &machine, const std::string &settings);

} // namespace walkway::test

#endif
