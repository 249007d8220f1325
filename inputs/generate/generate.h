/* SPDX-License-Identifier: MIT */
/* generate/generate.h - synthetic traces (docs/use/generators.md): a pattern and its parameters make a reader
 * whose work-groups are generated when loaded. The contents of a work-group are a pure function of pattern,
 * parameters, launch and group, equal on every computer and compiler. Not modelled: barriers, local memory,
 * atomics, divergence of control. Memory: one work-group. */
#ifndef WW_GENERATE_GENERATE_H
#define WW_GENERATE_GENERATE_H

#include "trace/wkt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Changed when the same parameters give other accesses than before. */
#define WW_GEN_VERSION 1u

/* X(name, description) */
#define WW_GEN_PATTERN_LIST(X)                                                                               \
    X(stream, "all waves side by side through the footprint, element after element")                         \
    X(stride, "lanes a fixed distance apart; the waves' lanes follow each other")                            \
    X(uniform, "any element of the footprint, each as likely")                                               \
    X(zipf, "pages by rank: the k-th most wanted in proportion to 1 / k^exponent; any element of it")        \
    X(chase, "pointer chase: a chain of nodes in random order that meets every node once a round")           \
    X(neighbourhood, "the lanes of an instruction fall densely into some neighbourhoods of 8 pages")         \
    X(phases, "any element of a region for some accesses, then of the next region")

#define WW_GEN_ENUM(name, text) WW_GEN_##name,
enum ww_gen_pattern { WW_GEN_PATTERN_LIST(WW_GEN_ENUM) WW_GEN_PATTERNS };
#undef WW_GEN_ENUM

const char *ww_gen_pattern_name(uint8_t pattern);
const char *ww_gen_pattern_text(uint8_t pattern);

/* X(key, unit, least, most, default, choices ("a|b", the value is then an index; else NULL), patterns that
 * have it, description). Addresses are in bytes; a page is 4096. */
#define WW_GEN_ON(pattern) (1u << WW_GEN_##pattern)
#define WW_GEN_ALL ((1u << WW_GEN_PATTERNS) - 1)
#define WW_GEN_DRAWN (WW_GEN_ON(uniform) | WW_GEN_ON(zipf) | WW_GEN_ON(chase) | WW_GEN_ON(phases))
#define WW_GEN_MOST_ACCESSES 16777216 /* of a wave */
#define WW_GEN_PARAM_LIST(X)                                                                                 \
    X(waves, "waves", 1, 1u << 20, 64, NULL, WW_GEN_ALL, "waves of a kernel, all work-groups together")      \
    X(group_waves, "waves", 1, 64, 1, NULL, WW_GEN_ALL, "waves of a work-group; the last may have fewer")    \
    X(accesses, "instructions", 1, WW_GEN_MOST_ACCESSES, 256, NULL, WW_GEN_ALL,                              \
      "memory instructions of a wave")                                                                       \
    X(compute, "instructions", 0, 65535, 4, NULL, WW_GEN_ALL, "other instructions before each of them")      \
    X(use, "instructions", 0, 65535, 1, NULL, WW_GEN_ALL,                                                    \
      "from a load to the first use of its value: 1 the very next, 0 never")                                 \
    X(bytes, "bytes", 0, 7, 2, "1|2|4|8|16|32|64|128", WW_GEN_ALL, "of one lane's access, the element")      \
    X(lanes, "lanes", 1, 64, 64, NULL, WW_GEN_ALL, "active lanes, the lowest")                               \
    X(stores, "%", 0, 100, 0, NULL, WW_GEN_ALL, "share of the accesses that store, evenly spread")           \
    X(footprint, "bytes", 4096, UINT64_C(1) << 40, 64u << 20, NULL, WW_GEN_ALL,                              \
      "size of the one buffer; rounded up to whole pages")                                                   \
    X(kernels, "kernels", 1, 4096, 1, NULL, WW_GEN_ALL, "launches, one after the other")                     \
    X(seed, "1", 0, UINT64_MAX, 1, NULL, WW_GEN_ALL, "of everything drawn")                                  \
    X(stride, "bytes", 1, UINT64_C(1) << 40, 4096, NULL, WW_GEN_ON(stride), "from a lane to the next")       \
    X(step, "bytes", 0, UINT64_C(1) << 40, 0, NULL, WW_GEN_ON(stride),                                       \
      "from an access of a wave to its next; 0: behind the last lane of the last wave")                      \
    X(by, "", 0, 1, 0, "lane|wave", WW_GEN_DRAWN,                                                            \
      "each lane draws (follows a chain) of its own, or the wave does and its lanes are side by side")       \
    X(exponent, "1/1000", 0, 4000, 1000, NULL, WW_GEN_ON(zipf), "skew: 0 is uniform, 1000 is 1 / k")         \
    X(node, "bytes", 64, UINT64_C(1) << 30, 4096, NULL, WW_GEN_ON(chase),                                    \
      "of a chain; one place in each is read; the footprint is cut to whole nodes")                          \
    X(order, "", 0, 1, 0, "random|ascending", WW_GEN_ON(chase),                                              \
      "of a chain: a random one, drawn once, or that of the addresses")                                      \
    X(place, "", 0, 1, 0, "drawn|first", WW_GEN_ON(chase),                                                   \
      "of a node that is read: any element of it, drawn once for each node, or its first")                   \
    X(offset, "bytes", 0, UINT64_C(1) << 30, 0, NULL, WW_GEN_ON(chase), "before the first node")             \
    X(warm, "rounds", 0, 1024, 0, NULL, WW_GEN_ON(chase),                                                    \
      "of a chain before all else, whose accesses store: the latency of loads is that of the others")        \
    X(rounds, "rounds", 0, 1u << 20, 0, NULL, WW_GEN_ON(chase),                                              \
      "of a chain, in place of a number of accesses; 0: `accesses` gives the number")                        \
    X(turns, "", 0, 2, 0, "all|one|two", WW_GEN_ON(chase),                                                   \
      "all waves follow chains; wave `first` alone does; or in three launches wave `first` goes its "        \
      "warming "                                                                                             \
      "rounds, wave `second` as many through as many other nodes, `first` its others")                       \
    X(first, "wave", 0, (1u << 20) - 1, 0, NULL, WW_GEN_ON(chase),                                           \
      "that follows a chain; the n-th begins on the n-th compute unit, if each is its own work-group")       \
    X(second, "wave", 0, (1u << 20) - 1, 0, NULL, WW_GEN_ON(chase), "of two, the other")                     \
    X(neighbourhoods, "neighbourhoods", 1, 64, 4, NULL, WW_GEN_ON(neighbourhood), "of an instruction")       \
    X(density, "pages", 1, 8, 8, NULL, WW_GEN_ON(neighbourhood),                                             \
      "wanted of each neighbourhood, as far as there are lanes")                                             \
    X(region, "bytes", 4096, UINT64_C(1) << 40, 1u << 20, NULL, WW_GEN_ON(phases), "of a phase")             \
    X(phase, "instructions", 1, WW_GEN_MOST_ACCESSES, 64, NULL, WW_GEN_ON(phases),                           \
      "accesses of a wave in a region")                                                                      \
    X(overlap, "%", 0, 99, 0, NULL, WW_GEN_ON(phases), "share of a region that the next one has too")        \
    X(move, "", 0, 1, 0, "apart|together", WW_GEN_ON(phases),                                                \
      "wave n begins in region n, or all waves are in the same region")

#define WW_GEN_ENUM(name, ...) WW_GEN_P_##name,
enum ww_gen_param_name { WW_GEN_PARAM_LIST(WW_GEN_ENUM) WW_GEN_PARAMS };
#undef WW_GEN_ENUM

struct ww_gen_param {
    const char *key, *unit;
    uint64_t min, max, fallback;
    const char *choices;
    uint32_t patterns; /* bit n: pattern n has it */
    const char *text;
};

extern const struct ww_gen_param ww_gen_params[WW_GEN_PARAMS];

struct ww_gen_cfg {
    uint8_t pattern; /* enum ww_gen_pattern */
    uint64_t value[WW_GEN_PARAMS];
};

void ww_gen_defaults(struct ww_gen_cfg *cfg, uint8_t pattern);

/* Returns NULL, or names what is illegal or contradictory in cfg. */
const char *ww_gen_check(const struct ww_gen_cfg *cfg);

/* Writes "stream,waves=64,...": every parameter of the pattern, in the order of the list. WW_GEN_TEXT_BYTES
 * always suffice. */
#define WW_GEN_TEXT_BYTES 1024u
void ww_gen_text(const struct ww_gen_cfg *cfg, char *text, size_t bytes);

/* Opens a generated trace. `name` is used in errors. The trace's command is "gen:" and ww_gen_text(), of
 * which its checksum is computed. */
int ww_gen_open(const struct ww_gen_cfg *cfg, const char *name, struct wkt_reader **out,
                struct wkt_error *error);

#ifdef __cplusplus
}
#endif

#endif
