/* SPDX-License-Identifier: MIT */
/* capture/native/builtin_math.cpp - functions on floating-point numbers, element by element: most are
 * computed in double by the host's library, then rounded to the result's type. */
#include "capture/native/arithmetic.hpp"
#include "capture/native/builtins.hpp"

#include <cfloat>
#include <climits>
#include <cmath>
#include <map>

namespace walkway::capture::native
{
namespace
{

using llvm::Value;

constexpr double pi = 3.1415926535897932384626433832795;

double exp10_of(double x)
{
    return std::pow(10, x);
}
double rsqrt_of(double x)
{
    return 1.0 / std::sqrt(x);
}
double recip_of(double x)
{
    return 1.0 / x;
}
double divide_of(double x, double y)
{
    return x / y;
}
double acospi_of(double x)
{
    return std::acos(x) / pi;
}
double asinpi_of(double x)
{
    return std::asin(x) / pi;
}
double atanpi_of(double x)
{
    return std::atan(x) / pi;
}
double atan2pi_of(double x, double y)
{
    return std::atan2(x, y) / pi;
}
double cospi_of(double x)
{
    return std::cos(x * pi);
}
double sinpi_of(double x)
{
    return std::sin(x * pi);
}
double tanpi_of(double x)
{
    return std::tan(x * pi);
}
double degrees_of(double x)
{
    return x * (180 / pi);
}
double radians_of(double x)
{
    return x * (pi / 180);
}
double sign_of(double x)
{
    if (std::isnan(x))
        return 0.0;
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}
double maxmag_of(double x, double y)
{
    const double a = std::fabs(x), b = std::fabs(y);
    return a > b ? x : b > a ? y : std::fmax(x, y);
}
double minmag_of(double x, double y)
{
    const double a = std::fabs(x), b = std::fabs(y);
    return a < b ? x : b < a ? y : std::fmin(x, y);
}
double greater(double x, double y)
{
    return x > y ? x : y;
}
double smaller(double x, double y)
{
    return x < y ? x : y;
}
double clamp_of(double x, double low, double high)
{
    return smaller(greater(x, low), high);
}
double mix_of(double x, double y, double a)
{
    return x + (y - x) * a;
}
double step_of(double edge, double x)
{
    return x < edge ? 0.0 : 1.0;
}
double smoothstep_of(double from, double to, double x)
{
    const double t = clamp_of((x - from) / (to - from), 0, 1);
    return t * t * (3 - 2 * t);
}
double powr_of(double x, double y)
{
    if (x < 0.0 || std::isnan(x) || std::isnan(y))
        return std::nan("");
    if (x == 1.0)
        return std::isinf(y) ? std::nan("") : 1.0;
    if (y == 0.0)
        return x == 0.0 || std::isinf(x) ? std::nan("") : 1.0;
    if (x == 0.0)
        return y < 0.0 ? INFINITY : 0.0;
    if (std::isinf(x))
        return y < 0.0 ? 0.0 : INFINITY;
    return std::pow(x, y);
}
double nan_of(double)
{
    return std::nan("");
}
float fma_single(float x, float y, float z)
{
    return std::fmaf(x, y, z);
}
double fma_double(double x, double y, double z)
{
    return std::fma(x, y, z);
}
float nextafter_single(float x, float y)
{
    return std::nextafterf(x, y);
}
double nextafter_double(double x, double y)
{
    return std::nextafter(x, y);
}
double ldexp_of(double x, int32_t n)
{
    return std::ldexp(x, n);
}
double pown_of(double x, int32_t n)
{
    return std::pow(x, double(n));
}
double rootn_of(double x, int32_t n)
{
    if (n == 0)
        return std::nan("");
    const bool odd = n & 1;
    if (x == 0) {
        if (n < 0)
            return odd ? std::copysign(INFINITY, x) : INFINITY;
        return odd ? x : 0.0;
    }
    if (x < 0 && !odd)
        return std::nan("");
    const long double r = std::pow(std::fabs(static_cast<long double>(x)), 1.0L / n);
    return double(x < 0 ? -r : r);
}
int64_t ilogb_of(double x)
{
    return std::isnan(x) ? INT_MAX : std::ilogb(x);
}

/* Functions with a second result by pointer. */
double fract_single(double x, double *whole)
{
    if (std::isnan(x))
        return *whole = std::nan("");
    *whole = std::floor(float(x));
    return std::fmin(x - *whole, double(std::nextafterf(1, 0)));
}
double fract_double(double x, double *whole)
{
    if (std::isnan(x))
        return *whole = std::nan("");
    *whole = std::floor(x);
    return std::fmin(x - *whole, std::nextafter(1.0, 0.0));
}
double modf_of(double x, double *whole)
{
    *whole = std::trunc(x);
    return std::copysign(std::isinf(x) ? 0.0 : x - *whole, x);
}
double sincos_of(double x, double *cosine)
{
    *cosine = std::cos(x);
    return std::sin(x);
}
double frexp_of(double x, int32_t *exponent)
{
    int e = 0;
    const double r = std::frexp(x, &e);
    *exponent = e;
    return r;
}
double lgamma_r_of(double x, int32_t *sign)
{
    *sign = std::tgamma(x) < 0 ? -1 : 1;
    return std::lgamma(x);
}
double remquo_of(double x, double y, int32_t *quotient)
{
    int q = 0;
    const double r = std::remquo(x, y, &q);
    *quotient = q;
    return r;
}

/* Scales the elements if the sum of squares leaves the range. */
double length_of(const double *v, uint32_t n)
{
    double squares = 0.0, scale = 1.0;
    for (uint32_t i = 0; i < n; i++)
        squares += v[i] * v[i];
    if (std::isinf(squares))
        scale = std::ldexp(1.0, -512);
    else if (squares < n * DBL_MIN / DBL_EPSILON)
        scale = std::ldexp(1.0, 640);
    if (scale != 1.0) {
        squares = 0.0;
        for (uint32_t i = 0; i < n; i++)
            squares += v[i] * scale * (v[i] * scale);
    }
    return std::sqrt(squares) * (1.0 / scale);
}

void scale_by(double *v, uint32_t n, double factor, double &squares)
{
    squares = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        v[i] *= factor;
        squares += v[i] * v[i];
    }
}

/* Normalises `v` in place. */
void normalize_of(double *v, uint32_t n)
{
    double given[4], squares = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        given[i] = v[i];
        squares += v[i] * v[i];
    }
    if (std::isinf(squares)) {
        scale_by(v, n, std::ldexp(1.0, -512), squares);
        if (std::isinf(squares)) {
            squares = 0.0;
            for (uint32_t i = 0; i < n; i++) {
                const bool infinite = std::isinf(v[i]);
                v[i] = std::copysign(infinite ? 1.0 : 0.0, given[i]);
                squares += infinite ? 1.0 : 0.0;
            }
        }
    } else if (squares < n * DBL_MIN / DBL_EPSILON) {
        scale_by(v, n, std::ldexp(1.0, 640), squares);
        if (squares == 0.0) {
            for (uint32_t i = 0; i < n; i++)
                v[i] = given[i];
            return;
        }
    }
    const double length = std::sqrt(squares);
    for (uint32_t i = 0; i < n; i++)
        v[i] /= length;
}

struct host_function {
    const void *address;
    unsigned operands;
};

template <typename function> host_function host(function *f, unsigned operands)
{
    return {reinterpret_cast<const void *>(f), operands};
}

#define ONE(name)                                                                                            \
    {                                                                                                        \
#name, host < double(double)>(&::name, 1)                                                            \
    }
#define TWO(name)                                                                                            \
    {                                                                                                        \
#name, host < double(double, double)>(&::name, 2)                                                    \
    }

const std::map<std::string, host_function> &in_double()
{
    static const auto &all = *new const std::map<std::string, host_function>{
        ONE(acos),
        ONE(acosh),
        ONE(asin),
        ONE(asinh),
        ONE(atan),
        ONE(atanh),
        ONE(cbrt),
        ONE(cos),
        ONE(cosh),
        ONE(erf),
        ONE(erfc),
        ONE(exp),
        ONE(exp2),
        ONE(expm1),
        ONE(lgamma),
        ONE(log),
        ONE(log2),
        ONE(log10),
        ONE(log1p),
        ONE(logb),
        ONE(round),
        ONE(sin),
        ONE(sinh),
        ONE(tan),
        ONE(tanh),
        ONE(tgamma),
        TWO(atan2),
        TWO(copysign),
        TWO(fdim),
        TWO(fmax),
        TWO(fmin),
        TWO(fmod),
        TWO(hypot),
        TWO(pow),
        TWO(remainder),
        {"acospi", host(acospi_of, 1)},
        {"asinpi", host(asinpi_of, 1)},
        {"atanpi", host(atanpi_of, 1)},
        {"atan2pi", host(atan2pi_of, 2)},
        {"cospi", host(cospi_of, 1)},
        {"sinpi", host(sinpi_of, 1)},
        {"tanpi", host(tanpi_of, 1)},
        {"degrees", host(degrees_of, 1)},
        {"radians", host(radians_of, 1)},
        {"sign", host(sign_of, 1)},
        {"exp10", host(exp10_of, 1)},
        {"rsqrt", host(rsqrt_of, 1)},
        {"recip", host(recip_of, 1)},
        {"divide", host(divide_of, 2)},
        {"maxmag", host(maxmag_of, 2)},
        {"minmag", host(minmag_of, 2)},
        {"powr", host(powr_of, 2)},
        {"mix", host(mix_of, 3)},
        {"step", host(step_of, 2)},
        {"smoothstep", host(smoothstep_of, 3)},
        {"clamp", host(clamp_of, 3)},
    };
    return all;
}

const std::map<std::string, host_function> &with_integer()
{
    static const auto &all = *new const std::map<std::string, host_function>{
        {"ldexp", host(ldexp_of, 2)}, {"pown", host(pown_of, 2)}, {"rootn", host(rootn_of, 2)}};
    return all;
}

struct by_pointer {
    const void *address;
    unsigned operands; /* before the pointer */
    bool integer;      /* the second result is an integer; else it has the type of the first */
};

const std::map<std::string, by_pointer> &with_pointer(bool single)
{
    auto make = [](bool is_single) {
        auto at = [](auto *f) { return reinterpret_cast<const void *>(f); };
        return std::map<std::string, by_pointer>{
            {"fract", {is_single ? at(fract_single) : at(fract_double), 1, false}},
            {"modf", {at(modf_of), 1, false}},
            {"sincos", {at(sincos_of), 1, false}},
            {"frexp", {at(frexp_of), 1, true}},
            {"lgamma_r", {at(lgamma_r_of), 1, true}},
            {"remquo", {at(remquo_of), 2, true}},
        };
    };
    static const auto *singles = new auto(make(true)), *doubles = new auto(make(false));
    return single ? *singles : *doubles;
}

/* Returns the intrinsic of a function whose result is rounded correctly in any precision. */
llvm::Intrinsic::ID exact_function(const std::string &name)
{
    static const auto &all = *new const std::map<std::string, llvm::Intrinsic::ID>{
        {"sqrt", llvm::Intrinsic::sqrt}, {"fabs", llvm::Intrinsic::fabs},   {"floor", llvm::Intrinsic::floor},
        {"ceil", llvm::Intrinsic::ceil}, {"trunc", llvm::Intrinsic::trunc}, {"rint", llvm::Intrinsic::rint},
    };
    auto found = all.find(name);
    return found == all.end() ? llvm::Intrinsic::not_intrinsic : found->second;
}

Value *wide(const builtin_call &c, unsigned operand, unsigned n)
{
    return c.b.CreateFPExt(element(c.b, c.operand(operand), n), c.b.getDoubleTy());
}

Value *element_by_host(const builtin_call &c, const host_function &f, bool integer_last, unsigned n)
{
    std::vector<Value *> arguments;
    for (unsigned i = 0; i < f.operands; i++)
        arguments.push_back(integer_last && i + 1 == f.operands
                                ? c.b.CreateSExtOrTrunc(element(c.b, c.operand(i), n), c.e.i32)
                                : wide(c, i, n));
    return c.b.CreateFPTrunc(c.e.call_host(c.b, f.address, c.b.getDoubleTy(), arguments),
                             c.result->getScalarType());
}

Value *by_host(const builtin_call &c, const host_function &f, bool integer_last)
{
    return for_elements(c.b, c.result, [&](unsigned n) { return element_by_host(c, f, integer_last, n); });
}

/* Computes in the operands' own precision. */
Value *by_precision(const builtin_call &c, const void *single, const void *twice)
{
    llvm::Type *type = c.result->getScalarType();
    return for_elements(c.b, c.result, [&](unsigned n) {
        std::vector<Value *> arguments;
        for (unsigned i = 0; i < c.operands(); i++)
            arguments.push_back(element(c.b, c.operand(i), n));
        return c.e.call_host(c.b, type->isFloatTy() ? single : twice, type, arguments);
    });
}

Value *store_by_pointer(const builtin_call &c, const by_pointer &f)
{
    builder &b = c.b;
    Value *pointer = c.operand(f.operands);
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    llvm::Type *type = f.integer ? c.e.i32 : c.result->getScalarType();
    llvm::Type *slot_type = f.integer ? c.e.i32 : b.getDoubleTy();
    const uint64_t bytes = type->getPrimitiveSizeInBits() / 8;
    Value *slot = c.e.at_entry().CreateAlloca(slot_type);
    std::vector<Value *> results, stored, places;
    for (unsigned n = 0; n < elements_of(c.result); n++) {
        std::vector<Value *> arguments;
        for (unsigned i = 0; i < f.operands; i++)
            arguments.push_back(wide(c, i, n));
        arguments.push_back(slot);
        Value *r = c.e.call_host(b, f.address, b.getDoubleTy(), arguments);
        results.push_back(b.CreateFPTrunc(r, c.result->getScalarType()));
        Value *out = b.CreateLoad(slot_type, slot);
        stored.push_back(f.integer ? out : b.CreateFPTrunc(out, type));
        places.push_back(b.CreateAdd(c.e.address(b, pointer), b.getInt64(n * bytes)));
    }
    store_elements(c, pointer, space, stored, places);
    return for_elements(b, c.result, [&](unsigned n) { return results[n]; });
}

/* Stores at most four elements in an array on the stack. */
Value *as_array(const builtin_call &c, unsigned n, const std::function<Value *(unsigned)> &make)
{
    Value *array = c.e.at_entry().CreateAlloca(c.b.getDoubleTy(), c.b.getInt32(4));
    for (unsigned i = 0; i < n; i++)
        c.b.CreateStore(make(i), c.b.CreateConstGEP1_64(c.b.getDoubleTy(), array, i));
    return array;
}

Value *geometric(const builtin_call &c)
{
    builder &b = c.b;
    llvm::Type *type = c.result->getScalarType();
    const unsigned n = c.operands() ? elements_of(c.operand(0)->getType()) : 0;
    if (n > 4)
        return nullptr;
    if (c.name == "dot") {
        Value *sum = llvm::ConstantFP::get(b.getDoubleTy(), 0.0);
        for (unsigned i = 0; i < n; i++)
            sum = b.CreateFAdd(sum, b.CreateFMul(wide(c, 0, i), wide(c, 1, i)));
        return b.CreateFPTrunc(sum, type);
    }
    if (c.name == "cross") {
        return for_elements(b, c.result, [&](unsigned i) -> Value * {
            if (i == 3)
                return llvm::ConstantFP::get(type, 0.0);
            const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
            return b.CreateFPTrunc(b.CreateFSub(b.CreateFMul(wide(c, 0, j), wide(c, 1, k)),
                                                b.CreateFMul(wide(c, 0, k), wide(c, 1, j))),
                                   type);
        });
    }
    if (c.name == "length" || c.name == "distance") {
        const bool two = c.name == "distance";
        Value *array = as_array(c, n, [&](unsigned i) {
            return two ? b.CreateFSub(wide(c, 0, i), wide(c, 1, i)) : wide(c, 0, i);
        });
        return b.CreateFPTrunc(
            c.e.call_host(b, reinterpret_cast<void *>(&length_of), b.getDoubleTy(), {array, b.getInt32(n)}),
            type);
    }
    if (c.name == "normalize") {
        Value *array = as_array(c, n, [&](unsigned i) { return wide(c, 0, i); });
        c.e.call_host(b, reinterpret_cast<void *>(&normalize_of), b.getVoidTy(), {array, b.getInt32(n)});
        return for_elements(b, c.result, [&](unsigned i) {
            Value *place = b.CreateConstGEP1_64(b.getDoubleTy(), array, i);
            return b.CreateFPTrunc(b.CreateLoad(b.getDoubleTy(), place), type);
        });
    }
    return nullptr;
}

/* native_sin, half_sin and fast_length are as precise as sin and length. */
std::string plain_name(const std::string &name)
{
    for (const char *prefix : {"native_", "half_", "fast_"})
        if (name.compare(0, std::strlen(prefix), prefix) == 0)
            return name.substr(std::strlen(prefix));
    return name;
}

} // namespace

Value *mathematical(const builtin_call &given)
{
    builtin_call c = given;
    c.name = plain_name(given.name);
    if (c.name == "ilogb")
        return for_elements(c.b, c.result, [&](unsigned n) {
            Value *r = c.e.call_host(c.b, reinterpret_cast<void *>(&ilogb_of), c.e.i64, {wide(c, 0, n)});
            return c.b.CreateTrunc(r, c.result->getScalarType());
        });
    llvm::Type *type = c.result->getScalarType();
    if (!type->isFloatTy() && !type->isDoubleTy())
        return nullptr;
    if (c.name == "fma" || c.name == "mad")
        return by_precision(c, reinterpret_cast<void *>(&fma_single), reinterpret_cast<void *>(&fma_double));
    if (c.name == "nextafter")
        return by_precision(c, reinterpret_cast<void *>(&nextafter_single),
                            reinterpret_cast<void *>(&nextafter_double));
    if (c.name == "nan")
        return for_elements(c.b, c.result, [&](unsigned) { return llvm::ConstantFP::get(type, nan_of(0)); });
    if (exact_function(c.name) != llvm::Intrinsic::not_intrinsic)
        return c.b.CreateUnaryIntrinsic(exact_function(c.name), c.operand(0));
    if (c.name == "max" || c.name == "min") {
        if (c.operand(1)->getType()->isVectorTy())
            c.name = "f" + c.name;
        else
            return by_host(c, host(c.name == "max" ? greater : smaller, 2), false);
    }
    auto simple = in_double().find(c.name);
    if (simple != in_double().end())
        return by_host(c, simple->second, false);
    auto integer = with_integer().find(c.name);
    if (integer != with_integer().end())
        return by_host(c, integer->second, true);
    auto pointer = with_pointer(type->isFloatTy()).find(c.name);
    if (pointer != with_pointer(type->isFloatTy()).end())
        return store_by_pointer(c, pointer->second);
    return geometric(c);
}

} // namespace walkway::capture::native
