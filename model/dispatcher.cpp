/* SPDX-License-Identifier: MIT */
/* model/dispatcher.cpp - dispatch of work-groups. */
#include "model/dispatcher.hpp"

#include "model/common/signals.hpp"

#include <cstring>
#include <stdexcept>

namespace walkway
{

void dispatcher_params::visit(param_visitor &v)
{
    v.choice("policy", policy, {"round_robin", "compact"},
             {"", 0, 0, "compute unit of the next work-group: the next with room, or the lowest with room",
              assumed()});
    v.choice(
        "space", space, {"launch", "group"},
        {"", 0, 0,
         "address space of a work-group, of address_space.spaces: the launch's number modulo so many, or "
         "the work-group's, as if so many programs ran side by side",
         assumed()});
    v.number("dispatch_cycles", dispatch_cycles, {"cycles", 1, 100000, "between two work-groups", assumed()});
    v.number("launch_cycles", launch_cycles,
             {"cycles", 0, 10000000, "from a kernel's end to the next one's start", assumed()});
}

dispatcher::dispatcher(const sc_core::sc_module_name &name, const clock_domain &clock,
                       const dispatcher_params &p, wkt_reader *trace)
    : block(name, clock), params_(p), trace_(trace), launches_(wkt_reader_info(trace)->launches),
      wave_lanes_(wkt_reader_info(trace)->wave_lanes)
{
    for (uint32_t l = 0; l < launches_; ++l)
        groups_total_ += wkt_reader_launch(trace, l)->groups;
}

dispatcher::~dispatcher()
{
    /* a run that was stopped leaves some of them running */
    groups_.each([](work_group &g) {
        wkt_group_free(g.trace);
        wkt_group_free(g.upper);
    });
}

uint64_t dispatcher::waves_of(const wkt_launch &launch) const
{
    const uint64_t items = uint64_t{launch.group[0]} * launch.group[1] * launch.group[2];
    return (items + wave_lanes_ - 1) / wave_lanes_;
}

void dispatcher::check_fit() const
{
    for (uint32_t l = 0; l < launches_; ++l) {
        const wkt_launch *launch = wkt_reader_launch(trace_, l);
        const uint64_t parts = wave_lanes_ > units_.front()->wave_lanes() ? 2 : 1;
        const uint64_t waves = waves_of(*launch) * parts;
        if (waves > UINT32_MAX || !units_.front()->has_room(static_cast<uint32_t>(waves), launch->lds_bytes))
            throw std::runtime_error("kernel " + std::string(launch->name) + ": a work-group of " +
                                     std::to_string(waves) + " waves and " +
                                     std::to_string(launch->lds_bytes) +
                                     " bytes of local memory does not fit an empty compute unit "
                                     "(cu.simds, cu.waves_per_simd, cu.lds_bytes)");
    }
}

void dispatcher::load_group()
{
    const wkt_launch *launch = wkt_reader_launch(trace_, launch_);
    const uint32_t lanes = units_.front()->wave_lanes();
    work_group &g = groups_.take();
    wkt_error error;
    if (wkt_group_load(trace_, launch_, next_group_, &g.trace, &error) != WKT_OK ||
        (lanes < wave_lanes_ && wkt_group_load(trace_, launch_, next_group_, &g.upper, &error) != WKT_OK))
        fail("/walkway/trace", error.text);
    const uint32_t waves = wkt_group_waves(g.trace);
    if (waves == 0 || waves > waves_of(*launch))
        fail("/walkway/trace", "work-group " + std::to_string(next_group_) + " of kernel " + launch->name +
                                   " has " + std::to_string(waves) + " waves, which its size does not allow");
    g.launch = launch_;
    g.number = next_group_;
    g.vmid = static_cast<uint16_t>((params_.space == 0 ? launch_ : next_group_) % params_.spaces);
    g.waves = g.waves_left = machine_waves(g.trace, lanes);
    g.at_barrier = 0;
    g.lds_bytes = launch->lds_bytes;
    g.code = code_.empty() ? kernel_code{} : code_[launch_];
    waiting_ = &g;
    loaded_ = true;
}

bool dispatcher::dispatch(tick now)
{
    if (!loaded_)
        load_group();
    const unsigned n = static_cast<unsigned>(units_.size());
    for (unsigned i = 0; i < n; ++i) {
        const unsigned cu = params_.policy == 0 ? (next_unit_ + i) % n : i;
        if (!units_[cu]->has_room(waiting_->waves, waiting_->lds_bytes))
            continue;
        if (begun_ != launch_)
            begin_kernel();
        observe(dispatcher_events::group, next_group_, cu);
        group_lds_.add(waiting_->lds_bytes);
        units_[cu]->start_group(*waiting_, now);
        next_unit_ = (cu + 1) % n;
        waiting_ = nullptr;
        loaded_ = false;
        ++next_group_;
        ++running_;
        return true;
    }
    return false;
}

void dispatcher::begin_kernel()
{
    const auto name_of = [this](uint32_t launch) { return wkt_reader_launch(trace_, launch)->name; };
    const bool same = begun_ != UINT32_MAX && std::strcmp(name_of(begun_), name_of(launch_)) == 0;
    begun_ = launch_;
    for (kernel_listener *l : listeners_)
        l->kernel_begins(same);
}

void dispatcher::step(tick now)
{
    if (stalled_since_ != never)
        stall_cycles_ += clock().floor_cycle(now - stalled_since_);
    stalled_since_ = never;
    while (launch_ < launches_ && wkt_reader_launch(trace_, launch_)->groups == 0)
        ++launch_;
    if (done() || halted_)
        return;
    if (now < not_before_) {
        wake(not_before_);
        return;
    }
    if (next_group_ == wkt_reader_launch(trace_, launch_)->groups)
        return;
    if (!dispatch(now)) {
        stalled_since_ = now; /* the end of a work-group wakes us */
        return;
    }
    not_before_ = now + clock().cycles(params_.dispatch_cycles);
    wake(not_before_);
}

void dispatcher::group_done(unsigned, work_group &g, tick now)
{
    --running_;
    ++groups_done_;
    ended_ = now;
    groups_.give(g);
    if (running_ == 0 && next_group_ == wkt_reader_launch(trace_, launch_)->groups) {
        ++launch_;
        if (sampled())
            wake(now + clock().period());
        if (done())
            return;
        next_group_ = 0;
        next_unit_ = 0;
        not_before_ = now + clock().cycles(params_.launch_cycles);
        wake(not_before_ > now ? not_before_ : now + clock().period());
        return;
    }
    wake(now + clock().period());
}

std::string dispatcher::waiting() const
{
    if (done())
        return "";
    return "kernel " + std::to_string(launch_) + " of " + std::to_string(launches_) + ", " +
           std::to_string(running_) + " work-groups running, " + std::to_string(next_group_) + " dispatched";
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
}

void dispatcher::signals(signal_visitor &v) const
{
    v.value("launch", 32, launch_, "kernels that ended");
    v.value("running", 20, running_, "work-groups on the compute units");
    v.value("groups_done", 40, groups_done_, "work-groups that ended");
}

} // namespace walkway
