/* SPDX-License-Identifier: MIT */
/* model/params/memory_tlb.cpp - the parameters of the table of translations in memory. */
#include "model/params/memory_tlb.hpp"

#include "kernels/bits.h"
#include "model/common/pending.hpp"

namespace walkway
{

void memory_tlb_params::visit(param_visitor &v)
{
    v.number("entries", entries,
             {"entries", 0, 1u << 28,
              "translations that a table in memory has places for, 16 bytes each, carved out of "
              "address_space.memory_bytes; 0: there is none"});
    v.needs("entries");
    v.choice("index", index, {"modulo", "xor"},
             {"", 0, 0, "how a page number picks its line of four entries", neutral});
    v.number("ports", ports, {"lookups per cycle", 1, 64, "lookups that may start in one cycle"});
    v.number("mshrs", mshrs,
             {"lines", 1, 1u << 16, "lines of the table that may be on their way from or to memory"});
    v.number("merges", merges,
             {"requests", 1, 1u << 19, "lookups and fills that may wait for lines on their way"});
    v.number("queue_entries", queue_entries, {"requests", 1, 65536, "input queue"});
    v.number("fills", fills,
             {"entries", 1, 65536, "answers that may wait for a line to be entered in; one more is lost"});
    v.number("read_cycles", read_cycles, {"cycles", 0, 100000, "from here to the L2 data cache", neutral});
    v.number("compare_cycles", compare_cycles,
             {"cycles", 0, 100000, "from a line's arrival to hit or miss", neutral});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from a hit, or an answer from below, to the L2 TLB", neutral});
    v.number("above_cycles", above_cycles,
             {"cycles", 0, 100000,
              "from the level above to here; its link_cycles are from here to the level below", neutral});
}

ww_slot_cfg memory_tlb_params::table() const
{
    return {entries / WW_SLOT_LINE_SLOTS, index, epoch_bits, page_sizes};
}

std::string memory_tlb_params::validate() const
{
    if (!present())
        return "";
    const ww_slot_cfg cfg = table();
    return entries % WW_SLOT_LINE_SLOTS != 0 || ww_slot_cfg_wrong(&cfg) != nullptr
               ? "entries is not a power of two from 4 on"
               : "";
}

/* A line in a buffer has its number and its bytes; each waiter is a request; a page to be entered has the two
 * words of a slot. The epoch is on the chip, too; the table is in memory. */
void memory_tlb_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const ww_slot_cfg cfg = table();
    list.add_mshrs({mshrs, merges}, ww_name_bits(cfg.sets), {".line_reads"}, {".merged"});
    list.add("line_buffers", uint64_t{mshrs} * WW_LINE_BYTES * 8);
    list.add("fills", uint64_t{fills} * WW_SLOT_BYTES * 8);
    list.add("epoch", cfg.epoch_bits);
}

uint64_t memory_tlb_params::state_bytes() const
{
    const ww_mshr_cfg cfg = {mshrs, merges};
    return present() ? pending_bytes(cfg) + uint64_t{mshrs} * 2 * WW_LINE_BYTES + table_bytes() : 0;
}

} // namespace walkway
