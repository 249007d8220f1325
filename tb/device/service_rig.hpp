/* SPDX-License-Identifier: MIT */
/* tb/device/service_rig.hpp - a device with a TLB of its own, its pages and the software that serves it,
 * around an IOMMU of either mode. */
#ifndef WW_TB_DEVICE_SERVICE_RIG_HPP
#define WW_TB_DEVICE_SERVICE_RIG_HPP

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "tb/device/at_master.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

namespace walkway::test
{

constexpr uint8_t all_rights = WW_PERM_R | WW_PERM_W;
constexpr uint64_t ppr_on =
    WW_BITS64(13, 13) | WW_BITS64(14, 14) | WW_BITS64(15, 15); /* log, interrupt, requests */
const auto both = boost::unit_test::data::xrange(2);           /* enum transport_mode */

inline transport_mode mode_of(int sample)
{
    return static_cast<transport_mode>(sample);
}
inline iommu_device_params of_mode(transport_mode m, iommu_device_params p = {})
{
    p.mode = static_cast<uint8_t>(m);
    return p;
}

/* Device 0 has a TLB, and some pages. */
struct service_rig : iommu_rig {
    uint64_t root;
    explicit service_rig(transport_mode m, const iommu_device_params &p = {}, unsigned ports = 1,
                         uint64_t more0 = 0)
        : iommu_rig(of_mode(m, p), ports, true)
    {
        settling = ns(1000);
        root = own_table(0, 7, WW_DTE_I);
        memory.put(devtab_pa, memory.get<uint64_t>(devtab_pa) | more0);
        map(root, 0x5000, iommu_rig::data_pa);
        map(root, 0x7000, iommu_rig::data_pa + 0x3000, WW_AMD_IR);
        map(root, 0x400000, iommu_rig::data_pa + 0x200000, WW_AMD_IR | WW_AMD_IW, 2);
        write(0x38, ppr_pa | UINT64_C(8) << 56);
        enable(ppr_on);
    }
    tlb_device &device() { return *devices[0]; }
    /* Runs f in a process until it is done. */
    void run(const std::function<void()> &f)
    {
        bool done = false;
        sc_core::sc_spawn([&] {
            f();
            done = true;
        });
        settle();
        BOOST_TEST(done);
    }
    tlb_device::translated ask(uint64_t va, uint8_t wants = all_rights, const access_attributes &who = {})
    {
        tlb_device::translated t = {};
        run([&] { t = device().translate(va, wants, who); });
        return t;
    }
    /* Ends calls that a test has kept from returning: if their stacks were destroyed in such a call, the
     * sanitizer would be confused about later users of that memory. */
    void let_return(sc_core::sc_event &never)
    {
        never.notify();
        settle();
    }
    void inval_iotlb(uint16_t dev, uint64_t word1, unsigned pend = 32)
    {
        command(opcode(4) | uint64_t{pend} << 24 | dev, word1);
    }
    /* The address that a completion wait stores to. */
    static constexpr uint64_t flag_pa = 0x50000;
    void wait_command(uint64_t value) { command(opcode(1) | flag_pa | 1, value); }
    uint64_t flag() const { return memory.get<uint64_t>(flag_pa); }
};

inline access_attributes device_of(uint32_t stream, bool has_pasid = false, uint32_t pasid = 0)
{
    access_attributes a;
    a.stream_id = stream;
    a.has_pasid = has_pasid;
    a.pasid = pasid;
    return a;
}

/* Bytes of all that an access could change. */
inline std::map<std::string, std::string> state_of(const iommu_rig &r)
{
    std::map<std::string, std::string> all;
    r.iommu.core().states([&all](const char *name, const void *bytes, size_t n) {
        all[name] += std::string(static_cast<const char *>(bytes), n);
    });
    return all;
}

} // namespace walkway::test

#endif
