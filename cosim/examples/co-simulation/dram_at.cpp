/* SPDX-License-Identifier: MIT */
/* Main memory alone with a four-phase initiator, which writes 1024 lines, reads them in address order, then
 * reads with a stride that changes the row at each step. Prints the time and bandwidth of each. */
#include "walkway/device/at_requester.hpp"
#include "walkway/model/dram.hpp"

#include <cstdio>

namespace
{

constexpr unsigned lines = 1024, line_bytes = 64;
using line = std::array<unsigned char, line_bytes>;

/* Sends all requests at once. Returns the nanoseconds from the first request to the last answer. */
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

/* Two channels, JESD79-3. */
walkway::dram_params ddr3_1600()
{
    walkway::dram_params p;
    p.tck_ps = 1250;
    p.channels = p.ranks = 2;
    p.banks = 8;
    p.row_bytes = 8192;
    p.row_bits = 16;
    p.channel_xor = true;
    p.read_entries = p.write_entries = p.queue_entries = 32;
    p.write_high = 24;
    p.write_low = 8;
    p.overhead_cycles = 1;
    p.ports = 4;
    p.cl = p.rcd = p.rp = 11;
    p.cwl = 8;
    p.burst = p.ccd = 4;
    p.ras = 28;
    p.rc = 39;
    p.rrd = 5;
    p.faw = 24;
    p.rtp = p.wtr = 6;
    p.wr = 12;
    p.rtrs = 1;
    p.turn = 2;
    p.rfc = 208;
    p.refi = 6240;
    return p;
}

} // namespace

int sc_main(int, char **)
{
    walkway::memory_store bytes;
    walkway::dram memory("memory", ddr3_1600(), bytes, 1);
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
    const double gigabytes = lines * line_bytes; /* bytes; divided by ns: GB/s */
    std::printf("written         %7.0f ns %6.2f GB/s (posted)\n"
                "read in order   %7.0f ns %6.2f GB/s\n"
                "read row by row %7.0f ns %6.2f GB/s\n",
                writes, gigabytes / writes, reads, gigabytes / reads, strides, gigabytes / strides);
    return good == 3 * lines && read == written && strides > reads ? 0 : 1;
}
