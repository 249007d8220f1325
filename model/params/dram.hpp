/* SPDX-License-Identifier: MIT */
/* model/params/dram.hpp - the parameters of main memory. */
#ifndef WALKWAY_MODEL_PARAMS_DRAM_HPP
#define WALKWAY_MODEL_PARAMS_DRAM_HPP

#include "kernels/dram.h"
#include "kernels/dram_map.h"
#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct dram_params {
    uint32_t tck_ps = 1250;
    uint32_t channels = 2, ranks = 2, banks = 8, groups = 1, bursts = 1, row_bytes = 8192, row_bits = 16;
    uint8_t map = 0; /* index into map names, dram.cpp */
    bool channel_xor = true, bank_xor = false;
    uint8_t row_policy = WW_DRAM_ROW_OPEN;
    uint32_t read_entries = 32, write_entries = 32, write_high = 24, write_low = 8, hit_cap = 0,
             overhead_cycles = 1;
    uint32_t queue_entries = 32, ports = 4;
    uint32_t cl = 11, cwl = 8, burst = 4, rcd = 11, rp = 11, ras = 28, rc = 39, rrd = 5, faw = 24, ccd = 4,
             rtp = 6, wr = 12, wtr = 6, rtrs = 1, turn = 2, rfc = 208, refi = 6240;
    uint32_t rcd_write = 0, ccd_group = 0, rrd_group = 0, wtr_group = 0;
    uint8_t currents = 0; /* of the part: index into its names, dram.cpp */

    ww_dram_map_cfg address_map() const;
    ww_dram_cfg channel() const;
    void visit(param_visitor &v);
    std::string validate() const;
    uint64_t state_bytes() const; /* of the host, without queues */
};

} // namespace walkway

#endif
