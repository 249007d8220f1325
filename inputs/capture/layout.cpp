/* SPDX-License-Identifier: MIT */
/* capture/layout.cpp - see layout.hpp; docs/develop/trace-format.md lists what counts as an instruction. */
#include "capture/layout.hpp"
#include "trace/wkt.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>

namespace walkway::capture
{
namespace
{

constexpr uint32_t max_instructions = 4u << 20, max_depth = 100, bytes_per_instruction = 8,
                   max_access_bytes = 128;

/* One inlined copy of a function. */
struct frame {
    const llvm::Function *function;
    frame *parent;
    const llvm::Instruction *call; /* in the parent */
    std::unordered_map<const llvm::Value *, uint32_t> place;
    std::unordered_map<const llvm::Value *, frame *> callees; /* by call instruction */
};

const llvm::Function *called(const llvm::Instruction &i)
{
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
    return call ? llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts()) : nullptr;
}

bool is_barrier(const llvm::Instruction &i)
{
    const llvm::Function *f = called(i);
    if (!f || !f->isDeclaration())
        return false;
    llvm::StringRef name = f->getName();
    return name == "barrier" || name.startswith("_Z7barrier") || name.contains("work_group_barrier") ||
           name.contains("wait_group_events");
}

bool reads_image(const llvm::Instruction &i)
{
    const llvm::Function *f = called(i);
    return f && f->isDeclaration() && f->getName().contains("read_image");
}

bool is_inlined_call(const llvm::Instruction &i)
{
    const llvm::Function *f = called(i);
    return f && !f->isDeclaration();
}

using block_order = std::vector<const llvm::BasicBlock *>;

/* Places each block after all of its predecessors except over back edges, and what follows a loop after the
 * whole loop. In this order, 'smallest pc first' joins diverging lanes where structured code joins them.
 * (Clang's own order puts a loop's clean-up before its body.) It is the reverse of a depth-first walk that
 * leaves loops first. */
class block_sorter
{
    llvm::DominatorTree dominators;
    llvm::LoopInfo loops;
    std::set<const llvm::BasicBlock *> seen;
    block_order order;

public:
    /* The analyses take a non-const function and do not change it. */
    explicit block_sorter(const llvm::Function &f)
        : dominators(const_cast<llvm::Function &>(f)), loops(dominators)
    {
        visit(f.getEntryBlock());
        std::reverse(order.begin(), order.end());
    }
    const block_order &result() const { return order; }

private:
    void visit(const llvm::BasicBlock &root)
    {
        struct step {
            const llvm::BasicBlock *block;
            block_order to_visit; /* the last one first */
        };
        std::vector<step> path;
        auto enter = [&](const llvm::BasicBlock *b) {
            if (seen.insert(b).second)
                path.push_back({b, successors(*b)});
        };
        enter(&root);
        while (!path.empty()) {
            if (path.back().to_visit.empty()) {
                order.push_back(path.back().block);
                path.pop_back();
            } else {
                const llvm::BasicBlock *next = path.back().to_visit.back();
                path.back().to_visit.pop_back();
                enter(next);
            }
        }
    }

    /* Returns the successors in layout order: those in the block's loop, then its exits, inner loops
     * first. */
    block_order successors(const llvm::BasicBlock &b) const
    {
        const llvm::Instruction &end = *b.getTerminator();
        block_order list;
        for (unsigned i = 0; i < end.getNumSuccessors(); i++)
            list.push_back(end.getSuccessor(i));
        const llvm::Loop *loop = loops.getLoopFor(&b);
        auto depth = [&](const llvm::BasicBlock *s) {
            bool leaves = loop && !loop->contains(s);
            return leaves ? loops.getLoopDepth(s) : UINT32_MAX;
        };
        std::stable_sort(list.begin(), list.end(),
                         [&](const auto *x, const auto *y) { return depth(x) > depth(y); });
        return list;
    }
};

/* True if the instruction is not counted; its uses then count as uses of its operands. behind: the block
 * placed next. */
bool is_free(const llvm::Instruction &i, bool in_kernel, const llvm::BasicBlock *behind)
{
    if (const auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&i))
        return gep->hasAllZeroIndices();
    if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i))
        return intrinsic->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic) ||
               intrinsic->getIntrinsicID() == llvm::Intrinsic::assume;
    if (llvm::isa<llvm::ReturnInst>(i))
        return !in_kernel;
    if (const auto *br = llvm::dyn_cast<llvm::BranchInst>(&i))
        return br->isUnconditional() && br->getSuccessor(0) == behind;
    switch (i.getOpcode()) {
    case llvm::Instruction::PHI:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::Alloca:
    case llvm::Instruction::Unreachable:
        return true;
    default:
        return is_inlined_call(i);
    }
}

bool is_free_value(const llvm::Instruction &i, bool in_kernel)
{
    return !i.isTerminator() && !is_inlined_call(i) && is_free(i, in_kernel, nullptr);
}

/* Returns false for private memory, which is registers. */
bool plain_access(const llvm::Instruction &i, const llvm::DataLayout &data, access_site &s)
{
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&i);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&i);
    unsigned space = load ? load->getPointerAddressSpace() : store->getPointerAddressSpace();
    if (space == 0)
        return false;
    const llvm::Type *type = load ? load->getType() : store->getValueOperand()->getType();
    uint64_t bytes = data.getTypeStoreSize(const_cast<llvm::Type *>(type)).getFixedSize();
    s.kind = uint8_t(space == 3 ? (load ? WKT_LOCAL_LOAD : WKT_LOCAL_STORE) : (load ? WKT_LOAD : WKT_STORE));
    s.dynamic = bytes == 0 || bytes > max_access_bytes;
    s.bytes = s.dynamic ? 0 : uint8_t(bytes);
    return true;
}

bool may_access(const llvm::Instruction &i)
{
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
        return !is_inlined_call(i) && !call->doesNotAccessMemory() && !is_barrier(i);
    return i.mayReadOrWriteMemory();
}

class builder
{
    layout &out;
    const llvm::DataLayout &data;
    std::vector<std::unique_ptr<frame>> frames;
    std::vector<std::pair<const frame *, uint32_t>> terminators; /* run() finds their successors */
    std::vector<std::vector<segment_event>> uses;                /* by instruction */
    std::vector<frame *> frame_of;                               /* by instruction */
    std::vector<bool> counted;
    std::unordered_map<const llvm::Function *, block_order> orders;
    std::unordered_map<const llvm::BasicBlock *, const llvm::BasicBlock *> behind;
    std::string error;

public:
    builder(layout &l, const llvm::DataLayout &d) : out(l), data(d) {}

    std::string run(const llvm::Function &kernel)
    {
        frame *top = add_frame(kernel, nullptr, nullptr);
        inline_frame(top, 0);
        if (!error.empty())
            return error;
        out.instructions.push_back({nullptr, none, none, 0, 0, true});
        for (auto &[f, place] : terminators)
            find_next(*f, place);
        cut_segments();
        find_uses();
        list_events();
        return {};
    }

private:
    frame *add_frame(const llvm::Function &f, frame *parent, const llvm::Instruction *call)
    {
        frames.push_back(std::make_unique<frame>());
        frame *added = frames.back().get();
        added->function = &f;
        added->parent = parent;
        added->call = call;
        return added;
    }

    const block_order &order_of(const llvm::Function &f)
    {
        block_order &order = orders[&f];
        if (order.empty()) {
            order = block_sorter(f).result();
            for (size_t i = 0; i + 1 < order.size(); i++)
                behind[order[i]] = order[i + 1];
        }
        return order;
    }

    void inline_frame(frame *f, uint32_t depth)
    {
        if (depth > max_depth) {
            error = "calls nest deeper than " + std::to_string(max_depth) + " (recursion?)";
            return;
        }
        for (const llvm::BasicBlock *block : order_of(*f->function)) {
            bool head = true;
            for (const llvm::Instruction &i : *block) {
                uint32_t place = uint32_t(out.instructions.size());
                if (place > max_instructions)
                    error = "larger than " + std::to_string(max_instructions) + " instructions when inlined";
                if (!error.empty())
                    return;
                out.instructions.push_back({&i, none, none, 0, 0, head});
                frame_of.push_back(f);
                f->place[&i] = place;
                head = is_barrier(i);
                if (i.isTerminator()) {
                    terminators.emplace_back(f, place);
                } else if (is_inlined_call(i)) {
                    terminators.emplace_back(f, place);
                    f->callees[&i] = add_frame(*called(i), f, &i);
                    inline_frame(f->callees[&i], depth + 1);
                    head = true;
                }
            }
        }
    }

    void find_next(const frame &f, uint32_t place)
    {
        const llvm::Instruction &i = *out.instructions[place].instruction;
        uint32_t first = uint32_t(out.next.size());
        if (llvm::isa<llvm::ReturnInst>(i)) {
            if (f.parent)
                out.next.push_back(f.parent->place.at(f.call->getNextNode()));
        } else if (!i.isTerminator()) {
            out.next.push_back(place + 1);
        } else {
            for (unsigned s = 0; s < i.getNumSuccessors(); s++)
                out.next.push_back(f.place.at(&i.getSuccessor(s)->front()));
        }
        out.instructions[place].first_next = first;
        out.instructions[place].next_count = uint16_t(std::min<size_t>(out.next.size() - first, UINT16_MAX));
    }

    void cut_segments()
    {
        uint32_t pc = 0;
        for (uint32_t p = 0; p + 1 < out.instructions.size(); p++) {
            placed_instruction &placed = out.instructions[p];
            const llvm::Instruction &i = *placed.instruction;
            if (placed.head)
                out.segments.push_back({0, 0, 0, none});
            segment &seg = out.segments.back();
            placed.segment = uint32_t(out.segments.size() - 1);
            auto next_block = behind.find(i.getParent());
            counted.push_back(!is_free(i, frame_of[p]->parent == nullptr,
                                       next_block == behind.end() ? nullptr : next_block->second));
            access_site site{pc, 0, 0, true, reads_image(i), false, false};
            bool plain = llvm::isa<llvm::LoadInst>(i) || llvm::isa<llvm::StoreInst>(i);
            if (counted[p] && (plain ? plain_access(i, data, site) : may_access(i))) {
                placed.site = uint32_t(out.sites.size());
                out.sites.push_back(site);
            }
            if (is_barrier(i))
                seg.barrier_pc = pc;
            else
                seg.count += counted[p];
            pc += counted[p];
        }
        out.code_bytes = pc * bytes_per_instruction;
    }

    void find_uses()
    {
        uses.resize(out.instructions.size());
        for (uint32_t p = 0; p + 1 < out.instructions.size(); p++) {
            uint32_t site = out.instructions[p].site;
            if (site == none || out.instructions[p].instruction->getType()->isVoidTy())
                continue;
            std::set<std::pair<const frame *, const llvm::Value *>> seen;
            follow(*frame_of[p], *out.instructions[p].instruction, site, seen);
        }
    }

    void follow(const frame &f, const llvm::Value &v, uint32_t site,
                std::set<std::pair<const frame *, const llvm::Value *>> &seen)
    {
        if (!seen.insert({&f, &v}).second)
            return;
        for (const llvm::User *user : v.users()) {
            const auto *i = llvm::dyn_cast<llvm::Instruction>(user);
            if (!i || i->getFunction() != f.function)
                continue;
            if (llvm::isa<llvm::ReturnInst>(i) && f.parent) {
                follow(*f.parent, *f.call, site, seen);
            } else if (is_inlined_call(*i)) {
                const auto &call = *llvm::cast<llvm::CallBase>(i);
                const frame &callee = *f.callees.at(i);
                for (const llvm::Argument &a : callee.function->args()) {
                    if (a.getArgNo() < call.arg_size() && call.getArgOperand(a.getArgNo()) == &v)
                        follow(callee, a, site, seen);
                }
            } else if (is_free_value(*i, f.parent == nullptr)) {
                out.sites[site].through_phi |= llvm::isa<llvm::PHINode>(i);
                follow(f, *i, site, seen);
            } else {
                uint32_t place = f.place.at(i);
                if (uses[place].empty() || uses[place].back().site != site)
                    uses[place].push_back({0, site, true});
                out.sites[site].result = true;
            }
        }
    }

    void list_events()
    {
        uint32_t offset = 0;
        for (uint32_t p = 0; p + 1 < out.instructions.size(); p++) {
            const placed_instruction &placed = out.instructions[p];
            segment &seg = out.segments[placed.segment];
            if (placed.head) {
                offset = 0;
                seg.first_event = uint32_t(out.events.size());
            }
            for (segment_event e : uses[p])
                out.events.push_back({offset, e.site, true});
            if (placed.site != none)
                out.events.push_back({offset, placed.site, false});
            seg.events = uint32_t(out.events.size()) - seg.first_event;
            offset += counted[p];
        }
    }
};

} // namespace

std::string layout::build(const llvm::Function &kernel)
{
    *this = {};
    return builder(*this, kernel.getParent()->getDataLayout()).run(kernel);
}

} // namespace walkway::capture
