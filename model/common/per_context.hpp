/* SPDX-License-Identifier: MIT */
/* model/common/per_context.hpp - one object for all blocks of a simulation context. */
#ifndef WALKWAY_MODEL_COMMON_PER_CONTEXT_HPP
#define WALKWAY_MODEL_COMMON_PER_CONTEXT_HPP

#include <systemc>

#include <memory>

namespace walkway
{

/* Returns the T of the current context, made at first use; it lives as long as a reference to it. With make =
 * false returns null if there is none. */
template <class T> std::shared_ptr<T> per_context(bool make = true)
{
    static sc_core::sc_simcontext *context = nullptr;
    static std::weak_ptr<T> last;
    std::shared_ptr<T> object = last.lock();
    if (object == nullptr || context != sc_core::sc_get_curr_simcontext()) {
        if (!make)
            return nullptr;
        object = std::make_shared<T>();
        last = object;
        context = sc_core::sc_get_curr_simcontext();
    }
    return object;
}

} // namespace walkway

#endif
