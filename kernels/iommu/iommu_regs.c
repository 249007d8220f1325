/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_regs.c - see iommu_regs.h. Time: none. Allocation: none. */
#include "kernels/iommu/iommu_regs.h"

#include "kernels/iommu/iommu_log.h"

/* clang-format off */
const struct ww_iommu_reg_info ww_iommu_reg_info[WW_IOMMU_REGS] = {
#define R(name, offset, text) {offset, #name, text},
    WW_IOMMU_REG_LIST(R)
#undef R
};

static const struct ww_iommu_field fields[] = {
#define F(reg, field, hi, lo, access, state, reset, text) \
    {WW_IOMMU_##reg, hi, lo, WW_REG_##access, WW_REG_##state, reset, #field, text},
#define R(name, offset, text) WW_IOMMU_##name##_FIELDS(F)
    WW_IOMMU_REG_LIST(R)
#undef R
#undef F
};
/* clang-format on */
WW_STATIC_ASSERT(sizeof fields / sizeof fields[0] <= WW_IOMMU_FIELDS_MAX, "a set of fields holds all");

const struct ww_iommu_field *ww_iommu_field_at(uint32_t idx)
{
    return idx < sizeof fields / sizeof fields[0] ? &fields[idx] : NULL;
}

const char *ww_iommu_access_name(uint32_t access)
{
#define X(name) #name,
    static const char *const names[] = {WW_IOMMU_ACCESS_LIST(X)};
#undef X
    WW_ASSERT(access < WW_REG_ACCESSES);
    return names[access];
}

const char *ww_iommu_state_name(uint32_t state)
{
#define X(name) #name,
    static const char *const names[] = {WW_IOMMU_STATE_LIST(X)};
#undef X
    WW_ASSERT(state < WW_REG_STATES);
    return names[state];
}

static uint64_t bits_with(uint32_t reg, enum ww_iommu_access access)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < sizeof fields / sizeof fields[0]; ++i)
        if (fields[i].reg == reg && fields[i].access == access)
            all |= WW_BITS64(fields[i].high, fields[i].low);
    return all;
}

void ww_iommu_reset(struct ww_iommu_regs *r)
{
    for (uint32_t i = 0; i < WW_IOMMU_REGS; ++i)
        r->word[i] = 0;
    for (uint32_t i = 0; i < sizeof fields / sizeof fields[0]; ++i)
        r->word[fields[i].reg] |= fields[i].reset << fields[i].low;
}

uint32_t ww_iommu_reg_at(uint64_t offset)
{
    uint32_t i = 0;
    while (i < WW_IOMMU_REGS && ww_iommu_reg_info[i].offset != offset)
        ++i;
    return i;
}

/* Per queue: its base, its pointers, the bit that enables it, and the bit that shows that it runs. */
static const struct {
    uint8_t base, head, tail;
    uint64_t enable, run;
} queues[] = {
    {WW_IOMMU_COMMAND, WW_IOMMU_COMMAND_HEAD, WW_IOMMU_COMMAND_TAIL, WW_BITS64(12, 12), WW_BITS64(4, 4)},
    {WW_IOMMU_EVENT, WW_IOMMU_EVENT_HEAD, WW_IOMMU_EVENT_TAIL, WW_BITS64(2, 2), WW_BITS64(3, 3)},
    {WW_IOMMU_PPR, WW_IOMMU_PPR_HEAD, WW_IOMMU_PPR_TAIL, WW_BITS64(13, 13), WW_BITS64(7, 7)},
};

void ww_iommu_write(struct ww_iommu_regs *r, uint32_t reg, uint64_t value, uint64_t mask)
{
    WW_ASSERT(reg < WW_IOMMU_REGS);
    const uint64_t written = bits_with(reg, WW_REG_RW) & mask, before = r->word[reg];
    const uint64_t cleared = bits_with(reg, WW_REG_W1C) & mask & value;
    r->word[reg] = ((before & ~written) | (value & written)) & ~cleared;
    for (uint32_t i = 0; i < sizeof queues / sizeof queues[0]; ++i) {
        if (reg == queues[i].base)
            r->word[queues[i].head] = r->word[queues[i].tail] = 0;
        if (reg != WW_IOMMU_CONTROL)
            continue;
        /* A queue of a legal length starts when this write makes both it and the IOMMU enabled. */
        const uint64_t needed = queues[i].enable | WW_IOMMU_CONTROL_ENABLE;
        if ((r->word[reg] & needed) != needed)
            r->word[WW_IOMMU_STATUS] &= ~queues[i].run;
        else if ((before & needed) != needed && ww_iommu_log_bytes(r->word[queues[i].base]) != 0)
            r->word[WW_IOMMU_STATUS] |= queues[i].run;
    }
}

uint32_t ww_iommu_inv_timeout_ms(const struct ww_iommu_regs *r)
{
    static const uint32_t ms[] = {0, 1, 10, 100, 1000, 10000, 100000, 0};
    return ms[ww_bits_get(WW_IOMMU_CONTROL_INV_TIMEOUT, r->word[WW_IOMMU_CONTROL])];
}

uint64_t ww_iommu_interrupts(const struct ww_iommu_regs *r)
{
    const uint64_t c = r->word[WW_IOMMU_CONTROL];
    uint64_t allowed = 0;
    if ((c & WW_IOMMU_CONTROL_EVENT_INT_EN) != 0)
        allowed |= WW_IOMMU_STATUS_EVENT_INT | WW_IOMMU_STATUS_EVENT_OVERFLOW;
    if ((c & WW_IOMMU_CONTROL_WAIT_INT_EN) != 0)
        allowed |= WW_IOMMU_STATUS_WAIT_INT;
    if ((c & WW_IOMMU_CONTROL_PPR_INT_EN) != 0)
        allowed |= WW_IOMMU_STATUS_PPR_INT | WW_IOMMU_STATUS_PPR_OVERFLOW;
    return r->word[WW_IOMMU_STATUS] & allowed;
}
