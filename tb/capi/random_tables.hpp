/* SPDX-License-Identifier: MIT */
/* tb/capi/random_tables.hpp - random page tables in three formats, with absent and malformed entries, loops
 * and pointers out of memory; and walks of them by the formats' manuals, without any code of the library. */
#ifndef WW_TB_CAPI_RANDOM_TABLES_HPP
#define WW_TB_CAPI_RANDOM_TABLES_HPP

#include <walkway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

namespace walkway_test
{

enum class format { radix, x86, amd };

struct shape {
    format kind;
    unsigned levels;
    const char *page;
};

inline std::ostream &operator<<(std::ostream &out, const shape &s)
{
    return out << static_cast<int>(s.kind) << " of " << s.levels << " levels, " << s.page;
}

struct naive_answer {
    unsigned reason; /* walkway_fault_reason */
    uint64_t pa = 0;
    unsigned rights = 0, level = 0;
    uint64_t entry_pa = WALKWAY_NO_ENTRY;
};

class random_tables
{
public:
    static constexpr uint64_t base_pa = 0x40000000, nodes = 48;

    random_tables(const shape &s, uint64_t seed) : shape_(s), random_(seed), words_(nodes * 512)
    {
        for (uint64_t node = 0; node < nodes; ++node)
            for (const unsigned index : indices())
                words_[node * 512 + index] = entry(node);
    }
    /* The width of virtual addresses; they do not use the sixth level of an AMD table. */
    unsigned va_bits() const { return std::min(12 + 9 * shape_.levels, 57u); }
    uint64_t below(uint64_t n) { return random_() % n; }
    const void *data() const { return words_.data(); }
    uint64_t bytes() const { return words_.size() * 8; }
    uint64_t root() const { return base_pa; }
    /* Changes a random entry. */
    void change()
    {
        const uint64_t node = below(nodes);
        words_[node * 512 + indices()[below(indices().size())]] = entry(node);
    }
    uint64_t address()
    {
        uint64_t va = below(4096);
        for (unsigned level = 1; level <= shape_.levels && level < 6; ++level)
            va |= uint64_t{indices()[below(indices().size())]} << (12 + 9 * (level - 1));
        if (shape_.kind == format::x86 && (va >> (va_bits() - 1) & 1) != 0)
            va |= ~uint64_t{0} << va_bits();
        if (below(50) == 0)
            va ^= uint64_t{1} << 63;
        if (below(50) == 0)
            va ^= uint64_t{1} << va_bits();
        return va;
    }
    unsigned rights() { return static_cast<unsigned>(below(8)); }

    naive_answer walk(uint64_t va, unsigned wants) const
    {
        const unsigned bits = va_bits();
        const uint64_t top = va >> bits;
        const bool high = (va >> (bits - 1) & 1) != 0;
        if (shape_.kind == format::x86 ? top != (high ? ~uint64_t{0} >> bits : 0) : top != 0)
            return {WALKWAY_FAULT_ADDRESS};
        uint64_t node = root();
        unsigned rights = 7;
        for (unsigned level = shape_.levels;;) {
            naive_answer a = {WALKWAY_FAULT_MEMORY};
            a.entry_pa = node + (va >> (3 + 9 * level) & 511) * 8;
            a.level = level;
            if (a.entry_pa - base_pa >= bytes())
                return a;
            const uint64_t pte = words_[(a.entry_pa - base_pa) / 8];
            unsigned page_bits = 0, next = level - 1;
            a.reason = shape_.kind == format::amd ? amd(pte, level, va, &page_bits, &next, &rights)
                                                  : x86(pte, level, &page_bits, &rights);
            if (a.reason != WALKWAY_FAULT_NONE)
                return a;
            const uint64_t frame = pte & 0xffffffffff000;
            if (page_bits == 0) {
                node = frame;
                level = next;
                continue;
            }
            const uint64_t inside = (uint64_t{1} << page_bits) - 1;
            if ((wants & ~rights) != 0)
                return {WALKWAY_FAULT_RIGHTS};
            a.pa = (frame & ~inside) | (va & inside);
            a.rights = rights;
            return a;
        }
    }

private:
    static const std::array<unsigned, 6> &indices()
    {
        static const std::array<unsigned, 6> all = {0, 1, 2, 7, 8, 511};
        return all;
    }
    unsigned x86(uint64_t pte, unsigned level, unsigned *page_bits, unsigned *rights) const
    {
        if ((pte & 1) == 0)
            return WALKWAY_FAULT_ABSENT;
        const bool ps = (pte & 0x80) != 0;
        const unsigned grants = 1u | ((pte & 2) != 0 ? 2u : 0u) | ((pte >> 63) == 0 ? 4u : 0u);
        if (ps && level > 3)
            return WALKWAY_FAULT_MALFORMED;
        const bool leaf = level == 1 || ps;
        if (shape_.kind == format::x86) {
            if ((pte & (uint64_t{1} << 51)) != 0) /* physical addresses have 51 bits */
                return WALKWAY_FAULT_MALFORMED;
            if (leaf && level > 1 && (pte >> 13 & ((uint64_t{1} << (9 * (level - 1) - 1)) - 1)) != 0)
                return WALKWAY_FAULT_MALFORMED;
            *rights &= grants;
        } else if (leaf) {
            *rights = grants;
        }
        if (leaf)
            *page_bits =
                level == 1 && shape_.kind == format::radix && (pte & 0x800) != 0 ? 16 : 3 + 9 * level;
        return WALKWAY_FAULT_NONE;
    }
    static unsigned amd(uint64_t pte, unsigned level, uint64_t va, unsigned *page_bits, unsigned *next,
                        unsigned *rights)
    {
        if ((pte & 1) == 0)
            return WALKWAY_FAULT_ABSENT;
        *next = pte >> 9 & 7;
        if ((pte >> 52 & 0x7f) != 0)
            return WALKWAY_FAULT_MALFORMED;
        *rights &= ((pte >> 61 & 1) != 0 ? 5u : 0u) | ((pte >> 62 & 1) != 0 ? 2u : 0u);
        if (*next == 0) {
            *page_bits = 3 + 9 * level;
            return WALKWAY_FAULT_NONE;
        }
        if (*next == 7) {
            unsigned bits = 13;
            while ((pte >> (bits - 1) & 1) != 0 && bits < 52)
                ++bits;
            *page_bits = bits;
            return bits >= 3 + 9 * level && bits < 12 + 9 * level ? WALKWAY_FAULT_NONE
                                                                  : WALKWAY_FAULT_MALFORMED;
        }
        if (*next >= level || (pte >> 59 & 3) != 0)
            return WALKWAY_FAULT_MALFORMED;
        const uint64_t skipped =
            ((uint64_t{1} << (3 + 9 * level)) - 1) & ~((uint64_t{1} << (12 + 9 * *next)) - 1);
        return (va & skipped) != 0 ? WALKWAY_FAULT_ADDRESS : WALKWAY_FAULT_NONE;
    }

    uint64_t entry(uint64_t)
    {
        if (below(8) == 0)
            return random_() & ~uint64_t{1};
        if (below(40) == 0)
            return (random_() & 0x7fffffffff000) | 0x67; /* a table outside memory */
        const uint64_t rights = below(4) == 0 ? random_() : ~uint64_t{0};
        uint64_t frame = below(2) == 0 ? base_pa + below(nodes) * 4096 : (random_() & 0x7fffffffff000);
        if (shape_.kind == format::amd) {
            const uint64_t next = below(3) == 0 ? 7 : below(shape_.levels);
            if (next == 7)
                frame |= ((uint64_t{1} << below(28)) - 1) << 12;
            uint64_t pte = (frame & 0x7fffffffff000) | next << 9 | 1;
            pte |= (rights & 1) << 61 | (rights >> 1 & 1) << 62;
            return below(60) == 0 ? pte | uint64_t{1} << (52 + below(9)) : pte;
        }
        uint64_t pte = frame | 1 | (rights & 2) | 4 | (below(8) == 0 ? uint64_t{1} << 63 : 0);
        if (below(5) == 0)
            pte = (pte | 0x80) & ~(below(3) == 0 ? 0 : uint64_t{0x3ffff000});
        if (below(6) == 0)
            pte |= 0x800;
        return below(60) == 0 ? pte | uint64_t{1} << 51 : pte;
    }

    shape shape_;
    std::mt19937_64 random_;
    std::vector<uint64_t> words_;
};

struct destroy {
    void operator()(walkway_chain *w) const { walkway_destroy(w); }
};
using chain_ptr = std::unique_ptr<walkway_chain, destroy>;

inline chain_ptr make(const char *platform, std::vector<std::string> settings, walkway_options o = {})
{
    std::vector<const char *> texts;
    for (const std::string &s : settings)
        texts.push_back(s.c_str());
    o.version = WALKWAY_VERSION;
    o.settings = texts.data();
    o.settings_count = static_cast<uint32_t>(texts.size());
    walkway_chain *w = nullptr;
    const int status = walkway_create(platform, &o, &w);
    BOOST_REQUIRE_MESSAGE(status == WALKWAY_OK, walkway_last_error());
    return chain_ptr(w);
}

/* A machine for such tables; small, so that there are many evictions. */
inline chain_ptr make(const char *platform, const shape &s, std::vector<std::string> settings = {})
{
    settings.push_back("address_space.levels=" + std::to_string(s.levels));
    settings.push_back(std::string("address_space.page=") + s.page);
    settings.push_back(s.kind == format::amd ? "address_space.table=amd_v1" : "address_space.table=radix");
    walkway_options o = {};
    o.table = s.kind == format::x86 ? WALKWAY_TABLE_X86 : WALKWAY_TABLE_CONFIGURED;
    o.physical_bits = s.kind == format::x86 ? 51 : 52;
    return make(platform, settings, o);
}

/* The call fails with a sentence. */
inline void refused(int status, int expected, const char *part)
{
    BOOST_TEST(status == expected, walkway_status_name(status)
                                       << " instead of " << walkway_status_name(expected));
    BOOST_TEST(std::string(walkway_last_error()).find(part) != std::string::npos, walkway_last_error());
}

} // namespace walkway_test

#endif
