/* SPDX-License-Identifier: MIT */
/* tb/fuzz/trace_fuzzer.cpp - libFuzzer on the trace reader: opens a file of arbitrary bytes, loads every
 * work-group, decodes every record of every wave twice (with and without addresses), checks the file, and
 * lays out its buffers as a run would. The mutator changes the decompressed parts and seals them again, so
 * that checksums do not stop it. Time: one file per call. Memory: bounded by the reader's own limits. */
#include "model/address_space.hpp"
#include "tb/fuzz/memory_file.hpp"
#include "tb/fuzz/sealed_trace.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

/* SystemC's library needs it; libFuzzer has the main(). */
extern "C" int sc_main(int, char **)
{
    return 0;
}

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

namespace
{

using walkway_fuzz::memory_file;
using walkway_fuzz::sealed_trace;

[[noreturn]] void defect(const char *what)
{
    std::fprintf(stderr, "defect: %s\n", what);
    std::abort();
}

void prove(const wkt_record &r, uint64_t lanes)
{
    if (r.mask == 0 || (r.mask & ~lanes) != 0)
        defect("a record's lanes are none, or not the wave's");
    if (r.kind >= WKT_KINDS || r.form >= WKT_FORMS || r.bytes > 128 ||
        (r.kind == WKT_BARRIER) != (r.bytes == 0))
        defect("a record of no kind, form or size");
}

/* Returns false if the wave does not decode. */
bool read_wave(wkt_group *group, uint32_t wave)
{
    wkt_cursor c;
    static wkt_record full, brief;
    uint64_t seen = 0;
    wkt_cursor_start(group, wave, &c);
    const uint32_t stated = c.records_left;
    for (; wkt_next(&c, &full); ++seen)
        prove(full, c.lanes);
    const bool whole = !wkt_cursor_failed(&c);
    if (whole && seen != stated)
        defect("a whole wave with fewer records than it states");
    wkt_cursor_start(group, wave, &c);
    for (; wkt_next_brief(&c, &brief); --seen)
        prove(brief, c.lanes);
    if (seen != 0 || whole == wkt_cursor_failed(&c))
        defect("with and without addresses a wave reads differently");
    return whole;
}

bool read_groups(wkt_reader *trace)
{
    bool whole = true;
    wkt_group *group = nullptr;
    wkt_error error;
    for (uint32_t l = 0; l < wkt_reader_info(trace)->launches; ++l) {
        for (uint32_t g = 0; g < wkt_reader_launch(trace, l)->groups; ++g) {
            if (wkt_group_load(trace, l, g, &group, &error) != WKT_OK) {
                whole = false;
                if (group != nullptr && wkt_group_waves(group) != 0)
                    defect("a group that failed to load has waves");
                continue;
            }
            for (uint32_t w = 0; w < wkt_group_waves(group); ++w)
                whole = read_wave(group, w) && whole;
        }
    }
    wkt_group_free(group);
    return whole;
}

/* As a machine does it before it is built. */
void lay_out(wkt_reader *trace)
{
    std::vector<walkway::va_range> ranges;
    for (uint32_t i = 0; i < wkt_reader_info(trace)->buffers; ++i) {
        const wkt_buffer *b = wkt_reader_buffer(trace, i);
        ranges.push_back({b->base_va, b->bytes});
    }
    constexpr uint64_t gib = uint64_t{1} << 30;
    walkway::address_space_params params;
    params.table_pa = gib / 4;
    params.data_pa = gib;
    params.memory_bytes = 8 * gib;
    params.page = static_cast<uint8_t>(wkt_reader_info(trace)->checksum % 4);
    params.levels = 4 + (wkt_reader_info(trace)->checksum >> 8) % 2;
    uint64_t bytes = 0;
    for (const walkway::va_range &r : ranges)
        bytes += r.bytes >> 20;
    if (bytes > 256) /* more takes time and finds nothing */
        return;
    walkway::memory_store store;
    try {
        const walkway::address_space space(params, ranges, store);
    } catch (const std::runtime_error &) {
    }
}

size_t copy_out(const std::string &bytes, uint8_t *data, size_t size, size_t max_size)
{
    if (bytes.size() > max_size)
        return size;
    std::copy(bytes.begin(), bytes.end(), data);
    return bytes.size();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static memory_file file;
    file.write(data, size);
    wkt_reader *trace = nullptr;
    wkt_error error{};
    const int opened = wkt_open(file.path().c_str(), &trace, &error);
    bool whole = opened == WKT_OK;
    if (whole) {
        whole = read_groups(trace);
        lay_out(trace);
        wkt_close(trace);
    } else if (error.code != opened || error.text[0] == 0) {
        defect("refused without a reason");
    }
    wkt_report report;
    if (wkt_check(file.path().c_str(), &report) == WKT_OK && !whole)
        defect("a trace that does not read is whole");
    return 0;
}

/* Mutates one part (header, index or a group) and seals the trace again; for some seeds mutates the file's
 * bytes themselves. */
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    sealed_trace t;
    if (seed % 16 == 0 || !t.take_apart(data, size))
        return LLVMFuzzerMutate(data, size, max_size);
    const unsigned choice = seed / 16 % 8;
    std::string *part = choice == 0                       ? &t.head
                        : choice <= 3 || t.groups.empty() ? &t.index
                                                          : &t.groups[seed / 128 % t.groups.size()];
    const size_t room = part == &t.head ? part->size() : part->size() + 256;
    std::string grown = *part;
    grown.resize(room);
    grown.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(grown.data()), part->size(), room));
    if (part == &t.head)
        grown.resize(t.head.size());
    *part = grown;
    t.state_totals = seed / 1024 % 4 != 0;
    return copy_out(t.put_together(), data, size, max_size);
}
