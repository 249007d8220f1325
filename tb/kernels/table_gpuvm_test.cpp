/* SPDX-License-Identifier: MIT */
/* The page tables of AMD's GPUs: each field of each layout, walks against a reference that uses only the
 * driver's numbers, and the builder against a map of pages. */
#include "kernels/table/gpuvm_table.h"
#include "kernels/table/table_gpuvm.h"
#include "kernels/walk/pwc.h"
#include "tb/kernels/blob.hpp"
#include "tb/kernels/page_map.hpp"
#include "tb/kernels/walked_table.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace bdata = boost::unit_test::data;

namespace walkway::test
{

const auto every_generation = bdata::make({WW_GPUVM_GFX9, WW_GPUVM_GFX12});

inline std::string kind_of(int generation, uint64_t entry, uint32_t level, bool pages = false)
{
    static const char *const names[] = {"absent", "sparse", "table", "page", "malformed"};
    return names[ww_gpuvm_kind(static_cast<ww_gpuvm_generation>(generation), entry, level, pages)];
}

inline uint64_t bit(int n)
{
    return UINT64_C(1) << n;
}

/* An entry according to the driver's comments, in their own numbers. */
struct by_comment {
    int p, t, bfs; /* bits; the lowest one of the block fragment */
    uint64_t page_reserved, table_reserved;
};
const by_comment comments[] = {
    {54, 51, 59, UINT64_C(0xf8) << 56, UINT64_C(0x6bf) << 48 | UINT64_C(0x38)},
    {63, 56, 58, UINT64_C(0x780f) << 48, UINT64_C(0x23f) << 48 | UINT64_C(0x38)},
};

/* A table in an arena, with its check, and walks of it. */
struct gpuvm : walked_table {
    explicit gpuvm(int generation = WW_GPUVM_GFX9, uint32_t levels = 4, bool further = false,
                   bool in_blocks = false, uint32_t max_nodes = 64)
        : walked_table(max_nodes)
    {
        const ww_gpuvm_cfg cfg = {static_cast<uint8_t>(generation),
                                  static_cast<uint8_t>(levels),
                                  further,
                                  in_blocks,
                                  arena_pa,
                                  max_nodes};
        BOOST_REQUIRE_EQUAL(ww_gpuvm_init(&t, &cfg, arena.data(), arena.size()), WW_OK);
        table = ww_gpuvm_table(&t);
        require_sound();
    }
    int map(uint64_t va, uint64_t pa, uint32_t shift, uint8_t perm = WW_PERM_ALL)
    {
        return ww_gpuvm_map(&t, arena.data(), va, pa, shift, perm);
    }
    bool lookup(uint64_t va, ww_xlat &x) const { return ww_gpuvm_lookup(&t, arena.data(), va, &x); }
    std::string check() const { return text_of_check(ww_gpuvm_check(&t, arena.data())); }
    void require_sound() const { BOOST_REQUIRE_EQUAL(check(), ""); }

    ww_gpuvm t = {};
};

/* The reference: va's physical address by the driver's comments, and the fragment that L1 may keep. Returns
 * "page", "sparse", "absent", "outside". */
inline std::string naive(const gpuvm &m, uint64_t va, uint64_t &pa, uint32_t &fragment)
{
    const by_comment &c = comments[m.t.cfg.generation];
    uint64_t base = m.t.cfg.arena_pa;
    bool pages = false;
    for (uint32_t level = m.t.cfg.levels;; --level) {
        const uint32_t low = 12 + 9 * (level - 1);
        const uint64_t at = (base + (va >> low & 511) * 8 - arena_pa) / 8;
        if (at >= m.arena.size())
            return "outside";
        const uint64_t entry = m.arena[at];
        const bool tf = m.t.cfg.generation == WW_GPUVM_GFX9 && (entry >> 56 & 1) != 0;
        const bool leaf = level == 1 || (entry >> c.p & 1) != 0 || (pages && !tf);
        if ((entry & 1) == 0)
            return leaf && (entry >> c.t & 1) != 0 ? "sparse" : "absent";
        const uint64_t address = entry & UINT64_C(0xffffffffffc0);
        if (leaf) {
            pa = (address & UINT64_C(0xfffffffff000)) + (va & (bit(static_cast<int>(low)) - 1));
            fragment = static_cast<uint32_t>(entry >> 7 & 31);
            return "page";
        }
        pages = level == 3 && (entry >> c.bfs & 31) == 9;
        base = address;
    }
}

const std::string malformed = ww_walk_why_text(WW_WHY_MALFORMED);
const std::string sparse = ww_walk_why_text(WW_WHY_SPARSE);
const std::string absent = ww_walk_why_text(WW_WHY_ABSENT);
const std::string beyond = ww_walk_why_text(WW_WHY_ADDRESS);

} // namespace walkway::test

using namespace walkway::test;

BOOST_AUTO_TEST_CASE(the_kinds_hold_what_the_format_says)
{
    for (const ww_table_kind *kind : {&ww_gpuvm_gfx9, &ww_gpuvm_gfx12}) {
        BOOST_TEST(ww_table_kind_check(kind) == nullptr);
        BOOST_TEST(kind->va_bits == 48u);
        BOOST_TEST(ww_table_walk_bits(kind) == 3u + 40u + 7u); /* [11:6] of a table, and translate-further */
        for (uint32_t level = 1; level <= 4; level++) {
            BOOST_TEST(kind->reach[level] == ww_level_shift(level));
            BOOST_TEST(kind->shift[level] == ww_level_shift(level) + 3);
            BOOST_TEST(kind->left[level] == level);
            BOOST_TEST(kind->step_name[level] == "l" + std::to_string(level));
        }
    }
    BOOST_TEST(std::string(ww_gpuvm_gfx9.name) == "amdgpu");
    BOOST_TEST(std::string(ww_gpuvm_gfx12.name) == "amdgpu_gfx12");
    BOOST_TEST(ww_gpuvm_kind_of(WW_GPUVM_GFX9) == &ww_gpuvm_gfx9);
    BOOST_TEST(ww_gpuvm_kind_of(WW_GPUVM_GFX12) == &ww_gpuvm_gfx12);
}

/* Every bit of a page: named bits without effect leave the translation unchanged. */
BOOST_DATA_TEST_CASE(every_bit_of_a_page_is_a_right_a_part_of_the_fragment_or_address_ignored_or_reserved,
                     every_generation, generation)
{
    const by_comment &c = comments[generation];
    const uint64_t va = UINT64_C(0x123456789000), plain = UINT64_C(0x123456789000) | WW_GPUVM_V;
    const ww_xlat before = ww_gpuvm_xlat(plain, 1, va);
    BOOST_TEST(before.page_pa == UINT64_C(0x123456789000));
    BOOST_TEST(before.page_shift == 12u);
    BOOST_TEST(before.perm == 0u);
    for (int n = 1; n < 64; n++) {
        const uint64_t entry = plain ^ bit(n);
        const ww_xlat x = ww_gpuvm_xlat(entry, 1, va);
        BOOST_TEST_CONTEXT("bit " << n)
        {
            const bool reserved = (c.page_reserved >> n & 1) != 0;
            const bool further = generation == WW_GPUVM_GFX9 && n == 56;
            BOOST_TEST(kind_of(generation, entry, 1) == (reserved || further ? "malformed" : "page"));
            BOOST_TEST(x.page_pa == (n >= 12 && n < 48   ? before.page_pa ^ bit(n)
                                     : n >= 7 && n <= 11 ? ww_page_base(va, x.page_shift)
                                                         : before.page_pa));
            BOOST_TEST(x.perm == (n == 4 ? WW_PERM_X : n == 5 ? WW_PERM_R : n == 6 ? WW_PERM_W : 0));
            BOOST_TEST(x.page_shift == (n >= 7 && n <= 11 ? 12u + (1u << (n - 7)) : 12u));
        }
    }
}

BOOST_DATA_TEST_CASE(every_bit_of_a_table_entry_is_its_address_named_or_reserved,
                     every_generation *bdata::xrange(2u, 5u), generation, level)
{
    const by_comment &c = comments[generation];
    for (int n = 1; n < 64; n++) {
        const uint64_t entry = bit(n) | WW_GPUVM_V;
        std::string expected = "table";
        if (n == c.p)
            expected = "page";
        else if ((c.table_reserved >> n & 1) != 0 || (n >= c.bfs && n < c.bfs + 5))
            expected = "malformed"; /* one bit alone is not a block fragment of 9 */
        else if (generation == WW_GPUVM_GFX9 && n == 56)
            expected = "malformed"; /* TF without a block fragment */
        BOOST_TEST_CONTEXT("bit " << n)
        {
            BOOST_TEST(kind_of(generation, entry, level) == expected);
        }
    }
    const uint64_t nine = WW_GPUVM_V | UINT64_C(9) << c.bfs;
    const bool taken = generation == WW_GPUVM_GFX9 && level == 3;
    BOOST_TEST(kind_of(generation, nine, level) == (taken ? "table" : "malformed"));
    if (taken)
        BOOST_TEST(ww_gpuvm_leads_to_pages(WW_GPUVM_GFX9, nine));
    BOOST_TEST(!ww_gpuvm_leads_to_pages(static_cast<ww_gpuvm_generation>(generation), WW_GPUVM_V));
}

/* With P an entry maps pages; its address is aligned to its reach. */
BOOST_DATA_TEST_CASE(a_directory_entry_with_p_is_a_page, every_generation *bdata::xrange(2u, 5u), generation,
                     level)
{
    const by_comment &c = comments[generation];
    const uint64_t p = bit(c.p) | WW_GPUVM_V;
    BOOST_TEST(kind_of(generation, p, level) == "page");
    BOOST_TEST(kind_of(generation, p | ww_page_bytes(ww_level_shift(level)), level) == "page");
    BOOST_TEST(kind_of(generation, p | ww_page_bytes(ww_level_shift(level) - 1), level) == "malformed");
    BOOST_TEST(kind_of(generation, p | c.page_reserved, level) == "malformed");
    BOOST_TEST(kind_of(generation, p | ww_gpuvm_rights(WW_PERM_ALL), level) == "page");
    BOOST_TEST(kind_of(generation, bit(c.p), level) == "absent");
    BOOST_TEST(kind_of(generation, bit(c.p) | bit(c.t), level) == "sparse");
    BOOST_TEST(kind_of(generation, bit(c.t), level) == "absent"); /* not a page: T has no effect */
    BOOST_TEST(kind_of(generation, bit(c.t), 1) == "sparse");
    BOOST_TEST(kind_of(generation, p | bit(c.t), level) == "page"); /* valid, so resident */
    BOOST_TEST(kind_of(generation, WW_GPUVM_X, 1) == "absent");
}

/* Under a block fragment of 9, pages have no P and tables have TF. */
BOOST_AUTO_TEST_CASE(translate_further_turns_pages_and_tables_round)
{
    const uint64_t tf = WW_GPUVM_GFX9_TF;
    BOOST_TEST(kind_of(WW_GPUVM_GFX9, WW_GPUVM_V, 2, true) == "page");
    BOOST_TEST(kind_of(WW_GPUVM_GFX9, WW_GPUVM_V | 0x1000, 2, true) == "malformed"); /* unaligned to 2 MiB */
    BOOST_TEST(kind_of(WW_GPUVM_GFX9, WW_GPUVM_V | 0x1000 | tf, 2, true) == "table");
    BOOST_TEST(kind_of(WW_GPUVM_GFX9, WW_GPUVM_V | WW_GPUVM_GFX9_P, 2, true) == "page");
    BOOST_TEST(kind_of(WW_GPUVM_GFX9, WW_GPUVM_V | WW_GPUVM_GFX9_P | tf, 2, true) == "malformed");
    BOOST_TEST(kind_of(WW_GPUVM_GFX9, WW_GPUVM_GFX9_PRT, 2, true) == "sparse");
    BOOST_TEST(kind_of(WW_GPUVM_GFX9, WW_GPUVM_GFX9_PRT | tf, 2, true) == "absent");
    BOOST_TEST(kind_of(WW_GPUVM_GFX9, WW_GPUVM_V | tf | WW_GPUVM_GFX9_L, 2, true) == "malformed");
    BOOST_TEST(kind_of(WW_GPUVM_GFX9, WW_GPUVM_V | tf | UINT64_C(9) << 59, 2, true) == "malformed");
}

/* Expects the words that the driver would write. */
BOOST_AUTO_TEST_CASE(the_builder_writes_what_the_driver_does)
{
    gpuvm m;
    BOOST_TEST(m.arena[7] == UINT64_C(0x0040000000000000)); /* P: points to nothing */
    BOOST_REQUIRE_EQUAL(m.map(0x3000, 0x80005000, 12), WW_OK);
    BOOST_TEST(m.entry(0x3000, 4) == UINT64_C(0x7f001001));
    BOOST_TEST(m.entry(0x3000, 1) == UINT64_C(0x80005071));
    BOOST_TEST(m.entry(0x4000, 1) == UINT64_C(0x10)); /* X: absent */
    BOOST_REQUIRE_EQUAL(m.map(0x20000, 0x80010000, 16, WW_PERM_R), WW_OK);
    BOOST_TEST(m.entry(0x20000, 1) == UINT64_C(0x80010221));
    BOOST_TEST(m.entry(0x2f000, 1) == UINT64_C(0x8001f221));
    BOOST_REQUIRE_EQUAL(m.map(0x600000, 0x200000, 21, WW_PERM_R | WW_PERM_W), WW_OK);
    BOOST_TEST(m.entry(0x600000, 2) == UINT64_C(0x00400000002004e1));
    BOOST_REQUIRE_EQUAL(m.map(0x800000, 0x800000, 22), WW_OK); /* two entries, each of fragment 10 */
    BOOST_TEST(m.entry(0xa00000, 2) == UINT64_C(0x0040000000a00571));
    gpuvm f(WW_GPUVM_GFX9, 4, true);
    BOOST_REQUIRE_EQUAL(f.map(0, 0x1000, 12), WW_OK);
    BOOST_REQUIRE_EQUAL(f.map(0x200000, 0x200000, 21, WW_PERM_R), WW_OK);
    BOOST_TEST(f.entry(0, 4) == UINT64_C(0x7f001001));
    BOOST_TEST(f.entry(0, 3) == UINT64_C(0x480000007f002001));
    BOOST_TEST(f.entry(UINT64_C(1) << 30, 3) == UINT64_C(0x0040000000000000));
    BOOST_TEST(f.entry(0, 2) == UINT64_C(0x010000007f003001));
    BOOST_TEST(f.entry(0x200000, 2) == UINT64_C(0x00000000002004a1));
    BOOST_TEST(f.entry(0x400000, 2) == 0u);
    gpuvm g(WW_GPUVM_GFX12);
    BOOST_REQUIRE_EQUAL(g.map(0, 0x200000, 21), WW_OK);
    BOOST_TEST(g.entry(0, 2) == UINT64_C(0x80000000002004f1));
    BOOST_TEST(g.entry(UINT64_C(1) << 30, 3) == UINT64_C(0x8000000000000000));
    gpuvm b(WW_GPUVM_GFX9, 4, false, true);
    BOOST_REQUIRE_EQUAL(b.map(0, 0x200000, 21), WW_OK);
    BOOST_TEST(b.entry(0x1ff000, 1) == UINT64_C(0x3ff4f1));
    for (const gpuvm *all : {&m, &f, &g, &b})
        all->require_sound();
}

/* An L1 TLB's entry covers the fragment: less than the entry's reach, or more, as far as it is contiguous. */
BOOST_AUTO_TEST_CASE(a_translation_is_of_the_fragments_size)
{
    const auto of = [](uint64_t entry, uint32_t level, uint64_t va) {
        return ww_gpuvm_xlat(entry, level, va);
    };
    const auto frag = [](uint64_t n) { return n << 7 | WW_GPUVM_V; };
    ww_xlat x = of(0x80003000 | frag(4), 1, 0x13fff);
    BOOST_TEST((x.page_pa == 0x80000000u && x.page_shift == 16u));
    x = of(0x80200000 | frag(9), 2, 0x234567);
    BOOST_TEST((x.page_pa == 0x80200000u && x.page_shift == 21u));
    x = of(0x80200000 | frag(4), 2, 0x234567); /* a part of the entry's 2 MiB */
    BOOST_TEST((x.page_pa == 0x80230000u && x.page_shift == 16u));
    x = of(0x80200000 | frag(0), 2, 0x234567);
    BOOST_TEST((x.page_pa == 0x80234000u && x.page_shift == 12u));
    x = of(0x80a00000 | frag(11), 2, 0x234567); /* 8 MiB, of which this entry maps the second quarter */
    BOOST_TEST((x.page_pa == 0x80800000u && x.page_shift == 23u));
    x = of(0x80003000 | frag(4), 1, 0x12000); /* 4 KiB off its place: not 64 KiB in one piece */
    BOOST_TEST((x.page_pa == 0x80003000u && x.page_shift == 12u));
    x = of(0x80006000 | frag(4), 1, 0x12000); /* contiguous within 16 KiB */
    BOOST_TEST((x.page_pa == 0x80004000u && x.page_shift == 14u));
    x = of(frag(31), 1, 0);
    BOOST_TEST((x.page_pa == 0u && x.page_shift == 43u));
}

BOOST_DATA_TEST_CASE(every_size_at_every_root_walks,
                     every_generation *bdata::xrange(1u, 5u) * bdata::xrange(12u, 44u), generation, levels,
                     shift)
{
    for (const bool further : {false, true})
        for (const bool in_blocks : {false, true}) {
            if (further && (generation == WW_GPUVM_GFX12 || levels < 3))
                continue;
            gpuvm m(generation, levels, further, in_blocks);
            const uint32_t level = in_blocks ? 1 : (shift - 12) / 9 + 1;
            const uint64_t mask = ww_page_mask(12 + 9 * levels);
            const uint64_t va = UINT64_C(0x0123456789abcdef) & mask & ~ww_page_mask(shift);
            const uint64_t pa = UINT64_C(3) << shift;
            if (level > levels || (in_blocks && shift > 21)) {
                BOOST_TEST(m.map(va, pa, shift) == WW_E_ARG);
                BOOST_TEST(ww_gpuvm_nodes_needed(&m.t.cfg, va, 4096, shift) == 0u);
                continue;
            }
            BOOST_REQUIRE_EQUAL(m.map(va, pa, shift, WW_PERM_R | WW_PERM_X), WW_OK);
            m.require_sound();
            for (const uint64_t offset : {UINT64_C(0), UINT64_C(42), ww_page_mask(shift)}) {
                const uint64_t end = m.whole(va + offset);
                BOOST_REQUIRE_EQUAL(ww_walk_act(end), WW_WALK_DONE);
                const ww_xlat x = ww_walk_xlat(end);
                BOOST_TEST((x.page_pa == pa && x.page_shift == shift && x.perm == (WW_PERM_R | WW_PERM_X)));
                ww_xlat direct = {};
                BOOST_TEST(m.lookup(va + offset, direct));
                BOOST_TEST(ww_xlat_same(&x, &direct));
                BOOST_TEST(m.steps.size() == levels - level + 1);
            }
            BOOST_TEST(m.t.nodes == m.steps.size());
            BOOST_TEST(ww_gpuvm_nodes_needed(&m.t.cfg, va, ww_page_bytes(shift), shift) == m.t.nodes);
            if (levels == 4 || va + ww_page_bytes(shift) <= mask) {
                ww_xlat x = {1, 2, 3};
                BOOST_TEST(!m.lookup((va + ww_page_bytes(shift)) & mask, x));
                BOOST_TEST(x.page_pa == 1u);
            }
        }
}

BOOST_DATA_TEST_CASE(a_walk_says_what_is_sparse_and_what_is_absent, every_generation, generation)
{
    gpuvm m(generation);
    const uint64_t t = bit(comments[generation].t), p = bit(comments[generation].p);
    BOOST_REQUIRE_EQUAL(m.map(0x1000, 0x5000, 12), WW_OK);
    m.entry(0x1000, 1) = t | WW_GPUVM_S | WW_GPUVM_C | UINT64_C(0x5000) | WW_GPUVM_R;
    BOOST_TEST(m.why(0x1000) == sparse);
    m.entry(0x200000, 2) = t | p; /* all of 2 MiB */
    BOOST_TEST(m.why(0x234567) == sparse);
    BOOST_TEST(m.steps == "432");
    ww_xlat x = {};
    BOOST_TEST(!m.lookup(0x1000, x));
    m.require_sound();
    m.entry(0x1000, 1) = WW_GPUVM_X;
    BOOST_TEST(m.why(0x1000) == absent);
    m.entry(0x1000, 1) = t | WW_GPUVM_V; /* resident, but without rights */
    BOOST_TEST(m.why(0x1000) == "");
    BOOST_TEST(ww_walk_xlat(m.whole(0x1000)).perm == 0u);
}

BOOST_DATA_TEST_CASE(registers_say_where_and_how_deep, every_generation, generation)
{
    gpuvm m(generation, 3);
    BOOST_REQUIRE_EQUAL(m.map(0x1000, 0x5000, 12), WW_OK);
    BOOST_TEST(m.table.regs.word[0] == (arena_pa | 1));
    BOOST_TEST(m.table.regs.word[1] == 5u); /* enabled; depth 2 */
    BOOST_TEST(m.why(0x1000) == "");
    BOOST_TEST(m.why(bit(39)) == beyond);
    BOOST_TEST(m.why(~UINT64_C(0)) == beyond); /* a root of three levels has no upper half */
    BOOST_TEST(m.steps == "");
    const auto with = [&](size_t word, uint64_t bits) {
        const ww_table before = m.table;
        m.table.regs.word[word] ^= bits;
        const std::string why = m.why(0x1000);
        BOOST_TEST(m.steps.size() == (why == malformed ? 0u : 3u));
        m.table = before;
        return why;
    };
    BOOST_TEST(with(1, WW_GPUVM_CNTL_ENABLE) == malformed);
    BOOST_TEST(with(1, generation == WW_GPUVM_GFX9 ? 8u : 16u) == malformed); /* blocks of 1024 entries */
    BOOST_TEST(with(1, generation == WW_GPUVM_GFX9 ? 64u : 128u) == malformed);
    BOOST_TEST(with(1, generation == WW_GPUVM_GFX9 ? 128u : 8u) == ""); /* a bit that walks ignore */
    BOOST_TEST(with(0, WW_GPUVM_V) == malformed);
    BOOST_TEST(with(0, bit(comments[generation].p)) == malformed); /* a page cannot be a root */
    BOOST_TEST(with(0, 8) == malformed);
    BOOST_TEST(with(0, WW_GPUVM_S | WW_GPUVM_C) == "");
    BOOST_CHECK_THROW(ww_gpuvm_space(WW_GPUVM_GFX9, 4, 32), std::logic_error);
    BOOST_CHECK_THROW(ww_gpuvm_space(WW_GPUVM_GFX9, 5, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_gpuvm_space(WW_GPUVM_GFX9, 0, 0), std::logic_error);
}

BOOST_AUTO_TEST_CASE(the_upper_half_of_48_bits_is_signed)
{
    gpuvm m;
    const uint64_t va = UINT64_C(0xffff800000003000);
    BOOST_REQUIRE_EQUAL(m.map(va & ww_page_mask(48), 0x9000, 12), WW_OK);
    BOOST_TEST(m.why(va) == "");
    BOOST_TEST(ww_walk_pa(m.whole(va)) == 0x9000u);
    BOOST_TEST(m.why(UINT64_C(0xffff000000003000)) == beyond); /* bit 47 differs */
    BOOST_TEST(m.why(bit(48)) == beyond);
}

/* A table's address has 42 bits; the walk and a cache of walks keep them all. */
BOOST_AUTO_TEST_CASE(tables_lie_at_multiples_of_64_bytes)
{
    gpuvm m(WW_GPUVM_GFX9, 4, true);
    BOOST_REQUIRE_EQUAL(m.map(0, 0x5000, 12), WW_OK);
    /* Copies the PTB to 64 x 27 bytes further on, in a node of its own. */
    const uint32_t by = 64 * 27;
    const uint64_t old_pa = m.entry(0, 2) & WW_GPUVM_TABLE, new_pa = old_pa + 4096 * 3 + by;
    for (uint64_t i = 0; i < 512; ++i)
        m.word(new_pa + i * 8) = m.word(old_pa + i * 8);
    m.entry(0, 2) = new_pa | WW_GPUVM_V | WW_GPUVM_GFX9_TF;
    m.word(old_pa) = 0;
    BOOST_TEST(m.why(0) == "");
    BOOST_TEST(ww_walk_pa(m.whole(0)) == 0x5000u);
    uint64_t walk = ww_table_start(&m.table, 0);
    while (ww_walk_step(walk) != 1)
        walk = m.read(walk, 0);
    ww_walk_read r = {};
    ww_table_next(&m.table, walk, 0x1ff000, &r);
    BOOST_TEST(r.pa == new_pa + 511 * 8);
    BOOST_TEST(ww_walk_pa(walk) == (new_pa & ~UINT64_C(4095)));

    ww_pwc_cfg cfg = {};
    cfg.kind = &ww_gpuvm_gfx9;
    cfg.entries[2] = cfg.entries[3] = 4;
    walkway_tb::blob<ww_pwc> pwc(ww_pwc_bytes(&cfg));
    BOOST_REQUIRE_EQUAL(ww_pwc_init(pwc, pwc.bytes(), &cfg), WW_OK);
    ww_pwc_fill(pwc, 0, 0, walk);
    BOOST_TEST(ww_pwc_probe(pwc, 0x1000, 0) == walk);
    uint64_t upper = ww_table_start(&m.table, 0);
    while (ww_walk_step(upper) != 2)
        upper = m.read(upper, 0);
    ww_pwc_fill(pwc, 0, 0, upper); /* also keeps that its entries are pages */
    const uint64_t kept = ww_pwc_probe(pwc, 0x200000, 0);
    BOOST_TEST(kept == upper);
    m.entry(0x200000, 2) = 0x400000 | WW_GPUVM_V | UINT64_C(9) << 7;
    BOOST_TEST(ww_walk_pa(m.read(kept, 0x200000)) == 0x400000u);
}

BOOST_AUTO_TEST_CASE(illegal_arguments_are_refused)
{
    gpuvm m(WW_GPUVM_GFX9, 4);
    const std::vector<uint64_t> before = m.arena;
    BOOST_TEST(m.map(0x800, 0, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0x800, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0x1000, 0, 16) == WW_E_ARG);
    BOOST_TEST(m.map(0, bit(48), 12) == WW_E_ARG);
    BOOST_TEST(m.map(bit(48), 0, 12) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 11) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 44) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 12, WW_PERM_W) == WW_E_ARG);
    BOOST_TEST(m.map(0, 0, 12, 9) == WW_E_ARG);
    BOOST_TEST((before == m.arena));
    const auto init = [&](ww_gpuvm_cfg cfg, size_t words = 1024) {
        return ww_gpuvm_init(&m.t, &cfg, m.arena.data(), words);
    };
    BOOST_TEST(init({0, 4, false, false, 0, 2}) == WW_OK);
    BOOST_TEST(init({2, 4, false, false, 0, 2}) == WW_E_ARG);
    BOOST_TEST(init({0, 0, false, false, 0, 2}) == WW_E_ARG);
    BOOST_TEST(init({0, 5, false, false, 0, 2}) == WW_E_ARG);
    BOOST_TEST(init({0, 2, true, false, 0, 2}) == WW_E_ARG); /* translate-further needs three levels */
    BOOST_TEST(init({0, 3, true, false, 0, 2}) == WW_OK);
    BOOST_TEST(init({1, 4, true, false, 0, 2}) == WW_E_ARG); /* GFX12 does not have it */
    BOOST_TEST(init({0, 4, false, false, 0, 0}) == WW_E_ARG);
    BOOST_TEST(init({0, 4, false, false, 64, 2}) == WW_E_ARG);
    BOOST_TEST(init({0, 4, false, false, bit(48) - 4096, 2}) == WW_E_ARG);
    BOOST_TEST(init({0, 4, false, false, 0, 2}, 1023) == WW_E_SIZE);
    const ww_gpuvm_cfg four = {0, 4, false, false, 0, 2}, none = {2, 4, false, false, 0, 2};
    BOOST_TEST(ww_gpuvm_nodes_needed(&none, 0, 4096, 12) == 0u);
    BOOST_TEST(ww_gpuvm_nodes_needed(&four, 0, 0, 12) == 0u);
    BOOST_TEST(ww_gpuvm_nodes_needed(&four, 4096, UINT64_MAX, 12) == 0u);
    BOOST_TEST(ww_gpuvm_nodes_needed(&four, bit(47), bit(47) + 1, 12) == 0u);
    BOOST_TEST(ww_gpuvm_nodes_needed(&four, 0, 4096, 11) == 0u);
    BOOST_TEST(ww_gpuvm_nodes_needed(&four, 0, UINT64_C(3) << 21, 12) == 3u + 3u);
}

BOOST_AUTO_TEST_CASE(a_full_arena_refuses_and_changes_nothing)
{
    gpuvm m(WW_GPUVM_GFX9, 3, false, false, 3);
    BOOST_REQUIRE_EQUAL(m.map(0, 0x1000, 12), WW_OK);
    const std::vector<uint64_t> before = m.arena;
    BOOST_TEST(m.map(0x200000, 0x2000, 12) == WW_E_SIZE);
    BOOST_TEST((before == m.arena));
    BOOST_TEST(m.map(0x200000, 0x200000, 21) == WW_OK);
    m.require_sound();
}

BOOST_AUTO_TEST_CASE(the_check_names_what_is_broken)
{
    const auto broken = [](auto change) {
        gpuvm m(WW_GPUVM_GFX9, 3);
        BOOST_REQUIRE_EQUAL(m.map(0x10000, 0x20000, 16), WW_OK);
        BOOST_REQUIRE_EQUAL(m.map(0x400000, 0x400000, 22), WW_OK);
        m.require_sound();
        change(m);
        return m.check();
    };
    const std::string apart = "a fragment is not aligned contiguous entries";
    const std::string size = "a fragment is smaller than its entry, or larger than its node";
    BOOST_TEST(broken([](gpuvm &m) { m.entry(0x13000, 1) = 0; }) == apart);
    BOOST_TEST(broken([](gpuvm &m) { m.entry(0x13000, 1) ^= 0x1000; }) == apart);
    BOOST_TEST(broken([](gpuvm &m) { m.entry(0x13000, 1) ^= WW_GPUVM_W; }) == apart);
    BOOST_TEST(broken([](gpuvm &m) {
                   for (uint64_t va = 0x10000; va < 0x20000; va += 0x1000)
                       m.entry(va, 1) += 0x1000;
               }) == apart);
    BOOST_TEST(broken([](gpuvm &m) { m.entry(0x400000, 2) &= ~WW_GPUVM_FRAG; }) == size);
    BOOST_TEST(broken([](gpuvm &m) { m.entry(0x400000, 2) |= WW_GPUVM_FRAG; }) == size);
    BOOST_TEST(broken([](gpuvm &m) { m.entry(0, 1) = WW_GPUVM_V | WW_GPUVM_GFX9_RSV; }) ==
               "an entry is malformed");
    BOOST_TEST(broken([](gpuvm &m) { m.entry(0, 3) += 0x100000; }) ==
               "a table entry points outside the table");
    BOOST_TEST(broken([](gpuvm &m) { m.entry(0, 3) += 64; }) == "a table entry points outside the table");
    BOOST_TEST(broken([](gpuvm &m) { m.entry(0, 3) = WW_GPUVM_GFX9_P; }) ==
               "a node in use cannot be reached");
    BOOST_TEST(broken([](gpuvm &m) { m.arena[5] = m.entry(0, 3); }) ==
               "more nodes can be reached than are in use");
}

/* Few addresses, so that pages overlap; each walk is compared with the reference and the map. */
BOOST_DATA_TEST_CASE(random_tables_agree_with_a_map_of_pages_and_with_the_reference, bdata::xrange(12), seed)
{
    const int generation = seed % 3 == 2 ? WW_GPUVM_GFX12 : WW_GPUVM_GFX9;
    const uint32_t levels = seed < 6 ? 4 : 3;
    const bool in_blocks = seed % 4 == 3;
    gpuvm m(generation, levels, seed % 3 == 1, in_blocks, 40);
    page_map pages;
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    const uint32_t shifts[] = {12, 12, 12, 13, 16, 20, 21, 24, 30};
    const auto random_va = [&] {
        uint64_t va = uint64_t{ww_rng_below(&rng, 3)} << 30 | uint64_t{ww_rng_below(&rng, 4)} << 21;
        va |= uint64_t{ww_rng_below(&rng, 40)} << 12;
        return va | (levels == 4 ? uint64_t{ww_rng_below(&rng, 2)} << 39 : 0);
    };
    int mapped = 0, refused = 0, faults = 0;
    for (int i = 0; i < 400; i++) {
        const uint32_t shift = shifts[ww_rng_below(&rng, in_blocks ? 7 : 9)];
        const uint64_t va = ww_page_base(random_va(), shift);
        const uint64_t page_pa = uint64_t{ww_rng_below(&rng, 1 << 10)} << shift;
        const bool overlap = pages.overlaps(va, shift);
        const std::vector<uint64_t> before = m.arena;
        const int status = m.map(va, page_pa, shift);
        if (status == WW_E_SIZE)
            BOOST_REQUIRE((!overlap && before == m.arena));
        else
            BOOST_REQUIRE_EQUAL(status == WW_E_ARG, overlap);
        BOOST_REQUIRE(status == WW_OK || before == m.arena);
        m.require_sound();
        mapped += status == WW_OK;
        refused += overlap;
        if (status == WW_OK)
            pages[va] = {page_pa, static_cast<uint8_t>(shift), WW_PERM_ALL};
        for (int probe = 0; probe < 8; probe++) {
            const uint64_t look = random_va() + 42;
            const auto at = pages.holding(look);
            uint64_t pa = 0;
            uint32_t fragment = 0;
            const std::string by_reference = naive(m, look, pa, fragment);
            const uint64_t end = m.whole(look);
            BOOST_REQUIRE_EQUAL(ww_walk_act(end) == WW_WALK_DONE, at != pages.end());
            BOOST_REQUIRE_EQUAL(by_reference == "page", at != pages.end());
            faults += at == pages.end();
            if (at == pages.end())
                continue;
            const ww_xlat x = ww_walk_xlat(end);
            BOOST_REQUIRE_EQUAL(ww_xlat_pa(&x, look), pa);
            BOOST_REQUIRE_EQUAL(x.page_shift, 12 + fragment);
            BOOST_REQUIRE_EQUAL(x.page_pa, at->second.page_pa);
            BOOST_REQUIRE_EQUAL(x.page_shift, at->second.page_shift);
        }
        /* Where a line serves two addresses, their walks must be equal. */
        const uint64_t one = random_va(), other = random_va();
        m.require_neighbours(one, other);
    }
    BOOST_TEST_MESSAGE(mapped << " mapped, " << refused << " refused, " << faults << " faults");
    BOOST_TEST((mapped > 10 && refused > 40 && faults > 50));
}

/* With random words every walk must end as the reference says. */
BOOST_DATA_TEST_CASE(random_words_walk_as_the_reference_does, every_generation *bdata::xrange(6), generation,
                     seed)
{
    const by_comment &c = comments[generation];
    gpuvm m(generation, 4, false, false, 16);
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    int ends[4] = {};
    for (int i = 0; i < 3000; i++) {
        const uint64_t va = uint64_t{ww_rng_below(&rng, 4)} << 39 | uint64_t{ww_rng_below(&rng, 4)} << 30 |
                            uint64_t{ww_rng_below(&rng, 4)} << 21 | uint64_t{ww_rng_below(&rng, 4)} << 12;
        /* One node per level and index, for four indexes, in a ring, so that every table exists. */
        for (uint32_t node = 0; node < 16; node++)
            for (uint32_t index = 0; index < 4; index++) {
                uint64_t entry = (arena_pa + 4096 * uint64_t{ww_rng_below(&rng, 15)});
                entry |= ww_rng_below(&rng, 12) != 0 ? WW_GPUVM_V : 0;
                entry |= ww_rng_below(&rng, 4) == 0 ? bit(c.t) & ~WW_GPUVM_V : 0;
                entry |= ww_rng_below(&rng, 6) == 0 ? bit(c.p) : 0;
                entry |= ww_rng_below(&rng, 6) == 0 ? uint64_t{ww_rng_below(&rng, 32)} << 7 : 0;
                entry |= ww_rng_below(&rng, 3) == 0 ? UINT64_C(9) << c.bfs : 0;
                entry |= ww_rng_below(&rng, 3) == 0 ? bit(56) : 0;
                m.arena[size_t{node} * 512 + index] = entry;
            }
        uint64_t pa = 0;
        uint32_t fragment = 0;
        const uint64_t end = m.whole(va);
        const std::string expected = naive(m, va, pa, fragment);
        if (ww_walk_act(end) == WW_WALK_FAULT) {
            const auto why = ww_walk_why(end);
            ++ends[why == WW_WHY_MALFORMED ? 0 : why == WW_WHY_ABSENT ? 1 : 2];
            if (why != WW_WHY_MALFORMED)
                BOOST_REQUIRE_EQUAL(expected, why == WW_WHY_ABSENT ? "absent" : "sparse");
            continue;
        }
        ++ends[3];
        BOOST_REQUIRE_EQUAL(expected, "page");
        const ww_xlat x = ww_walk_xlat(end);
        BOOST_REQUIRE_EQUAL(ww_xlat_pa(&x, va), pa);
        BOOST_REQUIRE(x.page_shift <= 12 + fragment);
    }
    for (const int n : ends)
        BOOST_TEST(n > 5);
}
