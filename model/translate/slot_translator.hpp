/* SPDX-License-Identifier: MIT */
/* translate/slot_translator.hpp - translations in a table in memory (kernels/table/slot_table.h), before the
 * walks. model/memory_tlb.hpp is the same with queues and lines in flight. */
#ifndef WALKWAY_TRANSLATE_SLOT_TRANSLATOR_HPP
#define WALKWAY_TRANSLATE_SLOT_TRANSLATOR_HPP

#include "kernels/table/slot_table.h"
#include "translate/translator.hpp"

namespace walkway
{

/* The memory of the table. */
class slot_memory
{
public:
    virtual ~slot_memory() = default;
    /* Reads the line at pa. *at: the time at which the read is at memory; set to the time at which the line
     * leaves it. */
    virtual void read_line(uint64_t pa, uint64_t line[WW_SLOT_LINE_WORDS], tick *at) = 0;
    virtual void write_line(uint64_t pa, const uint64_t line[WW_SLOT_LINE_WORDS]) = 0;
    /* True if the page may still be in a line, but is not found: an invalidate is about to drop it. */
    virtual bool masked(uint64_t va, uint8_t page_shift, uint16_t vmid) const = 0;
};

/* Lines that an invalidate must go through, each once or more often. */
class slot_lines
{
public:
    slot_lines() = default; /* none */
    /* Lines in which a page in scope could be. */
    slot_lines(const ww_slot_cfg &cfg, const ww_inval_scope &scope);
    /* Every line. */
    explicit slot_lines(const ww_slot_cfg &cfg) : cfg_(cfg), every_(true), left_(cfg.sets) {}
    bool empty() const { return left_ == 0; }
    uint32_t front() const;
    void pop();
    uint64_t left() const { return left_; } /* lines left of the present page size, or of every one */

private:
    void of_size();

    ww_slot_cfg cfg_{};
    ww_inval_scope scope_{};
    bool every_ = false;
    uint32_t probe_ = 0;
    uint64_t page_ = 0, left_ = 0;
};

/* Times to memory, for comparing a line's tags, up to the requester, down to the stage below. */
struct slot_times {
    tick read, compare, way_up, link;
};

class slot_translator final : public translator
{
public:
    /* A scope of more pages than this begins a new epoch. */
    static constexpr uint64_t pages_by_line = 64;

    slot_translator(const ww_slot_cfg &cfg, uint64_t table_pa, const clock_domain &clock,
                    const slot_times &times, slot_memory &memory, translator &below);
    slot_translator(const slot_translator &) = delete;
    slot_translator &operator=(const slot_translator &) = delete;

    now_answer translate_now(const now_request &r, tick t, now_how how) override;
    void forget_now(const ww_inval_scope &scope) override;
    void states(const state_fn &f) const override { f("slot_epoch", &epoch_, sizeof epoch_); }

    /* Parts for a stage that does the same in time. */
    const ww_slot_cfg &cfg() const { return cfg_; }
    uint32_t epoch() const { return epoch_; }
    uint64_t line_pa(uint32_t line) const { return table_pa_ + uint64_t{line} * WW_LINE_BYTES; }
    /* Returns the lines that an invalidate must go through. Sets *every if the epochs began again at the
     * first number, so that all slots must be cleared. */
    slot_lines begin_drop(const ww_inval_scope &scope, bool *every);
    /* Returns the number of pages in the table. */
    uint64_t held();

private:
    void put(const ww_mapping &page);

    ww_slot_cfg cfg_;
    uint64_t table_pa_;
    clock_domain clock_;
    slot_times times_;
    slot_memory &memory_;
    translator &below_;
    uint32_t epoch_ = 0;
};

} // namespace walkway

#endif
