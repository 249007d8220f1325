/* SPDX-License-Identifier: MIT */
/* tb/install/use_kernel.c - a TLB kernel in another program: 4 entries and 5 pages, so the first page is
 * evicted. */
#include "walkway/kernels/store/tlb.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void ww_assert_fail(const char *expr, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    abort();
}

int main(void)
{
    const struct ww_tlb_cfg cfg = {.sets = 1, .ways = 4, .page_sizes = 1u << 12};
    size_t bytes = ww_tlb_bytes(&cfg);
    struct ww_tlb *tlb = aligned_alloc(64, bytes);
    if (tlb == NULL || ww_tlb_init(tlb, bytes, &cfg) != WW_OK) {
        return 1;
    }
    for (uint64_t page = 0; page < 5; page++) {
        struct ww_mapping mapping = {page << 12, {.page_pa = 0x100000 + (page << 12), .page_shift = 12}, 0};
        struct ww_mapping victim;
        ww_tlb_store.insert(tlb, &mapping, &victim);
    }
    struct ww_xlat found = {0};
    int first = ww_tlb_store.lookup(tlb, 0, 0, &found);
    int last = ww_tlb_store.lookup(tlb, 4 << 12, 0, &found);
    printf("first %d, last %d at %#llx\n", first, last, (unsigned long long)found.page_pa);
    free(tlb);
    return !first && last && found.page_pa == 0x104000 ? 0 : 1;
}
