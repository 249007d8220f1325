/* SPDX-License-Identifier: MIT */
/* workloads/common/nearest.c - see nearest.h. */
#include "common/nearest.h"

#include <string.h>

#define LETTERS_MAX 63

/* Returns the least number of letters to insert, delete or replace that turns one into the other. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[LETTERS_MAX + 1];
    const size_t columns = strlen(b) < LETTERS_MAX ? strlen(b) : LETTERS_MAX;
    for (size_t j = 0; j <= columns; j++) {
        row[j] = j;
    }
    for (size_t i = 0; i < LETTERS_MAX && a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < columns; j++) {
            size_t best = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            best = diagonal + 1 < best ? diagonal + 1 : best;
            row[j + 1] = row[j] + 1 < best ? row[j] + 1 : best;
        }
    }
    return row[columns];
}

void ww_nearest(const char *wrong, const char *candidate, const char **best)
{
    const size_t distance = edit_distance(wrong, candidate);
    const size_t limit = *best == NULL ? strlen(wrong) / 2 + 1 : edit_distance(wrong, *best);
    if (distance < limit) {
        *best = candidate;
    }
}
