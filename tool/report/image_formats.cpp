/* SPDX-License-Identifier: MIT */
/* report/image_formats.cpp - prints steps with the meaning of their entries, and how the walk ends. */
#include "report/image_formats.hpp"

#include "image/hex.hpp"
#include "report/walk_end.hpp"
#include "support/names.hpp"

#include <cinttypes>
#include <cstdio>
#include <ostream>

namespace walkway
{

using json = nlohmann::ordered_json;

namespace
{

const char *step_name(const format_table &t, const format_step &s)
{
    return t.table.kind->step_name[s.step];
}

/* Returns the words of an entry in memory order: the lowest bits first. */
std::string text_of_words(const format_step &s)
{
    std::string text = hex(s.words[0], 16);
    for (uint32_t i = 1; i < s.bytes / sizeof(uint64_t); ++i)
        text += " " + hex(s.words[i], 16);
    return text;
}

/* Returns the rights that all steps grant, such as "rw-". */
std::string text_of_perm(const ww_xlat &x)
{
    std::string text = "---";
    if ((x.perm & WW_PERM_R) != 0)
        text[0] = 'r';
    if ((x.perm & WW_PERM_W) != 0)
        text[1] = 'w';
    if ((x.perm & WW_PERM_X) != 0)
        text[2] = 'x';
    return text;
}

/* Returns why a walk failed: {short word, sentence}. */
std::pair<const char *, std::string> why_of(const format_table &t, const format_walk &w)
{
    const auto why = ww_walk_why(w.end);
    if (w.steps.empty())
        return {why == WW_WHY_ADDRESS ? "address" : "malformed", ww_walk_why_text(why)};
    const format_step &last = w.steps.back();
    const std::string at = std::string(" at ") + step_name(t, last) + ": the entry at " + hex(last.pa);
    if (!last.there)
        return {"outside", "outside the image" + at + "; " + t.image.text_around(last.pa)};
    return {why == WW_WHY_ABSENT    ? "absent"
            : why == WW_WHY_SPARSE  ? "sparse"
            : why == WW_WHY_ADDRESS ? "address"
                                    : "malformed",
            t.format.meaning(last.step, last.words) + at + " is " + text_of_words(last)};
}

walk_end end_of(const format_table &t, const format_walk &w)
{
    if (w.done()) {
        const ww_xlat x = ww_walk_xlat(w.end);
        return {w.va, x, text_of_perm(x), {}};
    }
    auto [why, text] = why_of(t, w);
    walk_fault fault{why, std::move(text), {}, ""};
    if (!w.steps.empty()) {
        fault.level = w.steps.back().step;
        fault.step = step_name(t, w.steps.back());
    }
    return {w.va, {}, "", std::move(fault)};
}

} // namespace

std::string text_of_table(const format_table &t)
{
    return std::string("a table of kind ") + t.table.kind->name + " from " + hex(t.root_pa) + ": " +
           std::to_string(t.table.kind->steps) + " steps, virtual addresses of " +
           std::to_string(t.table.kind->va_bits) + " bits";
}

json table_json(const format_table &t)
{
    return {{"kind", t.table.kind->name}, {"steps", t.table.kind->steps}, {"root", hex(t.root_pa)}};
}

void print_walk(std::ostream &out, const format_table &t, const format_walk &w)
{
    out << hex(w.va, 16) << '\n';
    for (const format_step &s : w.steps) {
        char line[80];
        std::snprintf(line, sizeof(line), "  %-4s [%3" PRIu64 "]  0x%012" PRIx64 "  ", step_name(t, s),
                      s.index, s.pa);
        out << line;
        if (!s.there) {
            out << "not in the image\n";
            continue;
        }
        const std::string flags = joined(t.format.flags(s.step, s.words), " ");
        out << text_of_words(s) << "  " << t.format.meaning(s.step, s.words) << (flags.empty() ? "" : "  ")
            << flags << '\n';
    }
    print_end(out, t.image, end_of(t, w));
}

json walk_json(const format_table &t, const format_walk &w)
{
    json steps = json::array();
    for (const format_step &s : w.steps) {
        json step = {{"level", s.step}, {"step", step_name(t, s)}, {"index", s.index},
                     {"pa", hex(s.pa)}, {"entry", nullptr},        {"flags", json::array()}};
        if (s.there) {
            step["entry"] = hex(s.words[0]);
            if (s.bytes > sizeof(uint64_t))
                step["high"] = hex(s.words[1]);
            step["meaning"] = t.format.meaning(s.step, s.words);
            step["flags"] = t.format.flags(s.step, s.words);
        }
        steps.push_back(std::move(step));
    }
    return end_json(end_of(t, w), std::move(steps));
}

table walks_table(const format_table &t, const std::vector<format_walk> &walks)
{
    std::vector<walk_end> ends;
    for (const format_walk &w : walks)
        ends.push_back(end_of(t, w));
    return ends_table("fault_step", ends);
}

} // namespace walkway
