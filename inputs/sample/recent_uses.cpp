/* SPDX-License-Identifier: MIT */
/* sample/recent_uses.cpp - see recent_uses.hpp. */
#include "sample/recent_uses.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace walkway
{

static constexpr unsigned page_shift = 12, line_shift = 6;

namespace
{

struct timed_use {
    uint32_t at;
    recent_use use;
};

/* Keeps the `most` latest uses, in any order. */
void keep_latest(std::vector<timed_use> &all, size_t most)
{
    if (all.size() <= most)
        return;
    const auto later = [](const timed_use &a, const timed_use &b) { return a.at > b.at; };
    std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(most), all.end(), later);
    all.resize(most);
}

} // namespace

recent_uses::used_page &recent_uses::of(uint64_t va)
{
    const uint64_t number = va >> page_shift;
    if (number == last_)
        return *last_page_;
    used_page &p = pages_[number];
    if (p.page_at.empty())
        p.page_at.resize(units_);
    last_ = number;
    last_page_ = &p;
    return p;
}

void recent_uses::next()
{
    if (++now_ == 0)
        throw std::runtime_error("a sample of more than 2^32 accesses");
}

void recent_uses::access(const ww_coal_out &to, unsigned unit, bool written)
{
    next();
    for (uint32_t p = 0; p < to.pages; ++p)
        page(to.page_va[p], unit);
    for (uint32_t l = 0; l < to.lines; ++l)
        line(to.line_va[l], unit, written);
}

void recent_uses::page(uint64_t va, unsigned unit)
{
    of(va).page_at[unit] = now_;
}

void recent_uses::line(uint64_t va, unsigned unit, bool written)
{
    used_page &p = of(va);
    const auto n = static_cast<unsigned>(va >> line_shift) % lines_of_page;
    const uint64_t bit = uint64_t{1} << n;
    if (!is_held(p, n)) {
        ++fills_;
        p.dirty &= ~bit;
    }
    p.at[n] = now_;
    p.by[n] = static_cast<uint16_t>(unit);
    p.fills[n] = fills_;
    p.last_written = written ? p.last_written | bit : p.last_written & ~bit;
    p.dirty |= written ? bit : 0;
}

/* Estimates whether the shared cache still holds the line: true if since the line's latest use it has filled
 * fewer lines than it has entries. Hits, which LRU replacement counts too, are left out. */
bool recent_uses::is_held(const used_page &p, unsigned line) const
{
    return p.at[line] != 0 && fills_ - p.fills[line] < limits_.shared_lines;
}

std::vector<recent_use> recent_uses::latest() const
{
    std::vector<timed_use> pages, lines;
    for (const auto &[number, p] : pages_) {
        const uint64_t va = number << page_shift;
        for (unsigned unit = 0; unit < units_; ++unit)
            if (p.page_at[unit] != 0)
                pages.push_back(
                    {p.page_at[unit], {va, static_cast<uint16_t>(unit), recent_use::page, false}});
        for (unsigned n = 0; n < lines_of_page; ++n) {
            const uint8_t what =
                (p.last_written >> n & 1) != 0 ? recent_use::line_written : recent_use::line_read;
            const bool dirty = (p.dirty >> n & 1) != 0 && is_held(p, n);
            if (p.at[n] != 0)
                lines.push_back({p.at[n], {va + (uint64_t{n} << line_shift), p.by[n], what, dirty}});
        }
    }
    keep_latest(pages, limits_.pages);
    keep_latest(lines, limits_.lines);
    pages.insert(pages.end(), lines.begin(), lines.end());
    std::sort(pages.begin(), pages.end(), [](const timed_use &a, const timed_use &b) {
        return std::tie(a.at, a.use.what, a.use.va, a.use.unit) <
               std::tie(b.at, b.use.what, b.use.va, b.use.unit);
    });
    std::vector<recent_use> all;
    all.reserve(pages.size());
    for (const timed_use &u : pages)
        all.push_back(u.use);
    return all;
}

} // namespace walkway
