/* SPDX-License-Identifier: MIT */
/* workloads/common/nearest.h - the name that a mistyped one most resembles. */
#ifndef WW_WORKLOADS_NEAREST_H
#define WW_WORKLOADS_NEAREST_H

/* Keeps in *best the nearest of the names offered one after the other; start with NULL. One that more than
 * half of the letters of `wrong` would have to change for is not kept; 63 letters of a name are looked at. */
void ww_nearest(const char *wrong, const char *candidate, const char **best);

#endif
