/* SPDX-License-Identifier: MIT */
/* tb/capi/random_calls_test.cpp - random calls, most of them invalid, over tables that change meanwhile and
 * bytes that never were a table: every status is one that the header declares, no memory outside the
 * arguments is accessed, and outputs are consistent. Most useful with the address sanitizer. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tb/capi/random_tables.hpp"

using namespace walkway_test;
namespace data = boost::unit_test::data;

namespace
{

int noise(void *user, uint64_t line_pa, uint64_t line[8], uint64_t *latency_ps)
{
    auto &t = *static_cast<random_tables *>(user);
    for (unsigned i = 0; i < 8; ++i)
        line[i] = t.below(UINT64_MAX);
    *latency_ps = line_pa % 7 == 0 ? t.below(UINT64_MAX) : t.below(5000);
    return t.below(10) == 0 ? -1 : 0;
}

/* An argument: near sensible values, or any bits. */
uint64_t some(random_tables &t, uint64_t sensible)
{
    const uint64_t which = t.below(8);
    return which < 5    ? t.below(sensible)
           : which == 5 ? UINT64_MAX - t.below(3)
           : which == 6 ? t.below(UINT64_MAX)
                        : sensible;
}

walkway_access some_access(random_tables &t)
{
    walkway_access a = {};
    a.va = t.below(4) == 0 ? some(t, UINT64_MAX) : t.address();
    a.unit = static_cast<uint32_t>(t.below(20) == 0 ? some(t, 9) : t.below(4));
    a.vmid = static_cast<uint16_t>(t.below(3) == 0 ? some(t, 5) : t.below(3));
    a.rights = static_cast<uint8_t>(t.below(20) == 0 ? some(t, 9) : t.rights());
    a.reserved = t.below(100) == 0 ? 1 : 0;
    return a;
}

void one_call(random_tables &t, walkway_chain *w, std::vector<char> &snapshot, uint64_t *statuses)
{
    const walkway_access a = some_access(t);
    walkway_result r = {};
    walkway_fault f = {};
    std::vector<char> text(t.below(20000));
    size_t needed = 0;
    uint64_t due = 0;
    int status = 0;
    switch (t.below(24)) {
    case 0:
        status = walkway_look(w, &a, &r);
        break;
    case 1:
        status = walkway_submit(w, &a, t.below(UINT64_MAX));
        break;
    case 2:
    case 3:
        status = walkway_poll(w, &r);
        BOOST_REQUIRE(status != WALKWAY_OK || r.done_ps <= walkway_now(w));
        break;
    case 4:
        status = walkway_next_due(w, &due);
        break;
    case 5:
        status = walkway_advance(w, t.below(50) == 0 ? some(t, 1 << 20) : t.below(100000));
        break;
    case 6:
        status = walkway_invalidate_page(w, static_cast<uint32_t>(some(t, 5)), some(t, UINT64_MAX));
        break;
    case 7:
        status =
            walkway_invalidate_range(w, static_cast<uint32_t>(some(t, 5)), t.address(), some(t, 1 << 20));
        break;
    case 8:
        status = walkway_invalidate_vmid(w, static_cast<uint32_t>(some(t, 5)));
        break;
    case 9:
        status = walkway_invalidate_all(w);
        break;
    case 10:
        status = walkway_next_fault(w, &f);
        BOOST_REQUIRE(f.reason < WALKWAY_FAULT_REASONS);
        break;
    case 11:
        status = walkway_statistics(w, text.data(), text.size(), &needed);
        BOOST_REQUIRE((status == WALKWAY_OK) == (needed <= text.size() && needed != 0));
        break;
    case 12:
        status =
            walkway_set_root(w, static_cast<uint32_t>(some(t, 4)),
                             t.below(2) == 0 ? some(t, uint64_t{1} << 52) : t.root() + t.below(40) * 4096);
        break;
    case 13:
        status = walkway_clear_root(w, static_cast<uint32_t>(some(t, 4)));
        break;
    case 14:
        status = walkway_set_reader(w, t.below(3) == 0 ? nullptr : noise, &t);
        break;
    case 15:
        snapshot.resize(1 << 20);
        status =
            walkway_snapshot(w, snapshot.data(), t.below(4) == 0 ? t.below(100) : snapshot.size(), &needed);
        snapshot.resize(status == WALKWAY_OK ? needed : 0);
        break;
    case 16:
        if (!snapshot.empty() && t.below(2) == 0)
            snapshot[t.below(snapshot.size())] ^= static_cast<char>(t.below(256));
        status = walkway_restore(w, snapshot.data(),
                                 t.below(4) == 0 ? t.below(snapshot.size() + 1) : snapshot.size());
        break;
    case 17:
        t.change();
        break;
    default: {
        const std::vector<walkway_access> all(1 + t.below(4), a);
        std::vector<walkway_result> results(all.size());
        status = walkway_translate_batch(w, all.data(), results.data(), all.size(), &needed);
        BOOST_REQUIRE(needed == (status < 0 ? 0 : all.size()));
        for (size_t i = 0; i < needed; ++i) {
            BOOST_REQUIRE(results[i].fault < WALKWAY_FAULT_REASONS);
            BOOST_REQUIRE(results[i].done_ps >= results[i].issued_ps);
            BOOST_REQUIRE((results[i].fault == 0) == (results[i].page_shift >= 12));
        }
    }
    }
    BOOST_REQUIRE_MESSAGE(status != WALKWAY_E_INTERNAL, walkway_last_error());
    BOOST_REQUIRE(walkway_status_name(status) != std::string("?"));
    ++statuses[status + 16];
}

} // namespace

BOOST_AUTO_TEST_SUITE(capi_random_calls)

BOOST_DATA_TEST_CASE(nothing_breaks_it, data::xrange(12), n)
{
    const shape shapes[] = {{format::radix, 4, "mixed"}, {format::radix, 5, "64k"}, {format::x86, 4, "2m"},
                            {format::x86, 5, "4k"},      {format::amd, 6, "mixed"}, {format::amd, 1, "4k"}};
    const shape &s = shapes[n % 6];
    random_tables t(s, static_cast<uint64_t>(n) + 100);
    const chain_ptr w = n % 2 == 0
                            ? make("apu-micro18", s,
                                   {"victim.entries=8", "l2_tlb.fills=4", "l2_tlb.entries=32",
                                    "l2_tlb.ways=4", "walk_unit.pte_cache_bytes=4096"})
                            : make("mmu-hpca14", s,
                                   {"gpu.cus=4", "walk_unit.pwc_l2=4", "l1_tlb.entries=16", "l1_tlb.ways=4"});
    BOOST_REQUIRE_EQUAL(walkway_map_memory(w.get(), t.base_pa, t.data(), t.bytes(), 100), WALKWAY_OK);
    std::vector<char> snapshot;
    uint64_t statuses[32] = {};
    for (unsigned i = 0; i < 4000; ++i)
        one_call(t, w.get(), snapshot, statuses);
    for (const int status :
         {WALKWAY_OK, WALKWAY_FAULT, WALKWAY_EMPTY, WALKWAY_E_ARGUMENT, WALKWAY_E_SPACE, WALKWAY_E_SNAPSHOT})
        BOOST_TEST(statuses[status + 16] > 5u, walkway_status_name(status));
}

BOOST_AUTO_TEST_SUITE_END()
