/* SPDX-License-Identifier: MIT */
/* import/asim_list.c - reads kernelslist.g: copies to the device and kernels, in their order. Checks that
 * every kernel's file exists, plain, .xz or .gz, so that a long import does not fail at its end. A list names
 * only files in its own folder and in folders below. */
#define _POSIX_C_SOURCE 200809L
#include "import/asim_scan.h"
#include "import/asim_text.h"

#include <dirent.h>
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

/* Reports a folder without kernelslist.g. Later tracers write a list per context, kernelslist_ctx_0x...; the
 * error names the first one that ends with .g. */
static void fail_without_list(const char *path, struct asim_error *e)
{
    char raw[sizeof((struct dirent *)0)->d_name] = "", grouped[sizeof raw] = "";
    DIR *folder = opendir(path);
    for (struct dirent *file; folder && (file = readdir(folder));) {
        if (strncmp(file->d_name, "kernelslist", 11) == 0) {
            char *name = ends_with(file->d_name, ".g") ? grouped : raw;
            if (!*name || strcmp(file->d_name, name) < 0) /* independent of the folder's order */
                snprintf(name, sizeof raw, "%s", file->d_name);
        }
    }
    if (folder)
        closedir(folder);
    if (*grouped)
        asim_fail(e, WKT_E_IO, path, 0, "there is no kernelslist.g in it, but %.100s: give that", grouped);
    else
        asim_fail(e, WKT_E_IO, path, 0, "there is no kernelslist.g in it%s",
                  *raw ? ": these are raw traces, to be grouped by Accel-Sim's post-traces-processing" : "");
}

/* Returns the list of a folder, or a copy of the path itself; NULL with *e. */
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
        fail_without_list(path, e);
        free(whole);
        return NULL;
    }
    return whole;
}

/* Appends an entry without its text. Returns NULL if out of memory. */
static struct asim_entry *add(struct asim_list *l, enum asim_command command, uint64_t line)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 64;
        struct asim_entry *entries = realloc(l->entries, cap * sizeof *entries);
        if (!entries)
            return NULL;
        l->entries = entries;
        l->cap = cap;
    }
    struct asim_entry *entry = &l->entries[l->n++];
    *entry = (struct asim_entry){command, line, 0, 0, NULL};
    return entry;
}

/* Reads 0x<va>,<bytes> after "MemcpyHtoD," or "MemcpyHtoDAsync,". */
static int copy(struct asim_list *l, uint64_t line, const char *p, struct asim_error *e)
{
    uint64_t va, bytes, end = UINT64_C(1) << ASIM_VA_BITS;
    asim_skip(&p);
    if (!asim_address(&p, &va) || !asim_take(&p, ","))
        return asim_fail(e, WKT_E_FORMAT, l->path, line,
                         "MemcpyHtoD without an address 0x... and a comma behind it");
    asim_skip(&p);
    if (!asim_dec(&p, &bytes) || (asim_skip(&p), *p != '\n'))
        return asim_fail(e, WKT_E_FORMAT, l->path, line,
                         "MemcpyHtoD whose size is no decimal number of bytes");
    if (va >= end || bytes > end - va)
        return asim_fail(e, WKT_E_FORMAT, l->path, line, "a copy beyond the %u bits of virtual addresses",
                         ASIM_VA_BITS);
    if (bytes == 0)
        return WKT_OK;
    struct asim_entry *entry = add(l, ASIM_COPY, line);
    if (!entry)
        return out_of_memory(l->path, e);
    entry->va = va;
    entry->bytes = bytes;
    return WKT_OK;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Changes the path to another form that exists: without its .xz or .gz, or with one (there is room for
 * that). */
static bool is_there_otherwise(char *path)
{
    static const char *const forms[] = {"", ".xz", ".gz"};
    size_t n = strlen(path);
    if (ends_with(path, ".xz") || ends_with(path, ".gz"))
        n -= 3;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        memcpy(path + n, forms[i], strlen(forms[i]) + 1);
        if (is_there(path))
            return true;
    }
    return false;
}

/* True if the path ends with `tail`, or with `tail` and .xz or .gz. */
static bool is_named(const char *path, const char *tail)
{
    char packed[16];
    bool is = ends_with(path, tail);
    for (const char *const *form = (const char *const[]){".xz", ".gz", NULL}; *form && !is; form++) {
        snprintf(packed, sizeof packed, "%s%s", tail, *form);
        is = ends_with(path, packed);
    }
    return is;
}

/* True if ".." is a component of the path. */
static bool leaves_its_folder(const char *name, size_t n)
{
    for (size_t i = 0; i + 2 <= n; i++)
        if (memcmp(name + i, "..", 2) == 0 && (i == 0 || name[i - 1] == '/') &&
            (i + 2 == n || name[i + 2] == '/'))
            return true;
    return false;
}

static int kernel(struct asim_list *l, uint64_t line, const char *name, size_t n, struct asim_error *e)
{
    const char *slash = strrchr(l->path, '/');
    size_t folder = slash ? (size_t)(slash - l->path) + 1 : 0;
    if (memchr(name, 0, n))
        return asim_fail(e, WKT_E_FORMAT, l->path, line, "a byte 0 in a file's name");
    if (leaves_its_folder(name, n))
        return asim_fail(e, WKT_E_FORMAT, l->path, line, "'%.*s' leads out of the list's folder",
                         n > 100 ? 100 : (int)n, name);
    struct asim_entry *entry = add(l, ASIM_KERNEL, line);
    if (!entry || !(entry->text = joined(l->path, folder, name, n, ".xz")))
        return out_of_memory(l->path, e);
    entry->text[folder + n] = 0;
    if (is_named(entry->text, ".trace"))
        return asim_fail(e, WKT_E_FORMAT, l->path, line,
                         "'%.*s' is a raw trace: Accel-Sim's post-traces-processing makes kernelslist.g "
                         "and *.traceg of it",
                         n > 100 ? 100 : (int)n, name);
    if (is_named(entry->text, ".tracez"))
        return asim_fail(e, WKT_E_FORMAT, l->path, line,
                         "'%.*s' is a binary trace: the text form (*.traceg) is read", n > 100 ? 100 : (int)n,
                         name);
    if (!is_there(entry->text) && !is_there_otherwise(entry->text)) {
        asim_fail_name(e, l->path, line, name, n, NULL, "not there");
        return e->code = WKT_E_IO;
    }
    l->kernels++;
    return WKT_OK;
}

/* True for MemcpyDtoH and similar commands, which are not misspelt. */
static bool is_other_copy(const char *p)
{
    return asim_take(&p, "Memcpy") && asim_is_capital(*p++) && asim_take(&p, "to") && asim_is_capital(*p);
}

/* True if the line ends like a kernel's trace. Skipping such a line would lose a kernel. */
static bool names_a_trace(const char *p, const char *end)
{
    char name[16] = "";
    size_t n = (size_t)(end - p) < sizeof name - 1 ? (size_t)(end - p) : sizeof name - 1;
    memcpy(name, end - n, n);
    return is_named(name, ".traceg");
}

static int command(struct asim_list *l, uint64_t line, const char *p, const char *end,
                   asim_misspelt_fn misspelt, struct asim_error *e)
{
    const char *word = p;
    if (asim_take(&p, "MemcpyHtoD,") || asim_take(&p, "MemcpyHtoDAsync,"))
        return copy(l, line, p, e);
    if (asim_take(&p, "kernel"))
        return kernel(l, line, word, (size_t)(end - word), e);
    size_t n = 0;
    while ((unsigned)((word[n] | 32) - 'a') < 26)
        n++;
    asim_fail_name(e, l->path, line, word, n ? n : (size_t)(end - word), commands,
                   "neither MemcpyHtoD,0x<address>,<bytes> nor a kernel's file");
    bool ours = asim_take(&p, "MemcpyHtoD"); /* the comma is missing */
    if (ours || (!is_other_copy(word) && misspelt && misspelt(e->word, commands)))
        return e->code;
    if (*word == '/' || *word == '.' || names_a_trace(word, end))
        return asim_fail(e, WKT_E_FORMAT, l->path, line,
                         "'%.*s': a kernel's file lies in the list's folder, under a name that begins with "
                         "'kernel'",
                         end - word > 100 ? 100 : (int)(end - word), word);
    return add(l, ASIM_OTHER, line) ? WKT_OK : out_of_memory(l->path, e);
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
