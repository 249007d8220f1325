/* SPDX-License-Identifier: MIT */
/* tb/support/checked_links.hpp - interposes a checker of the base protocol in every memory link of the
 * machines that are made while this object exists. Construct it after the simulation and destroy the machines
 * before it. */
#ifndef WW_TB_SUPPORT_CHECKED_LINKS_HPP
#define WW_TB_SUPPORT_CHECKED_LINKS_HPP

#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "tb/support/base_protocol_checker.hpp"

namespace walkway::test
{

class checked_links
{
public:
    using from = out_port<mem_protocol>;
    using to = in_port<mem_protocol>;
    base_protocol rules;

    checked_links()
    {
        rules.outlives = true;
        rules.now = [] { /* a machine's blocks run ahead of SystemC's time */
                         const auto all = scheduler::if_any();
                         return all == nullptr ? sc_core::sc_time_stamp() : all->scale().time(all->now());
        };
        from::between = [this](from &above, to &below) { rules.interpose(above, below); };
    }
    ~checked_links() { from::between = nullptr; }
    checked_links(const checked_links &) = delete;
    checked_links &operator=(const checked_links &) = delete;
};

} // namespace walkway::test

#endif
