/* SPDX-License-Identifier: MIT */
/* capture/native/lane.hpp - what compiled kernels and the host share: a work-item's state, the tables by
 * which Oclgrind's addresses become the host's, and the functions that compiled kernels call. Addresses keep
 * Oclgrind's form (number of the buffer, then the offset), so that traces hang on nothing of the host and an
 * access outside every buffer is seen. */
#ifndef WW_CAPTURE_NATIVE_LANE_HPP
#define WW_CAPTURE_NATIVE_LANE_HPP

#include "capture/address_map.hpp"
#include "capture/lane_log.hpp"

#include <cstdint>

namespace walkway::capture::native
{

/* Address spaces of OpenCL's LLVM IR. */
enum address_space : unsigned { private_space = 0, global_space = 1, constant_space = 2, local_space = 3 };

/* Private objects: number in bits [63:32], offset below. Number 0 is no object. */
constexpr unsigned private_offset_bits = 32;

constexpr unsigned offset_bits(unsigned space)
{
    return space == private_space ? private_offset_bits : oclgrind_offset_bits;
}

/* One buffer or private object; bytes 0: none. */
struct host_buffer {
    uint8_t *data;
    uint64_t bytes;
};

/* Answers of the work-item functions that are the same for a whole work-group. */
struct group_ids {
    uint64_t global_size[3], local_size[3], groups[3], offset[3], group[3], enqueued_local_size[3];
    uint64_t dimensions;
};

/* A work-item. The members up to `local_id` are read and written by compiled kernels. */
struct lane {
    log_window window;
    const host_buffer *global, *local; /* by number */
    host_buffer *objects;              /* private ones, by number */
    uint64_t objects_n;                /* in use; the next number */
    uint8_t *arena;                    /* first free byte for private objects */
    const group_ids *group;
    uint64_t global_id[3], local_id[3];

    lane_log *log;
    const layout *code;
    void *stack_pointer; /* of its fiber while another runs */
    bool done;
    bool overflowed; /* its log grew beyond all use and is no longer kept */
};

/* Largest access that a compiled load or store does by itself. */
constexpr uint64_t max_plain_bytes = 128;

/* Packed logs of one work-item beyond this are of no use: a record's limit is 1 GiB a work-group. */
constexpr uint64_t max_log_bytes = uint64_t(1) << 30;

/* Called by compiled kernels. */
extern "C" {
void ww_native_make_room(lane *l, uint64_t bytes);
/* The host's address of [address, address + bytes) in a space; outside every buffer zeros to read, or a sink.
 */
uint8_t *ww_native_where(const lane *l, uint64_t address, uint64_t bytes, uint32_t space, uint32_t writes);
/* memmove() between spaces, logged as Oclgrind reports it: reads, then writes. `reserve` bytes of the log
 * stay free behind. to_host, from_host: addresses are the host's own. */
void ww_native_copy(lane *l, uint64_t to, uint64_t from, uint64_t bytes, uint32_t spaces, uint64_t reserve);
void ww_native_fill(lane *l, uint64_t to, uint64_t value, uint64_t bytes, uint32_t space, uint64_t reserve);
void ww_native_barrier(lane *l);
/* The kernel cannot go on: its work-group ends here, and with it the launch. */
[[noreturn]] void ww_native_give_up(lane *l);
}

/* In `spaces` of ww_native_copy(): the writer's in bits [7:0], the reader's in [15:8]; and no log. */
constexpr uint32_t host_space = 8, copy_unlogged = 1u << 16;

} // namespace walkway::capture::native

#endif
