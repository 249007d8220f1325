/* SPDX-License-Identifier: MIT */
/* model/address_space_params.cpp - see address_space_params.hpp. */
#include "model/address_space_params.hpp"

#include "model/table_builder.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

namespace
{
const uint64_t gib = uint64_t{1} << 30;

struct owned_key {
    std::string owners; /* formats: "a|b" */
    table_key key;
};

/* The keys of all formats, in order; a key that several formats have occurs once. */
const std::vector<owned_key> &all_table_keys()
{
    static const std::vector<owned_key> all = [] {
        std::vector<owned_key> list;
        for (const named_tables &f : table_formats())
            for (const table_key &key : f.maker->keys()) {
                const auto known = std::find_if(list.begin(), list.end(), [&key](const owned_key &k) {
                    return std::string(key.name) == k.key.name;
                });
                if (known == list.end())
                    list.push_back({f.name, key});
                else
                    known->owners += std::string("|") + f.name;
            }
        return list;
    }();
    return all;
}

/* "format of the page table: radix, ...; amd_v1, ..." */
const std::string &text_of_formats()
{
    static const std::string text = [] {
        std::string all = "format of the page table";
        for (const named_tables &f : table_formats())
            all +=
                std::string(&f == &table_formats().front() ? ": " : "; ") + f.name + ", " + f.maker->text();
        return all;
    }();
    return text;
}
} // namespace

table_choice::table_choice() : keys_(all_table_keys().size(), 0) {}

void table_choice::visit(param_visitor &v)
{
    choice_names names;
    for (const named_tables &f : table_formats())
        names.push_back(f.name);
    v.choice("table", format_, names, {"", 0, 0, text_of_formats().c_str(), neutral});
}

void table_choice::visit_keys(param_visitor &v)
{
    for (size_t i = 0; i < keys_.size(); ++i) {
        const table_key &key = all_table_keys()[i].key;
        v.needs(("table=" + all_table_keys()[i].owners).c_str());
        auto chosen = static_cast<uint8_t>(keys_[i]);
        v.choice(key.name, chosen, key.choices, {"", 0, 0, key.text, neutral});
        keys_[i] = chosen;
    }
    v.needs("");
}

const table_maker &table_choice::maker() const
{
    return *table_formats().at(format_).maker;
}

bool table_choice::is(const std::string &format) const
{
    return format == table_formats().at(format_).name;
}

void table_choice::choose(const std::string &format)
{
    for (size_t i = 0; i < table_formats().size(); ++i)
        if (format == table_formats()[i].name) {
            format_ = static_cast<uint8_t>(i);
            return;
        }
    throw std::invalid_argument("there is no format of page tables '" + format + "'");
}

size_t table_choice::place_of(const std::string &key)
{
    for (size_t i = 0; i < all_table_keys().size(); ++i)
        if (key == all_table_keys()[i].key.name)
            return i;
    throw std::invalid_argument("no format of page tables has a key '" + key + "'");
}

void address_space_params::visit(param_visitor &v)
{
    table.visit(v);
    v.number(
        "levels", levels,
        {"levels", 1, 6,
         "levels of the page table: 4 or 5 of a radix table, 4 of both of a nested one, 1 to 6 of amd_v1"});
    v.only_timed(callers_tables);
    v.flag("skip_levels", skip_levels,
           {"", 0, 0, "amd_v1 with map = all: leave out nodes that would have one index, 0", neutral});
    v.number(
        "slots_percent", slots_percent,
        {"%", 100, 100000, "hashed: slots, in percent of the 2 MiB regions that the buffers touch", neutral});
    v.number("slot_stride", slot_stride,
             {"slots", 1, 1u << 26, "hashed: from one slot of a region to its next", neutral});
    v.flag(
        "slot_moves", slot_moves,
        {"", 0, 0,
         "hashed, without a driver: before time zero, a region whose eight slots are all others' has one of "
         "them move on to another slot of its own",
         neutral});
    v.number("step_entries", step_entries,
             {"entries", 1, 10000, "hashed: entries of the step table for each 32 MiB that the buffers touch",
              neutral});
    v.choice(
        "paging", paging,
        {
#define X(name, text) text,
            WALKWAY_PAGING_LIST(X)
#undef X
        },
        {"", 0, 0,
         "nested: whose table pages are missing from, are mapped in and taken out of while a program runs",
         neutral});
    table.visit_keys(v);
    v.number("spaces", spaces,
             {"VM-IDs", 1, 16,
              "address spaces: each holds the program's buffers in frames and under a root of its own; "
              "dispatcher.space says which work-groups run in which",
              neutral});
    v.only_timed("");
    v.choice("page", page, page_names(),
             {"", 0, 0, "size of the pages; mixed: 2m wherever a buffer fills one, else 4k", neutral});
    v.only_timed(callers_tables);
    v.pages("buffer_pages", buffer_pages,
            {"", 0, 0,
             "pages of some buffers, which 'walkway trace info' numbers, of another size than page says; one "
             "that "
             "parts of several buffers lie in has the largest size that one of them asks for",
             neutral});
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
         neutral});
    v.choice("frames", frames, {"contiguous", "random", "fragmented"},
             {"", 0, 0, "how physical frames are given to pages, before time zero", neutral});
    v.number("run_frames", run_frames,
             {"4 KiB frames", 1, 1u << 20, "length of a contiguous run when frames = fragmented", neutral});
    v.number("memory_bytes", memory_bytes, {"bytes", gib, 64 * gib, "physical memory for data pages"});
    v.number("table_pa", table_pa, {"bytes", 0, 64 * gib, "physical address of the page table's first node"});
    v.number("data_pa", data_pa, {"bytes", 0, 64 * gib, "physical address of the first data frame"});
    v.number("seed", seed, {"1", 0, UINT64_MAX, "seed of the frame layout", neutral});
}

const table_maker &address_space_params::maker() const
{
    return image != nullptr ? image_tables() : table.maker();
}

uint32_t address_space_params::va_bits() const
{
    return maker().va_bits(*this);
}

const ww_table_kind *address_space_params::kind() const
{
    return maker().kind(*this);
}

uint32_t address_space_params::page_sizes() const
{
    return maker().page_sizes(*this);
}

uint8_t address_space_params::page_shift() const
{
    return static_cast<uint8_t>(__builtin_ctz(page_sizes()));
}

uint8_t address_space_params::largest_shift() const
{
    return static_cast<uint8_t>(ww_log2_u64(page_sizes()));
}

std::string address_space_params::validate() const
{
    const std::string wrong = table.maker().wrong(*this);
    if (!wrong.empty())
        return wrong;
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

ww_frames_cfg frames_of(const address_space_params &p)
{
    return {p.frames, p.largest_shift(), p.run_frames, p.memory_bytes >> 12, p.data_pa >> 12, p.seed};
}

} // namespace walkway
