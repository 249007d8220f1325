/* SPDX-License-Identifier: MIT */
/* platforms/levels/prefetch_level.cpp - a prefetcher below a TLB: docs/model/tlb-prefetch.md. */
#include "model/params/tlb_prefetch.hpp"
#include "platforms/level.hpp"

namespace walkway
{

namespace
{

class prefetch_level final : public level_of<tlb_prefetch_params>
{
public:
    using level_of::level_of;
    std::unique_ptr<level> copy() const override { return std::make_unique<prefetch_level>(*this); }
    const char *kind() const override { return "prefetch"; }
    const char *sentence() const override
    {
        return "a prefetcher: walks ahead for the misses of the TLB right above it, into a buffer of its own";
    }
    std::string plural() const override { return "prefetchers"; }
    std::string text() const override { return "each prefetcher, below what asks it"; }
    std::string presence() const override { return section() + ".entries"; }
    bool present() const override { return params.present(); }
    uint32_t ports() const override { return params.ports; }
    uint32_t queue_entries() const override { return params.queue_entries; }
    uint64_t wire_slots() const override { return uint64_t{params.ports} * params.hit_cycles; }
    bool hands_fills_on() const override { return true; }
    void know(const level_facts &f) override
    {
        params.page_sizes = f.page_sizes;
        params.va_bits = f.widths.va;
    }
    /* Sets ports and queues as the level above has them, and MSHRs to the most pages in flight above. */
    void stands_below(level &above, uint32_t under_way) override
    {
        params.ports = above.ports();
        params.queue_entries = above.queue_entries();
        params.mshrs = under_way;
    }
    level_wants wants() const override
    {
        level_wants w;
        w.misses = true;
        return w;
    }
    std::vector<std::string> asks() const override { return {"misses", "prefetches"}; }
    bool accounts_for_own() const override { return true; }
    std::string why_not_now() const override { return "a prefetcher needs time to pass between requests"; }
};

} // namespace

std::unique_ptr<level> make_prefetch_level(const std::string &section)
{
    return std::make_unique<prefetch_level>(section);
}

} // namespace walkway
