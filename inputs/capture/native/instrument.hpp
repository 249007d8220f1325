/* SPDX-License-Identifier: MIT */
/* capture/native/instrument.hpp - rewrites one function of a kernel so that it logs its actions and computes
 * the interpreter's results. */
#ifndef WW_CAPTURE_NATIVE_INSTRUMENT_HPP
#define WW_CAPTURE_NATIVE_INSTRUMENT_HPP

#include "capture/native/emitter.hpp"

#include <set>
#include <vector>

namespace walkway::capture::native
{

/* The layout's data of a function; segments count from the first of its inlined copy. */
struct function_plan {
    std::unordered_map<const llvm::Instruction *, uint32_t> head;        /* the instruction's segment */
    std::unordered_map<const llvm::Instruction *, uint32_t> callee_base; /* first segment of the callee */
    std::set<const llvm::Instruction *> site;                            /* accesses memory: logged */
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

/* Instruments f, the function's entry in `all`, which is keyed by the module's functions; plan: by
 * instructions of f.body. Returns true if it waits at a barrier itself. Throws not_native. */
bool instrument(native_function &f, const function_plan &plan, const native_functions &all);

/* Makes private object `number` of `bytes`, with its memory at `data`. Returns its address, with the number
 * in the upper half. */
llvm::Value *make_object(emitter &e, builder &b, llvm::Value *number, llvm::Value *data, uint64_t bytes);

} // namespace walkway::capture::native

#endif
