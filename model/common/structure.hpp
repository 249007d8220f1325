/* SPDX-License-Identifier: MIT */
/* model/common/structure.hpp - storage of hardware structures in bits, from parameters, for comparing
 * machines by size. docs/use/compare.md defines what counts. */
#ifndef WALKWAY_MODEL_COMMON_STRUCTURE_HPP
#define WALKWAY_MODEL_COMMON_STRUCTURE_HPP

#include "kernels/addr.h"
#include "kernels/store/mshr.h"
#include "kernels/table/table_radix.h"
#include "model/common/array.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

struct hardware_structure {
    std::string name; /* "l1_tlb.entries" */
    uint64_t bits;    /* of all of them in the machine */
};

/* Widths of the fields of tags and frames. */
struct address_widths : ww_widths {
    const ww_table_kind *kind = &ww_radix4;
    address_widths() : ww_widths{48, 40, 12, 16} {}
};

class structure_list
{
public:
    explicit structure_list(const address_widths &of) : widths(of) {}
    const address_widths widths;
    /* Structures added from now on exist in `count` equal blocks. */
    void of(const std::string &block, uint64_t count)
    {
        block_ = block;
        count_ = count;
    }
    /* Adds a structure, unless it has no bits. */
    void add(const std::string &name, uint64_t bits)
    {
        if (bits * count_ != 0)
            all_.push_back({block_ + "." + name, bits * count_});
    }
    /* Adds an array to each block. `reads` and `writes` are statistics named from after the block's name:
     * ".lookups" of l1_tlb is l1_tlb.lookups, "_tx.lookups" of lds is lds_tx.lookups. */
    hardware_array &add_array(const std::string &part, const ww_array_cfg &shape,
                              const std::vector<std::string> &reads, const std::vector<std::string> &writes)
    {
        arrays_.push_back({block_, part, count_, shape, {}, {}});
        for (const std::string &name : reads)
            arrays_.back().reads.push_back(block_ + name);
        for (const std::string &name : writes)
            arrays_.back().writes.push_back(block_ + name);
        return arrays_.back();
    }
    /* Adds a structure that is a single array. */
    void add_array(const std::string &name, uint64_t bits, const ww_array_cfg &shape,
                   const std::vector<std::string> &reads, const std::vector<std::string> &writes)
    {
        add(name, bits);
        if (bits * count_ != 0)
            add_array(name, shape, reads, writes);
    }
    /* Adds a file of MSHRs (a CAM of its keys) with its pool of joined waiters. `took` and `joined`:
     * statistics of requests that took an entry and that joined. Each of these searches the file, and so does
     * the answer to one that took an entry. */
    void add_mshrs(const ww_mshr_cfg &cfg, uint32_t key_bits, const std::vector<std::string> &took,
                   const std::vector<std::string> &joined)
    {
        std::vector<std::string> searches = took;
        searches.insert(searches.end(), took.begin(), took.end());
        searches.insert(searches.end(), joined.begin(), joined.end());
        const uint64_t bits = ww_mshr_bits(&cfg, key_bits, request_bits);
        add_array("mshrs", bits, array_of(cfg.entries, bits, cfg.entries, key_bits, 1), searches, took);
        if (const uint64_t pool = ww_mshr_pool_bits(&cfg, request_bits); pool != 0)
            add_array("mshr_waiters", pool, array_of(cfg.merges, pool, 1, 0, 1), joined, joined);
    }
    /* Adds the tags of a level of translation. */
    void add_entries(uint64_t bits, uint32_t entries, uint32_t ways, uint32_t ports)
    {
        const uint32_t key = widths.va - widths.page_shift + widths.vmid;
        add_array("entries", bits, array_of(entries, bits, ways, key, ports), {".lookups"},
                  {".fills", ".fills_kept", ".fills_refreshed"});
    }
    const std::vector<hardware_structure> &all() const { return all_; }
    const std::vector<hardware_array> &arrays() const { return arrays_; }

private:
    static constexpr uint32_t request_bits = 16; /* of a request's number */
    std::string block_;
    uint64_t count_ = 1;
    std::vector<hardware_structure> all_;
    std::vector<hardware_array> arrays_;
};

} // namespace walkway

#endif
