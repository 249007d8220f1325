/* SPDX-License-Identifier: MIT */
/* platforms/levels/lds_tx_blocks.cpp - an instance of the kind lds_tx. */
#include "model/lds_translations.hpp"
#include "platforms/level_blocks.hpp"

namespace walkway
{

level_instance make_lds_tx_blocks(const level &l, const level_place &at)
{
    lds &memory = *at.top.lds[at.units.front()];
    auto &made = at.top.make<lds_translations>(at.name, at.top.clock(), params_of<lds_tx_params>(l), memory,
                                               at.stage_or(lds_translations::usual()));
    at.top.cu[at.units.front()]->lend_to(&made);
    memory.lend_to(&made);
    return instance_of(made);
}

} // namespace walkway
