/* SPDX-License-Identifier: MIT */
/* platforms/levels/tlb_level.cpp - a TLB: docs/model/tlb.md. */
#include "kernels/store/assoc.h"
#include "model/params/tlb.hpp"
#include "platforms/level_ways.hpp"
#include "translate/tlb_stores.hpp"

#include <stdexcept>

namespace walkway
{

namespace
{

class tlb_level final : public holding_level<tlb_params>
{
public:
    using holding_level::holding_level;
    std::unique_ptr<level> copy() const override { return std::make_unique<tlb_level>(*this); }
    const char *kind() const override { return "tlb"; }
    const char *sentence() const override
    {
        return "a TLB: set-associative, by a store of its choice, with ports and MSHRs";
    }
    std::string plural() const override { return title() + "s"; }
    std::string text() const override { return "each " + title(); }
    uint32_t mshrs() const override { return params.mshrs; }
    bool may_take_fills() const override { return true; }
    void stands(bool below, bool above) override
    {
        params.may_take = below;
        params.may_pass = above;
    }
    bool may_be_infinite() const override { return true; }
    void know(const level_facts &f) override
    {
        params.page_sizes = f.page_sizes;
        params.va_bits = f.widths.va;
        params.pa_bits = f.widths.pa;
        if (f.infinite && f.rung >= ideal::infinite_tlb)
            hold_everything(f.rung == ideal::infinite_tlb ? f.pages : 0); /* not asked on rungs above */
    }
    ideal lost_from(const std::string &key, bool infinite) const override
    {
        const bool of_its_size =
            key == "entries" || key == "ways" || key == "index" || key == "store" || is_store_key(key);
        return infinite && of_its_size ? ideal::infinite_tlb : never_lost;
    }
    std::unique_ptr<translator> now(const clock_domain &clock, translator &below) const override
    {
        return std::make_unique<store_translator>(make_tlb_store(params.section()), params.policy(), clock,
                                                  params.times(clock), below);
    }

private:
    /* Makes the TLB so large that nothing is ever evicted, which a law of the run checks. Throws
     * std::runtime_error if there are too many pages. */
    void hold_everything(uint64_t pages)
    {
        constexpr uint64_t slots_of_page = 8; /* more than one, so that no set gets more pages than ways */
        constexpr uint64_t most = WW_ASSOC_MAX_SLOTS / slots_of_page;
        if (pages > most)
            throw std::runtime_error(section() + ": an infinite TLB holds up to " + std::to_string(most) +
                                     " pages, and there are " + std::to_string(pages) +
                                     ": larger ones (address_space.page) are fewer");
        uint32_t entries = WW_ASSOC_MAX_WAYS;
        while (entries < pages * slots_of_page)
            entries *= 2;
        params.entries = entries;
        params.ways = entries == WW_ASSOC_MAX_WAYS ? WW_ASSOC_MAX_WAYS : WW_ASSOC_SCAN_WAYS;
        params.index = WW_INDEX_XOR;
        params.store.choose("plain");
    }
};

} // namespace

std::unique_ptr<level> make_tlb_level(const std::string &section)
{
    return std::make_unique<tlb_level>(section);
}

} // namespace walkway
