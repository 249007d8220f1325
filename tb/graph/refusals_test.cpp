/* SPDX-License-Identifier: MIT */
/* tb/graph/refusals_test.cpp - reads wrong files, one row per mistake: the message has file and line, and the
 * sizes that a header states allocate no memory. */
#include "tb/graph/graph_fixture.hpp"
#include "tb/support/packed.hpp"

#include <boost/test/data/test_case.hpp>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace walkway_test;

namespace
{

struct mistake {
    const char *name, *text, *said;
};

std::ostream &operator<<(std::ostream &out, const mistake &m)
{
    return out << m.name << ": " << m.said;
}

#define MM "%%MatrixMarket matrix coordinate "

#define RODINIA_GUESSED " (taken for rodinia by its first lines; if it is not: --format mtx|gr|edges|metis)"
#define EDGES_GUESSED " (taken for edges by its first lines; if it is not: --format mtx|gr|metis|rodinia)"

const mistake mistakes[] = {
    /* any format */
    {"g.txt", "", "g.txt: is empty"},
    {"g.txt", "\n\n  \n", "g.txt:3: has no line of data"},
    {"g.txt", "%", "g.txt:1: has no line of data"},
    {"g.txt", "# only a comment\n", "g.txt:1: has no line of data"},
    {"g.el", "0 1\n1 \x01 2\n", "g.el:2: byte 0x01: not a text file"},
    {"g.el",
     "\x7f"
     "ELF",
     "g.el:1: byte 0x7f: not a text file"},
    {"g.gr", "\x1f\x8b\x07 and so on", "g.gr: cannot unpack: it is damaged, or something follows it"},
    {"g.gr", "BZh91AY", "g.gr: is compressed by bzip2; plain text, .xz or .gz is read"},
    {"g.gr", "\x28\xb5\x2f\xfd.", "g.gr: is compressed by zstd; plain text, .xz or .gz is read"},
    {"g.mtx", "PK\x03\x04 and so on", "g.mtx: is compressed by zip; plain text, .xz or .gz is read"},
    {"g.gr.xz",
     "\xfd"
     "7zXZ",
     "g.gr.xz: cannot unpack: it is cut off"},
    {"g.gr.xz",
     "\xfd"
     "7zXZ?this is not it at all",
     "g.gr.xz: cannot unpack: it is no .xz file"},
    /* MatrixMarket */
    {"g.mtx", "2 1\n3 1\n",
     "g.mtx:1: the first line is not '%%MatrixMarket matrix coordinate ...' (bare pairs of numbers: --format "
     "edges)"},
    {"g.mtx", "%%%MatrixMarket matrix coordinate pattern general\n",
     "g.mtx:1: the first line is not '%%MatrixMarket matrix coordinate ...' (bare pairs of numbers: --format "
     "edges)"},
    {"g.mtx", MM "signed-integer general\n",
     "g.mtx:1: the type of values is 'signed-integer', which is not read"},
    {"g.mtx", MM "unsigned-integer general\n2 2 1\n1 2 -5\n", "g.mtx:3: a value is '-5', less than 0"},
    {"g.mtx", MM "pattern symmetric\n% 4 4 3\n2 1\n3 1\n4 1\n",
     "g.mtx:3: the line ends where the number of entries should be (line 2, a comment, looks like the line "
     "of "
     "sizes; without one, --format edges reads the file)"},
    {"g.mtx", MM "integer general\n%%\n%4 4 3\n1 1 1\n3 1 5\n4 1 6\n",
     "g.mtx:5: vertex 3 is not one of 1 to 1 (line 3, a comment, looks like the line of sizes; without one, "
     "--format edges reads the file)"},
    {"g.mtx", MM "integer general\n% 4 4 1 1\n% 4 4\n% 4 4 x\n2 2 2\n1 1 1\n",
     "g.mtx:6: the header states 2 entries, the file ends after 1"},
    {"g.mtx", MM "real hermitean\n", "g.mtx:1: the symmetry is 'hermitean', which is not read"},
    {"g.mtx", "%%MatrixMarket matrix array real general\n",
     "g.mtx:1: the layout is 'array', which is not read"},
    {"g.mtx", "%%MatrixMarket vector coordinate real general\n",
     "g.mtx:1: the object is 'vector', which is not read"},
    {"g.mtx", MM "real\n", "g.mtx:1: the line ends where the symmetry should be"},
    {"g.mtx", MM "real general\n% x\n", "g.mtx:2: the file ends before its line of sizes"},
    {"g.mtx", MM "real general\n2 3 1\n",
     "g.mtx:2: a graph's matrix is square, this one has 2 rows and 3 columns"},
    {"g.mtx", MM "real general\n2 2\n", "g.mtx:2: the line ends where the number of entries should be"},
    {"g.mtx", MM "real general\n2 2 1 1\n", "g.mtx:2: '1' is one word too many"},
    {"g.mtx", MM "real general\n0 0 0\n", "g.mtx:2: a graph without vertices"},
    {"g.mtx", MM "pattern general\n2 2 1\n1 3\n", "g.mtx:3: vertex 3 is not one of 1 to 2"},
    {"g.mtx", MM "pattern general\n2 2 1\n0 1\n", "g.mtx:3: vertex 0 is not one of 1 to 2"},
    {"g.mtx", MM "pattern general\n2 2 1\n1 two\n", "g.mtx:3: a vertex is 'two', not a number"},
    {"g.mtx", MM "pattern general\n2 2 1\n1 -2\n", "g.mtx:3: a vertex is '-2', less than 0"},
    {"g.mtx", MM "pattern general\n2 2 1\n1 2 3\n", "g.mtx:3: '3' is one word too many"},
    {"g.mtx", MM "real general\n2 2 1\n1 2\n", "g.mtx:3: the line ends where a value should be"},
    {"g.mtx", MM "real general\n2 2 1\n1 2 x\n", "g.mtx:3: a value is 'x', not a number"},
    {"g.mtx", MM "real general\n2 2 1\n1 2 nan\n", "g.mtx:3: a value is 'nan', not a number"},
    {"g.mtx", MM "real general\n2 2 1\n1 2 1e999\n",
     "g.mtx:3: a value is '1e999', too large: they go to 1.79e308"},
    {"g.mtx", MM "complex general\n2 2 1\n1 2 3\n", "g.mtx:3: the line ends where a value should be"},
    {"g.mtx", MM "complex general\n2 2 1\n1 2 3 i\n", "g.mtx:3: a value is 'i', not a number"},
    {"g.mtx", MM "integer general\n2 2 1\n1 2 18446744073709551616\n",
     "g.mtx:3: a value is 18446744073709551616, at most 18446744073709551615 goes"},
    {"g.mtx", MM "integer general\n2 2 1\n1 2 1.5\n", "g.mtx:3: a value is '1.5', not a whole number"},
    {"g.mtx", MM "integer skew-symmetric\n2 2 1\n1 1 4\n",
     "g.mtx:3: a skew-symmetric matrix has no entries on its diagonal"},
    {"g.mtx", MM "pattern general\n2 2 2\n1 2\n",
     "g.mtx:3: the header states 2 entries, the file ends after 1"},
    {"g.mtx", MM "pattern general\n2 2 1\n1 2\n2 1\n",
     "g.mtx:4: the header states 1 entries, the file has at least 2"},
    {"g.mtx", MM "pattern general\n99999999999 99999999999 1\n",
     "g.mtx:2: the number of vertices is 99999999999, at most 268435456 goes"},
    {"g.mtx", MM "pattern general\n2 2 99999999999999999999999\n",
     "g.mtx:2: the number of entries is 99999999999999999999999, at most 268435456 goes"},
    /* DIMACS */
    {"g.gr", "c x\na 1 2 3\n",
     "g.gr:2: a line 'a' before the header 'p sp vertices arcs' or 'p edge vertices edges'"},
    {"g.gr", "c x\n",
     "g.gr:1: the file ends without a header 'p sp vertices arcs' or 'p edge vertices edges'"},
    {"g.gr", "p max 2 1\n", "g.gr:1: the header's problem is 'max', only sp, edge and col are read"},
    {"g.gr", "p\n", "g.gr:1: the header's problem is '', only sp, edge and col are read"},
    {"g.gr", "p sp\n", "g.gr:1: the line ends where the number of vertices should be"},
    {"g.gr", "p sp 2\n", "g.gr:1: the line ends where the number of arcs should be"},
    {"g.gr", "p sp 0 0\n", "g.gr:1: a graph without vertices"},
    {"g.gr", "p sp 2 1\np sp 2 1\na 1 2 3\n", "g.gr:2: a second header"},
    {"g.gr", "p sp 2 1\ne 1 2 3\n", "g.gr:2: a line of DIMACS begins with a, c or p, not 'e'"},
    {"g.gr", "p sp 2 1\na 1 3 3\n", "g.gr:2: vertex 3 is not one of 1 to 2"},
    {"g.gr", "p sp 2 1\na 1 2\n", "g.gr:2: the line ends where a weight should be"},
    {"g.gr", "p sp 2 1\na 1\n", "g.gr:2: the line ends where a vertex should be"},
    {"g.gr", "p sp 2 1\na 1 2 3 4\n", "g.gr:2: '4' is one word too many"},
    {"g.gr", "p sp 2 1\na 1 2 99999999999\n", "g.gr:2: a weight is 99999999999, at most 4294967295 goes"},
    {"g.gr", "p sp 2 1\na 1 2 -3\n", "g.gr:2: a weight is '-3', less than 0"},
    {"g.gr", "p sp 2 2\na 1 2 3\n", "g.gr:2: the header states 2 arcs, the file ends after 1"},
    {"g.gr", "p sp 2 1\na 1 2 3\na 2 1 3\n", "g.gr:3: the header states 1 arcs, the file has at least 2"},
    {"g.col", "p edge 3 3\na 1 2 3\n", "g.col:2: a line of DIMACS begins with c, e, n or p, not 'a'"},
    {"g.col", "p edge 3\n", "g.col:1: the line ends where the number of edges should be"},
    {"g.col", "p edge 3 3\ne 1 2 3\n", "g.col:2: '3' is one word too many"},
    {"g.col", "p edge 3 3\ne 1 4\n", "g.col:2: vertex 4 is not one of 1 to 3"},
    {"g.col", "p col 3 3\ne 1 2\ne 2 3\n", "g.col:3: the header states 3 edges, the file ends after 2"},
    {"g.col", "p col 3 1\ne 1 2\ne 2 3\ne 3 1\n",
     "g.col:4: the header states 1 edges, the file has at least 3"},
    {"g.col", "p col 3 1\ne 1 2\n\x01", "g.col:3: byte 0x01: not a text file"},
    /* edge lists */
    {"g.el", "1 2\n3\n", "g.el:2: the line ends where the end of the arc should be"},
    {"g.el", "1 x\n", "g.el:1: a vertex is 'x', not a number"},
    {"g.el", "1 99999999999999999999\n",
     "g.el:1: a vertex is 99999999999999999999, at most 18446744073709551614 goes"},
    {"g.el", "1 2 3\n2 1\n",
     "g.el:2: the arc has no weight, unlike line 1: if that is a header, take it away"},
    {"g.el", "# x\n1 2\n2 1 3\n",
     "g.el:3: the arc has a weight, unlike line 2: if that is a header, take it away"},
    {"g.el", "1 2 3\n2 1 3\n2 1\n", "g.el:3: the line ends where a value should be"},
    {"g.el", "1 2\n2 1\n2 1 3\n", "g.el:3: '3' is one word too many"},
    {"g.el", "1 -2\n", "g.el:1: a vertex is '-2', less than 0"},
    {"g.el", "0.1 2\n", "g.el:1: a vertex is '0.1', not a whole number"},
    {"g.el", "1 1E310\n", "g.el:1: a vertex is '1E310', too large"},
    {"g.el", "1 -1E310\n", "g.el:1: a vertex is '-1E310', less than 0"},
    {"g.el", "1 1e3\n", "g.el:1: a vertex is '1e3', not a whole number in digits alone"},
    {"g.el", "1 +5\n", "g.el:1: a vertex is '+5', not a whole number in digits alone"},
    {"g.el", "1 -inf\n", "g.el:1: a vertex is '-inf', not a number"},
    {"g.el", "1 -\n", "g.el:1: a vertex is '-', not a number"},
    {"g.el", "1 2 -1E310\n", "g.el:1: a value is '-1E310', too large: they go to 1.79e308"},
    {"g.el", "1 2 inf\n", "g.el:1: a value is 'inf', not a number"},
    {"g.el", "1 2 0.3333333333333333333333333333333333333333333333333333333333333333\n",
     "g.el:1: a value is '0.333333333333333333...', of 63 letters or more"},
    {"g.el", "1 2 3 4 5\n", "g.el:1: '5' is one word too many"},
    {"g.el", "1 2 3 today\n", "g.el:1: a value is 'today', not a number"},
    {"out.x", "% bip unweighted\n1 1\n",
     "out.x:1: a bipartite list, whose two sides have ids of their own, is no graph" EDGES_GUESSED},
    {"g.csv", "id_1,id_2\n1,2\n", "g.csv:1: a vertex is 'id_1', not a number" EDGES_GUESSED},
    {"g.el", "2\n2\n1 2\n", "g.el:3: the header states 2 arcs, the file ends after 1"},
    {"g.el", "1\n1\n1 2\n", "g.el:3: the header states 1 vertices, the arcs have 2"},
    {"g.el", "2\n1\n1\n1 2\n", "g.el:3: a second header"},
    {"g.el", "2\n1\n", "g.el:2: the header states 1 arcs, the file ends after 0"},
    {"g.el", "2\n", "g.el:1: the file ends without an arc"},
    {"g.el", "# Nodes: 2 Edges: 3\n1 2\n", "g.el:2: the header states 3 arcs, the file ends after 1"},
    {"g.el", "# Nodes: 2 Edges: 1\n# Nodes: 2 Edges: 1\n1 2\n", "g.el:2: a second header"},
    /* METIS */
    {"g.graph", "% x\n", "g.graph:1: the file ends before its header 'vertices edges [fmt [ncon]]'"},
    {"g.graph", "2\n", "g.graph:1: the line ends where the number of edges should be"},
    {"g.graph", "0 0\n", "g.graph:1: a graph without vertices"},
    {"g.graph", "2 1 2\n", "g.graph:1: fmt is '2', not up to three digits of 0 and 1"},
    {"g.graph", "2 1 0001\n", "g.graph:1: fmt is '0001', not up to three digits of 0 and 1"},
    {"g.graph", "2 1 -1\n", "g.graph:1: fmt is '-1', not up to three digits of 0 and 1"},
    {"g.graph", "3 2 100\n2 3\n1\n\n",
     "g.graph:4: the header states 2 edges with fmt 100: 4 neighbours behind a size of each vertex, or 2 "
     "without sizes; the file has 3 numbers"},
    {"g.graph", "2 2 100\n3\n1\n",
     "g.graph:3: vertex 3, the first neighbour of vertex 1, is not one of 1 to 2"},
    {"g.graph", "2 2 100\n-3\n1\n", "g.graph:2: a vertex or its size is '-3', less than 0"},
    /* by name */
    {"g.mesh", "2 1\n1 2 3\n2 3 4\n",
     "g.mesh: by its name (.mesh) it is a mesh of METIS, elements and their nodes; m2gmetis makes a graph of "
     "it: no graph; if it is one, state --format"},
    {"g.hgr", "1 2\n1 2\n",
     "g.hgr: by its name (.hgr) it is a hypergraph of hMETIS, whose edges have any number of vertices: no "
     "graph; if it is one, state --format"},
    {"g.graph", "2 1 11 x\n", "g.graph:1: ncon is 'x', not a number"},
    {"g.graph", "2 1 11 1 1\n", "g.graph:1: '1' is one word too many"},
    {"g.graph", "2 1\n3\n1\n", "g.graph:2: vertex 3 is not one of 1 to 2"},
    {"g.graph", "2 1 1\n2\n1\n", "g.graph:2: the line ends where a weight should be"},
    {"g.graph", "2 1 10\n\n", "g.graph:2: the line ends where a vertex's size or weight should be"},
    {"g.graph", "2 1\n2\n", "g.graph:2: the header states 2 vertices, a line each, the file ends after 1"},
    {"g.graph", "2 1\n2\n\n", "g.graph:3: the header states 2 arcs, two an edge, the file ends after 1"},
    {"g.graph", "2 1\n2 2 2\n1\n",
     "g.graph:2: the header states 2 arcs, two an edge, the file has at least 3"},
    {"g.graph", "2 1\n2\n1\n1\n", "g.graph:4: a line too many: the header states 2 vertices"},
    /* Rodinia */
    {"g.txt", "2\n0 1\n1 1\n0\n2\n1 4\n",
     "g.txt:6: the header states 2 arcs, the file ends after 1" RODINIA_GUESSED},
    {"g.txt", "2\n0 1\n1 1\n0\n2\n1 4\n0 4\n0 4\n",
     "g.txt:8: the header states 2 arcs, the file has at least 3" RODINIA_GUESSED},
    {"g.txt", "2\n0 1\n1 1\n0\n3\n1 4\n0 4\n", "g.txt:5: states 3 arcs, the vertices have 2" RODINIA_GUESSED},
    {"g.txt", "2\n0 1\n2 1\n0\n2\n1 4\n0 4\n",
     "g.txt:4: the line ends where the end of the arc should be" EDGES_GUESSED},
    {"g.txt", "2\n0 1\n", "g.txt:2: the header states 2 vertices, the file ends after 1" RODINIA_GUESSED},
    {"g.txt", "2\n0 1\n1 1\n", "g.txt:3: the file ends before the source" RODINIA_GUESSED},
    {"g.txt", "2\n0 1\n1 1\n2\n2\n", "g.txt:4: the source is 2, at most 1 goes" RODINIA_GUESSED},
    {"g.txt", "2\n0 1\n1 1\n0\n", "g.txt:4: the file ends before the number of arcs" RODINIA_GUESSED},
    {"g.txt", "2\n0 1\n1 1\n0\n2\n1 4\n2 4\n", "g.txt:7: vertex 2 is not one of 0 to 1" RODINIA_GUESSED},
    {"g.txt", "2\n0 1\n1 1\n0\n2\n1 4\n0 x\n", "g.txt:7: a weight is 'x', not a number" RODINIA_GUESSED},
    {"g.txt", "2\n0 1\n1 1 1\n0\n2\n",
     "g.txt:3: the arc has a weight, unlike line 2: if that is a header, take it away" EDGES_GUESSED},
};

} // namespace

BOOST_DATA_TEST_CASE(a_mistake_is_told_by_file_line_and_reason, boost::unit_test::data::make(mistakes))
{
    graph g;
    read_text(g, sample.name, sample.text);
    BOOST_TEST(g.code == WW_E_ARG);
    BOOST_TEST(g.error.text == sample.said);
    BOOST_TEST(g.csr.row == nullptr);
}

/* The lines that follow show that the first line is a header, not an arc. {text, line of the header, lines
 * that follow, whether it also fits METIS} */
BOOST_AUTO_TEST_CASE(a_first_line_that_fits_what_follows_as_a_header_is_refused)
{
    const std::string metis = " (also as METIS has it: --format metis)";
    const struct {
        const char *text;
        uint64_t line, lines;
        bool metis;
    } headers[] = {
        {"5 5 4\n1 2 7\n2 3 7\n3 4 7\n4 5 7\n", 1, 4, false},
        {"5 4\n1 2\n2 3\n3 4\n4 5\n", 1, 4, false},
        {"# x\n\n5,4\n% y\n0,1\n1,2\n2,3\n3,4\n", 3, 4, false},
        {"5 3 4\n5 2 7\n2 3 7\n3 3 7\n4 1 7\n", 1, 4,
         false}, /* rows bound the first id, columns the second */
        {"9 1\n3 4\n", 1, 1, false},
        {"4 2\n1 2\n2 1\n4 3\n3 4\n", 1, 4, false}, /* two edges, in both directions */
        {"4 4\n2 4\n1 3\n2 4\n1 3\n", 1, 4, true},
        {"4 6 0\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", 1, 4, true},
        {"4 4 1\n2 5 4 5\n1 5 3 5\n2 5 4 5\n1 5 3 5\n", 1, 4, true},
    };
    for (const auto &h : headers)
        for (const char *name : {"g.txt", "g.el", "g.csv"}) {
            graph g, stated;
            read_text(g, name, h.text);
            BOOST_TEST(g.error.text == std::string(name) + ":" + std::to_string(h.line) +
                                           ": a header, it seems, and no arc: " + std::to_string(h.lines) +
                                           " lines follow, and its numbers fit them" +
                                           (h.metis ? metis : "") +
                                           "; take it away, or --format edges reads it as an arc");
            read_text(stated, name, h.text, WW_GRAPH_EDGES);
            BOOST_TEST(stated.csr.edges == h.lines + 1);
        }
}

BOOST_AUTO_TEST_CASE(a_first_line_that_does_not_fit_is_an_arc)
{
    for (const char *text : {
             "4 4\n1 2\n2 3\n3 4\n4 5\n", /* an id above the first number */
             "4 4\n5 1\n2 3\n3 4\n4 1\n",
             "3 5 4\n4 1 7\n2 3 7\n3 3 7\n3 1 7\n",
             "5 3\n1 2\n2 3\n3 4\n4 5\n",                  /* not the number of lines */
             "5 5 4\n1 2 7\n2 3 7\n3 4 7\n4 5 7\n5 1 7\n", /* not this one either */
             "4 4\n0 1\n1 2\n2 3\n3 4\n",                  /* ids 0 to 4 are five vertices */
             "5 2 4\n5 2 7\n2 3 7\n3 3 7\n4 1 7\n",        /* an id above the second number */
             "5 5 4.5\n1 2 7\n2 3 7\n3 4 7\n4 5 7\n",      /* a weight */
             "5 5 4 9\n1 2 7 9\n2 3 7 9\n3 4 7 9\n4 5 7 9\n",
             "4 2\n1 2\n2 1\n4 3\n3 2\n", /* not both directions */
             "4 2\n1 2\n2 1\n4 3\n",
             "4 6 2\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n", /* 2 is not a METIS fmt */
             "7 7\n",
         }) {
        graph g, stated;
        read_text(g, "g.txt", text);
        BOOST_TEST(g.error.text == "", text);
        read_text(stated, "g.txt", text, WW_GRAPH_EDGES);
        BOOST_TEST((g.arcs() == stated.arcs()), text);
    }
}

BOOST_AUTO_TEST_CASE(
    what_is_no_graph_by_its_name_is_read_where_the_format_is_stated_or_told_by_the_first_words)
{
    for (const char *name : {"g.mesh", "g.hgr", "g.hmetis", "g.hypergraph", "g.hg", "g.hgr.gz", "g.HGR"}) {
        graph refused, stated, told;
        read_text(refused, name, "1 2\n2 3\n");
        BOOST_TEST(std::string(refused.error.text).find(" it is a ") != std::string::npos, name);
        BOOST_TEST(std::string(refused.error.text).find(": no graph; if it is one, state --format") !=
                   std::string::npos);
        read_text(stated, name, "1 2\n2 3\n", WW_GRAPH_EDGES);
        BOOST_TEST(stated.csr.edges == 2u);
        read_text(told, name, "p sp 2 1\na 1 2 3\n");
        BOOST_TEST(told.csr.edges == 1u);
    }
}

/* SuiteSparse and KONECT publish their graphs as archives. */
BOOST_AUTO_TEST_CASE(an_archive_is_told_packed_or_not)
{
    std::string tar(1024, '\0');
    tar.replace(0, 5, "g.mtx").replace(257, 5, "ustar").replace(512, 4, "1 2\n");
    for (const std::string &bytes : {tar, walkway_tb::gzipped(tar)}) {
        graph g;
        read_text(g, "g.tar.gz", bytes);
        BOOST_TEST(g.error.text == "g.tar.gz: is an archive (tar): unpack it first");
    }
}

BOOST_AUTO_TEST_CASE(a_stated_format_is_not_doubted)
{
    graph g, h;
    read_text(g, "g.txt", "2\n0 1\n2 1\n0\n2\n1 4\n0 4\n", WW_GRAPH_RODINIA);
    BOOST_TEST(g.error.text == "g.txt:3: vertex 1 (lines from 2) begins at arc 2, those before it end at 1");
    read_text(h, "g.txt", "2\n0 1\n1 1 1\n0\n2\n", WW_GRAPH_RODINIA);
    BOOST_TEST(h.error.text == "g.txt:3: '1' is one word too many");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_opened_or_read_is_told)
{
    graph g;
    BOOST_TEST(ww_graph_read("no/such/file", WW_GRAPH_AUTO, &g.csr, &g.error) == WW_E_ARG);
    BOOST_TEST(g.error.text == "no/such/file: cannot open: No such file or directory");
    BOOST_TEST(ww_graph_read(".", WW_GRAPH_AUTO, &g.csr, &g.error) == WW_E_ARG);
    BOOST_TEST(g.error.text == ".: cannot read: Is a directory");
}

BOOST_AUTO_TEST_CASE(a_long_name_and_a_long_word_leave_room_for_the_reason)
{
    graph g;
    const std::string name(200, 'n');
    read_text(g, name, "1 " + std::string(100000, 'x') + "\n");
    BOOST_TEST(g.error.text == std::string(120, 'n') + ":1: a vertex is '" + std::string(20, 'x') +
                                   "', not a number" EDGES_GUESSED);
}

/* The test limits the address space; a sanitizer's shadow memory does not fit into the limit. */
#if !defined(WALKWAY_SANITIZED)
BOOST_AUTO_TEST_CASE(a_header_that_promises_more_than_the_file_has_takes_no_memory)
{
    rlimit before{};
    BOOST_REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
    const rlimit tight{rlim_t{512} << 20, before.rlim_max};
    const mistake lies[] = {
        {"g.mtx", MM "pattern general\n268435456 268435456 268435456\n1 2\n",
         "g.mtx:3: the header states 268435456 entries, the file ends after 1"},
        {"g.gr", "p sp 268435456 268435456\na 1 2 3\n",
         "g.gr:2: the header states 268435456 arcs, the file ends after 1"},
        {"g.graph", "268435456 134217728\n2\n1\n",
         "g.graph:3: the header states 268435456 vertices, a line each, the file ends after 2"},
        {"g.txt", "268435456\n0 268435456\n",
         "g.txt:2: the header states 268435456 vertices, the file ends after 1" RODINIA_GUESSED},
        {"g.mtx", MM "pattern general\n268435456 268435456 1\n1 2\n",
         "no memory for a graph of 268435456 vertices and 1 arcs"},
    };
    for (const mistake &m : lies) {
        graph g;
        setrlimit(RLIMIT_AS, &tight);
        read_text(g, m.name, m.text);
        setrlimit(RLIMIT_AS, &before);
        BOOST_TEST(g.error.text == m.said);
    }
}
#endif
