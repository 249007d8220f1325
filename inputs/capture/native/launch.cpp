/* SPDX-License-Identifier: MIT */
/* capture/native/launch.cpp - see launch.hpp. */
#include "capture/native/launch.hpp"
#include "capture/local_memory.hpp"
#include "capture/native/group.hpp"
#include "capture/recorder.hpp"

#include "capture/native/llvm.hpp"
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Program.h>

#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

namespace walkway::capture::native
{
namespace
{

/* Per assembling thread: groups that are executed and not yet in the trace. */
constexpr size_t groups_a_thread = 2;
/* Compiled kernels that are kept; the least recently used one is evicted. */
constexpr size_t most_kernels = 256;

/* The values that Oclgrind holds for a kernel: of variables of module scope, and of arguments. */
struct kernel_values {
    std::map<const llvm::Value *, uint64_t> constants;
    std::map<const llvm::Value *, const uint8_t *> arguments;
    std::vector<local_buffer> local;
    std::deque<uint64_t> local_addresses; /* elements keep their addresses */

    explicit kernel_values(const oclgrind::Kernel &kernel)
    {
        for (auto v = kernel.values_begin(); v != kernel.values_end(); ++v) {
            const llvm::Type *type = v->first->getType();
            const bool argument = llvm::isa<llvm::Argument>(v->first);
            const unsigned space = type->isPointerTy() ? type->getPointerAddressSpace() : private_space;
            if (space == local_space)
                continue;
            if (argument)
                arguments[v->first] = v->second.data;
            else if (space != private_space)
                std::memcpy(&constants[v->first], v->second.data, sizeof(uint64_t));
        }
        local = local_buffers_of(kernel);
        for (size_t n = 0; n < local.size(); n++) {
            local_addresses.push_back(uint64_t(n + 1) << oclgrind_offset_bits);
            if (llvm::isa<llvm::Argument>(local[n].value))
                arguments[local[n].value] = reinterpret_cast<const uint8_t *>(&local_addresses.back());
            else
                constants[local[n].value] = local_addresses.back();
        }
    }
};

struct kernel_key {
    const oclgrind::Program *program;
    const llvm::Function *function;
    bool operator<(const kernel_key &o) const
    {
        return std::tie(program, function) < std::tie(o.program, o.function);
    }
};

struct kept_kernel {
    unsigned long build; /* number of the program's build */
    std::map<const llvm::Value *, uint64_t> constants;
    kernel_code code;
    uint64_t used;
};

void copy_size(uint64_t *to, const oclgrind::Size3 &from)
{
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
}

/* Threads that assemble finished groups, for one launch. The executing thread helps when they fall behind. */
class pipeline
{
    const launch_shape &shape;
    std::vector<std::unique_ptr<merger>> &mergers; /* the first is the executing thread's */
    std::mutex lock;
    std::condition_variable work, room;
    std::deque<group_logs *> finished, spare;
    std::vector<std::thread> threads;
    bool over = false;

public:
    pipeline(const launch_shape &s, std::vector<std::unique_ptr<merger>> &m,
             std::vector<std::unique_ptr<group_logs>> &all, unsigned threads_n)
        : shape(s), mergers(m)
    {
        for (auto &g : all)
            spare.push_back(g.get());
        threads.reserve(threads_n);
        sigset_t every, before;
        sigfillset(&every);
        pthread_sigmask(SIG_SETMASK, &every, &before); /* the program's signals are for its own threads */
        try {
            for (unsigned t = 0; t < threads_n; t++)
                threads.emplace_back([this, t] { take_groups(t + 1); });
        } catch (const std::system_error &) { /* too many: those that there are, or none, do the work */
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    ~pipeline()
    {
        while (group_logs *g = next_finished())
            record(0, g);
        {
            std::lock_guard<std::mutex> hold(lock);
            over = true;
        }
        work.notify_all();
        for (std::thread &t : threads)
            t.join();
    }
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;

    /* Returns a free group. While there is none, assembles finished ones or waits. */
    group_logs *take()
    {
        for (;;) {
            std::unique_lock<std::mutex> hold(lock);
            room.wait(hold, [&] { return !spare.empty() || !finished.empty(); });
            std::deque<group_logs *> &from = spare.empty() ? finished : spare;
            group_logs *g = from.front();
            from.pop_front();
            if (&from == &spare)
                return g;
            hold.unlock();
            record(0, g);
        }
    }
    void give(group_logs *g)
    {
        {
            std::lock_guard<std::mutex> hold(lock);
            finished.push_back(g);
        }
        work.notify_one();
    }

private:
    group_logs *next_finished()
    {
        std::lock_guard<std::mutex> hold(lock);
        if (finished.empty())
            return nullptr;
        group_logs *g = finished.front();
        finished.pop_front();
        return g;
    }

    void take_groups(size_t merger_number)
    {
        for (;;) {
            group_logs *g = nullptr;
            {
                std::unique_lock<std::mutex> hold(lock);
                work.wait(hold, [&] { return over || !finished.empty(); });
                if (finished.empty())
                    return;
                g = finished.front();
                finished.pop_front();
            }
            record(merger_number, g);
        }
    }

    void record(size_t merger_number, group_logs *g)
    {
        if (g->packer) {
            uint64_t dropped = 0;
            const std::string problem =
                g->overflowed ? records_too_large : mergers[merger_number]->merge(shape, *g, dropped);
            if (problem.empty())
                recorder::instance().group_done(g->number, g->packer, dropped);
            else
                recorder::instance().fail(problem);
        }
        {
            std::lock_guard<std::mutex> hold(lock);
            spare.push_back(g);
        }
        room.notify_one();
    }
};

} // namespace

struct runner::state {
    std::map<kernel_key, kept_kernel> kernels;
    uint64_t uses = 0;
    executor executes;
    std::vector<std::unique_ptr<merger>> mergers;
    std::vector<std::unique_ptr<group_logs>> groups;

    const kernel_code &code_of(const oclgrind::Kernel &kernel, const layout &code,
                               const kernel_values &values)
    {
        const kernel_key key = {kernel.getProgram(), kernel.getFunction()};
        const unsigned long build = kernel.getProgram()->getUID();
        auto found = kernels.find(key);
        if (found == kernels.end() || found->second.build != build ||
            found->second.constants != values.constants) {
            make_room();
            kernels[key] = {build, values.constants, compile(*kernel.getFunction(), code, values.constants),
                            0};
            found = kernels.find(key);
        }
        found->second.used = ++uses;
        return found->second.code;
    }

private:
    void make_room()
    {
        if (kernels.size() < most_kernels)
            return;
        auto oldest = kernels.begin();
        for (auto k = kernels.begin(); k != kernels.end(); ++k)
            if (k->second.used < oldest->second.used)
                oldest = k;
        kernels.erase(oldest);
    }
};

runner::runner() : all(std::make_unique<state>()) {}
runner::~runner() = default;

void runner::forget(const oclgrind::Program *program)
{
    for (auto k = all->kernels.begin(); k != all->kernels.end();)
        k = k->first.program == program ? all->kernels.erase(k) : std::next(k);
}

bool runner::run(const launch_job &job, std::string &why_not)
{
    const oclgrind::KernelInvocation &invocation = *job.invocation;
    const oclgrind::Kernel &kernel = *invocation.getKernel();
    const kernel_values values(kernel);
    launch_shape shape{};
    shape.kernel = &all->code_of(kernel, *job.code, values);
    if (!shape.kernel->entry) {
        why_not = shape.kernel->why_not;
        return false;
    }
    shape.code = job.code;
    shape.buffers = job.buffers->begin();
    shape.global = job.global;
    shape.local = values.local;
    for (const llvm::Argument &a : kernel.getFunction()->args())
        shape.arguments.push_back(values.arguments.at(&a));
    copy_size(shape.global_size, invocation.getGlobalSize());
    copy_size(shape.local_size, invocation.getLocalSize());
    copy_size(shape.groups, invocation.getNumGroups());
    copy_size(shape.offset, invocation.getGlobalOffset());
    shape.dimensions = invocation.getWorkDim();
    shape.width = job.width;
    const uint64_t groups_n = shape.groups[0] * shape.groups[1] * shape.groups[2];
    const auto threads = unsigned(std::min<uint64_t>(job.threads, groups_n - 1));
    while (all->mergers.size() < threads + 1)
        all->mergers.push_back(std::make_unique<merger>());
    while (all->groups.size() < groups_a_thread * threads + 1)
        all->groups.push_back(std::make_unique<group_logs>());
    all->executes.start(shape);
    pipeline to_trace(shape, all->mergers, all->groups, threads);
    for (uint64_t n = 0; n < groups_n; n++) {
        group_logs *g = to_trace.take();
        g->packer =
            recorder::instance().take_packer(); /* NULL if out of memory: the launch then runs unrecorded */
        if (!all->executes.execute(*g, uint32_t(n)))
            break; /* the recorder notices that the launch lacks a group */
        to_trace.give(g);
    }
    return true;
}

} // namespace walkway::capture::native
