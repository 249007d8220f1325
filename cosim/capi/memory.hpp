/* SPDX-License-Identifier: MIT */
/* capi/memory.hpp - the caller's memory for walks: mapped regions, and a function for lines in none of
 * them. */
#ifndef WALKWAY_CAPI_MEMORY_HPP
#define WALKWAY_CAPI_MEMORY_HPP

#include "capi/walkway.h"
#include "translate/walk_translator.hpp"

#include <exception>
#include <vector>

namespace walkway
{

constexpr uint64_t most_latency_ps = uint64_t{1} << 50; /* of one read; a longer one has failed */

class caller_memory final : public line_memory
{
public:
    static constexpr size_t most_regions = 64;

    /* Maps a region. Returns WALKWAY_OK, E_FULL or E_OVERLAP. Required: pa + bytes is below 2^64. */
    walkway_status map(uint64_t pa, const void *host, uint64_t bytes, uint64_t latency_ps);
    void set_reader(walkway_read_fn read, void *user)
    {
        read_ = read;
        user_ = user;
    }
    bool line_now(uint64_t pa, uint64_t line[WW_LINE_PTES], tick *at) override;

    /* Lines read by commits, and those of them that memory did not have. */
    uint64_t reads = 0, refused = 0;
    bool counting = false;     /* true during a commit */
    bool reading = false;      /* true during the caller's function */
    std::exception_ptr thrown; /* by the caller's function, not yet rethrown */

private:
    bool read_line(uint64_t line_pa, uint64_t line[WW_LINE_PTES], uint64_t *latency_ps);
    struct region {
        uint64_t pa, bytes;
        const unsigned char *host;
        uint64_t latency_ps;
    };
    std::vector<region> regions_;
    walkway_read_fn read_ = nullptr;
    void *user_ = nullptr;
};

} // namespace walkway

#endif
