/* SPDX-License-Identifier: MIT */
/* The contract suite on every block that answers translations or memory accesses, each also with queues and
 * ports of one entry. */
#include "model/data_cache.hpp"
#include "model/dram.hpp"
#include "model/icache.hpp"
#include "model/lds.hpp"
#include "model/memory_tlb.hpp"
#include "model/perfect_tlb.hpp"
#include "model/tlb.hpp"
#include "tb/model/iommu_params.hpp"
#include "tb/model/xlat_rig.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/foreign_memory.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

/* A foreign memory stalls on its own. */
inline void stall(bool, foreign_memory &) {}

template <bool FOREIGN> using memory_below = std::conditional_t<FOREIGN, foreign_memory, mem_responder>;

template <bool TIGHT> struct tlb_rig : xlat_rig {
    static tlb_params params(const std::string &held_in)
    {
        tlb_params p = numbers_of<tlb_params>();
        p.store.choose(held_in);
        p.entries = p.ways = held_in == "plain" ? 8 : 16;
        p.hit_cycles = 5;
        p.ports = TIGHT ? 1 : 2;
        p.queue_entries = p.mshrs = p.merges = TIGHT ? 1 : 6;
        return p;
    }
    xlat_responder below{"below", gpu_clock, TIGHT ? 1u : 4u};
    tlb dut;

    explicit tlb_rig(bool refusing, const std::string &held_in = "plain")
        : dut("tlb", gpu_clock, params(held_in), {"l1", "L1 TLB"}, 1)
    {
        top.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        dawdle(refusing, top);
        stall(refusing, below);
        below.latency = 30;
        translate(below);
    }
    auto stats() const { return stat_text::of(dut.stats()); }
    std::string waiting() const { return dut.waiting(); }
    uint64_t live() const { return dut.mshrs_used(); }
    void close(tick until) { below.closed_until = until; }
    uint64_t bound() const { return TIGHT ? 2 + 1 + 1 : 6 + 6 + 6 + 1; } /* MSHRs, merges, queue, blocked */
};

template <uint8_t MODE, bool TIGHT, bool FOREIGN = false> struct iommu_contract_rig : xlat_rig {
    static iommu_params params()
    {
        iommu_params p;
        p.tlb.tlb1_entries = 2;
        p.tlb.tlb2_entries = p.tlb.tlb2_ways = 4;
        p.walk.coalesce = MODE;
        p.walk.walkers = TIGHT ? 1 : 3;
        p.tlb.ports = TIGHT ? 1 : 2;
        p.tlb.queue_entries = p.walk.queue_entries = p.walk.buffer_entries = p.walk.backlog_entries =
            TIGHT ? 1 : 4;
        p.walk.read_cycles = p.walk.reply_cycles = 3;
        return p;
    }
    memory_below<FOREIGN> below{"below", gpu_clock, TIGHT ? 1u : 4u};
    iommu_tlb tlbs{"iommu_tlb", gpu_clock, params().tlb, 1};
    walk_unit dut{"walk_unit", gpu_clock, params().walk, space[0].table(), 1};
    base_protocol rules;

    explicit iommu_contract_rig(bool refusing)
    {
        top.down.bind(*tlbs.up[0]);
        tlbs.down.bind(*dut.up[0]);
        rules.bind(dut.mem, below.up);
        dawdle(refusing, top);
        stall(refusing, below);
        below.latency = 20;
        serve(below, store);
    }
    auto stats() const
    {
        stat_text text;
        tlbs.visit(text, 0);
        dut.stats().visit(text);
        return text.all;
    }
    std::string waiting() const { return tlbs.waiting() + dut.waiting(); }
    uint64_t live() const { return dut.live() + dut.buffered() + dut.busy_walkers(); }
    void close(tick until) { below.closed_until = until; }
    /* walking, buffered, backlog, queue, blocked, queue of the TLBs, blocked there; nothing was walked, so
     * nothing hits */
    uint64_t bound() const { return TIGHT ? 7 * 1 : 3 + 4 + 4 + 4 + 1 + 4 + 1; }
};

/* A walk unit without TLBs above it and without a backlog. */
template <bool TIGHT> struct unit_contract_rig : xlat_rig {
    static walk_unit_params params(const char *schedule)
    {
        walk_unit_params p = numbers_of<walk_unit_params>();
        p.schedule.choose(schedule);
        p.coalesce = WW_COALESCE_FULL;
        p.backlog_entries = 0;
        p.walkers = TIGHT ? 1 : 3;
        p.queue_entries = p.buffer_entries = TIGHT ? 1 : 4;
        p.read_cycles = p.reply_cycles = 3;
        p.response_cycles = 1;
        return p;
    }
    mem_responder below{"below", gpu_clock, TIGHT ? 1u : 4u};
    walk_unit dut;
    base_protocol rules;

    explicit unit_contract_rig(bool refusing, const char *schedule = "fcfs")
        : dut("walk_unit", gpu_clock, params(schedule), space[0].table(), 1)
    {
        top.down.bind(*dut.up[0]);
        rules.bind(dut.mem, below.up);
        dawdle(refusing, top);
        stall(refusing, below);
        below.latency = 20;
        serve(below, store);
    }
    auto stats() const { return stat_text::of(dut.stats()); }
    std::string waiting() const { return dut.waiting(); }
    uint64_t live() const { return dut.live() + dut.buffered() + dut.busy_walkers(); }
    void close(tick until) { below.closed_until = until; }
    /* walking, buffered, queue, blocked */
    uint64_t bound() const { return TIGHT ? 4 * 1 : 3 + 4 + 4 + 1; }
};

/* Over memory and over a level that answers what the table lacks; both close together. */
template <bool TIGHT, bool FOREIGN = false> struct memory_tlb_rig : xlat_rig {
    static memory_tlb_params params()
    {
        memory_tlb_params p = numbers_of<memory_tlb_params>();
        p.entries = 64;
        p.table_pa = uint64_t{1} << 33;
        p.down_cycles = 3;
        p.ports = TIGHT ? 1 : 2;
        p.queue_entries = p.mshrs = p.merges = p.fills = TIGHT ? 1 : 6;
        return p;
    }
    memory_below<FOREIGN> memory{"memory", gpu_clock, TIGHT ? 1u : 4u};
    xlat_responder below{"below", gpu_clock, TIGHT ? 1u : 4u};
    memory_tlb dut{"memory_tlb", gpu_clock, params(), 1};
    base_protocol rules;

    explicit memory_tlb_rig(bool refusing)
    {
        top.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        rules.bind(dut.mem, memory.up);
        dawdle(refusing, top);
        stall(refusing, below);
        stall(refusing, memory);
        memory.latency = 10;
        serve(memory, store);
        below.latency = 30;
        translate(below);
    }
    auto stats() const { return stat_text::of(dut.stats()); }
    std::string waiting() const { return dut.waiting(); }
    uint64_t live() const { return dut.live(); }
    void close(tick until) { below.closed_until = memory.closed_until = until; }
    uint64_t bound() const { return TIGHT ? 4 * 1 : 6 + 6 + 6 + 1; } /* lines and merges, queue, blocked */
};

template <uint32_t CYCLES> struct perfect_rig : xlat_rig {
    perfect_tlb dut{"perfect", gpu_clock, space, {"l1", "L1 TLB"}, 1, CYCLES};
    explicit perfect_rig(bool refusing)
    {
        top.down.bind(*dut.up[0]);
        dawdle(refusing, top);
    }
    auto stats() const { return stat_text::of(dut.stats()); }
    std::string waiting() const { return dut.waiting(); }
    uint64_t live() const { return 0; }
    void close(tick) {}
    uint64_t bound() const { return 0; }
};

struct mem_rig {
    using protocol = mem_protocol;
    memory_store store;
    lines l, probes;
    simulation sim;
    mem_requester top;

    explicit mem_rig(const clock_domain &clock) : top("top", clock)
    {
        for (uint64_t n = 0; n < 128; ++n)
            store.write(n * 64, reinterpret_cast<const unsigned char *>(&n), 8);
    }
    tlm::tlm_generic_payload &make(ww_rng &random, tick)
    {
        const uint64_t pa = ww_rng_below(&random, 128) * 64;
        const uint32_t kind = ww_rng_below(&random, 10);
        return kind < 6 ? l.read(pa) : kind < 9 ? l.write(pa) : l.atomic(pa);
    }
    bool held(const tlm::tlm_generic_payload &p) const { return l.holds(p) || probes.holds(p); }
    void prove(const tlm::tlm_generic_payload &p)
    {
        BOOST_TEST(p.get_response_status() == tlm::TLM_OK_RESPONSE);
        if (!p.is_read())
            return;
        uint64_t value = 0;
        std::memcpy(&value, p.get_data_ptr(), 8);
        BOOST_TEST(value == p.get_address() / 64);
        BOOST_TEST(p.get_extension<mem_ext>()->depth == 0);
    }
    unsigned debug(ww_rng &random)
    {
        tlm::tlm_generic_payload &p = probes.read(ww_rng_below(&random, 128) * 64);
        const unsigned n = top.down->transport_dbg(p);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        prove(p);
        return n;
    }
};

template <uint8_t WRITE, bool TIGHT, uint8_t MISS = 0, bool FOREIGN = false> struct cache_rig : mem_rig {
    static data_cache_params params()
    {
        data_cache_params p = numbers_of<data_cache_params>();
        p.bytes = 16 * 64;
        p.ways = 4;
        p.write = WRITE;
        p.write_miss = MISS;
        p.hit_cycles = 4;
        p.ports = TIGHT ? 1 : 2;
        p.queue_entries = p.mshrs = p.merges = p.write_entries = TIGHT ? 1 : 4;
        return p;
    }
    memory_below<FOREIGN> below{"below", gpu_clock, TIGHT ? 1u : 4u};
    data_cache dut{"cache", gpu_clock, params(), store, 1};
    base_protocol rules;

    explicit cache_rig(bool refusing) : mem_rig(gpu_clock)
    {
        rules.bind(top.down, *dut.up[0]);
        rules.bind(dut.down, below.up);
        rules.held([this](const auto &p) { return held(p); });
        dawdle(refusing, top);
        stall(refusing, below);
        below.latency = 25;
        serve(below, store);
    }
    auto stats() const { return stat_text::of(dut.stats()); }
    std::string waiting() const { return dut.waiting(); }
    uint64_t live() const { return dut.live(); }
    void close(tick until) { below.closed_until = until; }
    /* A write-back cache takes writes until every line is dirty, even while the level below is closed. */
    uint64_t bound() const
    {
        return WRITE == WW_WRITE_BACK && MISS == 0 ? 0 : TIGHT ? 1 + 1 + 1 + 1 + 1 : 4 * 5;
    }
};

template <bool TIGHT> struct icache_rig : mem_rig {
    static icache_params params()
    {
        icache_params p = numbers_of<icache_params>();
        p.entries = 16;
        p.ways = 4;
        p.hit_cycles = 4;
        p.ports = TIGHT ? 1 : 2;
        p.queue_entries = p.mshrs = p.merges = TIGHT ? 1 : 4;
        return p;
    }
    mem_responder below{"below", gpu_clock, TIGHT ? 1u : 4u};
    icache dut{"icache", gpu_clock, params(), store, 1};
    base_protocol rules;

    explicit icache_rig(bool refusing) : mem_rig(gpu_clock)
    {
        rules.bind(top.down, *dut.up[0]);
        rules.bind(dut.down, below.up);
        rules.held([this](const auto &p) { return held(p); });
        dawdle(refusing, top);
        stall(refusing, below);
        below.latency = 25;
        serve(below, store);
    }
    tlm::tlm_generic_payload &make(ww_rng &random, tick) { return l.read(ww_rng_below(&random, 128) * 64); }
    auto stats() const
    {
        stat_text text;
        dut.visit(text, simulation_time());
        return text.all;
    }
    std::string waiting() const { return dut.waiting(); }
    uint64_t live() const { return dut.live(); }
    void close(tick until) { below.closed_until = until; }
    uint64_t bound() const { return TIGHT ? 1 + 1 + 1 + 1 + 1 : 4 * 5; }
};

template <bool TIGHT> struct lds_rig {
    using protocol = local_protocol;
    simulation sim;
    requester<local_protocol> top{"top"};
    lds dut;
    std::deque<wave_access> all;

    static lds_params params()
    {
        lds_params p = numbers_of<lds_params>();
        p.banks = TIGHT ? 1 : 8;
        p.queue_entries = TIGHT ? 1 : 4;
        return p;
    }
    explicit lds_rig(bool refusing) : dut("lds", gpu_clock, params())
    {
        top.down.bind(dut.up);
        dawdle(refusing, top);
    }
    wave_access &make(ww_rng &random, tick)
    {
        all.emplace_back();
        wave_access &a = all.back();
        a.lanes.mask = ww_rng_next(&random) | 1;
        a.lanes.bytes = 1 + ww_rng_below(&random, 16);
        a.access = ww_rng_below(&random, 4) == 0 ? access_kind::atomic : access_kind::read;
        for (uint64_t &va : a.lanes.va)
            va = ww_rng_below(&random, 4096);
        return a;
    }
    void prove(const wave_access &) {}
    unsigned debug(ww_rng &random)
    {
        BOOST_TEST(top.down->transport_dbg(make(random, 0)) == 0u); /* no contents */
        return 1;
    }
    auto stats() const
    {
        stat_text text;
        dut.visit(text, 0);
        return text.all;
    }
    std::string waiting() const { return dut.waiting(); }
    uint64_t live() const { return 0; }
    void close(tick) {}
    uint64_t bound() const { return 0; }
};

template <bool TIGHT> struct dram_rig : mem_rig {
    static dram_params params()
    {
        dram_params p = numbers_of<dram_params>();
        p.refi = 0; /* refreshes count even without requests */
        if (TIGHT)
            p.queue_entries = p.ports = p.read_entries = p.write_entries = p.write_high = 1;
        if (TIGHT)
            p.write_low = 0;
        return p;
    }
    dram dut{"dram", params(), store, 1};
    base_protocol rules;
    explicit dram_rig(bool refusing) : mem_rig(clock_domain(1250))
    {
        rules.bind(top.down, *dut.up[0]);
        rules.held([this](const auto &p) { return held(p); });
        dawdle(refusing, top);
    }
    auto stats() const
    {
        stat_text text;
        dut.visit(text, simulation_time());
        return text.all;
    }
    std::string waiting() const { return dut.waiting(); }
    uint64_t live() const { return dut.live(); }
    void close(tick) {}
    uint64_t bound() const { return 0; }
};

using iommu_off = iommu_contract_rig<WW_COALESCE_OFF, false>;
using iommu_leaf = iommu_contract_rig<WW_COALESCE_LEAF, false>;
using iommu_full = iommu_contract_rig<WW_COALESCE_FULL, false>;
using iommu_tight = iommu_contract_rig<WW_COALESCE_FULL, true>;
using unit = unit_contract_rig<false>;
using unit_tight = unit_contract_rig<true>;
using through = cache_rig<WW_WRITE_THROUGH, false>;
using through_tight = cache_rig<WW_WRITE_THROUGH, true>;
using back = cache_rig<WW_WRITE_BACK, false>;
using back_tight = cache_rig<WW_WRITE_BACK, true, 1>;
using table_foreign = memory_tlb_rig<false, true>;
using through_foreign = cache_rig<WW_WRITE_THROUGH, false, 0, true>;
using back_foreign = cache_rig<WW_WRITE_BACK, true, 1, true>;
using iommu_foreign = iommu_contract_rig<WW_COALESCE_FULL, false, true>;
using iommu_tight_foreign = iommu_contract_rig<WW_COALESCE_FULL, true, true>;

/* Every kind of store. */
#define X(kind)                                                                                              \
    struct held_##kind : tlb_rig<false> {                                                                    \
        explicit held_##kind(bool refusing) : tlb_rig(refusing, #kind) {}                                    \
    };
#include "store_kinds.inc"
#undef X

/* Every scheduler of page walks. */
#define X(kind)                                                                                              \
    struct scheduled_##kind : unit {                                                                         \
        explicit scheduled_##kind(bool refusing) : unit(refusing, #kind) {}                                  \
    };
#include "sched_kinds.inc"
#undef X

using through_a_checker =
    std::tuple<iommu_off, iommu_leaf, iommu_full, iommu_tight, unit, unit_tight, memory_tlb_rig<false>,
               memory_tlb_rig<true>, through, through_tight, back, back_tight, icache_rig<false>,
               icache_rig<true>, dram_rig<false>, dram_rig<true>>;

} // namespace

WW_CONTRACT(tlb_contract, tlb_rig<false>)
WW_CONTRACT(tlb_of_one_contract, tlb_rig<true>)
#define X(kind) WW_CONTRACT(tlb_contract_of_##kind, held_##kind)
#include "store_kinds.inc"
#undef X
WW_CONTRACT(iommu_contract, iommu_off)
WW_CONTRACT(iommu_leaf_contract, iommu_leaf)
WW_CONTRACT(iommu_full_contract, iommu_full)
WW_CONTRACT(iommu_of_one_contract, iommu_tight)
#define X(kind) WW_CONTRACT(walk_unit_contract_by_##kind, scheduled_##kind)
#include "sched_kinds.inc"
#undef X
WW_CONTRACT(walk_unit_of_one_contract, unit_tight)
WW_CONTRACT(memory_tlb_contract, memory_tlb_rig<false>)
WW_CONTRACT(memory_tlb_of_one_contract, memory_tlb_rig<true>)
WW_CONTRACT(memory_tlb_over_a_foreign_memory, table_foreign)
WW_CONTRACT(perfect_tlb_contract, perfect_rig<1>)
WW_CONTRACT(no_translation_contract, perfect_rig<0>)
WW_CONTRACT(write_through_cache_contract, through)
WW_CONTRACT(write_through_cache_of_one_contract, through_tight)
WW_CONTRACT(write_back_cache_contract, back)
WW_CONTRACT(write_back_cache_of_one_contract, back_tight)
WW_CONTRACT(icache_contract, icache_rig<false>)
WW_CONTRACT(icache_of_one_contract, icache_rig<true>)
WW_CONTRACT(lds_contract, lds_rig<false>)
WW_CONTRACT(lds_of_one_contract, lds_rig<true>)
WW_CONTRACT(dram_contract, dram_rig<false>)
WW_CONTRACT(dram_of_one_contract, dram_rig<true>)
WW_CONTRACT(write_through_cache_over_a_foreign_memory, through_foreign)
WW_CONTRACT(write_back_cache_of_one_over_a_foreign_memory, back_foreign)
WW_CONTRACT(iommu_over_a_foreign_memory, iommu_foreign)
WW_CONTRACT(iommu_of_one_over_a_foreign_memory, iommu_tight_foreign)

/* The ports of two of our blocks omit TLM calls; with the checker between them they make every call. */
BOOST_AUTO_TEST_CASE_TEMPLATE(times_and_statistics_are_the_same_with_the_checker_on_every_memory_socket, RIG,
                              through_a_checker)
{
    const bool before = base_protocol::interposed;
    for (const bool refusing : {false, true}) {
        std::vector<tick> times[2];
        std::map<std::string, std::string> stats[2];
        uint64_t seen[2];
        for (const bool interposed : {false, true}) {
            base_protocol::interposed = interposed;
            RIG r(refusing);
            const auto all = contract::ask(r, contract::requests, 6);
            r.sim.run();
            contract::prove(r, all);
            for (const auto *p : all)
                times[interposed].push_back(r.top.done[p]);
            stats[interposed] = r.stats();
            seen[interposed] = r.rules.transactions();
        }
        BOOST_TEST(times[0] == times[1], boost::test_tools::per_element());
        BOOST_TEST((stats[0] == stats[1]));
        BOOST_TEST(seen[0] == 0u);
        BOOST_TEST(seen[1] > 40u);
    }
    base_protocol::interposed = before;
}
