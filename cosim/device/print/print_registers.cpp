/* SPDX-License-Identifier: MIT */
/* device/print/print_registers.cpp - prints the IOMMU's registers, as `markdown` or `ipxact`, to standard
 * output or to a file. The build uses it to make the IP-XACT memory map that is installed. */
#include "device/register_map.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" void ww_assert_fail(const char *expr, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    std::abort();
}

int main(int argc, char **argv)
{
    const std::string what = argc == 2 || argc == 3 ? argv[1] : "";
    if (what != "markdown" && what != "ipxact") {
        std::fprintf(stderr, "usage: %s markdown|ipxact [FILE]\n", argv[0]);
        return 2;
    }
    const std::string text = what == "ipxact" ? walkway::register_ipxact() : walkway::register_tables();
    std::FILE *to = argc == 3 ? std::fopen(argv[2], "w") : stdout;
    if (to == nullptr || std::fputs(text.c_str(), to) < 0 || std::fflush(to) != 0) {
        std::fprintf(stderr, "%s: cannot be written\n", argc == 3 ? argv[2] : "standard output");
        return 1;
    }
    return 0;
}
