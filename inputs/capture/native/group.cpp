/* SPDX-License-Identifier: MIT */
/* capture/native/group.cpp - see group.hpp. */
#include "capture/native/group.hpp"

#include <algorithm>
#include <cfenv>
#include <cstdio>
#include <cstring>

namespace walkway::capture::native
{
namespace
{

constexpr uint64_t local_buffers = uint64_t(1) << (64 - oclgrind_offset_bits);
/* Bytes of all log windows of a group, few enough for the host's caches and memory; fewest bytes of one. */
constexpr size_t window_bytes_of_group = size_t(48) << 20, least_window = size_t(16) << 10;
/* Frames of neighbouring work-items use different sets of the host's caches. */
constexpr size_t skew_step = 448, skews = 64;

thread_local executor *current = nullptr;

} // namespace

void executor::start(const launch_shape &s)
{
    shape = &s;
    if (local_table.empty())
        local_table.assign(local_buffers, {nullptr, 0});
}

bool executor::execute(group_logs &group, uint32_t number)
{
    group.number = number;
    place_group(number);
    group.items = ids.local_size[0] * ids.local_size[1] * ids.local_size[2];
    place_local_memory(group);
    prepare_lanes(group);
    current = this;
    gave_up = false;
    fenv_t programs; /* a kernel rounds to nearest, independent of its host thread */
    fegetenv(&programs);
    fesetenv(FE_DFL_ENV);
    if (shape->kernel->has_barrier)
        run_to_barriers(group.items);
    else
        run_in_turn(group.items);
    fesetenv(&programs);
    current = nullptr;
    group.overflowed = false;
    for (size_t i = 0; i < group.items; i++) {
        group.logs[i].open_window() = lanes[i].window;
        group.overflowed |= lanes[i].overflowed;
    }
    return !gave_up;
}

/* The last group of a dimension may be smaller. */
void executor::place_group(uint32_t number)
{
    uint64_t rest = number;
    for (unsigned d = 0; d < 3; d++) {
        ids.group[d] = rest % shape->groups[d];
        rest /= shape->groups[d];
        ids.global_size[d] = shape->global_size[d];
        ids.groups[d] = shape->groups[d];
        ids.offset[d] = shape->offset[d];
        ids.enqueued_local_size[d] = ids.local_size[d] = shape->local_size[d];
        if (ids.local_size[d] * (ids.group[d] + 1) > ids.global_size[d])
            ids.local_size[d] = ids.global_size[d] % ids.local_size[d];
    }
    ids.dimensions = shape->dimensions;
}

void executor::place_local_memory(group_logs &group)
{
    uint64_t total = 0;
    for (const local_buffer &buffer : shape->local)
        total = std::max(total, buffer.offset + buffer.bytes);
    local_memory.assign(total, 0);
    group.local = local_map(shape->local);
    for (size_t n = 1; n < local_table.size() && local_table[n].data; n++)
        local_table[n] = {nullptr, 0};
    for (size_t n = 0; n < shape->local.size(); n++)
        local_table[n + 1] = {local_memory.data() + shape->local[n].offset, shape->local[n].bytes};
}

void executor::prepare_lanes(group_logs &group)
{
    const size_t items = group.items, window = std::max(least_window, window_bytes_of_group / items);
    if (group.logs.size() < items)
        group.logs.resize(items);
    lanes.resize(std::max(lanes.size(), items));
    /* Work-items that never wait for each other use the same private memory, one after another. */
    const size_t at_a_time = shape->kernel->has_barrier ? items : 1;
    const uint64_t each = shape->kernel->private_bytes, objects_each = shape->kernel->private_objects;
    if (arenas.bytes() < each * at_a_time)
        arenas = pages(each * at_a_time, false);
    objects.assign(objects_each * at_a_time, {nullptr, 0});
    size_t i = 0;
    for (uint64_t z = 0; z < ids.local_size[2]; z++) {
        for (uint64_t y = 0; y < ids.local_size[1]; y++) {
            for (uint64_t x = 0; x < ids.local_size[0]; x++, i++) {
                const size_t place = at_a_time == 1 ? 0 : i;
                lane &l = lanes[i];
                lane_log &log = group.logs[i];
                log.clear();
                log.set_limit(window);
                l = {log.open_window(),
                     shape->buffers,
                     local_table.data(),
                     objects.data() + place * objects_each,
                     1,
                     reinterpret_cast<uint8_t *>(arenas.begin()) + place * each,
                     &ids,
                     {},
                     {x, y, z},
                     &log,
                     shape->code,
                     nullptr,
                     false,
                     false};
                for (unsigned d = 0; d < 3; d++)
                    l.global_id[d] =
                        l.local_id[d] + ids.group[d] * ids.enqueued_local_size[d] + ids.offset[d];
            }
        }
    }
    const size_t stacks_n = at_a_time;
    while (stacks.size() < stacks_n)
        stacks.emplace_back(stack_bytes, true);
}

void executor::run_all(void *self)
{
    auto *e = static_cast<executor *>(self);
    for (size_t i = 0; i < e->running; i++)
        e->shape->kernel->entry(&e->lanes[i], e->shape->arguments.data());
    void *over;
    ww_native_switch(&over, e->scheduler);
}

/* Runs on our own stack, as the program's may be small. */
void executor::run_in_turn(size_t items)
{
    running = items;
    ww_native_switch(&scheduler, prepare_stack(stacks[0], run_all, this, 0));
}

void executor::run_one(void *of)
{
    auto *l = static_cast<lane *>(of);
    current->shape->kernel->entry(l, current->shape->arguments.data());
    l->done = true;
    void *over;
    ww_native_switch(&over, current->scheduler);
}

void executor::run_to_barriers(size_t items)
{
    for (size_t i = 0; i < items; i++)
        lanes[i].stack_pointer = prepare_stack(stacks[i], run_one, &lanes[i], i % skews * skew_step);
    for (bool waiting = true; waiting;) {
        waiting = false;
        for (size_t i = 0; i < items; i++) {
            if (lanes[i].done)
                continue;
            ww_native_switch(&scheduler, lanes[i].stack_pointer);
            if (gave_up)
                return;
            waiting |= !lanes[i].done;
        }
    }
}

void ww_native_barrier(lane *l)
{
    ww_native_switch(&l->stack_pointer, current->scheduler);
}

/* Abandons the work-item's stack: compiled code has nothing to clean up. */
void ww_native_give_up(lane *)
{
    std::fputs("walkway capture: a kernel ran into code that its compiler took for unreachable\n", stderr);
    current->gave_up = true;
    void *over;
    ww_native_switch(&over, current->scheduler);
    __builtin_unreachable();
}

std::string merger::merge(const launch_shape &shape, group_logs &group, uint64_t &lanes_dropped)
{
    rebuild_context context = {shape.code, shape.global, &group.local, group.packer, 0, 0};
    const size_t waves_n = (group.items + WKT_WAVE_LANES - 1) / WKT_WAVE_LANES;
    if (waves.size() < waves_n)
        waves.resize(waves_n);
    wkt_packer_begin(group.packer, shape.width);
    for (size_t w = 0; w < waves_n; w++) {
        const size_t first = w * WKT_WAVE_LANES,
                     lanes_n = std::min<size_t>(group.items - first, WKT_WAVE_LANES);
        wave_rebuild &wave = waves[w];
        wave.start(context, uint32_t(w), uint32_t(lanes_n));
        for (size_t l = 0; l < lanes_n; l++)
            wave.read(uint32_t(l), group.logs[first + l]);
        do {
            wave.run();
        } while (wave.pass_barrier());
        wave.finish();
    }
    if (!context.status)
        context.status = wkt_packer_end(group.packer);
    lanes_dropped = context.lanes_dropped;
    return context.status == 0 ? "" : packing_failure(context.status);
}

} // namespace walkway::capture::native
