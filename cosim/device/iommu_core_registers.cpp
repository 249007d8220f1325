/* SPDX-License-Identifier: MIT */
/* device/iommu_core_registers.cpp - registers, and the IOMMU's own work: commands, logs, interrupts. One
 * process (serve()) does this work, because its accesses to memory may wait. */
#include "device/iommu_at.hpp"
#include "device/iommu_core.hpp"

#include <algorithm>
#include <utility>

namespace walkway
{

namespace
{

/* Most steps of commands (to read one, to carry it out) before simulated time advances: a completion wait
 * that writes the tail register could supply commands forever. */
constexpr unsigned commands_at_once = 1024;

} // namespace

/* ---- Registers ---- */

/* Accesses any bytes of one aligned word, with byte enables. */
void iommu_core::register_access(payload &p)
{
    const uint64_t at = p.get_address();
    const unsigned length = p.get_data_length(), first = static_cast<unsigned>(at % 8);
    const unsigned char *enables = p.get_byte_enable_ptr();
    p.set_dmi_allowed(false);
    if (p.get_command() == tlm::TLM_IGNORE_COMMAND) {
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    if (length == 0 || p.get_data_ptr() == nullptr ||
        (enables != nullptr && p.get_byte_enable_length() == 0)) {
        p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    if (at >= WW_IOMMU_REGION_BYTES) {
        p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (first + length > 8 || p.get_streaming_width() < length) {
        p.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    const uint32_t reg = ww_iommu_reg_at(at - first);
    uint64_t value = 0, mask = 0;
    const uint64_t word = reg < WW_IOMMU_REGS ? regs_.word[reg] : 0;
    for (unsigned i = 0; i < length; ++i) {
        if (enables != nullptr && enables[i % p.get_byte_enable_length()] != TLM_BYTE_ENABLED)
            continue;
        unsigned char *byte = p.get_data_ptr() + i;
        const unsigned shift = (first + i) * 8;
        if (p.is_read())
            *byte = static_cast<unsigned char>(word >> shift);
        value |= uint64_t{*byte} << shift;
        mask |= uint64_t{0xff} << shift;
    }
    if (p.is_write() && reg < WW_IOMMU_REGS) {
        ww_iommu_write(&regs_, reg, value, mask);
        written(reg, word);
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
}

/* Accesses any bytes, for loaders and debuggers. A write has the effects of one by software, in zero time. */
unsigned iommu_core::register_debug(payload &p)
{
    const uint64_t first = p.get_address();
    if ((!p.is_read() && !p.is_write()) || p.get_data_ptr() == nullptr || first >= WW_IOMMU_REGION_BYTES)
        return 0;
    const unsigned there =
        static_cast<unsigned>(std::min<uint64_t>(p.get_data_length(), WW_IOMMU_REGION_BYTES - first));
    for (unsigned i = 0; i < there;) {
        const uint64_t at = first + i;
        const uint32_t reg = ww_iommu_reg_at(at & ~UINT64_C(7));
        const uint64_t word = reg < WW_IOMMU_REGS ? regs_.word[reg] : 0;
        uint64_t value = 0, mask = 0;
        for (unsigned shift = static_cast<unsigned>(at % 8 * 8); shift < 64 && i < there; shift += 8, ++i) {
            unsigned char &byte = p.get_data_ptr()[i];
            if (p.is_read())
                byte = static_cast<unsigned char>(word >> shift);
            value |= uint64_t{byte} << shift;
            mask |= uint64_t{0xff} << shift;
        }
        if (p.is_write() && reg < WW_IOMMU_REGS) {
            ww_iommu_write(&regs_, reg, value, mask);
            written(reg, word);
        }
    }
    return there;
}

void iommu_core::written(uint32_t reg, uint64_t before)
{
    const uint64_t changed = before ^ regs_.word[reg];
    if (reg == WW_IOMMU_COMMAND)
        ww_iommu_commands_init(&commands_);
    /* The translation of every device has changed. */
    if ((reg == WW_IOMMU_DEVTAB && changed != 0) ||
        (reg == WW_IOMMU_CONTROL && (changed & (WW_IOMMU_CONTROL_ENABLE | WW_IOMMU_CONTROL_GT_EN)) != 0)) {
        forget_ = busy_;
        xlat_.forget_all();
        if (at_)
            at_->changed();
        revoke([](const dmi_grant &) { return true; });
    }
    ask_service();
}

/* ---- Own work ---- */

void iommu_core::log(const ww_iommu_event &e, tick at)
{
    events_.push_back({e, at});
    ask_service();
}

void iommu_core::ask_service()
{
    asked_ = true;
    work_.notify(sc_core::SC_ZERO_TIME);
}

void iommu_core::serve()
{
    asked_ = true; /* work may be left from before a reset of the process */
    for (;;) {
        while (!std::exchange(asked_, false))
            sc_core::wait(work_);
        for (const auto &[port, range] : std::exchange(revoke_later_, {}))
            memory_revokes(port, range.first, range.second);
        tick at = 0;
        for (bool more = true; more;) {
            more = serve_commands(&at);
            serve_page_requests();
            serve_logs();
            serve_interrupt();
            if (more)
                sc_core::wait(scale_.time(at) - sc_core::sc_time_stamp());
        }
    }
}

/* Returns true if it stopped at the limit, so that commands may remain; *until is then the time to go on. */
bool iommu_core::serve_commands(tick *until)
{
    ww_iommu_step s;
    ww_iommu_event e = {};
    tick at = scale_.ticks(sc_core::sc_time_stamp());
    lock commands(*this);
    if (ww_iommu_command_next(&commands_, &regs_, &s) == WW_CMD_NOTHING || !commands.take())
        return false;
    unsigned n = 0;
    for (const uint64_t resets = resets_; n < commands_at_once; ++n) {
        const ww_iommu_do what = ww_iommu_command_next(&commands_, &regs_, &s);
        if (what == WW_CMD_NOTHING || (what != WW_CMD_READ && waits_for_devices(s)))
            break;
        if (what == WW_CMD_READ) {
            uint64_t words[2];
            const bool there = transfer(tlm::TLM_READ_COMMAND, s.pa, words, sizeof words, &at);
            if (resets != resets_)
                break;
            ww_iommu_command_fed(&commands_, &regs_, s.pa, there ? words : nullptr, &e);
        } else {
            bool ok = true;
            if (at_ && s.opcode == WW_CMD_COMPLETION_WAIT) {
                commands.give(); /* memory may need a walk to answer */
                at_->drain();
                commands.take();
                at = std::max(at, scale_.ticks(sc_core::sc_time_stamp()));
                if (resets != resets_)
                    break;
            }
            if (what == WW_CMD_WRITE)
                ok = transfer(tlm::TLM_WRITE_COMMAND, s.pa, &s.data, sizeof s.data, &at);
            else
                carry_out(s, &at);
            if (resets != resets_)
                break;
            stats_.commands += ok;
            ww_iommu_command_done(&commands_, &regs_, ok, &e);
        }
        if (e.code != 0)
            log(e, at);
        at += params_.clock_ps;
    }
    commands.give();
    *until = at;
    return n == commands_at_once;
}

void iommu_core::carry_out(const ww_iommu_step &s, tick *at)
{
    switch (s.opcode) {
    case WW_CMD_INVAL_DEVTAB:
    case WW_CMD_INVAL_PAGES:
    case WW_CMD_INVAL_ALL:
    case WW_CMD_INVAL_INT_TABLE:
        ++stats_.invalidates;
        xlat_.invalidate(s);
        if (at_)
            at_->changed();
        revoke([&s](const dmi_grant &g) { return dmi_ledger::meant(g, s); });
        break;
    case WW_CMD_INVAL_IOTLB: /* a direct memory pointer is also a translation held by a device */
        ++stats_.invalidates;
        revoke([&s](const dmi_grant &g) { return dmi_ledger::meant(g, s); });
        send_invalidates(s, *at);
        break;
    case WW_CMD_COMPLETE_PPR:
        complete_page_request(s, at);
        break;
    default:
        break;
    }
}

void iommu_core::serve_logs()
{
    while (!events_.empty()) {
        const auto [e, when] = events_.front();
        events_.pop_front();
        uint64_t words[2], pa = 0;
        tick at = when;
        const uint64_t resets = resets_;
        ww_iommu_event_words(&e, words);
        const bool place = ww_iommu_log_place(&regs_, WW_LOG_EVENTS, &pa);
        const bool ok = place && transfer(tlm::TLM_WRITE_COMMAND, pa, words, sizeof words, &at);
        const bool logged = place && resets == resets_ && ww_iommu_log_written(&regs_, WW_LOG_EVENTS, pa, ok);
        ++(logged ? stats_.events_logged : stats_.events_lost);
    }
}

/* The wire follows the level; one message is sent when one or more bits become set. */
void iommu_core::serve_interrupt()
{
    const uint64_t asked = ww_iommu_interrupts(&regs_);
    const uint64_t fresh = asked & ~interrupting_;
    interrupting_ = asked;
    if ((asked != 0) != level_) {
        level_ = asked != 0;
        if (to_.interrupt)
            to_.interrupt(level_);
    }
    if (fresh == 0 || !ww_iommu_is(&regs_, WW_IOMMU_MSI, WW_IOMMU_MSI_ENABLE))
        return;
    const uint64_t pa = ww_bits_get(WW_IOMMU_MSI_ADDRESS_LOW, regs_.word[WW_IOMMU_MSI]) << 2 |
                        ww_bits_get(WW_IOMMU_MSI_DATA_ADDRESS_HIGH, regs_.word[WW_IOMMU_MSI_DATA]) << 32;
    uint32_t data = static_cast<uint32_t>(ww_bits_get(WW_IOMMU_MSI_DATA_DATA, regs_.word[WW_IOMMU_MSI_DATA]));
    tick at = scale_.ticks(sc_core::sc_time_stamp());
    transfer(tlm::TLM_WRITE_COMMAND, pa, &data, sizeof data, &at);
    ++stats_.msi_sent;
}

} // namespace walkway
