/* SPDX-License-Identifier: MIT */
/* workloads/common/describe.c - prints --describe's JSON object, made from the tables, the arrays that the
 * program declared and the names in its kernels' text. */
#include "common/bench.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_string(const char *text, size_t length)
{
    putchar('"');
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (c < 0x20) {
            printf("\\u%04x", c);
        } else {
            printf(c == '"' || c == '\\' ? "\\%c" : "%c", c);
        }
    }
    putchar('"');
}

static void print_member(const char *key, const char *text)
{
    printf("  \"%s\": ", key);
    print_string(text, strlen(text));
    printf(",\n");
}

static void print_papers(const struct ww_args *args)
{
    const char *between = "";
    printf("  \"papers\": [");
    for (const struct ww_preset *p = args->presets; p->name != NULL; p++) {
        if (ww_args_is_paper(p->name)) {
            printf("%s\"%s\"", between, p->name);
            between = ", ";
        }
    }
    printf("],\n");
}

/* Prints the identifier before the next '(' after each "__kernel". */
static void print_kernels(void)
{
    static const char keyword[] = "__kernel";
    const char *between = "";
    printf("  \"kernels\": [");
    for (const char *at = strstr(ww_kernels_cl, keyword); at != NULL; at = strstr(at, keyword)) {
        const char *end = strchr(at, '(');
        if (end == NULL) {
            break;
        }
        const char *begin = end;
        while (isalnum((unsigned char)begin[-1]) || begin[-1] == '_') {
            begin--;
        }
        printf("%s", between);
        print_string(begin, (size_t)(end - begin));
        between = ", ";
        at = end;
    }
    printf("],\n");
}

static void print_arguments(const struct ww_args *args)
{
    const char *between = "";
    printf("  \"arguments\": {");
    for (size_t i = 0; i < args->count; i++) {
        const struct ww_arg *arg = &args->table[i];
        printf("%s\"%s\": ", between, arg->name);
        if (arg->choices[0] != NULL) {
            print_string(ww_arg_choice(arg), strlen(ww_arg_choice(arg)));
        } else if (!arg->is_path && (arg->given || arg->value >= arg->min)) {
            printf("%" PRIu32, arg->value);
        } else if (arg->path != NULL) {
            print_string(arg->path, strlen(arg->path));
        } else {
            printf("null");
        }
        between = ", ";
    }
    printf("},\n");
}

static void print_presets(const struct ww_args *args)
{
    const char *between = "";
    printf("  \"presets\": [");
    for (const struct ww_preset *p = args->presets; p->name != NULL; p++) {
        printf("%s\n    {\"name\": ", between);
        print_string(p->name, strlen(p->name));
        printf(", \"text\": ");
        print_string(p->text, strlen(p->text));
        printf(", \"values\": ");
        print_string(p->values, strlen(p->values));
        printf("}");
        between = ",";
    }
    printf("\n  ],\n");
}

static void print_buffers(const struct ww_bench *b)
{
    uint64_t bytes = 0;
    printf("  \"buffers\": [");
    for (uint32_t i = 0; i < b->arrays; i++) {
        printf("%s\n    {\"name\": ", i == 0 ? "" : ",");
        print_string(b->array[i].name, strlen(b->array[i].name));
        printf(", \"bytes\": %zu}", ww_array_bytes(&b->array[i]));
        bytes += ww_array_bytes(&b->array[i]);
    }
    printf("\n  ],\n  \"footprint_bytes\": %" PRIu64 "\n", bytes);
}

void ww_bench_describe(const struct ww_bench *b)
{
    printf("{\n");
    print_member("name", b->args->program);
    print_member("summary", b->args->summary);
    print_member("suite", b->args->suite);
    print_papers(b->args);
    print_kernels();
    if (b->args->preset != NULL) {
        print_member("preset", b->args->preset->name);
    }
    print_arguments(b->args);
    print_presets(b->args);
    print_buffers(b);
    printf("}\n");
}
