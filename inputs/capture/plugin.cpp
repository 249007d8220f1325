/* SPDX-License-Identifier: MIT */
/* capture/plugin.cpp - the Oclgrind plugin: passes Oclgrind's callbacks to the recorder and to a worker per
 * running work-group. Oclgrind reports an access before its instruction, and runs a work-item until a barrier
 * or its end, then the next. Thread-safe: Oclgrind runs each work-group in one of its threads
 * (OCLGRIND_NUM_THREADS). */
#include "capture/environment.hpp"
#include "capture/legalise.hpp"
#include "capture/local_memory.hpp"
#include "capture/native/launch.hpp"
#include "capture/preloaded.hpp"
#include "capture/recorder.hpp"
#include "capture/source_lines.hpp"
#include "capture/worker.hpp"
#include "support/stop_requests.hpp"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <oclgrind/Context.h>
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/Program.h>
#include <oclgrind/WorkGroup.h>
#include <oclgrind/WorkItem.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace walkway::capture
{
namespace
{

/* The work-group that this thread runs. initial-exec: it is read for every instruction. */
thread_local worker *running __attribute__((tls_model("initial-exec"))) = nullptr;

volatile std::sig_atomic_t stop_signal = 0, crash_signal = 0, crash_saved = 0;
pid_t recording_process = 0;

/* Held while a launch runs: Oclgrind counts work-groups in one place for all contexts, so that kernels of two
 * threads would take each other's, and supports one running kernel per context. */
std::mutex launch_lock;

int stop_pipe[2] = {-1, -1};
stop_requests stops;

constexpr unsigned most_native_threads = 8;

void on_signal(int number, siginfo_t *info, void *)
{
    if (getpid() != recording_process || /* a child that the program forked */
        stops.received(*info) >= 2) {    /* the second request ends the program at once */
        std::signal(number, SIG_DFL);
        raise(number);
        return;
    }
    stop_signal = number;
    const char byte = 0;
    if (write(stop_pipe[1], &byte, 1) < 0)
        return; /* then the program stops at a work-item's end */
}

/* The heap or the stack may be damaged, so our own thread finishes the trace. Waits at most 10 seconds for
 * it. */
void on_crash(int number)
{
    if (getpid() == recording_process && stop_pipe[1] >= 0 && !crash_signal) {
        const timespec moment = {0, 20'000'000};
        const char byte = 0;
        crash_signal = number;
        if (write(stop_pipe[1], &byte, 1) == 1)
            for (int i = 0; i < 500 && !crash_saved; i++)
                nanosleep(&moment, nullptr);
    }
    raise(number); /* takes the default action, which SA_RESETHAND has restored */
}

/* If the user has stopped the program, keeps the records so far and exits. */
void stop_if_asked()
{
    if (stop_signal && getpid() == recording_process) {
        recorder::instance().finish(true);
        _exit(128 + stop_signal);
    }
}

/* After pthread_exit() in main() a process ends with its last thread, which must not be ours. */
bool only_we_are_left()
{
    const std::string folder = "/proc/self/task";
    std::error_code bad;
    size_t threads = 0;
    for (std::filesystem::directory_iterator i(folder, bad), end; !bad && i != end; i.increment(bad))
        threads++;
    std::ifstream in(folder + "/" + std::to_string(getpid()) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const size_t name_end = text.rfind(") ");
    return threads == 2 && name_end != std::string::npos && text[name_end + 2] == 'Z';
}

/* Waits for a signal in our own thread, as a program that hangs, in a kernel or outside, never calls the
 * plugin. */
void stop_when_asked()
{
    pollfd asked = {stop_pipe[0], POLLIN, 0};
    while (poll(&asked, 1, 500) <= 0) {
        if (only_we_are_left())
            std::exit(0);
    }
    if (crash_signal) {
        recorder::instance().finish(true);
        crash_saved = 1;
    }
    stop_if_asked();
}

void close_stop_pipe()
{
    for (int &end : stop_pipe) {
        if (end >= 0)
            close(end);
        end = -1;
    }
}

void wait_for_stop()
{
    sigset_t all, old;
    sigfillset(&all);
    close_stop_pipe(); /* after a fork, it is the parent's */
    if (pipe2(stop_pipe, O_CLOEXEC) != 0)
        return;                               /* then the program stops at a work-item's end */
    pthread_sigmask(SIG_SETMASK, &all, &old); /* the program's signals are for its own threads */
    try {
        std::thread(stop_when_asked).detach();
    } catch (const std::system_error &) { /* then a crash must not wait for an answer from the pipe */
        close_stop_pipe();
    }
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

/* Call once per process. */
void start_recording()
{
    if (!recording_process)
        pthread_atfork([] { recorder::instance().before_fork(); },
                       [] { recorder::instance().after_fork(false); },
                       [] {
                           new (&launch_lock) std::mutex; /* its holder does not exist in the child */
                           recorder::instance().after_fork(true);
                       });
    recording_process = getpid();
    std::at_quick_exit(finish_recording);
    wait_for_stop();
    struct sigaction ours = {};
    ours.sa_flags = SA_SIGINFO;
    ours.sa_sigaction = on_signal;
    for (int number : {SIGINT, SIGTERM})
        sigaddset(&ours.sa_mask, number);
    stops.expect_from(getppid()); /* the launcher, or a process that it started */
    for (int number : {SIGINT, SIGTERM})
        sigaction(number, &ours, nullptr);
    sigemptyset(&ours.sa_mask);
    ours.sa_flags = int(SA_RESETHAND);
    ours.sa_handler = on_crash;
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
        struct sigaction programs;
        if (sigaction(number, nullptr, &programs) == 0 && programs.sa_handler == SIG_DFL)
            sigaction(number, &ours, nullptr);
    }
}

/* Ends the program after the requested launches. Flushes the program's output first. */
[[noreturn]] void end_program()
{
    if (ftrylockfile(stdout) == 0) {
        std::fflush(stdout);
        funlockfile(stdout);
    }
    _exit(0);
}

uint32_t trace_flags(cl_mem_flags flags)
{
    return (flags & CL_MEM_READ_ONLY ? WKT_BUFFER_READ : 0u) |
           (flags & CL_MEM_WRITE_ONLY ? WKT_BUFFER_WRITE : 0u) |
           (flags & CL_MEM_USE_HOST_PTR ? WKT_BUFFER_HOST : 0u);
}

bool native_wanted()
{
    static const bool wanted = std::getenv(env_interpret) == nullptr;
    return wanted;
}

/* Returns how many threads assist the executing one: in total, one per hardware thread up to a maximum. */
unsigned native_threads()
{
    return std::min(std::max(std::thread::hardware_concurrency(), 1u), most_native_threads) - 1;
}

class plugin final : public oclgrind::Plugin
{
    address_map global;
    layout code;
    source_lines lines;
    address_map local; /* of the launch's groups */
    uint32_t width = 0;
    oclgrind::Size3 groups;
    bool recording = false; /* inside a launch that is recorded */
    const pid_t owner = getpid();
    std::mutex pool_lock;
    std::vector<worker *> pool;
    native::buffer_table buffers;
    native::runner runs;

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
        buffers.add(address, memory->getBuffer(address)->data, size);
    }

    void memoryDeallocated(const oclgrind::Memory *memory, size_t address) override
    {
        mapped_buffer b;
        if (memory->getAddressSpace() != oclgrind::AddrSpaceGlobal)
            return;
        buffers.remove(address);
        if (global.remove(address, b))
            recorder::instance().end_buffer(b);
    }

    /* Call between kernelBegin() and kernelEnd(). Returns false if Oclgrind must interpret the launch. */
    bool run_natively(const oclgrind::KernelInvocation *k)
    {
        if (!recording)
            return false;
        std::string why = "as asked for";
        if (!native_wanted() || !runs.run({k, &code, &global, &buffers, width, native_threads()}, why)) {
            recorder::instance().launch_interpreted(why);
            if (const unsigned bits = odd_width_left(*k->getKernel()->getFunction()))
                recorder::instance().fail("kernel '" + k->getKernel()->getName() +
                                          "' computes with integers of " + std::to_string(bits) +
                                          " bits, which Oclgrind's interpreter gets wrong, and cannot be run "
                                          "natively: " +
                                          why);
            return false;
        }
        return true;
    }

    void forget(const oclgrind::Program *program) { runs.forget(program); }

    void kernelBegin(const oclgrind::KernelInvocation *k) override
    {
        recorder &r = recorder::instance();
        stop_if_asked();
        if (getpid() != owner)
            r.fail("a process that the program forked runs a kernel in its parent's context: such a kernel "
                   "cannot be recorded");
        oclgrind::Size3 grid = k->getGlobalSize(), group = k->getLocalSize();
        recording = r.active() && grid.x && grid.y && grid.z; /* skips a launch without work-items */
        if (!recording)
            return;
        if (r.cut())
            end_program();
        const oclgrind::Kernel *kernel = k->getKernel();
        wkt_launch l;
        std::memset(&l, 0, sizeof l);
        kernel->getName().copy(l.name, WKT_NAME_BYTES - 1);
        groups = k->getNumGroups();
        bool fits =
            groups.x * groups.y * groups.z <= UINT32_MAX && kernel->getLocalMemorySize() <= UINT32_MAX;
        for (unsigned d = 0; d < 3; d++) {
            fits = fits && grid[d] <= UINT32_MAX;
            l.grid[d] = uint32_t(grid[d]);
            l.group[d] = uint32_t(group[d]);
        }
        width = l.group[0];
        local = local_map(local_buffers_of(*kernel));
        l.lds_bytes = uint32_t(kernel->getLocalMemorySize());
        std::string why = fits ? code.build(*kernel->getFunction()) : "its range does not fit into 32 bits";
        if (!why.empty()) {
            r.fail("kernel '" + kernel->getName() + "': " + why);
            recording = false;
            return;
        }
        l.code_bytes = code.code_bytes;
        r.begin_launch(l, lines.of(code, *kernel->getProgram()), uint32_t(groups.x * groups.y * groups.z),
                       kernel->getFunction()->getParent()->getFunction("printf") != nullptr);
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
        w->local = local;
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
};

std::mutex plugins_lock;
auto &plugins = *new std::map<const oclgrind::Context *, plugin *>; /* exit handlers may still run kernels */

plugin *plugin_of(const oclgrind::Context *context)
{
    std::lock_guard<std::mutex> hold(plugins_lock);
    auto found = plugins.find(context);
    return found == plugins.end() ? nullptr : found->second;
}

} // namespace

/* A library destructor: runs after the program's exit handlers and static destructors, which may run
 * kernels. */
__attribute__((destructor)) void finish_recording()
{
    if (recording_process && getpid() == recording_process)
        recorder::instance().finish(false);
}

} // namespace walkway::capture

/* Replaces Oclgrind's function: runs one launch at a time. */
PRELOADED void run_launch(
    const oclgrind::Context *context, oclgrind::Kernel *kernel, unsigned dimensions, oclgrind::Size3 offset,
    oclgrind::Size3 global,
    oclgrind::Size3
        local) __asm__("_ZN8oclgrind16KernelInvocation3runEPKNS_7ContextEPNS_6KernelEjNS_5Size3ES6_S6_");

void run_launch(const oclgrind::Context *context, oclgrind::Kernel *kernel, unsigned dimensions,
                oclgrind::Size3 offset, oclgrind::Size3 global, oclgrind::Size3 local)
{
    using namespace walkway::capture;
    static const auto run = next<decltype(&run_launch)>(
        "_ZN8oclgrind16KernelInvocation3runEPKNS_7ContextEPNS_6KernelEjNS_5Size3ES6_S6_");
    const std::lock_guard<std::mutex> hold(launch_lock);
    run(context, kernel, dimensions, offset, global, local);
}

/* Replaces Oclgrind's function that interprets a launch; Oclgrind calls it through the dynamic linker. */
PRELOADED void
interpret_launch(oclgrind::KernelInvocation *invocation) __asm__("_ZN8oclgrind16KernelInvocation3runEv");

void interpret_launch(oclgrind::KernelInvocation *invocation)
{
    using namespace walkway::capture;
    static const auto interpret =
        next<void (*)(oclgrind::KernelInvocation *)>("_ZN8oclgrind16KernelInvocation3runEv");
    plugin *recording = plugin_of(invocation->getContext());
    if (!recording || !recording->run_natively(invocation))
        interpret(invocation);
}

/* Oclgrind leaves the result unchanged if it can read nothing; zeros do not vary between runs. */
PRELOADED bool load_memory(const oclgrind::Memory *memory, unsigned char *to, size_t address,
                           size_t size) __asm__("_ZNK8oclgrind6Memory4loadEPhmm");

bool load_memory(const oclgrind::Memory *memory, unsigned char *to, size_t address, size_t size)
{
    static const auto load =
        walkway::capture::next<bool (*)(const oclgrind::Memory *, unsigned char *, size_t, size_t)>(
            "_ZNK8oclgrind6Memory4loadEPhmm");
    const bool there = load(memory, to, address, size);
    if (!there)
        std::memset(to, 0, size);
    return there;
}

/* Replaces the constructor in which Oclgrind reads a kernel for the first time. */
PRELOADED void
look_at_kernel(void *cache,
               llvm::Function *kernel) __asm__("_ZN8oclgrind16InterpreterCacheC1EPN4llvm8FunctionE");

void look_at_kernel(void *cache, llvm::Function *kernel)
{
    using namespace walkway::capture;
    static const auto look =
        next<void (*)(void *, llvm::Function *)>("_ZN8oclgrind16InterpreterCacheC1EPN4llvm8FunctionE");
    legalise(*kernel);
    look(cache, kernel);
}

/* A program is deleted through one of two destructors. */
PRELOADED void destroy_program(oclgrind::Program *program) __asm__("_ZN8oclgrind7ProgramD1Ev");
PRELOADED void delete_program(oclgrind::Program *program) __asm__("_ZN8oclgrind7ProgramD0Ev");

namespace
{

void program_ends(oclgrind::Program *program, const char *destructor)
{
    using namespace walkway::capture;
    if (plugin *recording = plugin_of(program->getContext()))
        recording->forget(program);
    if (const auto destroy = next<void (*)(oclgrind::Program *)>(destructor))
        destroy(program);
}

} // namespace

void destroy_program(oclgrind::Program *program)
{
    program_ends(program, "_ZN8oclgrind7ProgramD1Ev");
}

void delete_program(oclgrind::Program *program)
{
    program_ends(program, "_ZN8oclgrind7ProgramD0Ev");
}

extern "C" {

void initializePlugins(oclgrind::Context *context)
{
    using namespace walkway::capture;
    std::lock_guard<std::mutex> hold(plugins_lock);
    recorder &r = recorder::instance();
    r.open();
    if (!r.active())
        return;
    if (recording_process != getpid())
        start_recording();
    context->registerPlugin(plugins[context] = new plugin(context));
}

void releasePlugins(oclgrind::Context *context)
{
    using namespace walkway::capture;
    std::lock_guard<std::mutex> hold(plugins_lock);
    auto found = plugins.find(context);
    if (found == plugins.end())
        return;
    context->unregisterPlugin(found->second);
    delete found->second;
    plugins.erase(found);
}
}
