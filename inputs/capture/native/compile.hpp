/* SPDX-License-Identifier: MIT */
/* capture/native/compile.hpp - a kernel as machine code that logs its actions: each function gets the lane
 * and the number of the first segment of its inlined copy as hidden arguments, so that the layout's numbers
 * hold without inlining. The head of a segment appends the segment's number, an access its address. Results
 * follow Oclgrind's interpreter (docs/use/native-capture.md): x / 0 = 0, shifts by the width's remainder,
 * memory never written is zero, no reassociation, built-ins computed in double. */
#ifndef WW_CAPTURE_NATIVE_COMPILE_HPP
#define WW_CAPTURE_NATIVE_COMPILE_HPP

#include "capture/layout.hpp"
#include "capture/native/lane.hpp"

#include <map>
#include <memory>
#include <string>

namespace llvm
{
class Value;
} // namespace llvm

namespace walkway::capture::native
{

class machine_code; /* owns the kernel's memory */

struct kernel_code {
    void (*entry)(lane *, const uint8_t *const *arguments) = nullptr; /* NULL: not compiled */
    bool has_barrier = false;
    uint64_t private_bytes = 0, private_objects = 0; /* most of a work-item at a time, number 0 included */
    std::string why_not;
    std::shared_ptr<machine_code> owner;
};

/* Compiles a kernel. constants: Oclgrind's addresses of the variables of module scope. Reads the kernel's
 * module; does not change it or keep any part of it. */
kernel_code compile(const llvm::Function &kernel, const layout &code,
                    const std::map<const llvm::Value *, uint64_t> &constants);

} // namespace walkway::capture::native

#endif
