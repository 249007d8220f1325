/* SPDX-License-Identifier: MIT */
/* Main memory through its socket, in cycles of its own clock (1.25 ns). The reference values 16, 27 and 38
 * are those on which three public DRAM simulators agree. */
#include "model/dram.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
using mrow = row<mem_protocol>;
using gp = tlm::tlm_generic_payload;

namespace
{

const clock_domain memory_clock(1250);
constexpr tick mc(uint64_t n)
{
    return n * 1250;
}
constexpr uint64_t next_row = 8192 * 16; /* same bank of the only channel */

dram_params one_channel()
{
    dram_params p = numbers_of<dram_params>();
    p.channels = 1;
    p.refi = 0;
    return p;
}

struct rig {
    memory_store store;
    lines l;
    simulation sim;
    mem_requester top{"top", memory_clock};
    dram dut;
    base_protocol rules;

    explicit rig(const dram_params &p = one_channel()) : dut("dram", p, store, 1)
    {
        rules.bind(top.down, *dut.up[0]);
        rules.held([this](const gp &q) { return l.holds(q); });
    }
    struct want {
        uint64_t at;
        gp *p;
        uint64_t back;
    };
    void rows(const std::vector<want> &list)
    {
        std::vector<mrow> out;
        for (const want &w : list)
            out.push_back({mc(w.at), w.p, mc(w.back)});
        check_rows<mem_protocol>(sim, top, out);
        for (const want &w : list)
            BOOST_TEST(w.p->get_response_status() == tlm::TLM_OK_RESPONSE);
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
    }
};

/* Requesters on a port each. */
struct requesters {
    memory_store store;
    lines l;
    simulation sim;
    std::deque<mem_requester> top;
    dram dut;

    requesters(const dram_params &p, unsigned count) : dut("dram", p, store, count)
    {
        for (unsigned i = 0; i < count; ++i) {
            top.emplace_back(("top_" + std::to_string(i)).c_str(), memory_clock);
            top[i].down.bind(*dut.up[i]);
            top[i].lead = mc(1);
        }
    }
    tick answered(unsigned i) const { return top[i].done.begin()->second; }
};

} // namespace

/* An activation counts for the request that needed the row first, whichever requests find it open later. */
BOOST_AUTO_TEST_CASE(activations_are_those_of_the_requester_for_whom_the_row_was_opened)
{
    rig r;
    const auto walk = [&r](uint64_t pa) -> gp & {
        gp &p = r.l.read(pa);
        mem_ext_of(p).walk = true;
        return p;
    };
    r.rows({{0, &walk(0), 27}, {40, &r.l.read(64), 56}}); /* the walk opens row 0; data find it open */
    BOOST_TEST(r.dut.stats().walk_activates == 1u);
    BOOST_TEST(r.dut.stats().walk_reads == 1u);
    r.rows({{200, &r.l.read(next_row), 238}, {300, &walk(next_row + 64), 316}, {400, &walk(0), 438}});
    BOOST_TEST(r.dut.stats().walk_activates == 2u);
    BOOST_TEST(r.dut.stats().walk_reads == 3u);
    r.rows({{600, &r.l.write(next_row), 601}, {700, &walk(next_row + 128), 716}}); /* the write opened it */
    BOOST_TEST(r.dut.stats().walk_activates == 2u);
    stat_text text;
    r.dut.visit(text, mc(1000));
    BOOST_TEST(text.all.at("activates") == "4");
    BOOST_TEST(text.all.at("walk_activates") == "2");
    BOOST_TEST(text.all.at("walk_reads") == "4");
    ww_dram_energy_pj all = r.dut.energy(mc(1000));
    BOOST_TEST(r.dut.walk_fj() / 1000 == all.act / 2 + all.read * 4 / 6);
}

BOOST_AUTO_TEST_CASE(page_table_reads_are_counted_by_channel)
{
    dram_params p = one_channel();
    p.channels = 2;
    p.channel_xor = false; /* lines alternate */
    rig r(p);
    const auto walk = [&r](uint64_t pa) -> gp & {
        gp &payload = r.l.read(pa);
        mem_ext_of(payload).walk = true;
        return payload;
    };
    r.rows({{0, &walk(64), 27}, {100, &walk(192), 116}, {200, &r.l.read(320), 216}, {300, &walk(0), 327}});
    stat_text text;
    r.dut.visit(text, mc(1000));
    BOOST_TEST(text.all.at("walk_reads") == "3");
    BOOST_TEST(text.all.at("walk_reads_of.channel0") == "1");
    BOOST_TEST(text.all.at("walk_reads_of.channel1") == "2");
}

BOOST_AUTO_TEST_SUITE(dram_in_time)

/* Two channels, each line in two bursts of one bank. A cycle of overhead, RCD, CCD of the group, CL, a burst;
 * the answer follows the second burst. */
BOOST_AUTO_TEST_CASE(a_line_in_two_bursts_is_there_with_the_second)
{
    dram_params p = one_channel();
    p.bursts = 2;
    p.groups = 4;
    p.burst = 2;
    p.ccd = 2;
    p.ccd_group = 4;
    rig r(p);
    r.rows({{100, &r.l.read(0), 100 + 1 + 11 + 4 + 11 + 2}, {200, &r.l.read(64), 200 + 1 + 4 + 11 + 2}});
    BOOST_TEST(r.dut.stats().reads == 2u);
    BOOST_TEST(r.dut.reads_served(simulation_time()) == 2u);
    stat_text text;
    r.dut.visit(text, mc(1000));
    BOOST_TEST(text.all.at("column_reads") == "4");
    BOOST_TEST(text.all.at("row_hits") == "2"); /* both bursts of the second line, none of the first */
    gp &walk = r.l.read(128);
    mem_ext_of(walk).walk = true;
    r.rows({{300, &walk, 300 + 1 + 4 + 11 + 2}});
    BOOST_TEST(r.dut.stats().walk_reads == 2u); /* commands, as read energy is per command */
}

BOOST_AUTO_TEST_CASE(an_unloaded_read_takes_27_cycles_on_a_closed_bank_16_on_the_open_row_and_38_on_another)
{
    rig r;
    r.rows({{100, &r.l.read(0), 127}, {200, &r.l.read(64), 216}, {300, &r.l.read(next_row), 338}});
    BOOST_TEST(r.dut.stats().reads == 3u);
    BOOST_TEST(r.dut.stats().read_latency.max() == 38u);
    BOOST_TEST(r.dut.reads_served(simulation_time()) == 3u);
}

BOOST_AUTO_TEST_CASE(a_request_between_two_memory_edges_counts_from_the_later_one)
{
    memory_store store;
    lines l;
    simulation sim;
    mem_requester top("top", clock_domain(500)); /* a GPU clock */
    dram dut("dram", one_channel(), store, 1);
    base_protocol rules;
    rules.bind(top.down, *dut.up[0]);
    rules.held([&l](const gp &p) { return l.holds(p); });
    check_rows<mem_protocol>(
        sim, top, {{1500, &l.read(0), 36500}}); /* 2500 + 27 * 1250 = 36250, seen at the next edge */
}

BOOST_AUTO_TEST_CASE(row_hits_stream_at_the_rate_of_the_data_bus)
{
    rig r;
    std::vector<rig::want> list;
    for (uint64_t n = 0; n < 8; ++n)
        list.push_back({100, &r.l.read(n * 64), 127 + 4 * n});
    r.rows(list);
}

BOOST_AUTO_TEST_CASE(a_row_hit_overtakes_an_older_request_for_another_row_of_the_bank)
{
    rig r; /* activate 101, precharge ras later, activate rp, read rcd, data cl + burst */
    const uint64_t other = 101 + 28 + 11 + 11 + 15;
    r.rows({{100, &r.l.read(0), 127}, {101, &r.l.read(next_row), other}, {102, &r.l.read(64), 131}});
}

BOOST_AUTO_TEST_CASE(two_channels_work_side_by_side)
{
    dram_params p = one_channel();
    p.channels = 2;
    p.channel_xor = false;
    rig r(p);
    r.rows({{100, &r.l.read(0), 127}, {100, &r.l.read(64), 127}, {100, &r.l.read(128), 131}});
}

BOOST_AUTO_TEST_CASE(answers_come_at_the_same_times_whether_or_not_commands_are_watched)
{
    struct onlooker final : observer {
        uint64_t commands = 0;
        void on_event(const observed_event &e) override
        {
            BOOST_TEST(e.time % mc(1) == 0u);
            ++commands;
        }
    };
    /* rows that displace each other in four banks, and gaps in which everything is answered */
    const auto run = [](observer *o) {
        rig r;
        r.dut.attach(o);
        std::vector<gp *> asked;
        for (uint64_t n = 0; n < 60; ++n)
            r.top.ask(*asked.emplace_back(&r.l.read(n % 4 * 8192 + n / 4 % 3 * next_row + n * 64)),
                      mc(100 + n * 3 + n / 20 * 1000));
        r.sim.run();
        std::vector<tick> back;
        for (gp *p : asked)
            back.push_back(r.top.done.at(p));
        BOOST_TEST(r.dut.live() == 0u);
        return std::make_pair(back, r.dut.activations());
    };
    onlooker o;
    const auto watched = run(&o), alone = run(nullptr);
    BOOST_TEST(watched.first == alone.first, boost::test_tools::per_element());
    BOOST_TEST(o.commands > 90u);
    BOOST_TEST(watched.second >= o.commands);
    BOOST_TEST(alone.second == watched.second);
}

BOOST_AUTO_TEST_CASE(a_write_is_answered_when_it_is_queued)
{
    rig r;
    r.rows({{100, &r.l.write(0), 101}});
    BOOST_TEST(r.dut.stats().writes == 1u);
}

BOOST_AUTO_TEST_CASE(ports_bound_the_requests_taken_in_a_cycle)
{
    dram_params p = one_channel();
    p.ports = 2;
    rig r(p);
    r.rows({{100, &r.l.write(0), 101}, {100, &r.l.write(64), 101}, {100, &r.l.write(128), 102}});
}

BOOST_DATA_TEST_CASE(the_turn_of_the_ports_goes_round_with_the_clock,
                     boost::unit_test::data::make({300u, 301u, 302u}), at)
{
    dram_params p = one_channel();
    p.ports = 1;
    requesters r(p, 3);
    for (unsigned i = 0; i < 3; ++i)
        r.top[i].ask(r.l.write(i * 64), mc(at));
    r.sim.run();
    for (unsigned after = 0; after < 3; ++after)
        BOOST_TEST(r.answered((at + after) % 3) == mc(at + after + 1));
}

/* In cycle 130 port 64 waits for room, port 65 takes the cycle's only place, and port 0 has the next one. */
BOOST_AUTO_TEST_CASE(each_of_many_ports_waits_by_itself)
{
    dram_params p = one_channel();
    p.ports = 1;
    p.read_entries = 1;
    requesters r(p, 66);
    r.top[2].ask(r.l.read(0), mc(128));
    r.top[64].ask(r.l.read(next_row), mc(130));
    r.top[65].ask(r.l.write(64), mc(130));
    r.top[0].ask(r.l.write(128), mc(130));
    r.sim.run();
    BOOST_TEST(r.answered(2) == mc(128 + 27));
    BOOST_TEST(r.answered(65) == mc(131));
    BOOST_TEST(r.answered(0) == mc(132));
}

BOOST_AUTO_TEST_CASE(a_read_of_a_queued_write_is_answered_from_the_queue)
{
    rig r;
    r.sim.run_until(mc(1));
    gp &read = r.l.read(0);
    r.top.ask(r.l.write(0), mc(100));
    r.top.ask(read, mc(100));
    r.sim.run();
    BOOST_TEST(r.top.done.at(&read) == mc(102)); /* in the cycle from 101 to 102 */
    std::map<std::string, std::string> s;
    stat_text text;
    r.dut.visit(text, simulation_time());
    BOOST_TEST(text.all["forwards"] == "1");
}

BOOST_AUTO_TEST_CASE(a_full_channel_queue_holds_requests_at_the_port_and_the_port_its_sender)
{
    dram_params p = one_channel();
    p.read_entries = 1;
    p.queue_entries = 1;
    rig r(p);
    for (uint64_t n = 0; n < 6; ++n)
        r.top.ask(r.l.read(n * next_row), mc(100));
    r.sim.run_until(mc(110));
    BOOST_TEST(r.top.sent == 3u); /* one in the channel, one in the port, one blocked */
    BOOST_TEST(r.top.refused != 0u);
    r.sim.run();
    BOOST_TEST(r.top.order.size() == 6u);
    BOOST_TEST(r.dut.stats().stall_cycles != 0u);
}

BOOST_AUTO_TEST_CASE(a_request_stalls_until_a_command_has_made_room_in_its_channel)
{
    dram_params p = one_channel();
    p.read_entries = 1;
    rig r(p);
    r.rows({{100, &r.l.read(0), 127}, {100, &r.l.read(next_row), 101 + 28 + 11 + 11 + 15}});
    BOOST_TEST(r.dut.stats().stall_cycles == 13u); /* the first is read in cycle 112 */
}

BOOST_AUTO_TEST_CASE(bytes_written_through_the_socket_are_read_back_and_enables_are_obeyed)
{
    rig r;
    unsigned char out[100], back[100] = {}, enable[2] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
    for (unsigned i = 0; i < 100; ++i)
        out[i] = static_cast<unsigned char>(i + 1);
    foreign_payload write, read;
    write.set_command(tlm::TLM_WRITE_COMMAND);
    write.set_address(4096 - 50); /* over a frame's end */
    write.set_data_ptr(out);
    write.set_data_length(100);
    write.set_streaming_width(100);
    write.set_byte_enable_ptr(enable);
    write.set_byte_enable_length(2);
    read.set_command(tlm::TLM_READ_COMMAND);
    read.set_address(4096 - 50);
    read.set_data_ptr(back);
    read.set_data_length(100);
    read.set_streaming_width(100);
    r.top.ask(write, mc(100));
    r.top.ask(read, mc(300));
    r.sim.run();
    for (unsigned i = 0; i < 100; ++i)
        BOOST_TEST(back[i] == (i % 2 == 0 ? out[i] : 0));
    unsigned char again[100] = {};
    read.set_data_ptr(again);
    BOOST_TEST(r.top.down->transport_dbg(read) == 100u);
    BOOST_TEST(std::memcmp(again, back, 100) == 0);
}

BOOST_AUTO_TEST_CASE(an_address_beyond_the_memory_is_refused_as_an_address_error)
{
    rig r;
    gp &beyond = r.l.read(uint64_t{1} << 40);
    r.top.ask(beyond, mc(10));
    r.sim.run();
    BOOST_TEST(beyond.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(r.top.done[&beyond] == mc(11));
}

BOOST_AUTO_TEST_CASE(a_debug_access_beyond_the_memory_is_refused_too)
{
    rig r;
    r.sim.run_until(mc(1));
    BOOST_TEST(r.top.down->transport_dbg(r.l.read(uint64_t{1} << 40)) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
