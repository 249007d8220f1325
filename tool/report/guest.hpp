/* SPDX-License-Identifier: MIT */
/* report/guest.hpp - the results of a guest's accesses, for programs and for people. */
#ifndef WALKWAY_REPORT_GUEST_HPP
#define WALKWAY_REPORT_GUEST_HPP

#include "guest/session.hpp"
#include "run/statistics.hpp"

#include <iosfwd>
#include <string>

namespace walkway
{

/* Returns {"headline", "disagreements", "statistics", "laws"}. */
json guest_json(const guest_session &session);
void print_guest(std::ostream &out, const guest_session &session, const std::string &platform,
                 const std::string &end, double seconds);

} // namespace walkway

#endif
