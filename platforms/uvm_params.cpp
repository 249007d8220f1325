/* SPDX-License-Identifier: MIT */
/* platforms/uvm_params.cpp - the numbers of [P20], of which a summary is at hand. docs/uvm-pact20.md. */
#include "platforms/uvm_params.hpp"

#include "platforms/numbers.hpp"

namespace walkway
{

static const machine_numbers &numbers()
{
    static const auto summary = paper("a summary of [P20]");
    static const machine_numbers all = {
        {"l2_tlb.entries", "512", derived("32 sets of 16 ways: a summary of [P20], and its 1.5 times")},
        {"l2_tlb.ways", "16", derived("24 entries a set are 1.5 times 16: a summary of [P20]")},
        {"l2_tlb.store", "compressed", summary},
        {"l2_tlb.compressed_ways", "8", paper("a summary of [P20]: half")},
        {"address_space.page", "4k", summary},
        {"address_space.memory_bytes", "1073741824",
         derived("the upper half of 2 GB: a summary of [P20]; code and tables lie in the lower")},
    };
    return all;
}

uvm_params::uvm_params()
{
    set_numbers(numbers(), [this](param_visitor &v) { apu_params::visit(v); });
}

void uvm_params::visit(param_visitor &v)
{
    visit_numbers(v, numbers(), [this](param_visitor &with) { apu_params::visit(with); });
}

uvm_params uvm_params::resolved(uint64_t pages) const
{
    uvm_params p = *this;
    static_cast<apu_params &>(p) = apu_params::resolved(pages);
    return p;
}

} // namespace walkway
