/* SPDX-License-Identifier: MIT */
/* model/address_space.cpp - maps the program's buffers. */
#include "model/address_space.hpp"

#include "kernels/addr.h"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

[[noreturn]] static void refuse_memory(const address_space_params &p, size_t count)
{
    const std::string spaces = count == 1 ? "" : " of " + std::to_string(count) + " address spaces";
    throw std::runtime_error(
        "the program's buffers" + spaces +
        " need more than address_space.memory_bytes = " + std::to_string(p.memory_bytes));
}

/* Checks a trace's ranges before anything is sized by them. */
static void refuse_absurd(const address_space_params &p, const space_ranges &ranges, size_t spaces,
                          uint64_t &bytes)
{
    const uint64_t end_va = uint64_t{1} << p.va_bits();
    for (size_t i = 0; i < ranges.size(); ++i) {
        if (ranges[i].base_va >= end_va || ranges[i].bytes > end_va - ranges[i].base_va)
            throw std::runtime_error("buffer " + std::to_string(i) + " of the trace, " +
                                     std::to_string(ranges[i].bytes) + " bytes from virtual address " +
                                     std::to_string(ranges[i].base_va) + " on, ends beyond the " +
                                     std::to_string(p.va_bits()) + " bits of " + p.maker().width(p));
        bytes += ranges[i].bytes;
        if (bytes > p.memory_bytes)
            refuse_memory(p, spaces);
    }
}

/* Returns the room of each table: what the largest one needs. */
static table_room room_for_each(const address_space_params &p, const std::vector<space_ranges> &of_space)
{
    uint64_t bytes = 0;
    for (const space_ranges &ranges : of_space)
        refuse_absurd(p, ranges, of_space.size(), bytes);
    return p.maker().room(p, of_space);
}

uint64_t address_space::table_bytes(const address_space_params &p, const std::vector<space_ranges> &of_space)
{
    return room_for_each(p, of_space).frames * of_space.size() * 4096;
}

space_cursor address_space::lay_out(const address_space_params &p, const std::vector<space_ranges> &of_space,
                                    memory_store &store)
{
    const space_cursor at = {room_for_each(p, of_space), p.table_pa, 0, 0};
    const uint64_t all = at.room.frames * of_space.size();
    if (p.table_pa < p.data_pa && p.table_pa + all * 4096 > p.data_pa)
        throw std::runtime_error("the page table needs " + std::to_string(all) +
                                 " nodes and runs into address_space.data_pa");
    store.reserve(p.table_pa, all * 512);
    return at;
}

address_space::address_space(const address_space_params &p, const space_ranges &ranges, memory_store &store,
                             space_cursor &at)
    : params_(p), table_pa_(at.table_pa), words_(at.room.frames * 512), in_memory_(store.dense() + at.word)
{
    uint64_t *plan_words = in_memory_;
    if (p.mode() != map_mode::all) {
        apart_ = std::make_unique<apart>();
        apart_->layout_words.resize(words_);
        apart_->layout = at.room.build(at.table_pa, apart_->layout_words.data());
        apart_->plan_words.resize(words_);
        plan_words = apart_->plan_words.data();
    }
    plan_ = at.room.build(at.table_pa, plan_words);
    table_ = plan_->table();

    const ww_frames_cfg frames = frames_of(p);
    const char *wrong = ww_frames_check(&frames);
    if (wrong != nullptr)
        throw std::runtime_error(std::string("address_space: ") + wrong);
    const page_areas areas(ranges, p.buffer_pages, p.page);
    for (size_t i = 0; i < ranges.size(); ++i) {
        const va_range &r = ranges[i];
        for (uint64_t va = areas.first_page_of(i); va < r.base_va + r.bytes;) {
            const uint8_t shift = areas.shift_at(va);
            ww_xlat there;
            if (!layout().translate(va, &there)) /* otherwise another buffer shares the page */
                lay_page_out(ww_page_base(va, shift), shift, frames, &at.frame);
            va = ww_page_after(va, shift);
        }
    }
    if (apart_ != nullptr)
        std::copy(apart_->plan_words.begin(), apart_->plan_words.end(), in_memory_);
    at.table_pa += words_ * sizeof(uint64_t);
    at.word += words_;
}

address_space::address_space(const address_space_params &p, uint64_t pages)
    : params_(p), plan_(p.maker().room(p, {}).build(0, nullptr)), table_(plan_->table()), pages_(pages),
      pages_at_start_(pages)
{
}

/* Gives the page frames; maps it if it is mapped at the start (half: every second page). */
void address_space::lay_page_out(uint64_t va, uint8_t shift, const ww_frames_cfg &frames,
                                 uint64_t *next_frame)
{
    const uint64_t more = uint64_t{1} << (shift - 12);
    *next_frame = (*next_frame + more - 1) & ~(more - 1);
    if (*next_frame + more > frames.frames)
        refuse_memory(params_, params_.spaces);
    table_builder &all = apart_ == nullptr ? *plan_ : *apart_->layout;
    const uint64_t pa = ww_frame_pa(&frames, *next_frame);
    all.make_room(va);
    if (all.map(va, pa, shift) != WW_OK)
        throw std::runtime_error("address_space: cannot map virtual address " + std::to_string(va));
    *next_frame += more;
    if (apart_ != nullptr && !params_.driven) {
        plan_->make_room(va);
        plan_->place(va, pa, shift);
    }
    const bool at_start = params_.mode() == map_mode::all || params_.mode() == map_mode::all_paged ||
                          (params_.mode() == map_mode::half && pages_ % 2 == 0);
    if (at_start && apart_ != nullptr && !params_.driven)
        map(va);
    ++pages_;
    pages_at_start_ += at_start ? 1 : 0;
}

bool address_space::page_of(uint64_t va, uint64_t *first_va) const
{
    ww_xlat x;
    if (!layout().translate(va, &x))
        return false;
    *first_va = va >> x.page_shift << x.page_shift;
    return true;
}

/* Fails if the page is mapped already. */
void address_space::map(uint64_t va)
{
    ww_xlat x{};
    uint64_t first_va = va;
    if (!page_of(va, &first_va) || !layout().translate(va, &x) ||
        plan_->map(first_va, x.page_pa, x.page_shift) != WW_OK)
        throw std::runtime_error("address_space: cannot map virtual address " + std::to_string(va));
}

ww_xlat address_space::lies(uint64_t va) const
{
    ww_xlat x{};
    if (!layout().translate(va, &x))
        fail("/walkway/address_space", "no page holds virtual address " + std::to_string(va));
    return x;
}

void address_space::move(uint64_t va, const ww_xlat &to)
{
    apart_->layout->move(va, to);
    plan_->move(va, to);
}

void address_space::publish()
{
    std::copy(plan_->words(), plan_->words() + words_, in_memory_);
}

uint64_t address_space::words_lacking() const
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < words_; ++i)
        n += plan_->words()[i] != in_memory_[i];
    return n;
}

spare_frames::spare_frames(const address_space_params &p, uint64_t next) : layout_(frames_of(p)), next_(next)
{
}

uint64_t spare_frames::take(uint8_t shift)
{
    std::deque<uint64_t> &left = left_[shift];
    const uint64_t frames = uint64_t{1} << (shift - 12);
    const uint64_t first = (next_ + frames - 1) & ~(frames - 1);
    if (first + frames <= layout_.frames) {
        next_ = first + frames;
        return ww_frame_pa(&layout_, first);
    }
    if (left.empty())
        throw std::runtime_error("no frame is left for a page that moves: address_space.memory_bytes = " +
                                 std::to_string(layout_.frames << 12));
    const uint64_t pa = left.front();
    left.pop_front();
    return pa;
}

address_spaces::address_spaces(const address_space_params &p, const std::vector<space_ranges> &of_space,
                               memory_store &store)
    : ranges_(of_space), spare_(p, 0)
{
    space_cursor at = address_space::lay_out(p, of_space, store);
    for (const space_ranges &ranges : of_space) {
        of_.push_back(static_cast<uint16_t>(spaces_.size()));
        spaces_.emplace_back(p, ranges, store, at);
    }
    spare_ = spare_frames(p, at.frame);
}

address_spaces::address_spaces(const address_space_params &p, uint64_t pages, memory_store &store)
    : ranges_(p.image->tables()), spare_(p, 0)
{
    store.lie_over(p.image->memory());
    for (uint32_t i = 0; i < p.image->tables(); ++i) {
        address_space_params of_table = p;
        of_table.image_table = i;
        of_.push_back(static_cast<uint16_t>(i));
        spaces_.emplace_back(of_table, pages);
    }
}

void address_spaces::remap(uint16_t vmid, uint64_t va)
{
    const ww_xlat from = space(vmid).lies(va);
    ww_xlat to = from;
    to.page_pa = spare_.take(from.page_shift);
    space(vmid).move(va, to);
    left_.push_back(from);
}

void address_spaces::settle()
{
    for (const ww_xlat &x : left_)
        spare_.give(x.page_pa, x.page_shift);
    left_.clear();
}

page_tables address_spaces::tables() const
{
    std::vector<ww_table> all;
    for (const address_space &s : spaces_)
        all.push_back(s.table());
    return page_tables(std::move(all));
}

uint64_t address_spaces::table_nodes() const
{
    uint64_t sum = 0;
    for (const address_space &s : spaces_)
        sum += s.table_nodes();
    return sum;
}

const uint64_t *address_spaces::node(uint64_t pa) const
{
    for (const address_space &s : spaces_)
        if (s.owns(pa))
            return s.node(pa);
    fail("/walkway/address_space", "no page table has a node at " + std::to_string(pa));
}

} // namespace walkway
