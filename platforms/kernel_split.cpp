/* SPDX-License-Identifier: MIT */
/* platforms/kernel_split.cpp - see kernel_split.hpp. */
#include "platforms/kernel_split.hpp"

#include <algorithm>

namespace walkway
{

kernel_split::kernel_split(const wkt_reader *trace, std::function<edge()> look)
    : trace_(trace), look_(std::move(look)), last_(look_())
{
}

void kernel_split::count_until(const edge &now)
{
    if (parts_.empty())
        return; /* the first launch gets the time before it, too */
    kernel_part &p = parts_[part_];
    now.counted->since(*last_.counted, *p.counted);
    p.cycles += now.cycles - last_.cycles;
    p.translations += now.translations - last_.translations;
    p.picoseconds += now.picoseconds - last_.picoseconds;
    last_ = now;
}

void kernel_split::kernel_begins(bool)
{
    count_until(look_());
    while (wkt_reader_launch(trace_, next_launch_)->groups == 0)
        ++next_launch_;
    const std::string name = wkt_reader_launch(trace_, next_launch_++)->name;
    const auto it =
        std::find_if(parts_.begin(), parts_.end(), [&name](const kernel_part &p) { return p.name == name; });
    part_ = static_cast<size_t>(it - parts_.begin());
    if (it == parts_.end())
        parts_.push_back({name, 0, 0, 0, 0, std::make_shared<stat_sum>()});
    ++parts_[part_].launches;
}

void kernel_split::close()
{
    count_until(look_());
}

} // namespace walkway
