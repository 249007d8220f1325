/* SPDX-License-Identifier: MIT */
/* workloads/graph/text.c - see text.h. */
#include "graph/text.h"

#include "graph/arcs.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 65536
#define XZ_MEMORY (UINT64_C(256) << 20) /* xz -9 needs 65 MiB */

struct ww_text_source {
    FILE *file;
    bool packed;
    bool at_end; /* of the file, or of its last xz stream */
    lzma_stream xz;
    uint8_t raw[BLOCK];
    uint8_t text[BLOCK];
};

bool ww_text_fail(struct ww_text *t, const char *format, ...)
{
    if (!t->failed) {
        char reason[sizeof t->error->text];
        va_list list;
        va_start(list, format);
        vsnprintf(reason, sizeof reason, format, list);
        va_end(list);
        t->failed = true;
        if (t->line == 0) {
            ww_graph_fail(t->error, "%.120s: %s", t->path, reason);
        } else {
            ww_graph_fail(t->error, "%.120s:%" PRIu64 ": %s", t->path, t->line, reason);
        }
    }
    return false;
}

bool ww_text_fail_here(struct ww_text *t)
{
    const struct ww_graph_error reason = *t->error;
    return ww_text_fail(t, "%s", reason.text);
}

/* What comes out of the file itself, at most BLOCK bytes. */
static size_t read_raw(struct ww_text *t, uint8_t *into)
{
    struct ww_text_source *s = t->source;
    const size_t bytes = fread(into, 1, BLOCK, s->file);
    if (ferror(s->file)) {
        ww_text_fail(t, "cannot be read: %s", strerror(errno));
        return 0;
    }
    return bytes;
}

static const char *xz_reason(lzma_ret code)
{
    return code == LZMA_MEMLIMIT_ERROR                            ? "its xz stream needs more than 256 MiB"
           : code == LZMA_BUF_ERROR                               ? "ends in the middle of its xz stream"
           : code == LZMA_FORMAT_ERROR || code == LZMA_DATA_ERROR ? "its xz stream is damaged"
           : code == LZMA_MEM_ERROR                               ? "no memory for its xz stream"
                                                                  : "its xz stream is of an unknown kind";
}

static size_t unpack(struct ww_text *t)
{
    struct ww_text_source *s = t->source;
    s->xz.next_out = s->text;
    s->xz.avail_out = BLOCK;
    while (s->xz.avail_out > 0 && !s->at_end) {
        if (s->xz.avail_in == 0) {
            s->xz.next_in = s->raw;
            s->xz.avail_in = read_raw(t, s->raw);
        }
        const lzma_ret code = lzma_code(&s->xz, s->xz.avail_in == 0 ? LZMA_FINISH : LZMA_RUN);
        s->at_end = code != LZMA_OK;
        if (code != LZMA_OK && code != LZMA_STREAM_END) {
            ww_text_fail(t, "%s", xz_reason(code));
        }
    }
    return BLOCK - s->xz.avail_out;
}

/* Takes more in hand; false at the end of the text. */
static bool refill(struct ww_text *t)
{
    if (t->failed) {
        return false;
    }
    t->at = t->source->text;
    t->end = t->at + (t->source->packed ? unpack(t) : read_raw(t, t->source->text));
    return !t->failed && t->at != t->end;
}

static bool begins_with(const uint8_t *bytes, size_t count, const char *magic)
{
    return count >= strlen(magic) && memcmp(bytes, magic, strlen(magic)) == 0;
}

static bool start_unpacking(struct ww_text *t, size_t bytes)
{
    struct ww_text_source *s = t->source;
    s->packed = true;
    s->xz = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_stream_decoder(&s->xz, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK) {
        return ww_text_fail(t, "no memory for its xz stream");
    }
    memcpy(s->raw, s->text, bytes);
    s->xz.next_in = s->raw;
    s->xz.avail_in = bytes;
    return refill(t);
}

void ww_text_open(struct ww_text *t, const char *path, struct ww_graph_error *error)
{
    static const char *const others[][2] = {
        {"\x1f\x8b", "gzip"}, {"BZh", "bzip2"}, {"\x28\xb5\x2f\xfd", "zstd"}};
    *t = (struct ww_text){.path = path, .error = error, .source = calloc(1, sizeof *t->source)};
    if (t->source == NULL || (t->source->file = fopen(path, "rb")) == NULL) {
        ww_text_fail(t, "%s", strerror(errno));
        return;
    }
    if (!refill(t)) {
        ww_text_fail(t, "is empty");
        return;
    }
    const size_t bytes = (size_t)(t->end - t->at);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (begins_with(t->at, bytes, others[i][0])) {
            ww_text_fail(t, "is compressed by %s; plain text or .xz is read", others[i][1]);
            return;
        }
    }
    if (begins_with(t->at, bytes,
                    "\xfd"
                    "7zXZ") &&
        !start_unpacking(t, bytes)) {
        ww_text_fail(t, "is empty");
        return;
    }
    if (begins_with(t->at, (size_t)(t->end - t->at), "\xef\xbb\xbf")) {
        t->at += 3;
    }
}

void ww_text_close(struct ww_text *t)
{
    if (t->source != NULL) {
        if (t->source->packed) {
            lzma_end(&t->source->xz);
        }
        if (t->source->file != NULL) {
            fclose(t->source->file);
        }
    }
    free(t->source);
    t->source = NULL;
}

bool ww_text_is_file(const struct ww_text *t)
{
    return fseek(t->source->file, 0, SEEK_CUR) == 0;
}

/* The next byte of the text without taking it, -1 at its end or after a failure. */
static int look(struct ww_text *t)
{
    if (t->failed || (t->at == t->end && !refill(t))) {
        return -1;
    }
    if ((*t->at < ' ' && !isspace(*t->at)) || *t->at == 0x7f) {
        ww_text_fail(t, "byte 0x%02x: not a text file", *t->at);
        return -1;
    }
    return *t->at;
}

bool ww_text_line(struct ww_text *t)
{
    while (t->line_open) {
        const int byte = look(t);
        if (byte < 0) {
            t->line_open = false;
            return false;
        }
        t->at++;
        t->line_open = byte != '\n';
    }
    if (t->failed || (t->at == t->end && !refill(t))) {
        return false;
    }
    t->line++;
    t->line_open = true;
    return true;
}

int ww_text_peek(struct ww_text *t)
{
    if (!t->line_open) {
        return -1;
    }
    int byte = look(t);
    while (byte >= 0 && byte != '\n' && isspace(byte)) {
        t->at++;
        byte = look(t);
    }
    return byte == '\n' ? -1 : byte;
}

bool ww_text_word(struct ww_text *t)
{
    size_t length = 0;
    for (int byte = ww_text_peek(t); byte >= 0 && !isspace(byte); byte = look(t)) {
        if (length < WW_WORD_MAX) {
            t->word[length++] = (char)byte;
        }
        t->at++;
    }
    t->word[length] = 0;
    return length != 0 && !t->failed;
}

bool ww_digits(const char *digits, size_t count, uint64_t *number)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t digit = (uint64_t)(digits[i] - '0');
        if (value > (UINT64_MAX - digit) / 10) {
            return false;
        }
        value = value * 10 + digit;
    }
    *number = value;
    return true;
}

bool ww_text_as_number(struct ww_text *t, const char *what, uint64_t max, uint64_t *number)
{
    const size_t length = strlen(t->word);
    uint64_t value = 0;
    if (strspn(t->word, "0123456789") != length) {
        return ww_text_fail(t, "%s is '%.20s', not a number", what, t->word);
    }
    if (!ww_digits(t->word, length, &value) || value > max) {
        return ww_text_fail(t, "%s is %.24s, at most %" PRIu64 " goes", what, t->word, max);
    }
    *number = value;
    return true;
}

bool ww_text_number(struct ww_text *t, const char *what, uint64_t max, uint64_t *number)
{
    if (!ww_text_word(t)) {
        return ww_text_fail(t, "the line ends where %s should be", what);
    }
    return ww_text_as_number(t, what, max, number);
}

bool ww_text_line_ends(struct ww_text *t)
{
    if (ww_text_word(t)) {
        return ww_text_fail(t, "'%.20s' is one word too many", t->word);
    }
    return !t->failed;
}
