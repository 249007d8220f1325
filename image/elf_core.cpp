/* SPDX-License-Identifier: MIT */
/* image/elf_core.cpp - headers, segments and notes; nothing that the file says is believed before it is
 * compared with the file's size. */
#include "image/elf_core.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <stdexcept>

namespace walkway
{

namespace
{

/* VirtualBox's DBGFCORECPU: 18 registers, 6 selectors of 24 bytes, CR0, CR2, CR3, CR4. */
constexpr uint64_t vbox_note = 0xb01, vbox_cr3 = 18 * 8 + 6 * 24 + 2 * 8, vbox_least = vbox_cr3 + 16;
/* QEMU's QEMUCPUState: version, size, 18 registers, 10 selectors of 24 bytes, CR0 to CR4. */
constexpr uint64_t qemu_cr0 = 8 + 18 * 8 + 10 * 24, qemu_least = qemu_cr0 + 5 * 8;

[[noreturn]] void refuse(const std::string &why)
{
    throw std::runtime_error(why);
}

template <class T> T copy_of(const unsigned char *from)
{
    T value;
    std::memcpy(&value, from, sizeof(value));
    return value;
}

/* A file that is mapped: what it says of places in itself. */
struct file_bytes {
    const unsigned char *bytes;
    uint64_t size;

    bool has(uint64_t offset, uint64_t count) const { return offset <= size && count <= size - offset; }
    const unsigned char *part(uint64_t offset, uint64_t count, const std::string &what) const
    {
        if (!has(offset, count))
            refuse("the core is truncated: " + what + " would end at byte " +
                   (count > UINT64_MAX - offset ? "2^64 or later" : std::to_string(offset + count)) +
                   ", the file has " + std::to_string(size));
        return bytes + offset;
    }
};

Elf64_Ehdr header_of(const file_bytes &file)
{
    if (file.size < EI_NIDENT)
        refuse("the core is truncated: not even its identification is there");
    if (file.bytes[EI_CLASS] == ELFCLASS32)
        refuse("a 32-bit ELF file: the core of a machine with 64-bit page tables is one of 64 bits");
    if (file.bytes[EI_CLASS] != ELFCLASS64)
        refuse("an ELF file of no known class (byte 4 is " + std::to_string(file.bytes[EI_CLASS]) + ")");
    if (file.bytes[EI_DATA] == ELFDATA2MSB)
        refuse("a big-endian ELF file: no core of an x86-64 machine");
    if (file.bytes[EI_DATA] != ELFDATA2LSB)
        refuse("an ELF file of no known byte order (byte 5 is " + std::to_string(file.bytes[EI_DATA]) + ")");
    const auto header = copy_of<Elf64_Ehdr>(file.part(0, sizeof(Elf64_Ehdr), "its header"));
    static const char *const types[] = {"no type", "an object file", "a program",
                                        "a shared library or program"};
    if (header.e_type != ET_CORE)
        refuse(std::string("an ELF file, but ") +
               (header.e_type < ET_CORE ? types[header.e_type] : "of type " + std::to_string(header.e_type)) +
               ", not a core");
    if (header.e_machine != EM_X86_64)
        refuse("a core of machine " + std::to_string(header.e_machine) +
               (header.e_machine == EM_386 ? " (a processor that was not in 64-bit mode)" : "") +
               ", not of x86-64 (" + std::to_string(EM_X86_64) + ")");
    if (header.e_phentsize < sizeof(Elf64_Phdr))
        refuse("a program header of " + std::to_string(header.e_phentsize) + " bytes; it has at least " +
               std::to_string(sizeof(Elf64_Phdr)));
    return header;
}

/* With more than fits into the header, the first section's header has the number. */
uint64_t segments_of(const file_bytes &file, const Elf64_Ehdr &header)
{
    if (header.e_phnum != PN_XNUM)
        return header.e_phnum;
    return copy_of<Elf64_Shdr>(file.part(header.e_shoff, sizeof(Elf64_Shdr),
                                         "the section that says how many segments it has"))
        .sh_info;
}

/* Of an 8-byte-aligned note as of a 4-byte-aligned one: names and contents of both writers fill whole words.
 */
uint64_t padded(uint64_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

void read_notes(const unsigned char *at, uint64_t bytes, std::vector<image_cpu> &cpus)
{
    for (uint64_t left = bytes; left >= sizeof(Elf64_Nhdr);) {
        const auto note = copy_of<Elf64_Nhdr>(at);
        const uint64_t whole = sizeof(note) + padded(note.n_namesz) + padded(note.n_descsz);
        if (whole > left)
            refuse("the core is truncated: a note would end behind its segment");
        const std::string name(reinterpret_cast<const char *>(at) + sizeof(note),
                               strnlen(reinterpret_cast<const char *>(at) + sizeof(note), note.n_namesz));
        const unsigned char *desc = at + sizeof(note) + padded(note.n_namesz);
        if (name == "QEMU" && note.n_type == 0 && note.n_descsz >= qemu_least && copy_of<uint32_t>(desc) == 1)
            cpus.push_back(
                {copy_of<uint64_t>(desc + qemu_cr0 + 24), copy_of<uint64_t>(desc + qemu_cr0 + 32)});
        if (name == "VBCPU" && note.n_type == vbox_note && note.n_descsz >= vbox_least)
            cpus.push_back({copy_of<uint64_t>(desc + vbox_cr3), copy_of<uint64_t>(desc + vbox_cr3 + 8)});
        at += whole;
        left -= whole;
    }
}

image_extent extent_of(const file_bytes &file, const Elf64_Phdr &segment, const std::string &name)
{
    if (segment.p_paddr >= memory_image::max_pa || segment.p_filesz > memory_image::max_pa - segment.p_paddr)
        refuse(name + " reaches beyond physical addresses of 52 bits");
    return {segment.p_paddr, segment.p_filesz, file.part(segment.p_offset, segment.p_filesz, name)};
}

/* Cores that also have virtual addresses (QEMU's dump-guest-memory -p) name memory several times, always at
 * the same place of the file. */
void join(std::vector<image_extent> &extents)
{
    std::stable_sort(extents.begin(), extents.end(),
                     [](const image_extent &a, const image_extent &b) { return a.pa < b.pa; });
    std::vector<image_extent> joined;
    for (const image_extent &e : extents) {
        if (joined.empty() || e.pa > joined.back().end() ||
            (e.pa == joined.back().end() && e.at != joined.back().at + joined.back().bytes)) {
            joined.push_back(e);
            continue;
        }
        image_extent &before = joined.back();
        if (e.at - before.at != static_cast<std::ptrdiff_t>(e.pa - before.pa))
            refuse("two segments are at the same physical addresses with different contents: is it the core "
                   "of a "
                   "process, not of a machine?");
        before.bytes = std::max(before.end(), e.end()) - before.pa;
    }
    extents.swap(joined);
}

} // namespace

bool is_elf(const unsigned char *bytes, uint64_t size)
{
    return size >= SELFMAG && std::memcmp(bytes, ELFMAG, SELFMAG) == 0;
}

elf_core read_elf_core(const unsigned char *bytes, uint64_t size)
{
    const file_bytes file{bytes, size};
    const Elf64_Ehdr header = header_of(file);
    const uint64_t segments = segments_of(file, header);
    const unsigned char *at =
        file.part(header.e_phoff, segments * header.e_phentsize, "the table of its segments");
    elf_core core;
    for (uint64_t i = 0; i < segments; ++i) {
        const auto segment = copy_of<Elf64_Phdr>(at + i * header.e_phentsize);
        const std::string name = "segment " + std::to_string(i);
        if (segment.p_type == PT_LOAD && segment.p_filesz != 0)
            core.extents.push_back(extent_of(file, segment, name));
        if (segment.p_type == PT_NOTE)
            read_notes(file.part(segment.p_offset, segment.p_filesz, name), segment.p_filesz, core.cpus);
    }
    if (core.extents.empty())
        refuse("a core without memory: none of its " + std::to_string(segments) + " segments holds any");
    join(core.extents);
    return core;
}

} // namespace walkway
