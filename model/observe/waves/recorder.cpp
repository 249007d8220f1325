/* SPDX-License-Identifier: MIT */
/* observe/waves/recorder.cpp - see recorder.hpp: window, trigger, pulses and changes. */
#include "observe/waves/recorder.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

/* Returns "iommu" for "top.iommu". */
std::string short_name(const block &b)
{
    const std::string name = b.name();
    return name.substr(name.find('.') + 1); /* npos + 1 is 0: the block has no parent */
}

tick next_edge(const clock_domain &clock, tick now)
{
    return clock.ceil(now + 1);
}

std::vector<signal_info> signals_of(const block &b)
{
    std::vector<signal_info> list;
    signal_visitor v(short_name(b), list);
    b.signals(v);
    return list;
}

} // namespace

std::vector<signal_info> signals_of(const std::vector<block *> &blocks)
{
    std::vector<signal_info> all;
    for (const block *b : blocks) {
        const std::vector<signal_info> list = signals_of(*b);
        all.insert(all.end(), list.begin(), list.end());
    }
    return all;
}

/* -- a block in the dump */

void wave_recorder::probe::look()
{
    std::vector<uint64_t> seen = seen_;
    signal_visitor v(seen.data(), changed_.data(), signal_ask::all);
    block_.signals(v);
    start_from(std::move(seen));
}

void wave_recorder::probe::start_from(std::vector<uint64_t> seen)
{
    seen_ = std::move(seen);
    for (size_t i = 0; i < seen_.size(); ++i) {
        track &t = owner_.tracks_[first_ + i];
        t.now = t.pulse ? 0 : seen_[i];
    }
}

void wave_recorder::probe::after_step(tick now)
{
    if (now != owner_.time_)
        owner_.advance(now);
    if (!owner_.recording_)
        return; /* this step is beyond the window */
    signal_visitor v(seen_.data(), changed_.data(), signal_ask::touched);
    block_.signals(v);
    const signal_change *const last = v.changed();
    pulse_clock &clock = owner_.clocks_[clock_];
    track *const tracks = owner_.tracks_.data() + first_;
    const uint64_t *const seen = seen_.data();
    uint32_t *up = clock.up.end(), *pending = owner_.pending_.end();
    for (const signal_change *c = changed_.data(); c != last; ++c) {
        const auto i = static_cast<uint32_t>(c->signal);
        track &t = tracks[i];
        uint64_t value = seen[i];
        if (t.pulse) {
            value -= c->before;
            value += t.up ? t.now : 0;
            value = value < t.most ? value : t.most;
            *up = first_ + i;
            up += !t.up;
            t.up = true;
        }
        t.now = value;
        *pending = first_ + i;
        pending += !t.pending;
        t.pending = true;
    }
    owner_.pending_.set_end(pending);
    const bool none_before = clock.up.size == 0;
    clock.up.set_end(up);
    if (none_before && clock.up.size != 0) {
        clock.edge = owner_.edge_after(clock);
        owner_.next_end_ = std::min(owner_.next_end_, clock.edge);
    }
}

/* -- the trigger */

void wave_recorder::watch::look()
{
    signal_visitor v(seen_.data(), changed_.data(), signal_ask::all);
    block_.signals(v);
}

void wave_recorder::watch::arm(tick now)
{
    look();
    value_ = kind_ == signal_kind::pulse || seen_[signal_] == signal_visitor::nothing ? 0 : seen_[signal_];
    before_ = seen_;
    block_.sample(this);
    decide(now);
}

void wave_recorder::watch::after_step(tick now)
{
    if (now >= owner_.plan_.to) {
        disarm(); /* the window is over */
        return;
    }
    before_ = seen_;
    look();
    const uint64_t shown = seen_[signal_];
    if (kind_ == signal_kind::pulse) {
        if (now >= edge_) {
            value_ = 0;
            edge_ = next_edge(block_.clock(), now);
        }
        value_ += shown - before_[signal_];
    } else {
        value_ = shown == signal_visitor::nothing ? 0 : shown;
    }
    decide(now);
}

void wave_recorder::watch::decide(tick now)
{
    peak_ = std::max(peak_, value_);
    if (value_ <= owner_.plan_.above)
        return;
    disarm();
    owner_.start(now, &block_, before_);
}

/* -- the recorder */

size_t wave_recorder::clock_of(const block &b)
{
    for (size_t i = 0; i < clocks_.size(); ++i)
        if (clocks_[i].clock.period() == b.clock().period())
            return i;
    clocks_.push_back(pulse_clock{b.clock(), 0, {}});
    return clocks_.size() - 1;
}

/* Returns the clock's next edge after time_. Mostly time_ is itself the edge in c.edge: no rounding is
 * needed. */
tick wave_recorder::edge_after(const pulse_clock &c) const
{
    return c.edge == time_ ? time_ + c.clock.period() : next_edge(c.clock, time_);
}

wave_recorder::wave_recorder(const std::vector<block *> &blocks, const wave_plan &plan)
    : plan_(plan), file_(plan.file), all_(blocks)
{
    std::vector<vcd_variable> variables;
    for (block *b : blocks) {
        const std::vector<signal_info> list = signals_of(*b);
        const std::string name = short_name(*b);
        const std::string above = std::string(b->name(), std::string(b->name()).size() - name.size());
        for (size_t i = 0; i < list.size(); ++i)
            if (list[i].name == plan.trigger)
                trigger_ = std::make_unique<watch>(*this, *b, list.size(), i, list[i].kind);
        if (list.empty() || std::find(plan.blocks.begin(), plan.blocks.end(), name) == plan.blocks.end())
            continue;
        probes_.push_back(
            std::make_unique<probe>(*this, *b, static_cast<uint32_t>(tracks_.size()), list.size()));
        for (const signal_info &s : list) {
            variables.push_back(vcd_variable{above + s.name, s.bits});
            track t{};
            t.most = UINT64_MAX >> (64 - s.bits);
            t.pulse = s.kind == signal_kind::pulse;
            tracks_.push_back(t);
        }
    }
    pending_.list.resize(tracks_.size() + 1);
    changed_.resize(tracks_.size() + 1);
    for (pulse_clock &c : clocks_)
        c.up.list.resize(tracks_.size() + 1);
    file_.header(plan.title, variables);
}

wave_recorder::~wave_recorder() = default;

void wave_recorder::open()
{
    waiting_ = false;
    if (trigger_ == nullptr) {
        start(plan_.from, nullptr, {});
        return;
    }
    trigger_->arm(plan_.from);
}

/* `before`: values of the triggering block before its step. The trigger is detected after that step, which
 * must be in the dump, too. */
void wave_recorder::start(tick now, const block *triggered, const std::vector<uint64_t> &before)
{
    end_ = plan_.length > never - now ? plan_.to : std::min(plan_.to, now + plan_.length);
    time_ = now;
    recording_ = true;
    for (const auto &p : probes_) {
        const bool first = &p->source() == triggered;
        if (first)
            p->start_from(before);
        else
            p->look();
        p->attach(true);
        if (first)
            p->after_step(now);
    }
}

/* Writes the pending changes of time_, which is over. */
void wave_recorder::write_pending()
{
    if (!begun_) {
        begun_ = true;
        std::vector<uint64_t> values;
        for (track &t : tracks_)
            values.push_back(t.written = t.now);
        file_.begin(time_, values);
    }
    track *const tracks = tracks_.data();
    vcd_change *change = changed_.data();
    for (size_t n = 0; n < pending_.size; ++n) {
        const uint32_t i = pending_.list[n];
        track &t = tracks[i];
        t.pending = false;
        *change = vcd_change{i, t.now};
        change += t.now != t.written; /* no branch: in half of the cases a pulse continues unchanged */
        t.written = t.now;
    }
    pending_.size = 0;
    file_.changes(time_, changed_.data(), static_cast<size_t>(change - changed_.data()));
}

void wave_recorder::end_pulses(tick until)
{
    while (next_end_ <= until) {
        if (next_end_ != time_) {
            write_pending();
            time_ = next_end_;
        }
        next_end_ = never;
        for (pulse_clock &c : clocks_) {
            if (c.up.size != 0 && c.edge == time_) {
                for (size_t n = 0; n < c.up.size; ++n) {
                    const uint32_t i = c.up.list[n];
                    tracks_[i].up = false;
                    tracks_[i].now = 0;
                    if (!tracks_[i].pending) {
                        tracks_[i].pending = true;
                        pending_.add(i);
                    }
                }
                c.up.size = 0;
            } else if (c.up.size != 0) {
                next_end_ = std::min(next_end_, c.edge);
            }
        }
    }
}

void wave_recorder::advance(tick now)
{
    if (now >= end_) {
        stop(end_);
        return;
    }
    end_pulses(now);
    if (now != time_) {
        write_pending();
        time_ = now;
    }
}

void wave_recorder::stop(tick at)
{
    end_pulses(at - 1);
    write_pending();
    end_ = at;
    recording_ = false;
    for (const auto &p : probes_)
        p->attach(false);
}

void wave_recorder::finish(tick now)
{
    waiting_ = false;
    if (recording_)
        stop(std::min(end_, std::max(now, time_ + 1)));
    if (begun_) {
        file_.finish(end_);
        return;
    }
    if (trigger_ == nullptr)
        throw wave_failure("the run ended at " + std::to_string(now) + " ps, before the dump was to begin");
    trigger_->disarm();
    throw wave_failure(plan_.trigger + " never passed " + std::to_string(plan_.above) +
                       (plan_.to == never ? "" : " before " + std::to_string(plan_.to) + " ps") +
                       "; the highest value was " + std::to_string(trigger_->peak()));
}

} // namespace walkway
