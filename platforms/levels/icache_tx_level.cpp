/* SPDX-License-Identifier: MIT */
/* platforms/levels/icache_tx_level.cpp - translations in lines of instruction caches, one instance per cache:
 * docs/model/icache-translations.md. */
#include "model/params/icache.hpp"
#include "platforms/level_ways.hpp"

namespace walkway
{

namespace
{

class icache_tx_level final : public lent_level<icache_tx_params>
{
public:
    using lent_level::lent_level;
    std::unique_ptr<level> copy() const override { return std::make_unique<icache_tx_level>(*this); }
    const char *kind() const override { return "icache_tx"; }
    const char *sentence() const override { return "translations in idle lines of the instruction caches"; }
    std::string plural() const override { return "translations in instruction caches"; }
    std::string text() const override { return "translations in each instruction cache"; }
    level_wants wants() const override
    {
        level_wants w;
        w.icache = true;
        return w;
    }
    void know(const level_facts &f) override
    {
        params.lent.page_sizes = f.page_sizes;
        params.entries = f.icache->entries;
        params.ways = f.icache->ways;
        params.ports = f.icache->ports;
        shared_by = unit_groups(f.icache->shared_by);
    }
    std::string why_not_now() const override
    {
        return "instruction caches have no translations without instructions";
    }
};

} // namespace

std::unique_ptr<level> make_icache_tx_level(const std::string &section)
{
    return std::make_unique<icache_tx_level>(section);
}

} // namespace walkway
