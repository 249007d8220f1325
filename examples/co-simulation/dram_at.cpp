/* SPDX-License-Identifier: MIT */
/* Main memory alone behind an initiator of four phases: 1024 lines are written, then read in the order of
 * their addresses, and with strides that leave a row at each step. Prints what the memory makes of it. */
#include "walkway/device/at_requester.hpp"
#include "walkway/model/dram.hpp"

#include <cstdio>

namespace
{

constexpr unsigned lines = 1024, line_bytes = 64;
using line = std::array<unsigned char, line_bytes>;

/* All at once; nanoseconds from the first request to the last answer. */
double play(walkway::at_requester<32> &from, tlm::tlm_command command, uint64_t stride,
            std::vector<line> &data, unsigned *good)
{
    const sc_core::sc_time start = sc_core::sc_time_stamp();
    sc_core::sc_time last;
    for (unsigned i = 0; i < lines; ++i)
        from.send(command, i * stride, data[i].data(), line_bytes, [&](const tlm::tlm_generic_payload &p) {
            *good += p.is_response_ok();
            last = sc_core::sc_time_stamp();
        });
    sc_core::sc_start();
    return (last - start) / sc_core::sc_time(1, sc_core::SC_NS);
}

} // namespace

int sc_main(int, char **)
{
    walkway::dram_params p; /* DDR3-1600, two channels */
    walkway::memory_store bytes;
    walkway::dram memory("memory", p, bytes, 1);
    walkway::at_requester<32> from("from");
    from.out.bind(*memory.up[0]);

    std::vector<line> written(lines), read(lines), far(lines);
    for (unsigned i = 0; i < lines; ++i)
        written[i].fill(static_cast<unsigned char>(i * 7));
    unsigned good = 0;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const double writes = play(from, tlm::TLM_WRITE_COMMAND, line_bytes, written, &good);
    const double reads = play(from, tlm::TLM_READ_COMMAND, line_bytes, read, &good);
    const double strides = play(from, tlm::TLM_READ_COMMAND, 1 << 20, far, &good);
    const double gigabytes = lines * line_bytes; /* a second, with nanoseconds below */
    std::printf("written         %7.0f ns %6.2f GB/s (posted)\n"
                "read in order   %7.0f ns %6.2f GB/s\n"
                "read row by row %7.0f ns %6.2f GB/s\n",
                writes, gigabytes / writes, reads, gigabytes / reads, strides, gigabytes / strides);
    return good == 3 * lines && read == written && strides > reads ? 0 : 1;
}
