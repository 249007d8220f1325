/* SPDX-License-Identifier: MIT */
/* model/coalescer.hpp - the address coalescer of a compute unit [M18 section II-B]: takes a wave's memory
 * instruction, 16 lanes a cycle, sends the L1 TLB one request per distinct page and the L1D one per distinct
 * line. A page not yet sent also serves later instructions (the merge window). Also keeps the account of
 * every translation. */
#ifndef WALKWAY_MODEL_COALESCER_HPP
#define WALKWAY_MODEL_COALESCER_HPP

#include "kernels/coalescer.h"
#include "model/common/access.hpp"
#include "model/common/due_queue.hpp"
#include "model/common/fifo.hpp"
#include "model/common/lanes.hpp"
#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/common/pending.hpp"
#include "model/common/stats.hpp"
#include "model/common/xlat.hpp"
#include "model/params/coalescer.hpp"
#include "model/port_translator.hpp"

#include <array>

namespace walkway
{

struct coalescer_stats {
    uint64_t instructions = 0, lanes = 0, translations = 0, answered = 0, window_merged = 0, lines = 0,
             faults = 0, faults_denied = 0, unaccounted = 0, stall_tlb_cycles = 0, stall_l1d_cycles = 0,
             wait_lanes_cycles = 0, wait_slot_cycles = 0, wait_line_cycles = 0;
    tick latency_ps = 0;
    account_sums account;
    histogram pages_per_instruction, lines_per_instruction, translation_latency, last_lane_latency,
        translations_until_last_lane;
    std::string story; /* describes the first translation whose causes do not add up */
    void visit(stat_visitor &v) const;
};

class coalescer final : public block,
                        public target_of<access_protocol>,
                        public initiator_of<xlat_protocol>,
                        public initiator_of<mem_protocol>,
                        public account_closer
{
public:
    static uint64_t state_bytes(const coalescer_params &p) { return p.instructions * sizeof(slot); }

    in_port<access_protocol> up;
    out_port<xlat_protocol> xlat;
    out_port<mem_protocol> mem;

    coalescer(const sc_core::sc_module_name &name, const clock_domain &clock, const coalescer_params &p);
    coalescer_stats stats() const
    {
        const tick cycle = clock().period();
        coalescer_stats all = stats_;
        all.stall_tlb_cycles = xlat.blocked_ps() / cycle;
        all.stall_l1d_cycles = mem.blocked_ps() / cycle;
        all.wait_lanes_cycles = waited_lanes_ / cycle;
        all.wait_slot_cycles = waited_slot_ / cycle;
        all.wait_line_cycles = waited_line_ / cycle;
        return all;
    }
    void visit(stat_visitor &v, tick) const override;
    uint8_t page_shift() const { return params_.page_shift; }
    /* Counts translations by VM-ID from now on. Required: VM-IDs are below `spaces`. */
    void tell_spaces_apart(size_t spaces) { of_space_.resize(spaces); }
    void visit_account(stat_visitor &v, const std::vector<const block *> &order) const override
    {
        stats_.account.visit(v, order, stats_.latency_ps, clock().period());
    }
    void laws(law_list &list) const override;
    void flows(std::vector<block_flow> &list, tick) const override
    {
        list.push_back({"translations", stats_.translations, stats_.answered, requests_.live()});
    }
    uint64_t live() const override { return requests_.live() + lines_.live() + slots_used_; }
    const uint64_t *progress(progress_unit unit) const override
    {
        return unit == progress_unit::translations ? &stats_.answered : nullptr;
    }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    static constexpr uint32_t none = UINT32_MAX;
    static constexpr uint8_t last = 0xff;
    static constexpr uint16_t no_entry = UINT16_MAX,
                              joined = UINT16_MAX - 1; /* the window has at most 4096 entries */
    struct slot {
        wave_access *access;
        ww_coal_out out;
        uint32_t pages_left, lines_left;
        uint32_t next_page; /* next page to send */
        uint32_t serial;    /* number in the order of acceptance */
        tick ready;         /* time when all lanes have been taken */
        tick started;
        /* Lines in flight, and pages with lines to send, by generation (kernels/invalidate.h). */
        uint32_t inside[2];
        tick lines_in; /* arrival of the latest line so far */
        uint64_t answered_before;
        std::array<uint8_t, WW_COAL_MAX> first_line, next_line; /* lines of a page */
        std::array<uint32_t, WW_COAL_MAX> also;                 /* chain of pages that wait for one answer */
        std::array<uint16_t, WW_COAL_MAX> window; /* the page's entry in window_, or no_entry, or joined */
    };
    struct event {
        xlat_request *request; /* null: the last line of a slot's instruction has arrived */
        uint32_t slot;
    };
    struct line_job {
        uint32_t slot;
        uint8_t line;
        uint64_t page_pa; /* of the page's first byte */
        uint8_t page_shift;
        tick since;         /* first time at which it could have been sent */
        uint8_t generation; /* generation of its lines, for an invalidate */
    };

    void end_of_elaboration() override { stats_.account.close(); }
    void step(tick now) override;
    void take_due(tick now);
    void on_response(xlat_request &r, tick at, unsigned port) override;
    void on_response(tlm::tlm_generic_payload &p, tick at, unsigned port) override;
    unsigned debug(wave_access &a) override;
    void accept(tick now);
    void join_window(uint32_t idx);
    void send_pages(tick now);
    void send_lines(tick now);
    void translated(xlat_request &r, tick now);
    void page_done(uint32_t idx, uint32_t page, const xlat_request &r, tick now);
    void finish(uint32_t idx, tick now);
    void close_account(xlat_request &r, tick now);
    static uint32_t pack(uint32_t idx, uint32_t page) { return idx * WW_COAL_MAX + page; }
    uint64_t window_key(const slot &s, uint32_t page) const
    {
        return (s.out.page_va[page] >> params_.page_shift) | (uint64_t{s.access->vmid} << 48);
    }

    coalescer_params params_;
    std::vector<slot> slots_;
    std::vector<uint32_t> free_slots_;
    uint64_t slots_used_ = 0;
    fifo<uint32_t> unsent_; /* slots with pages to send, in order */
    fifo<line_job> line_jobs_;
    pending_misses<uint32_t> window_; /* pages not sent yet, each with the first that wants it */
    due_queue<event> events_;
    std::vector<event> due_; /* those of one cycle */
    uint32_t accepted_ = 0, asked_ = 0;
    turn_lane turn_;
    port_translator below_; /* translations pass through it */
    pool<xlat_request> requests_;
    mem_pool lines_;
    tick lanes_free_ = 0;
    tick page_time_ = 0, line_time_ = 0; /* cycles in which the last page and line were sent */
    uint32_t page_used_ = 0, line_used_ = 0;
    tick waited_lanes_ = 0, waited_slot_ = 0, waited_line_ = 0;
    struct space_stats {
        uint64_t answered = 0;
        tick latency_ps = 0;
    };
    std::vector<space_stats> of_space_; /* by VM-ID; empty: not counted apart */
    coalescer_stats stats_;
};

} // namespace walkway

#endif
