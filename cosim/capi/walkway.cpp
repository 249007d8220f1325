/* SPDX-License-Identifier: MIT */
/* capi/walkway.cpp - the C functions: they check arguments and turn exceptions into status codes. */
#include "capi/walkway.h"

#include "capi/object.hpp"
#include "capi/refusal.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

using namespace walkway;

namespace
{

thread_local char last_error[1024];

int fail(int status, const char *text)
{
    std::snprintf(last_error, sizeof last_error, "%s", text);
    return status;
}

/* Catches every exception: none may reach C. */
template <class F> int guarded(F f) noexcept
{
    try {
        return f();
    } catch (const refusal &e) {
        return fail(e.code(), e.what());
    } catch (const std::bad_alloc &) {
        return fail(WALKWAY_E_MEMORY, "the host has no memory for it");
    } catch (const std::exception &e) {
        return fail(WALKWAY_E_INTERNAL, e.what());
    } catch (...) {
        return fail(WALKWAY_E_INTERNAL, "something was thrown that is no exception");
    }
}

/* Returns WALKWAY_OK, or the status with which on() refuses the object. */
int usable(const walkway_chain *w)
{
    if (w == nullptr)
        return fail(WALKWAY_E_ARGUMENT, "the object is NULL");
    if (const_cast<walkway_chain *>(w)->chain.memory().reading)
        return fail(WALKWAY_E_BUSY, "called from inside the object's own read function");
    return w->broken ? fail(WALKWAY_E_INTERNAL, "the object has met a defect of the library before")
                     : WALKWAY_OK;
}

/* Runs a call on an object. An internal error leaves the object broken. An exception of the caller's read
 * function is rethrown to the caller and leaves the object usable. */
template <class F> int on(walkway_chain *w, F f)
{
    if (const int status = usable(w))
        return status;
    const int status = guarded(f);
    caller_memory &memory = w->chain.memory();
    if (memory.thrown != nullptr) {
        memory.counting = false;
        std::rethrow_exception(std::exchange(memory.thrown, nullptr));
    }
    if (status == WALKWAY_E_INTERNAL)
        w->broken = true;
    return status;
}
template <class F> int on(const walkway_chain *w, F f)
{
    return on(const_cast<walkway_chain *>(w), f);
}

int null(const char *what)
{
    return fail(WALKWAY_E_ARGUMENT, (std::string(what) + " is NULL").c_str());
}

int bytes_out(const std::string &all, void *buffer, size_t bytes, size_t *needed)
{
    if (buffer == nullptr && bytes != 0)
        return fail(WALKWAY_E_ARGUMENT, "the buffer is NULL, and not of 0 bytes");
    if (needed != nullptr)
        *needed = all.size();
    if (bytes < all.size())
        return fail(WALKWAY_E_SPACE, ("the buffer has " + std::to_string(bytes) + " bytes, and " +
                                      std::to_string(all.size()) + " are needed")
                                         .c_str());
    std::memcpy(buffer, all.data(), all.size());
    return WALKWAY_OK;
}

int text_out(std::string text, char *buffer, size_t bytes, size_t *needed)
{
    text.push_back(0);
    return bytes_out(text, buffer, bytes, needed);
}

int wrong_vmid(const walkway_chain *w, uint32_t vmid)
{
    return vmid < w->options.vmids
               ? WALKWAY_OK
               : fail(WALKWAY_E_ARGUMENT, ("vmid " + std::to_string(vmid) + ": the object has " +
                                           std::to_string(w->options.vmids) + " (options.vmids)")
                                              .c_str());
}

/* Sets *scope to the 4 KiB pages of the range, in the stages' addresses. Returns false if the table's format
 * has none of its addresses. */
bool scope_of(const walkway_chain *w, uint16_t vmid, uint64_t va, uint64_t bytes, ww_inval_scope *scope)
{
    const uint64_t last = bytes - 1 > UINT64_MAX - va ? UINT64_MAX : va + (bytes - 1);
    uint64_t from = va, to = last;
    const bool low = w->chain.known_address(&from), high = w->chain.known_address(&to);
    *scope = ww_inval_space(vmid);
    if (w->chain.sign_extended() && (!low || !high || va >> 63 != last >> 63))
        return true; /* touches the hole between the halves: the whole VM-ID */
    if (!low)
        return false;
    if (!high)
        to = w->chain.last_address();
    from &= ~ww_page_mask(WW_PAGE_4K);
    to |= ww_page_mask(WW_PAGE_4K);
    *scope = ww_inval_range(from, to - from + 1, vmid);
    return true;
}

} // namespace

/* Reports a broken contract of a kernel as an internal error. */
extern "C" void ww_assert_fail(const char *expr, const char *file, int line)
{
    throw refusal(WALKWAY_E_INTERNAL, std::string(file) + ":" + std::to_string(line) + ": " + expr);
}

uint32_t walkway_version(void)
{
    return WALKWAY_VERSION;
}

const char *walkway_status_name(int status)
{
    switch (status) {
#define X(name, value, text)                                                                                 \
    case value:                                                                                              \
        return "WALKWAY_" #name;
        WALKWAY_STATUS_LIST(X)
#undef X
    default:
        return "?";
    }
}

const char *walkway_status_text(int status)
{
    switch (status) {
#define X(name, value, text)                                                                                 \
    case value:                                                                                              \
        return text;
        WALKWAY_STATUS_LIST(X)
#undef X
    default:
        return "?";
    }
}

const char *walkway_fault_name(unsigned reason)
{
    static const char *const names[] = {
#define X(name, text) #name,
        WALKWAY_FAULT_LIST(X)
#undef X
    };
    return reason < WALKWAY_FAULT_REASONS ? names[reason] : "?";
}

const char *walkway_fault_text(unsigned reason)
{
    static const char *const texts[] = {
#define X(name, text) text,
        WALKWAY_FAULT_LIST(X)
#undef X
    };
    return reason < WALKWAY_FAULT_REASONS ? texts[reason] : "?";
}

const char *walkway_last_error(void)
{
    return last_error;
}

int walkway_create(const char *platform, const struct walkway_options *options,
                   struct walkway_chain **created)
{
    return guarded([&] {
        if (platform == nullptr || created == nullptr)
            return null(platform == nullptr ? "platform" : "created");
        *created = std::make_unique<walkway_chain>(platform, options).release();
        return int{WALKWAY_OK};
    });
}

void walkway_destroy(struct walkway_chain *w)
{
    delete w;
}

uint32_t walkway_units(const struct walkway_chain *w)
{
    return w == nullptr ? 0 : w->chain.units();
}

int walkway_map_memory(struct walkway_chain *w, uint64_t pa, const void *host, uint64_t bytes,
                       uint64_t latency_ps)
{
    return on(w, [&] {
        if (host == nullptr)
            return null("host");
        if (pa % 64 != 0 || bytes % 64 != 0 || bytes == 0 || pa + bytes < pa)
            return fail(WALKWAY_E_ARGUMENT,
                        "pa and bytes have to be multiples of 64, bytes not 0, and their sum "
                        "below 2^64");
        if (latency_ps > most_latency_ps)
            return fail(WALKWAY_E_ARGUMENT, "latency_ps is above 2^50");
        const int status = w->chain.memory().map(pa, host, bytes, latency_ps);
        return status == WALKWAY_OK ? status : fail(status, walkway_status_text(status));
    });
}

int walkway_set_reader(struct walkway_chain *w, walkway_read_fn read, void *user)
{
    return on(w, [&] {
        w->chain.memory().set_reader(read, user);
        return int{WALKWAY_OK};
    });
}

int walkway_set_root(struct walkway_chain *w, uint32_t vmid, uint64_t root_pa)
{
    return on(w, [&] {
        if (const int status = wrong_vmid(w, vmid))
            return status;
        if ((root_pa & ~WW_WALK_PA) != 0)
            return fail(WALKWAY_E_ARGUMENT, "root_pa is not a multiple of 4096 below 2^52");
        w->set_root(static_cast<uint16_t>(vmid), true, root_pa);
        return int{WALKWAY_OK};
    });
}

int walkway_clear_root(struct walkway_chain *w, uint32_t vmid)
{
    return on(w, [&] {
        if (const int status = wrong_vmid(w, vmid))
            return status;
        w->set_root(static_cast<uint16_t>(vmid), false, 0);
        return int{WALKWAY_OK};
    });
}

/* Refuses null pointers and illegal accesses. */
static int wrong_access(const walkway_chain *w, const walkway_access *access, const void *result)
{
    if (access == nullptr || result == nullptr)
        return null(access == nullptr ? "access" : "result");
    const char *why = w->wrong(*access);
    return why == nullptr ? WALKWAY_OK : fail(WALKWAY_E_ARGUMENT, why);
}

int walkway_look(const struct walkway_chain *w, const struct walkway_access *access,
                 struct walkway_result *result)
{
    return on(w, [&] {
        if (const int status = wrong_access(w, access, result))
            return status;
        return const_cast<walkway_chain *>(w)->answer(*access, now_how::look, result);
    });
}

int walkway_translate(struct walkway_chain *w, const struct walkway_access *access,
                      struct walkway_result *result)
{
    return on(w, [&] {
        if (const int status = wrong_access(w, access, result))
            return status;
        return w->commit(*access, result);
    });
}

int walkway_translate_batch(struct walkway_chain *w, const struct walkway_access *accesses,
                            struct walkway_result *results, size_t count, size_t *done)
{
    return on(w, [&] {
        int all = WALKWAY_OK;
        if (done != nullptr)
            *done = 0;
        if (count != 0 && (accesses == nullptr || results == nullptr))
            return null(accesses == nullptr ? "accesses" : "results");
        for (size_t i = 0; i < count; ++i) {
            if (const char *why = w->wrong(accesses[i]))
                return fail(WALKWAY_E_ARGUMENT,
                            (std::string(why) + " (the " + std::to_string(i) + "th)").c_str());
            all |= w->commit(accesses[i], &results[i]);
            if (done != nullptr)
                *done = i + 1;
        }
        return all;
    });
}

int walkway_submit(struct walkway_chain *w, const struct walkway_access *access, uint64_t tag)
{
    return on(w, [&] {
        if (const int status = wrong_access(w, access, w))
            return status;
        if (w->pending.size() == w->options.pending)
            return fail(WALKWAY_E_FULL, "options.pending answers are pending: poll first");
        pending_answer one = {};
        w->commit(*access, &one.result);
        one.result.tag = tag;
        one.number = w->submissions++;
        w->pending.push_back(one);
        std::push_heap(w->pending.begin(), w->pending.end(), due_later);
        ++w->counts.submitted;
        w->counts.pending_most = std::max<uint64_t>(w->counts.pending_most, w->pending.size());
        return int{WALKWAY_OK};
    });
}

int walkway_poll(struct walkway_chain *w, struct walkway_result *result)
{
    return on(w, [&] {
        if (result == nullptr)
            return null("result");
        if (w->pending.empty() || w->pending.front().result.done_ps > w->now_ps)
            return int{WALKWAY_EMPTY};
        std::pop_heap(w->pending.begin(), w->pending.end(), due_later);
        *result = w->pending.back().result;
        w->pending.pop_back();
        ++w->counts.polled;
        return result->fault == WALKWAY_FAULT_NONE ? int{WALKWAY_OK} : int{WALKWAY_FAULT};
    });
}

int walkway_next_due(const struct walkway_chain *w, uint64_t *due_ps)
{
    return on(w, [&] {
        if (due_ps == nullptr)
            return null("due_ps");
        if (w->pending.empty())
            return int{WALKWAY_EMPTY};
        *due_ps = w->pending.front().result.done_ps;
        return int{WALKWAY_OK};
    });
}

int walkway_advance(struct walkway_chain *w, uint64_t ps)
{
    return on(w, [&] {
        if (ps > most_time_ps - w->now_ps)
            return fail(WALKWAY_E_ARGUMENT, "time would pass 2^62 ps");
        w->now_ps += ps;
        return int{WALKWAY_OK};
    });
}

uint64_t walkway_now(const struct walkway_chain *w)
{
    return w == nullptr ? 0 : w->now_ps;
}

int walkway_invalidate_page(struct walkway_chain *w, uint32_t vmid, uint64_t va)
{
    return walkway_invalidate_range(w, vmid, va, 1);
}

int walkway_invalidate_range(struct walkway_chain *w, uint32_t vmid, uint64_t va, uint64_t bytes)
{
    return on(w, [&] {
        if (const int status = wrong_vmid(w, vmid))
            return status;
        if (bytes == 0)
            return fail(WALKWAY_E_ARGUMENT, "bytes is 0");
        ww_inval_scope scope = {};
        if (scope_of(w, static_cast<uint16_t>(vmid), va, bytes, &scope))
            w->forget(scope);
        else
            ++w->counts.invalidates;
        return int{WALKWAY_OK};
    });
}

int walkway_invalidate_vmid(struct walkway_chain *w, uint32_t vmid)
{
    return on(w, [&] {
        if (const int status = wrong_vmid(w, vmid))
            return status;
        w->forget(ww_inval_space(static_cast<uint16_t>(vmid)));
        return int{WALKWAY_OK};
    });
}

int walkway_invalidate_all(struct walkway_chain *w)
{
    return on(w, [&] {
        w->forget(ww_inval_all());
        return int{WALKWAY_OK};
    });
}

int walkway_next_fault(struct walkway_chain *w, struct walkway_fault *fault)
{
    return on(w, [&] {
        if (fault == nullptr)
            return null("fault");
        if (w->queued_faults == 0)
            return int{WALKWAY_EMPTY};
        *fault = w->faults[w->first_fault];
        w->first_fault = (w->first_fault + 1) % w->faults.size();
        --w->queued_faults;
        return int{WALKWAY_OK};
    });
}

int walkway_statistics(const struct walkway_chain *w, char *buffer, size_t bytes, size_t *needed)
{
    return on(w, [&] { return text_out(w->statistics(), buffer, bytes, needed); });
}

int walkway_parameters(const struct walkway_chain *w, char *buffer, size_t bytes, size_t *needed)
{
    return on(w, [&] { return text_out(w->parameters_text(), buffer, bytes, needed); });
}

int walkway_reset_statistics(struct walkway_chain *w)
{
    return on(w, [&] {
        w->reset_statistics();
        return int{WALKWAY_OK};
    });
}

int walkway_snapshot(const struct walkway_chain *w, void *buffer, size_t bytes, size_t *needed)
{
    return on(w, [&] { return bytes_out(w->snapshot(), buffer, bytes, needed); });
}

int walkway_restore(struct walkway_chain *w, const void *snapshot, size_t bytes)
{
    return on(w, [&] {
        if (snapshot == nullptr)
            return null("snapshot");
        w->restore(snapshot, bytes);
        return int{WALKWAY_OK};
    });
}

uint64_t walkway_state_hash(const struct walkway_chain *w)
{
    uint64_t hash = 0;
    on(w, [&] {
        hash = w->state_hash();
        return int{WALKWAY_OK};
    });
    return hash;
}
