/* SPDX-License-Identifier: MIT */
/* trace/wkt.h - the wavefront trace format `.wkt`: writer, streaming reader, checker
 * (docs/develop/trace-format.md). A trace is launches of kernels; a launch is work-groups; a work-group is
 * waves; a wave is records, one for each memory or barrier instruction of the wave, with the number of other
 * instructions between them. Not modelled: instruction bytes, register names, data values. Memory: a reader
 * holds the index and the groups that are loaded; a writer holds the group being written. Thread-safety: one
 * owner per reader and per writer; wkt_open() of one file by several readers is fine. */
#ifndef WW_TRACE_WKT_H
#define WW_TRACE_WKT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A trace that is a whole program's is written as version 1. Version 2 also states what is missing, version 3
 * the root of the page table that each launch's addresses go through, too; version 4 the device that the
 * program found and how it ended, too; version 5 where in the program's source instructions lie, too. */
#define WKT_VERSION 5u
#define WKT_VERSION_WHOLE 1u
#define WKT_VERSION_MISSING 2u
#define WKT_VERSION_ROOTS 3u
#define WKT_VERSION_DEVICE 4u
#define WKT_VERSION_LINES 5u
#define WKT_WAVE_LANES 64u /* the most; a trace states 64 or 32 for all its waves */
#define WKT_NAME_BYTES 128u

/* Values are stable. */
enum wkt_status {
    WKT_OK = 0,
    WKT_E_IO = -1,        /* the operating system refused; text has its reason */
    WKT_E_FORMAT = -2,    /* not a trace, or its contents contradict themselves */
    WKT_E_TRUNCATED = -3, /* a trace without a valid end: the capture was interrupted */
    WKT_E_CHECKSUM = -4,  /* damaged */
    WKT_E_VERSION = -5,   /* of another version of the format */
    WKT_E_MEMORY = -6,    /* out of memory */
    WKT_E_ARG = -7,       /* the caller's fault: index out of range, calls out of order, value too large */
    WKT_E_LIMIT = -8,     /* larger than the format allows */
    WKT_E_STOPPED = -9,   /* as wkt_reader_stop_when() wanted it */
};

struct wkt_error {
    int code;       /* enum wkt_status */
    char text[256]; /* "file: at byte N: reason", ends with 0 */
};

#define WKT_KIND_LIST(X)                                                                                     \
    X(WKT_LOAD, "load")                                                                                      \
    X(WKT_STORE, "store")                                                                                    \
    X(WKT_ATOMIC, "atomic")                                                                                  \
    X(WKT_LOCAL_LOAD, "local-load")                                                                          \
    X(WKT_LOCAL_STORE, "local-store")                                                                        \
    X(WKT_LOCAL_ATOMIC, "local-atomic")                                                                      \
    X(WKT_BARRIER, "barrier")

#define WKT_FORM_LIST(X)                                                                                     \
    X(WKT_UNIFORM, "uniform") /* every active lane: base */                                                  \
    X(WKT_STRIDE, "stride")   /* lane l: base + l * stride */                                                \
    X(WKT_TILE, "tile")       /* lane l, k = l + phase: base + (k % width) * stride + (k / width) * pitch */ \
    X(WKT_LANES, "lanes")     /* one address for each active lane */

#define WKT_ENUM_ENTRY(name, text) name,
enum wkt_kind { WKT_KIND_LIST(WKT_ENUM_ENTRY) WKT_KINDS };
enum wkt_form { WKT_FORM_LIST(WKT_ENUM_ENTRY) WKT_FORMS };
#undef WKT_ENUM_ENTRY

/* Types of a device, as OpenCL numbers them. One that is all of them serves every request. */
#define WKT_DEVICE_LIST(X)                                                                                   \
    X(WKT_DEVICE_CPU, 2, "cpu")                                                                              \
    X(WKT_DEVICE_GPU, 4, "gpu")                                                                              \
    X(WKT_DEVICE_ACCELERATOR, 8, "accelerator")                                                              \
    X(WKT_DEVICE_ALL, 14, "all")

#define WKT_ENUM_ENTRY(name, number, text) name = number,
enum wkt_device_type { WKT_DEVICE_LIST(WKT_ENUM_ENTRY) };
#undef WKT_ENUM_ENTRY

const char *wkt_device_name(uint32_t type); /* NULL for what is none */

/* The device that the traced program found. */
struct wkt_device {
    uint32_t type;          /* enum wkt_device_type; 0: none is stated, and the rest is 0, too */
    uint32_t compute_units; /* at least 1 */
    uint32_t group_items;   /* of a work-group at most; at least 1 */
};

bool wkt_device_legal(const struct wkt_device *d);

const char *wkt_kind_name(uint8_t kind);
const char *wkt_form_name(uint8_t form);

/* Distance to the first use of a record's result, special values. */
#define WKT_USE_NEVER UINT32_MAX         /* the result is not used, or there is none (stores, barriers) */
#define WKT_USE_UNKNOWN (UINT32_MAX - 1) /* used, but the distance is not known */

/* One memory or barrier instruction of a wave. */
struct wkt_record {
    uint32_t pc;      /* place of the instruction in the kernel's layout, calls inlined */
    uint8_t kind;     /* enum wkt_kind */
    uint8_t form;     /* enum wkt_form: how va[] is written in the file; WKT_UNIFORM for barriers */
    uint8_t bytes;    /* accessed by each lane, 1..128; 0 for barriers */
    uint8_t reserved; /* 0 */
    uint32_t compute; /* instructions the wave issued since the record before (or since its start), without
                         memory */
    uint32_t use;     /* wave instructions of every kind to the first use: 1 = the very next; WKT_USE_* */
    uint64_t mask;    /* active lanes, never 0 */
    uint64_t va[WKT_WAVE_LANES]; /* by lane number; elements of inactive lanes have no meaning. Global: a
                                    virtual address. Local: a byte offset in the group's local memory.
                                    Barriers: nothing. */
};

/* ---- reader ---- */

struct wkt_reader;
struct wkt_group;
struct wkt_packer;

struct wkt_totals {
    uint64_t groups;
    uint64_t waves;
    uint64_t records[WKT_KINDS]; /* by kind */
    uint64_t lanes[WKT_KINDS];   /* active lanes summed over the records, by kind */
    uint64_t compute;            /* wave instructions without a record */
};

struct wkt_info {
    uint32_t version;
    uint32_t wave_lanes; /* 64 or 32 */
    bool rooted;         /* each launch states the root of its page table */
    uint32_t launches;
    uint32_t buffers;
    uint64_t checksum;   /* of the file but for its source lines: equal checksums, equal traces; of a view: of
                            what it is of */
    uint64_t file_bytes; /* 0: there is no file */
    uint64_t raw_bytes;  /* of all work-groups before compression; 0 where they are made on demand */
    bool partial;        /* the capture was stopped early; what is there is whole */
    bool part;           /* a part of another trace, saved as a file */
    const char *program; /* name of the traced program */
    const char *command; /* its command line */
    const char *producer; /* what wrote the trace, with its version */
    struct wkt_totals totals;
    bool
        counted; /* the totals are known; else only totals.groups is, and wkt_reader_count() finds the rest */
    /* The whole of which this is a part: more than `launches` and `totals.groups` where something is missing;
     * of a view and of a saved part, those of the trace that it was taken from. Where a capture was stopped
     * early, the number of launches that would have followed is unknown. */
    uint32_t whole_launches;
    uint64_t whole_groups;   /* work-groups that those launched */
    uint64_t lanes_left_out; /* accesses of lanes outside every buffer, of the whole trace: not recorded */
    struct wkt_device device;
    uint32_t exit_code; /* of the program, 0 to 255 */
};

struct wkt_launch {
    char name[WKT_NAME_BYTES]; /* of the kernel */
    uint32_t grid[3];          /* work-items */
    uint32_t group[3];         /* work-items of a full work-group */
    uint32_t lds_bytes;        /* local memory of one work-group */
    uint32_t code_bytes;       /* 8 bytes an instruction */
    uint32_t groups; /* work-groups present; groups of a launch are numbered from 0, dimension 0 fastest */
    uint64_t first_group; /* number of its first group in the whole trace */
    uint64_t root;        /* of its addresses: WKT_ROOT_PA and WKT_ROOT_LEVELS; 0: none is stated */
};

/* An x86-64 page table in the memory that a trace was recorded in. Every launch of a trace has one, or none.
 * Addresses are without their sign extension: of 48 bits with 4 levels, of 57 with 5. */
#define WKT_ROOT_PA UINT64_C(0x000ffffffffff000) /* [51:12] physical address of the root, as CR3 has it */
#define WKT_ROOT_LEVELS UINT64_C(7)              /* [2:0] 4 or 5 */
static inline uint32_t wkt_root_levels(uint64_t root)
{
    return (uint32_t)(root & WKT_ROOT_LEVELS);
}
static inline bool wkt_root_legal(uint64_t root)
{
    return (root & ~(WKT_ROOT_PA | WKT_ROOT_LEVELS)) == 0 &&
           (wkt_root_levels(root) == 4 || wkt_root_levels(root) == 5);
}

#define WKT_BUFFER_CONSTANT 1u /* __constant or program-scope data */
#define WKT_BUFFER_READ 2u     /* declared read-only */
#define WKT_BUFFER_WRITE 4u    /* declared write-only */
#define WKT_BUFFER_HOST 8u     /* uses host memory */

struct wkt_buffer {
    uint64_t base_va; /* captures: 64 KiB-aligned, 2 MiB-aligned from 2 MiB on; imports: as it was */
    uint64_t bytes;
    uint32_t flags;        /* WKT_BUFFER_* */
    uint32_t first_launch; /* first launch that can see it */
    uint32_t end_launch;   /* first launch that cannot (== launches: never freed) */
};

/* Where in the program's source an instruction lies. */
struct wkt_line {
    uint32_t pc;
    uint32_t line;    /* from 1 */
    const char *file; /* as the compiler calls it; "": not known */
    const char *text; /* of the line; "": not known */
};

/* Work-groups that a launch has by its range; not less than are there. */
uint64_t wkt_launch_groups(const struct wkt_launch *l);

/* Opens and proves header and index; work-groups are proved when loaded. 0, or a negative wkt_status and
 * *error. */
int wkt_open(const char *path, struct wkt_reader **out, struct wkt_error *error);
void wkt_close(struct wkt_reader *r); /* NULL is fine; frees no group */

const struct wkt_info *wkt_reader_info(const struct wkt_reader *r);
const struct wkt_launch *wkt_reader_launch(const struct wkt_reader *r,
                                           uint32_t i); /* i < info->launches, else NULL */
const struct wkt_buffer *wkt_reader_buffer(const struct wkt_reader *r,
                                           uint32_t i); /* i < info->buffers, else NULL */
/* Of a launch's instructions those whose lines are known, by ascending pc: *n of them, NULL of none. */
const struct wkt_line *wkt_reader_lines(const struct wkt_reader *r, uint32_t launch, uint32_t *n);

/* Bytes of a work-group in the file and decompressed, 0 and 0 where it is made on demand; false when out of
 * range. */
bool wkt_group_bytes(const struct wkt_reader *r, uint32_t launch, uint32_t group, uint32_t *stored,
                     uint32_t *raw);

/* Reads, proves and decompresses one work-group. *out NULL: a new group; else the group is reused and its
 * storage grown if needed (a pool is an array of such pointers). On failure *out stays valid but empty (waves
 * == 0). */
int wkt_group_load(struct wkt_reader *r, uint32_t launch, uint32_t group, struct wkt_group **out,
                   struct wkt_error *error);
void wkt_group_free(struct wkt_group *g); /* NULL is fine */
/* Called before each work-group is read. If it returns true, the read fails with WKT_E_STOPPED, so that every
 * pass over a trace can be stopped: checks, copies, counts. NULL: never stops. */
void wkt_reader_stop_when(struct wkt_reader *r, bool (*stop)(void *context), void *context);

uint32_t wkt_group_waves(const struct wkt_group *g);
/* Adds what the group holds to *t; false where a record does not decode. Restarts its cursors. */
bool wkt_group_count(struct wkt_group *g, struct wkt_totals *t);

/* Reads one wave, lazily. Plain data: copy it only if the copy alone is used afterwards. Points into its
 * group, which must stay loaded. Fields up to tail_compute may be read. */
struct wkt_site;
struct wkt_cursor {
    uint64_t lanes;        /* lanes of the wave that have a work-item */
    uint32_t records_left; /* records not yet read */
    uint32_t tail_compute; /* instructions after the last record */
    /* private */
    const uint8_t *at, *end;         /* records */
    const uint8_t *use_at, *use_end; /* their use distances */
    uint64_t use_run;
    struct wkt_site *sites;
    uint32_t sites_seen, sites_max;
    uint64_t mask;
    bool failed;
};

/* Starts wave `wave` from its first record; one cursor a wave at a time. wave < wkt_group_waves(g). */
void wkt_cursor_start(struct wkt_group *g, uint32_t wave, struct wkt_cursor *c);

/* The next record; false at the end, or where the contents contradict themselves (then wkt_cursor_failed()).
 */
bool wkt_next(struct wkt_cursor *c, struct wkt_record *out);

/* As wkt_next(), without filling va[] (out->va is not written): for statistics. */
bool wkt_next_brief(struct wkt_cursor *c, struct wkt_record *out);

static inline bool wkt_cursor_failed(const struct wkt_cursor *c)
{
    return c->failed;
}

/* ---- a reader without a file: its work-groups are made when they are loaded, and not kept ---- */

/* Adds the waves and records of one work-group to p, which has been begun and is ended by the caller: a pure
 * function of context, launch and group. WKT_OK or a negative wkt_status. */
typedef int (*wkt_pack_fn)(void *context, uint32_t launch, uint32_t group, struct wkt_packer *p);

struct wkt_source {
    const char *name; /* in errors */
    const char *program, *command, *producer;
    uint64_t checksum;                 /* of what the contents follow from */
    const struct wkt_launch *launches; /* `groups` of each is read, `first_group` is not */
    const struct wkt_buffer *buffers;
    uint32_t launches_n, buffers_n;
    struct wkt_totals totals; /* what the work-groups will add up to: wkt_check_reader() proves it */
    wkt_pack_fn pack;
    void (*free_context)(void *context); /* by wkt_close(); NULL: nothing to free */
    void *context;
};

/* Everything but the context is copied. On failure the context stays the caller's. */
int wkt_open_source(const struct wkt_source *source, struct wkt_reader **out, struct wkt_error *error);

/* ---- a part of a trace ---- */

struct wkt_part {
    uint32_t launch;        /* ascending from part to part */
    const uint32_t *groups; /* ascending; at least one */
    uint32_t groups_n;
};

/* From here on the reader shows only these, launches and groups renumbered from 0, once a reader. All buffers
 * stay, with their launches renumbered: addresses lie where they do in the whole trace. The totals have to be
 * counted anew. WKT_E_ARG: out of order or range, or nothing. */
int wkt_reader_select(struct wkt_reader *r, const struct wkt_part *parts, uint32_t parts_n,
                      struct wkt_error *error);

/* Numbers in the whole trace of a launch or group that the reader shows. */
uint32_t wkt_reader_launch_origin(const struct wkt_reader *r, uint32_t launch);
uint32_t wkt_reader_group_origin(const struct wkt_reader *r, uint32_t launch, uint32_t group);

/* Makes info->totals those of what the reader shows: loads each of its work-groups once. */
int wkt_reader_count(struct wkt_reader *r, struct wkt_error *error);

/* States the exit code of the traced program in a file that states its device. The file is changed where it
 * is: what is cut off in between leaves a damaged one. */
int wkt_state_exit_code(const char *path, uint32_t code, struct wkt_error *error);

/* Writes what the reader shows to a file, marked partial where the trace is. */
int wkt_reader_save(struct wkt_reader *r, const char *path, int level, struct wkt_error *error);

/* ---- writer: open, { buffer | launch_begin, { group_begin, { wave, record... } group_end } launch_end },
 * finish ---- */

struct wkt_writer;

struct wkt_writer_cfg {
    const char *program, *command, *producer; /* NULL: empty */
    int level;                                /* zstd level, 1..19; 0 = 3 */
};

/* Writes to path + ".partial" until wkt_writer_finish(). */
int wkt_writer_open(const char *path, const struct wkt_writer_cfg *cfg, struct wkt_writer **out,
                    struct wkt_error *error);
int wkt_writer_buffer(struct wkt_writer *w, const struct wkt_buffer *b, uint32_t *number,
                      struct wkt_error *error);
int wkt_writer_buffer_end(struct wkt_writer *w, uint32_t number, struct wkt_error *error); /* freed now */
/* A buffer that every launch can see, those written already too. */
int wkt_writer_buffer_always(struct wkt_writer *w, const struct wkt_buffer *b, struct wkt_error *error);
/* Waves of 32 lanes in place of 64 (or 64 again): before the first launch. */
int wkt_writer_wave_lanes(struct wkt_writer *w, uint32_t lanes, struct wkt_error *error);
/* Accesses of lanes that are not recorded, since they lie in no buffer: adds to info->lanes_left_out. */
void wkt_writer_left_out(struct wkt_writer *w, uint64_t lanes);
/* The device that the program found, and the code that it ended with: 0 to 255. */
int wkt_writer_device(struct wkt_writer *w, const struct wkt_device *device, struct wkt_error *error);
int wkt_writer_exit_code(struct wkt_writer *w, uint32_t code, struct wkt_error *error);
/* The trace being written is a part of one with these launches and work-groups. */
void wkt_writer_part_of(struct wkt_writer *w, uint32_t launches, uint64_t groups);
/* Of `l` only name, grid, group, lds_bytes, code_bytes and root are read. */
int wkt_writer_launch_begin(struct wkt_writer *w, const struct wkt_launch *l, struct wkt_error *error);
int wkt_writer_group_begin(struct wkt_writer *w, struct wkt_error *error);
int wkt_writer_wave(struct wkt_writer *w, uint64_t lanes, struct wkt_error *error);
int wkt_writer_record(struct wkt_writer *w, const struct wkt_record *r,
                      struct wkt_error *error); /* form ignored */
int wkt_writer_tail(struct wkt_writer *w, uint32_t compute,
                    struct wkt_error *error); /* of the wave being written */
int wkt_writer_group_end(struct wkt_writer *w, struct wkt_error *error);
/* Replaces the code_bytes of the launch being written: where they are known after its last work-group. */
int wkt_writer_code_bytes(struct wkt_writer *w, uint32_t code_bytes, struct wkt_error *error);
/* Where the instructions of the launch being written lie, by ascending pc; in place of what was said before.
 */
int wkt_writer_lines(struct wkt_writer *w, const struct wkt_line *lines, uint32_t n, struct wkt_error *error);
int wkt_writer_launch_end(struct wkt_writer *w, struct wkt_error *error);

/* Index, fsync, rename to the final name. `partial` marks a capture that was stopped early: an open launch is
 * then closed and an open group dropped. Always frees w; on failure no file stays behind. */
int wkt_writer_finish(struct wkt_writer *w, bool partial, struct wkt_error *error);
/* The same without freeing: for a process that ends next, whose heap may be broken. */
int wkt_writer_seal(struct wkt_writer *w, bool partial, struct wkt_error *error);
/* Hands what is buffered to the system: a process that forks next then holds no copy of it. */
int wkt_writer_flush(struct wkt_writer *w, struct wkt_error *error);
/* Frees w and removes the unfinished file. NULL is fine. */
void wkt_writer_abort(struct wkt_writer *w);

/* ---- work-groups packed apart from the writer, so that several threads can pack at once ---- */

struct wkt_packer;
struct wkt_packer *wkt_packer_new(int level);                    /* zstd level, 0 = 3; NULL: out of memory */
void wkt_packer_free(struct wkt_packer *p);                      /* NULL is fine */
int wkt_packer_wave_lanes(struct wkt_packer *p, uint32_t lanes); /* 64 (as it begins) or 32; before a group */
/* Starts a group. tile_width: group[0], a hint for finding WKT_TILE; 0 = unknown. */
void wkt_packer_begin(struct wkt_packer *p, uint32_t tile_width);
/* Adds the next wave; waves are numbered from 0 and may be written in any order, interleaved. */
int wkt_packer_wave(struct wkt_packer *p, uint64_t lanes);
/* Appends to a wave; r->form is ignored. *number (may be NULL) names the record for wkt_packer_use(). */
int wkt_packer_record(struct wkt_packer *p, uint32_t wave, const struct wkt_record *r, uint32_t *number);
void wkt_packer_use(struct wkt_packer *p, uint32_t wave, uint32_t number, uint32_t use); /* replaces r->use */
void wkt_packer_tail(struct wkt_packer *p, uint32_t wave, uint32_t compute);
int wkt_packer_end(struct wkt_packer *p); /* compresses; then wkt_writer_packed() */
/* Appends a packed group to the launch being written, in place of group_begin ... group_end. */
int wkt_writer_packed(struct wkt_writer *w, const struct wkt_packer *p, struct wkt_error *error);

/* ---- checker ---- */

struct wkt_report {
    struct wkt_totals totals;
    struct wkt_error error;    /* the first fault; code WKT_OK when there is none */
    uint64_t lanes_unmapped;   /* lane addresses of global accesses with a byte outside every buffer of the
                                  table (not a fault); 0 where launches have roots, whose tables say it */
    uint64_t peak_group_bytes; /* largest work-group, decompressed */
};

/* Proves a whole file: every checksum, every record decodes, the totals of the index are those of the
 * contents. */
int wkt_check(const char *path, struct wkt_report *report);
/* The same of what an open reader shows. */
int wkt_check_reader(struct wkt_reader *r, struct wkt_report *report);

/* XXH64 of n bytes: the format's checksum. */
uint64_t wkt_hash64(const void *data, size_t n, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
