/* SPDX-License-Identifier: MIT */
/* capture/native/fiber.cpp - see fiber.hpp. */
#include "capture/native/fiber.hpp"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#if defined(__x86_64__)
/* Saves the callee-saved registers, switches stacks, and restores those of the new stack. A stack of
 * prepare_stack() starts in ww_native_begin with its function in r12 and the argument in r13. */
asm(R"(
.text
.globl ww_native_switch
.type ww_native_switch,@function
ww_native_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size ww_native_switch, .-ww_native_switch
.type ww_native_begin,@function
ww_native_begin:
    movq %r13, %rdi
    callq *%r12
    ud2
.size ww_native_begin, .-ww_native_begin
)");
extern "C" void ww_native_begin();
#else
/* Never reached: nothing is compiled for other machines (compile.cpp). */
extern "C" void ww_native_begin()
{
    std::abort();
}
extern "C" void ww_native_switch(void **, void *)
{
    std::abort();
}
#endif

namespace walkway::capture::native
{

pages::pages(size_t bytes, bool guard)
{
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    size = (bytes + page - 1) / page * page;
    below = guard ? page : 0;
    void *all = mmap(nullptr, size + below, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        throw std::bad_alloc();
    first = static_cast<char *>(all) + below;
    if (guard)
        mprotect(all, page, PROT_NONE);
}

pages::pages(pages &&o) noexcept
    : first(std::exchange(o.first, nullptr)), size(std::exchange(o.size, 0)), below(o.below)
{
}

pages &pages::operator=(pages &&o) noexcept
{
    std::swap(first, o.first);
    std::swap(size, o.size);
    std::swap(below, o.below);
    return *this;
}

pages::~pages()
{
    if (first)
        munmap(first - below, size + below);
}

void *prepare_stack(const pages &stack, void (*run)(void *), void *argument, size_t skew)
{
    auto top = reinterpret_cast<void **>(stack.end() - skew / 16 * 16 - 64);
    *--top = reinterpret_cast<void *>(&ww_native_begin);
    *--top = nullptr;                       /* rbp */
    *--top = nullptr;                       /* rbx */
    *--top = reinterpret_cast<void *>(run); /* r12 */
    *--top = argument;                      /* r13 */
    *--top = nullptr;                       /* r14 */
    *--top = nullptr;                       /* r15 */
    return top;
}

} // namespace walkway::capture::native
