/* SPDX-License-Identifier: MIT */
/* run/trace_file.hpp - an open trace that closes itself, and errors of the C reader as failures. */
#ifndef WALKWAY_RUN_TRACE_FILE_HPP
#define WALKWAY_RUN_TRACE_FILE_HPP

#include "support/errors.hpp"
#include "trace/wkt.h"

#include <memory>
#include <string>

namespace walkway
{

struct trace_closer {
    void operator()(wkt_reader *r) const { wkt_close(r); }
};
using trace_file = std::unique_ptr<wkt_reader, trace_closer>;

struct group_freer {
    void operator()(wkt_group *g) const { wkt_group_free(g); }
};
using group_ptr = std::unique_ptr<wkt_group, group_freer>;

/* Opens a file, or a specification's trace (run/generator.hpp). Throws failure(exit_input), for a
 * specification failure(exit_usage). */
trace_file open_trace(const std::string &path);

/* Writes the reader's contents to a file. Throws failure(exit_output), failure(exit_input). */
void save_trace(wkt_reader *trace, const std::string &path);

std::string text_of_checksum(uint64_t checksum); /* 16 hexadecimal digits */

} // namespace walkway

#endif
