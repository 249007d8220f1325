/* SPDX-License-Identifier: MIT */
/* run/jobs.cpp - a pool of child processes. */
#include "run/jobs.hpp"

#include "run/progress.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace walkway
{

namespace
{

struct board_entry {
    std::atomic<uint64_t> groups_done, groups_total, now_ps, translations;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free, "shared between processes");

/* One entry per job, shared by parent and children. */
class board
{
public:
    explicit board(size_t jobs) : bytes_(sizeof(board_entry) * (jobs + 1))
    {
        void *memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw std::bad_alloc();
        entries_ = new (memory) board_entry[jobs + 1]();
    }
    ~board() { munmap(entries_, bytes_); }
    board(const board &) = delete;
    board &operator=(const board &) = delete;
    board_entry &operator[](size_t i) { return entries_[i]; }

private:
    size_t bytes_;
    board_entry *entries_;
};

[[noreturn]] void be_child(const job &work, board_entry &entry, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    expect_interrupts_of_parent();
    if (getppid() != parent)
        _exit(exit_interrupted);
    int code = exit_law;
    try {
        code = work.body([&](const run_progress &at) {
            entry.groups_done = at.groups_done;
            entry.groups_total = at.groups_total;
            entry.now_ps = at.now_ps;
            entry.translations = at.translations;
            return !interrupted();
        });
    } catch (const failure &e) {
        std::cerr << "walkway: " << work.label << ": " << readable_names(e.what()) << '\n';
        code = e.code();
    } catch (const std::exception &e) {
        std::cerr << "walkway: " << work.label << ": internal error: " << e.what() << '\n';
    }
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    _exit(code); /* runs no destructors: the objects belong to the parent */
}

/* Jobs that ended count as whole; times and translations of all jobs add up. */
run_progress overall(board &entries, size_t jobs, const std::vector<bool> &ended)
{
    run_progress sum{0, 1000 * jobs, 0, 0};
    for (size_t i = 0; i < jobs; ++i) {
        const uint64_t total = entries[i].groups_total;
        sum.groups_done += ended[i] ? 1000 : (total == 0 ? 0 : 1000 * entries[i].groups_done / total);
        sum.now_ps += entries[i].now_ps;
        sum.translations += entries[i].translations;
    }
    return sum;
}

job_result result_of(int status)
{
    if (WIFEXITED(status))
        return {static_cast<exit_code>(WEXITSTATUS(status)), ""};
    return {exit_law,
            "ended by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")"};
}

struct child {
    pid_t pid;
    size_t job;
    int end; /* a pidfd, readable when the process has ended; -1 if the system has none */
};

child started(pid_t pid, size_t job)
{
    return {pid, job, static_cast<int>(syscall(SYS_pidfd_open, pid, 0))};
}

/* Waits until a child ends, an interrupt arrives, or the longest time is over; only for the shortest time if
 * a child has no pidfd. */
void wait_for_one(const std::vector<child> &running)
{
    constexpr int shortest = 1, longest = 20; /* milliseconds */
    std::vector<pollfd> ends;
    bool all = true;
    for (const child &c : running) {
        all = all && c.end >= 0;
        ends.push_back({c.end, POLLIN, 0});
    }
    poll(ends.data(), ends.size(), all ? longest : shortest);
}

} // namespace

unsigned default_parallel()
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    const int count = CPU_COUNT(&set);
    return count < 1 ? 1 : static_cast<unsigned>(count);
}

std::vector<job_result> run_jobs(const std::vector<job> &jobs, unsigned parallel, bool quiet,
                                 const job_end_fn &ended)
{
    board entries(jobs.size());
    std::vector<job_result> results(jobs.size(), {exit_interrupted, ""});
    std::vector<bool> is_ended(jobs.size(), false);
    std::vector<child> running;
    progress_line line(quiet);
    const pid_t parent = getpid();
    size_t next = 0, done = 0;
    bool passed_on = false, more = true;
    const auto end = [&](size_t i, const job_result &result) {
        results[i] = result;
        is_ended[i] = true;
        ++done;
        if (ended && !ended(i, result))
            more = false;
    };
    std::cout.flush(); /* otherwise every child prints what is buffered */
    std::fflush(nullptr);
    while (!running.empty() || (more && next < jobs.size() && !interrupted())) {
        while (more && running.size() < parallel && next < jobs.size() && !interrupted()) {
            const pid_t pid = fork();
            if (pid < 0 && !running.empty())
                break; /* the end of one that runs makes room for the next */
            if (pid < 0) {
                const job_result failed = {exit_law, std::string("fork: ") + std::strerror(errno)};
                end(next++, failed);
                continue;
            }
            if (pid == 0)
                be_child(jobs[next], entries[next], parent);
            running.push_back(started(pid, next++));
        }
        if (interrupted() && !passed_on) {
            for (const child &c : running)
                kill(c.pid, SIGINT);
            passed_on = true;
        }
        wait_for_one(running);
        for (size_t i = 0; i < running.size();) {
            int status = 0;
            const pid_t got = waitpid(running[i].pid, &status, WNOHANG);
            if (got == 0) {
                ++i;
                continue;
            }
            const size_t job = running[i].job;
            if (running[i].end >= 0)
                close(running[i].end);
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            end(job, got < 0 ? job_result{exit_law, "its end was lost"} : result_of(status));
        }
        if (line.shown())
            line.update(overall(entries, jobs.size(), is_ended),
                        std::to_string(done) + " of " + std::to_string(jobs.size()) + " done");
    }
    return results;
}

exit_code report_ends(const std::vector<job> &jobs, const std::vector<job_result> &ends)
{
    exit_code first = exit_ok;
    for (size_t i = 0; i < jobs.size(); ++i) {
        if (!ends[i].fault.empty())
            std::cerr << "walkway: " << jobs[i].label << ": " << ends[i].fault << '\n';
        if (first == exit_ok)
            first = ends[i].code;
    }
    return first;
}

} // namespace walkway
