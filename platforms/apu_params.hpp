/* SPDX-License-Identifier: MIT */
/* platforms/apu_params.hpp - the parameters of the apu: every block's, the ideal ladder, what follows from
 * them. */
#ifndef WALKWAY_PLATFORMS_APU_PARAMS_HPP
#define WALKWAY_PLATFORMS_APU_PARAMS_HPP

#include "model/coalescer.hpp"
#include "model/compute_unit.hpp"
#include "model/data_cache.hpp"
#include "model/dispatcher.hpp"
#include "model/dram.hpp"
#include "model/iommu.hpp"
#include "model/tlb.hpp"
#include "platforms/platform.hpp"

namespace walkway
{

struct gpu_params {
    uint32_t cus = 8;
    uint32_t clock_ps = 500;
    void visit(param_visitor &v);
};

/* The ideal ladder: each rung removes one more cost, those below it stay removed. */
enum class ideal : uint8_t { off, unlimited_walkers, zero_walk, infinite_l2, perfect_l1, none };

struct translation_params {
    uint8_t ideal = 0;
    void visit(param_visitor &v);
};

struct apu_params {
    gpu_params gpu;
    translation_params translation;
    dispatcher_params dispatcher;
    compute_unit_params cu;
    coalescer_params coalescer;
    tlb_params l1_tlb, l2_tlb;
    iommu_params iommu;
    data_cache_params l1d, l2d;
    dram_params dram;
    address_space_params address_space;

    apu_params();
    void visit(param_visitor &v);
    std::string validate() const;
    /* Does the ideal ladder's rung leave this parameter without effect? */
    bool idealised(const std::string &parameter) const;
    ideal rung() const { return static_cast<ideal>(translation.ideal); }
    bool perfect() const { return rung() >= ideal::perfect_l1; } /* nothing is asked below the L1 TLBs */
    uint64_t memory_end() const;                                 /* bytes of dram */
    /* Of the host, for a trace with these buffers: an estimate. */
    uint64_t memory_bytes(const std::vector<va_range> &ranges) const;
    /* The same with the page size carried to the blocks and the ideal ladder's rung applied. */
    apu_params resolved(uint64_t pages) const;
};

class apu_config final : public platform_config
{
public:
    apu_params params;
    void visit(param_visitor &v) override { params.visit(v); }
    std::string validate() const override { return params.validate(); }
    std::string overruled_by(const std::string &parameter) const override
    {
        return params.idealised(parameter) ? "translation.ideal" : "";
    }
    std::vector<hardware_structure> structures() const override;
    uint64_t memory_bytes(const wkt_reader *trace) const override;
    std::unique_ptr<platform> build(wkt_reader *trace) const override;
};

std::unique_ptr<platform_config> make_apu_config();

} // namespace walkway

#endif
