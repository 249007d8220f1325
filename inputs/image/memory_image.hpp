/* SPDX-License-Identifier: MIT */
/* image/memory_image.hpp - the physical memory of a machine as a file: raw (offset = physical address, or in
 * pieces), or the ELF core of an emulator. The file is mapped, never read whole, so that it may be sparse and
 * larger than this computer's memory; it is not written. Memory that a core names without its contents
 * (devices, pages that its writer omitted) is not part of the image. Not modelled: compressed and 32-bit
 * dumps; they are named and refused. A file that shrinks while mapped raises SIGBUS. */
#ifndef WALKWAY_IMAGE_MEMORY_IMAGE_HPP
#define WALKWAY_IMAGE_MEMORY_IMAGE_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

struct image_span {
    uint64_t pa, bytes;
    uint64_t end() const { return pa + bytes; }
};

/* Memory whose bytes are contiguous in the file. */
struct image_extent : image_span {
    const unsigned char *at;
};

/* A processor's registers, from a note of the core. */
struct image_cpu {
    uint64_t cr3, cr4;
    bool five_levels() const { return (cr4 >> 12 & 1) != 0; } /* LA57 */
};

/* A piece of a raw image: its place in the file and in memory. */
struct image_piece {
    uint64_t offset;
    image_span memory;
};

/* Layout of a raw image: the whole file from a physical address on, or pieces of it. Required: pieces are
 * below memory_image::max_pa and do not overlap in memory. */
struct raw_layout {
    uint64_t base = 0;
    std::vector<image_piece> pieces;
};

class memory_image
{
public:
    enum class format { detect, raw };
    static constexpr uint64_t max_pa = uint64_t{1} << 52;

    /* Maps the file. Throws std::runtime_error with the reason, without the file's name. */
    explicit memory_image(const std::string &path, format as = format::detect, const raw_layout &raw = {});
    ~memory_image();
    memory_image(const memory_image &) = delete;
    memory_image &operator=(const memory_image &) = delete;

    bool is_core() const { return is_core_; }
    /* Returns the memory of the image: at least one span, by address; they neither overlap nor touch. */
    const std::vector<image_span> &spans() const { return spans_; }
    uint64_t bytes() const; /* of all of them */
    /* Returns what was omitted from the file, as a sentence; empty: nothing. */
    const std::string &remark() const { return remark_; }
    /* Returns the processors in the order of the core; none for a raw image. */
    const std::vector<image_cpu> &cpus() const { return cpus_; }
    /* True if the image contains all of `bytes` bytes from pa on. Required: bytes != 0. */
    bool has(uint64_t pa, uint64_t bytes) const;
    /* The same; if true, sets `to` to them, else leaves it alone. */
    bool read(uint64_t pa, void *to, uint64_t bytes) const;
    /* Returns e.g. "the image has 0x0 to 0x80000000", near an address that it does not contain. */
    std::string text_around(uint64_t pa) const;

private:
    void map_file(int file);
    void find_memory(format as, const raw_layout &raw);
    void place(const raw_layout &raw);
    void find_spans();

    const unsigned char *bytes_ = nullptr; /* of the file */
    uint64_t size_ = 0;
    bool is_core_ = false;
    std::vector<image_extent> extents_; /* by address; they do not overlap */
    std::vector<image_span> spans_;
    std::string remark_;
    std::vector<image_cpu> cpus_;
};

} // namespace walkway

#endif
