/* SPDX-License-Identifier: MIT */
/* model/address_space.hpp - the virtual memory of the traced program, laid out before time zero: every buffer
 * of the trace is mapped, in the order of the buffer table, to frames of a seeded layout, never in the order
 * of accesses. A page that a pager maps later gets the frame laid out for it. Several spaces (VM-IDs 0, 1,
 * ...) are processes, each with frames and a root of its own. They hold the same buffers at the same virtual
 * addresses if they run one program, else each those of its own program. */
#ifndef WALKWAY_MODEL_ADDRESS_SPACE_HPP
#define WALKWAY_MODEL_ADDRESS_SPACE_HPP

#include "kernels/table/frames.h"
#include "model/memory_store.hpp"
#include "model/page_plan.hpp"
#include "model/table_builder.hpp"
#include "translate/page_tables.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

/* Where the next space's table and pages begin. */
struct space_cursor {
    table_room room;   /* of each table */
    uint64_t table_pa; /* of the table's first frame */
    uint64_t word;     /* index of that frame in the store's dense memory */
    uint64_t frame;    /* frames given out so far */
};

class address_space
{
public:
    /* Lays out every page that the ranges touch, and maps those that are mapped before time zero. page =
     * mixed: every whole, aligned 2 MiB of a range is one page, the rest 4 KiB pages. A page touched by
     * several ranges that ask for different sizes has the largest. Throws std::runtime_error if memory does
     * not suffice. */
    address_space(const address_space_params &p, const space_ranges &ranges, memory_store &store)
        : address_space(p, ranges, store, lay_out(p, {ranges}, store))
    {
    }
    /* The same for one of several spaces; advances `at` past it. */
    address_space(const address_space_params &p, const space_ranges &ranges, memory_store &store,
                  space_cursor &at);
    /* The space of an image: lays nothing out. */
    address_space(const address_space_params &p, uint64_t pages);
    /* Makes room in the store for the tables of all spaces. Throws as the constructor does. */
    static space_cursor lay_out(const address_space_params &p, const std::vector<space_ranges> &of_space,
                                memory_store &store);

    uint8_t page_shift() const { return params_.page_shift(); }
    /* Bit n set: pages of 1 << n bytes may occur. */
    uint32_t page_sizes() const { return params_.page_sizes(); }
    /* The kind and the registers, for a walker. */
    const ww_table &table() const { return table_; }
    /* All pages, and those mapped before time zero. */
    uint64_t pages() const { return pages_; }
    uint64_t pages_at_start() const { return pages_at_start_; }
    /* Returns the bytes of the page tables for these ranges, before there are any. Throws std::runtime_error
     * as the constructor does. */
    static uint64_t table_bytes(const address_space_params &p, const std::vector<space_ranges> &of_space);
    /* Frames of the planned table. */
    uint64_t table_nodes() const { return plan_->nodes(); }
    /* True if memory maps va at present; only then sets *out. No side effect. */
    bool translate(uint64_t va, ww_xlat *out) const { return plan_->translate(va, out, in_memory_); }
    /* Returns the first address after its table's nodes in use once all pages are mapped. */
    uint64_t table_end() const { return table_pa_ + uint64_t{layout().nodes()} * 4096; }

    /* The plan of a space whose pages are not all mapped at the start; see page_plan. */
    bool page_of(uint64_t va, uint64_t *first_va) const;
    bool mapped(uint64_t va) const
    {
        ww_xlat x;
        return plan_->translate(va, &x);
    }
    void map(uint64_t va);
    void unmap(uint64_t va) { plan_->unmap(va); }
    /* For a caller that maps pages elsewhere than laid out. */
    table_builder &plan() { return *plan_; }
    /* Writes the planned tables to memory, before time zero. */
    void publish();
    /* lies(): returns the laid-out translation of the page that holds va. move(): changes it from now on. */
    ww_xlat lies(uint64_t va) const;
    void move(uint64_t va, const ww_xlat &to);
    void protect(uint64_t va, bool writable) { plan_->protect(va, writable); }
    bool forgets_all(page_change what) const { return plan_->forgets_all(what); }
    bool owns(uint64_t pa) const { return pa - table_pa_ < words_ * sizeof(uint64_t); }
    const uint64_t *node(uint64_t pa) const { return plan_->words() + (pa - table_pa_) / sizeof(uint64_t); }
    uint64_t words_lacking() const;

private:
    address_space(const address_space_params &p, const space_ranges &ranges, memory_store &store,
                  space_cursor &&at)
        : address_space(p, ranges, store, at)
    {
    }
    void lay_page_out(uint64_t va, uint8_t shift, const ww_frames_cfg &frames, uint64_t *next_frame);
    const table_builder &layout() const { return apart_ == nullptr ? *plan_ : *apart_->layout; }

    /* Present if plan and memory may differ. */
    struct apart {
        std::vector<uint64_t> plan_words, layout_words;
        std::unique_ptr<table_builder> layout; /* with every page mapped */
    };

    address_space_params params_;
    uint64_t table_pa_ = 0, words_ = 0;
    uint64_t *in_memory_ = nullptr; /* the table's words in the store */
    std::unique_ptr<apart> apart_;  /* null: all pages are mapped, and the table in memory is the plan */
    std::unique_ptr<table_builder> plan_;
    ww_table table_{};
    uint64_t pages_ = 0, pages_at_start_ = 0;
};

/* Frames without a page: those after the last page, and those that pages have left. */
class spare_frames
{
public:
    spare_frames(const address_space_params &p, uint64_t next);
    /* Returns the address of a frame for a page of 1 << shift bytes. Throws std::runtime_error if there is
     * none. */
    uint64_t take(uint8_t shift);
    void give(uint64_t pa, uint8_t shift) { left_[shift].push_back(pa); }

private:
    ww_frames_cfg layout_;
    uint64_t next_;
    std::map<uint8_t, std::deque<uint64_t>> left_;
};

/* All address spaces, by VM-ID. */
class address_spaces final : public page_plan
{
public:
    /* Lays out p.spaces spaces with the same ranges, or each with its own. Throws as the constructor of one
     * does. */
    address_spaces(const address_space_params &p, const space_ranges &ranges, memory_store &store)
        : address_spaces(p, std::vector<space_ranges>(p.spaces, ranges), store)
    {
    }
    address_spaces(const address_space_params &p, const std::vector<space_ranges> &of_space,
                   memory_store &store);
    /* Spaces of a memory image, one per table; the store lies over the image from now on. `pages`: pages of
     * the image used by each. */
    address_spaces(const address_space_params &p, uint64_t pages, memory_store &store);

    uint32_t count() const { return static_cast<uint32_t>(spaces_.size()); }
    table_builder &plan(uint16_t vmid) { return space(vmid).plan(); }
    void publish(uint16_t vmid) { space(vmid).publish(); }
    /* Required: vmid < count(). */
    const address_space &operator[](uint16_t vmid) const { return spaces_[of_[vmid]]; }
    /* Returns their registers. */
    page_tables tables() const;
    uint64_t pages() const { return sum(&address_space::pages); }
    uint64_t pages_at_start() const { return sum(&address_space::pages_at_start); }
    uint64_t table_nodes() const;
    uint64_t table_end() const { return spaces_.back().table_end(); }

    bool page_of(uint16_t vmid, uint64_t va, uint64_t *first_va) const override
    {
        return vmid < count() && (*this)[vmid].page_of(va, first_va);
    }
    bool mapped(uint16_t vmid, uint64_t va) const override
    {
        return vmid < count() && (*this)[vmid].mapped(va);
    }
    void map(uint16_t vmid, uint64_t va) override { space(vmid).map(va); }
    void unmap(uint16_t vmid, uint64_t va) override { space(vmid).unmap(va); }
    void remap(uint16_t vmid, uint64_t va) override;
    void protect(uint16_t vmid, uint64_t va, bool writable) override { space(vmid).protect(va, writable); }
    bool alike(uint16_t vmid, uint16_t other) const override
    {
        return ranges_[of_[vmid]] == ranges_[of_[other]];
    }
    void exchange(uint16_t vmid, uint16_t other) override { std::swap(of_[vmid], of_[other]); }
    void settle() override;
    uint64_t bytes_of(uint16_t vmid, uint64_t va) const override
    {
        return uint64_t{1} << (*this)[vmid].lies(va).page_shift;
    }
    const ww_table &table(uint16_t vmid) const override { return (*this)[vmid].table(); }
    bool forgets_all(uint16_t vmid, page_change what) const override
    {
        return (*this)[vmid].forgets_all(what);
    }
    const uint64_t *node(uint64_t pa) const override;
    uint64_t words_lacking() const override { return sum(&address_space::words_lacking); }

private:
    address_space &space(uint16_t vmid) { return spaces_[of_[vmid]]; }
    uint64_t sum(uint64_t (address_space::*of)() const) const
    {
        uint64_t all = 0;
        for (const address_space &s : spaces_)
            all += (s.*of)();
        return all;
    }

    std::deque<address_space> spaces_; /* elements never move: blocks refer to them */
    std::vector<space_ranges> ranges_; /* of each of these spaces */
    std::vector<uint16_t> of_;         /* index of its space, by VM-ID */
    spare_frames spare_;
    std::vector<ww_xlat> left_; /* translations of pages that moved since settle() */
};

} // namespace walkway

#endif
