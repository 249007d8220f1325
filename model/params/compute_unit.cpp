/* SPDX-License-Identifier: MIT */
/* model/params/compute_unit.cpp - the parameters of a compute unit. */
#include "model/params/compute_unit.hpp"

namespace walkway
{

void compute_unit_params::visit(param_visitor &v)
{
    v.choice("wave_lanes", wave_lanes, {"64", "32"},
             {"", 0, 0, "lanes of a wave; 32: a wave of the trace with 64 lanes runs as two waves", neutral});
    v.number("simds", simds, {"SIMDs", 1, 16, "SIMD units"});
    v.number("waves_per_simd", waves_per_simd, {"waves", 1, 64, "waves resident on a SIMD"});
    v.number("issue_cycles", issue_cycles, {"cycles", 1, 64, "time an instruction occupies its SIMD"});
    v.number("memory_issues", memory_issues,
             {"instructions", 1, 16, "memory instructions per cycle, all SIMDs"});
    v.number("outstanding", outstanding, {"operations", 1, 64, "memory operations of a wave in flight"});
    v.number("unknown_use", unknown_use,
             {"instructions", 1, 1u << 20, "use distance of a load whose first use the trace does not know",
              neutral});
    v.number("lds_bytes", lds_bytes,
             {"bytes", 0, 1u << 20, "local memory, shared by the resident work-groups"});
    v.number("lds_granule", lds_granule,
             {"bytes", 4, 65536,
              "local memory is given to a work-group in one piece of whole granules; a power of two"});
    v.number("lds_cycles", lds_cycles,
             {"cycles", 1, 100000, "local memory access where there is no LDS controller (lds.banks 0)"});
    v.needs("icache.entries");
    v.number("buffer_lines", buffer_lines,
             {"lines", 1, 8, "of code in a wave's instruction buffer, where there is an instruction cache"});
    v.number("line_instructions", line_instructions,
             {"instructions", 1, 64, "of the trace in a line of code"});
}

std::string compute_unit_params::validate() const
{
    const ww_lds_alloc_cfg cfg = local_memory();
    return ww_lds_alloc_bytes(&cfg) == 0 ? "lds_granule is not a power of two" : "";
}

ww_lds_alloc_cfg compute_unit_params::local_memory() const
{
    return {lds_bytes, lds_granule};
}

} // namespace walkway
