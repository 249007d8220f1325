/* SPDX-License-Identifier: MIT */
/* model/params/dram.hpp - the parameters of main memory. */
#ifndef WALKWAY_MODEL_PARAMS_DRAM_HPP
#define WALKWAY_MODEL_PARAMS_DRAM_HPP

#include "kernels/dram/dram.h"
#include "kernels/dram/dram_map.h"
#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

/* Units, ranges and meanings: visit() in dram.cpp. Times but tck_ps are memory cycles. queue_entries: of each
 * requester; ports: requests taken in a cycle, of all. */
struct dram_params {
    uint32_t tck_ps = 0;
    uint32_t channels = 0, ranks = 0, banks = 0, groups = 1, bursts = 1, row_bytes = 0, row_bits = 0;
    uint8_t map = 0; /* index into map names, dram.cpp */
    bool channel_xor = false, bank_xor = false;
    uint8_t row_policy = 0; /* enum ww_dram_row_policy */
    uint32_t read_entries = 0, write_entries = 0, write_high = 0, write_low = 0, hit_cap = 0,
             overhead_cycles = 0;
    uint32_t queue_entries = 0, ports = 0;
    uint32_t cl = 0, cwl = 0, burst = 0, rcd = 0, rp = 0, ras = 0, rc = 0, rrd = 0, faw = 0, ccd = 0, rtp = 0,
             wr = 0, wtr = 0, rtrs = 0, turn = 0, rfc = 0, refi = 0;
    uint32_t rcd_write = 0, ccd_group = 0, rrd_group = 0, wtr_group = 0;
    uint8_t currents = 0; /* of the part: index into its names, dram.cpp */

    ww_dram_map_cfg address_map() const;
    ww_dram_cfg channel() const;
    void visit(param_visitor &v);
    std::string validate() const;
};

} // namespace walkway

#endif
