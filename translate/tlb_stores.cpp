/* SPDX-License-Identifier: MIT */
/* translate/tlb_stores.cpp - see tlb_stores.hpp. */
#include "translate/tlb_stores.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace walkway
{

[[noreturn]] static void refuse(const char *what, uint32_t sets, uint32_t ways)
{
    throw std::invalid_argument(std::string("no ") + what + " has " + std::to_string(sets) + " sets of " +
                                std::to_string(ways) + " ways of this kind");
}

stage_store make_tlb_store(const ww_tlb_cfg &cfg)
{
    blob tags(ww_tlb_bytes(&cfg));
    if (tags.bytes() == 0 || ww_tlb_init(tags.as<ww_tlb>(), tags.bytes(), &cfg) != WW_OK)
        refuse("TLB", cfg.sets, cfg.ways);
    return {&ww_tlb_store, std::move(tags)};
}

stage_store make_tlb_store(const ww_tlbc_cfg &cfg)
{
    blob slots(ww_tlbc_bytes(&cfg));
    if (slots.bytes() == 0 || ww_tlbc_init(slots.as<ww_tlbc>(), slots.bytes(), &cfg) != WW_OK)
        refuse("compressed TLB", cfg.sets, cfg.ways);
    return {&ww_tlbc_store, std::move(slots)};
}

ww_tlb_cfg plain_tlb(uint64_t entries, uint64_t ways, uint32_t page_sizes)
{
    ww_tlb_cfg cfg = {};
    cfg.sets = static_cast<uint32_t>(entries / ways);
    cfg.ways = static_cast<uint32_t>(ways);
    cfg.page_sizes = page_sizes;
    return cfg;
}

} // namespace walkway
