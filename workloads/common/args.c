/* SPDX-License-Identifier: MIT */
/* workloads/common/args.c - see args.h. */
#include "common/args.h"

#include "common/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options that every program has besides its table. */
static const char *const shared_options[] = {"--preset", "--describe", "--time", "--help"};

static bool is_option(const struct ww_arg *arg)
{
    return arg->name[0] == '-';
}

static bool is_choice(const struct ww_arg *arg)
{
    return arg->choices[0] != NULL;
}

static void print_arg(const struct ww_arg *arg)
{
    printf("  %-14s %s", arg->name, arg->text);
    if (is_choice(arg)) {
        for (size_t i = 0; i < WW_CHOICES_MAX && arg->choices[i] != NULL; i++) {
            printf("%s%s", i == 0 ? " (" : "|", arg->choices[i]);
        }
        printf("), default %s", ww_arg_choice(arg));
    } else if (arg->is_path) {
        printf("%s%s", arg->path == NULL ? "" : ", default ", arg->path == NULL ? "" : arg->path);
    } else {
        printf(" (%" PRIu32 " to %" PRIu32 ")", arg->min, arg->max);
        if (arg->value >= arg->min) {
            printf(", default %" PRIu32, arg->value);
        }
    }
    printf("\n");
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
        print_arg(&args->table[i]);
    }
    printf("  %-14s the arguments below, but for those that are given too\n", "--preset NAME");
    printf("  %-14s one JSON object: kernels, buffers, presets; needs no device\n", "--describe");
    printf("  %-14s afterwards the seconds spent in each kernel\n", "--time");
    printf("  %-14s this text\n\nPresets:\n", "--help");
    for (const struct ww_preset *p = args->presets; p->name != NULL; p++) {
        printf("  %-14s %s: %s %s\n", p->name, p->text, args->program, p->values);
    }
    printf("\nChecks its result against the host. Exit code: 0 right, %d wrong result, %d bad arguments,\n"
           "%d no OpenCL device or a failed OpenCL call. Without a GPU, run it under oclgrind.\n",
           WW_EXIT_WRONG, WW_EXIT_USAGE, WW_EXIT_OPENCL);
}

const char *ww_arg_choice(const struct ww_arg *arg)
{
    return arg->choices[arg->value];
}

bool ww_args_is_paper(const char *preset)
{
    static const char *const papers[] = {"hpca14", "micro18", "micro21", "pact24"};
    for (size_t i = 0; i < sizeof papers / sizeof papers[0]; i++) {
        if (strcmp(papers[i], preset) == 0) {
            return true;
        }
    }
    return false;
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

static _Noreturn void refuse_name(const struct ww_args *args, const char *what, const char *wrong,
                                  const char *nearest)
{
    if (nearest != NULL) {
        ww_args_refuse(args, "unknown %s '%s', did you mean '%s'?", what, wrong, nearest);
    }
    ww_args_refuse(args, "unknown %s '%s'", what, wrong);
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
    /* strtoull accepts blanks and signs; a size has digits only */
    if (!isdigit((unsigned char)word[0]) || *end != '\0' || errno != 0) {
        ww_args_refuse(args, "%s must be a whole number, not '%s'", arg->name, word);
    }
    if (number < arg->min || number > arg->max) {
        ww_args_refuse(args, "%s must be %" PRIu32 " to %" PRIu32 ", not %s", arg->name, arg->min, arg->max,
                       word);
    }
    arg->value = (uint32_t)number;
}

static void set(const struct ww_args *args, struct ww_arg *arg, const char *word)
{
    arg->given = true;
    if (is_choice(arg)) {
        set_choice(args, arg, word);
    } else if (arg->is_path) {
        arg->path = word;
    } else {
        set_number(args, arg, word);
    }
}

struct ww_arg *ww_args_find(const struct ww_args *args, const char *name)
{
    for (size_t i = 0; i < args->count; i++) {
        if (strcmp(args->table[i].name, name) == 0) {
            return &args->table[i];
        }
    }
    return NULL;
}

static struct ww_arg *option_of(const struct ww_args *args, const char *name)
{
    struct ww_arg *arg = ww_args_find(args, name);
    if (arg != NULL) {
        return arg;
    }
    const char *nearest = NULL;
    for (size_t i = 0; i < args->count; i++) {
        ww_nearest(name, args->table[i].name, &nearest);
    }
    for (size_t i = 0; i < sizeof shared_options / sizeof shared_options[0]; i++) {
        if (strcmp(name, shared_options[i]) == 0) { /* the caller handles --preset */
            ww_args_refuse(args, "%s takes no value", name);
        }
        ww_nearest(name, shared_options[i], &nearest);
    }
    refuse_name(args, "option", name, nearest);
}

/* Returns the idx-th argument without dashes. */
static struct ww_arg *positional_of(const struct ww_args *args, size_t idx, const char *word)
{
    for (size_t i = 0; i < args->count; i++) {
        if (!is_option(&args->table[i]) && idx-- == 0) {
            return &args->table[i];
        }
    }
    ww_args_refuse(args, "one argument too many: '%s'", word);
}

static const struct ww_preset *preset_of(const struct ww_args *args, const char *name)
{
    const char *nearest = NULL;
    for (const struct ww_preset *p = args->presets; p->name != NULL; p++) {
        if (strcmp(p->name, name) == 0) {
            return p;
        }
        ww_nearest(name, p->name, &nearest);
    }
    refuse_name(args, "preset", name, nearest);
}

/* Cuts off the next word and returns it; NULL at the end. */
static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " ");
    *rest = word + strcspn(word, " ");
    if (**rest != '\0') {
        *(*rest)++ = '\0';
    }
    return *word == '\0' ? NULL : word;
}

/* Sets only arguments that the command line has not set. */
static void apply_preset(struct ww_args *args)
{
    const size_t bytes = strlen(args->preset->values) + 1;
    args->preset_words = malloc(bytes);
    if (args->preset_words == NULL) {
        ww_args_refuse(args, "no memory");
    }
    memcpy(args->preset_words, args->preset->values, bytes);
    char *words = args->preset_words;
    size_t positionals = 0;
    for (char *word = next_word(&words); word != NULL; word = next_word(&words)) {
        struct ww_arg *arg;
        if (word[0] == '-') {
            arg = option_of(args, word);
            word = next_word(&words);
        } else {
            arg = positional_of(args, positionals++, word);
        }
        if (!arg->given) {
            set(args, arg, word);
        }
    }
}

void ww_args_parse(struct ww_args *args, int argc, char **argv)
{
    size_t positionals = 0;
    for (int i = 1; i < argc; i++) {
        char *word = argv[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(args);
            exit(0);
        }
        if (strcmp(word, "--describe") == 0) {
            args->describe = true;
            continue;
        }
        if (strcmp(word, "--time") == 0) {
            args->timed = true;
            continue;
        }
        if (word[0] != '-') {
            set(args, positional_of(args, positionals++, word), word);
            continue;
        }
        char *value = strchr(word, '=');
        if (value != NULL) {
            *value++ = '\0';
        }
        struct ww_arg *arg = strcmp(word, "--preset") == 0 ? NULL : option_of(args, word);
        if (value == NULL && ++i == argc) {
            ww_args_refuse(args, "%s needs a value", word);
        }
        if (value == NULL) {
            value = argv[i];
        }
        if (arg == NULL ? args->preset != NULL : arg->given) {
            ww_args_refuse(args, "%s is given twice", word);
        }
        if (arg == NULL) {
            args->preset = preset_of(args, value);
        } else {
            set(args, arg, value);
        }
    }
    if (args->preset != NULL) {
        apply_preset(args);
    }
}
