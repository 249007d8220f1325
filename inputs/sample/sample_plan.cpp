/* SPDX-License-Identifier: MIT */
/* sample/sample_plan.cpp - see sample_plan.hpp. */
#include "sample/sample_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace walkway
{

static constexpr uint32_t least_windows = 4; /* per stratum: two in each order */
static constexpr uint32_t most_of_ends = 8;  /* upper bound of `least` for ends: some may have no window */

namespace
{

/* Launches of a stratum, each a stretch of the program. */
struct stretches {
    std::string name;
    double length = 0;
    uint32_t least = least_windows;
    std::vector<std::pair<double, double>> all; /* from, length */

    void add(double from, double more)
    {
        all.emplace_back(from, more);
        length += more;
    }
    void take(const stretches &other)
    {
        all.insert(all.end(), other.all.begin(), other.all.end());
        std::sort(all.begin(), all.end());
        length += other.length;
    }
    /* Splits off the last part of each stretch, unless the stretch is short. */
    stretches split_ends(double part)
    {
        stretches ends;
        ends.name = name + " (ends)";
        for (auto &[from, more] : all)
            if (more > 2 * part) {
                more -= part;
                length -= part;
                ends.add(from + more, part);
            }
        const auto even = static_cast<uint32_t>((ends.all.size() + 1) / wave_orders * wave_orders);
        ends.least = std::min(std::max(even, least_windows), most_of_ends);
        return ends;
    }
    double at(double inside) const
    {
        for (const auto &[from, more] : all) {
            if (inside < more)
                return from + inside;
            inside -= more;
        }
        return all.back().first + all.back().second;
    }
};

} // namespace

double sample_plan::detail() const
{
    double all = 0;
    for (const sample_window &w : windows)
        all += std::min(w.close, 1.0) - w.from;
    return all;
}

/* Pages that the resident waves access: in a round (one access of each wave), and in their whole lives. */
struct resident_pages {
    uint64_t round, lives;
};

static resident_pages pages_of_residents(const wkt_reader *trace, const residency &on, const work_done &all)
{
    const uint32_t lanes = wkt_reader_info(trace)->wave_lanes;
    const uint64_t parts = on.lanes < lanes ? 2 : 1; /* machine waves of one of the trace */
    uint64_t most = 0, waves = 0;
    for (uint32_t l = 0; l < wkt_reader_info(trace)->launches; ++l) {
        const wkt_launch *launch = wkt_reader_launch(trace, l);
        const uint64_t items = uint64_t{launch->group[0]} * launch->group[1] * launch->group[2];
        const uint64_t here = launch->groups * ((items + lanes - 1) / lanes);
        most = std::max(most, here);
        waves += here;
    }
    const uint64_t resident = std::min(most, on.cus * (on.waves / parts));
    return {resident * all.pages / std::max<uint64_t>(all.accesses, 1),
            resident * all.pages / std::max<uint64_t>(waves, 1)};
}

/* ASSUMED, from the warm-up that windows needed to agree with whole runs. The waves of the start point are
 * not exactly those that the machine would have, so they should end within the warm-up. If they live too
 * long, a few rounds must suffice. */
static uint64_t pages_to_warm_up(const resident_pages &of)
{
    return std::max({uint64_t{30000}, 10 * of.round, std::min<uint64_t>(2 * of.lives, 100000)});
}

/* Near its end a launch has few waves left, which take long for little work. A window includes the end only
 * if it begins less than its length before it, so few windows would. Therefore the ends of a kernel's
 * launches are a stratum of their own. */
static std::vector<stretches> strata_of(const wkt_reader *trace, const std::vector<work_done> &launches,
                                        const sample_plan &plan, double least)
{
    std::map<std::string, stretches> by_name;
    work_done done;
    for (uint32_t l = 0; l < launches.size(); ++l) {
        const double from = plan.place(done);
        done.add(launches[l]);
        if (plan.place(done) > from)
            by_name[wkt_reader_launch(trace, l)->name].add(from, plan.place(done) - from);
    }
    std::vector<stretches> all;
    stretches small;
    for (auto &[name, one] : by_name) {
        one.name = name;
        if (one.length < least) {
            small.name += (small.name.empty() ? "" : " ") + name;
            small.take(one);
        } else {
            const stretches ends = one.split_ends(plan.length);
            all.push_back(one);
            if (!ends.all.empty())
                all.push_back(ends);
        }
    }
    if (!small.all.empty())
        all.push_back(small);
    return all;
}

sample_plan plan_sample(const wkt_reader *trace, const std::vector<work_done> &launches, const residency &on,
                        const sample_request &asked)
{
    sample_plan plan;
    for (const work_done &l : launches)
        plan.work.add(l);
    if (plan.work.pages == 0)
        return plan;
    const auto share = [&](uint64_t pages) {
        return static_cast<double>(pages) / static_cast<double>(plan.work.pages);
    };
    const resident_pages resident = pages_of_residents(trace, on, plan.work);
    plan.warm_up = asked.warm_up != 0 ? asked.warm_up : pages_to_warm_up(resident);
    plan.length = share(asked.measure);
    std::mt19937_64 random(asked.seed);
    for (const stretches &s : strata_of(trace, launches, plan, double{least_windows} / asked.windows)) {
        /* Windows may also begin up to a length before the program; they are cut at its beginning. */
        const double before = s.all.front().first == 0.0 ? plan.length : 0;
        const double length = s.length + before;
        auto n = static_cast<uint32_t>(std::lround(asked.windows * s.length / wave_orders)) * wave_orders;
        n = std::max(n, s.least);
        const double first = std::generate_canonical<double, 53>(random);
        for (uint32_t i = 0; i < n; ++i) {
            const double inside = (i + first) * length / n - before;
            const double open = inside < 0 ? inside : s.at(inside);
            const double close = open + plan.length;
            /* The waves of a start point begin together: a random part varies where in a round a window
             * opens. */
            const double warm_up =
                share(plan.warm_up) + std::generate_canonical<double, 53>(random) * share(resident.round);
            plan.windows.push_back({static_cast<uint32_t>(plan.strata.size()), i % wave_orders,
                                    std::max(0.0, open - warm_up), std::max(0.0, open), close});
        }
        plan.strata.push_back({s.name, length});
    }
    return plan;
}

} // namespace walkway
