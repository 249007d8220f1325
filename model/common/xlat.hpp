/* SPDX-License-Identifier: MIT */
/* model/common/xlat.hpp - a translation in flight: the payload of the sockets between translation blocks, and
 * the account of its time. One request travels from the coalescer as far down as needed and back up. */
#ifndef WALKWAY_MODEL_COMMON_XLAT_HPP
#define WALKWAY_MODEL_COMMON_XLAT_HPP

#include "kernels/xlat.h"
#include "model/common/account.hpp"
#include "model/common/clock.hpp"
#include "model/common/fail.hpp"
#include "model/common/stats.hpp"

#include <tlm>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace walkway
{

/* No request waits for a prefetch: if its page is absent, it is answered with that fault at once. */
enum class access_kind : uint8_t { read, write, atomic, prefetch };

/* A segment of the account. */
struct account_segment {
    cause why;
    tick ps;
};

/* A request has places for the segments and hops that suffice for most; further ones go into memory that the
 * request allocates once and keeps. The first line of the host's cache is what every block on the way uses;
 * the account grows with the way: ten segments, as many as a walk without coalescing has, are in the second
 * line. */
struct alignas(64) xlat_request {
    static constexpr unsigned places = 20, hops = 4;
    static constexpr uint8_t more = 0x80; /* in a count: the rest is elsewhere */

    /* Written by the requester: */
    uint64_t va;
    tick issued;
    tick mark;            /* time before which all is charged */
    uint32_t instruction; /* serial number of the wave instruction */
    uint32_t owner;       /* the requester's */
    uint32_t serial;      /* the requester's: number of the request */
    uint16_t vmid;
    uint16_t cu;
    access_kind access;
    /* Written by the target: */
    bool fault;
    uint8_t segments; /* number in in_place */
    /* Ports of the way back, last in first out: */
    uint8_t depth;
    std::array<uint8_t, hops> route;
    ww_xlat result;
    /* The account: segments below 4.29 ms, in order; from a longer one on, they are elsewhere. */
    struct [[gnu::packed]] place {
        uint32_t ps;
        cause why;
    };
    std::array<place, places> in_place;
    struct overflow {
        std::vector<account_segment> segments;
        std::vector<uint8_t> route;
    };
    std::unique_ptr<overflow> rest;

    void start(tick now)
    {
        issued = now;
        mark = now;
        segments = 0;
        depth = 0;
        fault = false;
    }
    /* Charges the time since the last charge to c. */
    void charge(cause c, tick until)
    {
        if (until < mark)
            fail("/walkway/account", "a translation is charged backwards in time");
        charge_part(c, until - mark);
    }
    /* Charges `part` of the time since the last charge to c; the rest is charged next. */
    void charge_part(cause c, tick part)
    {
        mark += part;
        if (part == 0 || !with_account)
            return;
        const unsigned n = segments;
        if (part > UINT32_MAX || n >= places || (n != 0 && in_place[n - 1].why == c)) {
            add_segment(c, part);
            return;
        }
        in_place[n] = place{static_cast<uint32_t>(part), c};
        segments = static_cast<uint8_t>(n + 1);
    }
    /* Calls f(cause, time) for each segment, in order; adjacent ones have different causes. */
    template <class F> void each_segment(F f) const
    {
        for (unsigned i = 0, n = segments & (more - 1u); i < n; ++i)
            f(in_place[i].why, tick{in_place[i].ps});
        if ((segments & more) != 0)
            for (const account_segment &s : rest->segments)
                f(s.why, s.ps);
    }
    /* Returns the time charged to c so far. */
    tick spent(cause c) const
    {
        tick sum = 0;
        each_segment([&](cause why, tick ps) { sum += why == c ? ps : 0; });
        return sum;
    }
    void enter(uint8_t port)
    {
        if (depth >= hops)
            enter_deep(port);
        else
            route[depth++] = port;
    }
    uint8_t leave() { return (depth & more) != 0 ? leave_deep() : route[--depth]; }

private:
    overflow &make_room()
    {
        if (rest == nullptr)
            rest = std::make_unique<overflow>();
        return *rest;
    }
    [[gnu::noinline]] void add_segment(cause c, tick part);
    [[gnu::noinline, gnu::cold]] void enter_deep(uint8_t port);
    [[gnu::noinline, gnu::cold]] uint8_t leave_deep();
};
static_assert(sizeof(xlat_request) == 192, "three lines of the host's cache");

struct xlat_post;

/* The payload makes binding a translation socket to a memory socket a compile error. */
struct xlat_protocol {
    static constexpr const char *name = "translation";
    using tlm_payload_type = xlat_request;
    using tlm_phase_type = tlm::tlm_phase;
    using post_type = xlat_post;
};

} // namespace walkway

#endif
