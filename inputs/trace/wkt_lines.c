/* SPDX-License-Identifier: MIT */
/* trace/wkt_lines.c - see wkt_lines.h; docs/develop/trace-format.md has the layout. Equal tables are stored
 * once: a kernel that is launched again shares its earlier table, which is found by comparing bytes. */
#include "trace/wkt_lines.h"
#include "trace/wkt_scan.h"

#include <stdlib.h>
#include <zstd.h>

/* ---- read ---- */

struct wkt_lines {
    struct wkt_line *all; /* lines of the tables, one table after the other */
    char *strings;
    uint32_t *first;     /* start of each table in `all`, then the end of the last */
    uint32_t *of_launch; /* number of each launch's table, or WKT_LINES_NONE */
    uint32_t tables;
};

static bool parse_table(struct wkt_lines *lines, uint32_t table, uint32_t all, struct wkt_scan *s, char **to)
{
    const uint32_t first = lines->first[table], n = wkt_scan32(s);
    if (n > all - first)
        return false;
    for (uint32_t i = first; i < first + n; i++) {
        struct wkt_line *l = &lines->all[i];
        l->pc = wkt_scan32(s);
        l->line = wkt_scan32(s);
        l->file = wkt_scan_string(s, to);
        l->text = wkt_scan_string(s, to);
        if (s->bad || l->line == 0 || (i > first && l->pc <= l[-1].pc))
            return false;
    }
    lines->first[table + 1] = first + n;
    return true;
}

/* Parses the numbers of lines and tables, then the tables, then each launch's table number. */
static int parse(struct wkt_lines *lines, struct wkt_scan *s, uint32_t launches)
{
    const uint64_t bytes = (uint64_t)(s->end - s->at);
    const uint32_t all = wkt_scan32(s);
    lines->tables = wkt_scan32(s);
    if (all > bytes / WKT_LINE_MIN_BYTES || lines->tables > bytes / 4 || launches > bytes / 4)
        return WKT_E_FORMAT;
    lines->all = calloc((size_t)all + 1, sizeof *lines->all);
    lines->first = calloc((size_t)lines->tables + 1, sizeof *lines->first);
    lines->of_launch = calloc((size_t)launches + 1, sizeof *lines->of_launch);
    /* terminated strings fit into the bytes of the strings and their lengths */
    char *to = lines->strings = malloc((size_t)bytes + 1);
    if (!lines->all || !lines->first || !lines->of_launch || !lines->strings)
        return WKT_E_MEMORY;
    for (uint32_t t = 0; t < lines->tables; t++)
        if (!parse_table(lines, t, all, s, &to))
            return WKT_E_FORMAT;
    for (uint32_t i = 0; i < launches; i++) {
        lines->of_launch[i] = wkt_scan32(s);
        if (lines->of_launch[i] != WKT_LINES_NONE && lines->of_launch[i] >= lines->tables)
            return WKT_E_FORMAT;
    }
    return s->bad || s->at != s->end || lines->first[lines->tables] != all ? WKT_E_FORMAT : WKT_OK;
}

int wkt_lines_unpack(const uint8_t *stored, size_t n, uint32_t launches, struct ZSTD_DCtx_s *zstd,
                     struct wkt_lines **out, const char **why)
{
    *why = "the source lines are damaged";
    if (n < WKT_LINES_HEADER_BYTES)
        return WKT_E_CHECKSUM;
    const uint8_t *frame = stored + WKT_LINES_HEADER_BYTES;
    const size_t frame_bytes = n - WKT_LINES_HEADER_BYTES;
    const uint64_t raw_bytes = wkt_get64(stored);
    if (wkt_hash64(frame, frame_bytes, wkt_hash64(stored, 8, 0)) != wkt_get64(stored + 8))
        return WKT_E_CHECKSUM;
    *why = "the source lines contradict themselves";
    if (raw_bytes / WKT_ZSTD_RATIO > frame_bytes || raw_bytes > WKT_LINES_MAX + 8 + 4 * (uint64_t)launches)
        return WKT_E_FORMAT;
    struct wkt_lines *lines = calloc(1, sizeof *lines);
    uint8_t *raw = malloc(raw_bytes ? (size_t)raw_bytes : 1);
    int status = lines && raw ? WKT_OK : WKT_E_MEMORY;
    if (!status && ZSTD_decompressDCtx(zstd, raw, (size_t)raw_bytes, frame, frame_bytes) != raw_bytes)
        status = WKT_E_FORMAT;
    if (!status) {
        struct wkt_scan s = {raw, raw + raw_bytes, false};
        status = parse(lines, &s, launches);
    }
    free(raw);
    if (status) {
        if (status == WKT_E_MEMORY)
            *why = "out of memory for the source lines";
        wkt_lines_free(lines);
        return status;
    }
    *out = lines;
    return WKT_OK;
}

const struct wkt_line *wkt_lines_of(const struct wkt_lines *lines, uint32_t launch, uint32_t *n)
{
    const uint32_t table = lines->of_launch[launch];
    if (table == WKT_LINES_NONE)
        return NULL;
    *n = lines->first[table + 1] - lines->first[table];
    return *n ? &lines->all[lines->first[table]] : NULL;
}

void wkt_lines_free(struct wkt_lines *lines)
{
    if (!lines)
        return;
    free(lines->all);
    free(lines->strings);
    free(lines->first);
    free(lines->of_launch);
    free(lines);
}

/* ---- write ---- */

static int put_table(struct wkt_buf *b, const struct wkt_line *lines, uint32_t n)
{
    size_t need = 4;
    for (uint32_t i = 0; i < n; i++) {
        if (lines[i].line == 0 || (i && lines[i].pc <= lines[i - 1].pc))
            return WKT_E_ARG;
        need += WKT_LINE_MIN_BYTES + strlen(lines[i].file) + strlen(lines[i].text);
    }
    if (need > WKT_LINES_MAX)
        return WKT_E_LIMIT;
    if (!wkt_buf_room(b, need))
        return WKT_E_MEMORY;
    wkt_buf_u32(b, n);
    for (uint32_t i = 0; i < n; i++) {
        wkt_buf_u32(b, lines[i].pc);
        wkt_buf_u32(b, lines[i].line);
        wkt_buf_string(b, lines[i].file);
        wkt_buf_string(b, lines[i].text);
    }
    return WKT_OK;
}

/* Returns the number of the table that equals the one just appended; the number of tables if none does. */
static uint32_t known_table(const struct wkt_lines_written *w)
{
    const uint32_t tables = (uint32_t)(w->ends.n / 4);
    uint32_t first = 0, behind = tables ? wkt_get32(w->ends.p + w->ends.n - 4) : 0;
    for (uint32_t t = 0; t < tables; t++) {
        const uint32_t end = wkt_get32(w->ends.p + 4 * (size_t)t);
        if (end - first == w->tables.n - behind &&
            memcmp(w->tables.p + first, w->tables.p + behind, end - first) == 0)
            return t;
        first = end;
    }
    return tables;
}

int wkt_lines_add(struct wkt_lines_written *w, uint32_t launch, const struct wkt_line *lines, uint32_t n)
{
    const size_t before = w->tables.n, launch_at = 4 * (size_t)launch;
    if (!wkt_buf_room(&w->ends, 4) || !wkt_buf_room(&w->of_launch, launch_at + 4))
        return WKT_E_MEMORY;
    const int status = put_table(&w->tables, lines, n);
    if (status)
        return status;
    const uint32_t table = known_table(w);
    if (table < w->ends.n / 4) {
        w->tables.n = before;
    } else if (w->tables.n > WKT_LINES_MAX) {
        w->tables.n = before;
        return WKT_E_LIMIT;
    } else {
        wkt_buf_u32(&w->ends, (uint32_t)w->tables.n);
        w->lines += n;
    }
    while (w->of_launch.n < launch_at)
        wkt_buf_u32(&w->of_launch, WKT_LINES_NONE);
    w->of_launch.n = launch_at;
    wkt_buf_u32(&w->of_launch, table);
    return WKT_OK;
}

int wkt_lines_pack(struct wkt_lines_written *w, uint32_t launches, int level, struct wkt_buf *to)
{
    struct wkt_buf raw = {0};
    const size_t need = 8 + w->tables.n + 4 * (size_t)launches, bound = ZSTD_compressBound(need);
    int status =
        wkt_buf_room(&raw, need) && wkt_buf_room(to, WKT_LINES_HEADER_BYTES + bound) ? WKT_OK : WKT_E_MEMORY;
    if (!status) {
        wkt_buf_u32(&raw, w->lines);
        wkt_buf_u32(&raw, (uint32_t)(w->ends.n / 4));
        memcpy(raw.p + raw.n, w->tables.p, w->tables.n);
        raw.n += w->tables.n;
        memcpy(raw.p + raw.n, w->of_launch.p, w->of_launch.n);
        raw.n += w->of_launch.n;
        while (raw.n < need)
            wkt_buf_u32(&raw, WKT_LINES_NONE);
        const size_t n =
            ZSTD_compress(to->p + WKT_LINES_HEADER_BYTES, bound, raw.p, raw.n, level ? level : 3);
        if (ZSTD_isError(n)) {
            status = WKT_E_MEMORY;
        } else {
            wkt_put64(to->p, raw.n);
            wkt_put64(to->p + 8, wkt_hash64(to->p + WKT_LINES_HEADER_BYTES, n, wkt_hash64(to->p, 8, 0)));
            to->n = WKT_LINES_HEADER_BYTES + n;
        }
    }
    free(raw.p);
    return status;
}

void wkt_lines_written_free(struct wkt_lines_written *w)
{
    free(w->tables.p);
    free(w->ends.p);
    free(w->of_launch.p);
}
