/* SPDX-License-Identifier: MIT */
/* tb/support/base_protocol_checker.hpp - the rules of TLM-2.0's base protocol, checked between two sockets.
 *
 *   base_protocol rules;                       one of a test, constructed last: it judges blocks, not they it
 *   rules.bind(initiator, target);             interposes a checker; what passes is not changed
 *   rules.finish(); rules.violations();        when all is done, or left to the destructor, which reports
 * errors
 *
 * The numbers are those of docs/develop/base-protocol.md. Of a transaction the first violation counts: what
 * follows from it is not named. A transaction that passes several checkers is followed from one to the next
 * (rules 10, 11 and 13). A checker attaches an extension of its own to what it sees, to know when it was
 * given back.
 */
#ifndef WW_TB_SUPPORT_BASE_PROTOCOL_CHECKER_HPP
#define WW_TB_SUPPORT_BASE_PROTOCOL_CHECKER_HPP

#include <systemc>
#include <tlm>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace walkway::test
{

class base_protocol_checker;

class base_protocol
{
public:
    using payload = tlm::tlm_generic_payload;
    struct violation {
        unsigned rule;
        std::string what;
    };

    base_protocol();
    ~base_protocol();
    base_protocol(const base_protocol &) = delete;
    base_protocol &operator=(const base_protocol &) = delete;

    /* Sockets of 32 bits, base protocol; whether they need to be bound does not count. */
    template <class From, class To> void bind(From &from, To &to);
    /* The same, whatever `interposed` says. */
    template <class From, class To> void interpose(From &from, To &to);
    /* False: bind() binds the two to each other. Set by $WALKWAY_BASE_PROTOCOL (checked), or by a test. */
    static bool interposed;

    /* What is done with what is left over at the end: an error of the test. */
    static std::function<void(const std::string &)> complain;
    /* Who runs the test has kept references of its own to these. */
    void held(std::function<bool(const payload &)> by_test) { held_ = std::move(by_test); }
    /* Rule 6 over all that has passed; once more, over what has passed since. */
    void finish();
    const std::vector<violation> &violations() const { return violations_; }
    void forget() { violations_.clear(); } /* a test expected them */
    uint64_t transactions() const { return transactions_; }
    /* Where it stands, in the order of binding, and the transactions that passed there. */
    struct place {
        std::string from, to; /* the sockets' names */
        uint64_t transactions;
    };
    std::vector<place> places() const;

    /* When a call with no delay is: of blocks that run ahead of SystemC's time (model/common/scheduler.hpp)
     * theirs. */
    std::function<sc_core::sc_time()> now = sc_core::sc_time_stamp;
    /* The blocks go before it, and at the end of a whole run: a transaction that is destroyed while somebody
     * has a reference was never given back. */
    bool outlives = false;

private:
    friend class base_protocol_checker;
    struct witness;

    /* What the answer looked like where a transaction was handed on. */
    struct answer {
        bool known = false;
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        std::vector<unsigned char> data;
    };
    struct journey {
        std::vector<base_protocol_checker *> path;    /* where it was sent and not answered, in order */
        std::vector<base_protocol_checker *> seen_by; /* its payload, ever */
        std::string first;                            /* where it began */
        bool broken = false; /* a violation was named: no other of this transaction */
        answer below;

        void begin_anew()
        {
            journey next;
            next.seen_by = std::move(seen_by);
            *this = std::move(next);
        }
    };

    base_protocol_checker &new_hop();
    void report(unsigned rule, const std::string &where, const std::string &what);
    void watch(payload &p);
    void returned(payload &p);
    void kept(const witness &w);

    std::vector<std::unique_ptr<base_protocol_checker>> hops_;
    std::map<const payload *, journey> journeys_;
    std::set<witness *> witnesses_;
    std::vector<violation> violations_;
    std::function<bool(const payload &)> held_;
    uint64_t transactions_ = 0;
    unsigned calls_ = 0; /* without phases, one within the other */
};

class base_protocol_checker final : public sc_core::sc_module,
                                    protected tlm::tlm_fw_transport_if<>,
                                    protected tlm::tlm_bw_transport_if<>
{
public:
    using payload = tlm::tlm_generic_payload;
    tlm::tlm_target_socket<32> up;
    tlm::tlm_initiator_socket<32> down;

    base_protocol_checker(const sc_core::sc_module_name &name, base_protocol &rules);

private:
    friend class base_protocol;
    enum class state { idle, requested, granted, responding };
    /* What nobody may change on the way (rule 11), and the address at this place (rule 12). */
    struct image {
        tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
        uint64_t address = 0;
        const unsigned char *data = nullptr, *enables = nullptr;
        unsigned length = 0, enable_length = 0, streaming = 0;
        std::vector<unsigned char> bytes, mask; /* of a write; of the byte enables */

        image() = default;
        explicit image(const payload &p);
        std::string changed(const payload &p) const; /* "" or the name of what is not as it was */
        std::string differs(const image &o) const;
    };
    struct entry {
        state now = state::idle;
        bool returned = false;
        bool nested = false; /* inside the call that carries the response */
        uint64_t serial = 0;
        sc_core::sc_time time;
        image first;
    };

    tlm::tlm_sync_enum nb_transport_fw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override;
    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override;
    void b_transport(payload &p, sc_core::sc_time &delay) override;
    unsigned transport_dbg(payload &p) override;
    bool get_direct_mem_ptr(payload &p, tlm::tlm_dmi &dmi) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

    void without_wait(payload &p, uint64_t deltas, const char *call);
    void direct_memory(payload &p, const tlm::tlm_dmi &dmi, bool given);
    template <class F> auto look(payload &p, const char *call, F f);
    bool breaks(payload &p, unsigned rule, const std::string &what);
    bool begin(payload &p, bool blocking);
    void legal_attributes(payload &p);
    bool owned(payload &p);
    void in_time(payload &p, const sc_core::sc_time &delay, const char *what);
    void unchanged(payload &p);
    void end_request(payload &p);
    void begin_response(payload &p);
    void answered(payload &p);
    void handed_up(payload &p);
    void end_response(payload &p);
    void after_begin_req(payload &p, tlm::tlm_sync_enum status, const tlm::tlm_phase &phase,
                         const sc_core::sc_time &delay);

    base_protocol &rules_;
    std::string from_, to_; /* its neighbours' sockets */
    uint64_t begun_ = 0;    /* transactions that came here */
    std::map<const payload *, entry> all_;
    std::set<std::pair<uint64_t, int>> hinted_; /* addresses and commands with a hint of direct memory */
    const payload *requesting_ = nullptr;       /* BEGIN_REQ without END_REQ */
    const payload *responding_ = nullptr;       /* BEGIN_RESP without END_RESP */
};

template <class From, class To> void base_protocol::bind(From &from, To &to)
{
    if (!interposed) {
        from.bind(to);
        return;
    }
    interpose(from, to);
}

template <class From, class To> void base_protocol::interpose(From &from, To &to)
{
    base_protocol_checker &hop = new_hop();
    hop.from_ = from.name();
    hop.to_ = to.name();
    from.bind(hop.up);
    hop.down.bind(to);
}

} // namespace walkway::test

#endif
