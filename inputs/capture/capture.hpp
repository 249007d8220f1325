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

/* Choices, besides the program itself, on which the trace depends; a part of the cache's key. */
struct capture_choices {
    bool interpret = false; /* Oclgrind interprets every kernel; none is compiled */
    /* Type of the device that the program finds. WKT_DEVICE_ALL serves every request. */
    wkt_device_type device_type = WKT_DEVICE_GPU;
    unsigned compute_units = default_units;
};

struct capture_options {
    capture_choices choices = {};
    std::string oclgrind = "oclgrind"; /* a path, or a name in PATH */
    unsigned threads = 1; /* threads of Oclgrind; with more than one, racy programs may give varying traces */
    int level = 0;        /* zstd level, 1 to 19; 0: the default */
    unsigned max_launches = 0;            /* further launches end the program; 0: no limit */
    std::vector<unsigned> accepted_exits; /* exit codes that are no failure, besides 0 */
    bool progress = false;                /* a progress line on stderr */
    bool has_starter = false;             /* the parent passes signals on; these copies do not count again */
};

enum capture_result {
    capture_done = 0,        /* `out` is complete; includes the program's exit code if not 0 */
    capture_failed = 1,      /* no file; `error` has the reason */
    capture_no_output = 3,   /* no file, because it cannot be written; `error` has the reason */
    capture_dropped = 4,     /* stopped by SIGINT or SIGTERM before a work-group had finished: no file */
    capture_interrupted = 2, /* stopped by one of them: `out` is partial unless its process had ended */
    capture_cut = 6,         /* ended after its first `max_launches`: `out` has them, marked partial */
    capture_ended_badly = 5, /* program or Oclgrind failed; `out` is kept (partial if cut); see `error` */
};

/* Runs a program and writes its trace to `out`, which appears only when it is whole. Returns capture_result.
 * plugin: LD_PRELOAD takes no path with a space or a colon. argv: the program (a path, or a name in PATH) and
 * its arguments. The program's stdout goes to stderr. Waits for the program; passes SIGINT and SIGTERM on to
 * it, and kills it at a second one. If this process is killed, so is the program; the files it worked on are
 * removed by the next capture into their folder. */
int run_capture(const std::string &plugin, const std::vector<std::string> &argv, const std::string &out,
                const capture_options &options, std::string &error);

/* Returns the path of libwalkway-capture.so: $WALKWAY_CAPTURE_PLUGIN, even if no such file exists; else
 * beside the running program, else where it was built or installed relative to it; empty if there is none. */
std::string find_plugin();

/* Returns 32 hexadecimal digits that change when the trace could: from the choices, the program's file, its
 * arguments, every file that an argument names (whole, or after a '='), standard input if it is a file, the
 * sources (*.cl, *.clh, *.h, *.hpp) in the program's folder, in the working directory and in the folders
 * directly in these, Oclgrind's environment except its number of threads, and the plugin's version. Files
 * reached in other ways are not included. Returns an empty string, and sets `error`, if the program cannot be
 * read. */
std::string cache_key(const std::vector<std::string> &argv, const capture_choices &choices,
                      std::string &error);

/* Returns the file of `name`: itself if it contains a '/', else the first in PATH; empty if not
 * executable. */
std::string find_program(const std::string &name);

} // namespace walkway::capture

#endif
