/* SPDX-License-Identifier: MIT */
/* import/asim_instruction.c - parses one instruction line: the hot path of an import. Only immediates follow
 * the addresses. The import does not need them; it checks them only to reject a line with too many
 * addresses. */
#include "import/asim_kernel.h"
#include "import/asim_opcode.h"

#define COLD __attribute__((cold, noinline))

/* The word at p is no valid `what`; wanted: the valid form. */
COLD static int bad(const struct asim_reading *r, const char *p, const char *what, const char *wanted,
                    struct asim_error *e)
{
    size_t n = asim_word_bytes(p);
    if (n == 0)
        return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line, "the line ends where %s should be (%s)",
                         what, wanted);
    return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line, "%s is '%.*s', not %s", what,
                     n > 40 ? 40 : (int)n, p, wanted);
}

/* Reads a word that is a number up to max. */
static inline bool number(const char **at, uint64_t max, uint32_t *v)
{
    uint64_t n;
    asim_skip(at);
    const char *p = *at;
    if (!asim_dec(&p, &n) || n > max || !asim_is_end(*p))
        return false;
    *at = p;
    *v = (uint32_t)n;
    return true;
}

/* Reads R<n>; RZ, uniform registers and predicates, which no load writes, are ASIM_NO_REGISTER. */
static inline bool operand(const char **at, uint16_t *out)
{
    uint64_t n = 255;
    asim_skip(at);
    const char *p = *at;
    bool uniform = *p == 'U';
    p += uniform;
    bool predicate = *p == 'P';
    if (*p != 'R' && !predicate)
        return false;
    p++;
    if (!(*p == (predicate ? 'T' : 'Z') ? (p++, true) : asim_dec(&p, &n) && n < 256) || !asim_is_end(*p))
        return false;
    *at = p;
    *out = uniform || predicate || n == 255 ? ASIM_NO_REGISTER : (uint16_t)n;
    return true;
}

/* signed_number() reads a word that is a number with or without a sign, address() an address. */
static inline bool signed_number(const char **at, uint64_t *v)
{
    asim_skip(at);
    const char *p = *at;
    if (!asim_signed(&p, v) || !asim_is_end(*p))
        return false;
    *at = p;
    return true;
}

static inline bool address(const char **at, uint64_t *v)
{
    asim_skip(at);
    const char *p = *at;
    if (!asim_address(&p, v) || !asim_is_end(*p))
        return false;
    *at = p;
    return true;
}

static inline int operands(const struct asim_reading *r, const char **at, uint32_t *n, uint16_t *list,
                           const char *what, struct asim_error *e)
{
    if (!number(at, ASIM_OPERANDS, n))
        return bad(r, *at, what, "a number up to 8", e);
    for (uint32_t i = 0; i < *n; i++)
        if (!operand(at, &list[i]))
            return bad(r, *at, "an operand", "a register R<n>", e);
    return WKT_OK;
}

/* Tracer versions 1 and 2 repeat the block and the warp in each line. */
static int ids(const struct asim_reading *r, const char **at, struct asim_error *e)
{
    const struct asim_kernel *k = &r->kernel;
    const uint32_t expected[] = {k->block[0], k->block[1], k->block[2], k->warp};
    for (int i = 0; i < 4; i++) {
        uint32_t v;
        if (!number(at, UINT32_MAX, &v))
            return bad(r, *at, "block or warp", "a decimal number (tracer versions 1 and 2)", e);
        if (v != expected[i])
            return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                             "the line is of another %s than its place says",
                             i < 3 ? "thread block" : "warp");
    }
    return WKT_OK;
}

/* If a line of version 1 has more addresses than active lanes, the others are of lanes that the predicate
 * turned off. Sets *mask to the lanes with an address, which are known only if all threads of the warp have
 * one; else fails, unless no lane is active: then it does not matter which they are. */
static int listed_lanes(const struct asim_reading *r, const char *at, uint32_t *mask, struct asim_error *e)
{
    uint32_t listed = 0, active = (uint32_t)__builtin_popcount(*mask);
    for (uint64_t va; address(&at, &va);)
        listed++;
    if (listed > active) {
        if (active && listed != (uint32_t)__builtin_popcount(r->warp_lanes))
            return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                             "%u addresses for %u active lanes: version 1 lists those of lanes that the "
                             "predicate turned off, too; it is not known which these are",
                             listed, active);
        *mask = listed < ASIM_LANES ? r->warp_lanes & ((1u << listed) - 1) : r->warp_lanes;
    }
    return WKT_OK;
}

static int list_all(const struct asim_reading *r, const char **at, uint32_t mask, uint64_t *va,
                    struct asim_error *e)
{
    int status = r->kernel.header.version == 1 ? listed_lanes(r, *at, &mask, e) : WKT_OK;
    if (status)
        return status;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        if (!address(at, &va[__builtin_ctz(rest)]))
            return bad(r, *at, "an address", "0x... for each active lane", e);
    }
    return WKT_OK;
}

static int base_and_stride(struct asim_reading *r, const char **at, uint32_t mask, uint64_t base,
                           uint64_t *va, struct asim_error *e)
{
    uint64_t stride;
    if (!signed_number(at, &stride))
        return bad(r, *at, "the stride", "a decimal number", e);
    uint32_t run = mask ? mask >> __builtin_ctz(mask) : 0;
    if (run & (run + 1))
        return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                         "base and stride (mode 1) for the lanes %08x: they are not in one run", mask);
    if (r->kernel.header.version == 1 && mask && mask != r->warp_lanes)
        r->kernel.guessed++;
    for (uint32_t rest = mask; rest; rest &= rest - 1, base += stride)
        va[__builtin_ctz(rest)] = base;
    return WKT_OK;
}

/* Reads a delta for each active lane but the first: the difference from the previous active lane's address.
 * The official parser reads one more, which is the immediate. */
static int base_and_deltas(const struct asim_reading *r, const char **at, uint32_t mask, uint64_t base,
                           uint64_t *va, struct asim_error *e)
{
    if (!mask)
        return WKT_OK;
    va[__builtin_ctz(mask)] = base;
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        uint64_t delta;
        if (!signed_number(at, &delta))
            return bad(r, *at, "a delta", "a decimal number for each active lane but the first", e);
        va[__builtin_ctz(rest)] = base += delta;
    }
    return WKT_OK;
}

static int addresses(struct asim_reading *r, const char **at, uint32_t mask, uint64_t *va,
                     struct asim_error *e)
{
    uint32_t mode;
    uint64_t base;
    if (!number(at, 2, &mode))
        return bad(r, *at, "the address mode", "0 (list), 1 (base and stride) or 2 (base and deltas)", e);
    if (mode == 0)
        return list_all(r, at, mask, va, e);
    if (!address(at, &base))
        return bad(r, *at, "the base address", "0x...", e);
    return mode == 1 ? base_and_stride(r, at, mask, base, va, e) : base_and_deltas(r, at, mask, base, va, e);
}

/* Accepts up to two immediates, as tracers differ, then nothing, "NoVal", or "Val" and values. */
static int rest_of_line(const struct asim_reading *r, const char *p, struct asim_error *e)
{
    uint64_t value;
    for (int i = 0; i < 2 && signed_number(&p, &value); i++)
        ;
    asim_skip(&p);
    if (*p == '\n' || asim_take(&p, "NoVal") || asim_take(&p, "Val"))
        return WKT_OK;
    const char *word = p;
    return asim_address(&word, &value) ? bad(r, p, "what follows the last active lane's address",
                                             "the line's end: there are more addresses than lanes", e)
                                       : bad(r, p, "what ends the line", "one or two immediates", e);
}

static bool is_tma(const char *opcode, size_t n)
{
    static const char *const names[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                        "UBLKCP",  "UBLKPF",  "UBLKRED"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t m = strlen(names[i]);
        if (n >= m && memcmp(opcode, names[i], m) == 0)
            return true;
    }
    return false;
}

int asim_read_instruction(struct asim_reading *r, const char *p, struct asim_error *e)
{
    struct asim_instruction *in = &r->kernel.instruction;
    uint64_t value;
    int status = r->ids ? ids(r, &p, e) : WKT_OK;
    if (status)
        return status;
    in->source_line = 0;
    if (r->kernel.header.lineinfo && !number(&p, UINT32_MAX, &in->source_line))
        return bad(r, p, "the source line", "a decimal number", e);
    asim_skip(&p);
    const char *word = p;
    if (!asim_hex(&p, &value) || value > UINT32_MAX || !asim_is_end(*p))
        return bad(r, word, "the pc", "a hexadecimal number of up to 32 bits", e);
    in->pc = (uint32_t)value;
    asim_skip(&p);
    word = p;
    if (!asim_hex(&p, &value) || p - word != 8 || !asim_is_end(*p))
        return bad(r, word, "the mask", "8 hexadecimal digits", e);
    in->mask = (uint32_t)value;
    if (in->mask & ~r->warp_lanes)
        return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                         "active lanes %08x, but only %08x of warp %u have a thread", in->mask, r->warp_lanes,
                         r->kernel.warp);
    status = operands(r, &p, &in->targets_n, in->targets, "the number of destinations", e);
    if (status)
        return status;
    asim_skip(&p);
    in->opcode = p;
    in->opcode_bytes = (uint32_t)asim_word_bytes(p);
    if (!asim_is_capital(*p))
        return bad(r, p, "the opcode", "a SASS opcode such as LDG.E", e);
    p += in->opcode_bytes;
    if (*in->opcode == 'U' && is_tma(in->opcode, in->opcode_bytes))
        return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                         "%.*s: the bulk copies of TMA cannot be imported",
                         in->opcode_bytes > 40 ? 40 : (int)in->opcode_bytes, in->opcode);
    status = operands(r, &p, &in->sources_n, in->sources, "the number of sources", e);
    if (status)
        return status;
    if (!number(&p, 128, &in->bytes))
        return bad(r, p, "the access size", "bytes per lane, 0 to 128", e);
    if (in->bytes) {
        status = addresses(r, &p, in->mask, in->va, e);
        if (status)
            return status;
        in->bytes = asim_access_bytes(in);
    }
    return rest_of_line(r, p, e);
}
