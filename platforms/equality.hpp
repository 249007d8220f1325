/* SPDX-License-Identifier: MIT */
/* platforms/equality.hpp - a law between blocks, by the names of their statistics: the sums of two lists are
 * equal. The wiring knows it, and neither a block nor a link does. */
#ifndef WALKWAY_PLATFORMS_EQUALITY_HPP
#define WALKWAY_PLATFORMS_EQUALITY_HPP

#include "model/common/stats.hpp"

#include <map>
#include <string>
#include <vector>

namespace walkway
{

/* A statistic by its full name, "walk_unit.pte_reads" (of a histogram, its sum), or all that begin so,
 * "account.walk_*"; times a constant, such as the period of a clock. */
struct stat_term {
    stat_term(const char *named, uint64_t by = 1) : name(named), times(by) {}
    stat_term(std::string named, uint64_t by = 1) : name(std::move(named)), times(by) {}
    std::string name;
    uint64_t times;
};

struct equality {
    std::string text; /* "l2_tlb: misses = iommu requests" */
    std::vector<stat_term> left, right;
    std::string unless; /* a statistic that must be 0 for the law to apply; empty: it always applies */
};

/* Statistics by full name; of a histogram, its sum. */
class stat_values final : public stat_visitor
{
public:
    std::map<std::string, uint64_t> all;

    void begin(const std::string &group, const char *text) override;
    void end() override;
    void count(const char *name, uint64_t value, const char *unit, const char *text) override;
    void real(const char *name, double value, const char *unit, const char *text) override;
    void hist(const char *name, const histogram &value, const char *unit, const char *text) override;

    /* Returns the sum of the terms. Throws std::logic_error if a term names no statistic. */
    uint64_t sum(const std::vector<stat_term> &terms) const;
    law judge(const equality &e) const;

private:
    std::string prefix_;
};

} // namespace walkway

#endif
