/* SPDX-License-Identifier: MIT */
/* model/common/signals.cpp - declarations of signals. */
#include "model/common/signals.hpp"

#include "kernels/bits.h"

namespace walkway
{

unsigned bits_for(uint64_t most)
{
    return most == 0 ? 1 : ww_log2_u64(most) + 1;
}

unsigned signal_states::bits() const
{
    return bits_for(names.size() - 1);
}

void signal_visitor::enter(const std::string &scope)
{
    place_->scope += scope + ".";
}

void signal_visitor::leave()
{
    std::string &s = place_->scope;
    s.erase(s.rfind('.', s.size() - 2) + 1);
}

void signal_visitor::declare(const char *name, signal_kind kind, unsigned bits, const signal_states *states,
                             const char *text)
{
    place_->list.push_back(signal_info{place_->block, place_->scope + name, kind, bits, states, text});
}

} // namespace walkway
