/* SPDX-License-Identifier: MIT */
/* translate/stores/plain_store.cpp - each place holds one entry: docs/model/tlb.md. */
#include "kernels/store/tlb.h"
#include "translate/tlb_store_kind.hpp"

namespace walkway
{

namespace
{

class plain_kind final : public kernel_store<ww_tlb, ww_tlb_cfg>
{
public:
    plain_kind() : kernel_store(ww_tlb_store, ww_tlb_bytes, ww_tlb_init) {}
    const char *text() const override { return "an entry in each place"; }
    ww_tlb_cfg config(const tlb_section &s) const override
    {
        ww_tlb_cfg cfg = {};
        cfg.sets = s.sets();
        cfg.ways = s.ways;
        cfg.index = s.index;
        cfg.replace = s.replace;
        cfg.page_sizes = s.page_sizes;
        cfg.seed = s.seed;
        return cfg;
    }
    std::string fault(const tlb_section &s) const override
    {
        return s.ways > 64 && s.ways != s.entries ? "more than 64 ways only when fully associative" : "";
    }
};

} // namespace

const tlb_store_kind &plain_store()
{
    static const plain_kind kind;
    return kind;
}

} // namespace walkway
