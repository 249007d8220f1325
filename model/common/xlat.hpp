/* SPDX-License-Identifier: MIT */
/* model/common/xlat.hpp - a translation on its way: the payload of the sockets between translation blocks,
 * and the account of its time. One request travels from the coalescer down as far as it must and back up. */
#ifndef WALKWAY_MODEL_COMMON_XLAT_HPP
#define WALKWAY_MODEL_COMMON_XLAT_HPP

#include "kernels/xlat.h"
#include "model/common/clock.hpp"
#include "model/common/fail.hpp"
#include "model/common/stats.hpp"

#include <tlm>

#include <array>
#include <cstddef>
#include <cstdint>

namespace walkway
{

/* Where a translation's time goes. Every picosecond between issue and completion is in exactly one of these.
 */
#define WALKWAY_CAUSE_LIST(X)                                                                                \
    X(l1_queue, "waiting for a port of the L1 TLB, the wire included")                                       \
    X(l1_lookup, "L1 TLB lookup")                                                                            \
    X(l1_merged, "waiting for the same page asked for earlier by the same L1 TLB")                           \
    X(l2_queue, "waiting for a port of the L2 TLB, the wire included")                                       \
    X(l2_lookup, "L2 TLB lookup")                                                                            \
    X(l2_merged, "waiting for the same page asked for earlier by the L2 TLB")                                \
    X(iommu_queue, "on the link to the IOMMU and waiting for a port of its TLBs")                            \
    X(iommu_lookup, "IOMMU TLB lookup")                                                                      \
    X(backlog, "missed the IOMMU TLBs, waiting outside the full walk buffer")                                \
    X(buffer, "in the walk buffer, free to be taken, no walker free")                                        \
    X(held, "in the walk buffer with CL set: held back by coalescing")                                       \
    X(walk_cache, "page-walk cache and PTE-line cache lookups")                                              \
    X(walk_l5, "page-table read at level 5, path to memory included")                                        \
    X(walk_l4, "page-table read at level 4")                                                                 \
    X(walk_l3, "page-table read at level 3")                                                                 \
    X(walk_l2, "page-table read at level 2")                                                                 \
    X(walk_l1, "page-table read at level 1")                                                                 \
    X(response, "on the way back up")

enum class cause : uint8_t {
#define X(name, text) name,
    WALKWAY_CAUSE_LIST(X)
#undef X
};
#define X(name, text) +1
constexpr unsigned cause_count = 0 WALKWAY_CAUSE_LIST(X);
#undef X
const char *cause_name(unsigned c);
const char *cause_text(unsigned c);

/* Stretches of one request: each level is entered once, a walk alternates between caches and memory. */
constexpr unsigned max_spans = 24;
constexpr uint8_t long_span = 0x80; /* of an entry: the upper 32 bits of the stretch before it */
static_assert(cause_count <= long_span, "a cause and the mark share a byte");

enum class access_kind : uint8_t { read, write, atomic };

/* The first line of the host's cache is what every block on the way touches; the account behind it grows with
 * the way: ten stretches, as many as a walk without coalescing has, are in the second. */
struct alignas(64) xlat_request {
    /* written by the requester */
    uint64_t va;
    tick issued;
    tick mark;            /* everything before is charged */
    uint32_t instruction; /* serial number of the wave instruction */
    uint32_t owner;       /* the requester's own */
    uint32_t serial;      /* the requester's own: counts its requests */
    uint16_t vmid;
    uint16_t cu;
    access_kind access;
    /* written by whoever answers */
    bool fault;
    uint8_t spans; /* stretches of time so far, in order */
    /* ports to go back through, last in first out */
    uint8_t depth;
    std::array<uint8_t, 4> route;
    ww_xlat result;
    /* the account */
    std::array<uint8_t, max_spans> span_cause;
    std::array<uint32_t, max_spans> span_ps; /* one of more than 4.29 ms takes two entries */

    void start(tick now)
    {
        issued = now;
        mark = now;
        spans = 0;
        depth = 0;
        fault = false;
    }
    /* The time since the last charge was spent on c. */
    void charge(cause c, tick until)
    {
        if (until < mark)
            fail("/walkway/account", "a translation is charged backwards in time");
        charge_part(c, until - mark);
    }
    /* Splits: `part` of the time since the last charge was c, the rest is charged next. */
    void charge_part(cause c, tick part)
    {
        mark += part;
        if (part == 0 || !with_account)
            return;
        const auto which = static_cast<uint8_t>(c);
        const unsigned n = spans;
        if (part > UINT32_MAX || n == max_spans || (n != 0 && (span_cause[n - 1] & ~long_span) == which)) {
            add_span(which, part);
            return;
        }
        span_cause[n] = which;
        span_ps[n] = static_cast<uint32_t>(part);
        spans = static_cast<uint8_t>(n + 1);
    }
    /* The stretch that begins with entry i, and the entry with which the next one does. */
    tick span(unsigned i) const
    {
        return span_ps[i] | (next_span(i) == i + 1 ? 0 : tick{span_ps[i + 1]} << 32);
    }
    unsigned next_span(unsigned i) const
    {
        return i + 1 < spans && (span_cause[i + 1] & long_span) != 0 ? i + 2 : i + 1;
    }
    /* Time charged to c so far. */
    tick spent(cause c) const
    {
        tick sum = 0;
        for (unsigned i = 0; i < spans; i = next_span(i))
            sum += span_cause[i] == static_cast<uint8_t>(c) ? span(i) : 0;
        return sum;
    }
    void enter(uint8_t port)
    {
        if (depth == route.size())
            fail("/walkway/link", "a translation goes through more levels than its request can name");
        route[depth++] = port;
    }
    uint8_t leave() { return route[--depth]; }

private:
    [[gnu::noinline]] void add_span(uint8_t which, tick part)
    {
        unsigned n = spans;
        if (n != 0 && (span_cause[n - 1] & ~long_span) == which) { /* goes on */
            n -= (span_cause[n - 1] & long_span) != 0 ? 2 : 1;
            part += span(n);
        }
        const bool is_long = part > UINT32_MAX;
        if (n + (is_long ? 2 : 1) > max_spans)
            fail("/walkway/account", "a translation has more stretches than its account holds");
        span_cause[n] = which;
        span_ps[n++] = static_cast<uint32_t>(part);
        if (is_long) {
            span_cause[n] = which | long_span;
            span_ps[n++] = static_cast<uint32_t>(part >> 32);
        }
        spans = static_cast<uint8_t>(n);
    }
};
static_assert(offsetof(xlat_request, span_cause) == 64 && sizeof(xlat_request) == 192,
              "three lines of the host's cache");

/* Binding a translation socket to a memory socket does not compile. */
struct xlat_protocol {
    static constexpr const char *name = "translation";
    using tlm_payload_type = xlat_request;
    using tlm_phase_type = tlm::tlm_phase;
};

} // namespace walkway

#endif
