/* SPDX-License-Identifier: MIT */
/* tb/native/fuzz_prelude.h - defines a generated kernel's OpenCL functions in plain C: fuzz_kernels.py puts
 * it before the text that OpenCL also gets. A function's name ends with its type, because C has no
 * overloads. */
#include <stdint.h>

typedef signed char char_;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define char char_
#define global
#define local
#define kernel
#define SPLAT(vector, x) ((vector){0} + (x))
#define AS(vector, x) ((vector)(x))
#define SHUFFLE(x, mask) __builtin_shuffle(x, mask)
#define ATOMIC_ADD(p, x) (*(p) += (x))
#define ATOMIC_XOR(p, x) (*(p) ^= (x))
#define VECTOR(type, n) typedef type type##n __attribute__((vector_size(sizeof(type) * n)))
VECTOR(char, 16);
VECTOR(uchar, 16);
VECTOR(short, 8);
VECTOR(ushort, 8);
VECTOR(int, 4);
VECTOR(uint, 4);
VECTOR(long, 2);
VECTOR(ulong, 2);
VECTOR(float, 4);
VECTOR(double, 2);

#define CLAMPED(type, low, high, value)                                                                      \
    const __int128 v = (value);                                                                              \
    return (type)(v < (__int128)(low) ? (__int128)(low) : v > (__int128)(high) ? (__int128)(high) : v);
#define OF_TYPE(type, same, low, high, bits)                                                                 \
    static type add_sat_##same(type x, type y)                                                               \
    {                                                                                                        \
        CLAMPED(type, low, high, (__int128)x + y)                                                            \
    }                                                                                                        \
    static type sub_sat_##same(type x, type y)                                                               \
    {                                                                                                        \
        CLAMPED(type, low, high, (__int128)x - y)                                                            \
    }                                                                                                        \
    static type hadd_##same(type x, type y)                                                                  \
    {                                                                                                        \
        return (type)(((__int128)x + y) >> 1);                                                               \
    }                                                                                                        \
    static type rhadd_##same(type x, type y)                                                                 \
    {                                                                                                        \
        return (type)(((__int128)x + y + 1) >> 1);                                                           \
    }                                                                                                        \
    static type mul_hi_##same(type x, type y)                                                                \
    {                                                                                                        \
        return (type)(((unsigned __int128)x * (unsigned __int128)y) >> bits);                                \
    }                                                                                                        \
    static type min_##same(type x, type y)                                                                   \
    {                                                                                                        \
        return y < x ? y : x;                                                                                \
    }                                                                                                        \
    static type max_##same(type x, type y)                                                                   \
    {                                                                                                        \
        return x < y ? y : x;                                                                                \
    }                                                                                                        \
    static type popcount_##same(type x)                                                                      \
    {                                                                                                        \
        return (type)__builtin_popcountl((ulong)x & ~0ul >> (64 - bits));                                    \
    }                                                                                                        \
    static type clz_##same(type x)                                                                           \
    {                                                                                                        \
        const ulong u = (ulong)x & ~0ul >> (64 - bits);                                                      \
        return (type)(u ? __builtin_clzl(u) - (64 - bits) : bits);                                           \
    }                                                                                                        \
    static type rotate_##same(type x, type y)                                                                \
    {                                                                                                        \
        const ulong u = (ulong)x & ~0ul >> (64 - bits), n = (ulong)y & (bits - 1);                           \
        return (type)(n ? u << n | u >> (bits - n) : u);                                                     \
    }
OF_TYPE(char, char, -128, 127, 8)
OF_TYPE(uchar, uchar, 0, 255, 8)
OF_TYPE(short, short, -32768, 32767, 16)
OF_TYPE(ushort, ushort, 0, 65535, 16)
OF_TYPE(int, int, INT32_MIN, INT32_MAX, 32)
OF_TYPE(uint, uint, 0, UINT32_MAX, 32)
OF_TYPE(long, long, INT64_MIN, INT64_MAX, 64)
OF_TYPE(ulong, ulong, 0, UINT64_MAX, 64)
