/* SPDX-License-Identifier: MIT */
/* import/asim_error.c - makes error messages: place, reason, valid names. ASCII control bytes of a file
 * become '?', so that they cannot command a terminal. */
#include "import/asim_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void clean(char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            *text = '?';
    }
}

static int fail(struct asim_error *e, int code, const char *path, uint64_t line, const char *reason)
{
    e->code = code;
    e->output = false;
    e->word[0] = 0;
    e->valid = NULL;
    int n = line ? snprintf(e->text, sizeof e->text, "%.160s:%llu: ", path, (unsigned long long)line)
                 : snprintf(e->text, sizeof e->text, "%.160s: ", path);
    size_t used = n < 0 ? 0 : (size_t)n, more = strlen(reason);
    if (more > sizeof e->text - 1 - used)
        more = sizeof e->text - 1 - used;
    memcpy(e->text + used, reason, more);
    e->text[used + more] = 0;
    clean(e->text);
    return code;
}

int asim_fail(struct asim_error *e, int code, const char *path, uint64_t line, const char *format, ...)
{
    char reason[sizeof e->text];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return fail(e, code, path, line, reason);
}

int asim_fail_name(struct asim_error *e, const char *path, uint64_t line, const char *word, size_t n,
                   const char *const *valid, const char *what)
{
    char copy[sizeof e->word], reason[sizeof e->text];
    if (n >= sizeof copy)
        n = sizeof copy - 1;
    memcpy(copy, word, n);
    copy[n] = 0;
    snprintf(reason, sizeof reason, "'%s' is %s", copy, what);
    fail(e, WKT_E_FORMAT, path, line, reason);
    memcpy(e->word, copy, n + 1);
    clean(e->word);
    e->valid = valid;
    return WKT_E_FORMAT;
}
