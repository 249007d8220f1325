/* SPDX-License-Identifier: MIT */
/* run/transactions.cpp - parses the selection of translations and states it in words. */
#include "run/transactions.hpp"

#include "support/errors.hpp"
#include "support/numbers.hpp"

namespace walkway
{

static constexpr uint64_t default_slowest = 100;
static constexpr uint64_t default_limit = 20000;
static constexpr uint64_t most = 100000; /* per file: about 300 MB, the limit of viewers */

std::vector<option_def> transaction_option_defs()
{
    return {
        {"transactions", 0, "FILE", "write the lives of translations (Trace Event Format, for Perfetto)"},
        {"transactions-window", 0, "WINDOW", "only of translations under way there: 10us..12us"},
        {"transactions-slowest", 0, "N", "only the N slowest of these; the default, with N = 100"},
        {"transactions-sample", 0, "N", "only every N-th of these, in the order of their answers"},
        {"transactions-limit", 0, "N",
         "of a window or sample, at most N (default 20000); the rest is counted"},
    };
}

static void parse_window(transaction_options &o)
{
    const std::string option = "transactions-window";
    const size_t dots = o.window.find("..");
    if (dots == std::string::npos || o.window.size() == 2)
        throw failure(exit_usage, "--" + option + " " + o.window +
                                      ": wants FROM..TO, such as 10us..12us or 12000cycles..");
    if (dots != 0)
        o.from = parse_time(option, o.window.substr(0, dots));
    if (dots + 2 != o.window.size())
        o.to = parse_time(option, o.window.substr(dots + 2));
}

transaction_options transaction_options_of(const arguments &args)
{
    transaction_options o;
    for (const option_def &option : transaction_option_defs())
        if (args.has(option.name) && !args.has("transactions"))
            throw failure(exit_usage, std::string("--") + option.name + " wants --transactions FILE");
    if (!args.has("transactions"))
        return o;
    o.file = args.value("transactions");
    if (args.has("transactions-window")) {
        o.window = args.value("transactions-window");
        parse_window(o);
    }
    const bool window = args.has("transactions-window"), sample = args.has("transactions-sample"),
               slowest = args.has("transactions-slowest") || (!window && !sample);
    if (slowest && sample)
        throw failure(exit_usage, "--transactions-slowest and --transactions-sample exclude each other");
    if (slowest && args.has("transactions-limit"))
        throw failure(exit_usage,
                      "--transactions-limit is for a window or a sample; the number of the slowest is "
                      "--transactions-slowest");
    if (slowest)
        o.slowest = args.number("transactions-slowest", default_slowest, 1, most);
    o.every = args.number("transactions-sample", 1, 1, UINT64_MAX);
    o.limit = slowest ? 0 : args.number("transactions-limit", default_limit, 1, most);
    return o;
}

transaction_plan transaction_plan_of(const transaction_options &options, const platform &machine)
{
    transaction_plan plan;
    plan.file = options.file;
    plan.slowest = options.slowest;
    plan.every = options.every;
    plan.limit = options.limit;
    if (!options.from.text.empty())
        plan.from = options.from.ps(machine.cycle_ps());
    if (!options.to.text.empty())
        plan.to = options.to.ps(machine.cycle_ps());
    if (plan.to <= plan.from)
        throw failure(exit_usage,
                      "--transactions-window " + options.window + ": ends where it begins, or before");
    return plan;
}

/* Returns "1st", "22nd", "113th". */
static std::string text_of_ordinal(uint64_t n)
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    const uint64_t last = n / 10 % 10 == 1 ? 0 : n % 10;
    return text_of_count(n) + endings[last < 4 ? last : 0];
}

std::string text_of_transactions(const transaction_options &options, const transaction_counts &counts)
{
    std::string text = options.file + ": ";
    if (options.slowest != 0)
        text +=
            counts.written == 1 ? "the slowest of " : "the " + text_of_count(counts.written) + " slowest of ";
    else if (options.every != 1)
        text += text_of_count(counts.written) + ", every " + text_of_ordinal(options.every) + " of ";
    else
        text += text_of_count(counts.written) + " of ";
    text += text_of_count(counts.in_window) + " translations";
    if (!options.window.empty())
        text += " in " + options.window + " (" + text_of_count(counts.answered) + " in all)";
    if (counts.left_out != 0)
        text += "\n  --transactions-limit " + std::to_string(options.limit) + " left out " +
                text_of_count(counts.left_out) + ", all that were answered from " +
                text_of_count(counts.first_left_out) +
                " ps on; ask for a shorter window or a sample, or raise the limit (to " +
                text_of_count(most) + " at most)";
    return text;
}

} // namespace walkway
