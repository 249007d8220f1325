/* SPDX-License-Identifier: MIT */
/* tb/capi/contract_test.cpp - promises of the C library that do not concern single answers: look changes
 * nothing; batch, submission, snapshot and a second thread give the same as single calls; read functions may
 * throw or fail; the statuses that refusals_test.cpp leaves out. */
#include <boost/test/unit_test.hpp>

#include "tb/capi/random_tables.hpp"

#include <functional>
#include <thread>

using namespace walkway_test;

namespace
{

const shape small = {format::x86, 4, "4k"};
const std::vector<std::string> tiny = {"l1_tlb.entries=8",  "l1_tlb.ways=8",
                                       "l2_tlb.entries=16", "l2_tlb.ways=4",
                                       "victim.entries=4",  "walk_unit.pte_cache_bytes=512"};

chain_ptr over(const random_tables &t, const shape &s = small)
{
    chain_ptr w = make("apu-micro18", s, tiny);
    BOOST_REQUIRE_EQUAL(walkway_map_memory(w.get(), t.base_pa, t.data(), t.bytes(), 700), WALKWAY_OK);
    BOOST_REQUIRE_EQUAL(walkway_set_root(w.get(), 0, t.root()), WALKWAY_OK);
    return w;
}

std::vector<walkway_access> accesses(random_tables *t, size_t n)
{
    std::vector<walkway_access> all(n);
    for (walkway_access &a : all) {
        a.va = &a - all.data() > 10 && t->below(2) != 0 ? all[t->below(10)].va : t->address();
        a.unit = static_cast<uint32_t>(t->below(8));
        a.rights = static_cast<uint8_t>(t->rights());
        a.vmid = t->below(30) == 0 ? 3 : 0;
    }
    return all;
}

std::string bytes(const walkway_result &r)
{
    return std::string(reinterpret_cast<const char *>(&r), sizeof r);
}

std::string snapshot(const chain_ptr &w)
{
    size_t needed = 0;
    BOOST_REQUIRE_EQUAL(walkway_snapshot(w.get(), nullptr, 0, &needed), WALKWAY_E_SPACE);
    std::string all(needed, 0);
    BOOST_REQUIRE_EQUAL(walkway_snapshot(w.get(), &all[0], needed, nullptr), WALKWAY_OK);
    return all;
}

uint64_t statistic(const chain_ptr &w, const std::string &name)
{
    std::string text(1 << 16, 0);
    BOOST_REQUIRE_EQUAL(walkway_statistics(w.get(), &text[0], text.size(), nullptr), WALKWAY_OK);
    const size_t at = text.find("\"" + name + "\": {");
    BOOST_REQUIRE_MESSAGE(at != std::string::npos, name);
    return std::strtoull(text.c_str() + text.find("\"value\": ", at) + 9, nullptr, 10);
}

/* The results of these accesses, with an advance after each, and the state hash after all. */
std::string run(const chain_ptr &w, const std::vector<walkway_access> &all)
{
    std::string out;
    for (const walkway_access &a : all) {
        walkway_result r = {};
        walkway_translate(w.get(), &a, &r);
        out += bytes(r);
        walkway_advance(w.get(), a.va % 3000);
    }
    return out + std::to_string(walkway_state_hash(w.get()));
}

/* A table with one page: 0x3000 to 0x5000. */
struct one_page {
    alignas(4096) uint64_t words[4][512] = {};
    static constexpr uint64_t pa = 0x100000;
    one_page()
    {
        for (uint64_t node = 0; node < 3; ++node)
            words[node][0] = (pa + (node + 1) * 4096) | 7;
        words[3][3] = 0x5007;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(capi_contract)

BOOST_AUTO_TEST_CASE(look_changes_nothing_and_says_what_a_translation_would)
{
    random_tables t(small, 3);
    const chain_ptr w = over(t);
    for (const walkway_access &a : accesses(&t, 600)) {
        const uint64_t before = walkway_state_hash(w.get());
        walkway_result l = {}, r = {};
        const int looked = walkway_look(w.get(), &a, &l);
        BOOST_REQUIRE_EQUAL(walkway_state_hash(w.get()), before);
        BOOST_REQUIRE_EQUAL(walkway_translate(w.get(), &a, &r), looked);
        BOOST_REQUIRE(bytes(l).substr(0, 24) ==
                      bytes(r).substr(0, 24)); /* without done_ps: the line cache is small */
        BOOST_REQUIRE(walkway_state_hash(w.get()) != before);
    }
}

BOOST_AUTO_TEST_CASE(a_batch_is_its_accesses_one_by_one)
{
    random_tables t(small, 4);
    const chain_ptr one = over(t), many = over(t);
    const std::vector<walkway_access> all = accesses(&t, 2000);
    std::vector<walkway_result> results(all.size());
    size_t done = 0;
    BOOST_TEST(walkway_translate_batch(many.get(), all.data(), results.data(), all.size(), &done) ==
               WALKWAY_FAULT);
    BOOST_TEST(done == all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        walkway_result r = {};
        walkway_translate(one.get(), &all[i], &r);
        BOOST_REQUIRE(bytes(r) == bytes(results[i]));
    }
    BOOST_TEST(walkway_state_hash(one.get()) == walkway_state_hash(many.get()));
    std::vector<walkway_access> wrong(all.begin(), all.begin() + 5);
    wrong[3].rights = 8;
    refused(walkway_translate_batch(many.get(), wrong.data(), results.data(), 5, &done), WALKWAY_E_ARGUMENT,
            "rights");
    BOOST_TEST(done == 3u);
    BOOST_TEST(walkway_translate_batch(many.get(), nullptr, nullptr, 0, &done) == WALKWAY_OK);
    BOOST_TEST(done == 0u);
}

BOOST_AUTO_TEST_CASE(submitted_answers_come_when_they_are_due_in_the_order_of_their_times)
{
    random_tables t(small, 5);
    const chain_ptr now = over(t), later = over(t);
    const std::vector<walkway_access> all = accesses(&t, 200);
    std::vector<walkway_result> expected(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        walkway_translate(now.get(), &all[i], &expected[i]);
        expected[i].tag = i * 3;
        BOOST_REQUIRE_EQUAL(walkway_submit(later.get(), &all[i], i * 3), WALKWAY_OK);
    }
    walkway_result r = {};
    std::vector<bool> seen(all.size());
    uint64_t due = 0, last = 0, last_tag = 0, faults = 0;
    while (walkway_next_due(later.get(), &due) == WALKWAY_OK) {
        BOOST_REQUIRE(due >= last);
        if (due > walkway_now(later.get())) {
            BOOST_REQUIRE_EQUAL(walkway_advance(later.get(), due - walkway_now(later.get()) - 1), WALKWAY_OK);
            BOOST_REQUIRE_EQUAL(walkway_poll(later.get(), &r), WALKWAY_EMPTY);
            BOOST_REQUIRE_EQUAL(walkway_advance(later.get(), 1), WALKWAY_OK);
        }
        const int status = walkway_poll(later.get(), &r);
        BOOST_REQUIRE(bytes(r) == bytes(expected[r.tag / 3]));
        BOOST_REQUIRE_EQUAL(status, r.fault == 0 ? WALKWAY_OK : WALKWAY_FAULT);
        BOOST_REQUIRE(r.done_ps != last || r.tag > last_tag);
        BOOST_REQUIRE(!seen[r.tag / 3]);
        seen[r.tag / 3] = true;
        faults += r.fault != 0;
        last = r.done_ps;
        last_tag = r.tag;
    }
    BOOST_TEST(std::count(seen.begin(), seen.end(), true) == 200);
    BOOST_TEST(faults > 20u);
    BOOST_TEST(statistic(later, "polled") == 200u);
    BOOST_TEST(statistic(later, "pending_most") == 200u);
    BOOST_TEST(walkway_poll(later.get(), &r) == WALKWAY_EMPTY);
}

BOOST_AUTO_TEST_CASE(a_restored_object_goes_on_as_the_one_that_it_was_taken_from)
{
    random_tables t(small, 6);
    const chain_ptr w = over(t), other = over(t);
    run(w, accesses(&t, 500));
    for (const walkway_access &a : accesses(&t, 40))
        BOOST_REQUIRE_EQUAL(walkway_submit(w.get(), &a, a.va), WALKWAY_OK);
    BOOST_REQUIRE_EQUAL(walkway_set_root(w.get(), 3, t.root() + 4096), WALKWAY_OK);
    const std::string taken = snapshot(w);
    run(other, accesses(&t, 300));
    BOOST_REQUIRE_EQUAL(walkway_restore(other.get(), taken.data(), taken.size()), WALKWAY_OK);
    BOOST_TEST((snapshot(other) == taken));
    BOOST_TEST(walkway_now(other.get()) == walkway_now(w.get()));
    const std::vector<walkway_access> more = accesses(&t, 500);
    BOOST_TEST((run(w, more) == run(other, more)));
    walkway_result a = {}, b = {};
    for (unsigned i = 0; i < 40; ++i) {
        BOOST_REQUIRE_EQUAL(walkway_poll(w.get(), &a), walkway_poll(other.get(), &b));
        BOOST_REQUIRE(bytes(a) == bytes(b));
    }
    walkway_fault f = {}, g = {};
    while (walkway_next_fault(w.get(), &f) == WALKWAY_OK) {
        BOOST_REQUIRE_EQUAL(walkway_next_fault(other.get(), &g), WALKWAY_OK);
        BOOST_REQUIRE(std::memcmp(&f, &g, sizeof f) == 0);
    }
}

BOOST_AUTO_TEST_CASE(damaged_and_foreign_snapshots_are_refused_and_leave_all_as_it_was)
{
    random_tables t(small, 7);
    const chain_ptr w = over(t);
    run(w, accesses(&t, 200));
    const std::string good = snapshot(w);
    const uint64_t before = walkway_state_hash(w.get());
    for (size_t at = 0; at < good.size(); at += at < 64 ? 1 : 997) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 4);
        const int status = walkway_restore(w.get(), bad.data(), bad.size());
        BOOST_TEST(
            (status == WALKWAY_E_SNAPSHOT || (at >= 16 && at < 24 && status == WALKWAY_E_OTHER_CONFIG)), at);
        BOOST_TEST((walkway_restore(w.get(), good.data(), at) == WALKWAY_E_SNAPSHOT), at);
    }
    std::string next = good;
    next[8] = 2;
    refused(walkway_restore(w.get(), next.data(), next.size()), WALKWAY_E_SNAPSHOT,
            "format 2, and this library has 1");
    const chain_ptr slower = make("apu-micro18", small, {"l1_tlb.hit_cycles=2"});
    refused(walkway_restore(slower.get(), good.data(), good.size()), WALKWAY_E_OTHER_CONFIG,
            "other parameters");
    refused(walkway_restore(w.get(), nullptr, 5), WALKWAY_E_ARGUMENT, "NULL");
    BOOST_TEST(walkway_state_hash(w.get()) == before);
}

BOOST_AUTO_TEST_CASE(two_threads_with_an_object_each_are_as_one_after_the_other)
{
    random_tables t(small, 8);
    const std::vector<walkway_access> all = accesses(&t, 3000);
    const chain_ptr reference = over(t);
    const std::string expected = run(reference, all);
    std::string of[2];
    std::string errors[2];
    std::vector<std::thread> threads;
    for (unsigned n = 0; n < 2; ++n)
        threads.emplace_back([&, n] {
            const chain_ptr w = over(t);
            walkway_set_root(w.get(), n == 0 ? 99 : 0, n == 0 ? 0 : 1);
            of[n] = run(w, all);
            errors[n] = walkway_last_error();
        });
    for (std::thread &thread : threads)
        thread.join();
    BOOST_TEST((of[0] == expected));
    BOOST_TEST((of[1] == expected));
    BOOST_TEST(errors[0].find("vmid 99") != std::string::npos);
    BOOST_TEST(errors[1].find("4096") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_an_invalidate_names_is_walked_anew_and_a_missing_one_is_stale)
{
    one_page table;
    for (const bool high : {false, true}) {
        const uint64_t sign = high ? 0xffff800000000000 : 0, index = high ? 256 : 0;
        table.words[0][index] = table.words[0][0];
        table.words[3][3] = 0x5007;
        const chain_ptr w = make("apu-micro18", small);
        BOOST_REQUIRE_EQUAL(walkway_map_memory(w.get(), table.pa, table.words, sizeof table.words, 0),
                            WALKWAY_OK);
        BOOST_REQUIRE_EQUAL(walkway_set_root(w.get(), 0, table.pa), WALKWAY_OK);
        const walkway_access a = {sign + 0x3010, 0, 0, WALKWAY_READ, 0};
        walkway_result r = {};
        const auto pa = [&] { return walkway_translate(w.get(), &a, &r) == WALKWAY_OK ? r.pa : 0; };
        uint64_t page = 0x5000;
        const auto moves = [&](bool expected) {
            BOOST_TEST(pa() == page + 0x10);
            page += 0x1000;
            table.words[3][3] = page | 7;
            BOOST_TEST(pa() == page - 0x1000 + 0x10); /* still the old translation */
            if (!expected)
                page -= 0x1000;
        };
        const std::vector<std::pair<uint64_t, uint64_t>> ranges = {
            {sign + 0x3fff, 1},       {sign + 0x3000, 1}, {sign + 0x1000, 0x2001},
            {sign + 0x3fff, 0x10000}, {sign, UINT64_MAX}, {0x2000, UINT64_MAX}};
        for (const auto &[va, size] : ranges) {
            moves(true);
            BOOST_TEST(walkway_invalidate_range(w.get(), 0, va, size) == WALKWAY_OK);
            BOOST_TEST(pa() == page + 0x10);
        }
        moves(true);
        BOOST_TEST(walkway_invalidate_page(w.get(), 0, a.va & ~uint64_t{0xfff}) == WALKWAY_OK);
        moves(true);
        BOOST_TEST(walkway_invalidate_vmid(w.get(), 0) == WALKWAY_OK);
        moves(true);
        BOOST_TEST(walkway_invalidate_all(w.get()) == WALKWAY_OK);
        moves(true);
        BOOST_TEST(walkway_set_root(w.get(), 0, table.pa) == WALKWAY_OK);
        BOOST_TEST(pa() == page + 0x10);
        moves(false); /* an invalidate of another range drops nothing */
        BOOST_TEST(walkway_invalidate_page(w.get(), 0, sign + 0x4000) == WALKWAY_OK);
        BOOST_TEST(walkway_invalidate_page(w.get(), 1, a.va) == WALKWAY_OK);
        BOOST_TEST(walkway_invalidate_range(w.get(), 0, sign + 0x1000, 0x2000) == WALKWAY_OK);
        BOOST_TEST(walkway_invalidate_page(w.get(), 0, a.va ^ 0xffff800000000000) == WALKWAY_OK);
        BOOST_TEST(pa() == page + 0x10);
        table.words[3][3] = page | 7;

        walkway_access next = a;
        next.va += 0x1000;
        BOOST_TEST(walkway_translate(w.get(), &next, &r) == WALKWAY_FAULT); /* its nodes are cached */
        BOOST_TEST(r.fault == WALKWAY_FAULT_ABSENT);
        const uint64_t away = table.words[2][0];
        table.words[2][0] = (table.pa + 2 * 4096) | 7; /* walks now read entry 4 of node 2, not node 3 */
        table.words[2][4] = 0x9007;
        BOOST_TEST(walkway_translate(w.get(), &next, &r) == WALKWAY_FAULT);
        BOOST_TEST(r.fault == WALKWAY_FAULT_STALE);
        BOOST_TEST(walkway_invalidate_page(w.get(), 0, next.va) == WALKWAY_OK);
        BOOST_TEST(walkway_translate(w.get(), &next, &r) == WALKWAY_OK);
        BOOST_TEST(r.pa == 0x9010u);
        table.words[2][0] = away;
        table.words[2][4] = 0;
        BOOST_TEST(walkway_clear_root(w.get(), 0) == WALKWAY_OK);
        BOOST_TEST(walkway_translate(w.get(), &a, &r) == WALKWAY_FAULT);
        BOOST_TEST(r.fault == WALKWAY_FAULT_NO_TABLE);
    }
}

namespace
{
struct reader {
    walkway_chain *w = nullptr;
    const one_page *table = nullptr;
    uint64_t calls = 0, refuse_at = 0, latency = 0;
    int nested = 0;
};
int read_line(void *user, uint64_t line_pa, uint64_t line[8], uint64_t *latency_ps)
{
    auto *r = static_cast<reader *>(user);
    BOOST_TEST(line_pa % 64 == 0u);
    ++r->calls;
    r->nested = walkway_advance(r->w, 1);
    *latency_ps = r->latency;
    if (line_pa == r->refuse_at || line_pa - one_page::pa >= sizeof r->table->words)
        return -1;
    std::memcpy(line, &r->table->words[0][0] + (line_pa - one_page::pa) / 8, 64);
    return 0;
}
} // namespace

/* A read function throws at each read of each call: the caller gets the exception, and the object stays
 * usable. */
BOOST_AUTO_TEST_CASE(what_a_read_function_throws_is_its_callers)
{
    struct stop {
        uint64_t read;
    };
    one_page table;
    const chain_ptr w = make("apu-micro18", small);
    struct throwing : reader {
        uint64_t throw_at = UINT64_MAX;
    } r;
    r.w = w.get();
    r.table = &table;
    BOOST_REQUIRE_EQUAL(walkway_set_root(w.get(), 0, table.pa), WALKWAY_OK);
    BOOST_REQUIRE_EQUAL(walkway_set_reader(
                            w.get(),
                            [](void *user, uint64_t line_pa, uint64_t line[8], uint64_t *latency_ps) {
                                auto *all = static_cast<throwing *>(user);
                                if (all->calls == all->throw_at)
                                    throw stop{all->calls};
                                return read_line(user, line_pa, line, latency_ps);
                            },
                            &r),
                        WALKWAY_OK);
    const walkway_access good = {0x3010, 0, 0, WALKWAY_READ, 0}, bad = {0x7fff000, 0, 0, WALKWAY_READ, 0};
    walkway_result result = {};
    size_t done = 0;
    const std::function<int(const walkway_access &)> calls[] = {
        [&](const walkway_access &a) { return walkway_translate(w.get(), &a, &result); },
        [&](const walkway_access &a) { return walkway_look(w.get(), &a, &result); },
        [&](const walkway_access &a) { return walkway_translate_batch(w.get(), &a, &result, 1, &done); },
        [&](const walkway_access &a) {
            const int status = walkway_submit(w.get(), &a, 1);
            if (status == WALKWAY_OK) {
                uint64_t due = 0;
                walkway_next_due(w.get(), &due);
                walkway_advance(w.get(), due - walkway_now(w.get()));
                return walkway_poll(w.get(), &result);
            }
            return status;
        }};
    for (const auto &call : calls)
        for (const walkway_access &a : {good, bad})
            for (uint64_t at = 0, thrown = 1; thrown != 0; ++at) {
                walkway_invalidate_all(w.get());
                r.calls = thrown = 0;
                r.throw_at = at;
                try {
                    call(a);
                } catch (const stop &s) {
                    BOOST_TEST(s.read == at);
                    ++thrown;
                }
                BOOST_TEST((thrown != 0 || at >= 4));
                r.throw_at = UINT64_MAX;
                walkway_invalidate_all(w.get());
                BOOST_TEST(call(a) == (a.va == good.va ? WALKWAY_OK : WALKWAY_FAULT));
            }
}

BOOST_AUTO_TEST_CASE(a_read_function_is_memory_where_no_region_is)
{
    one_page table;
    const chain_ptr w = make("apu-micro18", small);
    reader r;
    r.w = w.get();
    r.table = &table;
    const walkway_access a = {0x3010, 0, 0, WALKWAY_READ, 0};
    walkway_result result = {};
    BOOST_REQUIRE_EQUAL(walkway_set_root(w.get(), 0, table.pa), WALKWAY_OK);
    BOOST_TEST(walkway_translate(w.get(), &a, &result) == WALKWAY_FAULT);
    BOOST_TEST(result.fault == WALKWAY_FAULT_MEMORY);
    BOOST_REQUIRE_EQUAL(walkway_set_reader(w.get(), read_line, &r), WALKWAY_OK);
    r.latency = 1000;
    BOOST_TEST(walkway_translate(w.get(), &a, &result) == WALKWAY_OK);
    BOOST_TEST(r.calls == 4u);
    refused(r.nested, WALKWAY_E_BUSY, "read function");
    BOOST_TEST(walkway_now(w.get()) == 0u);
    const uint64_t took = result.done_ps;
    walkway_invalidate_all(w.get());
    r.latency = 3000;
    BOOST_TEST(walkway_translate(w.get(), &a, &result) == WALKWAY_OK);
    BOOST_TEST(result.done_ps == took + 4 * 2000);
    for (const uint64_t latency : {uint64_t{1} << 50, (uint64_t{1} << 50) + 1, UINT64_MAX}) {
        walkway_invalidate_all(w.get());
        r.latency = latency;
        BOOST_TEST(walkway_translate(w.get(), &a, &result) ==
                   (latency == uint64_t{1} << 50 ? WALKWAY_OK : WALKWAY_FAULT));
    }
    BOOST_TEST(result.fault == WALKWAY_FAULT_MEMORY);
    r.latency = 0;
    r.refuse_at = table.pa + 2 * 4096;
    walkway_invalidate_all(w.get());
    walkway_fault f = {};
    while (walkway_next_fault(w.get(), &f) == WALKWAY_OK) {
    }
    BOOST_TEST(walkway_translate(w.get(), &a, &result) == WALKWAY_FAULT);
    BOOST_TEST(walkway_next_fault(w.get(), &f) == WALKWAY_OK);
    BOOST_TEST(f.reason == WALKWAY_FAULT_MEMORY);
    BOOST_TEST(f.level == 2u);
    BOOST_TEST(f.entry_pa == r.refuse_at);
    /* a region has priority over the read function, for whole lines only */
    r.calls = 0;
    BOOST_TEST(walkway_map_memory(w.get(), table.pa + 2 * 4096, table.words[2], 4096, 5) == WALKWAY_OK);
    walkway_invalidate_all(w.get());
    BOOST_TEST(walkway_translate(w.get(), &a, &result) == WALKWAY_OK);
    BOOST_TEST(r.calls == 3u);
    BOOST_TEST(statistic(w, "walks.reads_refused") == 4u);
}

BOOST_AUTO_TEST_CASE(a_page_above_the_width_of_physical_addresses_is_malformed)
{
    one_page table;
    for (const unsigned bits : {32u, 33u}) {
        walkway_options o = {};
        o.physical_bits = bits;
        const chain_ptr w = make("apu-micro18", std::vector<std::string>(), o);
        table.words[3][3] = 0x1ffff5007;
        BOOST_REQUIRE_EQUAL(walkway_map_memory(w.get(), table.pa, table.words, sizeof table.words, 0),
                            WALKWAY_OK);
        BOOST_REQUIRE_EQUAL(walkway_set_root(w.get(), 0, table.pa), WALKWAY_OK);
        const walkway_access a = {0x3010, 0, 0, WALKWAY_READ, 0};
        walkway_result r = {};
        for (unsigned n = 0; n < 2; ++n) {
            walkway_translate(w.get(), &a, &r);
            BOOST_TEST(r.fault == (bits == 32 ? WALKWAY_FAULT_MALFORMED : WALKWAY_FAULT_NONE));
            BOOST_TEST(r.pa == (bits == 32 ? 0 : 0x1ffff5010));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_full_fault_queue_drops_and_counts)
{
    walkway_options o = {};
    o.faults = 3;
    const chain_ptr w = make("apu-micro18", {}, o);
    walkway_result r = {};
    walkway_fault f = {};
    for (uint64_t i = 0; i < 5; ++i) {
        const walkway_access a = {i << 12, 0, 0, WALKWAY_WRITE, 0};
        BOOST_TEST(walkway_translate(w.get(), &a, &r) == WALKWAY_FAULT);
        if (i == 0) {
            BOOST_TEST(walkway_next_fault(w.get(), &f) == WALKWAY_OK);
        }
    }
    BOOST_TEST(statistic(w, "faults_dropped") == 1u);
    BOOST_TEST(statistic(w, "faults.no_table") == 5u);
    for (uint64_t i = 1; i < 4; ++i) {
        BOOST_TEST(walkway_next_fault(w.get(), &f) == WALKWAY_OK);
        BOOST_TEST(f.va == i << 12);
        BOOST_TEST(f.rights == WALKWAY_WRITE);
        BOOST_TEST(f.level == 0u);
    }
    BOOST_TEST(walkway_next_fault(w.get(), &f) == WALKWAY_EMPTY);
    BOOST_TEST(walkway_reset_statistics(w.get()) == WALKWAY_OK);
    BOOST_TEST(statistic(w, "faults.no_table") == 0u);
    BOOST_TEST(statistic(w, "accesses") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
