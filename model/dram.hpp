/* SPDX-License-Identifier: MIT */
/* model/dram.hpp - main memory: channels of DDR3 or GDDR6 behind the TLM base protocol, any number of
 * requesters. A request is taken from its port in order when its channel's queue has room; reads answer with
 * their last data beat, writes when they are queued (posted). [M18 Table I]. Runs on the memory's own clock:
 * a cycle's command is chosen when the cycle is over, among all requests that arrived at its edge. Any length
 * is functional; timing is that of one line of 64 bytes, in one burst or several. Not modelled: error
 * correction, power-down.
 *
 * An observer is notified of each command with the time of its cycle, one memory cycle later. An idle channel
 * is not stepped; its refreshes are reported when it is next used. The times of a channel never decrease. */
#ifndef WALKWAY_MODEL_DRAM_HPP
#define WALKWAY_MODEL_DRAM_HPP

#include "kernels/dram/dram.h"
#include "kernels/dram/dram_energy.h"
#include "kernels/dram/dram_map.h"
#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/common/stats.hpp"
#include "model/memory_store.hpp"
#include "model/params/dram.hpp"

#include <memory>

namespace walkway
{

struct dram_stats {
    uint64_t reads = 0, writes = 0, refused_reads = 0, stall_cycles = 0;
    uint64_t walk_reads = 0, walk_activates = 0; /* commands for page-table reads */
    std::vector<uint64_t> walk_reads_of;         /* of walk_reads, each channel's */
    histogram read_latency;
};

struct dram_events {
    static constexpr event_kind command = {"dram_command", "channel * 65536 + rank * 256 + bank; command"};
};

class dram final : public block, public target_of<mem_protocol>
{
public:
    std::vector<std::unique_ptr<in_port<mem_protocol>>> up;

    dram(const sc_core::sc_module_name &name, const dram_params &p, memory_store &store, unsigned requesters);
    const dram_stats &stats() const { return stats_; }
    /* Returns the energy of all channels up to `now`. Required: now is not after the present time. */
    ww_dram_energy_pj energy(tick now) const;
    /* Show statistics, energy, laws and flows of a run that ended at `until`, or with the last write-back if
     * that was later. */
    void visit(stat_visitor &v, tick until) const override;
    void visit_energy(stat_visitor &v, tick until) const;
    void laws(law_list &list) const override;
    void flows(std::vector<block_flow> &list, tick until) const override;
    uint64_t live() const override { return reads_.live(); }
    /* Returns the energy of one row activation and one line read, for estimates by request counts. */
    uint64_t read_and_activate_fj() const { return energy_.act_fj + params_.bursts * energy_.read_fj; }
    /* Returns the energy of the commands that page-table reads caused. */
    uint64_t walk_fj() const
    {
        return stats_.walk_activates * energy_.act_fj + stats_.walk_reads * energy_.read_fj;
    }
    uint64_t reads_served(tick now) const { return activity(now).read_requests + activity(now).forwards; }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    using payload_t = tlm::tlm_generic_payload;
    struct pending {
        payload_t *p;
        unsigned port;
        uint64_t since; /* arrival in memory cycles */
    };
    void step(tick now) override;
    unsigned debug(payload_t &p) override;
    bool holds(const payload_t &p) const;
    void take(uint64_t cycle, tick now);
    void command_before(uint64_t end);
    void plan(tick now);
    void command(uint32_t c, uint64_t cycle);
    void tell(uint32_t c, uint64_t cycle, const ww_dram_event &e) const;
    [[gnu::cold]] void tell_idle_refreshes(uint32_t c, uint64_t cycle);
    [[gnu::cold]] void answer_at_once(unsigned port, tlm::tlm_response_status status, tick now);
    bool accept(unsigned port, uint64_t cycle, tick now);
    ww_dram_activity activity(tick now) const;
    tick end_of(tick until) const { return until > last_step_ ? until : last_step_; }
    template <typename V> void show_channel(V &v, uint32_t c, uint64_t touched) const;
    template <typename V> void show_bank(V &v, const ww_dram *d, uint32_t rank, uint32_t bank) const;
    [[gnu::cold]] void touch(uint32_t channel, uint32_t rank, uint32_t bank);

    dram_params params_;
    memory_store &store_;
    ww_dram_map map_{};
    ww_dram_energy energy_{};
    mutable std::vector<blob> channels_;    /* mutable: signals() clears their marks of refreshed banks */
    std::vector<uint64_t> due_;             /* cycle of each channel's next command */
    mutable std::vector<uint64_t> touched_; /* by channel: banks changed since the last signals() */
    slot_table<pending> reads_;
    uint64_t taken_cycle_ = 0; /* requests taken in this cycle: */
    uint32_t taken_ = 0;
    std::vector<uint8_t> waits_; /* by port: its oldest request waits for room in a channel */
    tick stalled_since_ = never;
    tick queued_ps_ = 0;
    tick last_step_ = 0;
    dram_stats stats_;
};

} // namespace walkway

#endif
