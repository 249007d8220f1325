/* SPDX-License-Identifier: MIT */
/* generate/generate.c - makes a trace from parameters: tables, totals, and packed work-groups.
 * Allocation: the state, once. */
#include "generate/generate.h"
#include "generate/pattern_internal.h"
#include "kernels/table/frames.h"

#include <stdlib.h>
#include <string.h>

static uint32_t groups_of(const struct ww_gen_cfg *cfg)
{
    const uint64_t waves = cfg->value[WW_GEN_P_waves], each = cfg->value[WW_GEN_P_group_waves];
    return (uint32_t)((waves + each - 1) / each);
}

static uint32_t launches_of(const struct ww_gen_cfg *cfg)
{
    return (uint32_t)cfg->value[WW_GEN_P_kernels] * (cfg->value[WW_GEN_P_turns] == 2 ? 3 : 1);
}

/* Returns the size of the buffer: the pages before the nodes, and those of one chain, or of two. */
static uint64_t buffer_bytes(const struct ww_gen *g)
{
    const uint64_t chains = ww_gen_value(g, WW_GEN_P_turns) == 2 ? 2 : 1, page = WW_GEN_PAGE_BYTES;
    return (ww_gen_value(g, WW_GEN_P_offset) + page - 1) / page * page + chains * g->footprint_bytes;
}

/* Returns how many of a wave's first n accesses after its warm-up are stores. */
static uint64_t stores_before(const struct ww_gen *g, uint64_t n)
{
    return n * ww_gen_value(g, WW_GEN_P_stores) / 100;
}

uint64_t ww_gen_permuted(const struct ww_gen *g, uint64_t n, uint64_t i)
{
    const struct ww_frames_cfg cfg = {WW_FRAMES_RANDOM, 12, 0, n, 0, ww_gen_value(g, WW_GEN_P_seed)};
    return ww_frame_of(&cfg, i);
}

void ww_gen_draw(struct ww_gen_wave *w, uint64_t start, uint64_t bytes, uint64_t *offset)
{
    const struct ww_gen *g = w->gen;
    if (ww_gen_value(g, WW_GEN_P_by) == 0) {
        for (uint32_t l = 0; l < g->lanes; l++)
            offset[l] = start + ww_gen_below(&w->rng, bytes / g->bytes) * g->bytes;
        return;
    }
    /* aligned, so that the lanes touch as few lines and pages as possible */
    uint64_t span = (uint64_t)g->bytes * WKT_WAVE_LANES;
    span = span < WW_GEN_PAGE_BYTES ? span : WW_GEN_PAGE_BYTES;
    const uint64_t first = ww_gen_below(&w->rng, bytes / span) * span;
    for (uint32_t l = 0; l < g->lanes; l++)
        offset[l] = start + (first + l * g->bytes) % bytes;
}

typedef void (*lanes_fn)(struct ww_gen_wave *w, uint32_t i, uint64_t *offset);

static int pack_wave(const struct ww_gen *g, uint32_t launch, uint64_t number, uint32_t wave,
                     struct wkt_packer *p)
{
    static const lanes_fn lanes_of[] = {
#define WW_GEN_ENTRY(name, text) ww_gen_##name##_lanes,
        WW_GEN_PATTERN_LIST(WW_GEN_ENTRY)
#undef WW_GEN_ENTRY
    };
    struct ww_gen_wave w = {g, number, ww_gen_work_of(g, launch, number), {0}};
    ww_rng_init(&w.rng, ww_mix64(ww_mix64(ww_mix64(ww_gen_value(g, WW_GEN_P_seed)) + launch) + number));
    struct wkt_record r;
    memset(&r, 0, sizeof r);
    r.bytes = (uint8_t)g->bytes;
    r.compute = (uint32_t)ww_gen_value(g, WW_GEN_P_compute);
    r.mask = UINT64_MAX >> (WKT_WAVE_LANES - g->lanes);
    const uint32_t use = (uint32_t)ww_gen_value(g, WW_GEN_P_use);
    const uint32_t warm = (uint32_t)w.work.warm, accesses = warm + (uint32_t)w.work.others;
    int status = wkt_packer_wave(p, UINT64_MAX);
    for (uint32_t i = 0; i < accesses && !status; i++) {
        const bool store = i < warm || stores_before(g, i - warm + UINT64_C(1)) != stores_before(g, i - warm);
        r.kind = store ? WKT_STORE : WKT_LOAD;
        r.pc = r.compute + (store ? 1 : 0);
        r.use = store || use == 0 ? WKT_USE_NEVER : use;
        lanes_of[g->cfg.pattern](&w, i, r.va);
        for (uint32_t l = 0; l < g->lanes; l++)
            r.va[l] += WW_GEN_BASE_VA;
        status = wkt_packer_record(p, wave, &r, NULL);
    }
    return status;
}

static int pack(void *context, uint32_t launch, uint32_t group, struct wkt_packer *p)
{
    const struct ww_gen *g = context;
    const uint64_t each = ww_gen_value(g, WW_GEN_P_group_waves), waves = ww_gen_value(g, WW_GEN_P_waves);
    const uint64_t first = group * each;
    int status = WKT_OK;
    for (uint32_t wave = 0; wave < each && first + wave < waves && !status; wave++)
        status = pack_wave(g, launch, first + wave, wave, p);
    return status;
}

/* Adds the accesses of `waves` waves, each like wave `number`. */
static void add_work(const struct ww_gen *g, struct wkt_totals *t, uint32_t launch, uint64_t number,
                     uint64_t waves)
{
    const struct ww_gen_work work = ww_gen_work_of(g, launch, number);
    const uint64_t stores = stores_before(g, work.others);
    t->records[WKT_LOAD] += waves * (work.others - stores);
    t->records[WKT_STORE] += waves * (work.warm + stores);
}

static struct wkt_totals totals_of(const struct ww_gen *g)
{
    const uint64_t waves = ww_gen_value(g, WW_GEN_P_waves);
    struct wkt_totals t;
    memset(&t, 0, sizeof t);
    t.groups = (uint64_t)launches_of(&g->cfg) * groups_of(&g->cfg);
    t.waves = launches_of(&g->cfg) * waves;
    const uint64_t first = ww_gen_value(g, WW_GEN_P_first), second = ww_gen_value(g, WW_GEN_P_second);
    if (ww_gen_value(g, WW_GEN_P_turns) == 0)
        add_work(g, &t, 0, 0, t.waves);
    for (uint32_t launch = 0; ww_gen_value(g, WW_GEN_P_turns) != 0 && launch < launches_of(&g->cfg);
         launch++) {
        add_work(g, &t, launch, first, 1);
        add_work(g, &t, launch, second, second != first);
    }
    t.lanes[WKT_LOAD] = t.records[WKT_LOAD] * g->lanes;
    t.lanes[WKT_STORE] = t.records[WKT_STORE] * g->lanes;
    t.compute = (t.records[WKT_LOAD] + t.records[WKT_STORE]) * ww_gen_value(g, WW_GEN_P_compute);
    return t;
}

static struct wkt_launch launch_of(const struct ww_gen *g)
{
    struct wkt_launch l;
    memset(&l, 0, sizeof l);
    const char *name = ww_gen_pattern_name(g->cfg.pattern);
    memcpy(l.name, name, strlen(name));
    l.grid[0] = (uint32_t)ww_gen_value(g, WW_GEN_P_waves) * WKT_WAVE_LANES;
    l.group[0] = (uint32_t)ww_gen_value(g, WW_GEN_P_group_waves) * WKT_WAVE_LANES;
    l.grid[1] = l.grid[2] = l.group[1] = l.group[2] = 1;
    l.code_bytes = 8 * ((uint32_t)ww_gen_value(g, WW_GEN_P_compute) + 2);
    l.groups = groups_of(&g->cfg);
    return l;
}

static struct ww_gen *state_of(const struct ww_gen_cfg *cfg)
{
    struct ww_gen *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->cfg = *cfg;
    const uint64_t page = WW_GEN_PAGE_BYTES;
    g->footprint_bytes = ww_gen_footprint(cfg);
    g->bytes = 1u << ww_gen_value(g, WW_GEN_P_bytes);
    g->lanes = (uint32_t)ww_gen_value(g, WW_GEN_P_lanes);
    if (cfg->pattern == WW_GEN_zipf)
        ww_gen_zipf_init(&g->zipf, g->footprint_bytes / page,
                         (double)ww_gen_value(g, WW_GEN_P_exponent) / 1000.0);
    return g;
}

static int fail(struct wkt_error *error, int code, const char *name, const char *text)
{
    if (error) {
        error->code = code;
        error->output = false;
        error->text[0] = 0;
        strncat(error->text, name, 160);
        strncat(error->text, ": ", 3);
        strncat(error->text, text, 80);
    }
    return code;
}

int ww_gen_open(const struct ww_gen_cfg *cfg, const char *name, struct wkt_reader **out,
                struct wkt_error *error)
{
    const char *wrong = ww_gen_check(cfg);
    if (wrong)
        return fail(error, WKT_E_ARG, name, wrong);
    struct ww_gen *g = state_of(cfg);
    const uint32_t kernels = launches_of(cfg);
    struct wkt_launch *launches = calloc(kernels, sizeof *launches);
    if (!g || !launches) {
        free(g);
        free(launches);
        return fail(error, WKT_E_MEMORY, name, "out of memory");
    }
    for (uint32_t i = 0; i < kernels; i++)
        launches[i] = launch_of(g);
    const struct wkt_buffer buffer = {WW_GEN_BASE_VA, buffer_bytes(g), 0, 0, kernels};
    char command[WW_GEN_TEXT_BYTES + 4] = "gen:";
    ww_gen_text(cfg, command + 4, WW_GEN_TEXT_BYTES);
    struct wkt_source source;
    memset(&source, 0, sizeof source);
    source.name = name;
    source.program = "walkway";
    source.command = command;
    source.producer = "walkway generators 1";
    source.checksum = wkt_hash64(command, strlen(command), WW_GEN_VERSION);
    source.launches = launches;
    source.launches_n = kernels;
    source.buffers = &buffer;
    source.buffers_n = 1;
    source.totals = totals_of(g);
    source.pack = pack;
    source.free_context = free;
    source.context = g;
    int status = wkt_open_source(&source, out, error);
    free(launches);
    if (status)
        free(g);
    return status;
}
