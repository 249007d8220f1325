/* SPDX-License-Identifier: MIT */
/* trace/wkt_exit_code.c - writes a program's exit code into a trace that was finished before the program
 * ended. Work-groups keep their place; the index after them is rewritten. Memory: index and source lines,
 * twice. */
#define _POSIX_C_SOURCE 200809L
#include "trace/wkt_reader_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

/* Returns the offset of the exit code in the index. */
static size_t exit_code_at(const struct wkt_reader *r)
{
    size_t at = 0;
    for (int i = 0; i < 3; i++)
        at += 4 + wkt_get32(r->index + at);
    return at + WKT_COUNTS_BYTES + WKT_MISSING_BYTES + WKT_DEVICE_BYTES - 4;
}

static bool put_at(int fd, const void *from, size_t n, uint64_t offset)
{
    const uint8_t *p = from;
    while (n) {
        ssize_t written = pwrite(fd, p, n, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        p += written;
        offset += (uint64_t)written;
        n -= (size_t)written;
    }
    return true;
}

/* Writes `packed`, whose first index_bytes bytes are the index, and a footer from `offset` to the new end. */
static int put_end(const struct wkt_reader *r, const struct wkt_buf *packed, size_t index_bytes,
                   uint64_t offset, uint64_t raw_bytes, struct wkt_error *e)
{
    uint8_t start[16], footer[WKT_FOOTER_BYTES];
    memcpy(start, WKT_MAGIC, 8);
    wkt_put32(start + 8, wkt_hashed_version(r->info.version));
    wkt_put32(start + 12, r->info.wave_lanes);
    wkt_footer(footer, start, offset, packed->p, index_bytes, raw_bytes);
    int fd = open(r->path, O_WRONLY | O_CLOEXEC);
    bool done = fd >= 0 && put_at(fd, packed->p, packed->n, offset) &&
                put_at(fd, footer, sizeof footer, offset + packed->n) &&
                ftruncate(fd, (off_t)(offset + packed->n + sizeof footer)) == 0 && fsync(fd) == 0;
    int status = done ? WKT_OK : wkt_cannot(e, r->path, UINT64_MAX, "write");
    if (fd >= 0)
        close(fd);
    return status;
}

int wkt_state_exit_code(const char *path, uint32_t code, struct wkt_error *error)
{
    struct wkt_reader *r = NULL;
    int status = wkt_open(path, &r, error);
    if (status)
        return status;
    const uint64_t index_at = r->offsets[r->info.totals.groups];
    struct wkt_buf packed = {0};
    /* the source lines follow the new index, as they did the old one */
    const size_t lines_bytes =
        r->lines_at ? (size_t)(r->info.file_bytes - WKT_FOOTER_BYTES - r->lines_at) : 0;
    if (r->info.version < WKT_VERSION_DEVICE || code > WKT_EXIT_CODE_MAX)
        status =
            wkt_fail(error, WKT_E_ARG, path, UINT64_MAX, "states no device, or %u is no exit code", code);
    else if (!wkt_buf_room(&packed, ZSTD_compressBound(r->index_bytes) + lines_bytes))
        status = wkt_fail(error, WKT_E_MEMORY, path, UINT64_MAX, "out of memory");
    if (!status) {
        wkt_put32(r->index + exit_code_at(r), code);
        const size_t n = ZSTD_compress(packed.p, packed.cap, r->index, r->index_bytes, 3);
        if (ZSTD_isError(n))
            status = wkt_fail(error, WKT_E_MEMORY, path, UINT64_MAX, "out of memory");
        else if (!wkt_read_at(r, packed.p + n, lines_bytes, r->lines_at, error))
            status = WKT_E_IO;
        packed.n = n + lines_bytes;
        if (!status)
            status = put_end(r, &packed, n, index_at, r->index_bytes, error);
    }
    free(packed.p);
    wkt_close(r);
    return status;
}
