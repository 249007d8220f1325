/* SPDX-License-Identifier: MIT */
/* The registers of an AMD-Vi IOMMU as software sees them, and its commands in progress. */
#ifndef WW_TB_KERNELS_IOMMU_FIXTURE_HPP
#define WW_TB_KERNELS_IOMMU_FIXTURE_HPP

#include "kernels/iommu/iommu_command.h"

#include <boost/test/unit_test.hpp>

struct registers : ww_iommu_regs {
    registers() { ww_iommu_reset(this); }
    void set(uint32_t reg, uint64_t value) { ww_iommu_write(this, reg, value, UINT64_MAX); }
    uint64_t status() const { return word[WW_IOMMU_STATUS]; }
};

inline uint64_t queue(uint64_t pa, uint64_t len)
{
    return pa | len << 56;
}

/* 256 commands at 0x10000 and 256 events at 0x20000, all enabled. */
struct running : registers {
    ww_iommu_commands c;
    running()
    {
        ww_iommu_commands_init(&c);
        set(WW_IOMMU_COMMAND, queue(0x10000, 8));
        set(WW_IOMMU_EVENT, queue(0x20000, 8));
        set(WW_IOMMU_PPR, queue(0x30000, 9));
        set(WW_IOMMU_CONTROL, UINT64_MAX);
    }
    ww_iommu_do next(ww_iommu_step *s) { return ww_iommu_command_next(&c, this, s); }
    /* Feeds the words of the next command, which software adds if the buffer has none. */
    ww_iommu_event fed(uint64_t w0, uint64_t w1)
    {
        const uint64_t words[2] = {w0, w1};
        return fed(words);
    }
    ww_iommu_event fed(const uint64_t *words)
    {
        ww_iommu_step s;
        if (next(&s) == WW_CMD_NOTHING) {
            set(WW_IOMMU_COMMAND_TAIL, word[WW_IOMMU_COMMAND_HEAD] + WW_IOMMU_ENTRY_BYTES);
            BOOST_TEST_REQUIRE(next(&s) == WW_CMD_READ);
        }
        return fed_at(s.pa, words);
    }
    ww_iommu_event fed_at(uint64_t pa, const uint64_t *words)
    {
        ww_iommu_event e;
        ww_iommu_command_fed(&c, this, pa, words, &e);
        return e;
    }
    ww_iommu_event done(bool ok = true)
    {
        ww_iommu_event e;
        ww_iommu_command_done(&c, this, ok, &e);
        return e;
    }
};

inline uint64_t opcode(uint64_t n)
{
    return n << 60;
}

#endif
