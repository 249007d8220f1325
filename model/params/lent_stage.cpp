/* SPDX-License-Identifier: MIT */
/* model/params/lent_stage.cpp - the parameters of translations in lent memory. */
#include "model/params/lent_stage.hpp"

namespace walkway
{

void lent_params::visit(param_visitor &v)
{
    v.choice("translations", translations, {"off", "on"},
             {"", 0, 0, "does what is idle keep translations that leave the level above?"});
    v.number("cycles", cycles,
             {"cycles", 1, 100000, "from the port to the answer, hit or miss, decompression included"});
    v.number("skip_cycles", skip_cycles,
             {"cycles", 1, 100000,
              "the same, where the mode bit says that no translation can be here; no port is used"});
    v.number("wire_cycles", wire_cycles,
             {"cycles", 0, 100000, "more for the way of a translation, in every lookup", neutral});
    v.number("queue_entries", queue_entries, {"requests", 1, 65536, "input queue of each requester"});
    v.number("fills", fills,
             {"entries", 1, 4096,
              "victims of each requester that may be on their way here, and as many that wait for the port"});
    v.number("hit_uses", hit_uses,
             {"cycles", 1, 100, "cycles of the port that a lookup takes, for each page size"});
    v.number("fill_uses", fill_uses,
             {"cycles", 1, 100, "cycles of the port that a fill takes: tags read, then written"});
    v.choice("promotion", promotion, {"copy", "move"},
             {"", 0, 0, "a hit goes to the level above: it stays here, too, or not", neutral});
}

} // namespace walkway
