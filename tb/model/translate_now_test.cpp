/* SPDX-License-Identifier: MIT */
/* Two chains of stages: one is requested in time, one request at a time, the other within a call. After every
 * request both have the same answers and times, and the same contents to the last byte. */
#include "model/iommu_tlb.hpp"
#include "model/tlb.hpp"
#include "model/walk_unit.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/bunch_store.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t base_va = uint64_t{1} << 40;

struct shape {
    std::string name;
    address_space_params space = numbers_of<address_space_params>();
    tlb_params l1 = numbers_of<tlb_params>(), l2 = numbers_of<tlb_params>();
    iommu_tlb_params iommu = numbers_of<iommu_tlb_params>();
    walk_unit_params walks = numbers_of<walk_unit_params>();
};
std::ostream &operator<<(std::ostream &out, const shape &s)
{
    return out << s.name;
}

shape plain(const std::string &name)
{
    shape s;
    s.name = name;
    s.space.spaces = 2;
    s.l1.entries = s.l1.ways = 8;
    s.l1.hit_cycles = 3;
    s.l2.entries = 32;
    s.l2.ways = 4;
    s.l2.hit_cycles = 11;
    s.l2.link_cycles = 7;
    s.iommu.tlb1_entries = 4;
    s.iommu.tlb2_entries = 16;
    s.iommu.tlb2_ways = 4;
    s.walks.pwc_l2 = 4;
    s.walks.pwc_l3 = 2;
    s.walks.pwc_l4 = 1;
    return s;
}

std::vector<shape> shapes()
{
    std::vector<shape> all;
    const auto add = [&](const char *name, const std::function<void(shape &)> &change) {
        all.push_back(plain(name));
        change(all.back());
    };
    add("plain", [](shape &) {});
    add("random replacement", [](shape &s) { s.l1.replace = s.l2.replace = WW_REPLACE_RANDOM; });
    add("victims are passed", [](shape &s) {
        s.l1.victims = 1;
        s.l2.fills = 8;
    });
    add("a cache of table lines", [](shape &s) {
        s.walks.pte_cache_bytes = 512;
        s.walks.pte_cache_ways = 4;
        s.walks.pwc_cycles = 2;
    });
    add("a cache of table lines but the last", [](shape &s) {
        s.walks.pte_cache_bytes = 512;
        s.walks.pte_cache_holds = 1;
    });
    add("one array in the IOMMU", [](shape &s) { s.iommu.tlb1_entries = 0; });
    add("the other array", [](shape &s) { s.iommu.tlb2_entries = 0; });
    add("walks in no time", [](shape &s) {
        s.walks.zero_walk = true;
        s.walks.pte_cache_bytes = 512;
    });
    add("no way to memory", [](shape &s) { s.walks.read_cycles = s.walks.reply_cycles = 0; });
    add("five levels", [](shape &s) { s.space.levels = 5; });
    add("AMD's table", [](shape &s) { s.space.table.choose("amd_v1"); });
    add("pages of two sizes", [](shape &s) {
        s.space.page = 3;
        s.l1.size_probe_cycles = s.l2.size_probe_cycles = 2;
    });
    add("compressed entries", [](shape &s) {
        s.l1.victims = 1;
        s.l2.fills = 8;
        s.l2.store.choose("compressed");
        s.l2.store.set("compressed_ways", 2);
        s.l2.store.set("rebase_after", 3);
    });
    add("coalesced", [](shape &s) { s.walks.coalesce = WW_COALESCE_FULL; });
    return all;
}

/* The stages, and memory that returns its lines in no time. */
struct chain {
    tlb l1, l2;
    iommu_tlb iommu;
    walk_unit walks;
    mem_responder memory;
    std::vector<translator *> parts;

    static tlb_params with(tlb_params p, const address_spaces &spaces)
    {
        p.page_sizes = spaces[0].page_sizes();
        return p;
    }
    static iommu_tlb_params with(iommu_tlb_params p, const address_spaces &spaces)
    {
        p.page_sizes = spaces[0].page_sizes();
        return p;
    }
    chain(const std::string &n, const shape &s, const address_spaces &spaces, memory_store &store)
        : l1((n + "_l1").c_str(), gpu_clock, with(s.l1, spaces), {"l1", "L1"}, 1),
          l2((n + "_l2").c_str(), gpu_clock, with(s.l2, spaces), {"l2", "L2"}, 1),
          iommu((n + "_iommu").c_str(), gpu_clock, with(s.iommu, spaces), 1),
          walks((n + "_walks").c_str(), gpu_clock, s.walks, spaces.tables(), 1),
          memory((n + "_memory").c_str())
    {
        l1.down.bind(*l2.up[0]);
        l2.down.bind(*iommu.up[0]);
        iommu.down.bind(*walks.up[0]);
        walks.mem.bind(memory.up);
        memory.latency = 0;
        serve(memory, store);
        parts = {l1.up[0]->translates(), l2.up[0]->translates(), iommu.up[0]->translates(),
                 walks.up[0]->translates()};
    }
    std::vector<std::string> dump()
    {
        std::vector<std::string> d;
        for (const translator *t : parts) {
            BOOST_TEST(t->check() == nullptr);
            t->states([&](const char *, const void *bytes, size_t size) {
                d.emplace_back(static_cast<const char *>(bytes), size);
            });
        }
        return d;
    }
};

struct both {
    static constexpr unsigned requests = 500;
    memory_store store;
    std::vector<va_range> ranges{
        {base_va, 100 * 4096}, {base_va + (uint64_t{1} << 30), 3 << 20}, {base_va << 1, 40 * 4096}};
    address_spaces spaces;
    simulation sim;
    asker top{"top"}, idle{"idle"};
    chain timed, now;
    actor checks;
    ww_rng random;
    uint64_t faults = 0, looks = 0;

    explicit both(const shape &s)
        : spaces(s.space, ranges, store), timed("timed", s, spaces, store), now("now", s, spaces, store)
    {
        top.down.bind(*timed.l1.up[0]);
        idle.down.bind(*now.l1.up[0]);
        ww_rng_init(&random, 4);
        for (unsigned i = 0; i < requests; ++i) {
            const now_request r = some_request();
            const tick at = cycle(5000 * (i + 1));
            top.ask(r.va, at, r.vmid);
            checks.at(at + cycle(4000), [this, r, at] { compare(r, at + cycle(1)); });
        }
        sim.run();
    }
    now_request some_request()
    {
        const va_range &range = ranges[ww_rng_below(&random, 3)];
        const uint32_t vms = 2 + (ww_rng_below(&random, 20) == 0); /* the last has no table */
        const uint64_t beyond = ww_rng_below(&random, 20) == 0 ? uint64_t{1} << 32 : 0;
        return {range.base_va + ww_rng_next(&random) % range.bytes + beyond,
                static_cast<uint16_t>(ww_rng_below(&random, vms))};
    }
    void expect(const now_answer &a, const now_request &r)
    {
        ww_xlat x{};
        const bool mapped = r.vmid < 2 && spaces[r.vmid].translate(r.va, &x);
        BOOST_TEST(a.fault == !mapped);
        if (mapped)
            BOOST_TEST(ww_xlat_same(&a.xlat, &x));
    }
    void compare(const now_request &r, tick at)
    {
        const auto before = now.dump();
        const now_request other = some_request();
        for (translator *t : now.parts) {
            expect(t->translate_now(other, at, now_how::look), other);
            ++looks;
        }
        BOOST_TEST((now.dump() == before), "a look has changed something");
        const now_answer a = now.parts[0]->translate_now(r, at, now_how::commit);
        expect(a, r);
        faults += a.fault;
        BOOST_REQUIRE(!top.answers.empty());
        const asker::answer &in_time = top.answers.back();
        BOOST_TEST(in_time.page_pa == (a.fault ? 0 : a.xlat.page_pa));
        BOOST_TEST(in_time.at == a.at);
        BOOST_TEST((timed.dump() == now.dump()), "the chains hold different things");
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(translate_now_and_in_time)

BOOST_DATA_TEST_CASE(one_request_at_a_time_leaves_what_a_commit_leaves_and_takes_as_long,
                     data::make(shapes()), s)
{
    both b(s);
    BOOST_TEST(b.top.answers.size() == both::requests);
    BOOST_TEST(b.looks == 4u * both::requests);
    BOOST_TEST(b.faults > 10u);
    BOOST_TEST(b.now.l1.stats().lookups == 0u, "a call is no request");
}

/* A store that keeps only what is passed on to it, and gives up what hits. */
BOOST_AUTO_TEST_CASE(a_store_that_moves_its_hits_up_holds_the_same_too)
{
    simulation sim;
    struct two {
        bunch *first_held = nullptr, *second_held = nullptr;
        xlat_stage first, second;
        root end;
        explicit two(const std::string &n)
            : first((n + "_first").c_str(), gpu_clock, make_bunch(3, first_held), {"l1", "L1"},
                    {1, 8, 8, 8, 5, 1, 0}, {0, true, true, false}, 12, 1),
              second((n + "_second").c_str(), gpu_clock, make_bunch(6, second_held), {"l2", "L2"},
                     {1, 8, 8, 8, 5, 1, 0}, {8, false, false, true}, 12, 1),
              end((n + "_end").c_str())
        {
            first.down.bind(*second.up[0]);
            second.down.bind(end.up);
        }
        std::vector<uint64_t> pages() const
        {
            std::vector<uint64_t> all;
            for (const bunch *b : {first_held, second_held})
                for (const ww_mapping *m = b->held.begin(); m != b->held.begin() + b->count; ++m)
                    all.push_back(m->va >> 12);
            return all;
        }
    };
    two timed("timed"), now("now");
    asker top("top"), idle("idle");
    top.down.bind(*timed.first.up[0]);
    idle.down.bind(*now.first.up[0]);
    actor checks;
    ww_rng random;
    ww_rng_init(&random, 6);
    uint64_t compared = 0;
    for (unsigned i = 0; i < 300; ++i) {
        const uint64_t va = base_va + ww_rng_below(&random, 9) * 4096;
        top.ask(va, cycle(1000 * (i + 1)));
        checks.at(cycle(1000 * (i + 1) + 900), [&, va] {
            now.first.up[0]->translates()->translate_now({va, 0}, now.first.now(), now_how::commit);
            BOOST_TEST(timed.pages() == now.pages(), boost::test_tools::per_element());
            ++compared;
        });
    }
    sim.run();
    BOOST_TEST(compared == 300u);
    BOOST_TEST(timed.second.stats().moved > 10u);
}

BOOST_AUTO_TEST_SUITE_END()
