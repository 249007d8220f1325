/* SPDX-License-Identifier: MIT */
/* platforms/levels/victim_level.cpp - a victim TLB: docs/model/victim-tlb.md. */
#include "model/params/victim_tlb.hpp"
#include "platforms/level_ways.hpp"
#include "translate/tlb_stores.hpp"

namespace walkway
{

namespace
{

class victim_level final : public holding_level<victim_params>
{
public:
    using holding_level::holding_level;
    std::unique_ptr<level> copy() const override { return std::make_unique<victim_level>(*this); }
    const char *kind() const override { return "victim"; }
    const char *sentence() const override
    {
        return "a victim TLB: holds what leaves the nearest level above";
    }
    std::string plural() const override { return "victim TLBs"; }
    std::string text() const override { return "each victim TLB"; }
    bool lives_on_victims() const override { return true; }
    void know(const level_facts &f) override { params.page_sizes = f.page_sizes; }
    std::unique_ptr<translator> now(const clock_domain &clock, translator &below) const override
    {
        return std::make_unique<store_translator>(make_tlb_store(params.store()), params.policy(), clock,
                                                  params.times(clock), below);
    }
};

} // namespace

std::unique_ptr<level> make_victim_level(const std::string &section)
{
    return std::make_unique<victim_level>(section);
}

} // namespace walkway
