/* SPDX-License-Identifier: MIT */
/* capture/legalise.cpp - see legalise.hpp. Legal widths are 1, 8, 16, 32 and 64 bits; other widths below 64
 * are odd. An integer of odd width is kept in the next larger legal type, with zeros above its bits. */
#include "capture/legalise.hpp"
#include "capture/native/llvm.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/NoFolder.h>

#include <map>
#include <set>
#include <vector>

namespace walkway::capture
{
namespace
{

using llvm::Instruction;
using llvm::Value;
using builder = llvm::IRBuilder<llvm::NoFolder>;

bool is_odd(const llvm::Type *type)
{
    if (!type->isIntegerTy())
        return false;
    const unsigned bits = type->getIntegerBitWidth();
    return bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits < 64;
}

bool is_bits(const llvm::Type *type) /* a vector of booleans */
{
    return type->isVectorTy() && type->getScalarType()->isIntegerTy(1);
}

unsigned legal_width(unsigned bits)
{
    return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

class odd_widths
{
    std::map<Value *, Value *> legal;                  /* replacement of each value of odd width */
    std::map<llvm::PHINode *, llvm::PHINode *> phi_of; /* old phi of each new one; operands are set last */
    std::vector<Instruction *> replaced;

public:
    void run(llvm::Function &f)
    {
        for (llvm::Argument &a : f.args())
            if (is_odd(a.getType()))
                legal[&a] = builder(&*f.getEntryBlock().getFirstInsertionPt())
                                .CreateZExt(&a, legal_type(a.getType()));
        std::vector<Instruction *> work;
        llvm::ReversePostOrderTraversal<llvm::Function *> order(&f);
        for (llvm::BasicBlock *block : order)
            for (Instruction &i : *block)
                work.push_back(&i);
        for (Instruction *i : work)
            rewrite(i);
        for (auto &[phi, was] : phi_of)
            for (unsigned n = 0; n < was->getNumIncomingValues(); n++)
                phi->addIncoming(legal_of(was->getIncomingValue(n)), was->getIncomingBlock(n));
        const std::set<Instruction *> gone(replaced.begin(), replaced.end());
        for (auto i = replaced.rbegin(); i != replaced.rend(); ++i)
            (*i)->dropAllReferences();
        for (Instruction *i : replaced) {
            i->replaceAllUsesWith(llvm::UndefValue::get(i->getType()));
            i->eraseFromParent();
        }
        for (Instruction *i : work) /* erases casts that nothing uses now */
            if (!gone.count(i) && llvm::isa<llvm::BitCastInst>(i) && i->use_empty())
                i->eraseFromParent();
    }

private:
    static llvm::Type *legal_type(llvm::Type *odd)
    {
        return llvm::Type::getIntNTy(odd->getContext(), legal_width(odd->getIntegerBitWidth()));
    }

    /* The result has zeros above the bits of the odd type. */
    Value *legal_of(Value *v)
    {
        if (!is_odd(v->getType()))
            return v;
        if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(v))
            return llvm::ConstantInt::get(legal_type(v->getType()), constant->getZExtValue());
        auto known = legal.find(v);
        return known != legal.end() ? known->second : llvm::Constant::getNullValue(legal_type(v->getType()));
    }

    /* Clears what is above the lowest bits; 0: the value's own type is legal, and it has nothing to clear. */
    static Value *cut(builder &b, Value *v, unsigned bits)
    {
        return bits == 0 ? v
                         : b.CreateAnd(v, llvm::ConstantInt::get(v->getType(),
                                                                 llvm::maskTrailingOnes<uint64_t>(bits)));
    }

    /* Returns the value in its legal type, sign-extended. */
    Value *with_sign(builder &b, Value *v)
    {
        Value *wide = legal_of(v);
        if (!is_odd(v->getType()))
            return wide;
        const unsigned above = wide->getType()->getIntegerBitWidth() - v->getType()->getIntegerBitWidth();
        return b.CreateAShr(b.CreateShl(wide, above), above);
    }

    void become(Instruction *i, Value *v)
    {
        if (is_odd(i->getType())) {
            legal[i] = v;
        } else {
            i->replaceAllUsesWith(v);
        }
        replaced.push_back(i);
    }

    void rewrite(Instruction *i)
    {
        bool odd = is_odd(i->getType());
        for (const llvm::Use &u : i->operands())
            odd |= is_odd(u->getType());
        if (!odd)
            return;
        builder b(i);
        const unsigned bits = is_odd(i->getType()) ? i->getType()->getIntegerBitWidth() : 0;
        llvm::Type *type = bits != 0 ? legal_type(i->getType()) : i->getType();
        switch (i->getOpcode()) {
        case Instruction::Trunc:
            return become(i, cut(b, plain_cast(b, legal_of(i->getOperand(0)), type), bits));
        case Instruction::ZExt: /* what is above the bits of a smaller type is 0 already */
            return become(i, plain_cast(b, legal_of(i->getOperand(0)), type));
        case Instruction::SExt:
            return become(i, cut(b, b.CreateSExtOrTrunc(with_sign(b, i->getOperand(0)), type), bits));
        case Instruction::ICmp: {
            auto *compare = llvm::cast<llvm::ICmpInst>(i);
            const bool sign = compare->isSigned();
            Value *x = sign ? with_sign(b, i->getOperand(0)) : legal_of(i->getOperand(0));
            Value *y = sign ? with_sign(b, i->getOperand(1)) : legal_of(i->getOperand(1));
            return become(i, b.CreateICmp(compare->getPredicate(), x, y));
        }
        case Instruction::UIToFP:
            return become(i, b.CreateUIToFP(legal_of(i->getOperand(0)), i->getType()));
        case Instruction::SIToFP:
            return become(i, b.CreateSIToFP(with_sign(b, i->getOperand(0)), i->getType()));
        case Instruction::FPToUI:
            return become(i, cut(b, b.CreateFPToUI(i->getOperand(0), legal_type(i->getType())), bits));
        case Instruction::FPToSI:
            return become(i, cut(b, b.CreateFPToSI(i->getOperand(0), legal_type(i->getType())), bits));
        case Instruction::Select:
            return become(
                i, b.CreateSelect(i->getOperand(0), legal_of(i->getOperand(1)), legal_of(i->getOperand(2))));
        case Instruction::Freeze:
            return become(i, legal_of(i->getOperand(0)));
        case Instruction::PHI: {
            auto *was = llvm::cast<llvm::PHINode>(i);
            llvm::PHINode *made = b.CreatePHI(legal_type(i->getType()), was->getNumIncomingValues());
            phi_of[made] = was;
            return become(i, made);
        }
        case Instruction::Switch:
            return rewrite_switch(b, llvm::cast<llvm::SwitchInst>(i));
        case Instruction::Load:
            return rewrite_load(b, llvm::cast<llvm::LoadInst>(i));
        case Instruction::Store:
            return rewrite_store(b, llvm::cast<llvm::StoreInst>(i));
        case Instruction::ExtractElement:
            if (Value *v = part_of_element(b, i))
                return become(i, cut(b, v, bits));
            return keep(b, i);
        default:
            if (auto *op = llvm::dyn_cast<llvm::BinaryOperator>(i))
                return become(i, cut(b, binary(b, op), bits));
            keep(b, i);
        }
    }

    /* Keeps an instruction without a legal form, and casts its operands and result. */
    void keep(builder &b, Instruction *i)
    {
        for (llvm::Use &u : i->operands())
            if (is_odd(u->getType()) && !llvm::isa<llvm::Constant>(u.get()))
                u.set(b.CreateTrunc(legal_of(u.get()), u->getType()));
        if (is_odd(i->getType()))
            legal[i] = builder(i->getNextNode()).CreateZExt(i, legal_type(i->getType()));
    }

    /* Returns an odd-width element of a vector that is cast from legal integers; NULL if it cannot be
     * located. */
    static Value *part_of_element(builder &b, Instruction *i)
    {
        auto *cast = llvm::dyn_cast<llvm::BitCastInst>(i->getOperand(0));
        auto *index = llvm::dyn_cast<llvm::ConstantInt>(i->getOperand(1));
        if (!cast || !index || !cast->getOperand(0)->getType()->isVectorTy() || !i->getType()->isIntegerTy())
            return nullptr;
        Value *whole = cast->getOperand(0);
        llvm::Type *element = whole->getType()->getScalarType();
        const unsigned width = i->getType()->getIntegerBitWidth();
        if (!element->isIntegerTy() || element->getIntegerBitWidth() % width || is_odd(element))
            return nullptr;
        const uint64_t bit = index->getZExtValue() * width, each = element->getIntegerBitWidth();
        Value *v = b.CreateLShr(b.CreateExtractElement(whole, bit / each), bit % each);
        return plain_cast(b, v, legal_type(i->getType()));
    }

    static Value *plain_cast(builder &b, Value *v, llvm::Type *to) { return b.CreateZExtOrTrunc(v, to); }

    Value *binary(builder &b, llvm::BinaryOperator *op)
    {
        switch (op->getOpcode()) {
        case Instruction::SDiv:
        case Instruction::SRem:
            return b.CreateBinOp(op->getOpcode(), with_sign(b, op->getOperand(0)),
                                 with_sign(b, op->getOperand(1)));
        case Instruction::AShr:
            return b.CreateAShr(with_sign(b, op->getOperand(0)), legal_of(op->getOperand(1)));
        default:
            return b.CreateBinOp(op->getOpcode(), legal_of(op->getOperand(0)), legal_of(op->getOperand(1)));
        }
    }

    void rewrite_switch(builder &b, llvm::SwitchInst *was)
    {
        auto *made = b.CreateSwitch(legal_of(was->getCondition()), was->getDefaultDest(), was->getNumCases());
        for (auto &c : was->cases())
            made->addCase(llvm::cast<llvm::ConstantInt>(legal_of(c.getCaseValue())), c.getCaseSuccessor());
        replaced.push_back(was);
    }

    /* Returns the legal pieces, largest first, in which an integer is read and written: memory has whole
     * bytes. */
    static std::vector<std::pair<unsigned, unsigned>> pieces_of(unsigned bits) /* first bit, bits */
    {
        std::vector<std::pair<unsigned, unsigned>> pieces;
        unsigned at = 0;
        for (unsigned left = (bits + 7) / 8 * 8; left;) {
            const unsigned piece = left >= 32 ? 32 : left >= 16 ? 16 : 8;
            pieces.emplace_back(at, piece);
            at += piece;
            left -= piece;
        }
        return pieces;
    }

    static Value *piece_place(builder &b, Value *pointer, unsigned bit, llvm::Type *type)
    {
        const unsigned space = pointer->getType()->getPointerAddressSpace();
        Value *bytes = b.CreateBitCast(pointer, b.getInt8PtrTy(space));
        return b.CreateBitCast(b.CreateConstGEP1_32(b.getInt8Ty(), bytes, bit / 8),
                               type->getPointerTo(space));
    }

    void rewrite_load(builder &b, llvm::LoadInst *was)
    {
        const unsigned bits = was->getType()->getIntegerBitWidth();
        Value *all = nullptr;
        for (auto [at, piece] : pieces_of(bits)) {
            llvm::Type *type = b.getIntNTy(piece);
            Value *part =
                b.CreateAlignedLoad(type, piece_place(b, was->getPointerOperand(), at, type), llvm::Align(1));
            part = plain_cast(b, part, legal_type(was->getType()));
            part = at ? b.CreateShl(part, at) : part;
            all = all ? b.CreateOr(all, part) : part;
        }
        become(was, cut(b, all, bits));
    }

    void rewrite_store(builder &b, llvm::StoreInst *was)
    {
        Value *all = legal_of(was->getValueOperand());
        for (auto [at, piece] : pieces_of(was->getValueOperand()->getType()->getIntegerBitWidth())) {
            llvm::Type *type = b.getIntNTy(piece);
            Value *part = plain_cast(b, at ? b.CreateLShr(all, at) : all, type);
            b.CreateAlignedStore(part, piece_place(b, was->getPointerOperand(), at, type), llvm::Align(1));
        }
        replaced.push_back(was);
    }
};

/* Oclgrind holds a true boolean as a byte: 1 as a scalar, all ones as an element of a vector. Rewrites the
 * instructions that mix the two, and truncations to a boolean. */
void rewrite_booleans(llvm::Function &f)
{
    std::vector<Instruction *> work;
    for (llvm::BasicBlock &block : f)
        for (Instruction &i : block)
            work.push_back(&i);
    for (Instruction *i : work) {
        builder b(i);
        llvm::Type *type = i->getType();
        auto bytes_of = [&](Value *v) { return b.CreateSExt(v, v->getType()->getWithNewBitWidth(8)); };
        auto is_set = [&](Value *v) { return b.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType())); };
        Value *made = nullptr;
        if (i->getOpcode() == Instruction::Trunc && type->getScalarType()->isIntegerTy(1))
            made =
                is_set(b.CreateAnd(i->getOperand(0), llvm::ConstantInt::get(i->getOperand(0)->getType(), 1)));
        else if (i->getOpcode() == Instruction::ZExt && is_bits(i->getOperand(0)->getType()))
            made = b.CreateAnd(b.CreateSExt(i->getOperand(0), type), llvm::ConstantInt::get(type, 1));
        else if (i->getOpcode() == Instruction::Xor && is_bits(type))
            made = is_set(b.CreateXor(bytes_of(i->getOperand(0)), bytes_of(i->getOperand(1))));
        else if (i->getOpcode() == Instruction::ExtractElement && type->isIntegerTy(1))
            made = is_set(b.CreateExtractElement(bytes_of(i->getOperand(0)), i->getOperand(1)));
        if (!made)
            continue;
        i->replaceAllUsesWith(made);
        i->eraseFromParent();
    }
}

/* Returns an intrinsic as plain instructions; NULL if Oclgrind supports it, or if it has no such form. */
Value *expand(builder &b, llvm::IntrinsicInst &i)
{
    llvm::Type *type = i.getType();
    auto number = [&](uint64_t v) { return llvm::ConstantInt::get(type, v); };
    auto repeated = [&](uint8_t byte) {
        return llvm::ConstantInt::get(
            type, llvm::APInt::getSplat(type->getScalarSizeInBits(), llvm::APInt(8, byte)));
    };
    Value *x = i.getArgOperand(0), *y = i.arg_size() > 1 ? i.getArgOperand(1) : nullptr;
    if (!type->isIntOrIntVectorTy())
        return nullptr;
    const unsigned bits = type->getScalarSizeInBits();
    Value *zero = number(0);
    auto negative = [&](Value *v) { return b.CreateICmpSLT(v, zero); };
    auto ones_in =
        [&](Value *v) { /* counts the ones in ever larger fields; the multiplication adds up the bytes */
                        v = b.CreateSub(v, b.CreateAnd(b.CreateLShr(v, number(1)), repeated(0x55)));
                        v = b.CreateAdd(b.CreateAnd(v, repeated(0x33)),
                                        b.CreateAnd(b.CreateLShr(v, number(2)), repeated(0x33)));
                        v = b.CreateAnd(b.CreateAdd(v, b.CreateLShr(v, number(4))), repeated(0x0f));
                        return bits == 8 ? v : b.CreateLShr(b.CreateMul(v, repeated(0x01)), number(bits - 8));
        };
    auto limit_of = [&](Value *v) { /* the number farthest from zero with the sign of v */
                                    return b.CreateXor(
                                        b.CreateAShr(v, number(bits - 1)),
                                        llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits)));
    };
    switch (i.getIntrinsicID()) {
    case llvm::Intrinsic::abs:
        return b.CreateSelect(negative(x), b.CreateSub(zero, x), x);
    case llvm::Intrinsic::uadd_sat: {
        Value *sum = b.CreateAdd(x, y);
        return b.CreateSelect(b.CreateICmpULT(sum, x), llvm::Constant::getAllOnesValue(type), sum);
    }
    case llvm::Intrinsic::usub_sat:
        return b.CreateSelect(b.CreateICmpULT(x, y), zero, b.CreateSub(x, y));
    case llvm::Intrinsic::sadd_sat: {
        Value *sum = b.CreateAdd(x, y);
        return b.CreateSelect(negative(b.CreateAnd(b.CreateXor(x, sum), b.CreateXor(y, sum))), limit_of(x),
                              sum);
    }
    case llvm::Intrinsic::ssub_sat: {
        Value *rest = b.CreateSub(x, y);
        return b.CreateSelect(negative(b.CreateAnd(b.CreateXor(x, y), b.CreateXor(x, rest))), limit_of(x),
                              rest);
    }
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr: {
        const bool left = i.getIntrinsicID() == llvm::Intrinsic::fshl;
        Value *amount = b.CreateAnd(i.getArgOperand(2), number(bits - 1)); /* widths are powers of two */
        Value *rest = b.CreateSub(number(bits), amount);
        Value *both = left ? b.CreateOr(b.CreateShl(x, amount), b.CreateLShr(y, rest))
                           : b.CreateOr(b.CreateShl(x, rest), b.CreateLShr(y, amount));
        return b.CreateSelect(b.CreateICmpEQ(amount, zero), left ? x : y, both);
    }
    case llvm::Intrinsic::ctpop:
        return ones_in(x);
    case llvm::Intrinsic::cttz: /* counts the zeros below the lowest set bit */
        return ones_in(
            b.CreateAnd(b.CreateXor(x, llvm::Constant::getAllOnesValue(type)), b.CreateSub(x, number(1))));
    case llvm::Intrinsic::ctlz: { /* sets all bits below the highest set bit and counts the zeros left */
        for (unsigned by = 1; by < bits; by *= 2)
            x = b.CreateOr(x, b.CreateLShr(x, number(by)));
        return b.CreateSub(number(bits), ones_in(x));
    }
    case llvm::Intrinsic::bitreverse: {
        const uint8_t fields[] = {0x55, 0x33, 0x0f};
        for (unsigned n = 0; n < 3; n++) {
            Value *mask = repeated(fields[n]), *by = number(uint64_t(1) << n);
            x = b.CreateOr(b.CreateAnd(b.CreateLShr(x, by), mask), b.CreateShl(b.CreateAnd(x, mask), by));
        }
        for (unsigned by = 8; by < bits; by *= 2) { /* then reverses the bytes */
            const llvm::APInt low = llvm::APInt::getSplat(bits, llvm::APInt::getLowBitsSet(2 * by, by));
            Value *mask = llvm::ConstantInt::get(type, low);
            x = b.CreateOr(b.CreateAnd(b.CreateLShr(x, number(by)), mask),
                           b.CreateShl(b.CreateAnd(x, mask), number(by)));
        }
        return x;
    }
    default:
        return nullptr;
    }
}

void expand_intrinsics(llvm::Function &f)
{
    std::vector<llvm::IntrinsicInst *> all;
    for (llvm::BasicBlock &block : f)
        for (Instruction &i : block)
            if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i))
                all.push_back(intrinsic);
    for (llvm::IntrinsicInst *i : all) {
        if (is_odd(i->getType()))
            continue;
        builder b(i);
        if (Value *plain = i->arg_size() ? expand(b, *i) : nullptr) {
            i->replaceAllUsesWith(plain);
            i->eraseFromParent();
        } else if (i->getIntrinsicID() == llvm::Intrinsic::assume ||
                   i->getIntrinsicID() == llvm::Intrinsic::experimental_noalias_scope_decl) {
            i->eraseFromParent();
        }
    }
}

/* Replaces undefined parts by zeros. */
llvm::Constant *defined(llvm::Constant *c)
{
    if (llvm::isa<llvm::UndefValue>(c))
        return llvm::Constant::getNullValue(c->getType());
    if (!llvm::isa<llvm::ConstantAggregate>(c))
        return c;
    std::vector<llvm::Constant *> parts;
    for (const llvm::Use &u : c->operands())
        parts.push_back(defined(llvm::cast<llvm::Constant>(u.get())));
    if (llvm::isa<llvm::ConstantVector>(c))
        return llvm::ConstantVector::get(parts);
    if (auto *type = llvm::dyn_cast<llvm::StructType>(c->getType()))
        return llvm::ConstantStruct::get(type, parts);
    return llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(c->getType()), parts);
}

/* Oclgrind takes an undefined value from the host's heap. Zeros make results independent of it. */
void define_values(llvm::Function &f)
{
    for (llvm::BasicBlock &block : f)
        for (Instruction &i : block)
            for (llvm::Use &u : i.operands())
                if (auto *c = llvm::dyn_cast<llvm::Constant>(u.get()))
                    if (u->getType()->isFirstClassType() && u->getType()->isSized())
                        u.set(defined(c));
}

/* Returns the kernel and all its callees that have a body. */
std::set<const llvm::Function *> functions_of(const llvm::Function &kernel)
{
    std::set<const llvm::Function *> all;
    std::vector<const llvm::Function *> todo = {&kernel};
    while (!todo.empty()) {
        const llvm::Function *f = todo.back();
        todo.pop_back();
        if (f->isDeclaration() || !all.insert(f).second)
            continue;
        for (const llvm::BasicBlock &block : *f)
            for (const Instruction &i : block)
                if (auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
                    if (auto *callee =
                            llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts()))
                        todo.push_back(callee);
    }
    return all;
}

/* Returns the width of an integer that Oclgrind cannot represent, or 0. */
unsigned illegal_bits(const llvm::Type *type)
{
    const llvm::Type *element = type->getScalarType();
    const unsigned bits = element->isIntegerTy() ? element->getIntegerBitWidth() : 0;
    return is_odd(element) || bits > 64 ? bits : 0;
}

} // namespace

void legalise(llvm::Function &kernel)
{
    for (const llvm::Function *f : functions_of(kernel)) {
        auto &body = *const_cast<llvm::Function *>(f); /* not constant: it is in the kernel's module */
        llvm::EliminateUnreachableBlocks(body);
        expand_intrinsics(body);
        odd_widths().run(body);
        rewrite_booleans(body);
        define_values(body);
    }
}

unsigned odd_width_left(const llvm::Function &kernel)
{
    for (const llvm::Function *f : functions_of(kernel))
        for (const llvm::BasicBlock &block : *f)
            for (const Instruction &i : block) {
                if (const unsigned bits = illegal_bits(i.getType()))
                    return bits;
                for (const llvm::Use &u : i.operands())
                    if (const unsigned bits = illegal_bits(u->getType()))
                        return bits;
            }
    return 0;
}

} // namespace walkway::capture
