/* SPDX-License-Identifier: MIT */
/* kernels/array_energy.c - see array_energy.h. */
#include "kernels/array_energy.h"

#define MAX_ENTRIES (1U << 26)
#define MAX_ENTRY_BITS (1U << 16)
#define MAX_BITS (UINT64_C(1) << 36)
#define MAX_PORTS 64U
#define MAX_CONSTANT (1U << 20)

const struct ww_array_constants ww_array_constants_of[WW_ARRAY_ESTIMATES] = {
    {0, 2000, 0, 33500, 400, 700, 40000},
    {20000, 3000, 0, 34000, 500, 2700, 80000},
    {30000, 4000, 16000, 39100, 700, 3200, 120000},
};

/* Returns the root in thousandths, rounded down. n is at most MAX_BITS, so the root is below 2^28. */
static uint64_t sqrt_milli(uint64_t n)
{
    const uint64_t square = n * 1000000;
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 27; bit != 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= square)
            root += bit;
    return root;
}

static bool cfg_is_legal(const struct ww_array_cfg *c)
{
    if (c->entries > MAX_ENTRIES || c->entry_bits == 0 || c->entry_bits > MAX_ENTRY_BITS)
        return false;
    if ((uint64_t)c->entries * c->entry_bits > MAX_BITS)
        return false;
    if (c->ways == 0 || c->ways > c->entries || /* excludes 0 entries, too */
        c->ports == 0 || c->ports > MAX_PORTS)
        return false;
    return c->cam_bits <= c->entry_bits && c->read_bits <= c->entry_bits;
}

static bool constants_fit(const struct ww_array_constants *k)
{
    return (k->read_aj | k->cam_aj | k->cam_write_aj | k->wire_aj | k->sram_mum2 | k->cam_mum2 |
            k->port_mum2) < MAX_CONSTANT;
}

int ww_array_cost_of(struct ww_array_cost *cost, const struct ww_array_cfg *c,
                     const struct ww_array_constants *k)
{
    if (!cfg_is_legal(c))
        return WW_E_ARG;
    WW_ASSERT(constants_fit(k));
    const uint64_t held = (uint64_t)c->entries * c->entry_bits;
    const uint64_t compared = (uint64_t)c->entries * c->cam_bits;
    const uint64_t edge = sqrt_milli(held);
    const uint64_t wire_aj = k->wire_aj * edge / 1000;
    const uint64_t read_aj = (uint64_t)k->read_aj * c->ways * c->read_bits;
    cost->read_fj = (read_aj + k->cam_aj * compared + wire_aj) / 1000;
    cost->write_fj = ((uint64_t)k->read_aj * c->entry_bits + wire_aj + k->cam_write_aj * compared) / 1000;
    cost->area_um2 =
        (k->sram_mum2 * held + k->cam_mum2 * compared + edge * k->port_mum2 * c->ports / 1000) / 1000;
    return WW_OK;
}
