/* SPDX-License-Identifier: MIT */
/* model/lent_stage.hpp - a stage of translation (model/xlat_stage.hpp) whose store lies in memory of another
 * owner: idle segments of local memory, idle lines of an instruction cache [M21 section 4]. It keeps pages
 * that the levels above evict. Its memory has one port for translations, which the owner's accesses have
 * first, then lookups, then fills. docs/model/lds-translations.md. Not modelled: an owner that has to wait
 * for a translation. */
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
    /* From the next cycle on a number of bytes are read or written to move translations, and its own accesses
     * wait; of an owner whose memory stays where it is, never. */
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
    /* What the owner has done by now. */
    virtual void owner_changes(tick now) = 0;
    /* The next of its changes that is known. */
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
    uint64_t room_;         /* for fills */
    fifo<xlat_post> fills_; /* that wait for the port */
    tick used_at_ = never;  /* the last cycle that translations had */
    uint32_t owed_ = 0;     /* more that they need before the next lookup or fill */
    bool wants_port_ = false;
    uint64_t port_uses_ = 0, skipped_ = 0, fills_late_ = 0;
};

} // namespace walkway

#endif
