/* SPDX-License-Identifier: MIT */
/* A TLB and a walk unit in a four-phase platform that is unaware of them. They translate the initiator's
 * virtual addresses through x86-64 page tables in the platform's memory. The initiator reads two pages twice:
 * walks, then hits. One page is not mapped, and one write is not permitted. With a file name as argument, the
 * signals of both blocks are dumped to that file. */
#include "walkway/device/at_requester.hpp"
#include "walkway/device/stage_adapter.hpp"
#include "walkway/device/test_memory.hpp"
#include "walkway/kernels/table/pte.h"
#include "walkway/kernels/table/table_radix.h"
#include "walkway/model/tlb.hpp"
#include "walkway/model/walk_unit.hpp"
#include "walkway/observe/waves/recorder.hpp"

#include <cstdio>
#include <memory>

int sc_main(int argc, char **argv)
{
    const walkway::clock_domain clock(1000); /* ps */
    const uint64_t root = 0x10000, va = UINT64_C(0x7f0000400000);
    walkway::tlb_params t;
    walkway::walk_unit_params w;
    t.entries = t.ways = 16;
    t.hit_cycles = 2;
    t.ports = 2;
    t.mshrs = t.merges = 64;
    t.queue_entries = w.queue_entries = 4;
    w.buffer_entries = 64;
    w.walkers = 4;
    w.pwc_l4 = w.pwc_l3 = w.pwc_l2 = 4;
    w.response_cycles = 1;
    w.read_cycles = w.reply_cycles = 1; /* to memory and back */

    walkway::at_requester<32> dma("dma");
    walkway::test_memory<32> ram("ram", 1 << 20, sc_core::sc_time(30, sc_core::SC_NS), 2);
    walkway::stage_adapter<32> mmu("mmu", clock);
    walkway::tlb tlb("tlb", clock, t, {"l1", "TLB"}, 1);
    walkway::walk_unit walks("walks", clock, w, walkway::page_tables(ww_radix_table(4, root)), 1);
    dma.out.bind(mmu.up);      /* virtual addresses */
    mmu.down.bind(ram.up[0]);  /* physical ones */
    mmu.xlat.bind(*tlb.up[0]); /* requests: TLB, then walk unit */
    tlb.down.bind(*walks.up[0]);
    walks.mem.bind(ram.up[1]); /* lines of page tables */

    const uint64_t node = WW_PTE_P | WW_PTE_RW;
    ram.put(root + (va >> 39 & 511) * 8, 0x11000 | node);
    ram.put(0x11000 + (va >> 30 & 511) * 8, 0x12000 | node);
    ram.put(0x12000 + (va >> 21 & 511) * 8, 0x13000 | node);
    ram.put(0x13000, 0x80000 | node);         /* the page of va */
    ram.put(0x13000 + 8, 0x90000 | WW_PTE_P); /* the next one, read-only; the others are absent */
    ram.put(0x80000, 11), ram.put(0x90000, 22);

    uint64_t word[4] = {}, none = 0;
    unsigned refused = 0;
    double at[4] = {};
    const std::vector<walkway::block *> blocks = {&tlb, &walks};
    std::unique_ptr<walkway::wave_recorder> waves;
    if (argc > 1) {
        waves.reset(new walkway::wave_recorder(blocks, {argv[1], "two pages, twice", {"tlb", "walks"}}));
        waves->open();
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (unsigned i = 0; i < 4; ++i) { /* each one after the previous answer */
        const double start = sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS);
        dma.send(tlm::TLM_READ_COMMAND, va + i % 2 * 4096, &word[i], 8, [&at, i, start](const auto &) {
            at[i] = sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS) - start;
        });
        sc_core::sc_start();
    }
    dma.send(tlm::TLM_READ_COMMAND, va + 2 * 4096, &none, 8,
             [&](const auto &p) { refused += p.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE; });
    dma.send(tlm::TLM_WRITE_COMMAND, va + 4096, &none, 8,
             [&](const auto &p) { refused += p.get_response_status() == tlm::TLM_COMMAND_ERROR_RESPONSE; });
    sc_core::sc_start();
    if (waves)
        waves->finish(sc_core::sc_time_stamp().value()); /* ps */
    std::printf(
        "walk of four levels %3.0f ns, of its last one %3.0f ns, hits %.0f and %.0f ns; %llu reads of "
        "page tables\n",
        at[0], at[1], at[2], at[3], static_cast<unsigned long long>(walks.stats().pte_reads));
    const bool right = word[0] == 11 && word[1] == 22 && word[2] == 11 && word[3] == 22;
    return right && refused == 2 && at[1] < at[0] && at[2] < at[1] && tlb.stats().hits == 3 ? 0 : 1;
}
