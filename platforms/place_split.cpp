/* SPDX-License-Identifier: MIT */
/* platforms/place_split.cpp - see place_split.hpp. */
#include "platforms/place_split.hpp"

#include "model/xlat_stage.hpp"

#include <algorithm>

namespace walkway
{

place_split::place_split(gpu_top &top, const wkt_reader *trace)
    : top_(top), trace_(trace), names_(top.dispatcher.names())
{
    const std::vector<block *> blocks = top.blocks();
    order_ = names_->in_order_of({blocks.begin(), blocks.end()});
    for (const made_level &level : top.path)
        for (block *b : level.blocks)
            if (dynamic_cast<xlat_stage *>(b) != nullptr) {
                if (stages_.empty() || stages_.back() != level.section)
                    stages_.push_back(level.section);
                stage_of_.emplace(b, stages_.size() - 1);
                b->attach(this);
            }
    for (class walk_unit *w : top.walk_units)
        w->attach(this);
    for (compute_unit *cu : top.cu)
        cu->attach(this);
    for (class coalescer *c : top.coalescer)
        c->watch(this);
}

void place_split::by(place_kind what)
{
    if (what == place_kind::buffer) {
        buffers_.emplace(trace_, top_.coalescer.front()->page_shift());
        of_buffer_.assign(buffers_->buffers() + size_t{1}, fresh());
        return;
    }
    by_instruction_ = true;
    kernel_of_launch_.assign(wkt_reader_info(trace_)->launches, UINT32_MAX);
    instructions_.assign(1, {});
    of_row_.assign(1, fresh());
}

place_split::counts place_split::fresh() const
{
    counts c;
    c.misses.resize(stages_.size());
    c.account.resize(names_->rows().size());
    return c;
}

/* Launches with the same name are one kernel. */
uint32_t place_split::kernel_of(uint32_t launch)
{
    uint32_t &kernel = kernel_of_launch_[launch];
    if (kernel == UINT32_MAX) {
        const std::string name = wkt_reader_launch(trace_, launch)->name;
        const auto it = std::find(kernels_.begin(), kernels_.end(), name);
        kernel = static_cast<uint32_t>(it - kernels_.begin());
        if (it == kernels_.end())
            kernels_.push_back(name);
    }
    return kernel;
}

uint32_t place_split::row_of(uint32_t kernel, uint32_t pc, access_kind access)
{
    const uint64_t key = uint64_t{kernel} << 34 | uint64_t{pc} << 2 | static_cast<uint64_t>(access);
    const auto [it, fresh_one] = rows_.try_emplace(key, static_cast<uint32_t>(of_row_.size()));
    if (fresh_one) {
        of_row_.push_back(fresh());
        instructions_.push_back({kernel, pc, access});
    }
    return it->second;
}

void place_split::issued(uint64_t serial_and_kind, uint64_t pc_and_launch)
{
    const auto launch = static_cast<uint32_t>(pc_and_launch >> 32);
    if (buffers_)
        buffers_->launch(launch);
    if (!by_instruction_)
        return;
    const auto serial = static_cast<uint32_t>(serial_and_kind);
    if (serial >= row_of_serial_.size())
        row_of_serial_.resize(serial + size_t{1});
    row_of_serial_[serial] = row_of(kernel_of(launch), static_cast<uint32_t>(pc_and_launch),
                                    static_cast<access_kind>(serial_and_kind >> 32));
    ++of_row_[row_of_serial_[serial]].accesses;
}

/* Prefetches belong to no access: row 0. */
place_split::counts &place_split::of_instruction(const xlat_request &r)
{
    return of_row_[r.access == access_kind::prefetch ? 0 : row_of_serial_[r.instruction]];
}

void place_split::on_event(const observed_event &event)
{
    if (event.kind == &compute_unit_events::access) {
        issued(event.a, event.b);
    } else if (event.kind == &compute_unit_events::untranslated) {
        if (by_instruction_)
            of_row_[row_of_serial_[event.a]].stood += event.b;
    } else if (event.kind == &tlb_events::miss) {
        const size_t stage = stage_of_.at(event.source);
        count(*event.request, [stage](counts &c) { ++c.misses[stage]; });
    } else if (event.kind == &walk_unit_events::buffer_enter) {
        count(*event.request, [](counts &c) { ++c.requests; });
    } else if (event.kind == &walk_unit_events::walk_start) {
        count(*event.request, [](counts &c) { ++c.walks; });
    }
}

void place_split::on_closed(const block &, const xlat_request &r, tick now)
{
    count(r, [&](counts &c) {
        ++c.translations;
        c.waited += now - r.issued;
        r.each_segment([&](cause why, tick ps) { c.account[names_->of(why).row] += ps; });
    });
}

place_part place_split::part(place_kind what, uint32_t row) const
{
    static const char *const access_names[] = {"load", "store", "atomic"};
    const bool instructions = what == place_kind::instruction;
    const counts &c = instructions ? of_row_[row] : of_buffer_[row];
    const tick period = top_.clock().period();
    place_part p{row, "", "", {}};
    if (instructions && row == 0) {
        p.number = place_part::nowhere;
    } else if (instructions) {
        const instruction &i = instructions_[row];
        p = {i.pc, kernels_[i.kernel], access_names[static_cast<size_t>(i.access)], {}};
    } else if (row == buffers_->buffers()) {
        p.number = place_part::nowhere;
    }
    if (instructions)
        p.counted.emplace_back("gpu.memory", c.accesses);
    p.counted.emplace_back("coalescer.answered", c.translations);
    for (size_t i = 0; i < stages_.size(); ++i)
        p.counted.emplace_back(stages_[i] + ".misses", c.misses[i]);
    if (!top_.walk_units.empty()) {
        p.counted.emplace_back(top_.path.back().section + ".walk_requests", c.requests);
        p.counted.emplace_back(top_.path.back().section + ".walks_started", c.walks);
    }
    if (instructions)
        p.counted.emplace_back("gpu.wave_stall.translation", c.stood / period);
    p.counted.emplace_back("account.translation_cycles", c.waited / period);
    for (const uint16_t r : order_)
        p.counted.emplace_back("account." + names_->rows()[r].name, c.account[r] / period);
    return p;
}

std::vector<place_part> place_split::parts(place_kind what) const
{
    std::vector<place_part> all;
    const bool instructions = what == place_kind::instruction;
    const auto rows = static_cast<uint32_t>(instructions ? of_row_.size() : of_buffer_.size());
    for (uint32_t i = 0; i < rows; ++i)
        all.push_back(part(what, instructions ? (i + 1) % rows : i));
    /* The part without a place is omitted if it is empty. */
    const auto &rest = all.back().counted;
    if (std::all_of(rest.begin(), rest.end(), [](const auto &n) { return n.second == 0; }))
        all.pop_back();
    return all;
}

} // namespace walkway
