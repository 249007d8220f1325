/* SPDX-License-Identifier: MIT */
/* model/memory_tlb_stats.cpp - statistics and signals of the table of translations in memory. */
#include "model/memory_tlb.hpp"

#include "kernels/bits.h"
#include "model/common/miss_engine.hpp"
#include "model/common/signals.hpp"

namespace walkway
{

void memory_tlb_stats::visit(stat_visitor &v) const
{
    v.count("lookups", lookups, "count", "requests that looked the table up; = hits + misses");
    v.count("hits", hits, "count", "lookups that found the translation");
    v.count("misses", misses, "count", "lookups that did not, and went to the IOMMU");
    v.count("masked", masked, "count",
            "of the misses, those that found what an invalidate was about to drop");
    v.count("merged", merged, "count",
            "lookups, one for each page size, that joined a line on its way from or to memory");
    v.count("forwarded", forwarded, "count",
            "lookups, one for each page size, of a line that was being written");
    v.count("second_probes", second_probes, "count", "lookups for a page size beyond the smallest");
    v.count("line_reads", line_reads, "count", "lines of the table read through the L2 data cache");
    v.count("line_writes", line_writes, "count", "lines written");
    v.count("fills", fills, "count", "answers from below; = kept + refreshed + same + refused + dropped");
    v.count("fills_kept", fills_kept, "count", "of those, entered");
    v.count("fills_refreshed", fills_refreshed, "count",
            "of those, with a page that had another translation");
    v.count("fills_same", fills_same, "count", "of those, there already: nothing was written");
    v.count("fills_refused", fills_refused, "count", "of those, overtaken by an invalidate");
    v.count("fills_dropped", fills_dropped, "count", "of those, with no place to wait for their line");
    v.count("displaced", displaced, "count", "translations that had to leave for a fill");
    v.count("invalidated", invalidated, "count", "translations that an invalidate dropped");
    v.count("invalidate_lines", invalidate_lines, "count", "lines that invalidates looked through");
    v.count("epochs", epochs, "count", "invalidates that began a new epoch instead");
    v.count("sweeps", sweeps, "count",
            "of those, with the first number again: every line was looked through");
    v.level("resident", resident, "entries", "translations in the table");
    v.count("stall_lines_cycles", stall_lines_cycles, "cycles",
            "cycles in which a request waited only for a line's buffer, or for room to wait at one");
    v.count("stall_below_cycles", stall_below_cycles, "cycles",
            "cycles in which a miss stood outside the full queue of the IOMMU, and no lookup started");
    v.count("stall_memory_cycles", stall_memory_cycles, "cycles",
            "cycles in which a line's read or write stood outside the full queue of the L2 data cache");
    v.count("responses", responses, "count", "requests answered; = lookups at the end of a run");
}

memory_tlb_stats memory_tlb::stats() const
{
    memory_tlb_stats all = stats_;
    all.resident = resident_;
    all.stall_below_cycles = down.blocked_ps() / clock().period();
    all.stall_memory_cycles = mem.blocked_ps() / clock().period();
    return all;
}

/* The last law compares the number of held translations with the table in memory. */
void memory_tlb::laws(law_list &list) const
{
    const memory_tlb_stats &s = stats_;
    list.add("lookups = hits + misses", s.lookups, s.hits + s.misses);
    list.add("every request answered", s.lookups, s.responses);
    list.add("fills = kept + refreshed + same + refused + dropped", s.fills,
             s.fills_kept + s.fills_refreshed + s.fills_same + s.fills_refused + s.fills_dropped);
    list.add("fills_kept = displaced + invalidated + resident", s.held_at_start + s.fills_kept,
             s.displaced + s.invalidated + resident_);
    list.add("resident = translations that memory has", resident_, in_memory());
}

memory_tlb::causes::causes(const block &owner, const stage_name &stage)
{
    account_names &names = *owner.names();
    const uint32_t track = names.add_track({&owner, ""});
    queue = names.add(track, stage.name + "_queue",
                      "waiting for a port or a line buffer of the " + stage.title + ", the wire included");
    read = names.add(track, stage.name + "_read", "a line of the " + stage.title + " is on its way");
    compare = names.add(track, stage.name + "_compare", "the line's tags are compared");
}

size_t memory_tlb::queued() const
{
    size_t n = 0;
    for (const auto &port : up)
        n += port->size();
    return n;
}

std::string memory_tlb::waiting() const
{
    if (queued() == 0 && pending_.count() == 0 && answers_in_.empty() && fills_wait_.empty() &&
        again_.empty() && again_now_.empty() && unsent_.empty() && !dropping_)
        return "";
    return std::to_string(queued()) + " requests queued, " + std::to_string(pending_.count()) + " of " +
           std::to_string(params_.mshrs) + " lines in flight, " + std::to_string(fills_wait_.size()) +
           " fills wait for one, " + std::to_string(unsent_.size()) + " misses for the IOMMU" +
           (dropping_ ? ", an invalidate drops" : "");
}

void memory_tlb::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        v.value("queue", 32, queued(), "requests accepted from above, those on the wire counted");
        v.value("stalled", 1, stalled_since_ != never, "a request waits only for a line's buffer");
        v.value("lines", 17, pending_.count(), "lines of the table on their way from or to memory");
        v.value("fills", 17, fills_wait_.size(), "answers that wait for a line to be entered in");
        v.value("unsent", 32, unsent_.size(), "misses that the IOMMU has no room for");
        v.value("dropping", 1, dropping_, "an invalidate goes through its lines");
        v.pulse("hit", 8, stats_.hits, "lookups that found the translation");
        v.pulse("miss", 8, stats_.misses, "lookups that go to the IOMMU");
        v.pulse("read", 8, stats_.line_reads, "lines read");
        v.pulse("write", 8, stats_.line_writes, "lines written");
        v.pulse("fill", 8, stats_.fills_kept, "translations entered");
        shown_.show(v);
    });
}

} // namespace walkway
