/* SPDX-License-Identifier: MIT */
/* model/params/lds.cpp - the parameters of the controller of local memory, and of translations in it. */
#include "model/params/lds.hpp"

#include <algorithm>

namespace walkway
{

void lds_params::visit(param_visitor &v)
{
    v.number(
        "banks", banks,
        {"banks", 0, WW_LDS_BANKS,
         "banks of local memory, a power of two; 0: no controller, an access per cycle takes cu.lds_cycles",
         neutral});
    v.needs("banks");
    v.number("word_bytes", word_bytes,
             {"bytes", 4, 16, "word of a bank, a power of two; words lie in the banks in turn"});
    v.number("ports", ports, {"words per cycle", 1, WW_LDS_LANES, "words that each bank serves in a cycle"});
    v.number("hit_cycles", hit_cycles,
             {"cycles", 1, 100000, "from the banks to the answer, of an access without bank conflicts"});
    v.number("queue_entries", queue_entries, {"instructions", 1, 1024, "input queue"});
}

std::string lds_params::validate() const
{
    const ww_lds_cfg cfg = controller();
    if (present() && ww_lds_bytes(&cfg) == 0)
        return !ww_is_pow2(banks) ? "banks is not a power of two" : "word_bytes is not a power of two";
    return "";
}

/* Adds the state of the access at the banks: for each lane, its offset and whether it is served. The contents
 * (cu.lds_bytes) are no part of it; lds_tx_params counts them where they hold translations. */
void lds_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const auto rows = std::max(1u, static_cast<uint32_t>(bytes / word_bytes / banks));
    list.add("lanes", ww_lds_bits(bytes));
    hardware_array &bank = list.add_array("banks", {rows, 8 * word_bytes, 0, 1, 8 * word_bytes, ports},
                                          {".words", ".moved_words"}, {});
    bank.copies *= banks;
}

ww_lds_cfg lds_params::controller() const
{
    return {banks, word_bytes, ports};
}

void lds_tx_params::visit(param_visitor &v)
{
    v.needs("lds.banks");
    lent.visit(v);
    v.number("segment_bytes", segment_bytes,
             {"bytes", 32, 64, "of a segment of translations: 32 with three, 64 with six"});
    v.choice("segment_index", segment_index, {"modulo", "xor"},
             {"", 0, 0, "how a page number picks its segment", neutral});
    v.choice(
        "mismatch", mismatch, {"rebase", "bypass"},
        {"", 0, 0,
         "a fill whose base is not its segment's: the segment's translations leave, or it is passed on"});
    v.choice("layout", layout, {"together", "apart", "readjusted"},
             {"", 0, 0,
              "tags and translations in one segment; all tags in the first quarter; so, and moved for an "
              "allocation"});
}

ww_lds_tx_cfg lds_tx_params::store() const
{
    return {static_cast<uint32_t>(bytes), segment_bytes, segment_index, mismatch, layout, lent.page_sizes};
}

uint64_t lds_tx_params::state_bytes() const
{
    const ww_lds_tx_cfg cfg = store();
    return present() ? ww_lds_tx_bytes(&cfg) : 0;
}

std::string lds_tx_params::validate() const
{
    if (!present())
        return "";
    if (segment_bytes != 32 && segment_bytes != 64)
        return "segment_bytes is neither 32 nor 64";
    const ww_lds_tx_cfg cfg = store();
    return ww_lds_tx_bytes(&cfg) == 0
               ? "translations need a local memory (cu.lds_bytes) of 1 KiB to 1 MiB, a power of two"
               : "";
}

void lds_tx_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const ww_lds_tx_cfg cfg = store();
    const auto rows = std::max(1u, static_cast<uint32_t>(bytes / word_bytes / std::max(1u, banks)));
    list.add("translations", ww_lds_tx_bits(&cfg));
    list.add_array("translations", {rows, 8 * segment_bytes, 0, 1, 8 * segment_bytes, 1}, {".port_uses"}, {})
        .lent = true;
}

} // namespace walkway
