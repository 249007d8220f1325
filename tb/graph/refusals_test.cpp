/* SPDX-License-Identifier: MIT */
/* tb/graph/refusals_test.cpp - files that are wrong, one row a mistake: what is said, with file and line, and
 * that a header's promises take no memory. */
#include "tb/graph/graph_fixture.hpp"

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
    {"g.mtx", MM "unsigned-integer general\n",
     "g.mtx:1: the type of values is 'unsigned-integer', which is not read"},
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
    {"g.mtx", MM "pattern general\n2 2 1\n1 -2\n", "g.mtx:3: a vertex is '-2', not a number"},
    {"g.mtx", MM "pattern general\n2 2 1\n1 2 3\n", "g.mtx:3: '3' is one word too many"},
    {"g.mtx", MM "real general\n2 2 1\n1 2\n", "g.mtx:3: the line ends where a value should be"},
    {"g.mtx", MM "real general\n2 2 1\n1 2 x\n", "g.mtx:3: a value is 'x', not a number"},
    {"g.mtx", MM "real general\n2 2 1\n1 2 nan\n", "g.mtx:3: a value is 'nan', not a number"},
    {"g.mtx", MM "real general\n2 2 1\n1 2 1e999\n", "g.mtx:3: a value is '1e999', not a number"},
    {"g.mtx", MM "complex general\n2 2 1\n1 2 3\n", "g.mtx:3: the line ends where a value should be"},
    {"g.mtx", MM "complex general\n2 2 1\n1 2 3 i\n", "g.mtx:3: a value is 'i', not a number"},
    {"g.mtx", MM "integer general\n2 2 1\n1 2 18446744073709551616\n",
     "g.mtx:3: a value is 18446744073709551616, at most 18446744073709551615 goes"},
    {"g.mtx", MM "integer general\n2 2 1\n1 2 1.5\n", "g.mtx:3: a value is '1.5', not a number"},
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
    {"g.gr", "p sp 2 1\na 1 2 -3\n", "g.gr:2: a weight is '-3', not a number"},
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
    {"g.el", "1 2 3\n2 1\n", "g.el:2: the line ends where a value should be"},
    {"g.el", "1 2\n2 1 3\n", "g.el:2: '3' is one word too many"},
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
    {"g.txt", "2\n0 1\n1 1 1\n0\n2\n", "g.txt:3: '1' is one word too many" EDGES_GUESSED},
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

/* A limit on the address space, which a sanitizer's shadow does not fit into. */
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
