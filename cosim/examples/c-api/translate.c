/* SPDX-License-Identifier: MIT */
/* GPU address translation from C: page tables in an array, accesses of two compute units, and the time that
 * each takes.
 *
 *     cc -std=c11 translate.c $(pkg-config --cflags --libs walkway) -o translate && ./translate
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <walkway.h>

#define TABLE_PA UINT64_C(0x10000000) /* the array's address in the machine's physical memory */
#define PRESENT_WRITABLE 3u

static _Alignas(4096) uint64_t table[4][512]; /* x86-64: a root, and one node of each level below it */

static void check(int status)
{
    if (status >= 0)
        return;
    fprintf(stderr, "%s: %s\n", walkway_status_name(status), walkway_last_error());
    exit(1);
}

/* Maps a 4 KiB page of the first 2 MiB of addresses. */
static void map(uint64_t va, uint64_t pa)
{
    for (uint64_t node = 0; node < 3; ++node)
        table[node][0] = (TABLE_PA + (node + 1) * 4096) | PRESENT_WRITABLE;
    table[3][va >> 12 & 511] = pa | PRESENT_WRITABLE;
}

static void access(struct walkway_chain *w, uint32_t unit, uint64_t va)
{
    const struct walkway_access a = {.va = va, .unit = unit, .rights = WALKWAY_READ};
    struct walkway_result r;
    check(walkway_translate(w, &a, &r));
    printf("unit %" PRIu32 ", 0x%05" PRIx64 ": ", unit, va);
    if (r.fault != WALKWAY_FAULT_NONE)
        printf("fault, %s", walkway_fault_text(r.fault));
    else
        printf("0x%09" PRIx64, r.pa);
    printf(" after %" PRIu64 " ps\n", r.done_ps - r.issued_ps);
    check(walkway_advance(w, r.done_ps - r.issued_ps));
}

int main(void)
{
    static const char *const settings[] = {"l2_tlb.hit_cycles=40"};
    const struct walkway_options options = {
        .version = WALKWAY_VERSION, .settings = settings, .settings_count = 1};
    struct walkway_chain *w = NULL;
    check(walkway_create("apu-micro18", &options, &w));
    check(walkway_map_memory(w, TABLE_PA, table, sizeof table, 60000)); /* a read takes 60 ns */
    check(walkway_set_root(w, 0, TABLE_PA));

    map(0x3000, 0x123456000);
    access(w, 0, 0x3abc); /* a walk of four reads */
    access(w, 0, 0x3ff8); /* a hit in the unit's L1 TLB */
    access(w, 1, 0x3abc); /* a hit in the L2 TLB, which all units share */
    access(w, 0, 0x4000); /* not mapped */

    map(0x3000, 0x777777000);
    check(walkway_invalidate_page(w, 0, 0x3000));
    access(w, 0, 0x3abc); /* a walk again: no stage holds the old page */

    struct walkway_fault f;
    while (walkway_next_fault(w, &f) == WALKWAY_OK)
        printf("fault of 0x%" PRIx64 " at level %u, entry at 0x%" PRIx64 "\n", f.va, f.level, f.entry_pa);
    walkway_destroy(w);
    return 0;
}
