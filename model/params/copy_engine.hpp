/* SPDX-License-Identifier: MIT */
/* model/params/copy_engine.hpp - the parameters of the copy engine. */
#ifndef WALKWAY_MODEL_PARAMS_COPY_ENGINE_HPP
#define WALKWAY_MODEL_PARAMS_COPY_ENGINE_HPP

#include "model/common/params.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

struct copy_engine_params {
    uint32_t lines = 0;

    void visit(param_visitor &v);
    bool present() const { return lines != 0; }
};

} // namespace walkway

#endif
