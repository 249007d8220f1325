/* SPDX-License-Identifier: MIT */
/* platforms/kernel_split.hpp - a run's statistics by kernel: what was counted from the dispatch of a launch's
 * first work-group to that of the next one is its kernel's, what is under way then included. The parts add up
 * to the whole. Docs: docs/use/by-kernel.md. */
#ifndef WALKWAY_PLATFORMS_KERNEL_SPLIT_HPP
#define WALKWAY_PLATFORMS_KERNEL_SPLIT_HPP

#include "model/common/snapshot.hpp"
#include "model/common/stat_sum.hpp"
#include "model/dispatcher.hpp"
#include "platforms/platform.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

class kernel_split final : public kernel_listener
{
public:
    /* How the run stands; of a machine that has not begun. */
    struct edge {
        std::shared_ptr<const stat_snapshot> counted;
        uint64_t cycles, translations, picoseconds;
    };
    kernel_split(const wkt_reader *trace, std::function<edge()> look);
    void kernel_begins(bool same) override;
    /* The run has ended. */
    void close();
    /* In the order of their first launch. */
    const std::vector<kernel_part> &parts() const { return parts_; }

private:
    void count_until(const edge &now);

    const wkt_reader *trace_;
    std::function<edge()> look_;
    edge last_;
    std::vector<kernel_part> parts_;
    uint32_t next_launch_ = 0;
    size_t part_ = 0; /* that is under way */
};

} // namespace walkway

#endif
