/* SPDX-License-Identifier: MIT */
/* Every kind of level: in a path, with one, two and 56 compute units per instance, a program runs
 * lawfully. */
#include "tb/platform/machines.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr unsigned units = 56;

/* Makes a level present: gives the least value to what has no neutral one, and sets what it needs of the
 * machine. */
class present_maker final : public param_visitor
{
public:
    explicit present_maker(std::vector<std::string> names) : names_(std::move(names)) {}
    void begin(const char *section, const char *) override { section_ = std::string(section) + "."; }
    void end() override { section_.clear(); }
    void number(const char *key, uint64_t &value, const param_info &info) override
    {
        if (is_named(key) && value == 0)
            value = std::min<uint64_t>(64, info.max);
        value = std::max(value, info.min);
    }
    using param_visitor::number;
    void choice(const char *key, uint8_t &value, const choice_names &, const param_info &) override
    {
        if (is_named(key) && value == 0)
            value = 1;
    }
    void flag(const char *key, bool &value, const param_info &) override { value = value || is_named(key); }

private:
    bool is_named(const char *key) const
    {
        return std::find(names_.begin(), names_.end(), section_ + key) != names_.end();
    }
    std::vector<std::string> names_;
    std::string section_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(kinds)

BOOST_DATA_TEST_CASE(each_serves_any_number_of_requesters, data::make(level_kinds()) * data::make({1, 2, 56}),
                     kind, requesters)
{
    const std::unique_ptr<level> one = make_level(kind, "x_" + kind);
    const std::string path = one->ends_path() ? "l1_tlb " : "l1_tlb x_" + kind + " l2_tlb ";
    const std::string walks = one->ends_path() ? one->section() : "walk_unit";
    gpu_machine_params p = machine_params_of("apu-micro18: " + path + walks);
    p.gpu.cus = units;
    present_maker maker({one->presence(), one->reach().entries, lds_presence, icache_presence});
    p.visit(maker);
    param_setter set((one->ends_path() ? "" : "l2_tlb.shared_by=all ") + walks + ".shared_by=all");
    p.visit(set);
    param_setter shared(one->section() + ".shared_by=" + std::to_string(requesters));
    p.visit(shared); /* what is lent is shared like its owner */
    BOOST_TEST_REQUIRE(p.validate() == "");
    trace_spec spec = row_major(64, 8, 4, 16384);
    const outcome o = run_apu(p, trace(spec));
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    const std::string asked = one->section() + "." + one->asked();
    BOOST_TEST_REQUIRE(o.stats.count(asked) == 1u, "no " << asked);
    BOOST_TEST(o.count(asked) > 0u);
}

/* The data L2 answers each of 250 L1 data caches and 250 walk units by its own port. */
BOOST_AUTO_TEST_CASE(a_memory_is_asked_by_more_than_256_ports)
{
    const outcome o = run_apu(configured("gpu.cus=250 l2_tlb.shared_by=1 iommu_tlb.shared_by=1 "
                                         "walk_unit.shared_by=1 walk_unit.walk_path=l2d"),
                              trace(row_major(1000, 2, 4, 16384)));
    BOOST_TEST_REQUIRE((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    BOOST_TEST(o.count("walk_unit.pte_reads") > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
