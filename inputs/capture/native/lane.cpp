/* SPDX-License-Identifier: MIT */
/* capture/native/lane.cpp - see lane.hpp. */
#include "capture/native/lane.hpp"
#include "trace/wkt.h"

#include <algorithm>
#include <cstring>

namespace walkway::capture::native
{
namespace
{

alignas(64) const uint8_t zeros[max_plain_bytes] = {};
alignas(64) uint8_t sink[max_plain_bytes];

/* Returns NULL outside every buffer. */
uint8_t *inside(const lane *l, uint64_t address, uint64_t bytes, uint32_t space)
{
    if (space == host_space)
        return reinterpret_cast<uint8_t *>(address);
    const host_buffer *table = space == private_space ? l->objects
                               : space == local_space ? l->local
                                                      : l->global;
    const uint64_t number = address >> offset_bits(space);
    const uint64_t offset = address & ((uint64_t(1) << offset_bits(space)) - 1);
    if (space == private_space && number >= l->objects_n)
        return nullptr;
    const host_buffer &b = table[number];
    return offset <= b.bytes && bytes <= b.bytes - offset ? b.data + offset : nullptr;
}

bool is_logged(uint32_t space)
{
    return space != private_space && space != host_space;
}

uint64_t pieces_of(uint64_t bytes)
{
    return (bytes + max_plain_bytes - 1) / max_plain_bytes;
}

/* Logs an access of `bytes`, split as for the interpreter (worker::accessed()). */
void log_pieces(lane_log &log, uint64_t address, uint64_t bytes, uint8_t kind)
{
    for (uint64_t done = 0; done < bytes; done += max_plain_bytes) {
        log.put_word(dynamic_access(kind, uint32_t(std::min(bytes - done, max_plain_bytes))));
        log.put_address(address + done);
    }
}

/* Moves the window from the lane to the log and back. */
class open_log
{
    lane &l;

public:
    explicit open_log(lane *of) : l(*of) { l.log->open_window() = l.window; }
    ~open_log() { l.window = l.log->open_window(); }
    open_log(const open_log &) = delete;
    open_log &operator=(const open_log &) = delete;
    lane_log &operator*() { return *l.log; }
    lane_log *operator->() { return l.log; }
};

} // namespace

void ww_native_make_room(lane *l, uint64_t bytes)
{
    open_log log(l);
    log->make_room(*l->code, bytes);
    if (log->packed_bytes() > max_log_bytes) {
        l->overflowed = true;
        log->clear();
    }
}

uint8_t *ww_native_where(const lane *l, uint64_t address, uint64_t bytes, uint32_t space, uint32_t writes)
{
    if (uint8_t *there = inside(l, address, bytes, space))
        return there;
    return writes ? sink : const_cast<uint8_t *>(zeros);
}

void ww_native_copy(lane *l, uint64_t to, uint64_t from, uint64_t bytes, uint32_t spaces, uint64_t reserve)
{
    const uint32_t to_space = spaces & 0xff, from_space = spaces >> 8 & 0xff;
    if (!(spaces & copy_unlogged)) {
        open_log log(l);
        const uint64_t reads = is_logged(from_space) ? pieces_of(bytes) : 0,
                       writes = is_logged(to_space) ? pieces_of(bytes) : 0;
        log->put_word(uint32_t(reads + writes));
        if (reads)
            log_pieces(*log, from, bytes, from_space == local_space ? WKT_LOCAL_LOAD : WKT_LOAD);
        if (writes)
            log_pieces(*log, to, bytes, to_space == local_space ? WKT_LOCAL_STORE : WKT_STORE);
        log->grow(reserve);
    }
    uint8_t *target = inside(l, to, bytes, to_space);
    const uint8_t *source = inside(l, from, bytes, from_space);
    if (target && source)
        std::memmove(target, source, bytes);
    else if (target)
        std::memset(target, 0, bytes);
}

void ww_native_fill(lane *l, uint64_t to, uint64_t value, uint64_t bytes, uint32_t space, uint64_t reserve)
{
    if (!(space & copy_unlogged)) {
        open_log log(l);
        const bool logged = is_logged(space & 0xff);
        log->put_word(logged ? uint32_t(pieces_of(bytes)) : 0);
        if (logged)
            log_pieces(*log, to, bytes, (space & 0xff) == local_space ? WKT_LOCAL_STORE : WKT_STORE);
        log->grow(reserve);
    }
    if (uint8_t *target = inside(l, to, bytes, space & 0xff))
        std::memset(target, int(value), bytes);
}

} // namespace walkway::capture::native
