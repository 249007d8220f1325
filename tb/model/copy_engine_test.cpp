/* SPDX-License-Identifier: MIT */
/* The copy engine over a memory that answers after 20 cycles: which lines it reads and writes, how many at a
 * time, and when it ends. */
#include "model/copy_engine.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

struct rig {
    struct access {
        uint64_t pa;
        bool write;
        tick at;
        bool operator<(const access &o) const { return std::tie(pa, write) < std::tie(o.pa, o.write); }
    };
    simulation sim;
    mem_responder below{"below"};
    copy_engine dut;
    actor at_time{"at_time"};
    std::vector<access> seen;

    explicit rig(uint32_t lines) : dut("copy", gpu_clock, params(lines))
    {
        dut.mem.bind(below.up);
        below.latency = 20;
        below.answer = [this](tlm::tlm_generic_payload &p, tick at) {
            seen.push_back({p.get_address(), p.is_write(), at});
            p.set_response_status(tlm::TLM_OK_RESPONSE);
        };
    }
    static copy_engine_params params(uint32_t lines)
    {
        copy_engine_params p = numbers_of<copy_engine_params>();
        p.lines = lines;
        return p;
    }
    /* Returns the time at which the copy ends. */
    tick copied(const std::vector<page_copy> &what)
    {
        tick done = never;
        at_time.at(cycle(10), [&] { dut.copy(what, [&](tick at) { done = at; }); });
        sim.run();
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
        return done;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(copy_engine_in_time)

/* A read arrives a cycle after it is sent and is answered 20 later; the write follows at once. */
BOOST_AUTO_TEST_CASE(a_line_is_read_and_written)
{
    rig r(8);
    BOOST_TEST(r.copied({{0x1000, 0x80000, 64}}) == cycle(10 + 21 + 21));
    BOOST_TEST(r.dut.stats().reads == 1u);
    BOOST_TEST(r.dut.stats().writes == 1u);
    BOOST_TEST(r.dut.stats().bytes == 64u);
    BOOST_TEST(r.dut.stats().busy_ps == cycle(42));
}

BOOST_DATA_TEST_CASE(every_line_goes_where_it_belongs, data::make({1u, 3u, 128u}), lines)
{
    rig r(lines);
    const tick done = r.copied({{0x10000, 0x900000, 4096}, {0x500000, 0x20000, 8192}});
    std::set<rig::access> expected;
    for (uint64_t at = 0; at < 4096; at += 64)
        expected.insert({{0x10000 + at, false, 0}, {0x900000 + at, true, 0}});
    for (uint64_t at = 0; at < 8192; at += 64)
        expected.insert({{0x500000 + at, false, 0}, {0x20000 + at, true, 0}});
    BOOST_TEST(r.seen.size() == expected.size());
    for (const rig::access &a : r.seen)
        BOOST_TEST(expected.count(a) == 1u);
    /* 192 lines, `lines` at a time, each in flight for 42 cycles; one is sent per cycle. */
    BOOST_TEST(done >= cycle(10 + std::max<uint64_t>(192 * 42 / lines, 2 * 192)));
    BOOST_TEST(done <= cycle(10 + std::max<uint64_t>(192 * 44 / lines, 2 * 192) + 60));
}

BOOST_AUTO_TEST_CASE(one_order_comes_after_the_other)
{
    rig r(4);
    std::vector<tick> done;
    r.at_time.at(cycle(5), [&] {
        r.dut.copy({{0, 4096, 128}}, [&](tick at) {
            done.push_back(at);
            r.dut.copy({{8192, 0, 64}}, [&](tick later) { done.push_back(later); });
        });
    });
    r.sim.run();
    BOOST_REQUIRE(done.size() == 2u);
    BOOST_TEST(done[1] >= done[0] + cycle(42));
    BOOST_TEST(r.dut.stats().orders == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
