/* SPDX-License-Identifier: MIT */
/* trace/wkt_reader.c - opens a trace, checks its index, loads work-groups (docs/develop/trace-format.md).
 * A size read from the file is used only after a check that the file has enough bytes for it.
 * Memory: the index (16 bytes per work-group and its offset), source lines if the trace has them, and the
 * groups that the caller holds. */
#define _POSIX_C_SOURCE 200809L
#include "trace/wkt_lines.h"
#include "trace/wkt_reader_internal.h"
#include "trace/wkt_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

bool wkt_read_at(const struct wkt_reader *r, void *to, size_t n, uint64_t offset, struct wkt_error *e)
{
    uint8_t *p = to;
    while (n) {
        ssize_t got = pread(r->fd, p, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            wkt_fail(e, WKT_E_IO, r->path, offset, "cannot read: %s", strerror(errno));
            return false;
        }
        if (got == 0) {
            wkt_fail(e, WKT_E_TRUNCATED, r->path, offset, "the file ended while it was being read");
            return false;
        }
        p += got;
        offset += (uint64_t)got;
        n -= (size_t)got;
    }
    return true;
}

/* ---- open ---- */

static int parse_launches(struct wkt_reader *r, struct wkt_scan *s)
{
    for (uint32_t i = 0; i < r->info.launches && !s->bad; i++) {
        struct wkt_launch *l = &r->launches[i];
        const uint8_t *name = wkt_scan_bytes(s, WKT_NAME_BYTES);
        if (!name || name[WKT_NAME_BYTES - 1] != 0)
            return -1;
        memcpy(l->name, name, WKT_NAME_BYTES);
        for (int d = 0; d < 3; d++)
            l->grid[d] = wkt_scan32(s);
        for (int d = 0; d < 3; d++)
            l->group[d] = wkt_scan32(s);
        l->lds_bytes = wkt_scan32(s);
        l->code_bytes = wkt_scan32(s);
        l->groups = wkt_scan32(s);
        l->first_group = i ? r->launches[i - 1].first_group + r->launches[i - 1].groups : 0;
        if (!l->grid[0] || !l->grid[1] || !l->grid[2] || !l->group[0] || !l->group[1] || !l->group[2])
            return -1;
    }
    uint32_t n = r->info.launches;
    uint64_t groups = n ? r->launches[n - 1].first_group + r->launches[n - 1].groups : 0;
    return s->bad || groups != r->info.totals.groups ? -1 : 0;
}

/* Parses the roots of all launches, if the trace states them. */
static int parse_roots(struct wkt_reader *r, struct wkt_scan *s)
{
    for (uint32_t i = 0; i < r->info.launches && r->info.rooted; i++) {
        r->launches[i].root = wkt_scan64(s);
        if (!wkt_root_legal(r->launches[i].root))
            return -1;
    }
    return s->bad ? -1 : 0;
}

static int parse_buffers(struct wkt_reader *r, struct wkt_scan *s)
{
    for (uint32_t i = 0; i < r->info.buffers && !s->bad; i++) {
        struct wkt_buffer *b = &r->buffers[i];
        b->base_va = wkt_scan64(s);
        b->bytes = wkt_scan64(s);
        b->flags = wkt_scan32(s);
        b->first_launch = wkt_scan32(s);
        b->end_launch = wkt_scan32(s);
        if (b->bytes > UINT64_MAX - b->base_va || b->first_launch > b->end_launch ||
            b->end_launch > r->info.launches)
            return -1;
    }
    return s->bad ? -1 : 0;
}

/* Computes the offsets of the groups, which must fill the file from header to index. */
static int parse_groups(struct wkt_reader *r, struct wkt_scan *s, uint64_t index_offset)
{
    uint64_t groups = r->info.totals.groups, at = WKT_HEADER_BYTES;
    r->entries = wkt_scan_bytes(s, groups * WKT_GROUP_ENTRY_BYTES);
    if (s->bad || s->at != s->end)
        return -1;
    uint64_t raw_sum = 0;
    for (uint64_t i = 0; i < groups; i++) {
        r->offsets[i] = at;
        at += wkt_get32(r->entries + i * WKT_GROUP_ENTRY_BYTES);
        raw_sum += wkt_get32(r->entries + i * WKT_GROUP_ENTRY_BYTES + 4);
    }
    r->offsets[groups] = at;
    return at == index_offset && raw_sum == r->info.raw_bytes ? 0 : -1;
}

/* Version 1 does not state the size of the whole trace; the launches' ranges give it. */
static int count_missing(struct wkt_reader *r)
{
    if (r->info.version == WKT_VERSION_WHOLE) {
        r->info.whole_launches = r->info.launches;
        for (uint32_t i = 0; i < r->info.launches; i++)
            r->info.whole_groups = wkt_sum64(r->info.whole_groups, wkt_launch_groups(&r->launches[i]));
    }
    return r->info.whole_launches >= r->info.launches && r->info.whole_groups >= r->info.totals.groups ? 0
                                                                                                       : -1;
}

/* Parses what version 4 adds: the device and the exit code. */
static bool parse_device(struct wkt_reader *r, struct wkt_scan *s)
{
    struct wkt_device *d = &r->info.device;
    d->type = wkt_scan32(s);
    d->compute_units = wkt_scan32(s);
    d->group_items = wkt_scan32(s);
    r->info.exit_code = wkt_scan32(s);
    return wkt_device_legal(d) && r->info.exit_code <= WKT_EXIT_CODE_MAX;
}

/* Returns the flags of the index that a version defines. */
static uint32_t known_flags(uint32_t version)
{
    return WKT_I_PARTIAL | (version >= WKT_VERSION_MISSING ? WKT_I_PART : 0) |
           (version >= WKT_VERSION_DEVICE ? WKT_I_ROOTED : 0);
}

static int parse_index(struct wkt_reader *r, size_t n, uint64_t index_offset, struct wkt_error *e)
{
    struct wkt_scan s = {r->index, r->index + n, false};
    struct wkt_totals *t = &r->info.totals;
    /* three terminated strings fit into the bytes of the strings and their lengths */
    char *to = r->strings = malloc(n + 4);
    if (!to)
        return wkt_fail(e, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory for the index");
    r->info.program = wkt_scan_string(&s, &to);
    r->info.command = wkt_scan_string(&s, &to);
    r->info.producer = wkt_scan_string(&s, &to);
    const bool whole = r->info.version == WKT_VERSION_WHOLE;
    uint32_t flags = wkt_scan32(&s), zero = 0;
    bool legal = (flags & ~known_flags(r->info.version)) == 0;
    r->info.partial = flags & WKT_I_PARTIAL;
    r->info.part = flags & WKT_I_PART;
    r->info.rooted = r->info.version == WKT_VERSION_ROOTS || flags & WKT_I_ROOTED;
    r->info.launches = wkt_scan32(&s);
    r->info.buffers = wkt_scan32(&s);
    r->info.raw_bytes = wkt_scan64(&s);
    t->groups = wkt_scan64(&s);
    t->waves = wkt_scan64(&s);
    for (int k = 0; k < WKT_KINDS; k++)
        t->records[k] = wkt_scan64(&s);
    for (int k = 0; k < WKT_KINDS; k++)
        t->lanes[k] = wkt_scan64(&s);
    t->compute = wkt_scan64(&s);
    r->info.counted = true;
    if (!whole) {
        r->info.whole_launches = wkt_scan32(&s);
        zero = wkt_scan32(&s);
        r->info.whole_groups = wkt_scan64(&s);
        r->info.lanes_left_out = wkt_scan64(&s);
    }
    if (r->info.version >= WKT_VERSION_DEVICE)
        legal = parse_device(r, &s) && legal;
    uint64_t left = (uint64_t)(s.end - s.at);
    if (s.bad || !legal || zero || r->info.launches > left / WKT_NAME_BYTES || r->info.buffers > left / 28 ||
        t->groups > left / WKT_GROUP_ENTRY_BYTES)
        return wkt_fail(e, WKT_E_FORMAT, r->path, index_offset, "the index contradicts itself");
    r->launches = calloc((size_t)r->info.launches + 1, sizeof *r->launches);
    r->buffers = calloc((size_t)r->info.buffers + 1, sizeof *r->buffers);
    r->offsets = calloc((size_t)t->groups + 1, sizeof *r->offsets);
    if (!r->launches || !r->buffers || !r->offsets)
        return wkt_fail(e, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory for the index");
    if (parse_launches(r, &s) || parse_roots(r, &s) || parse_buffers(r, &s) ||
        parse_groups(r, &s, index_offset) || count_missing(r))
        return wkt_fail(e, WKT_E_FORMAT, r->path, index_offset, "the index contradicts itself");
    return wkt_buffers_apart(r->buffers, r->info.buffers, r->path, e);
}

/* Reads the source lines, which lie from `at` to `end` in the file. */
static int read_lines(struct wkt_reader *r, uint64_t at, uint64_t end, struct wkt_error *e)
{
    const size_t n = (size_t)(end - at);
    uint8_t *packed = malloc(n ? n : 1);
    if (!packed)
        return wkt_fail(e, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory for the source lines");
    int status = wkt_read_at(r, packed, n, at, e) ? WKT_OK : e ? e->code : WKT_E_IO;
    if (!status) {
        const char *why;
        status = wkt_lines_unpack(packed, n, r->info.launches, r->zstd, &r->lines, &why);
        if (status)
            wkt_fail(e, status, r->path, at, "%s", why);
    }
    free(packed);
    r->lines_at = at;
    return status;
}

static int read_index(struct wkt_reader *r, struct wkt_error *e)
{
    uint64_t size = r->info.file_bytes;
    uint8_t header[WKT_HEADER_BYTES], footer[WKT_FOOTER_BYTES];
    if (size < WKT_HEADER_BYTES)
        return wkt_fail(e, WKT_E_FORMAT, r->path, 0, "not a wavefront trace: only %llu bytes",
                        (unsigned long long)size);
    if (!wkt_read_at(r, header, sizeof header, 0, e))
        return e ? e->code : WKT_E_IO;
    if (memcmp(header, WKT_MAGIC, 8) != 0)
        return wkt_fail(e, WKT_E_FORMAT, r->path, 0, "not a wavefront trace");
    uint64_t header_hash = wkt_hash64(header, 16, 0);
    if (header_hash != wkt_get64(header + 16))
        return wkt_fail(e, WKT_E_CHECKSUM, r->path, 0, "the header is damaged");
    r->info.version = wkt_get32(header + 8);
    r->info.wave_lanes = wkt_get32(header + 12);
    if (r->info.version < WKT_VERSION_WHOLE || r->info.version > WKT_VERSION ||
        !wkt_legal_wave_lanes(r->info.wave_lanes))
        return wkt_fail(e, WKT_E_VERSION, r->path, 8,
                        "format version %u with %u lanes; this program reads %u to %u with 32 or %u",
                        r->info.version, r->info.wave_lanes, WKT_VERSION_WHOLE, WKT_VERSION, WKT_WAVE_LANES);
    if (size < WKT_HEADER_BYTES + WKT_FOOTER_BYTES)
        return wkt_fail(e, WKT_E_TRUNCATED, r->path, size,
                        "truncated: it has no index; the capture was interrupted");
    uint64_t footer_at = size - WKT_FOOTER_BYTES;
    if (!wkt_read_at(r, footer, sizeof footer, footer_at, e))
        return e ? e->code : WKT_E_IO;
    if (memcmp(footer + 32, WKT_END_MAGIC, 8) != 0)
        return wkt_fail(
            e, WKT_E_TRUNCATED, r->path, size,
            "truncated: it does not end with an index; the capture was interrupted or the end is lost");
    uint64_t offset = wkt_get64(footer), stored = wkt_get64(footer + 8), raw = wkt_get64(footer + 16);
    const bool lines = r->info.version >= WKT_VERSION_LINES; /* after the index */
    if (offset < WKT_HEADER_BYTES || offset > footer_at || stored > footer_at - offset ||
        (!lines && stored != footer_at - offset) || raw / WKT_ZSTD_RATIO > stored || raw > WKT_INDEX_MAX)
        return wkt_fail(e, WKT_E_CHECKSUM, r->path, footer_at, "the end of the file is damaged");
    uint8_t *packed = malloc(stored ? (size_t)stored : 1);
    if (!packed)
        return wkt_fail(e, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory for the index");
    if (!wkt_read_at(r, packed, (size_t)stored, offset, e)) {
        free(packed);
        return e ? e->code : WKT_E_IO;
    }
    wkt_put32(header + 8, wkt_hashed_version(r->info.version));
    r->info.checksum = wkt_hash64(footer, 24, wkt_hash64(packed, (size_t)stored, wkt_hash64(header, 16, 0)));
    int status = WKT_OK;
    if (r->info.checksum != wkt_get64(footer + 24)) {
        status = wkt_fail(e, WKT_E_CHECKSUM, r->path, offset, "the index is damaged");
    } else if (!(r->index = malloc(raw ? (size_t)raw : 1))) {
        status = wkt_fail(e, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory for the index");
    } else if (ZSTD_decompressDCtx(r->zstd, r->index, (size_t)raw, packed, (size_t)stored) != raw) {
        status =
            wkt_fail(e, WKT_E_FORMAT, r->path, offset, "the index does not decompress to its stated size");
    }
    free(packed);
    r->index_bytes = (size_t)raw;
    if (!status)
        status = parse_index(r, (size_t)raw, offset, e);
    return status || !lines ? status : read_lines(r, offset + stored, footer_at, e);
}

int wkt_open(const char *path, struct wkt_reader **out, struct wkt_error *error)
{
    struct wkt_error local;
    struct wkt_error *e = error ? error : &local;
    struct wkt_reader *r = calloc(1, sizeof *r);
    if (!r)
        return wkt_fail(e, WKT_E_MEMORY, path, UINT64_MAX, "out of memory");
    r->fd = -1;
    size_t n = strlen(path) + 1;
    r->path = malloc(n);
    r->zstd = ZSTD_createDCtx();
    int status = WKT_OK;
    struct stat st;
    if (!r->path || !r->zstd) {
        status = wkt_fail(e, WKT_E_MEMORY, path, UINT64_MAX, "out of memory");
    } else {
        memcpy(r->path, path, n);
        r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* must not wait for the writer of a FIFO */
        if (r->fd < 0 || fstat(r->fd, &st) != 0)
            status = wkt_fail(e, WKT_E_IO, path, UINT64_MAX, "cannot open: %s", strerror(errno));
        else if (S_ISDIR(st.st_mode))
            status = wkt_fail(e, WKT_E_IO, path, UINT64_MAX, "a folder, not a wavefront trace");
        else if (!S_ISREG(st.st_mode))
            status = wkt_fail(e, WKT_E_IO, path, UINT64_MAX, "not a regular file");
        else
            r->info.file_bytes = (uint64_t)st.st_size;
    }
    if (!status)
        status = read_index(r, e);
    if (status) {
        wkt_close(r);
        return status;
    }
    *out = r;
    return WKT_OK;
}

void wkt_close(struct wkt_reader *r)
{
    if (!r)
        return;
    if (r->fd >= 0)
        close(r->fd);
    wkt_source_close(r);
    wkt_view_close(r);
    wkt_lines_free(r->lines);
    ZSTD_freeDCtx(r->zstd);
    free(r->path);
    free(r->launches);
    free(r->buffers);
    free(r->index);
    free(r->offsets);
    free(r->strings);
    free(r);
}

const struct wkt_info *wkt_reader_info(const struct wkt_reader *r)
{
    return &r->info;
}

const struct wkt_launch *wkt_reader_launch(const struct wkt_reader *r, uint32_t i)
{
    return i < r->info.launches ? &r->launches[i] : NULL;
}

const struct wkt_buffer *wkt_reader_buffer(const struct wkt_reader *r, uint32_t i)
{
    return i < r->info.buffers ? &r->buffers[i] : NULL;
}

const struct wkt_line *wkt_reader_lines(const struct wkt_reader *r, uint32_t launch, uint32_t *n)
{
    *n = 0;
    return r->lines && launch < r->info.launches
               ? wkt_lines_of(r->lines, wkt_reader_launch_origin(r, launch), n)
               : NULL;
}

/* ---- groups ---- */

static bool locate(const struct wkt_reader *r, uint32_t launch, uint32_t group, struct wkt_place *place)
{
    if (launch >= r->info.launches || group >= r->launches[launch].groups)
        return false;
    *place = (struct wkt_place){launch, group, r->launches[launch].first_group + group};
    if (r->view)
        wkt_view_locate(r->view, place);
    return true;
}

bool wkt_group_bytes(const struct wkt_reader *r, uint32_t launch, uint32_t group, uint32_t *stored,
                     uint32_t *raw)
{
    struct wkt_place place;
    if (!locate(r, launch, group, &place))
        return false;
    const uint8_t *entry = r->entries ? r->entries + place.number * WKT_GROUP_ENTRY_BYTES : NULL;
    *stored = entry ? wkt_get32(entry) : 0;
    *raw = entry ? wkt_get32(entry + 4) : 0;
    return true;
}

/* Allocates even for need 0, so that *p is not NULL and offset 0 into it is valid. */
static bool grow(void **p, size_t *cap, size_t need, size_t element)
{
    if (*p && *cap >= need)
        return true;
    void *larger = realloc(*p, need ? need * element : 1);
    if (!larger)
        return false;
    *p = larger;
    *cap = need;
    return true;
}

/* Parses the wave headers of a decompressed group, which must account for each of its bytes. */
static int parse_waves(struct wkt_group *g, uint32_t raw, uint32_t wave_lanes)
{
    if (raw < WKT_GROUP_HEADER_BYTES)
        return WKT_E_FORMAT;
    uint32_t waves = wkt_get32(g->raw);
    if (wkt_get32(g->raw + 4) != 0 || waves > (raw - WKT_GROUP_HEADER_BYTES) / WKT_WAVE_HEADER_BYTES)
        return WKT_E_FORMAT;
    void *p = g->waves;
    if (!grow(&p, &g->waves_cap, waves, sizeof *g->waves))
        return WKT_E_MEMORY;
    g->waves = p;
    size_t at = WKT_GROUP_HEADER_BYTES + (size_t)waves * WKT_WAVE_HEADER_BYTES;
    uint32_t sites = 0;
    for (uint32_t i = 0; i < waves; i++) {
        const uint8_t *h = g->raw + WKT_GROUP_HEADER_BYTES + (size_t)i * WKT_WAVE_HEADER_BYTES;
        struct wkt_wave_view w = {
            at,    wkt_get32(h),     wkt_get32(h + 4), wkt_get32(h + 8), wkt_get32(h + 12), wkt_get32(h + 16),
            sites, wkt_get64(h + 24)};
        if (w.record_bytes > raw - at || w.use_bytes > raw - at - w.record_bytes ||
            w.sites > w.record_bytes / WKT_SITE_MIN_BYTES ||
            w.records > w.record_bytes / WKT_RECORD_MIN_BYTES || w.lanes == 0 ||
            wkt_beyond_wave(w.lanes, wave_lanes) || wkt_get32(h + 20) != 0)
            return WKT_E_FORMAT;
        at += (size_t)w.record_bytes + w.use_bytes;
        sites += w.sites;
        g->waves[i] = w;
    }
    if (at != raw)
        return WKT_E_FORMAT;
    p = g->sites;
    if (!grow(&p, &g->sites_cap, sites, sizeof *g->sites))
        return WKT_E_MEMORY;
    g->sites = p;
    g->waves_n = waves;
    return WKT_OK;
}

static int group_from_file(struct wkt_reader *r, const struct wkt_place *place, struct wkt_group *g,
                           struct wkt_error *error)
{
    uint32_t launch = place->launch, group = place->group;
    uint64_t at = r->offsets[place->number];
    const uint8_t *entry = r->entries + place->number * WKT_GROUP_ENTRY_BYTES;
    uint32_t stored = wkt_get32(entry), raw = wkt_get32(entry + 4);
    if (raw > WKT_RAW_MAX || raw / WKT_ZSTD_RATIO > stored)
        return wkt_fail(error, WKT_E_FORMAT, r->path, at,
                        "work-group %u of launch %u states an impossible size", group, launch);
    void *p = g->stored, *q = g->raw;
    bool room = grow(&p, &g->stored_cap, stored, 1);
    g->stored = p;
    room = room && grow(&q, &g->raw_cap, raw, 1);
    g->raw = q;
    if (!room)
        return wkt_fail(error, WKT_E_MEMORY, r->path, at, "out of memory for a work-group of %u bytes", raw);
    struct wkt_error local;
    if (!wkt_read_at(r, g->stored, stored, at, error ? error : &local))
        return error ? error->code : local.code;
    if (wkt_hash64(g->stored, stored, 0) != wkt_get64(entry + 8))
        return wkt_fail(error, WKT_E_CHECKSUM, r->path, at, "work-group %u of launch %u is damaged", group,
                        launch);
    if (ZSTD_decompressDCtx(r->zstd, g->raw, raw, g->stored, stored) != raw)
        return wkt_fail(error, WKT_E_FORMAT, r->path, at,
                        "work-group %u of launch %u does not decompress to its stated size", group, launch);
    g->raw_bytes = raw;
    return WKT_OK;
}

static int group_from_source(struct wkt_reader *r, const struct wkt_place *place, struct wkt_group *g,
                             struct wkt_error *error)
{
    const struct wkt_buf *made;
    int status = wkt_source_make(r, place, &made, error);
    if (status)
        return status;
    void *p = g->raw;
    if (!grow(&p, &g->raw_cap, made->n, 1))
        return wkt_fail(error, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory for a work-group");
    g->raw = p;
    memcpy(g->raw, made->p, made->n);
    g->raw_bytes = (uint32_t)made->n;
    return WKT_OK;
}

void wkt_reader_stop_when(struct wkt_reader *r, bool (*stop)(void *context), void *context)
{
    r->stop = stop;
    r->stop_context = context;
}

int wkt_group_load(struct wkt_reader *r, uint32_t launch, uint32_t group, struct wkt_group **out,
                   struct wkt_error *error)
{
    struct wkt_place place;
    if (!locate(r, launch, group, &place))
        return wkt_fail(error, WKT_E_ARG, r->path, UINT64_MAX, "there is no work-group %u of launch %u",
                        group, launch);
    if (r->stop && r->stop(r->stop_context))
        return wkt_fail(error, WKT_E_STOPPED, r->path, UINT64_MAX, "reading was stopped");
    struct wkt_group *g = *out;
    if (!g && !(g = *out = calloc(1, sizeof *g)))
        return wkt_fail(error, WKT_E_MEMORY, r->path, UINT64_MAX, "out of memory");
    g->waves_n = 0;
    int status = r->packer ? group_from_source(r, &place, g, error) : group_from_file(r, &place, g, error);
    if (status)
        return status;
    uint64_t at = r->packer ? UINT64_MAX : r->offsets[place.number];
    status = parse_waves(g, g->raw_bytes, r->info.wave_lanes);
    if (status == WKT_E_MEMORY)
        return wkt_fail(error, status, r->path, at, "out of memory for a work-group");
    if (status)
        return wkt_fail(error, status, r->path, at, "work-group %u of launch %u contradicts itself",
                        place.group, place.launch);
    return WKT_OK;
}

void wkt_group_free(struct wkt_group *g)
{
    if (!g)
        return;
    free(g->stored);
    free(g->raw);
    free(g->waves);
    free(g->sites);
    free(g);
}

uint32_t wkt_group_waves(const struct wkt_group *g)
{
    return g->waves_n;
}
