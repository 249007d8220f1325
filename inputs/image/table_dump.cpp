/* SPDX-License-Identifier: MIT */
/* image/table_dump.cpp - feeds every present entry of every node to the kernel's feed(), as a walk does. */
#include "image/table_dump.hpp"

namespace walkway
{

namespace
{

/* A present entry of a node. */
struct node_entry {
    uint64_t va, pa, value; /* the first address that it translates; its own address; its content */
    uint64_t next;          /* the walk after reading it */
};

void note(broken_entries &b, const node_entry &e, uint32_t level)
{
    if (b.count++ == 0)
        b = {1, e.va, e.pa, e.value, level};
}

bool same_rights(const mapped_range &a, const mapped_range &b)
{
    return a.page_shift == b.page_shift && a.rights == b.rights;
}

mapped_range page_of(const node_entry &e)
{
    const ww_xlat x = ww_walk_xlat(e.next);
    return {e.va, ww_page_bytes(x.page_shift), x.page_pa, x.page_shift, e.next & WW_X86_RIGHTS};
}

/* Joins contiguous pages, which are added in the order of addresses. */
class joined_ranges
{
public:
    /* Returns true if the page begins a new range, and sets *ended to the range before it; empty: none. */
    bool add(const mapped_range &page, mapped_range *ended)
    {
        if (now_.bytes != 0 && now_.va + now_.bytes == page.va && now_.pa + now_.bytes == page.pa &&
            same_rights(now_, page)) {
            now_.bytes += page.bytes;
            return false;
        }
        *ended = now_;
        now_ = page;
        return true;
    }
    mapped_range take()
    {
        const mapped_range last = now_;
        now_ = {};
        return last;
    }

private:
    mapped_range now_{}; /* 0 bytes: no range has begun */
};

} // namespace

/* Calls each(entry) for every present entry of the node that the walk reads, in order. Skips lines that the
 * image does not contain. */
template <class Fn> void table_dump::for_entries(uint64_t walk, uint64_t va, Fn each) const
{
    const uint32_t shift = ww_level_shift(ww_walk_step(walk));
    for (uint32_t first = 0; first < WW_NODE_ENTRIES; first += WW_LINE_PTES) {
        const uint64_t pa = ww_walk_pa(walk) + first * sizeof(uint64_t);
        uint64_t line[WW_LINE_PTES];
        if (!table_.read_line(pa, line))
            continue;
        for (uint32_t i = 0; i < WW_LINE_PTES; ++i) {
            if (!ww_pte_present(line[i]))
                continue;
            const uint64_t at = ww_x86_canonical(va + (uint64_t{first + i} << shift), table_.levels());
            each(node_entry{at, pa + i * sizeof(uint64_t), line[i],
                            ww_table_feed(&table_.table, walk, at, line)});
        }
    }
}

bool table_dump::whole(uint64_t node_pa) const
{
    for (uint32_t offset = 0; offset < WW_NODE_BYTES; offset += WW_LINE_BYTES)
        if (!table_.image.has(node_pa + offset, WW_LINE_BYTES))
            return false;
    return true;
}

const table_dump::node_count &table_dump::count_node(uint64_t walk, uint64_t va, dump_totals &totals,
                                                     const std::function<bool()> &stop)
{
    const auto known = counts_.find(walk);
    if (known != counts_.end())
        return known->second;
    const bool first_time = met_.insert(walk & ~WW_X86_RIGHTS).second;
    node_count sum;
    joined_ranges ranges;
    mapped_range ended{};
    for_entries(walk, va, [&](const node_entry &e) {
        if (ww_walk_act(e.next) == WW_WALK_DONE) {
            ++sum.pages[ww_walk_step(walk) - 1];
            sum.ranges += ranges.add(page_of(e), &ended);
        } else if (ww_walk_act(e.next) == WW_WALK_READ && !stop()) {
            if (first_time && !whole(ww_walk_pa(e.next)))
                note(totals.outside, e, ww_walk_step(walk));
            const node_count &below = count_node(e.next, e.va, totals, stop);
            for (size_t size = 0; size < sum.pages.size(); ++size)
                sum.pages[size] += below.pages[size];
            sum.ranges += below.ranges;
        } else if (first_time) {
            note(totals.malformed, e, ww_walk_step(walk));
        }
    });
    return counts_[walk] = sum;
}

dump_totals table_dump::count(const std::function<bool()> &stop)
{
    dump_totals totals;
    const node_count all = count_node(ww_table_start(&table_.table, 0), 0, totals, stop);
    totals.pages = all.pages;
    totals.ranges = all.ranges;
    std::unordered_set<uint64_t> nodes;
    for (const auto &met : counts_)
        if (whole(ww_walk_pa(met.first)))
            nodes.insert(ww_walk_pa(met.first));
    totals.nodes = nodes.size();
    return totals;
}

struct table_dump::listing {
    sink &to;
    bool fold;
    const std::function<bool()> &stop;
    joined_ranges ranges;
    std::unordered_map<uint64_t, uint64_t> listed; /* first addresses of nodes, by the walk that reads one */

    void page(const mapped_range &p)
    {
        mapped_range ended{};
        if (ranges.add(p, &ended) && ended.bytes != 0)
            to.range(ended);
    }
    void end_range()
    {
        const mapped_range last = ranges.take();
        if (last.bytes != 0)
            to.range(last);
    }
};

void table_dump::list_node(uint64_t walk, uint64_t va, listing &l) const
{
    const uint64_t ranges = counts_.at(walk).ranges;
    if (ranges == 0 || l.stop())
        return;
    if (l.fold && ranges > 1) {
        const auto before = l.listed.emplace(walk, va);
        if (!before.second) {
            l.end_range();
            l.to.repeated({va, ww_page_bytes(ww_level_shift(ww_walk_step(walk) + 1)), before.first->second});
            return;
        }
    }
    for_entries(walk, va, [&](const node_entry &e) {
        if (ww_walk_act(e.next) == WW_WALK_DONE)
            l.page(page_of(e));
        else if (ww_walk_act(e.next) == WW_WALK_READ)
            list_node(e.next, e.va, l);
    });
}

void table_dump::list(sink &to, bool fold, const std::function<bool()> &stop)
{
    listing l{to, fold, stop, {}, {}};
    list_node(ww_table_start(&table_.table, 0), 0, l);
    l.end_range();
}

} // namespace walkway
