/* SPDX-License-Identifier: MIT */
/* capi/memory.cpp - see memory.hpp. */
#include "capi/memory.hpp"

#include <cstring>

namespace walkway
{

walkway_status caller_memory::map(uint64_t pa, const void *host, uint64_t bytes, uint64_t latency_ps)
{
    if (regions_.size() == most_regions)
        return WALKWAY_E_FULL;
    for (const region &r : regions_)
        if (pa < r.pa + r.bytes && r.pa < pa + bytes)
            return WALKWAY_E_OVERLAP;
    regions_.push_back({pa, bytes, static_cast<const unsigned char *>(host), latency_ps});
    return WALKWAY_OK;
}

/* Keeps an exception of the caller's function, for on() in walkway.cpp to rethrow. */
bool caller_memory::read_line(uint64_t line_pa, uint64_t line[WW_LINE_PTES], uint64_t *latency_ps)
{
    reading = true;
    try {
        const int status = read_(user_, line_pa, line, latency_ps);
        reading = false;
        return status == 0 && *latency_ps <= most_latency_ps;
    } catch (...) {
        reading = false;
        thrown = std::current_exception();
        throw;
    }
}

bool caller_memory::line_now(uint64_t pa, uint64_t line[WW_LINE_PTES], tick *at)
{
    const uint64_t line_pa = pa & ~uint64_t{63};
    reads += counting ? 1 : 0;
    for (const region &r : regions_)
        if (line_pa - r.pa < r.bytes) {
            std::memcpy(line, r.host + (line_pa - r.pa), 64);
            *at += r.latency_ps;
            return true;
        }
    uint64_t latency_ps = 0;
    bool there = false;
    if (read_ != nullptr) {
        there = read_line(line_pa, line, &latency_ps);
    }
    *at += there ? latency_ps : 0;
    refused += counting && !there ? 1 : 0;
    return there;
}

} // namespace walkway
