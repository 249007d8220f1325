/* SPDX-License-Identifier: MIT */
/* capture/native/group.hpp - one work-group: its work-items' logs, its execution, and the assembly of its
 * waves. */
#ifndef WW_CAPTURE_NATIVE_GROUP_HPP
#define WW_CAPTURE_NATIVE_GROUP_HPP

#include "capture/local_memory.hpp"
#include "capture/native/compile.hpp"
#include "capture/native/fiber.hpp"
#include "capture/rebuild.hpp"

#include <string>
#include <vector>

namespace walkway::capture::native
{

/* Common parts of all groups of a launch. */
struct launch_shape {
    const kernel_code *kernel;
    const layout *code;
    const host_buffer *buffers;
    const address_map *global;
    std::vector<const uint8_t *> arguments; /* bytes of each argument */
    std::vector<local_buffer> local;
    uint64_t global_size[3], local_size[3], groups[3], offset[3], dimensions;
    uint32_t width;
};

/* A finished group on its way to the trace; reused for others. */
struct group_logs {
    uint32_t number = 0;
    size_t items = 0;
    std::vector<lane_log> logs;
    address_map local;
    wkt_packer *packer = nullptr;
    bool overflowed = false;
};

/* Executes groups, one after another. */
class executor
{
    std::vector<lane> lanes;
    std::vector<host_buffer> local_table, objects;
    std::vector<uint8_t> local_memory;
    std::vector<pages> stacks;
    pages arenas;
    void *scheduler = nullptr; /* the thread's own stack while work-items run */
    group_ids ids{};
    const launch_shape *shape = nullptr;
    size_t running = 0;
    bool gave_up = false;

public:
    void start(const launch_shape &s);
    /* Executes a group. Returns false if the kernel reached code that cannot be executed, and the group is
     * not whole. */
    bool execute(group_logs &group, uint32_t number);

private:
    void place_group(uint32_t number);
    void place_local_memory(group_logs &group);
    void prepare_lanes(group_logs &group);
    void run_in_turn(size_t items);
    void run_to_barriers(size_t items);
    static void run_all(void *self);
    static void run_one(void *self);
    friend void ww_native_barrier(lane *l);
    friend void ww_native_give_up(lane *l);
};

/* Assembles groups' waves. One owner. */
class merger
{
    std::vector<wave_rebuild> waves;

public:
    /* Packs the group. Returns why it cannot be recorded, or an empty string. */
    std::string merge(const launch_shape &shape, group_logs &group, uint64_t &lanes_dropped);
};

} // namespace walkway::capture::native

#endif
