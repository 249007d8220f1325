/* SPDX-License-Identifier: MIT */
#include "tb/support/traces.hpp"

#include "kernels/bits.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <unistd.h>

template class std::vector<wkt_record>;
template class std::vector<walkway::test::wave_spec>;
template class std::vector<walkway::test::group_spec>;
template class std::vector<walkway::test::launch_spec>;

namespace walkway::test
{

namespace
{

void must(int status, const wkt_error &e)
{
    if (status != WKT_OK)
        throw std::runtime_error(e.text);
}

} // namespace

wkt_record record(wkt_kind kind, uint32_t use, uint32_t compute)
{
    wkt_record r;
    std::memset(&r, 0, sizeof r);
    r.kind = static_cast<uint8_t>(kind);
    r.bytes = kind == WKT_BARRIER ? 0 : 4;
    r.use = kind == WKT_LOAD || kind == WKT_LOCAL_LOAD ? use : WKT_USE_NEVER;
    r.compute = compute;
    r.mask = UINT64_MAX;
    return r;
}

wkt_record stride(wkt_kind kind, uint64_t va, uint64_t step, uint32_t use, uint32_t compute)
{
    wkt_record r = record(kind, use, compute);
    for (uint64_t l = 0; l < WKT_WAVE_LANES; ++l)
        r.va[l] = va + l * step;
    return r;
}

wkt_record uniform(wkt_kind kind, uint64_t va, uint32_t use, uint32_t compute)
{
    return stride(kind, va, 0, use, compute);
}

trace_spec one_launch(std::vector<group_spec> groups, uint64_t bytes, uint32_t lds_bytes)
{
    trace_spec spec;
    spec.buffers = {{buffer_va, bytes, 0, 0, 1}};
    spec.launches = {{std::move(groups), lds_bytes}};
    return spec;
}

trace_spec row_major(uint32_t waves, uint32_t iterations, uint64_t element, uint64_t pitch, uint32_t compute)
{
    std::vector<group_spec> groups;
    for (uint32_t w = 0; w < waves; ++w) {
        wave_spec wave;
        for (uint32_t k = 0; k < iterations; ++k)
            wave.records.push_back(
                stride(WKT_LOAD, buffer_va + w * 64 * pitch + k * element, pitch, 1, compute));
        wave.records.push_back(stride(WKT_STORE, buffer_va + w * 256, 4));
        groups.push_back({wave});
    }
    return one_launch(groups, waves * 64 * pitch + iterations * element);
}

trace_spec pointer_chase(uint32_t waves, uint32_t steps, uint64_t bytes, uint64_t seed)
{
    ww_rng random;
    ww_rng_init(&random, seed);
    std::vector<group_spec> groups;
    for (uint32_t w = 0; w < waves; ++w) {
        wave_spec wave;
        for (uint32_t k = 0; k < steps; ++k)
            wave.records.push_back(
                uniform(WKT_LOAD, buffer_va + ww_rng_next(&random) % (bytes / 64) * 64, 1));
        groups.push_back({wave});
    }
    return one_launch(groups, bytes);
}

trace_spec scatter(uint32_t waves, uint32_t steps, uint64_t bytes, uint32_t percent, uint32_t use,
                   uint64_t seed)
{
    ww_rng random;
    ww_rng_init(&random, seed);
    std::vector<group_spec> groups;
    for (uint32_t w = 0; w < waves; ++w) {
        wave_spec wave;
        for (uint32_t k = 0; k < steps; ++k) {
            const bool write = ww_rng_below(&random, 100) < percent;
            wkt_record r = record(!write ? WKT_LOAD : k % 8 == 0 ? WKT_ATOMIC : WKT_STORE, use, 1);
            for (uint64_t &va : r.va)
                va = buffer_va + ww_rng_next(&random) % (bytes / 64) * 64;
            wave.records.push_back(r);
        }
        groups.push_back({wave});
    }
    return one_launch(groups, bytes);
}

trace_spec two_launches(trace_spec first, const trace_spec &second)
{
    first.buffers[0].bytes += second.buffers[0].bytes;
    first.launches.push_back(second.launches[0]);
    return first;
}

trace_spec in_buffers(trace_spec spec, std::vector<uint64_t> cuts)
{
    const wkt_buffer whole = spec.buffers.at(0);
    cuts.push_back(0);
    cuts.push_back(whole.bytes);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    spec.buffers.clear();
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
        spec.buffers.push_back(whole);
        spec.buffers.back().base_va += cuts[i];
        spec.buffers.back().bytes = cuts[i + 1] - cuts[i];
    }
    return spec;
}

trace::trace(const trace_spec &spec)
{
    static unsigned serial = 0;
    path_ = "trace_" + std::to_string(serial++) + ".wkt";
    wkt_error e;
    wkt_writer *w = nullptr;
    const wkt_writer_cfg cfg = {"test", "test", "tb", 1};
    must(wkt_writer_open(path_.c_str(), &cfg, &w, &e), e);
    must(wkt_writer_wave_lanes(w, spec.wave_lanes, &e), e);
    for (const wkt_buffer &b : spec.buffers)
        must(wkt_writer_buffer(w, &b, nullptr, &e), e);
    for (const launch_spec &l : spec.launches) {
        for (const uint32_t number : l.freed)
            must(wkt_writer_buffer_end(w, number, &e), e);
        for (const wkt_buffer &b : l.buffers)
            must(wkt_writer_buffer(w, &b, nullptr, &e), e);
        uint32_t waves = 1;
        for (const group_spec &g : l.groups)
            waves = g.size() > waves ? static_cast<uint32_t>(g.size()) : waves;
        wkt_launch launch;
        std::memset(&launch, 0, sizeof launch);
        l.kernel.copy(launch.name, WKT_NAME_BYTES - 1);
        launch.group[0] = spec.wave_lanes * waves;
        launch.grid[0] = launch.group[0] * static_cast<uint32_t>(l.groups.empty() ? 1 : l.groups.size());
        launch.grid[1] = launch.grid[2] = launch.group[1] = launch.group[2] = 1;
        launch.lds_bytes = l.lds_bytes;
        must(wkt_writer_launch_begin(w, &launch, &e), e);
        for (const group_spec &g : l.groups) {
            must(wkt_writer_group_begin(w, &e), e);
            for (const wave_spec &wave : g) {
                must(wkt_writer_wave(w, wave.lanes, &e), e);
                for (const wkt_record &r : wave.records)
                    must(wkt_writer_record(w, &r, &e), e);
                must(wkt_writer_tail(w, wave.tail, &e), e);
            }
            must(wkt_writer_group_end(w, &e), e);
        }
        must(wkt_writer_launch_end(w, &e), e);
    }
    must(wkt_writer_finish(w, false, &e), e);
    must(wkt_open(path_.c_str(), &reader_, &e), e);
}

trace::~trace()
{
    wkt_close(reader_);
    unlink(path_.c_str());
}

trace_spec mixed_spec(uint32_t waves)
{
    std::vector<group_spec> groups;
    for (uint64_t w = 0; w < waves; ++w) {
        const uint64_t rows = buffer_va + w % 3 * 8; /* three of four waves share lines, all share pages */
        const uint64_t own = buffer_va + (1 << 20) + w * 65536;
        wave_spec wave;
        wave.records.push_back(stride(WKT_LOAD, rows, 8192, 3));
        wave.records.push_back(stride(WKT_STORE, own, 2048 + 64));
        wave.records.push_back(stride(WKT_ATOMIC, rows + 4096, 8192));
        wave.records.push_back(stride(WKT_LOCAL_LOAD, 0, 4));
        wave.records.push_back(stride(WKT_LOAD, rows + 64, 8192, 1, 2));
        wave.records.push_back(record(WKT_BARRIER));
        wave.records.push_back(stride(WKT_STORE, rows + 128, 8192));
        for (uint32_t n = 0; n < wave.records.size(); ++n)
            wave.records[n].pc = static_cast<uint32_t>(w % 4) * 100 + 3 * n;
        groups.push_back({wave});
    }
    return one_launch(groups, (1 << 20) + (waves + 2) * 65536 * 3, group_lds);
}

} // namespace walkway::test
