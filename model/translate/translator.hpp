/* SPDX-License-Identifier: MIT */
/* translate/translator.hpp - translating within a call: a stage's stores and what it does with them, without
 * queues, ports and pending misses. Objects of this folder are no SystemC modules and need no simulation:
 * blocks hold them for their state, and so may callers that translate without simulating (debug, loosely
 * timed models, other languages). docs/use/translate-now.md. */
#ifndef WALKWAY_TRANSLATE_TRANSLATOR_HPP
#define WALKWAY_TRANSLATE_TRANSLATOR_HPP

#include "kernels/invalidate.h"
#include "kernels/xlat.h"
#include "model/common/clock.hpp"

#include <cstddef>
#include <functional>

namespace walkway
{

/* look: nothing changes, the order of use included. commit: what changes is what a translation changes that
 * is alone in a machine. */
enum class now_how : uint8_t { look, commit };

struct now_request {
    uint64_t va;
    uint16_t vmid;
};

struct now_answer {
    ww_xlat xlat; /* nothing with a fault */
    bool fault;
    tick at;           /* the answer is at the requester */
    uint64_t walk = 0; /* of a fault the walk's word as it ended (kernels/table/table.h); 0: no walk */
};

class translator
{
public:
    /* A store by its name, and its bytes. */
    using state_fn = std::function<void(const char *store, const void *bytes, size_t size)>;

    virtual ~translator() = default;
    /* The request is here at t; its answer leaves for above as if nothing else were under way. */
    virtual now_answer translate_now(const now_request &r, tick t, now_how how) = 0;
    /* A victim of the stage above, as with now_how::commit. False: this one takes none. */
    virtual bool fill_now(const ww_mapping &) { return false; }
    /* Page tables have been written, inner nodes too: here and below nothing in scope is held any more. */
    virtual void forget_now(const ww_inval_scope &scope) = 0;
    /* Its own stores; what is below has its own translator. */
    virtual void states(const state_fn &) const {}
    /* NULL, or the first broken invariant of its own stores. */
    virtual const char *check() const { return nullptr; }
};

} // namespace walkway

#endif
