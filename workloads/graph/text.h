/* SPDX-License-Identifier: MIT */
/* workloads/graph/text.h - a text file by lines and words, plain, .xz or .gz, with the place of every
 * mistake. The first failure is kept, the reader then finds no more lines or words, and every later failure
 * is ignored: callers need to look at `failed` only once. A byte order mark at the start and carriage returns
 * are no part of the text; where the first line ends with a carriage return alone, all do. Allocation: one
 * block on opening, whatever the length of lines. */
#ifndef WW_WORKLOADS_GRAPH_TEXT_H
#define WW_WORKLOADS_GRAPH_TEXT_H

#include "graph/graph.h"

#define WW_WORD_MAX 63 /* letters of a word that are kept */

struct ww_text_source; /* file and decompressor */

struct ww_text {
    const char *path;
    struct ww_text_source *source;
    const uint8_t *at, *end; /* what is in hand */
    uint64_t line;           /* of the last ww_text_line(); from 1 */
    bool line_open;          /* that line has not been read to its end */
    bool failed;
    bool returns;   /* lines end with a carriage return, as in old files of Macintoshes */
    bool guessed;   /* the format was not stated: a reader may doubt it */
    bool advised;   /* the reason of the failure says which format to state */
    char separator; /* parts words as blanks do; 0: nothing else does */
    char word[WW_WORD_MAX + 1];
    struct ww_graph_error *error;
};

/* Opens, or fails. Close it in either case. */
void ww_text_open(struct ww_text *t, const char *path, struct ww_graph_error *error);
void ww_text_close(struct ww_text *t);
/* Returns true if the file can be opened again with the same contents: not of a pipe. Required: opening has
 * not failed. */
bool ww_text_is_file(const struct ww_text *t);

/* Goes on to the next line. Returns false at the end of the file. */
bool ww_text_line(struct ww_text *t);
/* Sets t->word to the next word of the line. Returns false at its end. */
bool ww_text_word(struct ww_text *t);
/* The next byte of the line without taking it: -1 at its end. Blanks are passed over. */
int ww_text_peek(struct ww_text *t);

/* Sets the number that these digits make. Returns false if 64 bits do not hold it. */
bool ww_digits(const char *digits, size_t count, uint64_t *number);

/* Why a word is no whole number in digits: "less than 0", "not a number" ... */
const char *ww_text_no_whole_number(const char *word);

/* The next word as a number of at most max; `what` names it in the failure. */
bool ww_text_number(struct ww_text *t, const char *what, uint64_t max, uint64_t *number);
/* The same for the word that is there already. */
bool ww_text_as_number(struct ww_text *t, const char *what, uint64_t max, uint64_t *number);
/* Fails unless the line is at its end. */
bool ww_text_line_ends(struct ww_text *t);

/* Fails at this place: "path:line: ...". Always false. */
bool ww_text_fail(struct ww_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts the place before a reason that another has written to t->error. Always false. */
bool ww_text_fail_here(struct ww_text *t);

#endif
