/* SPDX-License-Identifier: MIT */
/* unpack/unpack.c - see unpack.h. */
#define _POSIX_C_SOURCE 200809L
#include "unpack/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define RAW_BYTES (1u << 16)
#define MAGIC_BYTES 5u      /* enough to recognise a compression */
#define GZIP_ONLY (15 + 16) /* for inflateInit2(): the largest window, a gzip header */
#define XZ_MEMORY (UINT64_C(1) << 30)

enum packing { PLAIN, XZ, GZIP };

struct ww_unpack {
    int fd;
    enum packing packing;
    bool regular, file_ended, between; /* between: a member of a .gz file has just ended */
    uint64_t taken;
    lzma_stream xz;
    z_stream gz;
    size_t at, end; /* raw[at] to raw[end - 1]: bytes of a plain file not yet returned */
    uint8_t raw[RAW_BYTES];
};

static int fail(struct ww_unpack_error *e, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail(struct ww_unpack_error *e, int code, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    e->code = code;
    vsnprintf(e->text, sizeof e->text, format, list);
    va_end(list);
    return code;
}

/* Reads up to n bytes of the file itself. Returns 0 at its end. */
static ptrdiff_t read_file(struct ww_unpack *u, void *to, size_t n, struct ww_unpack_error *e)
{
    ssize_t got;
    do
        got = read(u->fd, to, n);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail(e, WW_UNPACK_IO, "cannot read: %s", strerror(errno));
    u->taken += (uint64_t)got;
    u->file_ended = got == 0;
    return got;
}

static int xz_fail(struct ww_unpack_error *e, lzma_ret ret)
{
    static const struct {
        lzma_ret ret;
        const char *text;
    } reasons[] = {{LZMA_FORMAT_ERROR, "it is no .xz file"},
                   {LZMA_OPTIONS_ERROR, "it needs a feature that this liblzma has not"},
                   {LZMA_DATA_ERROR, "it is damaged, or something follows it"},
                   {LZMA_BUF_ERROR, "it is cut off"},
                   {LZMA_MEM_ERROR, "out of memory"},
                   {LZMA_MEMLIMIT_ERROR, "it needs more than 1 GiB to be unpacked"}};
    const char *text = "liblzma gave up";
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].ret == ret)
            text = reasons[i].text;
    return fail(e, ret == LZMA_MEM_ERROR ? WW_UNPACK_MEMORY : WW_UNPACK_FORMAT, "cannot unpack: %s", text);
}

static ptrdiff_t read_xz(struct ww_unpack *u, void *to, size_t n, struct ww_unpack_error *e)
{
    u->xz.next_out = to;
    u->xz.avail_out = n;
    while (u->xz.avail_out == n) {
        if (u->xz.avail_in == 0 && !u->file_ended) {
            const ptrdiff_t got = read_file(u, u->raw, sizeof u->raw, e);
            if (got < 0)
                return got;
            u->xz.next_in = u->raw;
            u->xz.avail_in = (size_t)got;
        }
        const lzma_ret ret = lzma_code(&u->xz, u->file_ended ? LZMA_FINISH : LZMA_RUN);
        if (ret == LZMA_STREAM_END)
            break;
        if (ret != LZMA_OK)
            return xz_fail(e, ret);
    }
    return (ptrdiff_t)(n - u->xz.avail_out);
}

static int gz_fail(struct ww_unpack_error *e, int ret, bool ended)
{
    if (ret == Z_MEM_ERROR)
        return fail(e, WW_UNPACK_MEMORY, "cannot unpack: out of memory");
    return fail(e, WW_UNPACK_FORMAT, "cannot unpack: it is %s",
                ended ? "cut off" : "damaged, or something follows it");
}

/* Reads the members one after the other, as gzip does. */
static ptrdiff_t read_gz(struct ww_unpack *u, void *to, size_t n, struct ww_unpack_error *e)
{
    const uInt room = n > RAW_BYTES ? RAW_BYTES : (uInt)n;
    u->gz.next_out = to;
    u->gz.avail_out = room;
    while (u->gz.avail_out == room) {
        if (u->gz.avail_in == 0 && !u->file_ended) {
            const ptrdiff_t got = read_file(u, u->raw, sizeof u->raw, e);
            if (got < 0)
                return got;
            u->gz.next_in = u->raw;
            u->gz.avail_in = (uInt)got;
        }
        if (u->gz.avail_in == 0 && u->file_ended)
            return u->between ? 0 : gz_fail(e, Z_BUF_ERROR, true);
        if (u->between)
            inflateReset(&u->gz);
        const int ret = inflate(&u->gz, Z_NO_FLUSH);
        u->between = ret == Z_STREAM_END;
        if (ret != Z_OK && ret != Z_STREAM_END)
            return gz_fail(e, ret, false);
    }
    return (ptrdiff_t)(room - u->gz.avail_out);
}

ptrdiff_t ww_unpack_read(struct ww_unpack *u, void *to, size_t n, struct ww_unpack_error *e)
{
    if (u->packing == XZ)
        return read_xz(u, to, n, e);
    if (u->packing == GZIP)
        return read_gz(u, to, n, e);
    if (u->at == u->end)
        return read_file(u, to, n, e);
    if (n > u->end - u->at)
        n = u->end - u->at;
    memcpy(to, u->raw + u->at, n);
    u->at += n;
    return (ptrdiff_t)n;
}

/* Recognises the kind of file by its first bytes, and prepares decompression. */
static int look(struct ww_unpack *u, struct ww_unpack_error *e)
{
    static const struct {
        const char *magic, *name;
    } kinds[] = {/* in two parts, as \xfd7 would be one escape */
                 {"\xfd"
                  "7zXZ",
                  "xz"},
                 {"\x1f\x8b", "gzip"},
                 {"BZh", "bzip2"},
                 {"\x28\xb5\x2f\xfd", "zstd"},
                 {"PK\x03\x04", "zip"}};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    while (u->end < MAGIC_BYTES && !u->file_ended) { /* a pipe may deliver them one by one */
        const ptrdiff_t got = read_file(u, u->raw + u->end, sizeof u->raw - u->end, e);
        if (got < 0)
            return (int)got;
        u->end += (size_t)got;
    }
    size_t kind = 0;
    while (kind < KINDS && (u->end < strlen(kinds[kind].magic) ||
                            memcmp(u->raw, kinds[kind].magic, strlen(kinds[kind].magic)) != 0))
        kind++;
    if (kind == KINDS)
        return 0;
    if (kind > 1)
        return fail(e, WW_UNPACK_FORMAT, "is compressed by %s; plain text, .xz or .gz is read",
                    kinds[kind].name);
    if (kind == 1) {
        const int ret = inflateInit2(&u->gz, GZIP_ONLY);
        if (ret != Z_OK)
            return gz_fail(e, ret, false);
        u->packing = GZIP;
        u->gz.next_in = u->raw;
        u->gz.avail_in = (uInt)u->end;
        return 0;
    }
    const lzma_ret ret = lzma_stream_decoder(&u->xz, XZ_MEMORY, LZMA_CONCATENATED);
    if (ret != LZMA_OK)
        return xz_fail(e, ret);
    u->packing = XZ;
    u->xz.next_in = u->raw;
    u->xz.avail_in = u->end;
    return 0;
}

int ww_unpack_open(struct ww_unpack **out, const char *path, enum ww_unpack_files files,
                   struct ww_unpack_error *e)
{
    *out = NULL;
    struct ww_unpack *u = calloc(1, sizeof *u);
    if (!u)
        return fail(e, WW_UNPACK_MEMORY, "out of memory");
    u->xz = (lzma_stream)LZMA_STREAM_INIT;
    struct stat st;
    /* if only regular files are allowed, open() must not wait for the writer of a FIFO */
    u->fd = open(path, O_RDONLY | O_CLOEXEC | (files == WW_UNPACK_REGULAR ? O_NONBLOCK : 0));
    int status = 0;
    if (u->fd < 0 || fstat(u->fd, &st) != 0)
        status = fail(e, WW_UNPACK_IO, "cannot open: %s", strerror(errno));
    if (!status) {
        u->regular = S_ISREG(st.st_mode);
        status = !u->regular && files == WW_UNPACK_REGULAR ? fail(e, WW_UNPACK_IO, "not a regular file")
                                                           : look(u, e);
    }
    if (status) {
        ww_unpack_close(u);
        return status;
    }
    *out = u;
    return 0;
}

void ww_unpack_close(struct ww_unpack *u)
{
    if (!u)
        return;
    lzma_end(&u->xz);
    if (u->packing == GZIP)
        inflateEnd(&u->gz);
    if (u->fd >= 0)
        close(u->fd);
    free(u);
}

uint64_t ww_unpack_taken(const struct ww_unpack *u)
{
    return u->taken;
}

bool ww_unpack_is_regular(const struct ww_unpack *u)
{
    return u->regular;
}
