/* SPDX-License-Identifier: MIT */
/* observe/waves/recorder.hpp - samples blocks and writes the changes. Outside the window no block has a
 * sampler. A value counts as it is at the end of its time, so a cycle that SystemC runs in several steps
 * shows no glitches; a pulse adds up over the steps of its cycle. Why not sc_trace: waveforms/README.md. */
#ifndef WALKWAY_OBSERVE_WAVES_RECORDER_HPP
#define WALKWAY_OBSERVE_WAVES_RECORDER_HPP

#include "model/common/block.hpp"
#include "model/common/signals.hpp"
#include "observe/waves/plan.hpp"
#include "observe/waves/vcd_writer.hpp"

#include <memory>

namespace walkway
{

/* Returns the signals of all blocks; a block's name is its SystemC name without the top's. */
std::vector<signal_info> signals_of(const std::vector<block *> &blocks);

class wave_recorder
{
public:
    /* Opens the file; throws file_failure. */
    wave_recorder(const std::vector<block *> &blocks, const wave_plan &plan);
    ~wave_recorder();
    wave_recorder(const wave_recorder &) = delete;
    wave_recorder &operator=(const wave_recorder &) = delete;

    /* Returns the time at which to call open(), before any action of that time; never once it has been
     * called. */
    tick opens() const { return waiting_ ? plan_.from : never; }
    void open();
    /* Completes the file when the simulation is over or stopped. Throws file_failure if it cannot be written,
     * wave_failure if the window never opened. */
    void finish(tick now);

private:
    /* One block in the dump. */
    class probe final : public sampler
    {
    public:
        probe(wave_recorder &owner, block &b, uint32_t first, size_t signals)
            : owner_(owner), block_(b), first_(first), clock_(owner.clock_of(b)), seen_(signals, 0),
              changed_(signals)
        {
        }
        void look();                                 /* takes the present values */
        void start_from(std::vector<uint64_t> seen); /* takes these values */
        void after_step(tick now) override;
        void attach(bool on) { block_.sample(on ? this : nullptr); }
        const block &source() const { return block_; }

    private:
        wave_recorder &owner_;
        block &block_;
        uint32_t first_; /* index of its first signal in tracks_ */
        size_t clock_;   /* index in clocks_ */
        std::vector<uint64_t> seen_;
        std::vector<signal_change> changed_;
    };
    /* The block whose signal starts the dump, until it does. */
    class watch final : public sampler
    {
    public:
        watch(wave_recorder &owner, block &b, size_t signals, size_t signal, signal_kind kind)
            : owner_(owner), block_(b), signal_(signal), kind_(kind), seen_(signals, 0), changed_(signals)
        {
        }
        void arm(tick now);
        void disarm() { block_.sample(nullptr); }
        void after_step(tick now) override;
        uint64_t peak() const { return peak_; }

    private:
        void look();
        void decide(tick now);
        wave_recorder &owner_;
        block &block_;
        size_t signal_;
        signal_kind kind_;
        std::vector<uint64_t> seen_, before_;
        std::vector<signal_change> changed_;
        uint64_t value_ = 0, peak_ = 0;
        tick edge_ = 0; /* end of the cycle that a pulse's count is of */
    };
    struct track {
        uint64_t now = signal_visitor::nothing;
        uint64_t written = signal_visitor::nothing;
        uint64_t most = 0; /* most that its width can show */
        bool pulse = false;
        bool up = false; /* a pulse that ends with its clock's edge */
        bool pending = false;
    };
    /* Signals by number, each at most once. It has one spare place, because add() writes before it is decided
     * whether the signal counts. */
    struct signal_set {
        std::vector<uint32_t> list;
        size_t size = 0;
        void add(uint32_t signal) { list[size++] = signal; }
        uint32_t *end() { return list.data() + size; }
        void set_end(const uint32_t *end) { size = static_cast<size_t>(end - list.data()); }
    };
    /* The clock of some blocks, and their pulses that end with its next edge, in the order of their begin. */
    struct pulse_clock {
        clock_domain clock;
        tick edge = 0;
        signal_set up;
    };

    void start(tick now, const block *triggered, const std::vector<uint64_t> &before);
    void stop(tick at);
    void advance(tick now);
    void end_pulses(tick until);
    void write_pending();
    size_t clock_of(const block &b);
    tick edge_after(const pulse_clock &c) const;

    wave_plan plan_;
    vcd_writer file_;
    std::vector<block *> all_; /* all blocks, in the dump or not, as a block may show another's signals */
    std::vector<std::unique_ptr<probe>> probes_;
    std::unique_ptr<watch> trigger_;
    std::vector<track> tracks_;
    signal_set pending_;              /* changed at time_ */
    std::vector<vcd_change> changed_; /* room for all of them */
    std::vector<pulse_clock> clocks_; /* one per period */
    tick next_end_ = never;           /* next end of a pulse */
    tick time_ = 0;
    tick end_ = never;
    bool waiting_ = true, recording_ = false, begun_ = false;
};

} // namespace walkway

#endif
