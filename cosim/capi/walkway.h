/* SPDX-License-Identifier: MIT */
/* capi/walkway.h - GPU address translation as a C library: TLBs, an IOMMU and page-table walks of a machine
 * that a .cfg file names, over page tables in the caller's memory. C11 and C++; no SystemC.
 * docs/use/c-api.md.
 *
 * Stability: within a major version nothing here is removed or changes its layout; a new minor version adds
 * functions, status codes and fields in place of `reserved` (0 keeps its meaning of today).
 *
 * Threads: one object is used by one thread at a time; different objects share nothing and may be used by
 * different threads at once. walkway_last_error() is per calling thread. No function may be called on an
 * object from inside its own read function (WALKWAY_E_BUSY), nor from a signal handler.
 *
 * Errors: a negative status; then nothing has changed, and nothing has been written through the pointers
 * given, unless the function says so. walkway_last_error() says what was wrong. No function throws or prints.
 * A fault is an answer, not an error: WALKWAY_FAULT.
 *
 * Time is in picoseconds since the object was made; only walkway_advance() moves it. No access waits for a
 * port: each takes as long as if it were alone (docs/use/translate-now.md). */
#ifndef WALKWAY_H
#define WALKWAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define WALKWAY_STATIC_ASSERT(expr, text) static_assert(expr, text)
#else
#define WALKWAY_STATIC_ASSERT(expr, text) _Static_assert(expr, text)
#endif

#define WALKWAY_VERSION_MAJOR 1u
#define WALKWAY_VERSION_MINOR 0u
#define WALKWAY_VERSION (WALKWAY_VERSION_MAJOR << 16 | WALKWAY_VERSION_MINOR)
#define WALKWAY_SNAPSHOT_FORMAT 1u

#if defined(__GNUC__)
#define WALKWAY_API __attribute__((visibility("default")))
#else
#define WALKWAY_API
#endif

/* X(NAME, value, text). Negative: an error. */
#define WALKWAY_STATUS_LIST(X)                                                                               \
    X(OK, 0, "done; of an access: it is translated")                                                         \
    X(FAULT, 1, "the answer is a fault, whose reason is in the result")                                      \
    X(EMPTY, 2, "there is none: no answer is due, no fault is queued")                                       \
    X(E_ARGUMENT, -1, "an argument is NULL, out of range, or not what the function takes")                   \
    X(E_VERSION, -2, "the program was compiled for another version of this library")                         \
    X(E_FILE, -3, "a machine file is not there or cannot be read")                                           \
    X(E_CONFIG, -4, "a platform or a setting is wrong, or asks for what a chain of translation cannot do")   \
    X(E_MEMORY, -5, "the host has no memory for it")                                                         \
    X(E_FULL, -6, "no room: the most answers are pending, or the most regions mapped")                       \
    X(E_OVERLAP, -7, "a region of memory overlaps one that is mapped")                                       \
    X(E_SPACE, -8, "the buffer is too small; how much it takes has been written")                            \
    X(E_SNAPSHOT, -9, "no snapshot, a damaged one, or one of another format")                                \
    X(E_OTHER_CONFIG, -10, "a snapshot of an object that was configured otherwise")                          \
    X(E_BUSY, -11, "called from inside the object's own read function")                                      \
    X(E_INTERNAL, -12, "a defect of the library; please report the text")

enum walkway_status {
#define WALKWAY_X(name, value, text) WALKWAY_##name = value,
    WALKWAY_STATUS_LIST(WALKWAY_X)
#undef WALKWAY_X
};

/* X(NAME, why there is no translation). */
#define WALKWAY_FAULT_LIST(X)                                                                                \
    X(NONE, "there is one")                                                                                  \
    X(ABSENT, "an entry of the page table is not present")                                                   \
    X(MALFORMED, "an entry or a root has a value that the format does not allow")                            \
    X(ADDRESS, "the virtual address has bits that the table does not translate")                             \
    X(NO_TABLE, "the VM-ID has no page table")                                                               \
    X(MEMORY, "a line of the page table lies in no memory, or its read failed")                              \
    X(RIGHTS, "the page is there, but not with the rights that the access wants")                            \
    X(STALE, "a walk cache led to an entry that is not the table's any more: an invalidate is missing")

enum walkway_fault_reason {
#define WALKWAY_X(name, text) WALKWAY_FAULT_##name,
    WALKWAY_FAULT_LIST(WALKWAY_X)
#undef WALKWAY_X
        WALKWAY_FAULT_REASONS
};

/* Rights that an access needs, and that a page grants. */
#define WALKWAY_READ 1u
#define WALKWAY_WRITE 2u
#define WALKWAY_EXECUTE 4u

/* Formats of page tables. */
enum walkway_table {
    WALKWAY_TABLE_CONFIGURED, /* that of address_space.table and address_space.levels: radix or amd_v1 */
    WALKWAY_TABLE_X86,        /* that of x86-64 operating systems; address_space.levels is 4 or 5 */
    WALKWAY_TABLES
};

/* Options of walkway_create(). All zero, except `version`, is legal: a field of 0 has the value in
 * brackets. */
struct walkway_options {
    uint32_t version;            /* WALKWAY_VERSION */
    uint32_t table;              /* enum walkway_table */
    const char *const *settings; /* "section.key=value", applied after those of the file; NULL: none */
    uint32_t settings_count;
    uint32_t vmids;   /* [16] VM-IDs 0 to vmids - 1 may have a table; at most 65536 */
    uint32_t pending; /* [256] answers that may be pending; at most 1048576 */
    uint32_t faults;  /* [64] places in the fault queue; at most 1048576 */
    /* [52] of WALKWAY_TABLE_X86: 32 to 52; bits of entries above are reserved. */
    uint32_t physical_bits;
    uint32_t reserved[7]; /* 0 */
};

struct walkway_access {
    uint64_t va;
    uint32_t unit; /* compute unit of the access, below walkway_units() */
    uint16_t vmid;
    uint8_t rights;   /* WALKWAY_READ | ... needed; 0: any page will do */
    uint8_t reserved; /* 0 */
};

struct walkway_result {
    uint64_t va;
    uint64_t pa;        /* of va; 0 with a fault */
    uint64_t issued_ps; /* arrival of the access */
    uint64_t done_ps;   /* arrival of its answer */
    uint64_t tag;       /* of a pending answer: walkway_submit()'s; else 0 */
    uint32_t unit;
    uint16_t vmid;
    uint8_t fault;      /* enum walkway_fault_reason */
    uint8_t rights;     /* granted by the page; 0 with a fault */
    uint8_t page_shift; /* log2 of the bytes around va for which the answer is valid; 0 with a fault */
    uint8_t reserved[7];
};

struct walkway_fault {
    uint64_t va;
    uint64_t at_ps;    /* arrival of the answer */
    uint64_t entry_pa; /* of the entry that ended the walk; WALKWAY_NO_ENTRY: none did */
    uint32_t unit;
    uint16_t vmid;
    uint8_t reason; /* enum walkway_fault_reason */
    uint8_t rights; /* needed by the access */
    uint8_t level;  /* of that entry, from 1 for the smallest pages; 0: none */
    uint8_t reserved[7];
};
#define WALKWAY_NO_ENTRY UINT64_MAX

WALKWAY_STATIC_ASSERT(sizeof(void *) == 8, "hosts have addresses of 64 bits");
WALKWAY_STATIC_ASSERT(sizeof(struct walkway_options) == 64, "layouts are fixed");
WALKWAY_STATIC_ASSERT(sizeof(struct walkway_access) == 16, "layouts are fixed");
WALKWAY_STATIC_ASSERT(sizeof(struct walkway_result) == 56, "layouts are fixed");
WALKWAY_STATIC_ASSERT(sizeof(struct walkway_fault) == 40, "layouts are fixed");

struct walkway_chain; /* an object: one machine's chain of translation, with its state */

/* Returns the version of the loaded library. */
WALKWAY_API uint32_t walkway_version(void);
/* Return "WALKWAY_E_FULL", and its sentence; "?" for any other number. */
WALKWAY_API const char *walkway_status_name(int status);
WALKWAY_API const char *walkway_status_text(int status);
/* Return "ABSENT", and its sentence; "?" for any other number. */
WALKWAY_API const char *walkway_fault_name(unsigned reason);
WALKWAY_API const char *walkway_fault_text(unsigned reason);
/* Returns the error of this thread's last call with a negative status, "" before there is one. It is valid
 * until the next such call. */
WALKWAY_API const char *walkway_last_error(void);

/* Creates a chain by the name of a shipped machine ("apu-micro18"), which the library contains, or by the
 * path of a .cfg file (with a '/', or .cfg at its end), whose `extends` is searched beside it and then among
 * the shipped ones. options may be NULL. */
WALKWAY_API int walkway_create(const char *platform, const struct walkway_options *options,
                               struct walkway_chain **created);
/* Destroys an object; NULL has no effect. Not from inside a read function. */
WALKWAY_API void walkway_destroy(struct walkway_chain *w);
/* Returns the number of compute units, each with an L1 TLB of its own; 0 for NULL. */
WALKWAY_API uint32_t walkway_units(const struct walkway_chain *w);

/* Memory with page tables, as of the time of each read. An aligned line of 64 bytes is read at a time; it
 * must lie whole in one region, else the read function is called for it. */

/* Maps the bytes at `host` to physical addresses pa to pa + bytes - 1. They stay the caller's and must stay
 * valid. A read takes latency_ps. Required: pa and bytes are multiples of 64; at most 64 regions. */
WALKWAY_API int walkway_map_memory(struct walkway_chain *w, uint64_t pa, const void *host, uint64_t bytes,
                                   uint64_t latency_ps);
/* Sets the read function; NULL: none. It fills line with the 64 bytes at line_pa and sets *latency_ps;
 * anything but 0: there is no such memory. It must return; an exception thrown by one in C++ passes through
 * the call that reads to its caller, and the object is as after any other call, without an answer. After a
 * fault the table is read a second time, untimed, to find the reason. */
typedef int (*walkway_read_fn)(void *user, uint64_t line_pa, uint64_t line[8], uint64_t *latency_ps);
WALKWAY_API int walkway_set_reader(struct walkway_chain *w, walkway_read_fn read, void *user);

/* Sets the root of a VM-ID's table and drops the VM-ID's mappings. Required: root_pa is a multiple of 4096
 * below 2^52. */
WALKWAY_API int walkway_set_root(struct walkway_chain *w, uint32_t vmid, uint64_t root_pa);
/* Removes the VM-ID's table: it faults, as before the first walkway_set_root(). */
WALKWAY_API int walkway_clear_root(struct walkway_chain *w, uint32_t vmid);

/* Translates without side effect on entries, order of use, statistics and queues. Returns WALKWAY_OK or
 * WALKWAY_FAULT. */
WALKWAY_API int walkway_look(const struct walkway_chain *w, const struct walkway_access *access,
                             struct walkway_result *result);
/* Translates as an access of the machine at the present time: TLBs and walk caches are used and filled,
 * statistics count, a fault goes into the queue. */
WALKWAY_API int walkway_translate(struct walkway_chain *w, const struct walkway_access *access,
                                  struct walkway_result *result);
/* Translates n accesses, one after the other at the present time, as walkway_translate() does. *done, unless
 * NULL, is the number of results written: all, or those before the first refused access. WALKWAY_FAULT: at
 * least one faulted. */
WALKWAY_API int walkway_translate_batch(struct walkway_chain *w, const struct walkway_access *accesses,
                                        struct walkway_result *results, size_t count, size_t *done);

/* Translates in the same way, with the answer fetched when it is due: walkway_poll() returns those that are
 * due, in the order of their times, then of their submission. Returns WALKWAY_OK for a fault too, which comes
 * as an answer. */
WALKWAY_API int walkway_submit(struct walkway_chain *w, const struct walkway_access *access, uint64_t tag);
/* Sets *result to the next due answer. Returns WALKWAY_OK or WALKWAY_FAULT by the answer, or WALKWAY_EMPTY if
 * none is due. */
WALKWAY_API int walkway_poll(struct walkway_chain *w, struct walkway_result *result);
/* Sets *due_ps to the time of the next answer. Returns WALKWAY_EMPTY if none is pending. */
WALKWAY_API int walkway_next_due(const struct walkway_chain *w, uint64_t *due_ps);

WALKWAY_API int walkway_advance(struct walkway_chain *w, uint64_t ps);
WALKWAY_API uint64_t walkway_now(const struct walkway_chain *w); /* 0 for NULL */

/* Call after page tables were written: drop mappings everywhere, in no time. page: the mapping that holds va.
 * range: mappings that overlap [va, va + bytes); bytes != 0. Pending answers stay unchanged. */
WALKWAY_API int walkway_invalidate_page(struct walkway_chain *w, uint32_t vmid, uint64_t va);
WALKWAY_API int walkway_invalidate_range(struct walkway_chain *w, uint32_t vmid, uint64_t va, uint64_t bytes);
WALKWAY_API int walkway_invalidate_vmid(struct walkway_chain *w, uint32_t vmid);
WALKWAY_API int walkway_invalidate_all(struct walkway_chain *w);

/* Sets *fault to the oldest fault not yet fetched. Returns WALKWAY_EMPTY if there is none. A fault that finds
 * the queue full is counted (faults_dropped) and lost. */
WALKWAY_API int walkway_next_fault(struct walkway_chain *w, struct walkway_fault *fault);

/* Write JSON text, with its final 0 byte, into a buffer. *needed, unless NULL, is set to the bytes that it
 * takes, also with WALKWAY_E_SPACE. To get the size only, pass NULL and 0 bytes. */

/* Writes every statistic with value, unit and definition. */
WALKWAY_API int walkway_statistics(const struct walkway_chain *w, char *buffer, size_t bytes, size_t *needed);
/* Writes every parameter with its value, whether it has an effect here, and if not, why. */
WALKWAY_API int walkway_parameters(const struct walkway_chain *w, char *buffer, size_t bytes, size_t *needed);
WALKWAY_API int walkway_reset_statistics(struct walkway_chain *w);

/* Writes all of its state but memory: time, roots, contents of TLBs and walk caches, pending answers, faults,
 * statistics. Equal states give equal bytes, in every process. */
WALKWAY_API int walkway_snapshot(const struct walkway_chain *w, void *buffer, size_t bytes, size_t *needed);
/* Restores a snapshot of an object with the same values of all parameters that have an effect, and the same
 * options. A damaged snapshot is refused; a forged one is not: treat snapshots as part of the program. */
WALKWAY_API int walkway_restore(struct walkway_chain *w, const void *snapshot, size_t bytes);
/* Returns a digest of the snapshot that walkway_snapshot() would write; 0 for NULL. */
WALKWAY_API uint64_t walkway_state_hash(const struct walkway_chain *w);

#ifdef __cplusplus
}
#endif

#endif
