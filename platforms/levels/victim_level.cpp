/* SPDX-License-Identifier: MIT */
/* platforms/levels/victim_level.cpp - a victim TLB: docs/victim-tlb.md. */
#include "model/params/victim_tlb.hpp"
#include "platforms/level.hpp"
#include "translate/tlb_stores.hpp"

namespace walkway
{

namespace
{

class victim_level final : public level_of<victim_params>
{
public:
    using level_of::level_of;
    std::unique_ptr<level> copy() const override { return std::make_unique<victim_level>(*this); }
    const char *kind() const override { return "victim"; }
    std::string plural() const override { return "victim TLBs"; }
    std::string text() const override { return "each victim TLB"; }
    std::string presence() const override { return section() + ".entries"; }
    bool present() const override { return params.present(); }
    uint32_t ports() const override { return params.ports; }
    uint32_t queue_entries() const override { return params.queue_entries; }
    uint64_t wire_slots() const override
    {
        return uint64_t{params.ports} * (uint64_t{params.hit_cycles} + params.link_cycles);
    }
    uint32_t link_cycles() const override { return params.link_cycles; }
    void set_link(uint32_t cycles) override { params.link_cycles = cycles; }
    bool lets_go() const override { return true; }
    void pass_victims() override { params.victims = 1; }
    bool lives_on_victims() const override { return true; }
    void know(const level_facts &f) override { params.page_sizes = f.page_sizes; }
    std::unique_ptr<translator> now(const clock_domain &clock, translator &below) const override
    {
        return std::make_unique<store_translator>(make_tlb_store(params.store()), params.policy(), clock,
                                                  params.times(clock), below);
    }
    std::vector<std::string> keys_now() const override
    {
        return {"shared_by", "entries",         "ways",        "hit_cycles",
                "fills",     "response_cycles", "link_cycles", "victims"};
    }
};

} // namespace

std::unique_ptr<level> make_victim_level(const std::string &section)
{
    return std::make_unique<victim_level>(section);
}

} // namespace walkway
