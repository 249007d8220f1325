/* SPDX-License-Identifier: MIT */
/* import/asim_scan.h - numbers and words of a line. A line ends with a '\n', which is part of none of them,
 * so no length is passed. Each function moves *at past what it took, or leaves it alone if there is nothing
 * to take. */
#ifndef WW_IMPORT_ASIM_SCAN_H
#define WW_IMPORT_ASIM_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool asim_is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* True at the end of a word. */
static inline bool asim_is_end(char c)
{
    return asim_is_space(c) || c == '\n';
}

static inline bool asim_is_capital(char c)
{
    return (unsigned)(c - 'A') < 26;
}

static inline void asim_skip(const char **at)
{
    while (asim_is_space(**at))
        ++*at;
}

static inline bool asim_dec(const char **at, uint64_t *value)
{
    const char *p = *at;
    uint64_t v = 0;
    for (; (unsigned)(*p - '0') < 10; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    if (p == *at)
        return false;
    *at = p;
    *value = v;
    return true;
}

static inline uint32_t asim_digit(char c)
{
    uint32_t decimal = (uint32_t)(unsigned char)c - '0', letter = ((uint32_t)(unsigned char)c | 32) - 'a';
    return decimal < 10 ? decimal : letter < 6 ? letter + 10 : 16;
}

/* Takes up to 16 digits after leading zeros. */
static inline bool asim_hex(const char **at, uint64_t *value)
{
    const char *p = *at;
    uint64_t v = 0;
    for (uint32_t digit; (digit = asim_digit(*p)) < 16; p++) {
        if (v >> 60)
            return false;
        v = v << 4 | digit;
    }
    if (p == *at)
        return false;
    *at = p;
    *value = v;
    return true;
}

/* Takes 0x and up to 16 digits. */
static inline bool asim_address(const char **at, uint64_t *value)
{
    const char *p = *at;
    if (p[0] != '0' || p[1] != 'x')
        return false;
    p += 2;
    if (!asim_hex(&p, value))
        return false;
    *at = p;
    return true;
}

/* Takes a signed number; *value is modulo 2^64. */
static inline bool asim_signed(const char **at, uint64_t *value)
{
    const char *p = *at;
    bool negative = *p == '-';
    uint64_t v;
    p += negative;
    if (!asim_dec(&p, &v) || v > (UINT64_C(1) << 63) - !negative)
        return false;
    *at = p;
    *value = negative ? 0 - v : v;
    return true;
}

static inline size_t asim_word_bytes(const char *p)
{
    size_t n = 0;
    while (!asim_is_end(p[n]))
        n++;
    return n;
}

/* Takes the text if *at begins with it. */
static inline bool asim_take(const char **at, const char *text)
{
    const char *p = *at;
    for (; *text; text++, p++)
        if (*p != *text)
            return false;
    *at = p;
    return true;
}

/* True if the line is exactly this text. */
static inline bool asim_is_line(const char *p, const char *text)
{
    return asim_take(&p, text) && (asim_skip(&p), *p == '\n');
}

#endif
