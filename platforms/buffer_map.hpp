/* SPDX-License-Identifier: MIT */
/* platforms/buffer_map.hpp - from a page to the buffer of the trace that it belongs to. A buffer may lie
 * where an earlier one was freed: those of the current launch count. */
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
    /* Sets the current launch. */
    void launch(uint32_t number)
    {
        if (number != launch_)
            look_at(number);
    }
    /* Returns the page's buffer, the first by address if there are several; buffers() if there is none. */
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
    std::vector<range> ranges_; /* of launch_, by address; the reader ensures that none overlap */
};

} // namespace walkway

#endif
