/* SPDX-License-Identifier: MIT */
/* capture/recorder.hpp - the trace being written, shared by every OpenCL context and worker thread of the
 * process. Work-groups may finish in any order; they are written in the order of their numbers. The first
 * failure is kept, and the program continues untraced. Memory: work-groups that wait for an earlier one,
 * compressed. Thread-safety: every member may be called from any thread. */
#ifndef WW_CAPTURE_RECORDER_HPP
#define WW_CAPTURE_RECORDER_HPP

#include "capture/address_map.hpp"
#include "trace/wkt.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace walkway::capture
{

class recorder
{
    std::mutex lock;
    wkt_writer *writer = nullptr;
    std::string error, error_path;
    va_allocator ranges;
    struct finished_group {
        wkt_packer *packer;
        uint64_t lanes_dropped;
    };
    std::map<uint32_t, finished_group> waiting; /* by number */
    std::vector<wkt_packer *> spare;
    uint32_t next_group = 0, groups = 0;
    std::string kernel;
    bool in_launch = false, show_progress = false;
    bool prints = false; /* the kernel prints, at any moment */
    bool line_there = false;
    uint64_t launches = 0, most_launches = 0;           /* launches begun; most_launches 0: no limit */
    uint64_t interpreted = 0;                           /* launches */
    std::map<std::string, std::string> why_interpreted; /* by kernel */
    uint64_t dropped = 0;
    int64_t shown_at = 0;
    int level = 0;

public:
    static recorder &instance();

    bool active() const { return writer != nullptr; }
    /* Opens this process's trace, named after the one in the environment. Call once per process. */
    void open();
    /* Call around fork(): the child shares nothing with the parent's trace, and may open one of its own. */
    void before_fork();
    void after_fork(bool in_child);
    void fail(const std::string &text);
    mapped_buffer add_buffer(uint64_t bytes, uint32_t flags);
    void end_buffer(const mapped_buffer &b);
    /* kernel_prints: shows no progress line, which its text could meet. */
    void begin_launch(const wkt_launch &l, const std::vector<wkt_line> &lines, uint32_t groups_in_launch,
                      bool kernel_prints);
    /* Call before a launch. If the requested launches have been recorded, finishes the trace, marked partial,
     * and returns true. */
    bool cut();
    /* Ends the launch. If work-groups are missing, the interpreter has given up: the trace ends there. */
    void end_launch();
    /* The present launch is interpreted: `why` completes "since", as in "it calls printf()". */
    void launch_interpreted(const std::string &why);
    wkt_packer *take_packer();
    void group_done(uint32_t number, wkt_packer *packer, uint64_t lanes_dropped);
    /* Finishes the file. `partial`: the program has not ended normally; the records up to then are kept. */
    void finish(bool partial);

private:
    /* output: the trace cannot be written, which has an exit code of its own. */
    void fail_locked(const std::string &text, bool output = false);
    void give_up_locked(const std::string &text);
    void tell(const std::string &text, char mark);
    void seal(bool partial);
    void progress();
    void clear_line();
};

/* Completes this process's trace, if it has one, as the process is about to end. */
void finish_recording();

} // namespace walkway::capture

#endif
