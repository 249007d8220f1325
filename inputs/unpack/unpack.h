/* SPDX-License-Identifier: MIT */
/* unpack/unpack.h - reads a foreign file, plain, .xz or .gz (recognised by its first bytes, not by its name).
 * Not modelled: other compressions; they are named and refused. Memory: 64 KiB, and the needs of liblzma (up
 * to 1 GiB is allowed; `xz -9` needs 65 MiB) or zlib (40 KiB). Thread-safety: one owner. */
#ifndef WW_UNPACK_UNPACK_H
#define WW_UNPACK_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ww_unpack_fault {
    WW_UNPACK_IO = -1,     /* the operating system refused, or no regular file where only one may be opened */
    WW_UNPACK_FORMAT = -2, /* damaged, truncated, of another compression, or beyond liblzma or 1 GiB */
    WW_UNPACK_MEMORY = -3,
};

/* Files that may be opened. A pipe can make its reader wait for ever. */
enum ww_unpack_files { WW_UNPACK_REGULAR, WW_UNPACK_ANY };

struct ww_unpack_error {
    int code;       /* enum ww_unpack_fault */
    char text[160]; /* "cannot unpack: it is cut off": a reason, without the file's name */
};

struct ww_unpack;

/* Returns 0, or a negative ww_unpack_fault with *e and *out NULL. */
int ww_unpack_open(struct ww_unpack **out, const char *path, enum ww_unpack_files files,
                   struct ww_unpack_error *e);
void ww_unpack_close(struct ww_unpack *u); /* NULL is fine */

/* Reads at most n bytes. Returns the bytes written to `to`, at least 1; 0 at the end; or a negative
 * ww_unpack_fault with *e, after which only ww_unpack_close() may follow. Required: n > 0. */
ptrdiff_t ww_unpack_read(struct ww_unpack *u, void *to, size_t n, struct ww_unpack_error *e);

/* Returns the bytes taken from the file itself so far. */
uint64_t ww_unpack_taken(const struct ww_unpack *u);
/* True if it can be opened again with the same contents: a regular file. */
bool ww_unpack_is_regular(const struct ww_unpack *u);

#ifdef __cplusplus
}
#endif

#endif
