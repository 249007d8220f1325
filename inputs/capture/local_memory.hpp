/* SPDX-License-Identifier: MIT */
/* capture/local_memory.hpp - the places of a kernel's local buffers in its group's local memory: the
 * variables of module scope in order, then the arguments in order, one after the other, 16-byte aligned.
 * Oclgrind numbers them by the order of pointers, which differs from run to run. */
#ifndef WW_CAPTURE_LOCAL_MEMORY_HPP
#define WW_CAPTURE_LOCAL_MEMORY_HPP

#include "capture/address_map.hpp"

#include <vector>

namespace llvm
{
class Value;
} // namespace llvm

namespace oclgrind
{
class Kernel;
} // namespace oclgrind

namespace walkway::capture
{

struct local_buffer {
    const llvm::Value *value; /* a variable or an argument */
    uint64_t bytes, offset;
};

/* Returns the local buffers by Oclgrind's number, from 1. */
std::vector<local_buffer> local_buffers_of(const oclgrind::Kernel &kernel);

/* Returns the map to offsets in the group's local memory. */
address_map local_map(const std::vector<local_buffer> &buffers);

} // namespace walkway::capture

#endif
