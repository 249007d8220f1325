/* SPDX-License-Identifier: MIT */
/* tb/platform/page_mover.hpp - moves pages, and nodes of the table, of a machine that runs a program: writes
 * entries, invalidates, and frees the old frames at the acknowledgement. Its own list of pages says what
 * every completed translation must be: the present one, or the old one until the invalidate has ended. A
 * freed frame is never read, every stage answers with the list, and a freed node holds nothing that a walk
 * could use. */
#ifndef WW_TB_PLATFORM_PAGE_MOVER_HPP
#define WW_TB_PLATFORM_PAGE_MOVER_HPP

#include "model/common/observer.hpp"
#include "model/data_cache.hpp"
#include "model/walk_unit.hpp"
#include "platforms/invalidator.hpp"
#include "platforms/wiring.hpp"
#include "platforms/world.hpp"
#include "tb/model/invalidate_peers.hpp"

#include <set>

namespace walkway::test
{

/* Scope of an invalidate: a page; 16 pages, some of them moved; what a node of the last step translates, with
 * the node itself; a whole space; all. Or one of these each time. */
enum class extent { page, range, node, space, all, any };
inline std::ostream &operator<<(std::ostream &out, extent e)
{
    static const char *const names[] = {"page", "range", "node", "space", "all", "any"};
    return out << names[static_cast<size_t>(e)];
}

struct page_mover final : account_observer, observer {
    using page = std::pair<uint16_t, uint64_t>; /* VM-ID, page number */

    memory_world &world;
    const wiring &top;
    invalidator all;
    std::function<bool()> running;
    uint64_t moves = 0, seen = 0, used_while_open = 0;
    uint64_t wrong = 0, late = 0, stale = 0; /* must stay 0 */
    bool open = false;

    /* Frames from `free_frames` on are unused. */
    page_mover(memory_world &w, const wiring &t, const wkt_reader *trace, uint64_t free_frames, extent e,
               uint32_t most, uint64_t seed)
        : world(w), top(t), all(t.blocks()), extent_(e), most_(most), next_frame_(free_frames)
    {
        ww_rng_init(&random_, seed);
        for (uint16_t vm = 0; vm < world.spaces.count(); ++vm)
            for (const va_range &r : ranges_of(trace))
                for (uint64_t va = r.base_va & ~mask; va < r.base_va + r.bytes; va += frame_bytes) {
                    ww_xlat x{};
                    BOOST_REQUIRE(world.spaces[vm].translate(va, &x));
                    if (lies_.emplace(page{vm, va >> 12}, x.page_pa).second)
                        names_.push_back({vm, va >> 12});
                }
        clockwork_.at(cycle(500), [this] { move(); });
    }
    void on_closed(const block &, const xlat_request &r, tick) override
    {
        const page p{r.vmid, r.va >> 12};
        const bool in_force = r.result.page_pa == lies_.at(p);
        const auto before = leaves_.find(p);
        const bool still = before != leaves_.end() && r.result.page_pa == before->second;
        ++seen;
        used_while_open += still;
        wrong += r.fault || !(in_force || still);
    }
    void on_event(const observed_event &e) override
    {
        if (e.kind == &walk_unit_events::walk_read)
            walked_ = e.a >> 12;
        const bool read = e.b == 0;
        if (e.kind == &cache_events::hit || e.kind == &cache_events::miss)
            late += read && freed_.count(e.a >> 12) != 0;
    }

private:
    static constexpr uint64_t frame_bytes = 4096, mask = 4095;

    /* Any page, or one that is being walked, so that it moves during its walk. */
    page some_page()
    {
        const page p = names_[ww_rng_below(&random_, static_cast<uint32_t>(names_.size()))];
        const page walked{p.first, walked_};
        return ww_rng_below(&random_, 2) == 0 && lies_.count(walked) != 0 ? walked : p;
    }
    uint64_t word(uint64_t pa) const
    {
        uint64_t w = 0;
        world.store.read(pa, reinterpret_cast<unsigned char *>(&w), sizeof w);
        return w;
    }
    /* Makes the entry point elsewhere. */
    void redirect(uint64_t entry_pa, uint64_t to)
    {
        const uint64_t frame = ((uint64_t{1} << 52) - 1) & ~mask;
        const uint64_t w = (word(entry_pa) & ~frame) | to;
        world.store.write(entry_pa, reinterpret_cast<const unsigned char *>(&w), sizeof w);
        written_.push_back(entry_pa);
    }
    uint64_t new_frame() { return std::exchange(next_frame_, next_frame_ + frame_bytes); }
    /* The entries that lead to a page, from the root. */
    std::vector<uint64_t> way_to(const page &p) const
    {
        std::vector<uint64_t> way;
        const ww_table &table = world.spaces[p.first].table();
        const uint64_t va = p.second << 12;
        uint64_t walk = ww_table_start(&table, va);
        for (ww_walk_read read = {}; ww_table_next(&table, walk, va, &read) == WW_WALK_READ;) {
            uint64_t line[WW_LINE_PTES];
            world.store.read(read.pa & ~uint64_t{63}, reinterpret_cast<unsigned char *>(line), sizeof line);
            way.push_back(read.pa);
            walk = ww_table_feed(&table, walk, va, line);
        }
        return way;
    }
    void move_page(const page &p)
    {
        if (!leaves_.emplace(p, lies_.at(p)).second)
            return; /* once per invalidate */
        redirect(way_to(p).back(), lies_.at(p) = new_frame());
    }
    void move_node(const page &p)
    {
        const std::vector<uint64_t> way = way_to(p);
        old_node_ = way.back() & ~mask;
        std::array<unsigned char, frame_bytes> node{};
        world.store.read(old_node_, node.data(), node.size());
        const uint64_t to = new_frame();
        world.store.write(to, node.data(), node.size());
        redirect(way[way.size() - 2], to);
    }
    /* Moves some pages in [first, first + pages) of one VM. */
    void move_some(const page &first, uint64_t pages)
    {
        for (auto it = lies_.lower_bound(first);
             it != lies_.end() && it->first < page{first.first, first.second + pages}; ++it)
            if (ww_rng_below(&random_, 3) == 0)
                move_page(it->first);
    }
    /* Moves some pages of `of`'s VM, or of all. */
    void move_anywhere(const page *of)
    {
        for (unsigned i = 0; i < 24; ++i) {
            const page &p = names_[ww_rng_below(&random_, static_cast<uint32_t>(names_.size()))];
            if (of == nullptr || of->first == p.first)
                move_page(p);
        }
    }
    ww_inval_scope write_tables(extent e, const page &p)
    {
        const uint64_t pages = e == extent::page ? 1 : e == extent::range ? 16 : 512;
        const page first{p.first, p.second & ~(pages - 1)};
        if (e == extent::node)
            move_node(p);
        move_page(p);
        if (e == extent::range || e == extent::node)
            move_some(first, pages);
        if (e == extent::space || e == extent::all)
            move_anywhere(e == extent::space ? &p : nullptr);
        return e == extent::space ? ww_inval_space(p.first)
               : e == extent::all ? ww_inval_all()
                                  : ww_inval_range(first.second << 12, pages * frame_bytes, p.first);
    }
    void move()
    {
        const extent e = extent_ != extent::any ? extent_ : static_cast<extent>(ww_rng_below(&random_, 5));
        const page p = some_page();
        open = true;
        old_node_ = 0;
        written_.clear();
        const ww_inval_scope scope = write_tables(e, p);
        if (e == extent::space || e == extent::all)
            written_.clear(); /* empty: any entry */
        const auto done = [this, e](tick at, const drop_counts &) { acknowledged(e, at); };
        all.start({scope, e == extent::node, written_}, done);
    }
    void acknowledged(extent e, tick at)
    {
        open = false;
        ++moves;
        for (const auto &[p, frame] : leaves_) {
            freed_.insert(frame >> 12);
            stale += held_elsewhere(p);
        }
        leaves_.clear();
        if (old_node_ != 0) {
            const std::array<unsigned char, frame_bytes> nothing{};
            world.store.write(old_node_, nothing.data(), nothing.size());
        }
        /* Walks in scope restart: if wide scopes were closer together than a walk is long, no walk would
         * end. */
        const uint32_t pause = e > extent::range ? 8000 : 400;
        if (running() && moves != most_)
            clockwork_.at(gpu_clock.ceil(at) + cycle(1 + ww_rng_below(&random_, pause)), [this] { move(); });
    }
    /* Returns the number of links whose lower end does not answer with the list. */
    uint64_t held_elsewhere(const page &p) const
    {
        uint64_t n = 0;
        for (const block *b : top.blocks())
            for (const asking_end *end : b->asks())
                if (const auto *port = dynamic_cast<const out_port<xlat_protocol> *>(end)) {
                    auto &down = const_cast<out_port<xlat_protocol> &>(*port); /* debug changes nothing */
                    n += answered_by(down, p.second << 12, p.first) != lies_.at(p);
                }
        return n;
    }

    actor clockwork_{"mover"};
    ww_rng random_{};
    extent extent_;
    uint32_t most_;
    uint64_t next_frame_, old_node_ = 0, walked_ = 0;
    std::map<page, uint64_t> lies_, leaves_; /* the frame; the old one until the acknowledgement */
    std::vector<page> names_;
    std::vector<uint64_t> written_;
    std::set<uint64_t> freed_;
};

} // namespace walkway::test

#endif
