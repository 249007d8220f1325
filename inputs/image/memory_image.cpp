/* SPDX-License-Identifier: MIT */
/* image/memory_image.cpp - opens, recognises and maps the file. */
#include "image/memory_image.hpp"

#include "image/containers.hpp"
#include "image/elf_core.hpp"
#include "image/hex.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace walkway
{

namespace
{

[[noreturn]] void refuse(const std::string &why)
{
    throw std::runtime_error(why);
}

struct closed_at_end {
    int file;
    ~closed_at_end() { close(file); }
};

} // namespace

memory_image::memory_image(const std::string &path, format as, const raw_layout &raw)
{
    /* O_NONBLOCK: opening a pipe must not wait for its writer */
    const closed_at_end opened{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (opened.file < 0)
        refuse(std::strerror(errno));
    map_file(opened.file);
    try {
        find_memory(as, raw);
        find_spans();
    } catch (...) {
        munmap(const_cast<unsigned char *>(bytes_), size_);
        throw;
    }
}

void memory_image::find_spans()
{
    for (const image_extent &e : extents_) {
        if (!spans_.empty() && spans_.back().end() == e.pa)
            spans_.back().bytes += e.bytes;
        else
            spans_.push_back(e);
    }
}

void memory_image::find_memory(format as, const raw_layout &raw)
{
    if (as == format::detect && is_elf(bytes_, size_)) {
        if (raw.base != 0 || !raw.pieces.empty())
            refuse("an ELF core says itself where its memory lies; a base or a map is for raw images");
        elf_core core = read_elf_core(bytes_, size_);
        is_core_ = true;
        extents_.swap(core.extents);
        cpus_.swap(core.cpus);
        remark_.swap(core.remark);
        return;
    }
    const container *other = as == format::detect ? container_of(bytes_, size_) : nullptr;
    if (other != nullptr)
        refuse(std::string(other->what) + ": " + other->remedy +
               " (--raw takes it as raw memory all the same)");
    place(raw);
}

void memory_image::place(const raw_layout &raw)
{
    if (raw.pieces.empty()) {
        if (raw.base >= max_pa || size_ > max_pa - raw.base)
            refuse(std::to_string(size_) + " bytes from " + hex(raw.base) +
                   " on reach beyond physical addresses of 52 bits");
        extents_.push_back({{raw.base, size_}, bytes_});
        return;
    }
    std::vector<image_span> used; /* bytes of the file, as spans */
    for (const image_piece &p : raw.pieces) {
        if (p.offset > size_ || p.memory.bytes > size_ - p.offset)
            refuse("the map's bytes from " + hex(p.offset) + " on, " + hex(p.memory.bytes) +
                   " of them, would end behind the file, which has " + hex(size_));
        extents_.push_back({p.memory, bytes_ + p.offset});
        used.push_back({p.offset, p.memory.bytes});
    }
    const auto by_address = [](const image_span &a, const image_span &b) { return a.pa < b.pa; };
    std::sort(extents_.begin(), extents_.end(), by_address);
    std::sort(used.begin(), used.end(), by_address);
    for (size_t i = 1; i < used.size() && remark_.empty(); ++i)
        if (used[i - 1].end() > used[i].pa)
            remark_ = "the map has the file's bytes from " + hex(used[i].pa) + " on at two places of memory";
}

memory_image::~memory_image()
{
    munmap(const_cast<unsigned char *>(bytes_), size_);
}

void memory_image::map_file(int file)
{
    struct stat about {
    };
    if (fstat(file, &about) != 0)
        refuse(std::strerror(errno));
    if (!S_ISREG(about.st_mode))
        refuse(S_ISDIR(about.st_mode) ? "a folder, not an image of memory"
                                      : "a pipe or device; an image of memory is an ordinary file");
    if (about.st_size == 0)
        refuse("empty: no memory in it");
    size_ = static_cast<uint64_t>(about.st_size);
    void *mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, file, 0);
    if (mapped == MAP_FAILED)
        refuse(std::to_string(size_) + " bytes cannot be mapped: " + std::strerror(errno));
    madvise(mapped, size_, MADV_RANDOM); /* nodes are scattered over the image */
    bytes_ = static_cast<const unsigned char *>(mapped);
}

uint64_t memory_image::bytes() const
{
    uint64_t sum = 0;
    for (const image_span &span : spans_)
        sum += span.bytes;
    return sum;
}

/* Returns the last span that begins at or below an address; null if there is none. */
template <class Span> static const Span *last_from(const std::vector<Span> &spans, uint64_t pa)
{
    const auto behind = std::upper_bound(spans.begin(), spans.end(), pa,
                                         [](uint64_t value, const Span &s) { return value < s.pa; });
    return behind == spans.begin() ? nullptr : &*(behind - 1);
}

bool memory_image::has(uint64_t pa, uint64_t bytes) const
{
    const image_span *span = last_from(spans_, pa);
    return span != nullptr && pa - span->pa < span->bytes && bytes <= span->bytes - (pa - span->pa);
}

/* The extents of one span are contiguous, so `++e` continues where `e` ends. */
bool memory_image::read(uint64_t pa, void *to, uint64_t bytes) const
{
    if (!has(pa, bytes))
        return false;
    auto *next = static_cast<unsigned char *>(to);
    for (const image_extent *e = last_from(extents_, pa); bytes != 0; ++e) {
        const uint64_t part = std::min(bytes, e->end() - pa);
        std::memcpy(next, e->at + (pa - e->pa), part);
        next += part;
        pa += part;
        bytes -= part;
    }
    return true;
}

std::string memory_image::text_around(uint64_t pa) const
{
    const image_span *before = last_from(spans_, pa);
    const size_t behind = before == nullptr ? 0 : static_cast<size_t>(before - spans_.data()) + 1;
    std::string text = "the image has ";
    if (before != nullptr)
        text += hex(before->pa) + " to " + hex(before->end());
    if (before != nullptr && behind != spans_.size())
        text += ", then ";
    if (behind != spans_.size())
        text += hex(spans_[behind].pa) + " to " + hex(spans_[behind].end());
    return text;
}

} // namespace walkway
