/* SPDX-License-Identifier: MIT */
/* Two-dimensional walks, read by read, against a naive walk of both tables that keeps whole addresses. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/table/radix.h"
#include "kernels/table/table_nested.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace bdata = boost::unit_test::data;

namespace
{

constexpr uint64_t host_root = UINT64_C(0x7000000000), nodes_pa = UINT64_C(0x3000000), page = 4096;

/* Both tables, by ww_radix; the guest's nodes are in separate frames in random order. */
struct memory {
    static constexpr uint32_t guest_nodes = 64, host_nodes = 1024;
    std::vector<uint64_t> guest_words = std::vector<uint64_t>(guest_nodes * 512),
                          host_words = std::vector<uint64_t>(host_nodes * 512);
    ww_radix guest{}, host{};
    std::map<uint64_t, uint64_t> node_at; /* guest node by its frame */
    ww_table table{};
    ww_rng rng{};

    explicit memory(uint64_t seed = 1, uint64_t guest_root = UINT64_C(0x812345000))
    {
        ww_rng_init(&rng, seed);
        const ww_radix_cfg g = {4, guest_root, guest_nodes}, h = {4, host_root, host_nodes};
        if (ww_radix_init(&guest, &g, guest_words.data(), guest_words.size()) != WW_OK ||
            ww_radix_init(&host, &h, host_words.data(), host_words.size()) != WW_OK)
            throw std::runtime_error("no table");
        for (uint64_t i = 0; i < guest_nodes; ++i) {
            const uint64_t pa = nodes_pa + (i * 37 % guest_nodes) * 16 * page;
            node_at[pa] = i;
            map_host(guest_root + i * page, pa, 12);
        }
        table = ww_nested_table(guest_root, host_root);
    }
    void map_host(uint64_t gpa, uint64_t pa, uint8_t shift, uint8_t perm = WW_PERM_ALL)
    {
        if (ww_radix_map(&host, host_words.data(), gpa, pa, shift, perm) != WW_OK)
            throw std::runtime_error("not mapped by the host");
    }
    void map_guest(uint64_t va, uint64_t gpa, uint8_t shift, uint8_t perm = WW_PERM_ALL)
    {
        if (ww_radix_map(&guest, guest_words.data(), va, gpa, shift, perm) != WW_OK)
            throw std::runtime_error("not mapped by the guest");
    }
    uint64_t *word(uint64_t pa)
    {
        if (pa - host_root < host_nodes * page)
            return &host_words[(pa - host_root) / 8];
        return &guest_words[node_at.at(pa & ~(page - 1)) * 512 + pa % page / 8];
    }
    const uint64_t *line(uint64_t pa) { return word(pa & ~uint64_t{63}); }

    /* One dimension, by arithmetic. */
    struct found {
        bool there = false;
        uint64_t pa = 0;
        uint8_t shift = 0, perm = 0;
    };
    template <typename Where>
    found naive_dimension(uint64_t root, uint64_t address, std::vector<uint64_t> &reads, const Where &where)
    {
        for (int level = 4; level > 0; --level) {
            const int shift = 12 + 9 * (level - 1);
            const uint64_t at = where(root) + (address >> shift) % 512 * 8;
            reads.push_back(at);
            const uint64_t pte = *word(at), frame = pte >> 12 << 24 >> 12;
            if (pte % 2 == 0)
                return {};
            const auto perm = static_cast<uint8_t>(1 | (pte & 2) | (pte >> 63 == 0 ? 4 : 0));
            if (level == 1 && (pte >> 11 & 1) != 0)
                return {true, (frame & ~uint64_t{0xffff}) + address % 0x10000, 16, perm};
            if (level == 1 || (pte >> 7 & 1) != 0)
                return {true, (frame >> shift << shift) + (address & ((uint64_t{1} << shift) - 1)),
                        static_cast<uint8_t>(shift), perm};
            root = frame;
        }
        return {};
    }
    found naive_host(uint64_t gpa, std::vector<uint64_t> &reads)
    {
        return naive_dimension(host_root, gpa, reads, [](uint64_t pa) { return pa; });
    }
    found naive(uint64_t va, std::vector<uint64_t> &reads)
    {
        const found g = naive_dimension(guest.cfg.arena_pa, va, reads,
                                        [&](uint64_t gpa) { return naive_host(gpa, reads).pa; });
        if (!g.there)
            return g;
        found h = naive_host(g.pa, reads);
        h.shift = std::min(h.shift, g.shift);
        h.perm &= g.perm;
        return h;
    }

    struct walked {
        std::vector<uint64_t> reads, words; /* and the walk at each */
        uint64_t end = 0;
        std::string why() const
        {
            return ww_walk_act(end) == WW_WALK_DONE ? "done" : ww_walk_why_text(ww_walk_why(end));
        }
    };
    walked walk(uint64_t va) { return walk(va, ww_table_start(&table, va)); }
    walked walk(uint64_t va, uint64_t at)
    {
        walked w;
        for (ww_walk_read r = {}; ww_table_next(&table, at, va, &r) == WW_WALK_READ;) {
            const char *broken = ww_table_walk_check(table.kind, at);
            if (broken != nullptr || r.bytes != 8 || w.reads.size() == 24)
                throw std::runtime_error(broken == nullptr ? "no walk" : broken);
            w.reads.push_back(r.pa);
            w.words.push_back(at);
            at = ww_table_feed(&table, at, va, line(r.pa));
        }
        w.end = at;
        return w;
    }
    uint64_t random(uint64_t n) { return ww_rng_next(&rng) % n; }
};

const std::string absent = ww_walk_why_text(WW_WHY_ABSENT), host_absent = ww_walk_why_text(WW_WHY_HOST),
                  malformed = ww_walk_why_text(WW_WHY_MALFORMED), beyond = ww_walk_why_text(WW_WHY_ADDRESS);

constexpr uint64_t va0 = UINT64_C(0x123456789000), gpa0 = UINT64_C(0xabcdef654000),
                   pa0 = UINT64_C(0x9876543210000);

memory one_page()
{
    memory m;
    m.map_guest(va0, gpa0, 12);
    m.map_host(gpa0, pa0, 12);
    return m;
}

} // namespace

BOOST_AUTO_TEST_CASE(its_numbers_agree)
{
    BOOST_TEST(ww_table_kind_check(&ww_nested) == nullptr);
    BOOST_TEST(ww_table_walk_bits(&ww_nested) == 3u + 40 + 16);
    BOOST_CHECK_THROW(ww_nested_table(8, host_root), std::logic_error);
    BOOST_CHECK_THROW(ww_nested_table(page, 1), std::logic_error);
}

/* 4 * (4 + 1) + 4; each word gives the number of reads left. */
BOOST_AUTO_TEST_CASE(a_cold_walk_reads_24_entries)
{
    memory m = one_page();
    const memory::walked w = m.walk(va0 + 0x123);
    const ww_xlat x = ww_walk_xlat(w.end);
    BOOST_TEST(ww_xlat_pa(&x, va0 + 0x123) == pa0 + 0x123);
    BOOST_TEST(x.page_shift == 12u);
    BOOST_REQUIRE(w.reads.size() == 24u);
    std::vector<uint64_t> reads;
    m.naive(va0, reads);
    BOOST_TEST(w.reads == reads, boost::test_tools::per_element());
    std::string steps;
    for (size_t i = 0; i < w.words.size(); ++i) {
        BOOST_TEST(ww_table_reads_left(&ww_nested, w.words[i]) == 24 - i);
        steps += ww_nested.step_name[ww_walk_step(w.words[i])] + std::string(" ");
    }
    BOOST_TEST(steps == "l4 l4 l4 l4 l4 l3 l3 l3 l3 l3 l2 l2 l2 l2 l2 l1 l1 l1 l1 l1 page page page host ");
}

/* The translation has the smaller size of each pair. */
BOOST_DATA_TEST_CASE(pages_of_every_size_in_both,
                     bdata::make({12, 16, 21, 30}) * bdata::make({12, 16, 21, 30}), guest, host)
{
    memory m;
    const uint64_t va = UINT64_C(0x40000000) * 5, gpa = UINT64_C(0x40000000) * 1234;
    const uint64_t within = UINT64_C(0x3a5f7000) & ((uint64_t{1} << guest) - 1);
    m.map_guest(va, gpa, static_cast<uint8_t>(guest), WW_PERM_R | WW_PERM_X);
    const uint64_t frame = UINT64_C(0x40000000) * 77;
    const uint64_t first = (gpa + within) >> host << host;
    m.map_host(first, frame, static_cast<uint8_t>(host), WW_PERM_R | WW_PERM_W);
    const memory::walked w = m.walk(va + within + 5);
    BOOST_REQUIRE(w.why() == "done");
    const ww_xlat x = ww_walk_xlat(w.end);
    BOOST_TEST(x.page_shift == std::min(guest, host));
    BOOST_TEST(ww_xlat_pa(&x, va + within + 5) == frame + (gpa + within - first) + 5);
    BOOST_TEST(x.page_pa % (uint64_t{1} << x.page_shift) == 0u);
    BOOST_TEST(x.perm == WW_PERM_R);
    const unsigned guest_reads = guest == 30 ? 2 : guest == 21 ? 3 : 4;
    const unsigned host_reads = host == 30 ? 2 : host == 21 ? 3 : 4;
    BOOST_TEST(w.reads.size() == guest_reads * 5 + host_reads);
}

BOOST_DATA_TEST_CASE(random_tables_are_walked_as_a_naive_walk_does, bdata::xrange(8), seed)
{
    memory m(static_cast<uint64_t>(seed) + 1);
    const uint8_t shifts[] = {12, 12, 16, 21, 30};
    std::vector<uint64_t> asked;
    for (unsigned i = 0; i < 150; ++i) {
        const uint8_t gs = shifts[m.random(5)], hs = shifts[m.random(5)];
        const uint64_t va = ((m.random(4) << 39 | m.random(3) << 30 | m.random(uint64_t{1} << 24)) >> gs)
                            << gs;
        const uint64_t gpa = (m.random(uint64_t{1} << 48)) >> gs << gs;
        const auto perm = static_cast<uint8_t>(WW_PERM_R | m.random(8));
        if (ww_radix_map(&m.guest, m.guest_words.data(), va, gpa, gs, perm) != WW_OK)
            continue;
        asked.push_back(va + m.random(uint64_t{1} << gs));
        ww_xlat x{};
        ww_radix_lookup(&m.guest, m.guest_words.data(), asked.back(), &x);
        if (m.random(8) != 0) /* else the host maps none */
            (void)ww_radix_map(&m.host, m.host_words.data(), ww_nested_gpa(&x, asked.back()) >> hs << hs,
                               m.random(uint64_t{1} << 52) >> hs << hs, hs,
                               static_cast<uint8_t>(WW_PERM_R | m.random(8)));
    }
    unsigned done = 0, none = 0;
    for (const uint64_t some : asked)
        for (const uint64_t va : {some, some ^ page << m.random(12)}) {
            std::vector<uint64_t> reads;
            const memory::found f = m.naive(va, reads);
            const memory::walked w = m.walk(va);
            BOOST_TEST(w.reads == reads, boost::test_tools::per_element());
            BOOST_TEST((w.why() == "done") == f.there);
            ++(f.there ? done : none);
            if (!f.there)
                continue;
            const ww_xlat x = ww_walk_xlat(w.end);
            BOOST_TEST(ww_xlat_pa(&x, va) == f.pa);
            BOOST_TEST(x.page_shift == f.shift);
            BOOST_TEST(x.perm == f.perm);
        }
    BOOST_TEST(done > 20u);
    BOOST_TEST(none > 20u);
}

/* The n-th read of a cold walk finds an absent entry or, in a root, one that cannot be a page. */
BOOST_DATA_TEST_CASE(whose_entry_is_missing_is_said, bdata::xrange(24), n)
{
    const bool of_guest = n % 5 == 4 && n < 20, root = n % 5 == 0 || n == 4;
    for (const bool present : {false, true}) {
        memory m = one_page();
        const std::vector<uint64_t> whole = m.walk(va0).reads;
        const uint64_t pa = whole[static_cast<size_t>(n)];
        const auto first = std::find(whole.begin(), whole.end(), pa) - whole.begin();
        if (present && !root)
            continue;
        *m.word(pa) = present ? WW_PTE_P | WW_PTE_PS : 0;
        const memory::walked w = m.walk(va0);
        BOOST_TEST(static_cast<long>(w.reads.size()) == first + 1);
        BOOST_TEST(w.why() == (present ? malformed : of_guest ? absent : host_absent));
    }
}

/* Nodes have numbers of 22 bits counted from the host's root; guest-physical addresses have 48 bits. */
BOOST_AUTO_TEST_CASE(what_a_walk_has_no_room_for_is_malformed)
{
    const uint64_t farthest = host_root + (((uint64_t{1} << 22) - 1) << 12);
    for (const auto &[node_pa, why] : std::vector<std::pair<uint64_t, std::string>>{
             {farthest, ""}, {farthest + page, malformed}, {host_root - page, malformed}, {host_root, ""}}) {
        memory m = one_page();
        const memory::walked whole = m.walk(va0);
        *m.word(whole.reads[20]) = ww_pte_table(node_pa);
        const uint64_t walk = ww_table_feed(&m.table, whole.words[20], va0, m.line(whole.reads[20]));
        BOOST_TEST((ww_walk_act(walk) == WW_WALK_READ) == why.empty());
        if (!why.empty())
            BOOST_TEST(ww_walk_why_text(ww_walk_why(walk)) == why);
        ww_walk_read r = {};
        if (ww_table_next(&m.table, walk, va0, &r) == WW_WALK_READ)
            BOOST_TEST((r.pa & ~(page - 1)) == node_pa);
    }
    for (const int level : {4, 1}) { /* the guest's entries */
        memory m = one_page();
        const memory::walked whole = m.walk(va0);
        *m.word(whole.reads[level == 4 ? 4 : 19]) = (uint64_t{1} << 48) | WW_PTE_P;
        BOOST_TEST(m.walk(va0).why() == malformed);
        *m.word(whole.reads[level == 4 ? 4 : 19]) = (uint64_t{1} << 47) | WW_PTE_P;
        BOOST_TEST(m.walk(va0).why() == host_absent);
    }
    const ww_table far = ww_nested_table(uint64_t{1} << 48, host_root);
    BOOST_TEST(ww_walk_why(ww_table_start(&far, va0)) == WW_WHY_MALFORMED);
    memory m = one_page();
    BOOST_TEST(m.walk(uint64_t{1} << 48).why() == beyond);
    BOOST_TEST(ww_walk_why_absent(WW_WHY_HOST));
    BOOST_TEST(ww_walk_why_absent(WW_WHY_ABSENT));
    BOOST_TEST(!ww_walk_why_absent(WW_WHY_MALFORMED));
}

/* Walk caches and waiting requests rely on this: at a step that walks share, the word of one address, with
 * any line of it, is the word of every neighbour; and the word that an entry leads to is that of every
 * address that the entry translates. */
BOOST_AUTO_TEST_CASE(words_of_neighbours_are_alike)
{
    memory m(3);
    std::vector<uint64_t> vas;
    for (const uint64_t region : {UINT64_C(0x8000000000), UINT64_C(0x8040000000), UINT64_C(0x8040200000)})
        for (uint64_t i = 0; i < 16; ++i) {
            const uint64_t gpa = m.random(uint64_t{1} << 36) << 12;
            m.map_guest(region + i * page, gpa, 12);
            if (i % 5 != 0)
                m.map_host(gpa, m.random(uint64_t{1} << 40) << 12, 12);
            vas.push_back(region + i * page);
        }
    const uint64_t large = UINT64_C(0x8080000000), large_gpa = UINT64_C(0xc00000000);
    m.map_guest(large, large_gpa, 21);
    for (uint64_t i = 0; i < 16; ++i) {
        m.map_host(large_gpa + i * page, m.random(uint64_t{1} << 40) << 12, 12);
        vas.push_back(large + i * page);
    }
    std::set<uint32_t> seen;
    for (const uint64_t a : vas)
        for (const uint64_t b : vas) {
            const memory::walked of_a = m.walk(a), of_b = m.walk(b);
            for (size_t i = 0; i < of_a.words.size(); ++i) {
                const uint64_t word = of_a.words[i];
                const uint32_t step = ww_walk_step(word), from = ww_walk_from(word);
                if (ww_table_shares(&ww_nested, step) && ww_table_neighbours(&ww_nested, a, b, step)) {
                    BOOST_TEST(m.line(of_a.reads[i]) == m.line(of_b.reads.at(i)));
                    BOOST_TEST(word == of_b.words.at(i));
                    seen.insert(step);
                }
                if (from != 0 && ((a ^ b) >> ww_nested.reach[from]) == 0)
                    BOOST_TEST(m.walk(b, word).end == of_b.end);
            }
        }
    BOOST_TEST((seen == std::set<uint32_t>{1, 2, 3, 4, WW_NESTED_AT_LAST}));
}
