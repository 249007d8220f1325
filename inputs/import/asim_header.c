/* SPDX-License-Identifier: MIT */
/* import/asim_header.c - the header of a kernel's trace: lines "-key = value" in any order, up to the first
 * line that starts with '#'. */
#include "import/asim_kernel.h"

#include <stdio.h>

/* K(enumerator, key, required) */
#define KEY_LIST(K)                                                                                          \
    K(NAME, "kernel name", true)                                                                             \
    K(ID, "kernel id", false)                                                                                \
    K(GRID, "grid dim", true)                                                                                \
    K(BLOCK, "block dim", true)                                                                              \
    K(SHMEM, "shmem", false)                                                                                 \
    K(REGISTERS, "nregs", false)                                                                             \
    K(SM, "binary version", false)                                                                           \
    K(STREAM, "cuda stream id", false)                                                                       \
    K(SHMEM_BASE, "shmem base_addr", false)                                                                  \
    K(LOCAL_BASE, "local mem base_addr", false)                                                              \
    K(NVBIT, "nvbit version", false)                                                                         \
    K(VERSION, "accelsim tracer version", true)                                                              \
    K(LINEINFO, "enable lineinfo", false)

#define KEY_ENUM(name, text, needed) KEY_##name,
#define KEY_TEXT(name, text, needed) text,
#define KEY_NEEDED(name, text, needed) needed,
enum key { KEY_LIST(KEY_ENUM) KEYS };
static const char *const key_names[] = {KEY_LIST(KEY_TEXT) NULL};
static const bool key_needed[] = {KEY_LIST(KEY_NEEDED)};

bool asim_scan_3(const char **at, uint32_t v[3])
{
    const char *p = *at;
    for (int d = 0; d < 3; d++) {
        uint64_t n;
        asim_skip(&p);
        if ((d && !asim_take(&p, ",")) || (asim_skip(&p), !asim_dec(&p, &n)) || n > UINT32_MAX)
            return false;
        v[d] = (uint32_t)n;
    }
    *at = p;
    return true;
}

static bool scan_dims(const char **at, uint32_t v[3])
{
    return asim_take(at, "(") && asim_scan_3(at, v) && (asim_skip(at), asim_take(at, ")"));
}

static bool scan_u32(const char **at, uint32_t *v)
{
    uint64_t n;
    if (!asim_dec(at, &n) || n > UINT32_MAX)
        return false;
    *v = (uint32_t)n;
    return true;
}

static void take_name(struct asim_header *h, const char **at)
{
    size_t n = 0;
    for (; **at != '\n'; ++*at) {
        unsigned char c = (unsigned char)**at;
        if (n + 1 < sizeof h->name)
            h->name[n++] = (char)(c < 0x20 || c == 0x7f ? '?' : c);
    }
    h->name[n] = 0;
}

/* Reads a number that the tracer may print as signed although it is unsigned. The import does not use these
 * numbers. */
static bool scan_any(const char **at, uint64_t *v)
{
    return asim_dec(at, v) || asim_signed(at, v);
}

/* Reads the value of a key. Returns NULL, or a text that says what the value should be. */
static const char *scan_value(struct asim_header *h, enum key key, const char **at)
{
    uint64_t n;
    switch (key) {
    case KEY_NAME:
        take_name(h, at);
        return h->name[0] ? NULL : "a name";
    case KEY_GRID:
        return scan_dims(at, h->grid) && h->grid[0] && h->grid[1] && h->grid[2] ? NULL
                                                                                : "(x,y,z), none of them 0";
    case KEY_BLOCK:
        return scan_dims(at, h->block) && h->block[0] && h->block[1] && h->block[2]
                   ? NULL
                   : "(x,y,z), none of them 0";
    case KEY_ID:
        return scan_any(at, &h->id) ? NULL : "a decimal number";
    case KEY_STREAM:
        return scan_any(at, &h->stream) ? NULL : "a decimal number";
    case KEY_SHMEM:
        return scan_u32(at, &h->shmem_bytes) ? NULL : "a decimal number of bytes";
    case KEY_REGISTERS:
        return scan_any(at, &h->registers) ? NULL : "a decimal number";
    case KEY_SM:
        return scan_u32(at, &h->sm) ? NULL : "a decimal number";
    case KEY_SHMEM_BASE:
        h->has_shmem_base = true;
        return asim_address(at, &h->shmem_base) ? NULL : "an address 0x...";
    case KEY_LOCAL_BASE:
        h->has_local_base = true;
        return asim_address(at, &h->local_base) ? NULL : "an address 0x...";
    case KEY_VERSION:
        if (!scan_u32(at, &h->version) || (asim_take(at, ".") && !asim_dec(at, &n)))
            return "a number";
        return h->version >= 1 && h->version <= 5 ? NULL
               : h->version == 6                  ? "one of 1 to 5: version 6 is not read"
                                                  : "one of 1 to 5";
    case KEY_LINEINFO:
        if (!asim_dec(at, &n) || n > 1)
            return "0 or 1";
        h->lineinfo = n == 1;
        return NULL;
    case KEY_NVBIT:
    case KEYS:
        break;
    }
    while (**at != '\n')
        ++*at;
    return NULL;
}

static enum key key_of(const char *p, size_t n)
{
    enum key key = 0;
    while (key < KEYS && (strlen(key_names[key]) != n || memcmp(key_names[key], p, n) != 0))
        key++;
    return key;
}

/* Reads a line from p, after its '-'. given: a bit is set for each key that has been read. */
static int read_key(struct asim_reading *r, const char *p, const char *end, uint32_t *given,
                    struct asim_error *e)
{
    const char *path = r->text.path, *equals = memchr(p, '=', (size_t)(end - p));
    uint64_t line = r->text.line;
    if (!equals)
        return asim_fail(e, WKT_E_FORMAT, path, line, "a header line without '='");
    const char *key_end = equals;
    while (key_end > p && asim_is_space(key_end[-1]))
        key_end--;
    size_t n = (size_t)(key_end - p);
    enum key key = key_of(p, n);
    if (key == KEYS) {
        asim_fail_name(e, path, line, p, n, key_names, "no key of the header");
        return r->misspelt && r->misspelt(e->word, key_names) ? e->code : WKT_OK;
    }
    if (*given >> key & 1)
        return asim_fail(e, WKT_E_FORMAT, path, line, "'%s' stands here a second time", key_names[key]);
    *given |= 1u << key;
    p = equals + 1;
    asim_skip(&p);
    const char *value = p, *wanted = scan_value(&r->kernel.header, key, &p);
    asim_skip(&p);
    if (!wanted && *p != '\n')
        wanted = "that alone";
    if (wanted)
        return asim_fail(e, WKT_E_FORMAT, path, line, "%s is '%.*s', not %s", key_names[key],
                         end - value > 60 ? 60 : (int)(end - value), value, wanted);
    return WKT_OK;
}

static int check_header(const struct asim_reading *r, uint32_t given, struct asim_error *e)
{
    const struct asim_header *h = &r->kernel.header;
    for (enum key key = 0; key < KEYS; key++)
        if (key_needed[key] && !(given >> key & 1))
            return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line, "the header has no '-%s = '",
                             key_names[key]);
    if (h->grid[1] > ASIM_GRID_YZ || h->grid[2] > ASIM_GRID_YZ)
        return asim_fail(e, WKT_E_LIMIT, r->text.path, 0, "a grid of more than %u thread blocks in y or z",
                         ASIM_GRID_YZ);
    for (int d = 0; d < 3; d++) {
        if (h->block[d] > ASIM_BLOCK_THREADS)
            return asim_fail(e, WKT_E_LIMIT, r->text.path, 0, "a thread block of more than %u threads",
                             ASIM_BLOCK_THREADS);
        if ((uint64_t)h->grid[d] * h->block[d] > UINT32_MAX)
            return asim_fail(e, WKT_E_LIMIT, r->text.path, 0,
                             "a grid of more than %u threads in one dimension", UINT32_MAX);
    }
    if ((uint64_t)h->block[0] * h->block[1] * h->block[2] > ASIM_BLOCK_THREADS)
        return asim_fail(e, WKT_E_LIMIT, r->text.path, 0, "a thread block of more than %u threads",
                         ASIM_BLOCK_THREADS);
    return WKT_OK;
}

int asim_read_header(struct asim_reading *r, struct asim_error *e)
{
    uint32_t given = 0;
    const char *p, *end;
    int status;
    while ((status = asim_text_line(&r->text, &p, &end, e)) == 1) {
        asim_skip(&p);
        if (*p == '\n')
            continue;
        if (*p == '#') {
            if (asim_is_line(p, "#BEGIN_TB")) /* the comment line before it is missing */
                r->state = ASIM_BLOCK_HEAD;
            return check_header(r, given, e);
        }
        if (*p != '-')
            return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                             "in the header stands '%.*s', not '-key = value' or '#traces format = ...'",
                             end - p > 60 ? 60 : (int)(end - p), p);
        status = read_key(r, p + 1, end, &given, e);
        if (status)
            return status;
    }
    if (status < 0)
        return status;
    return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                     r->text.line ? "the file ends in its header" : "the file is empty");
}
