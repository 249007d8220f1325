/* SPDX-License-Identifier: MIT */
/* model/copy_engine.hpp - moves pages between device and host memory: reads each line at its place and writes
 * it to its new one, through one memory port. Models: [P24 section 2.1] migration of pages by the driver.
 * Lines in ascending order of address, a bounded number in flight; a copy is complete when its last write is
 * answered. Not modelled: contents. */
#ifndef WALKWAY_MODEL_COPY_ENGINE_HPP
#define WALKWAY_MODEL_COPY_ENGINE_HPP

#include "model/common/due_queue.hpp"
#include "model/common/fifo.hpp"
#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/common/signals.hpp"
#include "model/common/stats.hpp"
#include "model/page_plan.hpp"
#include "model/params/copy_engine.hpp"

#include <functional>
#include <vector>

namespace walkway
{

struct copy_engine_stats {
    uint64_t orders = 0, bytes = 0, reads = 0, writes = 0, busy_ps = 0;
    void visit(stat_visitor &v) const;
};

class copy_engine final : public block, public initiator_of<mem_protocol>
{
public:
    out_port<mem_protocol> mem;

    copy_engine(const sc_core::sc_module_name &name, const clock_domain &clock, const copy_engine_params &p);
    /* Copies these pages and calls `done` with the time of completion. Required: called from within the
     * simulation, no other order is in progress, and `what` is whole lines, at least one. */
    void copy(const std::vector<page_copy> &what, std::function<void(tick)> done);

    const copy_engine_stats &stats() const { return stats_; }
    void visit(stat_visitor &v, tick) const override { stats_.visit(v); }
    void laws(law_list &list) const override;
    uint64_t live() const override { return lines_.live(); }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    struct way {
        uint64_t from, to;
    };
    void step(tick now) override;
    void on_response(tlm::tlm_generic_payload &p, tick at, unsigned port) override;
    void send(tick now);

    copy_engine_params params_;
    std::vector<way> order_;   /* lines of the order: */
    size_t read_ = 0;          /* those requested, */
    size_t written_ = 0;       /* and those whose write has been answered */
    tick began_ = 0;           /* begin of the order */
    tick sent_at_ = never;     /* time at which the last line was sent */
    uint32_t open_ = 0;        /* lines in flight */
    due_queue<uint32_t> here_; /* lines that have been read */
    fifo<uint32_t> to_write_;
    due_queue<bool> answers_; /* of writes */
    std::function<void(tick)> done_;
    mem_pool lines_;
    copy_engine_stats stats_;
};

} // namespace walkway

#endif
