/* SPDX-License-Identifier: MIT */
/* capi/chain.hpp - a machine's stages of translation as objects that translate within a call
 * (docs/use/translate-now.md), made from its path of levels and the caller's memory. States which parameters
 * have an effect, and why the others have none; refuses a machine with a level that cannot translate within a
 * call. */
#ifndef WALKWAY_CAPI_CHAIN_HPP
#define WALKWAY_CAPI_CHAIN_HPP

#include "capi/memory.hpp"
#include "capi/parameters.hpp"
#include "capi/stages.hpp"
#include "platforms/now_path.hpp"
#include "translate/walk_translator.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

/* The kind and number of tables, from walkway_options. */
struct chain_tables {
    uint32_t table, vmids, physical_bits;
};

/* A kind of stage; its instances are added up. */
struct stage_count {
    std::string name;
    uint64_t lookups, fills; /* of commits; fills: victims taken from the stage above */
};

class chain
{
public:
    /* Throws refusal. */
    chain(const chain_parameters &p, const chain_tables &tables);
    chain(const chain &) = delete;
    chain &operator=(const chain &) = delete;

    uint32_t units() const { return stages_.units(); }
    caller_memory &memory() { return memory_; }
    translator &of_unit(uint32_t unit) { return stages_.of_unit(unit); }

    /* Removes the sign extension from a virtual address, as stages need it. Returns false if the table's
     * format does not have the address. */
    bool known_address(uint64_t *va) const
    {
        const uint64_t given = *va;
        *va = given & va_mask_;
        return !canonical_ ? given <= va_mask_ : *va == given || (given | va_mask_) == UINT64_MAX;
    }
    uint64_t last_address() const { return va_mask_; }
    /* True if the page lies within the physical address width. */
    bool fits(const ww_xlat &x) const { return x.page_pa >> physical_bits_ == 0; }
    bool sign_extended() const { return canonical_; }
    ww_table table_of(uint64_t root_pa) const;
    void set_table(uint32_t vmid, const ww_table &table);
    const ww_table &table(uint32_t vmid) const
    {
        return walks_.front()->tables().of(static_cast<uint16_t>(vmid));
    }

    void forget(const ww_inval_scope &scope);
    /* Shows every stage's stores, in a fixed order. */
    void states(const translator::state_fn &f) const;
    const char *check() const;
    /* The level that compute units use, whose lookups the caller counts; "": there are walks only. */
    const std::string &first_level() const { return first_; }
    /* Returns the counts of the other stages, from above. */
    std::vector<stage_count> counts() const;
    void reset_counts();
    std::vector<uint64_t *> counters();

private:
    struct named_counter {
        std::string stage;
        std::unique_ptr<stage_counter> counter;
    };

    translator &watch(const std::string &stage, translator &made);
    translator &make_walks(const level &l);

    clock_domain clock_;
    uint32_t page_sizes_;
    ww_table model_table_; /* without a root: kind and fixed registers */
    uint32_t vmids_, levels_, physical_bits_;
    uint64_t va_mask_;
    bool canonical_;
    caller_memory memory_;
    std::vector<std::unique_ptr<walk_translator>> walks_;
    std::vector<std::unique_ptr<page_parts>> parts_; /* one for each of them */
    std::vector<named_counter> counters_;            /* the lowest first */
    std::string first_;
    std::vector<std::string> order_; /* counted stages, from above */
    now_path stages_;
};

} // namespace walkway

#endif
