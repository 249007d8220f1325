/* SPDX-License-Identifier: MIT */
/* tb/device/dump_registers.cpp - prints the IOMMU's registers: `markdown` or `ipxact`. */
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
    const std::string what = argc == 2 ? argv[1] : "";
    if (what != "markdown" && what != "ipxact") {
        std::fprintf(stderr, "usage: %s markdown|ipxact\n", argv[0]);
        return 2;
    }
    const std::string text = what == "ipxact" ? walkway::register_ipxact() : walkway::register_tables();
    std::fputs(text.c_str(), stdout);
    return 0;
}
