/* SPDX-License-Identifier: MIT */
/* tb/bench/waves.hpp - the wave accesses of a trace in an order near the machine's, without time. Work-groups
 * are assigned to compute units as the dispatcher does, as many as fit; then each unit in turn takes the next
 * global access of a resident wave, `in_a_row` accesses of one wave, then those of the next. Skips local
 * accesses and barriers. */
#ifndef WALKWAY_BENCH_WAVES_HPP
#define WALKWAY_BENCH_WAVES_HPP

#include "trace/wkt.h"

#include <memory>
#include <vector>

namespace bench
{

class waves
{
public:
    static constexpr uint32_t slots = 40;        /* cu.simds x cu.waves_per_simd */
    static constexpr uint32_t lds_bytes = 65536; /* cu.lds_bytes */

    waves(wkt_reader *trace, unsigned units, uint32_t in_a_row)
        : trace_(trace), units_(units), in_a_row_(in_a_row)
    {
    }

    /* Calls take(unit, record) for each access. Returns false if the trace is damaged. */
    template <class F> bool each(F &&take)
    {
        for (uint32_t l = 0; l < wkt_reader_info(trace_)->launches; ++l) {
            launch_ = l;
            next_group_ = 0;
            uint64_t resident = deal();
            while (resident != 0 && !damaged_) {
                resident = 0;
                for (unsigned u = 0; u < units_.size(); ++u) {
                    if (next_record(units_[u]))
                        take(u, record_);
                    resident += units_[u].waves.size();
                }
            }
            if (damaged_)
                return false;
        }
        return true;
    }

private:
    struct group {
        wkt_group *trace = nullptr;
        uint32_t waves_left = 0;
        group() = default;
        group(const group &) = delete;
        group &operator=(const group &) = delete;
        ~group() { wkt_group_free(trace); }
    };
    struct wave {
        std::shared_ptr<group> of;
        wkt_cursor cursor;
    };
    struct unit {
        std::vector<wave> waves;
        size_t turn = 0;
        uint32_t taken = 0; /* in a row, of the current wave */
        uint32_t lds_used = 0;
    };

    bool has_room(const unit &u, uint32_t count, uint32_t lds) const
    {
        return u.waves.size() + count <= slots && u.lds_used + lds <= lds_bytes;
    }

    /* Fills the units; returns how many waves were added. */
    uint64_t deal()
    {
        const wkt_launch *l = wkt_reader_launch(trace_, launch_);
        uint64_t came = 0;
        while (next_group_ < l->groups && !damaged_) {
            const uint64_t items = uint64_t{l->group[0]} * l->group[1] * l->group[2];
            const auto count = static_cast<uint32_t>((items + WKT_WAVE_LANES - 1) / WKT_WAVE_LANES);
            unsigned tried = 0;
            while (tried < units_.size() &&
                   !has_room(units_[(next_unit_ + tried) % units_.size()], count, l->lds_bytes))
                ++tried;
            if (tried == units_.size())
                break;
            const auto u = static_cast<unsigned>((next_unit_ + tried) % units_.size());
            next_unit_ = static_cast<unsigned>((u + 1) % units_.size());
            auto g = std::make_shared<group>();
            wkt_error error;
            if (wkt_group_load(trace_, launch_, next_group_++, &g->trace, &error) != WKT_OK) {
                damaged_ = true;
                break;
            }
            g->waves_left = wkt_group_waves(g->trace);
            units_[u].lds_used += g->waves_left == 0 ? 0 : l->lds_bytes;
            for (uint32_t w = 0; w < g->waves_left; ++w) {
                units_[u].waves.push_back({g, {}});
                wkt_cursor_start(g->trace, w, &units_[u].waves.back().cursor);
                ++came;
            }
        }
        return came;
    }

    /* Takes the unit's next access, from its next wave that has one; waves that end make room. */
    bool next_record(unit &u)
    {
        while (!u.waves.empty()) {
            u.turn = u.turn < u.waves.size() ? u.turn : 0;
            wave &w = u.waves[u.turn];
            while (wkt_next(&w.cursor, &record_))
                if (record_.kind < WKT_LOCAL_LOAD) {
                    if (++u.taken >= in_a_row_) {
                        u.taken = 0;
                        ++u.turn;
                    }
                    return true;
                }
            u.taken = 0;
            damaged_ = damaged_ || wkt_cursor_failed(&w.cursor);
            if (--w.of->waves_left == 0)
                u.lds_used -= wkt_reader_launch(trace_, launch_)->lds_bytes;
            u.waves.erase(u.waves.begin() + static_cast<std::ptrdiff_t>(u.turn));
            deal();
        }
        return false;
    }

    wkt_reader *trace_;
    std::vector<unit> units_;
    uint32_t in_a_row_;
    wkt_record record_{};
    uint32_t launch_ = 0, next_group_ = 0;
    unsigned next_unit_ = 0;
    bool damaged_ = false;
};

} // namespace bench

#endif
