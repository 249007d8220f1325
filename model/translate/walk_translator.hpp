/* SPDX-License-Identifier: MIT */
/* translate/walk_translator.hpp - walks of page tables with their caches: the last stage. model/walk_unit.hpp
 * is the same with a buffer, walkers, coalescing and handling of faults; here a fault is an answer. */
#ifndef WALKWAY_TRANSLATE_WALK_TRANSLATOR_HPP
#define WALKWAY_TRANSLATE_WALK_TRANSLATOR_HPP

#include "kernels/walk/pte_cache.h"
#include "kernels/walk/pwc.h"
#include "model/common/pool.hpp"
#include "translate/page_tables.hpp"
#include "translate/translator.hpp"

namespace walkway
{

/* The memory that walks read. */
class line_memory
{
public:
    virtual ~line_memory() = default;
    /* Reads the aligned line that holds pa. Returns false if memory answers with an error. *at: the time at
     * which the read is at memory; set to the time at which the line leaves it. */
    virtual bool line_now(uint64_t pa, uint64_t line[WW_LINE_PTES], tick *at) = 0;
};

/* Times of a walk: lookups of its caches, to memory, back from there, to the requester. */
struct walk_times {
    tick pwc, lines, read, reply, response;
    tick ideal_read = 0; /* of a read from memory with ideal walks */
    tick match = 0;      /* after a line, before the walker continues with another */
};

struct walk_caches {
    ww_pwc_cfg pwc;
    ww_pte_cache_cfg lines; /* no bytes: absent */
    bool inner = false;     /* it holds no lines of the last step */
    bool at_once = false;   /* memory's lines arrive in no time and enter no cache */
    bool ideal = false;     /* a walk starts at its last read, as if pwc held the whole table */
};

class walk_translator final : public translator
{
public:
    walk_translator(const page_tables &tables, const walk_caches &caches, const clock_domain &clock,
                    const walk_times &times, line_memory &memory);
    walk_translator(const walk_translator &) = delete;
    walk_translator &operator=(const walk_translator &) = delete;
    bool ok() const { return ok_; } /* false: the configuration is illegal, and it must not be used */

    now_answer translate_now(const now_request &r, tick t, now_how how) override;
    void forget_now(const ww_inval_scope &scope) override;
    void states(const state_fn &f) const override;
    const char *check() const override;

    /* Parts for a walk unit that does the same in time. */
    const page_tables &tables() const { return tables_; }
    void set_table(uint16_t vmid, const ww_table &table) { tables_.set(vmid, table); }
    ww_pwc *pwc() { return pwc_.as<ww_pwc>(); }
    ww_pte_cache *lines() { return has_lines() ? lines_.as<ww_pte_cache>() : nullptr; }
    bool has_lines() const { return lines_.bytes() != 0; }
    /* Returns the walk as it starts if the walk caches hold the whole table: at its last read, or at the
     * first absent entry. */
    uint64_t last_read_of(uint64_t va, uint16_t vmid);
    /* Returns the walk as it starts without a walk-cache hit; with ideal walk caches, at its last read. */
    uint64_t start(uint64_t va, uint16_t vmid)
    {
        return ideal_ ? last_read_of(va, vmid) : tables_.start(vmid, va);
    }
    /* Drops walk-cache entries on the way to entries in scope. Returns how many. */
    uint32_t forget_nodes(const ww_inval_scope &scope);

private:
    uint64_t first(const now_request &r, now_how how);
    bool read(uint64_t pa, bool last, uint64_t *line, tick *at, now_how how);

    page_tables tables_;
    clock_domain clock_;
    walk_times times_;
    line_memory &memory_;
    blob pwc_, lines_;
    bool inner_, at_once_, ideal_, ok_;
};

} // namespace walkway

#endif
