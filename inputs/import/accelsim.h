/* SPDX-License-Identifier: MIT */
/* import/accelsim.h - traces of the Accel-Sim tracer (NVBit), versions 1 to 5, post-processed
 * (`kernelslist.g`, `*.traceg`, plain, .xz or .gz), to `.wkt`: list, kernel traces as events, import
 * (docs/use/accelsim.md). Not read: raw traces, version 6, TMA. Memory: 1 MiB of text, the needs of .xz, one
 * thread block's records; a list as long as its file. Thread-safety: one owner an object. */
#ifndef WW_IMPORT_ACCELSIM_H
#define WW_IMPORT_ACCELSIM_H

#include "trace/wkt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASIM_LANES 32u
#define ASIM_BLOCK_THREADS 1024u /* CUDA's limits */
#define ASIM_GRID_YZ 65535u
#define ASIM_WARPS (ASIM_BLOCK_THREADS / ASIM_LANES)
#define ASIM_OPERANDS 8u         /* most registers of one kind on a line; the tracer writes fewer */
#define ASIM_VA_BITS 57u         /* most that a page table of the model covers */
#define ASIM_WINDOW (1u << 24)   /* bytes of the shared and of the local window of generic addresses */
#define ASIM_NO_REGISTER 0xffffu /* an operand that no load writes: RZ, uniform, predicate */

struct asim_error {
    int code; /* enum wkt_status */
    bool output;
    char text[320];           /* "file:line: reason", no control bytes, ends with 0 */
    char word[64];            /* the word in place of one of `valid`; may be empty */
    const char *const *valid; /* NULL, or the expected names, NULL-terminated */
};

/* True if `word` is a misspelling of one of `valid` (NULL-terminated). Other unknown words are skipped, as
 * Accel-Sim does. */
typedef bool (*asim_misspelt_fn)(const char *word, const char *const *valid);

/* ---- kernelslist.g ---- */

enum asim_command { ASIM_COPY, ASIM_KERNEL, ASIM_OTHER };

struct asim_entry {
    enum asim_command command;
    uint64_t line;
    uint64_t va, bytes; /* ASIM_COPY */
    char *text;         /* ASIM_KERNEL: the file's path */
};

struct asim_list {
    char *path; /* of the list's file */
    struct asim_entry *entries;
    size_t n, cap;
    uint64_t kernels;
};

/* `path`: the list, or the folder it is in. 0, or a negative wkt_status. */
int asim_list_read(const char *path, asim_misspelt_fn misspelt, struct asim_list *out, struct asim_error *e);
void asim_list_free(struct asim_list *l);

/* ---- one kernel's trace ---- */

struct asim_header {
    char name[WKT_NAME_BYTES]; /* cut if longer */
    uint32_t grid[3], block[3];
    uint32_t shmem_bytes, sm, version;
    uint64_t id, stream, registers, shmem_base, local_base;
    bool has_shmem_base, has_local_base, lineinfo;
};

struct asim_instruction {
    uint64_t line;        /* in the file */
    uint32_t pc;          /* byte offset in the kernel */
    uint32_t source_line; /* 0: unknown */
    uint32_t mask;
    uint32_t sources_n, targets_n;
    uint16_t sources[ASIM_OPERANDS], targets[ASIM_OPERANDS]; /* register number, or ASIM_NO_REGISTER */
    uint32_t bytes;                                          /* per lane; 0: no memory reference */
    uint32_t opcode_bytes;
    const char *opcode;      /* opcode_bytes long, not terminated; valid until the next event */
    uint64_t va[ASIM_LANES]; /* of active lanes, if bytes != 0 */
};

enum asim_event { ASIM_END, ASIM_BLOCK, ASIM_WARP, ASIM_INSTRUCTION, ASIM_BLOCK_END };

struct asim_kernel {
    struct asim_header header;
    uint32_t block[3];     /* of the last ASIM_BLOCK; its number is x + grid x * (y + grid y * z) */
    uint32_t warp;         /* of the last ASIM_WARP */
    uint32_t instructions; /* number of this warp's instructions */
    struct asim_instruction instruction;
    /* Of the file, on disk and unpacked; up to the last event that was not an instruction. */
    uint64_t bytes_read, text_bytes;
    uint64_t guessed; /* accesses so far whose base may be that of a lane turned off by the predicate */
    struct asim_reading *reading;
};

/* Opens a kernel's trace and reads its header. */
int asim_kernel_open(const char *path, asim_misspelt_fn misspelt, struct asim_kernel **out,
                     struct asim_error *e);
void asim_kernel_close(struct asim_kernel *k); /* NULL is fine */
/* Returns the next enum asim_event, or a negative wkt_status. */
int asim_kernel_next(struct asim_kernel *k, struct asim_error *e);
uint32_t asim_block_threads(const struct asim_header *h);
/* Returns the lanes of a warp that have a thread. */
uint32_t asim_warp_lanes(const struct asim_header *h, uint32_t warp);

/* ---- import ---- */

struct asim_summary {
    uint64_t copies, launches, blocks, blocks_missing, blocks_disordered;
    uint64_t instructions, text_bytes;
    uint64_t off;                  /* memory instructions without an active lane */
    uint64_t constant, unknown;    /* memory instructions omitted: constant memory, unknown spaces */
    char unknown_opcode[32];       /* the first of the latter */
    uint64_t local_records, split; /* records of local memory; generic accesses to several spaces */
    uint64_t guessed;              /* as in struct asim_kernel */
    uint64_t commands;             /* unknown lines of the list */
};

struct asim_import_cfg {
    const char *program, *command, *producer;
    int level; /* of compression, 0: the default */
    asim_misspelt_fn misspelt;
    /* Called at intervals; returns true to stop the import. */
    bool (*stop)(void *context, const struct asim_summary *so_far, uint64_t bytes_read);
    void *context;
};

/* Imports the whole list to `path`. Leaves no file on failure. If stopped, returns WKT_E_ARG with an empty
 * text. */
int asim_import(const struct asim_list *list, const char *path, const struct asim_import_cfg *cfg,
                struct asim_summary *out, struct asim_error *e);

/* ---- the decoding of a line ---- */

enum asim_space { ASIM_GLOBAL, ASIM_SHARED, ASIM_LOCAL, ASIM_GENERIC, ASIM_CONSTANT, ASIM_UNKNOWN };

#ifdef __cplusplus
}
#endif

#endif
