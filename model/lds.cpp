/* SPDX-License-Identifier: MIT */
/* model/lds.cpp - behaviour of the controller of local memory. */
#include "model/lds.hpp"

#include "kernels/bits.h"
#include "model/common/signals.hpp"

#include <algorithm>

namespace walkway
{

void lds_params::visit(param_visitor &v)
{
    v.number(
        "banks", banks,
        {"banks", 0, WW_LDS_BANKS,
         "banks of local memory, a power of two; 0: no controller, an access per cycle takes cu.lds_cycles",
         assumed("off")});
    v.number("word_bytes", word_bytes,
             {"bytes", 4, 16, "word of a bank, a power of two; words lie in the banks in turn", assumed()});
    v.number("ports", ports,
             {"words per cycle", 1, WW_LDS_LANES, "words that each bank serves in a cycle", assumed()});
    v.number("hit_cycles", hit_cycles,
             {"cycles", 1, 100000, "from the banks to the answer, of an access without bank conflicts",
              paper("[M21] Table 1, another machine")});
    v.number("queue_entries", queue_entries, {"instructions", 1, 1024, "input queue", assumed()});
    if (!may_lend)
        return;
    tx.visit(v, paper("[M21] Table 1, another machine"));
    v.number("segment_bytes", segment_bytes,
             {"bytes", 32, 64, "of a segment of translations: 32 with three, 64 with six",
              paper("[M21] section 4.2.3, another machine")});
    v.choice("segment_index", segment_index, {"modulo", "xor"},
             {"", 0, 0, "how a page number picks its segment", assumed()});
    v.choice("mismatch", mismatch, {"rebase", "bypass"},
             {"", 0, 0,
              "a fill whose base is not its segment's: the segment's translations leave, or it is passed on",
              assumed("docs/lds-translations.md")});
    v.choice("layout", layout, {"together", "apart"},
             {"", 0, 0, "tags and translations in one segment, or all tags in the first quarter",
              paper("[M21] section 4.2.3, another machine")});
}

/* Is it one of those that without translations have no effect? */
bool lds_params::of_translations(const std::string &parameter)
{
    for (const char *key :
         {"lds.translations", "lds.tx_", "lds.promotion", "lds.segment_", "lds.mismatch", "lds.layout"})
        if (parameter.compare(0, std::string(key).size(), key) == 0)
            return true;
    return false;
}

ww_lds_tx_cfg lds_params::tx_store() const
{
    return {static_cast<uint32_t>(bytes), segment_bytes, segment_index, mismatch, layout, tx.page_sizes};
}

uint64_t lds_params::tx_state_bytes() const
{
    const ww_lds_tx_cfg cfg = tx_store();
    return lends() ? ww_lds_tx_bytes(&cfg) : 0;
}

static ww_lds_cfg cfg_of(const lds_params &p)
{
    return {p.banks, p.word_bytes, p.ports};
}

std::string lds_params::validate() const
{
    const ww_lds_cfg cfg = cfg_of(*this);
    if (present() && ww_lds_bytes(&cfg) == 0)
        return !ww_is_pow2(banks) ? "banks is not a power of two" : "word_bytes is not a power of two";
    if (!lends())
        return "";
    if (!present())
        return "translations need a controller of local memory: set banks";
    if (segment_bytes != 32 && segment_bytes != 64)
        return "segment_bytes is neither 32 nor 64";
    const ww_lds_tx_cfg store = tx_store();
    return ww_lds_tx_bytes(&store) == 0
               ? "translations need a local memory (cu.lds_bytes) of 1 KiB to 1 MiB, a power of two"
               : "";
}

/* Of the access at the banks its lanes' offsets, and which of them are served. The contents are bytes of
 * cu.lds_bytes; they count where lookups search them for translations. */
void lds_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const auto rows = std::max(1u, static_cast<uint32_t>(bytes / word_bytes / banks));
    list.add("lanes", ww_lds_bits(bytes));
    hardware_array &bank =
        list.add_array("banks", {rows, 8 * word_bytes, 0, 1, 8 * word_bytes, ports}, {".words"}, {});
    bank.copies *= banks;
    if (lends()) {
        const ww_lds_tx_cfg cfg = tx_store();
        list.add("translations", ww_lds_tx_bits(&cfg));
        list.add_array("translations", {rows, 8 * segment_bytes, 0, 1, 8 * segment_bytes, 1},
                       {"_tx.port_uses"}, {})
            .lent = true;
    }
}

lds::lds(const sc_core::sc_module_name &name, const clock_domain &clock, const lds_params &p)
    : block(name, clock), up("up", *this, *this, p.queue_entries), params_(p)
{
    const ww_lds_cfg cfg = cfg_of(p);
    kernel_ = blob(ww_lds_bytes(&cfg));
    if (ww_lds_init(banks(), kernel_.bytes(), &cfg) != WW_OK)
        fail("/walkway/lds", std::string(this->name()) + ": " + p.validate());
}

void lds::begin(wave_access &a, tick now)
{
    ww_lds_serve(banks(), clock().floor_cycle(now - began_));
    const bool atomic = a.access == access_kind::atomic;
    const ww_lds_access wanted = {a.lanes.mask, a.lanes.va, a.lanes.bytes, atomic};
    ww_lds_need need;
    ww_lds_begin(banks(), &wanted, &need);
    began_ = now;
    free_from_ = now + clock().cycles(need.cycles);
    ++stats_.accesses;
    stats_.atomics += atomic ? 1 : 0;
    stats_.wanted += need.wanted;
    stats_.words += need.words;
    stats_.shared += need.shared;
    stats_.bank_cycles += need.cycles;
    stats_.conflict_cycles += need.cycles - need.least;
    observe(lds_events::access, need.cycles, need.words);
    if (lent_to_ != nullptr)
        lent_to_->accessed(a);
    up.respond(a, now + clock().cycles(uint64_t{need.cycles} - 1 + params_.hit_cycles));
    ++stats_.responses;
}

void lds::step(tick now)
{
    if (up.ready(now) && now >= free_from_) {
        stats_.queue_cycles += clock().floor_cycle(now - up.due());
        wave_access &a = up.front();
        up.pop();
        begin(a, now);
    }
    if (sampled() && free_from_ > now)
        wake(free_from_);
    const tick next = up.next();
    if (next != never)
        wake(next > now ? next : free_from_);
}

void lds::visit(stat_visitor &v, tick) const
{
    v.count("accesses", stats_.accesses, "count", "local memory instructions that began at the banks");
    v.count("atomics", stats_.atomics, "count", "of those, read-modify-writes");
    v.count("wanted", stats_.wanted, "words", "words that their lanes want; = words + shared");
    v.count("words", stats_.words, "words", "words that banks served");
    v.count("shared", stats_.shared, "words", "words that came with another lane's of the same access");
    v.count("bank_cycles", stats_.bank_cycles, "cycles", "cycles in which an access was at the banks");
    v.count("conflict_cycles", stats_.conflict_cycles, "cycles",
            "of those, more than the words would take if they were spread evenly over the banks");
    v.count("queue_cycles", stats_.queue_cycles, "cycles",
            "time that accesses waited for the banks, added up");
    v.count("responses", stats_.responses, "count", "accesses answered; = accesses at the end of a run");
}

void lds::laws(law_list &list) const
{
    list.add("words wanted = served + shared", stats_.wanted, stats_.words + stats_.shared);
    list.add("every access answered", up.taken(), stats_.responses);
}

std::string lds::waiting() const
{
    return up.size() == 0 ? "" : std::to_string(up.size()) + " local accesses queued";
}

void lds::signals(signal_visitor &v) const
{
    v.value("queue", 12, up.size(), "accesses accepted from above, those on the wire counted");
    v.value("busy", 1, free_from_ > now(), "an access is at the banks");
    v.pulse("access", 4, stats_.accesses, "accesses that began at the banks");
    v.pulse("conflict", 12, stats_.conflict_cycles, "cycles of bank conflicts that the access adds");
}

} // namespace walkway
