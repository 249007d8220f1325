/* SPDX-License-Identifier: MIT */
/* model/lent_stage.hpp - a stage of translation (model/xlat_stage.hpp) whose store lies in memory of another
 * owner: idle segments of local memory, idle lines of an instruction cache [M21 section 4]. It holds pages
 * that the levels above evict. Its memory has one port for translations: the owner's accesses have it first,
 * then lookups, then fills. docs/model/lds-translations.md. Not modelled: an owner that waits for a
 * translation. */
#ifndef WALKWAY_MODEL_LENT_STAGE_HPP
#define WALKWAY_MODEL_LENT_STAGE_HPP

#include "model/params/lent_stage.hpp"
#include "model/xlat_stage.hpp"

namespace walkway
{

/* The owner of the memory. */
class memory_owner
{
public:
    /* True if it owns the port in this cycle. The same before and after its own step. */
    virtual bool has_port(tick now) = 0;
    /* Moving translations reads and writes this number of bytes from the next cycle on, and the owner's
     * accesses wait. Never called if translations are not moved. */
    virtual void moves(tick, uint64_t) {}

protected:
    ~memory_owner() = default;
};

class lent_stage : public xlat_stage
{
public:
    lent_stage(const sc_core::sc_module_name &name, const clock_domain &clock, stage_store store,
               const stage_name &stage, const lent_params &p, unsigned requesters, memory_owner &owner);
    void visit(stat_visitor &v, tick) const override;
    void laws(law_list &list) const override;
    uint64_t live() const override { return xlat_stage::live() + fills_.size(); }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

protected:
    /* Applies the owner's actions up to `now`. */
    virtual void owner_changes(tick now) = 0;
    /* Returns the time of its next known action. */
    virtual tick next_change() const = 0;
    /* True if a page of this address may be here; otherwise a lookup needs no port. */
    virtual bool may_hold(uint64_t va) const = 0;
    memory_owner &owner() { return owner_; }

private:
    void step(tick now) override;
    bool serve(unsigned port, tick now) override;
    void take_fill(const xlat_post &post) override;
    void drop(const ww_inval_scope &scope) override;
    bool port_free(tick now);
    void use_port(tick now, uint32_t uses);

    lent_params params_;
    memory_owner &owner_;
    tick look_time_, skip_time_;
    uint64_t room_;         /* places for fills */
    fifo<xlat_post> fills_; /* fills that wait for the port */
    tick used_at_ = never;  /* the last cycle in which translations had the port */
    uint32_t owed_ = 0;     /* further uses needed before the next lookup or fill */
    bool wants_port_ = false;
    uint64_t port_uses_ = 0, skipped_ = 0, fills_late_ = 0;
};

} // namespace walkway

#endif
