/* SPDX-License-Identifier: MIT */
/* generate/params.c - names, ranges and texts of patterns and parameters, and illegal combinations.
 * Time: none. Allocation: none. */
#include "generate/generate.h"
#include "generate/pattern_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WW_GEN_ENTRY(key, unit, min, max, fallback, choices, patterns, text)                                 \
    {#key, unit, min, max, fallback, choices, patterns, text},
const struct ww_gen_param ww_gen_params[WW_GEN_PARAMS] = {WW_GEN_PARAM_LIST(WW_GEN_ENTRY)};
#undef WW_GEN_ENTRY

static const struct {
    const char *name, *text;
} patterns[] = {
#define WW_GEN_ENTRY(name, text) {#name, text},
    WW_GEN_PATTERN_LIST(WW_GEN_ENTRY)
#undef WW_GEN_ENTRY
};

const char *ww_gen_pattern_name(uint8_t pattern)
{
    return pattern < WW_GEN_PATTERNS ? patterns[pattern].name : "?";
}

const char *ww_gen_pattern_text(uint8_t pattern)
{
    return pattern < WW_GEN_PATTERNS ? patterns[pattern].text : "?";
}

void ww_gen_defaults(struct ww_gen_cfg *cfg, uint8_t pattern)
{
    cfg->pattern = pattern;
    for (unsigned i = 0; i < WW_GEN_PARAMS; i++)
        cfg->value[i] = ww_gen_params[i].fallback;
}

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

/* Returns the accesses of a wave in all its rounds. */
static uint64_t chase_accesses(const struct ww_gen_cfg *cfg)
{
    const uint64_t *v = cfg->value;
    const uint64_t nodes = ww_gen_nodes(cfg);
    const uint64_t others = v[WW_GEN_P_rounds] == 0 ? v[WW_GEN_P_accesses] : v[WW_GEN_P_rounds] * nodes;
    return v[WW_GEN_P_warm] * nodes + others;
}

const char *ww_gen_check(const struct ww_gen_cfg *cfg)
{
    const uint64_t *v = cfg->value;
    if (cfg->pattern >= WW_GEN_PATTERNS)
        return "there is no such pattern";
    for (unsigned i = 0; i < WW_GEN_PARAMS; i++)
        if (v[i] < ww_gen_params[i].min || v[i] > ww_gen_params[i].max)
            return "a parameter is outside its range";
    switch ((enum ww_gen_pattern)cfg->pattern) {
    case WW_GEN_chase:
        if (v[WW_GEN_P_node] > v[WW_GEN_P_footprint])
            return "node: larger than the footprint";
        if (v[WW_GEN_P_node] % (UINT64_C(1) << v[WW_GEN_P_bytes]) != 0)
            return "node: not a multiple of bytes";
        if (v[WW_GEN_P_offset] % (UINT64_C(1) << v[WW_GEN_P_bytes]) != 0)
            return "offset: not a multiple of bytes";
        if (chase_accesses(cfg) > WW_GEN_MOST_ACCESSES)
            return "warm, rounds: more accesses of a wave than " TEXT_OF(WW_GEN_MOST_ACCESSES);
        if (v[WW_GEN_P_turns] != 0 && v[WW_GEN_P_first] >= v[WW_GEN_P_waves])
            return "first: no wave has this number";
        if (v[WW_GEN_P_turns] == 2 && v[WW_GEN_P_second] >= v[WW_GEN_P_waves])
            return "second: no wave has this number";
        if (v[WW_GEN_P_turns] == 2 && v[WW_GEN_P_kernels] != 1)
            return "kernels: turns=two are three launches by themselves";
        break;
    case WW_GEN_neighbourhood:
        if (v[WW_GEN_P_neighbourhoods] > v[WW_GEN_P_lanes])
            return "neighbourhoods: more than lanes";
        if (v[WW_GEN_P_neighbourhoods] * WW_GEN_NBHD_BYTES > v[WW_GEN_P_footprint])
            return "neighbourhoods: more than the footprint has (32768 bytes each)";
        break;
    case WW_GEN_phases:
        if (v[WW_GEN_P_region] > v[WW_GEN_P_footprint])
            return "region: larger than the footprint";
        break;
    case WW_GEN_stream:
    case WW_GEN_stride:
    case WW_GEN_uniform:
    case WW_GEN_zipf:
    case WW_GEN_PATTERNS:
        break;
    }
    return NULL;
}

static void put(char *text, size_t bytes, const char *what, size_t n)
{
    size_t used = strlen(text);
    if (n > bytes - 1 - used)
        n = bytes - 1 - used;
    memcpy(text + used, what, n);
    text[used + n] = 0;
}

void ww_gen_text(const struct ww_gen_cfg *cfg, char *text, size_t bytes)
{
    if (bytes == 0)
        return;
    text[0] = 0;
    const char *name = ww_gen_pattern_name(cfg->pattern);
    put(text, bytes, name, strlen(name));
    for (unsigned i = 0; i < WW_GEN_PARAMS; i++) {
        const struct ww_gen_param *p = &ww_gen_params[i];
        if (!(p->patterns >> cfg->pattern & 1))
            continue;
        char number[24];
        const char *value = number;
        int length = snprintf(number, sizeof number, "%" PRIu64, cfg->value[i]);
        size_t n = length < 0 ? 0 : (size_t)length;
        if (p->choices) {
            value = p->choices;
            for (uint64_t skip = cfg->value[i]; skip && *value; value++)
                skip -= *value == '|';
            n = strcspn(value, "|");
        }
        put(text, bytes, ",", 1);
        put(text, bytes, p->key, strlen(p->key));
        put(text, bytes, "=", 1);
        put(text, bytes, value, n);
    }
}
