/* SPDX-License-Identifier: MIT */
/* tb/support/dram_law.hpp - tests whether a stream of commands is legal, by the table of docs/model/dram.md,
 * section 3, row by row, over all pairs of commands, and by each bank's state. It has no scheduler and shares
 * no code with the kernel. */
#ifndef WW_TB_SUPPORT_DRAM_LAW_HPP
#define WW_TB_SUPPORT_DRAM_LAW_HPP

#include "kernels/dram/dram.h"

#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace walkway::test
{

/* One channel. */
class dram_law
{
public:
    struct command {
        uint64_t cycle;
        ww_dram_cmd cmd;
        uint32_t rank, bank;
    };

    dram_law(const ww_dram_timing &timing, uint32_t ranks, uint32_t groups = 1)
        : t_(timing), groups_(groups), refreshes_(ranks)
    {
    }

    /* Returns "" or what is wrong. Call it in the order of the commands' cycles. */
    std::string add(const command &c)
    {
        if (c.cmd == WW_DRAM_FORWARD)
            return ""; /* not a command on the bus */
        std::string wrong = state(c);
        uint32_t window = c.cmd == WW_DRAM_ACT ? 1 : 0;
        for (const command &before : all_) {
            const uint64_t need = apart(before, c);
            if (c.cycle < before.cycle || c.cycle - before.cycle < need)
                wrong += text(c) + ": less than " + std::to_string(need) + " after " + text(before) + "; ";
            window += before.cmd == WW_DRAM_ACT && c.cmd == WW_DRAM_ACT && before.rank == c.rank &&
                      c.cycle - before.cycle < t_.faw_cycles;
        }
        if (window > 4)
            wrong += text(c) + ": a fifth activation within FAW; ";
        all_.push_back(c);
        while (all_.front().cycle + 2 * t_.rfc_cycles + 200 < c.cycle)
            all_.erase(all_.begin());
        return wrong;
    }
    uint64_t refreshes(uint32_t rank) const { return refreshes_[rank]; }

private:
    std::string state(const command &c)
    {
        const std::pair<uint32_t, uint32_t> bank{c.rank, c.bank};
        const auto rank_begin = open_.lower_bound({c.rank, 0}), rank_end = open_.lower_bound({c.rank + 1, 0});
        switch (c.cmd) {
        case WW_DRAM_ACT:
            return open_.insert(bank).second ? "" : text(c) + ": the bank is open; ";
        case WW_DRAM_PRE:
            return open_.erase(bank) == 1 ? "" : text(c) + ": the bank is closed; ";
        case WW_DRAM_PREA: {
            const bool any = rank_begin != rank_end;
            open_.erase(rank_begin, rank_end);
            return any ? "" : text(c) + ": no bank is open; ";
        }
        case WW_DRAM_RD:
        case WW_DRAM_WR:
            return open_.count(bank) == 1 ? "" : text(c) + ": the bank is closed; ";
        default:
            return refresh(c, rank_begin != rank_end);
        }
    }

    std::string refresh(const command &c, bool any_open)
    {
        const uint64_t due =
            t_.refi_cycles * (c.rank + 1) / refreshes_.size() + refreshes_[c.rank]++ * t_.refi_cycles;
        if (any_open)
            return text(c) + ": a bank is open; ";
        return c.cycle >= due && c.cycle < due + t_.refi_cycles
                   ? ""
                   : text(c) + ": was due at " + std::to_string(due) + "; ";
    }

    /* The least number of cycles from a to b. */
    uint64_t apart(const command &a, const command &b) const
    {
        const bool rank = a.rank == b.rank, group = rank && a.bank % groups_ == b.bank % groups_;
        const bool all =
            a.cmd == WW_DRAM_PREA || b.cmd == WW_DRAM_PREA || a.cmd == WW_DRAM_REF || b.cmd == WW_DRAM_REF;
        const bool bank = rank && (a.bank == b.bank || all);
        const bool close = b.cmd == WW_DRAM_PRE || b.cmd == WW_DRAM_PREA;
        const bool data = b.cmd == WW_DRAM_RD || b.cmd == WW_DRAM_WR;
        uint64_t need = 1; /* the command bus */
        const auto row = [&need](bool applies, uint64_t cycles) {
            need = applies && cycles > need ? cycles : need;
        };
        switch (a.cmd) {
        case WW_DRAM_ACT:
            row(bank && data,
                b.cmd == WW_DRAM_WR && t_.rcd_write_cycles != 0 ? t_.rcd_write_cycles : t_.rcd_cycles);
            row(bank && close, t_.ras_cycles);
            row(bank && b.cmd == WW_DRAM_ACT, t_.rc_cycles);
            row(rank && b.cmd == WW_DRAM_ACT, t_.rrd_cycles);
            row(group && b.cmd == WW_DRAM_ACT, t_.rrd_group_cycles);
            row(rank && b.cmd == WW_DRAM_REF, t_.rc_cycles);
            break;
        case WW_DRAM_PRE:
        case WW_DRAM_PREA:
            row(bank && b.cmd == WW_DRAM_ACT, t_.rp_cycles);
            row(rank && b.cmd == WW_DRAM_REF, t_.rp_cycles);
            break;
        case WW_DRAM_REF:
            row(rank && (b.cmd == WW_DRAM_ACT || b.cmd == WW_DRAM_REF), t_.rfc_cycles);
            break;
        case WW_DRAM_RD:
            row(bank && close, t_.rtp_cycles);
            row(rank && b.cmd == WW_DRAM_WR, t_.cl_cycles + t_.burst_cycles + t_.turn_cycles - t_.cwl_cycles);
            break;
        case WW_DRAM_WR:
            row(bank && close, t_.cwl_cycles + t_.burst_cycles + t_.wr_cycles);
            row(rank && b.cmd == WW_DRAM_RD, t_.cwl_cycles + t_.burst_cycles + t_.wtr_cycles);
            row(group && b.cmd == WW_DRAM_RD, t_.cwl_cycles + t_.burst_cycles + t_.wtr_group_cycles);
            break;
        default:
            break;
        }
        if (data && (a.cmd == WW_DRAM_RD || a.cmd == WW_DRAM_WR)) {
            row(rank, t_.ccd_cycles);
            row(group, t_.ccd_group_cycles);
            const uint64_t ends = latency(a) + t_.burst_cycles + (rank ? 0 : t_.rtrs_cycles);
            row(ends > latency(b), ends - latency(b)); /* the data bus */
        }
        return need;
    }

    uint64_t latency(const command &c) const { return c.cmd == WW_DRAM_RD ? t_.cl_cycles : t_.cwl_cycles; }

    static std::string text(const command &c)
    {
        std::ostringstream s;
        s << ww_dram_cmd_name(c.cmd) << ' ' << c.rank << '.' << c.bank << " at " << c.cycle;
        return s.str();
    }

    ww_dram_timing t_;
    uint32_t groups_;
    std::vector<command> all_; /* recent ones, for as long as they constrain others */
    std::set<std::pair<uint32_t, uint32_t>> open_;
    std::vector<uint64_t> refreshes_;
};

} // namespace walkway::test

#endif
