/* SPDX-License-Identifier: MIT */
/* translate/tlb_stores.hpp - the stores of TLBs, made. */
#ifndef WALKWAY_TRANSLATE_TLB_STORES_HPP
#define WALKWAY_TRANSLATE_TLB_STORES_HPP

#include "kernels/tlb.h"
#include "kernels/tlb_compressed.h"
#include "translate/store_translator.hpp"

namespace walkway
{

/* Throw std::invalid_argument for a shape that the kernel refuses: who takes shapes from a user checks them
 * before. */
stage_store make_tlb_store(const ww_tlb_cfg &cfg);
stage_store make_tlb_store(const ww_tlbc_cfg &cfg);

/* So many entries; what else a configuration has is nought. */
ww_tlb_cfg plain_tlb(uint64_t entries, uint64_t ways, uint32_t page_sizes);

} // namespace walkway

#endif
