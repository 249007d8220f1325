/* SPDX-License-Identifier: MIT */
/* import/asim_kernel.h - common parts of the header, body and instruction lines of a kernel's trace. */
#ifndef WW_IMPORT_ASIM_KERNEL_H
#define WW_IMPORT_ASIM_KERNEL_H

#include "import/asim_scan.h"
#include "import/asim_text.h"

#define ASIM_SEEN_MAX (UINT64_C(1) << 27) /* most blocks of a grid that are distinguished: 16 MiB of bits */

enum asim_state { ASIM_OUTSIDE, ASIM_BLOCK_HEAD, ASIM_IN_BLOCK, ASIM_WARP_HEAD };

struct asim_reading {
    struct asim_kernel kernel;
    struct asim_text text;
    asim_misspelt_fn misspelt;
    enum asim_state state;
    uint32_t left;       /* instructions of the warp */
    uint32_t warps_seen; /* a bit each */
    uint32_t warp_lanes; /* of the warp being read */
    uint64_t blocks;     /* of the grid */
    uint8_t *seen;       /* a bit a block; NULL: too many blocks */
    bool ids;            /* tracer versions 1 and 2: lines begin with block and warp */
};

/* Reads the header, and the comment line that ends it. */
int asim_read_header(struct asim_reading *r, struct asim_error *e);
/* Reads one instruction line from p on into r->kernel.instruction. */
int asim_read_instruction(struct asim_reading *r, const char *p, struct asim_error *e);

/* Reads x, y and z of "(x,y,z)" without the parentheses. */
bool asim_scan_3(const char **at, uint32_t v[3]);

#endif
