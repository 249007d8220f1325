/* SPDX-License-Identifier: MIT */
/* Waveforms of a block with known signals: the values of a dump at every time, its window, its trigger, its
 * file. */
#include "observe/waves/recorder.hpp"
#include "tb/support/simulation.hpp"

#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace walkway;
using namespace walkway::test;

namespace
{

const signal_states &moods()
{
    static const signal_states states = {"mood", {"IDLE", "BUSY", "DONE"}, {"", "", ""}};
    return states;
}

/* Acts in each cycle as its script says. */
class actor final : public block
{
public:
    struct scene {
        tick at;
        uint64_t level;
        uint64_t events; /* number of events */
        uint64_t mood;
    };
    actor(const char *name, std::vector<scene> script, const clock_domain &clk = gpu_clock)
        : block(name, clk), script_(std::move(script))
    {
    }
    void start() { wake(script_[0].at); }
    std::string waiting() const override { return ""; }
    void signals(signal_visitor &v) const override
    {
        v.begin("part", 2);
        v.value("level", 7, level_, "how high");
        v.end();
        v.pulse("event", 4, events_, "what happens");
        v.state("mood", moods(), mood_, "how it is");
        v.value("flag", 1, level_ > 4, "high enough");
    }

private:
    void start_of_simulation() override { start(); }
    void step(tick now) override
    {
        while (next_ < script_.size() && script_[next_].at == now) {
            level_ = script_[next_].level;
            events_ += script_[next_].events;
            mood_ = script_[next_].mood;
            ++next_;
            if (next_ < script_.size() && script_[next_].at == now) {
                wake(now); /* the next scene in another delta cycle */
                return;
            }
        }
        if (next_ < script_.size())
            wake(script_[next_].at);
    }
    std::vector<scene> script_;
    size_t next_ = 0;
    uint64_t level_ = 0, events_ = 0, mood_ = 0;
};

constexpr uint64_t none = signal_visitor::nothing;
const char *const path = "waves_test.vcd";

wave_plan plan_for(std::vector<std::string> blocks)
{
    wave_plan plan;
    plan.file = path;
    plan.title = "test";
    plan.blocks = std::move(blocks);
    return plan;
}

bool exists()
{
    struct stat status {
    };
    return stat(path, &status) == 0;
}

/* Everything after the definitions, on one line. */
std::string body()
{
    std::ifstream in(path);
    std::stringstream all;
    all << in.rdbuf();
    std::string text = all.str();
    const std::string mark = "$enddefinitions $end\n";
    text.erase(0, text.find(mark) + mark.size());
    std::replace(text.begin(), text.end(), '\n', ' ');
    unlink(path);
    return text;
}

std::string header()
{
    std::ifstream in(path);
    std::string text, line;
    while (std::getline(in, line) && line != "$enddefinitions $end")
        text += line + "|";
    return text;
}

/* Runs a machine that has these blocks. */
void play(std::vector<block *> blocks, const wave_plan &plan, simulation &sim, tick until)
{
    wave_recorder waves(blocks, plan);
    sim.run_until(waves.opens() == 0 ? 0 : waves.opens());
    waves.open();
    BOOST_TEST(waves.opens() == never);
    sim.run_until(until);
    waves.finish(until);
}

} // namespace

BOOST_AUTO_TEST_SUITE(waves)

BOOST_AUTO_TEST_CASE(a_dump_says_what_was_when)
{
    simulation sim;
    actor a("a", {{500, 5, 1, 1}, {1000, 5, 2, 2}, {3000, none, 0, 0}, {3500, 3, 1, 0}});
    play({&a}, plan_for({"a"}), sim, 5000);
    BOOST_TEST(header() ==
               "$comment|    test|$end|$timescale 1 ps $end|$scope module a $end|$scope module part_2 "
               "$end|$var wire 7 ! level [6:0] $end|$upscope $end|$var wire 4 \" event [3:0] "
               "$end|$var wire 2 # mood [1:0] $end|$var wire 1 $ flag $end|$upscope $end|");
    BOOST_TEST(body() == "#0 $dumpvars b0 ! b0 \" b0 # 0$ $end "
                         "#500 b101 ! b1 \" b1 # 1$ "
                         "#1000 b10 \" b10 # " /* two events in the cycle after one event */
                         "#1500 b0 \" "
                         "#3000 bx ! b0 # "
                         "#3500 b11 ! b1 \" 0$ "
                         "#4000 b0 \" "
                         "#5000 ");
}

BOOST_AUTO_TEST_CASE(steps_of_one_time_are_one_change_and_their_events_add_up)
{
    simulation sim;
    actor a("a", {{500, 5, 3, 1}, {500, 9, 4, 0}, {1000, 9, 20, 0}});
    play({&a}, plan_for({"a"}), sim, 3000);
    BOOST_TEST(body() == "#0 $dumpvars b0 ! b0 \" b0 # 0$ $end "
                         "#500 b1001 ! b111 \" 1$ "
                         "#1000 b1111 \" " /* twenty do not fit: the most that can be shown */
                         "#1500 b0 \" "
                         "#3000 ");
}

BOOST_AUTO_TEST_CASE(a_pulse_lasts_a_cycle_of_its_own_clock)
{
    simulation sim;
    actor fast("fast", {{500, 1, 1, 0}});
    actor slow("slow", {{1250, 1, 1, 0}, {2500, 1, 1, 0}}, clock_domain(1250));
    wave_plan plan = plan_for({"fast", "slow"});
    play({&fast, &slow}, plan, sim, 5000);
    BOOST_TEST(body() == "#0 $dumpvars b0 ! b0 \" b0 # 0$ b0 % b0 & b0 ' 0( $end "
                         "#500 b1 ! b1 \" #1000 b0 \" #1250 b1 % b1 & #3750 b0 & #5000 ");
}

BOOST_AUTO_TEST_CASE(outside_its_window_a_dump_has_nothing_and_blocks_are_left_alone)
{
    simulation sim;
    actor a("a", {{500, 1, 1, 0}, {1000, 2, 1, 0}, {1500, 3, 1, 0}, {2000, 4, 1, 0}, {2500, 5, 1, 0}});
    wave_plan plan = plan_for({"a"});
    plan.from = 1000;
    plan.to = 2000;
    wave_recorder waves({&a}, plan);
    BOOST_TEST(waves.opens() == 1000U);
    sim.run_until(1000);
    BOOST_TEST(!a.sampled());
    waves.open();
    BOOST_TEST(a.sampled());
    sim.run_until(4000);
    BOOST_TEST(!a.sampled());
    waves.finish(4000);
    BOOST_TEST(body() == "#1000 $dumpvars b10 ! b1 \" b0 # 0$ $end #1500 b11 ! #2000 ");
}

BOOST_AUTO_TEST_CASE(a_length_counts_from_the_beginning)
{
    simulation sim;
    actor a("a", {{1000, 2, 0, 0}, {1500, 3, 0, 0}, {2000, 4, 0, 0}});
    wave_plan plan = plan_for({"a"});
    plan.from = 700;
    plan.length = 900;
    play({&a}, plan, sim, 4000);
    BOOST_TEST(body() == "#700 $dumpvars b0 ! b0 \" b0 # 0$ $end #1000 b10 ! #1500 b11 ! #1600 ");
}

BOOST_AUTO_TEST_CASE(a_trigger_starts_the_dump_with_the_step_that_passed_its_limit)
{
    simulation sim;
    actor a("a", {{500, 5, 1, 0}, {1000, 6, 1, 0}, {1500, 7, 2, 1}, {2000, 2, 0, 1}});
    actor b("b", {{500, 1, 0, 0}, {2000, 3, 0, 0}});
    wave_plan plan = plan_for({"a", "b"});
    plan.trigger = "a.part_2.level";
    plan.above = 6;
    play({&a, &b}, plan, sim, 3000);
    BOOST_TEST(body() == "#1500 $dumpvars b111 ! b10 \" b1 # 1$ b1 % b0 & b0 ' 0( $end "
                         "#2000 b0 \" b10 ! 0$ b11 % #3000 ");
}

BOOST_AUTO_TEST_CASE(a_trigger_may_be_an_event_and_lie_in_a_block_that_is_not_shown)
{
    simulation sim;
    actor a("a", {{500, 5, 1, 0}, {1000, 5, 2, 0}, {1000, 5, 2, 0}, {2000, 5, 9, 0}});
    actor b("b", {{2500, 1, 0, 0}});
    wave_plan plan = plan_for({"b"});
    plan.trigger = "a.event";
    plan.above = 3;
    play({&a, &b}, plan, sim, 3000);
    BOOST_TEST(body() == "#1000 $dumpvars b0 ! b0 \" b0 # 0$ $end #2500 b1 ! #3000 ");
    BOOST_TEST(!a.sampled());
}

BOOST_AUTO_TEST_CASE(a_trigger_is_armed_from_the_window_on_and_may_hold_already)
{
    simulation sim;
    actor a("a", {{500, 50, 1, 0}, {1000, 3, 2, 0}, {2000, 20, 9, 0}});
    wave_plan plan = plan_for({"a"});
    plan.trigger = "a.part_2.level";
    plan.above = 10;
    plan.from = 1500;
    play({&a}, plan, sim, 3000);
    BOOST_TEST(body().substr(0, 5) == "#2000");

    simulation again;
    actor c("c", {{500, 50, 1, 0}, {3500, 3, 2, 0}});
    plan = plan_for({"c"});
    plan.trigger = "c.part_2.level";
    plan.above = 10;
    plan.from = 1500;
    play({&c}, plan, again, 4000);
    BOOST_TEST(body() == "#1500 $dumpvars b110010 ! b0 \" b0 # 1$ $end #3500 b11 ! b10 \" 0$ #4000 ");
}

BOOST_AUTO_TEST_CASE(a_dump_that_never_begins_says_why_and_leaves_no_file)
{
    simulation sim;
    actor a("a", {{500, 50, 1, 0}});
    wave_plan plan = plan_for({"a"});
    plan.trigger = "a.part_2.level";
    plan.above = 60;
    {
        wave_recorder waves({&a}, plan);
        waves.open();
        sim.run_until(2000);
        BOOST_CHECK_EXCEPTION(waves.finish(2000), wave_failure, [](const wave_failure &e) {
            return std::string(e.what()) == "a.part_2.level never passed 60; the highest value was 50";
        });
        BOOST_TEST(!a.sampled());
    }
    BOOST_TEST(!exists());
    plan.trigger.clear();
    plan.from = 9000;
    {
        wave_recorder waves({&a}, plan);
        BOOST_CHECK_THROW(waves.finish(3000), wave_failure);
    }
    BOOST_TEST(!exists());
}

BOOST_AUTO_TEST_CASE(an_unfinished_dump_leaves_no_file_and_a_full_disk_is_told)
{
    simulation sim;
    actor a("a", {{500, 50, 1, 0}});
    {
        wave_recorder waves({&a}, plan_for({"a"}));
        waves.open();
    }
    BOOST_TEST(!exists());
    wave_plan plan = plan_for({"a"});
    plan.file = "/dev/full";
    wave_recorder waves({&a}, plan);
    waves.open();
    BOOST_CHECK_THROW(waves.finish(1000), file_failure);
    plan.file = "no/such/folder/x.vcd";
    BOOST_CHECK_THROW(wave_recorder({&a}, plan), file_failure);
}

BOOST_AUTO_TEST_CASE(values_are_written_bit_by_bit)
{
    const uint64_t cases[] = {0, 1, 2, 5, 8, 15, 16, 0x123456789abcdefU, uint64_t{1} << 62};
    std::string wanted = "#7 $dumpvars ";
    std::vector<vcd_variable> variables;
    std::vector<uint64_t> values(std::begin(cases), std::end(cases));
    for (size_t i = 0; i < values.size(); ++i) {
        variables.push_back({"v" + std::to_string(i), 63});
        std::string bits;
        for (uint64_t v = values[i]; v != 0; v >>= 1)
            bits.insert(0, v % 2 == 0 ? "0" : "1");
        wanted += "b" + (bits.empty() ? "0" : bits) + " " + static_cast<char>('!' + i) + " ";
    }
    {
        vcd_writer w(path);
        w.header("test", variables);
        w.begin(7, values);
        w.finish(7);
    }
    BOOST_TEST(body() == wanted + "$end ");
}

BOOST_AUTO_TEST_CASE(times_are_written_in_full)
{
    const tick cases[] = {0,         7,          99999999,        100000000, 100000001,
                          199999999, 2000090807, 123456789012345, never - 1};
    std::string wanted = "#0 $dumpvars 0! $end ";
    {
        vcd_writer w(path);
        w.header("test", {{"v", 1}});
        w.begin(0, {0});
        for (const tick at : cases) {
            const vcd_change change = {0, at & 1};
            w.changes(at, &change, 1);
            w.changes(at + 1, &change, 0); /* nothing changed: no time is written */
            wanted += "#" + std::to_string(at) + " " + std::to_string(at & 1) + "! ";
        }
        w.finish(never);
    }
    BOOST_TEST(body() == wanted + "#" + std::to_string(never) + " ");
}

BOOST_AUTO_TEST_CASE(any_number_of_changes_has_one_time)
{
    for (const size_t n : {size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{129}, size_t{5000}}) {
        const std::vector<vcd_variable> variables(n, {"v", 64});
        std::vector<vcd_change> changes(n);
        {
            vcd_writer w(path);
            w.header("test", variables);
            w.begin(0, std::vector<uint64_t>(n, vcd_writer::unknown));
            for (size_t i = 0; i < n; ++i)
                changes[i] = vcd_change{static_cast<uint32_t>(i), (uint64_t{1} << 63) + i};
            w.changes(1, changes.data(), n);
            w.finish(1);
        }
        std::istringstream in(body());
        std::vector<uint64_t> values;
        for (std::string word; in >> word && word != "$end";)
            ;
        std::string time, value, code;
        in >> time;
        BOOST_TEST(time == "#1");
        while (in >> value >> code)
            values.push_back(std::stoull(value.substr(1), nullptr, 2));
        BOOST_REQUIRE(values.size() == n);
        for (size_t i = 0; i < n; ++i)
            BOOST_REQUIRE(values[i] == changes[i].value);
    }
}

/* More variables than one letter can name. */
BOOST_AUTO_TEST_CASE(every_variable_has_a_name_of_its_own)
{
    std::vector<vcd_variable> variables(20000, {"top.x", 1});
    {
        vcd_writer w(path);
        w.header("test", variables);
        w.begin(0, std::vector<uint64_t>(variables.size(), 1));
        w.finish(1);
    }
    std::istringstream in(body());
    std::vector<std::string> codes;
    for (std::string word; in >> word;)
        if (word[0] == '1')
            codes.push_back(word);
    BOOST_TEST(codes.size() == variables.size());
    std::sort(codes.begin(), codes.end());
    BOOST_TEST((std::adjacent_find(codes.begin(), codes.end()) == codes.end()));
}

BOOST_AUTO_TEST_SUITE_END()
