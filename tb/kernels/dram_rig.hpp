/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_rig.hpp - a channel with its storage, stepped every cycle, and a log of its commands. */
#ifndef WW_TB_DRAM_RIG_HPP
#define WW_TB_DRAM_RIG_HPP

#include "kernels/dram/dram.h"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <vector>

struct dram_blob {
    explicit dram_blob(const ww_dram_cfg &cfg)
        : bytes(ww_dram_bytes(&cfg)), memory(new line[bytes / sizeof(line) + 1])
    {
        BOOST_REQUIRE_EQUAL(ww_dram_init(get(), bytes, &cfg), WW_OK);
    }
    ww_dram *get() const { return reinterpret_cast<ww_dram *>(memory.get()); }
    struct alignas(64) line {
        unsigned char byte[64];
    };
    size_t bytes;
    std::unique_ptr<line[]> memory;
};

struct dram_entry {
    uint64_t cycle;
    ww_dram_event event;
};

struct dram_arrival {
    uint64_t cycle;
    bool is_write;
    ww_dram_loc loc; /* its id is the position in the list, from 0 */
};

struct dram_rig {
    explicit dram_rig(const ww_dram_cfg &cfg) : blob(cfg), d(blob.get()) {}

    bool put(bool is_write, const ww_dram_loc &loc, uint32_t id)
    {
        return ww_dram_enqueue(d, &loc, is_write, id, now);
    }

    void must_put(bool is_write, const ww_dram_loc &loc, uint32_t id)
    {
        BOOST_REQUIRE(put(is_write, loc, id));
    }

    /* Steps one cycle and logs the command that it issues, if any. */
    void tick()
    {
        ww_dram_event e;
        BOOST_REQUIRE_GT(ww_dram_step(d, now, &e), now);
        if (e.cmd != WW_DRAM_NONE)
            log.push_back({now, e});
        const char *broken = ww_dram_check(d);
        BOOST_REQUIRE_MESSAGE(!broken, broken);
        now++;
    }

    void run_to(uint64_t cycle)
    {
        while (now < cycle)
            tick();
    }

    void run(const std::vector<dram_arrival> &arrivals, uint64_t until)
    {
        uint32_t id = 0;
        for (const dram_arrival &a : arrivals) {
            run_to(a.cycle);
            BOOST_REQUIRE(put(a.is_write, a.loc, id++));
        }
        run_to(until);
    }

    /* Returns the n-th command of this kind, from 0. */
    const dram_entry &find(ww_dram_cmd cmd, size_t n = 0) const
    {
        for (const dram_entry &e : log)
            if (e.event.cmd == cmd && n-- == 0)
                return e;
        BOOST_FAIL("no such command: " << ww_dram_cmd_name(cmd));
        return log.front();
    }

    size_t count(ww_dram_cmd cmd) const
    {
        size_t n = 0;
        for (const dram_entry &e : log)
            n += e.event.cmd == cmd;
        return n;
    }

    uint64_t done(uint32_t id) const
    {
        for (const dram_entry &e : log)
            if (e.event.done_cycle && e.event.id == id)
                return e.event.done_cycle;
        BOOST_FAIL("request " << id << " was not served");
        return 0;
    }

    dram_blob blob;
    ww_dram *d;
    uint64_t now = 0;
    std::vector<dram_entry> log;
};

inline ww_dram_cfg dram_quiet_cfg() /* DDR3-1600 without refresh */
{
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    cfg.timing.refi_cycles = 0;
    return cfg;
}

inline ww_dram_loc dram_at(uint32_t rank, uint32_t bank, uint32_t row, uint32_t col = 0)
{
    return {0, rank, bank, row, col};
}

#endif
