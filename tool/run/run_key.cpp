/* SPDX-License-Identifier: MIT */
/* run/run_key.cpp - hashes what decides a result. */
#include "run/run_key.hpp"

#include "run/simulate.hpp"
#include "run/trace_file.hpp"

namespace walkway
{

std::string run_key(const platform_spec &spec, const std::string &inputs)
{
    const std::string all = configuration_json(*spec.config).dump() + spec.levels + model_digest() + inputs;
    return text_of_checksum(wkt_hash64(all.data(), all.size(), 0));
}

} // namespace walkway
