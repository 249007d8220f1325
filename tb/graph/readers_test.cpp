/* SPDX-License-Identifier: MIT */
/* tb/graph/readers_test.cpp - reads correct files: every format and variant gives the same graph. Also tests
 * the choice of the reader and the transforms of a graph. */
#include "tb/graph/graph_fixture.hpp"
#include "tb/support/packed.hpp"

#include <chrono>
#include <sys/stat.h>
#include <thread>

using namespace walkway_test;
using walkway_tb::gzipped;
using walkway_tb::packed;
using arc = std::array<uint32_t, 3>;
using arcs = std::vector<arc>;

namespace
{

/* A triangle 0 1 2 and a tail 2 3, weights 5 6 7 8. */
const arcs triangle{{0, 1, 5}, {0, 2, 7}, {1, 0, 5}, {1, 2, 6}, {2, 0, 7}, {2, 1, 6}, {2, 3, 8}, {3, 2, 8}};

const char *const mtx = "%%MatrixMarket matrix coordinate integer symmetric\n% a comment\n\n4 4 4\n"
                        "2 1 5\n3 2 6\n3 1 7\n4 3 8\n";
const char *const gr =
    "c a comment\np sp 4 8\na 1 2 5\na 2 1 5\na 2 3 6\na 3 2 6\nc more\na 3 1 7\na 1 3 7\na 3 4 8\na 4 3 8\n";
const char *const edges =
    "# a comment\n10 20 5\n20 10 5\n20 30 6\n30 20 6\n10 30 7\n30 10 7\n30 40 8\n40 30 8\n";
const char *const metis = "% a comment\n4 4 1\n2 5 3 7\n1 5 3 6\n% another\n1 7 2 6 4 8\n3 8\n";
const char *const rodinia = "4\n0 2\n2 2\n4 3\n7 1\n\n0\n\n8\n1 5\n2 7\n0 5\n2 6\n0 7\n1 6\n3 8\n2 8\n";

} // namespace

BOOST_AUTO_TEST_CASE(every_format_says_the_same_graph)
{
    const std::pair<const char *, const char *> files[] = {
        {"g.mtx", mtx}, {"g.gr", gr}, {"g.el", edges}, {"g.graph", metis}, {"g.txt", rodinia}};
    for (const auto &[name, text] : files) {
        graph g;
        read_text(g, name, text);
        BOOST_TEST_CONTEXT(name << ": " << g.error.text)
        {
            BOOST_TEST(g.csr.vertices == 4u);
            BOOST_TEST((g.sorted_arcs() == triangle));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_packed_file_says_the_same_in_one_stream_or_two)
{
    const std::string text = gr;
    for (const std::string &bytes : {packed(text), packed(text.substr(0, 40)) + packed(text.substr(40))}) {
        graph g;
        read_text(g, "g.gr.xz", bytes);
        BOOST_TEST((g.sorted_arcs() == triangle));
    }
}

BOOST_AUTO_TEST_CASE(a_file_packed_by_gzip_says_the_same)
{
    for (const std::string &bytes :
         {gzipped(gr), gzipped(std::string(gr).substr(0, 40)) + gzipped(std::string(gr).substr(40))}) {
        graph g;
        read_text(g, "g.gr.gz", bytes);
        BOOST_TEST((g.sorted_arcs() == triangle));
    }
    graph named;
    read_text(named, "g.metis.gz", gzipped("2 1\n2\n1\n"));
    BOOST_TEST((named.arcs() == arcs{{0, 1, 0}, {1, 0, 0}}), "by its name without .gz");
}

/* Edge lists whose first lines resemble Rodinia's (a number, pairs that begin with 0), and Rodinia's
 * files. */
BOOST_AUTO_TEST_CASE(lists_that_begin_like_rodinias_files_are_lists)
{
    const struct {
        const char *what, *text;
        uint32_t vertices;
        uint64_t arcs;
        bool weighted;
    } rows[] = {
        {"Gnutella: comments, then arcs of vertex 0",
         "# Directed graph: p2p\n# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n0\t1\n0\t2\n0\t3\n", 4, 3,
         false},
        {"the same behind its number of vertices", "4\n0\t1\n0\t2\n0\t3\n", 4, 3, false},
        {"a path", "4\n0 1\n1 2\n2 3\n", 4, 3, false},
        {"a path there and back", "3\n0 1\n1 0\n1 2\n2 1\n", 3, 4, false},
        {"as many lines as Rodinia's vertices, then a further arc", "2\n0 1\n1 1\n1 0\n", 2, 3, false},
        {"vertices, arcs, arcs", "3\n2\n0 1\n1 2\n", 3, 2, false},
        {"Rodinia's own", rodinia, 4, 8, true},
        {"Rodinia's of one vertex", "1\n0 1\n0\n1\n0 7\n", 1, 1, true},
        {"Rodinia's of many", "9\n0 1\n1 1\n2 0\n2 0\n2 0\n2 0\n2 0\n2 0\n2 0\n0\n2\n1 5\n0 5\n", 9, 2, true},
    };
    for (const auto &row : rows) {
        graph g;
        read_text(g, "p2p-list.txt", row.text);
        BOOST_TEST(g.error.text == "", row.what);
        BOOST_TEST(g.csr.vertices == row.vertices, row.what);
        BOOST_TEST(g.csr.edges == row.arcs, row.what);
        BOOST_TEST((g.csr.weight != nullptr) == row.weighted, row.what);
    }
}

BOOST_AUTO_TEST_CASE(a_file_longer_than_a_block_is_read_whole)
{
    std::string text = "p sp 70000 70000\n";
    for (int i = 1; i <= 70000; ++i)
        text +=
            "a " + std::to_string(i) + " " + std::to_string(i % 70000 + 1) + " " + std::to_string(i) + "\n";
    for (const std::string &bytes : {text, packed(text)}) {
        graph g;
        read_text(g, "g.gr", bytes);
        BOOST_REQUIRE_EQUAL(g.csr.edges, 70000u);
        for (uint32_t v = 0; v < 70000; ++v)
            BOOST_REQUIRE(
                (g.csr.row[v] == v && g.csr.column[v] == (v + 1) % 70000 && g.csr.weight[v] == v + 1));
    }
}

BOOST_AUTO_TEST_CASE(the_first_words_decide_before_the_name_and_the_name_before_the_shape)
{
    graph a, b, c, d;
    read_text(a, "g.graph", mtx);
    BOOST_TEST((a.sorted_arcs() == triangle));
    read_text(b, "g.txt", gr);
    BOOST_TEST((b.sorted_arcs() == triangle));
    read_text(c, "g.edges.xz", packed("0 1\n0 2\n"));
    BOOST_TEST((c.arcs() == arcs{{0, 1, 0}, {0, 2, 0}}));
    read_text(d, "g.metis", "2 1\n2\n1\n");
    BOOST_TEST((d.arcs() == arcs{{0, 1, 0}, {1, 0, 0}}));
}

BOOST_AUTO_TEST_CASE(a_stated_format_decides_before_all)
{
    graph g;
    read_text(g, "g.mtx", "1 2\n2 1\n", WW_GRAPH_EDGES);
    BOOST_TEST((g.arcs() == arcs{{0, 1, 0}, {1, 0, 0}}));
}

BOOST_AUTO_TEST_CASE(marks_and_line_ends_of_other_systems_are_no_part_of_the_text)
{
    graph g;
    read_text(g, "g.txt", "\xef\xbb\xbf# x\r\n1\t2\r\n2 1");
    BOOST_TEST((g.arcs() == arcs{{0, 1, 0}, {1, 0, 0}}));
}

BOOST_AUTO_TEST_CASE(matrix_market_in_all_its_types)
{
    const std::string head = "%%MatrixMarket matrix coordinate ";
    graph pattern, real, skew, upper, diagonal;
    read_text(pattern, "g.mtx", head + "pattern general\n3 3 2\n1 2\n1 3\n");
    BOOST_TEST((pattern.arcs() == arcs{{0, 1, 0}, {0, 2, 0}}));
    BOOST_TEST(pattern.csr.weight == nullptr);
    read_text(real, "g.mtx",
              head + "real general\n3 3 5\n1 2 -10.4\n1 3 1e-9\n2 1 0\n2 3 2.5\n3 1 4294967295\n");
    BOOST_TEST((real.arcs() == arcs{{0, 1, 10}, {0, 2, 1}, {1, 0, 0}, {1, 2, 3}, {2, 0, 4294967295u}}));
    read_text(skew, "g.mtx", "%%MatrixMarket Matrix COORDINATE Integer Skew-Symmetric\n3 3 1\n2 1 -4\n");
    BOOST_TEST((skew.arcs() == arcs{{0, 1, 4}, {1, 0, 4}}));
    read_text(upper, "g.mtx", head + "pattern symmetric\n3 3 1\n1 3\n");
    BOOST_TEST((upper.arcs() == arcs{{0, 2, 0}, {2, 0, 0}}));
    read_text(diagonal, "g.mtx", head + "pattern symmetric\n3 3 1\n2 2\n");
    BOOST_TEST((diagonal.arcs() == arcs{{1, 1, 0}}));
}

BOOST_AUTO_TEST_CASE(matrix_market_as_it_is_found)
{
    graph one_mark, capitals, small, complex, hermitian, large;
    read_text(one_mark, "g.txt",
              "%MatrixMarket matrix coordinate pattern symmetric \n% x\n 3 3 2\n  2 1\n3 1 \n");
    BOOST_TEST((one_mark.arcs() == arcs{{0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {2, 0, 0}}));
    read_text(capitals, "g.mtx",
              "\r\n%%MATRIXMARKET MATRIX COORDINATE REAL GENERAL\r\n2 2 1\r\n\r\n1 2 7\r\n");
    BOOST_TEST((capitals.arcs() == arcs{{0, 1, 7}}));
    read_text(small, "g.mtx", "%%matrixmarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -3\n");
    BOOST_TEST((small.arcs() == arcs{{0, 1, 3}, {1, 0, 3}}));
    const std::string head = "%%MatrixMarket matrix coordinate ";
    read_text(complex, "g.mtx", head + "complex general\n2 2 2\n1 2 3 -4\n2 1 0 0\n");
    BOOST_TEST((complex.arcs() == arcs{{0, 1, 5}, {1, 0, 0}}));
    read_text(hermitian, "g.mtx", head + "complex hermitian\n2 2 2\n1 1 9 0\n2 1 0 -4\n");
    BOOST_TEST((hermitian.arcs() == arcs{{0, 0, 9}, {0, 1, 4}, {1, 0, 4}}));
    read_text(large, "g.mtx", head + "real general\n2 2 3\n1 1 -1e12\n1 2 4294967294.4\n2 1 4294967294.5\n");
    BOOST_TEST((large.arcs() == arcs{{0, 0, 4294967295u}, {0, 1, 4294967294u}, {1, 0, 4294967295u}}));
    graph integer, natural, listed;
    read_text(natural, "g.mtx", head + "unsigned-integer symmetric\n2 2 1\n2 1 7\n");
    BOOST_TEST((natural.arcs() == arcs{{0, 1, 7}, {1, 0, 7}}));
    read_text(listed, "g.mtx", head + "pattern symmetric\n% 4 4 3\n2 1\n3 1\n4 1\n", WW_GRAPH_EDGES);
    BOOST_TEST((listed.arcs() == arcs{{0, 1, 0}, {0, 2, 0}, {0, 3, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}));
    read_text(integer, "g.mtx", head + "integer general\n2 2 1\n1 2 -4294967296\n");
    BOOST_TEST((integer.arcs() == arcs{{0, 1, 4294967295u}}));
}

BOOST_AUTO_TEST_CASE(dimacs_colouring_has_an_arc_each_way_and_counts_edges_once_or_twice)
{
    const arcs triangle_only{{0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {1, 2, 0}, {2, 0, 0}, {2, 1, 0}};
    for (const char *head : {"c x\np edge 3 3\n", "p col 3 6\nn 1 4\n", "p edges 3 3\n"}) {
        graph g;
        read_text(g, "g.col", std::string(head) + "e 1 2\nc y\ne 2 3\ne 3 1\n");
        BOOST_TEST((g.sorted_arcs() == triangle_only));
        BOOST_TEST(g.csr.weight == nullptr);
    }
    graph twice;
    read_text(twice, "g.col", "p edge 2 1\ne 1 2\ne 2 1\n");
    BOOST_TEST((twice.arcs() == arcs{{0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {1, 0, 0}}));
}

BOOST_AUTO_TEST_CASE(edge_lists_with_commas_or_times)
{
    graph commas, times, late;
    read_text(commas, "g.csv", "1,2,0.5\n2, 3,\t4\n");
    BOOST_TEST((commas.arcs() == arcs{{0, 1, 1}, {1, 2, 4}}));
    read_text(times, "out.x", "% sym signed\n% 3 3 3\n1 2 1 1082008561\n2 3\t-1 1082414391.5\n1 3 7\n");
    BOOST_TEST((times.arcs() == arcs{{0, 1, 1}, {0, 2, 7}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 0, 7}}));
    read_text(late, "g.txt", "1 2 1582040961123\n");
    BOOST_TEST((late.arcs() == arcs{{0, 1, 4294967295u}}));
}

BOOST_AUTO_TEST_CASE(an_undirected_list_has_each_edge_both_ways)
{
    const arcs both{{0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {1, 1, 0}, {2, 0, 0}},
        one_way{{0, 1, 0}, {0, 2, 0}, {1, 1, 0}};
    const struct {
        const char *head;
        bool undirected;
    } rows[] = {
        {"% sym unweighted\n", true},
        {"% sym unweighted\n% 3 3 3\n", true},
        {"%sym positive\n", true},
        {"# Undirected graph: ../../data/output/dblp.ungraph.txt\n# Nodes: 3 Edges: 3\n# "
         "FromNodeId\tToNodeId\n",
         true},
        {"# Undirected graph (each unordered pair of nodes is saved once): as.txt\n", true},
        {"# undirected network\n", true},
        {"%%MatrixMarket matrix coordinate pattern symmetric\n", true},
        {"%%MatrixMarket matrix coordinate pattern Skew-Symmetric\n", true},
        {"% asym unweighted\n", false},
        {"# Directed graph: x\n", false},
        {"# Directed graph (each unordered pair of nodes is saved once): x\n", false},
        {"# Undirected\n", false},
        {"# Undirected Edges: 5\n", false},
        {"# symmetric\n", false},
        {"%%MatrixMarket matrix coordinate pattern general\n", false},
    };
    for (const auto &row : rows) {
        graph once;
        read_text(once, "g.txt", std::string(row.head) + "1 2\n1 3\n2 2\n", WW_GRAPH_EDGES);
        BOOST_TEST((once.sorted_arcs() == (row.undirected ? both : one_way)), row.head << once.error.text);
    }
    for (const char *head :
         {"% sym unweighted\n", "# Undirected graph: x\n# Nodes: 3 Edges: 5\n", "# Undirected graph: x\n"}) {
        graph twice;
        read_text(twice, "g.txt", std::string(head) + "1 2\n2 1\n2 2\n3 1\n1 3\n");
        BOOST_TEST((twice.sorted_arcs() == both), head << twice.error.text);
    }
    graph halves, repeated, wrong, late, weights;
    read_text(halves, "g.txt", "# Undirected graph: x\n# Nodes: 3 Edges: 2\n1 2\n2 1\n3 1\n1 3\n");
    BOOST_TEST((halves.sorted_arcs() == arcs{{0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {2, 0, 0}}));
    read_text(repeated, "g.txt", "% sym\n1 2\n1 2\n2 1\n"); /* three edges */
    BOOST_TEST(
        (repeated.sorted_arcs() == arcs{{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}));
    read_text(wrong, "g.txt", "# Undirected graph: x\n# Nodes: 3 Edges: 2\n1 2\n2 1\n3 1\n2 3\n");
    BOOST_TEST(wrong.error.text ==
               "g.txt:6: the header states 2 arcs, the file has at least 4"
               " (taken for edges by its first lines; if it is not: --format mtx|gr|metis|rodinia)");
    read_text(late, "g.txt", "1 2\n% sym is said too late\n1 3\n");
    BOOST_TEST((late.arcs() == arcs{{0, 1, 0}, {0, 2, 0}}));
    read_text(weights, "g.txt", "% sym weighted\n1 2 5\n2 3 6\n");
    BOOST_TEST((weights.sorted_arcs() == arcs{{0, 1, 5}, {1, 0, 5}, {1, 2, 6}, {2, 1, 6}}));
}

BOOST_AUTO_TEST_CASE(lines_may_end_with_a_carriage_return_alone)
{
    const std::pair<const char *, const char *> files[] = {
        {"g.mtx", mtx}, {"g.gr", gr}, {"g.el", edges}, {"g.graph", metis}, {"g.txt", rodinia}};
    for (const auto &[name, text] : files)
        for (const char *end : {"\r", "\r\n", "\r\r\n"})
            for (bool compressed : {false, true}) {
                std::string other;
                for (const char *c = text; *c != 0; ++c)
                    other += *c == '\n' ? std::string(end) : std::string(1, *c);
                graph g;
                read_text(g, name, compressed ? packed(other) : other);
                BOOST_TEST((g.sorted_arcs() == triangle), name << " " << g.error.text);
            }
    graph empty_lines, mistake, long_line, lone;
    read_text(empty_lines, "g.graph", "3 1\r\r3\r2\r");
    BOOST_TEST((empty_lines.arcs() == arcs{{1, 2, 0}, {2, 1, 0}}));
    read_text(mistake, "g.el", "1 2\r2 3\r3 x\r");
    BOOST_TEST(mistake.error.text == "g.el:3: a vertex is 'x', not a number");
    read_text(long_line, "g.el", "#" + std::string(60000, 'x') + "\r1 2\r2 3\r");
    BOOST_TEST((long_line.arcs() == arcs{{0, 1, 0}, {1, 2, 0}}));
    read_text(lone, "g.el", "1 2 \n2\r3\n"); /* a CR within a line that ends in LF is a blank */
    BOOST_TEST((lone.arcs() == arcs{{0, 1, 0}, {1, 2, 0}}));
}

/* The first piece of the pipe ends within the first line. */
BOOST_AUTO_TEST_CASE(how_lines_end_is_told_by_the_first_one_however_a_pipe_gives_it)
{
    const std::string name = "pipe";
    BOOST_REQUIRE(mkfifo(name.c_str(), 0600) == 0);
    std::thread writer([&name] {
        std::ofstream pipe(name, std::ios::binary);
        for (const char *piece : {"# a comment", " of one line", "\r", "1 2\r2", " 3\r"}) {
            pipe << piece << std::flush;
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
        }
    });
    graph g;
    g.code = ww_graph_read(name.c_str(), WW_GRAPH_EDGES, &g.csr, &g.error);
    writer.join();
    std::remove(name.c_str());
    BOOST_TEST((g.arcs() == arcs{{0, 1, 0}, {1, 2, 0}}), g.error.text);
}

BOOST_AUTO_TEST_CASE(metis_with_format_100_has_sizes_or_is_a_multigraph)
{
    graph sizes, multi, empty, fours;
    read_text(sizes, "g.graph", "3 2 100\n9 2 3\n8 1\n7 1\n");
    BOOST_TEST((sizes.arcs() == arcs{{0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {2, 0, 0}}));
    read_text(multi, "g.graph", "3 7 100\n1 2 2 3\n1 1\n1\n"); /* a loop is listed once */
    BOOST_TEST(
        (multi.arcs() == arcs{{0, 0, 0}, {0, 1, 0}, {0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}}));
    read_text(empty, "g.graph", "3 2 100\n\n3\n2\n");
    BOOST_TEST((empty.arcs() == arcs{{1, 2, 0}, {2, 1, 0}}));
    read_text(
        fours, "g.graph", "2000 1000 100\n" + [] {
            std::string lines;
            for (int v = 1; v <= 2000; ++v)
                lines += "5 " + std::to_string(v % 2 != 0 ? v + 1 : v - 1) + "\n";
            return lines;
        }());
    BOOST_TEST(fours.csr.edges == 2000u, fours.error.text);
}

BOOST_AUTO_TEST_CASE(metis_passes_over_the_weights_of_vertices_and_keeps_those_of_edges)
{
    graph sizes, constraints, plain;
    read_text(sizes, "g.graph", "3 1 111\n9 9 2 4\n8 8 1 4\n7 7\n");
    BOOST_TEST((sizes.arcs() == arcs{{0, 1, 4}, {1, 0, 4}}));
    read_text(constraints, "g.graph", "2 1 10 2\n9 9 2\n8 8 1\n");
    BOOST_TEST((constraints.arcs() == arcs{{0, 1, 0}, {1, 0, 0}}));
    read_text(plain, "g.graph", "3 1\n\n3\n2\n\n\n");
    BOOST_TEST((plain.arcs() == arcs{{1, 2, 0}, {2, 1, 0}}));
}

BOOST_AUTO_TEST_CASE(ids_of_an_edge_list_become_vertices_in_rising_order)
{
    graph g;
    read_text(g, "g.el", "18446744073709551614 7\n7 1000000000000\n");
    BOOST_TEST((g.arcs() == arcs{{0, 1, 0}, {2, 0, 0}}));
}

BOOST_AUTO_TEST_CASE(both_headers_of_edge_lists_are_understood)
{
    graph comment, lines, isolated;
    read_text(comment, "g.txt", "# Directed graph: x\n# Nodes: 2 Edges: 1\n# FromNodeId\tToNodeId\n1 2\n");
    BOOST_TEST((comment.arcs() == arcs{{0, 1, 0}}));
    read_text(lines, "g.txt", "2\n1\n1 2\n");
    BOOST_TEST((lines.arcs() == arcs{{0, 1, 0}}));
    read_text(isolated, "g.txt", "# Nodes: 5 Edges: 1\n# Nodes: many\n1 2\n");
    BOOST_TEST(isolated.csr.vertices == 2u);
}

BOOST_AUTO_TEST_CASE(rodinia_keeps_the_order_of_the_file)
{
    graph g;
    read_text(g, "g.txt", "3\n0 3\n3 0\n3 1\n2\n4\n2 1\n0 1\n1 1\n0 9\n");
    BOOST_TEST((g.arcs() == arcs{{0, 2, 1}, {0, 0, 1}, {0, 1, 1}, {2, 0, 9}}));
}

BOOST_AUTO_TEST_CASE(turned_over_every_arc_points_back)
{
    graph g, turned, again;
    read_text(g, "g.el", "0 2 7\n0 1 3\n2 1 4\n2 2 5\n");
    BOOST_REQUIRE_EQUAL(ww_csr_transpose(&g.csr, &turned.csr, &g.error), WW_OK);
    BOOST_TEST((turned.arcs() == arcs{{1, 0, 3}, {1, 2, 4}, {2, 0, 7}, {2, 2, 5}}));
    BOOST_REQUIRE_EQUAL(ww_csr_transpose(&turned.csr, &again.csr, &g.error), WW_OK);
    BOOST_TEST((again.arcs() == g.sorted_arcs()));
}

BOOST_AUTO_TEST_CASE(undirected_it_has_each_edge_twice_and_no_loop)
{
    graph g, both;
    read_text(g, "g.el", "0 2 7\n2 0 3\n0 1 4\n0 1 9\n2 2 5\n");
    BOOST_REQUIRE_EQUAL(ww_csr_undirected(&g.csr, &both.csr, &g.error), WW_OK);
    BOOST_TEST((both.arcs() == arcs{{0, 1, 4}, {0, 2, 3}, {1, 0, 4}, {2, 0, 3}}));
    BOOST_TEST((ww_csr_check(&both.csr) == nullptr));
}
