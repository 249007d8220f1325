/* SPDX-License-Identifier: MIT */
/* tb/support/base_protocol_stimuli.hpp - stimuli for those rules of the base protocol that a checker cannot
 * see in traffic, for any target socket (numbers: docs/develop/base-protocol.md):
 *
 *   stimulus from("from", transport::phases);          one initiator; bind from.out and describe the target
 *   from.first = 0x5000, from.bytes = 4096;
 *   for (auto &v : byte_enables_and_streaming(from)) ...     the violations of the rule, if any
 *
 * Rules 24 to 26 compare whole rigs. They are templates that state what a rig must have. */
#ifndef WW_TB_SUPPORT_BASE_PROTOCOL_STIMULI_HPP
#define WW_TB_SUPPORT_BASE_PROTOCOL_STIMULI_HPP

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "kernels/bits.h"
#include "tb/support/base_protocol_checker.hpp"

#include <deque>

namespace walkway::test
{

enum class transport { blocking, phases };

using findings = std::vector<base_protocol::violation>;

/* A transaction with its data and a memory manager. */
struct stimulus_access final : tlm::tlm_mm_interface {
    tlm::tlm_generic_payload p{this};
    std::vector<unsigned char> data;
    sc_core::sc_time delay; /* of a blocking call */
    unsigned answers = 0;

    stimulus_access(tlm::tlm_command command, uint64_t at, unsigned bytes, unsigned char fill = 0);
    void free(tlm::tlm_generic_payload *) override { p.reset(); }
    tlm::tlm_response_status status() const { return p.get_response_status(); }
};

class stimulus final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<>
{
public:
    using payload = tlm::tlm_generic_payload;
    tlm::tlm_initiator_socket<32> out{"out"};
    transport how;
    uint64_t first = 0, bytes = 4096; /* the range to read and write */
    unsigned unit = 1;                /* accesses are whole multiples of it, such as a cache line */
    uint64_t outside = UINT64_MAX;    /* where more than a page has no memory */
    /* All state that an access could change, except for the bytes themselves. */
    std::function<std::map<std::string, std::string>()> state;
    std::vector<std::pair<uint64_t, uint64_t>> revoked; /* ranges of direct memory */

    stimulus(const sc_core::sc_module_name &name, transport t) : sc_module(name), how(t) { out.bind(*this); }
    /* Returns when the access has been answered. */
    void play(stimulus_access &a);
    /* With phases: queues the access and returns; the caller runs the simulation. */
    void send(stimulus_access &a);
    bool quiet() const { return queue_.empty() && out_.empty(); }
    std::vector<unsigned char> look(uint64_t at, unsigned n); /* by debug access */

private:
    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 from, sc_dt::uint64 to) override
    {
        revoked.push_back({from, to});
    }
    void pump();
    void over(payload &p);

    std::deque<stimulus_access *> queue_;
    std::vector<stimulus_access *> out_;
    payload *requesting_ = nullptr;
};

findings byte_enables_and_streaming(stimulus &s); /* rule 16 */
findings commands_and_addresses(stimulus &s);     /* rule 17 */
findings extensions_pass(stimulus &s);            /* rule 18 */
findings pointers_show_memory(stimulus &s,
                              std::function<void()> revoke); /* rule 21; revoke() makes the target revoke */
findings debug_changes_nothing(stimulus &s);                 /* rule 23 */

/* Rule 18 for an extension of ours. Every member of `full` must differ from its default. */
template <class E, class F> findings copies_are_complete(const E &full, F same)
{
    findings all;
    tlm::tlm_extension_base *copy = full.clone();
    const auto *whole = dynamic_cast<const E *>(copy);
    if (whole == nullptr || !same(*whole, full))
        all.push_back({18, "clone() makes another extension"});
    copy->free();
    E other;
    other.copy_from(full);
    if (!same(other, full))
        all.push_back({18, "copy_from() leaves something out"});
    return all;
}

/* The results of a series of accesses, for comparison. */
struct stimulus_results {
    std::vector<std::string> accesses;
    std::map<std::string, std::string> state;
    std::vector<unsigned char> memory;
    std::string differs(const stimulus_results &o, bool states = true) const;
};
std::string text_of(const stimulus_access &a, bool with_time);
/* n reproducible random reads and writes within the target's memory. */
std::vector<std::unique_ptr<stimulus_access>> some_accesses(const stimulus &s, uint64_t seed, unsigned n);
/* Plays all at once, each initiator in a process that runs ahead of SystemC's time by up to a quantum. */
void play_decoupled(const std::vector<stimulus *> &from,
                    const std::vector<std::vector<std::unique_ptr<stimulus_access>>> &all,
                    const sc_core::sc_time &quantum, std::vector<std::string> &results);

/* Rule 24. R() has blocking stimuli, std::vector<std::unique_ptr<stimulus>> from, each with its own memory.
 * Data, times and final state must be the same for every quantum. */
template <class R> findings independent_of_the_quantum()
{
    std::unique_ptr<stimulus_results> before;
    findings all;
    for (const double quantum : {0., 10., 1000., 1e6}) {
        R r;
        std::vector<stimulus *> from;
        std::vector<std::vector<std::unique_ptr<stimulus_access>>> accesses;
        for (auto &s : r.from) {
            from.push_back(s.get());
            accesses.push_back(some_accesses(*s, from.size(), 60));
        }
        auto now = std::make_unique<stimulus_results>();
        play_decoupled(from, accesses, sc_core::sc_time(quantum, sc_core::SC_NS), now->accesses);
        for (stimulus *s : from)
            for (const unsigned char byte : s->look(s->first, 256))
                now->memory.push_back(byte);
        now->state = r.state();
        const std::string difference = before == nullptr ? "" : before->differs(*now);
        if (!difference.empty())
            all.push_back({24, "a quantum of " + std::to_string(quantum) + " ns: " + difference});
        before = std::move(now);
    }
    return all;
}

/* Rule 25. R(transport) has stimulus &from and state(), which must be the same after either transport. */
template <class R> findings same_through_both()
{
    stimulus_results results[2];
    for (const transport how : {transport::blocking, transport::phases}) {
        R r(how);
        stimulus_results &now = results[how == transport::phases];
        for (auto &a : some_accesses(r.from(), 7, 200)) {
            r.from().play(*a);
            now.accesses.push_back(text_of(*a, false));
        }
        now.memory = r.from().look(r.from().first, 256);
        now.state = r.state();
    }
    const std::string difference = results[0].differs(results[1]);
    return difference.empty() ? findings{}
                              : findings{{25, "four phases after blocking calls: " + difference}};
}

/* Rule 26. R() has stimulus &from with phases, reset(), and restore(), which makes it ready again. Resets at
 * `every` and each multiple of it up to `last`. Each access must be answered once, and a later write must
 * work. */
template <class R> findings resets_end_legally(const sc_core::sc_time &every, const sc_core::sc_time &last)
{
    findings all;
    for (sc_core::sc_time when = every; when <= last; when += every) {
        R r;
        auto accesses = some_accesses(r.from(), 3, 8);
        for (auto &a : accesses)
            r.from().send(*a);
        sc_core::sc_start(when);
        r.reset();
        sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
        const std::string at = "a reset after " + when.to_string() + ": ";
        for (auto &a : accesses)
            if (a->answers != 1 || a->status() == tlm::TLM_INCOMPLETE_RESPONSE)
                all.push_back({26, at + std::to_string(a->answers) + " answers to an access"});
        if (!all.empty()) {
            for (auto &a : accesses)
                static_cast<void>(a.release()); /* the target may still use it */
            break;
        }
        r.restore();
        stimulus_access write(tlm::TLM_WRITE_COMMAND, r.from().first, 8 * r.from().unit, 0x6b);
        r.from().play(write);
        if (!write.p.is_response_ok())
            all.push_back({26, at + "a write is answered with " + write.p.get_response_string()});
        else if (r.from().look(r.from().first, 8 * r.from().unit) != write.data)
            all.push_back({26, at + "a write is not there"});
    }
    return all;
}

} // namespace walkway::test

#endif
