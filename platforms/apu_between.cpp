/* SPDX-License-Identifier: MIT */
/* platforms/apu_between.cpp - wiring of the apu between its L1 TLBs and the L2 TLB. */
#include "platforms/apu.hpp"

namespace walkway
{

/* What stands between is bound from above: `above` is the last stage of each compute unit. */
void apu_top::bind_l2_tlb(const apu_params &p)
{
    std::vector<xlat_stage *> above = last_of_units();
    if (p.lds.lends() && !p.perfect())
        bind_lds_tx(p, above);
    if (p.icache.lends() && !p.perfect())
        bind_icache_tx(p, above);
    if (!p.victim.present()) {
        for (unsigned i = 0; i < above.size(); ++i)
            above[i]->down.bind(*l2_tlb.up[i]);
        return;
    }
    for (unsigned n = 0; n < p.above_l2_tlb(); ++n) {
        victim.push_back(&make<victim_tlb>(numbered("victim", n), clock(), p.victim,
                                           p.victim_requesters(n, static_cast<uint32_t>(above.size()))));
        victim[n]->down.bind(*l2_tlb.up[n]);
    }
    for (unsigned i = 0; i < above.size(); ++i)
        above[i]->down.bind(*victim[i / p.stages_of_victim()]->up[i % p.stages_of_victim()]);
}

void apu_top::bind_lds_tx(const apu_params &p, std::vector<xlat_stage *> &above)
{
    for (unsigned i = 0; i < above.size(); ++i) {
        lds_tx.push_back(&make<lds_translations>(numbered("lds_tx", i), clock(), p.lds, *lds[i]));
        lds_tx[i]->belongs_to(*cu[i]);
        cu[i]->lend_to(lds_tx[i]);
        lds[i]->lend_to(lds_tx[i]);
        above[i]->down.bind(*lds_tx[i]->up[0]);
        above[i] = lds_tx[i];
    }
}

void apu_top::bind_icache_tx(const apu_params &p, std::vector<xlat_stage *> &above)
{
    for (unsigned n = 0; n < icache.size(); ++n) {
        icache_tx.push_back(&make<icache_translations>(numbered("icache_tx", n), clock(), p.icache,
                                                       *icache[n], p.icache.requesters(n, p.gpu.cus)));
        icache[n]->lend_to(icache_tx[n]);
        dispatcher.tell(*icache_tx[n], {n * p.icache.sharers, p.icache.requesters(n, p.gpu.cus)});
    }
    for (unsigned i = 0; i < above.size(); ++i)
        above[i]->down.bind(*icache_tx[i / p.icache.sharers]->up[i % p.icache.sharers]);
    above.assign(icache_tx.begin(), icache_tx.end());
}

/* What misses in one level is looked up in the next that there is. */
void apu_top::laws_of_misses(const apu_params &p)
{
    if (p.perfect())
        return;
    std::string level = "l1_tlb";
    const auto next = [&](const std::string &below) {
        law_of_misses(level, below);
        level = below;
    };
    if (!prefetch.empty())
        next("prefetch");
    if (!lds_tx.empty())
        next("lds_tx");
    if (!icache_tx.empty())
        next("icache_tx");
    if (!victim.empty())
        next("victim");
    next("l2_tlb");
}

} // namespace walkway
