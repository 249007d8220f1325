/* SPDX-License-Identifier: MIT */
/* model/common/pending.hpp - pending misses: a file of MSHRs (kernels/store/mshr.h) and, for each of its
 * places, the waiter there, a request or a number. The kernel's state holds places only. */
#ifndef WALKWAY_MODEL_COMMON_PENDING_HPP
#define WALKWAY_MODEL_COMMON_PENDING_HPP

#include "kernels/store/mshr.h"
#include "model/common/kernel_blob.hpp"

#include <vector>

namespace walkway
{

/* Returns an estimate of the bytes on the host of pending misses whose waiters are pointers. */
inline uint64_t pending_bytes(const ww_mshr_cfg &cfg)
{
    return ww_mshr_bytes(&cfg) + (uint64_t{cfg.entries} + cfg.merges) * sizeof(void *) +
           cfg.entries * sizeof(uint32_t);
}

template <class WAITER> class pending_misses
{
public:
    static constexpr uint32_t none = WW_MSHR_NONE;

    /* With an illegal configuration ok() is false. */
    explicit pending_misses(const ww_mshr_cfg &cfg)
        : file_(kernel_blob(ww_mshr_bytes, ww_mshr_init, cfg)),
          waiters_(file_.bytes() == 0 ? 0 : uint64_t{cfg.entries} + cfg.merges)
    {
    }
    pending_misses() = default;
    bool ok() const { return file_.bytes() != 0; }

    uint32_t find(uint64_t key) const { return ww_mshr_find(file(), key); }
    /* True if there is no room for another request: to miss, or to join an entry. */
    bool full() const { return ww_mshr_full(file()); }
    bool no_place() const { return ww_mshr_pool_empty(file()); }
    /* Allocates the entry of a key. Required: the key has none, and the file is not full. */
    uint32_t miss(uint64_t key, WAITER who)
    {
        const uint32_t entry = ww_mshr_alloc(file(), key);
        waiters_[entry] = who;
        return entry;
    }
    /* Required: there is a place. */
    void join(uint32_t entry, WAITER who) { waiters_[ww_mshr_join(file(), entry)] = who; }
    /* Calls f(waiter) for the waiters of an entry in order of arrival; the one that missed comes first. */
    template <class F> void each(uint32_t entry, F f) const
    {
        f(waiters_[entry]);
        each_joined(entry, f);
    }
    template <class F> void each_joined(uint32_t entry, F f) const
    {
        for (uint32_t at = entry; (at = ww_mshr_next(file(), entry, at)) != none;)
            f(waiters_[at]);
    }
    WAITER &first(uint32_t entry) { return waiters_[entry]; }
    void free(uint32_t entry) { ww_mshr_free(file(), entry); }
    /* Return the entries in use, and all waiters: those that missed and those that joined. */
    uint32_t count() const { return ww_mshr_count(file()); }
    uint32_t waiting() const { return ww_mshr_waiting(file()); }

private:
    ww_mshr *file() { return file_.as<ww_mshr>(); }
    const ww_mshr *file() const { return file_.as<ww_mshr>(); }

    blob file_;
    std::vector<WAITER> waiters_;
};

} // namespace walkway

#endif
