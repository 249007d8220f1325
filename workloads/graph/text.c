/* SPDX-License-Identifier: MIT */
/* workloads/graph/text.c - see text.h. */
#include "graph/text.h"

#include "graph/arcs.h"
#include "unpack/unpack.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 65536
#define TAR_MARK 257 /* offset of "ustar" in a header of 512 bytes */

struct ww_text_source {
    struct ww_unpack *file;
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

/* Reads more text. Returns false at its end. */
static bool refill(struct ww_text *t)
{
    if (t->failed) {
        return false;
    }
    struct ww_unpack_error error;
    const ptrdiff_t bytes = ww_unpack_read(t->source->file, t->source->text, BLOCK, &error);
    t->at = t->source->text;
    t->end = t->at + (bytes > 0 ? bytes : 0);
    return bytes < 0 ? ww_text_fail(t, "%s", error.text) : bytes > 0;
}

/* Returns true if the first line ends with a carriage return that is not part of "\r\n" (or "\r\r\n"). Sets
 * *known to whether the text is long enough to tell. */
static bool ends_with_return(const uint8_t *text, const uint8_t *end, bool *known)
{
    while (text < end && *text != '\n' && *text != '\r') {
        text++;
    }
    const bool is_return = text < end && *text == '\r';
    while (text < end && *text == '\r') {
        text++;
    }
    *known = text < end;
    return is_return && !(text < end && *text == '\n');
}

/* Reads text until it includes the end of the first line, or the block is full. */
static void find_line_end(struct ww_text *t)
{
    struct ww_unpack_error error;
    bool known = false;
    t->returns = ends_with_return(t->at, t->end, &known);
    while (!known && t->end < t->source->text + BLOCK) {
        const ptrdiff_t bytes = ww_unpack_read(t->source->file, t->source->text + (t->end - t->source->text),
                                               (size_t)(t->source->text + BLOCK - t->end), &error);
        if (bytes <= 0) {
            if (bytes < 0) {
                ww_text_fail(t, "%s", error.text);
            }
            return;
        }
        t->end += bytes;
        t->returns = ends_with_return(t->at, t->end, &known);
    }
}

void ww_text_open(struct ww_text *t, const char *path, struct ww_graph_error *error)
{
    struct ww_unpack_error reason;
    *t = (struct ww_text){.path = path, .error = error, .source = calloc(1, sizeof *t->source)};
    if (t->source == NULL) {
        ww_text_fail(t, "out of memory");
    } else if (ww_unpack_open(&t->source->file, path, WW_UNPACK_ANY, &reason) != 0) {
        ww_text_fail(t, "%s", reason.text);
    } else if (!refill(t)) {
        ww_text_fail(t, "is empty");
    } else if (t->end - t->at >= 512 && memcmp(t->at + TAR_MARK, "ustar", 5) == 0) {
        ww_text_fail(t, "is an archive (tar): unpack it first");
    } else {
        find_line_end(t);
        if (t->end - t->at >= 3 && memcmp(t->at, "\xef\xbb\xbf", 3) == 0) {
            t->at += 3;
        }
    }
}

void ww_text_close(struct ww_text *t)
{
    if (t->source != NULL) {
        ww_unpack_close(t->source->file);
    }
    free(t->source);
    t->source = NULL;
}

bool ww_text_is_file(const struct ww_text *t)
{
    return ww_unpack_is_regular(t->source->file);
}

/* Returns the next byte of the text without consuming it; -1 at its end or after a failure. */
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

static bool ends_line(const struct ww_text *t, int byte)
{
    return byte == '\n' || (t->returns && byte == '\r');
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
        t->line_open = !ends_line(t, byte);
    }
    if (t->failed || (t->at == t->end && !refill(t))) {
        return false;
    }
    t->line++;
    t->line_open = true;
    return true;
}

static bool is_blank(const struct ww_text *t, int byte)
{
    return isspace(byte) || byte == t->separator;
}

int ww_text_peek(struct ww_text *t)
{
    if (!t->line_open) {
        return -1;
    }
    int byte = look(t);
    while (byte >= 0 && !ends_line(t, byte) && is_blank(t, byte)) {
        t->at++;
        byte = look(t);
    }
    return ends_line(t, byte) ? -1 : byte;
}

bool ww_text_word(struct ww_text *t)
{
    size_t length = 0;
    for (int byte = ww_text_peek(t); byte >= 0 && !is_blank(t, byte); byte = look(t)) {
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

const char *ww_text_no_whole_number(const char *word)
{
    char *end = NULL;
    const double value = strtod(word, &end);
    if (*end != 0 || end == word || isalpha((unsigned char)word[strspn(word, "+-")])) {
        return "not a number";
    }
    if (value < 0) {
        return "less than 0";
    }
    if (!isfinite(value)) {
        return "too large";
    }
    return floor(value) != value ? "not a whole number" : "not a whole number in digits alone";
}

bool ww_text_as_number(struct ww_text *t, const char *what, uint64_t max, uint64_t *number)
{
    const size_t length = strlen(t->word);
    uint64_t value = 0;
    if (strspn(t->word, "0123456789") != length) {
        return ww_text_fail(t, "%s is '%.20s', %s", what, t->word, ww_text_no_whole_number(t->word));
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
