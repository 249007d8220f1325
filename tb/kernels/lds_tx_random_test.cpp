/* SPDX-License-Identifier: MIT */
/* Tests translations in local memory: random operations against plain segments. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tb/kernels/lds_tx_rig.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace bdata = boost::unit_test::data;
using namespace walkway_tb;

namespace
{

constexpr uint32_t size_4k = 1u << 12;
constexpr uint32_t size_64k = 1u << 16;
constexpr uint32_t size_2m = 1u << 21;
constexpr uint64_t page = 4096;

/* Plain segments: each way has a page and the time of its last use. */
class reference
{
public:
    struct way {
        bool valid = false;
        ww_mapping m{};
        uint64_t used = 0;
    };
    struct segment {
        uint64_t base = 0;
        std::array<way, 6> ways{};
    };
    struct chunk {
        bool tx = false, allocated = false;
    };

    reference(const ww_lds_tx_cfg &cfg, uint32_t low_bits)
        : cfg_(cfg), low_bits_(low_bits), segments_(cfg.lds_bytes / cfg.segment_bytes),
          chunks_(segments_.size()), n_ways_(cfg.segment_bytes == 32 ? 3 : 6)
    {
        for (uint32_t four = 0, n = cfg.lds_bytes / cfg.segment_bytes / 4;
             cfg.layout == WW_LDS_TX_READJUSTED && four < n; ++four)
            places_.push_back({four, n + 3 * four, n + 3 * four + 1, n + 3 * four + 2});
    }

    uint64_t number_of(uint64_t va, uint8_t shift) const
    {
        uint64_t vpn = va >> shift, folded = 0;
        if (cfg_.index == WW_INDEX_MODULO)
            return vpn % segments_.size();
        for (int group = 0; group < 4; ++group, vpn /= segments_.size())
            folded ^= vpn % segments_.size();
        return folded;
    }
    uint64_t base_of(uint64_t va, uint8_t shift) const
    {
        return (va >> shift) / segments_.size() >> low_bits_;
    }

    way *find(uint64_t va, uint16_t vmid)
    {
        for (uint8_t shift = 12; shift <= 30; ++shift) {
            if ((cfg_.page_sizes >> shift & 1) == 0)
                continue;
            way *w = find(va, vmid, shift);
            if (w != nullptr)
                return w;
        }
        return nullptr;
    }

    entered insert(const ww_mapping &m)
    {
        const uint8_t shift = m.xlat.page_shift;
        if (m.vmid > 3 || m.va >= uint64_t{1} << 48)
            return {WW_STORE_REFUSED, {}};
        const uint64_t number = number_of(m.va, shift);
        segment &s = segments_[number];
        if (mode(number) == WW_LDS_TX_USED)
            return {WW_STORE_PASSED, {}};
        way *held = find(m.va, m.vmid, shift);
        if (held != nullptr) {
            held->m.xlat = m.xlat;
            use(held);
            return {WW_STORE_REFRESHED, {}};
        }
        entered e{WW_STORE_KEPT, {}};
        const bool empty = std::none_of(s.ways.begin(), s.ways.end(), [](const way &w) { return w.valid; });
        if (!empty && s.base != base_of(m.va, shift)) {
            if (cfg_.mismatch == WW_LDS_TX_BYPASS)
                return {WW_STORE_PASSED, {}};
            clear(s, &e.victims);
        }
        for (chunk *p : chunks_of(number))
            p->tx = true;
        s.base = base_of(m.va, shift);
        way *place = s.ways.data();
        for (uint32_t i = 0; i < n_ways_; ++i) {
            way &w = s.ways[i];
            if (place->valid && (!w.valid || w.used < place->used))
                place = &w;
        }
        if (place->valid)
            e.victims.push_back(place->m);
        *place = {true, m, 0};
        place->m.va = m.va >> shift << shift;
        use(place);
        return e;
    }

    void use(way *w) { w->used = ++clock_; }

    static uint32_t clear(segment &s, std::vector<ww_mapping> *gone)
    {
        uint32_t n = 0;
        for (way &w : s.ways) {
            n += w.valid;
            if (w.valid && gone != nullptr)
                gone->push_back(w.m);
            w.valid = false;
        }
        return n;
    }

    uint32_t invalidate(uint64_t first, uint64_t bytes, uint16_t vmid)
    {
        uint32_t n = 0;
        for (segment &s : segments_)
            for (way &w : s.ways) {
                const uint64_t last = w.m.va + (uint64_t{1} << w.m.xlat.page_shift) - 1;
                if (!w.valid || w.m.vmid != vmid || last < first || w.m.va > first + bytes - 1)
                    continue;
                w.valid = false;
                ++n;
            }
        return n;
    }

    /* Byte ranges of a segment: one, or one each for its tags and its translations. */
    std::vector<std::pair<uint64_t, uint64_t>> bytes_of(uint64_t number) const
    {
        const uint64_t size = cfg_.segment_bytes;
        if (cfg_.layout == WW_LDS_TX_TOGETHER)
            return {{number * size, size}};
        return {{number * size / 4, size / 4}, {cfg_.lds_bytes / 4 + number * size * 3 / 4, size * 3 / 4}};
    }
    std::vector<chunk *> chunks_of(uint64_t number)
    {
        std::vector<chunk *> of;
        if (cfg_.layout == WW_LDS_TX_READJUSTED) {
            const std::vector<uint32_t> &place = places_[number / 4];
            for (uint64_t quarter = 0; quarter < 4 && !place.empty();
                 ++quarter) /* its tags, then its 3 ways */
                of.push_back(&chunks_[place[quarter == 0 ? 0 : 1 + (number % 4 * 3 + quarter - 1) / 4]]);
            return of;
        }
        for (const auto &[first, bytes] : bytes_of(number))
            for (uint64_t at = first; at < first + bytes; at += 4)
                of.push_back(&chunks_[at / cfg_.segment_bytes]);
        return of;
    }
    bool in_chunk(uint64_t number, uint64_t at) const
    {
        for (const auto &[first, bytes] : bytes_of(number))
            if (first < (at + 1) * cfg_.segment_bytes && first + bytes > at * cfg_.segment_bytes)
                return true;
        return false;
    }

    uint32_t access(uint64_t first, uint64_t bytes)
    {
        uint32_t n = 0;
        for (uint64_t p = first / cfg_.segment_bytes;
             cfg_.layout != WW_LDS_TX_READJUSTED && p <= (first + bytes - 1) / cfg_.segment_bytes; ++p) {
            for (uint64_t number = 0; number < segments_.size(); ++number)
                if (in_chunk(number, p))
                    n += clear(segments_[number], nullptr);
            chunks_[p].tx = false;
        }
        return n;
    }
    uint32_t allocate(uint64_t first, uint64_t bytes, bool on)
    {
        for (uint64_t at = first; at < first + bytes; ++at)
            chunks_[at / cfg_.segment_bytes].allocated = on;
        return on ? make_room() : find_room();
    }

    /* Drops groups of four segments with a chunk in an allocation until there is room elsewhere for all such
     * chunks of the others. Drops the group with most such chunks first, the last of equal ones. */
    uint32_t make_room()
    {
        uint32_t lost = 0;
        std::vector<std::pair<size_t, size_t>> covered; /* allocated chunks, group */
        for (size_t four = 0; four < places_.size(); ++four)
            covered.emplace_back(std::count_if(places_[four].begin(), places_[four].end(),
                                               [&](uint32_t c) { return chunks_[c].allocated; }),
                                 four);
        std::sort(covered.rbegin(), covered.rend());
        const auto left = [&] {
            size_t n = 0;
            for (const auto &[chunks, four] : covered)
                n += places_[four].empty() ? 0 : chunks;
            return n;
        };
        for (size_t next = 0; left() > free_chunks().size(); ++next) {
            const size_t four = covered[next].second;
            for (const uint32_t c : places_[four])
                chunks_[c].tx = false;
            places_[four].clear();
            for (size_t i = 0; i < 4; ++i)
                lost += clear(segments_[4 * four + i], nullptr);
        }
        for (std::vector<uint32_t> &place : places_)
            for (uint32_t &c : place)
                if (chunks_[c].allocated) {
                    const uint32_t to = free_chunks().front();
                    std::swap(chunks_[to].tx, chunks_[c].tx);
                    c = to;
                }
        return lost;
    }
    uint32_t find_room()
    {
        for (std::vector<uint32_t> &place : places_)
            if (const std::vector<uint32_t> room = free_chunks(); place.empty() && room.size() >= 4)
                place.assign(room.begin(), room.begin() + 4);
        return 0;
    }
    std::vector<uint32_t> free_chunks() const
    {
        std::vector<uint32_t> found;
        std::vector<bool> taken(chunks_.size());
        for (const std::vector<uint32_t> &place : places_)
            for (const uint32_t c : place)
                taken[c] = true;
        for (uint32_t c = 0; c < chunks_.size(); ++c)
            if (!taken[c] && !chunks_[c].allocated)
                found.push_back(c);
        return found;
    }

    uint32_t count() const
    {
        uint32_t n = 0;
        for (const segment &s : segments_)
            for (const way &w : s.ways)
                n += w.valid;
        return n;
    }
    void flush()
    {
        for (segment &s : segments_)
            clear(s, nullptr);
        for (chunk &p : chunks_)
            p.tx = false;
    }
    ww_lds_tx_mode mode(uint64_t number)
    {
        const std::vector<chunk *> all = chunks_of(number);
        bool tx = !all.empty(), used = all.empty();
        for (const chunk *p : all) {
            tx = tx && p->tx;
            used = used || (p->allocated && !p->tx);
        }
        return tx ? WW_LDS_TX_TX : used ? WW_LDS_TX_USED : WW_LDS_TX_IDLE;
    }

private:
    way *find(uint64_t va, uint16_t vmid, uint8_t shift)
    {
        for (way &w : segments_[number_of(va, shift)].ways)
            if (w.valid && w.m.vmid == vmid && w.m.xlat.page_shift == shift && w.m.va >> shift == va >> shift)
                return &w;
        return nullptr;
    }

    ww_lds_tx_cfg cfg_;
    uint32_t low_bits_;
    std::vector<segment> segments_;
    std::vector<chunk> chunks_;
    std::vector<std::vector<uint32_t>> places_; /* per group of four segments: where its chunks are moved */
    uint32_t n_ways_;
    uint64_t clock_ = 0;
};

/* Runs random operations; every answer, every victim and the count of entries must agree. */
class random_run
{
public:
    random_run(const ww_lds_tx_cfg &cfg, uint32_t low_bits, uint64_t seed)
        : cfg_(cfg), l_(cfg), ref_(cfg, low_bits), allocated_(cfg.lds_bytes / 256, false)
    {
        ww_rng_init(&rng_, seed);
        for (uint8_t shift = 12; shift <= 30; ++shift)
            if (cfg.page_sizes >> shift & 1)
                shifts_.push_back(shift);
    }

    void run(int steps)
    {
        for (int step = 0; step < steps; ++step) {
            const uint32_t what = below(100);
            if (what < 35)
                look();
            else if (what < 80)
                insert();
            else if (what < 85)
                take();
            else if (what < 88)
                invalidate();
            else if (what < 99)
                local_memory();
            else if (below(20) == 0)
                flush();
            BOOST_REQUIRE_EQUAL(l_.count(), ref_.count());
            BOOST_REQUIRE_EQUAL(kept_, gone_ + l_.count());
            const uint32_t segment = below(cfg_.lds_bytes / cfg_.segment_bytes);
            BOOST_REQUIRE_EQUAL(l_.mode(segment), ref_.mode(segment));
            if (step % 16 == 0)
                BOOST_REQUIRE_EQUAL(l_.check(), "");
        }
        const ww_lds_tx_counts &c = l_.counts();
        BOOST_TEST(c.displaced + c.rebased == victims_);
        BOOST_TEST(c.dropped == dropped_);
        BOOST_TEST(c.bypassed_mode + c.bypassed_base == passed_);
        BOOST_TEST(dropped_ > 0u);
        BOOST_TEST(passed_ > 0u);
        BOOST_TEST((c.rebased > 0) == (cfg_.mismatch == WW_LDS_TX_REBASE));
        BOOST_TEST(l_.t.intact());
    }

private:
    uint32_t below(uint32_t n) { return ww_rng_below(&rng_, n); }

    /* Some hundred pages near each other, the same ones far away, and sometimes one that cannot be held. */
    uint64_t some_va()
    {
        const uint32_t pages = 2 * cfg_.lds_bytes / cfg_.segment_bytes;
        uint64_t va = uint64_t{below(pages)} * page * (1 + below(3) * 15) + below(4096);
        if (below(8) == 0)
            va |= uint64_t{below(4)} << 45;
        return below(200) == 0 ? va | uint64_t{1} << 50 : va;
    }
    uint16_t some_vm() { return static_cast<uint16_t>(below(40) == 0 ? 4 : below(2)); }

    void look()
    {
        const uint64_t va = some_va();
        const uint16_t vmid = some_vm();
        reference::way *w = ref_.find(va, vmid);
        const auto probed = l_.probe(va, vmid), found = l_.lookup(va, vmid);
        BOOST_REQUIRE_EQUAL(found.has_value(), w != nullptr);
        BOOST_REQUIRE_EQUAL(probed.has_value(), w != nullptr);
        if (w == nullptr)
            return;
        BOOST_REQUIRE(ww_xlat_same(&*found, &w->m.xlat) && ww_xlat_same(&*probed, &w->m.xlat));
        ref_.use(w);
    }

    void insert()
    {
        const uint8_t shift = shifts_[below(static_cast<uint32_t>(shifts_.size()))];
        const ww_mapping m = mapping(some_va(), some_vm(), uint64_t{below(1000)} << shift, shift,
                                     static_cast<uint8_t>(below(8)));
        const entered want = ref_.insert(m), got = l_.insert(m);
        BOOST_REQUIRE_EQUAL(got.result, want.result);
        BOOST_REQUIRE_EQUAL(got.victims.size(), want.victims.size());
        for (size_t i = 0; i < want.victims.size(); ++i)
            BOOST_REQUIRE(same(got.victims[i], want.victims[i]));
        kept_ += got.result == WW_STORE_KEPT;
        passed_ += got.result == WW_STORE_PASSED;
        gone_ += got.victims.size();
        victims_ += got.victims.size();
    }

    void take()
    {
        const uint64_t va = some_va();
        const uint16_t vmid = some_vm();
        reference::way *w = ref_.find(va, vmid);
        BOOST_REQUIRE_EQUAL(l_.take(va, vmid).has_value(), w != nullptr);
        if (w != nullptr)
            w->valid = false;
        gone_ += w != nullptr;
    }

    void invalidate()
    {
        const uint64_t va = some_va(), bytes = 1 + below(1u << 15);
        const uint16_t vmid = some_vm();
        const uint32_t n = ref_.invalidate(va, bytes, vmid);
        BOOST_REQUIRE_EQUAL(l_.invalidate(va, bytes, vmid), n);
        gone_ += n;
    }

    /* Allocates work-groups of 256 bytes, uses some of their bytes, and releases them. */
    void local_memory()
    {
        const uint32_t group = below(static_cast<uint32_t>(allocated_.size()));
        const uint64_t first = uint64_t{group} * 256;
        if (!allocated_[group]) {
            lose(l_.allocate(first, 256), ref_.allocate(first, 256, true));
            allocated_[group] = true;
        } else if (below(3) != 0) {
            const uint64_t at = first + below(200), bytes = 1 + below(56);
            lose(l_.access(at, bytes), ref_.access(at, bytes));
        } else {
            l_.release(first, 256);
            ref_.allocate(first, 256, false);
            allocated_[group] = false;
        }
    }

    void lose(uint32_t got, uint32_t want)
    {
        BOOST_REQUIRE_EQUAL(got, want);
        gone_ += got;
        dropped_ += got;
    }

    void flush()
    {
        gone_ += l_.count();
        l_.kind.flush(l_.store());
        ref_.flush();
    }

    ww_lds_tx_cfg cfg_;
    lds_tx l_;
    reference ref_;
    std::vector<bool> allocated_;
    std::vector<uint8_t> shifts_;
    ww_rng rng_{};
    uint64_t kept_ = 0, gone_ = 0, victims_ = 0, dropped_ = 0, passed_ = 0;
};

} // namespace

BOOST_DATA_TEST_CASE(it_answers_as_the_reference,
                     bdata::make({16384u, 1024u, 65536u, 16384u, 2048u}) ^
                         bdata::make({32u, 32u, 32u, 64u, 64u}) ^ bdata::make({8u, 6u, 9u, 10u, 9u}),
                     lds_bytes, segment_bytes, low_bits)
{
    for (const uint32_t page_sizes : {size_4k, size_4k | size_64k | size_2m})
        for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR})
            for (const uint8_t mismatch : {WW_LDS_TX_REBASE, WW_LDS_TX_BYPASS})
                for (const uint8_t layout : {WW_LDS_TX_TOGETHER, WW_LDS_TX_APART, WW_LDS_TX_READJUSTED}) {
                    const ww_lds_tx_cfg cfg = {lds_bytes, segment_bytes, index, mismatch, layout, page_sizes};
                    random_run(cfg, low_bits, lds_bytes + index).run(lds_bytes > 16384 ? 6000 : 3000);
                }
}
