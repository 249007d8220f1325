/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram_energy.c - see dram_energy.h. mA x mV x ps = 1e-18 J; the limits keep every product of
 * ww_dram_energy_init() below 2^60. */
#include "kernels/dram/dram_energy.h"

#define MAX_MV (1U << 13)
#define MAX_MA (1U << 12)
#define MAX_DEVICES (1U << 6)
#define MAX_PS (1U << 14)
#define MAX_CYCLES (1U << 14)

void ww_dram_energy_cfg_ddr3_1600(struct ww_dram_energy_cfg *cfg, const struct ww_dram_timing *timing)
{
    cfg->vdd_mv = 1350;
    cfg->idd0_ma = 55;
    cfg->idd2n_ma = 32;
    cfg->idd3n_ma = 38;
    cfg->idd4r_ma = 157;
    cfg->idd4w_ma = 125;
    cfg->idd5b_ma = 235;
    cfg->devices = 8;
    cfg->tck_ps = 1250;
    cfg->ras_cycles = timing->ras_cycles;
    cfg->rc_cycles = timing->rc_cycles;
    cfg->burst_cycles = timing->burst_cycles;
    cfg->rfc_cycles = timing->rfc_cycles;
}

void ww_dram_energy_cfg_gddr6(struct ww_dram_energy_cfg *cfg, const struct ww_dram_timing *timing)
{
    ww_dram_energy_cfg_ddr3_1600(cfg, timing);
    cfg->idd0_ma = 71;
    cfg->idd2n_ma = 60;
    cfg->idd3n_ma = 61;
    cfg->idd4r_ma = 248;
    cfg->idd4w_ma = 231;
    cfg->idd5b_ma = 286;
    cfg->devices = 1;
    cfg->tck_ps = 570;
}

static bool cfg_is_legal(const struct ww_dram_energy_cfg *c)
{
    if (!c->vdd_mv || c->vdd_mv > MAX_MV || !c->devices || c->devices > MAX_DEVICES || !c->tck_ps ||
        c->tck_ps > MAX_PS)
        return false;
    if (c->idd0_ma > MAX_MA || c->idd4r_ma > MAX_MA || c->idd4w_ma > MAX_MA || c->idd5b_ma > MAX_MA)
        return false;
    if (c->idd3n_ma < c->idd2n_ma || c->idd0_ma < c->idd3n_ma || c->idd4r_ma < c->idd3n_ma ||
        c->idd4w_ma < c->idd3n_ma || c->idd5b_ma < c->idd3n_ma)
        return false;
    return c->rc_cycles >= c->ras_cycles && c->rc_cycles <= MAX_CYCLES && c->burst_cycles <= MAX_CYCLES &&
           c->rfc_cycles <= MAX_CYCLES;
}

int ww_dram_energy_init(struct ww_dram_energy *e, const struct ww_dram_energy_cfg *c)
{
    if (!cfg_is_legal(c))
        return WW_E_ARG;
    uint64_t rank_aj =
        (uint64_t)c->vdd_mv * c->tck_ps * c->devices; /* energy of 1 mA for one cycle in every device */
    /* IDD0 spans one tRC: tRAS with the row open, the rest with it closed. Both backgrounds are
     * subtracted. */
    uint64_t above_ma_cycles = (uint64_t)c->idd0_ma * c->rc_cycles - (uint64_t)c->idd3n_ma * c->ras_cycles -
                               (uint64_t)c->idd2n_ma * (c->rc_cycles - c->ras_cycles);
    e->act_fj = above_ma_cycles * rank_aj / 1000;
    e->read_fj = (uint64_t)(c->idd4r_ma - c->idd3n_ma) * c->burst_cycles * rank_aj / 1000;
    e->write_fj = (uint64_t)(c->idd4w_ma - c->idd3n_ma) * c->burst_cycles * rank_aj / 1000;
    /* During a refresh the banks count as closed, so the background of that time is IDD2N. */
    e->refresh_fj = (uint64_t)(c->idd5b_ma - c->idd2n_ma) * c->rfc_cycles * rank_aj / 1000;
    e->open_cycle_fj = c->idd3n_ma * rank_aj / 1000;
    e->closed_cycle_fj = c->idd2n_ma * rank_aj / 1000;
    return WW_OK;
}

struct ww_dram_energy_pj ww_dram_energy_of(const struct ww_dram_energy *e, const struct ww_dram_activity *a)
{
    struct ww_dram_energy_pj pj;
    pj.act = a->acts * e->act_fj / 1000;
    pj.read = a->reads * e->read_fj / 1000;
    pj.write = a->writes * e->write_fj / 1000;
    pj.refresh = a->refreshes * e->refresh_fj / 1000;
    pj.background_open = a->open_cycles * e->open_cycle_fj / 1000;
    pj.background_closed = (a->total_cycles - a->open_cycles) * e->closed_cycle_fj / 1000;
    pj.total = pj.act + pj.read + pj.write + pj.refresh + pj.background_open + pj.background_closed;
    return pj;
}
