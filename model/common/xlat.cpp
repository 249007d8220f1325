/* SPDX-License-Identifier: MIT */
/* model/common/xlat.cpp - names of the causes. */
#include "model/common/xlat.hpp"

namespace walkway
{

const char *cause_name(unsigned c)
{
    static const char *const names[] = {
#define X(name, text) #name,
        WALKWAY_CAUSE_LIST(X)
#undef X
    };
    return names[c];
}

const char *cause_text(unsigned c)
{
    static const char *const texts[] = {
#define X(name, text) text,
        WALKWAY_CAUSE_LIST(X)
#undef X
    };
    return texts[c];
}

} // namespace walkway
