/* SPDX-License-Identifier: MIT */
/* kernels/store/index.c - names of the set index functions. */
#include "kernels/store/index.h"

const char *ww_index_name(enum ww_index_kind kind)
{
    static const char *const names[] = {
#define WW_INDEX_NAME(id, text) text,
        WW_INDEX_LIST(WW_INDEX_NAME)
#undef WW_INDEX_NAME
    };
    WW_ASSERT((uint32_t)kind < sizeof names / sizeof names[0]);
    return names[kind];
}
