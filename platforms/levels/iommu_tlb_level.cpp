/* SPDX-License-Identifier: MIT */
/* platforms/levels/iommu_tlb_level.cpp - the TLBs of an IOMMU: docs/model/timing-model.md. */
#include "model/params/iommu_tlb.hpp"
#include "platforms/level.hpp"

namespace walkway
{

namespace
{

class iommu_tlb_level final : public level_of<iommu_tlb_params>
{
public:
    using level_of::level_of;
    std::unique_ptr<level> copy() const override { return std::make_unique<iommu_tlb_level>(*this); }
    const char *kind() const override { return "iommu_tlb"; }
    const char *sentence() const override
    {
        return "the IOMMU's TLBs: two arrays, looked up one after the other";
    }
    std::string plural() const override { return "TLBs of IOMMUs"; }
    std::string text() const override { return "the TLBs of each IOMMU, before its walks"; }
    bool present() const override { return params.present(); }
    uint32_t ports() const override { return params.ports; }
    uint32_t queue_entries() const override { return params.queue_entries; }
    uint64_t wire_slots() const override { return params.holds(); }
    void know(const level_facts &f) override { params.page_sizes = f.page_sizes; }
    bool asks_again() const override { return false; }
    std::vector<std::string> asks() const override { return {"tlb_misses"}; }
    const char *asked() const override { return "requests"; }
    level_reach reach() const override
    {
        return {"second " + title(), section() + ".tlb2_entries", section() + ".tlb2_hits",
                section() + ".tlb_misses", ""};
    }
    std::unique_ptr<translator> now(const clock_domain &clock, translator &below) const override
    {
        return std::make_unique<array_pair_translator>(params.first(clock), params.second(clock), clock,
                                                       clock.cycles(params.response_cycles), below);
    }
};

} // namespace

std::unique_ptr<level> make_iommu_tlb_level(const std::string &section)
{
    return std::make_unique<iommu_tlb_level>(section);
}

} // namespace walkway
