/* SPDX-License-Identifier: MIT */
/* platforms/gpu_start.cpp - a run that begins in the middle of its program: calls without time fill levels
 * and data caches with recent uses. Not filled: caches of code, rows of main memory. docs/use/sampling.md. */
#include "platforms/gpu.hpp"

#include <cstring>
#include <stdexcept>

namespace walkway
{

/* Refuses machines and runs whose state in the middle of the program a start point does not describe. */
void gpu_top::start_at(const start_point &point)
{
    if (!why_not_in_the_middle_.empty())
        throw std::runtime_error(why_not_in_the_middle_);
    if (!os.empty())
        throw std::runtime_error("a run with events is whole");
    if (outside_)
        throw std::runtime_error(
            "main memory is foreign: its state in the middle of the program is not known");
    dispatcher.start_at(point);
    from_ = &point;
}

void gpu_top::fill_now(const start_point &point)
{
    for (const machine_link &l : links())
        if (std::strcmp(l.from->protocol(), protocol_name<xlat_protocol>()) == 0 &&
            (l.to == nullptr || l.to->translates() == nullptr))
            throw std::runtime_error(std::string(l.to == nullptr ? "what is outside" : l.to->owner().name()) +
                                     " holds translations that only time enters");
    l2d.enters_debug_reads(true); /* so that it holds page-table lines, if walks read through it */
    for (const recent_use &use : point.used) {
        port_translator below(coalescer.at(use.unit)->xlat);
        const now_how how = use.what == recent_use::page ? now_how::commit : now_how::look;
        const now_answer answer = below.translate_now({use.va, 0}, 0, how);
        if (use.what == recent_use::page || answer.fault)
            continue;
        const uint64_t pa = ww_xlat_pa(&answer.xlat, use.va);
        const bool ends_above = l1d[use.unit]->enter_now(pa, use.what == recent_use::line_written);
        if (!ends_above || use.dirty)
            l2d.enter_now(pa, use.dirty);
    }
    l2d.enters_debug_reads(false);
    for (block *b : blocks())
        b->starts_filled();
}

} // namespace walkway
