/* SPDX-License-Identifier: MIT */
/* tb/graph/rules_test.cpp - tests graphs made by rule: each has the shape that its rule promises, a seed
 * always gives the same graph, and wrong rules are refused. */
#include "graph/measure.h"
#include "tb/graph/graph_fixture.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway_test;

namespace
{

ww_measure measured(const graph &g)
{
    ww_measure m;
    BOOST_REQUIRE(ww_measure_graph(&g.csr, &m));
    return m;
}

/* FNV-1a over the words of all arcs. */
uint64_t print_of(const graph &g)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const auto &arc : g.arcs())
        for (uint32_t word : arc)
            hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_grid_has_four_neighbours_inside)
{
    graph g;
    make(g, "grid:5x3");
    const ww_measure m = measured(g);
    BOOST_TEST(g.csr.vertices == 15u);
    BOOST_TEST(g.csr.edges == 2u * (4 * 3 + 5 * 2));
    BOOST_TEST(m.degree_min == 2u);
    BOOST_TEST(m.degree_max == 4u);
    BOOST_TEST(m.diameter == 6u);
    BOOST_TEST(m.one_way == 0u);
    BOOST_TEST(g.csr.column[g.csr.row[7]] == 2u);
    BOOST_TEST(g.csr.weight == nullptr);
}

BOOST_AUTO_TEST_CASE(a_road_network_is_sparse_connected_wide_and_near)
{
    for (const char *rule : {"road:20000", "road:n=20000,seed=2,aspect=4", "road:16"}) {
        graph g;
        make(g, rule);
        const ww_measure m = measured(g);
        BOOST_TEST_CONTEXT(rule)
        {
            BOOST_TEST(m.reached == g.csr.vertices);
            BOOST_TEST(m.one_way == 0u);
            BOOST_TEST(m.loops == 0u);
            BOOST_TEST(m.degree_min >= 1u);
            BOOST_TEST(m.degree_max <= 9u);
            BOOST_TEST(m.weight_min >= 1u);
            BOOST_TEST(m.weight_max <= 2000u);
            if (g.csr.vertices > 16) {
                BOOST_TEST((double)g.csr.edges / g.csr.vertices > 2.33);
                BOOST_TEST((double)g.csr.edges / g.csr.vertices < 2.37);
                BOOST_TEST(m.diameter > 250u);
                BOOST_TEST(m.near_1024 * 100 > g.csr.edges * 88);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_longer_map_has_more_hops)
{
    graph square, wide;
    make(square, "road:20000");
    make(wide, "road:20000,aspect=16");
    BOOST_TEST(measured(wide).diameter > measured(square).diameter * 3 / 2);
}

BOOST_AUTO_TEST_CASE(a_power_law_has_hubs_and_no_arc_twice)
{
    graph few, many;
    make(few, "power:n=10000,arcs=60000,uniform=100");
    make(many, "power:n=10000,arcs=60000,uniform=0");
    const ww_measure even = measured(few), skewed = measured(many);
    BOOST_TEST(few.csr.edges == 60000u);
    BOOST_TEST(many.csr.edges == 60000u);
    BOOST_TEST(skewed.repeats == 0u);
    BOOST_TEST(skewed.degree_max > 4 * even.degree_max);
    BOOST_TEST(skewed.one_way == 0u);
    BOOST_TEST(skewed.loops == 0u);
    BOOST_TEST(skewed.reached > 8000u);
}

BOOST_AUTO_TEST_CASE(a_power_law_may_be_as_dense_as_a_graph_can_be)
{
    graph g, beyond;
    make(g, "power:n=9,arcs=60,uniform=0");
    BOOST_TEST(g.csr.edges == 60u);
    BOOST_TEST(measured(g).repeats == 0u);
    make(beyond, "power:n=9,arcs=74");
    BOOST_TEST(beyond.error.text == "power: too many arcs for so few vertices");
}

BOOST_AUTO_TEST_CASE(sizes_are_foretold_as_they_come_out)
{
    for (const char *rule : {"grid:1x1", "grid:7x9", "power:n=500,arcs=4001", "road:16",
                             "road:100,aspect=1000", "road:5000,seed=4"}) {
        graph g, both;
        ww_csr sizes{};
        make(g, rule);
        BOOST_REQUIRE_EQUAL(ww_csr_undirected(&g.csr, &both.csr, &g.error), WW_OK);
        BOOST_TEST_CONTEXT(rule)
        {
            BOOST_TEST(ww_graph_foretell(rule, &sizes));
            BOOST_TEST(sizes.vertices == g.csr.vertices);
            BOOST_TEST(sizes.edges == g.csr.edges);
            BOOST_TEST(both.csr.edges == g.csr.edges);
        }
    }
    ww_csr sizes{};
    for (const char *rule : {"rmat:scale=4,edges=2", "rodinia:50", "a/file", "grid:x", "grid:16384x16384"})
        BOOST_TEST(!ww_graph_foretell(rule, &sizes), rule);
}

BOOST_AUTO_TEST_CASE(rmat_fills_its_quarters_unevenly)
{
    graph g, n, both;
    make(g, "rmat:scale=12,edges=8");
    BOOST_TEST(g.csr.vertices == 4096u);
    BOOST_TEST(g.csr.edges == 32768u);
    const ww_measure m = measured(g);
    BOOST_TEST(m.loops == 0u);
    BOOST_TEST(m.degree_max > 300u);
    BOOST_TEST(m.degrees[0] > 400u);
    make(n, "rmat:n=1000,arcs=5000");
    BOOST_TEST(n.csr.vertices == 1000u);
    BOOST_TEST(n.csr.edges == 5000u);
    make(both, "rmat:n=1000,arcs=5000,both=1");
    BOOST_TEST(both.csr.edges == 5000u);
    BOOST_TEST(measured(both).one_way == 0u);
}

BOOST_AUTO_TEST_CASE(rodinia_draws_two_to_four_edges_a_vertex)
{
    graph g;
    make(g, "rodinia:10000");
    const ww_measure m = measured(g);
    BOOST_TEST(m.degree_min >= 2u);
    BOOST_TEST(m.one_way == 0u);
    BOOST_TEST((double)g.csr.edges / 10000 > 5.9);
    BOOST_TEST((double)g.csr.edges / 10000 < 6.1);
    BOOST_TEST(m.weight_min == 1u);
    BOOST_TEST(m.weight_max == 10u);
}

/* A change of a generator changes every result that names it; then these numbers must change too. */
BOOST_AUTO_TEST_CASE(a_seed_makes_the_same_graph_for_ever)
{
    const std::pair<const char *, uint64_t> prints[] = {
        {"grid:7x9,weights=100", UINT64_C(17469969513386793891)},
        {"power:n=500,arcs=4000", UINT64_C(9003939634299946645)},
        {"rmat:scale=9,edges=4", UINT64_C(14945740617123465421)},
        {"road:1000", UINT64_C(13408870422847874525)},
        {"rodinia:300", UINT64_C(6542306921422408671)},
    };
    for (const auto &[rule, expected] : prints) {
        graph g, other;
        make(g, rule);
        make(other, std::string(rule) + ",seed=2");
        BOOST_TEST_CONTEXT(rule)
        {
            BOOST_TEST(print_of(g) == expected);
            BOOST_TEST(print_of(other) != expected);
        }
    }
}

BOOST_AUTO_TEST_CASE(weights_are_the_same_in_both_directions)
{
    graph g, both;
    make(g, "grid:20x20,weights=7");
    BOOST_REQUIRE_EQUAL(ww_csr_undirected(&g.csr, &both.csr, &g.error), WW_OK);
    BOOST_TEST((both.arcs() == g.arcs())); /* of unequal weights, the smaller would stay */
    const ww_measure m = measured(g);
    BOOST_TEST(m.weight_min == 1u);
    BOOST_TEST(m.weight_max == 7u);
}

BOOST_AUTO_TEST_CASE(measures_of_a_graph_that_can_be_counted_by_hand)
{
    graph g;
    read_text(g, "g.txt", "4\n0 3\n3 1\n4 2\n6 0\n0\n6\n1 5\n1 5\n2 2\n0 9\n2 1\n1 7\n");
    const ww_measure m = measured(g);
    BOOST_TEST(m.degree_min == 0u);
    BOOST_TEST(m.degree_max == 3u);
    BOOST_TEST(m.degrees[0] == 1u);
    BOOST_TEST(m.degrees[1] == 1u);
    BOOST_TEST(m.degrees[2] == 2u);
    BOOST_TEST(m.loops == 1u);
    BOOST_TEST(m.repeats == 1u);
    BOOST_TEST(m.one_way == 2u);
    BOOST_TEST(m.weight_min == 1u);
    BOOST_TEST(m.weight_max == 9u);
    BOOST_TEST(m.reached == 3u);
    BOOST_TEST(m.eccentricity == 1u);
    BOOST_TEST(m.near_64 == 6u);
    BOOST_TEST(m.pages == 1.0);
}

namespace
{

struct wrong_rule {
    const char *rule, *said;
};

std::ostream &operator<<(std::ostream &out, const wrong_rule &w)
{
    return out << w.rule;
}

#define RULES " (grid:WIDTHxHEIGHT, power:n=N,arcs=M, rmat:scale=S,edges=E, road:N, rodinia:N)"

const wrong_rule wrong_rules[] = {
    {"gird:3x3", "gird:3x3: no such rule" RULES},
    {"grid:", "grid:: a graph has 1 to 268435456 vertices" RULES},
    {"grid:5", "grid:5: the size must be WIDTHxHEIGHT"},
    {"grid:5x", "grid:5x: height must be a whole number"},
    {"grid:0x4", "grid:0x4: the size must be WIDTHxHEIGHT"},
    {"grid:5x0", "grid:5x0: height must be 1 to 268435456"},
    {"grid:100000x100000", "grid:100000x100000: a graph has 1 to 268435456 vertices" RULES},
    {"road:15", "road:15: n must be 16 to 268435456"},
    {"road:99999999999999999999", "road:99999999999999999999: n must be 16 to 268435456"},
    {"road:1000,speed=3", "road:1000,speed=3: unknown key 'speed'" RULES},
    {"road:1000,seed", "road:1000,seed: unknown key 'seed'" RULES},
    {"grid:5x0.1", "grid:5x0.1: height must be a whole number"},
    {"road:1000,seed=-5", "road:1000,seed=-5: seed must be a whole number"},
    {"road:1000,seed=x", "road:1000,seed=x: seed must be a whole number"},
    {"road:1000,aspect=0", "road:1000,aspect=0: aspect must be 1 to 1000"},
    {"rodinia:n=10,weights=4294967296", "rodinia:n=10,weights=4294967296: weights must be 0 to 4294967295"},
    {"rmat:scale=4", "rmat: either edges (of each vertex) or arcs (of all)"},
    {"rmat:scale=4,edges=1,arcs=1", "rmat: either edges (of each vertex) or arcs (of all)"},
    {"rmat:scale=4,n=4,edges=1", "rmat:scale=4,n=4,edges=1: either scale or n"},
    {"rmat:scale=28,edges=16", "rmat: at most 268435456 arcs"},
    {"power:n=100", "power: needs arcs, two an edge"},
    {"power:n=100,arcs=200,uniform=101", "power:n=100,arcs=200,uniform=101: uniform must be 0 to 100"},
};

} // namespace

BOOST_DATA_TEST_CASE(a_wrong_rule_is_told, boost::unit_test::data::make(wrong_rules))
{
    graph g;
    make(g, sample.rule);
    BOOST_TEST(g.code == WW_E_ARG);
    BOOST_TEST(g.error.text == sample.said);
}

BOOST_AUTO_TEST_CASE(what_is_no_rule_is_a_file)
{
    graph g;
    BOOST_TEST(ww_graph_open("gird:3x3", WW_GRAPH_AUTO, &g.csr, &g.error) == WW_E_ARG);
    BOOST_TEST(g.error.text == "gird:3x3: cannot open: No such file or directory");
    BOOST_TEST(ww_graph_open("grid:3x3", WW_GRAPH_AUTO, &g.csr, &g.error) == WW_OK);
}
