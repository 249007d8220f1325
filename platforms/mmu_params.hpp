/* SPDX-License-Identifier: MIT */
/* platforms/mmu_params.hpp - the parameters of the mmu: those of every GPU, and a walk unit for each compute
 * unit. */
#ifndef WALKWAY_PLATFORMS_MMU_PARAMS_HPP
#define WALKWAY_PLATFORMS_MMU_PARAMS_HPP

#include "model/walk_unit.hpp"
#include "platforms/gpu_params.hpp"

namespace walkway
{

struct mmu_params : gpu_machine_params {
    walk_unit_params walk_unit;

    mmu_params();
    void visit(param_visitor &v);
    std::string validate() const;
    /* The parameter whose value leaves this one without effect; "": none does. */
    std::string overruled_by(const std::string &parameter) const;
    void structures(structure_list &list) const;
    uint64_t memory_bytes(const std::vector<va_range> &ranges) const;
    mmu_params resolved(uint64_t pages) const;

private:
    void visit_all(param_visitor &v);
};

} // namespace walkway

#endif
