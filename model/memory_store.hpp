/* SPDX-License-Identifier: MIT */
/* model/memory_store.hpp - the bytes of simulated physical memory. One region is dense (the page tables,
 * written by their builders before time zero); elsewhere a 4 KiB frame appears at its first write. Bytes
 * never written read as zero, or as in an image, which is never written: the contents of data pages are not
 * modelled. */
#ifndef WALKWAY_MODEL_MEMORY_STORE_HPP
#define WALKWAY_MODEL_MEMORY_STORE_HPP

#include "image/memory_image.hpp"
#include "model/common/mem.hpp"

#include <tlm>

#include <array>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace walkway
{

class memory_store
{
public:
    /* Makes [pa, pa + words * 8) dense and zero. Call once. */
    void reserve(uint64_t pa, size_t words)
    {
        dense_pa_ = pa;
        dense_.assign(words, 0);
    }
    /* Bytes never written read as the image has them. The image must outlive the store. */
    void lie_over(const memory_image &image) { image_ = &image; }
    uint64_t *dense() { return dense_.data(); }
    const uint64_t *dense() const { return dense_.data(); }
    uint64_t dense_pa() const { return dense_pa_; }
    size_t dense_words() const { return dense_.size(); }

    /* Prefetches a line on the host that will be read soon. */
    void prefetch(uint64_t pa) const
    {
        if (pa - dense_pa_ < dense_.size() * 8)
            __builtin_prefetch(dense_.data() + (pa - dense_pa_) / 8);
    }
    /* Reads n bytes. Required: they do not cross a 4 KiB boundary; also for write(). */
    void read(uint64_t pa, unsigned char *to, size_t n) const
    {
        if (pa - dense_pa_ < dense_.size() * 8) {
            std::memcpy(to, reinterpret_cast<const unsigned char *>(dense_.data()) + (pa - dense_pa_), n);
            return;
        }
        const auto it = frames_.empty() ? frames_.end() : frames_.find(pa >> 12);
        if (it == frames_.end())
            read_unwritten(pa, to, n);
        else
            std::memcpy(to, it->second.data() + (pa & 4095), n);
    }
    void write(uint64_t pa, const unsigned char *from, size_t n)
    {
        if (pa - dense_pa_ < dense_.size() * 8)
            std::memcpy(reinterpret_cast<unsigned char *>(dense_.data()) + (pa - dense_pa_), from, n);
        else
            std::memcpy(written(pa >> 12).data() + (pa & 4095), from, n);
    }

    /* Applies a transaction to the bytes, byte enables included. If all enables are off, it is timing
     * only. */
    void apply(tlm::tlm_generic_payload &p)
    {
        if (p.get_byte_enable_ptr() != no_values())
            apply_bytes(p);
    }

private:
    using frame = std::array<unsigned char, 4096>;

    void read_unwritten(uint64_t pa, unsigned char *to, size_t n) const
    {
        if (image_ == nullptr || !image_->read(pa, to, n))
            std::memset(to, 0, n);
    }
    frame &written(uint64_t number)
    {
        const auto added = frames_.try_emplace(number);
        if (added.second && image_ != nullptr)
            for (unsigned line = 0; line < 4096; line += 64) /* the image may end within a frame */
                read_unwritten((number << 12) + line, added.first->second.data() + line, 64);
        return added.first->second;
    }
    [[gnu::noinline]] void apply_bytes(tlm::tlm_generic_payload &p)
    {
        const unsigned n = p.get_data_length();
        const uint64_t pa = p.get_address();
        unsigned char *data = p.get_data_ptr();
        const unsigned char *enable = p.get_byte_enable_ptr();
        const unsigned enables = p.get_byte_enable_length();
        if (enable != nullptr && std::memchr(enable, TLM_BYTE_ENABLED, enables) == nullptr)
            return;
        for (unsigned done = 0; done < n;) {
            unsigned part = 1;
            if (enable == nullptr) {
                part = 4096 - static_cast<unsigned>((pa + done) & 4095);
                part = part < n - done ? part : n - done;
            }
            if (enable == nullptr || enable[done % enables] == TLM_BYTE_ENABLED) {
                if (p.is_read())
                    read(pa + done, data + done, part);
                else if (p.is_write())
                    write(pa + done, data + done, part);
            }
            done += part;
        }
    }

    uint64_t dense_pa_ = 0;
    std::vector<uint64_t> dense_;
    std::unordered_map<uint64_t, frame> frames_; /* looked up only, never iterated */
    const memory_image *image_ = nullptr;
};

} // namespace walkway

#endif
