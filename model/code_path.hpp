/* SPDX-License-Identifier: MIT */
/* model/code_path.hpp - the place of a wave in its kernel's code. A trace gives the place of each memory and
 * barrier instruction and the number of instructions between two, not the targets of branches. Assumed: the
 * instructions before a record lie directly before it; if more than fit between it and the record before,
 * they loop between the two (a loop without records); if the wave jumped back, it first continued after the
 * record before, as far as there is code, and the rest lies before the record. */
#ifndef WALKWAY_MODEL_CODE_PATH_HPP
#define WALKWAY_MODEL_CODE_PATH_HPP

#include "trace/wkt.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace walkway
{

/* A wave between two records, or after its last one. Places are numbers of instructions. */
struct code_path {
    uint64_t behind = 0;     /* the place after the previous record; 0 at a wave's first */
    uint64_t record = 0;     /* the place of the next record */
    bool has_record = false; /* else this is the wave's tail */
    uint64_t between = 0;    /* instructions before the record, or in the tail, */
    uint64_t left = 0;       /* those of them not yet issued */
};

/* The next instruction, and the number of instructions in a row from it on. */
struct code_run {
    uint64_t at, length;
};

/* Returns the next run of code in a kernel of `instructions` instructions. Required: at least 1. */
inline code_run next_code(const code_path &p, uint64_t instructions)
{
    const uint64_t room =
        instructions > p.behind ? instructions - p.behind : 0; /* instructions after the previous record */
    const uint64_t done = p.between - p.left;
    uint64_t at = p.record, length = 1;
    if (p.has_record && p.left == 0) {
        /* the record itself */
    } else if (!p.has_record) {
        const uint64_t round = room == 0 ? instructions : room;
        at = p.behind + done % round;
        length = round - done % round;
    } else if (p.record > p.behind) {
        const uint64_t round = p.record - p.behind;
        const uint64_t from_end = (p.left - 1) % round;
        at = p.record - 1 - from_end;
        length = from_end + 1;
    } else if (p.record < p.behind && done < std::min(p.between, room)) {
        at = p.behind + done;
        length = std::min(p.between, room) - done;
    } else {
        const uint64_t back = p.left % instructions;
        at = p.record % instructions + (back == 0 ? 0 : instructions - back);
        length = p.left;
    }
    at %= instructions;
    return {at, std::min(length, instructions - at)};
}

struct kernel_code {
    uint64_t pa = 0;
    uint64_t instructions = 1;
};

/* The code of a trace's kernels in physical memory, one after the other, each from a whole line on; launches
 * of one kernel share it. A kernel whose size the trace does not give has an assumed size. */
struct code_layout {
    std::vector<kernel_code> of_launch;
    uint64_t end = 0;

    code_layout(const wkt_reader *trace, uint64_t from, uint32_t line_instructions, uint32_t bytes_of_line)
        : end(from)
    {
        constexpr uint64_t trace_bytes = 8, assumed_bytes = 4096; /* of an instruction, of a kernel */
        std::map<std::pair<std::string, uint64_t>, kernel_code> known;
        for (uint32_t l = 0; l < wkt_reader_info(trace)->launches; ++l) {
            const wkt_launch *launch = wkt_reader_launch(trace, l);
            const uint64_t bytes = launch->code_bytes == 0 ? assumed_bytes : launch->code_bytes;
            const uint64_t instructions = (bytes + trace_bytes - 1) / trace_bytes;
            const auto made = known.insert({{launch->name, instructions}, {end, instructions}});
            if (made.second)
                end += (instructions + line_instructions - 1) / line_instructions * bytes_of_line;
            of_launch.push_back(made.first->second);
        }
    }
};

} // namespace walkway

#endif
