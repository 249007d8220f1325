/* SPDX-License-Identifier: MIT */
/* report/advice.cpp - chooses pages and prints the findings. */
#include "report/advice.hpp"

#include "report/comparison.hpp"
#include "run/headline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <ostream>

namespace walkway
{

static uint64_t cycles_of(const advised_run &run)
{
    return static_cast<uint64_t>(headline_value(run.stats, "cycles"));
}

std::string advised_run::text() const
{
    if (what == advice::padding)
        return "rows of " + std::to_string(pitch) + " + " + std::to_string(pad) + " bytes";
    std::string all;
    for (const std::string &s : settings)
        all += (all.empty() ? "" : " ") + s;
    return all;
}

static uint64_t misses_of(const std::vector<advised_buffer> &buffers)
{
    uint64_t all = 0;
    for (const advised_buffer &b : buffers)
        all += b.misses;
    return all;
}

void leave_out(std::vector<advised_buffer> &buffers, uint64_t percent, uint64_t most)
{
    const uint64_t all = misses_of(buffers);
    uint64_t kept = 0;
    std::vector<advised_buffer *> by_misses;
    for (advised_buffer &b : buffers)
        by_misses.push_back(&b);
    std::stable_sort(by_misses.begin(), by_misses.end(),
                     [](const advised_buffer *a, const advised_buffer *b) { return a->misses > b->misses; });
    for (advised_buffer *b : by_misses) {
        const double share = all == 0 ? 0.0 : static_cast<double>(b->misses) / static_cast<double>(all);
        if (b->misses == 0)
            b->left_out = "not touched";
        else if (share * 100.0 < static_cast<double>(percent))
            b->left_out = text_of_share(share) + " of the misses";
        else if (most == 0)
            b->left_out = "--buffers 0";
        else if (kept == most)
            b->left_out =
                text_of_count(most) + (most == 1 ? " other has" : " others have") + " as many misses or more";
        else
            ++kept;
    }
}

static uint64_t page_bytes(const space_ranges &buffers, const std::string &buffer_pages)
{
    pages_of_buffers own;
    own.read(buffer_pages);
    return page_areas(buffers, own, 0).bytes();
}

uint64_t wasted_bytes(const space_ranges &buffers, const std::string &buffer_pages)
{
    return page_bytes(buffers, buffer_pages) - page_bytes(buffers, "none");
}

namespace
{

/* A choice of runs for the buffers handled so far. */
struct choice {
    uint64_t wasted = 0, saved = 0;
    std::vector<size_t> runs;
};

/* Keeps a choice only if it saves more than every other choice that wastes as much or less. */
std::vector<choice> without_worse(std::vector<choice> all)
{
    std::stable_sort(all.begin(), all.end(), [](const choice &a, const choice &b) {
        return a.wasted != b.wasted ? a.wasted < b.wasted : a.saved > b.saved;
    });
    std::vector<choice> kept;
    for (choice &c : all)
        if (kept.empty() || c.saved > kept.back().saved)
            kept.push_back(std::move(c));
    return kept;
}

} // namespace

/* The waste of a page that two buffers share counts for each of them, so the sum is an upper bound. */
std::vector<size_t> best_together(const std::vector<advised_run> &runs, uint64_t most_wasted)
{
    const uint64_t base = cycles_of(runs.front());
    std::map<uint32_t, std::vector<size_t>> of_buffer;
    for (size_t i = 0; i < runs.size(); ++i)
        if (runs[i].what == advice::pages && !runs[i].stats.is_null() &&
            static_cast<double>(base) >= least_gain * static_cast<double>(cycles_of(runs[i])))
            of_buffer[runs[i].buffer].push_back(i);
    std::vector<choice> choices(1);
    for (const auto &[buffer, some] : of_buffer) {
        std::vector<choice> more = choices;
        for (const choice &c : choices)
            for (const size_t i : some) {
                choice with = c;
                with.wasted += runs[i].wasted;
                with.saved += base - cycles_of(runs[i]);
                with.runs.push_back(i);
                if (with.wasted <= most_wasted)
                    more.push_back(std::move(with));
            }
        choices = without_worse(std::move(more));
    }
    std::vector<size_t> best = choices.back().runs;
    std::sort(best.begin(), best.end());
    return best;
}

advised_run together(const std::vector<advised_run> &runs, const std::vector<size_t> &chosen,
                     const space_ranges &buffers)
{
    std::string parts;
    for (const size_t i : chosen) {
        const std::string &s = runs[i].settings.front();
        parts += (parts.empty() ? "" : "+") + s.substr(s.find('=') + 1);
    }
    return {advice::together, 0, {"address_space.buffer_pages=" + parts}, wasted_bytes(buffers, parts), {}};
}

std::string why_not_padded(const row_pitch &p)
{
    constexpr uint64_t least_power = 2048;
    return p.bytes == 0                 ? "no pitch of rows is found"
           : p.bytes % least_power != 0 ? "rows of " + text_of_count(p.bytes) + " bytes, no multiple of 2 KiB"
                                        : "";
}

double gain_of(const advice_report &r, const advised_run &run)
{
    return run.stats.is_null() ? std::numeric_limits<double>::quiet_NaN()
                               : speedup_of(r.runs.front().stats, run.stats);
}

static const char *name_of(advice what)
{
    switch (what) {
    case advice::baseline:
        return "baseline";
    case advice::pages:
        return "pages";
    case advice::together:
        return "pages together";
    case advice::order:
        return "order of work-groups";
    case advice::padding:
        return "padding";
    }
    return "?";
}

/* Returns the baseline, then the others by falling gain, those without a result last. */
static std::vector<const advised_run *> by_gain(const advice_report &r)
{
    std::vector<const advised_run *> all;
    for (const advised_run &run : r.runs)
        all.push_back(&run);
    const auto rank = [&r](const advised_run *run) { return run->stats.is_null() ? -1.0 : gain_of(r, *run); };
    std::stable_sort(all.begin() + 1, all.end(),
                     [&rank](const advised_run *a, const advised_run *b) { return rank(a) > rank(b); });
    return all;
}

static std::string share_of_misses(uint64_t all, const advised_buffer &b)
{
    return all == 0 ? "" : std::to_string(100.0 * static_cast<double>(b.misses) / static_cast<double>(all));
}

static bool is_chosen(const advice_report &r, const advised_run &run)
{
    return std::any_of(r.chosen.begin(), r.chosen.end(), [&](size_t i) { return &r.runs[i] == &run; });
}

table advice_table(const advice_report &r)
{
    const uint64_t all = misses_of(r.buffers);
    table t({"advice", "buffer", "setting", "cycles", "speed-up", "wasted bytes", "% of misses", "chosen",
             "left out"});
    t.align_left();
    t.number_columns(3, 4);
    for (const advised_run *run : by_gain(r)) {
        const bool pages = run->what == advice::pages || run->what == advice::padding;
        const bool done = !run->stats.is_null();
        t.row({name_of(run->what), pages ? std::to_string(run->buffer) : "", run->text(),
               done ? std::to_string(cycles_of(*run)) : "", done ? std::to_string(gain_of(r, *run)) : "",
               run->what == advice::order ? "" : std::to_string(run->wasted),
               pages ? share_of_misses(all, r.buffers[run->buffer]) : "", is_chosen(r, *run) ? "yes" : "",
               done ? "" : "no result"});
    }
    for (const advised_buffer &b : r.buffers)
        if (!b.left_out.empty())
            t.row({name_of(advice::pages), std::to_string(b.number), "", "", "", "", share_of_misses(all, b),
                   "", b.left_out});
        else if (const std::string why = why_not_padded(r.pitches[b.number]); !why.empty())
            t.row({name_of(advice::padding), std::to_string(b.number), "", "", "", "",
                   share_of_misses(all, b), "", why});
    return t;
}

static std::string text_of_gain(double gain)
{
    return std::isnan(gain)                               ? "no result"
           : gain < least_gain && gain > 1.0 / least_gain ? "no difference"
           : gain < 1.0                                   ? text_of_real(1.0 / gain, 3) + " times slower"
                                                          : text_of_real(gain, 3) + " times faster";
}

static std::string numbers_of(const std::vector<uint32_t> &all)
{
    constexpr size_t most = 8;
    std::string text;
    for (size_t i = 0; i < all.size() && i < most; ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(all[i]);
    return text + (all.size() > most ? " and " + std::to_string(all.size() - most) + " more" : "");
}

/* Prints a line per reason, in the order of their first buffers. `of` returns a buffer's reason, or "". */
template <class Why> static void print_left_out(std::ostream &out, const advice_report &r, Why of)
{
    std::vector<std::pair<std::string, std::vector<uint32_t>>> reasons;
    for (const advised_buffer &b : r.buffers) {
        const std::string why = of(b);
        if (why.empty())
            continue;
        const auto at = std::find_if(reasons.begin(), reasons.end(),
                                     [&why](const auto &reason) { return reason.first == why; });
        if (at == reasons.end())
            reasons.push_back({why, {b.number}});
        else
            at->second.push_back(b.number);
    }
    for (const auto &[why, all] : reasons)
        out << wrapped("left out: buffer" + std::string(all.size() == 1 ? " " : "s ") + numbers_of(all) +
                       ": " + why)
            << '\n';
}

static void print_pages(std::ostream &out, const advice_report &r)
{
    const uint64_t misses = misses_of(r.buffers);
    table t({"buffer", "size", "% of misses", "pages", "speed-up", "wasted", ""});
    t.number_columns(2);
    t.align_last_left();
    size_t rows = 0;
    for (const advised_run *run : by_gain(r)) {
        if (run->what != advice::pages)
            continue;
        const advised_buffer &b = r.buffers[run->buffer];
        const std::string &s = run->settings.front();
        t.row({std::to_string(b.number), text_of_bytes(b.bytes), share_of_misses(misses, b),
               s.substr(s.rfind(':') + 1), text_of_real(gain_of(r, *run), 3), text_of_bytes(run->wasted),
               is_chosen(r, *run)     ? "chosen"
               : run->stats.is_null() ? "no result"
                                      : ""});
        ++rows;
    }
    if (rows != 0)
        t.print(out);
    print_left_out(out, r, [](const advised_buffer &b) { return b.left_out; });
    const std::string bound = "of at most " + text_of_bytes(r.most_wasted) + " wasted";
    const auto all = std::find_if(r.runs.begin(), r.runs.end(),
                                  [](const advised_run &run) { return run.what == advice::together; });
    const advised_run *const best = all != r.runs.end() ? &*all
                                    : !r.chosen.empty() ? &r.runs[r.chosen.front()]
                                                        : nullptr;
    out << wrapped(best == nullptr
                       ? "best " + bound + ": 4 KiB for all"
                       : "best " + bound + ": --set " + best->text() + ": " +
                             text_of_gain(gain_of(r, *best)) + ", " + text_of_bytes(best->wasted) + " wasted")
        << '\n';
}

static void print_padding(std::ostream &out, const advice_report &r)
{
    out << "\nLonger rows, the others as they are\n";
    for (const advised_run *run : by_gain(r))
        if (run->what == advice::padding)
            out << wrapped("buffer " + std::to_string(run->buffer) + ", rows of " +
                           text_of_count(run->pitch) + " bytes (" +
                           text_of_share(static_cast<double>(r.pitches[run->buffer].instructions) /
                                         static_cast<double>(r.pitches[run->buffer].of_instructions)) +
                           " of its instructions), " + text_of_count(run->pad) + " longer: " +
                           text_of_gain(gain_of(r, *run)) + ", " + text_of_bytes(run->wasted) + " more")
                << '\n';
    print_left_out(out, r, [&r](const advised_buffer &b) {
        return b.left_out.empty() ? why_not_padded(r.pitches[b.number]) : "";
    });
}

void print_advice(std::ostream &out, const advice_report &r)
{
    out << r.program << " on " << r.machine
        << " with pages of 4 KiB: " << text_of_count(cycles_of(r.runs.front()))
        << " cycles\n\nPages by buffer, each alone\n";
    print_pages(out, r);
    for (const advised_run *run : by_gain(r))
        if (run->what == advice::order)
            out << "\nOrder of work-groups: --set " << run->text() << ": " << text_of_gain(gain_of(r, *run))
                << '\n';
    print_padding(out, r);
}

} // namespace walkway
