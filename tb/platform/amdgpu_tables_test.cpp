/* SPDX-License-Identifier: MIT */
/* Machines on the page tables of AMD's GPUs: equal to x86-64's to the cycle where only bits differ, one read
 * more where a large page is in a page table block, and the descriptions of an image's entries. */
#include "kernels/table/table_gpuvm.h"
#include "model/table_builder.hpp"
#include "tb/platform/audited.hpp"
#include "tb/platform/covering.hpp"
#include "tb/platform/lawful.hpp"
#include "tb/platform/parameter_rows.hpp"
#include "tb/support/test_share.hpp"

#include <boost/algorithm/string/join.hpp>
#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace platform_amdgpu_tables
{

std::map<std::string, std::string> results(const std::string &settings)
{
    auto stats = test::audited<apu_machine>(settings, rows_and_far());
    for (auto it = stats.begin(); it != stats.end();)
        it = it->first.compare(0, 6, "model.") == 0 ? stats.erase(it) : std::next(it);
    return stats;
}

uint64_t number(const std::map<std::string, std::string> &stats, const std::string &name)
{
    return std::stoull(stats.at(name));
}

const std::vector<std::string> formats = {"amdgpu", "amdgpu_further", "amdgpu_gfx12"};

const table_maker &maker(const std::string &format)
{
    table_choice choice;
    choice.choose(format);
    return choice.maker();
}

std::string refusal(const std::string &settings)
{
    return params_of<apu_machine>(settings).validate();
}

/* The description of an entry, "meaning | flags". */
std::string said(const std::string &format, uint32_t step, uint64_t entry)
{
    const image_format &in_image = *maker(format).in_image();
    return in_image.meaning(step, &entry) + " | " + boost::algorithm::join(in_image.flags(step, &entry), " ");
}

} // namespace platform_amdgpu_tables

using namespace platform_amdgpu_tables;

BOOST_AUTO_TEST_SUITE(amdgpu_tables)

BOOST_DATA_TEST_CASE(only_bits_of_entries_differ_from_a_radix_table,
                     data::make({"4k", "64k", "2m", "mixed"}) * data::make({"off", "full"}), page, coalesce)
{
    const std::string others = std::string(" address_space.page=") + page +
                               " walk_unit.coalesce=" + coalesce + " address_space.frames=random";
    auto radix = results(others);
    for (const std::string &format : formats) {
        for (const auto &own : results("address_space.table=" + format + others))
            if (own.first.find("bits") == std::string::npos && own.first.find("area") == std::string::npos &&
                own.first.find("energy") == std::string::npos) /* a walk is wider */
                BOOST_TEST(own.second == radix[own.first], format << ": " << own.first);
    }
}

/* 512 entries of a PTB instead of one of PDB0: one more read per walk, which no walk cache shortens. */
BOOST_AUTO_TEST_CASE(a_large_page_in_a_block_takes_a_read_more)
{
    const std::string off = " address_space.page=2m walk_unit.pwc_l2=0 walk_unit.pwc_l3=0 walk_unit.pwc_l4=0";
    for (const std::string &format : formats) {
        const auto one = results("address_space.table=" + format + off);
        const auto all = results("address_space.table=" + format + " address_space.huge_pages=block" + off);
        BOOST_TEST(number(one, "walk_unit.walks_started") > 0u);
        BOOST_TEST(number(one, "walk_unit.pte_reads") == 3 * number(one, "walk_unit.walks_started"));
        BOOST_TEST(number(all, "walk_unit.pte_reads") == 4 * number(all, "walk_unit.walks_started"));
        BOOST_TEST(number(one, "walk_unit.pte_reads_l1") == 0u);
    }
    const auto three = results("address_space.table=amdgpu address_space.levels=3" + off);
    BOOST_TEST(number(three, "walk_unit.pte_reads") == 2 * number(three, "walk_unit.walks_started"));
}

BOOST_AUTO_TEST_CASE(a_number_of_levels_that_there_is_not_is_refused)
{
    const std::string t = "address_space.table=";
    BOOST_TEST(refusal(t + "amdgpu address_space.levels=5").find("levels = 5: an amdgpu table has 2 to 4") !=
               std::string::npos);
    BOOST_TEST(refusal(t + "amdgpu address_space.levels=1").find("levels = 1: an amdgpu table has 2 to 4") !=
               std::string::npos);
    BOOST_TEST(refusal(t + "amdgpu_further address_space.levels=2")
                   .find("levels = 2: an amdgpu table that translates further has 3 or 4") !=
               std::string::npos);
    for (const std::string &format : formats)
        BOOST_TEST(refusal(t + format + " address_space.levels=3") == "");
}

/* All entries of a page change together, whatever its size. */
BOOST_DATA_TEST_CASE(pages_lose_rights_move_and_go,
                     data::make(formats) *
                         data::make({"4k", "64k", "2m", "2m address_space.huge_pages=block"}),
                     format, page)
{
    const address_space_params p =
        params_of<apu_machine>("address_space.map=all_paged address_space.table=" + format +
                               " address_space.page=" + page)
            .address_space;
    memory_store store;
    const uint64_t base_va = uint64_t{5} << 30, last_va = base_va + (4 << 20) - 4096;
    address_spaces all(p, {{base_va, 4 << 20}}, store);
    const auto at = [&](uint64_t va) {
        all.publish(0);
        ww_xlat x = {};
        BOOST_REQUIRE(all[0].translate(va, &x));
        return x;
    };
    const ww_xlat before = at(last_va), other = at(base_va);
    const uint64_t first_va = ww_page_base(last_va, before.page_shift);
    BOOST_TEST((before.page_shift == p.page_shift() && before.perm == WW_PERM_ALL));
    all.protect(0, last_va, false);
    BOOST_TEST(at(first_va).perm == (WW_PERM_R | WW_PERM_X));
    BOOST_TEST(at(last_va).perm == (WW_PERM_R | WW_PERM_X));
    all.protect(0, first_va, true);
    all.remap(0, last_va);
    for (const uint64_t va : {first_va, last_va}) {
        BOOST_TEST(at(va).page_pa != before.page_pa);
        BOOST_TEST((at(va).page_shift == before.page_shift && at(va).perm == WW_PERM_ALL));
    }
    BOOST_TEST(at(first_va).page_pa == at(last_va).page_pa);
    all.unmap(0, first_va);
    BOOST_TEST((!all.mapped(0, first_va) && !all.mapped(0, last_va)));
    all.map(0, last_va);
    BOOST_TEST((all.mapped(0, first_va) && all.mapped(0, last_va)));
    const ww_xlat untouched = at(base_va);
    BOOST_TEST(ww_xlat_same(&untouched, &other));
}

BOOST_AUTO_TEST_CASE(an_entry_of_an_image_says_what_it_is)
{
    const std::string old = "amdgpu", gfx12 = "amdgpu_gfx12";
    BOOST_TEST(maker("amdgpu_further").in_image() == nullptr); /* amdgpu's entries mark this themselves */
    BOOST_TEST(said(old, 4, 0x5001) == "table 0x5000 | V");
    BOOST_TEST(said(old, 3, 0x5001 | UINT64_C(9) << 59) == "table 0x5000, of pages unless they have TF | V");
    BOOST_TEST(said(old, 2, 0x5001 | UINT64_C(1) << 56) == "table 0x5000 | V TF");
    BOOST_TEST(said(old, 2, 0x2004f1) == "page 0x200000, fragment 9 | V R W X"); /* translate-further */
    BOOST_TEST(said(old, 2, 0x2004f1 | UINT64_C(1) << 54) == "page 0x200000, fragment 9 | V R W X P");
    BOOST_TEST(said(old, 1, 0x13022d) == "page 0x130000, fragment 4 | V C TMZ R");
    BOOST_TEST(said(old, 1, 0x10) == "not present | ");
    BOOST_TEST(said(old, 1, UINT64_C(1) << 51) == "sparse | ");
    BOOST_TEST(said(old, 1, 0x1003 | UINT64_C(1) << 51) == "page 0x1000, fragment 0 | V S T");
    BOOST_TEST(said(old, 3, 0x5001 | UINT64_C(1) << 56) == "malformed | V TF");
    BOOST_TEST(said(old, 3, 0x5001 | UINT64_C(1) << 50) == "malformed | V");
    BOOST_TEST(said(gfx12, 2, 0x5001 | UINT64_C(1) << 56) == "table 0x5000 | V"); /* A */
    BOOST_TEST(said(gfx12, 2, 0x2004e1 | UINT64_C(1) << 63) == "page 0x200000, fragment 9 | V R W P");
    BOOST_TEST(said(gfx12, 2, UINT64_C(0x8100000000000000)) == "sparse | P");
    const ww_table t = maker(gfx12).in_image()->table(0x7000);
    BOOST_TEST(t.kind == &ww_gpuvm_gfx12);
    BOOST_TEST(t.regs.word[0] == 0x7001u);
}

/* Factors: tables, and what works on them. */
const std::vector<factor> &factors()
{
    static const std::string t = "address_space.table=";
    static const std::vector<factor> all = {
        {"table",
         {t + "amdgpu", t + "amdgpu address_space.levels=3", t + "amdgpu address_space.huge_pages=block",
          t + "amdgpu_further", t + "amdgpu_further address_space.levels=3 address_space.huge_pages=block",
          t + "amdgpu_gfx12"}},
        {"page", {"", "address_space.page=64k", "address_space.page=2m", "address_space.page=mixed"}},
        {"map", {"", "address_space.map=first_touch pager.mean_cycles=200", "address_space.map=half"}},
        {"coalesce", {"", "walk_unit.coalesce=leaf", "walk_unit.coalesce=full"}},
        {"lines", {"", "walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_merge=true"}},
        {"store", {"", "l1_tlb.store=subentry l2_tlb.store=compressed"}},
        {"ideal", {"", "translation.ideal=zero_walk", "translation.ideal=infinite_tlb"}},
        {"spaces", {"", "address_space.spaces=2 dispatcher.space=group"}},
    };
    return all;
}

BOOST_AUTO_TEST_CASE(every_pair_of_values_runs_to_the_same_translations)
{
    const covering array = covering_array::of(factors(), legal_settings<apu_machine>);
    BOOST_TEST(array.impossible == 0u);
    test_share some(4);
    for (const std::string &settings : array.rows) {
        if (!some.takes())
            continue;
        BOOST_TEST_INFO_SCOPE(settings);
        results(settings);
    }
}

BOOST_DATA_TEST_CASE(every_machine_runs_on_one,
                     data::make(every_machine({"address_space.table=amdgpu",
                                               "address_space.table=amdgpu_further address_space.page=mixed",
                                               "address_space.table=amdgpu_gfx12 address_space.page=64k"})),
                     of)
{
    static test_share some(1);
    if (!some.takes())
        return;
    runs_lawfully(of, rows_and_far());
}

BOOST_AUTO_TEST_SUITE_END()
