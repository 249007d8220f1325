/* SPDX-License-Identifier: MIT */
/* capture/lane_log.hpp - the actions of one work-item, in order: for each segment of the layout its number
 * (32 bits), then for each access in it the address (64 bits). An access of a built-in, whose number and size
 * are known only at run time, is a count (32 bits), then for each access its kind and size (32 bits, see
 * dynamic_access()) and its address. Writers append through a window of two pointers, which compiled kernels
 * hold in registers; a full window is packed into a block (differences, then zstd), so that a long work-item
 * costs some bits an access. Memory: the window's limit and the blocks. */
#ifndef WW_CAPTURE_LANE_LOG_HPP
#define WW_CAPTURE_LANE_LOG_HPP

#include "capture/layout.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace walkway::capture
{

/* The place of the next byte, and the end of the room. Compiled kernels depend on this layout. */
struct log_window {
    uint8_t *at, *end;
};

constexpr unsigned dynamic_kind_bits = 3;

/* Returns kind and size of an access of a built-in in one word. Required: bytes <= 128. */
constexpr uint32_t dynamic_access(uint8_t kind, uint32_t bytes)
{
    return kind | bytes << dynamic_kind_bits;
}

class lane_log
{
    log_window window{nullptr, nullptr};
    uint8_t *first = nullptr;
    size_t limit; /* bytes of the window above which it is packed */
    std::vector<uint8_t> blocks;

public:
    /* window_limit: bytes of the window above which it is packed; affects only memory and speed. */
    explicit lane_log(size_t window_limit = size_t(64) << 10) : limit(window_limit) {}
    lane_log(lane_log &&o) noexcept;
    lane_log(const lane_log &) = delete;
    lane_log &operator=(const lane_log &) = delete;
    lane_log &operator=(lane_log &&) = delete;
    ~lane_log();

    void clear();
    void set_limit(size_t window_limit) { limit = window_limit; }
    size_t packed_bytes() const { return blocks.size(); }

    /* For compiled kernels: they append through this window and return it. */
    log_window &open_window() { return window; }

    /* Call before a segment that appends at most `bytes`, between segments only: packs the window if it
     * exceeds the limit, then makes room. Throws std::bad_alloc. */
    void make_room(const layout &code, size_t bytes)
    {
        if (size_t(window.end - window.at) < bytes || size_t(window.at - first) > limit)
            make_room_slowly(code, bytes);
    }

    /* Makes room for `bytes` if there is none; also within a segment, as it packs nothing. */
    void grow(size_t bytes);

    void put_word(uint32_t v) { put(&v, sizeof v); }
    void put_address(uint64_t v) { put(&v, sizeof v); }

private:
    friend class log_reader;

    void make_room_slowly(const layout &code, size_t bytes);
    void pack(const layout &code);
    void put(const void *v, size_t bytes)
    {
        grow(bytes);
        std::memcpy(window.at, v, bytes);
        window.at += bytes;
    }
};

/* Reads a log from its beginning. The log must stay unchanged, and outlive the reader's use of it. */
class log_reader
{
    const uint8_t *at = nullptr, *end = nullptr;
    const lane_log *log = nullptr;
    const layout *code = nullptr;
    size_t next_block = 0;
    bool window_read = true;
    std::vector<uint8_t> unpacked;

public:
    void begin(const lane_log &l, const layout &c);

    /* Returns the number of the next segment, or `none` at the end. The segment's accesses follow. */
    uint32_t segment()
    {
        if (at == end && !refill())
            return none;
        return word();
    }
    uint32_t word() { return take<uint32_t>(); }
    uint64_t address() { return take<uint64_t>(); }

private:
    bool refill();
    template <typename number> number take()
    {
        number v;
        std::memcpy(&v, at, sizeof v);
        at += sizeof v;
        return v;
    }
};

} // namespace walkway::capture

#endif
