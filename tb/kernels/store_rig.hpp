/* SPDX-License-Identifier: MIT */
/* A store of any kind in tests: its storage, and its functions with arguments by value. */
#ifndef WW_TB_KERNELS_STORE_RIG_HPP
#define WW_TB_KERNELS_STORE_RIG_HPP

#include "kernels/store/store.h"
#include "tb/kernels/blob.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>
#include <vector>

namespace walkway_tb
{

inline ww_mapping mapping(uint64_t va, uint16_t vmid = 0, uint64_t page_pa = 0x1000, uint8_t page_shift = 12,
                          uint8_t perm = WW_PERM_R)
{
    return {va, {page_pa, page_shift, perm}, vmid};
}

inline bool same(const ww_mapping &a, const ww_mapping &b)
{
    return a.va == b.va && a.vmid == b.vmid && ww_xlat_same(&a.xlat, &b.xlat);
}

/* Result of an insert. */
struct entered {
    uint32_t result;
    std::vector<ww_mapping> victims;
};

template <class T> struct store_rig {
    ww_store_kind kind;
    blob<T> t;

    store_rig(const ww_store_kind &of_kind, size_t bytes) : kind(of_kind), t(bytes) {}

    T *store() { return t; }

    std::optional<ww_xlat> lookup(uint64_t va, uint16_t vmid = 0)
    {
        ww_xlat x{};
        return kind.lookup(store(), va, vmid, &x) ? std::optional<ww_xlat>(x) : std::nullopt;
    }
    std::optional<ww_xlat> probe(uint64_t va, uint16_t vmid = 0)
    {
        ww_xlat x{};
        return kind.probe(store(), va, vmid, &x) ? std::optional<ww_xlat>(x) : std::nullopt;
    }
    std::optional<ww_xlat> take(uint64_t va, uint16_t vmid = 0)
    {
        ww_xlat x{};
        return kind.take(store(), va, vmid, &x) ? std::optional<ww_xlat>(x) : std::nullopt;
    }
    bool holds(uint64_t va, uint16_t vmid = 0) { return probe(va, vmid).has_value(); }
    bool hit(uint64_t va, uint16_t vmid = 0) { return lookup(va, vmid).has_value(); }

    entered insert(const ww_mapping &m)
    {
        std::vector<ww_mapping> victims(kind.most_victims(store()) + 1);
        const ww_store_entered e = kind.insert(store(), &m, victims.data());
        BOOST_REQUIRE_LE(e.victims, kind.most_victims(store()));
        victims.resize(e.victims);
        return {e.result, victims};
    }
    uint32_t insert(uint64_t va, uint16_t vmid = 0) { return insert(mapping(va, vmid)).result; }

    uint32_t invalidate(uint64_t va, uint64_t bytes, uint16_t vmid = 0)
    {
        const ww_inval_scope scope = ww_inval_range(va, bytes, vmid);
        return kind.invalidate(store(), &scope);
    }
    uint32_t count() { return kind.count(store()); }

    std::string check()
    {
        const char *broken = kind.check(store());
        return broken ? broken : "";
    }
};

} // namespace walkway_tb

#endif
