/* SPDX-License-Identifier: MIT */
/* tb/fuzz/graph_fuzzer.cpp - libFuzzer on the readers and rules of graphs: the first byte selects a format
 * (or that the rest is a rule), the rest is the file. Either it is refused with a reason, or the graph and
 * what is derived from it are consistent. The text of rules is limited so that graphs stay small: large ones
 * take time and find nothing. */
#include "graph/measure.h"
#include "tb/fuzz/memory_file.hpp"

#include <cstdio>
#include <cstdlib>

namespace
{

[[noreturn]] void defect(const char *what, const char *detail)
{
    std::fprintf(stderr, "defect: %s: %s\n", what, detail);
    std::abort();
}

void prove(const ww_csr &g)
{
    if (const char *broken = ww_csr_check(&g))
        defect("a graph that is none", broken);
}

void use(const ww_csr &g)
{
    prove(g);
    if (g.vertices > 1000000) /* more only takes time */
        return;
    ww_graph_error error;
    ww_csr turned{}, both{};
    ww_measure m;
    if (ww_csr_transpose(&g, &turned, &error) != WW_OK || ww_csr_undirected(&g, &both, &error) != WW_OK)
        defect("a small graph cannot be turned over", error.text);
    prove(turned);
    prove(both);
    if (turned.edges != g.edges || !ww_measure_graph(&both, &m) || m.one_way != 0 || m.loops != 0 ||
        m.repeats != 0)
        defect("an undirected graph that is not", "arcs");
    ww_csr_free(&turned);
    ww_csr_free(&both);
}

/* No number has more than three digits. */
bool is_small(const std::string &rule)
{
    size_t digits = 0;
    for (char c : rule) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > 3)
            return false;
    }
    return rule.find("scale") == std::string::npos;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static walkway_fuzz::memory_file file;
    if (size == 0)
        return -1;
    const unsigned format = data[0] % (WW_GRAPH_FORMATS + 1);
    const std::string rest(reinterpret_cast<const char *>(data) + 1, size - 1);
    ww_graph_error error{};
    ww_csr g{};
    int code = WW_E_ARG;
    if (format == WW_GRAPH_FORMATS) {
        if (!is_small(rest))
            return -1;
        code = ww_graph_make(rest.c_str(), &g, &error);
    } else {
        file.write(rest.data(), rest.size());
        code = ww_graph_read(file.path().c_str(), static_cast<ww_graph_format>(format), &g, &error);
    }
    if (code == WW_OK)
        use(g);
    else if (code != WW_E_ARG || error.text[0] == 0 || g.row != nullptr)
        defect("refused without a reason, or with a graph", error.text);
    ww_csr_free(&g);
    return 0;
}
