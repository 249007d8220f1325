/* SPDX-License-Identifier: MIT */
/* device/held.hpp - objects for what a call holds while it waits. A process that is killed or reset while it
 * waits leaves the call by an exception (sc_unwind_exception), so no line of code after a wait may give
 * anything back: each resource is an object here, whose destructor releases it. */
#ifndef WALKWAY_DEVICE_HELD_HPP
#define WALKWAY_DEVICE_HELD_HPP

#include "model/common/pool.hpp"

#include <tlm>

#include <cstdint>

namespace walkway
{

/* True if the current process may wait. Before the simulation runs none may, although SystemC returns the
 * last one made as the current one. */
inline bool may_wait_here()
{
    if (!sc_core::sc_is_running())
        return false;
    const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
    return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

/* Takes an object of a pool for its lifetime. */
template <class T> class borrowed
{
public:
    explicit borrowed(pool<T> &from) : from_(from), object_(from.take()) {}
    ~borrowed() { from_.give(object_); }
    borrowed(const borrowed &) = delete;
    borrowed &operator=(const borrowed &) = delete;
    T &operator*() const { return object_; }
    T *operator->() const { return &object_; }

private:
    pool<T> &from_;
    T &object_;
};

/* Adds 1 to n for its lifetime. */
class counted
{
public:
    explicit counted(unsigned &n) : n_(n) { ++n_; }
    ~counted() { --n_; }
    counted(const counted &) = delete;
    counted &operator=(const counted &) = delete;

private:
    unsigned &n_;
};

/* Sets a flag for its lifetime, then restores it. */
class while_here
{
public:
    explicit while_here(bool &flag) : flag_(flag), before_(flag) { flag_ = true; }
    ~while_here() { flag_ = before_; }
    while_here(const while_here &) = delete;
    while_here &operator=(const while_here &) = delete;

private:
    bool &flag_;
    bool before_;
};

/* Gives a foreign payload another address, and restores its own at the end. */
class readdressed
{
public:
    readdressed(tlm::tlm_generic_payload &p, uint64_t address) : p_(p), own_(p.get_address())
    {
        p.set_address(address);
    }
    ~readdressed() { p_.set_address(own_); }
    readdressed(const readdressed &) = delete;
    readdressed &operator=(const readdressed &) = delete;

private:
    tlm::tlm_generic_payload &p_;
    uint64_t own_;
};

/* Sets an extension that the caller owns, and clears it at the end. */
template <class E> class carried
{
public:
    carried(tlm::tlm_generic_payload &p, E &e) : p_(p) { p.set_extension(&e); }
    ~carried() { p_.template clear_extension<E>(); }
    carried(const carried &) = delete;
    carried &operator=(const carried &) = delete;

private:
    tlm::tlm_generic_payload &p_;
};

} // namespace walkway

#endif
