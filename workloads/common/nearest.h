/* SPDX-License-Identifier: MIT */
/* workloads/common/nearest.h - the name that a mistyped one most resembles. */
#ifndef WW_WORKLOADS_NEAREST_H
#define WW_WORKLOADS_NEAREST_H

#include <stddef.h>

/* Of two names of up to 63 letters (the rest is not looked at): the least number of letters to insert, delete
 * or replace that makes one of the other. */
size_t ww_edit_distance(const char *a, const char *b);

/* Keeps in *best the nearest of the names offered one after the other; start with NULL. One that more than
 * half of the letters of `wrong` would have to change for is not kept. */
void ww_nearest(const char *wrong, const char *candidate, const char **best);

#endif
