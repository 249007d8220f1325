/* SPDX-License-Identifier: MIT */
/* device/dmi_ledger.hpp - the direct memory pointers granted through an IOMMU, and to whom: they are revoked
 * when a translation, a context or the memory behind changes. */
#ifndef WALKWAY_DEVICE_DMI_LEDGER_HPP
#define WALKWAY_DEVICE_DMI_LEDGER_HPP

#include "kernels/iommu/iommu_command.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace walkway
{

struct dmi_grant {
    uint64_t iova, size, pa;      /* first addresses, and bytes; size 0: all 2^64 */
    uint32_t port, device, pasid; /* pasid: valid if has_pasid */
    uint16_t domain;              /* 0 if the IOMMU was off */
    bool has_pasid, writes;       /* writes: the pointer allows writes */

    uint64_t last_iova() const { return iova + (size - 1); }
    uint64_t last_pa() const { return pa + (size - 1); }
};

class dmi_ledger
{
public:
    void add(const dmi_grant &g)
    {
        for (const dmi_grant &o : grants_)
            if (o.port == g.port && o.iova == g.iova && o.size == g.size && o.pa == g.pa &&
                o.device == g.device && o.has_pasid == g.has_pasid && o.pasid == g.pasid &&
                o.domain == g.domain && o.writes == g.writes)
                return;
        grants_.push_back(g);
    }
    /* Removes the grants for which `meant` is true and calls `revoked` for each, in the order of granting. */
    template <class Meant, class Revoked> void revoke(Meant meant, Revoked revoked)
    {
        std::vector<dmi_grant> out;
        const auto kept = std::stable_partition(grants_.begin(), grants_.end(),
                                                [&](const dmi_grant &g) { return !meant(g); });
        out.assign(kept, grants_.end());
        grants_.erase(kept, grants_.end());
        for (const dmi_grant &g : out) /* the callee may request another one */
            revoked(g);
    }
    size_t size() const { return grants_.size(); }

    /* True if a command invalidates a part of the grant. */
    static bool meant(const dmi_grant &g, const ww_iommu_step &s)
    {
        const bool overlaps = s.all || (g.iova <= s.last_va && s.first_va <= g.last_iova());
        switch (s.opcode) {
        case WW_CMD_INVAL_ALL:
            return true;
        case WW_CMD_INVAL_DEVTAB:
            return g.device == s.device;
        case WW_CMD_INVAL_PAGES: /* the domain's own table; a PASID's addresses are then different */
            return g.domain == s.domain &&
                   (s.has_pasid ? g.has_pasid && g.pasid == s.pasid && overlaps : g.has_pasid || overlaps);
        case WW_CMD_INVAL_IOTLB:
            return g.device == s.device && g.has_pasid == s.has_pasid &&
                   (!s.has_pasid || g.pasid == s.pasid) && overlaps;
        default:
            return false;
        }
    }

private:
    std::vector<dmi_grant> grants_;
};

} // namespace walkway

#endif
