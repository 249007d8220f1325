/* SPDX-License-Identifier: MIT */
/* import/asim_opcode.c - looks up opcodes by name. */
#include "import/asim_opcode.h"

#include <string.h>

/* O(name before the first dot, space, access) */
#define OPCODE_LIST(O)                                                                                       \
    O("LDG", ASIM_GLOBAL, WKT_LOAD)                                                                          \
    O("STG", ASIM_GLOBAL, WKT_STORE)                                                                         \
    O("LDGSTS", ASIM_GLOBAL, WKT_LOAD)                                                                       \
    O("RED", ASIM_GLOBAL, WKT_ATOMIC)                                                                        \
    O("REDG", ASIM_GLOBAL, WKT_ATOMIC)                                                                       \
    O("ATOMG", ASIM_GLOBAL, WKT_ATOMIC)                                                                      \
    O("ATOM", ASIM_GENERIC, WKT_ATOMIC)                                                                      \
    O("LD", ASIM_GENERIC, WKT_LOAD)                                                                          \
    O("ST", ASIM_GENERIC, WKT_STORE)                                                                         \
    O("LDS", ASIM_SHARED, WKT_LOAD)                                                                          \
    O("LDSM", ASIM_SHARED, WKT_LOAD)                                                                         \
    O("STS", ASIM_SHARED, WKT_STORE)                                                                         \
    O("STSM", ASIM_SHARED, WKT_STORE)                                                                        \
    O("LDSLK", ASIM_SHARED, WKT_LOAD)                                                                        \
    O("STSCUL", ASIM_SHARED, WKT_STORE)                                                                      \
    O("ATOMS", ASIM_SHARED, WKT_ATOMIC)                                                                      \
    O("LDL", ASIM_LOCAL, WKT_LOAD)                                                                           \
    O("STL", ASIM_LOCAL, WKT_STORE)                                                                          \
    O("LDC", ASIM_CONSTANT, WKT_LOAD)                                                                        \
    O("LDCU", ASIM_CONSTANT, WKT_LOAD)                                                                       \
    O("ULDC", ASIM_CONSTANT, WKT_LOAD)

static const struct {
    const char *name;
    uint8_t bytes, space, access;
} opcodes[] = {
#define OPCODE_ROW(name, space, access) {name, sizeof name - 1, space, access},
    OPCODE_LIST(OPCODE_ROW)
#undef OPCODE_ROW
};

static uint32_t base_bytes(const struct asim_instruction *in)
{
    uint32_t n = 0;
    while (n < in->opcode_bytes && in->opcode[n] != '.')
        n++;
    return n;
}

static bool is_base(const struct asim_instruction *in, uint32_t n, const char *name)
{
    return strlen(name) == n && memcmp(in->opcode, name, n) == 0;
}

/* True if `part` is one of the parts after a dot. */
static bool has_part(const struct asim_instruction *in, const char *part)
{
    size_t n = strlen(part);
    const char *p = in->opcode, *end = p + in->opcode_bytes;
    while ((p = memchr(p, '.', (size_t)(end - p)))) {
        p++;
        if ((size_t)(end - p) >= n && memcmp(p, part, n) == 0 && (p + n == end || p[n] == '.'))
            return true;
    }
    return false;
}

uint32_t asim_access_bytes(const struct asim_instruction *in)
{
    static const struct {
        const char *part;
        uint32_t bytes;
    } missed[] = {{"S8", 1}, {"S16", 2}, {"S64", 8}, {"F64", 8}};
    for (size_t i = 0; in->bytes == 4 && i < sizeof missed / sizeof *missed; i++)
        if (has_part(in, missed[i].part))
            return missed[i].bytes;
    return in->bytes;
}

struct asim_opcode asim_classify(const struct asim_instruction *in)
{
    struct asim_opcode op = {ASIM_UNKNOWN, WKT_LOAD, ASIM_ORDINARY};
    uint32_t n = base_bytes(in);
    if (*in->opcode == 'B' && is_base(in, n, "BAR") && !has_part(in, "ARV"))
        op.special = ASIM_BARRIER;
    else if (*in->opcode == 'D' && is_base(in, n, "DEPBAR"))
        op.special = ASIM_WAIT;
    if (in->bytes == 0)
        return op;
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
        if (opcodes[i].bytes != n || memcmp(opcodes[i].name, in->opcode, n) != 0)
            continue;
        op.space = opcodes[i].space;
        op.access = opcodes[i].access;
        if (is_base(in, n, "LDGSTS"))
            op.special = ASIM_ASYNC;
        break;
    }
    return op;
}

static bool is_double(const struct asim_instruction *in)
{
    static const char *const names[] = {"DADD", "DMUL", "DFMA", "DSETP", "DMNMX"};
    uint32_t n = base_bytes(in);
    if (*in->opcode == 'D')
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (is_base(in, n, names[i]))
                return true;
    return has_part(in, "F64");
}

static bool is_matrix(const struct asim_instruction *in)
{
    uint32_t n = base_bytes(in);
    return n > 3 && memcmp(in->opcode + n - 3, "MMA", 3) == 0;
}

static uint32_t words(uint32_t bytes)
{
    return bytes > 4 ? (bytes + 3) / 4 : 1;
}

uint32_t asim_source_span(const struct asim_instruction *in, const struct asim_opcode *op, uint32_t i)
{
    static const uint32_t matrix[] = {4, 2, 4}; /* registers of the operands A, B and C of an m16n8k16 */
    if (in->bytes) {
        bool wide = op->space == ASIM_SHARED || op->space == ASIM_LOCAL ? false : has_part(in, "E");
        if (i == 0 || op->special == ASIM_ASYNC)
            return wide ? 2 : 1;
        return words(in->bytes);
    }
    if (is_matrix(in))
        return i < 3 ? matrix[i] : 1;
    if (is_double(in) || (i + 1 == in->sources_n && has_part(in, "WIDE")))
        return 2;
    return 1;
}

uint32_t asim_target_span(const struct asim_instruction *in, const struct asim_opcode *op)
{
    if (in->bytes) {
        /* the tracer mistakes LDSM's .16 for its width */
        if (op->space == ASIM_SHARED && is_base(in, base_bytes(in), "LDSM"))
            return has_part(in, "4") ? 4 : has_part(in, "2") ? 2 : 1;
        return words(in->bytes);
    }
    return is_matrix(in) || is_double(in) || has_part(in, "WIDE") ? 2 : 1;
}
