/* SPDX-License-Identifier: MIT */
/* report/row_pitch.hpp - how far apart the rows of a program's buffers lie, as its accesses tell. */
#ifndef WALKWAY_REPORT_ROW_PITCH_HPP
#define WALKWAY_REPORT_ROW_PITCH_HPP

#include "run/trace_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

/* Steps below it are along a row. */
constexpr uint64_t least_pitch = 256;

/* The distance that most of the buffer's instructions have, at least half of them: between each lane and the
 * next; or, where those are nearer than least_pitch, from the last access of the wave by the same
 * instruction. */
struct row_pitch {
    uint64_t bytes; /* 0: none is found */
    uint64_t instructions, of_instructions;
};

/* By buffer, of what the reader shows. Throws failure(exit_input), failure(exit_interrupted). */
std::vector<row_pitch> row_pitches(const std::string &path, wkt_reader *trace);

} // namespace walkway

#endif
