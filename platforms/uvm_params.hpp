/* SPDX-License-Identifier: MIT */
/* platforms/uvm_params.hpp - the parameters of the apu with what is known of [P20]'s machine. */
#ifndef WALKWAY_PLATFORMS_UVM_PARAMS_HPP
#define WALKWAY_PLATFORMS_UVM_PARAMS_HPP

#include "platforms/apu_params.hpp"

namespace walkway
{

struct uvm_params : apu_params {
    uvm_params();
    void visit(param_visitor &v);
    uvm_params resolved(uint64_t pages) const;
};

} // namespace walkway

#endif
