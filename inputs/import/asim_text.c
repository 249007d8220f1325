/* SPDX-License-Identifier: MIT */
/* import/asim_text.c - see asim_text.h. */
#include "import/asim_text.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES (1u << 20)

/* Converts an error of unpack/. Line 0: no line is named. */
static int fail_file(const char *path, uint64_t line, const struct ww_unpack_error *file,
                     struct asim_error *e)
{
    const int code = file->code == WW_UNPACK_IO       ? WKT_E_IO
                     : file->code == WW_UNPACK_MEMORY ? WKT_E_MEMORY
                                                      : WKT_E_FORMAT;
    return asim_fail(e, code, path, line, "%s", file->text);
}

int asim_text_open(struct asim_text *t, const char *path, struct asim_error *e)
{
    struct ww_unpack_error file;
    memset(t, 0, sizeof *t);
    if (ww_unpack_open(&t->file, path, WW_UNPACK_REGULAR, &file) != 0)
        return fail_file(path, 0, &file, e);
    size_t n = strlen(path) + 1;
    t->path = malloc(n);
    t->buffer = malloc(TEXT_BYTES + 1);
    if (!t->path || !t->buffer) {
        asim_text_close(t);
        return asim_fail(e, WKT_E_MEMORY, path, 0, "out of memory");
    }
    memcpy(t->path, path, n);
    return WKT_OK;
}

void asim_text_close(struct asim_text *t)
{
    ww_unpack_close(t->file);
    free(t->path);
    free(t->buffer);
    memset(t, 0, sizeof *t);
}

/* Moves the incomplete line to the buffer's front and reads more text after it. */
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
    struct ww_unpack_error file;
    ptrdiff_t got = ww_unpack_read(t->file, t->buffer + left, room, &file);
    if (got < 0)
        return fail_file(t->path, t->line + 1, &file, e);
    t->ended = got == 0;
    t->end += (size_t)got;
    t->text_read += (uint64_t)got;
    return WKT_OK;
}

int asim_text_line(struct asim_text *t, const char **line, const char **end, struct asim_error *e)
{
    size_t seen = 0; /* bytes of the line searched so far */
    char *newline;
    while (!(newline = memchr(t->buffer + t->at + seen, '\n', t->end - t->at - seen))) {
        seen = t->end - t->at;
        if (t->ended) {
            if (seen == 0)
                return 0;
            newline = t->buffer + t->end; /* the buffer has a spare byte for this one */
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
