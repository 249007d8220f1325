/* SPDX-License-Identifier: MIT */
/* The same accesses through a device of each mode and through the C library, over the same page tables in
 * memory of equal latency, all idle: translations, faults and times are the same. */
#include "tb/device/at_master.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include <walkway.h>

#include <set>

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr unsigned pages = 24, steps = 1500, latency_ns = 20;
constexpr uint64_t large_va = 0x40000000, lost_va = 0x80000000;

/* The result of an access by one of the three. */
struct said {
    unsigned fault; /* enum walkway_fault_reason */
    uint64_t pa;
    uint64_t took_ps; /* for the translation */
};

struct step {
    uint64_t va;
    uint16_t device; /* and VM-ID */
    bool write, changes, all;
};

/* Two devices with tables of four levels, which both C library and IOMMU read. */
class scene
{
public:
    explicit scene(uint64_t seed) { ww_rng_init(&random_, seed); }
    unsigned below(unsigned n) { return ww_rng_below(&random_, n); }
    uint64_t frame() { return iommu_rig::data_pa + below(512) * 4096u; }
    uint64_t root(unsigned device) const { return roots_[device]; }

    void tables(iommu_rig &r)
    {
        for (uint16_t device = 0; device < 2; ++device) {
            roots_[device] = r.new_node();
            r.device_entry(device, roots_[device] | UINT64_C(4) << 9 | 3 | WW_AMD_IR | WW_AMD_IW, device);
            for (unsigned page = 0; page < pages; ++page)
                change(r, device, page * 4096);
            for (unsigned page = 0; page < 4; ++page)
                *entry(r, device, large_va + (page << 21), 2) =
                    (frame() & ~UINT64_C(0x1fffff)) | WW_AMD_PR | WW_AMD_IR | WW_AMD_IW;
            *entry(r, device, lost_va, 2) = ww_amd_table_entry(0xff000000, 1); /* outside of memory */
        }
    }
    void change(iommu_rig &r, unsigned device, uint64_t va)
    {
        const unsigned kind = below(8);
        const uint64_t rights = (below(4) != 0 ? WW_AMD_IR : 0) | (below(3) != 0 ? WW_AMD_IW : 0);
        *entry(r, device, va, 1) =
            kind == 0 ? 0 : frame() | WW_AMD_PR | rights | (kind == 1 ? UINT64_C(1) << 52 : 0);
    }
    step next()
    {
        step s = {};
        s.device = static_cast<uint16_t>(below(2));
        s.write = below(2) != 0;
        s.changes = below(12) == 0;
        s.all = below(8) == 0;
        const unsigned where = below(16);
        s.va = where == 0   ? lost_va
               : where == 1 ? UINT64_C(1) << 48
               : where < 5  ? large_va + (below(4) << 21) + (below(512) << 12)
                            : uint64_t{below(pages)} * 4096;
        s.va += below(500) * 8;
        if (s.changes)
            s.va = uint64_t{below(pages)} * 4096;
        return s;
    }

private:
    uint64_t *entry(iommu_rig &r, unsigned device, uint64_t va, uint32_t level)
    {
        uint64_t node = roots_[device];
        for (uint32_t l = 4; l > level; --l) {
            const uint64_t at = node + ww_index(va, l) * 8;
            if (r.memory.get<uint64_t>(at) == 0)
                r.memory.put(at, ww_amd_table_entry(r.new_node(), l - 1));
            node = r.memory.get<uint64_t>(at) & WW_AMD_ADDR;
        }
        return reinterpret_cast<uint64_t *>(&r.memory.bytes[node + ww_index(va, level) * 8]);
    }
    ww_rng random_;
    uint64_t roots_[2] = {};
};

iommu_device_params small(transport_mode mode)
{
    iommu_device_params p;
    p.mode = static_cast<uint8_t>(mode);
    p.tlb_entries = 16;
    p.tlb_ways = 4;
    p.walk_cache_entries = 2;
    p.response_cycles = 2; /* the C library's machine has two stages, of a cycle each */
    return p;
}

/* The reason of a fault, by status and event. */
unsigned reason(tlm::tlm_response_status status, const std::vector<iommu_rig::event> &e, uint64_t va)
{
    if (status == tlm::TLM_OK_RESPONSE)
        return WALKWAY_FAULT_NONE;
    if (e.size() != 1)
        return WALKWAY_FAULT_REASONS;
    if (status == tlm::TLM_COMMAND_ERROR_RESPONSE)
        return WALKWAY_FAULT_RIGHTS;
    if (e[0].code() == WW_EVENT_PAGE_TAB_HARDWARE_ERROR)
        return WALKWAY_FAULT_MEMORY;
    return va >> 48 != 0                     ? WALKWAY_FAULT_ADDRESS
           : (e[0].word0 & WW_EVENT_RZ) != 0 ? WALKWAY_FAULT_MALFORMED
                                             : WALKWAY_FAULT_ABSENT;
}

std::vector<said> by_device(transport_mode mode, uint64_t seed)
{
    iommu_rig r(small(mode));
    std::unique_ptr<at_master> from;
    if (mode == transport_mode::at)
        from = std::make_unique<at_master>(r.masters[0]);
    r.settling = ns(2000);
    r.memory.before = [&r](gp &p) { /* as in the C library, a refusal takes no time */
                                    r.memory.latency =
                                        p.get_address() < r.memory.bytes.size() ? ns(latency_ns) : ns(0);
    };
    scene s(seed);
    s.tables(r);
    r.enable();
    std::vector<said> all;
    for (unsigned i = 0; i < steps; ++i) {
        const step now = s.next();
        if (now.changes) {
            s.change(r, now.device, now.va);
            if (now.all)
                r.command(iommu_rig::opcode(3) | uint64_t{now.device} << 32, UINT64_C(0x7ffffffffffff001));
            else
                r.inval_pages(now.device, now.va);
            continue;
        }
        const uint64_t entries = r.iommu.stats().devtab_reads;
        const tlm::tlm_command command = now.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
        sc_core::sc_time took;
        tlm::tlm_response_status status;
        if (from) {
            at_access a(command, now.va, 8);
            a.with().stream_id = now.device;
            from->send(a);
            r.settle();
            BOOST_TEST(a.freed == 1u);
            status = a.status();
            took = a.took();
        } else {
            transaction t(command, now.va, 8);
            t.with().stream_id = now.device;
            r.access(t);
            status = t.p.get_response_status();
            took = t.delay;
        }
        /* Without the data, and without the device-table entry, which the C library does not have. */
        const bool there = status == tlm::TLM_OK_RESPONSE;
        took -= ns(latency_ns) * (there + static_cast<double>(r.iommu.stats().devtab_reads - entries));
        all.push_back({reason(status, r.events(), now.va), there ? r.memory.seen.back().first : 0,
                       static_cast<uint64_t>(took / sc_core::sc_time(1, sc_core::SC_PS))});
    }
    return all;
}

int no_memory(void *, uint64_t, uint64_t *, uint64_t *latency_ps)
{
    *latency_ps = latency_ns * 1000;
    return -1;
}

std::vector<said> by_library(uint64_t seed)
{
    iommu_rig r; /* has the memory, and fills it */
    scene s(seed);
    s.tables(r);
    r.enable();
    const char *const settings[] = {"gpu.cus=1",
                                    "walk_unit.shared_by=1",
                                    "gpu.clock_ps=1000",
                                    "address_space.table=amd_v1",
                                    "address_space.levels=4",
                                    "address_space.page=2m",
                                    "l1_tlb.entries=16",
                                    "l1_tlb.ways=4",
                                    "l1_tlb.hit_cycles=4",
                                    "l1_tlb.response_cycles=1",
                                    "l1_tlb.link_cycles=0",
                                    "l1_tlb.index=modulo",
                                    "l1_tlb.replace=lru",
                                    "walk_unit.pwc_l2=2",
                                    "walk_unit.pwc_l3=2",
                                    "walk_unit.pwc_l4=2",
                                    "walk_unit.pwc_cycles=2",
                                    "walk_unit.read_cycles=0",
                                    "walk_unit.reply_cycles=0",
                                    "walk_unit.response_cycles=1",
                                    "walk_unit.pte_cache_bytes=0"};
    walkway_options o = {};
    o.version = WALKWAY_VERSION;
    o.settings = settings;
    o.settings_count = std::size(settings);
    walkway_chain *w = nullptr;
    BOOST_REQUIRE_MESSAGE(walkway_create("mmu-hpca14", &o, &w) == WALKWAY_OK, walkway_last_error());
    walkway_map_memory(w, 0, r.memory.bytes.data(), r.memory.bytes.size(), latency_ns * 1000);
    walkway_set_reader(w, no_memory, nullptr);
    for (unsigned device = 0; device < 2; ++device)
        BOOST_REQUIRE(walkway_set_root(w, device, s.root(device)) == WALKWAY_OK);
    std::vector<said> all;
    for (unsigned i = 0; i < steps; ++i) {
        const step now = s.next();
        if (now.changes) {
            s.change(r, now.device, now.va);
            if (now.all)
                walkway_invalidate_vmid(w, now.device);
            else
                walkway_invalidate_page(w, now.device, now.va);
            continue;
        }
        walkway_access a = {};
        walkway_result x;
        a.va = now.va;
        a.vmid = now.device;
        a.rights = now.write ? WALKWAY_WRITE : WALKWAY_READ;
        BOOST_REQUIRE_MESSAGE(walkway_translate(w, &a, &x) >= 0, walkway_last_error());
        all.push_back({x.fault, x.pa, x.done_ps - x.issued_ps});
    }
    walkway_destroy(w);
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_capi)

BOOST_DATA_TEST_CASE(both_modes_and_the_c_library_agree_on_translations_faults_and_times,
                     boost::unit_test::data::xrange(3))
{
    const auto seed = static_cast<uint64_t>(sample);
    const std::vector<said> lt = by_device(transport_mode::lt, seed),
                            at = by_device(transport_mode::at, seed), c = by_library(seed);
    BOOST_REQUIRE(lt.size() == c.size());
    BOOST_REQUIRE(at.size() == c.size());
    std::map<unsigned, unsigned> faults;
    std::set<uint64_t> times;
    for (size_t i = 0; i < c.size(); ++i) {
        for (const said &device : {lt[i], at[i]}) {
            BOOST_TEST(device.fault == c[i].fault, "access " << i << ": " << walkway_fault_name(device.fault)
                                                             << " and " << walkway_fault_name(c[i].fault));
            BOOST_TEST(device.pa == c[i].pa, "access " << i);
            /* The C library rejects an address outside every table before any lookup. */
            BOOST_TEST((device.took_ps == c[i].took_ps || c[i].fault == WALKWAY_FAULT_ADDRESS),
                       "access " << i << ": " << device.took_ps << " and " << c[i].took_ps << " ps, "
                                 << walkway_fault_name(c[i].fault));
        }
        BOOST_TEST(lt[i].took_ps == at[i].took_ps);
        ++faults[c[i].fault];
        times.insert(c[i].took_ps);
    }
    for (const unsigned met : {WALKWAY_FAULT_NONE, WALKWAY_FAULT_ABSENT, WALKWAY_FAULT_MALFORMED,
                               WALKWAY_FAULT_ADDRESS, WALKWAY_FAULT_MEMORY, WALKWAY_FAULT_RIGHTS})
        BOOST_TEST(faults[met] > 5u, walkway_fault_name(met));
    BOOST_TEST(times.size() >= 5u); /* hits, and walks of one to four reads */
}

BOOST_AUTO_TEST_SUITE_END()
