/* SPDX-License-Identifier: MIT */
/* import/asim_list.c - kernelslist.g: copies to the device and kernels, in their order. Every kernel's file
 * is looked for at once, under its name and with or without .xz: a long import does not fail at its end. */
#define _POSIX_C_SOURCE 200809L
#include "import/asim_scan.h"
#include "import/asim_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const commands[] = {"MemcpyHtoD", "kernel", NULL};

static bool ends_with(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    return n >= m && memcmp(text + n - m, tail, m) == 0;
}

static char *joined(const char *a, size_t a_bytes, const char *b, size_t b_bytes, const char *c)
{
    size_t c_bytes = strlen(c);
    char *text = malloc(a_bytes + b_bytes + c_bytes + 1);
    if (text) {
        memcpy(text, a, a_bytes);
        memcpy(text + a_bytes, b, b_bytes);
        memcpy(text + a_bytes + b_bytes, c, c_bytes + 1);
    }
    return text;
}

static int out_of_memory(const char *path, struct asim_error *e)
{
    return asim_fail(e, WKT_E_MEMORY, path, 0, "out of memory");
}

/* The list of a folder, or the path itself. NULL with *e. */
static char *list_path(const char *path, struct asim_error *e)
{
    struct stat st;
    if (ends_with(path, ".tar") || ends_with(path, ".tar.xz") || ends_with(path, ".tar.gz") ||
        ends_with(path, ".tgz")) {
        asim_fail(e, WKT_E_FORMAT, path, 0,
                  "an archive: unpack it ('tar xf') and give the kernelslist.g in it");
        return NULL;
    }
    if (stat(path, &st) != 0) {
        asim_fail(e, WKT_E_IO, path, 0, "cannot open: %s", strerror(errno));
        return NULL;
    }
    char *whole = S_ISDIR(st.st_mode) ? joined(path, strlen(path), "/kernelslist.g", 14, "")
                                      : joined(path, strlen(path), "", 0, "");
    if (!whole) {
        out_of_memory(path, e);
        return NULL;
    }
    if (S_ISDIR(st.st_mode) && stat(whole, &st) != 0) {
        whole[strlen(whole) - 2] = 0;
        bool raw = stat(whole, &st) == 0;
        asim_fail(e, WKT_E_IO, path, 0, "there is no kernelslist.g in it%s",
                  raw ? ": these are raw traces, to be grouped by Accel-Sim's post-traces-processing" : "");
        free(whole);
        return NULL;
    }
    return whole;
}

static int add(struct asim_list *l, const struct asim_entry *entry, struct asim_error *e)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 64;
        struct asim_entry *entries = realloc(l->entries, cap * sizeof *entries);
        if (!entries)
            return out_of_memory(l->path, e);
        l->entries = entries;
        l->cap = cap;
    }
    l->entries[l->n++] = *entry;
    return WKT_OK;
}

/* MemcpyHtoD,0x<va>,<bytes> */
static int copy(struct asim_list *l, uint64_t line, const char *p, struct asim_error *e)
{
    struct asim_entry entry = {ASIM_COPY, line, 0, 0, NULL};
    asim_skip(&p);
    if (!asim_address(&p, &entry.va) || !asim_take(&p, ","))
        return asim_fail(e, WKT_E_FORMAT, l->path, line,
                         "MemcpyHtoD without an address 0x... and a comma behind it");
    asim_skip(&p);
    if (!asim_dec(&p, &entry.bytes) || (asim_skip(&p), *p != '\n'))
        return asim_fail(e, WKT_E_FORMAT, l->path, line,
                         "MemcpyHtoD whose size is no decimal number of bytes");
    uint64_t end = UINT64_C(1) << ASIM_VA_BITS;
    if (entry.va >= end || entry.bytes > end - entry.va)
        return asim_fail(e, WKT_E_FORMAT, l->path, line, "a copy beyond the %u bits of virtual addresses",
                         ASIM_VA_BITS);
    return entry.bytes ? add(l, &entry, e) : WKT_OK;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static int kernel(struct asim_list *l, uint64_t line, const char *name, size_t n, struct asim_error *e)
{
    struct asim_entry entry = {ASIM_KERNEL, line, 0, 0, NULL};
    const char *slash = strrchr(l->path, '/');
    size_t folder = slash ? (size_t)(slash - l->path) + 1 : 0;
    if (memchr(name, 0, n))
        return asim_fail(e, WKT_E_FORMAT, l->path, line, "a byte 0 in a file's name");
    entry.text = joined(l->path, folder, name, n, "");
    char *other = joined(l->path, folder, name, n, ".xz");
    int status = WKT_OK;
    if (!entry.text || !other) {
        status = out_of_memory(l->path, e);
    } else if (ends_with(entry.text, ".trace") || ends_with(entry.text, ".trace.xz")) {
        status = asim_fail(e, WKT_E_FORMAT, l->path, line,
                           "'%.*s' is a raw trace: Accel-Sim's post-traces-processing makes kernelslist.g "
                           "and *.traceg of it",
                           n > 100 ? 100 : (int)n, name);
    } else if (!is_there(entry.text)) {
        if (ends_with(entry.text, ".xz"))
            other[strlen(entry.text) - 3] = 0;
        if (is_there(other)) {
            char *swap = entry.text;
            entry.text = other;
            other = swap;
        } else {
            asim_fail_name(e, l->path, line, name, n, NULL, "not there");
            status = e->code = WKT_E_IO;
        }
    }
    free(other);
    if (!status)
        status = add(l, &entry, e);
    if (status)
        free(entry.text);
    else
        l->kernels++;
    return status;
}

static int command(struct asim_list *l, uint64_t line, const char *p, const char *end,
                   asim_misspelt_fn misspelt, struct asim_error *e)
{
    const char *word = p;
    if (asim_take(&p, "MemcpyHtoD,"))
        return copy(l, line, p, e);
    if (asim_take(&p, "kernel"))
        return kernel(l, line, word, (size_t)(end - word), e);
    size_t n = 0;
    while ((unsigned)((word[n] | 32) - 'a') < 26)
        n++;
    asim_fail_name(e, l->path, line, word, n ? n : (size_t)(end - word), commands,
                   "neither MemcpyHtoD,0x<address>,<bytes> nor a kernel's file");
    bool other_copy = asim_take(&p, "MemcpyDto");
    if (!other_copy && misspelt && misspelt(e->word, commands))
        return e->code;
    struct asim_entry entry = {ASIM_OTHER, line, 0, 0, joined(word, (size_t)(end - word), "", 0, "")};
    int status = entry.text ? add(l, &entry, e) : out_of_memory(l->path, e);
    if (status)
        free(entry.text);
    return status;
}

int asim_list_read(const char *path, asim_misspelt_fn misspelt, struct asim_list *out, struct asim_error *e)
{
    struct asim_text t;
    memset(out, 0, sizeof *out);
    out->path = list_path(path, e);
    if (!out->path)
        return e->code;
    int status = asim_text_open(&t, out->path, e);
    if (!status) {
        const char *p, *end;
        while (!status && (status = asim_text_line(&t, &p, &end, e)) == 1) {
            asim_skip(&p);
            while (end > p && asim_is_space(end[-1]))
                end--;
            status = *p == '\n' ? WKT_OK : command(out, t.line, p, end, misspelt, e);
        }
        asim_text_close(&t);
    }
    if (!status && out->kernels == 0)
        status = asim_fail(e, WKT_E_FORMAT, out->path, 0, "no kernel in this list");
    if (status)
        asim_list_free(out);
    return status;
}

void asim_list_free(struct asim_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        free(l->entries[i].text);
    free(l->entries);
    free(l->path);
    memset(l, 0, sizeof *l);
}
