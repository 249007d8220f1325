/* SPDX-License-Identifier: MIT */
/* platforms/gpu_kernels.cpp - splits a machine's statistics by its program's kernels and places. */
#include "platforms/gpu.hpp"
#include "platforms/kernel_split.hpp"
#include "platforms/place_split.hpp"

#include <stdexcept>

namespace walkway
{

void gpu_machine::split_by_kernel()
{
    if (programs_ != 1)
        throw std::runtime_error("several programs' kernels run at the same time");
    split_ = std::make_unique<kernel_split>(trace_, [this] {
        if (!ended_) /* after the run, now_ is the end of the work, not of the last write-back */
            count_until_now();
        auto counted = std::make_shared<stat_snapshot>();
        visit(*counted);
        return kernel_split::edge{counted, cycles(), translations(), now_ps()};
    });
    top().dispatcher.tell(*split_, {0, static_cast<unsigned>(top().cu.size())});
}

run_end gpu_machine::run(const progress_fn &progress)
{
    const run_end end = machine::run(progress);
    ended_ = true;
    if (split_ != nullptr)
        split_->close();
    return end;
}

std::vector<kernel_part> gpu_machine::kernels() const
{
    return split_ == nullptr ? std::vector<kernel_part>() : split_->parts();
}

void gpu_machine::split_by(place_kind what)
{
    if (programs_ != 1)
        throw std::runtime_error("several programs lie at the same addresses");
    if (places_ == nullptr)
        places_ = std::make_unique<place_split>(top(), trace_);
    places_->by(what);
}

std::vector<place_part> gpu_machine::places(place_kind what) const
{
    return places_ == nullptr ? std::vector<place_part>() : places_->parts(what);
}

} // namespace walkway
