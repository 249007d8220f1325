/* SPDX-License-Identifier: MIT */
/* capture/native/builtin_integer.cpp - functions on integers, relations, selections. */
#include "capture/native/arithmetic.hpp"
#include "capture/native/builtins.hpp"

#include <functional>
#include <map>

namespace walkway::capture::native
{
namespace
{

using llvm::Value;

/* The operands of a function for one element, and operations on them. */
struct integer_operands {
    const builtin_call &c;
    builder &b;
    llvm::Type *type;
    bool is_signed;
    Value *x, *y, *z; /* NULL where there is none */

    unsigned bits() const { return type->getIntegerBitWidth(); }
    Value *constant(uint64_t v) const { return llvm::ConstantInt::get(type, v); }
    Value *less(Value *p, Value *q) const
    {
        return is_signed ? b.CreateICmpSLT(p, q) : b.CreateICmpULT(p, q);
    }
    Value *least(Value *p, Value *q) const { return b.CreateSelect(less(p, q), p, q); }
    Value *most(Value *p, Value *q) const { return b.CreateSelect(less(q, p), p, q); }
    Value *half_of(Value *v) const { return is_signed ? b.CreateAShr(v, 1) : b.CreateLShr(v, 1); }
    /* A type of twice the width, in which nothing overflows. */
    llvm::Type *twice() const { return b.getIntNTy(2 * bits()); }
    Value *wide(Value *v) const { return is_signed ? b.CreateSExt(v, twice()) : b.CreateZExt(v, twice()); }
    Value *upper_product() const
    {
        return b.CreateTrunc(b.CreateLShr(b.CreateMul(wide(x), wide(y)), bits()), type);
    }
    /* Returns the nearest number of the type. */
    Value *saturated(Value *v) const
    {
        const llvm::APInt high = is_signed ? llvm::APInt::getSignedMaxValue(bits()).sext(2 * bits())
                                           : llvm::APInt::getMaxValue(bits()).zext(2 * bits());
        Value *ceiling = llvm::ConstantInt::get(twice(), high);
        if (!is_signed)
            return b.CreateTrunc(b.CreateSelect(b.CreateICmpUGT(v, ceiling), ceiling, v), type);
        Value *floor =
            llvm::ConstantInt::get(twice(), llvm::APInt::getSignedMinValue(bits()).sext(2 * bits()));
        Value *raised = b.CreateSelect(b.CreateICmpSLT(v, floor), floor, v);
        return b.CreateTrunc(b.CreateSelect(b.CreateICmpSGT(raised, ceiling), ceiling, raised), type);
    }
};

using integer_function = std::function<Value *(const integer_operands &)>;

Value *absolute(const integer_operands &o)
{
    return o.is_signed ? o.b.CreateSelect(o.less(o.x, o.constant(0)), o.b.CreateNeg(o.x), o.x) : o.x;
}

Value *rotated(const integer_operands &o)
{
    Value *amount = o.b.CreateURem(o.y, o.constant(o.bits()));
    return o.b.CreateIntrinsic(llvm::Intrinsic::fshl, {o.type}, {o.x, o.x, amount});
}

/* Adds the halves and a carry: 1 if both lowest bits are set or, rounding up, if either is. */
Value *averaged(const integer_operands &o, bool up)
{
    Value *carry = o.b.CreateAnd(up ? o.b.CreateOr(o.x, o.y) : o.b.CreateAnd(o.x, o.y), o.constant(1));
    return o.b.CreateAdd(o.b.CreateAdd(o.half_of(o.x), o.half_of(o.y)), carry);
}

Value *with_saturation(const integer_operands &o, llvm::Intrinsic::ID of_signed,
                       llvm::Intrinsic::ID of_unsigned)
{
    return o.b.CreateBinaryIntrinsic(o.is_signed ? of_signed : of_unsigned, o.x, o.y);
}

const std::map<std::string, integer_function> &integer_functions()
{
    using o = const integer_operands &;
    namespace id = llvm::Intrinsic;
    static const auto &all = *new const std::map<std::string, integer_function>{
        {"max", [](o v) { return v.most(v.x, v.y); }},
        {"min", [](o v) { return v.least(v.x, v.y); }},
        {"clamp", [](o v) { return v.least(v.most(v.x, v.y), v.z); }},
        {"abs", absolute},
        {"abs_diff", [](o v) { return v.b.CreateSub(v.most(v.x, v.y), v.least(v.x, v.y)); }},
        {"add_sat", [](o v) { return with_saturation(v, id::sadd_sat, id::uadd_sat); }},
        {"sub_sat", [](o v) { return with_saturation(v, id::ssub_sat, id::usub_sat); }},
        {"mad_sat",
         [](o v) {
             return v.saturated(v.b.CreateAdd(v.b.CreateMul(v.wide(v.x), v.wide(v.y)), v.wide(v.z)));
         }},
        {"mul_hi", [](o v) { return v.upper_product(); }},
        {"mad_hi", [](o v) { return v.b.CreateAdd(v.upper_product(), v.z); }},
        {"mul24", [](o v) { return v.b.CreateMul(v.x, v.y); }},
        {"mad24", [](o v) { return v.b.CreateAdd(v.b.CreateMul(v.x, v.y), v.z); }},
        {"hadd", [](o v) { return averaged(v, false); }},
        {"rhadd", [](o v) { return averaged(v, true); }},
        {"rotate", rotated},
        {"popcount", [](o v) { return v.b.CreateUnaryIntrinsic(id::ctpop, v.x); }},
        {"clz", [](o v) { return v.b.CreateBinaryIntrinsic(id::ctlz, v.x, v.b.getFalse()); }},
        {"ctz", [](o v) { return v.b.CreateBinaryIntrinsic(id::cttz, v.x, v.b.getFalse()); }},
        {"bitselect",
         [](o v) { return v.b.CreateOr(v.b.CreateAnd(v.x, v.b.CreateNot(v.z)), v.b.CreateAnd(v.y, v.z)); }},
    };
    return all;
}

Value *by_elements(const builtin_call &c, const integer_function &f, llvm::Type *type)
{
    auto bits_of = [&](unsigned operand, unsigned n) -> Value * {
        if (operand >= c.operands())
            return nullptr;
        return c.b.CreateBitCast(element(c.b, c.operand(operand), n), type);
    };
    return for_elements(c.b, c.result, [&](unsigned n) {
        const integer_operands o{c, c.b, type, c.is_signed(), bits_of(0, n), bits_of(1, n), bits_of(2, n)};
        return c.b.CreateBitCast(f(o), c.result->getScalarType());
    });
}

/* Operand 0 is the upper half. */
Value *upsample(const builtin_call &c)
{
    return for_elements(c.b, c.result, [&](unsigned n) {
        llvm::Type *type = c.result->getScalarType();
        Value *high = c.b.CreateZExt(element(c.b, c.operand(0), n), type);
        Value *low = c.b.CreateZExt(element(c.b, c.operand(1), n), type);
        return c.b.CreateOr(c.b.CreateShl(high, type->getIntegerBitWidth() / 2), low);
    });
}

/* Returns element n of a relational function as a boolean; NULL if there is no such function. */
Value *relation(const builtin_call &c, unsigned n)
{
    using predicate = llvm::CmpInst::Predicate;
    static const auto &of_two = *new const std::map<std::string, predicate>{
        {"isequal", predicate::FCMP_OEQ},       {"isnotequal", predicate::FCMP_UNE},
        {"isgreater", predicate::FCMP_OGT},     {"isgreaterequal", predicate::FCMP_OGE},
        {"isless", predicate::FCMP_OLT},        {"islessequal", predicate::FCMP_OLE},
        {"islessgreater", predicate::FCMP_ONE}, {"isordered", predicate::FCMP_ORD},
        {"isunordered", predicate::FCMP_UNO},
    };
    builder &b = c.b;
    Value *x = element(b, c.operand(0), n);
    if (!x->getType()->isFloatTy() && !x->getType()->isDoubleTy())
        return nullptr;
    auto two = of_two.find(c.name);
    if (two != of_two.end())
        return b.CreateFCmp(two->second, x, element(b, c.operand(1), n));
    Value *size = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
    Value *infinity = llvm::ConstantFP::getInfinity(x->getType());
    if (c.name == "isfinite")
        return b.CreateFCmpOLT(size, infinity);
    if (c.name == "isinf")
        return b.CreateFCmpOEQ(size, infinity);
    if (c.name == "isnan")
        return b.CreateFCmpUNO(x, x);
    if (c.name == "isnormal") {
        const auto &semantics = x->getType()->getFltSemantics();
        Value *least = llvm::ConstantFP::get(x->getType(), llvm::APFloat::getSmallestNormalized(semantics));
        return b.CreateAnd(b.CreateFCmpOGE(size, least), b.CreateFCmpOLT(size, infinity));
    }
    if (c.name == "signbit") {
        llvm::Type *bits = b.getIntNTy(x->getType()->getScalarSizeInBits());
        return b.CreateICmpSLT(b.CreateBitCast(x, bits), llvm::ConstantInt::get(bits, 0));
    }
    return nullptr;
}

/* True is 1 as a scalar, -1 as an element of a vector. */
Value *relational(const builtin_call &c)
{
    Value *first = c.operands() ? relation(c, 0) : nullptr;
    if (!first)
        return nullptr;
    llvm::Type *type = c.result->getScalarType();
    const bool vector = c.result->isVectorTy();
    return for_elements(c.b, c.result, [&](unsigned n) {
        Value *r = n ? relation(c, n) : first;
        return vector ? c.b.CreateSExt(r, type) : c.b.CreateZExt(r, type);
    });
}

Value *sign_set(builder &b, Value *v)
{
    return b.CreateICmpSLT(v, llvm::Constant::getNullValue(v->getType()));
}

Value *any_or_all(const builtin_call &c)
{
    builder &b = c.b;
    const bool any = c.name == "any";
    Value *r = any ? b.getFalse() : b.getTrue();
    for (unsigned n = 0; n < elements_of(c.operand(0)->getType()); n++) {
        Value *set = sign_set(b, element(b, c.operand(0), n));
        r = any ? b.CreateOr(r, set) : b.CreateAnd(r, set);
    }
    return b.CreateZExt(r, c.result);
}

Value *select_elements(const builtin_call &c)
{
    builder &b = c.b;
    const bool vector = c.result->isVectorTy();
    return for_elements(b, c.result, [&](unsigned n) {
        Value *condition = element(b, c.operand(2), n);
        Value *second = vector
                            ? sign_set(b, condition)
                            : b.CreateICmpNE(condition, llvm::Constant::getNullValue(condition->getType()));
        return b.CreateSelect(second, element(b, c.operand(1), n), element(b, c.operand(0), n));
    });
}

Value *shuffle_elements(const builtin_call &c)
{
    builder &b = c.b;
    const bool two = c.name == "shuffle2";
    const unsigned each = elements_of(c.operand(0)->getType());
    Value *mask = c.operand(two ? 2 : 1);
    auto pick = [&](Value *from, Value *index) {
        return from->getType()->isVectorTy() ? b.CreateExtractElement(from, index) : from;
    };
    return for_elements(b, c.result, [&](unsigned n) {
        Value *index = b.CreateZExtOrTrunc(element(b, mask, n), c.e.i32);
        index = b.CreateURem(index, b.getInt32(two ? 2 * each : each));
        if (!two)
            return pick(c.operand(0), index);
        Value *second = b.CreateICmpUGE(index, b.getInt32(each));
        Value *within = b.CreateURem(index, b.getInt32(each));
        return b.CreateSelect(second, pick(c.operand(1), within), pick(c.operand(0), within));
    });
}

} // namespace

Value *integral(const builtin_call &c)
{
    if (c.name == "any" || c.name == "all")
        return any_or_all(c);
    if (c.name == "select")
        return select_elements(c);
    if (c.name == "shuffle" || c.name == "shuffle2")
        return shuffle_elements(c);
    if (c.name == "upsample")
        return upsample(c);
    if (c.result->getScalarType()->isIntegerTy())
        if (Value *r = relational(c))
            return r;
    auto f = integer_functions().find(c.name);
    if (f == integer_functions().end())
        return nullptr;
    llvm::Type *type = c.result->getScalarType();
    const bool bits_only = c.name == "bitselect";
    if (!type->isIntegerTy() && !bits_only)
        return nullptr;
    return by_elements(c, f->second, c.b.getIntNTy(type->getScalarSizeInBits()));
}

} // namespace walkway::capture::native
