/* SPDX-License-Identifier: MIT */
/* platforms/level_blocks.cpp - calls a kind's maker by name, from the build's list (level_kinds.inc). */
#include "platforms/level_blocks.hpp"

#include <stdexcept>

namespace walkway
{

#define X(kind) level_instance make_##kind##_blocks(const level &l, const level_place &at);
#include "level_kinds.inc"
#undef X

level_instance make_blocks(const level &l, const level_place &at)
{
    const std::string kind = l.kind();
#define X(name)                                                                                              \
    if (kind == #name)                                                                                       \
        return make_##name##_blocks(l, at);
#include "level_kinds.inc"
#undef X
    throw std::logic_error("no blocks of the kind " + kind);
}

} // namespace walkway
