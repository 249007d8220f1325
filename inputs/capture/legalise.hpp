/* SPDX-License-Identifier: MIT */
/* capture/legalise.hpp - rewrites code that Oclgrind's interpreter computes wrongly or refuses, before it
 * reads a kernel: integers of odd widths, which it does not cut to their bits, intrinsics that it does not
 * know, and variables that are never set. Clang's optimiser makes the first two of plain code, `switch (x &
 * 7)` or a rotation by two shifts. Compiled kernels are made from the same code, so that both ways give the
 * same trace. */
#ifndef WW_CAPTURE_LEGALISE_HPP
#define WW_CAPTURE_LEGALISE_HPP

namespace llvm
{
class Function;
} // namespace llvm

namespace walkway::capture
{

/* Rewrites a kernel and all functions that it calls. Leaves unchanged what it cannot rewrite. */
void legalise(llvm::Function &kernel);

/* Returns the width of an integer that the interpreter would compute wrongly, or 0. */
unsigned odd_width_left(const llvm::Function &kernel);

} // namespace walkway::capture

#endif
