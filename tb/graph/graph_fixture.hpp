/* SPDX-License-Identifier: MIT */
/* tb/graph/graph_fixture.hpp - graphs for tests: a graph that frees itself, its arcs as a list, and graphs
 * read from texts. */
#ifndef WW_TB_GRAPH_FIXTURE_HPP
#define WW_TB_GRAPH_FIXTURE_HPP

#include "graph/graph.h"

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace walkway_test
{

struct graph {
    ww_csr csr{};
    ww_graph_error error{};
    int code = WW_E_ARG;

    graph() = default;
    graph(const graph &) = delete;
    graph &operator=(const graph &) = delete;
    ~graph() { ww_csr_free(&csr); }

    /* {from, to, weight} in row order; the weight is 0 if the graph has none */
    std::vector<std::array<uint32_t, 3>> arcs() const
    {
        std::vector<std::array<uint32_t, 3>> list;
        for (uint32_t v = 0; v < csr.vertices; ++v)
            for (uint32_t i = csr.row[v]; i < csr.row[v + 1]; ++i)
                list.push_back({v, csr.column[i], csr.weight != nullptr ? csr.weight[i] : 0});
        return list;
    }
    std::vector<std::array<uint32_t, 3>> sorted_arcs() const
    {
        auto list = arcs();
        std::sort(list.begin(), list.end());
        return list;
    }
};

/* Writes `text` to a file of that name in the working folder, reads it and removes it. */
inline void read_text(graph &g, const std::string &name, const std::string &text,
                      ww_graph_format format = WW_GRAPH_AUTO)
{
    std::ofstream(name, std::ios::binary) << text;
    g.code = ww_graph_read(name.c_str(), format, &g.csr, &g.error);
    std::remove(name.c_str());
    BOOST_REQUIRE_EQUAL(g.code == WW_OK, g.error.text[0] == 0);
    if (g.code == WW_OK)
        BOOST_REQUIRE_EQUAL(ww_csr_check(&g.csr) == nullptr, true);
}

inline void make(graph &g, const std::string &rule)
{
    g.code = ww_graph_make(rule.c_str(), &g.csr, &g.error);
    BOOST_REQUIRE_EQUAL(g.code == WW_OK, g.error.text[0] == 0);
    if (g.code == WW_OK)
        BOOST_REQUIRE_EQUAL(ww_csr_check(&g.csr) == nullptr, true);
}

} // namespace walkway_test

#endif
