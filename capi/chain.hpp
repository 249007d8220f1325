/* SPDX-License-Identifier: MIT */
/* capi/chain.hpp - a machine's stages of translation as objects that translate within a call
 * (docs/translate-now.md), made from its parameters:
 *
 *   apu    L1 TLBs ─ [victim TLBs] ─ L2 TLB ─ [IOMMU's TLBs] ─ walks
 *   mmu    L1 TLBs ─ [victim TLBs] ─ [L2 TLB] ─ walks, of one compute unit or of several
 *
 * Which parameters have an effect is said here, and why the others have none; what asks for a stage that is
 * not here is refused. */
#ifndef WALKWAY_CAPI_CHAIN_HPP
#define WALKWAY_CAPI_CHAIN_HPP

#include "capi/memory.hpp"
#include "capi/parameters.hpp"
#include "capi/stages.hpp"
#include "translate/array_pair_translator.hpp"
#include "translate/store_translator.hpp"
#include "translate/walk_translator.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

/* Empty: a parameter has an effect; else why it has none. */
std::string without_effect(const std::string &name);

/* Of walkway_options: what tables are, and how many. */
struct chain_tables {
    uint32_t table, vmids, physical_bits;
};

/* One kind of stage, all that there are of it added up. */
struct stage_count {
    const char *name;
    uint64_t lookups, fills; /* of commits; fills: victims of the stage above that it has taken */
};

class chain
{
public:
    /* Throws refusal. */
    chain(const chain_parameters &p, const chain_tables &tables);
    chain(const chain &) = delete;
    chain &operator=(const chain &) = delete;

    uint32_t units() const { return static_cast<uint32_t>(l1_.size()); }
    caller_memory &memory() { return memory_; }
    translator &of_unit(uint32_t unit) { return *l1_[unit]; }

    /* A virtual address as stages know it: without its sign extension. False: the table's format has none
     * such.
     */
    bool known_address(uint64_t *va) const
    {
        const uint64_t given = *va;
        *va = given & va_mask_;
        return !canonical_ ? given <= va_mask_ : *va == given || (given | va_mask_) == UINT64_MAX;
    }
    uint64_t last_address() const { return va_mask_; }
    /* Does the page lie where physical addresses of this width can? */
    bool fits(const ww_xlat &x) const { return x.page_pa >> physical_bits_ == 0; }
    bool sign_extended() const { return canonical_; }
    ww_table table_of(uint64_t root_pa) const;
    void set_table(uint32_t vmid, const ww_table &table);
    const ww_table &table(uint32_t vmid) const
    {
        return walks_.front()->tables().of(static_cast<uint16_t>(vmid));
    }

    void forget(const ww_inval_scope &scope);
    /* Every stage's stores, in an order of their own. */
    void states(const translator::state_fn &f) const;
    const char *check() const;
    /* From above; those of L1 TLBs are the caller's to count. */
    std::vector<stage_count> counts() const;
    void reset_counts();
    std::vector<uint64_t *> counters();

private:
    struct named_counter {
        const char *stage;
        std::unique_ptr<stage_counter> counter;
    };

    translator &count(const char *stage, translator &below);
    translator &make_tlb(const chain_parameters &p, const std::string &section, translator &below,
                         bool passes_victims, std::vector<std::unique_ptr<translator>> &into);
    stage_store compressed_store(const chain_parameters &p, const std::string &section) const;
    translator &make_victim(const chain_parameters &p, translator &below);
    translator &make_walks(const chain_parameters &p);
    void make_l1(const chain_parameters &p, uint64_t unit, translator &next);
    void make_apu(const chain_parameters &p);
    void make_mmu(const chain_parameters &p);

    clock_domain clock_;
    uint32_t page_sizes_;
    ww_table model_table_; /* of no root: kind and fixed registers */
    uint32_t vmids_, levels_, physical_bits_;
    uint64_t va_mask_;
    bool canonical_;
    caller_memory memory_;
    std::vector<std::unique_ptr<walk_translator>> walks_;
    std::vector<std::unique_ptr<translator>> between_, l1_; /* between_: the lowest first */
    std::vector<named_counter> counters_;
    translator *victims_to_ = nullptr; /* while they are made: the last victim TLB */
};

} // namespace walkway

#endif
