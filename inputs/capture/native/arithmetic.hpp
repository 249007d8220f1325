/* SPDX-License-Identifier: MIT */
/* capture/native/arithmetic.hpp - instructions that compute, with the interpreter's results where LLVM leaves
 * them undefined: division by zero, shifts by more than the width, conversions out of range. */
#ifndef WW_CAPTURE_NATIVE_ARITHMETIC_HPP
#define WW_CAPTURE_NATIVE_ARITHMETIC_HPP

#include "capture/native/emitter.hpp"

#include <functional>

namespace walkway::capture::native
{

/* Rewrites the instruction, or leaves it as it is; throws not_native for one that is not known. */
void replace_arithmetic(emitter &e, builder &b, llvm::Instruction *i);

/* Number of a type's elements; 1: a scalar. */
unsigned elements_of(const llvm::Type *type);
/* Element n of a vector; a scalar itself for any n. */
llvm::Value *element(builder &b, llvm::Value *v, unsigned n);
/* A value of `type` whose every element is make(number). */
llvm::Value *for_elements(builder &b, llvm::Type *type, const std::function<llvm::Value *(unsigned)> &make);

} // namespace walkway::capture::native

#endif
