/* SPDX-License-Identifier: MIT */
/* tb/support/zeroed_bytes.hpp - memory that is zero without having been written, nor been marked by a
 * sanitizer: a test that makes a thousand large ones and uses little of each does not pay for the rest. An
 * access below the first or, if the size is in whole pages, beyond the last byte ends the test. */
#ifndef WW_TB_SUPPORT_ZEROED_BYTES_HPP
#define WW_TB_SUPPORT_ZEROED_BYTES_HPP

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace walkway::test
{

class zeroed_bytes
{
public:
    explicit zeroed_bytes(uint64_t size) : size_(size)
    {
        void *all = mmap(nullptr, mapped(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED)
            throw std::bad_alloc();
        first_ = static_cast<unsigned char *>(all) + page;
        if (mprotect(first_, mapped() - 2 * page, PROT_READ | PROT_WRITE) != 0)
            throw std::bad_alloc();
    }
    ~zeroed_bytes() { munmap(first_ - page, mapped()); }
    zeroed_bytes(const zeroed_bytes &) = delete;
    zeroed_bytes &operator=(const zeroed_bytes &) = delete;

    uint64_t size() const { return size_; }
    unsigned char *data() { return first_; }
    unsigned char &operator[](uint64_t at) { return first_[at]; }
    const unsigned char &operator[](uint64_t at) const { return first_[at]; }
    const unsigned char *begin() const { return first_; }
    const unsigned char *end() const { return first_ + size_; }

private:
    static constexpr uint64_t page = 4096;
    uint64_t mapped() const { return (size_ + page - 1) / page * page + 2 * page; }

    uint64_t size_;
    unsigned char *first_ = nullptr;
};

} // namespace walkway::test

#endif
