/* SPDX-License-Identifier: MIT */
/* platforms/levels/memory_tlb_level.cpp - a table of translations in memory: docs/model/ducati.md. */
#include "model/params/memory_tlb.hpp"
#include "platforms/level.hpp"

namespace walkway
{

namespace
{

class memory_tlb_level final : public level_of<memory_tlb_params>
{
public:
    using level_of::level_of;
    std::unique_ptr<level> copy() const override { return std::make_unique<memory_tlb_level>(*this); }
    const char *kind() const override { return "memory_tlb"; }
    const char *sentence() const override
    {
        return "a table of translations in memory, read through the data L2";
    }
    std::string plural() const override { return "tables of translations in memory"; }
    std::string text() const override { return "each table of translations in memory"; }
    std::string presence() const override { return section() + ".entries"; }
    bool present() const override { return params.present(); }
    uint32_t ports() const override { return params.ports; }
    uint32_t queue_entries() const override { return params.queue_entries; }
    uint64_t wire_slots() const override
    {
        return uint64_t{params.ports} * (uint64_t{params.compare_cycles} + params.down_cycles);
    }
    uint32_t link_cycles() const override { return params.down_cycles; }
    void set_link(uint32_t cycles) override { params.down_cycles = cycles; }
    level_wants wants() const override
    {
        level_wants w;
        w.l2d_ports = 1;
        w.table_bytes = params.present() ? params.table_bytes() : 0;
        return w;
    }
    /* If walks take no time, there is no table. */
    void know(const level_facts &f) override
    {
        params.page_sizes = f.page_sizes;
        if (f.rung >= ideal::zero_walk)
            params.entries = 0;
    }
    ideal lost_from(const std::string &, bool) const override { return ideal::zero_walk; }
    bool asks_again() const override { return false; }
    std::vector<std::string> asks() const override { return {"misses"}; }
    std::string reads() const override { return "line_reads"; }
    void stands_below(level &above, uint32_t) override
    {
        params.down_cycles = above.link_cycles();
        above.set_link(params.above_cycles);
    }
    std::string why_not_now() const override { return "a table of translations wants memory to write into"; }
};

} // namespace

std::unique_ptr<level> make_memory_tlb_level(const std::string &section)
{
    return std::make_unique<memory_tlb_level>(section);
}

} // namespace walkway
