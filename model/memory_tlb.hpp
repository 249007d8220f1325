/* SPDX-License-Identifier: MIT */
/* model/memory_tlb.hpp - translations in a table in memory, a stage between the L2 TLB and the IOMMU: the
 * comparison with DUCATI of [M21 section 6.3.4]. docs/model/ducati.md. A lookup reads the page's line of the
 * table (kernels/table/slot_table.h) through the L2 data cache, so translations contend with data for that
 * cache and for memory. A miss goes down, and its answer is put into the line: read, changed, written whole.
 * A line is in one buffer (an MSHR) at a time, where all its users meet in order; a lookup that finds the
 * line being written reads it at once. Not modelled: a predictor of page sizes, permission checks. */
#ifndef WALKWAY_MODEL_MEMORY_TLB_HPP
#define WALKWAY_MODEL_MEMORY_TLB_HPP

#include "model/common/due_queue.hpp"
#include "model/common/fifo.hpp"
#include "model/common/lanes.hpp"
#include "model/common/link.hpp"
#include "model/common/lookups.hpp"
#include "model/common/mem.hpp"
#include "model/common/pending.hpp"
#include "model/common/stats.hpp"
#include "model/common/xlat.hpp"
#include "model/dropped.hpp"
#include "model/params/memory_tlb.hpp"
#include "model/port_translator.hpp"
#include "translate/slot_translator.hpp"

#include <array>
#include <string>
#include <vector>

namespace walkway
{

struct memory_tlb_stats {
    uint64_t lookups = 0, hits = 0, misses = 0, masked = 0, merged = 0, forwarded = 0, second_probes = 0;
    uint64_t line_reads = 0, line_writes = 0;
    uint64_t fills = 0, fills_kept = 0, fills_refreshed = 0, fills_same = 0, fills_refused = 0,
             fills_dropped = 0;
    uint64_t displaced = 0, invalidated = 0, resident = 0, invalidate_lines = 0, epochs = 0, sweeps = 0;
    uint64_t held_at_start = 0;
    uint64_t stall_lines_cycles = 0, stall_below_cycles = 0, stall_memory_cycles = 0, responses = 0;
    void visit(stat_visitor &v) const;
};

struct memory_tlb_events {
    static constexpr event_kind hit = {"memory_tlb_hit", "virtual address; page shift"},
                                miss = {"memory_tlb_miss", "virtual address; lines in flight"},
                                fill = {"memory_tlb_fill", "virtual address; page shift"};
};

class memory_tlb final : public block,
                         public target_of<xlat_protocol>,
                         public initiator_of<xlat_protocol>,
                         public initiator_of<mem_protocol>,
                         public drop_counter
{
public:
    in_ports<xlat_protocol> up; /* one queue each, served in turn */
    out_port<xlat_protocol> down;
    out_port<mem_protocol> mem;

    /* Its name if its level has none of its own. */
    static stage_name usual() { return {"memory_tlb", "table in memory"}; }
    memory_tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const memory_tlb_params &p,
               unsigned requesters, const stage_name &stage = usual());
    memory_tlb_stats stats() const;
    void visit(stat_visitor &v, tick) const override { stats().visit(v); }
    void laws(law_list &list) const override;
    uint64_t live() const override
    {
        return pending_.count() + lines_.live() + lanes_.live() + unsent_.size();
    }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;
    void starts_filled() override { stats_.held_at_start = resident_ = in_memory(); }
    void count_dropped(drop_counts &all) const override { all.tlb += stats_.invalidated; }

private:
    struct causes {
        causes(const block &owner, const stage_name &stage);
        cause queue, read, compare;
    };
    enum class op_kind : uint8_t { look, fill, drop, write };
    /* An operation that waits for a line. */
    struct op {
        op_kind kind = op_kind::write;
        uint8_t probe = 0;         /* of a lookup: index of the page size */
        uint32_t generation = 0;   /* of a fill: invalidates seen when it began */
        xlat_request *r = nullptr; /* of a lookup */
        ww_mapping page{};         /* of a fill */
    };
    struct buffer {
        std::array<uint64_t, WW_SLOT_LINE_WORDS> words;
        uint32_t line;
        uint32_t drops; /* drops of an invalidate that are complete when the line is written */
        bool here;
    };
    struct sending {
        uint32_t entry;
        bool write;
        tick at;
    };
    struct outgoing {
        xlat_request *r;
        tick at;
    };
    struct table_below final : slot_memory {
        explicit table_below(memory_tlb &o) : owner(o) {}
        void read_line(uint64_t pa, uint64_t *line, tick *at) override;
        void write_line(uint64_t pa, const uint64_t *line) override;
        bool masked(uint64_t va, uint8_t page_shift, uint16_t vmid) const override
        {
            return owner.masked(va, page_shift, vmid);
        }
        memory_tlb &owner;
    };

    void step(tick now) override;
    void on_response(xlat_request &r, tick at, unsigned port) override;
    void on_response(tlm::tlm_generic_payload &p, tick at, unsigned port) override;
    unsigned debug(xlat_request &r) override;

    bool want(uint32_t line, const op &o, tick now);
    bool look(const op &o, tick now);
    void looked(const op &o, const uint64_t *line, tick now);
    void hit(xlat_request &r, const ww_xlat &x, tick at);
    bool fill(const op &o, uint64_t *line);
    bool drop(uint64_t *line);
    void process(uint32_t entry, tick now);
    void take_lines(tick now);
    void take_answers(tick now);
    void wait_to_fill(const ww_mapping &page);
    void begin_drop(const ww_inval_scope &scope);
    void go_on_dropping(tick now);
    void look_again(tick now);
    bool may_look() const { return down.can_send() && unsent_.empty() && again_now_.empty(); }
    void take_requests(tick now);
    bool take_request(unsigned port, tick now);
    size_t queued() const;
    void enter_fills(tick now);
    void send_lines(tick now);
    void send_misses(tick now);
    bool masked(uint64_t va, uint8_t page_shift, uint16_t vmid) const;
    uint64_t in_memory() const;

    memory_tlb_params params_;
    causes causes_;
    port_translator below_;
    table_below table_memory_;
    slot_translator table_;
    pending_misses<op> pending_;
    std::vector<buffer> buffers_; /* of each MSHR */
    mem_pool lines_;
    due_queue<mem_line *> lines_in_;
    due_queue<xlat_request *> answers_in_;
    fifo<op> fills_wait_;
    due_queue<op> again_; /* lookups of the next page size, */
    fifo<op> again_now_;  /* and those of them that may begin */
    fifo<sending> to_memory_;
    fifo<outgoing> unsent_;
    stage_lanes lanes_;
    /* An invalidate with lines to go through. */
    bool dropping_ = false, every_ = false;
    ww_inval_scope scope_{};
    slot_lines drops_;
    uint64_t drops_out_ = 0;
    uint32_t generation_ = 0;
    uint64_t resident_ = 0;
    tick stalled_since_ = never;
    memory_tlb_stats stats_;
    cycle_lookups shown_{*this};
};

} // namespace walkway

#endif
