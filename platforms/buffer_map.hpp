/* SPDX-License-Identifier: MIT */
/* platforms/buffer_map.hpp - which of a trace's buffers a page is of. Buffers may lie where an earlier one
 * was freed: those of the launch that runs count. */
#ifndef WALKWAY_PLATFORMS_BUFFER_MAP_HPP
#define WALKWAY_PLATFORMS_BUFFER_MAP_HPP

#include "trace/wkt.h"

#include <vector>

namespace walkway
{

class buffer_map
{
public:
    buffer_map(const wkt_reader *trace, uint8_t page_shift);
    uint32_t buffers() const { return wkt_reader_info(trace_)->buffers; }
    /* From here on this launch runs. */
    void launch(uint32_t number)
    {
        if (number != launch_)
            look_at(number);
    }
    /* Of several in one page the first there; buffers(): of none. */
    uint32_t find(uint64_t page_va) const;

private:
    struct range {
        uint64_t base_va, end_va;
        uint32_t buffer;
    };
    void look_at(uint32_t launch);

    const wkt_reader *trace_;
    uint64_t page_bytes_;
    uint32_t launch_ = 0;
    std::vector<range> ranges_; /* of launch_, by address; none overlaps another: the reader proves it */
};

} // namespace walkway

#endif
