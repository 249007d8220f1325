/* SPDX-License-Identifier: MIT */
/* capi/stages.hpp - adapters between the stages of a chain: a counter of requests from above, and, before the
 * walks, one that cuts pages of sizes that TLBs do not hold. */
#ifndef WALKWAY_CAPI_STAGES_HPP
#define WALKWAY_CAPI_STAGES_HPP

#include "kernels/addr.h"
#include "translate/translator.hpp"

namespace walkway
{

/* Counts requests and victims that pass, of commits. */
class stage_counter final : public translator
{
public:
    explicit stage_counter(translator &below) : below_(below) {}
    now_answer translate_now(const now_request &r, tick t, now_how how) override
    {
        requests += how == now_how::commit ? 1 : 0;
        return below_.translate_now(r, t, how);
    }
    bool fill_now(const ww_mapping &page) override
    {
        const bool taken = below_.fill_now(page);
        fills += taken ? 1 : 0;
        return taken;
    }
    void forget_now(const ww_inval_scope &scope) override { below_.forget_now(scope); }

    uint64_t requests = 0, fills = 0;

private:
    translator &below_;
};

/* Replaces the page of an answer by its largest part around the address whose size is among `sizes` (bit n: 1
 * << n bytes; required: 4 KiB is set). A page beyond the width of physical addresses becomes a fault. */
class page_parts final : public translator
{
public:
    page_parts(translator &below, uint32_t sizes, uint32_t physical_bits)
        : below_(below), sizes_(sizes), physical_bits_(physical_bits)
    {
    }
    now_answer translate_now(const now_request &r, tick t, now_how how) override
    {
        now_answer a = below_.translate_now(r, t, how);
        if (a.fault)
            return a;
        if (a.xlat.page_pa >> physical_bits_ != 0)
            return {{}, true, a.at};
        const uint64_t fit = sizes_ & ((uint64_t{2} << a.xlat.page_shift) - 1);
        const auto shift = static_cast<uint8_t>(63 - __builtin_clzll(fit));
        a.xlat.page_pa = ww_page_base(ww_xlat_pa(&a.xlat, r.va), shift);
        a.xlat.page_shift = shift;
        return a;
    }
    void forget_now(const ww_inval_scope &scope) override { below_.forget_now(scope); }

private:
    translator &below_;
    uint32_t sizes_, physical_bits_;
};

} // namespace walkway

#endif
