/* SPDX-License-Identifier: MIT */
/* model/common/structure.hpp - storage of hardware structures in bits, from parameters: what comparing two
 * machines by their size needs. docs/compare.md says what counts. */
#ifndef WALKWAY_MODEL_COMMON_STRUCTURE_HPP
#define WALKWAY_MODEL_COMMON_STRUCTURE_HPP

#include "kernels/addr.h"
#include "kernels/mshr.h"
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
    /* A file of MSHRs, with its pool of those who joined. */
    void add_mshrs(const ww_mshr_cfg &cfg, uint32_t key_bits)
    {
        add("mshrs", ww_mshr_bits(&cfg, key_bits, request_bits));
        add("mshr_waiters", ww_mshr_pool_bits(&cfg, request_bits));
    }
    const std::vector<hardware_structure> &all() const { return all_; }

private:
    static constexpr uint32_t request_bits = 16; /* the number of a request */
    std::string block_;
    uint64_t count_ = 1;
    std::vector<hardware_structure> all_;
};

} // namespace walkway

#endif
