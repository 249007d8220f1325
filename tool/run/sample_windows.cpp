/* SPDX-License-Identifier: MIT */
/* run/sample_windows.cpp - see sample_windows.hpp. */
#include "run/sample_windows.hpp"

#include "support/errors.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>

namespace walkway
{

namespace
{

class keeper final : public stat_visitor
{
public:
    explicit keeper(window_result &w) : w_(w) {}
    void begin(const std::string &, const char *) override {}
    void end() override {}
    void count(const char *, uint64_t value, const char *, const char *) override
    {
        w_.counts.push_back(value);
    }
    void level(const char *, uint64_t value, const char *, const char *) override
    {
        w_.levels.push_back(value);
    }
    void real(const char *, double value, const char *, const char *) override { w_.reals.push_back(value); }
    void hist(const char *, const histogram &value, const char *, const char *) override
    {
        w_.histograms.push_back(value);
    }

private:
    window_result &w_;
};

/* Passes on a machine's declarations with the windows' numbers instead of its own. */
class estimator final : public stat_visitor
{
public:
    estimator(const std::vector<window_result> &windows, const std::vector<double> &weights, stat_visitor &to)
        : windows_(windows), weights_(weights), to_(to)
    {
    }
    void begin(const std::string &group, const char *text) override { to_.begin(group, text); }
    void end() override { to_.end(); }
    void count(const char *name, uint64_t, const char *unit, const char *text) override
    {
        double sum = 0;
        for (size_t i = 0; i < windows_.size(); ++i)
            sum += weights_[i] * static_cast<double>(windows_[i].counts.at(counts_));
        ++counts_;
        to_.count(name, static_cast<uint64_t>(std::llround(sum)), unit, text);
    }
    void level(const char *name, uint64_t, const char *unit, const char *text) override
    {
        uint64_t most = 0;
        for (const window_result &w : windows_)
            most = std::max(most, w.levels.at(levels_));
        ++levels_;
        to_.level(name, most, unit, text);
    }
    void real(const char *name, double, const char *unit, const char *text) override
    {
        double sum = 0, whole = 0;
        for (size_t i = 0; i < windows_.size(); ++i) {
            sum += weights_[i] * windows_[i].reals.at(reals_);
            whole += weights_[i];
        }
        ++reals_;
        to_.real(name, sum / whole, unit, text);
    }
    void hist(const char *name, const histogram &, const char *unit, const char *text) override
    {
        histogram all;
        for (size_t i = 0; i < windows_.size(); ++i)
            all.add_share(windows_[i].histograms.at(histograms_), weights_[i]);
        ++histograms_;
        to_.hist(name, all, unit, text);
    }

private:
    const std::vector<window_result> &windows_;
    const std::vector<double> &weights_;
    stat_visitor &to_;
    size_t counts_ = 0, levels_ = 0, reals_ = 0, histograms_ = 0;
};

static_assert(std::is_trivially_copyable<histogram>::value,
              "kept as bytes, between processes of one program");

template <class T> void put(std::string &to, const std::vector<T> &all)
{
    const uint64_t n = all.size();
    to.append(reinterpret_cast<const char *>(&n), sizeof n);
    to.append(reinterpret_cast<const char *>(all.data()), n * sizeof(T));
}

[[noreturn]] void not_whole()
{
    throw failure(exit_law, "a window's result is not whole");
}

template <class T> std::vector<T> get(const std::string &from, size_t &at)
{
    uint64_t n = 0;
    const auto take = [&](void *to, size_t bytes) {
        if (from.size() - at < bytes)
            not_whole();
        if (bytes != 0)
            std::memcpy(to, from.data() + at, bytes);
        at += bytes;
    };
    take(&n, sizeof n);
    if (n > from.size())
        not_whole();
    std::vector<T> all(n);
    take(static_cast<void *>(all.data()), n * sizeof(T));
    return all;
}

/* Reads this many numbers. */
template <size_t N> std::array<uint64_t, N> get_numbers(const std::string &from, size_t &at)
{
    const std::vector<uint64_t> all = get<uint64_t>(from, at);
    std::array<uint64_t, N> numbers;
    if (all.size() != N)
        not_whole();
    std::copy(all.begin(), all.end(), numbers.begin());
    return numbers;
}

} // namespace

window_result window_result_of(const platform &machine)
{
    window_result w;
    const window_report report = machine.window();
    w.cycles = machine.cycles();
    w.translations = machine.translations();
    w.instructions = report.close.instructions - report.open.instructions;
    w.picoseconds = machine.now_ps();
    w.laws = machine.laws();
    keeper k(w);
    machine.visit(k);
    return w;
}

void write_window(const std::string &path, const window_result &w)
{
    std::string bytes;
    put<uint64_t>(bytes, {w.cycles, w.instructions, w.translations, w.picoseconds});
    put(bytes, w.counts);
    put(bytes, w.levels);
    put(bytes, w.reals);
    put(bytes, w.histograms);
    for (const law &l : w.laws) {
        put(bytes, std::vector<char>(l.name.begin(), l.name.end()));
        put(bytes, std::vector<char>(l.story.begin(), l.story.end()));
        put<uint64_t>(bytes, {l.left, l.right, l.applies ? uint64_t{1} : uint64_t{0}});
    }
    write_file(path, bytes);
}

window_result read_window(const std::string &path)
{
    std::ifstream in(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    size_t at = 0;
    window_result w;
    const auto [cycles, instructions, translations, picoseconds] = get_numbers<4>(bytes, at);
    w.cycles = cycles;
    w.instructions = instructions;
    w.translations = translations;
    w.picoseconds = picoseconds;
    w.counts = get<uint64_t>(bytes, at);
    w.levels = get<uint64_t>(bytes, at);
    w.reals = get<double>(bytes, at);
    w.histograms = get<histogram>(bytes, at);
    while (at < bytes.size()) {
        const std::vector<char> name = get<char>(bytes, at), story = get<char>(bytes, at);
        const auto [left, right, applies] = get_numbers<3>(bytes, at);
        w.laws.push_back({std::string(name.begin(), name.end()), left, right,
                          std::string(story.begin(), story.end()), applies != 0});
    }
    return w;
}

json statistics_of(const platform &machine, const std::vector<window_result> &windows,
                   const std::vector<double> &weights)
{
    return statistics_json([&](stat_visitor &v) {
        estimator e(windows, weights, v);
        machine.visit(e);
    });
}

std::map<std::string, std::vector<double>> counts_of(const platform &machine,
                                                     const std::vector<window_result> &windows,
                                                     const std::vector<std::string> &statistics)
{
    std::map<std::string, std::vector<double>> all;
    for (const window_result &w : windows) {
        const json counted = statistics_of(machine, {w}, {1.0});
        for (const std::string &name : statistics)
            if (counted.contains(name))
                all[name].push_back(counted.at(name).at("value").get<double>());
    }
    return all;
}

std::vector<law> laws_of(const std::vector<window_result> &windows)
{
    std::vector<law> all;
    std::vector<bool> broken;
    for (const window_result &w : windows)
        for (const law &l : w.laws) {
            const auto same = [&l](const law &of) { return of.name == l.name; };
            const auto it = std::find_if(all.begin(), all.end(), same);
            const size_t i = static_cast<size_t>(it - all.begin());
            if (it == all.end()) {
                all.push_back(l);
                broken.push_back(!l.holds());
            } else if (!broken[i] && !l.holds()) {
                all[i] = l;
                broken[i] = true;
            } else if (!broken[i]) {
                all[i].left += l.left;
                all[i].right += l.right;
            }
        }
    return all;
}

} // namespace walkway
