/* SPDX-License-Identifier: MIT */
/* import/asim_text.h - a text file line by line, plain, .xz or .gz, with errors that name the line. Only
 * regular files are opened: nothing here can wait for ever. Memory: 1 MiB, and unpack/unpack.h's. */
#ifndef WW_IMPORT_ASIM_TEXT_H
#define WW_IMPORT_ASIM_TEXT_H

#include "import/accelsim.h"
#include "unpack/unpack.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASIM_LINE_MAX 65536u

struct asim_text {
    struct ww_unpack *file;
    char *path;
    char *buffer; /* ASIM_TEXT_BYTES and one */
    size_t at, end;
    bool ended;         /* nothing is left to be read behind `end` */
    uint64_t line;      /* number of the line last given, from 1 */
    uint64_t text_read; /* bytes of text before `end` */
};

int asim_text_open(struct asim_text *t, const char *path, struct asim_error *e);
void asim_text_close(struct asim_text *t);

/* 1: *line is the next line, which ends before *end, where a '\n' is; a carriage return before it is not part
 * of it. 0: the file's end. Negative: wkt_status. Valid until the next call. */
int asim_text_line(struct asim_text *t, const char **line, const char **end, struct asim_error *e);

/* Fills *e and returns `code`. Line 0: none to name. Control bytes become '?'. */
int asim_fail(struct asim_error *e, int code, const char *path, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* As asim_fail, where one of `valid` was wanted and `n` bytes from `word` on stand. */
int asim_fail_name(struct asim_error *e, const char *path, uint64_t line, const char *word, size_t n,
                   const char *const *valid, const char *what);

#ifdef __cplusplus
}
#endif

#endif
