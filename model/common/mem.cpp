/* SPDX-License-Identifier: MIT */
/* model/common/mem.cpp - pooled line transactions. */
#include "model/common/mem.hpp"

namespace walkway
{

const std::array<unsigned char, line_bytes> line_disabled{}; /* TLM_BYTE_DISABLED throughout */

mem_line::mem_line()
{
    ext.home = this;
    set_extension(&ext);
    set_data_ptr(data.data());
    set_data_length(line_bytes);
    set_streaming_width(line_bytes);
}

mem_line::~mem_line()
{
    clear_extension(&ext); /* otherwise the payload would free it */
}

mem_line &mem_pool::fresh(uint64_t pa, tlm::tlm_command command, unsigned char *enables)
{
    mem_line &line = lines_.take();
    line.ext.depth = 0;
    line.ext.atomic = false;
    line.ext.late = false;
    line.set_mm(this);
    line.acquire();
    line.set_address(pa);
    line.set_command(command);
    line.set_dmi_allowed(false);
    line.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    line.set_byte_enable_ptr(enables);
    line.set_byte_enable_length(enables == nullptr ? 0 : line_bytes);
    return line;
}

mem_line &mem_pool::read(uint64_t pa)
{
    return fresh(pa, tlm::TLM_READ_COMMAND, nullptr);
}

mem_line &mem_pool::write(uint64_t pa)
{
    return fresh(pa, tlm::TLM_WRITE_COMMAND, nullptr);
}

mem_line &mem_pool::read_data(uint64_t pa)
{
    return fresh(pa, tlm::TLM_READ_COMMAND, no_values());
}

mem_line &mem_pool::write_data(uint64_t pa)
{
    return fresh(pa, tlm::TLM_WRITE_COMMAND, no_values());
}

void mem_pool::free(tlm::tlm_generic_payload *gp)
{
    gp->reset(); /* drops extensions of foreign blocks, but not ours */
    lines_.give(static_cast<mem_line &>(*gp));
}

mem_ext &foreign_mem_ext(tlm::tlm_generic_payload &p)
{
    mem_ext *ext = p.get_extension<mem_ext>();
    if (ext == nullptr) {
        ext = new mem_ext;
        if (p.has_mm())
            p.set_auto_extension(ext);
        else
            p.set_extension(ext);
    }
    return *ext;
}

} // namespace walkway
