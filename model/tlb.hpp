/* SPDX-License-Identifier: MIT */
/* model/tlb.hpp - a TLB level: L1 of a compute unit, or the shared L2. [M18 section II-B, Table I]. A stage
 * of translation (model/xlat_stage.hpp) over the store of kernels/tlb.h, docs/tlb.md, or over that of
 * kernels/tlb_compressed.h [P20], docs/compressed-tlb.md. Not modelled: permission checks. */
#ifndef WALKWAY_MODEL_TLB_HPP
#define WALKWAY_MODEL_TLB_HPP

#include "kernels/tlb.h"
#include "kernels/tlb_compressed.h"
#include "model/common/structure.hpp"
#include "model/xlat_stage.hpp"

namespace walkway
{

enum class tlb_store : uint8_t { plain, compressed };

struct tlb_params {
    uint32_t entries = 32;
    uint32_t ways = 32;
    uint8_t index = 0;   /* enum ww_index_kind */
    uint8_t replace = 0; /* enum ww_replace */
    uint32_t hit_cycles = 108;
    uint32_t ports = 2;
    uint32_t mshrs = 2560;
    uint32_t merges = 4096;
    uint32_t queue_entries = 64;
    uint32_t response_cycles = 1;
    uint32_t link_cycles = 0;
    uint32_t size_probe_cycles = 0;
    uint32_t page_sizes = 1u << 12; /* set by the platform from the address space, not a parameter */
    uint64_t seed = 1;
    uint8_t victims = 0; /* 0 drop, 1 pass */
    uint32_t fills = 0;  /* 0: takes none */
    uint8_t store = 0;   /* tlb_store */
    uint32_t compressed_ways = 8;
    uint32_t rebase_after = 16;
    /* Set by the platform: is there a level below that may take fills, one above that may pass victims, a
     * choice of stores? Of addresses, which a compressed entry is made for. */
    bool may_pass = false, may_take = false, may_compress = false;
    bool may_be_absent = false; /* set by the platform: 0 entries, there is none */
    uint32_t va_bits = 48, pa_bits = 40;

    bool present() const { return entries != 0; }
    bool compressed() const { return static_cast<tlb_store>(store) == tlb_store::compressed; }

    void visit(param_visitor &v);
    std::string validate() const;
    void structures(structure_list &list) const;
    uint64_t state_bytes() const; /* of the host, without queues */
};

class tlb final : public xlat_stage
{
public:
    tlb(const sc_core::sc_module_name &name, const clock_domain &clock, const tlb_params &p,
        const stage_name &stage, unsigned requesters);
    void visit(stat_visitor &v, tick now) const override;
    void laws(law_list &list) const override;

private:
    const ww_tlbc *compressed_; /* its store; null: a plain one */
};

} // namespace walkway

#endif
