/* SPDX-License-Identifier: MIT */
/* model/params/victim_tlb.cpp - the parameters of victim TLBs. */
#include "model/params/victim_tlb.hpp"

#include "model/common/set_sizes.hpp"
#include "translate/tlb_stores.hpp"

namespace walkway
{

void victim_params::visit(param_visitor &v)
{
    v.number(
        "entries", entries,
        {"entries", 0, 65536, "translations held; 0: no victim TLB, what leaves the level above is dropped"});
    v.needs("entries");
    v.number("ways", ways, {"ways", 0, 4096, "associativity; 0: fully associative", neutral});
    v.number("hit_cycles", hit_cycles, {"cycles", 1, 100000, "from a port to the answer, hit or miss"});
    v.only_timed(one_access);
    v.number("ports", ports, {"lookups per cycle", 1, 64, "lookups that may start in one cycle"});
    v.number("queue_entries", queue_entries, {"requests", 1, 65536, "input queue of each requester"});
    v.only_timed("");
    v.number("fills", fills, {"entries", 1, 4096, "victims of each requester that may be on their way here"});
    v.number("response_cycles", response_cycles,
             {"cycles", 1, 100000, "from an answer of the level below to the requester", neutral});
    v.number("link_cycles", link_cycles, {"cycles", 0, 100000, "from here to the level below", neutral});
    v.choice("victims", victims, {"drop", "pass"},
             {"", 0, 0, "what leaves for another: dropped, or passed on to a level below that takes fills",
              neutral});
}

tlb_section victim_params::store() const
{
    return plain_tlb(entries, ways == 0 ? entries : ways, page_sizes);
}

stage_policy victim_params::policy() const
{
    stage_policy policy;
    policy.fills = fills;
    policy.passes_victims = victims != 0;
    policy.keeps_answers = false;
    policy.moves_hits = true;
    return policy;
}

stage_times victim_params::times(const clock_domain &clock) const
{
    return {clock.cycles(hit_cycles), clock.cycles(response_cycles), clock.cycles(link_cycles)};
}

std::string victim_params::validate() const
{
    if (!present())
        return "";
    const std::string sets = ways == 0 ? "" : wrong_sets("entries / ways", "entries", entries, ways);
    if (!sets.empty())
        return sets;
    return bytes_of_store(store()) == 0
               ? "a set has more than 64 ways (fully associative: more than 4096 entries)"
               : "";
}

void victim_params::structures(structure_list &list) const
{
    if (!present())
        return;
    const tlb_section held = store();
    list.add_entries(bits_of_store(held, list.widths), entries, held.ways, ports);
}

uint64_t victim_params::state_bytes() const
{
    return present() ? bytes_of_store(store()) : 0;
}

} // namespace walkway
