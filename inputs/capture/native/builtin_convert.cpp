/* SPDX-License-Identifier: MIT */
/* capture/native/builtin_convert.cpp - conversions with rounding and saturation, and reinterpretation of bits
 * (as_*). During a conversion, except to half, the host uses the rounding mode of the function's name. */
#include "capture/native/arithmetic.hpp"
#include "capture/native/builtins.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_half.h>

namespace walkway::capture::native
{
namespace
{

using llvm::Value;

/* A conversion's properties, in one word. */
enum flag : uint32_t {
    to_signed = 1u << 8,
    saturates = 1u << 9,
    from_signed = 1u << 10,
    bits_mask = 0xff, /* width of an integer result */
    rounding_shift = 16,
};

int host_rounding(uint32_t flags)
{
    switch (char(flags >> rounding_shift)) {
    case 'z':
        return FE_TOWARDZERO;
    case 'p':
        return FE_UPWARD;
    case 'n':
        return FE_DOWNWARD;
    default:
        return FE_TONEAREST;
    }
}

/* Operands and results pass through volatile objects, so that the compiler keeps the operation between the
 * two changes of the mode. */
class rounding_scope
{
    const int before = fegetround();

public:
    explicit rounding_scope(uint32_t flags) { fesetround(host_rounding(flags)); }
    ~rounding_scope() { fesetround(before); }
    rounding_scope(const rounding_scope &) = delete;
    rounding_scope &operator=(const rounding_scope &) = delete;
};

/* NaN becomes zero. */
long double clamped(long double x, long double low, long double high)
{
    return std::isnan(x) ? 0.0L : std::min(std::max(x, low), high);
}

uint64_t integer_of_float(double x, uint32_t flags)
{
    const rounding_scope rounds(flags);
    const unsigned bits = flags & bits_mask;
    volatile double given = x;
    if (flags & to_signed) {
        const int64_t high = int64_t((uint64_t(1) << (bits - 1)) - 1), low = -high - 1;
        volatile int64_t r = flags & saturates ? int64_t(std::rint(clamped(given, low, high)))
                                               : static_cast<int64_t>(std::rint(given));
        return uint64_t(r);
    }
    const auto high = static_cast<long double>(UINT64_MAX >> (64 - bits));
    volatile uint64_t r = flags & saturates ? static_cast<uint64_t>(std::rint(clamped(given, 0.0L, high)))
                                            : static_cast<uint64_t>(std::rint(given));
    return r;
}

uint64_t integer_of_integer(uint64_t v, uint32_t flags)
{
    if (!(flags & saturates))
        return v;
    const unsigned bits = flags & bits_mask;
    const uint64_t high = UINT64_MAX >> (64 - bits + (flags & to_signed ? 1 : 0));
    const auto s = int64_t(v);
    if (!(flags & from_signed))
        return std::min(v, high);
    if (flags & to_signed)
        return uint64_t(std::max(std::min(s, int64_t(high)), -int64_t(high) - 1));
    return s < 0 ? 0 : std::min(v, high);
}

float single_of_integer(uint64_t v, uint32_t flags)
{
    const rounding_scope rounds(flags);
    volatile uint64_t given = v;
    volatile double wide = flags & from_signed ? double(int64_t(given)) : 0;
    volatile float r = flags & from_signed ? float(wide) /* rounded twice, as the interpreter does */
                                           : float(given);
    return r;
}

double double_of_integer(uint64_t v, uint32_t flags)
{
    const rounding_scope rounds(flags);
    volatile uint64_t given = v;
    volatile double r = flags & from_signed ? double(int64_t(given)) : double(given);
    return r;
}

float single_of_double(double x, uint32_t flags)
{
    const rounding_scope rounds(flags);
    volatile double given = x;
    volatile float r = float(given);
    return r;
}

/* Conversions to half pass through float, as in Oclgrind. */
uint16_t half_of_float(float x, uint32_t flags)
{
    switch (char(flags >> rounding_shift)) {
    case 'z':
        return cl_half_from_float(x, CL_HALF_RTZ);
    case 'p':
        return cl_half_from_float(x, CL_HALF_RTP);
    case 'n':
        return cl_half_from_float(x, CL_HALF_RTN);
    default:
        return cl_half_from_float(x, CL_HALF_RTE);
    }
}

uint32_t flags_of(const builtin_call &c, char without_name)
{
    const char named = rounding_of(c.name);
    return uint32_t(uint8_t(named ? named : without_name)) << rounding_shift |
           (c.name.find("_sat") != std::string::npos ? saturates : 0u) | (c.is_signed() ? from_signed : 0u);
}

bool is_float(const Value *v)
{
    return v->getType()->getScalarType()->isFloatTy() || v->getType()->getScalarType()->isDoubleTy();
}

Value *wide_integer(const builtin_call &c, Value *x)
{
    return c.is_signed() ? c.b.CreateSExt(x, c.e.i64) : c.b.CreateZExt(x, c.e.i64);
}

Value *to_integer(const builtin_call &c, Value *x)
{
    builder &b = c.b;
    llvm::Type *type = c.result->getScalarType();
    const bool target_signed = c.name.compare(0, 9, "convert_u") != 0;
    Value *flags =
        b.getInt32(flags_of(c, 'z') | (target_signed ? to_signed : 0u) | type->getIntegerBitWidth());
    Value *r = is_float(x) ? c.e.call_host(b, reinterpret_cast<void *>(&integer_of_float), c.e.i64,
                                           {b.CreateFPExt(x, b.getDoubleTy()), flags})
                           : c.e.call_host(b, reinterpret_cast<void *>(&integer_of_integer), c.e.i64,
                                           {wide_integer(c, x), flags});
    return b.CreateTrunc(r, type);
}

Value *to_float(const builtin_call &c, Value *x)
{
    builder &b = c.b;
    llvm::Type *type = c.result->getScalarType();
    Value *flags = b.getInt32(flags_of(c, 'e'));
    if (is_float(x)) {
        Value *d = b.CreateFPExt(x, b.getDoubleTy());
        return type->isDoubleTy()
                   ? d
                   : c.e.call_host(b, reinterpret_cast<void *>(&single_of_double), type, {d, flags});
    }
    return c.e.call_host(b,
                         type->isFloatTy() ? reinterpret_cast<void *>(&single_of_integer)
                                           : reinterpret_cast<void *>(&double_of_integer),
                         type, {wide_integer(c, x), flags});
}

Value *to_half(const builtin_call &c, Value *x)
{
    builder &b = c.b;
    Value *single = is_float(x)     ? b.CreateFPTrunc(x, b.getFloatTy())
                    : c.is_signed() ? b.CreateSIToFP(x, b.getFloatTy())
                                    : b.CreateUIToFP(x, b.getFloatTy());
    Value *r = c.e.call_host(b, reinterpret_cast<void *>(&half_of_float), b.getInt16Ty(),
                             {single, b.getInt32(flags_of(c, 'e'))});
    return b.CreateBitCast(r, c.result->getScalarType());
}

} // namespace

Value *conversion(const builtin_call &c)
{
    if (c.name.compare(0, 3, "as_") == 0) {
        const llvm::DataLayout &data = c.call->getModule()->getDataLayout();
        if (data.getTypeSizeInBits(c.result) != data.getTypeSizeInBits(c.operand(0)->getType()))
            return nullptr;
        return c.b.CreateBitCast(c.operand(0), c.result);
    }
    if (c.name.compare(0, 8, "convert_") != 0 || c.operands() != 1)
        return nullptr;
    llvm::Type *type = c.result->getScalarType(), *from = c.operand(0)->getType()->getScalarType();
    if (!from->isIntegerTy() && !from->isFloatTy() && !from->isDoubleTy())
        return nullptr;
    return for_elements(c.b, c.result, [&](unsigned n) {
        Value *x = element(c.b, c.operand(0), n);
        return type->isHalfTy() ? to_half(c, x) : type->isIntegerTy() ? to_integer(c, x) : to_float(c, x);
    });
}

} // namespace walkway::capture::native
