/* SPDX-License-Identifier: MIT */
/* support/stop_requests.hpp - counts the requests to stop this process. Signals are not requests: `timeout`
 * sends its signal to the process and then to the whole group; a terminal's reaches a process directly and
 * once more from its starter, which passes it on. So a repeat of the same signal by the same sender within a
 * moment is the same request, and so are the n-th that the starter passes on and the n-th that came
 * otherwise. Thread-safety: received() may be called by signal handlers of several threads at once; each
 * handler blocks the signals of the others (sa_mask). */
#ifndef WALKWAY_SUPPORT_STOP_REQUESTS_HPP
#define WALKWAY_SUPPORT_STOP_REQUESTS_HPP

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <sys/types.h>

namespace walkway
{

class stop_requests
{
public:
    static constexpr int64_t same_request_ns = 200'000'000;

    /* Sets the process that passes on the signals that both of us get; 0: none does. Call it before the first
     * signal, or in a process just forked, which keeps the requests its parent received. */
    void expect_from(pid_t starter)
    {
        starter_ = starter;
        busy_.clear(std::memory_order_release); /* its holder is not in the child */
    }
    void forget() { direct_ = passed_on_ = signals_of_one(); }

    /* Returns the requests so far, this one included; it is a new one if the number rises. */
    unsigned received(int number, pid_t sender, int64_t now_ns)
    {
        while (busy_.test_and_set(std::memory_order_acquire)) {
        }
        signals_of_one &of = starter_ != 0 && sender == starter_ ? passed_on_ : direct_;
        if (of.requests == 0 || number != of.number || sender != of.sender ||
            now_ns - of.at_ns >= same_request_ns) {
            of.requests++;
            of.number = number;
            of.sender = sender;
            of.at_ns = now_ns;
        }
        const unsigned all = requests();
        busy_.clear(std::memory_order_release);
        return all;
    }

    unsigned received(const siginfo_t &info)
    {
        timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return received(info.si_signo, sender_of(info), int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec);
    }

    unsigned requests() const { return std::max(direct_.requests, passed_on_.requests); }

    /* Returns the sender; 0: the kernel, for a terminal. */
    static pid_t sender_of(const siginfo_t &info) { return info.si_code <= 0 ? info.si_pid : 0; }

private:
    struct signals_of_one {
        unsigned requests = 0;
        int number = 0;
        pid_t sender = 0;
        int64_t at_ns = 0; /* of the first signal of the last request */
    };
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
    pid_t starter_ = 0;
    signals_of_one direct_, passed_on_;
};

} // namespace walkway

#endif
