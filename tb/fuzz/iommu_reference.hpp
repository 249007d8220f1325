/* SPDX-License-Identifier: MIT */
/* tb/fuzz/iommu_reference.hpp - where an access through the IOMMU may arrive, by the formats of AMD's
 * specification and of x86-64 alone, without code of the device or the kernels. The device may hold values
 * that are older than the tables, so every value of a word since the last reset counts, and all walks that
 * these allow are made. Reserved bits, table lengths and invalidates are ignored: the reference says only
 * what may happen. */
#ifndef WW_TB_FUZZ_IOMMU_REFERENCE_HPP
#define WW_TB_FUZZ_IOMMU_REFERENCE_HPP

#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

namespace walkway_fuzz
{

class reference
{
public:
    enum right : uint8_t { r = 1, w = 2, x = 4, all = r | w | x };
    struct access {
        uint64_t va;
        uint32_t device, pasid;
        bool has_pasid, translated; /* translated: the device states a physical address */
        uint8_t wants;              /* enum right */
    };

    /* Bytes [at, at + n), of which only those in memory count, are about to change. */
    void changes(const std::vector<unsigned char> &memory, uint64_t at, uint64_t n)
    {
        for (uint64_t word = at / 8 * 8; word < at + n && word < memory.size(); word += 8)
            past_[word].push_back(now(memory, word));
    }
    void device_table(uint64_t reg) { device_tables_.push_back(reg & address); }
    /* The device holds nothing: only the current words and this register count. */
    void start(uint64_t reg)
    {
        past_.clear();
        device_tables_ = {reg & address};
    }
    bool leads(const std::vector<unsigned char> &memory, const access &a, uint64_t pa) const
    {
        const search s{*this, memory, a, pa};
        for (const uint64_t table : device_tables_)
            if (s.device(table + uint64_t{a.device} * 32))
                return true;
        return false;
    }

private:
    static constexpr uint64_t address = 0x000ffffffffff000;
    static constexpr size_t values_at_most = 6; /* a word that had more old values may be anything */

    static uint64_t now(const std::vector<unsigned char> &memory, uint64_t at)
    {
        uint64_t word;
        std::memcpy(&word, &memory[at], 8);
        return word;
    }
    static uint64_t bits(uint64_t word, unsigned high, unsigned low)
    {
        return word >> low & ((UINT64_C(2) << (high - low)) - 1);
    }

    struct search {
        const reference &of;
        const std::vector<unsigned char> &memory;
        const access &a;
        uint64_t pa;

        /* True if `so` holds for one of the values that a word has had. */
        template <class So> bool any(uint64_t at, So so) const
        {
            if (at > memory.size() - 8)
                return false;
            const auto past = of.past_.find(at);
            if (past == of.past_.end())
                return so(now(memory, at));
            if (past->second.size() > values_at_most)
                return true;
            for (const uint64_t word : past->second)
                if (so(word))
                    return true;
            return so(now(memory, at));
        }
        bool arrives(uint64_t page, unsigned shift, uint8_t rights) const
        {
            const uint64_t mask = (UINT64_C(1) << shift) - 1;
            return (a.wants & ~rights) == 0 && ((page & ~mask) | (a.va & mask)) == pa;
        }
        static uint8_t rights(uint64_t word) /* AMD's bits in device and table entries */
        {
            return static_cast<uint8_t>((bits(word, 61, 61) ? r | x : 0) | (bits(word, 62, 62) ? w : 0));
        }
        bool device(uint64_t at) const
        {
            return any(at, [&](uint64_t word) {
                if ((word & 1) == 0 || a.translated)
                    return arrives(a.va, 12, all);
                const unsigned mode = static_cast<unsigned>(bits(word, 11, 9));
                if (bits(word, 1, 1) == 0)
                    return false;
                if (a.has_pasid)
                    return bits(word, 55, 55) != 0 && mode == 0 && any(at + 8, [&](uint64_t second) {
                               return gcr3(bits(word, 60, 58) << 12 | bits(second, 31, 16) << 15 |
                                               bits(second, 63, 43) << 31,
                                           static_cast<unsigned>(bits(word, 57, 56)));
                           });
                if (mode == 0)
                    return arrives(a.va, 12, rights(word));
                return mode <= 6 && (mode == 6 || a.va >> (12 + 9 * mode) == 0) &&
                       host(word & address, mode, rights(word));
            });
        }
        bool gcr3(uint64_t table, unsigned above) const
        {
            return any(table + (a.pasid >> above * 9) % 512 * 8, [&](uint64_t word) {
                return (word & 1) != 0 &&
                       (above == 0 ? guest(word & address, 4, all) : gcr3(word & address, above - 1));
            });
        }
        bool host(uint64_t node, unsigned level, uint8_t granted) const
        {
            const unsigned shift = 12 + 9 * (level - 1);
            return any(node + (a.va >> shift) % 512 * 8, [&](uint64_t entry) {
                const uint8_t left = granted & rights(entry);
                const unsigned next = static_cast<unsigned>(bits(entry, 11, 9));
                if ((entry & 1) == 0)
                    return false;
                if (next == 0)
                    return arrives(entry & address, shift, left);
                if (next == 7) { /* 2^(zero + 1) bytes, zero: the first clear bit from 12 up */
                    unsigned zero = 12;
                    while (bits(entry, zero, zero) != 0 && zero < 51)
                        ++zero;
                    return arrives(entry & address, zero + 1, left);
                }
                if (next >= level)
                    return false;
                const uint64_t skipped = (a.va & ((UINT64_C(1) << shift) - 1)) >> (12 + 9 * next);
                return skipped == 0 && host(entry & address, next, left);
            });
        }
        bool guest(uint64_t node, unsigned level, uint8_t granted) const
        {
            const unsigned shift = 12 + 9 * (level - 1);
            const uint64_t high = a.va >> 47;
            return (high == 0 || high == (UINT64_C(1) << 17) - 1) &&
                   any(node + (a.va >> shift) % 512 * 8, [&](uint64_t entry) {
                       const uint8_t left = granted & static_cast<uint8_t>(r | (bits(entry, 1, 1) ? w : 0) |
                                                                           (bits(entry, 63, 63) ? 0 : x));
                       const bool page = level == 1 || (level < 4 && bits(entry, 7, 7) != 0);
                       return (entry & 1) != 0 && (page ? arrives(entry & address, shift, left)
                                                        : guest(entry & address, level - 1, left));
                   });
        }
    };

    std::map<uint64_t, std::vector<uint64_t>> past_; /* by address: the old values of a word */
    std::vector<uint64_t> device_tables_;
};

} // namespace walkway_fuzz

#endif
