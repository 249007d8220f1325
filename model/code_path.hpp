/* SPDX-License-Identifier: MIT */
/* model/code_path.hpp - where in its kernel's code a wave is. A trace gives the place of each memory and
 * barrier instruction and the number of instructions between two, not where a branch went. Assumed: the
 * instructions in front of a record lie directly in front of it; where there are more than fit between it and
 * the record before, they go round between the two (a loop without records); where the wave jumped back, it
 * went on behind the record before as far as there is code, and what is left lies in front of the record. */
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

/* Of a wave between two records, or behind its last. Places are numbers of instructions. */
struct code_path {
    uint64_t behind = 0;     /* the place behind the record before; of a wave's first: 0 */
    uint64_t record = 0;     /* the place of the record that comes */
    bool has_record = false; /* else the wave's tail */
    uint64_t between = 0;    /* instructions in front of the record, or of the tail, */
    uint64_t left = 0;       /* and those not issued */
};

/* The next instruction, and how many lie in a row from it on. */
struct code_run {
    uint64_t at, length;
};

/* The next run of code in a kernel of `instructions` instructions, at least 1. */
inline code_run next_code(const code_path &p, uint64_t instructions)
{
    const uint64_t room =
        instructions > p.behind ? instructions - p.behind : 0; /* behind the record before */
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

/* The code of a trace's kernels in physical memory, one behind the other from whole lines on; launches of one
 * kernel share it. Of a kernel whose size the trace does not give 4 KiB are assumed. */
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
