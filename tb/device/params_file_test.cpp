/* SPDX-License-Identifier: MIT */
/* The parameters of an IOMMU from a section of a .cfg file, and errors in such files. */
#include "device/params_file.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>

using namespace walkway;

namespace
{

/* A file that its destructor removes. */
struct text_file {
    std::string path = "params_" + std::to_string(reinterpret_cast<uintptr_t>(this)) + ".cfg";
    explicit text_file(const std::string &text) { std::ofstream(path) << text; }
    ~text_file() { std::remove(path.c_str()); }
};

std::string complaint(const std::string &text, const std::string &section = "iommu_device")
{
    const text_file f(text);
    try {
        read_iommu_params(f.path, section);
    } catch (const std::runtime_error &e) {
        const std::string what = e.what();
        BOOST_TEST(what.substr(0, f.path.size()) == f.path);
        return what.substr(f.path.size());
    }
    return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(params_file)

BOOST_AUTO_TEST_CASE(a_section_names_what_is_not_the_default)
{
    const text_file f(
        "[gpu]\ncus = 8\nnonsense\n[iommu_device] # ours\nmode = at\n tlb_entries=16 # few\ntlb_ways = 4\n"
        "dmi = always\ninvalidate_timeout_ns = 100000000000\n\n[other]\nmode = none\n");
    const iommu_device_params p = read_iommu_params(f.path);
    BOOST_TEST(uint32_t{p.mode} == static_cast<uint32_t>(transport_mode::at));
    BOOST_TEST(p.tlb_entries == 16u);
    BOOST_TEST(p.tlb_ways == 4u);
    BOOST_TEST(uint32_t{p.dmi} == static_cast<uint32_t>(dmi_policy::always));
    BOOST_TEST(p.invalidate_timeout_ns == 100000000000u);
    BOOST_TEST(p.contexts == iommu_device_params().contexts);
    const text_file g("[nic]\ntlb_cycles = 9\ncontexts = 1Ki\n");
    BOOST_TEST(read_iommu_params(g.path, "nic").tlb_cycles == 9u);
    BOOST_TEST(read_iommu_params(g.path, "nic").contexts == 1024u);
}

/* docs/use/co-simulation.md must print all keys and defaults, and no others. */
BOOST_AUTO_TEST_CASE(the_page_has_the_defaults)
{
    std::ifstream in(WALKWAY_SOURCE "/docs/use/co-simulation.md");
    const std::string page((std::istreambuf_iterator<char>(in)), {});
    const size_t first = page.find("\n[iommu_device]\n"), last = page.find("```", first);
    BOOST_REQUIRE(first != std::string::npos);
    const std::string block = page.substr(first, last - first);
    const text_file f(block);
    struct values final : param_visitor {
        std::string all;
        unsigned count = 0;
        void begin(const char *, const char *) override {}
        void end() override {}
        using param_visitor::number;
        void number(const char *key, uint64_t &value, const param_info &) override
        {
            all += std::string(key) + " = " + std::to_string(value) + "\n";
            ++count;
        }
        void choice(const char *key, uint8_t &value, const choice_names &, const param_info &info) override
        {
            uint64_t wide = value;
            number(key, wide, info);
        }
        void flag(const char *, bool &, const param_info &) override {}
    } said, defaults;
    iommu_device_params from_page = read_iommu_params(f.path), p;
    from_page.visit(said);
    p.visit(defaults);
    BOOST_TEST(said.all == defaults.all);
    BOOST_TEST(static_cast<unsigned>(std::count(block.begin(), block.end(), '=')) == defaults.count);
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_with_its_line_and_what_is_valid)
{
    const std::string head = "[iommu_device]\n", name = "contexts";
    BOOST_TEST(complaint(head + "contexts = 4\ntlb_entires = 8\n") ==
               ":3: unknown parameter 'tlb_entires' (did you mean 'tlb_entries'?)");
    for (const char *outside : {"0", "4097", "99999999999999999999"})
        BOOST_TEST(complaint(head + "contexts = " + outside + "\n") ==
                   ":2: " + name + " = " + outside + ": is outside the range; valid: 1 ... 4096");
    for (const char *no_number : {"", "-1"})
        BOOST_TEST(complaint(head + "contexts = " + no_number + "\n") ==
                   ":2: " + name + " = " + no_number + ": is not a whole number; valid: 1 ... 4096");
    BOOST_TEST(complaint(head + "contexts = 4k\n") ==
               ":2: " + name +
                   " = 4k: is not a whole number (did you mean '4Ki', which is 4096?); valid: 1 ... 4096");
    BOOST_TEST(complaint(head + "mode = both\n") ==
               ":2: mode = both: is none of the choices; valid: lt | at");
    BOOST_TEST(complaint(head + "contexts\n") == ":2: 'contexts' is neither [section] nor key = value");
    BOOST_TEST(complaint(head + "contexts = 1\ncontexts = 2\n") ==
               ":3: '" + name + "' is there a second time, first in line 2");
    BOOST_TEST(complaint(head, "nic") == ": has no section [nic]");
    BOOST_TEST(
        complaint(head + "tlb_entries = 24\n") ==
        ": [iommu_device]: tlb_entries / tlb_ways is not a power of two: tlb_entries = 16 or 32 would be");
    BOOST_CHECK_THROW(read_iommu_params("there_is_no_such_file.cfg"), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
