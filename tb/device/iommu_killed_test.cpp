/* SPDX-License-Identifier: MIT */
/* A device is reset: its process is killed, or restarted, at every time of every call into the IOMMU, alone
 * or before or after another call. Afterwards nothing is held, the other call ends, and the next accesses and
 * commands are served. */
#include "tb/device/service_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

enum class ending { kill, reset };
enum class rival { none, before, behind };

/* Pages of device 0 that are far apart, and a process of another device. */
struct killed_rig : service_rig {
    uint64_t other_root;
    unsigned ended = 0; /* calls of the killed process */

    explicit killed_rig(transport_mode m, unsigned dmi = 0) : service_rig(m, params(dmi), 2)
    {
        settling = ns(5000);
        iommu.set_stream(1, 1);
        other_root = own_table(1, 8, WW_DTE_I);
        map(other_root, 0x5000, data_pa + 0x8000);
        map(root, 0x6000, data_pa + 0x9000);
        memory.put(devtab_pa + 16, WW_DTE_IV | UINT64_C(2) << 60 | 8 << 1 | 0x60000);
        memory.put(0x60008, UINT64_C(0x310101) << 32);
        if (m == transport_mode::lt) /* memory makes the process wait too */
            memory.before = [this](gp &) {
                if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_THREAD_PROC_)
                    sc_core::wait(memory_waits);
            };
    }
    static iommu_device_params params(unsigned dmi)
    {
        iommu_device_params p;
        p.dmi = static_cast<uint8_t>(dmi);
        return p;
    }
    sc_core::sc_time memory_waits = ns(5);

    struct outcome {
        bool done = false, ok = false;
    };
    /* A request of requester 1, independent of the others. */
    void other(outcome &o)
    {
        sc_core::sc_spawn([this, &o] {
            o.ok = devices[1]->translate(0x5000, all_rights, device_of(1)).of.pa == data_pa + 0x8000;
            o.done = true;
        });
    }
    /* As a driver after a reset: sets up everything, and requires that all of it is answered. */
    void must_serve()
    {
        outcome after;
        other(after);
        settle();
        BOOST_TEST(after.ok);
        BOOST_TEST(ask(0x5010).of.pa == data_pa + 0x10);
        inval_all();
        const uint64_t value = flag() + 1;
        wait_command(value);
        settle();
        BOOST_TEST(flag() == value);
        BOOST_TEST(iommu.core().check() == nullptr);
        const char *held = iommu.core().held();
        BOOST_TEST(held == nullptr, "still held: " << (held == nullptr ? "nothing" : held));
    }
};

struct call {
    const char *name;
    bool in_phases; /* is a blocking call in both modes */
    std::function<void(killed_rig &, transaction &)> make;
    unsigned bytes = 8;
    uint64_t at = 0x5010;
};

void through(killed_rig &r, transaction &t)
{
    r.masters[0].out->b_transport(t.p, t.delay);
    sc_core::wait(t.delay);
}

const call calls[] = {
    {"an access", false, through},
    {"an access across pages", false, through, 4096, 0x5800},
    {"an access that faults", false, through, 8, 0x9000},
    {"an interrupt that is remapped", false,
     [](killed_rig &r, transaction &t) {
         t.p.set_write();
         t.data[0] = 3;
         through(r, t);
     },
     4, 0xfee00000},
    {"a request through the device's port", false,
     [](killed_rig &r, transaction &t) {
         translation_extension wants;
         t.with().type = address_type::translation_request;
         const carried ask(t.p, wants);
         through(r, t);
     }},
    {"a request", true, [](killed_rig &r, transaction &) { r.device().translate(0x5010, all_rights); }},
    {"a request for a page", true,
     [](killed_rig &r, transaction &) {
         r.device().request(0x9000, {});
         sc_core::wait(ns(100));
     }},
    {"a register, which waits for its time", true,
     [](killed_rig &r, transaction &t) {
         t.p.set_address(0x2008);
         t.p.set_read();
         t.delay = ns(50);
         r.cpu.out->b_transport(t.p, t.delay);
     },
     8, 0x2008},
};

/* Makes one call and ends it after `when`, or never; returns its time. */
sc_core::sc_time one(killed_rig &r, const call &c, ending how, rival with, const sc_core::sc_time &when)
{
    transaction t(tlm::TLM_READ_COMMAND, c.at, c.bytes);
    killed_rig::outcome other;
    sc_core::sc_time took;
    unsigned begun = 0, ended = 0;
    if (with == rival::before)
        r.other(other);
    sc_core::sc_process_handle victim = sc_core::sc_spawn([&] {
        const sc_core::sc_time start = sc_core::sc_time_stamp();
        ++begun;
        t.p.set_address(c.at);
        t.p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        t.p.set_dmi_allowed(false);
        t.delay = sc_core::SC_ZERO_TIME;
        c.make(r, t);
        ++ended;
        took = sc_core::sc_time_stamp() - start;
    });
    if (with == rival::behind)
        r.other(other);
    sc_core::sc_spawn([&, victim]() mutable {
        sc_core::wait(when);
        if (victim.valid() && !victim.terminated())
            how == ending::kill ? victim.kill() : victim.reset();
    });
    r.settle();
    BOOST_TEST((with == rival::none || other.ok));
    BOOST_TEST(ended == (how == ending::kill && took == sc_core::SC_ZERO_TIME ? 0u : 1u));
    BOOST_TEST(t.p.get_address() == c.at);
    return took;
}

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_killed)

BOOST_DATA_TEST_CASE(at_every_time_of_every_call_nothing_is_held, both, mode)
{
    for (const call &c : calls) {
        if (mode_of(mode) == transport_mode::at && !c.in_phases)
            continue;
        killed_rig r(mode_of(mode), static_cast<unsigned>(dmi_policy::always));
        for (const rival with : {rival::none, rival::before, rival::behind}) {
            r.inval_all();
            const sc_core::sc_time whole = one(r, c, ending::kill, with, ns(100000));
            BOOST_TEST_CONTEXT(c.name << " of " << whole)
            {
                BOOST_REQUIRE((whole > sc_core::SC_ZERO_TIME));
                for (const ending how : {ending::kill, ending::reset})
                    for (sc_core::sc_time when; when <= whole; when += ns(3)) {
                        r.inval_all();
                        one(r, c, how, with, when);
                        r.must_serve();
                    }
            }
        }
    }
}

/* A framework resets all processes below a module. */
BOOST_DATA_TEST_CASE(its_own_processes_that_are_reset_go_on, both, mode)
{
    for (const char *name : {"iommu.service", "iommu.walks"}) {
        killed_rig r(mode_of(mode));
        sc_core::sc_object *const process = sc_core::sc_find_object(name);
        if (process == nullptr)
            continue;
        at_master from(r.masters[0]);
        for (sc_core::sc_time when; when <= ns(600); when += ns(7)) {
            killed_rig::outcome other;
            r.other(other);
            sc_core::sc_process_handle victim(process);
            sc_core::sc_spawn([&, victim]() mutable {
                sc_core::wait(when);
                victim.reset();
            });
            const uint64_t value = r.flag() + 1;
            at_access access(tlm::TLM_READ_COMMAND, 0x6010, 4);
            if (mode_of(mode) == transport_mode::at)
                from.send(access);
            r.wait_command(value);
            BOOST_TEST(other.ok);
            BOOST_TEST((mode_of(mode) == transport_mode::lt || access.freed == 1));
            BOOST_TEST(r.flag() == value); /* without a request since */
            r.must_serve();
        }
    }
}

/* A device's own reset may end the call that delivers an invalidate. */
BOOST_DATA_TEST_CASE(a_call_to_a_device_that_is_ended_is_not_out_any_more, both, mode)
{
    killed_rig r(mode_of(mode));
    for (unsigned i = 0; i < 2 * device_messages::calls_at_most; ++i) {
        BOOST_TEST(r.ask(0x5010).of.rights == all_rights);
        sc_core::sc_process_handle in;
        r.device().on_invalidate = [&in] {
            in = sc_core::sc_get_current_process_handle();
            sc_core::wait(ns(1000));
        };
        sc_core::sc_spawn([&in] {
            sc_core::wait(ns(300));
            in.kill();
        });
        r.inval_iotlb(0, 0x5000);
        r.settle();
        r.device().on_invalidate = {};
        BOOST_TEST(r.device().invalidates.size() == i + 1u);
        BOOST_TEST(r.iommu.core().held() == nullptr);
        sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_MS)); /* event 7 */
    }
    BOOST_TEST(r.iommu.stats().invalidates_late == 2u * device_messages::calls_at_most);
}

BOOST_AUTO_TEST_SUITE_END()
