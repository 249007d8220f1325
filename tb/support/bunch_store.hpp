/* SPDX-License-Identifier: MIT */
/* tb/support/bunch_store.hpp - a store of translations for tests (kernels/store/store.h) in which one insert
 * may have many victims: an insert into the full store evicts all entries. While its memory is claimed it
 * keeps no new entry; it refuses entries of VM 9. The model does not know this kind. */
#ifndef WW_TB_SUPPORT_BUNCH_STORE_HPP
#define WW_TB_SUPPORT_BUNCH_STORE_HPP

#include "kernels/store/store.h"
#include "translate/store_translator.hpp"

#include <algorithm>
#include <array>

namespace walkway::test
{

struct bunch {
    static constexpr uint16_t unwanted_vm = 9;
    uint32_t capacity, count;
    bool claimed;
    std::array<ww_mapping, 8> held;

    ww_mapping *find(uint64_t va, uint16_t vmid)
    {
        return std::find_if(held.begin(), held.begin() + count, [&](const ww_mapping &m) {
            return m.vmid == vmid && ww_same_page(m.va, va, m.xlat.page_shift);
        });
    }
    ww_mapping *end() { return held.begin() + count; }
    void drop(ww_mapping *m)
    {
        std::move(m + 1, end(), m);
        --count;
    }
    uint32_t clear()
    {
        const uint32_t all = count;
        count = 0;
        return all;
    }
};

inline bunch &bunch_at(void *store)
{
    return *static_cast<bunch *>(store);
}

inline const ww_store_kind bunch_store = {
    "bunch",
    [](void *s, uint64_t va, uint16_t vmid, ww_xlat *out) {
        const ww_mapping *m = bunch_at(s).find(va, vmid);
        const bool hit = m != bunch_at(s).end();
        *out = hit ? m->xlat : *out;
        return hit;
    },
    [](const void *s, uint64_t va, uint16_t vmid, ww_xlat *out) {
        return bunch_store.lookup(const_cast<void *>(s), va, vmid, out); /* no order of use to change */
    },
    [](void *s, const ww_mapping *m, ww_mapping *victims) -> ww_store_entered {
        bunch &b = bunch_at(s);
        if (m->vmid == bunch::unwanted_vm)
            return {WW_STORE_REFUSED, 0};
        if (ww_mapping *there = b.find(m->va, m->vmid); there != b.end()) {
            there->xlat = m->xlat;
            return {WW_STORE_REFRESHED, 0};
        }
        if (b.claimed)
            return {WW_STORE_PASSED, 0};
        const uint32_t leave = b.count == b.capacity ? b.count : 0;
        if (leave != 0) {
            if (victims != nullptr)
                std::copy(b.held.begin(), b.end(), victims);
            b.clear();
        }
        b.held[b.count] = *m;
        b.held[b.count++].va = ww_page_base(m->va, m->xlat.page_shift);
        return {WW_STORE_KEPT, leave};
    },
    [](const void *s) { return static_cast<const bunch *>(s)->capacity; },
    nullptr,
    [](void *s, uint64_t va, uint16_t vmid, ww_xlat *out) {
        ww_mapping *m = bunch_at(s).find(va, vmid);
        if (m == bunch_at(s).end())
            return false;
        *out = m->xlat;
        bunch_at(s).drop(m);
        return true;
    },
    [](void *s, const ww_inval_scope *scope) {
        bunch &b = bunch_at(s);
        const auto gone = std::remove_if(b.held.begin(), b.end(), [&](const ww_mapping &m) {
            return ww_inval_covers(scope, m.va, m.xlat.page_shift, m.vmid);
        });
        const auto dropped = static_cast<uint32_t>(b.end() - gone);
        b.count -= dropped;
        return dropped;
    },
    [](void *s, uint64_t, uint64_t) {
        bunch_at(s).claimed = true;
        return bunch_at(s).clear();
    },
    [](void *s, uint64_t, uint64_t) { bunch_at(s).claimed = false; },
    [](void *s) { bunch_at(s).clear(); },
    [](const void *s) { return static_cast<const bunch *>(s)->count; },
    [](const void *) { return uint32_t{1}; },
    [](const void *) -> const char * { return nullptr; },
    [](const void *s, const ww_widths *w) {
        return uint64_t{static_cast<const bunch *>(s)->capacity} * (1 + w->va + w->pa + w->vmid);
    },
};

/* `seen` stays valid: moving the store does not move its storage. */
inline stage_store make_bunch(uint32_t capacity, bunch *&seen)
{
    stage_store store{&bunch_store, blob(sizeof(bunch))};
    seen = store.storage.as<bunch>();
    *seen = bunch{capacity, 0, false, {}};
    return store;
}

} // namespace walkway::test

#endif
