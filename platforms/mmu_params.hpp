/* SPDX-License-Identifier: MIT */
/* platforms/mmu_params.hpp - the parameters of the mmu: those of every GPU, walk units for one or more
 * compute units each, and a TLB in front of one for all. */
#ifndef WALKWAY_PLATFORMS_MMU_PARAMS_HPP
#define WALKWAY_PLATFORMS_MMU_PARAMS_HPP

#include "model/params/walk_unit.hpp"
#include "platforms/gpu_params.hpp"

namespace walkway
{

struct mmu_walk_params : walk_unit_params {
    uint32_t shared_by = 1; /* compute units of a walk unit */

    uint32_t units(uint32_t cus) const { return (cus + shared_by - 1) / shared_by; }
    /* How many compute units the nth has. */
    uint32_t requesters(uint32_t nth, uint32_t cus) const
    {
        return cus - nth * shared_by < shared_by ? cus - nth * shared_by : shared_by;
    }
    void visit(param_visitor &v);
};

struct mmu_params : gpu_machine_params {
    tlb_params l2_tlb; /* absent as shipped */
    mmu_walk_params walk_unit;

    uint32_t walk_units() const { return walk_unit.units(gpu.cus); }
    /* Without an L2 TLB: the stages above that share a walk unit, and how many the nth has. */
    uint32_t stages_of_walk_unit() const
    {
        return (walk_unit.shared_by + last_sharers() - 1) / last_sharers();
    }
    uint32_t asking(uint32_t nth) const
    {
        return (walk_unit.requesters(nth, gpu.cus) + last_sharers() - 1) / last_sharers();
    }

    mmu_params();
    void visit(param_visitor &v);
    std::string validate() const;
    /* The parameter whose value leaves this one without effect; "": none does. */
    std::string overruled_by(const std::string &parameter) const;
    void structures(structure_list &list) const;
    uint64_t memory_bytes(const std::vector<space_ranges> &of_space) const;
    mmu_params resolved(uint64_t pages) const;

private:
    std::string validate_sharers() const;
};

} // namespace walkway

#endif
