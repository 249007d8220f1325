/* SPDX-License-Identifier: MIT */
/* capture/local_memory.hpp - where a kernel's local buffers lie in its group's local memory: the variables of
 * module scope in their order, then the arguments in theirs, one behind the other, 16-byte aligned. Oclgrind
 * numbers them by the order of pointers, which differs from run to run. */
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

/* By Oclgrind's number, which starts at 1: the first has number 1. */
std::vector<local_buffer> local_buffers_of(const oclgrind::Kernel &kernel);

/* To offsets in the group's local memory. */
address_map local_map(const std::vector<local_buffer> &buffers);

} // namespace walkway::capture

#endif
