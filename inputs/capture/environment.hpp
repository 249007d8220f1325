/* SPDX-License-Identifier: MIT */
/* capture/environment.hpp - the protocol of launcher and plugin: environment variables of the traced
 * program. */
#ifndef WW_CAPTURE_ENVIRONMENT_HPP
#define WW_CAPTURE_ENVIRONMENT_HPP

#include <cstdint>

namespace walkway::capture
{

/* Path of the trace: each process appends its number. Without it the plugin does nothing. */
constexpr const char *env_trace = "WALKWAY_TRACE";
constexpr const char *env_error = "WALKWAY_TRACE_ERROR"; /* file for the reason of a failure */
constexpr const char *env_program = "WALKWAY_TRACE_PROGRAM";
constexpr const char *env_command = "WALKWAY_TRACE_COMMAND";
constexpr const char *env_level = "WALKWAY_TRACE_LEVEL";       /* zstd level */
constexpr const char *env_progress = "WALKWAY_TRACE_PROGRESS"; /* set: show progress on stderr */
constexpr const char *env_seen = "WALKWAY_TRACE_SEEN";         /* file for the program's requests: seen_... */
constexpr const char *env_device = "WALKWAY_TRACE_DEVICE";     /* type of the device, enum wkt_device_type */
constexpr const char *env_interpret = "WALKWAY_TRACE_INTERPRET"; /* set: no kernel is compiled */
constexpr const char *env_launches = "WALKWAY_TRACE_LAUNCHES";   /* launches; one more ends the program */

/* Changed whenever the same program would give another trace: part of the cache's key. */
constexpr const char *capture_producer = "walkway-capture 4";

/* Begins a reason in the file of env_error: the trace cannot be written. */
constexpr char output_mark = '!';
/* Begins a reason: the program's kernels failed, and the records up to then are kept. */
constexpr char kept_mark = '~';
/* The program was ended after the requested launches. */
constexpr char cut_mark = '=';

/* Lines of the file of env_seen, in any order and number. */
constexpr const char *seen_question = "asked"; /* the program requested platforms or devices */
constexpr const char *seen_refusal =
    "refused "; /* followed by the requested device types that do not exist, as a number */

/* Oclgrind's own, and the device's limits: set by the launcher, read by Oclgrind and by the recorder. */
constexpr const char *env_compute_units = "OCLGRIND_COMPUTE_UNITS";
constexpr const char *env_group_items = "OCLGRIND_MAX_WGSIZE";

constexpr uint32_t none_buffer = UINT32_MAX;

} // namespace walkway::capture

#endif
