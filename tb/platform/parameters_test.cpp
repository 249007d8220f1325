/* SPDX-License-Identifier: MIT */
/* Every parameter has an effect: each that the apu declares has a row with another value and a stimulus
 * whose outcome that value changes (a statistic, or the configuration is refused). A parameter without a
 * row fails. */
#include "tb/platform/parameter_rows.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;

namespace
{

outcome &base_of(const parameter_row &row)
{
    static std::map<std::string, outcome> known;
    const std::string key = std::to_string(static_cast<int>(row.stimulus)) + row.base;
    const auto it = known.find(key);
    if (it != known.end())
        return it->second;
    return known[key] = run_apu(configured(row.base), stimulus_programs(row.stimulus));
}

/* The cost of the run to the simulator is not an effect. */
std::map<std::string, std::string> results(outcome o)
{
    for (auto it = o.stats.begin(); it != o.stats.end();)
        it = it->first.compare(0, 6, "model.") == 0 ? o.stats.erase(it) : std::next(it);
    return o.stats;
}

} // namespace

BOOST_AUTO_TEST_SUITE(parameters)

BOOST_AUTO_TEST_CASE(every_declared_parameter_has_one_row_and_every_row_a_parameter)
{
    param_setter all;
    visit_all(all);
    std::multiset<std::string> rows;
    for (const parameter_row &row : parameter_rows())
        rows.insert(row.name);
    for (const std::string &name : all.names)
        BOOST_TEST(rows.count(name) == 1u, name << " has " << rows.count(name) << " rows");
    BOOST_TEST(rows.size() == all.names.size());
}

BOOST_DATA_TEST_CASE(another_value_changes_the_outcome, boost::unit_test::data::make(parameter_rows()))
{
    static test_share some(2);
    if (!some.takes())
        return;
    const outcome &before = base_of(sample);
    BOOST_TEST(before.stats.count("refused") == 0u);
    BOOST_TEST((before.end == run_end::complete), before.stuck);
    const outcome after = run_apu(configured(sample.base + " " + sample.name + "=" + sample.value),
                                  stimulus_programs(sample.stimulus));
    if (after.stats.count("refused") == 0)
        BOOST_TEST((after.end == run_end::complete), after.stuck);
    BOOST_TEST((results(before) != results(after)));
    for (const law &l : after.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
}

/* As reported when such a parameter is set: overruled_by() in platforms/platform.hpp. */
BOOST_DATA_TEST_CASE(what_another_parameter_overrules_changes_nothing,
                     boost::unit_test::data::make(parameter_rows()))
{
    static test_share some(4);
    if (!some.takes())
        return;
    std::vector<std::string> strongest = {"translation.ideal=unlimited_walkers",
                                          "translation.ideal=zero_walk",
                                          "translation.ideal=infinite_tlb",
                                          "translation.ideal=perfect_l1",
                                          "translation.ideal=none",
                                          "address_space.map=all"};
    for (const mechanism &m : mechanisms())
        strongest.push_back(m.on);
    for (const std::string &by : strongest) {
        const std::string strong = sample.base + " " + by;
        if (configured(strong).overruled_by(sample.name).empty())
            continue;
        const outcome before = run_apu(configured(strong), stimulus_programs(sample.stimulus));
        const outcome after = run_apu(configured(strong + " " + sample.name + "=" + sample.value),
                                      stimulus_programs(sample.stimulus));
        if (before.stats.count("refused") == 0 && after.stats.count("refused") == 0)
            BOOST_TEST((results(before) == results(after)), by);
    }
}

BOOST_AUTO_TEST_CASE(what_the_ideal_ladder_puts_elsewhere_is_overruled)
{
    for (uint8_t rung = 0; rung <= static_cast<uint8_t>(ideal::none); ++rung) {
        gpu_machine_params asked = configured("l2_tlb.index=modulo");
        asked.translation.ideal = rung;
        gpu_machine_params made = asked.resolved(1);
        param_setter before, after;
        asked.visit(before);
        made.visit(after);
        for (const auto &[name, value] : before.values)
            BOOST_TEST((value == after.values.at(name) || !asked.overruled_by(name).empty()),
                       name << " at rung " << int{rung});
    }
}

BOOST_AUTO_TEST_SUITE_END()
