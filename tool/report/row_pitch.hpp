/* SPDX-License-Identifier: MIT */
/* report/row_pitch.hpp - the distance between the rows of a program's buffers, from its accesses. */
#ifndef WALKWAY_REPORT_ROW_PITCH_HPP
#define WALKWAY_REPORT_ROW_PITCH_HPP

#include "run/trace_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

/* Steps below this are along a row. */
constexpr uint64_t least_pitch = 256;

/* The distance of most of the buffer's instructions, at least half of them: between each lane and the next;
 * or, if that is below least_pitch, from the wave's last access by the same instruction. */
struct row_pitch {
    uint64_t bytes; /* 0: none found */
    uint64_t instructions, of_instructions;
};

/* Returns the pitches by buffer, of the reader's contents. Throws failure(exit_input),
 * failure(exit_interrupted). */
std::vector<row_pitch> row_pitches(const std::string &path, wkt_reader *trace);

} // namespace walkway

#endif
