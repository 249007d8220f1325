/* SPDX-License-Identifier: MIT */
/* The IOMMU in four phases: every way to request and to answer, order, bounds, bursts, changes during
 * accesses, and what the base protocol forbids. */
#include "tb/device/at_master.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t data_pa = iommu_rig::data_pa;
constexpr auto rd = tlm::TLM_READ_COMMAND, wr = tlm::TLM_WRITE_COMMAND;

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_at)

BOOST_AUTO_TEST_CASE(every_way_to_answer_below_and_above_gives_the_same_data_and_times)
{
    for (unsigned below = 0; below <= at_front::ways; ++below)
        for (unsigned above = 0; above <= at_master::ways; ++above) {
            at_rig r;
            r.ways(below, above);
            at_access write(wr, 0x5010, 4, 0x5a), miss(rd, 0x6010, 4), hit(rd, 0x5010, 4);
            r.one(write); /* device-table entry, three levels (each read is sent a cycle after the last) */
            BOOST_CHECK(write.took() == ns(20) + ns(4) + ns(2) + 3 * ns(21) + ns(1) + ns(20));
            r.one(miss); /* two levels are in the walk caches */
            BOOST_CHECK(miss.took() == ns(4) + ns(2) + ns(21) + ns(1) + ns(20));
            r.one(hit);
            BOOST_CHECK(hit.took() == ns(4) + ns(20));
            for (const at_access *a : {&write, &miss, &hit}) {
                BOOST_CHECK(a->status() == tlm::TLM_OK_RESPONSE);
                BOOST_CHECK(a->granted == a->sent);
                if (above < at_master::ways)
                    BOOST_CHECK(a->ended - a->answered ==
                                (above == at_master::ends_later || above == at_master::updates_ahead
                                     ? ns(5)
                                     : ns(0)));
            }
            BOOST_TEST(hit.data[3] == 0x5a);
            BOOST_TEST(write.p.get_address() == 0x5010u);
            if (below < at_front::ways)
                BOOST_TEST(r.fronts[0]->taken[below] == 3u);
            BOOST_TEST(r.from[0]->quiet());
        }
}

BOOST_AUTO_TEST_CASE(while_it_is_disabled_everything_passes_as_it_is)
{
    at_rig r;
    r.write(0x18, 0);
    at_access a(wr, 0x1234, 8, 0xab);
    unsigned char enables[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    a.p.set_byte_enable_ptr(enables);
    a.p.set_byte_enable_length(2);
    a.p.set_streaming_width(4);
    r.one(a);
    BOOST_CHECK(a.took() == ns(20));
    BOOST_TEST(r.memory.bytes[0x1236] == 0xab);
    BOOST_TEST(r.memory.bytes[0x1237] == 0u);
    BOOST_TEST(r.memory.bytes[0x1238] == 0u);
    BOOST_TEST(r.iommu.stats().translations == 0u);
}

/* ---- Order and bounds ---- */

BOOST_AUTO_TEST_CASE(accesses_of_a_port_go_on_in_the_order_of_their_requests)
{
    at_rig r;
    r.warm({0x6000});
    r.memory.seen.clear();
    at_access miss(rd, 0x5000, 4), hit(rd, 0x6000, 4), fault(rd, 0x9000, 4), next(rd, 0x6004, 4);
    for (at_access *a : {&miss, &fault, &hit, &next})
        r.from[0]->send(*a);
    r.settle();
    std::vector<uint64_t> data;
    for (const auto &[at, bytes] : r.memory.seen)
        if (at >= data_pa)
            data.push_back(at);
    BOOST_TEST(data == (std::vector<uint64_t>{data_pa, data_pa + 0x9000, data_pa + 0x9004}),
               boost::test_tools::per_element());
    BOOST_CHECK(fault.status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_CHECK(hit.granted - miss.granted == ns(2)); /* two requests later, a cycle each */
    BOOST_CHECK(hit.answered >= fault.answered);      /* after a walk of its port */
}

BOOST_AUTO_TEST_CASE(answers_come_in_the_order_of_memorys_and_one_at_a_time)
{
    at_rig r;
    r.warm({0x5000});
    r.ways(at_front::granted, at_master::ends_later);
    r.fronts[0]->more_latency = [](const gp &p) { return p.get_address() == data_pa ? ns(100) : ns(0); };
    at_access slow(rd, 0x5000, 4), quick(rd, 0x5004, 4), third(rd, 0x5008, 4);
    for (at_access *a : {&slow, &quick, &third})
        r.from[0]->send(*a);
    r.settle();
    BOOST_TEST(r.from[0]->answers == (std::vector<at_access *>{r.from[0]->answers[0], &quick, &third, &slow}),
               boost::test_tools::per_element());
    BOOST_CHECK(third.answered - quick.answered == ns(5)); /* when the previous one has ended */
    BOOST_CHECK(slow.took() == ns(4) + ns(120));
}

BOOST_AUTO_TEST_CASE(many_accesses_at_once_in_every_way_are_all_answered_right)
{
    for (unsigned below = 0; below <= at_front::ways; ++below)
        for (unsigned above = 0; above <= at_master::ways; ++above) {
            iommu_device_params p;
            p.accesses_per_port = 5;
            p.request_cycles = below % 2;
            at_rig r(p, 2);
            r.ways(below, above);
            std::deque<at_access> all;
            for (unsigned i = 0; i < 40; ++i) { /* every fifth one faults, some cross pages */
                const uint64_t at = i % 5 == 4 ? 0x9000 : i % 7 == 3 ? 0x5ffe : 0x5000 + i * 8;
                r.memory.put(data_pa + i * 8, i);
                r.from[i % 2]->send(all.emplace_back(rd, at, 8));
            }
            sc_core::sc_start(ns(10000));
            for (unsigned i = 0; i < 40; ++i) {
                BOOST_TEST(all[i].freed == 1u);
                BOOST_CHECK(all[i].status() ==
                            (i % 5 == 4 ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE));
                if (i % 5 != 4 && i % 7 != 3)
                    BOOST_TEST(all[i].data[0] == i);
            }
            BOOST_TEST(r.events().size() == 8u);
        }
}

BOOST_AUTO_TEST_CASE(requests_wait_for_room_among_accesses_under_way)
{
    for (const uint32_t most : {1u, 2u, 64u}) {
        iommu_device_params p;
        p.accesses_per_port = most;
        p.request_cycles = 0;
        at_rig r(p);
        r.warm({0x5000});
        r.ways(at_front::granted, at_master::ends_later);
        std::deque<at_access> all;
        for (unsigned i = 0; i < 6; ++i)
            r.from[0]->send(all.emplace_back(rd, 0x5000 + i * 8, 8));
        r.settle();
        for (unsigned i = 0; i < 6; ++i) {
            BOOST_CHECK(all[i].status() == tlm::TLM_OK_RESPONSE);
            BOOST_CHECK(all[i].granted == (i < most ? all[0].sent : all[i - most].ended));
        }
        BOOST_TEST(r.iommu.stats().requests_held == (most < 6 ? 6 - most : 0));
    }
}

BOOST_AUTO_TEST_CASE(a_port_takes_a_request_in_so_many_cycles)
{
    for (const uint32_t cycles : {0u, 1u, 7u}) {
        iommu_device_params p;
        p.request_cycles = cycles;
        at_rig r(p);
        r.warm({0x5000});
        at_access a(rd, 0x5000, 4), b(rd, 0x5004, 4), c(rd, 0x5008, 4);
        for (at_access *x : {&a, &b, &c})
            r.from[0]->send(*x);
        r.settle();
        BOOST_CHECK(b.granted - a.granted == ns(cycles));
        BOOST_CHECK(c.granted - a.granted == ns(2 * cycles));
        for (const at_access *x : {&a, &b, &c}) /* which does not delay its answer */
            BOOST_CHECK(x->answered - x->granted == ns(24));
    }
}

BOOST_AUTO_TEST_CASE(ports_do_not_wait_for_each_other_but_for_walks)
{
    at_rig r({}, 2);
    r.warm({0x6000});
    at_access miss(rd, 0x5000, 4), hit(rd, 0x6000, 4);
    r.from[0]->send(miss);
    r.from[1]->send(hit);
    r.settle();
    BOOST_CHECK(hit.took() == ns(24));
    BOOST_CHECK(miss.answered > hit.answered);
    at_access one(rd, 0x400000, 4), two(rd, 0x7000, 4);
    r.from[0]->send(one);
    r.from[1]->send(two);
    r.settle();
    BOOST_CHECK(one.took() == ns(4) + ns(2) + ns(21) + ns(1) + ns(20));
    BOOST_CHECK(two.took() > one.took()); /* one walk at a time */
}

BOOST_AUTO_TEST_CASE(a_request_with_an_annotated_time_counts_from_there)
{
    at_rig r;
    r.warm({0x5000});
    at_access a(rd, 0x5000, 4);
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    sc_core::sc_time granted, answered, delay = ns(10);
    r.masters[0].on_phase = [&](gp &, tlm::tlm_phase &phase, sc_core::sc_time &d) {
        (phase == tlm::END_REQ ? granted : answered) = sc_core::sc_time_stamp() + d;
        return phase == tlm::END_REQ ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
    };
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    BOOST_CHECK(r.masters[0].out->nb_transport_fw(a.p, phase, delay) == tlm::TLM_ACCEPTED);
    r.settle();
    BOOST_CHECK(granted == start + ns(10));
    BOOST_CHECK(answered == start + ns(34));
    a.p.release();
    BOOST_TEST(a.freed == 1u);
}

/* ---- Bursts ---- */

BOOST_AUTO_TEST_CASE(a_burst_across_pages_goes_in_parts_and_is_answered_once)
{
    at_rig r;
    at_access t(wr, 0x5ff0, 64);
    for (unsigned i = 0; i < 64; ++i)
        t.data[i] = static_cast<unsigned char>(i + 1);
    unsigned char enables[3] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
    t.p.set_byte_enable_ptr(enables);
    t.p.set_byte_enable_length(3);
    t.with().cu = 5;
    unsigned with = 0;
    r.memory.before = [&with](gp &p) {
        attributes_extension *e = p.get_extension<attributes_extension>();
        with += e != nullptr && e->of.cu == 5 && p.get_byte_enable_ptr() != nullptr;
        if (e != nullptr)
            e->of.wave = 3; /* set by the target */
    };
    r.from[0]->send(t);
    t.p.acquire();
    r.settle();
    BOOST_TEST(t.p.get_extension<attributes_extension>()->of.wave == 3u);
    t.p.release();
    BOOST_CHECK(t.status() == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(with == 2u);
    BOOST_TEST(r.from[0]->answers.size() == 1u);
    BOOST_TEST(r.iommu.stats().bursts_split == 1u);
    for (unsigned i = 0; i < 64; ++i) {
        const uint64_t at = data_pa + (i < 16 ? 0xff0 + i : 0x9000 + i - 16);
        BOOST_TEST(r.memory.bytes[at] == (i % 3 == 1 ? 0u : i + 1), "byte " << i);
    }
    at_access beats(wr, 0x5ffc, 20), warm(rd, 0x5ffc, 8);
    beats.p.set_streaming_width(8);
    for (unsigned i = 0; i < 20; ++i)
        beats.data[i] = static_cast<unsigned char>(i + 1);
    r.memory.before = {};
    r.one(beats);
    for (unsigned i = 0; i < 4; ++i) {
        BOOST_TEST(r.memory.bytes[data_pa + 0xffc + i] == 17 + i);
        BOOST_TEST(r.memory.bytes[data_pa + 0x9000 + i] == 13 + i);
    }
    r.one(warm);
    BOOST_CHECK(warm.took() == 2 * ns(4) + 2 * ns(20));
}

BOOST_AUTO_TEST_CASE(a_burst_that_faults_or_fails_in_between_stops_there)
{
    at_rig r;
    at_access fault(wr, 0x6ff0, 64, 0xee), after(rd, 0x5000, 4); /* the second page is read-only */
    r.from[0]->send(fault);
    r.from[0]->send(after);
    r.settle();
    BOOST_CHECK(fault.status() == tlm::TLM_COMMAND_ERROR_RESPONSE);
    BOOST_CHECK(after.status() == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.memory.bytes[data_pa + 0x9ff0] == 0u);
    r.memory.bad_first = data_pa + 0xff0;
    r.memory.bad_last = data_pa + 0xfff;
    at_access refused(wr, 0x5ff0, 64, 0xdd), next(rd, 0x6000, 4);
    r.from[0]->send(refused);
    r.from[0]->send(next);
    r.settle();
    BOOST_CHECK(refused.status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_CHECK(next.status() == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.memory.bytes[data_pa + 0x9000] == 0u); /* the second part was not sent */
}

/* ---- Changes during accesses ---- */

BOOST_AUTO_TEST_CASE(an_access_that_has_not_gone_on_when_its_page_is_invalidated_is_translated_again)
{
    at_rig r;
    r.warm({0x5000, 0x6000});
    r.fronts[0]->how = at_front::granted_late; /* the way down is occupied */
    r.fronts[0]->grant_after = ns(500);
    r.memory.latency = ns(20);
    r.fronts[0]->more_latency = [](const gp &) { return ns(500); };
    at_access first(rd, 0x6000, 4), waits(rd, 0x5000, 4);
    r.from[0]->send(first);
    r.from[0]->send(waits);
    r.settling = ns(100);
    r.settle();
    r.map(r.root, 0x5000, data_pa + 0x4000);
    r.inval_pages(7, 0x5000);
    BOOST_TEST(r.memory.seen.back().first < data_pa); /* the last read was of a table */
    r.settling = ns(3000);
    r.settle();
    BOOST_TEST(r.memory.seen.back().first == data_pa + 0x4000);
    BOOST_TEST(r.iommu.stats().translated_again == 1u);
    BOOST_CHECK(waits.status() == tlm::TLM_OK_RESPONSE);
}

BOOST_AUTO_TEST_CASE(a_completion_wait_is_over_when_what_went_on_before_is_answered)
{
    at_rig r({}, 2);
    r.warm({0x5000});
    r.fronts[0]->more_latency = [](const gp &) { return ns(2000); };
    at_access slow(rd, 0x5000, 4), walks(rd, 0x6000, 4);
    r.from[0]->send(slow);
    r.settling = ns(500);
    r.settle();
    r.command(iommu_rig::opcode(1) | 0x50000 | 1, 0x77);
    r.from[1]->send(walks); /* others are translated meanwhile */
    r.settle();
    BOOST_TEST(walks.was_answered);
    BOOST_TEST(!slow.was_answered);
    BOOST_TEST(r.memory.get<uint64_t>(0x50000) == 0u);
    sc_core::sc_start(ns(1500));
    BOOST_TEST(slow.was_answered);
    BOOST_TEST(r.memory.get<uint64_t>(0x50000) == 0x77u);
}

BOOST_AUTO_TEST_CASE(a_reset_refuses_what_has_not_gone_on_and_memory_answers_the_rest)
{
    iommu_device_params p;
    p.accesses_per_port = 3;
    p.request_cycles = 0;
    at_rig r(p);
    r.warm({0x6000});
    r.fronts[0]->more_latency = [](const gp &) { return ns(300); };
    at_access gone(rd, 0x6000, 4), walks(rd, 0x5000, 4), waits(rd, 0x6010, 4), asks(rd, 0x1230, 4);
    for (at_access *a : {&gone, &walks, &waits, &asks})
        r.from[0]->send(*a);
    r.settling = ns(20);
    r.settle();
    BOOST_TEST(!asks.was_granted);
    const uint64_t lost = r.iommu.stats().events_lost;
    r.iommu.reset();
    r.settling = ns(1000);
    r.settle();
    BOOST_CHECK(gone.status() == tlm::TLM_OK_RESPONSE);
    BOOST_CHECK(walks.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_CHECK(waits.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_CHECK(asks.status() == tlm::TLM_OK_RESPONSE); /* taken after the reset: it passes */
    BOOST_TEST(r.memory.seen.back().first == 0x1230u);
    BOOST_TEST(r.iommu.stats().events_lost == lost);
    for (const at_access *a : {&gone, &walks, &waits, &asks})
        BOOST_TEST(a->freed == 1u);
    r.enable(); /* nothing is left of the walk */
    const uint64_t reads = r.iommu.stats().pte_reads;
    at_access again(rd, 0x5000, 4);
    r.one(again);
    BOOST_CHECK(again.status() == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(r.iommu.stats().pte_reads == reads + 3);
}

BOOST_AUTO_TEST_CASE(a_reset_ends_what_the_iommu_does_by_itself)
{
    at_rig r;
    r.warm({0x5000});
    at_access fault(rd, 0x9000, 4), slow(rd, 0x5000, 4);
    r.memory.before = [&r](gp &p) { /* the event is in flight */
                                    if (p.get_address() >= iommu_rig::events_pa &&
                                        p.get_address() < iommu_rig::tables_pa)
                                        r.iommu.reset();
    };
    r.one(fault);
    BOOST_TEST(r.read(0x18) == 0u);
    BOOST_TEST(r.read(0x2020) == 0u); /* no interrupt for a log that is reset */
    r.memory.before = {};
    r.enable();
    r.fronts[0]->more_latency = [](const gp &) { return ns(2000); };
    r.from[0]->send(slow);
    r.settling = ns(500);
    r.settle();
    r.command(iommu_rig::opcode(1) | 0x50000 | 1, 0x77); /* waits for that access */
    r.iommu.reset();
    sc_core::sc_start(ns(3000));
    BOOST_TEST(slow.was_answered);
    BOOST_TEST(r.memory.get<uint64_t>(0x50000) == 0u);
    BOOST_TEST(r.read(0x2000) == 0u);
    r.enable(); /* a command that is being read does not count as one after the reset */
    r.memory.before = [&r](gp &p) {
        if (p.is_read() && p.get_address() == iommu_rig::commands_pa)
            r.iommu.reset();
    };
    const uint64_t lost = r.iommu.stats().events_lost;
    r.command(iommu_rig::opcode(6)); /* an illegal one */
    BOOST_TEST(r.read(0x2008) == 0u);
    BOOST_TEST(r.iommu.stats().events_lost == lost);
}

BOOST_AUTO_TEST_CASE(a_burst_whose_first_page_changes_before_its_second_is_known_starts_anew)
{
    for (const bool behind_another : {false, true}) { /* the second page is being walked, or its walk waits */
        at_rig r({}, 2);
        r.warm({0x5000});
        at_access t(rd, 0x5ffc, 8), other(rd, 0x400000, 4);
        if (behind_another)
            r.from[1]->send(other);
        r.from[0]->send(t);
        r.settling = ns(8);
        r.settle();
        constexpr uint64_t elsewhere = 0x60000;
        const uint64_t root = r.new_node();
        r.memory.put(elsewhere, root | UINT64_C(3) << 9 | 3 | WW_AMD_IR | WW_AMD_IW);
        r.memory.put(elsewhere + 8, 7);
        r.map(root, 0x5000, data_pa + 0x4000);
        r.map(root, 0x6000, data_pa + 0x7000);
        r.map(root, 0x400000, data_pa + 0x200000, WW_AMD_IR | WW_AMD_IW, 2);
        r.write(0x00, elsewhere | 15);
        r.settling = ns(1000);
        r.settle();
        BOOST_CHECK(t.status() == tlm::TLM_OK_RESPONSE);
        BOOST_REQUIRE(r.memory.seen.size() >= 2u);
        BOOST_TEST(r.memory.seen[r.memory.seen.size() - 2].first == data_pa + 0x4ffc);
        BOOST_TEST(r.memory.seen.back().first == data_pa + 0x7000);
    }
}

/* ---- Misuse ---- */

BOOST_AUTO_TEST_CASE(the_other_kind_of_transport_and_payloads_without_manager_are_refused)
{
    at_rig r;
    transaction blocking(rd, 0x5000, 4), unmanaged(rd, 0x5000, 4);
    r.masters[0].out->b_transport(blocking.p, blocking.delay);
    BOOST_CHECK(blocking.p.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    BOOST_CHECK(r.masters[0].out->nb_transport_fw(unmanaged.p, phase, unmanaged.delay) == tlm::TLM_COMPLETED);
    BOOST_CHECK(unmanaged.p.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_TEST(r.iommu.stats().translations == 0u);
    r.rules.forget(); /* rule 5, broken by the master */
    iommu_rig lt;
    at_access phases(rd, 0x5000, 4);
    BOOST_CHECK(lt.masters[0].out->nb_transport_fw(phases.p, phase, unmanaged.delay) == tlm::TLM_COMPLETED);
    BOOST_CHECK(phases.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    phases.p.release();
}

BOOST_AUTO_TEST_CASE(illegal_accesses_have_the_status_that_they_have_loosely_timed)
{
    at_rig r;
    at_access none(rd, 0x5000, 8), width(rd, 0x5000, 8), null(rd, 0x5000, 8), beyond(rd, UINT64_MAX - 3, 8);
    none.p.set_data_length(0);
    width.p.set_streaming_width(0);
    null.p.set_data_ptr(nullptr);
    for (at_access *a : {&none, &width, &null, &beyond})
        r.one(*a);
    BOOST_CHECK(none.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_CHECK(null.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    BOOST_CHECK(width.status() == tlm::TLM_BURST_ERROR_RESPONSE);
    BOOST_CHECK(beyond.status() == tlm::TLM_BURST_ERROR_RESPONSE);
    BOOST_TEST(r.iommu.stats().translations == 0u);
    r.rules.forget(); /* rule 8, broken by the master */
}

/* Calls the core directly: a checker in between would report them, and some are not its transactions. */
BOOST_AUTO_TEST_CASE(phases_out_of_place_are_ignored)
{
    at_rig r;
    auto &core = const_cast<iommu_core &>(r.iommu.core());
    at_access a(rd, 0x5000, 4), stranger(rd, 0x5000, 4);
    for (const tlm::tlm_phase sent : {tlm::tlm_phase(tlm::END_RESP), tlm::tlm_phase(tlm::END_REQ),
                                      tlm::tlm_phase(tlm::BEGIN_RESP), tlm::tlm_phase(77u)}) {
        tlm::tlm_phase phase = sent;
        sc_core::sc_time none;
        BOOST_CHECK(core.nb_transport_fw(0, stranger.p, phase, none) == tlm::TLM_ACCEPTED);
        for (unsigned port = 0; port < 2; ++port) {
            phase = sent;
            BOOST_CHECK(core.nb_transport_bw(port, stranger.p, phase, none) == tlm::TLM_ACCEPTED);
        }
    }
    r.one(a);
    BOOST_CHECK(a.status() == tlm::TLM_OK_RESPONSE);
    stranger.p.release();
}

BOOST_AUTO_TEST_CASE(a_walk_that_comes_back_to_the_iommu_itself_is_refused)
{
    at_rig r;
    std::deque<at_access> inside;
    r.memory.before = [&](gp &p) {
        if (p.get_address() < iommu_rig::tables_pa || p.get_address() >= data_pa)
            return;
        at_access &again = inside.emplace_back(rd, 0x8000, 4); /* as a bridge passes it on */
        for (unsigned i = 0; i < tlm::max_num_extensions(); ++i)
            if (tlm::tlm_extension_base *e = p.get_extension(i))
                if (tlm::tlm_extension_base *copy = e->clone())
                    again.p.set_auto_extension(i, copy);
        r.from[0]->send(again);
    };
    at_access t(rd, 0x5000, 4);
    r.one(t);
    BOOST_CHECK(t.status() == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(inside.size() == 3u);
    for (const at_access &a : inside)
        BOOST_CHECK(a.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
}

BOOST_AUTO_TEST_CASE(times_are_the_same_at_any_resolution)
{
    const auto before = simulation::time_resolution;
    for (const simulation::resolution one :
         {simulation::resolution{1, sc_core::SC_FS}, {100, sc_core::SC_PS}, {1, sc_core::SC_NS}}) {
        simulation::time_resolution = one;
        at_rig r;
        at_access miss(rd, 0x5010, 4), hit(rd, 0x5010, 4);
        r.one(miss);
        r.one(hit);
        BOOST_CHECK(miss.took() == ns(20) + ns(4) + ns(2) + 3 * ns(21) + ns(1) + ns(20));
        BOOST_CHECK(hit.took() == ns(24));
    }
    simulation::time_resolution = before;
}

/* Many accesses in flight between random registers, commands, tables and resets: each is answered once. */
BOOST_AUTO_TEST_CASE(random_accesses_commands_and_resets_are_survived)
{
    for (uint64_t seed = 0; seed < 4; ++seed) {
        iommu_device_params p;
        p.accesses_per_port = 1 + static_cast<uint32_t>(seed) * 7;
        p.tlb_entries = p.tlb_ways = 4;
        p.contexts = 2;
        p.dmi = static_cast<uint8_t>(dmi_policy::always);
        at_rig r(p, 2);
        r.ways(at_front::ways, at_master::ways);
        r.settling = ns(1);
        ww_rng random;
        ww_rng_init(&random, seed);
        const auto below = [&random](unsigned n) { return ww_rng_below(&random, n); };
        const auto word = [&random] { return ww_rng_next(&random) & ww_rng_next(&random); };
        const uint32_t known[] = {0x00, 0x08, 0x10, 0x18, 0x158, 0x160, 0x2000, 0x2008, 0x2010, 0x2020};
        std::deque<at_access> all;
        for (unsigned i = 0; i < 4000; ++i) {
            if (i % 200 == 0)
                r.enable(WW_IOMMU_CONTROL_GT_EN);
            const unsigned kind = below(100);
            if (kind < 4) {
                r.write(known[below(10)], word());
            } else if (kind < 12) { /* a command with a legal code */
                r.command(word() >> 8 | iommu_rig::opcode(below(9)), word());
            } else if (kind < 15) {
                r.inval_pages(7, 0x5000);
            } else if (kind < 20) { /* tables, anywhere in memory */
                r.memory.put(below(1 << 21) * UINT64_C(8),
                             (word() & UINT64_C(0xfff0000000000fff)) | (word() & 0xfff000) | 1);
            } else if (kind == 20 && i % 7 == 0) {
                r.iommu.reset();
            } else if (kind < 80) {
                const uint64_t at = below(3) == 0 ? word() >> below(64) : 0x5000 + below(0x2800);
                at_access &a = all.emplace_back(below(2) != 0 ? rd : wr, at, 1 + below(256));
                if (below(4) == 0) {
                    access_attributes &of = a.with();
                    of.stream_id = below(600);
                    of.has_pasid = below(2) != 0;
                    of.pasid = static_cast<uint32_t>(word() >> 40);
                    of.type = static_cast<address_type>(below(3));
                }
                r.from[below(2)]->send(a);
            } else {
                sc_core::sc_start(ns(1 + below(60)));
            }
            const char *broken = i % 64 == 0 ? r.iommu.core().check() : nullptr;
            BOOST_TEST((broken == nullptr), (broken == nullptr ? "" : broken));
        }
        sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_MS));
        unsigned freed = 0, good = 0;
        for (const at_access &a : all) {
            freed += a.freed;
            good += a.status() == tlm::TLM_OK_RESPONSE;
        }
        BOOST_TEST(freed == all.size());
        BOOST_TEST(good > all.size() / 8);
        BOOST_TEST((r.from[0]->quiet() && r.from[1]->quiet()));
    }
}

BOOST_AUTO_TEST_CASE(hints_of_direct_memory_pass_as_the_parameter_says_and_debug_access_works)
{
    for (const dmi_policy policy : {dmi_policy::off, dmi_policy::always}) {
        iommu_device_params p;
        p.dmi = static_cast<uint8_t>(policy);
        at_rig r(p);
        at_access a(rd, 0x5000, 4), burst(rd, 0x5ffe, 4);
        for (at_access *one : {&a, &burst}) {
            one->p.acquire();
            r.from[0]->send(*one);
            r.settle();
        }
        BOOST_TEST(a.p.is_dmi_allowed() == (policy == dmi_policy::always));
        BOOST_TEST(!burst.p.is_dmi_allowed());
        a.p.release();
        burst.p.release();
        tlm::tlm_dmi dmi;
        transaction asks(rd, 0x5000, 4), debug(rd, 0x5fff, 2);
        BOOST_TEST(r.masters[0].out->get_direct_mem_ptr(asks.p, dmi) == (policy == dmi_policy::always));
        r.memory.bytes[data_pa + 0x9000] = 9;
        BOOST_TEST(r.masters[0].out->transport_dbg(debug.p) == 2u);
        BOOST_TEST(debug.data[1] == 9u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
