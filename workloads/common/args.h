/* SPDX-License-Identifier: MIT */
/* workloads/common/args.h - a program's arguments as one table, which drives parsing and --help.
 * Nothing is ignored: an unknown option, a value out of range or one argument too many ends the program. */
#ifndef WW_WORKLOADS_ARGS_H
#define WW_WORKLOADS_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of every program, beside 0. */
enum ww_exit {
    WW_EXIT_WRONG = 1,  /* the device's result differs from the host's */
    WW_EXIT_USAGE = 2,  /* an argument is wrong */
    WW_EXIT_OPENCL = 3, /* no device, or an OpenCL call failed */
};

#define WW_CHOICES_MAX 4

struct ww_arg {
    const char *name;  /* "--type", or "N": without dashes it is positional */
    const char *text;  /* one sentence for --help */
    uint32_t value;    /* the default; after parsing what was given; of a choice, its index */
    uint32_t min, max; /* bounds of a number */
    const char *choices[WW_CHOICES_MAX]; /* NULL-terminated unless full; the first is NULL for a number */
    bool given;
};

struct ww_args {
    const char *program;
    const char *summary; /* what it computes, in one line */
    struct ww_arg *table;
    size_t count;
};

/* Fills the table from argv. Ends the process after --help (0) and after a mistake (WW_EXIT_USAGE). */
void ww_args_parse(struct ww_args *args, int argc, char **argv);

/* The chosen word of a choice. */
const char *ww_arg_choice(const struct ww_arg *arg);

/* Says what is wrong with the arguments taken together and ends the process with WW_EXIT_USAGE. */
_Noreturn void ww_args_refuse(const struct ww_args *args, const char *format, ...);

#endif
