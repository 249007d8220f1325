/* SPDX-License-Identifier: MIT */
/* Translations in local memory, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_lds_translations()
{
    using s = stimulus;
    const std::string base = "lds.banks=16 l1_tlb.entries=16 l1_tlb.ways=4 ";
    const std::string lent = base + "lds_tx.translations=on cu.lds_bytes=16384 ";
    const std::string wide =
        "lds.banks=32 lds_tx.translations=on lds_tx.fills=4096 lds_tx.queue_entries=4096 ";
    mechanism m;
    m.on = "lds.banks=8 lds_tx.translations=on";
    m.between = "lds_tx";
    m.rows = {
        {"lds_tx.translations", "on", s::rows, base},
        {"lds_tx.cycles", "60", s::rows, lent},
        {"lds_tx.skip_cycles", "20", s::rows, lent},
        {"lds_tx.wire_cycles", "100", s::rows, lent},
        {"lds_tx.queue_entries", "1", s::rows, lent + "l1_tlb.hit_cycles=1 lds_tx.hit_uses=9"},
        {"lds_tx.fills", "1", s::rows, lent},
        {"lds_tx.hit_uses", "9", s::rows, lent},
        {"lds_tx.fill_uses", "60", s::rows, lent},
        {"lds_tx.promotion", "move", s::rows, lent},
        {"lds_tx.segment_bytes", "64", s::rows, lent},
        {"lds_tx.segment_index", "xor", s::rows, lent + "cu.lds_bytes=1024 cu.lds_granule=32"},
        {"lds_tx.mismatch", "bypass", s::wide, lent},
        {"lds_tx.layout", "apart", s::lent, lent + "gpu.cus=1 "},
    };
    m.bounds = {{"lds_tx.queue_entries", "", wide,
                 wide + "l1_tlb.hit_cycles=1 l1_tlb.ports=2 lds_tx.hit_uses=2 ",
                 "l1_tlb.stall_below_cycles"}};
    m.capacities = {{"lds_tx.fills", "", "lds.banks=32 lds_tx.translations=on", "", ""}};
    m.no_bounds = {{"lds_tx.segment_bytes", "where an address lies"}};
    m.levels = {{"l1_tlb", "lds", ""}, {"lds", "l2_tlb", ""}};
    m.corners = {
        "lds.banks=4 lds_tx.translations=on cu.lds_bytes=1024 cu.lds_granule=64 gpu.cus=2 l1_tlb.entries=4 "
        "l1_tlb.ways=4 lds_tx.fills=1 lds_tx.queue_entries=1 l2_tlb.fills=1",
        "lds.banks=16 lds_tx.translations=on cu.lds_bytes=8192 l2_tlb.fills=2 l1_tlb.entries=8 l1_tlb.ways=8 "
        "lds_tx.promotion=move victim.entries=16 victim.victims=pass",
        "lds.banks=1 lds_tx.translations=on lds_tx.layout=apart lds_tx.queue_entries=1 lds_tx.fills=1 "
        "lds_tx.fill_uses=40 l1_tlb.queue_entries=1 l1_tlb.mshrs=1 l1_tlb.merges=1 "
        "l2_tlb.queue_entries=1 address_space.page=mixed",
        "lds.banks=2 lds_tx.translations=on lds_tx.layout=readjusted cu.lds_bytes=2048 cu.lds_granule=64 "
        "gpu.cus=2 l1_tlb.entries=4 l1_tlb.ways=4",
    };
    return m;
}

} // namespace walkway::test
