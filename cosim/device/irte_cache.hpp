/* SPDX-License-Identifier: MIT */
/* device/irte_cache.hpp - entries of interrupt tables held by an IOMMU, by requester and index; the least
 * recently used one is evicted. Only entries that remap are put here. */
#ifndef WALKWAY_DEVICE_IRTE_CACHE_HPP
#define WALKWAY_DEVICE_IRTE_CACHE_HPP

#include "kernels/store/assoc.h"
#include "model/common/pool.hpp"

#include <vector>

namespace walkway
{

class irte_cache
{
public:
    /* It is fully associative. entries: 0 (it holds nothing) to WW_ASSOC_MAX_WAYS. */
    explicit irte_cache(uint32_t entries)
    {
        if (entries == 0)
            return;
        header plan = {};
        storage_ = blob(ww_assoc_plan(&plan.tags, 1, entries, sizeof plan));
        *storage_.as<header>() = plan;
        entries_.resize(ww_assoc_slots(&plan.tags));
        forget_all();
    }
    /* Returns the entry, valid until the next put(), or NULL if it is not held. touch: makes it the most
     * recently used. */
    const uint32_t *find(uint32_t device, uint32_t index, bool touch)
    {
        if (entries_.empty())
            return nullptr;
        const uint32_t slot = ww_assoc_find(tags(), base(), 0, key(device, index));
        if (slot == WW_ASSOC_NONE)
            return nullptr;
        if (touch)
            ww_assoc_touch(tags(), base(), slot);
        return &entries_[slot];
    }
    /* Holds an entry as the most recently used. Required: it is not held, and index < 1 << index_bits. */
    void put(uint32_t device, uint32_t index, uint32_t entry)
    {
        if (entries_.empty())
            return;
        const uint32_t slot = ww_assoc_victim(tags(), base(), 0);
        ww_assoc_put(tags(), base(), slot, key(device, index));
        entries_[slot] = entry;
    }
    void forget(uint32_t device)
    {
        for (uint32_t slot = 0; slot < entries_.size(); ++slot) {
            const uint64_t held = ww_assoc_keys(tags(), base())[slot];
            if (held != 0 && held >> index_bits == key(device, 0) >> index_bits)
                ww_assoc_drop(tags(), base(), slot);
        }
    }
    void forget_all()
    {
        if (!entries_.empty())
            ww_assoc_flush(tags(), base());
    }
    const char *check() const
    {
        return entries_.empty() ? nullptr : ww_assoc_check(&storage_.as<header>()->tags, storage_.as<void>());
    }
    /* Returns the tags and the order of use, which any change of the contents changes; not the entries. */
    const blob &bytes() const { return storage_; }

private:
    struct header {
        ww_assoc tags;
    };
    static constexpr unsigned index_bits = 11;
    static uint64_t key(uint32_t device, uint32_t index)
    {
        return UINT64_C(1) << 63 | uint64_t{device} << index_bits | index;
    }
    ww_assoc *tags() { return &storage_.as<header>()->tags; }
    void *base() { return storage_.as<void>(); }

    blob storage_;
    std::vector<uint32_t> entries_;
};

} // namespace walkway

#endif
