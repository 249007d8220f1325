/* SPDX-License-Identifier: MIT */
/* The link to host memory in time: a line occupies it for 8 cycles; a read takes 100 cycles until its line
 * begins to arrive; device memory answers after 50. */
#include "model/host_link.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"
#include "tb/support/signal_log.hpp"

using namespace walkway;
using namespace walkway::test;
using mrow = row<mem_protocol>;
using gp = tlm::tlm_generic_payload;

namespace
{

constexpr uint64_t host_pa = uint64_t{1} << 32;

host_link_params slow()
{
    host_link_params p = numbers_of<host_link_params>();
    p.mbytes_per_s = 64 * 1000000 / static_cast<uint32_t>(cycle(8));
    p.latency_ns = static_cast<uint32_t>(cycle(100) / 1000);
    p.reads = 4;
    p.queue_entries = 8;
    p.host_pa = host_pa;
    return p;
}

struct rig {
    memory_store store;
    lines l;
    simulation sim;
    mem_requester top{"top"}, copies{"copies"};
    mem_responder below{"below"};
    host_link dut;
    base_protocol rules;

    explicit rig(const host_link_params &p = slow()) : dut("link", gpu_clock, p, 2)
    {
        rules.bind(top.down, *dut.up[host_link::cache]);
        copies.down.bind(*dut.up[host_link::copies]);
        rules.bind(dut.down, below.up);
        rules.held([this](const gp &q) { return l.holds(q); });
        serve(below, store);
        below.latency = 50;
    }
    void rows(const std::vector<std::tuple<uint64_t, gp *, uint64_t>> &list)
    {
        std::vector<mrow> out;
        for (const auto &[at, p, back] : list)
            out.push_back({cycle(at), p, cycle(back)});
        check_rows<mem_protocol>(sim, top, out);
        BOOST_TEST(dut.waiting() == "");
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(host_link_in_time)

BOOST_AUTO_TEST_CASE(lines_of_device_memory_go_on_a_cycle_later)
{
    rig r;
    r.rows({{20, &r.l.read(host_pa - 64), 71}, {30, &r.l.write(0), 81}});
    BOOST_TEST(r.dut.stats().device_lines == 2u);
    BOOST_TEST(r.dut.stats().host_reads == 0u);
}

BOOST_AUTO_TEST_CASE(a_read_takes_the_latency_and_its_line_and_lines_follow_each_other)
{
    rig r;
    r.rows(
        {{20, &r.l.read(host_pa), 128}, {21, &r.l.read(host_pa + 64), 136}, {400, &r.l.read(host_pa), 508}});
    BOOST_TEST(r.dut.stats().host_reads == 3u);
    BOOST_TEST(r.dut.stats().down_busy_ps == cycle(24));
    BOOST_TEST(r.dut.stats().up_busy_ps == 0u);
    BOOST_TEST(r.dut.stats().read_latency.max() == 115u);
}

BOOST_AUTO_TEST_CASE(reads_are_shown_until_they_return)
{
    rig r;
    const signal_log log(r.dut);
    r.rows({{20, &r.l.read(host_pa), 128}, {21, &r.l.read(host_pa + 64), 136}});
    BOOST_TEST(log.at("reads", cycle(19)) == 0u);
    BOOST_TEST(log.at("reads", cycle(127)) == 2u);
    BOOST_TEST(log.at("reads", cycle(135)) == 1u);
    BOOST_TEST(log.at("reads", cycle(136)) == 0u);
}

BOOST_AUTO_TEST_CASE(a_write_is_answered_when_its_line_has_left_and_is_not_in_the_way_of_reads)
{
    rig r;
    r.rows(
        {{20, &r.l.write(host_pa), 28}, {20, &r.l.write(host_pa + 64), 36}, {21, &r.l.read(host_pa), 129}});
    BOOST_TEST(r.dut.stats().host_writes == 2u);
    BOOST_TEST(r.dut.stats().up_busy_ps == cycle(16));
}

/* The fifth waits until the first returns. Requests to device memory after it also wait in its queue, but
 * those in the queue of copies do not. */
BOOST_AUTO_TEST_CASE(so_many_reads_are_on_their_way)
{
    rig r;
    gp &copied = r.l.read(64);
    r.copies.ask(copied, cycle(24));
    std::vector<std::tuple<uint64_t, gp *, uint64_t>> list;
    for (uint64_t i = 0; i < 4; ++i)
        list.emplace_back(20, &r.l.read(host_pa + i * 64), 128 + 8 * i);
    list.emplace_back(21, &r.l.read(host_pa + 4096), 128 + 108);
    list.emplace_back(22, &r.l.read(0), 128 + 51);
    r.rows(list);
    BOOST_TEST(r.copies.done.at(&copied) == cycle(75));
    BOOST_TEST(r.dut.stats().stall_cycles >= 106u);
    BOOST_TEST(r.dut.stats().stall_cycles <= 107u);
}

BOOST_AUTO_TEST_CASE(caches_come_before_copies_and_copies_are_counted_apart)
{
    rig r;
    gp &in = r.l.read(host_pa + 128), &out = r.l.write(host_pa + 192);
    r.copies.ask(in, cycle(20));
    r.copies.ask(out, cycle(20));
    r.rows({{20, &r.l.read(host_pa), 128}});
    BOOST_TEST(r.copies.done.at(&in) == cycle(136));
    BOOST_TEST(r.copies.done.at(&out) == cycle(28));
    BOOST_TEST(r.dut.stats().copied_in == 1u);
    BOOST_TEST(r.dut.stats().copied_out == 1u);
}

/* Asked only for lines of caches, with what is known about them. */
BOOST_AUTO_TEST_CASE(the_owner_is_asked_and_a_line_that_is_elsewhere_breaks_a_law)
{
    rig r;
    std::vector<std::tuple<uint64_t, bool, bool>> asked;
    r.dut.asks([&](uint64_t pa, bool host, bool late) {
        asked.emplace_back(pa, host, late);
        return pa != 64;
    });
    gp &late = r.l.write(host_pa);
    mem_ext_of(late).late = true;
    r.copies.ask(r.l.read(64), cycle(10));
    r.rows({{20, &r.l.read(0), 71}, {30, &late, 38}, {40, &r.l.read(64), 91}});
    const std::vector<std::tuple<uint64_t, bool, bool>> expected = {
        {0, false, false}, {host_pa, true, true}, {64, false, false}};
    BOOST_TEST((asked == expected));
    law_list laws(cycle(100), false);
    laws.of("link", "link");
    r.dut.laws(laws);
    BOOST_TEST(!laws.all().front().holds());
    BOOST_TEST(r.dut.stats().elsewhere == 1u);
}

BOOST_AUTO_TEST_CASE(debug_looks_into_device_memory)
{
    rig r;
    const unsigned char value[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    r.store.write(256, value, 8);
    gp &p = r.l.read(256);
    BOOST_TEST(r.top.down->transport_dbg(p) == 64u);
    BOOST_TEST(std::memcmp(p.get_data_ptr(), value, 8) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
