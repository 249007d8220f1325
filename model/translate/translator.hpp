/* SPDX-License-Identifier: MIT */
/* translate/translator.hpp - translation within a call: a stage's stores and their use, without queues, ports
 * and pending misses. The classes of this folder are no SystemC modules and need no simulation: blocks use
 * them for their state, and so may callers that translate without simulating (debug, loosely timed models,
 * other languages). docs/use/translate-now.md. */
#ifndef WALKWAY_TRANSLATE_TRANSLATOR_HPP
#define WALKWAY_TRANSLATE_TRANSLATOR_HPP

#include "kernels/invalidate.h"
#include "kernels/xlat.h"
#include "model/common/clock.hpp"

#include <cstddef>
#include <functional>

namespace walkway
{

/* look: nothing changes, order of use included. commit: changes what a translation alone in a machine
 * changes. */
enum class now_how : uint8_t { look, commit };

struct now_request {
    uint64_t va;
    uint16_t vmid;
};

struct now_answer {
    ww_xlat xlat; /* undefined with a fault */
    bool fault;
    tick at;           /* time at which the answer is at the requester */
    uint64_t walk = 0; /* of a fault: the walk's word at its end (kernels/table/table.h); 0: no walk */
};

class translator
{
public:
    /* Receives a store's name and bytes. */
    using state_fn = std::function<void(const char *store, const void *bytes, size_t size)>;

    virtual ~translator() = default;
    /* Translates a request that arrives at t. The answer leaves for above as if no other request were in
     * flight. */
    virtual now_answer translate_now(const now_request &r, tick t, now_how how) = 0;
    /* Enters a victim of the stage above, as with now_how::commit. Returns false if it takes none. */
    virtual bool fill_now(const ww_mapping &) { return false; }
    /* Page tables have changed, inner nodes included: drops all in scope here and below. */
    virtual void forget_now(const ww_inval_scope &scope) = 0;
    /* Shows its own stores; the level below has its own translator. */
    virtual void states(const state_fn &) const {}
    /* Returns NULL, or names the first broken invariant of its own stores. */
    virtual const char *check() const { return nullptr; }
};

} // namespace walkway

#endif
