/* SPDX-License-Identifier: MIT */
/* tb/support/traces.hpp - small made-up traces for tests, written with trace/wkt.h to a temporary file, which
 * the destructor removes. */
#ifndef WW_TB_SUPPORT_TRACES_HPP
#define WW_TB_SUPPORT_TRACES_HPP

#include "trace/wkt.h"

#include <string>
#include <vector>

namespace walkway::test
{

struct wave_spec {
    std::vector<wkt_record> records;
    uint32_t tail = 0; /* compute instructions after the last record */
    uint64_t lanes = UINT64_MAX;
};
using group_spec = std::vector<wave_spec>;
struct launch_spec {
    std::vector<group_spec> groups;
    uint32_t lds_bytes = 0;
    std::string kernel = "k";
    std::vector<uint32_t> freed = {}; /* numbers of buffers that end before it; `buffers` begin then */
    std::vector<wkt_buffer> buffers = {};
};
struct trace_spec {
    std::vector<wkt_buffer> buffers;
    std::vector<launch_spec> launches;
    uint32_t wave_lanes = WKT_WAVE_LANES;
};

constexpr uint64_t buffer_va = uint64_t{1} << 32; /* of the only buffer that the generators make */

wkt_record record(wkt_kind kind, uint32_t use = 1, uint32_t compute = 0);

/* Lane l accesses va + l * step. */
wkt_record stride(wkt_kind kind, uint64_t va, uint64_t step, uint32_t use = 1, uint32_t compute = 0);

wkt_record uniform(wkt_kind kind, uint64_t va, uint32_t use = 1, uint32_t compute = 0);

trace_spec one_launch(std::vector<group_spec> groups, uint64_t bytes, uint32_t lds_bytes = 0);

/* A row-major matrix with a row per lane: in iteration k lane l of wave w reads element k of row 64 w + l. */
trace_spec row_major(uint32_t waves, uint32_t iterations, uint64_t element, uint64_t pitch,
                     uint32_t compute = 3);

/* Each load of a wave depends on the one before; all lanes access one random address. */
trace_spec pointer_chase(uint32_t waves, uint32_t steps, uint64_t bytes, uint64_t seed = 1);

/* Loads, stores and atomics of random lines; `percent` of them write. */
trace_spec scatter(uint32_t waves, uint32_t steps, uint64_t bytes, uint32_t percent, uint32_t use = 2,
                   uint64_t seed = 1);

/* One kernel after the other, in a buffer as large as both buffers. */
trace_spec two_launches(trace_spec first, const trace_spec &second);

/* Cuts the trace's only buffer at these offsets into several adjacent ones. */
trace_spec in_buffers(trace_spec spec, std::vector<uint64_t> cuts);

class trace
{
public:
    explicit trace(const trace_spec &spec);
    ~trace();
    trace(const trace &) = delete;
    trace &operator=(const trace &) = delete;
    wkt_reader *reader() const { return reader_; }
    const std::string &path() const { return path_; }

private:
    std::string path_;
    wkt_reader *reader_ = nullptr;
};

constexpr uint32_t group_lds = 4096; /* of a work-group of mixed_spec() */

/* Divergent loads, stores and atomics, several in flight, on pages that waves of one and of several compute
 * units share; also local memory and a barrier. */
trace_spec mixed_spec(uint32_t waves);

} // namespace walkway::test

/* Instantiated in traces.cpp, once for all tests. */
extern template class std::vector<wkt_record>;
extern template class std::vector<walkway::test::wave_spec>;
extern template class std::vector<walkway::test::group_spec>;
extern template class std::vector<walkway::test::launch_spec>;

#endif
