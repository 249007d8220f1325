/* SPDX-License-Identifier: MIT */
/* model/common/serve_order.hpp - who of several requesters is served first (docs/timing-model.md). */
#ifndef WALKWAY_MODEL_COMMON_SERVE_ORDER_HPP
#define WALKWAY_MODEL_COMMON_SERVE_ORDER_HPP

#include <cstdint>

namespace walkway
{

/* Each in its turn, one request a turn; or whose oldest request came first, as from one queue for all. */
enum class serve_order : uint8_t { turns, arrival };

} // namespace walkway

#endif
