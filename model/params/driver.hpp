/* SPDX-License-Identifier: MIT */
/* model/params/driver.hpp - the parameters of the driver. */
#ifndef WALKWAY_MODEL_PARAMS_DRIVER_HPP
#define WALKWAY_MODEL_PARAMS_DRIVER_HPP

#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

/* Where pages lie that are mapped before time zero. */
enum class pages_start : uint8_t { device, host };

struct driver_params {
    uint32_t oversubscription = 0;
    uint32_t m_percent = 0;
    uint32_t fetch_pages = 0;
    uint32_t migrate_after = 0;
    bool flush = true;
    uint8_t start = 0; /* enum class pages_start */

    void visit(param_visitor &v);
    bool present() const { return oversubscription != 0; }
    pages_start at_start() const { return static_cast<pages_start>(start); }
    std::string validate() const;
};

} // namespace walkway

#endif
