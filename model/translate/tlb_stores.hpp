/* SPDX-License-Identifier: MIT */
/* translate/tlb_stores.hpp - the kinds of stores of TLBs, and making one. */
#ifndef WALKWAY_TRANSLATE_TLB_STORES_HPP
#define WALKWAY_TRANSLATE_TLB_STORES_HPP

#include "translate/tlb_store_kind.hpp"

namespace walkway
{

struct named_store {
    const char *name; /* `store = NAME` */
    const tlb_store_kind *kind;
};

/* In the order of the build's list; the first is `plain`, the default. */
const std::vector<named_store> &tlb_stores();
/* True if the key belongs to a kind of store. */
bool is_store_key(const std::string &key);

/* Makes a store. Throws std::invalid_argument for a shape that the kind's kernel refuses: check shapes from a
 * user with fault_of_store() first. Required here and below: s.ways is not 0. */
stage_store make_tlb_store(const tlb_section &s);
/* Returns what is wrong with a shape, by the names of keys, or an empty string. */
std::string fault_of_store(const tlb_section &s);
/* Returns the bytes of the host; 0: there is no such shape. */
uint64_t bytes_of_store(const tlb_section &s);
/* Returns the bits of state in hardware; 0: there is no such shape. */
uint64_t bits_of_store(const tlb_section &s, const ww_widths &w);

/* Returns the parameters of a plain store with these entries and ways; every other key is 0. */
tlb_section plain_tlb(uint32_t entries, uint32_t ways, uint32_t page_sizes);

} // namespace walkway

#endif
