/* SPDX-License-Identifier: MIT */
/* import/asim_opcode.h - the meaning of a SASS opcode: the memory space and the access, barriers, and the
 * number of registers of an operand. The tracer lists only an operand's first register. Pure. */
#ifndef WW_IMPORT_ASIM_OPCODE_H
#define WW_IMPORT_ASIM_OPCODE_H

#include "import/accelsim.h"

enum asim_special { ASIM_ORDINARY, ASIM_BARRIER, ASIM_ASYNC /* LDGSTS */, ASIM_WAIT /* DEPBAR */ };

struct asim_opcode {
    uint8_t space;   /* enum asim_space; of memory instructions */
    uint8_t access;  /* WKT_LOAD, WKT_STORE or WKT_ATOMIC; of memory instructions */
    uint8_t special; /* enum asim_special */
};

/* Returns the bytes that each lane accesses: those that the tracer printed, but for .S8, .S16, .S64 and .F64,
 * for which it prints 4 and this returns 1, 2, 8 and 8. */
uint32_t asim_access_bytes(const struct asim_instruction *in);
/* Returns the meaning of an opcode. space is ASIM_UNKNOWN without memory (in->bytes 0) and of unknown
 * opcodes; BAR.ARV is ASIM_ORDINARY. */
struct asim_opcode asim_classify(const struct asim_instruction *in);

/* Returns the number of registers of source `i`, its first one included. MODEL: by opcode, see
 * docs/use/accelsim.md. */
uint32_t asim_source_span(const struct asim_instruction *in, const struct asim_opcode *op, uint32_t i);
/* Returns the number of registers of the destination. */
uint32_t asim_target_span(const struct asim_instruction *in, const struct asim_opcode *op);

#endif
