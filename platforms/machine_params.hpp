/* SPDX-License-Identifier: MIT */
/* platforms/machine_params.hpp - the parameters of a machine, whatever its wiring, without its blocks: for
 * who builds none, or others than SystemC's. */
#ifndef WALKWAY_PLATFORMS_MACHINE_PARAMS_HPP
#define WALKWAY_PLATFORMS_MACHINE_PARAMS_HPP

#include "model/common/params.hpp"
#include "model/common/structure.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walkway
{

class machine_params
{
public:
    virtual ~machine_params() = default;
    virtual void visit(param_visitor &v) = 0;
    /* Empty, or a sentence that names the contradictory values ("l2_tlb.sets = 3: not a power of two"). */
    virtual std::string validate() const = 0;
    /* The parameter whose value leaves this one without effect ("translation.ideal"); empty when none does.
     */
    virtual std::string overruled_by(const std::string &) const { return ""; }
    /* Bits of the machine's structures, from these parameters. */
    virtual std::vector<hardware_structure> structures() const { return {}; }
};

/* By the name that a .cfg file gives in `[platform] wiring = apu`: that of its file apu_params.cpp, which
 * defines make_apu_params(). Null when unknown. */
std::unique_ptr<machine_params> make_machine_params(const std::string &wiring);
std::vector<std::string> platform_wirings();

} // namespace walkway

#endif
