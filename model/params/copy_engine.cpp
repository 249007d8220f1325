/* SPDX-License-Identifier: MIT */
/* model/params/copy_engine.cpp - the parameters of the copy engine. */
#include "model/params/copy_engine.hpp"

namespace walkway
{

void copy_engine_params::visit(param_visitor &v)
{
    v.needs("driver.oversubscription");
    v.number("lines", lines, {"lines", 0, 4096, "on their way at a time; 0: pages move in no time"});
}

} // namespace walkway
