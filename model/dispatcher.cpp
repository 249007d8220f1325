/* SPDX-License-Identifier: MIT */
/* model/dispatcher.cpp - dispatch of work-groups. */
#include "model/dispatcher.hpp"

#include "image/image_space.hpp"
#include "model/common/signals.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace walkway
{

dispatcher::dispatcher(const sc_core::sc_module_name &name, const clock_domain &clock,
                       const dispatcher_params &p, const program_list &all)
    : block(name, clock), params_(p), image_(all.image()), last_(p.shares),
      open_(static_cast<uint32_t>(all.size()))
{
    for (wkt_reader *trace : all) {
        runs_.push_back({trace, wkt_reader_info(trace)->launches, wkt_reader_info(trace)->wave_lanes});
        for (uint32_t l = 0; l < runs_.back().launches; ++l)
            groups_total_ += wkt_reader_launch(trace, l)->groups;
    }
    for (program_run &run : runs_)
        skip_empty(run, 0);
}

dispatcher::~dispatcher()
{
    /* a stopped run leaves work-groups running */
    groups_.each([](work_group &g) {
        wkt_group_free(g.trace);
        wkt_group_free(g.upper);
    });
}

void dispatcher::start_of_simulation()
{
    for (program_run &p : runs_)
        p.not_before = clock().cycles(params_.launch_cycles);
    if (from_ != nullptr)
        place_resident(runs_.front());
    while (open_ != 0 && in_turns() && runs_[turn_].ended != never)
        ++turn_; /* the program has no work */
    wake(from_ != nullptr ? clock().period() : clock().cycles(params_.launch_cycles));
}

void dispatcher::start_at(const start_point &point)
{
    if (runs_.size() != 1 || image_ != nullptr)
        throw std::runtime_error("a run begins in the middle where one program has memory of its own");
    from_ = &point;
}

/* A launch that has not begun has no resident work-groups. Neither has one whose last record was issued
 * before the point: it ends here. */
void dispatcher::place_resident(program_run &p)
{
    p.launch = from_->launch;
    if (from_->next_group == 0)
        return;
    p.not_before = 0;
    for (const resident_group &g : from_->resident) {
        p.next_group = g.number;
        load_group(p, &g);
        if (g.unit >= units_.size() || !units_[g.unit]->has_room(p.waiting->waves, p.waiting->lds_bytes))
            fail("/walkway/dispatcher", "work-group " + std::to_string(g.number) +
                                            " cannot begin in the middle: " + "compute unit " +
                                            std::to_string(g.unit) + " has no room");
        start_group(p, g.unit, 0);
    }
    p.next_group = from_->next_group;
    p.unit = from_->unit;
    if (p.running == 0 && p.next_group == p.groups())
        end_kernel(p, 0);
}

uint64_t dispatcher::waves_of(const program_run &p, const wkt_launch &launch) const
{
    const uint64_t items = uint64_t{launch.group[0]} * launch.group[1] * launch.group[2];
    return (items + p.wave_lanes - 1) / p.wave_lanes;
}

void dispatcher::check_fit() const
{
    for (const program_run &p : runs_)
        check_fit(p);
}

void dispatcher::check_fit(const program_run &p) const
{
    for (uint32_t l = 0; l < p.launches; ++l) {
        const wkt_launch *launch = wkt_reader_launch(p.trace, l);
        const uint64_t parts = p.wave_lanes > units_.front()->wave_lanes() ? 2 : 1;
        const uint64_t waves = waves_of(p, *launch) * parts;
        if (waves > UINT32_MAX || !units_.front()->has_room(static_cast<uint32_t>(waves), launch->lds_bytes))
            throw std::runtime_error("kernel " + std::string(launch->name) + ": a work-group of " +
                                     std::to_string(waves) + " waves and " +
                                     std::to_string(launch->lds_bytes) +
                                     " bytes of local memory does not fit an empty compute unit "
                                     "(cu.simds, cu.waves_per_simd, cu.lds_bytes)");
    }
}

/* Each of several programs has its own VM-ID; a launch of a recording has that of its root. */
uint16_t dispatcher::space_of(const program_run &p) const
{
    if (runs_.size() > 1)
        return static_cast<uint16_t>(number_of(p));
    if (image_ != nullptr && image_->recorded())
        return static_cast<uint16_t>(
            image_->table_at(wkt_reader_launch(p.trace, p.launch)->root & WKT_ROOT_PA));
    return static_cast<uint16_t>((params_.space == 0 ? p.launch : p.next_group) % params_.spaces);
}

void dispatcher::load_group(program_run &p, const resident_group *from)
{
    const wkt_launch *launch = wkt_reader_launch(p.trace, p.launch);
    const uint32_t lanes = units_.front()->wave_lanes();
    work_group &g = groups_.take();
    wkt_error error;
    if (wkt_group_load(p.trace, p.launch, p.next_group, &g.trace, &error) != WKT_OK ||
        (lanes < p.wave_lanes && wkt_group_load(p.trace, p.launch, p.next_group, &g.upper, &error) != WKT_OK))
        fail("/walkway/trace", error.text);
    const uint32_t waves = wkt_group_waves(g.trace);
    if (waves == 0 || waves > waves_of(p, *launch))
        fail("/walkway/trace", "work-group " + std::to_string(p.next_group) + " of kernel " + launch->name +
                                   " has " + std::to_string(waves) + " waves, which its size does not allow");
    g.program = number_of(p);
    g.launch = p.launch;
    g.number = p.next_group;
    g.vmid = space_of(p);
    g.from = from;
    g.waves = g.waves_left = machine_waves(g.trace, lanes, from);
    g.at_barrier = 0;
    g.lds_bytes = launch->lds_bytes;
    g.code = p.code.empty() ? kernel_code{} : p.code[p.launch];
    g.furthest_wave = &p.furthest_wave;
    p.waiting = &g;
}

bool dispatcher::dispatch(program_run &p, tick now)
{
    if (p.waiting == nullptr)
        load_group(p);
    const unit_range share = units_of(p);
    for (unsigned i = 0; i < share.count; ++i) {
        const unsigned unit = params_.policy == 0 ? (p.unit + i) % share.count : i;
        if (!units_[share.first + unit]->has_room(p.waiting->waves, p.waiting->lds_bytes))
            continue;
        start_group(p, share.first + unit, now);
        p.unit = (unit + 1) % share.count;
        ++p.next_group;
        return true;
    }
    return false;
}

/* Starts the loaded work-group. Required: the unit has room for it. */
void dispatcher::start_group(program_run &p, unsigned unit, tick now)
{
    if (!p.begun)
        begin_kernel(p, now);
    observe(dispatcher_events::group, p.waiting->number, unit);
    group_lds_.add(p.waiting->lds_bytes);
    units_[unit]->start_group(*p.waiting, std::max(now, waves_from(p, unit)));
    p.waiting = nullptr;
    ++p.running;
    ++running_;
}

/* Returns the time from which the launch's waves may begin on this compute unit of its share. */
tick dispatcher::waves_from(const program_run &p, unsigned unit) const
{
    const unit_range share = units_of(p);
    const uint64_t last = std::max(1u, share.count - 1);
    return p.began + clock().cycles(p.spread_cycles * (unit - share.first) / last);
}

void dispatcher::begin_kernel(program_run &p, tick now)
{
    kernel &last = last_[share_of(p)];
    const bool same =
        last.program == number_of(p) && std::strcmp(wkt_reader_launch(p.trace, last.launch)->name,
                                                    wkt_reader_launch(p.trace, p.launch)->name) == 0;
    last = {number_of(p), p.launch};
    p.times += p.started ? 0 : 1;
    p.begun = p.started = true;
    p.began = now;
    if (p.waiting->from != nullptr)
        p.spread_cycles = from_->apart_cycles;
    else
        p.spread_cycles = p.waiting->number == 0 ? params_.spread_cycles : 0;
    p.furthest_wave = 0;
    for (const listening &l : listeners_)
        if (l.of.meets(units_of(p)))
            l.who->kernel_begins(same);
}

bool dispatcher::may_dispatch(const program_run &p) const
{
    return p.launch < p.launches && p.next_group < p.groups() && (!in_turns() || number_of(p) == turn_);
}

void dispatcher::step(tick now)
{
    if (stalled_since_ != never)
        stall_cycles_ += clock().floor_cycle(now - stalled_since_);
    stalled_since_ = never;
    if (open_ == 0 || halted_)
        return;
    if (flushing_ == flushing::wanted)
        flush();
    if (flushing_ != flushing::no)
        return;
    if (now < free_at_) {
        wake(free_at_);
        return;
    }
    tick next = never;
    bool refused = false;
    const auto n = static_cast<uint32_t>(runs_.size());
    for (uint32_t i = 0; i < n; ++i) {
        program_run &p = runs_[(first_ + i) % n];
        if (!may_dispatch(p))
            continue; /* the end of its kernel wakes this block */
        if (now < p.not_before) {
            next = std::min(next, p.not_before);
        } else if (dispatch(p, now)) {
            first_ = (number_of(p) + 1) % n;
            free_at_ = now + clock().cycles(params_.dispatch_cycles);
            wake(free_at_);
            return;
        } else {
            refused = true; /* the end of a work-group wakes this block */
        }
    }
    if (refused)
        stalled_since_ = now;
    if (next != never)
        wake(next);
}

void dispatcher::group_done(unsigned, work_group &g, tick now)
{
    program_run &p = runs_[g.program];
    --p.running;
    --running_;
    ++p.groups_done;
    groups_done_ += p.ended == never ? 1 : 0;
    ended_ = now;
    groups_.give(g);
    if (p.running == 0 && p.next_group == p.groups()) {
        end_kernel(p, now);
        if (sampled())
            wake(now + clock().period());
        if (open_ == 0)
            return;
        const program_run &next = in_turns() ? runs_[turn_] : p;
        const tick soon = now + clock().period();
        wake(flushing_ == flushing::wanted ? soon : std::max(next.not_before, soon));
        return;
    }
    wake(now + clock().period());
}

void dispatcher::end_kernel(program_run &p, tick now)
{
    ++p.launch;
    ++launches_done_;
    p.next_group = 0;
    p.unit = 0;
    p.begun = false;
    skip_empty(p, now);
    p.not_before = now + clock().cycles(params_.launch_cycles);
    if (in_turns())
        take_turns(now);
}

/* Skips kernels without work-groups: they end as they begin. */
void dispatcher::skip_empty(program_run &p, tick now)
{
    while (p.launch < p.launches && p.groups() == 0) {
        ++p.launch;
        ++launches_done_;
    }
    if (p.launch == p.launches)
        end_program(p, now);
}

void dispatcher::end_program(program_run &p, tick now)
{
    if (p.ended == never) {
        p.ended = now;
        --open_;
    }
    if (!params_.again || open_ == 0 || p.groups_done == 0)
        return;
    p.launch = 0;
    p.started = false;
    skip_empty(p, now); /* one of its launches has work-groups */
}

void dispatcher::take_turns(tick now)
{
    const uint32_t before = turn_;
    const auto n = static_cast<uint32_t>(runs_.size());
    if (open_ == 0)
        return;
    do
        turn_ = (turn_ + 1) % n;
    while (runs_[turn_].launch == runs_[turn_].launches);
    runs_[turn_].not_before = now + clock().cycles(params_.launch_cycles);
    if (turn_ == before)
        return;
    ++switches_;
    if (params_.at_switch() == on_switch::flush) {
        flushing_ = flushing::wanted;
        flush_since_ = now;
    }
}

void dispatcher::flush()
{
    const auto acknowledged = [this](tick at) {
        flushing_ = flushing::no;
        flush_latency_.add(clock().floor_cycle(at - flush_since_));
        free_at_ = std::max(free_at_, clock().ceil(at));
        wake(free_at_);
    };
    flushing_ = flushing::under_way;
    ++flushes_;
    flush_(acknowledged);
}

std::string dispatcher::waiting() const
{
    std::string text;
    for (const program_run &p : runs_)
        if (p.running != 0 || (open_ != 0 && p.launch != p.launches))
            text += (text.empty() ? "" : "; ") +
                    (runs_.size() == 1 ? "" : "program " + std::to_string(number_of(p)) + ": ") + "kernel " +
                    std::to_string(p.launch) + " of " + std::to_string(p.launches) + ", " +
                    std::to_string(p.running) + " work-groups running, " + std::to_string(p.next_group) +
                    " dispatched";
    if (flushing_ != flushing::no && !text.empty())
        text += "; waits for an invalidate of the whole machine";
    return text;
}

void dispatcher::visit(stat_visitor &v, tick until) const
{
    v.count("cycles", clock().ceil_cycle(until), "cycles",
            "from time zero to the end of the last work-group");
    v.count("launches", launches_done(), "count", "kernels that ended");
    v.count(
        "dispatch_stall_cycles", stall_cycles(), "cycles",
        "cycles in which a work-group waited for a compute unit with room for its waves and local memory");
    v.hist("group_lds_bytes", group_lds_, "bytes", "local memory that a work-group asks for, as dispatched");
    if (runs_.size() == 1)
        return;
    v.count("switches", switches_, "count", "times that another program's turn came");
    v.count("flushes", flushes_, "count", "of these, with an invalidate of the whole machine");
    v.hist("flush_latency", flush_latency_, "cycles",
           "of those, from the end of the kernel before to the acknowledgement");
    for (const program_run &p : runs_) {
        v.begin("program_" + std::to_string(number_of(p)),
                "one of several programs; its number is its VM-ID");
        v.level("cycles", p.ended == never ? 0 : clock().ceil_cycle(p.ended), "cycles",
                "from time zero to the end of its last work-group, for the first time; 0: it has not ended");
        v.count("groups", p.groups_done, "count", "its work-groups that ended, also when it had begun again");
        v.level("times", p.times, "count", "times that it has begun");
        v.end();
    }
}

void dispatcher::signals(signal_visitor &v) const
{
    v.value("launch", 32, launches_done_, "kernels that ended");
    v.value("running", 20, running_, "work-groups on the compute units");
    v.value("groups_done", 40, groups_done_, "work-groups that ended");
}

} // namespace walkway
