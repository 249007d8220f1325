/* SPDX-License-Identifier: MIT */
/* The laws of kernels/store/store.h on any store: random operations against a map of held pages, whatever the
 * store's replacement. What a kind keeps, displaces or passes on is up to its own test. */
#ifndef WW_TB_KERNELS_STORE_CONTRACT_HPP
#define WW_TB_KERNELS_STORE_CONTRACT_HPP

#include "kernels/bits.h"
#include "kernels/store/store.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

namespace walkway_tb
{

/* Counts of events, so that a test can require some. */
struct store_seen {
    std::array<uint64_t, WW_STORE_RESULTS> results{};
    uint64_t hits = 0, victims = 0, taken = 0, invalidated = 0, claimed = 0;
    uint32_t most_victims = 0;
};

class store_contract
{
public:
    /* The store has a blob of `bytes` bytes. Draws from `pages` page numbers, the given sizes and VMs 0 to
     * vms - 1. */
    store_contract(const ww_store_kind &kind, void *store, size_t bytes, std::vector<uint8_t> shifts,
                   uint32_t pages, uint16_t vms, uint64_t seed)
        : kind_(kind), store_(store), bytes_(bytes), shifts_(std::move(shifts)), pages_(pages), vms_(vms),
          victims_(kind.most_victims(store) + 1)
    {
        ww_rng_init(&rng_, seed);
    }

    const store_seen &run(int steps)
    {
        for (int step = 0; step < steps; ++step) {
            const uint32_t what = ww_rng_below(&rng_, 100);
            if (what < 35)
                look();
            else if (what < 90)
                insert();
            else if (what < 95)
                take();
            else if (what < 98)
                invalidate();
            else if (what == 98)
                claim();
            else
                flush();
            BOOST_REQUIRE_EQUAL(kind_.count(store_), held_.size());
            const char *broken = kind_.check(store_);
            BOOST_REQUIRE_MESSAGE(broken == nullptr, broken);
        }
        return seen_;
    }

private:
    struct alignas(64) line {
        unsigned char byte[64];
    };
    std::vector<line> copy() const
    {
        std::vector<line> other(bytes_ / sizeof(line) + 1);
        std::memcpy(other.data(), store_, bytes_);
        return other;
    }
    bool same_as(const std::vector<line> &other) const
    {
        return std::memcmp(other.data(), store_, bytes_) == 0;
    }

    using key = std::tuple<uint16_t, uint8_t, uint64_t>; /* VM, size, first address */
    static key key_of(const ww_mapping &m)
    {
        return {m.vmid, m.xlat.page_shift, ww_page_base(m.va, m.xlat.page_shift)};
    }

    uint64_t some_va()
    {
        return uint64_t{ww_rng_below(&rng_, pages_)} * 4096 * (1 + ww_rng_below(&rng_, 3) * 511) +
               ww_rng_below(&rng_, 4096);
    }
    uint16_t some_vm() { return static_cast<uint16_t>(ww_rng_below(&rng_, vms_)); }

    /* The smallest held page that covers the address. */
    auto holder(uint64_t va, uint16_t vmid)
    {
        auto best = held_.end();
        for (const uint8_t shift : shifts_) {
            const auto at = held_.find(key{vmid, shift, ww_page_base(va, shift)});
            if (at != held_.end() && (best == held_.end() || shift < std::get<1>(best->first)))
                best = at;
        }
        return best;
    }

    void look()
    {
        const uint64_t va = some_va();
        const uint16_t vmid = some_vm();
        const auto at = holder(va, vmid);
        const ww_xlat untouched{0x7000, 12, 1};
        ww_xlat probed = untouched, found = untouched;
        const std::vector<line> before = copy();
        BOOST_REQUIRE_EQUAL(kind_.probe(store_, va, vmid, &probed), at != held_.end());
        BOOST_REQUIRE(same_as(before));
        BOOST_REQUIRE_EQUAL(kind_.lookup(store_, va, vmid, &found), at != held_.end());
        const ww_xlat &expected = at == held_.end() ? untouched : at->second;
        BOOST_REQUIRE(ww_xlat_same(&probed, &expected) && ww_xlat_same(&found, &expected));
        seen_.hits += at != held_.end();
    }

    void insert()
    {
        const uint8_t shift = shifts_[ww_rng_below(&rng_, static_cast<uint32_t>(shifts_.size()))];
        const ww_mapping m{some_va(),
                           {uint64_t{ww_rng_below(&rng_, 500)} << shift, shift,
                            static_cast<uint8_t>(ww_rng_below(&rng_, 8))},
                           some_vm()};
        const bool was_held = held_.count(key_of(m)) != 0;
        std::vector<line> other = copy();
        const ww_store_entered unseen = kind_.insert(other.data(), &m, nullptr);
        const ww_store_entered entered = kind_.insert(store_, &m, victims_.data());
        BOOST_REQUIRE(same_as(other)); /* recording victims changes nothing */
        BOOST_REQUIRE(unseen.result == entered.result && unseen.victims == entered.victims);
        BOOST_REQUIRE_EQUAL(entered.result == WW_STORE_REFRESHED, was_held);
        BOOST_REQUIRE_LE(entered.victims, kind_.most_victims(store_));
        for (uint32_t i = 0; i < entered.victims; ++i) {
            const ww_mapping &v = victims_[i];
            const auto at = held_.find(key_of(v));
            BOOST_REQUIRE(at != held_.end());
            BOOST_REQUIRE(ww_xlat_same(&v.xlat, &at->second));
            BOOST_REQUIRE_EQUAL(v.va, std::get<2>(at->first));
            held_.erase(at);
        }
        if (entered.result == WW_STORE_KEPT || was_held)
            held_[key_of(m)] = m.xlat;
        note(entered);
    }

    void note(const ww_store_entered &entered)
    {
        ++seen_.results[entered.result];
        seen_.victims += entered.victims;
        seen_.most_victims = std::max(seen_.most_victims, entered.victims);
    }

    void take()
    {
        const uint64_t va = some_va();
        const uint16_t vmid = some_vm();
        const auto at = holder(va, vmid);
        ww_xlat x{0x7000, 12, 1};
        BOOST_REQUIRE_EQUAL(kind_.take(store_, va, vmid, &x), at != held_.end());
        if (at == held_.end()) {
            BOOST_REQUIRE_EQUAL(x.page_pa, 0x7000u);
            return;
        }
        BOOST_REQUIRE(ww_xlat_same(&x, &at->second));
        held_.erase(at);
        ++seen_.taken;
    }

    void invalidate()
    {
        const uint32_t which = ww_rng_below(&rng_, 12);
        const uint64_t bytes = 1 + ww_rng_below(&rng_, which % 2 == 0 ? 1u << 15 : 1u << 22);
        ww_inval_scope scope = ww_inval_range(some_va(), bytes, some_vm());
        if (which == 0)
            scope = ww_inval_all();
        else if (which < 3)
            scope = ww_inval_space(scope.vmid);
        else if (which == 3)
            scope.all_vms = true;
        uint32_t gone = 0;
        for (auto at = held_.begin(); at != held_.end();) {
            const auto candidate = at++;
            const auto [vmid, shift, va] = candidate->first;
            if (!ww_inval_covers(&scope, va, shift, vmid))
                continue;
            held_.erase(candidate);
            gone += 1;
        }
        BOOST_REQUIRE_EQUAL(kind_.invalidate(store_, &scope), gone);
        seen_.invalidated += gone;
    }

    /* The kind decides which pages a claim drops. */
    void claim()
    {
        if (kind_.claim == nullptr)
            return;
        const uint64_t first = ww_rng_below(&rng_, 16) * 64u, bytes = 1 + ww_rng_below(&rng_, 512);
        seen_.claimed += kind_.claim(store_, first, bytes);
        for (auto at = held_.begin(); at != held_.end();) {
            const auto candidate = at++;
            if (!still_held(candidate->first))
                held_.erase(candidate);
        }
        if (ww_rng_below(&rng_, 2) != 0)
            kind_.release(store_, first, bytes);
    }

    /* Searches a copy, from which it removes smaller pages that hide this one. */
    bool still_held(const key &k) const
    {
        std::vector<line> other = copy();
        for (ww_xlat x{}; kind_.take(other.data(), std::get<2>(k), std::get<0>(k), &x);)
            if (x.page_shift == std::get<1>(k))
                return true;
        return false;
    }

    void flush()
    {
        if (ww_rng_below(&rng_, 8) != 0)
            return;
        kind_.flush(store_);
        held_.clear();
    }

    const ww_store_kind &kind_;
    void *store_;
    size_t bytes_;
    std::vector<uint8_t> shifts_;
    uint32_t pages_;
    uint16_t vms_;
    ww_rng rng_{};
    std::vector<ww_mapping> victims_;
    std::map<key, ww_xlat> held_;
    store_seen seen_;
};

} // namespace walkway_tb

#endif
