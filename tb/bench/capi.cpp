/* SPDX-License-Identifier: MIT */
/* tb/bench/capi.cpp - compares a translation through the C library with the bare TLB kernel of the same
 * shape, alternately in one run: the best of many rounds of each, to reduce the effect of other processes.
 * Usage: bench_capi [ROUNDS] */
#include "kernels/store/tlb.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>
#include <walkway.h>

extern "C" void ww_assert_fail(const char *expr, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    std::abort();
}

namespace
{

constexpr size_t accesses = 4096; /* per round: both arrays fit the host's second-level cache */
constexpr uint64_t table_pa = 0x10000000, pages = 2048;

/* 2048 pages of 4 KiB from address 0, mapped to themselves. */
struct tables {
    alignas(4096) uint64_t words[3 + pages / 512][512] = {};
    tables()
    {
        for (uint64_t node = 0; node < 2; ++node)
            words[node][0] = (table_pa + (node + 1) * 4096) | 7;
        for (uint64_t leaf = 0; leaf < pages / 512; ++leaf)
            words[2][leaf] = (table_pa + (3 + leaf) * 4096) | 7;
        for (uint64_t page = 0; page < pages; ++page)
            words[3 + page / 512][page % 512] = page << 12 | 7;
    }
};

void must(int status)
{
    if (status < 0) {
        std::fprintf(stderr, "bench_capi: %s: %s\n", walkway_status_name(status), walkway_last_error());
        std::exit(1);
    }
}

struct measured {
    const char *what;
    std::function<uint64_t()> round; /* returns a sum, so that nothing is optimized away */
    double best_ns = 1e9;
};

void measure(std::vector<measured> &all, unsigned rounds, uint64_t expected)
{
    for (unsigned n = 0; n < rounds; ++n)
        for (measured &m : all) {
            const auto start = std::chrono::steady_clock::now();
            const uint64_t sum = m.round();
            const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
            m.best_ns = std::min(m.best_ns, took.count() / accesses);
            if (sum != expected) {
                std::fprintf(stderr, "bench_capi: %s: answers that are not the table's\n", m.what);
                std::exit(1);
            }
        }
}

/* Accesses `of_pages` pages at random: either all accesses or hardly any hit the first TLB. */
void compare(const tables &t, uint64_t of_pages, const char *name, unsigned rounds)
{
    walkway_chain *w = nullptr;
    must(walkway_create("apu-micro18", nullptr, &w));
    must(walkway_map_memory(w, table_pa, t.words, sizeof t.words, 0));
    must(walkway_set_root(w, 0, table_pa));
    ww_tlb_cfg cfg = {};
    cfg.sets = 1;
    cfg.ways = 32; /* as in apu-micro18 */
    cfg.page_sizes = 1u << WW_PAGE_4K;
    auto *tlb = static_cast<ww_tlb *>(std::aligned_alloc(64, ww_tlb_bytes(&cfg)));
    if (tlb == nullptr || ww_tlb_init(tlb, ww_tlb_bytes(&cfg), &cfg) != WW_OK)
        std::abort();

    std::mt19937_64 random(1);
    std::vector<walkway_access> asked(accesses);
    std::vector<walkway_result> answers(accesses);
    uint64_t expected = 0;
    for (walkway_access &a : asked) {
        a = {};
        a.va = random() % of_pages << 12 | (random() & 0xfff);
        a.rights = WALKWAY_READ;
        expected += a.va;
    }
    const auto kernel = [&] {
        uint64_t sum = 0;
        for (const walkway_access &a : asked) {
            ww_xlat x = {};
            if (!ww_tlb_store.lookup(tlb, a.va, 0, &x)) {
                x = {a.va & ~uint64_t{0xfff}, WW_PAGE_4K, WW_PERM_ALL};
                const ww_mapping page = {a.va, x, 0};
                ww_tlb_store.insert(tlb, &page, nullptr);
            }
            sum += ww_xlat_pa(&x, a.va);
        }
        return sum;
    };
    const auto each = [&](int (*ask)(walkway_chain *, const walkway_access *, walkway_result *)) {
        uint64_t sum = 0;
        walkway_result r;
        for (const walkway_access &a : asked) {
            ask(w, &a, &r);
            sum += r.pa;
        }
        return sum;
    };
    const auto look = [](walkway_chain *c, const walkway_access *a, walkway_result *r) {
        return walkway_look(c, a, r);
    };
    const auto batch = [&] {
        must(walkway_translate_batch(w, asked.data(), answers.data(), accesses, nullptr));
        uint64_t sum = 0;
        for (const walkway_result &r : answers)
            sum += r.pa;
        return sum;
    };
    std::vector<measured> all = {{"kernel", kernel},
                                 {"translate", [&] { return each(walkway_translate); }},
                                 {"batch", batch},
                                 {"look", [&] { return each(look); }}};
    measure(all, rounds, expected);
    std::printf("  \"%s\": {", name);
    for (const measured &m : all)
        std::printf("%s\"%s_ns\": %.2f", &m == all.data() ? "" : ", ", m.what, m.best_ns);
    std::printf("}%s\n", of_pages == pages ? "" : ",");
    std::free(tlb);
    walkway_destroy(w);
}

} // namespace

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 2000;
    if (argc > 2 || rounds < 1) {
        std::fprintf(stderr, "usage: bench_capi [ROUNDS]\n");
        return 1;
    }
    static const tables t;
    std::printf("{\n");
    compare(t, 1, "one page", static_cast<unsigned>(rounds));
    compare(t, 32, "hits", static_cast<unsigned>(rounds));
    compare(t, pages, "misses", static_cast<unsigned>(rounds));
    std::printf("}\n");
    return 0;
}
