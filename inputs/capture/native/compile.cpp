/* SPDX-License-Identifier: MIT */
/* capture/native/compile.cpp - see compile.hpp. Copies the module, through its bitcode, into an LLVM context
 * of its own: the program's threads may build other modules in the original's context at the same time. */
#include "capture/native/compile.hpp"
#include "capture/native/instrument.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/ExecutionEngine/ExecutionEngine.h>
#include <llvm/ExecutionEngine/MCJIT.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/Host.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/Scalar.h>
#include <llvm/Transforms/Utils.h>

#include <algorithm>
#include <cstddef>
#include <mutex>

namespace walkway::capture::native
{

class machine_code
{
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::ExecutionEngine> engine; /* destroyed before its context */

public:
    machine_code(std::unique_ptr<llvm::LLVMContext> c, std::unique_ptr<llvm::ExecutionEngine> e)
        : context(std::move(c)), engine(std::move(e))
    {
    }
    uint64_t address_of(const std::string &function) { return engine->getFunctionAddress(function); }
};

namespace
{

using llvm::Value;

/* Larger kernels are hardly optimised: compiling them would take longer than it saves. */
constexpr size_t most_optimised_instructions = 20000;

constexpr const char *entry_name = "walkway.entry";

const llvm::Function *called(const llvm::Instruction &i)
{
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
    return call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts()) : nullptr;
}

bool is_inlined_call(const llvm::Instruction &i)
{
    const llvm::Function *f = called(i);
    return f && !f->isDeclaration();
}

/* Makes every function's plan, from its first copy in the layout. */
class planner
{
    const layout &code;

public:
    std::map<const llvm::Function *, function_plan> plans;
    std::map<const llvm::Function *, std::set<const llvm::Function *>> callees;

    explicit planner(const layout &l) : code(l) { walk(0); }

private:
    /* Returns the place after the copy that begins at `place`. */
    uint32_t walk(uint32_t place)
    {
        const llvm::Function *f = code.instructions[place].instruction->getFunction();
        const uint32_t base = code.instructions[place].segment;
        size_t left = 0;
        for (const llvm::BasicBlock *block : llvm::depth_first(f))
            left += block->size();
        function_plan plan;
        for (; left; left--) {
            const placed_instruction &i = code.instructions[place++];
            if (i.head)
                plan.head[i.instruction] = i.segment - base;
            if (i.site != none)
                plan.site.insert(i.instruction);
            if (!is_inlined_call(*i.instruction))
                continue;
            plan.callee_base[i.instruction] = code.instructions[place].segment - base;
            callees[f].insert(called(*i.instruction));
            place = walk(place);
        }
        plans.emplace(f, std::move(plan));
        return place;
    }
};

/* A copy of a module, and a map from the original's values to those of the copy. */
struct module_copy {
    std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
    std::unique_ptr<llvm::Module> module;
    std::map<const Value *, Value *> of;

    explicit module_copy(const llvm::Module &original)
    {
        llvm::SmallVector<char, 0> bitcode;
        llvm::raw_svector_ostream out(bitcode);
        llvm::WriteBitcodeToFile(original, out);
        auto read = llvm::parseBitcodeFile(
            llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "kernel"), *context);
        if (!read) {
            llvm::consumeError(read.takeError());
            throw not_native{"its module cannot be copied"};
        }
        module = std::move(*read);
        pair(original.globals(), module->globals());
        pair(original.functions(), module->functions());
        for (const llvm::Function &f : original)
            pair_bodies(f, *llvm::cast<llvm::Function>(of.at(&f)));
    }

    const llvm::Instruction *instruction(const llvm::Instruction *i) const
    {
        return llvm::cast<llvm::Instruction>(of.at(i));
    }
    llvm::Function *function(const llvm::Function *f) const { return llvm::cast<llvm::Function>(of.at(f)); }

private:
    /* Pairs values in order, which bitcode preserves. */
    template <typename theirs, typename ours> void pair(theirs &&original, ours &&copy)
    {
        auto there = copy.begin();
        for (auto &value : original) {
            if (there == copy.end())
                throw not_native{"its module cannot be copied"};
            of[&value] = &*there++;
        }
    }
    void pair_bodies(const llvm::Function &original, llvm::Function &copy)
    {
        pair(original.args(), copy.args());
        auto block = copy.begin();
        for (const llvm::BasicBlock &b : original)
            pair(b, *block++);
    }
};

class compiler
{
    const llvm::Function &kernel;
    const planner plan;
    module_copy copy;
    llvm::Module &module;
    native_functions functions; /* by the function of the copy that they replace */

public:
    compiler(const llvm::Function &k, const layout &code)
        : kernel(k), plan(code), copy(*k.getParent()), module(*copy.module)
    {
    }

    kernel_code run(const layout &code, const std::map<const Value *, uint64_t> &constants)
    {
        kernel_code made;
        llvm::StripDebugInfo(module);
        module.setTargetTriple(llvm::sys::getProcessTriple());
        place_constants(constants);
        for (auto &[f, what] : plan.plans)
            widen(copy.function(f));
        for (auto &[f, what] : plan.plans)
            made.has_barrier |= instrument(functions.at(copy.function(f)), of_copy(what), functions);
        make_entry();
        keep_only_ours();
        std::tie(made.private_bytes, made.private_objects) = most_private(&kernel);
        made.private_objects += 1; /* number 0 is no object */
        made.owner = translate(code);
        made.entry =
            reinterpret_cast<void (*)(lane *, const uint8_t *const *)>(made.owner->address_of(entry_name));
        if (!made.entry)
            throw not_native{"it has no machine code"};
        return made;
    }

private:
    function_plan of_copy(const function_plan &original) const
    {
        function_plan p;
        for (auto &[i, segment] : original.head)
            p.head[copy.instruction(i)] = segment;
        for (auto &[i, base] : original.callee_base)
            p.callee_base[copy.instruction(i)] = base;
        for (const llvm::Instruction *i : original.site)
            p.site.insert(copy.instruction(i));
        return p;
    }

    /* Replaces variables of module scope by their addresses. */
    void place_constants(const std::map<const Value *, uint64_t> &constants)
    {
        for (auto &[value, address] : constants) {
            auto *g = llvm::cast<llvm::GlobalVariable>(copy.of.at(value));
            auto *number = llvm::ConstantInt::get(llvm::Type::getInt64Ty(*copy.context), address);
            g->replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(number, g->getType()));
        }
    }

    void widen(llvm::Function *f)
    {
        llvm::Type *lane_type = llvm::Type::getInt8PtrTy(*copy.context);
        std::vector<llvm::Type *> types = {lane_type, llvm::Type::getInt32Ty(*copy.context)};
        native_function made;
        for (llvm::Argument &a : f->args()) {
            types.push_back(a.getType());
            made.by_value.push_back(
                a.hasByValAttr()
                    ? module.getDataLayout().getTypeAllocSize(a.getParamByValType()).getFixedSize()
                    : 0);
        }
        auto *type = llvm::FunctionType::get(f->getReturnType(), types, false);
        made.body = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, f->getName() + ".native",
                                           module);
        made.body->getBasicBlockList().splice(made.body->begin(), f->getBasicBlockList());
        f->setLinkage(llvm::GlobalValue::ExternalLinkage); /* without its body it is a declaration */
        for (unsigned i = 0; i < f->arg_size(); i++)
            f->getArg(i)->replaceAllUsesWith(made.body->getArg(i + hidden_arguments));
        functions[f] = std::move(made);
    }

    /* Makes the entry, which loads the kernel's arguments from the host's memory. A structure passed by value
     * becomes a private object, which the kernel copies as every function does. */
    void make_entry()
    {
        llvm::LLVMContext &c = *copy.context;
        llvm::Type *i8p = llvm::Type::getInt8PtrTy(c);
        auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(c), {i8p, i8p->getPointerTo()}, false);
        auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, entry_name, module);
        builder start(llvm::BasicBlock::Create(c, "", entry));
        start.CreateRetVoid();
        emitter e(*entry);
        builder b(entry->getEntryBlock().getTerminator());
        const native_function &body = functions.at(copy.function(&kernel));
        std::vector<Value *> arguments = {e.this_lane(), b.getInt32(0)};
        for (unsigned i = hidden_arguments; i < body.body->arg_size(); i++) {
            Value *bytes =
                b.CreateLoad(i8p, b.CreateConstGEP1_64(i8p, entry->getArg(1), i - hidden_arguments));
            llvm::Type *wanted = body.body->getArg(i)->getType();
            const uint64_t size = body.by_value[i - hidden_arguments];
            if (size) {
                Value *number = e.load_member(b, offsetof(lane, objects_n), e.i64);
                Value *made = make_object(e, b, number, b.CreatePtrToInt(bytes, e.i64), size);
                e.store_member(b, offsetof(lane, objects_n), b.CreateAdd(number, b.getInt64(1)));
                arguments.push_back(b.CreateIntToPtr(made, wanted));
            } else if (wanted->isPointerTy() && wanted->getPointerAddressSpace() == private_space) {
                throw not_native{"it has a private pointer for an argument"};
            } else {
                arguments.push_back(b.CreateAlignedLoad(
                    wanted, b.CreateBitCast(bytes, wanted->getPointerTo()), llvm::Align(1)));
            }
        }
        b.CreateCall(body.body->getFunctionType(), body.body, arguments);
    }

    std::pair<uint64_t, uint64_t> most_private(const llvm::Function *f) const
    {
        std::pair<uint64_t, uint64_t> deepest = {0, 0};
        auto below = plan.callees.find(f);
        if (below != plan.callees.end())
            for (const llvm::Function *callee : below->second) {
                auto [bytes, objects] = most_private(callee);
                deepest = {std::max(deepest.first, bytes), std::max(deepest.second, objects)};
            }
        const native_function &own = functions.at(copy.function(f));
        const uint64_t in_entry = f == &kernel
                                      ? uint64_t(std::count_if(own.by_value.begin(), own.by_value.end(),
                                                               [](uint64_t n) { return n != 0; }))
                                      : 0;
        return {deepest.first + own.private_bytes, deepest.second + own.private_objects + in_entry};
    }

    void keep_only_ours()
    {
        std::set<const llvm::Function *> ours = {module.getFunction(entry_name)};
        for (auto &[f, made] : functions)
            ours.insert(made.body);
        for (llvm::Function &f : module)
            if (!ours.count(&f) && !f.isDeclaration())
                f.deleteBody();
        for (llvm::GlobalVariable &g : llvm::make_early_inc_range(module.globals())) {
            g.removeDeadConstantUsers();
            if (!g.use_empty())
                throw not_native{"it uses the variable " + g.getName().str() + " of module scope"};
            g.eraseFromParent();
        }
        while (!module.named_metadata_empty())
            module.eraseNamedMetadata(&*module.named_metadata_begin());
    }

    /* Returns which features of the processor the system permits; the processor's name does not tell. */
    static std::vector<std::string> host_features()
    {
        llvm::StringMap<bool> all;
        std::vector<std::string> list;
        llvm::sys::getHostCPUFeatures(all);
        for (auto &feature : all)
            list.push_back((feature.second ? "+" : "-") + feature.first().str());
        return list;
    }

    std::shared_ptr<machine_code> translate(const layout &code)
    {
        static std::once_flag once;
        std::call_once(once, [] {
            llvm::InitializeNativeTarget();
            llvm::InitializeNativeTargetAsmPrinter();
        });
        llvm::TargetOptions options;
        options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
        const bool large = code.instructions.size() > most_optimised_instructions;
        std::string why;
        llvm::EngineBuilder builds(std::move(copy.module));
        llvm::TargetMachine *target =
            builds.setErrorStr(&why)
                .setEngineKind(llvm::EngineKind::JIT)
                .setTargetOptions(options)
                .setOptLevel(large ? llvm::CodeGenOpt::None : llvm::CodeGenOpt::Default)
                .setMAttrs(host_features())
                .selectTarget();
        if (!target)
            throw not_native{"this machine is unknown to LLVM: " + why};
        module.setDataLayout(target->createDataLayout());
        llvm::legacy::PassManager passes;
        passes.add(llvm::createPromoteMemoryToRegisterPass());
        if (!large) {
            passes.add(llvm::createSROAPass());
            passes.add(llvm::createEarlyCSEPass());
        }
        passes.run(module);
        std::string broken;
        llvm::raw_string_ostream text(broken);
        if (llvm::verifyModule(module, &text))
            throw not_native{"LLVM's verifier refuses it: " + text.str()};
        std::unique_ptr<llvm::ExecutionEngine> engine(builds.create(target));
        if (!engine)
            throw not_native{"LLVM has no code generator for it: " + why};
        engine->finalizeObject();
        return std::make_shared<machine_code>(std::move(copy.context), std::move(engine));
    }
};

} // namespace

kernel_code compile(const llvm::Function &kernel, const layout &code,
                    const std::map<const Value *, uint64_t> &constants)
{
#if defined(__x86_64__)
    try {
        return compiler(kernel, code).run(code, constants);
    } catch (const not_native &reason) {
        kernel_code none_made;
        none_made.why_not = reason.why;
        return none_made;
    }
#else
    kernel_code none_made;
    none_made.why_not = "this machine is no x86-64";
    return none_made;
#endif
}

} // namespace walkway::capture::native
