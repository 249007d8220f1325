/* SPDX-License-Identifier: MIT */
/* kernels/table/table.c - names and checks of kinds of page tables; the steps are inline in table.h and in
 * the kinds. Time: none. Allocation: none. */
#include "kernels/table/table.h"

struct ww_walk_read ww_table_level_entry(uint64_t walk, uint64_t va, const struct ww_table_regs *regs)
{
    struct ww_walk_read read;
    (void)regs;
    read.pa = ww_walk_pa(walk) + (uint64_t)ww_index(va, ww_walk_step(walk)) * sizeof(uint64_t);
    read.bytes = sizeof(uint64_t);
    return read;
}

bool ww_table_lookup(const struct ww_table *t, const uint64_t *words, uint64_t first_pa, uint64_t va,
                     struct ww_xlat *out)
{
    uint64_t walk = ww_table_start(t, va);
    struct ww_walk_read read = {0};
    while (ww_table_next(t, walk, va, &read) == WW_WALK_READ)
        walk = ww_table_feed(t, walk, va, &words[(ww_line_base(read.pa) - first_pa) / sizeof(uint64_t)]);
    if (ww_walk_act(walk) != WW_WALK_DONE)
        return false;
    *out = ww_walk_xlat(walk);
    return true;
}

const char *ww_walk_act_name(enum ww_walk_act act)
{
    static const char *const names[] = {
#define X(name) #name,
        WW_WALK_ACT_LIST(X)
#undef X
    };
    WW_ASSERT((uint32_t)act < WW_WALK_ACT_COUNT);
    return names[act];
}

const char *ww_walk_why_text(enum ww_walk_why why)
{
    static const char *const texts[] = {
#define X(name, text) text,
        WW_WALK_WHY_LIST(X)
#undef X
    };
    WW_ASSERT((uint32_t)why < WW_WHY_COUNT);
    return texts[why];
}

static const char *check_step(const struct ww_table_kind *kind, uint32_t step)
{
    const uint8_t reach = kind->reach[step], shift = kind->shift[step];
    if (kind->step_name[step] == NULL)
        return "a step has no name";
    if (reach > shift || shift > kind->va_bits)
        return "an entry reaches farther than its line, or a line farther than the addresses";
    if (kind->left[step] == 0)
        return "a step has no read left, not even its own";
    if (step == kind->last || !ww_table_shares(kind, step))
        return NULL;
    if (kind->left[step] <= kind->left[kind->last] || reach < kind->reach[kind->last] ||
        shift <= kind->shift[kind->last])
        return "a step is not before the last one";
    return NULL;
}

const char *ww_table_kind_check(const struct ww_table_kind *kind)
{
    if (kind->steps == 0 || kind->steps > WW_STEPS_MAX || kind->last - 1u >= kind->steps)
        return "the steps are not 1 to 7, the last one of them";
    if (kind->va_bits > WW_WALK_VA_BITS_MAX)
        return "the addresses are too wide";
    if (!ww_table_shares(kind, kind->last) || kind->direct > kind->steps || kind->direct == kind->last)
        return "the last step shares nothing, or what is cached of the walk is no step before it";
    for (uint32_t step = 1; step <= kind->steps; step++) {
        const char *broken = check_step(kind, step);
        if (broken != NULL)
            return broken;
    }
    return NULL;
}

const char *ww_table_walk_check(const struct ww_table_kind *kind, uint64_t walk)
{
    const uint32_t step = ww_walk_step(walk), from = ww_walk_from(walk);
    if (ww_walk_act(walk) != WW_WALK_READ)
        return "the walk does not read";
    if (step - 1 >= kind->steps || from > kind->steps)
        return "a step of the walk does not exist";
    if (from != 0 && kind->left[from] <= kind->left[step])
        return "the walk does not come nearer";
    if (ww_table_reads_left(kind, walk) - 1 >= kind->left[step])
        return "the walk has done more reads than its step has";
    return NULL;
}
