/* SPDX-License-Identifier: MIT */
/* platforms/kernel_split.hpp - a run's statistics by kernel: counts from the dispatch of a launch's first
 * work-group to that of the next launch belong to its kernel, including work in flight. The parts add up to
 * the whole. Docs: docs/use/by-kernel.md. */
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
    /* State of the run at a moment; also before the machine has begun. */
    struct edge {
        std::shared_ptr<const stat_snapshot> counted;
        uint64_t cycles, translations, picoseconds;
    };
    kernel_split(const wkt_reader *trace, std::function<edge()> look);
    void kernel_begins(bool same) override;
    /* Call when the run has ended. */
    void close();
    /* Returns the parts in the order of their first launches. */
    const std::vector<kernel_part> &parts() const { return parts_; }

private:
    void count_until(const edge &now);

    const wkt_reader *trace_;
    std::function<edge()> look_;
    edge last_;
    std::vector<kernel_part> parts_;
    uint32_t next_launch_ = 0;
    size_t part_ = 0; /* in progress */
};

} // namespace walkway

#endif
