/* SPDX-License-Identifier: MIT */
/* capture/native/builtins.cpp - see builtins.hpp: names, work-item functions, fences, LLVM's intrinsics. */
#include "capture/native/builtins.hpp"
#include "capture/native/arithmetic.hpp"

#include <cstddef>
#include <map>

namespace walkway::capture::native
{
namespace
{

using llvm::Value;

uint64_t dimension_of(const uint64_t *three, uint32_t dimension, uint64_t beyond)
{
    return dimension < 3 ? three[dimension] : beyond;
}

std::pair<std::string, std::string> demangled(llvm::StringRef mangled)
{
    if (!mangled.startswith("_Z"))
        return {mangled.str(), ""};
    llvm::StringRef rest = mangled.drop_front(2);
    unsigned length = 0;
    rest.consumeInteger(10, length);
    return {rest.take_front(length).str(), rest.drop_front(length).str()};
}

Value *group_member(const builtin_call &c, size_t offset)
{
    Value *group = c.e.load_member(c.b, offsetof(lane, group), c.e.i8p);
    return c.b.CreateConstGEP1_64(c.b.getInt8Ty(), group, offset);
}

Value *three_of(const builtin_call &c, bool of_group, size_t offset)
{
    Value *place =
        of_group ? group_member(c, offset) : c.b.CreateConstGEP1_64(c.b.getInt8Ty(), c.e.this_lane(), offset);
    return c.b.CreateBitCast(place, c.e.i64->getPointerTo());
}

Value *one_of(const builtin_call &c, bool of_group, size_t offset, unsigned dimension)
{
    return c.b.CreateLoad(c.e.i64, c.b.CreateConstGEP1_64(c.e.i64, three_of(c, of_group, offset), dimension));
}

/* (z * size.y + y) * size.x + x */
Value *linear(const builtin_call &c, Value *x, Value *y, Value *z, bool of_group, size_t size)
{
    builder &b = c.b;
    Value *rows = b.CreateAdd(b.CreateMul(z, one_of(c, of_group, size, 1)), y);
    return b.CreateAdd(b.CreateMul(rows, one_of(c, of_group, size, 0)), x);
}

struct id_place {
    bool of_group;
    size_t offset;
    uint64_t beyond; /* the result for dimensions above 2 */
};

const std::map<std::string, id_place> &id_functions()
{
    static const auto &all = *new const std::map<std::string, id_place>{
        {"get_global_id", {false, offsetof(lane, global_id), 0}},
        {"get_local_id", {false, offsetof(lane, local_id), 0}},
        {"get_group_id", {true, offsetof(group_ids, group), 0}},
        {"get_global_size", {true, offsetof(group_ids, global_size), 1}},
        {"get_local_size", {true, offsetof(group_ids, local_size), 1}},
        {"get_enqueued_local_size", {true, offsetof(group_ids, enqueued_local_size), 1}},
        {"get_num_groups", {true, offsetof(group_ids, groups), 1}},
        {"get_global_offset", {true, offsetof(group_ids, offset), 0}},
    };
    return all;
}

Value *work_item_function(const builtin_call &c)
{
    auto id = id_functions().find(c.name);
    if (id != id_functions().end()) {
        const auto *dimension = llvm::dyn_cast<llvm::ConstantInt>(c.operand(0));
        if (dimension && dimension->getZExtValue() < 3)
            return one_of(c, id->second.of_group, id->second.offset, unsigned(dimension->getZExtValue()));
        return c.e.call_host(c.b, reinterpret_cast<void *>(&dimension_of), c.e.i64,
                             {three_of(c, id->second.of_group, id->second.offset), c.operand(0),
                              c.b.getInt64(id->second.beyond)});
    }
    if (c.name == "get_work_dim")
        return c.b.CreateTrunc(one_of(c, true, offsetof(group_ids, dimensions), 0), c.result);
    if (c.name == "get_local_linear_id")
        return linear(c, one_of(c, false, offsetof(lane, local_id), 0),
                      one_of(c, false, offsetof(lane, local_id), 1),
                      one_of(c, false, offsetof(lane, local_id), 2), true, offsetof(group_ids, local_size));
    if (c.name == "get_global_linear_id") {
        Value *at[3];
        for (unsigned d = 0; d < 3; d++)
            at[d] = c.b.CreateSub(one_of(c, false, offsetof(lane, global_id), d),
                                  one_of(c, true, offsetof(group_ids, offset), d));
        return linear(c, at[0], at[1], at[2], true, offsetof(group_ids, global_size));
    }
    return nullptr;
}

enum class intrinsic_kind { unknown, none, pure, memory };

intrinsic_kind kind_of(const llvm::IntrinsicInst &i)
{
    switch (i.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
        return intrinsic_kind::none;
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::bitreverse:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::ssub_sat:
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::copysign:
        return intrinsic_kind::pure;
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memmove:
    case llvm::Intrinsic::memset:
        return intrinsic_kind::memory;
    default:
        return intrinsic_kind::unknown;
    }
}

/* Returns the address and the address space that the host's functions take. */
std::pair<Value *, uint32_t> place_of(emitter &e, builder &b, Value *pointer)
{
    const uint32_t space = pointer->getType()->getPointerAddressSpace();
    if (space > local_space)
        throw not_native{"it uses another address space than private, global, constant and local"};
    return {e.address(b, pointer), space == private_space && plain_variable_of(pointer) ? host_space : space};
}

void replace_memory_intrinsic(emitter &e, builder &b, llvm::MemIntrinsic *i, bool logged)
{
    auto [to, to_space] = place_of(e, b, i->getRawDest());
    Value *bytes = b.CreateZExt(i->getLength(), e.i64);
    Value *reserve = b.getInt64(e.reserve);
    const uint32_t unlogged = logged ? 0 : copy_unlogged;
    e.hand_log(b);
    if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(i)) {
        auto [from, from_space] = place_of(e, b, transfer->getRawSource());
        e.call_host(
            b, reinterpret_cast<void *>(&ww_native_copy), b.getVoidTy(),
            {e.this_lane(), to, from, bytes, b.getInt32(to_space | from_space << 8 | unlogged), reserve});
    } else {
        Value *value = b.CreateZExt(llvm::cast<llvm::MemSetInst>(i)->getValue(), e.i64);
        e.call_host(b, reinterpret_cast<void *>(&ww_native_fill), b.getVoidTy(),
                    {e.this_lane(), to, value, bytes, b.getInt32(to_space | unlogged), reserve});
    }
    e.take_log(b);
    i->eraseFromParent();
}

bool is_fence(const std::string &name)
{
    return name == "mem_fence" || name == "read_mem_fence" || name == "write_mem_fence" || name == "prefetch";
}

} // namespace

char builtin_call::kind() const
{
    size_t at = 0;
    if (types.compare(0, 2, "Dv") == 0)
        at = types.find('_') + 1;
    return at < types.size() ? types[at] : '\0';
}

bool builtin_call::is_signed() const
{
    return std::string("casilxn").find(kind()) != std::string::npos;
}

char rounding_of(const std::string &name)
{
    const size_t at = name.find("_rt");
    return at == std::string::npos || at + 3 >= name.size() ? '\0' : name[at + 3];
}

void builtin_call::log_nothing() const
{
    if (unlogged)
        e.put_word(b, 0);
    unlogged = false;
}

bool replace_builtin(emitter &e, builder &b, llvm::CallInst *call, bool logged)
{
    const auto *target = llvm::cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
    auto [name, types] = demangled(target->getName());
    if (name == "barrier" || name == "work_group_barrier") {
        e.hand_log(b);
        e.call_host(b, reinterpret_cast<void *>(&ww_native_barrier), b.getVoidTy(), {e.this_lane()});
        e.take_log(b);
        call->eraseFromParent();
        return true;
    }
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) {
        switch (kind_of(*intrinsic)) {
        case intrinsic_kind::none:
            call->eraseFromParent();
            return false;
        case intrinsic_kind::pure:
            if (logged)
                e.put_word(b, 0);
            return false;
        case intrinsic_kind::memory:
            replace_memory_intrinsic(e, b, llvm::cast<llvm::MemIntrinsic>(intrinsic), logged);
            return false;
        default:
            name = llvm::StringRef(name).startswith("llvm.fmuladd.") ? "fma" : name;
            types = call->getType()->getScalarType()->isDoubleTy() ? "d" : "f";
        }
    }
    const builtin_call c{e, b, call, name, types, call->getType(), logged};
    Value *value = nullptr;
    if (is_fence(name)) {
        c.log_nothing();
        call->eraseFromParent();
        return false;
    }
    for (auto *family : {&work_item_function, &memory_access, &mathematical, &integral, &conversion}) {
        value = family(c);
        if (value) {
            c.log_nothing();
            if (!call->getType()->isVoidTy())
                call->replaceAllUsesWith(value);
            call->eraseFromParent();
            return false;
        }
    }
    throw not_native{"it calls " + name + "()"};
}

} // namespace walkway::capture::native
