/* SPDX-License-Identifier: MIT */
/* A reset of the IOMMU: nothing that was held, queued, in flight or granted before has an effect
 * afterwards. */
#include "tb/device/iommu_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr auto rd = tlm::TLM_READ_COMMAND;

iommu_device_params with_pointers()
{
    iommu_device_params p;
    p.dmi = static_cast<uint8_t>(dmi_policy::always);
    return p;
}

struct used : iommu_rig {
    uint64_t root;
    used() : iommu_rig(with_pointers())
    {
        root = own_table(0, 7);
        own_table(1, 8);
        map(root, 0x5000, data_pa);
        enable();
    }
    /* As write(), but no time passes in which anything could happen. */
    void set(uint32_t offset, uint64_t value)
    {
        transaction t(tlm::TLM_WRITE_COMMAND, offset, 8);
        std::memcpy(t.data.data(), &value, 8);
        cpu.out->b_transport(t.p, t.delay);
    }
    void enable_at_once()
    {
        set(0x00, devtab_pa | 15);
        set(0x08, commands_pa | UINT64_C(8) << 56);
        set(0x10, events_pa | UINT64_C(8) << 56);
        set(0x18, 0x1101d);
        tail = 0;
    }
    tlm::tlm_response_status read_of(uint64_t at, uint32_t device = 0)
    {
        transaction t(rd, at, 4);
        t.with().stream_id = device;
        masters[0].out->b_transport(t.p, t.delay);
        return t.p.get_response_status();
    }
    bool gives_pointer(uint64_t at)
    {
        transaction t(rd, at, 4);
        tlm::tlm_dmi dmi;
        return masters[0].out->get_direct_mem_ptr(t.p, dmi);
    }
};

/* Contexts, registers, queues and grants. A TLB's empty ways do not count: without its context no entry is
 * found. */
std::map<std::string, std::string> held(const iommu_rig &r)
{
    std::map<std::string, std::string> all;
    r.iommu.core().states([&all](const char *name, const void *bytes, size_t n) {
        for (const char *one : {"contexts", "registers", "rest"})
            if (std::string(name) == one)
                all[name] += std::string(static_cast<const char *>(bytes), n);
    });
    BOOST_TEST(all.size() == 3u);
    return all;
}

std::map<std::string, std::string> held_by_a_new_one()
{
    return held(iommu_rig(with_pointers()));
}

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_reset)

BOOST_AUTO_TEST_CASE(what_is_held_afterwards_is_what_a_new_one_holds)
{
    const auto fresh = held_by_a_new_one();
    used r;
    BOOST_CHECK(r.read_of(0x5000) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.gives_pointer(0x5000));
    BOOST_TEST((held(r) != fresh));
    r.memory.before = [&r](gp &p) { /* during a command */
                                    if (p.is_write() && p.get_address() == 0x50000)
                                        r.iommu.reset();
    };
    r.command(iommu_rig::opcode(1) | 0x50000 | 1, 0x77);
    for (const auto &[name, bytes] : held(r))
        BOOST_TEST((bytes == fresh.at(name)), name);
}

BOOST_AUTO_TEST_CASE(a_walk_that_it_ends_leaves_nothing_held)
{
    const auto fresh = held_by_a_new_one();
    used r;
    r.memory.before = [](gp &p) {
        if (p.get_address() == iommu_rig::devtab_pa)
            sc_core::wait(ns(50));
    };
    bool walked = false;
    sc_core::sc_spawn([&r, &walked] {
        BOOST_CHECK(r.read_of(0x5000) == tlm::TLM_GENERIC_ERROR_RESPONSE);
        walked = true;
    });
    sc_core::sc_start(ns(20));
    r.iommu.reset();
    sc_core::sc_start(ns(1000));
    BOOST_TEST(walked);
    for (const auto &[name, bytes] : held(r))
        BOOST_TEST((bytes == fresh.at(name)), name);
}

BOOST_AUTO_TEST_CASE(events_that_are_not_in_memory_yet_never_get_there)
{
    used r;
    BOOST_CHECK(r.read_of(0x9000) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    r.iommu.reset();
    r.enable_at_once();
    r.settle();
    BOOST_TEST(r.read(0x2018) == 0u);
    BOOST_TEST(r.memory.get<uint64_t>(iommu_rig::events_pa) == 0u);
    BOOST_TEST(r.iommu.stats().events_logged + r.iommu.stats().events_lost == 0u);
    BOOST_CHECK(r.read_of(0xa000) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    r.settle();
    const auto e = r.events();
    BOOST_REQUIRE(e.size() == 1u);
    BOOST_TEST(e[0].word1 == 0xa000u);
}

BOOST_AUTO_TEST_CASE(a_command_that_it_meets_does_not_count_among_those_after_it)
{
    used r;
    r.memory.before = [&r](gp &p) {
        if (p.is_write() && p.get_address() == 0x50000) {
            r.iommu.reset();
            r.enable_at_once();
        }
    };
    r.command(iommu_rig::opcode(1) | 0x50000 | 3, 0x77); /* store and interrupt */
    BOOST_TEST(r.read(0x2000) == 0u);                    /* no head has moved */
    BOOST_TEST((r.read(0x2020) & 4) == 0u);              /* no interrupt is requested */
    BOOST_TEST(!r.irq.read());
    BOOST_TEST(r.iommu.stats().commands == 0u);
    r.memory.before = {};
    r.tail = 0;
    r.command(iommu_rig::opcode(1) | 0x50008 | 1, 0x78);
    BOOST_TEST(r.memory.get<uint64_t>(0x50008) == 0x78u);
    BOOST_TEST(r.read(0x2000) == 16u);
}

BOOST_AUTO_TEST_CASE(the_interrupts_wire_falls)
{
    used r;
    r.command(iommu_rig::opcode(1) | 2);
    BOOST_TEST(r.irq.read());
    r.iommu.reset();
    r.settle();
    BOOST_TEST(!r.irq.read());
}

BOOST_AUTO_TEST_CASE(a_port_starts_anew_with_direct_memory)
{
    for (const bool several : {false, true}) {
        used r;
        BOOST_TEST(r.gives_pointer(0x5000));
        if (several) {
            r.read_of(0x5000, 1);
            BOOST_TEST(!r.gives_pointer(0x5000));
        }
        r.iommu.reset();
        r.iommu.set_stream(0, 2); /* another device is there */
        const uint64_t root = r.own_table(2, 9);
        r.map(root, 0x5000, iommu_rig::data_pa);
        r.enable();
        BOOST_TEST(r.gives_pointer(0x5000));
    }
}

BOOST_AUTO_TEST_SUITE_END()
