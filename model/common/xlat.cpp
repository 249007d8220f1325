/* SPDX-License-Identifier: MIT */
/* model/common/xlat.cpp - accounts and routes that need more room than a request has. */
#include "model/common/xlat.hpp"

namespace walkway
{

/* Extends the last segment if it has the same cause, otherwise adds one. A segment goes into `rest` if no
 * place is left or it is too long for one; so do all after it. */
void xlat_request::add_segment(cause c, tick part)
{
    if ((segments & more) == 0) {
        const bool goes_on = segments != 0 && in_place[segments - 1].why == c;
        const tick length = part + (goes_on ? in_place[segments - 1].ps : 0);
        segments = static_cast<uint8_t>(segments - (goes_on ? 1 : 0));
        if (length <= UINT32_MAX && segments < places) {
            in_place[segments++] = place{static_cast<uint32_t>(length), c};
            return;
        }
        make_room().segments.assign(1, account_segment{c, length}); /* drops those of an earlier use */
        segments |= more;
        return;
    }
    std::vector<account_segment> &behind = rest->segments;
    if (behind.back().why == c)
        behind.back().ps += part;
    else
        behind.push_back(account_segment{c, part});
}

void xlat_request::enter_deep(uint8_t port)
{
    if ((depth & more) == 0)
        make_room().route.clear();
    depth |= more;
    rest->route.push_back(port);
}

uint8_t xlat_request::leave_deep()
{
    const uint8_t port = rest->route.back();
    rest->route.pop_back();
    if (rest->route.empty())
        depth = hops;
    return port;
}

} // namespace walkway
