/* SPDX-License-Identifier: MIT */
/* The IOMMU in other kinds of platform: registers preset before the simulation runs or by debug access,
 * walkers whose reads pass another IOMMU, memory that takes a few bytes at a time. */
#include "device/stage_adapter.hpp"
#include "tb/device/service_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr auto rd = tlm::TLM_READ_COMMAND, wr = tlm::TLM_WRITE_COMMAND;

struct loader : sc_core::sc_module {
    std::function<void()> at_start;
    explicit loader(const sc_core::sc_module_name &n) : sc_module(n) {}
    void start_of_simulation() override { at_start(); }
};

struct unstarted {
    simulation sim;
    iommu_device<32> iommu{"iommu"};
    byte_memory memory{"memory", 2};
    lt_master master{"master"}, cpu{"cpu"};
    loader first{"loader"};

    unstarted()
    {
        master.out.bind(iommu.up[0]);
        cpu.out.bind(iommu.registers);
        iommu.down[0].bind(memory.up[0]);
        iommu.walker.bind(memory.up[1]);
        memory.put(iommu_rig::devtab_pa, iommu_rig::tables_pa | UINT64_C(1) << 9 | 3 | WW_AMD_IR | WW_AMD_IW);
        memory.put(iommu_rig::tables_pa + 5 * 8, iommu_rig::data_pa | WW_AMD_PR | WW_AMD_IR | WW_AMD_IW);
    }
    void write(uint64_t at, uint64_t value, bool debug)
    {
        transaction t(wr, at, 8);
        std::memcpy(t.data.data(), &value, 8);
        t.delay = ns(10);
        if (debug) {
            BOOST_TEST(cpu.out->transport_dbg(t.p) == 8u);
            return;
        }
        cpu.out->b_transport(t.p, t.delay);
        BOOST_TEST(t.p.is_response_ok());
    }
    tlm::tlm_response_status read_of(uint64_t at)
    {
        transaction t(rd, at, 8);
        master.out->b_transport(t.p, t.delay);
        return t.p.get_response_status();
    }
};

/* Bytes of all registers. */
std::vector<unsigned char> registers_of(iommu_rig &r)
{
    transaction t(rd, 0, WW_IOMMU_REGION_BYTES);
    BOOST_TEST(r.cpu.out->transport_dbg(t.p) == WW_IOMMU_REGION_BYTES);
    return t.data;
}

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_platform)

BOOST_AUTO_TEST_CASE(registers_may_be_preset_before_the_simulation_runs)
{
    for (const bool debug : {false, true}) {
        unstarted u;
        sc_core::sc_spawn(
            [] { sc_core::wait(ns(1)); }); /* the last process constructed, one which could wait */
        unsigned calls = 0;
        u.first.at_start = [&] {
            ++calls;
            u.write(0x00, iommu_rig::devtab_pa, debug);
            u.write(0x08, iommu_rig::commands_pa | UINT64_C(8) << 56, debug);
            u.write(0x18, 1 | WW_IOMMU_CONTROL_COMMAND_EN, debug);
            u.memory.put(iommu_rig::commands_pa, iommu_rig::opcode(1) | 0x50000 | 1);
            u.memory.put(iommu_rig::commands_pa + 8, 0x77);
            u.write(0x2008, 16, debug);
            BOOST_CHECK(u.read_of(0x5000) == tlm::TLM_OK_RESPONSE);
            BOOST_CHECK(u.read_of(0x6000) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        };
        sc_core::sc_start(ns(1000));
        BOOST_TEST(calls == 1u);
        BOOST_TEST(u.memory.get<uint64_t>(0x50000) == 0x77u); /* the command is done */
        BOOST_CHECK(u.read_of(0x5000) == tlm::TLM_OK_RESPONSE);
    }
}

BOOST_AUTO_TEST_CASE(a_debug_write_is_softwares_write_of_the_same_bytes)
{
    iommu_rig one, split_up;
    ww_rng random;
    ww_rng_init(&random, 31);
    for (unsigned round = 0; round < 400; ++round) {
        const uint64_t base = ww_rng_below(&random, 3) == 0 ? 0x2000 : ww_rng_below(&random, 2) * 0x158;
        const uint64_t at = base + ww_rng_below(&random, 0x48);
        const unsigned n = 1 + ww_rng_below(&random, 24);
        transaction t(wr, at, n);
        for (unsigned i = 0; i < n; ++i)
            t.data[i] = static_cast<unsigned char>(ww_rng_below(&random, 256));
        if (at <= 0x18 && at + n > 0x18)
            t.data[0x18 - at] &= 0xfe; /* stays disabled: nothing is done meanwhile */
        BOOST_TEST(one.cpu.out->transport_dbg(t.p) == n);
        for (unsigned i = 0; i < n; ++i) {
            transaction byte(wr, at + i, 1, t.data[i]);
            split_up.cpu.out->b_transport(byte.p, byte.delay);
        }
        BOOST_REQUIRE(registers_of(one) == registers_of(split_up));
    }
    transaction end(wr, WW_IOMMU_REGION_BYTES - 2, 8), none(wr, WW_IOMMU_REGION_BYTES, 8);
    BOOST_TEST(one.cpu.out->transport_dbg(end.p) == 2u);
    BOOST_TEST(one.cpu.out->transport_dbg(none.p) == 0u);
}

/* In four phases: one IOMMU reads its tables through the other, which is disabled, enabled, or has no page
 * there. */
BOOST_AUTO_TEST_CASE(a_walker_may_go_through_another_iommu)
{
    for (unsigned outer_has = 0; outer_has < 3; ++outer_has) {
        simulation sim;
        iommu_device<32> inner("inner", 1, in_phases()), outer("outer", 1, in_phases());
        byte_memory memory("memory", 0);
        at_front data("data", memory), tables("tables", memory), walks("walks", memory);
        lt_master master("master"), cpu("cpu"), cpu2("cpu2");
        master.out.bind(inner.up[0]);
        inner.down[0].bind(data.up);
        inner.walker.bind(outer.up[0]);
        outer.down[0].bind(tables.up);
        outer.walker.bind(walks.up);
        cpu.out.bind(inner.registers);
        cpu2.out.bind(outer.registers);
        const auto set = [](lt_master &by, uint64_t at, uint64_t value) {
            transaction t(wr, at, 8);
            std::memcpy(t.data.data(), &value, 8);
            by.out->b_transport(t.p, t.delay);
        };
        const uint64_t rights = WW_AMD_PR | WW_AMD_IR | WW_AMD_IW, one_level = UINT64_C(1) << 9 | 3 | rights;
        memory.put(0x11000, 0x12000 | one_level); /* inner's device table and table, where outer maps them */
        memory.put(0x12000 + 5 * 8, 0x800000 | rights);
        memory.put(0x20000, 0x21000 | one_level); /* outer's own */
        const uint64_t shift = outer_has == 0 ? 0 : 0x10000;
        if (shift != 0) {
            memory.put(0x21000 + 1 * 8, 0x11000 | rights);
            memory.put(0x21000 + 2 * 8, outer_has == 1 ? 0x12000 | rights : 0);
            memory.put(0x11000, 0x2000 | one_level);
        }
        sc_core::sc_start(ns(1));
        set(cpu, 0x00, 0x11000 - shift);
        set(cpu, 0x18, 1);
        set(cpu2, 0x00, 0x20000);
        set(cpu2, 0x18, outer_has != 0);
        at_master from(master);
        for (unsigned round = 0; round < 2; ++round) {
            at_access a(rd, 0x5010, 4);
            from.send(a);
            sc_core::sc_start(ns(2000));
            BOOST_TEST(a.freed == 1u);
            BOOST_CHECK(a.status() ==
                        (outer_has == 2 ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE));
        }
        BOOST_TEST(outer.stats().translations >= (outer_has == 0 ? 0u : 2u));
    }
}

/* In a circle: a walk that would wait for itself is refused by the IOMMU that it enters twice. */
BOOST_AUTO_TEST_CASE(walkers_in_a_circle_end_with_an_error)
{
    simulation sim;
    iommu_device<32> one("one", 2, in_phases()), other("other", 1, in_phases());
    byte_memory memory("memory", 0);
    at_front a("a", memory), b("b", memory), c("c", memory);
    lt_master master("master"), cpu("cpu"), cpu2("cpu2");
    master.out.bind(one.up[0]);
    one.down[0].bind(a.up);
    one.down[1].bind(b.up);
    one.walker.bind(other.up[0]);
    other.down[0].bind(c.up);
    other.walker.bind(one.up[1]);
    cpu.out.bind(one.registers);
    cpu2.out.bind(other.registers);
    sc_core::sc_start(ns(1));
    for (lt_master *by : {&cpu, &cpu2}) {
        transaction t(wr, 0x18, 8);
        t.data[0] = 1;
        by->out->b_transport(t.p, t.delay);
    }
    at_master from(master);
    at_access access(rd, 0x5010, 4);
    from.send(access);
    sc_core::sc_start(ns(5000));
    BOOST_TEST(access.freed == 1u);
    BOOST_CHECK(access.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
}

BOOST_DATA_TEST_CASE(a_memory_that_takes_a_few_bytes_at_a_time_will_do, both, mode)
{
    for (const unsigned most : {4u, 8u, 16u, 32u, 64u}) {
        iommu_device_params p;
        p.walker_bytes = most;
        service_rig r(mode_of(mode), p);
        r.memory.takes = most;
        r.settling = ns(5000);
        const int before = sc_core::sc_report_handler::get_count("/walkway/iommu/memory");
        BOOST_TEST(r.ask(0x5010).of.pa == iommu_rig::data_pa + 0x10);
        BOOST_TEST(uint32_t{r.ask(0x9000).of.rights} == 0u);
        r.wait_command(0x123456789abcdef0);
        BOOST_TEST(r.flag() == 0x123456789abcdef0u);
        access_attributes nobody = device_of(5, true, 3);
        r.run([&] { r.device().translate(0x5000, all_rights, nobody); }); /* I is clear: an event */
        BOOST_TEST(r.events().size() == 1u);
        r.inval_all(); /* nothing is held, so debug access also reads tables */
        transaction look(rd, 0x5000, 4);
        BOOST_TEST(r.masters[0].out->transport_dbg(look.p) == 4u);
        BOOST_TEST(sc_core::sc_report_handler::get_count("/walkway/iommu/memory") == before);
    }
}

BOOST_DATA_TEST_CASE(a_memory_that_refuses_tables_is_named_once_in_words, both, mode)
{
    service_rig r(mode_of(mode));
    r.memory.takes = 8;
    const int before = sc_core::sc_report_handler::get_count("/walkway/iommu/memory");
    for (unsigned i = 0; i < 3; ++i)
        BOOST_CHECK(r.ask(0x5010).status == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(sc_core::sc_report_handler::get_count("/walkway/iommu/memory") - before == 1);
    const sc_core::sc_report *said = sc_core::sc_report_handler::get_cached_report();
    BOOST_TEST(
        (said == nullptr || std::string(said->get_msg())
                                    .find("iommu: memory refused a read of 32 bytes at 0x10000 "
                                          "(TLM_BURST_ERROR_RESPONSE); the parameter walker_bytes") == 0));
}

BOOST_DATA_TEST_CASE(the_other_kind_of_call_is_named_once_in_words, both, mode)
{
    for (const bool service : {false, true}) {
        service_rig r(mode_of(mode));
        const int before = sc_core::sc_report_handler::get_count("/walkway/iommu/transport");
        for (unsigned i = 0; i < 3; ++i) {
            at_access a(rd, 0x5000, 4);
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay;
            if (service)
                r.device().asks->nb_transport_fw(a.p, phase, delay);
            else if (mode_of(mode) == transport_mode::at)
                r.masters[0].out->b_transport(a.p, delay);
            else
                r.masters[0].out->nb_transport_fw(a.p, phase, delay);
            BOOST_CHECK(a.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
        }
        BOOST_TEST(sc_core::sc_report_handler::get_count("/walkway/iommu/transport") - before == 1);
    }
}

BOOST_AUTO_TEST_SUITE_END()
