/* SPDX-License-Identifier: MIT */
/* capture/native/arithmetic.cpp - see arithmetic.hpp. */
#include "capture/native/arithmetic.hpp"

#include <algorithm>
#include <cmath>

namespace walkway::capture::native
{
namespace
{

using llvm::Instruction;
using llvm::Value;

double remainder_of_division(double x, double y)
{
    return std::fmod(x, y);
}

/* Out of range, returns the result of the host's own conversion, as the interpreter does. */
uint64_t unsigned_of(double x)
{
    return static_cast<uint64_t>(x);
}

void become(Instruction *i, Value *v)
{
    i->replaceAllUsesWith(v);
    i->eraseFromParent();
}

/* Shifts by the amount modulo the width. Scalars of fewer than 32 bits are shifted as 32-bit numbers. */
void replace_shift(builder &b, llvm::BinaryOperator *op)
{
    llvm::Type *type = op->getType();
    const unsigned bits = type->getScalarSizeInBits();
    if (bits >= 32 || type->isVectorTy()) {
        op->setOperand(1, b.CreateAnd(op->getOperand(1), llvm::ConstantInt::get(type, bits - 1)));
        return;
    }
    llvm::Type *wide = b.getInt32Ty();
    const bool sign = op->getOpcode() == Instruction::AShr;
    Value *value = sign ? b.CreateSExt(op->getOperand(0), wide) : b.CreateZExt(op->getOperand(0), wide);
    Value *amount = b.CreateAnd(b.CreateZExt(op->getOperand(1), wide), b.getInt32(31));
    become(op, b.CreateTrunc(b.CreateBinOp(op->getOpcode(), value, amount), type));
}

/* Division by zero yields zero. The least number divided by -1 yields itself below 64 bits, else zero; its
 * remainder is zero. */
void replace_division(builder &b, llvm::BinaryOperator *op)
{
    llvm::Type *type = op->getType();
    Value *dividend = op->getOperand(0), *divisor = op->getOperand(1),
          *zero = llvm::Constant::getNullValue(type);
    const bool sign = op->getOpcode() == Instruction::SDiv || op->getOpcode() == Instruction::SRem;
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(divisor))
        if (!constant->isZero() && !constant->isMinusOne())
            return;
    Value *by_zero = b.CreateICmpEQ(divisor, zero), *bad = by_zero;
    const unsigned bits = type->getScalarSizeInBits();
    if (sign) {
        Value *least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
        bad = b.CreateOr(by_zero, b.CreateAnd(b.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)),
                                              b.CreateICmpEQ(dividend, least)));
    }
    Value *safe = b.CreateSelect(bad, llvm::ConstantInt::get(type, 1), divisor);
    Value *result = b.CreateBinOp(op->getOpcode(), dividend, safe);
    Value *of_bad =
        op->getOpcode() == Instruction::SDiv && bits < 64 ? b.CreateSelect(by_zero, zero, dividend) : zero;
    become(op, b.CreateSelect(bad, of_bad, result));
}

void replace_binary(emitter &e, builder &b, llvm::BinaryOperator *op)
{
    switch (op->getOpcode()) {
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
        return replace_shift(b, op);
    case Instruction::SDiv:
    case Instruction::SRem:
    case Instruction::UDiv:
    case Instruction::URem:
        return replace_division(b, op);
    case Instruction::FRem:
        return become(op, for_elements(b, op->getType(), [&](unsigned n) {
                          Value *x = b.CreateFPExt(element(b, op->getOperand(0), n), b.getDoubleTy());
                          Value *y = b.CreateFPExt(element(b, op->getOperand(1), n), b.getDoubleTy());
                          Value *r = e.call_host(b, reinterpret_cast<void *>(&remainder_of_division),
                                                 b.getDoubleTy(), {x, y});
                          return b.CreateFPTrunc(r, op->getType()->getScalarType());
                      }));
    default:
        return;
    }
}

/* Converts to an integer of 64 bits, then drops its upper bits. */
void replace_to_integer(emitter &e, builder &b, llvm::CastInst *cast)
{
    Value *from = cast->getOperand(0);
    const bool sign = cast->getOpcode() == Instruction::FPToSI;
    become(cast, for_elements(b, cast->getType(), [&](unsigned n) {
               Value *x = element(b, from, n);
               Value *wide = sign ? b.CreateFPToSI(x, e.i64)
                                  : e.call_host(b, reinterpret_cast<void *>(&unsigned_of), e.i64,
                                                {b.CreateFPExt(x, b.getDoubleTy())});
               return b.CreateTrunc(wide, cast->getType()->getScalarType());
           }));
}

/* Converts signed integers of over 32 bits to float through double, as the interpreter does: from 54 bits on
 * this rounds twice. */
void replace_to_float(builder &b, llvm::CastInst *cast)
{
    if (!cast->getType()->getScalarType()->isFloatTy() ||
        cast->getOperand(0)->getType()->getScalarSizeInBits() <= 32)
        return;
    llvm::Type *wide = cast->getType()->getWithNewType(b.getDoubleTy());
    become(cast, b.CreateFPTrunc(b.CreateSIToFP(cast->getOperand(0), wide), cast->getType()));
}

bool holds_half(const Instruction &i)
{
    auto is_half = [](const Value *v) { return v->getType()->getScalarType()->isHalfTy(); };
    return is_half(&i) || std::any_of(i.op_begin(), i.op_end(), is_half);
}

} // namespace

unsigned elements_of(const llvm::Type *type)
{
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? vector->getNumElements() : 1;
}

Value *element(builder &b, Value *v, unsigned n)
{
    return v->getType()->isVectorTy() ? b.CreateExtractElement(v, n) : v;
}

Value *for_elements(builder &b, llvm::Type *type, const std::function<Value *(unsigned)> &make)
{
    if (!type->isVectorTy())
        return make(0);
    Value *all = llvm::Constant::getNullValue(type);
    for (unsigned n = 0; n < elements_of(type); n++)
        all = b.CreateInsertElement(all, make(n), n);
    return all;
}

void replace_arithmetic(emitter &e, builder &b, Instruction *i)
{
    if (llvm::isa<llvm::UnaryOperator>(i) || llvm::isa<llvm::BinaryOperator>(i) ||
        llvm::isa<llvm::FCmpInst>(i) || i->getOpcode() == Instruction::FPExt ||
        i->getOpcode() == Instruction::FPTrunc)
        if (holds_half(*i))
            throw not_native{"it computes with half"};
    switch (i->getOpcode()) {
    case Instruction::FPToSI:
    case Instruction::FPToUI:
        return replace_to_integer(e, b, llvm::cast<llvm::CastInst>(i));
    case Instruction::SIToFP:
        return replace_to_float(b, llvm::cast<llvm::CastInst>(i));
    case Instruction::UIToFP:
    case Instruction::FNeg:
    case Instruction::ICmp:
    case Instruction::FCmp:
    case Instruction::Select:
    case Instruction::PHI:
    case Instruction::GetElementPtr:
    case Instruction::BitCast:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::Trunc:
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::FPExt:
    case Instruction::FPTrunc:
    case Instruction::ExtractElement:
    case Instruction::InsertElement:
    case Instruction::ShuffleVector:
    case Instruction::ExtractValue:
    case Instruction::InsertValue:
    case Instruction::Freeze:
    case Instruction::Br:
    case Instruction::Switch:
        return;
    default:
        if (auto *op = llvm::dyn_cast<llvm::BinaryOperator>(i))
            return replace_binary(e, b, op);
        throw not_native{std::string("it has the instruction '") + i->getOpcodeName() + "'"};
    }
}

} // namespace walkway::capture::native
