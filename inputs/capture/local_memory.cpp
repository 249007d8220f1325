/* SPDX-License-Identifier: MIT */
/* capture/local_memory.cpp - see local_memory.hpp. */
#include "capture/local_memory.hpp"
#include "capture/native/llvm.hpp"

#include <oclgrind/Kernel.h>

#include <map>

namespace walkway::capture
{
namespace
{

constexpr unsigned local_space = 3;
constexpr uint64_t alignment = 16;

bool is_local(const llvm::Value &v)
{
    return v.getType()->isPointerTy() && v.getType()->getPointerAddressSpace() == local_space;
}

} // namespace

std::vector<local_buffer> local_buffers_of(const oclgrind::Kernel &kernel)
{
    std::vector<local_buffer> buffers;
    std::map<const llvm::Value *, size_t> place;
    for (auto v = kernel.values_begin(); v != kernel.values_end(); ++v) {
        if (!is_local(*v->first))
            continue;
        place[v->first] = buffers.size();
        buffers.push_back({v->first, v->second.size, 0});
    }
    uint64_t offset = 0;
    auto put = [&](const llvm::Value &v) {
        auto there = place.find(&v);
        if (there == place.end())
            return;
        buffers[there->second].offset = offset;
        offset += (buffers[there->second].bytes + alignment - 1) / alignment * alignment;
    };
    for (const llvm::GlobalVariable &g : kernel.getFunction()->getParent()->globals())
        put(g);
    for (const llvm::Argument &a : kernel.getFunction()->args())
        put(a);
    return buffers;
}

address_map local_map(const std::vector<local_buffer> &buffers)
{
    address_map map;
    for (size_t n = 0; n < buffers.size(); n++)
        map.add(uint64_t(n + 1) << oclgrind_offset_bits, {buffers[n].offset, buffers[n].bytes, 0});
    return map;
}

} // namespace walkway::capture
