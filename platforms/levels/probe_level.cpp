/* SPDX-License-Identifier: MIT */
/* platforms/levels/probe_level.cpp - a ring for probes between TLBs: docs/model/neighbour-probes.md. */
#include "model/params/tlb_probe.hpp"
#include "platforms/level.hpp"

namespace walkway
{

namespace
{

class probe_level final : public level_of<tlb_probe_params>
{
public:
    using level_of::level_of;
    std::unique_ptr<level> copy() const override { return std::make_unique<probe_level>(*this); }
    const char *kind() const override { return "probe"; }
    const char *sentence() const override
    {
        return "a ring between the TLBs right above it: what misses in one asks its neighbours";
    }
    std::string plural() const override { return "ring stops"; }
    std::string text() const override { return "each stop of the ring, below what asks it"; }
    std::string presence() const override { return section() + ".hops"; }
    bool present() const override { return params.present(); }
    uint32_t ports() const override { return params.ports; }
    uint32_t queue_entries() const override { return params.queue_entries; }
    uint64_t wire_slots() const override { return uint64_t{params.ports} * params.hit_cycles; }
    bool hands_fills_on() const override { return true; }
    void know(const level_facts &f) override { params.page_sizes = f.page_sizes; }
    /* It has no MSHRs, but reports those of the TLBs above, so that a level that needs misses can be
     * below. */
    uint32_t mshrs() const override { return under_way_; }
    /* It has the ports and queues of its requester. */
    void stands_below(level &above, uint32_t under_way) override
    {
        params.ports = above.ports();
        params.queue_entries = above.queue_entries();
        under_way_ = under_way;
    }
    level_wants wants() const override
    {
        level_wants w;
        w.misses = true;
        return w;
    }
    bool accounts_for_own() const override { return true; }
    std::string why_not_now() const override { return "neighbours' TLBs are other compute units'"; }

private:
    uint32_t under_way_ = 1; /* until stands_below() */
};

} // namespace

std::unique_ptr<level> make_probe_level(const std::string &section)
{
    return std::make_unique<probe_level>(section);
}

} // namespace walkway
