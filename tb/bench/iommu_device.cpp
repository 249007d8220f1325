/* SPDX-License-Identifier: MIT */
/* tb/bench/iommu_device.cpp - the host's cost of an access through the IOMMU, compared in one run with the
 * same initiator bound directly to the same memory. Loosely timed: a TLB hit, a hit with a requester and a
 * PASID in the extension, and a miss that walks three levels; in four phases: a hit; by direct memory
 * pointers: of the page and of the memory. Takes the best of several rounds, in processor time, which
 * excludes other processes; a round is shorter than a time slice, so that some round has the caches to
 * itself. */
#include "device/iommu_device.hpp"
#include "device/at_requester.hpp"

#include <cstdio>
#include <cstring>
#include <ctime>

using namespace walkway;

namespace
{

struct memory final : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    sc_core::sc_vector<tlm::tlm_target_socket<64>> in{"in", 8};
    std::vector<unsigned char> bytes = std::vector<unsigned char>(64u << 20);
    explicit memory(const sc_core::sc_module_name &n) : sc_module(n)
    {
        for (auto &s : in)
            s.bind(*this);
    }
    void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay) override
    {
        delay += latency;
        std::memcpy(p.get_data_ptr(), &bytes[p.get_address()], p.get_data_length());
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &,
                                       sc_core::sc_time &delay) override
    {
        b_transport(p, delay);
        return tlm::TLM_COMPLETED;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload &) override { return 0; }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &dmi) override
    {
        dmi.allow_read_write();
        dmi.set_dmi_ptr(bytes.data());
        dmi.set_start_address(0);
        dmi.set_end_address(bytes.size() - 1);
        dmi.set_read_latency(latency);
        dmi.set_write_latency(latency);
        return true;
    }
    void put(uint64_t at, uint64_t word) { std::memcpy(&bytes[at], &word, 8); }
    const sc_core::sc_time latency{20, sc_core::SC_NS};
};

struct master final : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<64> out{"out"};
    explicit master(const sc_core::sc_module_name &n) : sc_module(n) { out.bind(*this); }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &,
                                       sc_core::sc_time &) override
    {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

constexpr unsigned accesses = 10000, in_phases = 1000, rounds = 200;
constexpr uint64_t pages = 4096; /* mapped pages; with a TLB of one entry each needs a walk */

/* Returns processor time of this process, ns. */
double now_ns()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/* Returns nanoseconds per access: 8 bytes, one payload, addresses `stride` apart. */
double best(master &m, uint64_t stride, attributes_extension *extension)
{
    tlm::tlm_generic_payload p;
    unsigned char data[8];
    double least = 1e9;
    p.set_command(tlm::TLM_READ_COMMAND);
    p.set_data_ptr(data);
    p.set_data_length(8);
    p.set_streaming_width(8);
    p.set_byte_enable_ptr(nullptr);
    if (extension != nullptr)
        p.set_extension(extension);
    for (unsigned round = 0; round < rounds; ++round) {
        const double start = now_ns();
        sc_core::sc_time delay;
        for (unsigned i = 0; i < accesses; ++i) {
            p.set_address(i * stride % (pages * 4096) + i % 64 * 8);
            p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
            m.out->b_transport(p, delay);
            if (!p.is_response_ok())
                return -1;
        }
        least = std::min(least, (now_ns() - start) / accesses);
    }
    p.clear_extension(extension);
    return least;
}

/* The same by a direct memory pointer, with an initiator that keeps its last grant: it requests only one. */
double best_direct(master &m)
{
    tlm::tlm_generic_payload p;
    unsigned char data[8] = {};
    unsigned asked = 0;
    double least = 1e9;
    tlm::tlm_dmi dmi;
    dmi.set_start_address(1);
    dmi.set_end_address(0); /* empty: no pointer yet */
    p.set_command(tlm::TLM_READ_COMMAND);
    p.set_data_ptr(data);
    p.set_data_length(8);
    p.set_streaming_width(8);
    for (unsigned round = 0; round < rounds; ++round) {
        const double start = now_ns();
        sc_core::sc_time delay;
        for (unsigned i = 0; i < accesses; ++i) {
            const uint64_t at = i % 64 * 8;
            if (at < dmi.get_start_address() || at + 7 > dmi.get_end_address()) {
                ++asked;
                p.set_address(at);
                if (!m.out->get_direct_mem_ptr(p, dmi))
                    return -1;
            }
            std::memcpy(data, dmi.get_dmi_ptr() + (at - dmi.get_start_address()), 8);
            asm volatile("" : : "r"(data) : "memory"); /* keeps the copy from being optimized away */
            delay += dmi.get_read_latency();
        }
        least = std::min(least, (now_ns() - start) / accesses);
    }
    return asked == 1 ? least : -1;
}

/* The same in four phases; all requests are sent at once. */
double best_in_phases(at_requester<64> &m)
{
    unsigned char data[8];
    double least = 1e9;
    for (unsigned round = 0; round < rounds; ++round) {
        const double start = now_ns();
        unsigned good = 0;
        for (unsigned i = 0; i < in_phases; ++i)
            m.send(tlm::TLM_READ_COMMAND, i % 64 * 8, data, 8,
                   [&good](const tlm::tlm_generic_payload &p) { good += p.is_response_ok(); });
        sc_core::sc_start();
        if (good != in_phases)
            return -1;
        least = std::min(least, (now_ns() - start) / in_phases);
    }
    return least;
}

} // namespace

int sc_main(int, char **)
{
    iommu_device_params p;
    iommu_device_params phases;
    p.tlb_entries = p.tlb_ways = 1;
    phases.mode = static_cast<uint8_t>(transport_mode::at);
    iommu_device_params direct;
    direct.dmi = static_cast<uint8_t>(dmi_policy::always);
    memory ram("memory");
    master straight("straight"), through("through"), missing("missing"), cpu("cpu"), other("other");
    iommu_device<64> iommu("iommu", 1, direct), small("small", 1, p);
    straight.out.bind(ram.in[0]);
    through.out.bind(iommu.up[0]);
    iommu.down[0].bind(ram.in[1]);
    iommu.walker.bind(ram.in[2]);
    cpu.out.bind(iommu.registers);
    missing.out.bind(small.up[0]);
    small.down[0].bind(ram.in[3]);
    small.walker.bind(ram.in[4]);
    other.out.bind(small.registers);
    at_requester<64> straight_at("straight_at"), through_at("through_at");
    iommu_device<64> iommu_at("iommu_at", 1, phases);
    master third("third");
    straight_at.out.bind(ram.in[5]);
    through_at.out.bind(iommu_at.up[0]);
    iommu_at.down[0].bind(ram.in[6]);
    iommu_at.walker.bind(ram.in[7]);
    third.out.bind(iommu_at.registers);
    const uint64_t all = UINT64_C(3) << 61 | 1;
    ram.put(0x2000000, 0x2100000 | all | 2 | 3 << 9);
    ram.put(0x2100000, 0x2101000 | all | 2 << 9);
    for (uint64_t i = 0; i < pages / 512; ++i)
        ram.put(0x2101000 + i * 8, (0x2102000 + i * 4096) | all | 1 << 9);
    for (uint64_t i = 0; i < pages; ++i)
        ram.put(0x2102000 + i * 8, i * 4096 | all);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (master *m : {&cpu, &other, &third})
        for (const auto &[offset, value] : {std::pair<uint64_t, uint64_t>{0x00, 0x2000000}, {0x18, 1}}) {
            tlm::tlm_generic_payload w;
            sc_core::sc_time delay;
            uint64_t word = value;
            w.set_command(tlm::TLM_WRITE_COMMAND);
            w.set_address(offset);
            w.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
            w.set_data_length(8);
            w.set_streaming_width(8);
            m->out->b_transport(w, delay);
        }
    attributes_extension extension;
    const double base = best(straight, 0, nullptr), hit = best(through, 0, nullptr),
                 with = best(through, 0, &extension), far = best(straight, 4096, nullptr),
                 miss = best(missing, 4096, nullptr);
    const iommu_device_stats &s = small.stats();
    const double base_at = best_in_phases(straight_at), hit_at = best_in_phases(through_at);
    const double base_dmi = best_direct(straight), hit_dmi = best_direct(through);
    if (base_dmi < 0 || hit_dmi < 0 || base < 0 || base_at < 0 || hit_at < 0 || hit < 0 || with < 0 ||
        far < 0 || miss < 0 || s.tlb_hits * 100 > s.translations)
        return 1;
    std::printf("                                    ns an access    above\n"
                "straight to memory                        %8.1f\n"
                "through the IOMMU, hit                    %8.1f %8.1f\n"
                "the same, with the extension              %8.1f %8.1f\n"
                "straight to memory, page after page       %8.1f\n"
                "through the IOMMU, miss                   %8.1f %8.1f   %.2f reads of tables\n"
                "in four phases, straight to memory        %8.1f\n"
                "in four phases, through the IOMMU, hit    %8.1f %8.1f\n"
                "direct memory pointer, memory's own       %8.2f\n"
                "direct memory pointer, through the IOMMU  %8.2f %8.2f   %.1f %%\n",
                base, hit, hit - base, with, with - base, far, miss, miss - far,
                static_cast<double>(s.pte_reads) / static_cast<double>(s.tlb_misses), base_at, hit_at,
                hit_at - base_at, base_dmi, hit_dmi, hit_dmi - base_dmi, 100 * (hit_dmi / base_dmi - 1));
    return 0;
}
