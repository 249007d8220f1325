/* SPDX-License-Identifier: MIT */
/* capture/native/fiber.hpp - stacks between which a thread switches, so that a work-item waits at a barrier
 * while the others of its group run. A stack is address space until it is touched, with an inaccessible page
 * below it. x86-64. Thread-safety: one thread. */
#ifndef WW_CAPTURE_NATIVE_FIBER_HPP
#define WW_CAPTURE_NATIVE_FIBER_HPP

#include <cstddef>

namespace walkway::capture::native
{

/* Pages of the host, for stacks, private memory and tables. Zero until touched. */
class pages
{
    char *first = nullptr;
    size_t size = 0, below = 0; /* bytes of the guard */

public:
    pages() = default;
    /* guard: an inaccessible page precedes them. Throws std::bad_alloc. */
    pages(size_t bytes, bool guard);
    pages(pages &&o) noexcept;
    pages &operator=(pages &&o) noexcept;
    pages(const pages &) = delete;
    pages &operator=(const pages &) = delete;
    ~pages();
    char *begin() const { return first; }
    char *end() const { return first + size; }
    size_t bytes() const { return size; }
};

/* Saves the present context in *save and continues the one saved in `load`. */
extern "C" void ww_native_switch(void **save, void *load);

/* Returns a context that calls run(argument) when switched to; run() must never return. skew: bytes left free
 * at the top, so that the same frames of many stacks do not share sets of the host's caches. */
void *prepare_stack(const pages &stack, void (*run)(void *), void *argument, size_t skew);

constexpr size_t stack_bytes = size_t(1) << 20;

} // namespace walkway::capture::native

#endif
