/* SPDX-License-Identifier: MIT */
/* model/common/structure.hpp - storage of hardware structures in bits, from parameters: what comparing two
 * machines by their size needs. docs/compare.md says what counts. */
#ifndef WALKWAY_MODEL_COMMON_STRUCTURE_HPP
#define WALKWAY_MODEL_COMMON_STRUCTURE_HPP

#include "kernels/bits.h"
#include "kernels/table_radix.h"

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

struct hardware_structure {
    std::string name; /* "l1_tlb.entries" */
    uint64_t bits;    /* of all of them in the machine */
};

/* Of addresses: what has to be told apart. */
struct address_widths {
    uint32_t va = 48, pa = 40;
    uint32_t page_shift = 12; /* of the smallest page */
    uint32_t vmid = 16;
    const ww_table_kind *kind = &ww_radix4;
};

/* Bits that name one of n. */
inline uint32_t name_bits(uint64_t n)
{
    return n <= 1 ? 0 : ww_log2_u64(n - 1) + 1;
}

/* Order of use of the ways of each set: each way's place in it. */
inline uint64_t lru_bits(uint64_t sets, uint64_t ways)
{
    return sets * ways * name_bits(ways);
}

/* Bits of a TLB: of each entry valid, tag (page number without the set's, VM-ID), frame, permissions, and
 * the size's code where there are several; order of use. */
inline uint64_t tlb_bits(uint64_t sets, uint64_t ways, uint32_t page_sizes, bool lru, const address_widths &w)
{
    constexpr uint64_t permissions = 3;
    const auto sizes = static_cast<unsigned>(__builtin_popcount(page_sizes));
    const uint64_t tag = w.va - w.page_shift - name_bits(sets) + w.vmid;
    const uint64_t entry = 1 + tag + (w.pa - w.page_shift) + permissions + name_bits(sizes);
    return sets * ways * entry + (lru ? lru_bits(sets, ways) : 0);
}

class structure_list
{
public:
    explicit structure_list(const address_widths &of) : widths(of) {}
    const address_widths widths;
    /* Those that are added next stand in so many equal blocks. */
    void of(const std::string &block, uint64_t count)
    {
        block_ = block;
        count_ = count;
    }
    /* What has no bits is not there. */
    void add(const std::string &name, uint64_t bits)
    {
        if (bits * count_ != 0)
            all_.push_back({block_ + "." + name, bits * count_});
    }
    /* A file of MSHRs: each valid bit, key, and the first and last of its waiters; each waiter the number of
     * its request and the next waiter. */
    void add_mshrs(uint64_t entries, uint64_t key_bits, uint64_t waiters)
    {
        const uint64_t place = name_bits(waiters);
        add("mshrs", entries * (1 + key_bits + 2 * place));
        add("mshr_waiters", waiters * (request_bits + place));
    }
    const std::vector<hardware_structure> &all() const { return all_; }

private:
    static constexpr uint64_t request_bits = 16;
    std::string block_;
    uint64_t count_ = 1;
    std::vector<hardware_structure> all_;
};

} // namespace walkway

#endif
