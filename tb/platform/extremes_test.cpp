/* SPDX-License-Identifier: MIT */
/* Every parameter of every machine at the ends of its range, alone and with every other of its section:
 * before a command builds a machine it gets a sentence or an answer, never a broken contract. */
#include "run/parameters.hpp"
#include "support/errors.hpp"
#include "tb/platform/machines.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;

namespace
{

std::vector<std::string> ends_of(const parameter &p)
{
    if (p.what == parameter::kind::groups)
        return {std::to_string(p.min), std::to_string(p.max), "2", "all"};
    if (p.what == parameter::kind::pages)
        return {"none", "0:mixed", "0-65535:2m", "65535:64k"};
    if (p.what != parameter::kind::number)
        return p.choices;
    std::vector<std::string> ends = {std::to_string(p.min), std::to_string(p.max)};
    if (p.max - p.min > 1)
        ends.insert(ends.end(), {std::to_string(p.min + 1), std::to_string(p.max - 1)});
    return ends;
}

/* Does what `list` does, and `run` before it builds. Returns false if refused. */
bool asked(platform_config &config)
{
    if (!config.validate().empty())
        return false;
    config.structures();
    config.memory_bytes(nullptr);
    return true;
}

struct counts {
    unsigned taken = 0, refused = 0;
};

void ask_with(platform_config &config, const parameter &p, const std::string &value, counts &all)
{
    set_parameter(config, p.name, value, "");
    bool taken = false;
    BOOST_CHECK_NO_THROW(taken = asked(config));
    ++(taken ? all.taken : all.refused);
}

} // namespace

BOOST_AUTO_TEST_SUITE(extremes)

BOOST_DATA_TEST_CASE(each_end_is_refused_or_answered, boost::unit_test::data::make(shipped_machines()),
                     machine)
{
    static test_share some(1);
    const auto config = config_of({machine, ""});
    counts all;
    for (const parameter &p : list_parameters(*config)) {
        BOOST_TEST_INFO_SCOPE(p.name);
        for (const std::string &value : ends_of(p)) {
            if (!some.takes())
                continue;
            ask_with(*config, p, value, all);
            BOOST_CHECK_NO_THROW(config->overruled_by(p.name));
        }
        set_parameter(*config, p.name, p.value, "");
    }
    BOOST_TEST(all.taken > some.of(300));
    if (some.of(20) == 20) /* refusals stand together */
        BOOST_TEST(all.refused > 20u);
}

namespace
{

/* Runs with all laws. Returns false if the program does not fit the machine, which a sentence must say. */
bool runs(const machine_case &with, const trace &program)
{
    try {
        const outcome done = run_machine(with, program);
        BOOST_TEST((done.end == run_end::complete), done.stuck);
        for (const law &l : done.laws)
            BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
        return true;
    } catch (const std::runtime_error &e) {
        BOOST_TEST(std::string(e.what()).size() > 20u);
        return false;
    }
}

} // namespace

/* Each value on one of the machines, which share their blocks. */
BOOST_AUTO_TEST_CASE(what_is_taken_runs)
{
    constexpr uint64_t most_bytes = 256u << 20;
    static const trace program(scatter(2, 1, 1 << 16, 2));
    static test_share some(8);
    const std::vector<std::string> machines = shipped_machines();
    unsigned ran = 0;
    for (size_t w = 0; w < machines.size(); ++w) {
        size_t number = w;
        for (const parameter &p : list_parameters(*config_of({machines[w], ""})))
            for (const std::string &value : ends_of(p)) {
                if (number++ % machines.size() != 0 || !some.takes())
                    continue;
                const machine_case with = {machines[w], p.name + "=" + value};
                BOOST_TEST_INFO_SCOPE(with);
                const auto config = config_of(with);
                if (asked(*config) && config->memory_bytes(nullptr) < most_bytes)
                    BOOST_CHECK_NO_THROW(ran += runs(with, program));
            }
    }
    BOOST_TEST(ran > 50u / sanitized_part);
}

/* Parameters of one section depend on each other most directly. */
BOOST_DATA_TEST_CASE(each_pair_of_a_section_is_refused_or_answered,
                     boost::unit_test::data::make(shipped_machines()), machine)
{
    static test_share some(4);
    const auto config = config_of({machine, ""});
    const std::vector<parameter> parameters = list_parameters(*config);
    counts all;
    for (const parameter &first : parameters) {
        const std::vector<std::string> firsts = ends_of(first);
        for (const std::string &value : {firsts.front(), firsts.back()}) {
            set_parameter(*config, first.name, value, "");
            BOOST_TEST_INFO_SCOPE(first.name << " = " << value);
            for (const parameter &second : parameters) {
                if (second.section != first.section || second.name <= first.name || !some.takes())
                    continue;
                const std::vector<std::string> ends = ends_of(second);
                for (const std::string &other : {ends.front(), ends.back()})
                    ask_with(*config, second, other, all);
                set_parameter(*config, second.name, second.value, "");
            }
        }
        set_parameter(*config, first.name, first.value, "");
    }
    BOOST_TEST(all.taken > some.of(3000));
}

BOOST_AUTO_TEST_SUITE_END()
