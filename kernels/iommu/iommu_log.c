/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_log.c - see iommu_log.h. Time: none. Allocation: none. */
#include "kernels/iommu/iommu_log.h"

const char *ww_iommu_event_name(uint32_t code)
{
#define X(name, number) #name,
    static const char *const names[] = {"?", WW_IOMMU_EVENT_LIST(X)};
#undef X
    return names[code < sizeof names / sizeof names[0] ? code : 0];
}

/* Puts the PASID where page requests have it. */
static uint64_t with_pasid(uint64_t w, uint64_t gn, bool has_pasid, uint32_t pasid)
{
    if (!has_pasid)
        return w;
    w = ww_bits_put(WW_PPR_PASID_HIGH, w | gn, pasid >> 16);
    return ww_bits_put(WW_PPR_PASID_LOW, w, pasid & 0xffff);
}

/* Fields of an event besides requester and address. */
static const struct {
    uint64_t flags;
    bool pasid, domain; /* both: the domain if there is no PASID */
} tells[] = {
    [WW_EVENT_ILLEGAL_DEV_TABLE_ENTRY] = {WW_EVENT_I | WW_EVENT_RW | WW_EVENT_RZ | WW_EVENT_TR, true, false},
    [WW_EVENT_IO_PAGE_FAULT] = {WW_EVENT_NX | WW_EVENT_US | WW_EVENT_I | WW_EVENT_PR | WW_EVENT_RW |
                                    WW_EVENT_PE | WW_EVENT_RZ | WW_EVENT_TR,
                                true, true},
    [WW_EVENT_DEV_TAB_HARDWARE_ERROR] = {WW_EVENT_I | WW_EVENT_RW | WW_EVENT_TR | WW_EVENT_TYPE, false,
                                         false},
    [WW_EVENT_PAGE_TAB_HARDWARE_ERROR] = {WW_EVENT_I | WW_EVENT_RW | WW_EVENT_TR | WW_EVENT_TYPE, true, true},
    [WW_EVENT_ILLEGAL_COMMAND_ERROR] = {0, false, false},
    [WW_EVENT_COMMAND_HARDWARE_ERROR] = {WW_EVENT_TYPE, false, false},
    [WW_EVENT_IOTLB_INV_TIMEOUT] = {0, false, false},
    [WW_EVENT_INVALID_DEVICE_REQUEST] = {WW_EVENT_US | WW_EVENT_TR | WW_EVENT_TYPE, true, false},
    [WW_EVENT_INVALID_PPR_REQUEST] = {WW_EVENT_NX | WW_EVENT_US | WW_EVENT_RW, true, false},
};

void ww_iommu_event_words(const struct ww_iommu_event *e, uint64_t words[2])
{
    WW_ASSERT(e->code < sizeof tells / sizeof tells[0]);
    uint64_t w = ww_bits_put(WW_EVENT_CODE, (e->flags & tells[e->code].flags) | e->device, e->code);
    if (e->code == WW_EVENT_INVALID_PPR_REQUEST) {
        w = with_pasid(ww_bits_put(WW_PPR_TAG, w, e->tag), WW_EVENT_GN, e->has_pasid, e->pasid);
    } else if (tells[e->code].pasid && e->has_pasid) {
        w = ww_bits_put(WW_EVENT_PASID_HIGH, w | WW_EVENT_GN, e->pasid >> 16);
        w = ww_bits_put(WW_EVENT_DOMAIN, w, e->pasid & 0xffff);
    } else if (tells[e->code].domain) {
        w = ww_bits_put(WW_EVENT_DOMAIN, w, e->domain);
    }
    words[0] = w;
    words[1] = e->address;
}

void ww_iommu_ppr_words(const struct ww_iommu_ppr *p, uint64_t words[2])
{
    uint64_t w = ww_bits_put(WW_PPR_CODE, p->wants | p->device, WW_PPR_FAULT);
    w = ww_bits_put(WW_PPR_TAG, w, p->tag);
    words[0] = with_pasid(w, WW_PPR_GN, p->has_pasid, p->pasid);
    words[1] = p->address;
}

static const struct {
    uint8_t base, head, tail;
    uint64_t run, overflow, interrupt;
} logs[] = {
    {WW_IOMMU_EVENT, WW_IOMMU_EVENT_HEAD, WW_IOMMU_EVENT_TAIL, WW_BITS64(3, 3), WW_BITS64(0, 0),
     WW_BITS64(1, 1)},
    {WW_IOMMU_PPR, WW_IOMMU_PPR_HEAD, WW_IOMMU_PPR_TAIL, WW_BITS64(7, 7), WW_BITS64(5, 5), WW_BITS64(6, 6)},
};

/* Pointers that software sets beyond the end wrap. */
bool ww_iommu_log_place(struct ww_iommu_regs *r, enum ww_iommu_log log, uint64_t *pa)
{
    uint64_t *status = &r->word[WW_IOMMU_STATUS];
    const uint64_t bytes = ww_iommu_log_bytes(r->word[logs[log].base]);
    if ((*status & logs[log].run) == 0 || bytes == 0)
        return false;
    const uint64_t head = r->word[logs[log].head] & (bytes - 1), tail = r->word[logs[log].tail] & (bytes - 1);
    if (((tail + WW_IOMMU_ENTRY_BYTES) & (bytes - 1)) == head) {
        *status = (*status | logs[log].overflow) & ~logs[log].run;
        return false;
    }
    *pa = ww_iommu_log_pa(r->word[logs[log].base]) + tail;
    return true;
}

bool ww_iommu_log_written(struct ww_iommu_regs *r, enum ww_iommu_log log, uint64_t pa, bool ok)
{
    const uint64_t base = r->word[logs[log].base], bytes = ww_iommu_log_bytes(base);
    uint64_t *tail = &r->word[logs[log].tail];
    if (bytes == 0 || pa != ww_iommu_log_pa(base) + (*tail & (bytes - 1)))
        return false;
    if (!ok) {
        r->word[WW_IOMMU_STATUS] &= ~logs[log].run;
        return false;
    }
    *tail = (*tail + WW_IOMMU_ENTRY_BYTES) & (bytes - 1);
    r->word[WW_IOMMU_STATUS] |= logs[log].interrupt;
    return true;
}
