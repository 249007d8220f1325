/* SPDX-License-Identifier: MIT */
/* tb/platform/parameter_rows.hpp - for every parameter of the apu: another value, and the stimulus and
 * settings under which it must have an effect. */
#ifndef WW_TB_PLATFORM_PARAMETER_ROWS_HPP
#define WW_TB_PLATFORM_PARAMETER_ROWS_HPP

#include "mechanisms.inc"
#include "tb/platform/apu_rig.hpp"

namespace walkway::test
{

inline trace_spec stimulus_spec(stimulus s)
{
    std::vector<group_spec> groups;
    switch (s) {
    case stimulus::rows:
        return row_major(8, 4, 4, 16384);
    case stimulus::scatter:
        return scatter(16, 12, 8 << 20, 40);
    case stimulus::reuse:
        for (uint64_t w = 0; w < 2; ++w) {
            wave_spec wave;
            for (uint64_t k = 0; k < 6; ++k) {
                wave.records.push_back(stride(WKT_LOAD, buffer_va + k * 64, 65536));
                wave.records.back().mask = 0xffffff;
            }
            groups.push_back({wave});
        }
        return one_launch(groups, 24 * 65536);
    case stimulus::same:
        for (uint64_t w = 0; w < 16; ++w) {
            wave_spec wave;
            for (uint64_t k = 0; k < 4; ++k) {
                wave.records.push_back(stride(WKT_LOAD, buffer_va + k * 16384, 1024, 4));
                wave.records.push_back(stride(WKT_STORE, buffer_va + k * 16384 + (w % 4) * 64, 1024));
            }
            groups.push_back({wave});
        }
        return one_launch(groups, 1 << 20);
    case stimulus::wide:
    case stimulus::wide5: {
        trace_spec spec;
        wave_spec wave;
        ww_rng random;
        ww_rng_init(&random, 6);
        std::vector<uint64_t> bases;
        for (uint64_t top = 0; top < (s == stimulus::wide5 ? 2u : 1u); ++top)
            for (uint64_t r = 0; r < 3; ++r)
                for (uint64_t g = 0; g < 3; ++g)
                    for (uint64_t m = 0; m < 8; ++m)
                        bases.push_back((top << 48) + buffer_va + (r << 39) + (g << 30) + (m << 21));
        for (const uint64_t base : bases)
            spec.buffers.push_back({base, 1 << 16, 0, 0, 1});
        for (unsigned k = 0; k < 150; ++k)
            wave.records.push_back(
                uniform(WKT_LOAD, bases[ww_rng_below(&random, static_cast<uint32_t>(bases.size()))] +
                                      ww_rng_below(&random, 16) * 4096));
        spec.launches = {{{{wave}}, 0}};
        return spec;
    }
    case stimulus::local:
        for (unsigned g = 0; g < 6; ++g) {
            group_spec group;
            for (unsigned w = 0; w < 2; ++w)
                group.push_back({{uniform(WKT_LOAD, buffer_va + g * 4096), stride(WKT_LOCAL_STORE, 0, 256),
                                  record(WKT_BARRIER), stride(WKT_LOCAL_LOAD, w * 4, 4, 2)},
                                 4});
            groups.push_back(group);
        }
        return one_launch(groups, 1 << 20, 30000);
    case stimulus::lent: {
        trace_spec spec = row_major(8, 4, 4, 16384);
        spec.launches.push_back(spec.launches[0]);
        for (group_spec &g : spec.launches[1].groups)
            g[0].records.insert(g[0].records.begin(), stride(WKT_LOCAL_STORE, 0, 64));
        spec.launches[1].lds_bytes = 4096;
        return spec;
    }
    case stimulus::code:
        for (unsigned g = 0; g < 8; ++g) {
            wave_spec wave;
            for (uint32_t k = 0; k < 40; ++k) {
                wave.records.push_back(uniform(WKT_STORE, buffer_va, WKT_USE_NEVER, 4));
                wave.records.back().pc = k % 20 * 24 + g % 2;
            }
            groups.push_back({wave});
        }
        return one_launch(groups, 4096);
    case stimulus::unknown:
        return one_launch({{{{uniform(WKT_LOAD, buffer_va, WKT_USE_UNKNOWN)}, 40}}}, 4096);
    case stimulus::together:
        break; /* not a single trace */
    }
    return {};
}

inline const trace &stimulus_trace(stimulus s)
{
    static std::map<stimulus, std::unique_ptr<trace>> all;
    std::unique_ptr<trace> &t = all[s];
    if (t == nullptr)
        t = std::make_unique<trace>(stimulus_spec(s));
    return *t;
}

inline program_list stimulus_programs(stimulus s)
{
    if (s != stimulus::together)
        return stimulus_trace(s).reader();
    return program_list({stimulus_trace(stimulus::lent).reader(), stimulus_trace(stimulus::rows).reader()});
}

inline std::vector<parameter_row> parameter_rows()
{
    using s = stimulus;
    const std::string one = "gpu.cus=1 ";
    const std::string banked = "lds.banks=16 ", fetched = "icache.entries=16 icache.ways=4 ";
    const std::string l1_small = "l1_tlb.entries=16 l1_tlb.ways=4 ";
    const std::string l2_small = "l2_tlb.entries=64 l2_tlb.ways=4 ";
    const std::string tiny = "l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.entries=4 l2_tlb.ways=4 ";
    const std::string back = "l1d.write=back l1d.bytes=4096 ";
    const std::string l2d_small = "l2d.bytes=16384 l2d.ways=4 ";
    const std::string memory = "address_space.page=2m address_space.memory_bytes=1073741824 " + l2d_small;
    const std::string faults = "address_space.map=first_touch ";
    const std::string pte = "walk_unit.pte_cache_bytes=1024 ";
    std::vector<parameter_row> all = {
        {"gpu.cus", "4", s::rows, ""},
        {"gpu.clock_ps", "700", s::rows, ""},
        {"translation.ideal", "none", s::rows, ""},
        {"translation.infinite", "l1_tlb", s::rows, "translation.ideal=infinite_tlb"},
        {"dispatcher.policy", "compact", s::rows, ""},
        {"dispatcher.dispatch_cycles", "50", s::rows, ""},
        {"dispatcher.launch_cycles", "10", s::rows, ""},
        {"dispatcher.spread_cycles", "300", s::rows, ""},
        {"cu.wave_lanes", "32", s::rows, ""},
        {"dispatcher.space", "group", s::rows, "address_space.spaces=2"},
        {"dispatcher.shares", "2", s::rows, ""},
        {"dispatcher.again", "false", s::together, "dispatcher.shares=2"},
        {"dispatcher.on_switch", "flush", s::together, ""},
        {"cu.simds", "1", s::rows, one},
        {"cu.waves_per_simd", "1", s::rows, one},
        {"cu.issue_cycles", "9", s::rows, ""},
        {"cu.memory_issues", "4", s::same, one},
        {"cu.outstanding", "1", s::same, ""},
        {"cu.unknown_use", "30", s::unknown, ""},
        {"cu.lds_bytes", "32768", s::local, one},
        {"cu.lds_granule", "65536", s::local, one},
        {"cu.lds_cycles", "60", s::local, ""},
        {"cu.buffer_lines", "1", s::code, fetched},
        {"cu.line_instructions", "4", s::code, fetched},
        {"lds.banks", "32", s::local, ""},
        {"lds.word_bytes", "16", s::local, banked},
        {"lds.ports", "4", s::local, banked},
        {"lds.hit_cycles", "60", s::local, banked},
        {"lds.queue_entries", "1", s::local, one + "lds.banks=1"},
        {"icache.entries", "256", s::code, ""},
        {"icache.ways", "1", s::code, "icache.entries=128 cu.line_instructions=1"},
        {"icache.index", "xor", s::code, "icache.entries=64 icache.ways=1 cu.line_instructions=1"},
        {"icache.hit_cycles", "40", s::code, fetched},
        {"icache.ports", "8", s::code, fetched},
        {"icache.mshrs", "1", s::code, fetched},
        {"icache.merges", "1", s::code, fetched},
        {"icache.queue_entries", "1", s::code, fetched + one},
        {"icache.response_cycles", "30", s::code, fetched},
        {"icache.link_cycles", "30", s::code, fetched},
        {"icache.shared_by", "1", s::code, fetched},
        {"icache.code_pa", "1048640", s::code, "icache.entries=16 icache.ways=1"},
        {"coalescer.lanes_per_cycle", "4", s::rows, "coalescer.pages_per_cycle=64"},
        {"coalescer.pages_per_cycle", "1", s::rows, ""},
        {"coalescer.lines_per_cycle", "8", s::same, "l1d.ports=8"},
        {"coalescer.instructions", "1", s::same, one},
        {"coalescer.window", "0", s::same, one + "l1_tlb.queue_entries=1 l1_tlb.ports=1"},
        {"coalescer.queue_entries", "1", s::same, one},
        {"coalescer.response_cycles", "20", s::rows, ""},
        {"l1_tlb.entries", "1024", s::wide, ""},
        {"l1_tlb.shared_by", "2", s::rows, ""},
        {"l1_tlb.store", "compressed", s::rows, "l1_tlb.ways=8 "},
        {"l2_tlb.shared_by", "4", s::same, ""},
        {"l1_tlb.order", "arrival", s::rows, "l1_tlb.shared_by=4 l2_tlb.shared_by=8"},
        {"l2_tlb.order", "arrival", s::rows, ""},
        {"iommu_tlb.order", "arrival", s::rows, "l2_tlb.shared_by=1"},
        {"walk_unit.order", "arrival", s::rows,
         "l2_tlb.shared_by=1 iommu_tlb.shared_by=1 walk_unit.backlog_entries=0 walk_unit.buffer_entries=2"},
        {"iommu_tlb.shared_by", "4", s::same, "l2_tlb.shared_by=4"},
        {"walk_unit.shared_by", "4", s::same, "l2_tlb.shared_by=4 iommu_tlb.shared_by=4"},
        {"l1_tlb.ways", "8", s::rows, ""},
        {"l1_tlb.index", "xor", s::reuse, l1_small},
        {"l1_tlb.replace", "random", s::rows, ""},
        {"l1_tlb.hit_cycles", "20", s::rows, ""},
        {"l1_tlb.ports", "1", s::rows, ""},
        {"l1_tlb.mshrs", "2", s::rows, ""},
        {"l1_tlb.merges", "1", s::same, one + "coalescer.window=0 l1_tlb.mshrs=4"},
        {"l1_tlb.queue_entries", "1", s::rows, ""},
        {"l1_tlb.response_cycles", "9", s::rows, ""},
        {"l1_tlb.link_cycles", "9", s::rows, ""},
        {"l1_tlb.size_probe_cycles", "9", s::rows, "address_space.page=mixed "},
        {"l1_tlb.seed", "7", s::rows, "l1_tlb.replace=random"},
        {"l1_tlb.victims", "pass", s::rows, l1_small + "l2_tlb.fills=4"},
        {"l2_tlb.entries", "128", s::rows, l2_small},
        {"l2_tlb.ways", "1", s::wide, l1_small + l2_small},
        {"l2_tlb.index", "xor", s::reuse, l1_small + l2_small},
        {"l2_tlb.replace", "random", s::wide, l1_small + l2_small},
        {"l2_tlb.hit_cycles", "20", s::rows, ""},
        {"l2_tlb.ports", "1", s::rows, ""},
        {"l2_tlb.mshrs", "2", s::rows, ""},
        {"l2_tlb.merges", "1", s::same, "l2_tlb.mshrs=4"},
        {"l2_tlb.queue_entries", "1", s::same,
         "l1_tlb.hit_cycles=1 l1_tlb.ports=1 l2_tlb.ports=8 l2_tlb.mshrs=1"},
        {"l2_tlb.response_cycles", "9", s::rows, ""},
        {"l2_tlb.link_cycles", "9", s::rows, ""},
        {"l2_tlb.size_probe_cycles", "9", s::rows, "address_space.page=mixed "},
        {"l2_tlb.fills", "4", s::rows, l1_small + "l1_tlb.victims=pass"},
        {"l2_tlb.seed", "7", s::wide, l1_small + l2_small + "l2_tlb.replace=random"},
        {"iommu_tlb.tlb1_entries", "1", s::reuse, tiny},
        {"iommu_tlb.tlb1_cycles", "15", s::reuse, tiny},
        {"iommu_tlb.tlb2_entries", "16", s::wide, tiny + "iommu_tlb.tlb1_entries=1"},
        {"iommu_tlb.tlb2_ways", "1", s::reuse, tiny + "iommu_tlb.tlb1_entries=1 iommu_tlb.tlb2_entries=32"},
        {"iommu_tlb.tlb2_cycles", "40", s::rows, ""},
        {"iommu_tlb.ports", "1", s::reuse, tiny + "l2_tlb.ports=8 l1_tlb.ports=8"},
        {"iommu_tlb.queue_entries", "1", s::rows,
         "iommu_tlb.ports=1 l2_tlb.hit_cycles=1 l2_tlb.link_cycles=0 l2_tlb.ports=1 "
         "walk_unit.backlog_entries=1"},
        {"walk_unit.walk_queue_entries", "64", s::rows,
         "walk_unit.backlog_entries=0 walk_unit.buffer_entries=16"},
        {"walk_unit.backlog_entries", "0", s::rows, ""},
        {"walk_unit.buffer_entries", "2", s::rows, "walk_unit.coalesce=full"},
        {"walk_unit.fault_entries", "1", s::rows, "address_space.map=first_touch"},
        {"walk_unit.walkers", "1", s::rows, ""},
        {"walk_unit.coalesce", "full", s::rows, ""},
        {"walk_unit.schedule", "rr_cu", s::rows, ""},
        {"walk_unit.pwc_l5", "0", s::wide5,
         "address_space.levels=5 walk_unit.pwc_l4=1 walk_unit.pwc_l3=1 walk_unit.pwc_l2=1"},
        {"walk_unit.pwc_l4", "0", s::wide, ""},
        {"walk_unit.pwc_l3", "0", s::wide, ""},
        {"walk_unit.pwc_l2", "0", s::rows, ""},
        {"walk_unit.pwc_ways", "1", s::rows, "walk_unit.pwc_l2=4"},
        {"walk_unit.pwc_index", "xor", s::wide, "walk_unit.pwc_ways=1"},
        {"walk_unit.pwc_merge", "true", s::rows, ""},
        {"walk_unit.pwc_ideal", "true", s::rows, ""},
        {"walk_unit.pwc_cycles", "5", s::rows, ""},
        {"walk_unit.pte_cache_bytes", "4096", s::rows, ""},
        {"walk_unit.pte_cache_ways", "1", s::rows, pte},
        {"walk_unit.pte_cache_cycles", "30", s::rows, pte},
        {"walk_unit.pte_cache_merge", "true", s::rows, pte},
        {"walk_unit.pte_cache_holds", "inner", s::rows, pte},
        {"walk_unit.read_cycles", "10", s::rows, ""},
        {"walk_unit.reply_cycles", "10", s::rows, ""},
        {"walk_unit.ideal_read_cycles", "5", s::rows, "translation.ideal=zero_walk"},
        {"walk_unit.line_reads", "in_turn", s::rows, ""},
        {"walk_unit.match_cycles", "50", s::rows, ""},
        {"iommu_tlb.response_cycles", "9", s::rows, ""},
        {"walk_unit.response_cycles", "9", s::rows, ""},
        {"walk_unit.walk_path", "l2d", s::rows, ""},
        {"l1d.bytes", "1024", s::same, ""},
        {"l1d.ways", "1", s::rows, "l1d.bytes=8192"},
        {"l1d.index", "xor", s::rows, "l1d.ways=2"},
        {"l1d.write", "back", s::same, ""},
        {"l1d.write_miss", "fetch", s::scatter, back},
        {"l1d.hit_cycles", "9", s::rows, ""},
        {"l1d.ports", "4", s::scatter, "coalescer.lines_per_cycle=8 address_space.page=2m"},
        {"l1d.mshrs", "1", s::scatter, ""},
        {"l1d.merges", "1", s::same, one + "l1d.mshrs=4"},
        {"l1d.write_entries", "1", s::same, ""},
        {"l1d.queue_entries", "1", s::scatter, ""},
        {"l1d.response_cycles", "9", s::rows, ""},
        {"l1d.link_cycles", "9", s::rows, ""},
        {"l2d.bytes", "65536", s::scatter, l2d_small},
        {"l2d.ways", "16", s::scatter, l2d_small},
        {"l2d.index", "xor", s::rows, l2d_small},
        {"l2d.write", "through", s::same, ""},
        {"l2d.write_miss", "fetch", s::scatter, l2d_small},
        {"l2d.hit_cycles", "9", s::rows, ""},
        {"l2d.ports", "1", s::scatter, "address_space.page=2m"},
        {"l2d.mshrs", "1", s::scatter, ""},
        {"l2d.merges", "1", s::same, "l2d.mshrs=4"},
        {"l2d.write_entries", "1", s::same, "l2d.write=through"},
        {"l2d.queue_entries", "1", s::scatter, "address_space.page=2m l2d.ports=1"},
        {"l2d.response_cycles", "9", s::rows, ""},
        {"l2d.link_cycles", "9", s::rows, ""},
        {"dram.tck_ps", "2000", s::rows, ""},
        {"dram.channels", "1", s::scatter, memory},
        {"dram.ranks", "1", s::scatter, memory},
        {"dram.banks", "4", s::scatter, memory},
        {"dram.groups", "4", s::scatter, memory + "dram.ccd_group=20 dram.rrd_group=20"},
        {"dram.bursts", "2", s::scatter, memory},
        {"dram.row_bytes", "4096", s::scatter, memory},
        {"dram.row_bits", "10", s::scatter, memory},
        {"dram.map", "row_rank_bank_ch_col", s::scatter, memory},
        {"dram.channel_xor", "false", s::scatter, memory},
        {"dram.bank_xor", "true", s::scatter, memory},
        {"dram.row_policy", "closed", s::scatter, memory},
        {"dram.read_entries", "2", s::scatter, memory},
        {"dram.write_entries", "6", s::scatter, memory + "dram.write_high=6 dram.write_low=2"},
        {"dram.write_high", "12", s::scatter, memory},
        {"dram.write_low", "20", s::scatter, memory},
        {"dram.hit_cap", "1", s::same,
         "address_space.frames=random dram.banks=1 dram.ranks=1 dram.row_bits=20"},
        {"dram.overhead_cycles", "9", s::scatter, memory},
        {"dram.queue_entries", "1", s::scatter, memory},
        {"dram.ports", "1", s::scatter, memory + "dram.tck_ps=5000"},
        {"dram.cl", "20", s::scatter, memory},
        {"dram.cwl", "20", s::scatter, memory},
        {"dram.burst", "8", s::scatter, memory},
        {"dram.rcd", "28", s::scatter, memory},
        {"dram.rp", "30", s::scatter, memory},
        {"dram.ras", "39", s::scatter, memory},
        {"dram.rc", "90", s::scatter, memory},
        {"dram.rrd", "20", s::scatter, memory},
        {"dram.faw", "100", s::scatter, memory},
        {"dram.ccd", "20", s::scatter, memory},
        {"dram.rtp", "40", s::scatter, memory},
        {"dram.wr", "60", s::scatter, memory},
        {"dram.wtr", "40", s::scatter, memory},
        {"dram.rtrs", "12", s::scatter, memory},
        {"dram.turn", "20", s::scatter, memory},
        {"dram.rfc", "900", s::scatter, memory},
        {"dram.refi", "1500", s::scatter, memory},
        {"dram.rcd_write", "28", s::scatter, memory},
        {"dram.ccd_group", "20", s::scatter, memory},
        {"dram.rrd_group", "20", s::scatter, memory},
        {"dram.wtr_group", "40", s::scatter, memory},
        {"dram.currents", "gddr6_8gb", s::scatter, memory},
        {"address_space.map", "first_touch", s::rows, ""},
        {"address_space.table", "amd_v1", s::rows, ""},
        {"address_space.levels", "5", s::rows, ""},
        {"address_space.skip_levels", "false", s::rows, "address_space.table=amd_v1"},
        {"address_space.spaces", "2", s::rows, "dispatcher.space=group"},
        {"address_space.page", "64k", s::rows, ""},
        {"address_space.buffer_pages", "0:64k", s::rows, ""},
        {"address_space.frames", "random", s::rows, ""},
        {"address_space.run_frames", "64", s::rows, "address_space.frames=fragmented"},
        {"address_space.memory_bytes", "4294967296", s::rows, "address_space.frames=random"},
        {"address_space.table_pa", "268451840", s::rows, ""},
        {"address_space.data_pa", "1073758208", s::rows, ""},
        {"address_space.seed", "7", s::rows, "address_space.frames=random"},
        {"pager.entries", "1", s::rows, faults + "pager.queue_entries=1"},
        {"pager.queue_entries", "1", s::rows, faults + "pager.entries=1"},
        {"pager.latency", "uniform", s::rows, faults},
        {"pager.mean_cycles", "100", s::rows, faults},
        {"pager.seed", "2", s::rows, faults},
    };
    for (const mechanism &m : mechanisms())
        add_all(all, m.rows);
    return all;
}

} // namespace walkway::test

#endif
