/* SPDX-License-Identifier: MIT */
/* model/pager.hpp - who maps pages while a program runs: takes faults of walk units one at a time, lets a
 * drawn latency pass, writes the page's entries through its memory port, and answers [H14]. What the tables
 * shall be is a page_plan; what differs from it in memory are the lines to write. A fault on a page that is
 * queued or being handled is answered with it; one on a page that is mapped by its turn at once. A plan may
 * have several faults handled together, part by part, and all answered at the end. A change of
 * what is mapped is written the same way, invalidated, and acknowledged when no stage or access has the old
 * translation. What has to happen before pages are mapped, others that leave, contents that move, a plan says
 * step by step. docs/model/page-faults.md, docs/model/invalidate.md, docs/model/oversubscription.md. */
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

/* What it does, for waveforms. */
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

    /* With a number of walk units above. */
    pager(const sc_core::sc_module_name &name, const clock_domain &clock, const pager_params &p,
          page_plan &plan, unsigned requesters);
    /* The pager calls f with the physical address of each page-table line when memory has it. f returns how
     * many copies of the line it dropped. */
    using written_fn = std::function<uint32_t(uint64_t line_pa)>;
    void on_write(written_fn f) { written_.push_back(std::move(f)); }
    /* Its writes go to foreign memory: laws() does not check that memory lacks no word of the page tables. */
    void writes_to_others() { to_others_ = true; }
    /* Takes translations out of every stage, one scope at a time, as invalidate_root::invalidate(). Needed
     * for all that is no map. */
    using invalidate_fn = std::function<void(const invalidation &, acknowledged_fn)>;
    void invalidates_with(invalidate_fn f) { invalidate_ = std::move(f); }
    /* Takes lines out of every data cache, the ones nearest to the units first, with what was written to them
     * in memory at the end; one order at a time. Needed where a plan has lines to flush. */
    using flush_fn = std::function<void(const std::vector<pa_range> &, std::function<void(tick)>)>;
    void flushes_with(flush_fn f) { flush_ = std::move(f); }
    /* Sets the function that moves contents between memories, one order at a time. Without it moving takes no
     * time. */
    using copy_fn = std::function<void(const std::vector<page_copy> &, std::function<void(tick)>)>;
    void copies_with(copy_fn f) { copy_ = std::move(f); }
    /* Asks for a change of a page, without a fault and its latency; before faults that wait.
     * acknowledged(time, there) is called when every walk finds the change and no access uses the old
     * translation; `there` is false if there is no such page. Map and fetch leave a mapped page as it is,
     * other changes one that is not mapped; call this from within the simulation. */
    void change(page_change what, uint64_t va, uint16_t vmid, std::function<void(tick, bool)> acknowledged);
    /* The same of every page that has one of these bytes: all their lines are written, then one invalidate
     * of them all. */
    void change(page_change what, const page_span &of,
                std::function<void(tick, const change_result &)> acknowledged);
    /* Two VM-IDs exchange their tables, which hold pages alike: registers are written at every walk unit,
     * then everything is invalidated. In its turn among the changes. */
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
        uint64_t va; /* the page's first, if there is one */
        uint16_t vmid;
        bool refused;
    };
    static bool before(const page_fault &a, const page_fault &b)
    {
        return a.vmid != b.vmid ? a.vmid < b.vmid : a.va < b.va;
    }
    struct job {
        std::vector<page_fault> faults;    /* that are handled together, by address; */
        size_t parts_to = 0;               /* how many of them are handled, or of the part that is; */
        std::vector<page_fault> done_with; /* pages of parts that are over */
        page_span of = {0, 1, 0};          /* of a fault the page's first, if there is one */
        page_change what = page_change::map;
        bool exchanges = false; /* the tables of of.vmid and `other`, instead */
        uint16_t other = 0;
        std::vector<uint64_t> pages; /* that there are, by their first bytes */
        bool ready = false;          /* every step before they are mapped or changed is over */
        change_result done;
        answer_fn acknowledged; /* null: a fault's */
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
    blob table_; /* faults: queued, or of the page that is handled */
    slot_table<place> places_;
    struct asked {
        page_change what;
        page_span of;
        answer_fn acknowledged;
        bool exchanges;
        uint16_t other;
        tick from; /* its turn is not before */
    };
    fifo<asked> asked_;
    ww_rng random_{};
    state state_ = state::IDLE;
    batch_rules rules_;
    tick paused_to_ = 0; /* no faults are taken before */
    job job_;
    bool full_ = false;             /* a fault is here that there is no room for */
    std::vector<uint64_t> changes_; /* lines to be written, the last one first */
    invalidation old_;              /* of what old translations are about, */
    bool stale_ = false;            /* if there are any */
    bool to_others_ = false;
    invalidate_fn invalidate_;
    std::vector<register_fn> registers_;
    tick invalidated_at_ = never;
    std::vector<pa_range> flushes_; /* when that is done */
    flush_fn flush_;
    tick flushed_at_ = 0;           /* never: they are under way */
    std::vector<page_copy> copies_; /* behind that */
    copy_fn copy_;
    tick copied_at_ = 0;     /* never: they are under way */
    tick answer_at_ = never; /* of the line that is being written */
    mem_pool lines_;
    std::vector<written_fn> written_;
    pager_stats stats_;
};

} // namespace walkway

#endif
