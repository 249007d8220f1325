/* SPDX-License-Identifier: MIT */
/* What the tests of whole machines have to know of translations in local memory. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_lds_translations()
{
    using s = stimulus;
    const std::string base = "lds.banks=16 l1_tlb.entries=16 l1_tlb.ways=4 ";
    const std::string lent = base + "lds.translations=on cu.lds_bytes=16384 ";
    const std::string wide = "lds.banks=32 lds.translations=on lds.tx_fills=4096 lds.tx_queue_entries=4096 ";
    mechanism m;
    m.on = "lds.banks=8 lds.translations=on";
    m.between = "lds_tx";
    m.rows = {
        {"lds.translations", "on", s::rows, base},
        {"lds.tx_cycles", "60", s::rows, lent},
        {"lds.tx_skip_cycles", "20", s::rows, lent},
        {"lds.tx_wire_cycles", "100", s::rows, lent},
        {"lds.tx_queue_entries", "1", s::rows, lent + "l1_tlb.hit_cycles=1 lds.tx_hit_uses=9"},
        {"lds.tx_fills", "1", s::rows, lent},
        {"lds.tx_hit_uses", "9", s::rows, lent},
        {"lds.tx_fill_uses", "60", s::rows, lent},
        {"lds.promotion", "move", s::rows, lent},
        {"lds.segment_bytes", "64", s::rows, lent},
        {"lds.segment_index", "xor", s::rows, lent + "cu.lds_bytes=1024 cu.lds_granule=32"},
        {"lds.mismatch", "bypass", s::wide, lent},
        {"lds.layout", "apart", s::lent, lent + "gpu.cus=1 "},
    };
    m.bounds = {{"lds.tx_queue_entries", "", wide,
                 wide + "l1_tlb.hit_cycles=1 l1_tlb.ports=2 lds.tx_hit_uses=2 ",
                 "l1_tlb.stall_below_cycles"}};
    m.capacities = {{"lds.tx_fills", "", "lds.banks=32 lds.translations=on", "", ""}};
    m.no_bounds = {{"lds.segment_bytes", "where an address lies"}};
    m.levels = {{"l1_tlb", "lds", ""}, {"lds", "l2_tlb", ""}};
    m.corners = {
        "lds.banks=4 lds.translations=on cu.lds_bytes=1024 cu.lds_granule=64 gpu.cus=2 l1_tlb.entries=4 "
        "l1_tlb.ways=4 lds.tx_fills=1 lds.tx_queue_entries=1 l2_tlb.fills=1",
        "lds.banks=16 lds.translations=on cu.lds_bytes=8192 l2_tlb.fills=2 l1_tlb.entries=8 l1_tlb.ways=8 "
        "lds.promotion=move victim.entries=16 victim.victims=pass",
        "lds.banks=1 lds.translations=on lds.layout=apart lds.tx_queue_entries=1 lds.tx_fills=1 "
        "lds.tx_fill_uses=40 l1_tlb.queue_entries=1 l1_tlb.mshrs=1 l1_tlb.merges=1 "
        "l2_tlb.queue_entries=1 address_space.page=mixed",
    };
    return m;
}

} // namespace walkway::test
