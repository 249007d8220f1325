/* SPDX-License-Identifier: MIT */
/* kernels/ptw.c - names and invariants of the page-table walker; the walk itself is inline in ptw.h.
 * Time: none. Allocation: none. */
#include "kernels/ptw.h"

const char *ww_ptw_step_name(enum ww_ptw_step step)
{
    switch (step) {
#define WW_PTW_STEP_CASE(name)                                                                               \
    case WW_PTW_##name:                                                                                      \
        return #name;
        WW_PTW_STEP_LIST(WW_PTW_STEP_CASE)
#undef WW_PTW_STEP_CASE
    }
    return "?";
}

const char *ww_ptw_check(const struct ww_ptw *w)
{
    if (w->level < WW_LEVEL_LEAF || w->level > WW_LEVELS_MAX)
        return "the level does not exist";
    if (w->step > WW_PTW_FAULT)
        return "the step does not exist";
    if (!ww_va_legal(w->va, WW_LEVELS_MAX))
        return "the address has too many bits";
    if ((w->base_pa & ~WW_PTE_FRAME) != 0)
        return "the base is no frame";
    if (w->reads + w->level > WW_LEVELS_MAX + (w->step == WW_PTW_READ ? 0u : 1u))
        return "more reads than levels";
    if (w->step != WW_PTW_DONE)
        return NULL;
    if (!ww_page_legal(w->page_shift) || ww_page_level(w->page_shift) != w->level)
        return "the page size does not belong to the level";
    if (ww_page_base(w->base_pa, w->page_shift) != w->base_pa)
        return "the page is misaligned";
    return NULL;
}
