/* SPDX-License-Identifier: MIT */
/* Translations in instruction caches, for the tests of whole machines. */
#include "tb/platform/mechanism.hpp"

namespace walkway::test
{

inline mechanism mechanism_icache_translations()
{
    using s = stimulus;
    const std::string base = "icache.entries=64 l1_tlb.entries=16 l1_tlb.ways=4 ";
    const std::string lent = base + "icache_tx.translations=on ";
    const std::string wide =
        "icache.entries=256 icache_tx.translations=on icache_tx.fills=4096 icache_tx.queue_entries=4096 ";
    mechanism m;
    m.on = "icache.entries=256 icache_tx.translations=on";
    m.between = "icache_tx";
    m.rows = {
        {"icache_tx.translations", "on", s::rows, base},
        {"icache_tx.order", "arrival", s::rows,
         lent + "icache.shared_by=8 l1_tlb.hit_cycles=1 icache_tx.hit_uses=9"},
        {"icache_tx.cycles", "60", s::rows, lent},
        {"icache_tx.skip_cycles", "20", s::rows, lent},
        {"icache_tx.wire_cycles", "100", s::rows, lent},
        {"icache_tx.queue_entries", "1", s::rows, lent + "l1_tlb.hit_cycles=1 icache_tx.hit_uses=9"},
        {"icache_tx.fills", "1", s::rows, lent},
        {"icache_tx.hit_uses", "9", s::rows, lent},
        {"icache_tx.fill_uses", "60", s::rows, lent},
        {"icache_tx.promotion", "move", s::rows, lent},
        {"icache_tx.design", "one", s::rows, lent},
        {"icache_tx.mismatch", "rebase", s::wide, lent},
        {"icache_tx.mismatch_limit", "1", s::wide, lent},
        {"icache_tx.index", "xor", s::rows, lent},
    };
    m.bounds = {{"icache_tx.queue_entries", "", wide,
                 wide + "l1_tlb.hit_cycles=1 l1_tlb.ports=2 icache_tx.hit_uses=2 ",
                 "l1_tlb.stall_below_cycles"}};
    m.capacities = {{"icache_tx.fills", "", "icache.entries=256 icache_tx.translations=on", "", ""}};
    m.no_bounds = {{"icache_tx.mismatch_limit", "fills until a line's base is set anew"}};
    m.levels = {{"l1_tlb", "icache", ""}, {"icache", "l2_tlb", ""}};
    m.corners = {
        "icache.entries=32 icache.ways=1 icache.shared_by=1 icache_tx.translations=on icache_tx.design=naive "
        "gpu.cus=2 "
        "l1_tlb.entries=4 l1_tlb.ways=4 icache_tx.fills=1 icache_tx.queue_entries=1 l2_tlb.fills=1",
        "icache.entries=64 icache_tx.translations=on icache_tx.promotion=move icache_tx.design=one "
        "l2_tlb.fills=2 "
        "l1_tlb.entries=8 l1_tlb.ways=8 lds.banks=16 lds_tx.translations=on cu.lds_bytes=1024 "
        "cu.lds_granule=32 "
        "victim.entries=16 victim.victims=pass victim.shared_by=4",
        "icache.entries=32 icache.mshrs=1 icache.merges=1 icache.queue_entries=1 icache_tx.translations=on "
        "icache_tx.mismatch=rebase icache_tx.queue_entries=1 icache_tx.fills=1 icache_tx.fill_uses=40 "
        "l1_tlb.queue_entries=1 l1_tlb.mshrs=1 l1_tlb.merges=1 l2_tlb.queue_entries=1 "
        "address_space.page=mixed",
    };
    return m;
}

} // namespace walkway::test
