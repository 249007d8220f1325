/* SPDX-License-Identifier: MIT */
/* The functions that bus_master.sv imports: a chain of translation, and page tables for 256 KiB of addresses.
 */
#include "Vbus_master__Dpi.h" /* made by Verilator: their declarations */

#include <cstdint>
#include <cstdio>
#include <walkway.h>

static const uint64_t table_pa = 0x10000000;

alignas(4096) static uint64_t table[4][512];
static struct walkway_chain *chain;

static int said(int status)
{
    if (status < 0)
        std::fprintf(stderr, "%s: %s\n", walkway_status_name(status), walkway_last_error());
    return status;
}

int translate_open(const char *platform)
{
    for (uint64_t node = 0; node < 3; ++node)
        table[node][0] = (table_pa + (node + 1) * 4096) | 3;
    for (uint64_t page = 0; page < 64; ++page)
        table[3][page] = page % 8 == 7 ? 0 : (0x40000000 + page * 4096) | 3;
    if (said(walkway_create(platform, nullptr, &chain)) < 0)
        return -1;
    if (said(walkway_map_memory(chain, table_pa, table, sizeof table, 60000)) < 0)
        return -1;
    return said(walkway_set_root(chain, 0, table_pa));
}

void translate_submit(long long va, int tag)
{
    struct walkway_access a = {};
    a.va = static_cast<uint64_t>(va);
    a.rights = WALKWAY_READ;
    said(walkway_submit(chain, &a, static_cast<uint64_t>(tag)));
}

/* 0: an answer; 1: a fault; 2: none is due. */
int translate_poll(int *tag, long long *pa)
{
    struct walkway_result r = {};
    const int status = said(walkway_poll(chain, &r));
    *tag = static_cast<int>(r.tag);
    *pa = static_cast<long long>(r.pa);
    return status;
}

void translate_clock(long long ps)
{
    said(walkway_advance(chain, static_cast<uint64_t>(ps)));
}

void translate_close()
{
    walkway_destroy(chain);
}
