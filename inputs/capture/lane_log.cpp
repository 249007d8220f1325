/* SPDX-License-Identifier: MIT */
/* capture/lane_log.cpp - see lane_log.hpp. A block is a header and a zstd frame of numbers of variable
 * length: a segment's number as the difference from the previous one in the block, an address as the
 * difference from the site's previous one in the block, both with the sign in bit 0, and other words as they
 * are. */
#include "capture/lane_log.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <zstd.h>

namespace walkway::capture
{
namespace
{

struct block_header {
    uint32_t log_bytes, number_bytes, packed_bytes;
};

constexpr int pack_level = 1;

uint64_t zigzag(uint64_t v)
{
    return (v << 1) ^ (0 - (v >> 63));
}

uint64_t unzigzag(uint64_t v)
{
    return (v >> 1) ^ (0 - (v & 1));
}

void put_number(std::vector<uint8_t> &out, uint64_t v)
{
    while (v >= 0x80) {
        out.push_back(uint8_t(v | 0x80));
        v >>= 7;
    }
    out.push_back(uint8_t(v));
}

uint64_t get_number(const uint8_t *&at)
{
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        const uint64_t byte = *at++;
        v |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return v;
    }
}

/* Calls c.word() and c.address(site) for the numbers of a segment's accesses, in their order. */
template <typename coder> void for_accesses(const layout &code, uint32_t segment_number, coder &c)
{
    const segment &s = code.segments[segment_number];
    for (uint32_t i = 0; i < s.events; i++) {
        const segment_event &e = code.events[s.first_event + i];
        if (e.use)
            continue;
        if (!code.sites[e.site].dynamic) {
            c.address(e.site);
            continue;
        }
        for (uint32_t left = c.word(); left; left--) {
            c.word();
            c.address(e.site);
        }
    }
}

/* The bases of relative numbers. Encoder and decoder update them alike. */
struct history {
    std::vector<uint64_t> last_address; /* by site */
    uint32_t last_segment = 0;

    void restart(const layout &code)
    {
        last_address.assign(code.sites.size(), 0);
        last_segment = 0;
    }
};

struct encoder : history {
    const uint8_t *at = nullptr;
    std::vector<uint8_t> out;

    template <typename number> number take()
    {
        number v;
        std::memcpy(&v, at, sizeof v);
        at += sizeof v;
        return v;
    }
    uint32_t segment()
    {
        const uint32_t v = take<uint32_t>();
        put_number(out, zigzag(uint64_t(v) - last_segment));
        return last_segment = v;
    }
    uint32_t word()
    {
        const uint32_t v = take<uint32_t>();
        put_number(out, v);
        return v;
    }
    void address(uint32_t site)
    {
        const uint64_t v = take<uint64_t>();
        put_number(out, zigzag(v - last_address[site]));
        last_address[site] = v;
    }
};

struct decoder : history {
    const uint8_t *at = nullptr;
    uint8_t *out = nullptr;

    template <typename number> number give(number v)
    {
        std::memcpy(out, &v, sizeof v);
        out += sizeof v;
        return v;
    }
    uint32_t segment() { return last_segment = give(uint32_t(last_segment + unzigzag(get_number(at)))); }
    uint32_t word() { return give(uint32_t(get_number(at))); }
    void address(uint32_t site) { last_address[site] = give(last_address[site] + unzigzag(get_number(at))); }
};

} // namespace

lane_log::lane_log(lane_log &&o) noexcept
    : window(o.window), first(o.first), limit(o.limit), blocks(std::move(o.blocks))
{
    o.first = nullptr;
    o.window = {nullptr, nullptr};
}

lane_log::~lane_log()
{
    std::free(first);
}

void lane_log::clear()
{
    window.at = first;
    blocks.clear();
}

void lane_log::grow(size_t bytes)
{
    if (size_t(window.end - window.at) >= bytes)
        return;
    const size_t used = size_t(window.at - first);
    size_t size = std::max(size_t(256), 2 * size_t(window.end - first));
    while (size < used + bytes)
        size *= 2;
    auto *larger = static_cast<uint8_t *>(std::realloc(first, size));
    if (!larger)
        throw std::bad_alloc();
    first = larger;
    window = {larger + used, larger + size};
}

void lane_log::make_room_slowly(const layout &code, size_t bytes)
{
    if (size_t(window.at - first) > limit)
        pack(code);
    grow(bytes);
}

void lane_log::pack(const layout &code)
{
    thread_local encoder e;
    e.restart(code);
    e.out.clear();
    e.at = first;
    while (e.at != window.at)
        for_accesses(code, e.segment(), e);
    const size_t start = blocks.size(), room = ZSTD_compressBound(e.out.size());
    blocks.resize(start + sizeof(block_header) + room);
    const size_t packed = ZSTD_compress(blocks.data() + start + sizeof(block_header), room, e.out.data(),
                                        e.out.size(), pack_level);
    if (ZSTD_isError(packed))
        throw std::bad_alloc();
    const block_header header = {uint32_t(window.at - first), uint32_t(e.out.size()), uint32_t(packed)};
    std::memcpy(blocks.data() + start, &header, sizeof header);
    blocks.resize(start + sizeof header + packed);
    window.at = first;
}

void log_reader::begin(const lane_log &l, const layout &c)
{
    log = &l;
    code = &c;
    at = end = nullptr;
    next_block = 0;
    window_read = false;
}

bool log_reader::refill()
{
    if (window_read)
        return false;
    if (next_block == log->blocks.size()) {
        window_read = true;
        at = log->first;
        end = log->window.at;
        return at != end;
    }
    thread_local decoder d;
    thread_local std::vector<uint8_t> numbers;
    block_header header;
    std::memcpy(&header, log->blocks.data() + next_block, sizeof header);
    numbers.resize(header.number_bytes);
    const size_t got = ZSTD_decompress(numbers.data(), numbers.size(),
                                       log->blocks.data() + next_block + sizeof header, header.packed_bytes);
    if (got != numbers.size())
        throw std::bad_alloc(); /* pack() wrote it, so only memory can be missing */
    next_block += sizeof header + header.packed_bytes;
    unpacked.resize(header.log_bytes);
    d.restart(*code);
    d.at = numbers.data();
    d.out = unpacked.data();
    while (d.out != unpacked.data() + unpacked.size())
        for_accesses(*code, d.segment(), d);
    at = unpacked.data();
    end = at + unpacked.size();
    return true;
}

} // namespace walkway::capture
