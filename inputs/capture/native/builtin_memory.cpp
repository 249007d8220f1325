/* SPDX-License-Identifier: MIT */
/* capture/native/builtin_memory.cpp - built-ins that access memory: vector loads and stores, half in memory,
 * atomics. A vector is logged as one access, as are the load and the store of an atomic. */
#include "capture/native/arithmetic.hpp"
#include "capture/native/builtins.hpp"
#include "trace/wkt.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_half.h>

namespace walkway::capture::native
{
namespace
{

using llvm::Value;

bool starts_with(const std::string &text, const char *start)
{
    return text.rfind(start, 0) == 0;
}

Value *place_for(const builtin_call &c, Value *pointer, Value *address, uint64_t bytes, bool writes,
                 llvm::Type *type)
{
    return c.e.where(c.b, pointer, address, pointer->getType()->getPointerAddressSpace(), bytes, writes,
                     type);
}

/* Loads element by element after one bounds check: a vector of three has no fourth in memory. */
Value *load_vector(builder &b, Value *place, llvm::Type *type)
{
    Value *first = b.CreateBitCast(place, type->getScalarType()->getPointerTo());
    return for_elements(b, type, [&](unsigned n) {
        return b.CreateAlignedLoad(type->getScalarType(),
                                   b.CreateConstGEP1_64(type->getScalarType(), first, n), llvm::Align(1));
    });
}

void store_vector(builder &b, Value *v, Value *place)
{
    llvm::Type *type = v->getType()->getScalarType();
    Value *first = b.CreateBitCast(place, type->getPointerTo());
    for (unsigned n = 0; n < elements_of(v->getType()); n++)
        b.CreateAlignedStore(element(b, v, n), b.CreateConstGEP1_64(type, first, n), llvm::Align(1));
}

Value *offset_address(const builtin_call &c, Value *pointer, Value *index, uint64_t stride)
{
    builder &b = c.b;
    return b.CreateAdd(c.e.address(b, pointer),
                       b.CreateMul(b.CreateZExtOrTrunc(index, c.e.i64), b.getInt64(stride)));
}

void log_single(const builtin_call &c, Value *address, Value *pointer, uint8_t kind, uint8_t local_kind,
                uint64_t bytes)
{
    if (c.unlogged)
        c.e.put_single(c.b, address, pointer->getType()->getPointerAddressSpace(), kind, local_kind, bytes);
    c.unlogged = false;
}

Value *vector_load(const builtin_call &c)
{
    Value *pointer = c.operand(1);
    llvm::Type *type = c.result;
    const uint64_t bytes = elements_of(type) * type->getScalarSizeInBits() / 8;
    Value *address = offset_address(c, pointer, c.operand(0), bytes);
    log_single(c, address, pointer, WKT_LOAD, WKT_LOCAL_LOAD, bytes);
    return load_vector(c.b, place_for(c, pointer, address, bytes, false, type), type);
}

Value *vector_store(const builtin_call &c)
{
    Value *value = c.operand(0), *pointer = c.operand(2);
    const uint64_t bytes = elements_of(value->getType()) * value->getType()->getScalarSizeInBits() / 8;
    Value *address = offset_address(c, pointer, c.operand(1), bytes);
    log_single(c, address, pointer, WKT_STORE, WKT_LOCAL_STORE, bytes);
    store_vector(c.b, value, place_for(c, pointer, address, bytes, true, value->getType()));
    return c.b.getInt32(0);
}

cl_half_rounding_mode half_rounding(const std::string &name)
{
    switch (rounding_of(name)) {
    case 'z':
        return CL_HALF_RTZ;
    case 'p':
        return CL_HALF_RTP;
    case 'n':
        return CL_HALF_RTN;
    default:
        return CL_HALF_RTE;
    }
}

/* The aligned forms have a stride of four for vectors of three. */
uint64_t half_stride(unsigned elements, bool aligned)
{
    return sizeof(uint16_t) * (aligned && elements == 3 ? 4 : elements);
}

Value *half_load(const builtin_call &c)
{
    builder &b = c.b;
    Value *pointer = c.operand(1);
    const unsigned n = elements_of(c.result);
    const uint64_t bytes = sizeof(uint16_t) * n;
    Value *address = offset_address(c, pointer, c.operand(0), half_stride(n, starts_with(c.name, "vloada")));
    log_single(c, address, pointer, WKT_LOAD, WKT_LOCAL_LOAD, bytes);
    llvm::Type *halves = c.result->getWithNewType(b.getInt16Ty());
    Value *raw = load_vector(b, place_for(c, pointer, address, bytes, false, halves), halves);
    return for_elements(b, c.result, [&](unsigned i) {
        return c.e.call_host(b, reinterpret_cast<void *>(&cl_half_to_float), b.getFloatTy(),
                             {element(b, raw, i)});
    });
}

Value *half_store(const builtin_call &c)
{
    builder &b = c.b;
    Value *value = c.operand(0), *pointer = c.operand(2);
    const unsigned n = elements_of(value->getType());
    const uint64_t bytes = sizeof(uint16_t) * n;
    Value *address = offset_address(c, pointer, c.operand(1), half_stride(n, starts_with(c.name, "vstorea")));
    log_single(c, address, pointer, WKT_STORE, WKT_LOCAL_STORE, bytes);
    llvm::Type *halves = value->getType()->getWithNewType(b.getInt16Ty());
    Value *rounding = b.getInt32(uint32_t(half_rounding(c.name)));
    Value *raw = for_elements(b, halves, [&](unsigned i) {
        return c.e.call_host(b, reinterpret_cast<void *>(&cl_half_from_double), b.getInt16Ty(),
                             {b.CreateFPExt(element(b, value, i), b.getDoubleTy()), rounding});
    });
    store_vector(b, raw, place_for(c, pointer, address, bytes, true, halves));
    return b.getInt32(0);
}

Value *combined(builder &b, const std::string &operation, bool is_signed, Value *old, Value *v, Value *other)
{
    auto choose = [&](Value *first) { return b.CreateSelect(first, old, v); };
    if (operation == "add" || operation == "inc")
        return b.CreateAdd(old, v);
    if (operation == "sub" || operation == "dec")
        return b.CreateSub(old, v);
    if (operation == "and")
        return b.CreateAnd(old, v);
    if (operation == "or")
        return b.CreateOr(old, v);
    if (operation == "xor")
        return b.CreateXor(old, v);
    if (operation == "xchg")
        return v;
    if (operation == "max")
        return choose(is_signed ? b.CreateICmpSGT(old, v) : b.CreateICmpUGT(old, v));
    if (operation == "min")
        return choose(is_signed ? b.CreateICmpSLT(old, v) : b.CreateICmpULT(old, v));
    if (operation == "cmpxchg")
        return b.CreateSelect(b.CreateICmpEQ(old, v), other, old);
    return nullptr;
}

Value *atomic(const builtin_call &c)
{
    builder &b = c.b;
    const std::string operation = c.name.substr(c.name.find('_') + 1);
    Value *pointer = c.operand(0);
    const unsigned bits = c.result->getScalarSizeInBits();
    if (c.result->isVectorTy() || (bits != 32 && bits != 64))
        return nullptr;
    llvm::Type *type = b.getIntNTy(bits);
    const bool is_signed = c.types.find_last_of("ilxn") == c.types.size() - 1;
    Value *address = c.e.address(b, pointer);
    log_single(c, address, pointer, WKT_ATOMIC, WKT_LOCAL_ATOMIC, bits / 8);
    Value *old =
        b.CreateAlignedLoad(type, place_for(c, pointer, address, bits / 8, false, type), llvm::Align(1));
    Value *v = c.operands() > 1 ? b.CreateBitCast(c.operand(1), type) : llvm::ConstantInt::get(type, 1);
    Value *made = combined(b, operation, is_signed, old, v, c.operands() > 2 ? c.operand(2) : nullptr);
    if (!made)
        return nullptr;
    b.CreateAlignedStore(made, place_for(c, pointer, address, bits / 8, true, type), llvm::Align(1));
    return b.CreateBitCast(old, c.result);
}

} // namespace

void store_elements(const builtin_call &c, Value *pointer, unsigned space, const std::vector<Value *> &values,
                    const std::vector<Value *> &addresses)
{
    builder &b = c.b;
    llvm::Type *type = values[0]->getType();
    const uint64_t bytes = type->getPrimitiveSizeInBits() / 8;
    const bool logs = c.unlogged && space != private_space;
    if (logs)
        c.e.put_word(b, uint32_t(values.size()));
    else
        c.log_nothing();
    c.unlogged = false;
    for (size_t n = 0; n < values.size(); n++) {
        if (logs) {
            c.e.put_word(b,
                         dynamic_access(space == local_space ? WKT_LOCAL_STORE : WKT_STORE, uint32_t(bytes)));
            c.e.put(b, addresses[n]);
        }
        b.CreateAlignedStore(values[n], place_for(c, pointer, addresses[n], bytes, true, type),
                             llvm::Align(1));
    }
}

Value *memory_access(const builtin_call &c)
{
    if (starts_with(c.name, "vload_half") || starts_with(c.name, "vloada_half"))
        return half_load(c);
    if (starts_with(c.name, "vstore_half") || starts_with(c.name, "vstorea_half"))
        return half_store(c);
    if (starts_with(c.name, "vload"))
        return vector_load(c);
    if (starts_with(c.name, "vstore"))
        return vector_store(c);
    if (starts_with(c.name, "atomic_") || starts_with(c.name, "atom_"))
        return atomic(c);
    return nullptr;
}

} // namespace walkway::capture::native
