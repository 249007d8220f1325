/* SPDX-License-Identifier: MIT */
/* All interleavings of three requests and two walkers on a real page table. An event is one of: a request
 * arrives, an idle walker takes what the scheduler picks, a walker's read completes. Each state tries every
 * possible event. A state is the bytes of all kernels; known states are not tried again, and the number of
 * interleavings is a sum over paths. In each state the checkers must pass, each read must bring the requests
 * that it held nearer, and while both walkers are idle every waiting request can be taken. At each end every
 * translation must be that of the plain walk. */
#include "sched_rig.hpp"
#include "walk_fixture.hpp"

#include "kernels/table/radix.h"
#include "kernels/walk/pwc.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <memory>
#include <unordered_map>

using namespace walk_fixture;

namespace
{

constexpr uint32_t request_count = 3, walker_count = 2, levels = 4;

/* Two address spaces; VM 1 maps the same addresses elsewhere. */
struct memory {
    memory() : arena{std::vector<uint64_t>(nodes * 512), std::vector<uint64_t>(nodes * 512)}
    {
        for (uint64_t vm = 0; vm < 2; vm++) {
            const ww_radix_cfg cfg{levels, UINT64_C(0x10000000) << vm, nodes};
            BOOST_REQUIRE_EQUAL(ww_radix_init(&radix[vm], &cfg, arena[vm].data(), arena[vm].size()), WW_OK);
            const uint64_t frames = UINT64_C(0x4000000000) << vm;
            map(vm, va_of(0x0F5, 0x0A3, 0x029, 0x089), frames + 0x057000, WW_PAGE_4K);
            map(vm, va_of(0x0F5, 0x0A3, 0x029, 0x08A), frames + 0x058000, WW_PAGE_4K);
            map(vm, va_of(0x0F5, 0x0A3, 0x02A, 0x011), frames + 0x123000, WW_PAGE_4K);
            map(vm, va_of(0x0F5, 0x0A3, 0x02B, 0x000), frames + 0x200000, WW_PAGE_2M);
            map(vm, va_of(0x0F5, 0x0A3, 0x029, 0x1F0), frames + 0x3F0000, WW_PAGE_64K);
            map(vm, va_of(0x0F5, 0x0A4, 0x000, 0x000), frames + 0x456000, WW_PAGE_4K);
            map(vm, va_of(0x0F5, 0x0A5, 0x000, 0x000), frames + 0x40000000, WW_PAGE_1G);
            map(vm, va_of(0x0F6, 0x000, 0x000, 0x1FF), frames + 0x789000, WW_PAGE_4K);
            map(vm, va_of(0x001, 0x002, 0x003, 0x004), frames + 0xABC000, WW_PAGE_4K);
        }
    }

    void map(uint64_t vm, uint64_t va, uint64_t pa, uint8_t page_shift)
    {
        BOOST_REQUIRE_EQUAL(ww_radix_map(&radix[vm], arena[vm].data(), va, pa, page_shift, WW_PERM_ALL),
                            WW_OK);
    }
    const uint64_t *line(uint16_t vmid, uint64_t pte_pa) const
    {
        return &arena[vmid][ww_radix_word(&radix[vmid], ww_line_base(pte_pa))];
    }

    ww_table table(uint16_t vmid) const { return ww_radix_table(levels, ww_radix_root_pa(&radix[vmid])); }

    static constexpr uint32_t nodes = 16;
    ww_radix radix[2] = {};
    std::vector<uint64_t> arena[2];
};

struct target {
    const char *name;
    uint64_t va;
    uint16_t vmid;
};

/* The first target is the base. The names state the relation of the others to it and, for several, to each
 * other. */
const target targets[] = {
    {"base", va_of(0x0F5, 0x0A3, 0x029, 0x089), 0},
    {"same page", va_of(0x0F5, 0x0A3, 0x029, 0x089) + 0x840, 0},
    {"same L1 line", va_of(0x0F5, 0x0A3, 0x029, 0x08A), 0},
    {"same L1 node, another line, 64 KiB page", va_of(0x0F5, 0x0A3, 0x029, 0x1F5), 0},
    {"same L2 line", va_of(0x0F5, 0x0A3, 0x02A, 0x011), 0},
    {"same L2 line, 2 MiB page", va_of(0x0F5, 0x0A3, 0x02B, 0x100), 0},
    {"same L3 line", va_of(0x0F5, 0x0A4, 0x000, 0x000), 0},
    {"same L3 line, 1 GiB page", va_of(0x0F5, 0x0A5, 0x080, 0x011), 0},
    {"same L4 line", va_of(0x0F6, 0x000, 0x000, 0x1FF), 0},
    {"unrelated", va_of(0x001, 0x002, 0x003, 0x004), 0},
    {"absent at L1", va_of(0x0F5, 0x0A3, 0x029, 0x08B), 0},
    {"absent at L2", va_of(0x0F5, 0x0A3, 0x02C, 0x089), 0},
    {"absent at L3", va_of(0x0F5, 0x0A6, 0x029, 0x089), 0},
    {"absent at L4", va_of(0x0F7, 0x0A3, 0x029, 0x089), 0},
    {"another VM", va_of(0x0F5, 0x0A3, 0x029, 0x089), 1},
};
constexpr uint32_t target_count = sizeof targets / sizeof targets[0];

using triple = std::array<uint32_t, request_count>;

/* The result of a plain walk, by the walker alone. */
struct answer {
    bool fault;
    uint32_t reads;
    ww_xlat xlat;
};

answer plain_walk(const memory &m, const target &t)
{
    const ww_table table = m.table(t.vmid);
    uint64_t walk = ww_table_start(&table, t.va);
    ww_walk_read read = {};
    answer a{};
    for (; ww_table_next(&table, walk, t.va, &read) == WW_WALK_READ; a.reads++)
        walk = ww_table_feed(&table, walk, t.va, m.line(t.vmid, read.pa));
    a.fault = ww_walk_act(walk) == WW_WALK_FAULT;
    if (!a.fault)
        a.xlat = ww_walk_xlat(walk);
    ww_xlat direct{};
    BOOST_REQUIRE_EQUAL(ww_radix_lookup(&m.radix[t.vmid], m.arena[t.vmid].data(), t.va, &direct), !a.fault);
    BOOST_REQUIRE(ww_xlat_same(&direct, &a.xlat));
    return a;
}

/* Layout of a state: this header, then the blobs of buffer, table and, if there is one, walk cache. */
struct header {
    uint64_t walk[walker_count];
    uint32_t owner[walker_count]; /* request + 1, 0 = idle */
    uint32_t completions[request_count];
    uint32_t reads;
    bool arrived[request_count];
};

class explorer
{
public:
    explorer(const memory &m, ww_coalesce_mode mode, bool with_cache) : m_memory(m), m_mode(mode)
    {
        const ww_wbuf_cfg buffer_cfg{request_count, &ww_radix4};
        const ww_pwst_cfg table_cfg{walker_count, static_cast<uint8_t>(mode), &ww_radix4};
        const ww_pwc_cfg cache_cfg{{0, 0, 1, 2, 2}, &ww_radix4, 0, 0};
        m_buffer_at = ww_align64(sizeof(header));
        m_table_at = m_buffer_at + ww_align64(ww_wbuf_bytes(&buffer_cfg));
        m_cache_at = m_table_at + ww_align64(ww_pwst_bytes(&table_cfg));
        m_bytes = m_cache_at + (with_cache ? ww_align64(ww_pwc_bytes(&cache_cfg)) : 0);
        m_initial = std::make_unique<blob>(m_bytes);
        state s{*this, *m_initial};
        std::memset(m_initial->get(), 0, m_bytes);
        BOOST_REQUIRE_EQUAL(ww_wbuf_init(s.buffer(), ww_wbuf_bytes(&buffer_cfg), &buffer_cfg), WW_OK);
        BOOST_REQUIRE_EQUAL(ww_pwst_init(s.table(), ww_pwst_bytes(&table_cfg), &table_cfg), WW_OK);
        if (with_cache) {
            BOOST_REQUIRE_EQUAL(ww_pwc_init(s.cache(), ww_pwc_bytes(&cache_cfg), &cache_cfg), WW_OK);
        }
        for (uint32_t i = 0; i < target_count; i++)
            m_answers[i] = plain_walk(m, targets[i]);
    }

    void explore(const triple &requests)
    {
        m_requests = requests;
        m_paths.clear();
        interleavings += visit(*m_initial);
        states += m_paths.size();
    }

    uint64_t states = 0, interleavings = 0, ends = 0, events = 0;
    uint32_t fewest_reads = UINT32_MAX, most_reads = 0;

private:
    const scheduler m_scheduler{"fcfs"}; /* has no state */

    struct state {
        const explorer &e;
        blob &b;
        unsigned char *base() { return static_cast<unsigned char *>(b.get()); }
        header &head() { return *reinterpret_cast<header *>(base()); }
        ww_wbuf *buffer() { return reinterpret_cast<ww_wbuf *>(base() + e.m_buffer_at); }
        ww_pwst *table() { return reinterpret_cast<ww_pwst *>(base() + e.m_table_at); }
        ww_pwc *cache()
        {
            return e.m_cache_at == e.m_bytes ? nullptr : reinterpret_cast<ww_pwc *>(base() + e.m_cache_at);
        }
    };

    const target &target_of(uint32_t request) const { return targets[m_requests[request]]; }

    void complete(header &h, uint32_t request, bool fault, const ww_xlat &xlat)
    {
        const answer &plain = m_answers[m_requests[request]];
        BOOST_REQUIRE_EQUAL(++h.completions[request], 1u);
        BOOST_REQUIRE_EQUAL(fault, plain.fault);
        BOOST_REQUIRE(fault || ww_xlat_same(&xlat, &plain.xlat));
    }

    bool arrive(state s, uint32_t request)
    {
        header &h = s.head();
        if (h.arrived[request])
            return false;
        const ww_wbuf_job j = job(target_of(request).va, request, target_of(request).vmid);
        h.arrived[request] = true;
        const uint32_t slot = ww_wbuf_insert(s.buffer(), &j);
        BOOST_REQUIRE(slot != WW_WBUF_NONE);
        ww_pwst_admit(s.table(), s.buffer(), slot);
        return true;
    }

    bool take(state s, uint32_t walker)
    {
        header &h = s.head();
        const ww_table any = m_memory.table(0); /* the policies here ignore where a walk starts */
        const uint32_t slot =
            h.owner[walker] != 0 ? WW_WBUF_NONE : m_scheduler.pick(s.buffer(), s.cache(), &any);
        if (slot == WW_WBUF_NONE)
            return false;
        const ww_wbuf_entry *e = ww_wbuf_at(s.buffer(), slot);
        BOOST_REQUIRE(!ww_pwst_covers(s.table(), ww_wbuf_va(e), ww_wbuf_vmid(e)));
        const ww_wbuf_job j = ww_wbuf_job_of(e);
        const ww_table table = m_memory.table(j.vmid);
        uint64_t cached = 0;
        h.walk[walker] = ww_sched_start(e, s.cache(), &table, &cached);
        ww_wbuf_remove(s.buffer(), slot);
        ww_pwst_begin(s.table(), s.buffer(), walker, j.va, j.vmid, ww_walk_step(h.walk[walker]));
        h.owner[walker] = j.req + 1;
        return true;
    }

    bool read(state s, uint32_t walker)
    {
        header &h = s.head();
        if (h.owner[walker] == 0)
            return false;
        ww_wbuf *b = s.buffer();
        uint64_t *w = &h.walk[walker];
        const uint32_t request = h.owner[walker] - 1, level = ww_walk_step(*w);
        const target &t = target_of(request);
        const ww_table table = m_memory.table(t.vmid);
        ww_walk_read at = {};
        BOOST_REQUIRE_EQUAL(ww_table_next(&table, *w, t.va, &at), WW_WALK_READ);
        BOOST_REQUIRE_EQUAL(ww_pwst_at(s.table(), walker).step, level);
        const uint64_t *line = m_memory.line(t.vmid, at.pa);
        h.reads++;

        ww_pwst_done done[request_count];
        const uint32_t n = ww_pwst_deliver(s.table(), b, walker, &table, *w, line, done, request_count);
        for (uint32_t i = 0; i < n; i++)
            complete(h, done[i].req, done[i].fault, done[i].xlat);
        /* Requests that the rules let this read hold must be nearer: holding them paid off. */
        const bool applies = m_mode == WW_COALESCE_FULL || (m_mode == WW_COALESCE_LEAF && level == 1);
        for (uint32_t slot = ww_wbuf_oldest(b); slot != WW_WBUF_NONE; slot = ww_wbuf_younger(b, slot)) {
            const ww_wbuf_entry *e = ww_wbuf_at(b, slot);
            if (applies && same_nbhd(ww_wbuf_job_of(e), t.va, t.vmid, level))
                BOOST_REQUIRE(ww_walk_from(e->walk) >= 2 && ww_walk_from(e->walk) <= level);
        }

        *w = ww_table_feed(&table, *w, t.va, line);
        const enum ww_walk_act act = ww_walk_act(*w);
        if (act == WW_WALK_READ) {
            if (s.cache() != nullptr)
                ww_pwc_fill(s.cache(), t.va, t.vmid, *w);
            ww_pwst_advance(s.table(), b, walker, ww_walk_step(*w));
            return true;
        }
        complete(h, request, act == WW_WALK_FAULT, act == WW_WALK_DONE ? ww_walk_xlat(*w) : ww_xlat{});
        ww_pwst_end(s.table(), b, walker);
        h.owner[walker] = 0;
        *w = 0;
        return true;
    }

    void check(state s)
    {
        BOOST_REQUIRE_EQUAL(text(ww_pwst_check(s.table(), s.buffer())), "");
        const header &h = s.head();
        bool all_idle = true;
        for (uint32_t owner : h.owner)
            all_idle = all_idle && owner == 0;
        BOOST_REQUIRE_EQUAL(all_idle, ww_pwst_busy(s.table()) == 0);
        /* Requests are held only while a walker reads, so with all walkers idle every waiting one can be
         * taken. */
        BOOST_REQUIRE(!all_idle || ww_wbuf_cl_count(s.buffer()) == 0);
        const bool waiting = ww_wbuf_count(s.buffer()) != 0;
        const ww_table any = m_memory.table(0);
        BOOST_REQUIRE(!all_idle || !waiting || m_scheduler.pick(s.buffer(), s.cache(), &any) != WW_WBUF_NONE);
        BOOST_REQUIRE(m_mode != WW_COALESCE_OFF || ww_wbuf_cl_count(s.buffer()) == 0);
    }

    /* Returns the number of paths from this state to an end. Every event makes progress, so the recursion
     * ends. */
    uint64_t visit(const blob &from)
    {
        const std::string key(static_cast<const char *>(from.get()), m_bytes);
        const auto known = m_paths.find(key);
        if (known != m_paths.end())
            return known->second;
        blob next = from;
        uint64_t paths = 0;
        for (uint32_t event = 0; event < request_count + 2 * walker_count; event++) {
            const state s{*this, next};
            const bool possible = event < request_count ? arrive(s, event)
                                  : event < request_count + walker_count
                                      ? take(s, event - request_count)
                                      : read(s, event - request_count - walker_count);
            if (!possible)
                continue;
            events++;
            check(s);
            paths += visit(next);
            next = from;
        }
        if (paths == 0) {
            finish(state{*this, next});
            paths = 1;
        }
        m_paths.emplace(key, paths);
        return paths;
    }

    void finish(state s)
    {
        const header &h = s.head();
        for (uint32_t request = 0; request < request_count; request++)
            BOOST_REQUIRE_EQUAL(h.completions[request], 1u);
        BOOST_REQUIRE_EQUAL(ww_wbuf_count(s.buffer()), 0u);
        BOOST_REQUIRE_EQUAL(ww_pwst_busy(s.table()), 0u);
        uint32_t plain = 0;
        for (uint32_t target : m_requests)
            plain += m_answers[target].reads;
        BOOST_REQUIRE_LE(h.reads, plain);
        if (m_mode == WW_COALESCE_OFF && s.cache() == nullptr)
            BOOST_REQUIRE_EQUAL(h.reads, plain);
        fewest_reads = std::min(fewest_reads, h.reads);
        most_reads = std::max(most_reads, h.reads);
        ends++;
    }

    const memory &m_memory;
    ww_coalesce_mode m_mode;
    size_t m_buffer_at, m_table_at, m_cache_at, m_bytes;
    std::unique_ptr<blob> m_initial;
    std::array<answer, target_count> m_answers;
    triple m_requests{};
    std::unordered_map<std::string, uint64_t> m_paths;
};

/* All triples whose first target is among the first `first_count`, in every order of arrival. */
void explore_all(ww_coalesce_mode mode, bool with_cache, uint32_t first_count)
{
    const memory m;
    explorer e(m, mode, with_cache);
    uint64_t triples = 0;
    for (uint32_t i = 0; i < first_count; i++)
        for (uint32_t j = i; j < target_count; j++)
            for (uint32_t k = j; k < target_count; k++, triples++)
                e.explore({i, j, k});
    BOOST_TEST_MESSAGE(ww_coalesce_mode_name(mode)
                       << (with_cache ? " with" : " without") << " walk cache: " << triples << " triples, "
                       << e.states << " states, " << e.events << " events, " << e.interleavings
                       << " interleavings, " << e.ends << " end states, reads " << e.fewest_reads << " to "
                       << e.most_reads);
    BOOST_TEST(e.interleavings > e.states);
    /* At best, one walk serves three requests for one page where the rules apply. */
    BOOST_TEST(e.fewest_reads <= (mode == WW_COALESCE_OFF ? 12u : 6u));
}

} // namespace

/* Modes off and leaf try every triple with the base address, mode full every triple. */
BOOST_AUTO_TEST_CASE(every_interleaving_off)
{
    explore_all(WW_COALESCE_OFF, false, 1);
}
BOOST_AUTO_TEST_CASE(every_interleaving_leaf)
{
    explore_all(WW_COALESCE_LEAF, false, 1);
}
BOOST_AUTO_TEST_CASE(every_interleaving_full)
{
    explore_all(WW_COALESCE_FULL, false, target_count);
}
BOOST_AUTO_TEST_CASE(every_interleaving_full_with_a_walk_cache)
{
    explore_all(WW_COALESCE_FULL, true, 1);
}
