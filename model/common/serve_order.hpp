/* SPDX-License-Identifier: MIT */
/* model/common/serve_order.hpp - which of several requesters is served first (docs/model/timing-model.md). */
#ifndef WALKWAY_MODEL_COMMON_SERVE_ORDER_HPP
#define WALKWAY_MODEL_COMMON_SERVE_ORDER_HPP

#include <cstdint>

namespace walkway
{

/* turns: round robin, one request each; arrival: the requester whose oldest request came first. */
enum class serve_order : uint8_t { turns, arrival };

} // namespace walkway

#endif
