/* SPDX-License-Identifier: MIT */
/* import/asim_text.c - lines of plain and .xz files. Only regular files are opened: nothing here can wait for
 * ever. */
#define _POSIX_C_SOURCE 200809L
#include "import/asim_text.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_BYTES (1u << 20)
#define PACKED_BYTES (1u << 16)
#define XZ_MEMORY (UINT64_C(1) << 30)
/* in two parts: \xfd7 would be one escape */
static const char xz_magic[] = "\xfd"
                               "7zXZ";

struct asim_xz {
    lzma_stream stream;
    bool file_ended;
    uint8_t packed[PACKED_BYTES];
};

/* Up to n bytes; 0 at the end, -1 with *e. */
static ssize_t read_some(struct asim_text *t, void *to, size_t n, struct asim_error *e)
{
    for (;;) {
        ssize_t got = read(t->fd, to, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            asim_fail(e, WKT_E_IO, t->path, t->line + 1, "cannot read: %s", strerror(errno));
        else
            t->packed_read += (uint64_t)got;
        return got;
    }
}

static const char *xz_reason(lzma_ret ret)
{
    static const struct {
        lzma_ret ret;
        const char *text;
    } reasons[] = {{LZMA_FORMAT_ERROR, "it is no .xz file, or something follows it"},
                   {LZMA_OPTIONS_ERROR, "it needs a feature that this liblzma has not"},
                   {LZMA_DATA_ERROR, "it is damaged"},
                   {LZMA_BUF_ERROR, "it is cut off"},
                   {LZMA_MEM_ERROR, "out of memory"},
                   {LZMA_MEMLIMIT_ERROR, "it needs more than 1 GiB to be unpacked"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].ret == ret)
            return reasons[i].text;
    return "liblzma gave up";
}

static ssize_t unpack_some(struct asim_text *t, void *to, size_t n, struct asim_error *e)
{
    struct asim_xz *x = t->xz;
    x->stream.next_out = to;
    x->stream.avail_out = n;
    while (x->stream.avail_out == n) {
        if (x->stream.avail_in == 0 && !x->file_ended) {
            ssize_t got = read_some(t, x->packed, sizeof x->packed, e);
            if (got < 0)
                return got;
            x->file_ended = got == 0;
            x->stream.next_in = x->packed;
            x->stream.avail_in = (size_t)got;
        }
        lzma_ret ret = lzma_code(&x->stream, x->file_ended ? LZMA_FINISH : LZMA_RUN);
        if (ret == LZMA_STREAM_END)
            break;
        if (ret != LZMA_OK) {
            asim_fail(e, ret == LZMA_MEM_ERROR ? WKT_E_MEMORY : WKT_E_FORMAT, t->path, t->line + 1,
                      "cannot unpack: %s", xz_reason(ret));
            return -1;
        }
    }
    return (ssize_t)(n - x->stream.avail_out);
}

static int start_xz(struct asim_text *t, struct asim_error *e)
{
    t->xz = calloc(1, sizeof *t->xz);
    if (!t->xz)
        return asim_fail(e, WKT_E_MEMORY, t->path, 0, "out of memory");
    t->xz->stream = (lzma_stream)LZMA_STREAM_INIT;
    lzma_ret ret = lzma_stream_decoder(&t->xz->stream, XZ_MEMORY, LZMA_CONCATENATED);
    if (ret != LZMA_OK)
        return asim_fail(e, WKT_E_MEMORY, t->path, 0, "cannot unpack: %s", xz_reason(ret));
    memcpy(t->xz->packed, t->buffer, t->end);
    t->xz->stream.next_in = t->xz->packed;
    t->xz->stream.avail_in = t->end;
    t->end = 0;
    return WKT_OK;
}

int asim_text_open(struct asim_text *t, const char *path, struct asim_error *e)
{
    memset(t, 0, sizeof *t);
    size_t n = strlen(path) + 1;
    t->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO without a writer must not hang us */
    t->path = malloc(n);
    t->buffer = malloc(TEXT_BYTES + 1);
    struct stat st;
    int status = WKT_OK;
    if (t->fd < 0 || fstat(t->fd, &st) != 0)
        status = asim_fail(e, WKT_E_IO, path, 0, "cannot open: %s", strerror(errno));
    else if (!S_ISREG(st.st_mode))
        status = asim_fail(e, WKT_E_IO, path, 0, "not a regular file");
    else if (!t->path || !t->buffer)
        status = asim_fail(e, WKT_E_MEMORY, path, 0, "out of memory");
    if (!status && t->path && t->buffer) {
        memcpy(t->path, path, n);
        ssize_t got = read_some(t, t->buffer, 6, e); /* as much as tells .xz */
        if (got < 0)
            status = WKT_E_IO;
        t->end = got < 0 ? 0 : (size_t)got;
        t->text_read = t->end;
        if (!status && t->end == 6 && memcmp(t->buffer, xz_magic, sizeof xz_magic) == 0) {
            t->text_read = 0;
            status = start_xz(t, e);
        }
    }
    if (status)
        asim_text_close(t);
    return status;
}

void asim_text_close(struct asim_text *t)
{
    if (t->xz)
        lzma_end(&t->xz->stream);
    if (t->fd >= 0)
        close(t->fd);
    free(t->xz);
    free(t->path);
    free(t->buffer);
    memset(t, 0, sizeof *t);
    t->fd = -1;
}

/* Moves the begun line to the buffer's front and reads on behind it. */
static int fill(struct asim_text *t, struct asim_error *e)
{
    size_t left = t->end - t->at;
    if (left > ASIM_LINE_MAX)
        return asim_fail(e, WKT_E_FORMAT, t->path, t->line + 1,
                         "a line longer than %u bytes: not a trace's text", ASIM_LINE_MAX);
    memmove(t->buffer, t->buffer + t->at, left);
    t->at = 0;
    t->end = left;
    size_t room = TEXT_BYTES - left;
    ssize_t got = t->xz ? unpack_some(t, t->buffer + left, room, e) : read_some(t, t->buffer + left, room, e);
    if (got < 0)
        return e->code;
    t->ended = got == 0;
    t->end += (size_t)got;
    t->text_read += (uint64_t)got;
    return WKT_OK;
}

int asim_text_line(struct asim_text *t, const char **line, const char **end, struct asim_error *e)
{
    size_t seen = 0; /* of the line, without a '\n' */
    char *newline;
    while (!(newline = memchr(t->buffer + t->at + seen, '\n', t->end - t->at - seen))) {
        seen = t->end - t->at;
        if (t->ended) {
            if (seen == 0)
                return 0;
            newline = t->buffer + t->end; /* the byte beyond the room is for this one */
            *newline = '\n';
            break;
        }
        int status = fill(t, e);
        if (status)
            return status;
    }
    *line = t->buffer + t->at;
    t->at = (size_t)(newline - t->buffer) + (newline < t->buffer + t->end);
    t->line++;
    if (newline > *line && newline[-1] == '\r')
        *--newline = '\n';
    *end = newline;
    return 1;
}
