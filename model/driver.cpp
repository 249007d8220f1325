/* SPDX-License-Identifier: MIT */
/* model/driver.cpp - assigns pages to device or host memory. */
#include "model/driver.hpp"

#include "model/common/fail.hpp"
#include "model/common/kernel_blob.hpp"
#include "model/common/signals.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

namespace
{

constexpr uint64_t region_bytes = uint64_t{1} << WW_HASHED_REGION_SHIFT;

constexpr uint32_t counted = 16;       /* 4 KiB pages per access counter: 64 KiB; a larger page has its own */
constexpr uint32_t asked = UINT32_MAX; /* value of a counter whose pages are requested */

uint64_t first_of_region(uint64_t va)
{
    return va & ~(region_bytes - 1);
}

} // namespace

void driver_stats::visit(stat_visitor &v) const
{
    v.count("pages_fetched", pages_fetched, "count", "pages that came into device memory");
    v.count("pages_evicted", pages_evicted, "count", "pages that left it, no frame being left");
    v.count("regions_evicted", regions_evicted, "count", "times that all pages of a region did");
    v.count("remote_lines", remote_lines, "count", "lines read or written in host memory");
    v.count("migrations", migrations, "count",
            "times that 64 KiB, or a page that is larger, were fetched since they were used often");
    v.count("late_write_backs", late_write_backs, "count",
            "lines that a cache wrote back, or fetched to do so, when the contents of their page had moved");
    v.count("stale_lines", stale_lines, "count",
            "lines that caches had of places that pages had left, whenever one had");
}

driver::driver(const sc_core::sc_module_name &name, const clock_domain &clock, const driver_params &p,
               const address_space_params &space, address_spaces &spaces, const space_ranges &ranges,
               uint64_t host_pa)
    : block(name, clock), params_(p), policy_(p.policy_kind().make(p, space.page_shift())), spaces_(spaces),
      table_(spaces.plan(0)), shift_(space.page_shift()),
      in_region_(static_cast<uint32_t>(region_bytes >> shift_)), in_counter_(in_pages(counted, shift_)),
      host_pa_(host_pa), data_pa_(space.data_pa)
{
    uint64_t pages = 0;
    for (const va_range &r : ranges)
        for (uint64_t va = r.base_va >> shift_ << shift_; va < r.base_va + r.bytes; va += page_bytes()) {
            const uint64_t tag = ww_hashed_tag(va);
            if (regions_.emplace(tag, static_cast<uint32_t>(regions_.size())).second) {
                region_va_.push_back(first_of_region(va));
                shares_.emplace_back();
                where_.resize(where_.size() + in_region_, place::nowhere);
            }
            place &lies = where_[id_of(va)];
            const uint32_t fresh = lies == place::nowhere ? 1 : 0;
            pages += fresh;
            shares_[id_of(va) / in_region_].pages += fresh;
            lies = place::untouched;
        }
    count_[static_cast<size_t>(place::untouched)] = pages;
    pa_.resize(where_.size());
    used_.resize(where_.size() / in_counter_);
    lives_.resize(where_.size());
    frames_ = (pages * 100 + p.oversubscription - 1) / p.oversubscription;
    uint32_t largest = 0; /* pages of the largest region */
    for (const share &s : shares_)
        largest = std::max(largest, s.pages);
    const uint64_t least = std::max(policy_->together(largest), in_counter_);
    if (frames_ < least)
        throw std::runtime_error("driver.oversubscription = " + std::to_string(p.oversubscription) +
                                 ": device memory would have " + std::to_string(frames_) +
                                 " of the program's " + std::to_string(pages) + " pages, and " +
                                 std::to_string(least) + " come together");
    const ww_frames_cfg layout = frames_of(space);
    const uint64_t small_pages = page_bytes() >> WW_PAGE_4K;
    page_in_.resize(layout.frames / small_pages, not_ours);
    for (uint64_t n = 0; n < frames_; ++n) {
        free_.push_back(ww_frame_pa(&layout, n * small_pages));
        page_in_[frame_of(free_.back())] = no_page;
    }

    /* If the table has no slots, the map gets more slots than regions; its evictions have no effect. */
    const table_slots of_table = table_.slots();
    const uint64_t slots = of_table.slots != 0 ? of_table.slots : regions_.size() * 8 + WW_HASHED_STEPS;
    const uint64_t most =
        of_table.slots != 0 ? ww_hptmap_threshold(frames_ * small_pages, p.m_percent) : slots;
    const ww_hptmap_cfg cfg = {static_cast<uint32_t>(slots),
                               static_cast<uint32_t>(of_table.slots != 0 ? of_table.stride : 1),
                               static_cast<uint32_t>(frames_), static_cast<uint32_t>(std::min(most, slots)),
                               static_cast<uint32_t>(regions_.size())};
    map_ = kernel_blob(ww_hptmap_bytes, ww_hptmap_init, cfg);
    if (map_.bytes() == 0)
        throw std::runtime_error(std::string("driver: ") + ww_hptmap_wrong(&cfg));
    for (uint32_t n = 0; n < region_va_.size(); ++n)
        ww_hptmap_region(map_.as<ww_hptmap>(), n, region_va_[n]);
    if (space.mode() == map_mode::all_paged)
        populate();
}

/* Fetches every page once before time zero, in the order of the buffers, so that the last ones end in device
 * memory and the first ones in host memory. With at_start() == host, evicts the last ones, too. */
void driver::populate()
{
    page_step none;
    const auto make_room = [&] {
        evict(&none);
        settle();
        arrived_at_host();
    };
    for (page_id first = 0; first < where_.size(); ++first) {
        if (where_[first] != place::untouched)
            continue;
        const uint32_t region = first / in_region_;
        const region_pages come = serve(region, region_pages().set(first % in_region_)).come;
        std::vector<page_id> wanted;
        for (page_id id = first; id < (region + 1) * in_region_; ++id)
            if (id == first || (come[id % in_region_] && unmapped(id)))
                wanted.push_back(id);
        while (lacks_frames(wanted))
            make_room();
        fetch(wanted, &none);
        for (const page_id id : wanted)
            map(0, va_of(id));
    }
    while (params_.at_start() == pages_start::host && count_[static_cast<size_t>(place::device)] != 0)
        make_room();
    to_write_.clear();
    spaces_.publish(0);
    device_at_start_ = count_[static_cast<size_t>(place::device)];
    stats_ = {};
    policy_->count_from_here();
}

driver::page_id driver::id_of(uint64_t va) const
{
    const auto region = regions_.find(ww_hashed_tag(va));
    return region == regions_.end()
               ? no_page
               : region->second * in_region_ + static_cast<uint32_t>((va & (region_bytes - 1)) >> shift_);
}

uint64_t driver::va_of(page_id id) const
{
    return region_va_[id / in_region_] + (uint64_t{id} % in_region_ << shift_);
}

void driver::lies(page_id id, place p)
{
    mapped_ps_ += static_cast<double>(mapped_pages()) * static_cast<double>(now() - mapped_since_);
    mapped_since_ = now();
    --count_[static_cast<size_t>(where_[id])];
    ++count_[static_cast<size_t>(p)];
    where_[id] = p;
    observe(driver_events::lies, va_of(id),
            p == place::device ? pa_[id]
            : p == place::host ? host_pa(id)
                               : 0);
    tell();
}

/* True if a late access is in time: the page's contents have not moved. */
bool driver::takes_late(page_id id, place leaving) const
{
    return where_[id] == leaving && !flushed_;
}

bool driver::line_used(uint64_t pa, bool host, bool late)
{
    const auto gone = [&] {
        stats_.late_write_backs += late ? 1 : 0;
        return late && !params_.flush;
    };
    if (!host) {
        const uint64_t frame = (pa - data_pa_) >> shift_;
        if (pa < data_pa_ || frame >= page_in_.size() || page_in_[frame] == not_ours)
            return true;
        const page_id id = page_in_[frame];
        const bool here =
            id != no_page && (where_[id] == place::device || (late && takes_late(id, place::leaving)));
        return here || gone();
    }
    const uint64_t id = (pa - host_pa_) >> shift_;
    if (id >= where_.size())
        return false;
    if (where_[id] != place::host)
        return (late && takes_late(static_cast<page_id>(id), place::arriving)) || gone();
    ++stats_.remote_lines;
    uses_.push_back({now(), static_cast<page_id>(id)});
    wake(clock().ceil(now()) + clock().period());
    return true;
}

/* Counts only uses of earlier cycles, so that the order of a use and a move within a cycle has no effect. */
void driver::count_uses(tick now)
{
    for (; !uses_.empty() && uses_.front().at < now; uses_.pop_front()) {
        const page_id id = uses_.front().id;
        if (where_[id] != place::host)
            continue;
        life &l = lives_[id];
        l.first = std::min(l.first, uses_.front().at);
        l.last = std::max(l.last, uses_.front().at);
        ww_hptmap_used(map_.as<ww_hptmap>(), id / in_region_);
        uint32_t &used = used_[id / in_counter_];
        if (params_.migrate_after == 0 || used == asked || ++used != params_.migrate_after)
            continue;
        used = asked;
        ++stats_.migrations;
        fetch_({va_of(id / in_counter_ * in_counter_), in_counter_ * page_bytes(), 0});
    }
}

/* Schedules a step for the sampler, as the state changes in the pager's steps. */
void driver::tell()
{
    if (sampled())
        wake(clock().ceil(now()) + clock().period());
}

/* Returns the policy's decision for a region with faulted pages. */
region_served driver::serve(uint32_t region, const region_pages &faulted)
{
    region_faults of = {region, now() / 1000000, {}, faulted, {}, {}};
    for (uint32_t n = 0; n < in_region_; ++n) {
        const place lies = where_[region * in_region_ + n];
        of.there.set(n, lies != place::nowhere);
        of.device.set(n, lies == place::device);
        of.away.set(n, lies == place::away);
    }
    return policy_->serve(of);
}

/* Faulted pages that are already mapped bring no others. */
void driver::add_company(uint16_t, std::vector<uint64_t> &pages)
{
    const uint32_t region = id_of(pages.front()) / in_region_;
    region_pages faulted;
    for (const uint64_t va : pages)
        faulted.set(id_of(va) % in_region_, unmapped(id_of(va)));
    stay_.reset();
    if (faulted.none())
        return;
    const region_served served = serve(region, faulted);
    stay_ = served.stay & faulted;
    stay_region_ = region;
    for (uint32_t n = 0; n < in_region_; ++n)
        if (served.come[n] && !faulted[n] && unmapped(region * in_region_ + n))
            pages.push_back(va_of(region * in_region_ + n));
}

/* No stage holds old translations: from now on, pages are not used at their old places. */
void driver::settle()
{
    count_uses(now());
    flushed_ = false;
    for (const page_id id : leaving_)
        lies(id, place::leaving);
    for (const page_id id : std::exchange(coming_, {})) {
        lies(id, place::arriving);
        left_host_.push_back(id);
        if (lives_[id].first != never)
            over_.push_back(std::exchange(lives_[id], {}));
    }
}

/* Counts the lines that caches still hold of a place whose contents have moved. */
void driver::has_left(uint64_t pa)
{
    if (lines_)
        stats_.stale_lines += lines_({pa, page_bytes()});
}

void driver::map_in_host(page_id id)
{
    lies(id, place::host);
    used_[id / in_counter_] = 0;
    if (table_.map(va_of(id), host_pa(id), shift_) != WW_OK)
        fail("/walkway/driver", "no room in the page table for a page of host memory");
}

/* Records that a page takes a frame, or returns it. */
void driver::holds(page_id id, bool takes)
{
    if (!policy_->whole_regions())
        return;
    share &of = shares_[id / in_region_];
    if (takes && of.held++ == 0) {
        pages_of_held_ += of.pages;
        came_.push_back(id / in_region_);
    } else if (!takes && --of.held == 0) {
        pages_of_held_ -= of.pages;
        came_.remove(id / in_region_);
    }
}

/* Required: the pages are of one region. */
bool driver::lacks_frames(const std::vector<page_id> &wanted) const
{
    if (!policy_->whole_regions() || wanted.empty())
        return wanted.size() > free_.size();
    const share &of = shares_[wanted.front() / in_region_];
    return of.held == 0 && pages_of_held_ + of.pages > frames_;
}

/* The previous step is over: no stage holds the pages that left, and their contents are in host memory. */
void driver::arrived_at_host()
{
    for (const page_id id : std::exchange(left_host_, {}))
        has_left(host_pa(id));
    for (const page_id id : leaving_) {
        has_left(pa_[id]);
        free_.push_back(pa_[id]);
        page_in_[frame_of(pa_[id])] = no_page;
        holds(id, false);
        if (policy_->maps_host())
            map_in_host(id);
        else
            lies(id, place::away);
    }
    if (policy_->maps_host())
        for (const page_id id : leaving_)
            table_.add_way(va_of(id), &to_write_);
    leaving_.clear();
}

/* The step invalidates the region's translations, and with `tables` its entries in walk caches. */
void driver::takes_back(uint32_t region, bool tables, page_step *out) const
{
    const bool all = table_.forgets_all(page_change::unmap);
    out->invalidates = true;
    out->stale.scope = all ? ww_inval_space(0) : ww_inval_range(region_va_[region], region_bytes, 0);
    out->stale.tables = tables || all;
}

/* Evicts all pages of the region whose last fault is the oldest or, with whole_regions(), that came first:
 * removes their entries; the step then moves their contents. */
void driver::evict(page_step *out)
{
    uint32_t pages = 0, region = 0;
    if (policy_->whole_regions()) {
        region = came_.front();
        pages = ww_hptmap_evict_region(map_.as<ww_hptmap>(), region);
    } else {
        region = ww_hptmap_evict_pages(map_.as<ww_hptmap>(), &pages);
    }
    const page_id first = region * in_region_;
    for (page_id id = first; id < first + in_region_; ++id) {
        if (where_[id] != place::device)
            continue;
        table_.add_way(va_of(id), &out->nodes);
        table_.unmap(va_of(id));
        leaving_.push_back(id);
        out->copies.push_back({pa_[id], host_pa(id), page_bytes()});
        if (params_.flush)
            out->flushes.push_back({pa_[id], page_bytes()});
    }
    ++stats_.regions_evicted;
    stats_.pages_evicted += pages;
    takes_back(region, false, out);
}

/* Applies the slots of Algorithm 1 to the table. */
void driver::place_region(const ww_hptmap_done &did, uint32_t region, page_step *out)
{
    if (table_.slots().slots == 0)
        return;
    for (uint32_t n = 0; n < did.lefts; ++n)
        table_.leave(region_va_[did.left[n].region], &out->nodes);
    if (!did.fresh || !table_.give(region_va_[region], did.step, &out->nodes))
        return;
    takes_back(region, true, out);
}

/* Gives frames and a slot to pages of one region; unmaps those that are mapped in host memory. */
void driver::fetch(const std::vector<page_id> &wanted, page_step *out)
{
    const uint32_t region = wanted.front() / in_region_;
    for (const page_id id : wanted) {
        ww_hptmap_done did;
        ww_hptmap_map(map_.as<ww_hptmap>(), region, id % in_region_, 1, true, &did);
        place_region(did, region, out);
    }
    bool remote = false;
    for (const page_id id : wanted) {
        if (where_[id] == place::host) {
            table_.add_way(va_of(id), &out->nodes);
            remote = true;
            table_.unmap(va_of(id));
            coming_.push_back(id);
            if (params_.flush)
                out->flushes.push_back({host_pa(id), page_bytes()});
        } else {
            lies(id, place::arriving);
        }
        pa_[id] = free_.front();
        free_.pop_front();
        page_in_[frame_of(pa_[id])] = id;
        holds(id, true);
        out->copies.push_back({host_pa(id), pa_[id], page_bytes()});
    }
    stats_.pages_fetched += wanted.size();
    if (remote)
        takes_back(region, out->stale.tables, out);
}

bool driver::next_step(page_change what, uint16_t, const std::vector<uint64_t> &pages, page_step *out)
{
    if (!maps(what))
        fail("/walkway/driver", "the driver owns pages, and another block changes them");
    *out = {};
    out->stale.tables = false;
    count_uses(now());
    arrived_at_host();
    /* A fault only needs a mapping: a page mapped in host memory stays, unless it is to be fetched. */
    std::vector<page_id> wanted;
    for (const uint64_t va : pages) {
        const page_id id = id_of(va);
        const bool comes =
            (unmapped(id) && !stays(id)) || (what == page_change::fetch && where_[id] == place::host);
        if (comes && (wanted.empty() || id / in_region_ == wanted.front() / in_region_))
            wanted.push_back(id);
    }
    if (wanted.empty() && to_write_.empty())
        return false;
    out->nodes = std::exchange(to_write_, {});
    if (lacks_frames(wanted))
        evict(out);
    else if (!wanted.empty())
        fetch(wanted, out);
    return true;
}

/* The page has arrived, or stays in host memory. */
void driver::map(uint16_t, uint64_t va)
{
    const page_id id = id_of(va);
    if (stays(id)) {
        map_in_host(id);
        return;
    }
    if (where_[id] != place::arriving || table_.map(va_of(id), pa_[id], shift_) != WW_OK)
        fail("/walkway/driver", "a page is to be mapped that has not arrived");
    lies(id, place::device);
}

void driver::unmap(uint16_t, uint64_t)
{
    fail("/walkway/driver", "the driver owns pages, and another block unmaps them");
}

void driver::remap(uint16_t vmid, uint64_t va)
{
    unmap(vmid, va);
}

void driver::protect(uint16_t vmid, uint64_t va, bool)
{
    unmap(vmid, va);
}

void driver::laws(law_list &list) const
{
    const auto of = [this](place p) { return count_[static_cast<size_t>(p)]; };
    list.add("pages = untouched + in device memory + in host memory", spaces_.pages(),
             of(place::untouched) + of(place::away) + of(place::device) + of(place::host));
    list.add("frames = free + of pages in device memory", frames_, free_.size() + of(place::device));
    list.add("pages in device memory, as the HPT map has them", of(place::device),
             ww_hptmap_used_frames(map_.as<ww_hptmap>()));
    list.add("pages in device memory at the start + fetched = evicted + in device memory",
             device_at_start_ + stats_.pages_fetched, stats_.pages_evicted + of(place::device));
    if (params_.flush)
        list.add("lines that caches had of places that pages had left", stats_.stale_lines, 0);
    list.add("the HPT map is whole", ww_hptmap_check(map_.as<ww_hptmap>()) != nullptr, 0);
}

/* Adds up the lives that are over and those of pages still in host memory. */
void driver::visit_lives(stat_visitor &v, tick until) const
{
    std::array<double, parts> live{};
    double live_ps = 0;
    uint64_t used = 0;
    const double part = static_cast<double>(until) / parts;
    const auto add = [&](const life &l) {
        if (l.first == never)
            return;
        ++used;
        const auto first = static_cast<double>(l.first), last = static_cast<double>(l.last);
        live_ps += last - first;
        for (size_t n = 0; n < parts && part > 0; ++n) {
            const double begin = part * static_cast<double>(n);
            live[n] += std::max(0.0, std::min(last, begin + part) - std::max(first, begin)) / part;
        }
    };
    for (const life &l : over_)
        add(l);
    for (const life &l : lives_)
        add(l);
    const auto period = static_cast<double>(clock().period());
    const double mapped_ps =
        mapped_ps_ + static_cast<double>(mapped_pages()) *
                         (static_cast<double>(until) -
                          static_cast<double>(mapped_since_)); /* negative if pages moved after `until` */
    v.level("remote_used", used, "mappings",
            "of host memory that were used; one that comes back and leaves "
            "again is another");
    v.level("remote_live_cycles", static_cast<uint64_t>(live_ps / period), "cycles",
            "from the first use of each of them to its last one, added up");
    v.level("mapped_cycles", static_cast<uint64_t>(mapped_ps / period), "cycles",
            "that pages were mapped, in device or host memory, added up");
    for (size_t n = 0; n < parts; ++n)
        v.level(("remote_live_" + std::to_string(n + 1)).c_str(), static_cast<uint64_t>(live[n] + 0.5),
                "mappings",
                "of host memory between their first and last use, on average in this tenth of the run");
}

void driver::visit(stat_visitor &v, tick until) const
{
    const ww_hptmap_counts &c = regions();
    v.level("frames", frames_, "frames", "that device memory has for pages");
    v.level("device_pages", count_[static_cast<size_t>(place::device)], "pages",
            "in device memory at the end");
    v.level("host_pages", count_[static_cast<size_t>(place::host)], "pages",
            "in host memory at the end, and mapped there");
    stats_.visit(v);
    policy_->visit(v);
    if (!policy_->maps_host())
        v.level("away_pages", count_[static_cast<size_t>(place::away)], "pages",
                "in host memory at the end, that were in device memory, and mapped nowhere");
    visit_lives(v, until);
    if (table_.slots().slots == 0)
        return;
    v.count("regions_placed", c.placed, "count", "regions that were given a slot of the table");
    v.count("slots_reused", c.reused, "count", "of those, a slot that another region had left");
    v.count("left_at_threshold", c.evicted_remote, "count",
            "regions whose mappings left the table for the victim buffer, slots being in use up to the "
            "threshold; this and what follows before time zero, too");
    v.count("left_in_the_way", c.evicted_neighbour, "count",
            "the same since all eight slots of another region were taken");
    v.count("came_back", c.returned, "count", "regions whose mappings came back from the victim buffer");
    v.count("without_slot", c.refused, "count", "times that a region got none");
    v.count("over_threshold", c.over_threshold, "count",
            "regions placed above the threshold, no entry being remote");
}

void driver::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        v.value("device_pages", 32, count_[static_cast<size_t>(place::device)], "pages in device memory");
        v.value("host_pages", 32, count_[static_cast<size_t>(place::host)], "pages mapped in host memory");
        v.value("moving", 17,
                count_[static_cast<size_t>(place::leaving)] + count_[static_cast<size_t>(place::arriving)],
                "pages between them");
    });
}

} // namespace walkway
