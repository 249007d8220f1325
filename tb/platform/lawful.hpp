/* SPDX-License-Identifier: MIT */
/* tb/platform/lawful.hpp - a machine of any wiring runs a program to its end, and no law is broken. */
#ifndef WW_TB_PLATFORM_LAWFUL_HPP
#define WW_TB_PLATFORM_LAWFUL_HPP

#include "tb/platform/machines.hpp"

namespace walkway::test
{

inline void runs_lawfully(const machine_case &of, const trace &t)
{
    const std::unique_ptr<platform_config> config = config_of(of);
    BOOST_TEST(config->validate() == "");
    simulation sim;
    const auto made = config->build(t.reader());
    BOOST_TEST((made->run({}) == run_end::complete), made->stuck());
    for (const law &l : made->laws())
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
}

} // namespace walkway::test

#endif
