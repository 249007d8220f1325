/* SPDX-License-Identifier: MIT */
/* capture/native/emitter.hpp - the common code of every instrumented function: entries of the log, the host's
 * address of an access, calls of the host. One emitter a function. */
#ifndef WW_CAPTURE_NATIVE_EMITTER_HPP
#define WW_CAPTURE_NATIVE_EMITTER_HPP

#include "capture/native/lane.hpp"
#include "capture/native/llvm.hpp"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace walkway::capture::native
{

/* Thrown if a kernel must be interpreted: `why` completes "is interpreted: ". */
struct not_native {
    std::string why;
};

using builder = llvm::IRBuilder<>;

class emitter
{
    /* A pointer from which others are derived, and its buffer as of the function's entry. Most accesses lie
     * in it, which one comparison shows; the others are looked up. */
    struct root_buffer {
        llvm::Value *base, *data, *bytes;
    };

    llvm::Function &function;
    llvm::Value *lane_value, *at = nullptr;
    llvm::Instruction *entry_end = nullptr; /* code of the entry is inserted before it */
    std::map<std::pair<llvm::Value *, unsigned>, root_buffer> roots;
    /* Offset, by root and access size. */
    std::map<std::pair<llvm::Value *, uint64_t>, llvm::Value *> places;

public:
    llvm::LLVMContext &context;
    llvm::Type *const i8p, *const i32, *const i64;
    uint64_t reserve = 0; /* bytes that the largest segment appends */

    /* Inserts the entry's code before the function's own. Required: the function's first argument is its
     * lane. */
    explicit emitter(llvm::Function &f);

    /* Returns a pointer to a member of the lane; offset: offsetof(). */
    llvm::Value *member(builder &b, size_t offset, llvm::Type *type);
    llvm::Value *load_member(builder &b, size_t offset, llvm::Type *type);
    void store_member(builder &b, size_t offset, llvm::Value *v);
    llvm::Value *this_lane() { return lane_value; }
    /* Returns a builder of code in the function's entry. */
    builder at_entry() { return builder(entry_end); }

    llvm::CallInst *call_host(builder &b, const void *host_function, llvm::Type *result,
                              llvm::ArrayRef<llvm::Value *> arguments);
    /* hand_log() passes the log to a callee, take_log() takes it back. */
    void hand_log(builder &b);
    void take_log(builder &b);
    void make_room(builder &b, uint64_t bytes);
    void put(builder &b, llvm::Value *v);
    void put_word(builder &b, uint32_t v) { put(b, b.getInt32(v)); }
    /* Logs a built-in's single access, or none if it accesses private memory. */
    void put_single(builder &b, llvm::Value *address, unsigned space, uint8_t kind, uint8_t local_kind,
                    uint64_t bytes);

    llvm::Value *address(builder &b, llvm::Value *pointer) { return b.CreatePtrToInt(pointer, i64); }
    /* Returns the host's address of [address, address + bytes), which was computed from `pointer`. May split
     * the block: `b` is then in the later half. */
    llvm::Value *where(builder &b, llvm::Value *pointer, llvm::Value *address, unsigned space, uint64_t bytes,
                       bool writes, llvm::Type *type);

    /* Registers `pointer` as the address of a buffer that the function's entry makes. */
    void add_root(llvm::Value *pointer, unsigned space, llvm::Value *base, llvm::Value *data, uint64_t bytes);

private:
    llvm::Value *root_of(llvm::Value *pointer, unsigned space) const;
    root_buffer &find_root(llvm::Value *root, unsigned space);
    llvm::Value *table(builder &b, unsigned space);
};

/* True for an alloca whose every use is a load or store at a place known to be inside it: it stays the host's
 * own. */
bool is_plain_variable(const llvm::AllocaInst &a, const llvm::DataLayout &data);
/* Returns the alloca of a pointer into a plain variable; NULL: the pointer is an address. */
const llvm::AllocaInst *plain_variable_of(const llvm::Value *pointer);

} // namespace walkway::capture::native

#endif
