/* SPDX-License-Identifier: MIT */
/* observe/transactions/plan.hpp - which translations to write, fully resolved, and the outcome. */
#ifndef WALKWAY_OBSERVE_TRANSACTIONS_PLAN_HPP
#define WALKWAY_OBSERVE_TRANSACTIONS_PLAN_HPP

#include "model/common/clock.hpp"

#include <string>

namespace walkway
{

/* Selects among the translations in flight during [from, to): the slowest ones, or every N-th. */
struct transaction_plan {
    std::string file;
    std::string about; /* a JSON object that describes the simulation; equal runs have equal ones */
    tick from = 0;
    tick to = never;
    uint64_t slowest = 0; /* if not 0: this many with the longest latency; ties go to those answered first */
    uint64_t every = 1;   /* else every N-th in the order of their answers: the N-th, the 2 N-th ... */
    uint64_t limit = 0;   /* most translations to write; further ones are only counted */
};

struct transaction_counts {
    uint64_t answered = 0;       /* translations of the run */
    uint64_t in_window = 0;      /* of those, in the window */
    uint64_t written = 0;        /* of those, in the file */
    uint64_t left_out = 0;       /* chosen, but beyond the limit */
    tick first_left_out = never; /* answer time of the first of them */
};

} // namespace walkway

#endif
