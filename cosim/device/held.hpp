/* SPDX-License-Identifier: MIT */
/* device/held.hpp - what a call holds while it waits. A process that is killed or reset while it waits leaves
 * the call by an exception (sc_unwind_exception), so nothing is given back by a line of code behind a wait:
 * each thing that is taken is an object here, whose destructor lets go. */
#ifndef WALKWAY_DEVICE_HELD_HPP
#define WALKWAY_DEVICE_HELD_HPP

#include "model/common/pool.hpp"

#include <tlm>

#include <cstdint>

namespace walkway
{

/* True if the current process may wait. Before the simulation runs no process may, although SystemC names the
 * last one made as the current one. */
inline bool may_wait_here()
{
    if (!sc_core::sc_is_running())
        return false;
    const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
    return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

/* An object of a pool. */
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

/* One more, for as long as it lives. */
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

/* A flag that is set for a call. */
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

/* An extension that is the caller's, not the payload's to free. */
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
