/* SPDX-License-Identifier: MIT */
/* capture/native/launch.hpp - runs a launch by compiled code instead of Oclgrind's interpreter, in its order:
 * work-groups by number, their work-items by number up to a barrier. One thread executes, so that racy
 * programs give one trace; others assemble the waves of finished groups' logs. Memory: a few work-groups'
 * logs. Thread-safety: one launch at a time. */
#ifndef WW_CAPTURE_NATIVE_LAUNCH_HPP
#define WW_CAPTURE_NATIVE_LAUNCH_HPP

#include "capture/address_map.hpp"
#include "capture/layout.hpp"
#include "capture/native/lane.hpp"

#include <memory>
#include <string>
#include <vector>

namespace oclgrind
{
class KernelInvocation;
class Program;
} // namespace oclgrind

namespace walkway::capture::native
{

/* The host's memory of a context's buffers, by Oclgrind's number. */
class buffer_table
{
    std::vector<host_buffer> buffers;

public:
    buffer_table() : buffers(size_t(1) << (64 - oclgrind_offset_bits)) {}
    void add(uint64_t address, uint8_t *data, uint64_t bytes)
    {
        buffers[address >> oclgrind_offset_bits] = {data, bytes};
    }
    void remove(uint64_t address) { buffers[address >> oclgrind_offset_bits] = {nullptr, 0}; }
    const host_buffer *begin() const { return buffers.data(); }
};

struct launch_job {
    const oclgrind::KernelInvocation *invocation;
    const layout *code;
    const address_map *global; /* to the trace's addresses */
    const buffer_table *buffers;
    uint32_t width;   /* of a wave's tile: the group's size in x */
    unsigned threads; /* threads that assemble waves, besides the one that executes; 0: it does both */
};

class runner
{
    struct state;
    std::unique_ptr<state> all;

public:
    runner();
    ~runner();
    runner(const runner &) = delete;
    runner &operator=(const runner &) = delete;

    /* Executes and records every work-group. Returns false, with the reason and without side effect, if the
     * kernel must be interpreted. */
    bool run(const launch_job &job, std::string &why_not);
    /* A program's functions are gone; others may get their addresses. */
    void forget(const oclgrind::Program *program);
};

} // namespace walkway::capture::native

#endif
