/* SPDX-License-Identifier: MIT */
/* model/common/lookups.cpp - records what a sampled stage looks up in a cycle. */
#include "model/common/lookups.hpp"

#include <algorithm>

namespace walkway
{

const signal_states &lookup_results()
{
    static const signal_states states = {"lookup_result",
#define X(name, text) #name,
                                         {WALKWAY_LOOKUP_RESULT_LIST(X)},
#undef X
#define X(name, text) text,
                                         {WALKWAY_LOOKUP_RESULT_LIST(X)}};
#undef X
    return states;
}

void cycle_lookups::begin()
{
    if (at_ == stage_.now())
        return;
    at_ = stage_.now();
    count_ = 0;
    victim_.there = false;
    stage_.wake(at_ + stage_.clock().period());
}

void cycle_lookups::add(const page &p)
{
    begin();
    if (count_ < pages_.size())
        ++count_;
    else
        std::rotate(pages_.begin(), pages_.begin() + 1, pages_.end());
    pages_[count_ - 1] = p;
}

void cycle_lookups::add_victim(uint64_t va)
{
    begin();
    victim_ = {va, true};
}

} // namespace walkway
