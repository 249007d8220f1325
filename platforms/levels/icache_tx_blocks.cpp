/* SPDX-License-Identifier: MIT */
/* platforms/levels/icache_tx_blocks.cpp - an instance of the kind icache_tx. */
#include "model/icache_translations.hpp"
#include "platforms/level_blocks.hpp"

namespace walkway
{

level_instance make_icache_tx_blocks(const level &l, const level_place &at)
{
    icache &cache = *at.top.icache[at.nth];
    auto &made =
        at.top.make<icache_translations>(at.name, at.top.clock(), params_of<icache_tx_params>(l), cache,
                                         at.requesters, at.stage_or(icache_translations::usual()));
    cache.lend_to(&made);
    at.top.dispatcher.tell(made, {at.units.front(), static_cast<unsigned>(at.units.size())});
    return instance_of(made);
}

} // namespace walkway
