/* SPDX-License-Identifier: MIT */
/* device/trace_device.hpp - the IOMMU's queues and grants in a trace file of SystemC's own, so that a foreign
 * platform needs no machine to show them: sc_core::sc_trace(file, iommu, "iommu") before the simulation
 * starts. waveforms/device.gtkw shows them. Heads and tails are bytes from the base of their ring, as
 * software reads them; counters only grow, except `dmi_out`. */
#ifndef WALKWAY_DEVICE_TRACE_DEVICE_HPP
#define WALKWAY_DEVICE_TRACE_DEVICE_HPP

#include "device/iommu_device.hpp"

#include <string>

namespace sc_core
{

/* Found beside SystemC's own by the name that users know. The device must outlive the file. */
template <unsigned BUSWIDTH>
void sc_trace(sc_trace_file *file, const walkway::iommu_device<BUSWIDTH> &device, const std::string &name)
{
    const uint64_t *const word = device.core().registers().word;
    const walkway::iommu_device_stats &s = device.stats();
    const auto pointer = [&](const char *what, uint32_t reg) {
        sc_trace(file, word[reg], name + "." + what, 32);
    };
    const auto counter = [&](const char *what, const uint64_t &value) {
        sc_trace(file, value, name + "." + what, 32);
    };
    pointer("control", WW_IOMMU_CONTROL);
    pointer("status", WW_IOMMU_STATUS);
    pointer("command_head", WW_IOMMU_COMMAND_HEAD);
    pointer("command_tail", WW_IOMMU_COMMAND_TAIL);
    pointer("event_head", WW_IOMMU_EVENT_HEAD);
    pointer("event_tail", WW_IOMMU_EVENT_TAIL);
    pointer("ppr_head", WW_IOMMU_PPR_HEAD);
    pointer("ppr_tail", WW_IOMMU_PPR_TAIL);
    counter("commands", s.commands);
    counter("invalidates", s.invalidates);
    counter("events_logged", s.events_logged);
    counter("events_lost", s.events_lost);
    counter("page_requests_logged", s.page_requests_logged);
    counter("translations", s.translations);
    counter("tlb_misses", s.tlb_misses);
    counter("faults", s.faults);
    counter("dmi_out", s.dmi_out);
    counter("dmi_granted", s.dmi_granted);
    counter("dmi_revoked", s.dmi_revoked);
}

} // namespace sc_core

#endif
