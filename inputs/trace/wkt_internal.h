/* SPDX-License-Identifier: MIT */
/* trace/wkt_internal.h - common parts of the writer and reader of `.wkt`: sizes, flags, numbers
 * (docs/develop/trace-format.md). Everything in the file is little-endian. Only the byte buffer allocates. */
#ifndef WW_TRACE_WKT_INTERNAL_H
#define WW_TRACE_WKT_INTERNAL_H

#include "trace/wkt.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Header: magic 8, version 4, wave lanes 4, hash of the preceding 16 bytes 8. */
#define WKT_MAGIC "\x89WKT\r\n\x1a\n"
#define WKT_HEADER_BYTES 24u
/* Flags of the index. After the totals, version 2 has: launches of the whole 4, zero 4, work-groups of the
 * whole 8, lanes left out 8. Then version 4: type of the device 4, its compute units 4, items of a work-group
 * 4, exit code 4. After the launches of version 3, and of those so flagged from version 4 on, their roots, 8
 * bytes each. */
#define WKT_I_PARTIAL 1u
#define WKT_I_PART 2u
#define WKT_I_ROOTED 4u
#define WKT_MISSING_BYTES 24u
#define WKT_DEVICE_BYTES 16u
#define WKT_EXIT_CODE_MAX 255u
/* Between the strings of the index and the missing counts. */
#define WKT_COUNTS_BYTES (44u + 16u * WKT_KINDS)
/* Footer: index offset 8, index bytes 8, index raw bytes 8, hash 8, end magic 8. */
#define WKT_END_MAGIC "WKT-END\n"
#define WKT_FOOTER_BYTES 40u
/* Source lines of version 5, between index and footer: raw bytes 8, hash of those and of the frame 8, then
 * the frame. */
#define WKT_LINES_HEADER_BYTES 16u
#define WKT_LINE_MIN_BYTES 16u    /* pc 4, line 4, lengths of file and text 4 each */
#define WKT_LINES_NONE UINT32_MAX /* instead of the number of a launch's table */
#define WKT_LINES_MAX                                                                                        \
    (1u << 28) /* most bytes of their tables, decompressed, without counts and launches' numbers */
/* Index entry of a group: stored bytes 4, raw bytes 4, hash of the stored bytes 8. */
#define WKT_GROUP_ENTRY_BYTES 16u
/* Group: waves 4, zero 4, then a wave header each: record bytes 4, use bytes 4, sites 4, records 4, tail 4,
 * zero 4, lanes 8; then each wave's records and use distances. */
#define WKT_GROUP_HEADER_BYTES 8u
#define WKT_WAVE_HEADER_BYTES 32u
#define WKT_SITE_MIN_BYTES 4u    /* flags, pc, kind, bytes: no stream holds more sites than bytes / 4 */
#define WKT_RECORD_MIN_BYTES 2u  /* flags, site */
#define WKT_RAW_MAX (1u << 30)   /* most of a work-group, decompressed */
#define WKT_INDEX_MAX (1u << 30) /* most of the index, decompressed */
#define WKT_ZSTD_RATIO 32768u    /* zstd's own bound: a block of 128 KiB takes at least 4 bytes */
#define WKT_BYTES_MAX 128u       /* per lane: double16 */

/* First byte of a record. */
#define WKT_F_FORM 0x03u
#define WKT_F_MASK 0x04u    /* the mask differs from the previous record's */
#define WKT_F_COMPUTE 0x08u /* the site's compute count differs from its last one */
#define WKT_F_SHAPE 0x10u   /* the site's stride, or tile, differs from its last one */
#define WKT_F_BASE 0x20u    /* the site's base moved by another step than the last time */
#define WKT_F_SITE 0x40u    /* first record of this site */
#define WKT_F_ZERO 0x80u

/* A static instruction within one wave, with its last record: the next is written as a difference. */
struct wkt_site {
    uint64_t base, step, stride, pitch;
    uint32_t pc, compute, use;
    uint8_t kind, bytes, width, phase;
};

static inline void wkt_put32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static inline void wkt_put64(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static inline uint32_t wkt_get32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t wkt_get64(const uint8_t *p)
{
    return (uint64_t)wkt_get32(p) | (uint64_t)wkt_get32(p + 4) << 32;
}

static inline bool wkt_legal_wave_lanes(uint32_t lanes)
{
    return lanes == 32 || lanes == WKT_WAVE_LANES;
}

/* True if lanes has some that a wave of n lanes does not have. */
static inline bool wkt_beyond_wave(uint64_t lanes, uint32_t n)
{
    return n < WKT_WAVE_LANES && lanes >> n != 0;
}

/* Differences are modulo 2^64; zigzag puts the sign into bit 0. */
static inline uint64_t wkt_zigzag(uint64_t v)
{
    return (v << 1) ^ (0 - (v >> 63));
}

static inline uint64_t wkt_unzigzag(uint64_t v)
{
    return (v >> 1) ^ (0 - (v & 1));
}

static inline uint32_t wkt_count64(uint64_t v)
{
    return (uint32_t)__builtin_popcountll(v);
}

static inline uint32_t wkt_first64(uint64_t v)
{
    return (uint32_t)__builtin_ctzll(v);
}

/* Returns the version for the footer's hash, which excludes lines: a trace has the same hash with and without
 * them. */
static inline uint32_t wkt_hashed_version(uint32_t version)
{
    return version < WKT_VERSION_LINES ? version : WKT_VERSION_DEVICE;
}

/* Makes the footer of a file whose first 16 bytes are `start`, with an index of n bytes, raw_bytes before
 * compression, at `offset`. */
void wkt_footer(uint8_t footer[WKT_FOOTER_BYTES], const uint8_t start[16], uint64_t offset, const void *index,
                size_t n, uint64_t raw_bytes);

struct wkt_buf {
    uint8_t *p;
    size_t n, cap;
};

bool wkt_buf_room(struct wkt_buf *b, size_t more); /* false: out of memory */

/* Required: the caller has made room. */
static inline void wkt_buf_u32(struct wkt_buf *b, uint32_t v)
{
    wkt_put32(b->p + b->n, v);
    b->n += 4;
}

/* Appends a string after its length. Required: the caller has made room. */
static inline void wkt_buf_string(struct wkt_buf *b, const char *s)
{
    size_t n = strlen(s);
    wkt_buf_u32(b, (uint32_t)n);
    memcpy(b->p + b->n, s, n);
    b->n += n;
}

static inline void wkt_buf_u8(struct wkt_buf *b, uint8_t v)
{
    b->p[b->n++] = v;
}

/* Appends at most 10 bytes. Required: the caller has made room. */
static inline void wkt_buf_varint(struct wkt_buf *b, uint64_t v)
{
    while (v >= 0x80) {
        b->p[b->n++] = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    b->p[b->n++] = (uint8_t)v;
}

/* Fills *e (may be NULL) and returns `code`. `offset` UINT64_MAX: none is named. */
int wkt_fail(struct wkt_error *e, int code, const char *path, uint64_t offset, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The same for a file that cannot be written: WKT_E_IO, "cannot `what`", and why by errno. */
int wkt_cannot(struct wkt_error *e, const char *path, uint64_t offset, const char *what);

/* Contents of a finished packer. */
struct wkt_packed {
    const uint8_t *stored;
    uint32_t stored_bytes, raw_bytes, wave_lanes;
    uint64_t hash;
    struct wkt_totals totals; /* groups == 1 */
};
/* Makes the group before compression, instead of wkt_packer_end(); valid until the next call. */
int wkt_packer_lay_out(struct wkt_packer *p, const struct wkt_buf **raw);
const struct wkt_packed *wkt_packer_result(const struct wkt_packer *p); /* NULL before wkt_packer_end() */

/* Adds a buffer seen by the launches that it states; end_launch UINT32_MAX: by all from the first on. */
int wkt_writer_buffer_stated(struct wkt_writer *w, const struct wkt_buffer *b, struct wkt_error *error);

/* Adds with saturation. */
static inline uint64_t wkt_sum64(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Returns WKT_OK, WKT_E_FORMAT naming two buffers that a launch sees at one address, or WKT_E_MEMORY. */
int wkt_buffers_apart(const struct wkt_buffer *buffers, uint32_t n, const char *path, struct wkt_error *e);

void wkt_totals_add(struct wkt_totals *sum, const struct wkt_totals *t);

#ifdef __cplusplus
}
#endif

#endif
