/* SPDX-License-Identifier: MIT */
/* capture/native/arithmetic.hpp - arithmetic instructions, with the interpreter's results where LLVM leaves
 * them undefined: division by zero, shifts by more than the width, conversions out of range. */
#ifndef WW_CAPTURE_NATIVE_ARITHMETIC_HPP
#define WW_CAPTURE_NATIVE_ARITHMETIC_HPP

#include "capture/native/emitter.hpp"

#include <functional>

namespace walkway::capture::native
{

/* Rewrites an instruction, or leaves it unchanged. Throws not_native for an unknown one. */
void replace_arithmetic(emitter &e, builder &b, llvm::Instruction *i);

/* Returns the number of a type's elements; 1 for a scalar. */
unsigned elements_of(const llvm::Type *type);
/* Returns element n of a vector, or a scalar itself for any n. */
llvm::Value *element(builder &b, llvm::Value *v, unsigned n);
/* Returns a value of `type` whose element n is make(n). */
llvm::Value *for_elements(builder &b, llvm::Type *type, const std::function<llvm::Value *(unsigned)> &make);

} // namespace walkway::capture::native

#endif
