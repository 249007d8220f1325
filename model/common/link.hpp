/* SPDX-License-Identifier: MIT */
/* model/common/link.hpp - the four-phase handshake, written once, for every protocol.
 *
 *   out_port (initiator)                      in_port (target, a ring of `capacity` requests)
 *   send(p, at) ---- BEGIN_REQ, delay ------> a free slot:   TLM_UPDATED, END_REQ in the return value
 *                                             none:          TLM_ACCEPTED; the port is blocked until
 *               <--- END_REQ ---------------- pop() freed a slot and admitted p
 *   on_response <--- BEGIN_RESP, delay ------ respond(p, at)
 *               ---- TLM_COMPLETED ---------> (a foreign initiator may take TLM_ACCEPTED ... END_RESP)
 *
 * END_REQ is the credit of the bounded ring; a slot is taken when the request is sent, so requests on the
 * wire count: the ring has wire() slots more than the queue it models, for the requests in the senders'
 * pipelines and wires (block::room_for_wires). A slot freed in one clock cycle is available in the next, in
 * every order in which SystemC may run the blocks of a cycle; a blocked sender is notified then. A link keeps
 * order: a request never arrives before one sent earlier on the same link. Time travels as annotated delay. A
 * response needs no credit: the requester has reserved a place for the answer. Two ports of ours that are
 * bound to each other omit TLM's call and do the same: offer() is BEGIN_REQ, admitted() END_REQ, receive()
 * BEGIN_RESP with its END_RESP. */
#ifndef WALKWAY_MODEL_COMMON_LINK_HPP
#define WALKWAY_MODEL_COMMON_LINK_HPP

#include "model/common/block.hpp"
#include "model/common/fail.hpp"
#include "model/common/serve_order.hpp"

#include <tlm>

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace walkway
{

/* A block that answers on in_ports. */
template <class TYPES> class target_of
{
public:
    using payload = typename TYPES::tlm_payload_type;
    virtual ~target_of() = default;
    /* Answers without side effect. Returns the value of transport_dbg (bytes, or 1 for a translation). */
    virtual unsigned debug(payload &p) = 0;
};

/* A block that sends requests on out_ports. */
template <class TYPES> class initiator_of
{
public:
    using payload = typename TYPES::tlm_payload_type;
    virtual ~initiator_of() = default;
    /* Receives the answer to p, which arrives at `at` on port `port`: enqueue it and wake. */
    virtual void on_response(payload &p, tick at, unsigned port) = 0;
};

template <class TYPES> class out_port;

/* True if links of this protocol have the lanes of lanes.hpp. */
template <class TYPES, class = void> constexpr bool has_lanes = false;
template <class TYPES> constexpr bool has_lanes<TYPES, std::void_t<typename TYPES::post_type>> = true;

/* Returns the name of the protocol in lists of links. */
template <class TYPES> const char *protocol_name()
{
    return TYPES::name;
}
template <> inline const char *protocol_name<tlm::tlm_base_protocol_types>()
{
    return "memory";
}

template <class TYPES>
class in_port : public tlm::tlm_target_socket<32, TYPES>,
                public tlm::tlm_fw_transport_if<TYPES>,
                public serving_end
{
public:
    using payload = typename TYPES::tlm_payload_type;

    /* An in_port of several (in_ports) keeps the arrival of its oldest request in `due` (never: none) and
     * sets `bit` in `words[0]` while it holds a request, in `words[1]` while a request waits outside. */
    in_port(const char *name, block &owner, target_of<TYPES> &target, uint32_t capacity, tick *due = nullptr,
            std::array<uint64_t, 2> *words = nullptr, uint64_t bit = 1)
        : tlm::tlm_target_socket<32, TYPES>(name), serving_end(owner), target_(target), capacity_(capacity),
          due_(due == nullptr ? &own_due_ : due), words_(words == nullptr ? &own_words_ : words), bit_(bit),
          ring_(capacity)
    {
        this->bind(static_cast<tlm::tlm_fw_transport_if<TYPES> &>(*this));
    }

    /* True if a request has arrived by now. First admits the request that waits outside, if there is room. */
    bool ready(tick now)
    {
        if (held_.p != nullptr)
            admit(now);
        return *due_ <= now;
    }
    /* Returns when to look again: the oldest request's arrival, or the next edge while one waits outside with
     * room to come; never if there is none. */
    tick next() const
    {
        const tick oldest = *due_;
        if (held_.p == nullptr || count_ == capacity_)
            return oldest;
        const tick room = freed_at_ + owner_.clock().period();
        return oldest < room ? oldest : room;
    }
    payload &front() const { return *ring_[head_].p; }
    tick due() const { return *due_; } /* arrival of the oldest request; never: none */
    uint32_t size() const { return count_; }
    bool blocked() const { return held_.p != nullptr; }
    std::string port() const override { return this->basename(); }
    const asking_end *source() const override { return end_; }
    void meet(out_port<TYPES> &end) { end_ = &end; } /* see out_port::between */
    uint32_t slots() const override { return capacity_; }
    void add_wire(uint32_t slots) override
    {
        wire_ += slots;
        capacity_ += slots;
        ring_.resize(capacity_);
    }

    /* Takes the oldest request. Its slot is free from the next edge on. */
    void pop()
    {
        ++taken_;
        head_ = head_ + 1 == capacity_ ? 0 : head_ + 1;
        *due_ = --count_ == 0 ? never : ring_[head_].due;
        if (count_ == 0 && held_.p == nullptr)
            (*words_)[0] &= ~bit_;
        const tick current = owner_.now();
        freed_ = freed_at_ == current ? freed_ + 1 : 1;
        freed_at_ = current;
        if (held_.p != nullptr)
            owner_.wake(current + owner_.clock().period());
    }

    /* Takes p, which arrives at `at`, if a slot is free. Else returns false: p waits outside, and no other
     * may be offered until it is admitted. */
    bool offer(payload &p, tick at)
    {
        const tick due = owner_.clock().ceil(at);
        if (held_.p == nullptr && (count_ + freed_ < capacity_ || room(owner_.now()))) {
            push(&p, due);
            return true;
        }
        if (held_.p != nullptr)
            fail("/walkway/link", std::string(this->name()) + ": BEGIN_REQ before END_REQ");
        held_ = entry{&p, due};
        (*words_)[0] |= bit_;
        (*words_)[1] |= bit_;
        if (count_ < capacity_)
            owner_.wake(freed_at_ + owner_.clock().period());
        return false;
    }

    /* Sends the answer so that it arrives at `at` (not before now). Answers leave in the order of calls. */
    void respond(payload &p, tick at)
    {
        if constexpr (has_lanes<TYPES>)
            last_answer_ = at > last_answer_ ? at : last_answer_;
        if (peer_ != nullptr)
            peer_->receive(p, at);
        else
            respond_to_foreign(p, at);
    }

private:
    struct entry {
        payload *p;
        tick due;
    };

    [[gnu::cold, gnu::noinline]] void respond_to_foreign(payload &p, tick at)
    {
        if (busy_ || !later_.empty())
            later_.push_back(entry{&p, at});
        else
            deliver(p, at);
    }

    void deliver(payload &p, tick at)
    {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = owner_.delay_to(at);
        const tlm::tlm_sync_enum answer = (*this)->nb_transport_bw(p, phase, delay);
        busy_ = !(answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP));
    }

    bool room(tick now) const { return count_ + (freed_at_ == now ? freed_ : 0) < capacity_; }

    [[gnu::noinline]] void admit(tick now)
    {
        if (!room(now))
            return;
        payload *p = held_.p;
        held_.p = nullptr;
        (*words_)[1] &= ~bit_;
        push(p, held_.due > now ? held_.due : now);
        if (peer_ != nullptr)
            peer_->admitted(*p);
        else
            admit_foreign(*p, last_due_);
    }

    /* The request may still be in flight: its END_REQ is not before its BEGIN_REQ. */
    [[gnu::cold, gnu::noinline]] void admit_foreign(payload &p, tick due)
    {
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay = owner_.delay_to(due);
        (*this)->nb_transport_bw(p, phase, delay);
    }

    void push(payload *p, tick due)
    {
        if (due < last_due_)
            due = last_due_;
        last_due_ = due;
        uint32_t tail = head_ + count_;
        tail = tail >= capacity_ ? tail - capacity_ : tail;
        ring_[tail] = entry{p, due};
        if (count_++ == 0) {
            *due_ = due;
            (*words_)[0] |= bit_;
            owner_.wake(due);
        }
    }

    tlm::tlm_sync_enum nb_transport_fw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase == tlm::BEGIN_REQ) {
            if (!offer(p, owner_.arrival(delay)))
                return tlm::TLM_ACCEPTED;
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
        if (phase == tlm::END_RESP) {
            busy_ = false;
            while (!busy_ && !later_.empty()) {
                const entry next = later_.front();
                later_.pop_front();
                deliver(*next.p, next.due);
            }
            return tlm::TLM_COMPLETED;
        }
        fail("/walkway/link", std::string(this->name()) + ": unexpected phase");
    }

    void b_transport(payload &p, sc_core::sc_time &) override
    {
        static_cast<void>(p);
        fail("/walkway/link",
             std::string(this->name()) + ": blocking transport is not offered by this block");
    }
    bool get_direct_mem_ptr(payload &, tlm::tlm_dmi &dmi) override
    {
        dmi.allow_none();
        dmi.set_start_address(0);
        dmi.set_end_address(sc_dt::uint64(-1));
        return false;
    }
    unsigned transport_dbg(payload &p) override { return target_.debug(p); }
    void end_of_elaboration() override
    {
        peer_ = dynamic_cast<out_port<TYPES> *>((*this).operator->());
        end_ = peer_ == nullptr ? end_ : peer_;
    }

    target_of<TYPES> &target_;
    out_port<TYPES> *peer_ = nullptr; /* null: the initiator is foreign, or a tap stands between */
    uint32_t capacity_;
    uint32_t head_ = 0;
    uint32_t count_ = 0;
    tick *due_; /* arrival of the oldest; never: none */
    entry held_{nullptr, 0};
    tick last_due_ = 0;
    tick freed_at_ = never; /* slots freed in this cycle: */
    uint32_t freed_ = 0;    /* their number, not to be used before the next cycle */
    std::array<uint64_t, 2> *words_;
    uint64_t bit_;
    std::vector<entry> ring_;
    bool busy_ = false; /* a foreign initiator has a response without END_RESP */
    std::deque<entry> later_;
    tick own_due_ = never;
    std::array<uint64_t, 2> own_words_{};
    out_port<TYPES> *end_ = nullptr; /* the initiator behind any tap; null: it is foreign */
};

/* The in_ports of a block that serves several requesters, in turn or in order of arrival. Checks only ports
 * that hold a request. */
template <class TYPES> class in_ports
{
public:
    using port = in_port<TYPES>;

    in_ports(block &owner, target_of<TYPES> &target, unsigned ports, uint32_t capacity)
        : busy_(ports / 64 + 1), due_(ports, never)
    {
        for (unsigned i = 0; i < ports; ++i)
            all_.push_back(std::make_unique<port>(("up_" + std::to_string(i)).c_str(), owner, target,
                                                  capacity, &due_[i], &busy_[i / 64],
                                                  uint64_t{1} << (i % 64)));
    }

    unsigned size() const { return static_cast<unsigned>(all_.size()); }
    const std::unique_ptr<port> &operator[](unsigned i) const { return all_[i]; }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

    /* Required: called before the first request is served. */
    void serve_by(serve_order order) { by_arrival_ = order == serve_order::arrival; }

    /* Calls serve_one(port) for requests in order, at most `most` per cycle over all activations; it takes
     * the port's oldest request, or returns false if it cannot. Returns false if serve_one did: the turn
     * stays with that port. */
    template <class F> bool serve(tick now, uint32_t most, F serve_one)
    {
        if (served_at_ != now) {
            served_at_ = now;
            served_ = 0;
        }
        for (; served_ < most && find_ready(now); ++served_) {
            if (!serve_one(turn_))
                return false;
            turn_ = turn_ + 1 == all_.size() ? 0 : turn_ + 1;
        }
        return true;
    }
    /* Returns the requests served so far in the cycle of `now`. */
    uint32_t served(tick now) const { return served_at_ == now ? served_ : 0; }

    /* Returns when to look again: the earliest in_port::next(). */
    tick next() const
    {
        tick first = never;
        for (size_t w = 0; w < busy_.size(); ++w)
            for (uint64_t bits = busy_[w][0]; bits != 0; bits &= bits - 1) {
                const auto b = static_cast<unsigned>(__builtin_ctzll(bits));
                const tick t = (busy_[w][1] >> b & 1) == 0 ? due_[w * 64 + b] : all_[w * 64 + b]->next();
                first = t < first ? t : first;
            }
        return first;
    }

private:
    /* Moves the turn to the next port, from the present one on, that has a request at time now; by arrival,
     * to the port whose oldest request came first. Returns false if no port has one. */
    bool find_ready(tick now)
    {
        if (by_arrival_)
            return find_oldest(now);
        if (busy_.size() != 1)
            return find_among_many(now);
        /* the ports in the order of their turn, as one word */
        uint64_t bits = busy_[0][0] >> turn_ | busy_[0][0] << (64 - turn_) % 64;
        for (; bits != 0; bits &= bits - 1) {
            const unsigned p = (turn_ + lowest(bits)) % 64;
            if (is_ready(0, p, now)) {
                turn_ = p;
                return true;
            }
        }
        return false;
    }

    [[gnu::noinline]] bool find_among_many(tick now)
    {
        const auto words = static_cast<unsigned>(busy_.size());
        const unsigned start = turn_ / 64;
        const uint64_t before = (uint64_t{1} << turn_ % 64) - 1; /* ports whose turn comes last */
        uint64_t among = ~before;
        for (unsigned left = words + 1, w = start; left != 0; --left) {
            for (uint64_t bits = busy_[w][0] & among; bits != 0; bits &= bits - 1) {
                const unsigned p = w * 64 + lowest(bits);
                if (is_ready(w, p, now)) {
                    turn_ = p;
                    return true;
                }
            }
            w = w + 1 == words ? 0 : w + 1;
            among = w == start ? before : ~uint64_t{0};
        }
        return false;
    }

    /* Of requests that arrived in one cycle, takes the one whose turn is next. */
    [[gnu::noinline]] bool find_oldest(tick now)
    {
        const auto ports = static_cast<unsigned>(all_.size());
        tick oldest = never;
        unsigned first = 0, wait = ports; /* turns until its own turn */
        for (unsigned w = 0; w < busy_.size(); ++w)
            for (uint64_t bits = busy_[w][0]; bits != 0; bits &= bits - 1) {
                const unsigned p = w * 64 + lowest(bits);
                if (!is_ready(w, p, now))
                    continue;
                const unsigned turns = p >= turn_ ? p - turn_ : p + ports - turn_;
                if (due_[p] > oldest || (due_[p] == oldest && turns > wait))
                    continue;
                oldest = due_[p];
                first = p;
                wait = turns;
            }
        if (oldest == never)
            return false;
        turn_ = first;
        return true;
    }

    static unsigned lowest(uint64_t bits) { return static_cast<unsigned>(__builtin_ctzll(bits)); }
    bool is_ready(unsigned word, unsigned p, tick now)
    {
        return (busy_[word][1] >> p % 64 & 1) == 0 ? due_[p] <= now : all_[p]->ready(now);
    }

    std::vector<std::array<uint64_t, 2>> busy_; /* bit i: port i holds a request, one waits outside it */
    std::vector<tick> due_;                     /* of each port: arrival of its oldest, or never */
    std::vector<std::unique_ptr<port>> all_;
    unsigned turn_ = 0;
    bool by_arrival_ = false;
    tick served_at_ = never; /* requests served in this cycle: */
    uint32_t served_ = 0;
};

template <class TYPES>
class out_port : public tlm::tlm_initiator_socket<32, TYPES>,
                 public tlm::tlm_bw_transport_if<TYPES>,
                 public asking_end
{
public:
    using payload = typename TYPES::tlm_payload_type;

    out_port(const char *name, block &owner, initiator_of<TYPES> &initiator, unsigned number = 0)
        : tlm::tlm_initiator_socket<32, TYPES>(name), asking_end(owner), initiator_(initiator),
          number_(number)
    {
        this->bind(static_cast<tlm::tlm_bw_transport_if<TYPES> &>(*this));
    }

    /* If set (before a machine is made), binds two ports of ours with a module between them that forwards
     * every call: the checkers of the base protocol. They are still one link, with the slots of its wire, but
     * use TLM calls. */
    static inline std::function<void(out_port &, in_port<TYPES> &)> between;
    using tlm::tlm_initiator_socket<32, TYPES>::bind;
    void bind(typename out_port::base_target_socket_type &to) override
    {
        auto *const end = between ? dynamic_cast<in_port<TYPES> *>(&to) : nullptr;
        if (end == nullptr) {
            tlm::tlm_initiator_socket<32, TYPES>::bind(to);
            return;
        }
        end_ = end;
        end->meet(*this);
        between(*this, *end);
    }

    /* True if send() may be called now: the target has taken the previous message, and the port is free. */
    bool can_send() const { return blocked_ == nullptr && (free_from_ == 0 || free_from_ <= owner_.now()); }

    /* Sends p so that it arrives at `at`. Required: can_send(). */
    void send(payload &p, tick at)
    {
        ++calls_;
        if (peer_ == nullptr) {
            send_to_foreign(p, at);
        } else if (!peer_->offer(p, at)) {
            blocked_ = &p;
            blocked_since_ = owner_.now();
        }
    }
    std::string port() const override { return this->basename(); }
    const char *protocol() const override { return protocol_name<TYPES>(); }
    const serving_end *target() const override { return end_; }
    /* Returns the time in ps for which requests, admitted by now, waited outside the target's full queue. */
    tick blocked_ps() const { return blocked_ps_; }

    /* The request that waited outside has been admitted. */
    void admitted(payload &p)
    {
        if (blocked_ != &p)
            return;
        blocked_ = nullptr;
        blocked_ps_ += owner_.now() - blocked_since_;
        free_from_ = owner_.clock().ceil(owner_.now() + 1); /* not in this cycle: see above */
        owner_.wake(free_from_);
    }
    void receive(payload &p, tick at)
    {
        ++answered_;
        initiator_.on_response(p, at, number_);
    }

private:
    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        admitted(p); /* END_REQ, or BEGIN_RESP, which implies it */
        if (phase == tlm::END_REQ)
            not_before_ = owner_.arrival(delay);
        if (phase != tlm::BEGIN_RESP)
            return tlm::TLM_ACCEPTED;
        receive(p, owner_.arrival(delay));
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }
    [[gnu::cold, gnu::noinline]] void send_to_foreign(payload &p, tick at)
    {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = owner_.delay_to(at < not_before_ ? not_before_ : at);
        blocked_ = &p; /* a target may answer with END_REQ from inside the call */
        blocked_since_ = owner_.now();
        const tlm::tlm_sync_enum answer = (*this)->nb_transport_fw(p, phase, delay);
        if (answer == tlm::TLM_UPDATED && phase != tlm::BEGIN_RESP) {
            blocked_ = nullptr;
            not_before_ = owner_.arrival(delay);
        } else if (answer == tlm::TLM_COMPLETED || answer == tlm::TLM_UPDATED) {
            blocked_ = nullptr; /* a foreign target answered at once */
            const tick here = owner_.arrival(delay);
            if (answer == tlm::TLM_UPDATED) { /* BEGIN_RESP in the return value: END_RESP is due */
                phase = tlm::END_RESP;        /* at the response's time: the delay stays */
                (*this)->nb_transport_fw(p, phase, delay);
            }
            receive(p, here);
        }
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void end_of_elaboration() override
    {
        peer_ = dynamic_cast<in_port<TYPES> *>(this->get_interface());
        end_ = peer_ == nullptr ? end_ : peer_;
    }

    initiator_of<TYPES> &initiator_;
    unsigned number_;
    in_port<TYPES> *peer_ = nullptr; /* null: the target is foreign, or a tap stands between */
    in_port<TYPES> *end_ = nullptr;  /* the target behind any tap; null: it is foreign */
    payload *blocked_ = nullptr;
    tick blocked_since_ = 0;
    tick blocked_ps_ = 0;
    tick not_before_ = 0; /* last END_REQ of a foreign target: later sends arrive no earlier */
    tick free_from_ = 0;  /* first edge at which the last credit may be used */
};

} // namespace walkway

#endif
