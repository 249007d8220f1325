/* SPDX-License-Identifier: MIT */
/* model/params/tlb_probe.hpp - the parameters of a stop of the ring on which TLBs probe their neighbours. */
#ifndef WALKWAY_MODEL_PARAMS_TLB_PROBE_HPP
#define WALKWAY_MODEL_PARAMS_TLB_PROBE_HPP

#include "model/common/params.hpp"
#include "model/common/structure.hpp"
#include "translate/tlb_stores.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

/* Which requests have the ports of a TLB first, and when the level below is asked. */
enum class probe_priority : uint8_t { demands, probes };
enum class probe_when : uint8_t { before, beside };

struct tlb_probe_params {
    uint32_t hops = 0;  /* 0: no ring */
    uint32_t stops = 0; /* 0: all of one ring */
    uint32_t hop_cycles = 0, lookup_cycles = 0;
    uint32_t waits = 0, in_flight = 0;
    uint32_t hit_cycles = 0;
    uint32_t response_cycles = 1;
    uint8_t priority = 0;                          /* enum probe_priority */
    uint8_t when = 0;                              /* enum probe_when */
    uint32_t filter_entries = 0, filter_shift = 0; /* 0: every miss probes */
    uint32_t entries = 0;                          /* 0: no translations are sent ahead */
    /* Of the TLB above; set by the platform, not parameters. */
    uint32_t ports = 1, queue_entries = 64;
    uint32_t page_sizes = 1u << 12;

    bool present() const { return hops != 0; }
    bool asks_beside() const { return static_cast<probe_when>(when) == probe_when::beside; }
    /* The store of translations sent ahead; a store of one place, never entered, if none are sent. */
    tlb_section buffer() const
    {
        const uint32_t places = entries == 0 ? 1 : entries;
        return plain_tlb(places, places, page_sizes);
    }
    /* The store of regions, each as a page of 4 KiB. */
    tlb_section filter() const { return plain_tlb(filter_entries, filter_entries, 1u << WW_PAGE_4K); }

    std::string validate() const { return ""; } /* its ranges suffice */
    void visit(param_visitor &v)
    {
        v.number("hops", hops,
                 {"stops", 0, 125, "how far a miss asks on the ring, to either side; 0: there is no ring"});
        v.needs("hops");
        v.number("stops", stops,
                 {"stops", 0, 250,
                  "neighbours by number on one ring, then as many on the next; 0: all are on one", neutral});
        v.number("hop_cycles", hop_cycles, {"cycles", 1, 100000, "from one stop to the next"});
        v.number("lookup_cycles", lookup_cycles,
                 {"cycles", 1, 100000, "from a port of the TLB that is asked to its answer on the ring"});
        v.choice(
            "priority", priority, {"demands", "probes"},
            {"", 0, 0,
             "which has the ports of a TLB first: its own lookups, and probes what they leave, or probes",
             neutral});
        v.number("waits", waits,
                 {"probes", 1, 4096,
                  "probes that may wait for a port at a stop; one more is answered as if nothing were held"});
        v.number(
            "in_flight", in_flight,
            {"misses", 1, 4096, "misses of a stop that may be asking; one more asks the level below only"});
        v.choice(
            "when", when, {"before", "beside"},
            {"", 0, 0,
             "the level below is asked before: behind the last neighbour that has nothing; beside: at once",
             neutral});
        v.number("filter_entries", filter_entries,
                 {"regions", 0, 4096,
                  "regions remembered in which no neighbour had anything, so that misses do not ask; 0: all "
                  "misses ask",
                  neutral});
        v.needs("filter_entries");
        v.number("filter_shift", filter_shift, {"bits", 12, 40, "a region is 2 to this of bytes"});
        v.needs("hops");
        v.number("entries", entries,
                 {"entries", 0, 4096,
                  "translations held that neighbours have sent ahead: each stop sends what the level below "
                  "answers as far as it asks; 0: nothing is sent ahead",
                  neutral});
        v.number("hit_cycles", hit_cycles,
                 {"cycles", 1, 100000, "from a port of the stop to the ring, the level below or the answer"});
        v.number("response_cycles", response_cycles,
                 {"cycles", 1, 100000, "from an answer of a neighbour or of the level below to the requester",
                  neutral});
    }
    void structures(structure_list &list) const
    {
        if (!present())
            return;
        const uint64_t page = list.widths.va - list.widths.page_shift + list.widths.vmid;
        if (entries != 0)
            list.add_entries(bits_of_store(buffer(), list.widths), entries, entries, 1);
        list.add("asking", in_flight * (page + 8)); /* number of answers due */
        list.add("waits", waits * (page + 8));      /* stop that it came from */
        if (filter_entries != 0)
            list.add("filter", filter_entries * (list.widths.va - filter_shift + list.widths.vmid + 1 +
                                                 ww_lru_bits(1, filter_entries) / filter_entries));
    }
    uint64_t state_bytes() const /* bytes of the host, without queues */
    {
        if (!present())
            return 0;
        return bytes_of_store(buffer()) + (filter_entries == 0 ? 0 : bytes_of_store(filter()));
    }
};

} // namespace walkway

#endif
