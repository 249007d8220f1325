/* SPDX-License-Identifier: MIT */
/* capture/native/llvm.hpp - LLVM's headers, with their warnings off. */
#ifndef WW_CAPTURE_NATIVE_LLVM_HPP
#define WW_CAPTURE_NATIVE_LLVM_HPP

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#endif
