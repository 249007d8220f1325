/* SPDX-License-Identifier: MIT */
/* model/waves/recorder.cpp - window, trigger, pulses, and what changed. */
#include "model/waves/recorder.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

/* "top.iommu" without the top. */
std::string short_name(const block &b)
{
    const std::string name = b.name();
    return name.substr(name.find('.') + 1); /* npos + 1 is 0: a block that stands alone */
}

tick next_edge(const block &b, tick now)
{
    return b.clock().ceil(now + 1);
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
    struct ignore final : signal_visitor::changes {
        void changed(size_t, uint64_t, uint64_t) override {}
    } nobody;
    std::vector<uint64_t> seen = seen_;
    signal_visitor v(seen.data(), nobody);
    block_.signals(v);
    start_from(std::move(seen));
}

void wave_recorder::probe::start_from(std::vector<uint64_t> seen)
{
    seen_ = std::move(seen);
    for (size_t i = 0; i < seen_.size(); ++i)
        owner_.now_[first_ + i] = owner_.tracks_[first_ + i].kind == signal_kind::pulse ? 0 : seen_[i];
}

void wave_recorder::probe::after_step(tick now)
{
    if (now != owner_.time_)
        owner_.advance(now);
    if (!owner_.recording_)
        return; /* this step lies beyond the window */
    signal_visitor v(seen_.data(), *this);
    block_.signals(v);
}

void wave_recorder::probe::changed(size_t signal, uint64_t before, uint64_t now)
{
    const size_t i = first_ + signal;
    track &t = owner_.tracks_[i];
    if (t.kind != signal_kind::pulse) {
        owner_.set(i, now);
        return;
    }
    uint64_t count = now - before;
    if (t.pulse_until > owner_.time_) {
        count += owner_.now_[i];
    } else {
        t.pulse_until = next_edge(block_, owner_.time_);
        owner_.pulses_[clock_].ends.push_back(pulse_end{t.pulse_until, i});
    }
    owner_.set(i, std::min(count, t.most));
}

/* -- the trigger */

void wave_recorder::watch::arm(tick now)
{
    signal_visitor v(seen_.data(), *this);
    block_.signals(v);
    value_ = kind_ == signal_kind::pulse || seen_[signal_] == signal_visitor::nothing ? 0 : seen_[signal_];
    before_ = seen_;
    block_.sample(this);
    decide(now);
}

void wave_recorder::watch::after_step(tick now)
{
    before_ = seen_;
    if (kind_ == signal_kind::pulse && now >= edge_) {
        value_ = 0;
        edge_ = next_edge(block_, now);
    }
    signal_visitor v(seen_.data(), *this);
    block_.signals(v);
    decide(now);
}

void wave_recorder::watch::changed(size_t signal, uint64_t before, uint64_t now)
{
    if (signal != signal_)
        return;
    if (kind_ == signal_kind::pulse)
        value_ += now - before;
    else
        value_ = now == signal_visitor::nothing ? 0 : now;
}

void wave_recorder::watch::decide(tick now)
{
    peak_ = std::max(peak_, value_);
    if (value_ <= owner_.plan_.above)
        return;
    disarm();
    owner_.start(now, &block_, before_);
}

/* -- the whole */

size_t wave_recorder::clock_of(const block &b)
{
    const tick period = b.clock().period();
    for (size_t i = 0; i < pulses_.size(); ++i)
        if (pulses_[i].period == period)
            return i;
    pulses_.push_back(pulse_queue{period, {}});
    return pulses_.size() - 1;
}

wave_recorder::wave_recorder(const std::vector<block *> &blocks, const wave_plan &plan)
    : plan_(plan), file_(plan.file)
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
        probes_.push_back(std::make_unique<probe>(*this, *b, tracks_.size(), list.size()));
        for (const signal_info &s : list) {
            variables.push_back(vcd_variable{above + s.name, s.bits});
            tracks_.push_back(track{b, s.kind, s.bits < 64 ? (uint64_t{1} << s.bits) - 1 : UINT64_MAX});
        }
    }
    now_.assign(tracks_.size(), signal_visitor::nothing);
    file_.header(plan.title, variables);
}

wave_recorder::~wave_recorder() = default;

void wave_recorder::open()
{
    waiting_ = false;
    if (trigger_ != nullptr)
        trigger_->arm(plan_.from);
    else
        start(plan_.from, nullptr, {});
}

/* A trigger is seen after its block's step: that step is in the dump. */
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

void wave_recorder::set(size_t signal, uint64_t value)
{
    now_[signal] = value;
    if (!tracks_[signal].pending) {
        tracks_[signal].pending = true;
        pending_.push_back(signal);
    }
}

/* The time of the pending changes is over. */
void wave_recorder::settle()
{
    if (!begun_) {
        begun_ = true;
        file_.begin(time_, now_);
        written_ = now_;
    }
    bool stamped = false;
    for (const size_t i : pending_) {
        tracks_[i].pending = false;
        if (now_[i] == written_[i])
            continue;
        if (!stamped)
            file_.time(time_);
        stamped = true;
        file_.change(i, now_[i]);
        written_[i] = now_[i];
    }
    pending_.clear();
}

void wave_recorder::end_pulses(tick until)
{
    while (true) {
        pulse_queue *next = nullptr;
        for (pulse_queue &q : pulses_)
            if (!q.ends.empty() && q.ends.front().at <= until &&
                (next == nullptr || q.ends.front().at < next->ends.front().at))
                next = &q;
        if (next == nullptr)
            return;
        const tick at = next->ends.front().at;
        if (at != time_) {
            settle();
            time_ = at;
        }
        for (; !next->ends.empty() && next->ends.front().at == at; next->ends.pop_front())
            set(next->ends.front().signal, 0);
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
        settle();
        time_ = now;
    }
}

void wave_recorder::stop(tick at)
{
    end_pulses(at - 1);
    settle();
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
                       "; the highest value was " + std::to_string(trigger_->peak()));
}

} // namespace walkway
