/* SPDX-License-Identifier: MIT */
/* model/os_event.hpp - an action of an operating system at a moment of a run: it changes pages, exchanges
 * tables, or has translations invalidated. docs/use/events.md. */
#ifndef WALKWAY_MODEL_OS_EVENT_HPP
#define WALKWAY_MODEL_OS_EVENT_HPP

#include "kernels/invalidate.h"
#include "model/page_change.hpp"

#include <string>

namespace walkway
{

struct os_event {
    enum class moment : uint8_t { cycle, launch };
    enum class action : uint8_t { change, flush, exchange };

    std::string where; /* "FILE:LINE", for messages */
    std::string text;  /* the line, without its comment */
    moment at = moment::cycle;
    uint64_t number = 0; /* number of the GPU's cycle, or of the kernel that begins, from 0 */
    action what = action::flush;
    page_change change = page_change::unmap; /* of the pages in `of` */
    page_span of = {0, 1, 0};
    uint16_t other = 0;        /* the other VM-ID of an exchange with of.vmid */
    ww_inval_scope scope = {}; /* of a flush */
    bool tables = false;       /* of a flush: includes inner nodes of tables */
};

/* Result of an event. */
struct os_event_result {
    bool due = false, acknowledged = false;
    uint64_t asked_cycle = 0, acknowledged_cycle = 0;
    change_result pages;
};

} // namespace walkway

#endif
