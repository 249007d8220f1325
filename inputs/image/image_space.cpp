/* SPDX-License-Identifier: MIT */
/* image/image_space.cpp - mappings of an image's tables, and programs placed on them. */
#include "image/image_space.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace walkway
{

image_space::image_space(std::shared_ptr<const memory_image> memory, const image_table &t, uint64_t first_va)
    : memory_(std::move(memory)), table_(t), first_va_(first_va), dump_(table_)
{
    add(t.table, dump_);
}

image_space::image_space(std::shared_ptr<const memory_image> memory, const std::vector<ww_table> &tables)
    : memory_(std::move(memory)), table_{*memory_, tables.at(0)}, first_va_(0), recorded_(true), dump_(table_)
{
    for (const ww_table &t : tables) {
        const image_table of{*memory_, t};
        table_dump dump(of);
        add(t, dump);
    }
}

void image_space::add(const ww_table &table, table_dump &dump)
{
    const dump_totals all = dump.count([] { return false; });
    constexpr uint8_t shifts[] = {WW_PAGE_4K, WW_PAGE_2M, WW_PAGE_1G};
    for (size_t i = 0; i < all.pages.size(); ++i) {
        page_sizes_ |= all.pages[i] != 0 ? 1u << shifts[i] : 0;
        pages_ += all.pages[i];
    }
    nodes_.push_back(all.nodes);
    folded_.push_back(table);
    folded_.back().regs.word[1] |= WW_X86_FOLDED;
}

uint32_t image_space::table_at(uint64_t root_pa) const
{
    uint32_t i = 0;
    while (i < tables() && ww_x86_root_pa(&folded_[i].regs) != root_pa)
        ++i;
    return i;
}

bool image_space::translate(uint64_t va, ww_xlat *out, uint32_t i) const
{
    const table_walk walk = walk_of({*memory_, folded_[i]}, va);
    if (walk.done())
        *out = ww_walk_xlat(walk.end);
    return walk.done();
}

std::vector<mapped_range> image_space::first_pages(uint64_t bytes) const
{
    struct collector final : table_dump::sink {
        const image_space &space;
        uint64_t wanted;
        std::vector<mapped_range> found;

        collector(const image_space &s, uint64_t bytes) : space(s), wanted(bytes) {}
        /* Collects the parts of the range that the image contains, from first_va on. */
        void range(const mapped_range &r) override
        {
            for (const image_span &e : space.memory().spans()) {
                const uint64_t skipped = space.first_va_ > r.va ? space.first_va_ - r.va : 0;
                const uint64_t from = std::max(e.pa, r.pa + std::min(skipped, r.bytes));
                const uint64_t first = (from + WW_NODE_BYTES - 1) & ~uint64_t{WW_NODE_BYTES - 1};
                const uint64_t end = std::min(e.end(), r.pa + r.bytes) & ~uint64_t{WW_NODE_BYTES - 1};
                if (first >= end || wanted == 0)
                    continue;
                const uint64_t taken = std::min(end - first, wanted);
                const uint64_t va = r.va + (first - r.pa);
                found.push_back({va & ww_page_mask(space.va_bits()), taken, first, r.page_shift, r.rights});
                wanted -= taken;
            }
        }
        void repeated(const repeated_range &) override {}
    } collected(*this, bytes);
    dump_.list(collected, false, [&collected] { return collected.wanted == 0; });
    return collected.found;
}

/* Returns the buffers as ascending runs of whole 4 KiB pages; adjacent ones are joined. */
static std::vector<std::pair<uint64_t, uint64_t>> pages_of(std::vector<std::pair<uint64_t, uint64_t>> buffers)
{
    std::sort(buffers.begin(), buffers.end());
    std::vector<std::pair<uint64_t, uint64_t>> runs; /* first address, end */
    for (const auto &b : buffers) {
        const uint64_t first = ww_page_base(b.first, WW_PAGE_4K);
        const uint64_t end = ww_page_after(b.first + b.second - 1, WW_PAGE_4K);
        if (b.second == 0)
            continue;
        if (!runs.empty() && first <= runs.back().second)
            runs.back().second = std::max(runs.back().second, end);
        else
            runs.emplace_back(first, end);
    }
    return runs;
}

image_placement::image_placement(const image_space &space,
                                 const std::vector<std::pair<uint64_t, uint64_t>> &buffers)
{
    const std::vector<std::pair<uint64_t, uint64_t>> runs = pages_of(buffers);
    uint64_t wanted = 0, there = 0;
    for (const auto &run : runs)
        wanted += run.second - run.first;
    const std::vector<mapped_range> pages = space.first_pages(wanted);
    for (const mapped_range &r : pages) {
        there += r.bytes;
        pages_ += (((r.pa + r.bytes - 1) >> r.page_shift) - (r.pa >> r.page_shift)) + 1;
    }
    if (there < wanted)
        throw std::runtime_error("the program's buffers have " + std::to_string(wanted >> WW_PAGE_4K) +
                                 " pages of 4 KiB; from there on the image's table maps " +
                                 std::to_string(there >> WW_PAGE_4K) + " that the image has");
    auto page = pages.begin();
    uint64_t used = 0; /* bytes of *page */
    for (const auto &run : runs)
        for (uint64_t va = run.first; va < run.second;) {
            const uint64_t bytes = std::min(run.second - va, page->bytes - used);
            pieces_.push_back({va, bytes, page->va + used});
            va += bytes;
            used += bytes;
            if (used == page->bytes) {
                ++page;
                used = 0;
            }
        }
}

uint64_t image_placement::operator()(uint64_t va) const
{
    const auto behind = std::upper_bound(pieces_.begin(), pieces_.end(), va,
                                         [](uint64_t value, const piece &p) { return value < p.from_va; });
    if (behind == pieces_.begin() || va - (behind - 1)->from_va >= (behind - 1)->bytes)
        return va;
    return (behind - 1)->to_va + (va - (behind - 1)->from_va);
}

} // namespace walkway
