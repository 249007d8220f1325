/* SPDX-License-Identifier: MIT */
/* device/register_map.hpp - the registers of the IOMMU as text, from their one declaration
 * (kernels/iommu/iommu_regs.h): the tables of docs/model/iommu-registers.md, and an IP-XACT memory map (IEEE
 * 1685-2014).
 */
#ifndef WALKWAY_DEVICE_REGISTER_MAP_HPP
#define WALKWAY_DEVICE_REGISTER_MAP_HPP

#include <string>

namespace walkway
{

std::string register_tables(); /* Markdown */
std::string register_ipxact(); /* a component with one memory map */

} // namespace walkway

#endif
