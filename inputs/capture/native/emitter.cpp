/* SPDX-License-Identifier: MIT */
/* capture/native/emitter.cpp - see emitter.hpp. */
#include "capture/native/emitter.hpp"
#include "trace/wkt.h"

#include <cstddef>
#include <set>

namespace walkway::capture::native
{

using llvm::Value;

emitter::emitter(llvm::Function &f)
    : function(f), lane_value(f.getArg(0)), context(f.getContext()), i8p(llvm::Type::getInt8PtrTy(context)),
      i32(llvm::Type::getInt32Ty(context)), i64(llvm::Type::getInt64Ty(context))
{
    entry_end = new llvm::FreezeInst(llvm::ConstantInt::get(i32, 0), "", &f.getEntryBlock().front());
    builder b(entry_end);
    at = b.CreateAlloca(i8p);
    take_log(b);
}

Value *emitter::member(builder &b, size_t offset, llvm::Type *type)
{
    return b.CreateBitCast(b.CreateConstGEP1_64(b.getInt8Ty(), lane_value, offset), type->getPointerTo());
}

Value *emitter::load_member(builder &b, size_t offset, llvm::Type *type)
{
    return b.CreateLoad(type, member(b, offset, type));
}

void emitter::store_member(builder &b, size_t offset, Value *v)
{
    b.CreateStore(v, member(b, offset, v->getType()));
}

llvm::CallInst *emitter::call_host(builder &b, const void *host_function, llvm::Type *result,
                                   llvm::ArrayRef<Value *> arguments)
{
    std::vector<llvm::Type *> types;
    for (Value *v : arguments)
        types.push_back(v->getType());
    auto *type = llvm::FunctionType::get(result, types, false);
    auto *target = llvm::ConstantExpr::getIntToPtr(
        llvm::ConstantInt::get(i64, reinterpret_cast<uint64_t>(host_function)), type->getPointerTo());
    return b.CreateCall(type, target, arguments);
}

void emitter::hand_log(builder &b)
{
    store_member(b, offsetof(lane, window) + offsetof(log_window, at), b.CreateLoad(i8p, at));
}

void emitter::take_log(builder &b)
{
    b.CreateStore(load_member(b, offsetof(lane, window) + offsetof(log_window, at), i8p), at);
}

void emitter::make_room(builder &b, uint64_t bytes)
{
    Value *end = load_member(b, offsetof(lane, window) + offsetof(log_window, end), i8p);
    Value *behind = b.CreateConstGEP1_64(b.getInt8Ty(), b.CreateLoad(i8p, at), bytes);
    llvm::MDNode *rare = llvm::MDBuilder(context).createBranchWeights(1, 100000);
    llvm::Instruction *then =
        llvm::SplitBlockAndInsertIfThen(b.CreateICmpUGT(behind, end), &*b.GetInsertPoint(), false, rare);
    builder full(then);
    hand_log(full);
    call_host(full, reinterpret_cast<void *>(&ww_native_make_room), full.getVoidTy(),
              {lane_value, full.getInt64(bytes)});
    take_log(full);
    b.SetInsertPoint(&*b.GetInsertPoint());
}

void emitter::put(builder &b, Value *v)
{
    Value *place = b.CreateLoad(i8p, at);
    b.CreateAlignedStore(v, b.CreateBitCast(place, v->getType()->getPointerTo()), llvm::Align(1));
    b.CreateStore(b.CreateConstGEP1_64(b.getInt8Ty(), place, v->getType()->getPrimitiveSizeInBits() / 8), at);
}

void emitter::put_single(builder &b, Value *address, unsigned space, uint8_t kind, uint8_t local_kind,
                         uint64_t bytes)
{
    put_word(b, space == private_space ? 0 : 1);
    if (space == private_space)
        return;
    put_word(b, dynamic_access(space == local_space ? local_kind : kind, uint32_t(bytes)));
    put(b, address);
}

/* Returns the pointer that the accessed address is computed from, or NULL. Any pointer would be correct, as
 * where() compares, but most accesses lie in the buffer of this one. */
Value *emitter::root_of(Value *pointer, unsigned space) const
{
    std::set<Value *> seen;
    while (seen.insert(pointer).second) {
        if (llvm::isa<llvm::Argument>(pointer) || roots.count({pointer, space}))
            return pointer;
        if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(pointer))
            return expression->getOpcode() == llvm::Instruction::IntToPtr ? pointer
                   : expression->getType()->isPointerTy() &&
                           expression->getOperand(0)->getType()->isPointerTy()
                       ? root_of(expression->getOperand(0), space)
                       : nullptr;
        if (auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer))
            pointer = gep->getPointerOperand();
        else if (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(pointer))
            pointer = cast->getOperand(0);
        else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(pointer))
            pointer = phi->getIncomingValue(0);
        else if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(pointer))
            pointer = choice->getTrueValue();
        else
            return nullptr;
    }
    return nullptr;
}

Value *emitter::table(builder &b, unsigned space)
{
    const size_t offset = space == private_space ? offsetof(lane, objects)
                          : space == local_space ? offsetof(lane, local)
                                                 : offsetof(lane, global);
    return load_member(b, offset, i64->getPointerTo());
}

emitter::root_buffer &emitter::find_root(Value *root, unsigned space)
{
    auto known = roots.find({root, space});
    if (known != roots.end())
        return known->second;
    builder b = at_entry();
    Value *start = address(b, root);
    Value *number = b.CreateLShr(start, offset_bits(space));
    Value *entry = b.CreateGEP(i64, table(b, space), b.CreateShl(number, 1));
    root_buffer made;
    made.base = b.CreateShl(number, offset_bits(space));
    made.data = b.CreateLoad(i64, entry);
    made.bytes = b.CreateLoad(i64, b.CreateConstGEP1_64(i64, entry, 1));
    return roots[{root, space}] = made;
}

void emitter::add_root(Value *pointer, unsigned space, Value *base, Value *data, uint64_t bytes)
{
    roots[{pointer, space}] = {base, data, llvm::ConstantInt::get(i64, bytes)};
}

Value *emitter::where(builder &b, Value *pointer, Value *address, unsigned space, uint64_t bytes, bool writes,
                      llvm::Type *type)
{
    if (space > local_space)
        throw not_native{"it uses another address space than private, global, constant and local"};
    auto lookup = [&](builder &at_place) {
        return call_host(at_place, reinterpret_cast<void *>(&ww_native_where), i8p,
                         {lane_value, address, at_place.getInt64(bytes), at_place.getInt32(space),
                          at_place.getInt32(writes)});
    };
    Value *root = root_of(pointer, space);
    if (!root)
        return b.CreateBitCast(lookup(b), type->getPointerTo());
    const root_buffer &buffer = find_root(root, space);
    Value *&starts = places[{buffer.bytes, bytes}]; /* at offsets below this the access lies inside */
    if (!starts) {
        builder e = at_entry();
        Value *fits = e.CreateICmpUGE(buffer.bytes, e.getInt64(bytes));
        starts = e.CreateSelect(fits, e.CreateSub(buffer.bytes, e.getInt64(bytes - 1)), e.getInt64(0));
    }
    Value *offset = b.CreateSub(address, buffer.base);
    Value *direct = b.CreateIntToPtr(b.CreateAdd(buffer.data, offset), i8p);
    Value *outside = b.CreateICmpUGE(offset, starts);
    llvm::BasicBlock *before = b.GetInsertBlock();
    llvm::Instruction *next = &*b.GetInsertPoint();
    llvm::MDNode *rare = llvm::MDBuilder(context).createBranchWeights(1, 100000);
    llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(outside, next, false, rare);
    builder slow(then);
    Value *found = lookup(slow);
    b.SetInsertPoint(next);
    llvm::PHINode *place = b.CreatePHI(i8p, 2);
    place->addIncoming(direct, before);
    place->addIncoming(found, then->getParent());
    return b.CreateBitCast(place, type->getPointerTo());
}

namespace
{

/* True if every use of a pointer, at a known offset of a variable of `size` bytes, lies inside. */
bool stays_inside(const Value &pointer, int64_t offset, int64_t size, const llvm::DataLayout &data)
{
    auto fits = [&](llvm::Type *type) {
        return offset >= 0 && offset + int64_t(data.getTypeStoreSize(type).getFixedSize()) <= size;
    };
    for (const llvm::User *user : pointer.users()) {
        if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
            if (!fits(load->getType()))
                return false;
        } else if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
            if (store->getValueOperand() == &pointer || !fits(store->getValueOperand()->getType()))
                return false;
        } else if (const auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
            llvm::APInt moved(64, 0);
            if (!gep->accumulateConstantOffset(data, moved) ||
                !stays_inside(*gep, offset + moved.getSExtValue(), size, data))
                return false;
        } else if (llvm::isa<llvm::BitCastInst>(user)) {
            if (!stays_inside(*user, offset, size, data))
                return false;
        } else if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user)) {
            if (const auto *whole = llvm::dyn_cast<llvm::MemIntrinsic>(intrinsic)) {
                const auto *length = llvm::dyn_cast<llvm::ConstantInt>(whole->getLength());
                if (!length || offset < 0 || offset + int64_t(length->getZExtValue()) > size)
                    return false;
            } else if (!intrinsic->isLifetimeStartOrEnd() && !llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic)) {
                return false;
            }
        } else {
            return false;
        }
    }
    return true;
}

constexpr uint64_t most_plain_variable = 1024; /* larger ones would fill the fibers' stacks */

} // namespace

bool is_plain_variable(const llvm::AllocaInst &a, const llvm::DataLayout &data)
{
    const uint64_t size = data.getTypeAllocSize(a.getAllocatedType()).getFixedSize();
    return !a.isArrayAllocation() && size <= most_plain_variable && stays_inside(a, 0, int64_t(size), data);
}

const llvm::AllocaInst *plain_variable_of(const Value *pointer)
{
    for (;;) {
        if (const auto *a = llvm::dyn_cast<llvm::AllocaInst>(pointer))
            return a;
        if (const auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer))
            pointer = gep->getPointerOperand();
        else if (const auto *cast = llvm::dyn_cast<llvm::BitCastInst>(pointer))
            pointer = cast->getOperand(0);
        else
            return nullptr;
    }
}

} // namespace walkway::capture::native
