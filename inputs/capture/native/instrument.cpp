/* SPDX-License-Identifier: MIT */
/* capture/native/instrument.cpp - see instrument.hpp. */
#include "capture/native/instrument.hpp"
#include "capture/native/arithmetic.hpp"
#include "capture/native/builtins.hpp"

#include <algorithm>
#include <cstddef>

namespace walkway::capture::native
{
namespace
{

using llvm::Value;

/* Bytes in the log: of a segment's number, with a margin; of an access. */
constexpr uint64_t head_bytes = 16, plain_bytes = sizeof(uint64_t);

uint64_t log_bytes(const llvm::Instruction &i)
{
    return llvm::isa<llvm::CallBase>(i) ? most_builtin_log_bytes : plain_bytes;
}

class instrumenter
{
    native_function &self;
    llvm::Function &function;
    const function_plan &plan;
    const native_functions &all;
    const llvm::DataLayout &data;
    emitter e;
    std::unordered_map<const llvm::Instruction *, uint64_t> need; /* by head: bytes of its segment */
    Value *saved_objects = nullptr, *saved_arena = nullptr;
    bool waits = false;

public:
    instrumenter(native_function &f, const function_plan &p, const native_functions &functions)
        : self(f), function(*f.body), plan(p), all(functions), data(function.getParent()->getDataLayout()),
          e(function)
    {
    }

    bool run()
    {
        llvm::EliminateUnreachableBlocks(function);
        std::vector<llvm::Instruction *> work; /* the layout has no unreachable blocks */
        const std::set<const llvm::Instruction *> ours = entry_code();
        for (llvm::BasicBlock *block : llvm::depth_first(&function))
            for (llvm::Instruction &i : *block)
                if (!ours.count(&i))
                    work.push_back(&i);
        size_segments(work);
        strip(work);
        std::vector<std::pair<llvm::Instruction *, std::pair<uint32_t, uint64_t>>> heads;
        for (llvm::Instruction *i : work)
            if (plan.head.count(i))
                heads.push_back({head_anchor(*i), {plan.head.at(i), need.at(i)}});
        make_variables(work);
        for (llvm::Instruction *i : work)
            replace(i);
        for (auto &[anchor, head] : heads) {
            builder b(anchor);
            e.make_room(b, head.second);
            e.put(b, b.CreateAdd(function.getArg(1), b.getInt32(head.first)));
        }
        return waits;
    }

private:
    /* Returns the emitter's entry code, up to its anchor in the first block. */
    std::set<const llvm::Instruction *> entry_code() const
    {
        std::set<const llvm::Instruction *> ours;
        for (const llvm::Instruction &i : function.getEntryBlock()) {
            ours.insert(&i);
            if (llvm::isa<llvm::FreezeInst>(i))
                break;
        }
        return ours;
    }

    void size_segments(const std::vector<llvm::Instruction *> &work)
    {
        const llvm::Instruction *head = nullptr;
        for (const llvm::Instruction *i : work) {
            if (plan.head.count(i)) {
                head = i;
                need[head] = head_bytes;
            }
            if (plan.site.count(i))
                need.at(head) += log_bytes(*i);
            e.reserve = std::max(e.reserve, need.at(head));
        }
    }

    /* Removes what the interpreter ignores and could change a result: flags that permit undefined ones, and
     * metadata that promises properties of addresses. Sets undefined values to zero. */
    static void strip(const std::vector<llvm::Instruction *> &work)
    {
        for (llvm::Instruction *i : work) {
            llvm::SmallVector<std::pair<unsigned, llvm::MDNode *>, 4> all;
            i->getAllMetadataOtherThanDebugLoc(all);
            for (auto &entry : all)
                i->setMetadata(entry.first, nullptr);
            i->setDebugLoc(llvm::DebugLoc());
            i->dropPoisonGeneratingFlags();
            if (llvm::isa<llvm::FPMathOperator>(i))
                i->setFastMathFlags(llvm::FastMathFlags());
            for (llvm::Use &use : i->operands()) {
                if (llvm::isa<llvm::UndefValue>(use.get()) && use->getType()->isFirstClassType() &&
                    use->getType()->isSized())
                    use.set(llvm::Constant::getNullValue(use->getType()));
            }
        }
    }

    /* Returns an anchor, before which the log entry is inserted. It stays when the instruction is
     * replaced. */
    llvm::Instruction *head_anchor(llvm::Instruction &i) const
    {
        llvm::Instruction *place = llvm::isa<llvm::PHINode>(i) ? &*i.getParent()->getFirstInsertionPt() : &i;
        return new llvm::FreezeInst(llvm::ConstantInt::get(e.i32, 0), "", place);
    }

    /* Moves the allocas of plain variables to the entry, clears these variables, and replaces the other
     * allocas by objects. Removes all from `work`. */
    void make_variables(std::vector<llvm::Instruction *> &work)
    {
        std::vector<llvm::AllocaInst *> plain, objects;
        for (llvm::Instruction *i : work)
            if (auto *a = llvm::dyn_cast<llvm::AllocaInst>(i))
                (is_plain_variable(*a, data) ? plain : objects).push_back(a);
        work.erase(std::remove_if(work.begin(), work.end(),
                                  [](llvm::Instruction *i) { return llvm::isa<llvm::AllocaInst>(i); }),
                   work.end());
        for (llvm::AllocaInst *a : plain) {
            builder behind(a->getNextNode());
            behind.CreateMemSet(a, behind.getInt8(0),
                                data.getTypeAllocSize(a->getAllocatedType()).getFixedSize(), llvm::Align(1));
            a->moveBefore(&function.getEntryBlock().front());
        }
        make_frame(objects);
    }

    /* Makes an object, with bounds, of each argument that is copied and of each variable that accesses may
     * leave. */
    void make_frame(const std::vector<llvm::AllocaInst *> &objects)
    {
        const uint64_t copies =
            uint64_t(std::count_if(self.by_value.begin(), self.by_value.end(), [](uint64_t n) { return n; }));
        self.private_objects = objects.size() + copies;
        if (!self.private_objects)
            return;
        builder b = e.at_entry();
        saved_objects = e.load_member(b, offsetof(lane, objects_n), e.i64);
        saved_arena = e.load_member(b, offsetof(lane, arena), e.i64);
        uint64_t number = 0;
        auto add = [&](uint64_t bytes, Value *&memory) {
            memory = b.CreateAdd(saved_arena, b.getInt64(self.private_bytes));
            self.private_bytes += (bytes + private_alignment - 1) / private_alignment * private_alignment;
            return make_object(e, b, b.CreateAdd(saved_objects, b.getInt64(number++)), memory, bytes);
        };
        for (size_t n = 0; n < self.by_value.size(); n++) {
            if (!self.by_value[n])
                continue;
            llvm::Argument *argument = function.getArg(unsigned(n) + hidden_arguments);
            Value *memory = nullptr, *made = add(self.by_value[n], memory);
            Value *copy = b.CreateIntToPtr(made, argument->getType());
            argument->replaceAllUsesWith(copy);
            e.call_host(b, reinterpret_cast<void *>(&ww_native_copy), b.getVoidTy(),
                        {e.this_lane(), memory, b.CreatePtrToInt(argument, e.i64),
                         b.getInt64(self.by_value[n]),
                         b.getInt32(host_space | private_space << 8 | copy_unlogged), b.getInt64(0)});
            e.add_root(copy, private_space, made, memory, self.by_value[n]);
        }
        for (llvm::AllocaInst *a : objects) {
            const auto *count = llvm::dyn_cast<llvm::ConstantInt>(a->getArraySize());
            if (!count)
                throw not_native{"it has an array of variable length"};
            const uint64_t bytes =
                data.getTypeAllocSize(a->getAllocatedType()).getFixedSize() * count->getZExtValue();
            Value *memory = nullptr, *made = add(bytes, memory);
            Value *pointer = b.CreateIntToPtr(made, a->getType());
            e.add_root(pointer, private_space, made, memory, bytes);
            builder place(a);
            place.CreateMemSet(place.CreateIntToPtr(memory, e.i8p), place.getInt8(0), bytes, llvm::Align(1));
            a->replaceAllUsesWith(pointer);
            a->eraseFromParent();
        }
        e.store_member(b, offsetof(lane, objects_n), b.CreateAdd(saved_objects, b.getInt64(number)));
        e.store_member(b, offsetof(lane, arena), b.CreateAdd(saved_arena, b.getInt64(self.private_bytes)));
    }

    void replace(llvm::Instruction *i)
    {
        builder b(i);
        const bool logged = plan.site.count(i) != 0;
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(i)) {
            replace_load(b, load, logged);
        } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(i)) {
            replace_store(b, store, logged);
        } else if (auto *call = llvm::dyn_cast<llvm::CallInst>(i)) {
            replace_call(b, call, logged);
        } else if (llvm::isa<llvm::ReturnInst>(i)) {
            leave(b);
        } else if (llvm::isa<llvm::UnreachableInst>(i)) {
            e.call_host(b, reinterpret_cast<void *>(&ww_native_give_up), b.getVoidTy(), {e.this_lane()});
        } else {
            replace_arithmetic(e, b, i);
        }
    }

    void replace_load(builder &b, llvm::LoadInst *load, bool logged)
    {
        const unsigned space = load->getPointerAddressSpace();
        load->setAlignment(llvm::Align(1));
        load->setVolatile(false);
        if (space == private_space && plain_variable_of(load->getPointerOperand()))
            return;
        const uint64_t bytes = data.getTypeStoreSize(load->getType()).getFixedSize();
        if (load->isAtomic() || bytes == 0 || bytes > max_plain_bytes)
            throw not_native{"it has a load that is atomic or larger than 128 bytes"};
        Value *address = e.address(b, load->getPointerOperand());
        if (logged)
            e.put(b, address);
        Value *place = e.where(b, load->getPointerOperand(), address, space, bytes, false, load->getType());
        Value *loaded = b.CreateAlignedLoad(load->getType(), place, llvm::Align(1));
        load->replaceAllUsesWith(loaded);
        load->eraseFromParent();
    }

    void replace_store(builder &b, llvm::StoreInst *store, bool logged)
    {
        const unsigned space = store->getPointerAddressSpace();
        store->setAlignment(llvm::Align(1));
        store->setVolatile(false);
        if (space == private_space && plain_variable_of(store->getPointerOperand()))
            return;
        llvm::Type *type = store->getValueOperand()->getType();
        const uint64_t bytes = data.getTypeStoreSize(type).getFixedSize();
        if (store->isAtomic() || bytes == 0 || bytes > max_plain_bytes)
            throw not_native{"it has a store that is atomic or larger than 128 bytes"};
        Value *address = e.address(b, store->getPointerOperand());
        if (logged)
            e.put(b, address);
        Value *place = e.where(b, store->getPointerOperand(), address, space, bytes, true, type);
        b.CreateAlignedStore(store->getValueOperand(), place, llvm::Align(1));
        store->eraseFromParent();
    }

    void replace_call(builder &b, llvm::CallInst *call, bool logged)
    {
        const auto *target = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
        if (!target)
            throw not_native{"it has a call through a pointer"};
        auto defined = all.find(target);
        if (defined == all.end()) {
            waits |= replace_builtin(e, b, call, logged);
            return;
        }
        std::vector<Value *> arguments = {
            e.this_lane(), b.CreateAdd(function.getArg(1), b.getInt32(plan.callee_base.at(call)))};
        for (Value *v : call->args())
            arguments.push_back(v);
        e.hand_log(b);
        Value *result =
            b.CreateCall(defined->second.body->getFunctionType(), defined->second.body, arguments);
        e.take_log(b);
        if (!call->getType()->isVoidTy())
            call->replaceAllUsesWith(result);
        call->eraseFromParent();
    }

    void leave(builder &b)
    {
        e.hand_log(b);
        if (!saved_objects)
            return;
        e.store_member(b, offsetof(lane, objects_n), saved_objects);
        e.store_member(b, offsetof(lane, arena), saved_arena);
    }
};

} // namespace

Value *make_object(emitter &e, builder &b, Value *number, Value *memory, uint64_t bytes)
{
    Value *table = e.load_member(b, offsetof(lane, objects), e.i64->getPointerTo());
    Value *entry = b.CreateGEP(e.i64, table, b.CreateShl(number, 1));
    b.CreateStore(memory, entry);
    b.CreateStore(b.getInt64(bytes), b.CreateConstGEP1_64(e.i64, entry, 1));
    return b.CreateShl(number, private_offset_bits);
}

bool instrument(native_function &f, const function_plan &plan, const native_functions &all)
{
    return instrumenter(f, plan, all).run();
}

} // namespace walkway::capture::native
