/* SPDX-License-Identifier: MIT */
/* platforms/platform.hpp - what the program needs of a machine: its parameters, a run on a trace, its
 * statistics and laws. */
#ifndef WALKWAY_PLATFORMS_PLATFORM_HPP
#define WALKWAY_PLATFORMS_PLATFORM_HPP

#include "model/common/signals.hpp"
#include "model/common/stats.hpp"
#include "model/program_list.hpp"
#include "model/start_point.hpp"
#include "observe/transactions/plan.hpp"
#include "observe/waves/plan.hpp"
#include "platforms/machine_params.hpp"
#include "platforms/run_steps.hpp"
#include "platforms/window.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace walkway
{

/* Where a run is: for the progress line. */
struct run_progress {
    uint64_t groups_done;
    uint64_t groups_total;
    uint64_t now_ps;
    uint64_t translations;
};

/* Returns false to ask the run to stop at the next convenient point (the result is then marked partial). */
using progress_fn = std::function<bool(const run_progress &)>;

enum class run_end { complete, measured, stopped, deadlock };

/* A link that is bound, from requester to target: block and port by name, "l1_tlb_0.down". */
struct link_info {
    std::string from, to; /* to: "" when it is none of the machine's */
    std::string protocol;
    uint32_t queue_slots, wire_slots; /* requests that the asked one holds, and the way to it */
};

class stat_sum;

/* What was counted while a kernel ran, all its launches together. */
struct kernel_part {
    std::string name;
    uint64_t launches, cycles, translations, picoseconds;
    std::shared_ptr<stat_sum> counted;
};

/* What is distinguished of a program: each buffer of the trace, or each instruction that accesses memory. */
enum class place_kind { buffer, instruction };

struct place_part {
    static constexpr uint32_t nowhere = UINT32_MAX;
    uint32_t number;            /* of the buffer; of an instruction its pc; nowhere: what belongs to none */
    std::string kernel, access; /* of an instruction: all launches of one name; "load", "store", "atomic" */
    /* By the statistic of the run that all parts add up to. */
    std::vector<std::pair<std::string, uint64_t>> counted;
};

/* An elaborated machine. Only one may exist in a process: SystemC's hierarchy is global. */
class platform
{
public:
    virtual ~platform() = default;
    /* Runs the trace to its end, or to that of the window (`measured`). `progress` is called about ten times
     * a second of host time; may be empty. */
    virtual run_end run(const progress_fn &progress) = 0;
    /* What has been counted, all of the run or its window's. */
    virtual void visit(stat_visitor &v) const = 0;
    virtual std::vector<law> laws() const = 0;
    /* Before run(): only this part of it counts. After: what came of it. */
    virtual void measure(const run_window &) { throw std::runtime_error("this machine has no windows"); }
    virtual window_report window() const { return {}; }
    /* Names of the flows that begin and end in its blocks, as in a step's edges. */
    virtual std::vector<std::string> flows() const { return {}; }
    /* Before run(): the run reports each step of the plan. */
    virtual void tell_steps(const step_plan &) { throw file_failure("this machine has no steps"); }
    /* Before run(): it begins there, in the middle of its program; the point outlives the run. Throws
     * std::runtime_error where only time makes what a block holds. */
    virtual void start_at(const start_point &)
    {
        throw std::runtime_error("this machine begins at the beginning");
    }
    /* Before run(): also keeps statistics by kernel, for kernels() after it. Throws std::runtime_error where
     * kernels cannot be distinguished. */
    virtual void split_by_kernel() { throw std::runtime_error("this machine does not know its kernels"); }
    virtual std::vector<kernel_part> kernels() const { return {}; }
    /* Likewise what translation costs, by place; buffers in the trace's order, instructions in that of their
     * first accesses, what belongs to none last. */
    virtual void split_by(place_kind)
    {
        throw std::runtime_error("this machine does not know places of its program");
    }
    virtual std::vector<place_part> places(place_kind) const { return {}; }
    /* The headline, for the summary and for compare: simulated picoseconds and GPU cycles; of the window. */
    virtual uint64_t now_ps() const = 0;
    virtual uint64_t cycles() const = 0;
    virtual uint64_t translations() const = 0;
    /* When run() answered deadlock: what waits for what, one line a block. */
    virtual std::string stuck() const = 0;

    /* Waveforms: every signal there is; one dump of the next run() (before it; the names in the plan exist);
     * and its end, after run(), however that ended. The last two throw file_failure. A machine that has no
     * signals has no dumps. */
    virtual std::vector<signal_info> signals() const { return {}; }
    virtual void record(const wave_plan &) { throw wave_failure("this machine has no signals"); }
    virtual void finish_record() {}
    /* Lives of translations in a file, likewise. */
    virtual void follow(const transaction_plan &)
    {
        throw file_failure("this machine cannot tell its translations");
    }
    virtual transaction_counts finish_follow(bool /* partial */) { return {}; }
    /* A number over time for that file, from this time on (ps): nothing where there is none. */
    virtual void follow_counter(const std::string & /* name */, uint64_t /* from_ps */,
                                const std::string & /* value */)
    {
    }
    /* What came of each event of the run. */
    virtual std::vector<os_event_result> events() const { return {}; }
    /* Every link, in the order of the data path. Elaborates: what is bound is not known before. */
    virtual std::vector<link_info> links() { return {}; }
    /* One GPU cycle, for times that are given in cycles. */
    virtual uint64_t cycle_ps() const { return 1; }
};

/* The parameters of a machine that can be built; build() elaborates. */
class platform_config : public machine_params
{
public:
    /* About how much of the host's memory the machine will take, before any of it is taken; 0: not known.
     * Without a program that of the machine alone. Throws as build() does. */
    virtual uint64_t memory_bytes(const program_list & /* all */) const { return 0; }
    /* Throws std::runtime_error with a clear sentence where a trace does not fit the machine. */
    virtual std::unique_ptr<platform> build(const program_list &all) const = 0;
};

/* Of a path without fault (machine_params.hpp). */
std::unique_ptr<platform_config> make_platform_config(const std::string &path);

} // namespace walkway

#endif
