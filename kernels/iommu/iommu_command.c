/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_command.c - see iommu_command.h. Time: none. Allocation: none. */
#include "kernels/iommu/iommu_command.h"

#include "kernels/addr.h"

void ww_iommu_commands_init(struct ww_iommu_commands *c)
{
    c->word[0] = c->word[1] = c->at = 0;
    c->fetched = c->reading = false;
}

bool ww_iommu_command_range(uint64_t word1, uint64_t *first_va, uint64_t *last_va)
{
    const uint64_t at = word1 & WW_CMD_VA;
    uint32_t shift = WW_PAGE_4K;
    if ((word1 & WW_CMD_S) != 0) {
        const uint64_t ones = ~(at | ww_page_mask(WW_PAGE_4K));
        if ((ones & WW_BITS64(WW_CMD_ALL_FROM - 1, WW_PAGE_4K)) == 0)
            return false;
        shift = (uint32_t)__builtin_ctzll(ones) + 1;
    }
    *first_va = at & ~ww_page_mask(shift);
    *last_va = *first_va | ww_page_mask(shift);
    return true;
}

#define ILLEGAL UINT64_MAX /* there is no such command */

/* Returns the bits of word 0 that must be 0, and sets *word1 to those of word 1. Ignores fields of later
 * revisions. */
static uint64_t reserved(uint32_t opcode, uint64_t *word1)
{
    *word1 = 0;
    switch (opcode) {
    case WW_CMD_COMPLETION_WAIT:
        return WW_BITS64(59, 52);
    case WW_CMD_INVAL_DEVTAB:
    case WW_CMD_INVAL_INT_TABLE:
        *word1 = UINT64_MAX;
        return WW_BITS64(59, 16);
    case WW_CMD_INVAL_PAGES:
        *word1 = WW_BITS64(11, 3);
        return WW_BITS64(31, 20) | WW_BITS64(59, 48);
    case WW_CMD_INVAL_IOTLB:
        return 0;
    case WW_CMD_COMPLETE_PPR:
        return WW_BITS64(31, 16) | WW_BITS64(59, 52);
    case WW_CMD_INVAL_ALL:
        *word1 = UINT64_MAX;
        return WW_BITS64(59, 0);
    default:
        return ILLEGAL;
    }
}

static void invalidate_step(const struct ww_iommu_commands *c, struct ww_iommu_step *s)
{
    const uint64_t w = c->word[0], w1 = c->word[1];
    s->opcode = (uint8_t)ww_bits_get(WW_CMD_OPCODE, w);
    s->device = (uint16_t)(w & WW_CMD_DEVICE);
    s->has_pasid = (w1 & WW_CMD_GN) != 0;
    s->all = !ww_iommu_command_range(w1, &s->first_va, &s->last_va);
    if (s->opcode == WW_CMD_INVAL_PAGES) {
        s->domain = (uint16_t)ww_bits_get(WW_CMD_PAGES_DOMAIN, w);
        s->pasid = (uint32_t)ww_bits_get(WW_CMD_PAGES_PASID, w);
    } else if (s->opcode == WW_CMD_INVAL_IOTLB) {
        const uint64_t pend = ww_bits_get(WW_CMD_IOTLB_PEND, w);
        s->open = (uint8_t)(pend == 0 ? 1 : pend);
        s->pasid =
            (uint32_t)(ww_bits_get(WW_CMD_IOTLB_PASID_A, w) | ww_bits_get(WW_CMD_IOTLB_PASID_B, w) << 8 |
                       ww_bits_get(WW_CMD_IOTLB_PASID_C, w) << 16);
    } else if (s->opcode == WW_CMD_COMPLETE_PPR) {
        s->pasid = (uint32_t)ww_bits_get(WW_CMD_PPR_PASID, w);
        s->tag = (uint16_t)ww_bits_get(WW_CMD_PPR_TAG, w1);
        s->status = (uint8_t)ww_bits_get(WW_CMD_PPR_STATUS, w1);
    }
}

enum ww_iommu_do ww_iommu_command_next(struct ww_iommu_commands *c, const struct ww_iommu_regs *r,
                                       struct ww_iommu_step *s)
{
    const struct ww_iommu_step none = {0};
    const uint64_t base = r->word[WW_IOMMU_COMMAND], bytes = ww_iommu_log_bytes(base);
    *s = none;
    if (!ww_iommu_is(r, WW_IOMMU_STATUS, WW_IOMMU_STATUS_COMMAND_RUN) || bytes == 0)
        return WW_CMD_NOTHING;
    if (!c->fetched) {
        const uint64_t head = r->word[WW_IOMMU_COMMAND_HEAD] & (bytes - 1);
        s->pa = ww_iommu_log_pa(base) + head;
        c->reading = head != (r->word[WW_IOMMU_COMMAND_TAIL] & (bytes - 1));
        return c->reading ? WW_CMD_READ : WW_CMD_NOTHING;
    }
    if (ww_bits_get(WW_CMD_OPCODE, c->word[0]) == WW_CMD_COMPLETION_WAIT) {
        s->pa = c->word[0] & WW_CMD_WAIT_PA;
        s->data = c->word[1];
        s->opcode = WW_CMD_COMPLETION_WAIT;
        return (c->word[0] & WW_CMD_WAIT_STORE) != 0 ? WW_CMD_WRITE : WW_CMD_DO;
    }
    invalidate_step(c, s);
    return WW_CMD_DO;
}

static void stop(struct ww_iommu_commands *c, struct ww_iommu_regs *r, uint8_t code, uint64_t flags,
                 struct ww_iommu_event *e)
{
    c->fetched = false;
    r->word[WW_IOMMU_STATUS] &= ~WW_IOMMU_STATUS_COMMAND_RUN;
    e->code = code;
    e->flags = flags;
    e->address = ww_iommu_log_pa(r->word[WW_IOMMU_COMMAND]) + c->at;
}

static const struct ww_iommu_event no_event = {0};

void ww_iommu_command_fed(struct ww_iommu_commands *c, struct ww_iommu_regs *r, uint64_t pa,
                          const uint64_t *words, struct ww_iommu_event *e)
{
    const uint64_t base = r->word[WW_IOMMU_COMMAND], bytes = ww_iommu_log_bytes(base);
    const uint64_t head = r->word[WW_IOMMU_COMMAND_HEAD] & (bytes - 1);
    *e = no_event;
    if (!c->reading || bytes == 0 || pa != ww_iommu_log_pa(base) + head)
        return;
    c->reading = false;
    c->at = head;
    if (words == NULL) {
        stop(c, r, WW_EVENT_COMMAND_HARDWARE_ERROR, ww_bits_put(WW_EVENT_TYPE, 0, WW_EVENT_TARGET_ABORT), e);
        return;
    }
    uint64_t zero1 = 0;
    const uint64_t zero0 = reserved((uint32_t)ww_bits_get(WW_CMD_OPCODE, words[0]), &zero1);
    if (zero0 == ILLEGAL || (words[0] & zero0) != 0 || (words[1] & zero1) != 0) {
        stop(c, r, WW_EVENT_ILLEGAL_COMMAND_ERROR, 0, e);
        return;
    }
    c->word[0] = words[0];
    c->word[1] = words[1];
    c->fetched = true;
}

void ww_iommu_command_done(struct ww_iommu_commands *c, struct ww_iommu_regs *r, bool ok,
                           struct ww_iommu_event *e)
{
    const uint64_t bytes = ww_iommu_log_bytes(r->word[WW_IOMMU_COMMAND]);
    *e = no_event;
    if (!c->fetched) /* a reset or a new buffer has intervened */
        return;
    if (!ok) {
        stop(c, r, WW_EVENT_COMMAND_HARDWARE_ERROR, ww_bits_put(WW_EVENT_TYPE, 0, WW_EVENT_TARGET_ABORT), e);
        return;
    }
    if (ww_bits_get(WW_CMD_OPCODE, c->word[0]) == WW_CMD_COMPLETION_WAIT &&
        (c->word[0] & WW_CMD_WAIT_INT) != 0)
        r->word[WW_IOMMU_STATUS] |= WW_IOMMU_STATUS_WAIT_INT;
    c->fetched = false;
    r->word[WW_IOMMU_COMMAND_HEAD] = bytes == 0 ? 0 : (c->at + WW_IOMMU_ENTRY_BYTES) & (bytes - 1);
}
