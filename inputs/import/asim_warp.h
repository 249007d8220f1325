/* SPDX-License-Identifier: MIT */
/* import/asim_warp.h - one warp's instructions to the records of a wave: the accesses, the number of
 * instructions between them, and the first reads of loaded registers. Memory: 12 KiB, and 12 bytes for each
 * LDGSTS between two DEPBARs. */
#ifndef WW_IMPORT_ASIM_WARP_H
#define WW_IMPORT_ASIM_WARP_H

#include "import/asim_opcode.h"
#include "import/asim_regions.h"

/* Local memory has addresses of its own: word w of thread slot t is at ASIM_LOCAL_VA + 4 (slots w + t). */
#define ASIM_LOCAL_VA (UINT64_C(1) << 47)
#define ASIM_LOCAL_SLOTS (1u << 18)

struct asim_load {
    uint32_t record;  /* of its first record */
    uint32_t records; /* number of its records */
    uint64_t position;
    uint32_t first, end; /* registers */
};

#define ASIM_DIVIDED 64u

/* The lanes in which a register still has the value of an earlier load, by the other branch. */
struct asim_divided {
    uint32_t reg, lanes;
    struct asim_load load;
};

struct asim_warp {
    struct wkt_packer *packer;
    struct asim_regions *regions;
    const struct asim_header *header;
    struct asim_summary *summary;
    uint32_t wave;
    uint32_t slot;       /* of its first thread in local memory */
    uint64_t clock;      /* instructions so far */
    uint64_t after_last; /* clock after the last record */
    uint32_t records;
    uint32_t pending; /* registers that wait for their first reader, and `divided` */
    uint32_t lanes[256];
    struct asim_load loads[256]; /* by register; equal for the registers of one load */
    struct asim_divided divided[ASIM_DIVIDED];
    uint32_t divided_n;
    uint32_t *async;    /* records of LDGSTS since the last DEPBAR */
    uint64_t *async_at; /* their positions */
    size_t async_n, async_cap;
    struct wkt_record record;
};

/* Returns the record's pc of an instruction at `pc` bytes from the kernel's beginning. */
static inline uint32_t asim_record_pc(uint32_t pc)
{
    return pc / 8;
}

void asim_warp_start(struct asim_warp *w, uint32_t wave, uint32_t slot);
/* Returns WKT_OK, WKT_E_FORMAT with *reason (an impossible address), WKT_E_MEMORY, or WKT_E_LIMIT with
 * *reason. */
int asim_warp_instruction(struct asim_warp *w, const struct asim_instruction *in, const char **reason);
void asim_warp_end(struct asim_warp *w);
void asim_warp_free(struct asim_warp *w);

#endif
