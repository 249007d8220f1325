/* SPDX-License-Identifier: MIT */
/* capture/layout.hpp - the layout of a kernel on a GPU: every call inlined, instructions in layout order, cut
 * into segments that run from first to last without a branch. A segment's number is its place, so "smallest
 * pc first" is "smallest segment first". States which instructions count, which access memory, and where each
 * loaded value is used. Not modelled: register allocation, instruction selection; one IR instruction is one
 * GPU instruction or none. Built once a launch; read-only afterwards, by every worker thread. */
#ifndef WW_CAPTURE_LAYOUT_HPP
#define WW_CAPTURE_LAYOUT_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace llvm
{
class Function;
class Instruction;
} // namespace llvm

namespace walkway::capture
{

constexpr uint32_t none = UINT32_MAX;

/* An instruction that accesses global, constant or local memory. */
struct access_site {
    uint32_t pc;      /* instructions that count before it in the layout */
    uint8_t kind;     /* wkt_kind, if not dynamic */
    uint8_t bytes;    /* if not dynamic */
    bool dynamic;     /* a built-in: number, kind and size of its accesses are known only at run time */
    bool image;       /* reads texels, which Oclgrind does channel by channel */
    bool result;      /* its value is used */
    bool through_phi; /* a use is after a phi: the value may outlive the site's next execution */
};

/* An event in a segment, in order: an access, or the first place where a loaded value may be used. */
struct segment_event {
    uint32_t offset; /* instructions that count before it in the segment */
    uint32_t site;
    bool use;
};

struct segment {
    uint32_t first_event, events;
    uint32_t count;      /* instructions that count, without a barrier at the end */
    uint32_t barrier_pc; /* none: the segment does not end in a barrier */
};

struct placed_instruction {
    const llvm::Instruction *instruction;
    uint32_t segment;
    uint32_t site;       /* none: it accesses no memory */
    uint32_t first_next; /* index in layout::next of its successors; next_count 0: the next one only */
    uint16_t next_count;
    bool head; /* first of its segment */
};

struct layout {
    std::vector<placed_instruction> instructions; /* with a sentinel after the last */
    std::vector<uint32_t> next;
    std::vector<segment> segments;
    std::vector<segment_event> events;
    std::vector<access_site> sites;
    uint32_t code_bytes = 0;

    /* Replaces the contents. Returns an empty string, or why the kernel cannot be laid out. */
    std::string build(const llvm::Function &kernel);
};

} // namespace walkway::capture

#endif
