/* SPDX-License-Identifier: MIT */
/* platforms/machine_params.hpp - the parameters of a machine of any path, without its blocks: for callers
 * that build none, or blocks other than SystemC's. */
#ifndef WALKWAY_PLATFORMS_MACHINE_PARAMS_HPP
#define WALKWAY_PLATFORMS_MACHINE_PARAMS_HPP

#include "model/common/params.hpp"
#include "model/common/structure.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walkway
{

struct gpu_machine_params;

class machine_params
{
public:
    virtual ~machine_params() = default;
    /* Returns the parameters with their levels; null: not a machine of blocks. */
    virtual const gpu_machine_params *gpu() const { return nullptr; }
    virtual void visit(param_visitor &v) = 0;
    /* Empty, or a sentence that names the contradictory values ("l2_tlb.sets = 3: not a power of two"). */
    virtual std::string validate() const = 0;
    /* Returns the parameter whose value leaves this one without effect ("translation.ideal"); empty if none
     * does. */
    virtual std::string overruled_by(const std::string &) const { return ""; }
    /* Returns the bits of the machine's structures, from these parameters. */
    virtual std::vector<hardware_structure> structures() const { return {}; }
};

/* What is wrong with the text of a path, `path = l1_tlb l2_tlb walk_unit` of a machine's file; empty if
 * nothing is. `word` is the invalid word, and `valid` are the words allowed there. */
struct path_fault {
    std::string why, word;
    std::vector<std::string> valid;
};
path_fault fault_of_path(const std::string &path);
/* Required: a path without fault. */
std::unique_ptr<machine_params> make_machine_params(const std::string &path);

} // namespace walkway

#endif
