/* SPDX-License-Identifier: MIT */
/* device/params_file.hpp - the numbers of an IOMMU from a section of a .cfg file, as the machines of this
 * project have them (support/ini_file.hpp). Other sections are foreign and are not read. */
#ifndef WALKWAY_DEVICE_PARAMS_FILE_HPP
#define WALKWAY_DEVICE_PARAMS_FILE_HPP

#include "device/iommu_device_params.hpp"

#include <string>

namespace walkway
{

/* What the section does not name keeps its default. Throws std::runtime_error, "FILE:LINE: what is wrong",
 * a line each, for a file that cannot be read, a section that is not there, a key that is unknown (with the
 * nearest one) or there twice, a value out of its range, and values that do not go together. */
iommu_device_params read_iommu_params(const std::string &path, const std::string &section = "iommu_device");

} // namespace walkway

#endif
