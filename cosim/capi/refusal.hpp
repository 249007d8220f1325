/* SPDX-License-Identifier: MIT */
/* capi/refusal.hpp - the reason why a call of the C interface does nothing: a status and a sentence. */
#ifndef WALKWAY_CAPI_REFUSAL_HPP
#define WALKWAY_CAPI_REFUSAL_HPP

#include "capi/walkway.h"

#include <stdexcept>
#include <string>

namespace walkway
{

class refusal : public std::runtime_error
{
public:
    refusal(walkway_status status, const std::string &text) : std::runtime_error(text), status_(status) {}
    walkway_status code() const { return status_; }

private:
    walkway_status status_;
};

} // namespace walkway

#endif
