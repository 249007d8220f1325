/* SPDX-License-Identifier: MIT */
/* observe/transactions/writer.cpp - tracks, slices, flows and their text. */
#include "observe/transactions/writer.hpp"

#include <charconv>

namespace walkway
{

namespace
{

/* A viewer sorts threads by number: tracks stand this far apart, which is more than a track has lanes. */
constexpr uint32_t track_stride = 200000;

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

/* Picoseconds as microseconds. */
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
    }
    return "?";
}

} // namespace

transaction_writer::transaction_writer(const std::string &path, const transaction_tracks &names)
    : file_(path), cycle_ps_(names.cycle_ps)
{
    const auto add_track = [this](const std::string &name) {
        tracks_.push_back(track{static_cast<uint32_t>(processes_.size() - 1), name, {}});
        return tracks_.size() - 1;
    };
    for (size_t i = 0; i < names.cu.size(); ++i) {
        processes_.push_back(names.cu[i]);
        add_track(names.coalescer[i]);
        add_track(names.l1[i]);
    }
    processes_.push_back(names.l2);
    l2_ = add_track(names.l2);
    processes_.push_back(names.iommu);
    tlb_ = add_track(names.iommu + ".tlb");
    backlog_ = add_track(names.iommu + ".backlog");
    buffer_ = add_track(names.iommu + ".buffer");
    walkers_ = add_track(names.iommu + ".walkers"); /* of walks whose walker is not known */
    for (uint32_t w = 0; w < names.walkers; ++w)
        add_track(names.iommu + ".walker_" + std::to_string(w));
    named_.assign(processes_.size(), false);
    file_.put("{\"traceEvents\":[");
}

size_t transaction_writer::track_of(const transaction &t, cause c) const
{
    const size_t unit = size_t{t.request.cu} * 2;
    switch (c) {
    case cause::l1_queue:
    case cause::l1_lookup:
    case cause::l1_merged:
        return unit + 1;
    case cause::l2_queue:
    case cause::l2_lookup:
    case cause::l2_merged:
        return l2_;
    case cause::iommu_queue:
    case cause::iommu_lookup:
        return tlb_;
    case cause::backlog:
        return backlog_;
    case cause::buffer:
    case cause::held:
        return buffer_;
    case cause::walk_cache:
    case cause::walk_l5:
    case cause::walk_l4:
    case cause::walk_l3:
    case cause::walk_l2:
    case cause::walk_l1:
        return t.walker == transaction::nobody ? walkers_ : walkers_ + 1 + t.walker;
    case cause::response:
        return unit;
    }
    return unit;
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
    track &t = tracks_[track_number];
    const uint32_t before = t.lanes.used();
    const uint32_t number = t.lanes.take(from, to);
    const place at = {t.process + 1, (static_cast<uint32_t>(track_number) + 1) * track_stride + number};
    if (!named_[t.process]) {
        named_[t.process] = true;
        name_event("process", at, processes_[t.process], at.process);
    }
    if (t.lanes.used() != before)
        name_event("thread", at, number == 0 ? t.name : t.name + " #" + std::to_string(number + 1),
                   at.thread);
    return at;
}

/* Binds to the slice that is open there: it follows that slice's B event. */
void transaction_writer::flow(char phase, const place &at, tick time, uint64_t number)
{
    begin_event(phase, at, time);
    line_ += ",\"cat\":\"translation\",\"name\":\"translation\",\"id\":";
    add(line_, number);
    if (phase == 'f')
        line_ += ",\"bp\":\"e\"";
    end_event();
}

void transaction_writer::stretch(const transaction &t, unsigned i, const place &at, tick from, char phase)
{
    const auto c = static_cast<cause>(t.request.span_cause[i]);
    const tick ps = t.request.span(i);
    const std::string name = cause_name(t.request.span_cause[i]);
    begin_event('B', at, from);
    line_ += std::string(",\"cat\":\"stretch\",\"name\":\"") + name + "\",\"args\":{\"translation\":";
    add(line_, t.number);
    line_ += ",\"va\":";
    add_address(line_, t.request.va);
    if (c >= cause::walk_l5 && c <= cause::walk_l1) {
        line_ += ",\"level\":";
        add(line_, static_cast<unsigned>(cause::walk_l1) - static_cast<unsigned>(c) + 1);
    }
    line_ += ",\"ps\":";
    add(line_, ps);
    line_ += ",\"cycles\":";
    add(line_, ps / cycle_ps_);
    line_ += '}';
    end_event();
    flow(phase, at, from, t.number);
    begin_event('E', at, from + ps);
    line_ += std::string(",\"cat\":\"stretch\",\"name\":\"") + name + '"';
    end_event();
}

/* The arguments of the whole. */
void transaction_writer::describe(const transaction &t)
{
    const xlat_request &r = t.request;
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
    address("va", r.va);
    number("vmid", r.vmid);
    number("cu", r.cu);
    number("instruction", r.instruction);
    line_ += std::string(",\"access\":\"") + access_name(r.access) + '"';
    if (r.fault) {
        line_ += ",\"fault\":true";
    } else {
        const uint64_t bytes = uint64_t{1} << r.result.page_shift;
        address("page_va", r.va & ~(bytes - 1));
        address("page_pa", r.result.page_pa);
        number("page_bytes", bytes);
        address("result_pa", ww_xlat_pa(&r.result, r.va));
    }
    if (t.walker != transaction::nobody) {
        number("walker", t.walker);
        line_ += std::string(",\"coalesced\":") + (t.coalesced ? "true" : "false");
    }
    number("latency_ps", t.answered - r.issued);
    number("latency_cycles", (t.answered - r.issued) / cycle_ps_);
    line_ += ",\"account_ps\":{";
    bool first = true;
    for (unsigned c = 0; c < cause_count; ++c) {
        const tick ps = r.spent(static_cast<cause>(c));
        if (ps == 0)
            continue;
        line_ += std::string(first ? "\"" : ",\"") + cause_name(c) + "\":";
        add(line_, ps);
        first = false;
    }
    line_ += "}}";
}

void transaction_writer::write(const transaction &t)
{
    const xlat_request &r = t.request;
    const place home = lane(size_t{r.cu} * 2, r.issued, t.answered);
    begin_event('B', home, r.issued);
    line_ += ",\"cat\":\"translation\",\"name\":\"translation\"";
    describe(t);
    end_event();
    if (r.spans != 0)
        flow('s', home, r.issued, t.number);
    tick at = r.issued;
    size_t current = SIZE_MAX;
    place here = home;
    for (unsigned i = 0; i < r.spans; i = r.next_span(i)) {
        const auto c = static_cast<cause>(r.span_cause[i]);
        const size_t track_number = track_of(t, c);
        if (c == cause::response) {
            here = home; /* within the whole, where it began */
        } else if (track_number !=
                   current) { /* stretches that follow each other in one block keep their lane */
            tick until = at;
            for (unsigned k = i;
                 k < r.spans && track_of(t, static_cast<cause>(r.span_cause[k])) == track_number;
                 k = r.next_span(k))
                until += r.span(k);
            here = lane(track_number, at, until);
        }
        current = track_number;
        stretch(t, i, here, at, r.next_span(i) == r.spans ? 'f' : 't');
        at += r.span(i);
    }
    begin_event('E', home, t.answered);
    line_ += ",\"cat\":\"translation\",\"name\":\"translation\"";
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
