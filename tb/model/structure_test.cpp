/* SPDX-License-Identifier: MIT */
/* Bits of hardware structures, computed by hand from the widths. */
#include "kernels/table/table_amd.h"
#include "model/data_cache.hpp"
#include "model/tlb.hpp"
#include "tb/model/iommu_params.hpp"
#include "tb/support/block_numbers.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace walkway;
using namespace walkway::test;

namespace
{

address_widths widths_of(uint32_t va, const ww_table_kind *kind)
{
    address_widths widths;
    widths.va = va;
    widths.pa = 34;
    widths.kind = kind;
    return widths;
}

template <class P>
std::map<std::string, uint64_t> bits_of(const P &p, uint64_t count = 1,
                                        const address_widths &widths = widths_of(48, &ww_radix4))
{
    structure_list list{widths};
    list.of("x", count);
    p.structures(list);
    std::map<std::string, uint64_t> bits;
    for (const hardware_structure &s : list.all())
        bits[s.name.substr(2)] = s.bits;
    return bits;
}

} // namespace

BOOST_AUTO_TEST_SUITE(structures)

BOOST_AUTO_TEST_CASE(names_of_one_of_n_are_as_short_as_can_be)
{
    BOOST_TEST(ww_name_bits(0) == 0u);
    BOOST_TEST(ww_name_bits(1) == 0u);
    BOOST_TEST(ww_name_bits(2) == 1u);
    BOOST_TEST(ww_name_bits(3) == 2u);
    BOOST_TEST(ww_name_bits(256) == 8u);
    BOOST_TEST(ww_name_bits(257) == 9u);
    BOOST_TEST(ww_lru_bits(4, 8) == 4u * 8 * 3);
}

BOOST_AUTO_TEST_CASE(of_a_tlb)
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = 32;
    p.ways = 32;
    p.mshrs = 8;
    p.merges = 24;
    /* valid, page number and VM-ID, frame, permissions; place in the order of use */
    BOOST_TEST(bits_of(p)["entries"] == 32u * (1 + 36 + 16 + 22 + 3 + 5));
    BOOST_TEST(bits_of(p)["mshrs"] == 8u * (1 + 36 + 16 + 16 + 2 * 5));
    BOOST_TEST(bits_of(p)["mshr_waiters"] == 24u * (16 + 5));
    BOOST_TEST(bits_of(p, 7)["entries"] == 7 * bits_of(p)["entries"]);
    p.replace = WW_REPLACE_RANDOM;
    BOOST_TEST(bits_of(p)["entries"] == 32u * (1 + 36 + 16 + 22 + 3));
    p.ways = 4; /* 8 sets */
    BOOST_TEST(bits_of(p)["entries"] == 32u * (1 + 33 + 16 + 22 + 3));
    p.page_sizes = 1u << 12 | 1u << 16 | 1u << 21;
    BOOST_TEST(bits_of(p)["entries"] == 32u * (1 + 33 + 16 + 22 + 3 + 2));
}

BOOST_AUTO_TEST_CASE(of_a_data_cache)
{
    data_cache_params p = numbers_of<data_cache_params>();
    p.bytes = 32768; /* 512 lines, 32 sets */
    p.ways = 16;
    BOOST_TEST(bits_of(p)["tags"] == 512u * (1 + 23 + 4));
    p.write = WW_WRITE_BACK;
    BOOST_TEST(bits_of(p)["tags"] == 512u * (2 + 23 + 4));
    p.mshrs = 16;
    p.merges = 16;
    BOOST_TEST(bits_of(p)["mshrs"] == 16u * (1 + 28 + 16 + 2 * 5));
}

BOOST_AUTO_TEST_CASE(of_an_iommu)
{
    test::iommu_params p;
    std::map<std::string, uint64_t> bits = bits_of(p);
    BOOST_TEST(bits["tlb1"] == 32u * (1 + 36 + 16 + 22 + 3 + 5));
    BOOST_TEST(bits["tlb2"] == 256u * (1 + 32 + 16 + 22 + 3 + 4));
    BOOST_TEST(bits["walk_buffer"] == 256u * 36);
    BOOST_TEST(bits["walkers"] == 8u * (36 + 16 + 3 + 40));
    BOOST_TEST(bits.count("coalescing") == 0u);
    BOOST_TEST(bits.count("pte_cache") == 0u);
    BOOST_TEST(bits.count("pwc_l5") == 0u); /* four levels */
    BOOST_TEST(bits["pwc_l2"] == 32u * (1 + 27 + 16 + 22 + 5));
    BOOST_TEST(bits["pwc_l4"] == 4u * (1 + 9 + 16 + 22 + 2));
    bits = bits_of(p, 1, widths_of(39, &ww_amd_v1)); /* three levels: their root is in a register */
    BOOST_TEST(bits.count("pwc_l4") == 0u);
    BOOST_TEST(bits["pwc_l3"] == 8u * (1 + 9 + 16 + 22 + 3));
    p.walk.coalesce = WW_COALESCE_FULL;
    BOOST_TEST(bits_of(p)["coalescing"] == 11576u); /* 1447 bytes [M18] */
    p.walk.pte_cache_bytes = 1024;                  /* 16 lines */
    BOOST_TEST(bits_of(p)["pte_cache"] == 16u * (1 + 28 + 512 + 4));
    p.walk.pte_cache_ways = 4;
    BOOST_TEST(bits_of(p)["pte_cache"] == 16u * (1 + 26 + 512 + 2));
}

BOOST_AUTO_TEST_SUITE_END()
