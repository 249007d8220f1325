/* SPDX-License-Identifier: MIT */
/* tb/native/features_control.c - control flow, private memory, structs and calls. One text of each body is
 * compiled by the host's compiler and, as a string, by OpenCL's. */
#include "features.h"

#include <string.h>

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define global
#define constant static const
#define noinline_ __attribute__((noinline))

#define ITEMS 256
#define MASK 255

/* Types and functions that the body needs. */
#define SHARED(name, ...)                                                                                    \
    static const char name##_shared[] = #__VA_ARGS__;                                                        \
    __VA_ARGS__
/* Its argument must become a string before expansion, so no other macro may expand to this one. */
#define BODY(name, ...)                                                                                      \
    static const char name##_text[] = #__VA_ARGS__;                                                          \
    static void name##_body(int i, int *a, int *b, int *out)                                                 \
    {                                                                                                        \
        (void)a, (void)b;                                                                                    \
        __VA_ARGS__                                                                                          \
    }
#define ALONE(name, ...)                                                                                     \
    static const char name##_shared[] = "", name##_text[] = #__VA_ARGS__;                                    \
    static void name##_body(int i, int *a, int *b, int *out)                                                 \
    {                                                                                                        \
        (void)a, (void)b;                                                                                    \
        __VA_ARGS__                                                                                          \
    }

struct control {
    const char *name, *shared, *text;
    void (*body)(int i, int *a, int *b, int *out);
};

ALONE(
    switch_3_bits, int r = 1; switch (a[i] & 7) {
case 0:
    r = b[i];
    break;
case 1:
    r = 3; /* falls through */
case 2:
    r += 1;
    break;
case 5:
    r = b[a[i] & 255];
    break;
case 6:
    r = -7;
    break;
default:
    break;
    } out[i] = r;)
ALONE(
    switch_all_of_3_bits, int r = 0; switch (a[i] & 7) {
case 0:
    r = b[i];
    break;
case 1:
    r = 3 * b[i];
    break;
case 2:
    r = b[i] + 1;
    break;
case 3:
    r = b[i] ^ 77;
    break;
case 4:
    r = b[i] >> 3;
    break;
case 5:
    r = b[a[i] & 255];
    break;
case 6:
    r = -7;
    break;
case 7:
    r = b[i] / 3;
    break;
    } out[i] = r;)
ALONE(
    switch_5_bits, int r = 0; for (int k = 0; k < 6; k++) {
        switch (a[i] >> (5 * k) & 31) {
        case 0:
        case 9:
            r += b[i];
            break;
        case 1:
            r ^= 3; /* falls through */
        case 17:
            r += 1;
            break;
        case 30:
            continue;
        case 31:
            r = -r;
            break;
        case 4:
        case 5:
        case 6:
        case 7:
            r = r * 5 + k;
            break;
        default:
            r++;
        }
        r = r * 3;
    } out[i] = r;)
ALONE(
    switch_1_bit, int r = 0; switch (a[i] & 1) {
case 0:
    r = b[i];
    break;
case 1:
    r = b[i ^ 1];
    } out[i] = r;)
ALONE(
    switch_2_bits_unsigned, int r = 0; switch ((uint)a[i] >> 30) {
case 0:
    r = 1;
    break;
case 1:
    r = 10;
    break;
case 2:
    r = 100;
    break;
case 3:
    r = 1000;
    } out[i] = r;)
ALONE(
    switch_4_bits_uchar, int r = 0; uchar c = (uchar)(a[i] & 15); switch (c) {
case 3:
    r = 1;
    break;
case 8:
    r = 2; /* falls through */
case 11:
    r += 5;
    break;
case 15:
    r = 9;
    break;
default:
    r = c;
    } out[i] = r;)
ALONE(
    switch_7_bits_short, int r = 0; short c = (short)(a[i] & 127); switch (c) {
case 3:
    r = 1;
    break;
case 100:
    r = 2;
    break;
case 64:
    r += 5;
    break;
case 127:
    r = 9;
    break;
default:
    r = c * 2;
    } out[i] = r;)
ALONE(
    switch_long, int r = 0; long c = (long)a[i] << 32 | (b[i] & 3); switch (c & 0x700000003) {
case 0:
    r = 1;
    break;
case 0x100000001:
    r = 2;
    break;
case 0x300000002:
    r = 3;
    break;
case 0x700000003:
    r = 4;
    break;
default:
    r = 5;
    } out[i] = r;)
ALONE(
    switch_negative, int r = 0; switch (a[i] % 5) {
case -4:
    r = 1;
    break;
case -1:
    r = 2;
    break;
case 0:
    r = 3;
    break;
case 3:
    r = 4;
    break;
default:
    r = 6;
    } out[i] = r;)
ALONE(
    switch_sparse, int r = 0; switch (a[i]) {
case 0:
    r = 1;
    break;
case 1000000:
    r = 2;
    break;
case 2147483647:
    r = 3;
    break;
case -2147483647 - 1:
    r = 4;
    break;
case -1:
    r = 5;
    break;
default:
    r = 6;
    } out[i] = r;)
ALONE(
    switch_in_switch, int r = 0; switch (a[i] & 3) {
case 0:
    switch (b[i] & 7) {
    case 1:
        r = 1;
        break;
    case 6:
        r = 2;
        break;
    default:
        r = 3;
    }
    break;
case 1:
    switch (b[i] >> 28 & 15) {
    case 15:
        r = 4;
        break;
    case 0:
        r = 5;
        break;
    default:
        r = 6;
    } /* falls through */
case 2:
    r += 10;
    } out[i] = r;)
ALONE(
    switch_memory, switch (a[i] & 7) {
case 0:
    out[i] = b[i];
    break;
case 1:
    out[i] = 3; /* falls through */
case 2:
    out[i] += 1;
    break;
case 5:
    out[i] = b[a[i] & 255];
    break;
default:
    break;
    })
SHARED(
    switch_return, noinline_ int pick(int x, int y) {
        switch (x & 15) {
        case 1:
            return y;
        case 2:
            return y * 2;
        case 7:
            return 5;
        case 12:
            return -y;
        case 13:
        case 14:
            return x;
        }
        return 99;
    })
BODY(switch_return, out[i] = pick(a[i], b[i]) + 3 * pick(b[i], a[i]);)
ALONE(odd_compare, out[i] = ((a[i] & 0x1ffff) < (b[i] & 0x1ffff)) + 2 * ((a[i] & 7) == (b[i] & 7)) +
                            4 * ((a[i] & 0x7ff) == 0x155) + 8 * ((a[i] << 29) < (b[i] << 29)) +
                            16 * ((a[i] & 63) > 31);)
ALONE(odd_phi, int x = a[i] & 7; for (int k = 0; k < (b[i] & 15); k++) x = (x * 3 + 1) & 7; out[i] = x;)
ALONE(odd_shift, uint x = (uint)a[i] & 0x1f; x = (x << 2 | x >> 3) & 0x1f; int y = (b[i] << 19) >> 19;
      out[i] = (int)x * 1000 + y;)
ALONE(odd_sign, int x = a[i] << 25 >> 25; int y = (int)((uint)b[i] << 11) >> 11; out[i] = x * 3 + y;)
ALONE(bswap, uint x = (uint)a[i]; x = x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
      ulong y = ((ulong)(uint)b[i] << 32 | (uint)a[i]); y = y >> 32 | y << 32;
      out[i] = (int)(x ^ (uint)(y >> 7));)
SHARED(
    bit_fields, struct fields {
        int a : 3;
        uint b : 5;
        int c : 13;
        uint d : 1;
        uint e : 10;
        uint f : 17;
        int g : 15;
    };)
BODY(bit_fields, struct fields f; f.a = a[i]; f.b = (uint)b[i]; f.c = a[i] >> 3; f.d = (uint)a[i] >> 7;
     f.e = (uint)(a[i] + b[i]); f.f = (uint)b[i] >> 2; f.g = b[i]; f.c += f.a; f.b -= f.d; f.g ^= f.c;
     out[i] = f.a + (int)f.b * 3 + f.c * 5 + (int)f.d * 7 + (int)f.e * 11 + (int)f.f * 13 + f.g * 17;)
SHARED(
    bit_fields_64, struct fields_64 {
        long a : 37;
        ulong b : 27;
    };)
BODY(bit_fields_64, struct fields_64 f; f.a = ((long)a[i] << 20) ^ b[i]; f.b = (ulong)b[i] * 5;
     out[i] = (int)(f.a >> 9) ^ (int)f.b ^ (int)f.a;)
ALONE(
    bit_fields_in_memory,
    global struct {
        uint a : 4;
        uint b : 12;
        int c : 16;
    } *p = (global void *)&out[i];
    p->a = (uint)a[i]; p->b = (uint)b[i]; p->c = (short)(a[i] >> 5); p->b += p->a;)
ALONE(bools, bool x = a[i] > 0; bool y = b[i] & 4; bool t[4]; t[0] = x; t[1] = y; t[2] = x != y; t[3] = !x;
      int r = 0; for (int k = 0; k < 4; k++) r = r * 2 + t[(k + a[i]) & 3]; x |= y;
      out[i] = r * 4 + x + (x && !y) * 2 + (bool)a[i];)
ALONE(bools_in_memory, global bool *p = (global bool *)&out[i]; p[0] = a[i] & 1; p[1] = a[i] > b[i];
      p[2] = p[0] ^ p[1]; p[3] = !p[2];)
ALONE(private_array, int t[16]; for (int k = 0; k < 16; k++) t[(k * 7 + a[i]) & 15] = b[(i + k) & 255];
      int s = 0; for (int k = 0; k < 16; k++) s = s * 3 + t[(k + i) & 15]; out[i] = s;)
ALONE(private_array_2d, short t[5][9];
      for (int k = 0; k < 45; k++) t[k / 9][k % 9] = (short)(a[(i + k) & 255] >> k % 7); int s = 0;
      for (int y = 0; y < 5; y++) for (int x = 0; x < 9; x++) s += t[y][(x + (b[i] & 7)) % 9] * (x + 1);
      out[i] = s;)
ALONE(private_array_initialised, int t[12] = {1, -2, 3, 1000, 5, 66}; char c[40] = "the quick brown fox";
      int zero[20] = {0}; zero[a[i] & 15] += 5;
      out[i] = t[(a[i] & 0xfff) % 12] * c[b[i] & 31] + zero[b[i] & 15] + t[11];)
ALONE(private_array_of_chars, uchar t[64];
      for (int k = 0; k < 64; k++) t[k] = (uchar)(a[(i + k) & 255] >> (k & 7)); uint s = 0;
      for (int k = 0; k < 64; k++) s = s * 31 + t[(k * 13 + b[i]) & 63]; out[i] = (int)s;)
ALONE(private_array_of_longs, long t[8];
      for (int k = 0; k < 8; k++) t[k] = (long)a[(i + k) & 255] * b[(i + 3 * k) & 255]; long s = 0;
      for (int k = 0; k < 8; k++) s ^= t[(k + a[i]) & 7] >> k; out[i] = (int)(s ^ s >> 32);)
ALONE(private_array_of_doubles, double t[8];
      for (int k = 0; k < 8; k++) t[(k + a[i]) & 7] = b[(i + k) & 255] / 256 * 0.5; double s = 0;
      for (int k = 0; k < 8; k++) s += t[k] * k; out[i] = (int)(s / 1024.0);)
ALONE(private_pointers, int x = a[i]; int y = b[i]; int t[4] = {x, y, x ^ y, 7}; int *p = a[i] & 1 ? &x : &y;
      *p += 5; int *q = a[i] & 2 ? p : t + (b[i] & 3); *q ^= 99; int *e = t + 4; int s = 0;
      for (int *w = t; w != e; w++) s = s * 5 + *w; out[i] = s + x * 3 + y;)
ALONE(private_copied, int t[32]; int u[32]; for (int k = 0; k < 32; k++) t[k] = a[(i + k) & 255];
      for (int k = 0; k < 32; k++) u[k] = t[k]; u[b[i] & 31] = 1; for (int k = 0; k < 32; k++) t[k] = 0;
      int s = 0; for (int k = 0; k < 32; k++) s = s * 7 + u[k] + t[(a[i] + k) & 31]; out[i] = s;)
ALONE(
    sorts, int t[24]; for (int k = 0; k < 24; k++) t[k] = a[(i * 3 + k) & 255]; for (int k = 1; k < 24; k++) {
        int x = t[k];
        int j = k - 1;
        while (j >= 0 && t[j] > x) {
            t[j + 1] = t[j];
            j--;
        }
        t[j + 1] = x;
    } int low = 0;
    int high = 24; while (low < high) {
        int m = (low + high) / 2;
        if (t[m] < b[i])
            low = m + 1;
        else
            high = m;
    } out[i] = t[11] + low;)
ALONE(
    gcd, uint x = (uint)a[i]; uint y = (uint)b[i] | 1; while (y != 0) {
        uint t = x % y;
        x = y;
        y = t;
    } out[i] = (int)x;)
ALONE(
    collatz, uint x = ((uint)a[i] & 0xffff) + 1; int n = 0; while (x != 1 && n < 200) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        n++;
    } out[i] = n;)
ALONE(
    fibonacci, uint x = 0; uint y = 1; for (int k = 0; k < (a[i] & 63); k++) {
        uint t = x + y;
        x = y;
        y = t;
    } out[i] = (int)x;)
ALONE(
    do_while, int n = 0; int x = a[i]; do {
        x = x * 5 + 3;
        if (x & 16)
            continue;
        n += x & 3;
        if (n > 20)
            break;
    } while ((x & 15) != 7 && x % 100 != 11);
    out[i] = n * 100 + (x & 63);)
ALONE(
    gotos, int x = a[i] & 1023; int n = 0; if (b[i] & 1) goto inside; outer
    : n += 3;
    inside
    : x = x * 3 / 4;
    n++; if (x > 5) {
        if (x & 2)
            goto outer;
        goto inside;
    } out[i] = n;)
ALONE(
    duff, int n = (a[i] & 31) + 1; int k = (n + 3) / 4; int s = 0; switch (n & 3) {
case 0:
    do {
        s = s * 3 + 1; /* falls through */
    case 3:
        s += 2; /* falls through */
    case 2:
        s ^= b[i]; /* falls through */
    case 1:
        s -= 1;
    } while (--k > 0);
    } out[i] = s;)
ALONE(short_circuit, int n = 0; int r = (a[i] > 0 && (n++, b[i] > 0)) || ((n += 2) && a[i] & 8);
      r += a[i] & 4 ? n++ : (n -= 3); out[i] = r * 16 + n;)
ALONE(promotions, char c = (char)a[i]; uchar u = (uchar)b[i]; short s = (short)a[i]; ushort v = (ushort)b[i];
      c += u; c <<= 1; u >>= 2; u *= c; s /= (u | 1); v %= (c | 1) ? 7 : 3; s -= v; c ^= s;
      out[i] = c + u * 3 + s * 5 + v * 7 + (c < u) + ((uint)c < u);)
ALONE(longs, long x = ((long)a[i] << 31) ^ b[i]; long y = (long)b[i] * 77777; ulong u = (ulong)x;
      long r = x / (y | 1) + x % ((y >> 20) | 1) + (x >> (b[i] & 63)) + (long)(u >> (a[i] & 63)) +
               (x << (a[i] & 31)) + (long)(u / 1000003) + (long)(u % 97);
      out[i] = (int)(r ^ r >> 32);)
ALONE(division_by_constants, int x = a[i]; uint u = (uint)b[i];
      out[i] = x / 7 + x % 10 + x / -3 + x / 16 + x % 16 + (int)(u / 7 + u % 1000 + u / 641) + (short)x / 5 +
               (char)x % 3;)
ALONE(
    reals, float x = a[i] / 65536 * 0.25f; float y = b[i] / 65536 * 0.5f; float s = 0;
    for (int k = 0; k < (a[i] & 7) + 1; k++) {
        s += x * k;
        if (s > y)
            s -= y;
        else if (s < -1000.0f)
            break;
    } out[i] = (int)(s < 1e6f && s > -1e6f ? s : -1.0f);)
ALONE(doubles, double x = a[i] * 0.37; double y = b[i] * 1e-3; double z = x / (y == 0 ? 1 : y) + x * y - y;
      out[i] = (int)(z < 1e9 && z > -1e9 ? z : 5) + (x > y) + (float)x < y;)
ALONE(
    real_bits,
    union {
        float f;
        uint u;
    } v;
    v.u = ((uint)a[i] & 0x7fffff) | 0x3f800000; v.f = v.f * 1.5f; v.u ^= 0x100; v.f /= 3.0f;
    out[i] = (int)v.u;)
SHARED(
    unions, union both {
        long l;
        int i[2];
        short s[4];
        uchar c[8];
    };)
BODY(unions, union both u; u.l = 0; u.i[0] = a[i]; u.i[1] = b[i]; u.s[1] ^= u.s[2]; u.c[a[i] & 7] += 3;
     out[i] = u.i[0] * 3 + u.i[1] + (int)(u.l >> 20);)
SHARED(
    structs, typedef struct {
        int x;
        char y;
        double z;
        int w[3];
    } mixed_t;)
BODY(structs, mixed_t s; mixed_t t[3]; s.x = a[i]; s.y = (char)b[i]; s.z = b[i] * 0.5; s.w[0] = 1;
     s.w[1] = a[i] >> 4; s.w[2] = b[i] ^ 5; t[0] = s; s.w[(a[i] & 0xff) % 3] += s.x; t[1] = s;
     t[2] = t[(a[i] & 0xff) % 2]; t[2].y ^= 3;
     out[i] = t[0].w[(b[i] & 0xff) % 3] + t[2].x * 3 + t[2].y + (int)t[1].z + t[2].w[1] - t[1].w[2];)
SHARED(
    structs_by_value,
    typedef struct {
        int x;
        short y;
        uchar c[5];
    } small_t;
    typedef struct {
        small_t s[3];
        long l;
    } large_t;
    noinline_ small_t turn(small_t s, int n) {
        s.x += n;
        s.y = (short)(s.y * 2);
        s.c[n & 3] ^= 1;
        return s;
    } noinline_ int total(large_t g) {
        int r = (int)g.l;
        for (int k = 0; k < 3; k++)
            r = r * 3 + g.s[k].x + g.s[k].y + g.s[k].c[k + 1];
        g.l = 0;
        return r;
    })
BODY(
    structs_by_value, large_t g; g.l = b[i]; for (int k = 0; k < 3; k++) {
        small_t s;
        s.x = a[i] + k;
        s.y = (short)b[i];
        for (int j = 0; j < 5; j++)
            s.c[j] = (uchar)(a[i] >> j);
        g.s[k] = turn(s, b[i] + k);
    } out[i] = total(g) + (int)g.l;)
SHARED(
    struct_of_3_bytes,
    typedef struct {
        uchar r;
        uchar g;
        uchar b;
    } rgb_t;
    noinline_ rgb_t darker(rgb_t c) {
        c.r /= 2;
        c.g = (uchar)(c.g / 2 + c.b);
        c.b ^= c.r;
        return c;
    })
BODY(
    struct_of_3_bytes, rgb_t c; c.r = (uchar)a[i]; c.g = (uchar)b[i]; c.b = (uchar)(a[i] >> 8); rgb_t t[4];
    for (int k = 0; k < 4; k++) {
        c = darker(c);
        t[(k + b[i]) & 3] = c;
    } out[i] = t[1].r * 65536 + t[2].g * 256 + t[a[i] & 3].b;)
SHARED(
    packed_struct, typedef struct __attribute__((packed)) {
        char c;
        int x;
        short s;
        long l;
    } packed_t;)
BODY(
    packed_struct, packed_t t[3]; for (int k = 0; k < 3; k++) {
        t[k].c = (char)(a[i] + k);
        t[k].x = b[i] * k;
        t[k].s = (short)(a[i] >> k);
        t[k].l = (long)a[i] * b[i];
    } packed_t *p = &t[(a[i] & 255) % 3];
    out[i] = p->c + p->x + p->s + (int)(p->l >> 7) + (int)sizeof(packed_t);)
SHARED(
    struct_in_memory, typedef struct {
        int x;
        short y;
        char c;
    } cell_t;)
BODY(
    struct_in_memory, global cell_t *p = (global cell_t *)a; global cell_t *q = (global cell_t *)out;
    if (i < 128) {
        cell_t s = p[i];
        s.x += s.y;
        s.c ^= 1;
        q[i].x = s.x;
        q[i].y = (short)(s.y + s.c);
        q[i].c = s.c;
    })
SHARED(
    linked, typedef struct {
        int value;
        int next;
    } node_t;)
BODY(
    linked, node_t t[10]; for (int k = 0; k < 10; k++) {
        t[k].value = a[(i + k) & 255];
        t[k].next = (k * 3 + (b[i] & 7)) % 10;
    } int n = 0;
    int s = 0; for (int k = 0; k < 15; k++) {
        s = s * 3 + t[n].value;
        n = t[n].next;
    } out[i] = s;)
SHARED(
    call_chain, noinline_ int c1(int x) { return x * 3 + 1; } noinline_ int c2(int x) {
        return c1(x) ^ x;
    } noinline_ int c3(int x) { return c2(x + 1) - c1(x); } noinline_ int c4(int x) {
        return x & 1 ? c3(x) : c2(x);
    } noinline_ int c5(int x) {
        int s = 0;
        for (int k = 0; k < (x & 3); k++)
            s += c4(x + k);
        return s;
    } noinline_ int c6(int x) { return c5(x) + c5(x >> 2); } noinline_ int c7(int x) {
        return c6(x ^ 0x55);
    } noinline_ int c8(int x) {
        int t[4] = {x, c7(x), 2, 3};
        return t[x & 3] + t[1];
    } noinline_ int c9(int x) { return c8(x) * 5 - c8(x + 1); } noinline_ int c10(int x) {
        return c9(c9(x) & 0xff);
    })
BODY(call_chain, out[i] = c10(a[i]) + c10(b[i]);)
SHARED(
    call_inlined, int d1(int x) { return x * 3 + 1; } int d2(int x, int *p) {
        *p += d1(x);
        return d1(x ^ 5);
    } int d3(int x) {
        int s = 0;
        for (int k = 0; k < 5; k++)
            s += d2(x + k, &s);
        return s;
    })
BODY(call_inlined, out[i] = d3(a[i]) ^ d3(b[i]);)
SHARED(
    call_with_pointers,
    noinline_ void swap_parts(int *x, int *y, long *sum) {
        int t = *x;
        *x = *y;
        *y = t;
        *sum += t;
    } noinline_ int sum_of(int *t, int n) {
        int s = 0;
        for (int k = 0; k < n; k++)
            s += t[k] * k;
        return s;
    })
BODY(call_with_pointers, int t[8]; long sum = 0; for (int k = 0; k < 8; k++) t[k] = a[(i + k) & 255];
     for (int k = 0; k < 7; k++) if (t[k] > t[k + 1]) swap_parts(&t[k], &t[k + 1], &sum);
     out[i] = sum_of(t, (b[i] & 7) + 1) + (int)sum;)
SHARED(
    call_with_memory,
    noinline_ int fetch(global int *p, int k) {
        int s = 0;
        for (int j = 0; j < (k & 3); j++)
            s += p[(k + 64 * j) & 255];
        return s;
    } noinline_ void put(global int *p, int k, int x) {
        if (x & 1)
            p[k] = x;
        else
            p[k] = fetch(p, k + 1) * 0 + x * 2;
    })
BODY(call_with_memory, put(out, i, fetch(a, i) + fetch(b, i + 1));)
SHARED(
    call_many_args, noinline_ long many(char a1, uchar a2, short a3, ushort a4, int a5, uint a6, long a7,
                                        ulong a8, float a9, double a10, bool a11, int a12) {
        return a1 + a2 * 2L + a3 * 3L + a4 * 4L + a5 * 5L + a6 * 6L + a7 * 7L + (long)a8 * 8L +
               (long)a9 * 9L + (long)a10 * 10L + a11 * 11L + a12 * 12L;
    })
BODY(call_many_args,
     out[i] = (int)many((char)a[i], (uchar)b[i], (short)a[i], (ushort)b[i], a[i], (uint)b[i], a[i],
                        (ulong)b[i], (float)(a[i] & 0xffff), b[i] & 0xffff, a[i] & 1, b[i] & 7);)
ALONE(bytes_in_memory, global uchar *p = (global uchar *)out; global ushort *q = (global ushort *)out;
      p[4 * i] = (uchar)a[i]; p[4 * i + 1] = (uchar)(b[i] >> 3); q[2 * i + 1] = (ushort)(a[i] ^ b[i]);
      p[4 * i + 2] += 1;)
ALONE(longs_in_memory, global long *p = (global long *)a; global ulong *q = (global ulong *)out;
      if (i < 128) q[i] = (ulong)p[i] * 3 + (ulong)p[127 - i];)
ALONE(scattered, if (i % 3 == 0) out[(i * 7) & 255] = a[(a[i] & 255)] + b[b[i] & 255];)
ALONE(volatiles, volatile int x = a[i]; volatile int t[3]; t[0] = x; t[1] = x; x = b[i];
      t[2] = x + t[(b[i] & 255) % 2]; out[i] = t[2];)
ALONE(
    crc, uint c = 0xffffffffu; for (int k = 0; k < 4; k++) {
        c ^= (uint)a[i] >> (8 * k) & 255;
        for (int j = 0; j < 8; j++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    } out[i] = (int)~c;)
SHARED(
    constant_table, constant int squares[10] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
    constant short grid[3][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {-11, -12, -13, -14, -15}};
    constant double halves[4] = {0.5, 1.5, 2.5, 1e3}; typedef struct {
        int k;
        char name[6];
        float f;
    } row_t;
    constant row_t rows[3] = {{1, "one", 1.5f}, {2, "two", 2.5f}, {300, "three", -4.0f}};
    constant long big = 0x123456789abcdefL;)
BODY(constant_table, int k = a[i] & 255; int m = b[i] & 255;
     out[i] = squares[k % 10] + grid[k % 3][m % 5] * 100 + (int)(halves[m & 3] * 4) + rows[m % 3].k * 7 +
              rows[k % 3].name[m % 6] + (int)(rows[k % 3].f * 2) + (int)(big >> (k & 63));)
ALONE(
    early_return,
    if (a[i] < 0) {
        out[i] = -1;
        return;
    } for (int k = 0; k < 10; k++) {
        if (b[(i + k) & 255] > a[i]) {
            out[i] = k;
            return;
        }
    } out[i] = 77;)
ALONE(
    nested_loops, int s = 0; for (int x = 0; x < (a[i] & 7); x++) {
        for (int y = x; y < 9; y++) {
            if ((x * y + b[i]) % 5 == 0)
                continue;
            for (int z = 0; z < 3; z++) {
                s += x * y * z + 1;
                if (s % 17 == 0)
                    goto next;
            }
        }
        s ^= 3;
    next:;
    } out[i] = s;)
ALONE(
    many_values, int x0 = a[i]; int x1 = b[i]; int x2 = x0 + x1; int x3 = x1 ^ x2;
    for (int k = 0; k < 20; k++) {
        int t = x0;
        x0 = x1 + (x3 >> 2);
        x1 = x2 ^ (t << 3);
        x2 = x3 - k;
        x3 = t + x0;
    } out[i] = x0 ^ x1 ^ x2 ^ x3;)
ALONE(min_max, int x = a[i] < b[i] ? a[i] : b[i]; uint y = (uint)a[i] > (uint)b[i] ? (uint)a[i] : (uint)b[i];
      long l = (long)a[i] * 3; short s = (short)a[i]; s = s > 100    ? 100
                                                          : s < -100 ? -100
                                                                     : s;
      out[i] = x + (int)y * 3 + (int)l * 5 + s;)

ALONE(abs_idiom, int x = a[i]; long y = b[i]; out[i] = (x < 0 ? -x : x) + (int)(y < 0 ? -y : y);)
ALONE(saturating_idiom, uint x = (uint)a[i]; uint y = (uint)b[i];
      out[i] = (int)(x > y ? x - y : 0) + (int)(x + y < x ? 0xffffffffu : x + y);)
ALONE(rotate_idiom, uint x = (uint)a[i];
      out[i] = (int)(x << 7 | x >> 25) ^ (int)(x << (b[i] & 31) | x >> (-b[i] & 31));)
ALONE(
    popcount_idiom, uint x = (uint)a[i]; int n = 0; while (x) {
        x &= x - 1;
        n++;
    } out[i] = n;)
ALONE(overflow_idiom, uint x = (uint)a[i]; uint y = (uint)b[i]; uint s = x + y; ulong p = (ulong)x * y;
      int carry = s < x; out[i] = (int)s + carry * 5 + (int)(p >> 32) + (p >> 32 != 0 ? 3 : 0);)
ALONE(signed_saturating_idiom, long s = (long)a[i] + b[i]; s = s > 2147483647L        ? 2147483647L
                                                               : s < -2147483647L - 1 ? -2147483647L - 1
                                                                                      : s;
      out[i] = (int)s;)
ALONE(bit_reverse_idiom, uint x = (uint)a[i]; x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
      x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
      x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
      x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8; x = x >> 16 | x << 16; out[i] = (int)x;)
ALONE(real_idioms, float x = (float)(a[i] & 0xffff) - 30000.0f; double y = (b[i] & 0xffff) - 3e4;
      float z = x < 0 ? -x : x; double w = y > 0 ? y : -y; float m = x < z ? x : z;
      out[i] = (int)z + (int)w * 3 + (int)m * 5 + (x != x);)
ALONE(compiler_builtins, uint x = (uint)a[i] | 1; ulong y = (ulong)b[i] | 1;
      out[i] = __builtin_popcount(x) + __builtin_clz(x) * 3 + __builtin_ctzl(y) * 5 +
               (__builtin_expect(a[i] > b[i], 1) ? 7 : 11) + (int)__builtin_bswap32(x);)

#define ROW(name)                                                                                            \
    {                                                                                                        \
#name, name##_shared, name##_text, name##_body                                                       \
    }
static const struct control controls[] = {
    ROW(switch_3_bits),
    ROW(switch_all_of_3_bits),
    ROW(switch_5_bits),
    ROW(switch_1_bit),
    ROW(switch_2_bits_unsigned),
    ROW(switch_4_bits_uchar),
    ROW(switch_7_bits_short),
    ROW(switch_long),
    ROW(switch_negative),
    ROW(switch_sparse),
    ROW(switch_in_switch),
    ROW(switch_memory),
    ROW(switch_return),
    ROW(odd_compare),
    ROW(odd_phi),
    ROW(odd_shift),
    ROW(odd_sign),
    ROW(bswap),
    ROW(bit_fields),
    ROW(bit_fields_64),
    ROW(bit_fields_in_memory),
    ROW(bools),
    ROW(bools_in_memory),
    ROW(private_array),
    ROW(private_array_2d),
    ROW(private_array_initialised),
    ROW(private_array_of_chars),
    ROW(private_array_of_longs),
    ROW(private_array_of_doubles),
    ROW(private_pointers),
    ROW(private_copied),
    ROW(sorts),
    ROW(gcd),
    ROW(collatz),
    ROW(fibonacci),
    ROW(do_while),
    ROW(gotos),
    ROW(duff),
    ROW(short_circuit),
    ROW(promotions),
    ROW(longs),
    ROW(division_by_constants),
    ROW(reals),
    ROW(doubles),
    ROW(real_bits),
    ROW(unions),
    ROW(structs),
    ROW(structs_by_value),
    ROW(struct_of_3_bytes),
    ROW(packed_struct),
    ROW(struct_in_memory),
    ROW(linked),
    ROW(call_chain),
    ROW(call_inlined),
    ROW(call_with_pointers),
    ROW(call_with_memory),
    ROW(call_many_args),
    ROW(bytes_in_memory),
    ROW(longs_in_memory),
    ROW(scattered),
    ROW(volatiles),
    ROW(crc),
    ROW(constant_table),
    ROW(early_return),
    ROW(nested_loops),
    ROW(many_values),
    ROW(min_max),
    ROW(abs_idiom),
    ROW(saturating_idiom),
    ROW(rotate_idiom),
    ROW(popcount_idiom),
    ROW(overflow_idiom),
    ROW(signed_saturating_idiom),
    ROW(bit_reverse_idiom),
    ROW(real_idioms),
    ROW(compiler_builtins),
};

static void run_control(const struct feature *f)
{
    const struct control *c = f->detail;
    static int a[ITEMS], b[ITEMS], got[ITEMS], want[ITEMS];
    fill(INT, a, ITEMS);
    fill(INT, b, ITEMS);
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    for (int i = 0; i < ITEMS; i++)
        c->body(i, a, b, want);
    launch(text("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                "#pragma OPENCL EXTENSION __cl_clang_bitfields : enable\n#define noinline_ "
                "__attribute__((noinline))\n"
                "%s\nkernel void k(global int *a, global int *b, global int *out) {\n  int i = "
                "get_global_id(0);\n  %s\n}\n",
                c->shared, c->text),
           &SHAPE_1D(ITEMS, 64),
           (const struct arg[]){BUFFER_ARG(a), BUFFER_ARG(b), BUFFER_ARG(got), END_ARG});
    expect(INT, got, want, ITEMS, 0);
}

void add_control_features(void)
{
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++)
        add_feature(
            (struct feature){text("control.%s", controls[i].name), run_control, &controls[i], INT, INT, 0});
}
