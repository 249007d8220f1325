/* SPDX-License-Identifier: MIT */
/* device/burst.hpp - an access across pages: one translation per page, then parts with the byte enables and
 * the streaming of the whole. An access within a page is one part, unchanged. Has no time. */
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

    /* Returns the number of bytes from its first address that a transaction touches. */
    static unsigned reach(const payload &p);
    /* Returns the error response to a malformed payload: no data, a streaming width of 0, byte enables of
     * length 0, or a last address beyond 2^64 - 1. Returns OK if none of these holds. */
    static tlm::tlm_response_status refusal(const payload &p);

    /* Starts an access, without any translation yet. It keeps no reference. Required: refusal() is OK. */
    void start(const payload &whole);
    /* va() returns the first address without a translation; add() takes the translation of the page that
     * holds va(). Required for both: not known(). known(): every page has its translation. begun(): the first
     * page has one. split(): two or more pages have one. */
    uint64_t va() const { return first_va_ + covered_; }
    void add(const ww_xlat &x);
    bool known() const { return covered_ == reach_; }
    bool begun() const { return covered_ != 0; }
    bool split() const { return pieces_.size() > 1; }

    /* Sets address, data, length, byte enables and streaming of `part` to those of the next part, in the
     * order of bytes; the caller sets the rest. Returns false if there is none. Pointers in `part` are valid
     * until the next call. `whole` is the payload of start(), unchanged. Required: known(). */
    bool next(const payload &whole, payload &part);
    bool more() const { return beat_ < length_; }

private:
    struct piece {
        uint64_t pa;
        unsigned offset, bytes;
    };
    uint64_t first_va_ = 0;
    unsigned length_ = 0, reach_ = 0, covered_ = 0;
    unsigned beat_ = 0, index_ = 0; /* state of the next part */
    std::vector<piece> pieces_;
    std::vector<unsigned char> mask_;
};

} // namespace walkway

#endif
