/* SPDX-License-Identifier: MIT */
/* tb/support/base_protocol_stimuli.cpp - the stimuli; for the rules see docs/develop/base-protocol.md. */
#include "tb/support/base_protocol_stimuli.hpp"

#include <algorithm>
#include <deque>
#include <sstream>

namespace walkway::test
{

using gp = tlm::tlm_generic_payload;
using bytes_t = std::vector<unsigned char>;

stimulus_access::stimulus_access(tlm::tlm_command command, uint64_t at, unsigned bytes, unsigned char fill)
    : data(bytes, fill)
{
    p.set_command(command);
    p.set_address(at);
    p.set_data_ptr(data.data());
    p.set_data_length(bytes);
    p.set_streaming_width(bytes);
    p.set_byte_enable_ptr(nullptr);
    p.set_byte_enable_length(0);
    p.set_dmi_allowed(false);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    p.acquire();
}

/* ---- The initiator ---- */

void stimulus::play(stimulus_access &a)
{
    if (how == transport::blocking) {
        out->b_transport(a.p, a.delay);
        ++a.answers;
        return;
    }
    send(a);
    for (unsigned i = 0; i < 1000 && a.answers == 0; ++i)
        sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
}

void stimulus::send(stimulus_access &a)
{
    queue_.push_back(&a);
    pump();
}

void stimulus::pump()
{
    while (!queue_.empty() && requesting_ == nullptr) {
        stimulus_access &a = *queue_.front();
        queue_.pop_front();
        out_.push_back(&a);
        requesting_ = &a.p;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        const tlm::tlm_sync_enum status = out->nb_transport_fw(a.p, phase, delay);
        if (status == tlm::TLM_ACCEPTED)
            return;
        requesting_ = nullptr;
        if (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
            phase = tlm::END_RESP;
            out->nb_transport_fw(a.p, phase, delay);
        }
        if (status == tlm::TLM_COMPLETED || phase != tlm::END_REQ)
            over(a.p);
    }
}

void stimulus::over(gp &p)
{
    const auto it = std::find_if(out_.begin(), out_.end(), [&p](auto *a) { return &a->p == &p; });
    if (it == out_.end()) {
        for (stimulus_access *a : out_)
            ++a->answers; /* it answers no access: counts as a second answer to all */
        return;
    }
    ++(*it)->answers;
    out_.erase(it);
}

tlm::tlm_sync_enum stimulus::nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &)
{
    if (requesting_ == &p)
        requesting_ = nullptr;
    if (phase == tlm::BEGIN_RESP)
        over(p);
    else if (phase != tlm::END_REQ)
        return tlm::TLM_ACCEPTED;
    const bool answered = phase == tlm::BEGIN_RESP;
    if (!queue_.empty())
        sc_core::sc_spawn([this] { pump(); }); /* not within the target's call */
    if (!answered)
        return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

bytes_t stimulus::look(uint64_t at, unsigned n)
{
    stimulus_access a(tlm::TLM_READ_COMMAND, at, n);
    a.data.resize(out->transport_dbg(a.p));
    return a.data;
}

namespace
{

/* A pattern of n bytes for write(). */
bytes_t pattern(unsigned n, unsigned char seed)
{
    bytes_t all(n);
    for (unsigned i = 0; i < n; ++i)
        all[i] = static_cast<unsigned char>(seed + i * 11);
    return all;
}

void write(stimulus &s, const bytes_t &bytes)
{
    stimulus_access a(tlm::TLM_WRITE_COMMAND, s.first, static_cast<unsigned>(bytes.size()));
    a.data = bytes;
    a.p.set_data_ptr(a.data.data());
    s.play(a);
}

struct shape {
    const char *name;
    unsigned width; /* 0: none */
    bytes_t enables;
};

} // namespace

/* ---- Rule 16 ---- */

findings byte_enables_and_streaming(stimulus &s)
{
    findings all;
    const unsigned n = std::max(16u, s.unit);
    constexpr unsigned char on = TLM_BYTE_ENABLED, off = TLM_BYTE_DISABLED;
    const shape shapes[] = {{"byte enables that repeat", 0, {on, off, on, on, off}},
                            {"byte enables of all bytes", 0, bytes_t(n, on)},
                            {"byte enables of no byte", 0, {off, off, off}},
                            {"streaming", n / 4, {}},
                            {"streaming with byte enables", n / 4, {off, on, on}}};
    unsigned char seed = 1;
    for (const shape &x : shapes) {
        const bool streams = x.width != 0;
        const unsigned width = streams ? x.width : n;
        const auto enabled = [&x](unsigned i) {
            return x.enables.empty() || x.enables[i % x.enables.size()] == on;
        };
        const auto set = [&](stimulus_access &a) {
            a.p.set_streaming_width(width);
            if (!x.enables.empty()) {
                a.p.set_byte_enable_ptr(const_cast<unsigned char *>(x.enables.data()));
                a.p.set_byte_enable_length(static_cast<unsigned>(x.enables.size()));
            }
        };
        const auto refused = [&](const stimulus_access &a) {
            return (a.status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE && !x.enables.empty()) ||
                   (a.status() == tlm::TLM_BURST_ERROR_RESPONSE && streams);
        };
        const auto wrong = [&](const char *what) { all.push_back({16, std::string(x.name) + what}); };

        const bytes_t before = pattern(n, seed), value = pattern(n, static_cast<unsigned char>(seed + 100));
        write(s, before);
        stimulus_access w(tlm::TLM_WRITE_COMMAND, s.first, n);
        w.data = value;
        w.p.set_data_ptr(w.data.data());
        set(w);
        s.play(w);
        bytes_t expected = before;
        for (unsigned i = 0; i < n && w.p.is_response_ok(); ++i)
            if (enabled(i))
                expected[i % width] = value[i];
        if (!w.p.is_response_ok() && !refused(w))
            wrong(": a write has another status than OK or that it cannot");
        if (s.look(s.first, n) != expected)
            wrong(": a write writes other bytes");

        stimulus_access r(tlm::TLM_READ_COMMAND, s.first, n, 0xee);
        set(r);
        s.play(r);
        bytes_t read(n, 0xee);
        for (unsigned i = 0; i < n && r.p.is_response_ok(); ++i)
            if (enabled(i))
                read[i] = expected[i % width];
        if (!r.p.is_response_ok() && !refused(r))
            wrong(": a read has another status than OK or that it cannot");
        if (r.data != read)
            wrong(": a read has other bytes");
        seed = static_cast<unsigned char>(seed + 37);
    }
    return all;
}

/* ---- Rule 17 ---- */

findings commands_and_addresses(stimulus &s)
{
    findings all;
    const unsigned n = std::max(8u, s.unit);
    const bytes_t before = pattern(n, 5);
    write(s, before);
    stimulus_access nothing(tlm::TLM_IGNORE_COMMAND, s.first, n, 0x77);
    s.play(nothing);
    if (nothing.status() != tlm::TLM_OK_RESPONSE && nothing.status() != tlm::TLM_COMMAND_ERROR_RESPONSE)
        all.push_back({17, "the command to do nothing has status " + nothing.p.get_response_string()});
    if (nothing.data != bytes_t(n, 0x77) || s.look(s.first, n) != before)
        all.push_back({17, "the command to do nothing moves data"});
    std::vector<std::pair<uint64_t, const char *>> bad;
    if (s.outside != UINT64_MAX)
        bad = {{s.outside, "outside of memory"}, {UINT64_MAX - n / 2 + 1, "that passes the last address"}};
    if (s.outside != UINT64_MAX && s.unit == 1)
        bad.push_back({s.outside - 4, "half outside of memory"});
    for (const auto &[at, what] : bad)
        for (const tlm::tlm_command c : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
            stimulus_access a(c, at, n, 0x77);
            s.play(a);
            const bool right = a.status() == tlm::TLM_ADDRESS_ERROR_RESPONSE ||
                               (at > s.outside && a.status() == tlm::TLM_BURST_ERROR_RESPONSE);
            if (!right)
                all.push_back(
                    {17, std::string("an access ") + what + " has status " + a.p.get_response_string()});
            if (a.data != bytes_t(n, 0x77))
                all.push_back({17, std::string("an access ") + what + " moves data"});
            if (!s.look(at, n).empty() && at >= s.outside)
                all.push_back({17, std::string("debug access ") + what + " moves data"});
        }
    stimulus_access again(tlm::TLM_READ_COMMAND, s.first, n);
    s.play(again);
    if (!again.p.is_response_ok() || again.data != before)
        all.push_back({17, "after what was refused nothing is served"});
    return all;
}

/* ---- Rule 18 ---- */

namespace
{

/* An extension that no block knows. */
struct stranger : tlm::tlm_extension<stranger> {
    unsigned value = 0;
    tlm::tlm_extension_base *clone() const override
    {
        auto *copy = new stranger;
        copy->value = value;
        return copy;
    }
    void copy_from(const tlm::tlm_extension_base &o) override
    {
        value = static_cast<const stranger &>(o).value;
    }
};

} // namespace

findings extensions_pass(stimulus &s)
{
    findings all;
    const unsigned n = std::max(8u, s.unit);
    write(s, pattern(n, 9));
    stimulus_access plain(tlm::TLM_READ_COMMAND, s.first, n), with(tlm::TLM_READ_COMMAND, s.first, n);
    stranger unknown;
    unknown.value = 42;
    with.p.set_extension(&unknown);
    s.play(plain);
    s.play(with);
    if (with.p.get_extension<stranger>() != &unknown || unknown.value != 42)
        all.push_back({18, "an unknown extension was taken off or changed"});
    if (with.status() != plain.status() || with.data != plain.data)
        all.push_back({18, "an unknown extension makes another result"});
    with.p.clear_extension(&unknown);
    if (s.how == transport::phases)
        return all;
    stimulus_access owned(tlm::TLM_READ_COMMAND, s.first, n); /* for its data */
    gp bare;                                                  /* without memory manager */
    bare.set_command(tlm::TLM_READ_COMMAND);
    bare.set_address(s.first);
    bare.set_data_ptr(owned.data.data());
    bare.set_data_length(n);
    bare.set_streaming_width(n);
    sc_core::sc_time delay;
    s.out->b_transport(bare, delay);
    for (unsigned i = 0; i < tlm::max_num_extensions(); ++i)
        if (bare.get_extension(i) != nullptr) {
            all.push_back({18, "an extension is left with a transaction without memory manager"});
            bare.set_extension(i, nullptr);
        }
    if (owned.data != plain.data)
        all.push_back({18, "a transaction without memory manager has another result"});
    return all;
}

/* ---- Rule 21 ---- */

findings pointers_show_memory(stimulus &s, std::function<void()> revoke)
{
    findings all;
    tlm::tlm_dmi dmi;
    stimulus_access ask(tlm::TLM_WRITE_COMMAND, s.first, std::max(1u, s.unit));
    s.revoked.clear();
    if (!s.out->get_direct_mem_ptr(ask.p, dmi))
        return all; /* a target may refuse */
    const uint64_t last = std::min<uint64_t>(dmi.get_end_address(), s.first + s.bytes - 1);
    unsigned char *const at = dmi.get_dmi_ptr() + (s.first - dmi.get_start_address());
    const auto same = [&](const char *when) {
        for (uint64_t i = 0; s.first + i <= last; i += 509) {
            const bytes_t byte = s.look(s.first + i, 1);
            if (byte.size() != 1 || byte[0] != at[i]) {
                all.push_back({21, std::string("a pointer shows other bytes than debug access ") + when});
                return;
            }
        }
    };
    same("at first");
    write(s, pattern(std::max(16u, s.unit), 77));
    same("after a write");
    if (dmi.is_write_allowed()) {
        at[0] = static_cast<unsigned char>(at[0] + 1);
        same("after a write through it");
    }
    if (!revoke)
        return all;
    if (!s.revoked.empty())
        all.push_back({21, "a pointer was taken back by nobody"});
    s.revoked.clear();
    revoke();
    const auto covers = [&](const auto &r) { return r.first <= s.first && r.second >= last; };
    if (std::none_of(s.revoked.begin(), s.revoked.end(), covers))
        all.push_back({21, "a pointer that is no longer right was not taken back"});
    return all;
}

/* ---- Rule 23 ---- */

findings debug_changes_nothing(stimulus &s)
{
    findings all;
    const unsigned n = std::max(8u, s.unit);
    for (unsigned round = 0; round < 2; ++round) {                /* uncached, then cached data */
        sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US)); /* lets effects of earlier accesses end */
        const auto before = s.state();
        s.look(s.first, n);
        s.look(s.first + s.bytes - n, n);
        if (s.outside != UINT64_MAX)
            s.look(s.outside, n);
        sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_NS));
        const auto after = s.state();
        for (const auto &[name, value] : before)
            if (after.count(name) == 0 || after.at(name) != value)
                all.push_back({23, "debug access changes " + name});
        stimulus_access read(tlm::TLM_READ_COMMAND, s.first, n);
        s.play(read);
    }
    stimulus_access change(tlm::TLM_WRITE_COMMAND, s.first, n, 0x3c), read(tlm::TLM_READ_COMMAND, s.first, n);
    const unsigned written = s.out->transport_dbg(change.p);
    s.play(read);
    if (written != 0 && read.data != change.data)
        all.push_back({23, "what debug access writes is not read"});
    return all;
}

/* ---- Rules 24 to 26 ---- */

std::string stimulus_results::differs(const stimulus_results &o, bool states) const
{
    for (size_t i = 0; i < accesses.size() && i < o.accesses.size(); ++i)
        if (accesses[i] != o.accesses[i])
            return "access " + std::to_string(i) + " was " + accesses[i] + " and is " + o.accesses[i];
    if (memory != o.memory || accesses.size() != o.accesses.size())
        return "memory has other bytes";
    if (states)
        for (const auto &[name, value] : state)
            if (o.state.count(name) == 0 || o.state.at(name) != value)
                return "the final " + name + " is another one";
    return "";
}

std::string text_of(const stimulus_access &a, bool with_time)
{
    std::ostringstream out;
    out << a.p.get_response_string() << std::hex;
    for (const unsigned char byte : a.data)
        out << ' ' << unsigned{byte};
    if (with_time)
        out << " at " << (sc_core::sc_time_stamp() + a.delay).to_string();
    return out.str();
}

std::vector<std::unique_ptr<stimulus_access>> some_accesses(const stimulus &s, uint64_t seed, unsigned n)
{
    ww_rng random;
    ww_rng_init(&random, seed);
    std::vector<std::unique_ptr<stimulus_access>> all;
    while (all.size() < n) {
        const unsigned size = s.unit == 1 ? 1 + ww_rng_below(&random, 32) : s.unit;
        const uint64_t units = s.bytes / s.unit - (s.unit == 1 ? size : 1);
        const uint64_t at = s.first + ww_rng_below(&random, static_cast<uint32_t>(units)) * uint64_t{s.unit};
        const tlm::tlm_command c =
            ww_rng_below(&random, 2) != 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
        all.push_back(std::make_unique<stimulus_access>(c, at, size, static_cast<unsigned char>(all.size())));
    }
    return all;
}

void play_decoupled(const std::vector<stimulus *> &from,
                    const std::vector<std::vector<std::unique_ptr<stimulus_access>>> &all,
                    const sc_core::sc_time &quantum, std::vector<std::string> &results)
{
    std::vector<std::vector<std::string>> of_each(from.size());
    sc_core::sc_start(
        sc_core::sc_time(100, sc_core::SC_NS) -
        sc_core::sc_time(static_cast<double>(sc_core::sc_time_stamp().value() % 100000), sc_core::SC_PS));
    for (size_t i = 0; i < from.size(); ++i)
        sc_core::sc_spawn([&, i] {
            sc_core::sc_time ahead;
            for (const auto &a : all[i]) {
                a->delay = ahead;
                from[i]->play(*a);
                of_each[i].push_back(text_of(*a, true));
                ahead = a->delay + sc_core::sc_time(3, sc_core::SC_NS);
                if (ahead > quantum) {
                    sc_core::wait(ahead);
                    ahead = sc_core::SC_ZERO_TIME;
                }
            }
        });
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    for (const auto &one : of_each)
        results.insert(results.end(), one.begin(), one.end());
}

} // namespace walkway::test
