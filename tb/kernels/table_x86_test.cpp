/* SPDX-License-Identifier: MIT */
/* Walks of tables as an operating system writes them: against the tables of Intel's SDM bit by bit, and on
 * random entries against a reference without masks. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/table/table_x86.h"

#include <map>
#include <stdexcept>
#include <string>

namespace bdata = boost::unit_test::data;

namespace
{

const auto every_levels = bdata::make({4u, 5u});
constexpr uint64_t root_pa = 0x7000;

/* Memory of single words; unset words are 0. */
struct memory {
    std::map<uint64_t, uint64_t> words;
    ww_table table;
    std::string steps; /* levels read, by the last walk */

    explicit memory(uint32_t levels, uint32_t phys_bits = 52, uint64_t cr3 = root_pa)
        : table(ww_x86_table(levels, cr3, phys_bits))
    {
    }
    uint32_t levels() const { return table.kind->steps; }

    /* Makes table entries that grant everything above `level`, and the entry `leaf` there. */
    void path(uint64_t va, uint32_t level, uint64_t leaf)
    {
        for (uint32_t l = levels(); l > level; l--)
            entry(va, l) = node(l - 1) | WW_PTE_P | WW_PTE_RW | WW_PTE_US;
        entry(va, level) = leaf;
    }
    uint64_t node(uint32_t level) const
    {
        return level == levels() ? root_pa : 0x10000 * uint64_t{level} + 0x3000;
    }
    uint64_t &entry(uint64_t va, uint32_t level)
    {
        return words[node(level) + (va >> (12 + 9 * (level - 1)) & 511) * 8];
    }

    uint64_t walk(uint64_t va)
    {
        uint64_t walk = ww_table_start(&table, va);
        ww_walk_read read = {};
        steps.clear();
        while (ww_table_next(&table, walk, va, &read) == WW_WALK_READ) {
            const char *broken = ww_table_walk_check(table.kind, walk);
            BOOST_REQUIRE_MESSAGE(broken == nullptr, broken);
            BOOST_REQUIRE_EQUAL(read.bytes, 8u);
            steps += static_cast<char>('0' + ww_walk_step(walk));
            uint64_t line[8];
            for (uint64_t i = 0; i < 8; i++) {
                const auto word = words.find((read.pa & ~uint64_t{63}) + i * 8);
                line[i] = word == words.end() ? 0 : word->second;
            }
            walk = ww_table_feed(&table, walk, va, line);
        }
        return walk;
    }
    std::string why(uint64_t va)
    {
        const uint64_t end = walk(va);
        return ww_walk_act(end) == WW_WALK_DONE ? "done" : ww_walk_why_text(ww_walk_why(end));
    }
};

const std::string malformed = ww_walk_why_text(WW_WHY_MALFORMED), absent = ww_walk_why_text(WW_WHY_ABSENT),
                  beyond = ww_walk_why_text(WW_WHY_ADDRESS), done = "done";

constexpr uint64_t bit(unsigned n)
{
    return uint64_t{1} << n;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_kinds_hold_what_the_format_says)
{
    for (const ww_table_kind *kind : {&ww_x86_4, &ww_x86_5}) {
        BOOST_TEST(ww_table_kind_check(kind) == nullptr);
        BOOST_TEST(kind->va_bits == 12u + 9 * kind->steps);
        BOOST_TEST(kind->own_bits == 3u); /* three rights */
        for (uint32_t level = 1; level <= kind->steps; level++) {
            BOOST_TEST(kind->reach[level] == ww_level_shift(level));
            BOOST_TEST(kind->shift[level] == ww_level_shift(level) + WW_LINE_PTES_SHIFT);
            BOOST_TEST(kind->step_name[level] == "l" + std::to_string(level));
        }
    }
    BOOST_TEST(std::string(ww_x86_4.name) == "x86_4");
    BOOST_TEST(std::string(ww_x86_5.name) == "x86_5");
    for (uint32_t levels : {3u, 6u})
        BOOST_CHECK_THROW(ww_x86_table(levels, 0, 52), std::logic_error);
    for (uint32_t bits : {31u, 53u})
        BOOST_CHECK_THROW(ww_x86_table(4, 0, bits), std::logic_error);
}

BOOST_DATA_TEST_CASE(pages_of_three_sizes_are_found_at_their_levels, every_levels, levels)
{
    const uint64_t va = levels == 4 ? 0x7abc12345678 : 0xabcd7abc12345678 & (bit(56) - 1);
    for (uint32_t level = 1; level <= 3; level++) {
        memory m(levels);
        const uint32_t shift = 12 + 9 * (level - 1);
        const uint64_t pa = 0xabcdef5555555000 & WW_PTE_FRAME & ~(bit(shift) - 1);
        m.path(va, level, pa | WW_PTE_P | (level > 1 ? WW_PTE_PS : 0));
        const uint64_t walk = m.walk(va);
        BOOST_REQUIRE(ww_walk_act(walk) == WW_WALK_DONE);
        const ww_xlat x = ww_walk_xlat(walk);
        BOOST_TEST(x.page_pa == pa);
        BOOST_TEST(x.page_shift == shift);
        BOOST_TEST(m.steps == std::string("54321").substr(5 - levels, levels - level + 1));
    }
}

/* SDM: bit 7 of an entry of 4 KiB pages and bit 12 of a large page are PAT, 11:9 and 58:52 are ignored, 8 is
 * G, 62:59 the protection key. The model's own tables mark 64 KiB pages by bit 11. */
BOOST_AUTO_TEST_CASE(bits_that_mean_something_else_do_not_move_the_page)
{
    for (uint32_t level = 1; level <= 3; level++) {
        const uint64_t size = level > 1 ? WW_PTE_PS : 0;
        const unsigned pat = level > 1 ? 12 : 7;
        for (unsigned n : {3u, 4u, 5u, 6u, 8u, 9u, 10u, 11u, pat, 52u, 58u, 59u, 62u}) {
            memory m(4);
            m.path(0, level, bit(35) | WW_PTE_P | size | bit(n));
            const ww_xlat x = ww_walk_xlat(m.walk(0));
            BOOST_TEST(x.page_pa == bit(35));
            BOOST_TEST(x.page_shift == 12 + 9 * (level - 1));
        }
    }
}

BOOST_DATA_TEST_CASE(an_address_is_canonical_or_faults_without_a_read, every_levels, levels)
{
    memory m(levels);
    const uint64_t half = bit(levels == 4 ? 47 : 56);
    for (uint64_t va : {uint64_t{0}, half - 1, uint64_t{0} - half, UINT64_MAX}) {
        BOOST_TEST(ww_x86_canonical(va, levels) == va);
        BOOST_TEST(m.why(va) == absent);
    }
    for (uint64_t va : {half, uint64_t{0} - half - 1, bit(63), 2 * half, UINT64_MAX ^ bit(62)}) {
        BOOST_TEST(ww_x86_canonical(va, levels) != va);
        BOOST_TEST(m.why(va) == beyond);
        BOOST_TEST(m.steps == "");
    }
    BOOST_TEST(ww_x86_canonical(half, levels) == uint64_t{0} - half); /* from a root's index to an address */
    BOOST_TEST(ww_x86_canonical(2 * half - 4096, levels) == UINT64_MAX - 4095);
}

BOOST_AUTO_TEST_CASE(the_upper_half_is_translated_by_the_upper_entries_of_the_root)
{
    memory m(4);
    const uint64_t va = 0xffff888000000000;
    m.path(va, 1, 0x5000 | WW_PTE_P);
    BOOST_TEST((m.words.count(root_pa + 273 * 8) == 1));
    BOOST_TEST(m.why(va) == done);
    BOOST_TEST(m.why(va & (bit(47) - 1)) == absent);
}

BOOST_DATA_TEST_CASE(an_address_may_come_without_its_sign_extension, every_levels, levels)
{
    memory m(levels);
    const uint64_t mask = bit(12 + 9 * levels) - 1, va = 0xffffffff81000000;
    m.path(va, 1, 0x5000 | WW_PTE_P);
    BOOST_TEST(m.why(va) == done);
    BOOST_TEST(m.why(va & mask) == beyond);
    const uint64_t walk = m.walk(va);
    m.table.regs.word[1] |= WW_X86_FOLDED;
    BOOST_TEST(m.walk(va & mask) == walk);
    BOOST_TEST(m.why(va) == beyond);
    BOOST_TEST(m.why(mask + 1) == beyond);
    BOOST_TEST(m.why(mask) == absent);
    m.entry(va, 1) |= bit(51);
    BOOST_TEST(m.why(va & mask) == done);
    m.table.regs.word[1] = WW_X86_FOLDED | 51;
    BOOST_TEST(m.why(va & mask) == malformed);
}

BOOST_DATA_TEST_CASE(a_right_is_what_every_level_grants, every_levels, levels)
{
    const uint64_t all = ww_bits_get(WW_WALK_OWN, WW_X86_RIGHTS);
    const auto granted = [&](auto change) {
        memory m(levels);
        m.path(0, 1, 0x5000 | WW_PTE_P | WW_PTE_RW | WW_PTE_US);
        change(m);
        const uint64_t walk = m.walk(0);
        const uint8_t perm = ww_walk_xlat(walk).perm;
        const uint64_t own = walk & WW_WALK_OWN;
        BOOST_TEST(((perm & WW_PERM_W) != 0) == ((own & WW_X86_WRITE) != 0));
        BOOST_TEST(((perm & WW_PERM_X) != 0) == ((own & WW_X86_EXEC) != 0));
        BOOST_TEST((perm & WW_PERM_R) != 0);
        return own;
    };
    BOOST_TEST(granted([](memory &) {}) >> 58 == all);
    for (uint32_t level = 1; level <= levels; level++) {
        BOOST_TEST(granted([&](memory &m) { m.entry(0, level) ^= WW_PTE_RW; }) ==
                   (WW_X86_RIGHTS ^ WW_X86_WRITE));
        BOOST_TEST(granted([&](memory &m) { m.entry(0, level) ^= WW_PTE_US; }) ==
                   (WW_X86_RIGHTS ^ WW_X86_USER));
        BOOST_TEST(granted([&](memory &m) { m.entry(0, level) ^= WW_PTE_NX; }) ==
                   (WW_X86_RIGHTS ^ WW_X86_EXEC));
    }
}

BOOST_AUTO_TEST_CASE(reserved_bits_of_a_present_entry_fault_at_its_level)
{
    for (uint32_t level = 1; level <= 5; level++)
        for (unsigned n = 12; n < 52; n++) {
            const auto why = [&](uint64_t flags, uint32_t phys_bits) {
                memory m(5, phys_bits);
                m.path(0, level, flags | bit(n));
                return m.why(0);
            };
            const std::string there = level == 1 ? done : absent;
            BOOST_TEST(why(WW_PTE_P, 40) == (n < 40 ? there : malformed));
            BOOST_TEST(why(0, 40) == absent); /* an entry that is not present has no other fields */
            if (level == 2 || level == 3)
                BOOST_TEST(why(WW_PTE_P | WW_PTE_PS, 52) ==
                           (n == 12 || n >= 12 + 9 * (level - 1) ? done : malformed));
            if (level >= 4)
                BOOST_TEST(why(WW_PTE_P | WW_PTE_PS, 52) == malformed);
        }
    memory m(5, 40);
    m.path(0, 3, WW_PTE_P | bit(40));
    BOOST_TEST(m.why(0) == malformed);
    BOOST_TEST(m.steps == "543");
}

BOOST_AUTO_TEST_CASE(of_cr3_the_low_bits_are_ignored_and_those_above_physical_addresses_are_malformed)
{
    memory flags(4, 52, root_pa | 0xfff);
    flags.path(0, 1, 0x5000 | WW_PTE_P);
    BOOST_TEST(flags.why(0) == done);
    for (unsigned n : {40u, 51u, 52u, 63u}) {
        BOOST_TEST(memory(4, 40, root_pa | bit(n)).why(0) == malformed);
        BOOST_TEST(memory(4, 52, root_pa | bit(n)).why(0) == (n < 52 ? absent : malformed));
    }
}

BOOST_AUTO_TEST_CASE(linear_address_masking_is_no_part_of_the_root)
{
    for (unsigned levels : {4u, 5u})
        for (uint64_t lam : {bit(61), bit(62), bit(61) | bit(62)}) {
            memory m(levels, 52, root_pa | lam);
            m.path(0, 1, 0x5000 | WW_PTE_P);
            BOOST_TEST(m.why(0) == done);
            BOOST_TEST(ww_x86_root_pa(&m.table.regs) == root_pa);
        }
}

BOOST_AUTO_TEST_CASE(bits_that_choose_an_encryption_are_no_part_of_an_address)
{
    for (unsigned levels : {4u, 5u})
        for (unsigned level : {1u, 2u, 3u})
            for (uint64_t bits : {bit(47), bit(51), bit(45) | bit(50)}) {
                memory m(levels, 44, root_pa | bits);
                m.path(0, level, (level << 30) | WW_PTE_P | (level > 1 ? WW_PTE_PS : 0));
                for (auto &word : m.words)
                    word.second |= bits;
                BOOST_TEST(m.why(0) == malformed);
                m.table = ww_x86_encrypted(m.table, bits);
                BOOST_TEST(m.why(0) == done);
                BOOST_TEST(ww_walk_xlat(m.walk(0)).page_pa == uint64_t{level} << 30);
                BOOST_TEST(ww_x86_phys_bits(&m.table.regs) == 44u);
            }
}

/* Decodes entry by entry as in the manual, with neither masks nor words of a walk. */
static std::string reference(const memory &m, uint64_t va, unsigned phys_bits)
{
    const unsigned levels = m.levels(), sign = levels == 4 ? 47 : 56;
    for (unsigned n = sign; n < 64; n++)
        if ((va >> n & 1) != (va >> sign & 1))
            return beyond;
    uint64_t at = root_pa;
    bool write = true, user = true, exec = true;
    for (unsigned level = levels;; level--) {
        const unsigned shift = 12 + 9 * (level - 1);
        const auto word = m.words.find(at + (va >> shift) % 512 * 8);
        const uint64_t e = word == m.words.end() ? 0 : word->second;
        const auto has = [e](unsigned n) { return (e >> n & 1) != 0; };
        if (!has(0))
            return absent;
        const bool large = level > 1 && has(7);
        for (unsigned n = 12; n < 52; n++)
            if (has(n) && (n >= phys_bits || (large && n > 12 && n < shift)))
                return malformed;
        if (large && level > 3)
            return malformed;
        write = write && has(1);
        user = user && has(2);
        exec = exec && !has(63);
        at = 0;
        for (unsigned n = level == 1 || large ? shift : 12; n < 52; n++)
            at += has(n) ? bit(n) : 0;
        if (level == 1 || large)
            return std::to_string(at) + "/" + std::to_string(shift) + (write ? "w" : "") + (user ? "u" : "") +
                   (exec ? "x" : "");
    }
}

BOOST_DATA_TEST_CASE(random_entries_are_read_as_the_reference_reads_them, every_levels *bdata::xrange(3),
                     levels, seed)
{
    ww_rng rng{static_cast<uint64_t>(seed)};
    std::map<std::string, int> ends;
    for (int i = 0; i < 20000; i++) {
        const uint32_t phys_bits = 32 + ww_rng_below(&rng, 21);
        memory m(levels, phys_bits);
        const uint64_t va =
            ww_rng_below(&rng, 8) == 0 ? ww_rng_next(&rng) : ww_x86_canonical(ww_rng_next(&rng), levels);
        for (uint32_t level = levels; level >= 1; level--) {
            uint64_t e = (ww_rng_next(&rng) & 0xf77) | (ww_rng_next(&rng) & bit(63));
            e |= ww_rng_below(&rng, 16) == 0 ? 0 : WW_PTE_P;
            e |= ww_rng_below(&rng, 4) == 0 ? WW_PTE_PS | bit(31) : m.node(level - 1);
            e |= ww_rng_below(&rng, 6) == 0 ? bit(12 + ww_rng_below(&rng, 40)) : 0;
            m.entry(va, level) = e;
        }
        const uint64_t walk = m.walk(va);
        std::string got = m.why(va);
        if (got == done) {
            const ww_xlat x = ww_walk_xlat(walk);
            got = std::to_string(x.page_pa) + "/" + std::to_string(x.page_shift) +
                  ((walk & WW_X86_WRITE) != 0 ? "w" : "") + ((walk & WW_X86_USER) != 0 ? "u" : "") +
                  ((walk & WW_X86_EXEC) != 0 ? "x" : "");
        }
        BOOST_REQUIRE_EQUAL(got, reference(m, va, phys_bits));
        ends[got.find('/') == std::string::npos ? got : done + std::to_string(ww_walk_step(walk))]++;
    }
    for (const std::string &end : {malformed, absent, beyond, done + "1", done + "2", done + "3"})
        BOOST_TEST(ends[end] > 200, end << ": " << ends[end]);
}
