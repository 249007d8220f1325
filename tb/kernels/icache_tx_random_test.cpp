/* SPDX-License-Identifier: MIT */
/* Tests an instruction cache with translations: random fetches, fills and translations against a plain list
 * of lines. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/store/icache_tx.h"
#include "tb/kernels/icache_tx_rig.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace bdata = boost::unit_test::data;
using namespace walkway_tb;

namespace
{

/* Lines are structs; the order of use is the time of the last use. */
class reference
{
public:
    struct entry {
        bool valid = false;
        ww_mapping m{};
        uint64_t used = 0;
    };
    struct line {
        ww_icache_tx_mode mode = WW_ICACHE_TX_IDLE;
        uint64_t addr = 0;
        uint16_t vmid = 0; /* of instructions, or of the base */
        uint64_t base = 0;
        uint32_t passed = 0;
        uint64_t used = 0;
        std::array<entry, 8> entries{};
    };

    explicit reference(const ww_icache_tx_cfg &cfg)
        : lines(cfg.lines), cfg_(cfg), sets_(cfg.lines / cfg.ways), one_(cfg.design == WW_ICACHE_TX_ONE)
    {
    }

    std::vector<line> lines;

    /* Instructions */

    std::vector<line *> set(uint64_t number)
    {
        std::vector<line *> of;
        for (uint32_t way = 0; way < cfg_.ways; ++way)
            of.push_back(&lines[way * sets_ + number]);
        return of;
    }
    line *code(uint64_t addr, uint16_t vmid)
    {
        for (line *l : set(addr / 64 % sets_))
            if (l->mode == WW_ICACHE_TX_CODE && l->vmid == vmid && l->addr == addr / 64)
                return l;
        return nullptr;
    }
    static line *oldest(const std::vector<line *> &of)
    {
        line *best = nullptr;
        for (line *l : of)
            if (best == nullptr || l->used < best->used)
                best = l;
        return best;
    }
    uint32_t fill(uint64_t addr, uint16_t vmid)
    {
        line *l = code(addr, vmid);
        uint32_t dropped = 0;
        if (l == nullptr) {
            const std::vector<line *> all = set(addr / 64 % sets_);
            std::vector<line *> idle, tx;
            for (line *candidate : all) {
                if (candidate->mode == WW_ICACHE_TX_IDLE)
                    idle.push_back(candidate);
                if (candidate->mode == WW_ICACHE_TX_TX)
                    tx.push_back(candidate);
            }
            if (!idle.empty())
                l = idle[0];
            else if (!tx.empty() && cfg_.design != WW_ICACHE_TX_NAIVE)
                l = oldest(tx);
            else
                l = oldest(all);
            dropped = held(*l);
            clear(*l);
            l->mode = WW_ICACHE_TX_CODE;
            l->addr = addr / 64;
            l->vmid = vmid;
        }
        l->used = ++clock_;
        return dropped;
    }
    uint32_t kernel(bool same)
    {
        uint32_t n = 0;
        for (line &l : lines)
            if (l.mode == WW_ICACHE_TX_CODE && !same && cfg_.design == WW_ICACHE_TX_FLUSH) {
                clear(l);
                ++n;
            }
        return n;
    }

    /* Translations */

    uint64_t index(uint64_t va, uint8_t shift) const
    {
        const uint64_t n = one_ ? sets_ : lines.size();
        uint64_t vpn = va >> shift, folded = 0;
        if (cfg_.index == WW_INDEX_MODULO)
            return vpn % n;
        for (int group = 0; group < 4; ++group, vpn /= n)
            folded ^= vpn % n;
        return folded;
    }
    entry *find(uint64_t va, uint16_t vmid)
    {
        for (uint8_t shift = 12; shift <= 30; ++shift)
            if (cfg_.page_sizes >> shift & 1)
                if (entry *e = find(va, vmid, shift))
                    return e;
        return nullptr;
    }
    entry *find(uint64_t va, uint16_t vmid, uint8_t shift)
    {
        const uint64_t at = index(va, shift);
        const std::vector<line *> where = one_ ? set(at) : std::vector<line *>{&lines[at]};
        for (line *l : where)
            for (entry &e : l->entries)
                if (e.valid && e.m.vmid == vmid && e.m.xlat.page_shift == shift &&
                    e.m.va >> shift == va >> shift)
                    return &e;
        return nullptr;
    }
    void use(entry *e)
    {
        e->used = ++clock_;
        line_of(e).used = clock_;
    }
    void remove(entry *e)
    {
        e->valid = false;
        if (held(line_of(e)) == 0)
            clear(line_of(e));
    }
    entered insert(const ww_mapping &m)
    {
        entered out{WW_STORE_KEPT, {}};
        if (m.vmid > 3 || m.va >= uint64_t{1} << 48)
            return {WW_STORE_REFUSED, {}};
        entry *e = find(m.va, m.vmid, m.xlat.page_shift);
        if (e != nullptr) {
            e->m.xlat = m.xlat;
            use(e);
            return {WW_STORE_REFRESHED, {}};
        }
        line *l = one_ ? line_for_one(m) : line_for_eight(m, &out.victims);
        if (l == nullptr)
            return {WW_STORE_PASSED, {}};
        const auto end = l->entries.begin() + (one_ ? 1 : 8);
        auto best = l->entries.begin();
        for (auto at = best; at != end; ++at)
            if (best->valid && (!at->valid || at->used < best->used))
                best = at;
        if (best->valid)
            out.victims.push_back(best->m);
        *best = {true, m, 0};
        best->m.va = m.va >> m.xlat.page_shift << m.xlat.page_shift;
        l->mode = WW_ICACHE_TX_TX;
        use(&*best);
        return out;
    }
    uint32_t count() const
    {
        uint32_t n = 0;
        for (const line &l : lines)
            n += held(l);
        return n;
    }
    void flush()
    {
        for (line &l : lines)
            if (l.mode == WW_ICACHE_TX_TX)
                clear(l);
    }
    uint32_t invalidate(uint64_t first, uint64_t bytes, uint16_t vmid)
    {
        uint32_t n = 0;
        for (line &l : lines)
            for (entry &e : l.entries) {
                const uint64_t last = e.m.va + (uint64_t{1} << e.m.xlat.page_shift) - 1;
                if (!e.valid || e.m.vmid != vmid || last < first || e.m.va > first + bytes - 1)
                    continue;
                remove(&e);
                ++n;
            }
        return n;
    }

private:
    static uint32_t held(const line &l)
    {
        return static_cast<uint32_t>(
            std::count_if(l.entries.begin(), l.entries.end(), [](const entry &e) { return e.valid; }));
    }
    static void clear(line &l)
    {
        const uint64_t used = l.used;
        l = line();
        l.used = used;
    }
    line &line_of(const entry *e)
    {
        for (line &l : lines)
            if (e >= l.entries.data() && e < l.entries.data() + 8)
                return l;
        BOOST_FAIL("an entry of no line");
        return lines[0];
    }
    line *line_for_one(const ww_mapping &m)
    {
        std::vector<line *> tx;
        for (line *l : set(index(m.va, m.xlat.page_shift))) {
            if (l->mode == WW_ICACHE_TX_IDLE)
                return l;
            if (l->mode == WW_ICACHE_TX_TX)
                tx.push_back(l);
        }
        return oldest(tx);
    }
    line *line_for_eight(const ww_mapping &m, std::vector<ww_mapping> *victims)
    {
        line &l = lines[index(m.va, m.xlat.page_shift)];
        const uint64_t base = (m.va >> m.xlat.page_shift) / lines.size() / 16;
        if (l.mode == WW_ICACHE_TX_CODE && cfg_.design != WW_ICACHE_TX_NAIVE)
            return nullptr;
        if (l.mode == WW_ICACHE_TX_TX && (l.base != base || l.vmid != m.vmid)) {
            ++l.passed;
            if (cfg_.mismatch == WW_ICACHE_TX_BYPASS ||
                (cfg_.mismatch == WW_ICACHE_TX_COUNT && l.passed < cfg_.limit))
                return nullptr;
            for (const entry &e : l.entries)
                if (e.valid)
                    victims->push_back(e.m);
            clear(l);
        }
        if (l.mode == WW_ICACHE_TX_CODE)
            clear(l);
        l.base = base;
        l.vmid = m.vmid;
        return &l;
    }

    ww_icache_tx_cfg cfg_;
    uint64_t sets_;
    bool one_;
    uint64_t clock_ = 0;
};

class random_run
{
public:
    random_run(const ww_icache_tx_cfg &cfg, uint64_t seed) : cfg_(cfg), c_(cfg), ref_(cfg)
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
            if (what < 25)
                look();
            else if (what < 70)
                insert();
            else if (what < 74)
                take();
            else if (what < 77)
                invalidate();
            else if (what < 97)
                instructions();
            else if (below(8) == 0)
                boundary();
            compare(step);
        }
        const ww_icache_tx_counts &c = c_.counts();
        BOOST_TEST(c.displaced + c.rebased == victims_);
        BOOST_TEST(c.dropped == dropped_);
        BOOST_TEST(c.bypassed_mode + c.bypassed_base == passed_);
        BOOST_TEST(c.hits + c.misses == fetches_);
        BOOST_TEST(dropped_ > 0u);
        BOOST_TEST(c.hits > 0u);
        BOOST_TEST((c.code_lost > 0) == (cfg_.design == WW_ICACHE_TX_NAIVE));
        BOOST_TEST((c.code_flushed > 0) == (cfg_.design == WW_ICACHE_TX_FLUSH));
        BOOST_TEST((c.rebases > 0) ==
                   (cfg_.design != WW_ICACHE_TX_ONE && cfg_.mismatch != WW_ICACHE_TX_BYPASS));
        BOOST_TEST(c_.t.intact());
    }

private:
    uint32_t below(uint32_t n) { return ww_rng_below(&rng_, n); }

    uint64_t some_va()
    {
        uint64_t va = uint64_t{below(6 * cfg_.lines)} * 4096 * (1 + below(3) * 15) + below(4096);
        if (below(8) == 0)
            va |= uint64_t{below(4)} << 45;
        return below(200) == 0 ? va | uint64_t{1} << 50 : va;
    }
    uint16_t some_vm() { return static_cast<uint16_t>(below(40) == 0 ? 4 : below(8) == 0); }

    void compare(int step)
    {
        BOOST_REQUIRE_EQUAL(c_.count(), ref_.count());
        BOOST_REQUIRE_EQUAL(kept_, gone_ + c_.count());
        const uint32_t line = below(cfg_.lines);
        BOOST_REQUIRE_EQUAL(c_.mode(line), ref_.lines[line].mode);
        if (step % 16 == 0)
            BOOST_REQUIRE_EQUAL(c_.check(), "");
    }

    void look()
    {
        const uint64_t va = some_va();
        const uint16_t vmid = some_vm();
        reference::entry *e = ref_.find(va, vmid);
        const auto probed = c_.probe(va, vmid), found = c_.lookup(va, vmid);
        BOOST_REQUIRE_EQUAL(found.has_value(), e != nullptr);
        BOOST_REQUIRE_EQUAL(probed.has_value(), e != nullptr);
        if (e == nullptr)
            return;
        BOOST_REQUIRE(ww_xlat_same(&*found, &e->m.xlat) && ww_xlat_same(&*probed, &e->m.xlat));
        ref_.use(e);
    }

    void insert()
    {
        const uint8_t shift = shifts_[below(static_cast<uint32_t>(shifts_.size()))];
        const ww_mapping m = mapping(some_va(), some_vm(), uint64_t{below(1000)} << shift, shift,
                                     static_cast<uint8_t>(below(8)));
        const entered want = ref_.insert(m), got = c_.insert(m);
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
        reference::entry *e = ref_.find(va, vmid);
        BOOST_REQUIRE_EQUAL(c_.take(va, vmid).has_value(), e != nullptr);
        if (e != nullptr)
            ref_.remove(e);
        gone_ += e != nullptr;
    }

    void invalidate()
    {
        const uint64_t va = some_va(), bytes = 1 + below(1u << 15);
        const uint16_t vmid = some_vm();
        const uint32_t n = ref_.invalidate(va, bytes, vmid);
        BOOST_REQUIRE_EQUAL(c_.invalidate(va, bytes, vmid), n);
        gone_ += n;
    }

    void instructions()
    {
        const uint64_t addr = uint64_t{below(2 * cfg_.lines)} * 64 * (1 + below(2) * 7) + below(64);
        const uint16_t vmid = static_cast<uint16_t>(below(8) == 0);
        reference::line *l = ref_.code(addr, vmid);
        BOOST_REQUIRE_EQUAL(c_.has(addr, vmid), l != nullptr);
        BOOST_REQUIRE_EQUAL(c_.fetch(addr, vmid), l != nullptr);
        ++fetches_;
        if (l != nullptr || below(4) != 0) {
            const uint32_t n = ref_.fill(addr, vmid);
            BOOST_REQUIRE_EQUAL(c_.fill(addr, vmid), n);
            gone_ += n;
            dropped_ += n;
        }
    }

    void boundary()
    {
        const bool same = below(2) == 0;
        BOOST_REQUIRE_EQUAL(ww_icache_tx_kernel(c_.t, same), ref_.kernel(same));
        if (below(4) != 0)
            return;
        gone_ += c_.count();
        c_.kind.flush(c_.store());
        ref_.flush();
    }

    ww_icache_tx_cfg cfg_;
    icache_tx c_;
    reference ref_;
    std::vector<uint8_t> shifts_;
    ww_rng rng_{};
    uint64_t kept_ = 0, gone_ = 0, victims_ = 0, dropped_ = 0, passed_ = 0, fetches_ = 0;
};

} // namespace

BOOST_DATA_TEST_CASE(it_answers_as_the_reference,
                     bdata::make({256u, 32u, 32u, 64u}) ^ bdata::make({8u, 4u, 1u, 2u}), lines, ways)
{
    for (const uint8_t design :
         {WW_ICACHE_TX_ONE, WW_ICACHE_TX_NAIVE, WW_ICACHE_TX_AWARE, WW_ICACHE_TX_FLUSH})
        for (const uint8_t mismatch : {WW_ICACHE_TX_COUNT, WW_ICACHE_TX_REBASE, WW_ICACHE_TX_BYPASS})
            for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR}) {
                const uint32_t sizes = index == WW_INDEX_XOR ? 1u << 12 | 1u << 16 | 1u << 21 : 1u << 12;
                const ww_icache_tx_cfg cfg = {lines, ways, design, mismatch, 3, index, sizes};
                random_run(cfg, lines + ways + design).run(lines > 64 ? 6000 : 3000);
            }
}
