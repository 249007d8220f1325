/* SPDX-License-Identifier: MIT */
/* capture/capture.hpp - runs an unmodified OpenCL program under Oclgrind and records it as a wavefront trace.
 * Needs no LLVM: the plugin is a file of its own, loaded by Oclgrind. */
#ifndef WW_CAPTURE_CAPTURE_HPP
#define WW_CAPTURE_CAPTURE_HPP

#include "platforms/default_units.hpp"
#include "trace/wkt.h"

#include <string>
#include <vector>

namespace walkway::capture
{

/* What the trace depends on beside the program itself: part of the cache's key. */
struct capture_choices {
    bool interpret = false; /* Oclgrind interprets every kernel; none is compiled for this processor */
    /* The device that the program finds. One of all types serves every request. */
    wkt_device_type device_type = WKT_DEVICE_GPU;
    unsigned compute_units = default_units;
};

struct capture_options {
    capture_choices choices = {};
    std::string oclgrind = "oclgrind"; /* a path, or a name found in PATH */
    unsigned threads = 1; /* of Oclgrind; more than one: racy programs may give another trace each time */
    int level = 0;        /* zstd, 1 to 19; 0: the default, 3 */
    unsigned max_launches = 0;            /* the program is ended where it begins one more; 0: it is not */
    std::vector<unsigned> accepted_exits; /* a program that ends with one of these has not failed; 0 is one */
    bool progress = false;                /* a line on stderr */
    bool has_starter = false;             /* whose parent passes on the signals that both of them get */
};

enum capture_result {
    capture_done = 0,        /* `out` has all; and the program's exit code, where it is not 0 */
    capture_failed = 1,      /* no file; `error` says why */
    capture_no_output = 3,   /* no file, because it cannot be written; `error` says why */
    capture_dropped = 4,     /* stopped by SIGINT or SIGTERM before a work-group had finished: no file */
    capture_interrupted = 2, /* stopped by SIGINT or SIGTERM: `out` is a valid trace marked partial */
    capture_cut = 6,         /* ended behind its first `max_launches`: `out` has them, marked partial */
    capture_ended_badly = 5, /* the program failed or crashed, or Oclgrind gave up; `out` has what it ran,
                                marked partial where the end is missing; `error` says why */
};

/* plugin: LD_PRELOAD takes no path with a space or a colon. argv: the program (a path, or a name found in
 * PATH) and its arguments. `out` appears only when it is whole. What the program prints on stdout goes to
 * stderr. Waits for the program; SIGINT and SIGTERM are passed on to it, a second one kills it. When this
 * process is killed, so is the program.
 */
int run_capture(const std::string &plugin, const std::vector<std::string> &argv, const std::string &out,
                const capture_options &options, std::string &error);

/* libwalkway-capture.so: $WALKWAY_CAPTURE_PLUGIN, else beside the running program, else where it was built or
 * installed relative to it; empty when there is none. */
std::string find_plugin();

/* 32 hexadecimal digits that change when the trace could: the choices, the program's file, its arguments,
 * every file that an argument names (whole, or behind a '='), standard input when it is a file, the OpenCL
 * sources (*.cl) beside the program and in the working directory, Oclgrind's environment, the plugin's
 * version. Files reached in other ways are not seen. Empty, with `error`, when the program cannot be read. */
std::string cache_key(const std::vector<std::string> &argv, const capture_choices &choices,
                      std::string &error);

/* The file `name` stands for: itself when it holds a '/', else the first in PATH. Empty when not executable.
 */
std::string find_program(const std::string &name);

} // namespace walkway::capture

#endif
