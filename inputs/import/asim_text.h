/* SPDX-License-Identifier: MIT */
/* import/asim_text.h - a text file line by line, plain, .xz or .gz, with errors that name the line. Opens
 * only regular files, so that no call waits for ever. Memory: 1 MiB, and unpack/unpack.h's. */
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
    char *buffer; /* of 1 MiB and one byte */
    size_t at, end;
    bool ended;         /* the file has no more after `end` */
    uint64_t line;      /* number of the last line, from 1 */
    uint64_t text_read; /* bytes of text before `end` */
};

int asim_text_open(struct asim_text *t, const char *path, struct asim_error *e);
void asim_text_close(struct asim_text *t);

/* Returns 1 with the next line in *line, which ends before *end, where a '\n' is (a carriage
 * return before it is excluded); 0 at the file's end; or a negative wkt_status. Valid until the next call. */
int asim_text_line(struct asim_text *t, const char **line, const char **end, struct asim_error *e);

/* Fills *e and returns `code`. Line 0: no line is named. Control bytes become '?'. */
int asim_fail(struct asim_error *e, int code, const char *path, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* As asim_fail, for `n` bytes from `word` on in place of one of `valid`. */
int asim_fail_name(struct asim_error *e, const char *path, uint64_t line, const char *word, size_t n,
                   const char *const *valid, const char *what);

#ifdef __cplusplus
}
#endif

#endif
