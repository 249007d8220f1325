/* SPDX-License-Identifier: MIT */
/* model/icache_translations.hpp - translations in the lines of an instruction cache that hold no
 * instructions: a stage below the L1 TLBs of the compute units that share the cache, or below their local
 * memory's translations [M21 section 4.3]. One array (kernels/store/icache_tx.h) has the lines of both;
 * fetches have its port first (model/icache.hpp), and a line of instructions that arrives is entered before
 * any other action of its cycle. docs/model/icache-translations.md. */
#ifndef WALKWAY_MODEL_ICACHE_TRANSLATIONS_HPP
#define WALKWAY_MODEL_ICACHE_TRANSLATIONS_HPP

#include "model/dispatcher.hpp"
#include "model/icache.hpp"
#include "model/lent_stage.hpp"

namespace walkway
{

class icache_translations final : public lent_stage, public line_keeper, public kernel_listener
{
public:
    /* Its name if its level has none of its own. */
    static stage_name usual() { return {"icache_tx", "I-cache lines"}; }
    icache_translations(const sc_core::sc_module_name &name, const clock_domain &clock,
                        const icache_tx_params &p, icache &owner, unsigned requesters,
                        const stage_name &stage = usual());
    bool fetch(uint64_t pa) override;
    void fill(uint64_t pa) override;
    void kernel_begins(bool same) override;
    void visit(stat_visitor &v, tick until) const override;

protected:
    uint64_t drop_counts::*held_as() const override { return &drop_counts::icache; }

private:
    struct begun {
        bool same;
        tick due;
    };
    void owner_changes(tick now) override;
    tick next_change() const override { return kernels_.empty() ? never : kernels_.front().due; }
    bool may_hold(uint64_t va) const override;
    ww_icache_tx *lines() const { return static_cast<ww_icache_tx *>(store()); }

    icache_tx_params params_;
    fifo<begun> kernels_; /* begun, not yet applied to the lines */
    uint64_t begun_ = 0, used_ = 0;
};

} // namespace walkway

#endif
