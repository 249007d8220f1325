/* SPDX-License-Identifier: MIT */
/* run/part.hpp - a part of a trace by options: --kernels, --groups and what is skipped at its beginning. The
 * reader then has only this part, and later stages do not notice. */
#ifndef WALKWAY_RUN_PART_HPP
#define WALKWAY_RUN_PART_HPP

#include "run/statistics.hpp"
#include "run/trace_file.hpp"
#include "support/options.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct trace_part {
    std::string kernels, groups; /* as given; empty: all */
    bool whole() const { return kernels.empty() && groups.empty(); }
};

std::vector<option_def> part_option_defs();
trace_part part_of(const arguments &args);

/* Whole work-groups in the order of dispatch: `groups` of them, or those with at most `instructions`
 * instructions in all. */
struct trace_skip {
    uint64_t groups = 0, instructions = 0;
};

/* The part left out at the beginning. */
struct skipped {
    uint64_t groups = 0, instructions = 0;
    bool counted = false; /* instructions is known */
};

/* Restricts the reader to a part. Throws failure(exit_usage) if an item selects nothing, naming what there
 * is; failure(exit_input) for damage. */
skipped select_part(wkt_reader *trace, const trace_part &part, const trace_skip &skip = {});

json part_json(const trace_part &part);

} // namespace walkway

#endif
