/* SPDX-License-Identifier: MIT */
/* model/address_space.cpp - maps the program's buffers. */
#include "model/address_space.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace walkway
{

namespace
{
const uint8_t page_shifts[] = {12, 16, 21, 12};
const uint8_t largest_shifts[] = {12, 16, 21, 21};
const uint64_t gib = uint64_t{1} << 30;
} // namespace

void address_space_params::visit(param_visitor &v)
{
    v.choice(
        "table", table,
        {
#define X(name, text) text,
            WALKWAY_TABLE_LIST(X)
#undef X
        },
        {"", 0, 0,
         "format of the page table: x86-64 radix, AMD's own I/O page table (v1), or hashed, walked with a "
         "step cache or without",
         paper("[M18] section II-B")});
    v.number("levels", levels,
             {"levels", 1, 6, "levels of the page table: 4 or 5 of a radix table, 1 to 6 of amd_v1",
              paper("[M18] section II-B")});
    v.flag("skip_levels", skip_levels,
           {"", 0, 0, "amd_v1 with map = all: leave out nodes that would have one index, 0",
            assumed("the format allows it")});
    v.number("slots_percent", slots_percent,
             {"%", 100, 100000, "hashed: slots, in percent of the 2 MiB regions that the buffers touch",
              paper("[P24] Table 1, another machine")});
    v.number("slot_stride", slot_stride,
             {"slots", 1, 1u << 26, "hashed: from one slot of a region to its next",
              assumed("[P24] leaves it to the driver")});
    v.number("step_entries", step_entries,
             {"entries", 1, 10000, "hashed: entries of the step table for each 32 MiB that the buffers touch",
              paper("[P24] section 3.5, another machine")});
    v.number("spaces", spaces,
             {"VM-IDs", 1, 16,
              "address spaces: each holds the program's buffers in frames and under a root of its own; "
              "dispatcher.space says which work-groups run in which",
              assumed("one program runs")});
    v.choice("page", page, {"4k", "64k", "2m", "mixed"},
             {"", 0, 0, "size of the pages; mixed: 2m wherever a buffer fills one, else 4k",
              paper("[M18] section II-B")});
    v.choice(
        "map", map,
        {
#define X(name, text) text,
            WALKWAY_MAP_LIST(X)
#undef X
        },
        {"", 0, 0,
         "pages that are mapped before time zero: all, none (each when it is touched first, by the pager), "
         "every second one, or all, with a pager for those that --events takes away",
         assumed("programs are measured without page faults")});
    v.choice("frames", frames, {"contiguous", "random", "fragmented"},
             {"", 0, 0, "how physical frames are given to pages, before time zero", assumed()});
    v.number("run_frames", run_frames,
             {"4 KiB frames", 1, 1u << 20, "length of a contiguous run when frames = fragmented", assumed()});
    v.number("memory_bytes", memory_bytes,
             {"bytes", gib, 64 * gib, "physical memory for data pages", assumed()});
    v.number("table_pa", table_pa,
             {"bytes", 0, 64 * gib, "physical address of the page table's first node", assumed()});
    v.number("data_pa", data_pa,
             {"bytes", 0, 64 * gib, "physical address of the first data frame", assumed()});
    v.number("seed", seed, {"1", 0, UINT64_MAX, "seed of the frame layout", assumed()});
}

uint8_t address_space_params::page_shift() const
{
    return image != nullptr ? uint8_t{WW_PAGE_4K} : page_shifts[page];
}

uint8_t address_space_params::largest_shift() const
{
    return image != nullptr ? static_cast<uint8_t>(ww_log2_u64(image->page_sizes())) : largest_shifts[page];
}

uint32_t address_space_params::page_sizes() const
{
    return image != nullptr ? image->page_sizes() : 1u << page_shift() | 1u << largest_shift();
}

uint32_t address_space_params::va_bits() const
{
    if (image != nullptr)
        return image->va_bits();
    return hashed()                          ? WW_HASHED_VA_BITS
           : format() == table_format::radix ? ww_va_bits(levels)
                                             : ww_amd_va_bits(levels);
}

const ww_table_kind *address_space_params::kind() const
{
    if (image != nullptr)
        return image->table().kind;
    if (hashed())
        return stepless() ? &ww_hashed_stepless : &ww_hashed;
    return format() == table_format::radix ? ww_radix_table(levels, 0).kind : &ww_amd_v1;
}

std::string address_space_params::validate() const
{
    if (format() == table_format::radix && (levels < WW_LEVELS_MIN || levels > WW_LEVELS_MAX))
        return "levels = " + std::to_string(levels) + ": a radix table has 4 or 5 (table = amd_v1: 1 to 6)";
    if (format() == table_format::amd_v1 && ww_page_level(largest_shift()) > levels)
        return "levels = " + std::to_string(levels) + ": pages of 2m need a second level";
    const uint64_t unit = uint64_t{1} << largest_shift();
    if (table_pa % 4096 != 0)
        return "table_pa is not a multiple of 4096";
    if (data_pa % unit != 0 || memory_bytes % unit != 0)
        return "data_pa and memory_bytes must be multiples of the page size";
    if (table_pa < data_pa + memory_bytes && data_pa <= table_pa)
        return "table_pa lies inside the data memory that starts at data_pa";
    if (frames == WW_FRAMES_FRAGMENTED && (uint64_t{run_frames} << 12) % unit != 0)
        return "run_frames is not a whole number of pages";
    return "";
}

[[noreturn]] static void refuse_memory(const address_space_params &p, size_t count)
{
    const std::string spaces = count == 1 ? "" : " of " + std::to_string(count) + " address spaces";
    throw std::runtime_error(
        "the program's buffers" + spaces +
        " need more than address_space.memory_bytes = " + std::to_string(p.memory_bytes));
}

/* Before anything is sized by what a trace states. */
static void refuse_absurd(const address_space_params &p, const space_ranges &ranges, size_t spaces,
                          uint64_t &bytes)
{
    const uint64_t end_va = uint64_t{1} << p.va_bits();
    for (size_t i = 0; i < ranges.size(); ++i) {
        if (ranges[i].base_va >= end_va || ranges[i].bytes > end_va - ranges[i].base_va)
            throw std::runtime_error(
                "buffer " + std::to_string(i) + " of the trace, " + std::to_string(ranges[i].bytes) +
                " bytes from virtual address " + std::to_string(ranges[i].base_va) + " on, ends beyond the " +
                std::to_string(p.va_bits()) + " bits of " +
                (p.hashed() ? "a hashed page table" : "address_space.levels = " + std::to_string(p.levels)));
        bytes += ranges[i].bytes;
        if (bytes > p.memory_bytes)
            refuse_memory(p, spaces);
    }
}

static uint64_t nodes_for(const address_space_params &p, const space_ranges &ranges)
{
    const uint8_t shift = p.page_shift();
    const uint64_t page_bytes = uint64_t{1} << shift;
    uint64_t nodes = 1;
    for (const va_range &r : ranges) {
        const uint64_t va = r.base_va & ~(page_bytes - 1);
        const uint64_t bytes =
            ((r.base_va & (page_bytes - 1)) + r.bytes + page_bytes - 1) & ~(page_bytes - 1);
        nodes += p.format() == table_format::amd_v1
                     ? ww_amd_nodes_needed(p.levels, va, bytes, shift)
                     : ww_radix_nodes_needed(static_cast<uint8_t>(p.hashed() ? WW_LEVELS_MIN : p.levels), va,
                                             bytes, shift);
    }
    return nodes;
}

/* Aligned pieces of 1 << shift bytes that the ranges touch. */
static uint64_t pieces_of(const space_ranges &ranges, uint32_t shift)
{
    std::set<uint64_t> pieces;
    for (const va_range &r : ranges)
        for (uint64_t n = r.base_va >> shift; r.bytes != 0 && n <= (r.base_va + (r.bytes - 1)) >> shift; ++n)
            pieces.insert(n);
    return pieces.size();
}

/* A table that is large enough for these, with a victim buffer that has room for all of them. Where the
 * stride brings a region back to a slot of its own, there is a slot more. */
static ww_hashed_cfg hashed_for(const address_space_params &p, const space_ranges &ranges)
{
    ww_hashed_cfg cfg = {};
    cfg.stepless = p.stepless();
    cfg.stride = p.slot_stride;
    const uint64_t wanted = (pieces_of(ranges, WW_HASHED_REGION_SHIFT) * p.slots_percent + 99) / 100;
    cfg.slots = std::max({wanted, uint64_t{WW_HASHED_STEPS}, uint64_t{p.slot_stride} + 1});
    while (cfg.slots < WW_HASHED_SLOTS_MAX && ww_hashed_wrong(cfg.slots, cfg.stride) != nullptr)
        ++cfg.slots;
    const uint64_t groups = std::max<uint64_t>(1, pieces_of(ranges, WW_HASHED_GROUP_SHIFT));
    cfg.step_lines = ww_hashed_step_lines(groups, p.step_entries);
    cfg.victim_nodes = static_cast<uint32_t>(nodes_for(p, ranges));
    return cfg;
}

/* Of each table, which has as much room as the largest needs: `nodes`, and what those are. */
static space_cursor room_for_each(const address_space_params &p, const std::vector<space_ranges> &of_space)
{
    uint64_t bytes = 0;
    space_cursor at = {0, p.table_pa, 0, 0, {}};
    for (const space_ranges &ranges : of_space) {
        refuse_absurd(p, ranges, of_space.size(), bytes);
        at.nodes = std::max(at.nodes, nodes_for(p, ranges));
        if (!p.hashed())
            continue;
        const ww_hashed_cfg cfg = hashed_for(p, ranges);
        at.hashed.stepless = cfg.stepless;
        at.hashed.stride = cfg.stride;
        at.hashed.slots = std::max(at.hashed.slots, cfg.slots);
        at.hashed.step_lines = std::max(at.hashed.step_lines, cfg.step_lines);
        at.hashed.victim_nodes = std::max(at.hashed.victim_nodes, cfg.victim_nodes);
    }
    if (!p.hashed() || of_space.empty())
        return at;
    at.nodes = ww_hashed_frames(&at.hashed);
    if (at.nodes == 0)
        throw std::runtime_error("address_space.slots_percent = " + std::to_string(p.slots_percent) +
                                 ", slot_stride = " + std::to_string(p.slot_stride) +
                                 ", step_entries = " + std::to_string(p.step_entries) +
                                 ": the hashed page table would be too large");
    return at;
}

uint64_t address_space::table_bytes(const address_space_params &p, const std::vector<space_ranges> &of_space)
{
    return room_for_each(p, of_space).nodes * of_space.size() * 4096;
}

space_cursor address_space::lay_out(const address_space_params &p, const std::vector<space_ranges> &of_space,
                                    memory_store &store)
{
    const space_cursor at = room_for_each(p, of_space);
    const uint64_t all = at.nodes * of_space.size();
    if (p.table_pa < p.data_pa && p.table_pa + all * 4096 > p.data_pa)
        throw std::runtime_error("the page table needs " + std::to_string(all) +
                                 " nodes and runs into address_space.data_pa");
    store.reserve(p.table_pa, all * 512);
    return at;
}

ww_frames_cfg frames_of(const address_space_params &p)
{
    return {p.frames, p.largest_shift(), p.run_frames, p.memory_bytes >> 12, p.data_pa >> 12, p.seed};
}

address_space::address_space(const address_space_params &p, const space_ranges &ranges, memory_store &store,
                             space_cursor &at)
    : params_(p), table_pa_(at.table_pa), words_(at.nodes * 512), in_memory_(store.dense() + at.word)
{
    uint64_t *plan_words = in_memory_;
    if (p.mode() != map_mode::all) {
        apart_ = std::make_unique<apart>();
        apart_->layout_words.resize(words_);
        apart_->layout.init(p, at, apart_->layout_words.data());
        apart_->plan_words.resize(words_);
        plan_words = apart_->plan_words.data();
    }
    plan_.init(p, at, plan_words);
    table_ = plan_.table();

    const uint8_t shift = p.page_shift();
    const uint64_t page_bytes = uint64_t{1} << shift;
    const ww_frames_cfg frames = frames_of(p);
    const char *wrong = ww_frames_check(&frames);
    if (wrong != nullptr)
        throw std::runtime_error(std::string("address_space: ") + wrong);
    for (const va_range &r : ranges) {
        const uint64_t end = r.base_va + r.bytes;
        for (uint64_t va = r.base_va & ~(page_bytes - 1); va < end;) {
            const uint64_t large = uint64_t{1} << p.largest_shift();
            const bool whole = va % large == 0 && va + large <= end;
            const uint8_t this_shift = whole ? p.largest_shift() : shift;
            ww_xlat there;
            if (!layout().translate(va, &there)) /* else two small buffers share a page */
                lay_page_out(va, this_shift, frames, &at.frame);
            va += uint64_t{1} << this_shift;
        }
    }
    if (apart_ != nullptr)
        std::copy(apart_->plan_words.begin(), apart_->plan_words.end(), in_memory_);
    at.table_pa += at.nodes * 4096;
    at.word += at.nodes * 512;
}

address_space::address_space(const image_space &image, uint64_t pages)
    : table_(image.table()), pages_(pages), pages_at_start_(pages)
{
    params_.image = &image;
}

/* Its frames; of every second page, the first one included, where half of them are mapped. */
void address_space::lay_page_out(uint64_t va, uint8_t shift, const ww_frames_cfg &frames,
                                 uint64_t *next_frame)
{
    const uint64_t more = uint64_t{1} << (shift - 12);
    *next_frame = (*next_frame + more - 1) & ~(more - 1);
    if (*next_frame + more > frames.frames)
        refuse_memory(params_, params_.spaces);
    table_words &all = apart_ == nullptr ? plan_ : apart_->layout;
    if (all.map(va, ww_frame_pa(&frames, *next_frame), shift) != WW_OK)
        throw std::runtime_error("address_space: cannot map virtual address " + std::to_string(va));
    *next_frame += more;
    if (apart_ != nullptr)
        plan_.place(va);
    const bool at_start = params_.mode() == map_mode::all || params_.mode() == map_mode::all_paged ||
                          (params_.mode() == map_mode::half && pages_ % 2 == 0);
    if (at_start && apart_ != nullptr)
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

/* Once: what is mapped is refused. */
void address_space::map(uint64_t va)
{
    ww_xlat x{};
    uint64_t first_va = va;
    if (!page_of(va, &first_va) || !layout().translate(va, &x) ||
        plan_.map(first_va, x.page_pa, x.page_shift) != WW_OK)
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
    apart_->layout.move(va, to);
    plan_.move(va, to);
}

uint64_t address_space::words_lacking() const
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < words_; ++i)
        n += plan_.words()[i] != in_memory_[i];
    return n;
}

/* A table that grows leaves no node out: one that came in between later would have to be told to whoever has
 * read the entry above. */
void table_words::init(const address_space_params &p, const space_cursor &at, uint64_t *words)
{
    const auto levels = static_cast<uint8_t>(p.levels);
    const auto max_nodes = static_cast<uint32_t>(at.nodes);
    const size_t count = at.nodes * 512;
    const ww_radix_cfg radix = {levels, at.table_pa, max_nodes};
    const ww_amd_cfg amd = {levels, p.skip_levels && p.mode() == map_mode::all, at.table_pa, max_nodes};
    ww_hashed_cfg hashed = at.hashed;
    hashed.arena_pa = at.table_pa;
    format_ = p.format();
    words_ = words;
    first_pa_ = at.table_pa;
    const int rc = format_ == table_format::radix    ? ww_radix_init(&radix_, &radix, words, count)
                   : format_ == table_format::amd_v1 ? ww_amd_init(&amd_, &amd, words, count)
                                                     : ww_hashed_init(&hashed_, &hashed, words, count);
    if (rc != WW_OK)
        throw std::runtime_error("address_space: illegal page table");
}

ww_table table_words::table() const
{
    if (format_ == table_format::radix)
        return ww_radix_table(radix_.cfg.levels, first_pa_);
    return format_ == table_format::amd_v1 ? ww_amd_v1_table(amd_.cfg.mode, first_pa_)
                                           : ww_hashed_table(&hashed_);
}

/* Of a hashed table: all frames in front of the victim buffer, in use or not. */
uint32_t table_words::nodes() const
{
    if (format_ == table_format::radix)
        return radix_.nodes;
    return format_ == table_format::amd_v1
               ? amd_.nodes
               : static_cast<uint32_t>(ww_hashed_victims_at(&hashed_.cfg)) + hashed_.victims.nodes;
}

/* In all entries of the page that holds va, the bits of the mask become those. */
void table_words::rewrite(uint64_t va, uint64_t mask, uint64_t bits)
{
    const ww_table all = table();
    uint64_t walk = ww_table_start(&all, va), entry = 0;
    for (ww_walk_read read = {}; ww_table_next(&all, walk, va, &read) == WW_WALK_READ;) {
        entry = (read.pa - first_pa_) / sizeof(uint64_t);
        walk = ww_table_feed(&all, walk, va, words_ + entry / WW_LINE_PTES * WW_LINE_PTES);
    }
    if (ww_walk_act(walk) != WW_WALK_DONE)
        fail("/walkway/address_space", "virtual address " + std::to_string(va) + " is not mapped");
    const uint64_t entries = uint64_t{1}
                             << (ww_walk_xlat(walk).page_shift - all.kind->reach[ww_walk_step(walk)]);
    for (uint64_t i = entry & ~(entries - 1); i <= (entry | (entries - 1)); ++i)
        words_[i] = (words_[i] & ~mask) | bits;
}

/* What an entry's address says of size and part of the page stays. */
void table_words::move(uint64_t va, const ww_xlat &to)
{
    rewrite(va, WW_WALK_PA >> to.page_shift << to.page_shift, to.page_pa);
}

void table_words::protect(uint64_t va, bool writable)
{
    const uint64_t right = format_ == table_format::amd_v1 ? WW_AMD_IW : WW_PTE_RW;
    rewrite(va, right, writable ? right : 0);
}

/* What a line says of its region, where it does, stays. */
void table_words::unmap(uint64_t va)
{
    const bool tagged = format_ != table_format::radix && format_ != table_format::amd_v1;
    rewrite(va, tagged ? ~WW_HPT_PTE_TAG : UINT64_MAX, 0);
}

int table_words::map(uint64_t va, uint64_t pa, uint8_t shift)
{
    if (format_ == table_format::radix)
        return ww_radix_map(&radix_, words_, va, pa, shift, WW_PERM_ALL);
    return format_ == table_format::amd_v1 ? ww_amd_map(&amd_, words_, va, pa, shift, WW_PERM_ALL)
                                           : ww_hashed_map(&hashed_, words_, va, pa, shift, WW_PERM_ALL);
}

/* Without a slot it is the victim buffer's. */
void table_words::place(uint64_t va)
{
    if (format_ == table_format::hashed || format_ == table_format::hashed_stepless)
        ww_hashed_place(&hashed_, words_, va);
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
    : ranges_(1), of_(1), spare_(p, 0)
{
    store.lie_over(p.image->memory());
    spaces_.emplace_back(*p.image, pages);
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
