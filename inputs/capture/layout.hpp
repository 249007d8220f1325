/* SPDX-License-Identifier: MIT */
/* capture/layout.hpp - one kernel as a GPU would lay it out: every call inlined, instructions in layout
 * order, cut into segments that run from first to last without a choice. A segment's number is its place, so
 * 'smallest pc first' is 'smallest segment first'. Says which instructions count, which touch memory, and
 * where each loaded value is used. Not modelled: register allocation, instruction selection; one IR
 * instruction is one GPU instruction or none. Built once a launch; read-only afterwards, by every worker
 * thread. */
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

/* An instruction that touches global, constant or local memory. */
struct access_site {
    uint32_t pc;      /* instructions that count before it in the layout */
    uint8_t kind;     /* wkt_kind, when not dynamic */
    uint8_t bytes;    /* when not dynamic */
    bool dynamic;     /* a built-in: number, kind and size of its accesses are only known when it runs */
    bool image;       /* reads texels: Oclgrind does so channel by channel */
    bool result;      /* its value is used */
    bool through_phi; /* a use lies behind a phi: the value may outlive the next execution of the site */
};

/* What happens in a segment, in order: an access, or the first place a loaded value may be used. */
struct segment_event {
    uint32_t offset; /* instructions that count before it in the segment */
    uint32_t site;
    bool use;
};

struct segment {
    uint32_t first_event, events;
    uint32_t count;      /* instructions that count, without a barrier at its end */
    uint32_t barrier_pc; /* none: does not end in a barrier */
};

struct placed_instruction {
    const llvm::Instruction *instruction;
    uint32_t segment;
    uint32_t site;       /* none: touches no memory */
    uint32_t first_next; /* in layout::next: where execution may go; next_count 0: only to the one behind */
    uint16_t next_count;
    bool head; /* first of its segment */
};

struct layout {
    std::vector<placed_instruction> instructions; /* a sentinel behind the last */
    std::vector<uint32_t> next;
    std::vector<segment> segments;
    std::vector<segment_event> events;
    std::vector<access_site> sites;
    uint32_t code_bytes = 0;

    /* Replaces the contents; returns an empty string, or why the kernel cannot be laid out. */
    std::string build(const llvm::Function &kernel);
};

} // namespace walkway::capture

#endif
