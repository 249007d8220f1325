/* SPDX-License-Identifier: MIT */
/* model/lds.hpp - the controller of a compute unit's local memory: a bounded queue, one access at the banks
 * at a time for the cycles of its bank conflicts (kernels/lds.h), then a latency. [M21 Table 1] gives the
 * latency; docs/model/lds.md. Not modelled: contents, where a work-group's allocation lies. */
#ifndef WALKWAY_MODEL_LDS_HPP
#define WALKWAY_MODEL_LDS_HPP

#include "kernels/lds.h"
#include "kernels/store/lds_tx.h"
#include "model/common/access.hpp"
#include "model/common/link.hpp"
#include "model/common/pool.hpp"
#include "model/common/stats.hpp"
#include "model/lent_stage.hpp"
#include "model/params/lds.hpp"

#include <string>

namespace walkway
{

/* A wave's local memory instruction. Addresses are offsets in its work-group's local memory. */
struct local_protocol {
    static constexpr const char *name = "local access";
    using tlm_payload_type = wave_access;
    using tlm_phase_type = tlm::tlm_phase;
};

struct lds_stats {
    uint64_t accesses = 0, atomics = 0, wanted = 0, words = 0, shared = 0, bank_cycles = 0,
             conflict_cycles = 0, queue_cycles = 0, responses = 0, moved_words = 0, moved_cycles = 0;
};

/* Receives the pieces of local memory that work-groups get and release, whole granules. */
class piece_listener
{
public:
    virtual void given(uint64_t first, uint64_t bytes) = 0;
    virtual void given_back(uint64_t first, uint64_t bytes) = 0;

protected:
    ~piece_listener() = default;
};

/* Receives each access that begins at the banks. */
class local_listener
{
public:
    virtual void accessed(const wave_access &a) = 0;

protected:
    ~local_listener() = default;
};

struct lds_events {
    static constexpr event_kind access = {"lds_access", "cycles at the banks; words served"};
};

class lds final : public block, public target_of<local_protocol>, public memory_owner
{
public:
    in_port<local_protocol> up;

    lds(const sc_core::sc_module_name &name, const clock_domain &clock, const lds_params &p);
    const lds_stats &stats() const { return stats_; }
    void lend_to(local_listener *user) { lent_to_ = user; }
    bool has_port(tick now) override { return free_from(now) > now || up.ready(now); }
    void moves(tick now, uint64_t bytes) override;
    void visit(stat_visitor &v, tick) const override;
    void laws(law_list &list) const override;
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    void step(tick now) override;
    void begin(wave_access &a, tick now);
    tick free_from(tick now);
    unsigned debug(wave_access &) override { return 0; }
    ww_lds *banks() { return kernel_.as<ww_lds>(); }

    lds_params params_;
    blob kernel_;
    tick began_ = 0;          /* begin of the latest access at the banks */
    tick free_from_ = 0;      /* time from which the banks take the next access */
    tick moves_from_ = never; /* translations are moved, which occupies the banks from then on, */
    uint64_t to_move_ = 0;    /* for this number of cycles */
    local_listener *lent_to_ = nullptr;
    lds_stats stats_;
};

} // namespace walkway

#endif
