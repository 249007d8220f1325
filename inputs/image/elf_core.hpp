/* SPDX-License-Identifier: MIT */
/* image/elf_core.hpp - the contents of an ELF core of a machine: its segments by physical address, and CR3 of
 * each processor from the notes of QEMU (name "QEMU", version 1) and VirtualBox (name "VBCPU"). Several
 * segments may name the same physical pages, if they have the same bytes. */
#ifndef WALKWAY_IMAGE_ELF_CORE_HPP
#define WALKWAY_IMAGE_ELF_CORE_HPP

#include "image/memory_image.hpp"

namespace walkway
{

struct elf_core {
    std::vector<image_extent> extents; /* by address; they do not overlap */
    std::vector<image_cpu> cpus;
    std::string remark; /* what was omitted; empty: nothing */
};

bool is_elf(const unsigned char *bytes, uint64_t size);
/* Parses a whole file. Throws std::runtime_error with the reason, without the file's name. */
elf_core read_elf_core(const unsigned char *bytes, uint64_t size);

} // namespace walkway

#endif
