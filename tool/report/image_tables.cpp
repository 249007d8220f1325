/* SPDX-License-Identifier: MIT */
/* report/image_tables.cpp - prints entries with the names of their bits, ends of walks with their reasons,
 * and ranges. */
#include "report/image_tables.hpp"

#include "image/hex.hpp"
#include "report/table.hpp"
#include "report/walk_end.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

#include <cinttypes>
#include <cstdio>
#include <ostream>

namespace walkway
{

using json = nlohmann::ordered_json;

namespace
{

/* Returns the first address after a range; 2^64 if the range ends with the highest address. */
std::string text_of_end(uint64_t va, uint64_t bytes)
{
    return va + bytes == 0 ? "0x10000000000000000" : hex(va + bytes, 16);
}

const char *const level_names[] = {"l1", "l2", "l3", "l4", "l5"};
constexpr uint8_t page_shifts[] = {WW_PAGE_4K, WW_PAGE_2M, WW_PAGE_1G};

/* Returns true if the entry maps a page, provided that it is valid. */
bool is_page(const walk_step &s)
{
    return s.level <= 3 && ww_x86_is_page(s.entry, s.level);
}

std::vector<std::string> flags_of(const image_table &t, const walk_step &s)
{
    const bool page = is_page(s);
    std::vector<std::string> flags;
    const auto flag = [&](uint64_t bit, const char *name) {
        if ((s.entry & bit) != 0)
            flags.emplace_back(name);
    };
    flag(WW_PTE_P, "P");
    if (flags.empty())
        return flags; /* without P, the other bits are the software's */
    flag(WW_PTE_RW, "W");
    flag(WW_PTE_US, "U");
    flag(WW_PTE_PWT, "PWT");
    flag(WW_PTE_PCD, "PCD");
    flag(WW_PTE_A, "A");
    flag(page ? WW_PTE_D : 0, "D");
    flag(WW_PTE_PS, s.level == 1 ? "PAT" : "PS");
    flag(page ? WW_PTE_G : 0, "G");
    flag(page && s.level > 1 ? UINT64_C(1) << 12 : 0, "PAT");
    flag(WW_PTE_NX, "XD");
    const uint64_t encrypted = s.entry & t.encryption(), lowest = t.encryption() & (~t.encryption() + 1);
    if (encrypted != 0)
        flags.push_back(t.encryption() == lowest ? "C" : "keyid=" + std::to_string(encrypted / lowest));
    const uint64_t key = s.entry >> 59 & 15;
    if (page && key != 0)
        flags.push_back("key=" + std::to_string(key));
    return flags;
}

uint64_t reserved_of(const image_table &t, const walk_step &s)
{
    return t.plain(s.entry) & ww_x86_reserved(t.plain(s.entry), s.level, t.phys_bits());
}

/* Returns how an entry ends the walk, or the table to which it leads. */
std::string meaning_of(const image_table &t, const walk_step &s)
{
    if (!ww_pte_present(s.entry))
        return "not present";
    if (reserved_of(t, s) != 0)
        return "reserved bits";
    if (is_page(s))
        return std::string("page of ") + text_of_bytes(ww_page_bytes(ww_level_shift(s.level)));
    return "table " + hex(t.plain(s.entry) & WW_PTE_FRAME);
}

std::string text_of_reserved(const image_table &t, const walk_step &s)
{
    const uint64_t bits = reserved_of(t, s);
    std::string why;
    if ((bits & ww_x86_beyond(t.phys_bits())) != 0)
        why = "physical addresses have " + std::to_string(t.phys_bits()) + " bits";
    else if ((bits & WW_PTE_PS) != 0)
        why = "there are no pages of that size";
    else
        why =
            "a page of " + text_of_bytes(ww_page_bytes(ww_level_shift(s.level))) + " is aligned to its size";
    return std::string("reserved bits at ") + level_names[s.level - 1] + ": " + hex(bits) +
           " must be 0 in the entry at " + hex(s.pa) + ", " + why;
}

/* Returns why a walk failed: {short word, sentence}. */
std::pair<const char *, std::string> why_of(const image_table &t, const table_walk &w)
{
    const auto why = ww_walk_why(w.end);
    if (why == WW_WHY_ADDRESS)
        return {"address", "not canonical: bits 63 to " + std::to_string(ww_va_bits(t.levels()) - 1) +
                               " are not alike; " + hex(ww_x86_canonical(w.va, t.levels())) +
                               " has the same lower ones"};
    const walk_step &last = w.steps.back();
    const std::string level = level_names[last.level - 1];
    if (why == WW_WHY_REFUSED)
        return {"outside", "outside the image at " + level + ": the entry would be at " + hex(last.pa) +
                               "; " + t.image.text_around(last.pa) + text_of_encrypted(t.image, last.pa)};
    if (why == WW_WHY_MALFORMED)
        return {"malformed", text_of_reserved(t, last)};
    return {"absent",
            "not present at " + level + ": the entry at " + hex(last.pa) + " is " + hex(last.entry)};
}

walk_end end_of(const image_table &t, const table_walk &w)
{
    if (w.done())
        return {w.va, ww_walk_xlat(w.end), text_of_rights(w.end), {}};
    auto [why, text] = why_of(t, w);
    walk_fault fault{why, std::move(text), {}, ""};
    if (!w.steps.empty()) {
        fault.level = w.steps.back().level;
        fault.step = std::to_string(w.steps.back().level);
    }
    return {w.va, {}, "", std::move(fault)};
}

json broken_json(const broken_entries &b)
{
    json j = {{"entries", b.count}};
    if (b.count != 0)
        j["first"] = {{"level", b.level}, {"va", hex(b.va)}, {"pa", hex(b.pa)}, {"entry", hex(b.entry)}};
    return j;
}

void print_broken(std::ostream &out, const broken_entries &b, const char *what)
{
    if (b.count != 0)
        out << what << ": " << text_of_count(b.count) << (b.count == 1 ? " entry" : " entries")
            << "; the first: " << level_names[b.level - 1] << " of " << hex(b.va) << ", " << hex(b.entry)
            << " at " << hex(b.pa) << '\n';
}

} // namespace

std::string text_of_encrypted(const memory_image &image, uint64_t pa)
{
    for (uint32_t bit = WW_X86_PHYS_BITS_MAX - 1; bit >= WW_X86_PHYS_BITS_MIN; --bit) {
        const uint64_t without = pa & ~ww_page_bytes(bit);
        if (without != pa && !image.has(pa, 1) && image.has(without, 1))
            return "; without bit " + std::to_string(bit) + " it would be there, at " + hex(without) +
                   ": is memory encrypted (--encryption-bits " + std::to_string(bit) + ")?";
    }
    return "";
}

std::string text_of_table(const image_table &t)
{
    return std::to_string(t.levels()) + " levels from " + hex(t.root_pa()) + ", physical addresses of " +
           std::to_string(t.phys_bits()) + " bits" +
           (t.encryption() == 0 ? "" : ", encryption by the bits " + hex(t.encryption()) + " of entries");
}

json table_json(const image_table &t)
{
    json j = {{"levels", t.levels()}, {"root", hex(t.root_pa())}, {"phys_bits", t.phys_bits()}};
    if (t.encryption() != 0)
        j["encryption"] = hex(t.encryption());
    return j;
}

void print_walk(std::ostream &out, const image_table &t, const table_walk &w)
{
    out << hex(w.va, 16) << '\n';
    for (const walk_step &s : w.steps) {
        const bool read = &s != &w.steps.back() || w.done() || ww_walk_why(w.end) != WW_WHY_REFUSED;
        char line[80];
        std::snprintf(line, sizeof(line), "  %s [%3u]  0x%012" PRIx64 "  ", level_names[s.level - 1],
                      ww_index(w.va, s.level), s.pa);
        out << line;
        const std::string flags = joined(flags_of(t, s), " ");
        if (read)
            out << hex(s.entry, 16) << "  " << meaning_of(t, s) << "  " << (flags.empty() ? "-" : flags)
                << '\n';
        else
            out << "not in the image\n";
    }
    print_end(out, t.image, end_of(t, w));
}

json walk_json(const image_table &t, const table_walk &w)
{
    json steps = json::array();
    for (const walk_step &s : w.steps) {
        json step = {
            {"level", s.level}, {"pa", hex(s.pa)}, {"entry", hex(s.entry)}, {"flags", flags_of(t, s)}};
        if (!w.done() && ww_walk_why(w.end) == WW_WHY_REFUSED && &s == &w.steps.back())
            step["entry"] = nullptr;
        steps.push_back(std::move(step));
    }
    return end_json(end_of(t, w), std::move(steps));
}

table walks_table(const image_table &t, const std::vector<table_walk> &walks)
{
    std::vector<walk_end> ends;
    for (const table_walk &w : walks)
        ends.push_back(end_of(t, w));
    table rows = ends_table("fault_level", ends);
    rows.number_columns(6);
    return rows;
}

dump_rows::dump_rows() : rows_({"va", "bytes", "pa", "page", "rights", "same_as"})
{
    rows_.number_columns(1);
}

void dump_rows::range(const mapped_range &r)
{
    rows_.row({hex(r.va), std::to_string(r.bytes), hex(r.pa), ww_page_name(r.page_shift),
               text_of_rights(r.rights), ""});
}

void dump_rows::repeated(const repeated_range &r)
{
    rows_.row({hex(r.va), std::to_string(r.bytes), "", "", "", hex(r.first_va)});
}

void dump_text::head()
{
    out_ << "virtual addresses                      physical              bytes  page  rights\n";
}

void dump_text::range(const mapped_range &r)
{
    ++ranges_;
    char line[120];
    std::snprintf(line, sizeof(line), "%s-%s  0x%013" PRIx64 "  %14s    %s  %s\n", hex(r.va, 16).c_str(),
                  text_of_end(r.va, r.bytes).c_str(), r.pa, hex(r.bytes).c_str(), ww_page_name(r.page_shift),
                  text_of_rights(r.rights).c_str());
    out_ << line;
}

void dump_text::repeated(const repeated_range &r)
{
    out_ << hex(r.va, 16) << '-' << text_of_end(r.va, r.bytes) << "  as from " << hex(r.first_va, 16)
         << " on: the same table\n";
}

void dump_text::totals(const image_table &t, const dump_totals &sums)
{
    out_ << '\n';
    table sizes({"pages", "number", "bytes"});
    uint64_t pages = 0, bytes = 0;
    for (size_t i = 0; i < sums.pages.size(); ++i) {
        const uint64_t of_size = sums.pages[i] << page_shifts[i];
        sizes.row({ww_page_name(page_shifts[i]), text_of_count(sums.pages[i]), text_of_bytes(of_size)});
        pages += sums.pages[i];
        bytes += of_size;
    }
    sizes.row({"all", text_of_count(pages), text_of_bytes(bytes)});
    sizes.print(out_);
    out_ << text_of_count(ranges_) << (ranges_ == 1 ? " range; " : " ranges; ") << text_of_table(t)
         << "; tables in " << text_of_count(sums.nodes) << " nodes ("
         << text_of_bytes(sums.nodes * WW_NODE_BYTES) << ")\n";
    print_broken(out_, sums.malformed, "reserved bits set, so that nothing is mapped");
    print_broken(out_, sums.outside, "leading to tables that the image does not have");
}

void dump_json::item(const json &j)
{
    out_ << (items_++ == 0 ? "\n    " : ",\n    ") << j.dump();
}

void dump_json::head(const image_table &t)
{
    out_ << "{\n  \"table\": " << table_json(t).dump() << ",\n  \"ranges\": [";
}

void dump_json::range(const mapped_range &r)
{
    ++ranges_;
    item({{"va", hex(r.va)},
          {"bytes", r.bytes},
          {"pa", hex(r.pa)},
          {"page", ww_page_name(r.page_shift)},
          {"rights", text_of_rights(r.rights)}});
}

void dump_json::repeated(const repeated_range &r)
{
    item({{"va", hex(r.va)}, {"bytes", r.bytes}, {"same_as", hex(r.first_va)}});
}

void dump_json::totals(const dump_totals &sums)
{
    json pages;
    for (size_t i = 0; i < sums.pages.size(); ++i)
        pages[ww_page_name(page_shifts[i])] = sums.pages[i];
    const json all = {{"ranges", ranges_},
                      {"pages", pages},
                      {"nodes", sums.nodes},
                      {"malformed", broken_json(sums.malformed)},
                      {"outside", broken_json(sums.outside)}};
    out_ << (items_ == 0 ? "],\n" : "\n  ],\n") << "  \"totals\": " << all.dump() << "\n}\n";
}

} // namespace walkway
