/* SPDX-License-Identifier: MIT */
/* capture/native/instrument.hpp - rewrites one function of a kernel so that it logs what it does and computes
 * what the interpreter computes. */
#ifndef WW_CAPTURE_NATIVE_INSTRUMENT_HPP
#define WW_CAPTURE_NATIVE_INSTRUMENT_HPP

#include "capture/native/emitter.hpp"

#include <set>
#include <vector>

namespace walkway::capture::native
{

/* What the layout says of a function; segments count from the first of its inlined copy. */
struct function_plan {
    std::unordered_map<const llvm::Instruction *, uint32_t> head;        /* its segment */
    std::unordered_map<const llvm::Instruction *, uint32_t> callee_base; /* first segment of what it calls */
    std::set<const llvm::Instruction *> site;                            /* touches memory: is logged */
};

/* A function with the lane and its first segment as additional first arguments. */
struct native_function {
    llvm::Function *body = nullptr;
    std::vector<uint64_t> by_value; /* by argument: bytes of a structure passed by value, else 0 */
    uint64_t private_bytes = 0, private_objects = 0; /* of its own frame */
};

using native_functions = std::unordered_map<const llvm::Function *, native_function>;

constexpr unsigned hidden_arguments = 2;
constexpr uint64_t private_alignment = 128;

/* f: the function's entry in `all`, keyed by what stood in the module; plan: by instructions of f.body.
 * Returns whether it waits at a barrier itself. Throws not_native. */
bool instrument(native_function &f, const function_plan &plan, const native_functions &all);

/* Makes a private object of `bytes`, whose memory is at `data`; returns its address as the number in the
 * upper half. number: of the object. */
llvm::Value *make_object(emitter &e, builder &b, llvm::Value *number, llvm::Value *data, uint64_t bytes);

} // namespace walkway::capture::native

#endif
