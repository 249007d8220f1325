/* SPDX-License-Identifier: MIT */
/* run/transactions.hpp - the options of `walkway run` for files of translations. */
#ifndef WALKWAY_RUN_TRANSACTIONS_HPP
#define WALKWAY_RUN_TRANSACTIONS_HPP

#include "platforms/platform.hpp"
#include "run/waves.hpp"
#include "support/options.hpp"

namespace walkway
{

struct transaction_options {
    std::string file; /* empty: none */
    std::string window;
    dump_time from, to;
    uint64_t slowest = 0, every = 1, limit = 0; /* as in transaction_plan */
};

/* Both throw failure(exit_usage): text that cannot be parsed; a window that is empty on this machine. */
transaction_options transaction_options_of(const arguments &args);
transaction_plan transaction_plan_of(const transaction_options &options, const platform &machine);

/* Returns "FILE: the 100 slowest of 4,096 translations", and what was left out. */
std::string text_of_transactions(const transaction_options &options, const transaction_counts &counts);

std::vector<option_def> transaction_option_defs();

} // namespace walkway

#endif
