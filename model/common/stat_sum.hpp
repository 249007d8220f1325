/* SPDX-License-Identifier: MIT */
/* model/common/stat_sum.hpp - adds up the statistics of several blocks by visiting one after another: equal
 * names in the same group are one statistic. Counts, times and histograms add up; of levels the largest
 * counts. */
#ifndef WALKWAY_MODEL_COMMON_STAT_SUM_HPP
#define WALKWAY_MODEL_COMMON_STAT_SUM_HPP

#include "model/common/stats.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walkway
{

class stat_sum final : public stat_visitor
{
public:
    stat_sum();
    ~stat_sum() override;
    void begin(const std::string &group, const char *text) override;
    void end() override;
    void count(const char *name, uint64_t value, const char *unit, const char *text) override;
    void level(const char *name, uint64_t value, const char *unit, const char *text) override;
    void real(const char *name, double value, const char *unit, const char *text) override;
    void hist(const char *name, const histogram &value, const char *unit, const char *text) override;

    /* Shows the sums, in the order of the first use of their names. */
    void show(stat_visitor &v) const;

private:
    struct item;
    struct node;
    item &find(const char *name, const char *unit, const char *text);
    static void show(const node &n, stat_visitor &v);

    std::unique_ptr<node> root_;
    std::vector<node *> path_;
};

} // namespace walkway

#endif
