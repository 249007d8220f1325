/* SPDX-License-Identifier: MIT */
/* tb/fuzz/hashed_fuzzer.cpp - libFuzzer on the kernels of hashed page tables: the first byte selects one, the
 * next ones its configuration, the rest the operations. Compares the driver's map with one of sets and lists,
 * step by step; compares table, step table and victim buffer with a map of pages, by lookup and by walk;
 * walks through arbitrary memory. */
#include "tb/kernels/blob.hpp"
#include "tb/kernels/hashed_fixture.hpp"
#include "tb/kernels/naive_driver.hpp"

#include <cstdio>
#include <cstdlib>

namespace
{

[[noreturn]] void defect(const char *what, const char *detail = "")
{
    std::fprintf(stderr, "defect: %s: %s\n", what, detail);
    std::abort();
}

void hold(bool so, const char *what)
{
    if (!so)
        defect(what);
}

/* Numbers from the input; done() is true at its end. */
class bytes
{
public:
    bytes(const uint8_t *data, size_t size) : at_(data), end_(data + size) {}
    bool done() const { return at_ == end_; }
    uint32_t below(uint32_t n)
    {
        uint32_t word = 0;
        for (uint32_t most = n - 1; most != 0; most >>= 8)
            word = word << 8 | (done() ? 0u : *at_++);
        return word % n;
    }

private:
    const uint8_t *at_, *end_;
};

constexpr uint64_t region_bytes = uint64_t{1} << WW_HASHED_REGION_SHIFT;

uint64_t region_va(uint32_t n)
{
    return (uint64_t{3} << 33) + n * region_bytes;
}

struct driver_pair {
    ww_hptmap_cfg cfg;
    walkway_tb::blob<ww_hptmap> map;
    naive_driver naive;

    explicit driver_pair(const ww_hptmap_cfg &c) : cfg(c), map(ww_hptmap_bytes(&c)), naive(c)
    {
        hold(ww_hptmap_init(map, map.bytes(), &c) == WW_OK, "a legal configuration is refused");
        for (uint32_t n = 0; n < c.regions; ++n)
            ww_hptmap_region(map, n, region_va(n));
    }

    void use(uint32_t n)
    {
        const uint64_t tag = ww_hashed_tag(region_va(n));
        ww_hptmap_used(map, n);
        if (naive.step_of(tag) >= 0 && naive.locals(tag) == 0)
            naive.order(tag);
    }

    void put(uint32_t n, uint32_t first, uint32_t count, bool local)
    {
        const uint64_t tag = ww_hashed_tag(region_va(n));
        while (local && ww_hptmap_frames_lacking(map, n, first, count) != 0) {
            uint32_t pages = 0;
            const uint64_t oldest = naive.faulted.front();
            const uint32_t gone = ww_hptmap_evict_pages(map, &pages);
            hold(ww_hashed_tag(region_va(gone)) == oldest, "other pages are evicted than the oldest");
            hold(pages == naive.locals(oldest), "not all pages of the region are evicted");
            naive.page_eviction();
        }
        ww_hptmap_done done{};
        ww_hptmap_map(map, n, first, count, local, &done);
        naive.map(tag, first, count, local);
        const int step = naive.step_of(tag);
        hold((done.slot == WW_HPTMAP_NONE) == (step < 0), "a slot where none is free, or none where one is");
        hold(step < 0 || done.step == static_cast<uint32_t>(step), "another step");
    }

    void compare() const
    {
        if (const char *broken = ww_hptmap_check(map))
            defect("the driver's map", broken);
        naive_driver told = naive;
        hold(ww_hptmap_used_slots(map) == told.entries(), "slots in use");
        hold(ww_hptmap_used_frames(map) == told.frames(), "frames in use");
        for (uint32_t n = 0; n < cfg.regions; ++n) {
            const uint64_t tag = ww_hashed_tag(region_va(n));
            const ww_hptmap_home home = ww_hptmap_home_of(map, n);
            hold((home == WW_HPTMAP_TABLE) == (told.step_of(tag) >= 0), "a region is in the table, or not");
            hold((home == WW_HPTMAP_VICTIM) == (told.victims.count(tag) != 0),
                 "in the victim buffer, or not");
        }
        hold(map.intact(), "written behind the end");
    }
};

void drive(bytes &in)
{
    ww_hptmap_cfg cfg{};
    cfg.slots = 8 + in.below(57);
    cfg.stride = 1 + in.below(16);
    cfg.frames = 512 * (1 + in.below(24));
    cfg.most_slots = 1 + in.below(cfg.slots);
    cfg.regions = 1 + in.below(64);
    if (ww_hptmap_wrong(&cfg) != nullptr)
        return;
    driver_pair pair(cfg);
    while (!in.done()) {
        const uint32_t what = in.below(8), n = in.below(cfg.regions);
        if (what < 2) {
            pair.use(n);
        } else {
            const uint32_t count = what < 5 ? 16 : 1 + in.below(512);
            pair.put(n, in.below(513 - count) / count * count, count, what % 3 != 0);
        }
        if (const char *broken = ww_hptmap_check(pair.map))
            defect("the driver's map", broken);
    }
    pair.compare();
}

/* A table with few slots, so that regions collide, leave and return. */
struct table_pair {
    hashed_memory memory;
    naive_pages naive;
    static constexpr uint32_t regions = 40;

    explicit table_pair(const ww_hashed_cfg &c) : memory(c) {}
    static uint64_t va(uint32_t n) /* three groups, far from each other */
    {
        return uint64_t{n % 3} << 38 | uint64_t{n} << WW_HASHED_REGION_SHIFT;
    }

    void map(uint64_t at, uint64_t pa, uint8_t shift, uint8_t perm)
    {
        const int rc = ww_hashed_map(&memory.table, memory.words.data(), at, pa, shift, perm);
        if (rc == WW_OK) {
            hold(naive.free(at, shift), "a page is mapped twice");
            naive.map(at, {pa, shift, perm});
        } else {
            hold(rc == WW_E_SIZE || !naive.free(at, shift), "a page is refused");
        }
    }

    /* The step of a region's slot; WW_HASHED_STEPS if it has none. */
    uint32_t step_of(uint64_t at) const
    {
        for (uint32_t step = 0; step < WW_HASHED_STEPS; ++step)
            if (tag_at(at, step) == (ww_hashed_tag(at) | WW_HPT_VALID))
                return step;
        return WW_HASHED_STEPS;
    }
    uint64_t tag_at(uint64_t at, uint32_t step) const
    {
        return ww_hpt_line_tag(memory.line(memory.slot_pa(at, step)));
    }

    void move(uint64_t at, uint32_t step)
    {
        uint64_t *words = memory.words.data();
        if (step_of(at) != WW_HASHED_STEPS) {
            const std::vector<uint64_t> before = memory.words;
            const int rc = ww_hashed_leave(&memory.table, words, at);
            hold(rc == WW_OK || (rc == WW_E_SIZE && memory.words == before),
                 "a refused leave changes something");
        } else if ((tag_at(at, step) & WW_HPT_VALID) == 0 &&
                   ww_hashed_give(&memory.table, words, at, step) == WW_OK) {
            look(at); /* its mappings are in both until the forget */
            ww_hashed_forget(&memory.table, words, at);
        }
    }

    void make_room(uint64_t at)
    {
        uint64_t *words = memory.words.data();
        const ww_hpt before = memory.table;
        const bool room = ww_hashed_make_room(&memory.table, words, at) == WW_OK;
        uint32_t slots = 0;
        for (uint32_t step = 0; step < WW_HASHED_STEPS; ++step) {
            slots += memory.table.regions[step] - before.regions[step];
            hold(room || memory.table.regions[step] == before.regions[step],
                 "no room, and a region has moved");
        }
        hold(slots == 0, "a region has lost its slot");
        hold(!room || ww_hashed_place(&memory.table, words, at) == WW_OK, "no room where it was made");
    }

    void look(uint64_t at) const
    {
        try {
            ::compare(memory, naive, at);
        } catch (const std::exception &e) {
            defect("the table", e.what());
        }
    }

    void compare() const
    {
        for (const auto &page : naive.by_vpn)
            look(page.first << 12 | 0x123);
        if (const char *broken = ww_hashed_check(&memory.table, memory.words.data()))
            defect("the table's check", broken);
    }
};

void walk(bytes &in)
{
    ww_hashed_cfg cfg{};
    cfg.stepless = in.below(2) != 0;
    cfg.slots = 8 + in.below(40);
    cfg.stride = 1 + in.below(16);
    cfg.step_lines = 1 + in.below(4);
    cfg.victim_nodes = 1 + in.below(32);
    cfg.arena_pa = 0x100000;
    if (ww_hashed_frames(&cfg) == 0)
        return;
    table_pair pair(cfg);
    for (unsigned done = 0; !in.done() && done < 400; ++done) {
        const uint32_t what = in.below(8);
        const uint64_t region = table_pair::va(in.below(table_pair::regions));
        if (what < 2) {
            pair.move(region, in.below(WW_HASHED_STEPS));
        } else if (what == 2) {
            pair.make_room(region);
        } else {
            static const uint8_t shifts[] = {12, 12, 16, 21};
            const uint8_t shift = shifts[in.below(4)];
            const uint64_t at = (region | in.below(1u << 21)) >> shift << shift;
            pair.map(at, uint64_t{in.below(1u << 20)} << 21, shift,
                     static_cast<uint8_t>(WW_PERM_R | in.below(8)));
        }
        pair.look(region | in.below(1u << 21));
    }
    pair.compare();
}

/* A walk ends, whatever the memory contains. */
void stray(bytes &in)
{
    ww_table table{in.below(2) != 0 ? &ww_hashed : &ww_hashed_stepless, {}};
    const uint64_t slots = 8 + in.below(1u << 16);
    table.regs = {{0x100000, slots | uint64_t{1} << 32, 0x100000 + slots * WW_HASHED_SLOT_BYTES,
                   1 + in.below(256), 0x1000}};
    const uint64_t va = uint64_t{in.below(1u << 31)} << 17 | in.below(1u << 17);
    uint64_t at = ww_table_start(&table, va);
    ww_walk_read read{};
    for (unsigned reads = 0; ww_table_next(&table, at, va, &read) == WW_WALK_READ; ++reads) {
        hold(reads < WW_STEPS_MAX, "a walk without end");
        hold(ww_table_walk_check(table.kind, at) == nullptr, "a walk that is none");
        uint64_t line[WW_LINE_PTES];
        for (uint64_t &word : line)
            word = uint64_t{in.below(1u << 31)} << 33 | uint64_t{in.below(1u << 31)} << 2 | in.below(4);
        at = ww_table_feed(&table, at, va, line);
    }
    if (ww_walk_act(at) == WW_WALK_DONE)
        hold(ww_walk_xlat(at).page_shift >= WW_PAGE_4K, "a page of no size");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8)
        return -1;
    bytes in(data + 1, size - 1);
    switch (data[0] % 3) {
    case 0:
        drive(in);
        break;
    case 1:
        walk(in);
        break;
    default:
        stray(in);
        break;
    }
    return 0;
}
