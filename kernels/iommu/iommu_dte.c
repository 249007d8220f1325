/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_dte.c - see iommu_dte.h. Time: none. Allocation: none. */
#include "kernels/iommu/iommu_dte.h"

#include "kernels/table/amd_pte.h"

static void need(struct ww_dte *d, uint64_t pa, uint8_t bytes, uint8_t level)
{
    d->means = WW_DTE_READ;
    d->pa = pa;
    d->bytes = bytes;
    d->level = level;
}

void ww_dte_start(struct ww_dte *d, uint64_t devtab, uint32_t device, bool has_pasid, uint32_t pasid)
{
    const uint64_t table_bytes = (ww_bits_get(WW_BITS64(8, 0), devtab) + 1) << WW_PAGE_4K;
    d->word[0] = d->word[1] = d->word[2] = 0;
    d->device = device;
    d->has_pasid = has_pasid;
    d->reserved = false;
    d->pasid = pasid;
    need(d, (devtab & WW_BITS64(51, 12)) + (uint64_t)device * WW_DTE_BYTES, WW_DTE_BYTES, 0);
    if ((uint64_t)device * WW_DTE_BYTES >= table_bytes || pasid >> WW_PASID_BITS != 0)
        d->means = WW_DTE_ILLEGAL;
}

static void gcr3_entry(struct ww_dte *d, uint64_t table_pa, uint32_t level)
{
    const uint32_t idx = d->pasid >> (level - 1) * WW_GCR3_LEVEL_BITS & (WW_BITS64(8, 0));
    need(d, table_pa + (uint64_t)idx * 8, 8, (uint8_t)level);
}

/* Returns the meaning of addresses without a PASID. */
static enum ww_dte_means host_of(const struct ww_dte *d)
{
    const uint32_t mode = (uint32_t)ww_bits_get(WW_AMD_DTE_MODE, d->word[0]);
    if (mode > WW_DTE_LEVELS_MAX)
        return WW_DTE_ILLEGAL;
    return mode == 0 ? WW_DTE_PASS : WW_DTE_HOST;
}

/* An illegal mode is illegal for PASIDs, too. With a GCR3 table, so is a table of the device's own or a
 * reserved number of levels. */
static void pasid_entry(struct ww_dte *d, enum ww_dte_means host)
{
    const uint64_t w = d->word[0];
    const uint32_t levels = (uint32_t)ww_bits_get(WW_DTE_GLX, w) + 1;
    const bool has_table = (w & WW_DTE_GV) != 0;
    if (host == WW_DTE_ILLEGAL || (has_table && (host != WW_DTE_PASS || (w & WW_DTE_GLX) == WW_DTE_GLX)))
        d->means = WW_DTE_ILLEGAL;
    else if (!has_table || d->pasid >> (levels * WW_GCR3_LEVEL_BITS) != 0)
        d->means = WW_DTE_NO_PASID;
    else
        gcr3_entry(d, ww_dte_gcr3(d->word), levels);
}

static void reserved_bits(struct ww_dte *d)
{
    d->means = WW_DTE_ILLEGAL;
    d->reserved = true;
}

static void device_entry(struct ww_dte *d)
{
    const uint64_t w = d->word[0];
    const enum ww_dte_means host = host_of(d);
    if ((w & WW_AMD_DTE_V) == 0)
        d->means = WW_DTE_PASS;
    else if ((w & (WW_DTE_RSV1 | WW_DTE_HAD | WW_DTE_GIOV | WW_DTE_RSV2)) != 0)
        reserved_bits(d);
    else if ((w & WW_AMD_DTE_TV) == 0)
        d->means = WW_DTE_BLOCKED;
    else if (!d->has_pasid)
        d->means = (uint8_t)host;
    else
        pasid_entry(d, host);
}

void ww_dte_feed(struct ww_dte *d, const uint64_t *words)
{
    WW_ASSERT(d->means == WW_DTE_READ);
    if (words == NULL) {
        d->means = WW_DTE_REFUSED;
    } else if (d->level == 0) {
        d->word[0] = words[0];
        d->word[1] = words[1];
        d->word[2] = words[2];
        device_entry(d);
    } else if ((words[0] & WW_GCR3_V) == 0) {
        d->means = WW_DTE_NO_PASID;
    } else if ((words[0] & (WW_GCR3_RSV1 | WW_GCR3_RSV2)) != 0) {
        reserved_bits(d);
    } else if (d->level > 1) {
        gcr3_entry(d, words[0] & WW_GCR3_PA, d->level - 1u);
    } else {
        d->means = WW_DTE_GUEST;
        d->pa = words[0] & WW_GCR3_PA;
    }
}
