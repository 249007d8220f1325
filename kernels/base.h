/* SPDX-License-Identifier: MIT */
/* kernels/base.h - what every kernel shares: linkage, assertions, status codes, blob alignment.
 * A kernel is bit-accurate logic without SystemC: no allocation, no I/O, no time, no globals.
 * The only symbol a kernel needs from outside, besides mem*, is ww_assert_fail(). */
#ifndef WW_KERNELS_BASE_H
#define WW_KERNELS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define WW_BEGIN_DECLS extern "C" {
#define WW_END_DECLS }
#define WW_STATIC_ASSERT(expr, text) static_assert(expr, text)
#define WW_NORETURN [[noreturn]]
#else
#define WW_BEGIN_DECLS
#define WW_END_DECLS
#define WW_STATIC_ASSERT(expr, text) _Static_assert(expr, text)
#define WW_NORETURN _Noreturn
#endif

WW_BEGIN_DECLS

/* Reports a failed assertion. The program that links the library defines it; it must not return. */
WW_NORETURN __attribute__((cold)) void ww_assert_fail(const char *expr, const char *file, int line);

WW_END_DECLS

/* Asserts a condition of cost O(1): an index in range, a value that fits its field. A failure is a defect of
 * the model. Always on, except with WW_WITHOUT_CHECKS, with which bench/run measures the cost. */
#ifdef WW_WITHOUT_CHECKS
#define WW_ASSERT(expr) ((void)sizeof((expr) ? 1 : 0))
#else
#define WW_ASSERT(expr) ((expr) ? (void)0 : ww_assert_fail(#expr, __FILE__, __LINE__))
#endif

/* Status of init functions. The values are stable. */
enum ww_status {
    WW_OK = 0,
    WW_E_ARG = -1,  /* an argument or a configuration value is illegal */
    WW_E_SIZE = -2, /* the storage given is too small */
};

/* Storage of a kernel object is aligned to this, and its size is rounded up to it. */
#define WW_BLOB_ALIGN ((size_t)64)

static inline size_t ww_align64(size_t bytes)
{
    return (bytes + (WW_BLOB_ALIGN - 1)) & ~(WW_BLOB_ALIGN - 1);
}

/* Clears an object of `need` bytes in storage of `bytes`. Returns WW_OK; or, with nothing changed, WW_E_ARG
 * if need is 0 (an illegal configuration) and WW_E_SIZE if the storage is too small. */
static inline int ww_clear(void *object, size_t bytes, size_t need)
{
    if (need == 0)
        return WW_E_ARG;
    if (bytes < need)
        return WW_E_SIZE;
    memset(object, 0, need);
    return WW_OK;
}

#endif
