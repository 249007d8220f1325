/* SPDX-License-Identifier: MIT */
/* Every machine of the program, on the same programs: each law holds on each rung of the ideal ladder, waves
 * and lanes are those of the program, and windows, dumps and files of translations can be made. */
#include "tb/platform/bounds.hpp"
#include "tb/platform/machines.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

#include <fstream>
#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

const trace &program(unsigned n)
{
    static const trace all[] = {trace(mixed_spec(6)), trace(row_major(6, 4, 4, 16384)),
                                trace(scatter(8, 8, 4 << 20, 40)), trace(pointer_chase(4, 12, 8 << 20))};
    return all[n];
}
constexpr unsigned programs = 4;

/* The names of the rungs depend on the name of a machine's last TLB; their number does not. */
class rungs_of final : public param_visitor
{
public:
    using param_visitor::number;
    choice_names names;
    void begin(const char *section, const char *) override { section_ = section; }
    void end() override {}
    void number(const char *, uint64_t &, const param_info &) override {}
    void choice(const char *key, uint8_t &, const choice_names &all, const param_info &) override
    {
        if (section_ == "translation" && std::string(key) == "ideal")
            names = all;
    }
    void flag(const char *, bool &, const param_info &) override {}

private:
    std::string section_;
};

/* Small machines, and example machines as they are. */
std::vector<machine_case> small_machines()
{
    std::vector<machine_case> all = every_machine({"gpu.cus=2"});
    for (const std::string &example : example_machines())
        all.push_back({example, ""});
    return all;
}

std::vector<machine_case> every_rung()
{
    std::vector<machine_case> all;
    std::vector<std::string> machines = shipped_machines();
    machines.insert(machines.end(), example_machines().begin(), example_machines().end());
    for (const std::string &machine : machines) {
        rungs_of rungs;
        config_of({machine, ""})->visit(rungs);
        for (const char *rung : rungs.names)
            all.push_back({machine, std::string("translation.ideal=") + rung});
    }
    return all;
}

void lawful(const outcome &o)
{
    BOOST_TEST(o.laws.size() > 20u);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
}

std::map<std::string, std::string> results(outcome o)
{
    for (auto it = o.stats.begin(); it != o.stats.end();)
        it = it->first.compare(0, 6, "model.") == 0 ? o.stats.erase(it) : std::next(it);
    return o.stats;
}

struct temporary {
    explicit temporary(const char *end) : path(std::string("machines") + end) {}
    ~temporary() { unlink(path.c_str()); }
    std::string path;
    size_t lines() const
    {
        std::ifstream in(path);
        return static_cast<size_t>(
            std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n'));
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(every_machine_there_is)

BOOST_DATA_TEST_CASE(has_six_rungs_on_which_every_law_holds,
                     data::make(every_rung()) * data::xrange(programs), rung, n)
{
    static test_share some(3);
    if (!some.takes())
        return;
    const outcome o = run_machine(rung, program(n));
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    lawful(o);
    BOOST_TEST(o.count("gpu.page_faults") == 0u);
}

/* No rung costs more than the previous one, except for waves that fall into step (2 %), and except for the
 * first: 4096 walkers that begin together each read their own upper levels, which fewer would find in
 * page-walk caches. */
BOOST_DATA_TEST_CASE(is_fastest_on_the_last_rung, data::make(shipped_machines()))
{
    static test_share some(1);
    if (!some.takes())
        return;
    uint64_t before = UINT64_MAX / 2;
    unsigned rungs = 0;
    for (const machine_case &c : every_rung()) {
        if (c.machine != sample)
            continue;
        const uint64_t cycles = run_machine(c, program(1)).cycles;
        if (++rungs == 2)
            continue;
        BOOST_TEST(cycles <= before + before / 50, c << " takes " << cycles << ", the one before " << before);
        before = cycles;
    }
    BOOST_TEST(rungs == 6u);
}

BOOST_DATA_TEST_CASE(meets_the_lanes_of_the_program, data::make(every_machine({""})) * data::xrange(programs),
                     m, n)
{
    static test_share some(3);
    if (!some.takes())
        return;
    const outcome o = run_machine(m, program(n)), apu = run_apu(configured(""), program(n));
    BOOST_TEST(o.count("coalescer.lanes") == apu.count("coalescer.lanes"));
    BOOST_TEST(o.count("gpu.waves") == apu.count("gpu.waves") + o.count("gpu.split_waves"));
    BOOST_TEST(o.count("gpu.groups") == apu.count("gpu.groups"));
}

BOOST_DATA_TEST_CASE(gives_the_same_twice_and_under_a_dump, data::make(small_machines()))
{
    const outcome once = run_machine(sample, program(0));
    BOOST_TEST((run_machine(sample, program(0)).stats == once.stats));
    const temporary file(".vcd");
    built b(sample, program(0));
    wave_plan plan;
    plan.file = file.path;
    std::set<std::string> blocks;
    for (const signal_info &s : b.made->signals())
        if (blocks.insert(s.block).second)
            plan.blocks.push_back(s.block);
    BOOST_TEST(blocks.size() == b.machine.top().blocks().size());
    b.made->record(plan);
    BOOST_TEST((b.made->run({}) == run_end::complete));
    b.made->finish_record();
    BOOST_TEST((results(outcome_of(*b.made)) == results(once)));
    BOOST_TEST(file.lines() > 1000u);
}

BOOST_DATA_TEST_CASE(follows_each_translation_from_end_to_end, data::make(small_machines()))
{
    static test_share some(1);
    if (!some.takes())
        return;
    const temporary file(".json");
    built b(sample, program(0));
    transaction_plan plan;
    plan.file = file.path;
    plan.about = "{}";
    plan.limit = 100000;
    b.made->follow(plan);
    BOOST_TEST((b.made->run({}) == run_end::complete));
    const transaction_counts counts = b.made->finish_follow(false);
    BOOST_TEST(counts.answered == outcome_of(*b.made).count("coalescer.translations"));
    BOOST_TEST(counts.written == counts.answered);
    BOOST_TEST(file.lines() > counts.written);
}

/* Three adjacent windows, the last to the end of the run. */
BOOST_DATA_TEST_CASE(has_windows_that_add_up, data::make(small_machines()))
{
    const outcome whole = run_machine(sample, program(0));
    uint64_t translations = 0, instructions = 0;
    const uint64_t third = whole.count("gpu.instructions") / 3;
    for (uint64_t part = 0; part < 3; ++part) {
        built b(sample, program(0));
        run_window window;
        window.warm_up = {window_unit::instructions, part * third};
        window.measure = {window_unit::instructions, part == 2 ? 0 : third};
        b.made->measure(window);
        b.made->run({});
        BOOST_TEST(b.made->window().opened);
        const outcome o = outcome_of(*b.made);
        lawful(o);
        translations += b.made->translations();
        instructions += o.count("gpu.instructions");
    }
    BOOST_TEST(translations == whole.count("coalescer.translations"));
    BOOST_TEST(instructions == whole.count("gpu.instructions"));
}

BOOST_DATA_TEST_CASE(lists_links_that_end_at_its_own_blocks_and_bits_of_structures,
                     data::make(small_machines()))
{
    built b(sample, program(0));
    BOOST_TEST((b.made->run({}) == run_end::complete));
    const std::vector<link_info> links = b.made->links();
    BOOST_TEST(links.size() > 2u * 4);
    for (const link_info &l : links)
        BOOST_TEST(l.to != "", l.from);
    const auto bits = config_of(sample)->structures();
    BOOST_TEST(std::count_if(bits.begin(), bits.end(), [](const hardware_structure &s) {
                   return s.name == "l1_tlb.entries" && s.bits != 0;
               }) == 1);
    BOOST_TEST(config_of(sample)->memory_bytes(program(0).reader()) > 20u << 20);
}

BOOST_AUTO_TEST_SUITE_END()
