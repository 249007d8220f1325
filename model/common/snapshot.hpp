/* SPDX-License-Identifier: MIT */
/* model/common/snapshot.hpp - all statistics of a machine at one moment, kept by visiting them, and those of
 * the time between two such moments. Counts, times and histograms only grow, so their difference belongs to
 * the time between; levels are those of the later moment. */
#ifndef WALKWAY_MODEL_COMMON_SNAPSHOT_HPP
#define WALKWAY_MODEL_COMMON_SNAPSHOT_HPP

#include "model/common/stats.hpp"

#include <vector>

namespace walkway
{

class stat_snapshot final : public stat_visitor
{
public:
    void begin(const std::string &group, const char *text) override;
    void end() override;
    void count(const char *name, uint64_t value, const char *unit, const char *text) override;
    void level(const char *name, uint64_t value, const char *unit, const char *text) override;
    void real(const char *name, double value, const char *unit, const char *text) override;
    void hist(const char *name, const histogram &value, const char *unit, const char *text) override;

    /* Shows v the statistics since `start`, a snapshot of the same machine. Throws std::logic_error if the
     * two are of different machines, or a count decreased. */
    void since(const stat_snapshot &start, stat_visitor &v) const;

private:
    enum class kind : uint8_t { begin, end, count, level, real, hist };
    struct entry {
        kind what;
        std::string name;
        const char *unit, *text;
        uint64_t value; /* of a histogram: its index in histograms_ */
        double number;
    };
    std::vector<entry> entries_;
    std::vector<histogram> histograms_;
};

} // namespace walkway

#endif
