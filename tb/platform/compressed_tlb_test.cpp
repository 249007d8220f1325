/* SPDX-License-Identifier: MIT */
/* The compressed L2 TLB in the apu: what it holds where frames are laid out like pages, and where not. */
#include "image/image_space.hpp"
#include "kernels/table/table_x86.h"
#include "tb/platform/machines.hpp"

#include <boost/test/data/test_case.hpp>

#include <cstdio>
#include <fstream>

using namespace walkway;
using namespace walkway::test;

namespace
{

/* 88 neighbouring pages, walked twice by one wave: more than 64 entries, fewer than 96. */
const trace &twice()
{
    static const trace t([] {
        trace_spec spec = row_major(1, 88, 4, 4096);
        for (group_spec &g : spec.launches[0].groups) {
            const auto once = g[0].records;
            g[0].records.insert(g[0].records.end(), once.begin(), once.end());
        }
        return spec;
    }());
    return t;
}

/* 4 sets of 16 slots. */
outcome of(const std::string &settings)
{
    const outcome o = run_apu(configured("gpu.cus=1 l1_tlb.entries=1 l1_tlb.ways=1 iommu_tlb.tlb1_entries=0 "
                                         "iommu_tlb.tlb2_entries=0 l2_tlb.entries=64 l2_tlb.ways=16 " +
                                         settings),
                              twice());
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return o;
}

/* 768 random pages, each several times. */
outcome of_machine(const std::string &settings)
{
    static const trace t(scatter(32, 32, 768 << 12, 0));
    return run_machine({"uvm-pact20", settings}, t);
}

address_widths widths(const std::string &machine, const std::string &settings = "")
{
    gpu_machine_params p = machine_params_of(machine);
    param_setter set(settings);
    p.visit(set);
    BOOST_TEST(set.unused().empty());
    return p.widths();
}

std::string refused(const std::string &settings)
{
    return configured("l2_tlb.store=compressed " + settings).validate();
}

} // namespace

BOOST_AUTO_TEST_SUITE(compressed_tlbs)

/* 8 slots of two hold as many as 16 of one; only pages that do not compress would make it 24. */
BOOST_AUTO_TEST_CASE(pages_that_all_compress_leave_the_plain_half_empty_and_gain_nothing)
{
    const outcome plain = of(""), compressed = of("l2_tlb.store=compressed");
    const uint64_t pages = plain.count("model.pages");
    BOOST_TEST_REQUIRE(pages > 64u);
    BOOST_TEST_REQUIRE(pages <= 96u);
    BOOST_TEST(compressed.count("l2_tlb.failures") == 0u);
    BOOST_TEST(compressed.count("l2_tlb.held") == 64u);
    BOOST_TEST(compressed.count("l2_tlb.slots_used") == 32u);
    BOOST_TEST(compressed.count("l2_tlb.slots") == 64u);
    BOOST_TEST(compressed.count("l2_tlb.misses") == plain.count("l2_tlb.misses"));
    BOOST_TEST(compressed.cycles == plain.cycles);
}

BOOST_AUTO_TEST_CASE(scattered_frames_do_not_compress_and_leave_it_the_plain_half)
{
    const std::string scattered = "address_space.frames=random ";
    const outcome plain = of(scattered), compressed = of(scattered + "l2_tlb.store=compressed");
    BOOST_TEST(compressed.count("l2_tlb.failures") > 0u);
    BOOST_TEST(compressed.count("l2_tlb.rebases") > 0u);
    BOOST_TEST(compressed.count("l2_tlb.kept_plain") == compressed.count("l2_tlb.failures"));
    BOOST_TEST(compressed.count("l2_tlb.misses") > plain.count("l2_tlb.misses"));
}

BOOST_AUTO_TEST_CASE(without_compressed_ways_it_is_a_plain_lru_tlb)
{
    const outcome plain = of(""), compressed = of("l2_tlb.store=compressed l2_tlb.compressed_ways=0");
    for (const char *name : {"l2_tlb.hits", "l2_tlb.misses", "l2_tlb.evictions", "walk_unit.pte_reads"})
        BOOST_TEST(compressed.count(name) == plain.count(name), name);
    BOOST_TEST(compressed.cycles == plain.cycles);
}

BOOST_AUTO_TEST_CASE(its_statistics_are_there_with_it_only)
{
    BOOST_TEST(of("").stats.count("l2_tlb.rebases") == 0u);
    BOOST_TEST(of("l2_tlb.store=compressed").stats.count("l2_tlb.rebases") == 1u);
}

/* Its table may point anywhere. */
BOOST_AUTO_TEST_CASE(with_an_image_addresses_are_as_wide_as_memory)
{
    const std::string path = "memory.image";
    std::ofstream(path, std::ios::binary) << std::string(1 << 16, '\0');
    const auto memory = std::make_shared<memory_image>(path, memory_image::format::raw);
    std::remove(path.c_str());
    const image_space image(memory, std::vector<ww_table>{{&ww_x86_4, {{0x1000}}}});
    gpu_machine_params p = machine_params_of("uvm-pact20");
    p.address_space.image = &image;
    BOOST_TEST(p.widths().pa == 34u);
}

/* 2 GB of frames are 31 bits, whatever else the DRAM has: PAPER[P20]. */
BOOST_AUTO_TEST_CASE(addresses_are_as_wide_as_the_frames_that_a_program_can_have)
{
    BOOST_TEST(machine_params_of("uvm-pact20").memory_end() == uint64_t{16} << 30);
    BOOST_TEST(widths("uvm-pact20").pa == 31u);
    BOOST_TEST(widths("uvm-pact20", "address_space.data_pa=1006682112").pa ==
               31u); /* 12 frames further: a perturbation */
    BOOST_TEST(widths("uvm-pact20", "address_space.memory_bytes=1140850688").pa ==
               31u); /* up to the last byte */
    BOOST_TEST(widths("uvm-pact20", "address_space.memory_bytes=1140854784").pa == 32u);
    BOOST_TEST(widths("uvm-pact20", "address_space.table_pa=4294967296").pa == 34u); /* above the frames */
    BOOST_TEST(widths("uvm-pact20", "driver.oversubscription=150").pa == 35u);       /* the host's memory */
    BOOST_TEST(widths("apu-micro18").pa == 34u);
}

/* 768 neighbouring pages in contiguous frames: 1.5 times 512. */
BOOST_AUTO_TEST_CASE(it_holds_half_as_many_again_where_the_halves_of_a_region_share_a_base)
{
    const outcome plain = of_machine("l2_tlb.store=plain");
    for (const auto &[settings, times] :
         {std::pair("l2_tlb.rebase_after=16", 2u), std::pair("", 1u) /* as shipped: 256 */}) {
        const outcome o = of_machine(settings);
        BOOST_TEST(o.count("l2_tlb.capacity") == 768u);
        BOOST_TEST(o.count("l2_tlb.held") == 768u, settings << ": " << o.count("l2_tlb.held"));
        BOOST_TEST(o.count("l2_tlb.slots_used") == 512u);
        BOOST_TEST(o.count("l2_tlb.misses") * times < plain.count("l2_tlb.misses"));
    }
}

BOOST_AUTO_TEST_CASE(a_shape_that_it_cannot_have_is_refused)
{
    BOOST_TEST(refused("") == "");
    BOOST_TEST(refused("l2_tlb.ways=64 l2_tlb.entries=512") ==
               "l2_tlb: a compressed store has at most 32 ways");
    BOOST_TEST(refused("l2_tlb.compressed_ways=16") ==
               "l2_tlb: compressed_ways leaves no way for an entry that does not compress");
    BOOST_TEST(refused("l2_tlb.replace=random") == "l2_tlb: a compressed store knows no replacement but lru");
    BOOST_TEST(refused("address_space.levels=5 l2_tlb.entries=16").find("slot of 64 bits") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
