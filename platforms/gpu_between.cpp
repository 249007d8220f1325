/* SPDX-License-Identifier: MIT */
/* platforms/gpu_between.cpp - what keeps the victims of L1 TLBs, on any machine with a GPU, from above: with
 * prefetch.entries prefetchers, one per CU; with lds.translations those in local memory, one per CU; with
 * icache.translations those in instruction caches, with victim.entries victim TLBs, both of which some CUs
 * share. */
#include "model/icache_translations.hpp"
#include "model/lds_translations.hpp"
#include "model/victim_tlb.hpp"
#include "platforms/gpu.hpp"

namespace walkway
{

/* Each is bound from above: `above` are the last stages so far, in the order of their compute units. */
std::vector<xlat_stage *> gpu_top::bind_between(const gpu_machine_params &p)
{
    std::vector<xlat_stage *> above(l1_tlb.begin(), l1_tlb.end());
    if (!prefetch.empty())
        above.assign(prefetch.begin(), prefetch.end());
    if (p.perfect())
        return above;
    if (p.lds.lends())
        bind_lds_tx(p, above);
    if (p.icache.lends())
        bind_icache_tx(p, above);
    if (p.victim.present())
        bind_victims(p, above);
    return above;
}

void gpu_top::bind_lds_tx(const gpu_machine_params &p, std::vector<xlat_stage *> &above)
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

void gpu_top::bind_icache_tx(const gpu_machine_params &p, std::vector<xlat_stage *> &above)
{
    for (unsigned n = 0; n < icache.size(); ++n) {
        icache_tx.push_back(&make<icache_translations>(numbered("icache_tx", n), clock(), p.icache,
                                                       *icache[n], p.icache.requesters(n, p.gpu.cus)));
        icache[n]->lend_to(icache_tx[n]);
        dispatcher.tell(*icache_tx[n], {n * p.icache.shared_by, p.icache.requesters(n, p.gpu.cus)});
    }
    for (unsigned i = 0; i < above.size(); ++i)
        above[i]->down.bind(*icache_tx[i / p.icache.shared_by]->up[i % p.icache.shared_by]);
    above.assign(icache_tx.begin(), icache_tx.end());
}

void gpu_top::bind_victims(const gpu_machine_params &p, std::vector<xlat_stage *> &above)
{
    for (unsigned n = 0; n < p.victim.tlbs(p.gpu.cus); ++n)
        victim.push_back(&make<victim_tlb>(numbered("victim", n), clock(), p.victim,
                                           p.victim_requesters(n, static_cast<uint32_t>(above.size()))));
    for (unsigned i = 0; i < above.size(); ++i)
        above[i]->down.bind(*victim[i / p.stages_of_victim()]->up[i % p.stages_of_victim()]);
    above.assign(victim.begin(), victim.end());
}

std::string gpu_top::laws_between()
{
    const std::pair<const char *, bool> levels[] = {{"prefetch", !prefetch.empty()},
                                                    {"lds_tx", !lds_tx.empty()},
                                                    {"icache_tx", !icache_tx.empty()},
                                                    {"victim", !victim.empty()}};
    std::string last = "l1_tlb";
    for (const auto &[level, there] : levels)
        if (there) {
            law_of_misses(last, level);
            last = level;
        }
    return last;
}

} // namespace walkway
