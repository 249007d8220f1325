/* SPDX-License-Identifier: MIT */
/* guest/privileged.c - see privileged.h. */
#include "guest/privileged.h"

#define REX_R 4u
#define REX_X 2u
#define REX_B 1u

struct prefixes {
    uint32_t rex, segment;
    bool narrow, operand;
};

/* Reads the prefixes. Returns the opcode's offset. */
static size_t read_prefixes(const uint8_t *bytes, size_t count, struct prefixes *p)
{
    size_t i = 0;
    for (; i < count; ++i)
        switch (bytes[i]) {
        case 0x64:
            p->segment = 1;
            break;
        case 0x65:
            p->segment = 2;
            break;
        case 0x66:
            p->operand = true;
            break;
        case 0x67:
            p->narrow = true;
            break;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
        case 0xf0:
        case 0xf2:
        case 0xf3:
            break;
        default:
            if (bytes[i] >> 4 != 4)
                return i;
            p->rex = bytes[i] & 15u; /* valid only directly before the opcode */
            return i + 1;
        }
    return i;
}

/* Decodes the operand at this ModR/M byte. Returns DROP_ALL if it cannot be known here. */
static enum ww_guest_insn operand_of(const uint8_t *at, size_t count, const struct prefixes *p,
                                     uint64_t *operand)
{
    const uint32_t mod = at[0] >> 6;
    uint32_t base = at[0] & 7u, index = WW_GUEST_NO_REGISTER, scale = 0;
    size_t used = 1, disp_bytes = mod == 1 ? 1 : mod == 2 ? 4 : 0;
    uint32_t disp = 0;
    if (base == 4) {
        if (count < 2)
            return WW_GUEST_INSN_DROP_ALL;
        scale = at[1] >> 6;
        index = (at[1] >> 3 & 7u) | ((p->rex & REX_X) != 0 ? 8u : 0u);
        base = at[1] & 7u;
        used = 2;
        if (index == 4)
            index = WW_GUEST_NO_REGISTER;
    } else if (base == 5 && mod == 0) {
        return WW_GUEST_INSN_DROP_ALL; /* relative to the program counter */
    }
    if (base == 5 && mod == 0) {
        base = WW_GUEST_NO_REGISTER;
        disp_bytes = 4;
    } else {
        base |= (p->rex & REX_B) != 0 ? 8u : 0u;
    }
    if (count < used + disp_bytes)
        return WW_GUEST_INSN_DROP_ALL;
    for (size_t i = 0; i < disp_bytes; ++i)
        disp |= (uint32_t)at[used + i] << 8 * i;
    if (disp_bytes == 1 && (disp & 0x80u) != 0)
        disp |= 0xffffff00u;
    *operand = disp | (uint64_t)base << 32 | (uint64_t)index << 37 | (uint64_t)scale << 42 |
               (uint64_t)p->segment << 44 | (uint64_t)p->narrow << 46;
    return WW_GUEST_INSN_DROP_PAGE;
}

/* 0F 01 /r */
static enum ww_guest_insn group7(const uint8_t *at, size_t count, const struct prefixes *p, uint64_t *operand)
{
    if (count == 0)
        return WW_GUEST_INSN_OTHER;
    switch (at[0] >> 3 & 7) {
    case 6:
        return WW_GUEST_INSN_MODE; /* LMSW */
    case 7:
        return at[0] >> 6 == 3 ? WW_GUEST_INSN_OTHER : operand_of(at, count, p, operand);
    default:
        return WW_GUEST_INSN_OTHER;
    }
}

static enum ww_guest_insn control_register(uint32_t number)
{
    return number == 3                  ? WW_GUEST_INSN_ROOT
           : number == 0 || number == 4 ? WW_GUEST_INSN_MODE
                                        : WW_GUEST_INSN_OTHER;
}

enum ww_guest_insn ww_guest_decode(const uint8_t *bytes, size_t count, uint64_t *operand)
{
    struct prefixes p = {0, 0, false, false};
    const size_t at = read_prefixes(bytes, count, &p);
    if (count < at + 2 || bytes[at] != 0x0f)
        return WW_GUEST_INSN_OTHER;
    switch (bytes[at + 1]) {
    case 0x01:
        return group7(bytes + at + 2, count - at - 2, &p, operand);
    case 0x22:
        return count < at + 3
                   ? WW_GUEST_INSN_OTHER
                   : control_register((bytes[at + 2] >> 3 & 7u) | ((p.rex & REX_R) != 0 ? 8u : 0u));
    case 0x30: /* WRMSR */
    case 0xaa: /* RSM */
        return WW_GUEST_INSN_MODE;
    case 0x38:
        return count > at + 2 && bytes[at + 2] == 0x82 && p.operand ? WW_GUEST_INSN_DROP_ALL
                                                                    : WW_GUEST_INSN_OTHER;
    default:
        return WW_GUEST_INSN_OTHER;
    }
}

static uint64_t value_of(uint64_t number, const struct ww_guest_registers *r)
{
    return number >= WW_GUEST_NO_REGISTER ? 0 : r->general[number];
}

uint64_t ww_guest_address(uint64_t operand, const struct ww_guest_registers *r)
{
    const uint64_t disp = (uint64_t)(int64_t)(int32_t)(uint32_t)ww_bits_get(WW_GUEST_MEM_DISP, operand);
    const uint64_t segment = ww_bits_get(WW_GUEST_MEM_SEG, operand);
    uint64_t va =
        value_of(ww_bits_get(WW_GUEST_MEM_BASE, operand), r) + disp +
        (value_of(ww_bits_get(WW_GUEST_MEM_INDEX, operand), r) << ww_bits_get(WW_GUEST_MEM_SCALE, operand));
    if (ww_bits_get(WW_GUEST_MEM_NARROW, operand) != 0)
        va &= UINT32_MAX;
    return va + (segment == 1 ? r->fs_base : segment == 2 ? r->gs_base : 0);
}
