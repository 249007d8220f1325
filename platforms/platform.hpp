/* SPDX-License-Identifier: MIT */
/* platforms/platform.hpp - a machine for the program: its parameters, a run on a trace, its statistics and
 * laws. */
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

/* State of a run, for the progress line. */
struct run_progress {
    uint64_t groups_done;
    uint64_t groups_total;
    uint64_t now_ps;
    uint64_t translations;
};

/* Returns false to stop the run at the next convenient point (the result is then marked partial). */
using progress_fn = std::function<bool(const run_progress &)>;

enum class run_end { complete, measured, stopped, deadlock };

/* A bound link, from initiator to target: block and port by name, "l1_tlb_0.down". */
struct link_info {
    std::string from, to; /* to: "" if it is not of the machine */
    std::string protocol;
    uint32_t queue_slots, wire_slots; /* requests that the target holds, and those on the wire to it */
};

class stat_sum;

/* Counts of all launches of a kernel. */
struct kernel_part {
    std::string name;
    uint64_t launches, cycles, translations, picoseconds;
    std::shared_ptr<stat_sum> counted;
};

/* Places of a program that are distinguished: buffers of the trace, or instructions that access memory. */
enum class place_kind { buffer, instruction };

struct place_part {
    static constexpr uint32_t nowhere = UINT32_MAX;
    uint32_t number; /* of the buffer; of an instruction its pc; nowhere: belongs to no place */
    /* Of an instruction, for all launches of one name; access: "load", "store", "atomic". */
    std::string kernel, access;
    /* By the statistic of the run to which all parts add up. */
    std::vector<std::pair<std::string, uint64_t>> counted;
};

/* An elaborated machine. Only one may exist in a process: SystemC's hierarchy is global. */
class platform
{
public:
    virtual ~platform() = default;
    /* Runs the trace to its end, or to that of the window (`measured`). Calls `progress`, which may be empty,
     * about ten times per second of host time. */
    virtual run_end run(const progress_fn &progress) = 0;
    /* Shows the counts of all of the run, or of its window. */
    virtual void visit(stat_visitor &v) const = 0;
    virtual std::vector<law> laws() const = 0;
    /* measure(), before run(): only this part of it counts. window(), after run(): the result. */
    virtual void measure(const run_window &) { throw std::runtime_error("this machine has no windows"); }
    virtual window_report window() const { return {}; }
    /* Returns the names of the flows that begin and end in its blocks, as in a step's edges. */
    virtual std::vector<std::string> flows() const { return {}; }
    /* Call before run(): the run reports each step of the plan. */
    virtual void tell_steps(const step_plan &) { throw file_failure("this machine has no steps"); }
    /* Call before run(): it begins there, in the middle of its program. The point must outlive the run.
     * Throws std::runtime_error if a block's contents follow only from a run from the beginning. */
    virtual void start_at(const start_point &)
    {
        throw std::runtime_error("this machine begins at the beginning");
    }
    /* split_by_kernel(), before run(): also keeps statistics by kernel, for kernels() after it. Throws
     * std::runtime_error if kernels cannot be distinguished. */
    virtual void split_by_kernel() { throw std::runtime_error("this machine does not know its kernels"); }
    virtual std::vector<kernel_part> kernels() const { return {}; }
    /* Likewise the costs of translation by place; buffers in the trace's order, instructions in the order of
     * their first accesses, the part of no place last. */
    virtual void split_by(place_kind)
    {
        throw std::runtime_error("this machine does not know places of its program");
    }
    virtual std::vector<place_part> places(place_kind) const { return {}; }
    /* The headline, for the summary and for compare: simulated picoseconds, GPU cycles and translations, of
     * the window. */
    virtual uint64_t now_ps() const = 0;
    virtual uint64_t cycles() const = 0;
    virtual uint64_t translations() const = 0;
    /* Returns what waits for what, one line per block, after run() returned deadlock. */
    virtual std::string stuck() const = 0;

    /* Waveforms: signals() returns every signal; record(), before run(), sets its dump (the names in the plan
     * must exist); finish_record(), after run(), completes it, however the run ended. The last two throw
     * file_failure. A machine without signals has no dumps. */
    virtual std::vector<signal_info> signals() const { return {}; }
    virtual void record(const wave_plan &) { throw wave_failure("this machine has no signals"); }
    virtual void finish_record() {}
    /* Likewise, translations in a file. */
    virtual void follow(const transaction_plan &)
    {
        throw file_failure("this machine cannot tell its translations");
    }
    virtual transaction_counts finish_follow(bool /* partial */) { return {}; }
    /* Shows a value over time in that file, from this time (ps) on; no effect without a file. */
    virtual void follow_counter(const std::string & /* name */, uint64_t /* from_ps */,
                                const std::string & /* value */)
    {
    }
    /* Returns the results of the run's events. */
    virtual std::vector<os_event_result> events() const { return {}; }
    /* Returns every link, in the order of the data path. Elaborates first, as links are not bound before. */
    virtual std::vector<link_info> links() { return {}; }
    /* Returns one GPU cycle in ps. */
    virtual uint64_t cycle_ps() const { return 1; }
};

/* The parameters of a machine that can be built; build() elaborates it. */
class platform_config : public machine_params
{
public:
    /* Returns an estimate of the host memory that the machine will take, before any is taken; 0: not known.
     * Without a program, that of the machine alone. Throws as build() does. */
    virtual uint64_t memory_bytes(const program_list & /* all */) const { return 0; }
    /* Builds the machine. Throws std::runtime_error with a clear sentence if a trace does not fit it. */
    virtual std::unique_ptr<platform> build(const program_list &all) const = 0;
};

/* Required: a path without fault (machine_params.hpp). */
std::unique_ptr<platform_config> make_platform_config(const std::string &path);

} // namespace walkway

#endif
