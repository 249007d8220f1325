/* SPDX-License-Identifier: MIT */
/* model/compute_unit_fetch.cpp - behaviour of instruction buffers. A wave issues from its buffer. It fetches
 * the line of its next instruction if that is missing, otherwise the line after it if the buffer has room for
 * two; one at a time. Older lines stay until their place is needed, so a loop may run from the buffer. */
#include "model/compute_unit.hpp"

#include <algorithm>

namespace walkway
{

bool compute_unit::instruction_buffer::has(uint64_t line) const
{
    return std::find(lines.begin(), lines.end(), line) != lines.end();
}

code_run compute_unit::next_code_of(const wave &w) const
{
    const code_path path = {w.behind, w.record.pc, w.has_record, w.between, w.compute_left};
    return next_code(path, w.group->code.instructions);
}

/* Returns the instructions that the wave may issue before it needs another line. */
uint64_t compute_unit::buffered(const wave &w) const
{
    if (!code)
        return UINT64_MAX;
    const code_run run = next_code_of(w);
    return std::min<uint64_t>(params_.line_instructions - run.at % params_.line_instructions, run.length);
}

/* Fetches the line needed next. Returns true if the next instruction is in the buffer, or there is none. */
bool compute_unit::fill_buffer(uint32_t i, tick now)
{
    const wave &w = waves_[i];
    if (w.compute_left == 0 && !w.has_record)
        return true;
    const uint64_t first = next_code_of(w).at / params_.line_instructions;
    const uint64_t last = (w.group->code.instructions - 1) / params_.line_instructions;
    const bool there = w.buffer.has(first);
    if (w.buffer.coming != no_line || halted_)
        return there;
    if (!there)
        ask_for(i, first, now);
    else if (params_.buffer_lines > 1 && first != last && !w.buffer.has(first + 1))
        ask_for(i, first + 1, now);
    return there;
}

void compute_unit::ask_for(uint32_t i, uint64_t line, tick now)
{
    wave &w = waves_[i];
    if (!code->can_send()) {
        fetch_waiters_ = true;
        return;
    }
    ++stats_.fetches;
    w.buffer.coming = line;
    w.buffer.fetch = ++fetch_numbers_;
    mem_line &p = fetches_.read_data(w.group->code.pa + line * line_bytes);
    p.ext.owner = i;
    p.ext.owner_item = w.buffer.fetch;
    code->send(p, now + clock().period());
}

void compute_unit::on_response(tlm::tlm_generic_payload &p, tick at, unsigned)
{
    if (p.get_response_status() != tlm::TLM_OK_RESPONSE)
        fail("/walkway/compute_unit",
             std::string(name()) + ": an instruction fetch is answered " + p.get_response_string());
    const mem_ext &ext = mem_ext_of(p);
    wake(events_.push(at, event{what::fetched, ext.owner, ext.owner_item, nullptr}));
    p.release();
}

/* Replaces the oldest line, but not the one that the wave issues from next. */
void compute_unit::fetched(uint32_t i, uint32_t fetch, tick now)
{
    wave &w = waves_[i];
    instruction_buffer &b = w.buffer;
    if (b.coming == no_line || b.fetch != fetch)
        return; /* its wave has ended */
    const bool more = w.compute_left != 0 || w.has_record;
    const uint64_t in_use = more ? next_code_of(w).at / params_.line_instructions : no_line;
    if (params_.buffer_lines > 1 && b.lines[b.oldest] == in_use)
        b.oldest = (b.oldest + 1) % params_.buffer_lines;
    b.lines[b.oldest] = b.coming;
    b.oldest = (b.oldest + 1) % params_.buffer_lines;
    b.coming = no_line;
    if (w.at == state::fetch) {
        charge(w, wave_time::fetch, now);
        settle(i, now);
    } else {
        fill_buffer(i, now);
    }
}

/* Retries the fetches that found the queue of the instruction cache full. */
void compute_unit::code_port_free(tick now)
{
    fetch_waiters_ = false;
    for (uint32_t i = 0; i < waves_.size(); ++i)
        if (waves_[i].at != state::idle)
            fill_buffer(i, now);
}

} // namespace walkway
