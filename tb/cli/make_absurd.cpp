/* SPDX-License-Identifier: MIT */
/* tb/cli/make_absurd.cpp - writes traces with correct checksums and contents that no capture writes. Changes
 * the index and first work-group of a good trace and seals everything again. Usage: make_absurd GOOD.wkt CASE
 * OUT.wkt; without arguments it prints the cases, one per line. */
#include "tb/fuzz/sealed_trace.hpp"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

using walkway_fuzz::sealed_trace;

namespace
{

/* Offsets in the index after its strings (docs/develop/trace-format.md, section 1). */
constexpr size_t launches_at = 4, buffers_at = 8, groups_at = 20, fixed_bytes = 36 + 16 * WKT_KINDS + 8;
constexpr size_t launch_bytes = WKT_NAME_BYTES + 9 * 4;
constexpr size_t grid_at = WKT_NAME_BYTES, group_size_at = grid_at + 12, lds_at = grid_at + 24,
                 present_at = grid_at + 32;

uint8_t *field(sealed_trace &t, size_t at)
{
    return sealed_trace::bytes(t.index) + sealed_trace::fields_at(t.index) + at;
}

uint8_t *launch(sealed_trace &t, size_t at)
{
    return field(t, fixed_bytes + at);
}

uint8_t *buffer(sealed_trace &t, size_t at)
{
    return field(t, fixed_bytes + wkt_get32(field(t, launches_at)) * launch_bytes + at);
}

uint8_t *wave(sealed_trace &t, size_t group, size_t at)
{
    return sealed_trace::bytes(t.groups[group]) + WKT_GROUP_HEADER_BYTES + at;
}

const struct {
    const char *name;
    void (*change)(sealed_trace &);
} cases[] = {
    {"launches-4294967295", [](sealed_trace &t) { wkt_put32(field(t, launches_at), UINT32_MAX); }},
    {"buffers-4294967295", [](sealed_trace &t) { wkt_put32(field(t, buffers_at), UINT32_MAX); }},
    {"groups-2-to-60", [](sealed_trace &t) { wkt_put64(field(t, groups_at), UINT64_C(1) << 60); }},
    {"launch-of-4294967295-groups", [](sealed_trace &t) { wkt_put32(launch(t, present_at), UINT32_MAX); }},
    {"launch-of-no-size", [](sealed_trace &t) { wkt_put32(launch(t, grid_at), 0); }},
    {"group-larger-than-a-unit", [](sealed_trace &t) { wkt_put32(launch(t, group_size_at), UINT32_MAX); }},
    {"group-smaller-than-its-waves", [](sealed_trace &t) { wkt_put32(launch(t, group_size_at), 1); }},
    {"lds-4294967295", [](sealed_trace &t) { wkt_put32(launch(t, lds_at), UINT32_MAX); }},
    {"buffer-of-2-to-62", [](sealed_trace &t) { wkt_put64(buffer(t, 8), UINT64_C(1) << 62); }},
    {"buffer-beyond-48-bits", [](sealed_trace &t) { wkt_put64(buffer(t, 0), UINT64_C(1) << 50); }},
    {"buffer-that-wraps", [](sealed_trace &t) { wkt_put64(buffer(t, 0), UINT64_MAX - 4095); }},
    {"buffer-of-launch-77", [](sealed_trace &t) { wkt_put32(buffer(t, 24), 77); }},
    {"buffers-that-overlap",
     [](sealed_trace &t) {
         const size_t at = size_t(buffer(t, 0) - sealed_trace::bytes(t.index));
         t.index.insert(at, std::string(t.index, at, 28));
         wkt_put32(field(t, buffers_at), wkt_get32(field(t, buffers_at)) + 1);
     }},
    {"group-of-no-waves", [](sealed_trace &t) { t.groups[0].assign(WKT_GROUP_HEADER_BYTES, 0); }},
    {"group-of-4294967295-waves",
     [](sealed_trace &t) { wkt_put32(sealed_trace::bytes(t.groups[0]), UINT32_MAX); }},
    {"last-group-of-no-waves", [](sealed_trace &t) { t.groups.back().assign(WKT_GROUP_HEADER_BYTES, 0); }},
    {"wave-of-no-lanes", [](sealed_trace &t) { wkt_put64(wave(t, 0, 24), 0); }},
    {"wave-of-4294967295-records", [](sealed_trace &t) { wkt_put32(wave(t, 0, 12), UINT32_MAX); }},
    {"wave-of-one-record-more",
     [](sealed_trace &t) { wkt_put32(wave(t, 0, 12), wkt_get32(wave(t, 0, 12)) + 1); }},
    {"record-of-no-kind",
     [](sealed_trace &t) { t.groups[0][WKT_GROUP_HEADER_BYTES + 2 * WKT_WAVE_HEADER_BYTES + 2] = 99; }},
    {"address-beyond-57-bits", /* lengthens the first record's base, a varint of five bytes after flags,
                                  site and compute */
     [](sealed_trace &t) {
         std::string &g = t.groups[0];
         const size_t first = WKT_GROUP_HEADER_BYTES + 2 * WKT_WAVE_HEADER_BYTES;
         size_t end = first + 5;
         while ((g[end] & 0x80) != 0)
             ++end;
         g[end] = static_cast<char>(g[end] | 0x80);
         g.insert(end + 1, "\x80\x80\x80\x01");
         wkt_put32(wave(t, 0, 0), wkt_get32(wave(t, 0, 0)) + 4);
     }},
};

} // namespace

int main(int argc, char **argv)
{
    if (argc == 1) {
        for (const auto &c : cases)
            std::printf("%s\n", c.name);
        return 0;
    }
    if (argc != 4)
        return 1;
    std::ifstream in(argv[1], std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    sealed_trace t;
    if (!t.take_apart(reinterpret_cast<const uint8_t *>(good.data()), good.size()))
        return 1;
    for (const auto &c : cases) {
        if (std::strcmp(c.name, argv[2]) != 0)
            continue;
        c.change(t);
        std::ofstream(argv[3], std::ios::binary) << t.put_together();
        return 0;
    }
    return 1;
}
