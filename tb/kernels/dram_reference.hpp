/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_reference.hpp - a DRAM channel written only for clarity: every cycle it examines all
 * waiting requests and checks each command against each earlier one, pair by pair. The kernel must agree with
 * it command by command. It has no caches, no lists per bank and no shared code, and is slow. */
#ifndef WW_TB_DRAM_REFERENCE_HPP
#define WW_TB_DRAM_REFERENCE_HPP

#include "kernels/dram/dram.h"

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

namespace dram_reference
{

struct command {
    ww_dram_cmd cmd;
    uint32_t rank, bank;
    uint64_t cycle;
};

struct request {
    ww_dram_loc loc;
    bool is_write;
    uint32_t id;
    uint64_t visible;
    uint64_t serial;
    uint32_t bursts; /* column commands that the request still needs */
};

class channel
{
public:
    explicit channel(const ww_dram_cfg &cfg)
        : cfg_(cfg), t_(cfg.timing), due_(cfg.ranks), refreshing_(cfg.ranks)
    {
        for (uint32_t r = 0; r < cfg.ranks; r++)
            due_[r] = t_.refi_cycles ? uint64_t(t_.refi_cycles) * (r + 1) / cfg.ranks : UINT64_MAX;
    }

    bool enqueue(const ww_dram_loc &loc, bool is_write, uint32_t id, uint64_t now)
    {
        if (count(is_write) + (is_write ? 0 : forwards_.size()) >=
            (is_write ? cfg_.write_entries : cfg_.read_entries))
            return false;
        if (idle())
            refresh_while_idle(now);
        seen_ = now;
        request r{loc, is_write, id, now + cfg_.overhead_cycles, ++serial_, cfg_.bursts};
        bool same_line = std::any_of(queue_.begin(), queue_.end(), [&](const request &w) {
            return w.is_write && w.loc.rank == loc.rank && w.loc.bank == loc.bank && w.loc.row == loc.row &&
                   w.loc.col == loc.col;
        });
        if (!is_write && same_line)
            forwards_.push_back(r);
        else
            queue_.push_back(r);
        steer();
        return true;
    }

    ww_dram_event step(uint64_t now)
    {
        ww_dram_event e{};
        if (idle())
            return e;
        seen_ = now;
        forget(now);
        for (uint32_t r = 0; r < cfg_.ranks; r++)
            refreshing_[r] = refreshing_[r] || due_[r] <= now;
        if (!refresh(now, e) && !forward(now, e))
            schedule(now, e);
        return e;
    }

    bool idle() const
    {
        return queue_.empty() && forwards_.empty() &&
               std::none_of(refreshing_.begin(), refreshing_.end(), [](bool b) { return b; });
    }

    /* Returns whether every remembered command allows this one at this cycle. */
    bool legal(ww_dram_cmd cmd, uint32_t rank, uint32_t bank, uint64_t cycle) const
    {
        uint32_t acts = 0;
        for (const command &p : history_) {
            uint64_t need = gap(p, cmd, rank, bank); /* an auto-precharge in history_ may be in the future */
            if (need && cycle < p.cycle + need)
                return false;
            acts += cmd == WW_DRAM_ACT && p.cmd == WW_DRAM_ACT && p.rank == rank &&
                    p.cycle + t_.faw_cycles > cycle;
        }
        return acts < 4;
    }

    std::map<std::pair<uint32_t, uint32_t>, uint32_t> open; /* (rank, bank) -> row */
    uint64_t refreshes = 0;

private:
    /* Returns the minimum number of cycles between the two commands, 0 for none. */
    uint64_t gap(const command &p, ww_dram_cmd cmd, uint32_t rank, uint32_t bank) const
    {
        bool same_rank = p.rank == rank, same_bank = same_rank && p.bank == bank;
        bool same_group = same_rank && p.bank % cfg_.groups == bank % cfg_.groups;
        bool column = cmd == WW_DRAM_RD || cmd == WW_DRAM_WR;
        uint64_t need = 0;
        auto rule = [&](bool applies, uint64_t cycles) { need = std::max(need, applies ? cycles : 0); };
        switch (p.cmd) {
        case WW_DRAM_ACT:
            rule(same_bank && column,
                 cmd == WW_DRAM_WR && t_.rcd_write_cycles ? t_.rcd_write_cycles : t_.rcd_cycles);
            rule(same_bank && cmd == WW_DRAM_PRE, t_.ras_cycles);
            rule(same_bank && cmd == WW_DRAM_ACT, t_.rc_cycles);
            rule(same_rank && cmd == WW_DRAM_ACT, t_.rrd_cycles);
            rule(same_group && cmd == WW_DRAM_ACT, t_.rrd_group_cycles);
            rule(same_rank && cmd == WW_DRAM_REF, t_.rc_cycles);
            break;
        case WW_DRAM_PRE:
            rule(same_bank && cmd == WW_DRAM_ACT, t_.rp_cycles);
            rule(same_rank && cmd == WW_DRAM_REF, t_.rp_cycles);
            break;
        case WW_DRAM_REF:
            rule(same_rank && (cmd == WW_DRAM_ACT || cmd == WW_DRAM_REF), t_.rfc_cycles);
            break;
        case WW_DRAM_RD:
        case WW_DRAM_WR: {
            bool was_write = p.cmd == WW_DRAM_WR, is_write = cmd == WW_DRAM_WR;
            uint64_t data_end = (was_write ? t_.cwl_cycles : t_.cl_cycles) + t_.burst_cycles;
            uint64_t lead = is_write ? t_.cwl_cycles : t_.cl_cycles; /* command to data */
            uint64_t bubble = !same_rank ? t_.rtrs_cycles : !was_write && is_write ? t_.turn_cycles : 0;
            rule(same_bank && cmd == WW_DRAM_PRE, was_write ? data_end + t_.wr_cycles : t_.rtp_cycles);
            rule(same_rank && column, t_.ccd_cycles);
            rule(same_group && column, t_.ccd_group_cycles);
            rule(same_rank && was_write && cmd == WW_DRAM_RD, data_end + t_.wtr_cycles);
            rule(same_group && was_write && cmd == WW_DRAM_RD, data_end + t_.wtr_group_cycles);
            rule(column && data_end + bubble > lead, data_end + bubble - lead);
            break;
        }
        default:
            break;
        }
        return need;
    }

    bool precharge_legal(uint32_t rank, uint64_t cycle) const
    {
        for (const auto &o : open)
            if (o.first.first == rank && !legal(WW_DRAM_PRE, rank, o.first.second, cycle))
                return false;
        return true;
    }

    bool any_open(uint32_t rank) const
    {
        return std::any_of(open.begin(), open.end(), [&](const auto &o) { return o.first.first == rank; });
    }

    void close_rank(uint32_t rank, uint64_t cycle)
    {
        for (auto o = open.begin(); o != open.end();)
            if (o->first.first == rank) {
                history_.push_back({WW_DRAM_PRE, rank, o->first.second, cycle});
                o = open.erase(o);
            } else {
                ++o;
            }
    }

    void refreshed(uint32_t rank, uint64_t cycle)
    {
        history_.push_back({WW_DRAM_REF, rank, 0, cycle});
        due_[rank] += t_.refi_cycles;
        refreshing_[rank] = false;
        refreshes++;
    }

    void refresh_while_idle(uint64_t now)
    {
        for (uint64_t c = seen_ + 1; c <= now; c++)
            for (uint32_t r = 0; r < cfg_.ranks; r++) {
                if (due_[r] > c)
                    continue;
                forget(c);
                if (any_open(r) && precharge_legal(r, c))
                    close_rank(r, c);
                if (!any_open(r) && legal(WW_DRAM_REF, r, 0, c))
                    refreshed(r, c);
            }
    }

    bool refresh(uint64_t now, ww_dram_event &e)
    {
        for (uint32_t r = 0; r < cfg_.ranks; r++) {
            if (!refreshing_[r])
                continue;
            e.rank = uint8_t(r);
            if (any_open(r)) {
                if (!precharge_legal(r, now))
                    continue;
                close_rank(r, now);
                e.cmd = WW_DRAM_PREA;
                return true;
            }
            if (!legal(WW_DRAM_REF, r, 0, now))
                continue;
            refreshed(r, now);
            e.cmd = WW_DRAM_REF;
            return true;
        }
        e.rank = 0;
        return false;
    }

    bool forward(uint64_t now, ww_dram_event &e)
    {
        if (forwards_.empty() || forwards_.front().visible > now)
            return false;
        fill(e, WW_DRAM_FORWARD, forwards_.front());
        e.done_cycle = now + 1;
        forwards_.pop_front();
        return true;
    }

    void schedule(uint64_t now, ww_dram_event &e)
    {
        std::map<std::pair<uint32_t, uint32_t>, bool>
            passed; /* bank -> its oldest request misses, and the hit cap is reached */
        size_t chosen = queue_.size();
        ww_dram_cmd cmd = WW_DRAM_NONE;
        /* A row that was opened for the other direction serves its request before any other data is
         * transferred. */
        bool turning = false;
        for (size_t i = 0; i < queue_.size() && cmd == WW_DRAM_NONE; i++) {
            const request &r = queue_[i];
            if (r.is_write == writing_ || refreshing_[r.loc.rank] || !opener(r))
                continue;
            turning = true;
            ww_dram_cmd c = writing_ ? WW_DRAM_RD : WW_DRAM_WR;
            if (legal(c, r.loc.rank, r.loc.bank, now)) {
                chosen = i;
                cmd = c;
            }
        }
        /* Chooses the oldest column command. A bank at its cap serves only its oldest request. */
        for (size_t i = 0; i < queue_.size() && cmd == WW_DRAM_NONE && !turning; i++) {
            const request &r = queue_[i];
            if (r.is_write != writing_ || refreshing_[r.loc.rank])
                continue;
            if (!hit(r)) {
                passed[key(r)] |= cfg_.hit_cap && hits_[key(r)] >= cfg_.hit_cap;
                continue;
            }
            ww_dram_cmd c = writing_ ? WW_DRAM_WR : WW_DRAM_RD;
            if (!passed[key(r)] && r.visible <= now && legal(c, r.loc.rank, r.loc.bank, now)) {
                chosen = i;
                cmd = c;
            }
        }
        /* Chooses the oldest activation or precharge in a bank without a hit that may be served. */
        for (size_t i = 0; i < queue_.size() && cmd == WW_DRAM_NONE; i++) {
            const request &r = queue_[i];
            if (r.is_write != writing_ || refreshing_[r.loc.rank] || r.visible > now || !first_of_bank(i) ||
                wanted(r) || kept_for_other(r))
                continue;
            ww_dram_cmd c = open.count(key(r)) ? WW_DRAM_PRE : WW_DRAM_ACT;
            if (legal(c, r.loc.rank, r.loc.bank, now)) {
                chosen = i;
                cmd = c;
            }
        }
        if (cmd != WW_DRAM_NONE)
            issue(chosen, cmd, now, e);
    }

    void issue(size_t i, ww_dram_cmd cmd, uint64_t now, ww_dram_event &e)
    {
        request r = queue_[i];
        history_.push_back({cmd, r.loc.rank, r.loc.bank, now});
        uint32_t row = cmd == WW_DRAM_PRE ? open[key(r)] : r.loc.row;
        fill(e, cmd, r);
        e.row = row;
        if (cmd == WW_DRAM_ACT) {
            open[key(r)] = row;
            opened_for_[key(r)] = r.serial;
            hits_[key(r)] = 0;
        } else if (cmd == WW_DRAM_PRE) {
            e.id = 0;
            open.erase(key(r));
        } else if (--queue_[i].bursts) {
            opened_for_[key(r)] = r.serial; /* the row is reserved for this request */
        } else {
            e.done_cycle = now + (r.is_write ? t_.cwl_cycles : t_.cl_cycles) + t_.burst_cycles;
            hits_[key(r)]++;
            queue_.erase(queue_.begin() + std::ptrdiff_t(i));
            bool more = std::any_of(queue_.begin(), queue_.end(),
                                    [&](const request &q) { return key(q) == key(r) && q.loc.row == row; });
            if (cfg_.row_policy == WW_DRAM_ROW_CLOSED && !more) {
                uint64_t c = now;
                while (!legal(WW_DRAM_PRE, r.loc.rank, r.loc.bank, c))
                    c++;
                history_.push_back({WW_DRAM_PRE, r.loc.rank, r.loc.bank, c});
                open.erase(key(r));
                e.precharge = true;
            }
            if (r.is_write && drain_ && --drain_ == 0)
                owed_ = cfg_.write_high - cfg_.write_low;
            if (!r.is_write && owed_)
                owed_--;
            steer();
        }
    }

    void steer()
    {
        size_t reads = count(false), writes = count(true);
        if (!reads)
            owed_ = 0;
        if (!drain_ && !owed_ && writes >= cfg_.write_high)
            drain_ = uint32_t(writes) - cfg_.write_low;
        writing_ = drain_ || (!reads && writes);
    }

    bool hit(const request &r) const
    {
        auto o = open.find(key(r));
        return o != open.end() && o->second == r.loc.row;
    }

    bool first_of_bank(size_t i) const
    {
        for (size_t k = 0; k < i; k++)
            if (queue_[k].is_write == writing_ && key(queue_[k]) == key(queue_[i]))
                return false;
        return true;
    }

    /* r is its bank's oldest request. Returns whether the open row must be kept for hits of this
     * direction. */
    bool wanted(const request &r) const
    {
        if (hit(r))
            return true;
        auto h = hits_.find(key(r));
        if (cfg_.hit_cap && h != hits_.end() && h->second >= cfg_.hit_cap)
            return false;
        return std::any_of(queue_.begin(), queue_.end(), [&](const request &q) {
            return q.is_write == writing_ && key(q) == key(r) && hit(q);
        });
    }

    /* Returns whether the row of r's bank is open and was opened for r. */
    bool opener(const request &r) const
    {
        auto o = opened_for_.find(key(r));
        return o != opened_for_.end() && o->second == r.serial && hit(r);
    }

    bool kept_for_other(const request &r) const
    {
        return std::any_of(queue_.begin(), queue_.end(), [&](const request &q) {
            return q.is_write != writing_ && key(q) == key(r) && opener(q);
        });
    }

    size_t count(bool is_write) const
    {
        return size_t(std::count_if(queue_.begin(), queue_.end(),
                                    [&](const request &r) { return r.is_write == is_write; }));
    }

    void forget(uint64_t now)
    {
        uint64_t horizon = t_.rfc_cycles + t_.rc_cycles + t_.faw_cycles + t_.cl_cycles + t_.cwl_cycles +
                           t_.burst_cycles + t_.wr_cycles + t_.wtr_cycles + t_.turn_cycles + t_.ccd_cycles +
                           t_.ccd_group_cycles + t_.rrd_group_cycles + t_.wtr_group_cycles;
        history_.erase(std::remove_if(history_.begin(), history_.end(),
                                      [&](const command &c) { return c.cycle + horizon < now; }),
                       history_.end());
    }

    static std::pair<uint32_t, uint32_t> key(const request &r) { return {r.loc.rank, r.loc.bank}; }

    static void fill(ww_dram_event &e, ww_dram_cmd cmd, const request &r)
    {
        e.cmd = uint8_t(cmd);
        e.rank = uint8_t(r.loc.rank);
        e.bank = uint8_t(r.loc.bank);
        e.row = r.loc.row;
        e.id = r.id;
    }

    ww_dram_cfg cfg_;
    ww_dram_timing t_;
    std::vector<uint64_t> due_;
    std::vector<bool> refreshing_;
    std::vector<command> history_;
    std::vector<request> queue_; /* oldest first */
    std::deque<request> forwards_;
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> hits_;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> opened_for_;
    uint64_t serial_ = 0;
    uint32_t drain_ = 0, owed_ = 0;
    bool writing_ = false;
    uint64_t seen_ = 0;
};

} // namespace dram_reference

#endif
