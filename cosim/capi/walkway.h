/* SPDX-License-Identifier: MIT */
/* capi/walkway.h - GPU address translation as a C library: TLBs, an IOMMU and page-table walks of a machine
 * that a .cfg file names, over page tables in memory of the caller's. C11 and C++; no SystemC.
 * docs/use/c-api.md.
 *
 * Stability: within a major version nothing that is here goes or changes its layout; a new minor version adds
 * functions, status codes and fields where `reserved` is now (0 means what it means today).
 *
 * Threads: one object is used by one thread at a time; different objects share nothing and may be used by
 * different threads at once. walkway_last_error() is the calling thread's. No function may be called on an
 * object from inside its own read function (WALKWAY_E_BUSY), nor from a signal handler.
 *
 * Errors: a negative status; nothing has changed then, and nothing has been written through the pointers that
 * were given, unless the function says so. walkway_last_error() says what was wrong. Nothing is thrown, and
 * nothing is printed. A fault is an answer, not an error: WALKWAY_FAULT.
 *
 * Time is in picoseconds since the object was made, and moves by walkway_advance() only. Nothing waits for a
 * port: an access takes as long as if it were alone (docs/use/translate-now.md). */
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

/* X(NAME, value, what it says). Negative: an error. */
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

/* What an access wants to do, and what a page allows. */
#define WALKWAY_READ 1u
#define WALKWAY_WRITE 2u
#define WALKWAY_EXECUTE 4u

/* Whose format the page tables have. */
enum walkway_table {
    WALKWAY_TABLE_CONFIGURED, /* as address_space.table and address_space.levels say: radix or amd_v1 */
    WALKWAY_TABLE_X86,        /* as an x86-64 operating system writes them; 4 or 5 address_space.levels */
    WALKWAY_TABLES
};

/* Of walkway_create(). All zero, but for `version`, is legal: fields that are 0 have the value in brackets.
 */
struct walkway_options {
    uint32_t version;            /* WALKWAY_VERSION */
    uint32_t table;              /* enum walkway_table */
    const char *const *settings; /* "section.key=value", behind those of the file, or NULL */
    uint32_t settings_count;
    uint32_t vmids;   /* [16] VM-IDs 0 to vmids - 1 may have a table; at most 65536 */
    uint32_t pending; /* [256] answers that may be pending; at most 1048576 */
    uint32_t faults;  /* [64] places in the fault queue; at most 1048576 */
    uint32_t
        physical_bits;    /* [52] of WALKWAY_TABLE_X86: 32 to 52, above which bits of entries are reserved */
    uint32_t reserved[7]; /* 0 */
};

struct walkway_access {
    uint64_t va;
    uint32_t unit; /* the compute unit that asks, below walkway_units() */
    uint16_t vmid;
    uint8_t rights;   /* WALKWAY_READ | ... that it wants; 0: any page will do */
    uint8_t reserved; /* 0 */
};

struct walkway_result {
    uint64_t va;
    uint64_t pa;        /* of va; 0 with a fault */
    uint64_t issued_ps; /* when the access was here, and */
    uint64_t done_ps;   /* when its answer is */
    uint64_t tag;       /* of a pending one: walkway_submit()'s; else 0 */
    uint32_t unit;
    uint16_t vmid;
    uint8_t fault;      /* enum walkway_fault_reason */
    uint8_t rights;     /* what the page allows; 0 with a fault */
    uint8_t page_shift; /* log2 of the bytes around va that the answer holds for; 0 with a fault */
    uint8_t reserved[7];
};

struct walkway_fault {
    uint64_t va;
    uint64_t at_ps;    /* when the answer is known */
    uint64_t entry_pa; /* of the entry that ended the walk; WALKWAY_NO_ENTRY where none did */
    uint32_t unit;
    uint16_t vmid;
    uint8_t reason; /* enum walkway_fault_reason */
    uint8_t rights; /* that the access wanted */
    uint8_t level;  /* of that entry: 1 is that of the smallest pages; 0 where there is none */
    uint8_t reserved[7];
};
#define WALKWAY_NO_ENTRY UINT64_MAX

WALKWAY_STATIC_ASSERT(sizeof(void *) == 8, "hosts have addresses of 64 bits");
WALKWAY_STATIC_ASSERT(sizeof(struct walkway_options) == 64, "layouts are fixed");
WALKWAY_STATIC_ASSERT(sizeof(struct walkway_access) == 16, "layouts are fixed");
WALKWAY_STATIC_ASSERT(sizeof(struct walkway_result) == 56, "layouts are fixed");
WALKWAY_STATIC_ASSERT(sizeof(struct walkway_fault) == 40, "layouts are fixed");

struct walkway_chain; /* an object: one machine's chain of translation, with what it holds */

/* The version of the library that is loaded. */
WALKWAY_API uint32_t walkway_version(void);
/* "WALKWAY_E_FULL", and its sentence; "?" for any other number. */
WALKWAY_API const char *walkway_status_name(int status);
WALKWAY_API const char *walkway_status_text(int status);
/* "ABSENT", and its sentence; "?" for any other number. */
WALKWAY_API const char *walkway_fault_name(unsigned reason);
WALKWAY_API const char *walkway_fault_text(unsigned reason);
/* What was wrong with this thread's last call that gave a negative status; "" before there is one. It stays
 * until the next one. */
WALKWAY_API const char *walkway_last_error(void);

/* A chain by the name of a shipped machine ("apu-micro18"), which the library has in it, or by the path of a
 * .cfg file (a '/' in it, or .cfg at its end), whose `extends` is looked for beside it and then among the
 * shipped ones. options may be NULL. */
WALKWAY_API int walkway_create(const char *platform, const struct walkway_options *options,
                               struct walkway_chain **created);
/* NULL is no object, and nothing to destroy. Not from inside a read function. */
WALKWAY_API void walkway_destroy(struct walkway_chain *w);
/* Compute units, each with an L1 TLB of its own; of NULL 0. */
WALKWAY_API uint32_t walkway_units(const struct walkway_chain *w);

/* Memory in which page tables lie, as it is at the time of each read. An aligned line of 64 bytes is read at
 * a time; it has to lie in one region as a whole, or the read function is asked for it. */

/* The bytes at `host` are those of physical addresses pa to pa + bytes - 1; they stay the caller's and have
 * to stay there. pa and bytes are multiples of 64; at most 64 regions. A read takes latency_ps. */
WALKWAY_API int walkway_map_memory(struct walkway_chain *w, uint64_t pa, const void *host, uint64_t bytes,
                                   uint64_t latency_ps);
/* Fills line with the 64 bytes at line_pa and says how long that takes; anything but 0: there is no such
 * memory. It must return; what one in C++ throws goes through the call that reads to its caller, and the
 * object is as after any other call, without an answer. After a fault the table is read a second time,
 * untimed, to find the reason. NULL: none. */
typedef int (*walkway_read_fn)(void *user, uint64_t line_pa, uint64_t line[8], uint64_t *latency_ps);
WALKWAY_API int walkway_set_reader(struct walkway_chain *w, walkway_read_fn read, void *user);

/* The root of a VM-ID's table, a multiple of 4096 below 2^52. What was held of the VM-ID is dropped. */
WALKWAY_API int walkway_set_root(struct walkway_chain *w, uint32_t vmid, uint64_t root_pa);
/* It has none any more, and faults (as before the first walkway_set_root()). */
WALKWAY_API int walkway_clear_root(struct walkway_chain *w, uint32_t vmid);

/* WALKWAY_OK or WALKWAY_FAULT. Nothing changes: no entry, no order of use, no statistic, no queue. */
WALKWAY_API int walkway_look(const struct walkway_chain *w, const struct walkway_access *access,
                             struct walkway_result *result);
/* The same as an access of the machine at the present time: TLBs and walk caches are used and filled,
 * statistics count, a fault goes into the queue. */
WALKWAY_API int walkway_translate(struct walkway_chain *w, const struct walkway_access *access,
                                  struct walkway_result *result);
/* Translates n accesses, one after the other at the present time, as walkway_translate() does. *done, unless
 * NULL, is the number of results written: all, or those before the first refused access. WALKWAY_FAULT: at
 * least one faulted. */
WALKWAY_API int walkway_translate_batch(struct walkway_chain *w, const struct walkway_access *accesses,
                                        struct walkway_result *results, size_t count, size_t *done);

/* The same access whose answer is fetched when its time has come: walkway_poll() gives those that are due, in
 * the order of their times, and of their submission. WALKWAY_OK also of a fault, which comes as an answer. */
WALKWAY_API int walkway_submit(struct walkway_chain *w, const struct walkway_access *access, uint64_t tag);
/* WALKWAY_OK or WALKWAY_FAULT as the answer is; WALKWAY_EMPTY when none is due. */
WALKWAY_API int walkway_poll(struct walkway_chain *w, struct walkway_result *result);
/* When the next one is due; WALKWAY_EMPTY when none is pending. */
WALKWAY_API int walkway_next_due(const struct walkway_chain *w, uint64_t *due_ps);

WALKWAY_API int walkway_advance(struct walkway_chain *w, uint64_t ps);
WALKWAY_API uint64_t walkway_now(const struct walkway_chain *w); /* of NULL 0 */

/* To be called after page tables were written: drops the mappings everywhere, in no time. page: the mapping
 * that holds va. range: mappings that overlap [va, va + bytes); bytes != 0. Pending answers stay unchanged.
 */
WALKWAY_API int walkway_invalidate_page(struct walkway_chain *w, uint32_t vmid, uint64_t va);
WALKWAY_API int walkway_invalidate_range(struct walkway_chain *w, uint32_t vmid, uint64_t va, uint64_t bytes);
WALKWAY_API int walkway_invalidate_vmid(struct walkway_chain *w, uint32_t vmid);
WALKWAY_API int walkway_invalidate_all(struct walkway_chain *w);

/* The oldest fault that has not been fetched, or WALKWAY_EMPTY. A fault that finds the queue full is counted
 * (faults_dropped) and not kept. */
WALKWAY_API int walkway_next_fault(struct walkway_chain *w, struct walkway_fault *fault);

/* JSON text with its final 0 byte into a buffer; *needed, unless NULL, is how many bytes it takes, also with
 * WALKWAY_E_SPACE. buffer may be NULL when bytes is 0: to ask. */

/* Every statistic with value, unit and definition. */
WALKWAY_API int walkway_statistics(const struct walkway_chain *w, char *buffer, size_t bytes, size_t *needed);
/* Every parameter with its value, whether it has an effect here, and if not, why. */
WALKWAY_API int walkway_parameters(const struct walkway_chain *w, char *buffer, size_t bytes, size_t *needed);
WALKWAY_API int walkway_reset_statistics(struct walkway_chain *w);

/* All of its state but memory: time, roots, what TLBs and walk caches hold, pending answers, faults,
 * statistics. Equal states are equal bytes, in every process. */
WALKWAY_API int walkway_snapshot(const struct walkway_chain *w, void *buffer, size_t bytes, size_t *needed);
/* Of an object that was made with the same values of all parameters that have an effect, and the same
 * options. A damaged snapshot is refused; one that was forged is not: treat it as a part of the program. */
WALKWAY_API int walkway_restore(struct walkway_chain *w, const void *snapshot, size_t bytes);
/* A digest of the snapshot that would be taken; 0 for NULL. */
WALKWAY_API uint64_t walkway_state_hash(const struct walkway_chain *w);

#ifdef __cplusplus
}
#endif

#endif
