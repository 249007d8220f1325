/* SPDX-License-Identifier: MIT */
/* Tests the windows of a plan: where they lie, that together they represent the whole, and that a file of
 * live points gives back what was written. */
#include "sample/live_points.hpp"
#include "tb/support/traces.hpp"

#include <cmath>
#include <map>
#include <unistd.h>

using namespace walkway;
using namespace walkway::test;

namespace
{

const residency on = {2, 8, 65536, 256, 64, false};

trace_spec three_kernels()
{
    trace_spec spec = scatter(40, 50, 1 << 22, 20);
    for (unsigned i = 0; i < 6; ++i) {
        launch_spec more = scatter(12, i % 2 == 0 ? 60 : 3, 1 << 22, 0).launches[0];
        more.kernel = i % 2 == 0 ? "b" : "small";
        spec.launches.push_back(more);
    }
    return spec;
}

sample_request request_of(uint32_t windows, uint64_t seed = 1)
{
    sample_request r;
    r.windows = windows;
    r.measure = 1000;
    r.warm_up = 2000;
    r.seed = seed;
    return r;
}

} // namespace

BOOST_AUTO_TEST_SUITE(plans)

BOOST_AUTO_TEST_CASE(windows_lie_in_their_stratum)
{
    const trace t(three_kernels());
    const std::vector<work_done> launches = work_of_launches(t.reader(), 64);
    const sample_plan plan = plan_sample(t.reader(), launches, on, request_of(40));
    BOOST_TEST_REQUIRE(plan.strata.size() == 5u); /* `small` is one stratum, without ends */
    std::map<uint32_t, unsigned> of_stratum, of_order;
    for (const sample_window &w : plan.windows) {
        ++of_stratum[w.stratum];
        ++of_order[w.order];
        BOOST_TEST(w.from >= 0);
        BOOST_TEST(w.from <= w.open);
        BOOST_TEST(w.open < 1);
        BOOST_TEST(w.close <= w.open + plan.length * 1.0001);
        work_done done;
        for (size_t l = 0; l < launches.size(); ++l) {
            const double from = plan.place(done);
            done.add(launches[l]);
            const std::string name = wkt_reader_launch(t.reader(), static_cast<uint32_t>(l))->name;
            if (w.open >= from && w.open < plan.place(done) && name != "small")
                BOOST_TEST(plan.strata[w.stratum].name ==
                           (w.open >= plan.place(done) - plan.length ? name + " (ends)" : name));
        }
    }
    double length = 0;
    for (uint32_t s = 0; s < plan.strata.size(); ++s) {
        BOOST_TEST(of_stratum[s] >= 4u);
        length += plan.strata[s].length;
    }
    BOOST_TEST(std::abs(length - 1 - plan.length) < 1e-9);
    BOOST_TEST(of_order[0] == of_order[1]);
}

BOOST_AUTO_TEST_CASE(kernels_too_small_for_windows_of_their_own_are_one_stratum)
{
    trace_spec spec = three_kernels();
    launch_spec tiny = scatter(6, 2, 1 << 22, 0).launches[0];
    tiny.kernel = "tiny";
    spec.launches.push_back(tiny);
    const trace t(spec);
    const auto names = [&t](uint32_t windows) {
        std::string all;
        for (const sample_stratum &s :
             plan_sample(t.reader(), work_of_launches(t.reader(), 64), on, request_of(windows)).strata)
            all += s.name + ";";
        return all;
    };
    BOOST_TEST(names(40) == "b;b (ends);k;k (ends);small tiny;");
    BOOST_TEST(names(4000) == "b;b (ends);k;k (ends);small;small (ends);tiny;");
}

/* What occurs only at the ends of launches is counted exactly, with any seed. */
BOOST_AUTO_TEST_CASE(ends_of_launches_are_met)
{
    trace_spec spec = three_kernels();
    for (unsigned i = 0; i < 20; ++i)
        spec.launches.push_back(spec.launches[1]);
    for (const uint32_t launches_of_b : {3u, 23u}) {
        const trace t(launches_of_b == 3 ? three_kernels() : spec);
        const std::vector<work_done> launches = work_of_launches(t.reader(), 64);
        for (unsigned seed = 1; seed <= 20; ++seed) {
            const sample_plan plan = plan_sample(t.reader(), launches, on, request_of(40, seed));
            std::map<uint32_t, double> n, ends;
            for (const sample_window &w : plan.windows) {
                ++n[w.stratum];
                work_done done;
                for (uint32_t l = 0; l < launches.size(); ++l) {
                    done.add(launches[l]);
                    const std::string name = wkt_reader_launch(t.reader(), l)->name;
                    if (name == "b" && w.open < plan.place(done) && w.close >= plan.place(done) - 1e-12)
                        ends[w.stratum] += 1;
                }
            }
            double all = 0;
            for (const auto &[stratum, windows] : n) {
                if (plan.strata[stratum].name != "small")
                    all += plan.strata[stratum].length / plan.length * ends[stratum] / windows;
                if (plan.strata[stratum].name == "b (ends)")
                    BOOST_TEST(windows == (launches_of_b == 3 ? 4 : 8));
            }
            BOOST_TEST(std::abs(all - launches_of_b) < 1e-6);
        }
    }
}

BOOST_AUTO_TEST_CASE(launches_shorter_than_two_windows_stay_whole)
{
    const trace t(three_kernels());
    const std::vector<work_done> launches = work_of_launches(t.reader(), 64);
    sample_request r = request_of(40);
    r.measure = launches[1].pages * 2 / 3;
    std::string all;
    for (const sample_stratum &s : plan_sample(t.reader(), launches, on, r).strata)
        all += s.name + ";";
    BOOST_TEST(all == "b;k;k (ends);small;");
}

/* The weighted windows estimate any quantity without bias: here one whose density grows with the place's
 * square root, over 300 seeds. */
BOOST_AUTO_TEST_CASE(weighted_windows_are_the_whole_in_the_mean)
{
    const trace t(three_kernels());
    const std::vector<work_done> launches = work_of_launches(t.reader(), 64);
    const auto until = [](double place) { return std::pow(std::min(std::max(place, 0.0), 1.0), 1.5); };
    double mean = 0;
    constexpr unsigned seeds = 300;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        const sample_plan plan = plan_sample(t.reader(), launches, on, request_of(16, seed));
        std::vector<double> n(plan.strata.size());
        for (const sample_window &w : plan.windows)
            ++n[w.stratum];
        for (const sample_window &w : plan.windows)
            mean += plan.strata[w.stratum].length / plan.length / n[w.stratum] *
                    (until(w.close) - until(w.open)) / seeds;
    }
    BOOST_TEST(std::abs(mean - 1) < 0.01);
}

BOOST_AUTO_TEST_CASE(equal_requests_give_equal_plans_and_seeds_give_others)
{
    const trace t(three_kernels());
    const std::vector<work_done> launches = work_of_launches(t.reader(), 64);
    const auto first = [&](uint64_t seed) {
        return plan_sample(t.reader(), launches, on, request_of(16, seed)).windows.front().close;
    };
    BOOST_TEST(first(1) == first(1));
    BOOST_TEST(first(1) != first(2));
}

/* 40 compute units of 40 waves of 64 lanes, or of 80 of 32: of the same number of waves of the trace. */
BOOST_AUTO_TEST_CASE(waves_of_half_the_lanes_need_no_longer_warm_up)
{
    const trace t(scatter(4000, 40, 1 << 22, 20));
    sample_request asked = request_of(16);
    asked.warm_up = 0;
    const auto warm_up = [&](uint32_t waves, uint32_t lanes) {
        return plan_sample(t.reader(), work_of_launches(t.reader(), lanes), {40, waves, 0, 1, lanes, false},
                           asked)
            .warm_up;
    };
    BOOST_TEST(warm_up(40, 64) > warm_up(20, 64));
    BOOST_TEST(warm_up(80, 32) == warm_up(40, 64));
}

BOOST_AUTO_TEST_CASE(a_program_without_accesses_has_no_windows)
{
    trace_spec spec = scatter(1, 1, 4096, 0);
    spec.launches[0].groups[0][0].records.clear();
    spec.launches[0].groups[0][0].tail = 5;
    const trace t(spec);
    BOOST_TEST(plan_sample(t.reader(), work_of_launches(t.reader(), 64), on, {}).windows.empty());
}

BOOST_AUTO_TEST_CASE(points_come_back_from_their_file)
{
    const trace t(three_kernels());
    const std::string path = "points";
    live_points::write(path, t.reader(), on, request_of(16), {500, 500, 100});
    {
        const live_points points(path);
        BOOST_TEST(points.plan().windows.size() >= 16u);
        for (size_t i = 0; i < points.plan().windows.size(); ++i) {
            const sample_window &w = points.plan().windows[i];
            const live_point p = points.read(i);
            /* a window begins and ends with the step that passes its place */
            const double length = points.plan().place(p.measured);
            BOOST_TEST(length > 0);
            BOOST_TEST(std::abs(length - (std::min(w.close, 1.0) - w.open)) < points.plan().length / 2);
            BOOST_TEST(p.to_end == (w.close > 1));
            BOOST_TEST((p.warm_up == 0) == (w.open == 0));
            BOOST_TEST(p.at.used.size() <= 1000u);
            BOOST_TEST((w.from == 0 || !p.at.used.empty()));
        }
    }
    BOOST_TEST(truncate(path.c_str(), 100) == 0);
    BOOST_CHECK_THROW(live_points{path}, std::runtime_error);
    unlink(path.c_str());
    BOOST_CHECK_THROW(live_points{path}, std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
