/* SPDX-License-Identifier: MIT */
/* tb/bench/storage.hpp - shared by the yardsticks: storage of a kernel, this process's time and memory. */
#ifndef WALKWAY_BENCH_STORAGE_HPP
#define WALKWAY_BENCH_STORAGE_HPP

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <sys/resource.h>

namespace bench
{

[[noreturn]] inline void give_up(const char *text)
{
    std::fprintf(stderr, "%s\n", text);
    std::exit(1);
}

/* A kernel of variable size, made by its own init function. */
template <class T> class kernel
{
public:
    template <class CFG>
    kernel(size_t (*bytes)(const CFG *), int (*init)(T *, size_t, const CFG *), const CFG &cfg)
    {
        const size_t n = bytes(&cfg);
        storage_.reset(n == 0 ? nullptr : static_cast<T *>(std::aligned_alloc(64, (n + 63) & ~size_t{63})));
        if (storage_ == nullptr || init(storage_.get(), n, &cfg) != 0)
            give_up("a kernel refuses its configuration");
    }
    operator T *() { return storage_.get(); }

private:
    struct release {
        void operator()(T *p) const { std::free(p); }
    };
    std::unique_ptr<T, release> storage_;
};

/* Returns processor time of this process, seconds. */
inline double processor_seconds()
{
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

inline unsigned long peak_memory_bytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<unsigned long>(usage.ru_maxrss) * 1024;
}

} // namespace bench

#endif
