/* SPDX-License-Identifier: MIT */
/* model/policies/uvm_policy.cpp - NVIDIA's driver of unified memory as in its open kernel modules
 * (kernels/driver/uvm_block.h): handles batches of faults by blocks of 2 MiB, prefetches with a tree, and
 * evicts and unmaps whole blocks. docs/model/uvm-driver.md. */
#include "kernels/bits.h"
#include "kernels/driver/uvm_block.h"
#include "model/driver_policy.hpp"
#include "model/params/driver.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

constexpr uint32_t most_faults = 4096, most_cycles = 1u << 30;

ww_uvm_pages kernel_pages(const region_pages &of)
{
    ww_uvm_pages all = {};
    for (uint32_t n = 0; n < WW_UVM_PAGES_MAX; ++n)
        if (of[n])
            ww_uvm_add(&all, n);
    return all;
}

uint32_t small(const driver_params &p, const char *key)
{
    return static_cast<uint32_t>(p.of_policy(key));
}

class uvm final : public driver_policy
{
public:
    uvm(const driver_params &p, uint8_t page_shift)
        : rules_{small(p, "uvm_batch"), small(p, "uvm_block_cycles"), small(p, "uvm_pause_cycles")},
          cfg_{WW_UVM_PAGES_MAX >> (page_shift - WW_PAGE_4K),
               in_pages(small(p, "uvm_grow_pages"), page_shift), small(p, "uvm_prefetch_percent")},
          pin_after_(small(p, "uvm_pin_after")), lapse_us_(small(p, "uvm_lapse_us"))
    {
    }
    batch_rules batch() const override { return rules_; }
    uint32_t together(uint32_t pages_of_region) const override { return pages_of_region; }
    bool whole_regions() const override { return true; }
    bool maps_host() const override { return false; }

    region_served serve(const region_faults &of) override
    {
        pages_.resize(std::max<size_t>(pages_.size(), (of.region + 1) * cfg_.pages));
        const auto page = [&](size_t n) -> ww_uvm_page & { return pages_[of.region * cfg_.pages + n]; };
        region_pages thrashing;
        for (size_t n = 0; n < cfg_.pages; ++n)
            thrashing.set(n, ww_uvm_thrashes(&page(n), pin_after_));
        region_served all;
        all.stay = of.faulted & of.away & thrashing;
        if (cfg_.percent != 0) {
            const ww_uvm_block block = {kernel_pages(of.there), kernel_pages(of.device),
                                        kernel_pages(of.faulted), kernel_pages(thrashing)};
            const ww_uvm_pages come = ww_uvm_prefetch(&cfg_, &block);
            for (uint32_t n = 0; n < cfg_.pages; ++n)
                all.come.set(n, ww_uvm_has(&come, n));
        }
        const region_pages comes = all.come | (of.faulted & ~all.stay);
        for (size_t n = 0; n < cfg_.pages; ++n)
            if (comes[n])
                ww_uvm_came(&page(n), of.us, lapse_us_, pin_after_);
        faulted_ += of.faulted.count();
        prefetched_ += all.come.count();
        pinned_ += all.stay.count();
        return all;
    }

    void count_from_here() override { faulted_ = prefetched_ = pinned_ = 0; }
    void visit(stat_visitor &v) const override
    {
        v.count("pages_faulted", faulted_, "count",
                "pages that faulted, once for each time that their block was handled for it");
        v.count("pages_prefetched", prefetched_, "count", "pages that came with those");
        v.count("pages_pinned", pinned_, "count",
                "pages that were mapped in host memory, since they had come too often");
    }

private:
    batch_rules rules_;
    ww_uvm_cfg cfg_;
    uint32_t pin_after_, lapse_us_;
    std::vector<ww_uvm_page> pages_; /* by region, then page */
    uint64_t faulted_ = 0, prefetched_ = 0, pinned_ = 0;
};

class uvm_kind final : public driver_policy_kind
{
public:
    const char *text() const override
    {
        return "batches, tree prefetch and whole blocks as NVIDIA's nvidia-uvm, docs/model/uvm-driver.md";
    }
    std::vector<policy_key> keys() const override
    {
        return {
            {"uvm_batch", "faults", 1, most_faults,
             "uvm: taken at a time, those of one page counted each, and answered together"},
            {"uvm_block_cycles", "cycles", 0, most_cycles,
             "uvm: before the pages of each block of 2 MiB of a batch are moved"},
            {"uvm_pause_cycles", "cycles", 1000, most_cycles,
             "uvm: from the answers to a batch until the next one is taken; translations have to be had by "
             "then, or two blocks may take each other's place for ever"},
            {"uvm_prefetch_percent", "%", 0, 100,
             "uvm: a subregion of a block comes whole if more than that of it is there or comes anyhow; 0: "
             "pages come that faulted, and no other"},
            {"uvm_grow_pages", "4 KiB pages", 1, WW_UVM_PAGES_MAX,
             "uvm: that a fault is grown to before subregions are looked at; a power of two",
             "uvm_prefetch_percent"},
            {"uvm_pin_after", "times", 0, UINT32_MAX - 1,
             "uvm: that a page came soon after it had come, before it is mapped in host memory instead; 0: "
             "never, as evictions are no events to the driver"},
            {"uvm_lapse_us", "us", 1, UINT32_MAX - 1, "uvm: how soon that is", "uvm_pin_after"},
        };
    }
    std::string fault(const driver_params &p) const override
    {
        return ww_is_pow2(p.of_policy("uvm_grow_pages")) ? "" : "uvm_grow_pages is not a power of two";
    }
    std::unique_ptr<driver_policy> make(const driver_params &p, uint8_t page_shift) const override
    {
        return std::make_unique<uvm>(p, page_shift);
    }
};

} // namespace

const driver_policy_kind &uvm_policy()
{
    static const uvm_kind kind;
    return kind;
}

} // namespace walkway
