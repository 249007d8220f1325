/* SPDX-License-Identifier: MIT */
/* tb/cli/made_figures.hpp - a study's figure from made-up results, and what it claims and guards. */
#ifndef WW_TB_CLI_MADE_FIGURES_HPP
#define WW_TB_CLI_MADE_FIGURES_HPP

#include "study/study.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace walkway::test
{

inline figure made(const study &s, const std::string &id, const study_results &results)
{
    for (const figure_def &f : s.figures)
        if (f.id == id)
            return make_figure(s, f, results);
    BOOST_FAIL("no figure " << id);
    return {};
}

inline double claimed(const figure &f, const std::string &text)
{
    for (const figure_claim &c : f.claims)
        if (c.text == text)
            return c.ours;
    BOOST_FAIL("no claim " << text);
    return 0;
}

inline double guarded(const figure &f, const std::string &text)
{
    for (const figure_guard &g : f.guards)
        if (g.text == text)
            return g.ours;
    BOOST_FAIL("no guard " << text);
    return 0;
}

} // namespace walkway::test

#endif
