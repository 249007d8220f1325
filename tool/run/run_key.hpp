/* SPDX-License-Identifier: MIT */
/* run/run_key.hpp - all that decides a run's result, as one number: equal keys, equal results. */
#ifndef WALKWAY_RUN_RUN_KEY_HPP
#define WALKWAY_RUN_RUN_KEY_HPP

#include "run/config.hpp"

#include <string>

namespace walkway
{

/* Returns the key of the resolved configuration, the path, the model's digest and `inputs`: the traces'
 * checksums, and the run's other inputs. 16 hexadecimal digits. */
std::string run_key(const platform_spec &spec, const std::string &inputs);

} // namespace walkway

#endif
