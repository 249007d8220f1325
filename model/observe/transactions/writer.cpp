/* SPDX-License-Identifier: MIT */
/* observe/transactions/writer.cpp - writes tracks, slices and flows as text. */
#include "observe/transactions/writer.hpp"

#include <charconv>

namespace walkway
{

namespace
{

/* Distance of tracks in thread numbers, by which a viewer sorts: more than a track has lanes. */
constexpr uint64_t track_stride = 200000;

void add(std::string &text, uint64_t value, int base = 10)
{
    char digits[24];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value, base).ptr);
}

void add_address(std::string &text, uint64_t value)
{
    text += "\"0x";
    add(text, value, 16);
    text += '"';
}

/* Adds picoseconds as microseconds. */
void add_us(std::string &text, tick ps)
{
    add(text, ps / 1000000);
    const std::string rest = std::to_string(1000000 + ps % 1000000);
    text += '.';
    text.append(rest, 1, 6);
}

const char *access_name(access_kind a)
{
    switch (a) {
    case access_kind::read:
        return "read";
    case access_kind::write:
        return "write";
    case access_kind::atomic:
        return "atomic";
    case access_kind::prefetch:
        return "prefetch";
    }
    return "?";
}

} // namespace

transaction_writer::transaction_writer(const std::string &path, transaction_tracks tracks, tick cycle_ps)
    : file_(path), tracks_(std::move(tracks)), cycle_ps_(cycle_ps),
      named_(tracks_.processes().size() + 1, false), lanes_(tracks_.all().size()),
      sums_(tracks_.names().rows().size(), 0)
{
    file_.put("{\"traceEvents\":[");
}

void transaction_writer::begin_event(char phase, const place &at, tick time)
{
    line_ = first_ ? "\n{\"ph\":\"" : ",\n{\"ph\":\"";
    first_ = false;
    line_ += phase;
    line_ += "\",\"pid\":";
    add(line_, at.process);
    line_ += ",\"tid\":";
    add(line_, at.thread);
    line_ += ",\"ts\":";
    add_us(line_, time);
}

void transaction_writer::end_event()
{
    line_ += '}';
    file_.put(line_);
}

void transaction_writer::name_event(const char *what, const place &at, const std::string &name,
                                    uint64_t order)
{
    begin_event('M', at, 0);
    line_ += std::string(",\"cat\":\"__metadata\",\"name\":\"") + what + "_name\",\"args\":{\"name\":\"" +
             name + "\"}";
    end_event();
    begin_event('M', at, 0);
    line_ +=
        std::string(",\"cat\":\"__metadata\",\"name\":\"") + what + "_sort_index\",\"args\":{\"sort_index\":";
    add(line_, order);
    line_ += '}';
    end_event();
}

/* A lane is a thread, named when it is first used. */
transaction_writer::place transaction_writer::lane(size_t track_number, tick from, tick to)
{
    const transaction_tracks::track &t = tracks_.all()[track_number];
    lane_set &lanes = lanes_[track_number];
    const uint32_t before = lanes.used();
    const uint32_t number = lanes.take(from, to);
    const place at = {t.process + 1, (track_number + 1) * track_stride + number};
    if (!named_[t.process]) {
        named_[t.process] = true;
        name_event("process", at, tracks_.processes()[t.process], at.process);
    }
    if (lanes.used() != before)
        name_event("thread", at, number == 0 ? t.name : t.name + " #" + std::to_string(number + 1),
                   at.thread);
    return at;
}

/* Writes an event of a flow. A viewer binds it to the slice that is open on the thread: call after the
 * slice's B event. */
void transaction_writer::flow(char phase, const place &at, tick time, uint64_t number)
{
    begin_event(phase, at, time);
    line_ += ",\"cat\":\"translation\",\"name\":\"translation\",\"id\":";
    add(line_, number);
    if (phase == 'f')
        line_ += ",\"bp\":\"e\"";
    end_event();
}

void transaction_writer::segment(const transaction &t, const transaction::segment &s, const place &at,
                                 tick from, char phase)
{
    const std::string &name = tracks_.names().row_of(s.why).name;
    begin_event('B', at, from);
    line_ += ",\"cat\":\"segment\",\"name\":\"" + name + "\",\"args\":{\"translation\":";
    add(line_, t.number);
    line_ += ",\"va\":";
    add_address(line_, t.va);
    line_ += ",\"vpn\":";
    add_address(line_, t.va >> 12);
    if (const uint32_t level = tracks_.names().of(s.why).level) {
        line_ += ",\"level\":";
        add(line_, level);
    }
    line_ += ",\"ps\":";
    add(line_, s.ps);
    line_ += ",\"cycles\":";
    add(line_, s.ps / cycle_ps_);
    line_ += '}';
    end_event();
    flow(phase, at, from, t.number);
    begin_event('E', at, from + s.ps);
    line_ += ",\"cat\":\"segment\",\"name\":\"" + name + '"';
    end_event();
}

/* Adds the arguments of the whole translation. */
void transaction_writer::describe(const transaction &t)
{
    const auto number = [this](const char *name, uint64_t value) {
        line_ += std::string(",\"") + name + "\":";
        add(line_, value);
    };
    const auto address = [this](const char *name, uint64_t value) {
        line_ += std::string(",\"") + name + "\":";
        add_address(line_, value);
    };
    line_ += ",\"args\":{\"translation\":";
    add(line_, t.number);
    address("va", t.va);
    address("vpn", t.va >> 12);
    number("vmid", t.vmid);
    number("cu", t.cu);
    number("instruction", t.instruction);
    line_ += std::string(",\"access\":\"") + access_name(t.access) + '"';
    if (t.fault) {
        line_ += ",\"fault\":true";
    } else {
        const uint64_t bytes = uint64_t{1} << t.result.page_shift;
        address("page_va", t.va & ~(bytes - 1));
        address("page_pa", t.result.page_pa);
        number("page_bytes", bytes);
        address("result_pa", ww_xlat_pa(&t.result, t.va));
    }
    if (t.served.server != transaction_tracks::nobody) {
        number(t.served.track->part.c_str(), t.served.server);
        line_ += std::string(",\"coalesced\":") + (t.served.shared ? "true" : "false");
    }
    const std::string found_by = last_stage(t);
    if (!found_by.empty())
        line_ += ",\"answered_by\":\"" + found_by + '"';
    number("latency_ps", t.answered - t.issued);
    number("latency_cycles", (t.answered - t.issued) / cycle_ps_);
    describe_account(t);
    line_ += '}';
}

/* Returns the stage of the last segment that has one: there the page was found, was in flight or was walked
 * for, and every stage above missed. Empty if no segment has a stage. */
std::string transaction_writer::last_stage(const transaction &t) const
{
    for (size_t i = t.segments.size(); i-- != 0;) {
        const std::string stage = tracks_.stage_of(t.segments[i].why);
        if (!stage.empty())
            return stage;
    }
    return "";
}

/* Adds the time of each cause. */
void transaction_writer::describe_account(const transaction &t)
{
    for (const transaction::segment &s : t.segments)
        sums_[tracks_.names().of(s.why).row] += s.ps;
    line_ += ",\"account_ps\":{";
    bool first = true;
    for (const uint16_t r : tracks_.rows()) {
        if (sums_[r] == 0)
            continue;
        line_ += (first ? "\"" : ",\"") + tracks_.names().rows()[r].name + "\":";
        add(line_, sums_[r]);
        sums_[r] = 0;
        first = false;
    }
    line_ += '}';
}

void transaction_writer::write(const transaction &t)
{
    const place home = lane(t.home, t.issued, t.answered);
    begin_event('B', home, t.issued);
    line_ += ",\"cat\":\"translation\",\"name\":\"translation\"";
    describe(t);
    end_event();
    if (!t.segments.empty())
        flow('s', home, t.issued, t.number);
    tick at = t.issued;
    size_t current = SIZE_MAX;
    place here = home;
    for (size_t i = 0; i < t.segments.size(); ++i) {
        const auto track_of = [&](size_t k) {
            return tracks_.of(t.segments[k].why, t.segments[k].server, t.home);
        };
        const size_t track_number = track_of(i);
        if (track_number == t.home) {
            here = home; /* on the lane of the whole translation */
        } else if (track_number !=
                   current) { /* segments that follow each other on one track keep their lane */
            tick until = at;
            for (size_t k = i; k < t.segments.size() && track_of(k) == track_number; ++k)
                until += t.segments[k].ps;
            here = lane(track_number, at, until);
        }
        current = track_number;
        segment(t, t.segments[i], here, at, i + 1 == t.segments.size() ? 'f' : 't');
        at += t.segments[i].ps;
    }
    begin_event('E', home, t.answered);
    line_ += ",\"cat\":\"translation\",\"name\":\"translation\"";
    end_event();
}

void transaction_writer::counter(const std::string &name, tick time, const std::string &value)
{
    const place at = {static_cast<uint32_t>(tracks_.processes().size()) + 1, 0}; /* after the blocks' */
    if (!named_.back())
        name_event("process", at, "the run over time", at.process);
    named_.back() = true;
    begin_event('C', at, time);
    line_ += ",\"cat\":\"step\",\"name\":\"" + name + "\",\"args\":{\"value\":" + value + '}';
    end_event();
}

void transaction_writer::finish(const transaction_plan &plan, const transaction_counts &counts, tick ended,
                                bool partial)
{
    std::string text = "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"run\":" + plan.about;
    const auto number = [&text](const char *name, uint64_t value) {
        text += std::string(",\"") + name + "\":";
        add(text, value);
    };
    text += std::string(",\"partial\":") + (partial ? "true" : "false");
    number("ended_ps", ended);
    number("cycle_ps", cycle_ps_);
    number("window_from_ps", plan.from);
    if (plan.to != never)
        number("window_to_ps", plan.to);
    if (plan.slowest != 0) {
        number("slowest", plan.slowest);
    } else {
        number("every", plan.every);
        number("limit", plan.limit);
    }
    number("translations", counts.answered);
    number("in_window", counts.in_window);
    number("written", counts.written);
    number("left_out", counts.left_out);
    file_.put(text + "}}\n");
    file_.finish();
}

} // namespace walkway
