/* SPDX-License-Identifier: MIT */
/* model/pager.hpp - maps pages while a program runs: takes faults of walk units one at a time, waits a drawn
 * latency, writes the page's entries through its memory port, and answers [H14]. A page_plan has the planned
 * tables; the lines that differ from it in memory are the lines to write. A fault on a page that is queued or
 * being handled is answered with it; one on a page that is mapped by its turn is answered at once. A plan may
 * have several faults handled together, part by part, and all answered at the end. A change of a mapped page
 * is written the same way, invalidated, and acknowledged when no stage or access has the old translation.
 * Before pages are mapped, the plan gives step by step which others leave and which contents move.
 * docs/model/page-faults.md, docs/model/invalidate.md, docs/model/oversubscription.md. */
#ifndef WALKWAY_MODEL_PAGER_HPP
#define WALKWAY_MODEL_PAGER_HPP

#include "kernels/latency.h"
#include "kernels/walk/fault_table.h"
#include "model/common/fault.hpp"
#include "model/common/fifo.hpp"
#include "model/common/lanes.hpp"
#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/common/pool.hpp"
#include "model/common/signals.hpp"
#include "model/common/stats.hpp"
#include "model/page_change.hpp"
#include "model/page_plan.hpp"
#include "model/params/pager.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace walkway
{

/* States of the pager, for waveforms. */
#define WALKWAY_PAGER_STATE_LIST(X)                                                                          \
    X(IDLE, "has no page")                                                                                   \
    X(HANDLE, "the latency of a page passes")                                                                \
    X(WRITE, "its entries are written")                                                                      \
    X(INVALIDATE, "its old translation is taken out of every stage")                                         \
    X(FLUSH, "what caches have of it is written back")                                                       \
    X(COPY, "contents are moved")

struct pager_stats {
    uint64_t faults = 0, joined = 0, already = 0, refused = 0, answered = 0;
    uint64_t asked = 0, company = 0, pages_mapped = 0, lines_written = 0, busy_ps = 0;
    uint64_t unmapped = 0, remapped = 0, protected_ = 0, permitted = 0, absent = 0, invalidates = 0,
             exchanged = 0;
    uint64_t flushes = 0, batches = 0, parts = 0;
    histogram latency, invalidate_latency, flush_latency;
    void visit(stat_visitor &v) const;
};

class pager final : public block, public target_of<fault_protocol>, public initiator_of<mem_protocol>
{
public:
    in_ports<fault_protocol> up;
    out_port<mem_protocol> mem;

    /* requesters: the number of walk units above. */
    pager(const sc_core::sc_module_name &name, const clock_domain &clock, const pager_params &p,
          page_plan &plan, unsigned requesters);
    /* Registers f, called with the physical address of each page-table line when memory has it. f returns how
     * many copies of the line it dropped. */
    using written_fn = std::function<uint32_t(uint64_t line_pa)>;
    void on_write(written_fn f) { written_.push_back(std::move(f)); }
    /* Its writes go to foreign memory: laws() does not check that memory has every word of the page
     * tables. */
    void writes_to_others() { to_others_ = true; }
    /* Sets the function that removes translations from every stage, one scope at a time, as
     * invalidate_root::invalidate(). Required for every change but map. */
    using invalidate_fn = std::function<void(const invalidation &, acknowledged_fn)>;
    void invalidates_with(invalidate_fn f) { invalidate_ = std::move(f); }
    /* Sets the function that removes lines from every data cache, those nearest the units first, and writes
     * dirty ones to memory; one order at a time. Required if the plan has lines to flush. */
    using flush_fn = std::function<void(const std::vector<pa_range> &, std::function<void(tick)>)>;
    void flushes_with(flush_fn f) { flush_ = std::move(f); }
    /* Sets the function that moves contents between memories, one order at a time. Without it, moving takes
     * no time. */
    using copy_fn = std::function<void(const std::vector<page_copy> &, std::function<void(tick)>)>;
    void copies_with(copy_fn f) { copy_ = std::move(f); }
    /* Requests a change of a page, without a fault and its latency, before faults that wait. Calls
     * acknowledged(time, there) when every walk finds the change and no access uses the old translation;
     * `there` is false if there is no such page. Map and fetch leave a mapped page as it is, other changes an
     * unmapped one. Required: called from within the simulation. */
    void change(page_change what, uint64_t va, uint16_t vmid, std::function<void(tick, bool)> acknowledged);
    /* The same for every page with one of these bytes: writes all their lines, then invalidates them all at
     * once. */
    void change(page_change what, const page_span &of,
                std::function<void(tick, const change_result &)> acknowledged);
    /* Exchanges the tables of two VM-IDs with alike pages: registers are written at every walk unit, then
     * everything is invalidated. Takes its turn among the changes. */
    void exchange(uint16_t vmid, uint16_t other,
                  std::function<void(tick, const change_result &)> acknowledged);
    using register_fn = std::function<void(uint16_t vmid, const ww_table &)>;
    void registers_with(register_fn f) { registers_.push_back(std::move(f)); }
    void map(uint64_t va, uint16_t vmid, std::function<void(tick, bool)> acknowledged)
    {
        change(page_change::map, va, vmid, std::move(acknowledged));
    }

    const pager_stats &stats() const { return stats_; }
    void visit(stat_visitor &v, tick) const override;
    void laws(law_list &list) const override;
    void flows(std::vector<block_flow> &list, tick until) const override;
    uint64_t live() const override { return lines_.live() + places_.live(); }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    enum class state : uint8_t { WALKWAY_PAGER_STATE_LIST(WALKWAY_STATE) };
    struct place {
        fault_request *fault;
        unsigned port;
    };
    using answer_fn = std::function<void(tick, const change_result &)>;
    struct page_fault {
        uint64_t va; /* the page's first address, if there is a page */
        uint16_t vmid;
        bool refused;
    };
    static bool before(const page_fault &a, const page_fault &b)
    {
        return a.vmid != b.vmid ? a.vmid < b.vmid : a.va < b.va;
    }
    struct job {
        std::vector<page_fault> faults;    /* handled together, by address; */
        size_t parts_to = 0;               /* end of those handled so far, or in the present part; */
        std::vector<page_fault> done_with; /* pages of parts that are complete */
        page_span of = {0, 1, 0};          /* of a fault: the page's first address, if there is a page */
        page_change what = page_change::map;
        bool exchanges = false; /* exchanges the tables of of.vmid and `other` instead */
        uint16_t other = 0;
        std::vector<uint64_t> pages; /* existing pages, by first address */
        bool ready = false;          /* every step before they are mapped or changed is complete */
        change_result done;
        answer_fn acknowledged; /* null: the job is a fault's */
        tick began = 0, due = never;
    };

    void step(tick now) override;
    void on_response(tlm::tlm_generic_payload &p, tick at, unsigned port) override;
    unsigned debug(fault_request &) override { return 0; }
    bool take_fault(unsigned port);
    bool begin(tick now);
    bool take_batch();
    void next_part(tick from);
    void close_part();
    void go_on();
    void write();
    void find_pages();
    void take(page_step &s);
    bool step_over(tick now);
    void flush();
    void copy();
    void compare(uint64_t node_pa);
    void exchange_tables();
    void change_plan(uint64_t va);
    void find_changes(uint64_t va, std::set<uint64_t> &nodes);
    void answer_faults(const page_fault &of, tick now);
    void invalidate(tick now);
    void finish(tick now);

    pager_params params_;
    page_plan &plan_;
    blob table_; /* faults that are queued, or of the page in progress */
    slot_table<place> places_;
    struct asked {
        page_change what;
        page_span of;
        answer_fn acknowledged;
        bool exchanges;
        uint16_t other;
        tick from; /* earliest time of its turn */
    };
    fifo<asked> asked_;
    ww_rng random_{};
    state state_ = state::IDLE;
    batch_rules rules_;
    tick paused_to_ = 0; /* no faults are taken before */
    job job_;
    bool full_ = false;             /* a fault waits that has no room */
    std::vector<uint64_t> changes_; /* lines to be written, the last one first */
    invalidation old_;              /* scope of old translations, */
    bool stale_ = false;            /* if there are any */
    bool to_others_ = false;
    invalidate_fn invalidate_;
    std::vector<register_fn> registers_;
    tick invalidated_at_ = never;
    std::vector<pa_range> flushes_; /* flushes after that */
    flush_fn flush_;
    tick flushed_at_ = 0;           /* never: in progress */
    std::vector<page_copy> copies_; /* copies after that */
    copy_fn copy_;
    tick copied_at_ = 0;     /* never: in progress */
    tick answer_at_ = never; /* of the line being written */
    mem_pool lines_;
    std::vector<written_fn> written_;
    pager_stats stats_;
};

} // namespace walkway

#endif
