/* SPDX-License-Identifier: MIT */
/* workloads/graph/graphinfo.c - graphinfo GRAPH: reads or makes a graph and prints its measures. */
#include "graph/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { EXIT_USAGE = 2 };

static int usage(FILE *out)
{
    fprintf(out,
            "Usage: graphinfo [--format FORMAT] GRAPH\n\nMeasures a graph. GRAPH is a file, plain, .xz or "
            ".gz, or one of\n"
            "  %s\n  --format FORMAT   of the file:",
            WW_GRAPH_RULES);
    for (uint32_t i = 0; i < WW_GRAPH_FORMATS; i++) {
        fprintf(out, " %s", ww_graph_format_name((enum ww_graph_format)i));
    }
    fprintf(out, "\n");
    return out == stdout ? 0 : EXIT_USAGE;
}

/* Returns WW_GRAPH_FORMATS if there is none of that name. */
static enum ww_graph_format format_of(const char *name)
{
    uint32_t i = 0;
    while (i < WW_GRAPH_FORMATS && strcmp(ww_graph_format_name((enum ww_graph_format)i), name) != 0) {
        i++;
    }
    return (enum ww_graph_format)i;
}

static double percent(uint64_t part, uint64_t all)
{
    return all == 0 ? 0.0 : 100.0 * (double)part / (double)all;
}

static void print(const struct ww_csr *g, const struct ww_measure *m)
{
    printf("vertices      %" PRIu32 "\narcs          %" PRIu64 ", %.3f a vertex\n", g->vertices, g->edges,
           (double)g->edges / g->vertices);
    printf("degree        %" PRIu32 " to %" PRIu32 "\n", m->degree_min, m->degree_max);
    for (uint32_t i = 0; i < WW_DEGREE_CLASSES; i++) {
        if (m->degrees[i] != 0) {
            const uint64_t from = i == 0 ? 0 : UINT64_C(1) << (i - 1), to = i == 0 ? 0 : 2 * from - 1;
            printf("  %8" PRIu64 " to %-8" PRIu64 " %10" PRIu64 "  %5.1f %%\n", from, to, m->degrees[i],
                   percent(m->degrees[i], g->vertices));
        }
    }
    printf("loops         %" PRIu64 "\nrepeated arcs %" PRIu64 "\none-way arcs  %" PRIu64 "\n", m->loops,
           m->repeats, m->one_way);
    if (g->weight != NULL) {
        printf("weights       %" PRIu32 " to %" PRIu32 "\n", m->weight_min, m->weight_max);
    } else {
        printf("weights       none\n");
    }
    printf("from vertex 0 %" PRIu32 " vertices, %.1f %%, in at most %" PRIu32 " hops\n", m->reached,
           percent(m->reached, g->vertices), m->eccentricity);
    printf("hop diameter  at least %" PRIu32 "\n", m->diameter);
    printf("ids of ends   within 64: %.1f %%, within 1024: %.1f %%\n", percent(m->near_64, g->edges),
           percent(m->near_1024, g->edges));
    printf("gather        %.2f pages per instruction of 64 lanes\n", m->pages);
}

int main(int argc, char **argv)
{
    enum ww_graph_format format = WW_GRAPH_AUTO;
    struct ww_graph_error error;
    struct ww_measure measure;
    struct ww_csr g;
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        return usage(stdout);
    }
    if (argc == 4 && strcmp(argv[1], "--format") == 0) {
        format = format_of(argv[2]);
        if (format == WW_GRAPH_FORMATS) {
            fprintf(stderr, "graphinfo: no format is named '%s'\n", argv[2]);
            return EXIT_USAGE;
        }
    } else if (argc != 2 || argv[1][0] == '-') {
        return usage(stderr);
    }
    if (ww_graph_open(argv[argc - 1], format, &g, &error) != WW_OK) {
        fprintf(stderr, "graphinfo: %s\n", error.text);
        return EXIT_USAGE;
    }
    const bool measured = ww_measure_graph(&g, &measure);
    if (measured) {
        print(&g, &measure);
    } else {
        fprintf(stderr, "graphinfo: no memory\n");
    }
    ww_csr_free(&g);
    return measured ? 0 : 3;
}
