/* SPDX-License-Identifier: MIT */
/* model/lds_translations.hpp - translations in the idle segments of a compute unit's local memory: a stage
 * between its L1 TLB and the level below, over the store of kernels/store/lds_tx.h [M21 section 4.2]. Local
 * accesses have the banks first (model/lds.hpp); they claim segments a cycle after they began there.
 * docs/model/lds-translations.md. */
#ifndef WALKWAY_MODEL_LDS_TRANSLATIONS_HPP
#define WALKWAY_MODEL_LDS_TRANSLATIONS_HPP

#include "model/lds.hpp"
#include "model/lent_stage.hpp"

namespace walkway
{

class lds_translations final : public lent_stage, public piece_listener, public local_listener
{
public:
    /* Its name if its level has none of its own. */
    static stage_name usual() { return {"lds_tx", "LDS segments"}; }
    lds_translations(const sc_core::sc_module_name &name, const clock_domain &clock, const lds_tx_params &p,
                     memory_owner &owner, const stage_name &stage = usual());
    void given(uint64_t first, uint64_t bytes) override { later({change::allocated, first, bytes}); }
    void given_back(uint64_t first, uint64_t bytes) override { later({change::freed, first, bytes}); }
    void accessed(const wave_access &a) override;
    void visit(stat_visitor &v, tick until) const override;

protected:
    uint64_t drop_counts::*held_as() const override { return &drop_counts::lds; }

private:
    struct change {
        enum : uint8_t { allocated, freed, used } kind;
        uint64_t first, bytes;
        tick due = 0;
    };
    void later(change c);
    void owner_changes(tick now) override;
    tick next_change() const override { return changes_.empty() ? never : changes_.front().due; }
    bool may_hold(uint64_t va) const override;
    void allocate(const change &c, tick now);
    ww_lds_tx *segments() const { return static_cast<ww_lds_tx *>(store()); }

    lds_tx_params params_;
    fifo<change> changes_;
};

} // namespace walkway

#endif
