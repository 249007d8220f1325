/* SPDX-License-Identifier: MIT */
/* workloads/common/args.c - see args.h. */
#include "common/args.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_option(const struct ww_arg *arg)
{
    return arg->name[0] == '-';
}

static void print_values(const struct ww_arg *arg)
{
    if (arg->choices[0] == NULL) {
        printf(" (%" PRIu32 " to %" PRIu32 ")", arg->min, arg->max);
        return;
    }
    printf(" (");
    for (size_t i = 0; i < WW_CHOICES_MAX && arg->choices[i] != NULL; i++) {
        printf("%s%s", i == 0 ? "" : "|", arg->choices[i]);
    }
    printf(")");
}

static void print_help(const struct ww_args *args)
{
    printf("%s: %s\n\nUsage: %s [options]", args->program, args->summary, args->program);
    for (size_t i = 0; i < args->count; i++) {
        if (!is_option(&args->table[i])) {
            printf(" [%s]", args->table[i].name);
        }
    }
    printf("\n\n");
    for (size_t i = 0; i < args->count; i++) {
        const struct ww_arg *arg = &args->table[i];
        printf("  %-14s %s", arg->name, arg->text);
        print_values(arg);
        if (arg->choices[0] != NULL) {
            printf(", default %s\n", ww_arg_choice(arg));
        } else if (arg->value >= arg->min) {
            printf(", default %" PRIu32 "\n", arg->value);
        } else {
            printf("\n");
        }
    }
    printf("  %-14s this text\n\n", "--help");
    printf("Checks its result against the host. Exit code: 0 right, %d wrong result, %d bad arguments,\n"
           "%d no OpenCL device or a failed OpenCL call. Without a GPU, run it under oclgrind.\n",
           WW_EXIT_WRONG, WW_EXIT_USAGE, WW_EXIT_OPENCL);
}

const char *ww_arg_choice(const struct ww_arg *arg)
{
    return arg->choices[arg->value];
}

void ww_args_refuse(const struct ww_args *args, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: ", args->program);
    vfprintf(stderr, format, list);
    fprintf(stderr, " (see %s --help)\n", args->program);
    va_end(list);
    exit(WW_EXIT_USAGE);
}

static void set_choice(const struct ww_args *args, struct ww_arg *arg, const char *word)
{
    for (uint32_t i = 0; i < WW_CHOICES_MAX && arg->choices[i] != NULL; i++) {
        if (strcmp(arg->choices[i], word) == 0) {
            arg->value = i;
            return;
        }
    }
    ww_args_refuse(args, "%s cannot be '%s'", arg->name, word);
}

static void set_number(const struct ww_args *args, struct ww_arg *arg, const char *word)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(word, &end, 10);
    /* strtoull takes blanks and signs; a size is digits only */
    if (!isdigit((unsigned char)word[0]) || *end != '\0' || errno != 0) {
        ww_args_refuse(args, "%s must be a number, not '%s'", arg->name, word);
    }
    if (number < arg->min || number > arg->max) {
        ww_args_refuse(args, "%s must be %" PRIu32 " to %" PRIu32 ", not %s", arg->name, arg->min, arg->max,
                       word);
    }
    arg->value = (uint32_t)number;
}

static void set(const struct ww_args *args, struct ww_arg *arg, const char *word)
{
    if (arg->given) {
        ww_args_refuse(args, "%s is given twice", arg->name);
    }
    arg->given = true;
    if (arg->choices[0] != NULL) {
        set_choice(args, arg, word);
    } else {
        set_number(args, arg, word);
    }
}

static struct ww_arg *find_option(const struct ww_args *args, const char *name, size_t length)
{
    for (size_t i = 0; i < args->count; i++) {
        if (strlen(args->table[i].name) == length && strncmp(args->table[i].name, name, length) == 0) {
            return &args->table[i];
        }
    }
    ww_args_refuse(args, "unknown option '%.*s'", (int)length, name);
}

static struct ww_arg *next_positional(const struct ww_args *args, const char *word)
{
    for (size_t i = 0; i < args->count; i++) {
        if (!is_option(&args->table[i]) && !args->table[i].given) {
            return &args->table[i];
        }
    }
    ww_args_refuse(args, "one argument too many: '%s'", word);
}

void ww_args_parse(struct ww_args *args, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(args);
            exit(0);
        }
        if (word[0] != '-') {
            set(args, next_positional(args, word), word);
            continue;
        }
        const char *equals = strchr(word, '=');
        struct ww_arg *arg = find_option(args, word, equals ? (size_t)(equals - word) : strlen(word));
        if (equals == NULL && i + 1 == argc) {
            ww_args_refuse(args, "%s needs a value", word);
        }
        set(args, arg, equals ? equals + 1 : argv[++i]);
    }
}
