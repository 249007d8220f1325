/* SPDX-License-Identifier: MIT */
/* report/sampled.cpp - see sampled.hpp. */
#include "report/sampled.hpp"

#include "run/headline.hpp"
#include "run/sample.hpp"
#include "support/numbers.hpp"

namespace walkway
{

bool is_sampled(const json &stats)
{
    return stats.contains("sampled") && !stats.at("sampled").contains("whole");
}

sample_error error_of(const json &stats)
{
    if (!is_sampled(stats))
        return {};
    const json &error = stats.at("sampled").at("error");
    return {error.at("windows").get<std::string>(), error.at("least").get<double>(),
            error.at("of_windows").get<std::vector<double>>()};
}

estimate sampled_speedup(const json &base, const json &other)
{
    const double speedup = speedup_of(base, other);
    return {speedup, speedup * half_width_of_ratio(error_of(base), error_of(other))};
}

static bool has_pairs(const json &base, const json &other)
{
    return are_pairs(error_of(base), error_of(other));
}

/* Returns how many windows a speed-up over pairs of windows wants; null if it has them. */
static json ratio_would_do(const json &base, const json &other)
{
    constexpr double wanted_half_width = 0.03;
    if (!has_pairs(base, other))
        return nullptr;
    return would_do(other.at("sampled").at("windows").get<uint64_t>(),
                    sampled_speedup(base, other).relative(), wanted_half_width);
}

std::string text_of_samples(const std::vector<named_result> &results)
{
    std::string text;
    const json &base = results.front().stats;
    for (size_t i = 0; i < results.size(); ++i) {
        const json &stats = results[i].stats;
        if (stats.is_null())
            continue;
        const std::string head = "[" + std::to_string(i + 1) + "] ";
        std::string line = text_of_sample(stats);
        line += line.empty() ? "" : "\n";
        if (i != 0 && (is_sampled(base) || is_sampled(stats))) {
            const estimate e = sampled_speedup(base, stats);
            line += "Speed-up " + text_of_real(e.value, 3) + " +- " + text_of_real(e.half_width, 3) +
                    (has_pairs(base, stats)
                         ? ", of pairs of windows" + text_of_would_do(ratio_would_do(base, stats))
                         : "; the two have no windows in common") +
                    "\n";
        }
        for (size_t at = 0; at < line.size();) {
            const size_t end = line.find('\n', at);
            text += head + line.substr(at, end + 1 - at);
            at = end + 1;
        }
    }
    return text;
}

json sampled_speedup_json(const json &base, const json &other)
{
    if (!is_sampled(base) && !is_sampled(other))
        return nullptr;
    json all = {{"half_width", sampled_speedup(base, other).half_width}, {"paired", has_pairs(base, other)}};
    if (const json needed = ratio_would_do(base, other); !needed.is_null())
        all["would_do"] = needed;
    return all;
}

} // namespace walkway
