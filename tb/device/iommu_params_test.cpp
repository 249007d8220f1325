/* SPDX-License-Identifier: MIT */
/* Parameters of an IOMMU that a platform sets in C++. Nothing waits here: the address sanitizer cannot follow
 * a constructor that throws in sc_main after processes have waited. */
#include "device/stage_adapter.hpp"
#include "tb/device/service_rig.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

/* Sets the n-th parameter to a value outside its range. */
struct nth final : param_visitor {
    unsigned n, i = 0;
    bool low;
    std::string key;
    bool possible = true; /* such a value exists */
    nth(unsigned which, bool below) : n(which), low(below) {}
    void begin(const char *, const char *) override {}
    void end() override {}
    using param_visitor::number;
    void number(const char *k, uint64_t &value, const param_info &info) override
    {
        if (i++ != n)
            return;
        key = k;
        possible = !low || info.min != 0;
        value = low ? info.min - possible : info.max + 1;
    }
    void choice(const char *k, uint8_t &value, const choice_names &names, const param_info &) override
    {
        if (i++ != n)
            return;
        key = k;
        possible = !low;
        value = static_cast<uint8_t>(names.size());
    }
    void flag(const char *, bool &, const param_info &) override { ++i; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_params)

BOOST_AUTO_TEST_CASE(parameters_from_c_plus_plus_are_checked_as_those_of_a_file)
{
    unsigned tried = 0;
    for (unsigned n = 0;; ++n) {
        nth last(n, false);
        iommu_device_params().visit(last);
        if (last.key.empty())
            break;
        for (const bool low : {false, true}) {
            iommu_device_params p;
            nth bad(n, low);
            p.visit(bad);
            if (!bad.possible)
                continue;
            ++tried;
            simulation sim;
            BOOST_CHECK_EXCEPTION(
                iommu_device<32>("iommu", 1, p), std::runtime_error, [&](const std::runtime_error &e) {
                    return std::string(e.what()).find("iommu_device: " + bad.key + " = ") == 0;
                });
        }
    }
    BOOST_TEST(tried >= 20u);
    simulation sim;
    BOOST_CHECK_THROW(stage_adapter<32>("adapter", clock_domain(1000), 0), std::runtime_error);
    iommu_device_params three, line, odd;
    three.tlb_ways = 3;
    line.line_cache_bytes = 100;
    odd.walker_bytes = 12;
    for (const iommu_device_params &p : {three, line, odd}) {
        simulation another;
        BOOST_CHECK_THROW(iommu_device<32>("iommu", 1, p), std::runtime_error);
    }
}

BOOST_AUTO_TEST_SUITE_END()
