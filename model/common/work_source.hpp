/* SPDX-License-Identifier: MIT */
/* model/common/work_source.hpp - the block whose end of work is the end of the run. */
#ifndef WALKWAY_MODEL_COMMON_WORK_SOURCE_HPP
#define WALKWAY_MODEL_COMMON_WORK_SOURCE_HPP

#include "model/common/clock.hpp"

namespace walkway
{

class work_source
{
public:
    virtual ~work_source() = default;
    virtual bool done() const = 0;
    virtual tick ended() const = 0; /* end of the last work-group so far */
    virtual uint64_t groups_done() const = 0;
    virtual uint64_t groups_total() const = 0;
};

} // namespace walkway

#endif
