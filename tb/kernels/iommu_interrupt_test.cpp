/* SPDX-License-Identifier: MIT */
/* Tests the device addresses that are not memory: the place of each range, the effect of each control of the
 * device-table entry on each kind of interrupt, and the effect of each bit of an interrupt-table entry. */
#include <boost/test/unit_test.hpp>

#include "kernels/iommu/iommu_interrupt.h"

#include <initializer_list>

namespace
{

constexpr uint64_t msi = 0xfee00000, hyper = 0xfdf8000000;

ww_int_access write_of(uint64_t va, uint32_t data)
{
    return {va, data, true, true};
}

ww_int_step start(uint64_t w2, const ww_int_access &a, uint64_t w0 = 3, uint64_t w1 = 0)
{
    const uint64_t dte[3] = {w0, w1, w2};
    return ww_int_start(dte, &a);
}

uint64_t control(uint64_t n)
{
    return WW_DTE_IV | n << 60;
}

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_interrupt)

BOOST_AUTO_TEST_CASE(each_range_lies_where_it_should)
{
    const struct {
        uint64_t first, last;
        ww_iommu_range range;
    } all[] = {
        {0, 0xfedfffff, WW_RANGE_MEMORY},
        {0xfee00000, 0xfeefffff, WW_RANGE_MSI},
        {0xfef00000, 0xfcffffffff, WW_RANGE_MEMORY},
        {0xfd00000000, 0xfdf7ffffff, WW_RANGE_RESERVED_INT},
        {0xfdf8000000, 0xfdf8ffffff, WW_RANGE_INTERRUPT},
        {0xfdf9000000, 0xfdf90fffff, WW_RANGE_ACKNOWLEDGE},
        {0xfdf9100000, 0xfdf91fffff, WW_RANGE_SYSTEM},
        {0xfdf9200000, 0xfdfbffffff, WW_RANGE_RESERVED},
        {0xfdfc000000, 0xfdfdffffff, WW_RANGE_IO},
        {0xfdfe000000, 0xfdffffffff, WW_RANGE_CONFIGURATION},
        {0xfe00000000, 0xfe1fffffff, WW_RANGE_EXTENDED},
        {0xfe20000000, 0xffffffffff, WW_RANGE_RESERVED_TOP},
        {0x10000000000, UINT64_MAX, WW_RANGE_MEMORY},
    };
    uint64_t next = 0;
    for (const auto &one : all) {
        BOOST_TEST(one.first == next);
        next = one.last + 1;
        for (const uint64_t va : {one.first, one.first + (one.last - one.first) / 2, one.last}) {
            BOOST_TEST(ww_iommu_range_of(va) == one.range, va);
            BOOST_TEST(ww_iommu_set_apart(va) == (one.range != WW_RANGE_MEMORY), va);
            BOOST_TEST(ww_iommu_meets_set_apart(va, va) == (one.range != WW_RANGE_MEMORY), va);
        }
        if (one.range == WW_RANGE_MEMORY)
            BOOST_TEST(!ww_iommu_meets_set_apart(one.first, one.last));
    }
    BOOST_TEST(ww_iommu_meets_set_apart(0xfedff000, 0xfee00000));
    BOOST_TEST(ww_iommu_meets_set_apart(0, UINT64_MAX));
    BOOST_TEST(ww_iommu_meets_set_apart(0xffffffffff, 0x10000000000));
}

BOOST_AUTO_TEST_CASE(without_an_interrupt_table_interrupts_are_what_they_are)
{
    for (const uint64_t w0 : {UINT64_C(0), UINT64_C(1), UINT64_C(3)}) /* V and TV have no effect */
        for (const uint64_t va : {msi, hyper + 0x00123410})
            for (uint32_t mode = 0; mode < 8; ++mode) {
                const ww_int_access small = {va + 1, 0, true, false};
                BOOST_TEST(start(~WW_DTE_IV, write_of(va, mode << 8), w0).what == WW_INT_PASS);
                BOOST_TEST(start(0, small, w0).what == WW_INT_PASS);
            }
    const ww_int_access read = {msi, 0, false, false};
    BOOST_TEST(start(0, read, 0).what == WW_INT_PASS); /* V is clear: the device is not configured */
    for (const uint64_t w2 : {UINT64_C(0), control(1)}) {
        BOOST_TEST(start(w2, read).what == WW_INT_REFUSE);
        BOOST_TEST(uint32_t{start(w2, read).type} == uint32_t{WW_REQUEST_INTERRUPT_READ});
    }
}

/* IntCtl controls fixed and arbitrated interrupts (3 is reserved); each other kind has a bit of its own. */
BOOST_AUTO_TEST_CASE(each_kind_of_interrupt_goes_where_its_control_says)
{
    enum kind { mapped, smi, nmi, init, ext, lint0, lint1, none };
    const uint64_t bits[] = {
        0, 0, WW_DTE_NMI_PASS, WW_DTE_INIT_PASS, WW_DTE_EXT_PASS, WW_DTE_LINT0_PASS, WW_DTE_LINT1_PASS, 0};
    const struct {
        ww_int_access a;
        kind is;
    } all[] = {
        {write_of(msi, 0), mapped},
        {write_of(msi, 1 << 8), mapped},
        {write_of(msi, 2 << 8), smi},
        {write_of(msi, 3 << 8), none},
        {write_of(msi, 4 << 8), nmi},
        {write_of(msi, 5 << 8), init},
        {write_of(msi, 6 << 8), none},
        {write_of(msi, 7 << 8), ext},
        {write_of(hyper, 0), mapped},
        {write_of(hyper | 1 << 2, 0), mapped},
        {write_of(hyper | 2 << 2, 0), smi},
        {write_of(hyper | 3 << 2, 0), nmi},
        {write_of(hyper | 4 << 2, 0), init},
        {write_of(hyper | 5 << 2, 0), none},
        {write_of(hyper | 6 << 2, 0), ext},
        {write_of(hyper | 7 << 2, 0), none},
        {write_of(hyper | 0x80 | 6 << 2, 0), lint0},
        {write_of(hyper | 0x80 | 3 << 2, 0), lint1},
        {write_of(hyper | 0x80, 0), none},
    };
    for (const auto &one : all)
        for (uint64_t ctl = 0; ctl < 4; ++ctl)
            for (uint64_t pass = 0; pass < 32; ++pass) {
                const uint64_t w2 =
                    control(ctl) | (pass & 7) << 56 | (pass >> 3) << 62 | WW_DTE_INT_LEN_MAX << 1;
                const ww_int_step s = start(w2, one.a);
                const ww_int_do mapped_does = ctl == 0 ? WW_INT_REFUSE : ctl == 1 ? WW_INT_PASS : WW_INT_READ;
                const ww_int_do want = ctl == 3            ? WW_INT_ILLEGAL
                                       : one.is == mapped  ? mapped_does
                                       : one.is == smi     ? WW_INT_PASS
                                       : one.is == none    ? WW_INT_REFUSE
                                       : w2 & bits[one.is] ? WW_INT_PASS
                                                           : WW_INT_REFUSE;
                BOOST_TEST(s.what == want, "control " << ctl << " passes " << pass << " kind " << one.is);
                if (want == WW_INT_REFUSE)
                    BOOST_TEST(uint32_t{s.type} == uint32_t{one.is == none ? WW_REQUEST_RESERVED_INTERRUPT
                                                                           : WW_REQUEST_INTERRUPT_WRITE});
                BOOST_TEST(!s.reserved);
            }
}

BOOST_AUTO_TEST_CASE(the_tables_entry_is_that_of_the_index_within_its_length)
{
    const uint64_t root = UINT64_C(0xabcdef1234540);
    for (uint64_t len = 0; len < 16; ++len)
        for (const uint32_t index : {0u, 1u, 2u, 3u, 255u, 256u, 1023u, 2047u})
            for (const bool by_address : {false, true}) {
                const ww_int_access a =
                    by_address ? write_of(hyper | (index & 255) << 16 | (index >> 8 & 1) << 2 | 0xff00, 0)
                               : write_of(msi | 0xff000, index & 0x1ff);
                const uint32_t at = by_address ? index & 511 : index & 0x1ff;
                const ww_int_step s = start(control(2) | len << 1 | root | WW_DTE_IG, a);
                if (!by_address && (at >> 8) > 1)
                    continue;
                BOOST_TEST(s.what == (len > 11         ? WW_INT_ILLEGAL
                                      : at >> len != 0 ? WW_INT_ABSENT
                                                       : WW_INT_READ));
                if (len > 11)
                    continue;
                BOOST_TEST(s.index == at);
                BOOST_TEST(s.pa == root + at * 4);
                BOOST_TEST(s.quiet);
                BOOST_TEST(!start(control(2) | len << 1 | root, a).quiet);
            }
    for (const uint64_t reserved : {WW_BITS64(52, 52), WW_BITS64(55, 55), WW_BITS64(59, 59)}) {
        const ww_int_step s = start(control(2) | reserved, write_of(msi, 0));
        BOOST_TEST(s.what == WW_INT_ILLEGAL);
        BOOST_TEST(s.reserved);
    }
    for (const uint64_t ctl : {0, 1, 2}) { /* an interrupt is 4 bytes */
        const ww_int_step s = start(control(ctl), {msi, 0, true, false});
        BOOST_TEST(s.what == WW_INT_REFUSE);
        BOOST_TEST(uint32_t{s.type} == uint32_t{WW_REQUEST_WRITE});
    }
}

BOOST_AUTO_TEST_CASE(an_entry_gives_destination_vector_and_kind)
{
    const uint64_t quiet_dte[3] = {0, 0, WW_DTE_IV | WW_DTE_IG}, dte[3] = {0, 0, WW_DTE_IV};
    const uint32_t entry = 1 | 1 << 2 | 1 << 6 | 0xa5 << 8 | 0x3c << 16; /* arbitrated, logical */
    ww_int_message m = {};
    bool quiet = true;
    const ww_int_access express = write_of(0xfee12348, 0xffffc0ff), transport = write_of(hyper | 0xffffff, 7);
    BOOST_TEST(ww_int_remap(dte, &express, entry, &m, &quiet) == WW_INT_REMAPPED);
    BOOST_TEST(m.pa == 0xfeea534cu); /* 4: logical; 8 and the rest are unchanged */
    BOOST_TEST(m.data == 0xffffc13cu);
    BOOST_TEST(!quiet);
    BOOST_TEST(ww_int_remap(dte, &express, 1, &m, &quiet) == WW_INT_REMAPPED);
    BOOST_TEST(m.pa == 0xfee00348u);
    BOOST_TEST(m.data == 0xffffc000u);
    BOOST_TEST(ww_int_remap(dte, &transport, entry | 1 << 5, &m, &quiet) == WW_INT_REMAPPED);
    BOOST_TEST(m.pa == (hyper | 0x3ca567)); /* the lowest two bits are unchanged */
    BOOST_TEST(m.data == 7u);

    for (const uint32_t bad : {1u << 7, 1u << 24, 1u << 31, 2u << 2, 7u << 2}) {
        BOOST_TEST(ww_int_remap(dte, &express, 1 | bad, &m, &quiet) == WW_INT_MALFORMED);
        BOOST_TEST(!quiet);
        BOOST_TEST(ww_int_remap(dte, &express, 3 | bad, &m, &quiet) == WW_INT_MALFORMED);
        BOOST_TEST(quiet); /* SupIOPF */
        BOOST_TEST(ww_int_remap(quiet_dte, &express, 1 | bad, &m, &quiet) == WW_INT_MALFORMED);
        BOOST_TEST(!quiet); /* IG only covers interrupts without an entry */
    }
    BOOST_TEST(ww_int_remap(dte, &express, entry & ~1u, &m, &quiet) == WW_INT_UNMAPPED);
    BOOST_TEST(!quiet);
    BOOST_TEST(ww_int_remap(quiet_dte, &express, 0, &m, &quiet) == WW_INT_UNMAPPED);
    BOOST_TEST(quiet);
    BOOST_TEST(ww_int_remap(dte, &express, 2, &m, &quiet) == WW_INT_UNMAPPED);
    BOOST_TEST(quiet);
}

BOOST_AUTO_TEST_CASE(other_ranges_are_what_the_entry_says_and_else_refused)
{
    const struct {
        uint64_t va, w1;
        ww_int_do write, read;
        uint32_t write_type, read_type;
    } all[] = {
        {0xfd00000000, 0, WW_INT_REFUSE, WW_INT_REFUSE, 6, 0},
        {0xfdf9000000, UINT64_MAX, WW_INT_REFUSE, WW_INT_REFUSE, 3, 4},
        {0xfdf9100000, UINT64_C(0) << 40, WW_INT_REFUSE, WW_INT_REFUSE, 7, 7},
        {0xfdf9100000, UINT64_C(1) << 40, WW_INT_PASS, WW_INT_REFUSE, 0, 7},
        {0xfdf9100000, UINT64_C(2) << 40, WW_INT_PASS, WW_INT_REFUSE, 0, 7},
        {0xfdf9100000, UINT64_C(3) << 40, WW_INT_MEMORY, WW_INT_MEMORY, 0, 0},
        {0xfdf9200000, 0, WW_INT_REFUSE, WW_INT_REFUSE, 3, 4},
        {0xfdfc000000, UINT64_C(0) << 35, WW_INT_REFUSE, WW_INT_REFUSE, 2, 2},
        {0xfdfc000000, UINT64_C(1) << 35, WW_INT_PASS, WW_INT_PASS, 0, 0},
        {0xfdfc000000, UINT64_C(2) << 35, WW_INT_MEMORY, WW_INT_MEMORY, 0, 0},
        {0xfdfc000000, UINT64_C(3) << 35, WW_INT_ILLEGAL, WW_INT_ILLEGAL, 0, 0},
        {0xfdfe000000, 0, WW_INT_REFUSE, WW_INT_REFUSE, 3, 4},
        {0xfe00000000, 0, WW_INT_REFUSE, WW_INT_REFUSE, 3, 4},
        {0xffffffffff, 0, WW_INT_REFUSE, WW_INT_REFUSE, 3, 4},
    };
    for (const auto &one : all)
        for (const bool write : {false, true}) {
            const ww_int_step s = start(0, {one.va, 0, write, false}, 3, one.w1);
            BOOST_TEST(s.what == (write ? one.write : one.read), one.va);
            BOOST_TEST(uint32_t{s.type} == (write ? one.write_type : one.read_type), one.va);
            BOOST_TEST(start(0, {one.va, 0, write, false}, 2, one.w1).what == WW_INT_PASS); /* V is clear */
        }
}

BOOST_AUTO_TEST_SUITE_END()
