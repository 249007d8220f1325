/* SPDX-License-Identifier: MIT */
/* device/burst.cpp - see burst.hpp. */
#include "device/burst.hpp"

#include <algorithm>

namespace walkway
{

unsigned burst::reach(const payload &p)
{
    return std::min(p.get_data_length(), p.get_streaming_width());
}

tlm::tlm_response_status burst::refusal(const payload &p)
{
    if (p.get_data_length() == 0 || p.get_data_ptr() == nullptr)
        return tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (p.get_streaming_width() == 0 ||
        (p.get_byte_enable_ptr() != nullptr && p.get_byte_enable_length() == 0) ||
        p.get_address() + (reach(p) - 1) < p.get_address())
        return tlm::TLM_BURST_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

void burst::start(const payload &whole)
{
    first_va_ = whole.get_address();
    length_ = whole.get_data_length();
    reach_ = reach(whole);
    covered_ = beat_ = index_ = 0;
    pieces_.clear();
}

void burst::add(const ww_xlat &x)
{
    const uint64_t rest = ww_page_after(va(), x.page_shift) - va();
    const unsigned bytes = static_cast<unsigned>(std::min<uint64_t>(rest, reach_ - covered_));
    pieces_.push_back({ww_xlat_pa(&x, va()), covered_, bytes});
    covered_ += bytes;
}

bool burst::next(const payload &whole, payload &part)
{
    if (!more())
        return false;
    const piece &s = pieces_[index_];
    const unsigned at = beat_ + s.offset;
    const unsigned bytes = split() ? std::min(s.bytes, length_ - at) : length_;
    part.set_address(s.pa);
    part.set_data_ptr(whole.get_data_ptr() + at);
    part.set_data_length(bytes);
    part.set_streaming_width(split() ? bytes : whole.get_streaming_width());
    const unsigned char *enables = whole.get_byte_enable_ptr();
    const unsigned enable_length = whole.get_byte_enable_length();
    part.set_byte_enable_ptr(const_cast<unsigned char *>(enables));
    part.set_byte_enable_length(enable_length);
    if (split() && enables != nullptr) {
        mask_.resize(bytes);
        for (unsigned i = 0; i < bytes; ++i)
            mask_[i] = enables[(at + i) % enable_length];
        part.set_byte_enable_ptr(mask_.data());
        part.set_byte_enable_length(bytes);
    }
    if (!split()) {
        beat_ = length_;
    } else if (++index_ == pieces_.size() || beat_ + pieces_[index_].offset >= length_) {
        index_ = 0; /* the last beat may end within the pieces */
        beat_ += reach_;
    }
    return true;
}

} // namespace walkway
