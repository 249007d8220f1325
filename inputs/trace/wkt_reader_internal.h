/* SPDX-License-Identifier: MIT */
/* trace/wkt_reader_internal.h - the parts of a reader: a file (wkt_reader.c) or a source that makes
 * work-groups (wkt_source.c), and optionally a view of a part of it (wkt_view.c). */
#ifndef WW_TRACE_WKT_READER_INTERNAL_H
#define WW_TRACE_WKT_READER_INTERNAL_H

#include "trace/wkt_group.h"
#include "trace/wkt_internal.h"

struct wkt_view;
struct wkt_lines;

/* Owns what its pointers name, except stop_context. With a view, info and launches are the view's. A source
 * has fd -1, its name as path and no zstd. */
struct wkt_reader {
    int fd;
    char *path;
    struct wkt_info info;
    struct wkt_launch *launches;
    struct wkt_buffer *buffers;
    uint8_t *index; /* decompressed */
    size_t index_bytes;
    const uint8_t *entries; /* in index: groups, WKT_GROUP_ENTRY_BYTES each */
    uint64_t *offsets;      /* groups + 1: where in the file each group is; the last: where the index is */
    char *strings;
    struct wkt_lines *lines; /* NULL: none are known */
    uint64_t lines_at;       /* place in the file, up to its footer; 0: there are none */
    struct ZSTD_DCtx_s *zstd;
    struct wkt_packer *packer; /* of a source, else NULL; with it, entries and offsets are NULL */
    wkt_pack_fn pack;
    void (*free_context)(void *context); /* NULL: context is not freed */
    void *context;
    bool (*stop)(
        void *context); /* called before each group; true: reading ends with WKT_E_STOPPED; or NULL */
    void *stop_context;
    struct wkt_view *view; /* NULL: everything is visible */
};

/* A work-group by its numbers in the whole trace. */
struct wkt_place {
    uint32_t launch, group;
    uint64_t number; /* over all launches */
};

/* Reads n bytes of the file. Returns false, with *e filled, if the file does not have them or cannot be
 * read. */
bool wkt_read_at(const struct wkt_reader *r, void *to, size_t n, uint64_t offset, struct wkt_error *e);

/* Makes the group at `place`, by its numbers in the whole trace. Returns WKT_OK and sets *raw to its form
 * before compression, valid until the next call; else returns an error code and fills *error. Required: a
 * source. */
int wkt_source_make(struct wkt_reader *r, const struct wkt_place *place, const struct wkt_buf **raw,
                    struct wkt_error *error);
/* Frees packer and context; for a file it does nothing. */
void wkt_source_close(struct wkt_reader *r);

/* Changes numbers in the view to those in the whole trace. */
void wkt_view_locate(const struct wkt_view *v, struct wkt_place *place);
/* Returns the launches of the whole trace. */
const struct wkt_launch *wkt_view_whole(const struct wkt_reader *r);
void wkt_view_close(struct wkt_reader *r);

#endif
