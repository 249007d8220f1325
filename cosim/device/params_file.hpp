/* SPDX-License-Identifier: MIT */
/* device/params_file.hpp - the parameters of an IOMMU from a section of a .cfg file, in the format of this
 * project's machines (support/ini_file.hpp). Other sections are foreign and ignored. */
#ifndef WALKWAY_DEVICE_PARAMS_FILE_HPP
#define WALKWAY_DEVICE_PARAMS_FILE_HPP

#include "device/iommu_device_params.hpp"

#include <string>

namespace walkway
{

/* Reads the section's parameters; those it does not name keep their defaults. Throws std::runtime_error,
 * "FILE:LINE: what is wrong", a line each, for a file that cannot be read, a missing section, a key that is
 * unknown (with the nearest one) or repeated, a value out of range, and values that do not go together. */
iommu_device_params read_iommu_params(const std::string &path, const std::string &section = "iommu_device");

} // namespace walkway

#endif
