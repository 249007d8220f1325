/* SPDX-License-Identifier: MIT */
/* device/register_map.cpp - see register_map.hpp. */
#include "device/register_map.hpp"

#include "kernels/iommu/iommu_regs.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace walkway
{

namespace
{

std::string hex(uint64_t n, int digits)
{
    char text[32];
    std::snprintf(text, sizeof text, "0x%0*llx", digits, static_cast<unsigned long long>(n));
    return text;
}

/* Returns a number in the syntax of IP-XACT expressions, which is SystemVerilog's. */
std::string sv(uint64_t n)
{
    char text[32];
    std::snprintf(text, sizeof text, "'h%llx", static_cast<unsigned long long>(n));
    return text;
}

std::string lower(std::string s)
{
    std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return std::tolower(c); });
    return s;
}

template <class F> void each_field(uint32_t reg, F f)
{
    for (uint32_t i = 0; const ww_iommu_field *field = ww_iommu_field_at(i); ++i)
        if (field->reg == reg)
            f(*field);
}

std::string escaped(const std::string &text)
{
    std::string out;
    for (const char c : text)
        out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return out;
}

std::string element(const std::string &name, const std::string &text)
{
    return "<ipxact:" + name + ">" + escaped(text) + "</ipxact:" + name + ">\n";
}

} // namespace

std::string register_tables()
{
    std::string out;
    for (uint32_t reg = 0; reg < WW_IOMMU_REGS; ++reg) {
        const struct ww_iommu_reg_info &info = ww_iommu_reg_info[reg];
        out += "### " + hex(info.offset, 4) + " " + info.name + ": " + info.text +
               "\n\n| bits | field | access | is | reset | meaning |\n|---|---|---|---|---|---|\n";
        each_field(reg, [&out](const ww_iommu_field &f) {
            out += "| " + std::to_string(f.high) + (f.high == f.low ? "" : ":" + std::to_string(f.low)) +
                   " | " + f.name + " | " + ww_iommu_access_name(f.access) + " | *" +
                   lower(ww_iommu_state_name(f.state)) + "* | " + std::to_string(f.reset) + " | " + f.text +
                   " |\n";
        });
        out += "\n";
    }
    return out;
}

std::string register_ipxact()
{
    static const char *const access[] = {"read-write", "read-only", "read-write", "read-only"};
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ipxact:component "
                      "xmlns:ipxact=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014\">\n";
    out += element("vendor", "walkway") + element("library", "device") + element("name", "iommu_device") +
           element("version", "1") + "<ipxact:memoryMaps>\n<ipxact:memoryMap>\n" +
           element("name", "registers") + "<ipxact:addressBlock>\n" + element("name", "iommu") +
           element("baseAddress", "0") + element("range", sv(WW_IOMMU_REGION_BYTES)) + element("width", "64");
    for (uint32_t reg = 0; reg < WW_IOMMU_REGS; ++reg) {
        const struct ww_iommu_reg_info &info = ww_iommu_reg_info[reg];
        out += "<ipxact:register>\n" + element("name", info.name) + element("description", info.text) +
               element("addressOffset", sv(info.offset)) + element("size", "64");
        each_field(reg, [&out](const ww_iommu_field &f) {
            out += "<ipxact:field>\n" + element("name", f.name) +
                   element("description", lower(ww_iommu_state_name(f.state)) + ": " + f.text) +
                   element("bitOffset", std::to_string(f.low)) + "<ipxact:resets><ipxact:reset>" +
                   "<ipxact:value>" + sv(f.reset) + "</ipxact:value></ipxact:reset></ipxact:resets>\n" +
                   element("bitWidth", std::to_string(f.high - f.low + 1)) +
                   element("access", access[f.access]);
            if (f.access == WW_REG_W1C)
                out += element("modifiedWriteValue", "oneToClear");
            if (f.access == WW_REG_RSV)
                out += element("reserved", "true");
            out += "</ipxact:field>\n";
        });
        out += "</ipxact:register>\n";
    }
    return out + "</ipxact:addressBlock>\n</ipxact:memoryMap>\n</ipxact:memoryMaps>\n</ipxact:component>\n";
}

} // namespace walkway
