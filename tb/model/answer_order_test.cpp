/* SPDX-License-Identifier: MIT */
/* A cache with several requesters tells each one its answers in the order in which it learns them in its own
 * time, however early the level below announces them; answers of one edge are served in the order of
 * announcement. hit_cycles 10. */
#include "model/data_cache.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;
using gp = tlm::tlm_generic_payload;

namespace
{

/* Requests at given times, and records the times of its answers in the order of announcement. */
struct asker final : block, initiator_of<mem_protocol> {
    out_port<mem_protocol> down{"down", *this, *this};
    std::deque<std::pair<tick, gp *>> queue;
    std::vector<std::pair<gp *, tick>> told;
    explicit asker(const sc_core::sc_module_name &n) : block(n, gpu_clock) {}
    void ask(gp &p, tick at)
    {
        queue.emplace_back(at, &p);
        wake(queue.front().first);
    }
    std::string waiting() const override { return ""; }
    void step(tick now) override
    {
        for (; !queue.empty() && queue.front().first <= now; queue.pop_front())
            down.send(*queue.front().second, now);
        if (!queue.empty())
            wake(queue.front().first);
    }
    void on_response(gp &p, tick at, unsigned) override { told.emplace_back(&p, at); }
};

/* Answers after 100 cycles, or 200 for `far`; announces an answer at once, or only when it is due. */
struct memory final : block, target_of<mem_protocol> {
    in_port<mem_protocol> up{"up", *this, *this, 16};
    due_queue<gp *> decided{gpu_clock};
    uint64_t far = 0;
    const bool late;
    memory(const sc_core::sc_module_name &n, bool says_late) : block(n, gpu_clock), late(says_late) {}
    std::string waiting() const override { return ""; }
    unsigned debug(gp &) override { return 0; }
    void step(tick now) override
    {
        for (gp *p = nullptr; decided.pop(now, p);)
            up.respond(*p, now);
        for (; up.ready(now); up.pop()) {
            gp &p = up.front();
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            const tick at = now + cycle(p.get_address() == far ? 200 : 100);
            if (late)
                decided.push(at, &p);
            else
                up.respond(p, at);
        }
        wake(up.next());
        wake(decided.next());
    }
};

struct rig {
    memory_store store;
    lines l;
    simulation sim;
    asker first{"first"}, second{"second"};
    memory below;
    data_cache dut;
    static data_cache_params params()
    {
        data_cache_params p = numbers_of<data_cache_params>();
        p.bytes = 4 * 64;
        p.ways = 4;
        p.write = WW_WRITE_BACK;
        p.hit_cycles = 10;
        p.response_cycles = 1;
        return p;
    }
    explicit rig(bool late) : below("memory", late), dut("cache", gpu_clock, params(), store, 2)
    {
        first.down.bind(*dut.up[0]);
        second.down.bind(*dut.up[1]);
        dut.down.bind(below.up);
    }
    void expect(const std::vector<std::pair<gp *, tick>> &want)
    {
        sim.run();
        BOOST_REQUIRE_EQUAL(first.told.size(), want.size());
        for (size_t i = 0; i < want.size(); ++i) {
            BOOST_TEST(first.told[i].first == want[i].first, "another answer is told as number " << i);
            BOOST_TEST(first.told[i].second == want[i].second);
        }
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(order_of_answers)

BOOST_DATA_TEST_CASE(who_joins_a_line_on_its_way_hears_when_it_is_here, data::make({false, true}), late)
{
    rig r(late);
    r.below.far = 0x1000;
    gp &far = r.l.read(0x1000), &joins = r.l.read(0x1000), &near = r.l.read(0x2000);
    r.second.ask(far, cycle(20)); /* below at 30, returns at 230 */
    r.first.ask(near, cycle(40)); /* below at 50, returns at 150 */
    r.first.ask(joins, cycle(60));
    r.expect({{&near, cycle(151)}, {&joins, cycle(231)}});
    BOOST_TEST(r.dut.stats().read_merged == 1u);
}

BOOST_DATA_TEST_CASE(who_reads_a_line_that_is_here_hears_at_once, data::make({false, true}), late)
{
    rig r(late);
    gp &warm = r.l.read(0x1000), &near = r.l.read(0x2000), &hit = r.l.read(0x1000);
    r.second.ask(warm, cycle(20));
    r.first.ask(near, cycle(200)); /* returns at 310, 311 above */
    r.first.ask(hit, cycle(305));  /* 315 above */
    r.expect({{&hit, cycle(315)}, {&near, cycle(311)}});
    BOOST_TEST(r.dut.stats().read_hits == 1u);
}

BOOST_DATA_TEST_CASE(and_who_writes_one, data::make({false, true}), late)
{
    rig r(late);
    gp &warm = r.l.read(0x1000), &near = r.l.read(0x2000), &write = r.l.write(0x1000);
    r.second.ask(warm, cycle(20));
    r.first.ask(near, cycle(200));
    r.first.ask(write, cycle(305));
    r.expect({{&write, cycle(315)}, {&near, cycle(311)}});
    BOOST_TEST(r.dut.stats().write_hits == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
