/* SPDX-License-Identifier: MIT */
/* capture/native/lane.hpp - the interface of compiled kernels and the host: a work-item's state, the tables
 * that translate Oclgrind's addresses into the host's, and the functions that compiled kernels call.
 * Addresses keep Oclgrind's form (number of the buffer, then the offset), so that traces do not depend on the
 * host and an access outside every buffer is detected. */
#ifndef WW_CAPTURE_NATIVE_LANE_HPP
#define WW_CAPTURE_NATIVE_LANE_HPP

#include "capture/address_map.hpp"
#include "capture/lane_log.hpp"

#include <cstdint>

namespace walkway::capture::native
{

/* Address spaces of OpenCL's LLVM IR. */
enum address_space : unsigned { private_space = 0, global_space = 1, constant_space = 2, local_space = 3 };

/* A private address: number in bits [63:32], offset below. Number 0 is no object. */
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

/* Results of the work-item functions that are the same for a whole work-group. */
struct group_ids {
    uint64_t global_size[3], local_size[3], groups[3], offset[3], group[3], enqueued_local_size[3];
    uint64_t dimensions;
};

/* A work-item. Compiled kernels read and write the members up to `local_id`. */
struct lane {
    log_window window;
    const host_buffer *global, *local; /* by number */
    host_buffer *objects;              /* private ones, by number */
    uint64_t objects_n;                /* number in use, and the next number */
    uint8_t *arena;                    /* first free byte for private objects */
    const group_ids *group;
    uint64_t global_id[3], local_id[3];

    lane_log *log;
    const layout *code;
    void *stack_pointer; /* of its fiber while another runs */
    bool done;
    bool overflowed; /* its log exceeded max_log_bytes and is no longer kept */
};

/* Largest access of a single compiled load or store. */
constexpr uint64_t max_plain_bytes = 128;

/* Most packed bytes of one work-item's log: a work-group's records may have 1 GiB. */
constexpr uint64_t max_log_bytes = uint64_t(1) << 30;

/* Called by compiled kernels. */
extern "C" {
void ww_native_make_room(lane *l, uint64_t bytes);
/* Returns the host's address of [address, address + bytes) in a space; outside every buffer, zeros to read or
 * a sink to write. */
uint8_t *ww_native_where(const lane *l, uint64_t address, uint64_t bytes, uint32_t space, uint32_t writes);
/* memmove() between spaces, logged as Oclgrind reports it: reads, then writes. Leaves `reserve` bytes of the
 * log free. to_host, from_host: addresses are the host's own. */
void ww_native_copy(lane *l, uint64_t to, uint64_t from, uint64_t bytes, uint32_t spaces, uint64_t reserve);
void ww_native_fill(lane *l, uint64_t to, uint64_t value, uint64_t bytes, uint32_t space, uint64_t reserve);
void ww_native_barrier(lane *l);
/* Ends the work-group, and with it the launch, when the kernel cannot go on. */
[[noreturn]] void ww_native_give_up(lane *l);
}

/* In `spaces` of ww_native_copy(): the destination's space in bits [7:0], the source's in [15:8]; and a flag
 * for no log. */
constexpr uint32_t host_space = 8, copy_unlogged = 1u << 16;

} // namespace walkway::capture::native

#endif
