/* SPDX-License-Identifier: MIT */
/* model/params/dram.cpp - the parameters of main memory. */
#include "model/params/dram.hpp"

#include "kernels/addr.h"
#include "kernels/bits.h"

namespace walkway
{

static uint8_t log2_of(uint64_t n)
{
    return static_cast<uint8_t>(ww_log2_u64(n));
}

void dram_params::visit(param_visitor &v)
{
    v.number("tck_ps", tck_ps, {"ps", 100, 100000, "period of the command clock"});
    v.number("channels", channels, {"channels", 1, 64, "independent channels"});
    v.number("ranks", ranks, {"ranks", 1, 8, "ranks of a channel"});
    v.number("banks", banks, {"banks", 1, 32, "banks of a rank"});
    v.number("groups", groups,
             {"bank groups", 1, 32, "bank groups of a rank: by the lowest bits of the bank", neutral});
    v.number("bursts", bursts, {"column commands", 1, 8, "bursts of a line of 64 bytes", neutral});
    v.number("row_bytes", row_bytes, {"bytes", 64, 65536, "row buffer of a bank over the rank's devices"});
    v.number("row_bits", row_bits, {"bits", 10, 24, "rows of a bank: 2 to this power"});
    v.choice("map", map, {"row_bank_rank_col_ch", "row_col_rank_bank_ch", "row_rank_bank_ch_col"},
             {"", 0, 0, "address bits from most to least significant, above the 6 bits of a line"});
    v.flag("channel_xor", channel_xor,
           {"", 0, 0, "the channel is hashed with the address bits above it", neutral});
    v.flag("bank_xor", bank_xor, {"", 0, 0, "the bank is hashed with low row bits", neutral});
    v.choice("row_policy", row_policy, {"open", "closed"},
             {"", 0, 0, "what happens to a row after its accesses"});
    v.number("read_entries", read_entries, {"requests", 1, 1024, "reads a channel can reorder"});
    v.number("write_entries", write_entries, {"requests", 1, 1024, "writes a channel can hold"});
    v.number("write_high", write_high, {"requests", 1, 1024, "as many waiting writes start a drain"});
    v.number("write_low", write_low, {"requests", 0, 1023, "a drain ends at this many"});
    v.number("hit_cap", hit_cap,
             {"requests", 0, 65535, "row hits served past an older request; 0: no limit", neutral});
    v.number("overhead_cycles", overhead_cycles,
             {"memory cycles", 0, 1000, "controller time of each request", neutral});
    v.number("queue_entries", queue_entries, {"requests", 1, 65536, "input queue of each requester"});
    v.number("ports", ports,
             {"requests per memory cycle", 1, 64, "requests taken from all requesters in one cycle"});
    v.number("cl", cl, {"memory cycles", 1, 255, "read to data"});
    v.number("cwl", cwl, {"memory cycles", 1, 255, "write to data"});
    v.number("burst", burst, {"memory cycles", 1, 64, "data bus time of a burst"});
    v.number("rcd", rcd, {"memory cycles", 1, 255, "activate to column command"});
    v.number("rp", rp, {"memory cycles", 1, 255, "precharge to activate"});
    v.number("ras", ras, {"memory cycles", 1, 255, "activate to precharge"});
    v.number("rc", rc, {"memory cycles", 1, 511, "activate to activate of one bank"});
    v.number("rrd", rrd, {"memory cycles", 1, 255, "activate to activate within a rank"});
    v.number("faw", faw, {"memory cycles", 1, 511, "window of at most four activates of a rank"});
    v.number("ccd", ccd, {"memory cycles", 1, 255, "column command to column command of a rank"});
    v.number("rtp", rtp, {"memory cycles", 1, 255, "read to precharge"});
    v.number("wr", wr, {"memory cycles", 1, 255, "end of write data to precharge"});
    v.number("wtr", wtr, {"memory cycles", 1, 255, "end of write data to read of a rank"});
    v.number("rtrs", rtrs, {"memory cycles", 0, 255, "data bus gap between ranks"});
    v.number("turn", turn, {"memory cycles", 0, 255, "data bus gap between reads and writes of a rank"});
    v.number("rfc", rfc, {"memory cycles", 1, 4095, "refresh"});
    v.number("refi", refi, {"memory cycles", 0, 1u << 20, "one refresh per rank in this time; 0: none"});
    v.number("rcd_write", rcd_write, {"memory cycles", 0, 255, "activate to write; 0: as rcd", neutral});
    v.number("ccd_group", ccd_group,
             {"memory cycles", 0, 255,
              "column command to column command of a bank group, where more than ccd", neutral});
    v.number("rrd_group", rrd_group,
             {"memory cycles", 0, 255, "activate to activate of a bank group, where more than rrd", neutral});
    v.number(
        "wtr_group", wtr_group,
        {"memory cycles", 0, 255, "end of write data to read of a bank group, where more than wtr", neutral});
    v.choice("currents", currents, {"ddr3l_4gb_x8", "gddr6_8gb"},
             {"", 0, 0, "the part whose currents are energy: 8 devices a rank, or one"});
}

std::string dram_params::validate() const
{
    if (!ww_is_pow2(channels) || !ww_is_pow2(ranks) || !ww_is_pow2(banks) || !ww_is_pow2(row_bytes))
        return "channels, ranks, banks and row_bytes must be powers of two";
    if (groups == 0 || banks % groups != 0)
        return "groups does not divide banks";
    const ww_dram_map_cfg map_cfg = address_map();
    ww_dram_map built;
    if (ww_dram_map_init(&built, &map_cfg) != WW_OK)
        return "the address map does not fit (bank_xor needs as many row bits as bank bits)";
    const ww_dram_cfg cfg = channel();
    if (ww_dram_bytes(&cfg) == 0)
        return "the timing or queue values contradict each other (ras <= rc, write_low < write_high <= "
               "write_entries, rrd <= faw, rfc < refi)";
    return "";
}

/* Most significant field first; widths follow from the geometry. */
ww_dram_map_cfg dram_params::address_map() const
{
    const uint8_t col = log2_of(row_bytes / WW_LINE_BYTES);
    const ww_dram_piece row = {WW_DRAM_FIELD_ROW, static_cast<uint8_t>(row_bits)};
    const ww_dram_piece bank = {WW_DRAM_FIELD_BANK, log2_of(banks)};
    const ww_dram_piece rank = {WW_DRAM_FIELD_RANK, log2_of(ranks)};
    const ww_dram_piece column = {WW_DRAM_FIELD_COL, col};
    const ww_dram_piece of_channel = {WW_DRAM_FIELD_CHANNEL, log2_of(channels)};
    const ww_dram_piece offset = {WW_DRAM_FIELD_OFFSET, 6};
    ww_dram_map_cfg cfg = {};
    cfg.pieces = 6;
    cfg.channel_xor = channel_xor;
    cfg.bank_xor = bank_xor;
    const ww_dram_piece orders[3][6] = {
        {row, bank, rank, column, of_channel, offset},
        {row, column, rank, bank, of_channel, offset},
        {row, rank, bank, of_channel, column, offset},
    };
    for (unsigned i = 0; i < 6; ++i)
        cfg.piece[i] = orders[map][i];
    return cfg;
}

ww_dram_cfg dram_params::channel() const
{
    ww_dram_cfg cfg = {};
    cfg.timing = {cl, cwl, burst, rcd,  rp,  ras,  rc,        rrd,       faw,       ccd,      rtp,
                  wr, wtr, rtrs,  turn, rfc, refi, rcd_write, ccd_group, rrd_group, wtr_group};
    cfg.ranks = ranks;
    cfg.banks = banks;
    cfg.groups = groups;
    cfg.bursts = bursts;
    cfg.read_entries = read_entries;
    cfg.write_entries = write_entries;
    cfg.write_high = write_high;
    cfg.write_low = write_low;
    cfg.hit_cap = hit_cap;
    cfg.overhead_cycles = overhead_cycles;
    cfg.row_policy = row_policy;
    return cfg;
}

} // namespace walkway
