/* SPDX-License-Identifier: MIT */
/* workloads/common/args.h - a program's arguments and named presets as tables, which drive parsing, --help
 * and
 * --describe. Nothing is ignored: an unknown option, a value out of range or one argument too many ends the
 * program. What is given explicitly wins over the preset, wherever it stands. */
#ifndef WW_WORKLOADS_ARGS_H
#define WW_WORKLOADS_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of every program, beside 0. */
enum ww_exit {
    WW_EXIT_WRONG = 1,  /* the device's result differs from the host's */
    WW_EXIT_USAGE = 2,  /* an argument, or a file it names, is wrong */
    WW_EXIT_OPENCL = 3, /* no device, no memory, or an OpenCL call failed */
};

#define WW_CHOICES_MAX 8

struct ww_arg {
    const char *name; /* "--type", or "N": without dashes it is positional */
    const char *text; /* one sentence for --help */
    uint32_t value;   /* the default, below min: none; after parsing what was given; of a choice, its index */
    uint32_t min, max;                   /* bounds of a number */
    const char *choices[WW_CHOICES_MAX]; /* NULL-terminated unless full; the first is NULL for a number */
    bool is_path;                        /* a file's name: neither number nor choice */
    const char *path;                    /* the default; after parsing what was given; NULL for neither */
    bool given;                          /* by the command line or by the preset */
};

/* Sizes under a name. Those of a paper bear the paper's (ww_args_is_paper); every program has "demo", seconds
 * under Oclgrind. */
struct ww_preset {
    const char *name;
    const char *text;   /* one sentence for --help: where the sizes come from */
    const char *values; /* of the table's arguments, with blanks between: "--type double 4096"; no '=' */
};

struct ww_args {
    const char *program;
    const char *summary; /* what it computes, in one line */
    struct ww_arg *table;
    size_t count;
    const char *suite;               /* "Rodinia" */
    const struct ww_preset *presets; /* ended by a name of NULL */
    const struct ww_preset *preset;  /* after parsing: the chosen one, or NULL */
    char *preset_words;              /* its values, cut into words, as a path may be one of them */
    bool describe;                   /* after parsing: --describe was there */
    bool timed;                      /* after parsing: --time was there */
};

/* Fills the table from argv and the preset. Ends the process after --help (0) and after a mistake
 * (WW_EXIT_USAGE). */
void ww_args_parse(struct ww_args *args, int argc, char **argv);

/* The row of that name, or NULL. */
struct ww_arg *ww_args_find(const struct ww_args *args, const char *name);

/* The chosen word of a choice. */
const char *ww_arg_choice(const struct ww_arg *arg);

/* Whether a preset of that name holds a paper's sizes. */
bool ww_args_is_paper(const char *preset);

/* Says what is wrong with the arguments taken together and ends the process with WW_EXIT_USAGE. */
_Noreturn void ww_args_refuse(const struct ww_args *args, const char *format, ...);

#endif
