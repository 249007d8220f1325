/* SPDX-License-Identifier: MIT */
/* model/tlb_probe.hpp - a stop of the ring on which L1 TLBs probe each other, after Valkyrie (PACT 2020): a
 * stage of translation (model/xlat_stage.hpp) below the TLB of a compute unit, or of some. A miss there goes
 * round as a probe, a number of stops to either side; at each stop it takes a port of the TLBs above for a
 * lookup. The first that holds the page answers, and the level below is asked after the last that does not,
 * or at the same time. docs/model/neighbour-probes.md.
 *
 *    TLB    TLB    TLB
 *     |      |      |       a message to the next stop every cycle and direction,
 *   stop <-> stop <-> stop <-> ...   hop_cycles to get there
 *     |      |      |
 *     the level below
 *
 * Not modelled: copies to chosen neighbours by earlier use (the paper's locality detection), a wait for a
 * neighbour's own miss, a lookup in other TLBs of the same stop. */
#ifndef WALKWAY_MODEL_TLB_PROBE_HPP
#define WALKWAY_MODEL_TLB_PROBE_HPP

#include "model/params/tlb_probe.hpp"
#include "model/xlat_stage.hpp"

#include <array>

namespace walkway
{

class tlb;

struct tlb_probe_stats {
    uint64_t probed = 0, found = 0, nothing = 0, beaten = 0;
    uint64_t ahead = 0, not_alone = 0, not_filter = 0, not_room = 0;
    uint64_t asked = 0, answers = 0, overtaken = 0;
    uint64_t looked = 0, looked_found = 0, looked_pending = 0, turned_away = 0, port_wait_cycles = 0;
    uint64_t copies = 0, copies_taken = 0, copies_overtaken = 0;
    uint64_t hops = 0, in_vain = 0, unaccounted = 0;
    tick latency_ps = 0;
};

struct tlb_probe_events {
    static constexpr event_kind probe = {"tlb_probe", "virtual address; misses that are asking"},
                                found = {"tlb_probe_found", "virtual address; stops away"};
};

class tlb_probe final : public xlat_stage, public port_sharer
{
public:
    /* Its name if its level has none of its own. */
    static stage_name usual() { return {"probe", "ring stop"}; }
    tlb_probe(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_probe_params &p,
              unsigned requesters = 1, const stage_name &stage = usual());
    /* Joins the ring after that stop, before the stop that followed it. */
    void stands_behind(tlb_probe &stop);
    /* Sets the TLBs that it looks up: those of `some` that are bound to it. */
    void looks_at(const std::vector<tlb *> &some) { tlbs_ = some; }
    const tlb_probe_stats &probes() const { return probes_; }
    uint32_t takes_ports(tick now) override;
    void visit(stat_visitor &v, tick until) const override;
    void laws(law_list &list) const override;
    void signals(signal_visitor &v) const override;
    std::string waiting() const override;
    uint64_t live() const override
    {
        return xlat_stage::live() + misses_.live() + messages_ + requests_.live();
    }

private:
    enum class direction : uint8_t { right, left };
    enum class message_kind : uint8_t { probe, answer, copy };
    struct message {
        message_kind kind;
        direction to;    /* direction in which it goes */
        uint32_t to_go;  /* stops left to go */
        uint32_t away;   /* of a probe: stops behind it; of an answer: those of its probe */
        uint32_t miss;   /* number of the miss at its stop */
        ww_mapping page; /* of a probe, or of an answer that found nothing: the address only */
        bool found;
        uint64_t invalidates; /* invalidates seen by the stop when its TLBs were looked up */
        tick since;           /* time since which it waits for a port */
    };
    /* A miss that probes, answered or not, while any of its messages is in flight. */
    struct asking {
        xlat_request *waits; /* null: it is answered */
        uint32_t due;        /* answers of neighbours due */
        bool below;          /* an answer of the level below is due */
        bool any;            /* a neighbour holds it */
    };

    void end_of_elaboration() override;
    void step(tick now) override;
    bool serve(unsigned port, tick now) override;
    void drop(const ww_inval_scope &scope) override;
    bool keeps(uint32_t entry, const ww_mapping &page) override;
    void came_back(xlat_request &r, tick at) override;

    /* The messages of one direction. */
    struct side {
        explicit side(const clock_domain &clock) : in(clock), out(clock) {}
        tlb_probe *next = nullptr; /* the next stop; null: it is alone */
        uint32_t reach = 0;        /* number of stops probed there */
        due_queue<message> in, out;
        tick sent_at = never;
    };

    uint32_t ports_for_probes(tick now) const;
    bool may_ask(const xlat_request &r);
    void ask(xlat_request &r, unsigned port, tick now);
    void send_round(message m, tick at);
    void send_on(direction to, const message &m, tick at);
    void send_messages(tick now);
    void take_messages(direction to, tick now);
    void take(direction to, message m, tick now);
    void take_answer(const message &m, tick now);
    void look(tick now);
    void answer_probe(const message &probe, const ww_xlat *page, tick at);
    void end_if_done(uint32_t miss);
    /* Returns the filter's page that stands for a region. */
    uint64_t region(uint64_t va) const { return va >> params_.filter_shift << WW_PAGE_4K; }
    side &of(direction d) { return sides_[static_cast<size_t>(d)]; }

    tlb_probe_params params_;
    cause ring_;
    tick hop_time_, look_time_;
    std::array<side, 2> sides_; /* by direction */
    std::vector<tlb *> tlbs_;   /* those above */
    fifo<message> looks_;       /* probes that wait for a port */
    tick taken_at_ = never;     /* ports taken by probes before demands in that cycle: */
    uint32_t taken_ = 0;
    tick looked_at_ = never;
    stage_store filter_; /* empty without filter_entries */
    slot_table<asking> misses_;
    uint64_t messages_ = 0; /* here or in flight to here */
    uint64_t invalidates_ = 0;
    pool<xlat_request> requests_; /* requests to the level below for misses that probe */
    account_sums account_;
    tlb_probe_stats probes_;
};

} // namespace walkway

#endif
