/* SPDX-License-Identifier: MIT */
/* When blocks run: wake-ups of any number of blocks against a reference, in the order of time, then of
 * construction; blocks that are constructed later, and destroyed blocks. */
#include "model/common/block.hpp"

#include "tb/support/simulation.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <set>
#include <vector>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

using journal = std::vector<std::pair<tick, unsigned>>;

/* Logs when it runs, and wakes itself as its script says. */
class sleeper final : public block
{
public:
    sleeper(unsigned number, journal &log)
        : block(("sleeper_" + std::to_string(number)).c_str(), gpu_clock), number_(number), log_(log)
    {
    }
    std::string waiting() const override { return ""; }
    using block::runs_after;
    std::vector<tick> pauses; /* from each activation to the next; none left: sleep */

private:
    void step(tick now) override
    {
        log_.emplace_back(now, number_);
        if (next_ < pauses.size())
            wake(now + pauses[next_++]);
    }
    unsigned number_;
    size_t next_ = 0;
    journal &log_;
};

} // namespace

BOOST_DATA_TEST_CASE(blocks_run_by_time_and_then_by_construction, data::make({1u, 2u, 3u, 37u, 200u}), blocks)
{
    simulation sim;
    journal log;
    journal expected;
    std::vector<std::unique_ptr<sleeper>> all;
    ww_rng random;
    ww_rng_init(&random, blocks);
    for (unsigned i = 0; i < blocks; ++i) {
        all.push_back(std::make_unique<sleeper>(i, log));
        tick at = cycle(1 + ww_rng_below(&random, 20));
        all.back()->wake(at); /* before later ones exist */
        expected.emplace_back(at, i);
        for (int n = 0; n < 30; ++n) {
            const tick pause = cycle(1 + ww_rng_below(&random, 5));
            all.back()->pauses.push_back(pause);
            at += pause;
            expected.emplace_back(at, i);
        }
    }
    std::sort(expected.begin(), expected.end());
    sim.run();
    BOOST_TEST((log == expected));
    for (const auto &b : all)
        BOOST_TEST(b->activations() == 31u);
}

BOOST_AUTO_TEST_CASE(an_earlier_wake_up_comes_first_and_the_later_one_is_kept)
{
    simulation sim;
    journal log;
    sleeper early(0, log);
    sleeper other(1, log);
    early.wake(cycle(9));
    other.wake(cycle(5));
    early.wake(cycle(3));
    early.wake(cycle(9));
    early.wake(cycle(12)); /* beyond the earliest that is kept: dropped; step() would set it again */
    sim.run();
    BOOST_TEST((log == journal{{cycle(3), 0}, {cycle(5), 1}, {cycle(9), 0}}));
}

/* Three are constructed before the two that they look at; pending wake-ups stay. */
BOOST_AUTO_TEST_CASE(within_a_time_a_block_runs_after_those_that_it_names)
{
    simulation sim;
    journal log;
    std::vector<std::unique_ptr<sleeper>> all;
    for (unsigned i = 0; i < 5; ++i)
        all.push_back(std::make_unique<sleeper>(i, log));
    all[0]->wake(cycle(2));
    all[4]->wake(cycle(3));
    const std::vector<std::pair<unsigned, unsigned>> rules = {{0, 3}, {1, 4}, {2, 3}, {2, 4}};
    for (const auto &[who, whom] : rules)
        all[who]->runs_after(*all[whom]);
    for (unsigned i = 1; i < 4; ++i)
        all[i]->wake(cycle(5));
    all[0]->pauses = {cycle(3)};
    all[4]->pauses = {cycle(2)};
    sim.run();
    BOOST_REQUIRE_EQUAL(log.size(), 7u);
    BOOST_TEST((log[0] == std::make_pair(cycle(2), 0u) && log[1] == std::make_pair(cycle(3), 4u)));
    std::vector<size_t> place(5);
    for (size_t i = 2; i < log.size(); ++i) {
        BOOST_TEST(log[i].first == cycle(5));
        place[log[i].second] = i;
    }
    for (const auto &[who, whom] : rules)
        BOOST_TEST(place[who] > place[whom], who << " runs before " << whom);
}

BOOST_AUTO_TEST_CASE(a_block_that_is_gone_is_passed_over)
{
    simulation sim;
    journal log;
    sleeper stays(0, log);
    auto goes = std::make_unique<sleeper>(1, log);
    stays.wake(cycle(4));
    goes->wake(cycle(2));
    goes.reset();
    sim.run();
    BOOST_TEST((log == journal{{cycle(4), 0}}));
}
