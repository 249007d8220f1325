/* SPDX-License-Identifier: MIT */
/* model/driver.hpp - the driver of a program that is larger than device memory: which pages lie in device
 * memory and which in host memory, the contents of their entries, and which pages leave when no frame is
 * left. A plan for the pager (model/pager.hpp), which takes its faults, writes its tables and moves contents.
 * docs/model/oversubscription.md. Models: [P24 sections 2.1, 3.4, 3.6, 3.7] without a free frame all pages
 * leave of the region whose faults lie farthest back; pages mapped in host memory are read and written over
 * the link, are counted, and come back after frequent use. A policy (model/driver_policy.hpp) decides what
 * comes with a page that faulted, and whether pages that leave are mapped in host memory. With a hashed table
 * regions get slots by Algorithm 1 (kernels/table/hpt_map.h). A page is at any time in device memory, in host
 * memory, or in transit and mapped nowhere. Cached lines of it are written back before its contents move.
 * Pages are of one size, 4 KiB to 2 MiB. Not modelled: pages of several sizes in one run, several address
 * spaces, contents. */
#ifndef WALKWAY_MODEL_DRIVER_HPP
#define WALKWAY_MODEL_DRIVER_HPP

#include "kernels/table/hpt_map.h"
#include "model/address_space.hpp"
#include "model/common/block.hpp"
#include "model/common/fifo.hpp"
#include "model/common/stats.hpp"
#include "model/driver_policy.hpp"
#include "model/page_plan.hpp"
#include "model/params/driver.hpp"

#include <deque>
#include <functional>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

namespace walkway
{

struct driver_stats {
    uint64_t pages_fetched = 0, pages_evicted = 0, regions_evicted = 0, remote_lines = 0, migrations = 0,
             late_write_backs = 0, stale_lines = 0;
    void visit(stat_visitor &v) const;
};

struct driver_events {
    static constexpr event_kind lies = {"page_lies",
                                        "virtual address; physical address where it is used, 0: nowhere"};
};

class driver final : public block, public page_plan
{
public:
    /* host_pa: the first address of host memory, above all device memory. Throws std::runtime_error if device
     * memory is smaller than the pages that come together. */
    driver(const sc_core::sc_module_name &name, const clock_domain &clock, const driver_params &p,
           const address_space_params &space, address_spaces &spaces, const space_ranges &ranges,
           uint64_t host_pa);
    /* Fetches pages that were used often in host memory. */
    using fetch_fn = std::function<void(const page_span &)>;
    void fetches_with(fetch_fn f) { fetch_ = std::move(f); }
    /* Returns the cached lines of a range, without time. Called whenever a page has left a place. */
    using lines_fn = std::function<uint32_t(const pa_range &)>;
    void looks_into_caches_with(lines_fn f) { lines_ = std::move(f); }
    /* Reports that a line is read or written; late: a write-back, or a fetch for one. Returns false if its
     * page lies elsewhere, or is being moved from here and was flushed. */
    bool line_used(uint64_t pa, bool host, bool late);
    /* Returns the frames of device memory for pages. */
    uint64_t frames() const { return frames_; }

    bool page_of(uint16_t vmid, uint64_t va, uint64_t *first_va) const override
    {
        return spaces_.page_of(vmid, va, first_va);
    }
    bool mapped(uint16_t vmid, uint64_t va) const override { return spaces_.mapped(vmid, va); }
    void map(uint16_t vmid, uint64_t va) override;
    void unmap(uint16_t vmid, uint64_t va) override;
    void remap(uint16_t vmid, uint64_t va) override;
    void protect(uint16_t vmid, uint64_t va, bool writable) override;
    batch_rules batch() const override { return policy_->batch(); }
    uint64_t part_of(uint16_t, uint64_t va) const override { return ww_hashed_tag(va); }
    void add_company(uint16_t vmid, std::vector<uint64_t> &pages) override;
    bool next_step(page_change what, uint16_t vmid, const std::vector<uint64_t> &pages,
                   page_step *out) override;
    void settle() override;
    void flushed() override { flushed_ = true; }
    uint64_t bytes_of(uint16_t vmid, uint64_t va) const override { return spaces_.bytes_of(vmid, va); }
    const ww_table &table(uint16_t vmid) const override { return spaces_.table(vmid); }
    const uint64_t *node(uint64_t pa) const override { return spaces_.node(pa); }
    uint64_t words_lacking() const override { return spaces_.words_lacking(); }

    const driver_stats &stats() const { return stats_; }
    const ww_hptmap_counts &regions() const { return *ww_hptmap_so_far(map_.as<ww_hptmap>()); }
    void visit(stat_visitor &v, tick) const override;
    void laws(law_list &list) const override;
    std::string waiting() const override { return ""; }
    void signals(signal_visitor &v) const override;

private:
    /* Place of a page. */
    enum class place : uint8_t {
        nowhere,
        untouched, /* in host memory, not mapped: */
        away,      /* the same, after having been in device memory */
        host,      /* in host memory, mapped */
        leaving,
        arriving,
        device,
        count
    };
    using page_id = uint32_t; /* region * pages of a region + page in it */
    struct use {
        tick at;
        page_id id;
    };
    static constexpr page_id no_page = UINT32_MAX;
    static constexpr page_id not_ours = UINT32_MAX - 1; /* of a frame that never gets a page */

    void step(tick now) override { count_uses(now); }
    void count_uses(tick now);
    void tell();
    void has_left(uint64_t pa);
    bool takes_late(page_id id, place leaving) const;
    page_id id_of(uint64_t va) const;
    uint64_t va_of(page_id id) const;
    uint64_t host_pa(page_id id) const { return host_pa_ + (uint64_t{id} << shift_); }
    uint64_t page_bytes() const { return uint64_t{1} << shift_; }
    bool unmapped(page_id id) const { return where_[id] == place::untouched || where_[id] == place::away; }
    region_served serve(uint32_t region, const region_pages &faulted);
    bool lacks_frames(const std::vector<page_id> &wanted) const;
    void holds(page_id id, bool takes);
    void map_in_host(page_id id);
    bool stays(page_id id) const
    {
        return where_[id] == place::away && id / in_region_ == stay_region_ && stay_[id % in_region_];
    }
    uint32_t frame_of(uint64_t pa) const { return static_cast<uint32_t>((pa - data_pa_) >> shift_); }
    void lies(page_id id, place p);
    void populate();
    void takes_back(uint32_t region, bool tables, page_step *out) const;
    void arrived_at_host();
    void evict(page_step *out);
    void fetch(const std::vector<page_id> &wanted, page_step *out);
    void place_region(const ww_hptmap_done &did, uint32_t region, page_step *out);

    driver_params params_;
    std::unique_ptr<driver_policy> policy_;
    address_spaces &spaces_;
    table_builder &table_;
    uint8_t shift_;       /* log2 of a page's bytes */
    uint32_t in_region_;  /* pages per region */
    uint32_t in_counter_; /* pages per access counter */
    uint64_t host_pa_, data_pa_, frames_ = 0;
    std::unordered_map<uint64_t, uint32_t> regions_; /* by tag */
    std::vector<uint64_t> region_va_;
    struct share {
        uint32_t pages = 0; /* pages that exist, */
        uint32_t held = 0;  /* pages with frames */
    };
    std::vector<share> shares_;  /* by region */
    uint64_t pages_of_held_ = 0; /* pages of regions with a page in a frame */
    std::list<uint32_t> came_;   /* regions with a page in a frame, in the order of arrival */
    region_pages stay_;          /* of the part in progress: pages to be mapped where they are */
    uint32_t stay_region_ = 0;
    std::vector<place> where_;     /* by page */
    std::vector<uint64_t> pa_;     /* address of its frame, if it has one */
    std::vector<page_id> page_in_; /* page by frame of device memory, for any use */
    fifo<use> uses_;               /* not counted yet */
    std::vector<uint32_t> used_;   /* lines used of remote pages, by access counter */
    std::array<uint64_t, static_cast<size_t>(place::count)> count_{};
    std::deque<uint64_t> free_;      /* free frames */
    std::vector<page_id> leaving_;   /* pages that leave with the step in progress, */
    std::vector<page_id> coming_;    /* that come from a mapping in host memory, */
    std::vector<page_id> left_host_; /* and that have left it */
    bool flushed_ = false;           /* true if the step's lines are flushed */
    lines_fn lines_;
    std::vector<uint64_t> to_write_; /* nodes to be written with the next step */
    fetch_fn fetch_;
    blob map_;
    uint64_t device_at_start_ = 0;
    driver_stats stats_;

    /* From the first to the last use of a mapping of host memory, the time in which [P24 section 2.4] calls
     * it live. */
    struct life {
        tick first = never, last = 0;
    };
    static constexpr size_t parts = 10; /* of the run */
    std::vector<life> lives_;           /* by page, since it is mapped in host memory */
    std::vector<life> over_;            /* of pages that have come back */
    tick mapped_since_ = 0;             /* start of the present number of mapped pages */
    double mapped_ps_ = 0;              /* integral of mapped pages over time */
    uint64_t mapped_pages() const
    {
        return count_[static_cast<size_t>(place::host)] + count_[static_cast<size_t>(place::device)];
    }
    void visit_lives(stat_visitor &v, tick until) const;
};

} // namespace walkway

#endif
