/* SPDX-License-Identifier: MIT */
/* model/params/lent_stage.cpp - the parameters of translations in a memory that is lent. */
#include "model/params/lent_stage.hpp"

namespace walkway
{

void lent_params::visit(param_visitor &v)
{
    v.choice("translations", translations, {"off", "on"},
             {"", 0, 0, "does what is idle keep translations that leave L1 TLBs?"});
    v.number("tx_cycles", cycles,
             {"cycles", 1, 100000, "from the port to the answer, hit or miss, decompression included"});
    v.number("tx_skip_cycles", skip_cycles,
             {"cycles", 1, 100000,
              "the same, where the mode bit says that no translation can be here; no port is used"});
    v.number("tx_wire_cycles", wire_cycles,
             {"cycles", 0, 100000, "more for the way of a translation, in every lookup"});
    v.number("tx_queue_entries", queue_entries,
             {"requests", 1, 65536, "input queue of translations, of each compute unit"});
    v.number(
        "tx_fills", fills,
        {"entries", 1, 4096,
         "victims of each compute unit that may be on their way here, and as many that wait for the port"});
    v.number("tx_hit_uses", hit_uses,
             {"cycles", 1, 100, "cycles of the port that a lookup takes, for each page size"});
    v.number("tx_fill_uses", fill_uses,
             {"cycles", 1, 100, "cycles of the port that a fill takes: tags read, then written"});
    v.choice("promotion", promotion, {"copy", "move"},
             {"", 0, 0, "a hit goes to the L1 TLB: it stays here, too, or not"});
}

} // namespace walkway
