/* SPDX-License-Identifier: MIT */
/* capture/native/builtins.hpp - OpenCL C's functions, as calls of the host or as instructions. Unknown, so
 * that the kernel is interpreted: images, async copies, printf. */
#ifndef WW_CAPTURE_NATIVE_BUILTINS_HPP
#define WW_CAPTURE_NATIVE_BUILTINS_HPP

#include "capture/native/emitter.hpp"

#include <string>
#include <vector>

namespace walkway::capture::native
{

/* A call of a function without a body, parsed. */
struct builtin_call {
    emitter &e;
    builder &b;
    llvm::CallInst *call;
    std::string name;   /* "max" of "_Z3maxii"; an intrinsic's whole name */
    std::string types;  /* "ii" */
    llvm::Type *result; /* type */
    bool &unlogged;     /* the layout has a site for it, and nothing is logged for it yet */

    llvm::Value *operand(unsigned n) const { return call->getArgOperand(n); }
    unsigned operands() const { return call->arg_size(); }
    /* Returns the letter of the first operand's element type in the name: f, d, c, h, s, t, i, j, l, m ... */
    char kind() const;
    bool is_signed() const;
    /* Logs an absence of accesses, if nothing is logged yet. */
    void log_nothing() const;
};

/* Each returns the value that replaces the call, or NULL for an unknown function. They may split blocks. */
llvm::Value *mathematical(const builtin_call &c);  /* on floating-point numbers */
llvm::Value *integral(const builtin_call &c);      /* on integers, relational, selections */
llvm::Value *conversion(const builtin_call &c);    /* convert_*, as_* */
llvm::Value *memory_access(const builtin_call &c); /* vload, vstore, atomics, results by pointer */

/* Returns the letter after "_rt" in a name: e, z, p, n; '\0' if there is none. */
char rounding_of(const std::string &name);

/* Stores and logs values one by one, as a built-in with a second result does; includes the log entry. */
void store_elements(const builtin_call &c, llvm::Value *pointer, unsigned space,
                    const std::vector<llvm::Value *> &values, const std::vector<llvm::Value *> &addresses);

/* Bytes that a built-in may log without requesting room: a count, and 16 accesses. */
constexpr uint64_t most_builtin_log_bytes = 4 + 16 * 12;

/* Replaces the call. Returns true if it is a barrier. Throws not_native. */
bool replace_builtin(emitter &e, builder &b, llvm::CallInst *call, bool logged);

} // namespace walkway::capture::native

#endif
