/* SPDX-License-Identifier: MIT */
/* capture/plugin.cpp - the Oclgrind plugin: hands its callbacks to the recorder and to one worker a running
 * work-group. An access is reported before the instruction that did it; a work-item runs until a barrier or
 * its end, then the next. Thread-safe: Oclgrind runs each work-group in one thread (OCLGRIND_NUM_THREADS of
 * them). */
#include "capture/recorder.hpp"
#include "capture/worker.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <llvm/IR/Function.h>
#include <oclgrind/Context.h>
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/WorkGroup.h>
#include <oclgrind/WorkItem.h>
#pragma GCC diagnostic pop

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace walkway::capture
{
namespace
{

/* The work-group this thread runs. initial-exec: read for every instruction. */
thread_local worker *running __attribute__((tls_model("initial-exec"))) = nullptr;

volatile std::sig_atomic_t stop_signal = 0;
pid_t recording_process = 0;

int stop_pipe[2] = {-1, -1};

void on_signal(int number)
{
    if (getpid() != recording_process) { /* a child that the program forked */
        std::signal(number, SIG_DFL);
        raise(number);
        return;
    }
    stop_signal = number;
    const char byte = 0;
    if (write(stop_pipe[1], &byte, 1) < 0)
        return; /* then the next work-item's end stops the program */
}

void at_exit()
{
    if (getpid() == recording_process)
        recorder::instance().finish(false);
}

/* Stopped by the user: what is written is kept. */
void stop_if_asked()
{
    if (stop_signal && getpid() == recording_process) {
        recorder::instance().finish(true);
        _exit(128 + stop_signal);
    }
}

/* A program that hangs, in a kernel or outside, never comes by here again: a thread of our own waits for the
 * signal. */
void stop_when_asked()
{
    char byte;
    while (read(stop_pipe[0], &byte, 1) < 0 && errno == EINTR) {
    }
    stop_if_asked();
}

void wait_for_stop()
{
    sigset_t all, old;
    sigfillset(&all);
    if (pipe2(stop_pipe, O_CLOEXEC) != 0)
        return;                               /* then the next work-item's end stops the program */
    pthread_sigmask(SIG_SETMASK, &all, &old); /* the program's signals are for its own threads */
    std::thread(stop_when_asked).detach();
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

uint32_t trace_flags(cl_mem_flags flags)
{
    return (flags & CL_MEM_READ_ONLY ? WKT_BUFFER_READ : 0u) |
           (flags & CL_MEM_WRITE_ONLY ? WKT_BUFFER_WRITE : 0u) |
           (flags & CL_MEM_USE_HOST_PTR ? WKT_BUFFER_HOST : 0u);
}

class plugin final : public oclgrind::Plugin
{
    address_map global;
    layout code;
    uint32_t width = 0;
    oclgrind::Size3 groups;
    bool recording = false; /* inside a launch that is recorded */
    std::mutex pool_lock;
    std::vector<worker *> pool;

public:
    explicit plugin(const oclgrind::Context *c) : oclgrind::Plugin(c) {}
    ~plugin() override
    {
        for (worker *w : pool)
            delete w;
    }

    bool isThreadSafe() const override { return true; }

    void memoryAllocated(const oclgrind::Memory *memory, size_t address, size_t size, cl_mem_flags flags,
                         const uint8_t *) override
    {
        if (memory->getAddressSpace() != oclgrind::AddrSpaceGlobal)
            return;
        if (memory->extractBuffer(address) != address >> oclgrind_offset_bits)
            recorder::instance().fail(
                "this Oclgrind does not keep the buffer number in address bits 63 to 48");
        global.add(address, recorder::instance().add_buffer(size, trace_flags(flags)));
    }

    void memoryDeallocated(const oclgrind::Memory *memory, size_t address) override
    {
        mapped_buffer b;
        if (memory->getAddressSpace() == oclgrind::AddrSpaceGlobal && global.remove(address, b))
            recorder::instance().end_buffer(b);
    }

    void kernelBegin(const oclgrind::KernelInvocation *k) override
    {
        recorder &r = recorder::instance();
        stop_if_asked();
        recording = r.active();
        if (!recording)
            return;
        const oclgrind::Kernel *kernel = k->getKernel();
        wkt_launch l;
        std::memset(&l, 0, sizeof l);
        kernel->getName().copy(l.name, WKT_NAME_BYTES - 1);
        oclgrind::Size3 grid = k->getGlobalSize(), group = k->getLocalSize();
        groups = k->getNumGroups();
        bool fits =
            groups.x * groups.y * groups.z <= UINT32_MAX && kernel->getLocalMemorySize() <= UINT32_MAX;
        for (unsigned d = 0; d < 3; d++) {
            fits = fits && grid[d] <= UINT32_MAX;
            l.grid[d] = uint32_t(grid[d]);
            l.group[d] = uint32_t(group[d]);
        }
        width = l.group[0];
        l.lds_bytes = uint32_t(kernel->getLocalMemorySize());
        std::string why = fits ? code.build(*kernel->getFunction()) : "its range does not fit into 32 bits";
        if (!why.empty()) {
            r.fail("kernel '" + kernel->getName() + "': " + why);
            recording = false;
            return;
        }
        l.code_bytes = code.code_bytes;
        r.begin_launch(l, uint32_t(groups.x * groups.y * groups.z));
        recording = r.active();
    }

    void kernelEnd(const oclgrind::KernelInvocation *) override
    {
        if (recording)
            recorder::instance().end_launch();
        recording = false;
        stop_if_asked();
    }

    void workGroupBegin(const oclgrind::WorkGroup *g) override
    {
        running = nullptr;
        wkt_packer *packer = recording ? recorder::instance().take_packer() : nullptr;
        if (!packer)
            return;
        worker *w = nullptr;
        {
            std::lock_guard<std::mutex> hold(pool_lock);
            if (!pool.empty()) {
                w = pool.back();
                pool.pop_back();
            }
        }
        if (!w)
            w = new worker;
        oclgrind::Size3 id = g->getGroupID(), size = g->getGroupSize();
        map_local(*w, *g->getLocalMemory());
        w->begin_group(code, global, packer, uint32_t(id.x + groups.x * (id.y + groups.y * id.z)),
                       size.x * size.y * size.z, width);
        running = w;
    }

    void workGroupBarrier(const oclgrind::WorkGroup *, uint32_t) override
    {
        if (running)
            running->barrier();
    }

    void workGroupComplete(const oclgrind::WorkGroup *) override
    {
        worker *w = running;
        running = nullptr;
        if (!w)
            return;
        w->end_group();
        if (!w->problem.empty())
            recorder::instance().fail(w->problem);
        else
            recorder::instance().group_done(w->group_number, w->packer(), w->lanes_dropped());
        stop_if_asked();
        std::lock_guard<std::mutex> hold(pool_lock);
        pool.push_back(w);
    }

    void instructionExecuted(const oclgrind::WorkItem *item, const llvm::Instruction *instruction,
                             const oclgrind::TypedValue &) override
    {
        worker *w = running;
        if (!w)
            return;
        if (w->current_key != item)
            select(*w, item);
        w->executed(instruction);
    }

    void workItemComplete(const oclgrind::WorkItem *) override { stop_if_asked(); }

    void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *, size_t address,
                    size_t size) override
    {
        access(memory, address, size, WKT_LOAD, WKT_LOCAL_LOAD);
    }

    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *, size_t address, size_t size,
                     const uint8_t *) override
    {
        access(memory, address, size, WKT_STORE, WKT_LOCAL_STORE);
    }

    void memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *, oclgrind::AtomicOp,
                          size_t address, size_t size) override
    {
        access(memory, address, size, WKT_ATOMIC, WKT_LOCAL_ATOMIC);
    }

    void memoryAtomicStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *, oclgrind::AtomicOp,
                           size_t address, size_t size) override
    {
        unsigned space = memory->getAddressSpace();
        if (running && space != oclgrind::AddrSpacePrivate)
            running->atomic_stored(address, size,
                                   space == oclgrind::AddrSpaceLocal ? WKT_LOCAL_ATOMIC : WKT_ATOMIC);
    }

    void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkGroup *, size_t address,
                    size_t size) override
    {
        group_access_of(memory, address, size, WKT_LOAD, WKT_LOCAL_LOAD);
    }

    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkGroup *, size_t address, size_t size,
                     const uint8_t *) override
    {
        group_access_of(memory, address, size, WKT_STORE, WKT_LOCAL_STORE);
    }

private:
    static void access(const oclgrind::Memory *memory, size_t address, size_t size, uint8_t kind,
                       uint8_t local_kind)
    {
        if (!running)
            return;
        unsigned space = memory->getAddressSpace();
        if (space != oclgrind::AddrSpacePrivate)
            running->accessed(address, size, space == oclgrind::AddrSpaceLocal ? local_kind : kind);
    }

    static void group_access_of(const oclgrind::Memory *memory, size_t address, size_t size, uint8_t kind,
                                uint8_t local_kind)
    {
        if (running)
            running->group_accessed(
                address, size, memory->getAddressSpace() == oclgrind::AddrSpaceLocal ? local_kind : kind);
    }

    static void select(worker &w, const oclgrind::WorkItem *item)
    {
        oclgrind::Size3 id = item->getLocalID(), size = item->getWorkGroup()->getGroupSize();
        w.select(item, id.x + size.x * (id.y + size.y * id.z));
    }

    /* Local buffers lie one behind the other in the group's local memory, 16-byte aligned. */
    static void map_local(worker &w, const oclgrind::Memory &memory)
    {
        w.local = {};
        uint64_t offset = 0;
        for (uint64_t number = 1;; number++) {
            const oclgrind::Memory::Buffer *b = memory.getBuffer(number << oclgrind_offset_bits);
            if (!b)
                break;
            w.local.add(number << oclgrind_offset_bits, {offset, b->size, 0});
            offset += (b->size + 15) / 16 * 16;
        }
    }
};

std::map<const oclgrind::Context *, plugin *> plugins;

} // namespace
} // namespace walkway::capture

extern "C" {

void initializePlugins(oclgrind::Context *context)
{
    using namespace walkway::capture;
    recorder &r = recorder::instance();
    r.open();
    if (!r.active())
        return;
    if (!recording_process) {
        recording_process = getpid();
        std::atexit(at_exit);
        wait_for_stop();
        for (int number : {SIGINT, SIGTERM}) {
            struct sigaction ours = {};
            ours.sa_handler = on_signal;
            ours.sa_flags = int(SA_RESETHAND); /* the second one ends the program at once */
            sigaction(number, &ours, nullptr);
        }
    }
    context->registerPlugin(plugins[context] = new plugin(context));
}

void releasePlugins(oclgrind::Context *context)
{
    using namespace walkway::capture;
    auto found = plugins.find(context);
    if (found == plugins.end())
        return;
    context->unregisterPlugin(found->second);
    delete found->second;
    plugins.erase(found);
}
}
