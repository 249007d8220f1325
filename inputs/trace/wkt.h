/* SPDX-License-Identifier: MIT */
/* trace/wkt.h - the wavefront trace format `.wkt`: writer, streaming reader, checker
 * (docs/develop/trace-format.md). A trace is launches of kernels; a launch is work-groups; a work-group is
 * waves; a wave is records, one for each memory or barrier instruction of the wave, with the number of other
 * instructions between them. Not modelled: instruction bytes, register names, data values. Memory: a reader
 * holds the index and the groups that are loaded; a writer holds the group being written. Thread-safety: one
 * owner per reader and per writer; several readers may wkt_open() one file. */
#ifndef WW_TRACE_WKT_H
#define WW_TRACE_WKT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A trace of a whole program is written as version 1. Each later version adds: 2 what is missing, 3 the root
 * of the page table for each launch's addresses, 4 the device that the program found and how the program
 * ended, 5 the source lines of instructions. */
#define WKT_VERSION 5u
#define WKT_VERSION_WHOLE 1u
#define WKT_VERSION_MISSING 2u
#define WKT_VERSION_ROOTS 3u
#define WKT_VERSION_DEVICE 4u
#define WKT_VERSION_LINES 5u
#define WKT_WAVE_LANES 64u /* most lanes; a trace states 64 or 32 for all its waves */
#define WKT_NAME_BYTES 128u

/* Values are stable. */
enum wkt_status {
    WKT_OK = 0,
    WKT_E_IO = -1,        /* the operating system refused; text has its reason */
    WKT_E_FORMAT = -2,    /* not a trace, or its contents contradict themselves */
    WKT_E_TRUNCATED = -3, /* a trace without a valid end: its capture was interrupted */
    WKT_E_CHECKSUM = -4,  /* damaged */
    WKT_E_VERSION = -5,   /* of another version of the format */
    WKT_E_MEMORY = -6,    /* out of memory */
    WKT_E_ARG = -7,       /* the caller's fault: index out of range, calls out of order, value too large */
    WKT_E_LIMIT = -8,     /* larger than the format allows */
    WKT_E_STOPPED = -9,   /* stopped by wkt_reader_stop_when() */
};

struct wkt_error {
    int code;       /* enum wkt_status */
    char text[256]; /* "file: at byte N: reason", ends with 0 */
    bool output;    /* the file that was being written is at fault, not what was read */
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

/* Types of a device, with OpenCL's numbers. WKT_DEVICE_ALL serves every request. */
#define WKT_DEVICE_LIST(X)                                                                                   \
    X(WKT_DEVICE_CPU, 2, "cpu")                                                                              \
    X(WKT_DEVICE_GPU, 4, "gpu")                                                                              \
    X(WKT_DEVICE_ACCELERATOR, 8, "accelerator")                                                              \
    X(WKT_DEVICE_ALL, 14, "all")

#define WKT_ENUM_ENTRY(name, number, text) name = number,
enum wkt_device_type { WKT_DEVICE_LIST(WKT_ENUM_ENTRY) };
#undef WKT_ENUM_ENTRY

const char *wkt_device_name(uint32_t type); /* NULL for an unknown type */

/* The device that the traced program found. */
struct wkt_device {
    uint32_t type;          /* enum wkt_device_type; 0: none is stated, and the rest is 0 */
    uint32_t compute_units; /* at least 1 */
    uint32_t group_items;   /* most work-items of a work-group; at least 1 */
};

/* Returns true if *d is a known type with both numbers at least 1, or states none: all are 0. */
bool wkt_device_legal(const struct wkt_device *d);

/* Return the name, "?" of an unknown value. */
const char *wkt_kind_name(uint8_t kind);
const char *wkt_form_name(uint8_t form);

/* Special values of the distance to the first use of a record's result. */
#define WKT_USE_NEVER UINT32_MAX         /* the result is not used, or there is none (stores, barriers) */
#define WKT_USE_UNKNOWN (UINT32_MAX - 1) /* used at an unknown distance */

/* One memory or barrier instruction of a wave. */
struct wkt_record {
    uint32_t pc;      /* the instruction's place in the kernel's layout, with calls inlined */
    uint8_t kind;     /* enum wkt_kind */
    uint8_t form;     /* enum wkt_form: encoding of va[] in the file; WKT_UNIFORM for barriers */
    uint8_t bytes;    /* accessed by each lane, 1..128; 0 for barriers */
    uint8_t reserved; /* 0 */
    uint32_t compute; /* other instructions of the wave since the previous record, or its start */
    uint32_t use;     /* distance in wave instructions to the first use, 1 = the next; WKT_USE_* */
    uint64_t mask;    /* active lanes, never 0 */
    /* By lane number; elements of inactive lanes are meaningless. Global: a virtual address. Local: a byte
     * offset in the group's local memory. Barriers: meaningless. */
    uint64_t va[WKT_WAVE_LANES];
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
    /* Of the file without its source lines: equal checksums mean equal traces. Of a view: that of its
     * trace. */
    uint64_t checksum;
    uint64_t file_bytes;  /* 0: there is no file */
    uint64_t raw_bytes;   /* of all work-groups before compression; 0 if they are made on demand */
    bool partial;         /* the capture was stopped early; the contents are whole */
    bool part;            /* a part of another trace, saved as a file */
    const char *program;  /* name of the traced program */
    const char *command;  /* its command line */
    const char *producer; /* writer of the trace, with its version */
    struct wkt_totals totals;
    /* The totals are known; else only totals.groups is: call wkt_reader_count(). */
    bool counted;
    /* The whole of which this is a part: more than `launches` and `totals.groups` if something is missing. Of
     * a view or a saved part: those of the trace that it was taken from. If a capture was stopped early, the
     * number of launches that would have followed is unknown. */
    uint32_t whole_launches;
    uint64_t whole_groups;   /* work-groups of those launches */
    uint64_t lanes_left_out; /* accesses of lanes outside every buffer, in the whole trace: not recorded */
    struct wkt_device device;
    uint32_t exit_code; /* of the program, 0 to 255 */
};

struct wkt_launch {
    char name[WKT_NAME_BYTES]; /* of the kernel */
    uint32_t grid[3];          /* work-items */
    uint32_t group[3];         /* work-items of a full work-group */
    uint32_t lds_bytes;        /* local memory of one work-group */
    uint32_t code_bytes;       /* 8 bytes per instruction */
    uint32_t groups;           /* work-groups present, numbered from 0, dimension 0 fastest */
    uint64_t first_group;      /* work-groups of the reader's earlier launches */
    uint64_t root;             /* root of its addresses: WKT_ROOT_PA and WKT_ROOT_LEVELS; 0: none is stated */
};

/* An x86-64 page table in the memory in which a trace was recorded. Every launch of a trace has one, or none
 * has. Addresses have no sign extension: 48 bits with 4 levels, 57 with 5. */
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
    uint64_t base_va; /* captures: 64 KiB-aligned, 2 MiB-aligned from 2 MiB on; imports: unchanged */
    uint64_t bytes;
    uint32_t flags;        /* WKT_BUFFER_* */
    uint32_t first_launch; /* first launch that can see it */
    uint32_t end_launch;   /* first launch that cannot (== launches: never freed) */
};

/* The source line of an instruction. */
struct wkt_line {
    uint32_t pc;
    uint32_t line;    /* from 1 */
    const char *file; /* as named by the compiler; "": unknown */
    const char *text; /* of the line; "": unknown */
};

/* Returns the work-groups of a launch by its range; not less than those present. */
uint64_t wkt_launch_groups(const struct wkt_launch *l);

/* Opens a trace and checks header and index; work-groups are checked when loaded. Returns 0, or a negative
 * wkt_status with *error. */
int wkt_open(const char *path, struct wkt_reader **out, struct wkt_error *error);
void wkt_close(struct wkt_reader *r); /* NULL is fine; frees no group */

const struct wkt_info *wkt_reader_info(const struct wkt_reader *r);
const struct wkt_launch *wkt_reader_launch(const struct wkt_reader *r,
                                           uint32_t i); /* i < info->launches, else NULL */
const struct wkt_buffer *wkt_reader_buffer(const struct wkt_reader *r,
                                           uint32_t i); /* i < info->buffers, else NULL */
/* Returns a launch's source lines, by ascending pc, and sets *n to their number; NULL if there are none. */
const struct wkt_line *wkt_reader_lines(const struct wkt_reader *r, uint32_t launch, uint32_t *n);

/* Sets the bytes of a work-group in the file and decompressed, 0 and 0 if it is made on demand. Returns false
 * if out of range. */
bool wkt_group_bytes(const struct wkt_reader *r, uint32_t launch, uint32_t group, uint32_t *stored,
                     uint32_t *raw);

/* Reads, checks and decompresses one work-group. *out NULL: makes a group; else reuses it and grows its
 * storage if needed (a pool is an array of such pointers). On failure *out may be NULL; else it is as before
 * with WKT_E_ARG and WKT_E_STOPPED, and empty (waves == 0) with others. */
int wkt_group_load(struct wkt_reader *r, uint32_t launch, uint32_t group, struct wkt_group **out,
                   struct wkt_error *error);
void wkt_group_free(struct wkt_group *g); /* NULL is fine */
/* Sets a function that is called before each work-group is read. If it returns true, the read fails with
 * WKT_E_STOPPED, so that every pass over a trace can be stopped: checks, copies, counts. NULL: never
 * stops. */
void wkt_reader_stop_when(struct wkt_reader *r, bool (*stop)(void *context), void *context);

uint32_t wkt_group_waves(const struct wkt_group *g);
/* Adds the group's contents to *t. Returns false if a record does not decode. Restarts its cursors. */
bool wkt_group_count(struct wkt_group *g, struct wkt_totals *t);

/* Reads one wave, lazily. Plain data: after a copy, use only the copy. Points into its group, which must stay
 * loaded. Only fields up to tail_compute may be read. */
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

/* Starts wave `wave` at its first record. Required: one cursor per wave at a time; wave <
 * wkt_group_waves(g). */
void wkt_cursor_start(struct wkt_group *g, uint32_t wave, struct wkt_cursor *c);

/* Reads the next record. Returns false at the end, or if the contents contradict themselves (then
 * wkt_cursor_failed()). */
bool wkt_next(struct wkt_cursor *c, struct wkt_record *out);

/* As wkt_next(), without filling va[] (out->va is not written): for statistics. */
bool wkt_next_brief(struct wkt_cursor *c, struct wkt_record *out);

static inline bool wkt_cursor_failed(const struct wkt_cursor *c)
{
    return c->failed;
}

/* ---- a reader without a file: its work-groups are made when loaded, and not kept ---- */

/* Adds the waves and records of one work-group to p, which the caller has begun and ends. Must be a pure
 * function of context, launch and group. Returns WKT_OK or a negative wkt_status. */
typedef int (*wkt_pack_fn)(void *context, uint32_t launch, uint32_t group, struct wkt_packer *p);

/* Required: name and pack are not NULL, and no launch has a root. Waves have 64 lanes. */
struct wkt_source {
    const char *name; /* for errors */
    const char *program, *command, *producer;
    uint64_t checksum;                 /* of the parameters of the contents */
    const struct wkt_launch *launches; /* `groups` of each is read, `first_group` is not */
    const struct wkt_buffer *buffers;
    uint32_t launches_n, buffers_n;
    struct wkt_totals totals; /* totals of all work-groups; wkt_check_reader() checks them */
    wkt_pack_fn pack;
    void (*free_context)(void *context); /* called by wkt_close(); NULL: nothing to free */
    void *context;
};

/* Opens a source. Copies all but the context. On failure the context stays the caller's. */
int wkt_open_source(const struct wkt_source *source, struct wkt_reader **out, struct wkt_error *error);

/* ---- a part of a trace ---- */

struct wkt_part {
    uint32_t launch;        /* ascending from part to part */
    const uint32_t *groups; /* ascending; at least one */
    uint32_t groups_n;
};

/* Restricts the reader to these parts, with launches and groups renumbered from 0; once per reader. All
 * buffers stay, with their launches renumbered: addresses are those of the whole trace. The totals must be
 * counted again. Returns WKT_E_ARG if parts are out of order or range, or empty. */
int wkt_reader_select(struct wkt_reader *r, const struct wkt_part *parts, uint32_t parts_n,
                      struct wkt_error *error);

/* Return the number that a launch or group had before wkt_reader_select(); the same without that. */
uint32_t wkt_reader_launch_origin(const struct wkt_reader *r, uint32_t launch);
uint32_t wkt_reader_group_origin(const struct wkt_reader *r, uint32_t launch, uint32_t group);

/* Sets info->totals to those of the reader's part: loads each of its work-groups once. */
int wkt_reader_count(struct wkt_reader *r, struct wkt_error *error);

/* Sets the exit code of the traced program in a file that states its device. Changes the file in place: an
 * interruption leaves a damaged one. */
int wkt_state_exit_code(const char *path, uint32_t code, struct wkt_error *error);

/* Writes the reader's contents to a file, marked partial if the trace is. */
int wkt_reader_save(struct wkt_reader *r, const char *path, int level, struct wkt_error *error);

/* ---- writer: open, { buffer | launch_begin, { group_begin, { wave, record... } group_end } launch_end },
 * finish ---- */

struct wkt_writer;

struct wkt_writer_cfg {
    const char *program, *command, *producer; /* NULL: empty */
    int level;                                /* zstd level, 1..19; 0 = 3 */
};

/* Opens a writer, which writes to path + ".partial" until wkt_writer_finish(). */
int wkt_writer_open(const char *path, const struct wkt_writer_cfg *cfg, struct wkt_writer **out,
                    struct wkt_error *error);
/* Adds a buffer that launches begun from now on can see. Reads base_va, bytes and flags. Sets *number, which
 * may be NULL, for wkt_writer_buffer_end(). */
int wkt_writer_buffer(struct wkt_writer *w, const struct wkt_buffer *b, uint32_t *number,
                      struct wkt_error *error);
int wkt_writer_buffer_end(struct wkt_writer *w, uint32_t number, struct wkt_error *error); /* freed now */
/* Adds a buffer that every launch can see, including those written before. */
int wkt_writer_buffer_always(struct wkt_writer *w, const struct wkt_buffer *b, struct wkt_error *error);
/* Sets waves of 32 lanes, or 64 again. Required: before the first launch. */
int wkt_writer_wave_lanes(struct wkt_writer *w, uint32_t lanes, struct wkt_error *error);
/* Adds to info->lanes_left_out: accesses of lanes that lie in no buffer and are not recorded. */
void wkt_writer_left_out(struct wkt_writer *w, uint64_t lanes);
/* Set the device that the program found, and the program's exit code, 0 to 255. */
int wkt_writer_device(struct wkt_writer *w, const struct wkt_device *device, struct wkt_error *error);
int wkt_writer_exit_code(struct wkt_writer *w, uint32_t code, struct wkt_error *error);
/* Marks the trace as a part of one with these launches and work-groups. */
void wkt_writer_part_of(struct wkt_writer *w, uint32_t launches, uint64_t groups);
/* Begins a launch. Reads only name, grid, group, lds_bytes, code_bytes and root of `l`. */
int wkt_writer_launch_begin(struct wkt_writer *w, const struct wkt_launch *l, struct wkt_error *error);
int wkt_writer_group_begin(struct wkt_writer *w, struct wkt_error *error);
/* Begins the next wave. lanes: mask of the lanes that have a work-item, not 0. */
int wkt_writer_wave(struct wkt_writer *w, uint64_t lanes, struct wkt_error *error);
int wkt_writer_record(struct wkt_writer *w, const struct wkt_record *r,
                      struct wkt_error *error); /* form ignored */
int wkt_writer_tail(struct wkt_writer *w, uint32_t compute,
                    struct wkt_error *error); /* of the wave being written */
int wkt_writer_group_end(struct wkt_writer *w, struct wkt_error *error);
/* Replaces the code_bytes of the present launch, if they become known after its last work-group. */
int wkt_writer_code_bytes(struct wkt_writer *w, uint32_t code_bytes, struct wkt_error *error);
/* Sets the source lines of the present launch, by ascending pc, in place of earlier ones. */
int wkt_writer_lines(struct wkt_writer *w, const struct wkt_line *lines, uint32_t n, struct wkt_error *error);
int wkt_writer_launch_end(struct wkt_writer *w, struct wkt_error *error);

/* Writes the index, syncs, and renames the file to its final name. `partial` marks a capture that was stopped
 * early: closes an open launch and drops an open group. Always frees w; on failure no file is left. */
int wkt_writer_finish(struct wkt_writer *w, bool partial, struct wkt_error *error);
/* The same without freeing: for a process that ends next, whose heap may be corrupt. On failure path +
 * ".partial" stays until wkt_writer_abort(). */
int wkt_writer_seal(struct wkt_writer *w, bool partial, struct wkt_error *error);
/* Writes buffered data, so that a process that forks next holds no copy of them. */
int wkt_writer_flush(struct wkt_writer *w, struct wkt_error *error);
/* Frees w and removes the unfinished file. NULL is fine. */
void wkt_writer_abort(struct wkt_writer *w);

/* ---- work-groups packed independently of the writer, so that several threads can pack at once ---- */

struct wkt_packer;
struct wkt_packer *wkt_packer_new(int level);                    /* of zstd, 0: default; NULL: no memory */
void wkt_packer_free(struct wkt_packer *p);                      /* NULL is fine */
int wkt_packer_wave_lanes(struct wkt_packer *p, uint32_t lanes); /* 64 (initially) or 32; before a group */
/* Starts a group. tile_width: group[0], a hint for finding WKT_TILE; 0 = unknown. */
void wkt_packer_begin(struct wkt_packer *p, uint32_t tile_width);
/* Adds the next wave, with this mask of lanes, not 0; waves are numbered from 0 and may be written in any
 * order, interleaved. */
int wkt_packer_wave(struct wkt_packer *p, uint64_t lanes);
/* Appends to a wave; ignores r->form. Sets *number (may be NULL), which names the record for
 * wkt_packer_use(). */
int wkt_packer_record(struct wkt_packer *p, uint32_t wave, const struct wkt_record *r, uint32_t *number);
void wkt_packer_use(struct wkt_packer *p, uint32_t wave, uint32_t number, uint32_t use); /* replaces r->use */
/* Sets the instructions after the wave's last record, in place of earlier ones. */
void wkt_packer_tail(struct wkt_packer *p, uint32_t wave, uint32_t compute);
int wkt_packer_end(struct wkt_packer *p); /* compresses; then wkt_writer_packed() */
/* Appends a packed group to the present launch, instead of group_begin ... group_end. */
int wkt_writer_packed(struct wkt_writer *w, const struct wkt_packer *p, struct wkt_error *error);

/* ---- checker ---- */

struct wkt_report {
    struct wkt_totals totals;
    struct wkt_error error; /* the first fault; code WKT_OK if there is none */
    /* Lane addresses of global accesses with a byte outside every buffer of the table (not a fault); 0 if
     * launches have roots, whose tables decide. */
    uint64_t lanes_unmapped;
    uint64_t peak_group_bytes; /* largest work-group, decompressed */
};

/* Checks a whole file: every checksum, that every record decodes, and that the index has the totals of the
 * contents. */
int wkt_check(const char *path, struct wkt_report *report);
/* The same for an open reader's contents. */
int wkt_check_reader(struct wkt_reader *r, struct wkt_report *report);

/* Returns XXH64 of n bytes: the format's checksum. */
uint64_t wkt_hash64(const void *data, size_t n, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
