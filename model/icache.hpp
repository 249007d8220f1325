/* SPDX-License-Identifier: MIT */
/* model/icache.hpp - an instruction cache, shared by some compute units: a read-only data cache
 * (model/data_cache.hpp) with names of its own. [M21 Table 1] gives its shape.
 * docs/model/instruction-cache.md. With icache_tx.translations model/icache_translations.hpp holds its lines.
 * Not modelled: instruction translations (code has physical addresses), prefetch. */
#ifndef WALKWAY_MODEL_ICACHE_HPP
#define WALKWAY_MODEL_ICACHE_HPP

#include "kernels/store/icache_tx.h"
#include "model/data_cache.hpp"
#include "model/lent_stage.hpp"
#include "model/params/icache.hpp"

namespace walkway
{

class icache final : public data_cache, public memory_owner
{
public:
    icache(const sc_core::sc_module_name &name, const clock_domain &clock, const icache_params &p,
           memory_store &store, unsigned requesters)
        : data_cache(name, clock, p.as_cache(), store, requesters)
    {
    }
    void visit(stat_visitor &v, tick) const override;
    void laws(law_list &list) const override;
    void signals(signal_visitor &v) const override;
    void lend_to(line_keeper *user) { keep_lines_in(user); }
    /* True if a fetch is served in this cycle, or could be. */
    bool has_port(tick now) override { return asked_at_ == now || up.next() <= now; }

private:
    bool serve(unsigned port, tick now) override
    {
        asked_at_ = now;
        return data_cache::serve(port, now);
    }
    tick asked_at_ = never;
};

} // namespace walkway

#endif
