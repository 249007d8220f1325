/* SPDX-License-Identifier: MIT */
/* tb/fuzz/iommu_input.hpp - derives numbers for the IOMMU's fuzzer from an input's bytes: words that are
 * valid in tables, commands and registers more often than random words; places and addresses where something
 * is. */
#ifndef WW_TB_FUZZ_IOMMU_INPUT_HPP
#define WW_TB_FUZZ_IOMMU_INPUT_HPP

#include "kernels/iommu/iommu_command.h"
#include "kernels/iommu/iommu_dte.h"
#include "kernels/table/amd_pte.h"

namespace walkway_fuzz
{

constexpr uint64_t memory_bytes = 0x20000, devtab_pa = 0, commands_pa = 0x1000, events_pa = 0x2000,
                   page_log_pa = 0x3000, tables_pa = 0x4000, data_pa = 0xc000;
constexpr uint64_t everything_on = 0x1f01d; /* translation, logs, interrupts, commands, pages, PASIDs */

constexpr uint64_t node_pa(uint64_t n)
{
    return tables_pa + n % 8 * 0x1000;
}

class input
{
public:
    input(const uint8_t *data, size_t size) : at_(data), end_(data + size) {}
    bool done() const { return at_ == end_; }
    uint8_t byte() { return done() ? uint8_t{0} : *at_++; }
    uint64_t number(unsigned bytes)
    {
        uint64_t word = 0;
        for (unsigned i = 0; i < bytes; ++i)
            word |= uint64_t{byte()} << i * 8;
        return word;
    }

    /* The address of 8 bytes of memory. */
    uint64_t place()
    {
        const uint8_t which = byte(), index = byte();
        const uint64_t in_node = (index < 128 ? index % 16 : 512 - index % 4 - 1) * 8;
        switch (which % 4) {
        case 0:
            return devtab_pa + index % 16 * 8;
        case 1:
        case 2:
            return node_pa(which / 4) + in_node;
        default:
            return (uint64_t{index} << 8 | byte()) * 8 % memory_bytes;
        }
    }
    uint64_t word()
    {
        const uint8_t kind = byte(), more = byte();
        switch (kind % 6) {
        case 0:
            return number(8);
        case 1: /* an entry for a table or a page */
            return node_pa(more) | (uint64_t{more} >> 3 & 7) << 9 | WW_AMD_PR |
                   (kind & 64 ? 0 : WW_AMD_IR | WW_AMD_IW);
        case 2: /* an entry in the format of processors */
            return node_pa(more) | uint64_t{more} >> 3 | (kind & 64 ? 0 : 7) | (kind & 32 ? 128 : 0) |
                   (uint64_t{kind} >> 7) << 63;
        case 3: /* the first word of a device table entry */
            return node_pa(more) | (uint64_t{more} >> 3 & 7) << 9 | 3 | WW_AMD_IR | WW_AMD_IW |
                   (kind & 64 ? WW_DTE_GV | ww_bits_put(WW_DTE_GCR3_A, 0, node_pa(more) >> 12 & 7) |
                                    WW_DTE_PPR | WW_DTE_GPRP
                              : 0);
        case 4: /* the base register of a queue */
            return (uint64_t{more} & 31) << 12 | (uint64_t{kind} >> 4) << 56;
        default:
            return more;
        }
    }
    uint64_t command()
    {
        static const uint8_t codes[] = {1, 2, 3, 4, 5, 7, 8, 8};
        const uint8_t which = byte(), more = byte();
        const uint64_t code = which & 128 ? which & 15 : codes[which % 8];
        if (code == WW_CMD_COMPLETION_WAIT)
            return code << 60 | uint64_t{byte()} << 9 | (more & 7);
        return code << 60 | uint64_t{more} << 24 | (uint64_t{which} >> 3 & 7) << 32 | (more & 3);
    }
    /* Near mapped pages, at the ends of the address space, or anywhere. */
    uint64_t address()
    {
        const uint8_t how = byte();
        const uint64_t low = number(2);
        switch (how % 4) {
        case 0:
        case 1:
            return low;
        case 2:
            return (uint64_t{how} >> 2 & 7) << 21 | (uint64_t{how} >> 5) << 30 | low;
        default:
            return how & 128 ? number(6) << 16 | low : UINT64_MAX << (16 + how / 4) | low;
        }
    }

private:
    const uint8_t *at_, *end_;
};

} // namespace walkway_fuzz

#endif
