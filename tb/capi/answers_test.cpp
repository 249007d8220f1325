/* SPDX-License-Identifier: MIT */
/* tb/capi/answers_test.cpp - the C library as its user sees it: every answer equals that of a walk over the
 * table by the format's manual, whatever TLBs and walk caches hold; all ways to ask give equal answers. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "tb/capi/random_tables.hpp"

#include <ostream>

using namespace walkway_test;
namespace data = boost::unit_test::data;

namespace capi_answers
{

struct machine {
    const char *platform;
    std::vector<std::string> settings;
};

std::vector<machine> machines()
{
    return {{"apu-micro18", {}},
            {"apu-micro18",
             {"l1_tlb.entries=8", "l1_tlb.ways=4", "l2_tlb.entries=16", "l2_tlb.ways=4",
              "walk_unit.pte_cache_bytes=1024", "iommu_tlb.tlb1_entries=4", "iommu_tlb.tlb2_entries=0",
              "victim.entries=8", "l2_tlb.replace=random", "victim.victims=pass", "l2_tlb.fills=8"}},
            {"mmu-hpca14",
             {"gpu.cus=3", "victim.entries=8", "victim.shared_by=2", "walk_unit.shared_by=2",
              "walk_unit.pwc_l2=4", "l1_tlb.entries=16", "l1_tlb.ways=16"}},
            {"mmu-hpca14-shared-l2", {"gpu.cus=16", "l1_tlb.entries=4", "l1_tlb.ways=4"}}};
}
std::ostream &operator<<(std::ostream &out, const machine &m)
{
    return out << m.platform << " with " << m.settings.size() << " settings";
}
std::vector<shape> shapes()
{
    return {{format::radix, 4, "4k"}, {format::radix, 5, "mixed"}, {format::x86, 4, "mixed"},
            {format::x86, 5, "4k"},   {format::amd, 3, "4k"},      {format::amd, 6, "mixed"}};
}

walkway_access access(random_tables &t, const walkway_chain *w, uint64_t va)
{
    walkway_access a = {};
    a.va = va;
    a.unit = static_cast<uint32_t>(t.below(walkway_units(w)));
    a.rights = static_cast<uint8_t>(t.rights());
    return a;
}

void expect(const naive_answer &n, const walkway_access &a, int status, const walkway_result &r)
{
    BOOST_REQUIRE_EQUAL(r.fault, n.reason);
    BOOST_REQUIRE_EQUAL(status, n.reason == WALKWAY_FAULT_NONE ? WALKWAY_OK : WALKWAY_FAULT);
    BOOST_REQUIRE_EQUAL(r.pa, n.pa);
    BOOST_REQUIRE_EQUAL(r.rights, n.rights);
    BOOST_REQUIRE_EQUAL(r.va, a.va);
    BOOST_REQUIRE_EQUAL(r.unit, a.unit);
    BOOST_REQUIRE(r.done_ps >= r.issued_ps);
}

void ask_at_random(const machine &m, const shape &s, uint64_t *seen)
{
    random_tables t(s, 7);
    const chain_ptr w = make(m.platform, s, m.settings), looked = make(m.platform, s, m.settings);
    for (walkway_chain *c : {w.get(), looked.get()}) {
        BOOST_REQUIRE_EQUAL(walkway_map_memory(c, t.base_pa, t.data(), t.bytes(), 1000), WALKWAY_OK);
        BOOST_REQUIRE_EQUAL(walkway_set_root(c, 0, t.root()), WALKWAY_OK);
    }
    std::vector<uint64_t> again;
    for (unsigned i = 0; i < 3000; ++i) {
        if (i % 200 == 199) { /* changes the table and invalidates all */
            for (unsigned n = 0; n < 60; ++n)
                t.change();
            BOOST_REQUIRE_EQUAL(walkway_invalidate_vmid(w.get(), 0), WALKWAY_OK);
        }
        const uint64_t va = again.size() > 20 && t.below(2) == 0 ? again[t.below(again.size())] : t.address();
        again.push_back(va);
        const walkway_access a = access(t, w.get(), va);
        const naive_answer n = t.walk(va, a.rights);
        ++seen[n.reason];
        walkway_result r = {}, l = {};
        const int looking = walkway_look(w.get(), &a, &l);
        expect(n, a, looking, l);
        expect(n, a, walkway_translate(w.get(), &a, &r), r);
        expect(n, a, walkway_look(looked.get(), &a, &l), l);
        walkway_fault f = {};
        if (n.reason == WALKWAY_FAULT_NONE) {
            BOOST_REQUIRE_EQUAL(walkway_next_fault(w.get(), &f), WALKWAY_EMPTY);
        } else {
            BOOST_REQUIRE_EQUAL(walkway_next_fault(w.get(), &f), WALKWAY_OK);
            BOOST_REQUIRE_EQUAL(f.va, va);
            BOOST_REQUIRE_EQUAL(f.reason, n.reason);
            BOOST_REQUIRE_EQUAL(f.entry_pa, n.entry_pa);
            BOOST_REQUIRE_EQUAL(f.level, n.level);
            BOOST_REQUIRE_EQUAL(f.at_ps, r.done_ps);
        }
        BOOST_REQUIRE_EQUAL(walkway_advance(w.get(), t.below(5000)), WALKWAY_OK);
    }
}

} // namespace capi_answers
using namespace capi_answers;

BOOST_AUTO_TEST_SUITE(capi_answers_of)

BOOST_DATA_TEST_CASE(every_answer_is_the_tables, data::make(machines()), m)
{
    uint64_t seen[WALKWAY_FAULT_REASONS] = {};
    for (const shape &s : shapes())
        BOOST_TEST_CONTEXT(s)
        {
            ask_at_random(m, s, seen);
        }
    for (const unsigned reason : {WALKWAY_FAULT_NONE, WALKWAY_FAULT_ABSENT, WALKWAY_FAULT_MALFORMED,
                                  WALKWAY_FAULT_ADDRESS, WALKWAY_FAULT_MEMORY, WALKWAY_FAULT_RIGHTS})
        BOOST_TEST(seen[reason] > 10u, walkway_fault_name(reason));
}

BOOST_AUTO_TEST_SUITE_END()
