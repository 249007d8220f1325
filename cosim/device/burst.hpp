/* SPDX-License-Identifier: MIT */
/* device/burst.hpp - an access across pages: one translation a page, then parts with the byte enables and
 * the streaming of the whole. Within a page it is one part, as it is. Knows no time. */
#ifndef WALKWAY_DEVICE_BURST_HPP
#define WALKWAY_DEVICE_BURST_HPP

#include "kernels/xlat.h"

#include <tlm>

#include <cstdint>
#include <vector>

namespace walkway
{

class burst
{
public:
    using payload = tlm::tlm_generic_payload;

    /* Bytes from its first address on that a transaction touches. */
    static unsigned reach(const payload &p);
    /* What an access is refused with that cannot be translated; OK: there is nothing wrong with it. */
    static tlm::tlm_response_status refusal(const payload &p);

    /* A legal access; no page of it is known yet. */
    void start(const payload &whole);
    /* The first address that has no translation yet, and that one's. */
    uint64_t va() const { return first_va_ + covered_; }
    void add(const ww_xlat &x);
    bool known() const { return covered_ == reach_; }
    bool begun() const { return covered_ != 0; }
    bool split() const { return pieces_.size() > 1; }

    /* Addresses, data, byte enables and streaming of the next part, in the order of their bytes; false: there
     * is none. What `part` points to is good until the next call. Everything is known. */
    bool next(const payload &whole, payload &part);
    bool more() const { return beat_ < length_; }

private:
    struct piece {
        uint64_t pa;
        unsigned offset, bytes;
    };
    uint64_t first_va_ = 0;
    unsigned length_ = 0, reach_ = 0, covered_ = 0;
    unsigned beat_ = 0, index_ = 0; /* the next part */
    std::vector<piece> pieces_;
    std::vector<unsigned char> mask_;
};

} // namespace walkway

#endif
