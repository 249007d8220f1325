/* SPDX-License-Identifier: MIT */
/* image/elf_core.cpp - headers, segments and notes. Every offset and size in the file is checked against
 * the file's size before it is used. */
#include "image/elf_core.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <stdexcept>

namespace walkway
{

namespace
{

constexpr uint64_t no_address = UINT64_MAX; /* p_paddr of a segment without physical address */
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

/* A mapped file, with bounds checks of the places that it names. */
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

/* Returns the number of segments; if it does not fit into the header, the first section's header has it. */
uint64_t segments_of(const file_bytes &file, const Elf64_Ehdr &header)
{
    if (header.e_phnum != PN_XNUM)
        return header.e_phnum;
    return copy_of<Elf64_Shdr>(file.part(header.e_shoff, sizeof(Elf64_Shdr),
                                         "the section that says how many segments it has"))
        .sh_info;
}

/* Pads to 4 bytes. That is right for notes padded to 8 bytes, too: the names and the contents of both writers
 * have the same size with either padding. */
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

struct segment_bytes {
    image_extent extent;
    uint64_t number;
};

std::string name_of(uint64_t number)
{
    return "segment " + std::to_string(number);
}

image_extent extent_of(const file_bytes &file, const Elf64_Phdr &segment, const std::string &name)
{
    if (segment.p_paddr >= memory_image::max_pa || segment.p_filesz > memory_image::max_pa - segment.p_paddr)
        refuse(name + " reaches beyond physical addresses of 52 bits");
    return {{segment.p_paddr, segment.p_filesz}, file.part(segment.p_offset, segment.p_filesz, name)};
}

/* Refuses two segments whose bytes differ where they overlap. */
void compare(const segment_bytes &a, const segment_bytes &b)
{
    const uint64_t pa = std::max(a.extent.pa, b.extent.pa);
    const uint64_t end = std::min(a.extent.end(), b.extent.end());
    if (end <= pa)
        return;
    const uint64_t bytes = end - pa;
    const unsigned char *of_a = a.extent.at + (pa - a.extent.pa), *of_b = b.extent.at + (pa - b.extent.pa);
    if (of_a == of_b || std::memcmp(of_a, of_b, bytes) == 0)
        return;
    const auto at = static_cast<uint64_t>(std::mismatch(of_a, of_a + bytes, of_b).first - of_a);
    char text[24];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(pa + at));
    refuse(name_of(std::min(a.number, b.number)) + " and " + name_of(std::max(a.number, b.number)) +
           " have different bytes at the same physical address, " + text +
           ": is it the core of a process, not of a machine?");
}

/* Appends the part of `s` that lies after all parts. */
void append(std::vector<segment_bytes> &parts, segment_bytes s)
{
    if (!parts.empty() && parts.back().extent.end() > s.extent.pa) {
        const uint64_t known = std::min(parts.back().extent.end() - s.extent.pa, s.extent.bytes);
        s.extent.pa += known;
        s.extent.at += known;
        s.extent.bytes -= known;
    }
    if (s.extent.bytes != 0)
        parts.push_back(s);
}

/* Joins parts that are adjacent both in memory and in the file. */
std::vector<image_extent> extents_of(const std::vector<segment_bytes> &parts)
{
    std::vector<image_extent> extents;
    for (const segment_bytes &part : parts) {
        if (!extents.empty() && extents.back().end() == part.extent.pa &&
            extents.back().at + extents.back().bytes == part.extent.at)
            extents.back().bytes += part.extent.bytes;
        else
            extents.push_back(part.extent);
    }
    return extents;
}

/* Removes overlaps. A core may name memory several times: once per virtual address (QEMU's dump-guest-memory
 * -p), or as kernel and as RAM (/proc/vmcore, where each has its own place in the file). */
std::vector<image_extent> joined(std::vector<segment_bytes> segments)
{
    std::stable_sort(segments.begin(), segments.end(), [](const segment_bytes &a, const segment_bytes &b) {
        return a.extent.pa < b.extent.pa;
    });
    std::vector<segment_bytes> parts; /* by address, without overlap */
    for (const segment_bytes &s : segments) {
        for (auto part = parts.rbegin(); part != parts.rend() && part->extent.end() > s.extent.pa; ++part)
            compare(*part, s);
        append(parts, s);
    }
    return extents_of(parts);
}

/* Segments with virtual addresses only, such as the kernel's vmalloc space in /proc/kcore. */
struct unplaced_segments {
    uint64_t count = 0, first = 0;

    void add(uint64_t number) { first = count++ == 0 ? number : first; }
    std::string text() const
    {
        if (count == 0)
            return "";
        return (count == 1 ? name_of(first) + " has"
                           : std::to_string(count) + " segments, the first " + name_of(first) + ", have") +
               " no physical address (p_paddr is all ones): left out";
    }
};

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
    std::vector<segment_bytes> memory;
    unplaced_segments unplaced;
    for (uint64_t i = 0; i < segments; ++i) {
        const auto segment = copy_of<Elf64_Phdr>(at + i * header.e_phentsize);
        if (segment.p_type == PT_LOAD && segment.p_filesz != 0) {
            if (segment.p_paddr == no_address)
                unplaced.add(i);
            else
                memory.push_back({extent_of(file, segment, name_of(i)), i});
        }
        if (segment.p_type == PT_NOTE)
            read_notes(file.part(segment.p_offset, segment.p_filesz, name_of(i)), segment.p_filesz,
                       core.cpus);
    }
    core.remark = unplaced.text();
    if (memory.empty())
        refuse("a core without memory: none of its " + std::to_string(segments) + " segments holds any" +
               (unplaced.count == 0 ? "" : "; " + core.remark));
    core.extents = joined(memory);
    return core;
}

} // namespace walkway
