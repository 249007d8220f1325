/* SPDX-License-Identifier: MIT */
/* model/tlb_prefetch.hpp - the one-ahead prefetcher of a compute unit's TLB with its buffer [H14 section
 * 6.3]: a stage of translation (model/xlat_stage.hpp) below the L1 TLB, over the store of
 * kernels/store/tlb.h. Every request that comes here has missed above; with each, hit or miss, the next
 * page is requested, and its translation is held here until it is wanted, and then above.
 * docs/model/tlb-prefetch.md. Not modelled: a stride other than one page, a check of the L1 TLB's
 * contents. */
#ifndef WALKWAY_MODEL_TLB_PREFETCH_HPP
#define WALKWAY_MODEL_TLB_PREFETCH_HPP

#include "model/params/tlb_prefetch.hpp"
#include "model/xlat_stage.hpp"

namespace walkway
{

struct tlb_prefetch_stats {
    uint64_t prefetches = 0, kept = 0, late = 0, absent = 0, same_page = 0;
    uint64_t held = 0, asked_for = 0, no_room = 0, no_page = 0;
    uint64_t unaccounted = 0;
    tick latency_ps = 0;
};

struct tlb_prefetch_events {
    static constexpr event_kind prefetch = {"tlb_prefetch", "virtual address; prefetches in flight"};
};

class tlb_prefetch final : public xlat_stage
{
public:
    /* Its name if its level has none of its own. */
    static stage_name usual() { return {"prefetch", "prefetch buffer"}; }
    tlb_prefetch(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_prefetch_params &p,
                 unsigned requesters = 1, const stage_name &stage = usual());
    const tlb_prefetch_stats &prefetched() const { return prefetched_; }
    void visit(stat_visitor &v, tick until) const override;
    void laws(law_list &list) const override;
    void signals(signal_visitor &v) const override;
    uint64_t live() const override { return xlat_stage::live() + requests_.live(); }

private:
    /* Purpose of an MSHR. */
    enum class purpose : uint8_t { demand, prefetch, wanted }; /* wanted: a demand joined the prefetch */

    void end_of_elaboration() override;
    bool serve(unsigned port, tick now) override;
    bool keeps(uint32_t entry, const ww_mapping &page) override;
    void came_back(xlat_request &r, tick at) override;
    void met_absent(uint32_t entry) override;
    void prefetch(const now_request &page, uint16_t cu, uint32_t instruction, tick now);

    uint32_t most_in_flight_, va_bits_;
    uint32_t under_way_ = 0;
    std::vector<purpose> purpose_; /* by MSHR */
    pool<xlat_request> requests_;
    account_sums account_;
    tlb_prefetch_stats prefetched_;
};

} // namespace walkway

#endif
