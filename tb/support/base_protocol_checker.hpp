/* SPDX-License-Identifier: MIT */
/* tb/support/base_protocol_checker.hpp - checks the rules of TLM-2.0's base protocol between two sockets.
 *
 *   base_protocol rules;                       one per test, constructed after the blocks that it checks
 *   rules.bind(initiator, target);             interposes a checker, which changes no call
 *   rules.finish(); rules.violations();        at the end; otherwise the destructor reports them as errors
 *
 * The rules are numbered as in docs/develop/base-protocol.md. Only the first violation of a transaction is
 * reported, because others may follow from it. A transaction that passes several checkers is followed from
 * one to the next (rules 10, 11 and 13). A checker attaches its own extension to each transaction, to detect
 * when the last reference is released. */
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

    /* For sockets of 32 bits of the base protocol with any binding policy. */
    template <class From, class To> void bind(From &from, To &to);
    /* Interposes a checker whatever `interposed` is. */
    template <class From, class To> void interpose(From &from, To &to);
    /* False: bind() binds the two sockets directly. $WALKWAY_BASE_PROTOCOL sets it; a test may change it. */
    static bool interposed;

    /* The destructor reports the violations that are left by this call: an error of the test. */
    static std::function<void(const std::string &)> complain;
    /* Tells which payloads the test runner itself holds references to. */
    void held(std::function<bool(const payload &)> by_test) { held_ = std::move(by_test); }
    /* Checks rule 6 for all transactions seen so far. May be called again later. */
    void finish();
    const std::vector<violation> &violations() const { return violations_; }
    void forget() { violations_.clear(); } /* for a test that expects them */
    uint64_t transactions() const { return transactions_; }
    /* The sockets of a checker, in the order of binding, and the number of requests that it has seen. */
    struct place {
        std::string from, to; /* the sockets' names */
        uint64_t transactions;
    };
    std::vector<place> places() const;

    /* The time of a call with no delay. Blocks that run ahead of SystemC's time (model/common/scheduler.hpp)
     * need their own time. */
    std::function<sc_core::sc_time()> now = sc_core::sc_time_stamp;
    /* Set if the blocks are destroyed before this object, at the end of a whole run. A transaction that is
     * destroyed while references to it exist counts as never released. */
    bool outlives = false;

private:
    friend class base_protocol_checker;
    struct witness;

    /* The response as it was where the transaction was last passed up. */
    struct answer {
        bool known = false;
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        std::vector<unsigned char> data;
    };
    struct journey {
        std::vector<base_protocol_checker *> path;    /* passed the request, not yet the response; in order */
        std::vector<base_protocol_checker *> seen_by; /* all that ever saw the payload */
        std::string first;                            /* where it began */
        bool broken = false;                          /* has a violation; others are not reported */
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
    unsigned calls_ = 0; /* nested calls without phases */
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
    /* The attributes that must not change on the way (rule 11), and the address at this checker (rule 12). */
    struct image {
        tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
        uint64_t address = 0;
        const unsigned char *data = nullptr, *enables = nullptr;
        unsigned length = 0, enable_length = 0, streaming = 0;
        std::vector<unsigned char> bytes, mask; /* of a write; of the byte enables */

        image() = default;
        explicit image(const payload &p);
        std::string changed(const payload &p) const; /* names the changed attribute; "" if none */
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
    std::string from_, to_; /* the sockets on either side */
    uint64_t begun_ = 0;    /* requests that it has seen */
    std::map<const payload *, entry> all_;
    std::set<std::pair<uint64_t, int>> hinted_; /* of accesses whose response hinted at direct memory */
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
