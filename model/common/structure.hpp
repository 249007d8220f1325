/* SPDX-License-Identifier: MIT */
/* model/common/structure.hpp - storage of hardware structures in bits, from parameters: what comparing two
 * machines by their size needs. docs/compare.md says what counts. */
#ifndef WALKWAY_MODEL_COMMON_STRUCTURE_HPP
#define WALKWAY_MODEL_COMMON_STRUCTURE_HPP

#include "kernels/addr.h"
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

/* What has to be told apart. */
struct address_widths : ww_widths {
    const ww_table_kind *kind = &ww_radix4;
    address_widths() : ww_widths{48, 40, 12, 16} {}
};

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
        const uint64_t place = ww_name_bits(waiters);
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
