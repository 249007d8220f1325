/* SPDX-License-Identifier: MIT */
/* device/stage_adapter.cpp - see stage_adapter.hpp. An access is held (no END_REQ) until there is room. It
 * then requests its pages one by one, waits for earlier accesses, is forwarded in parts, and is answered.
 * Answers go up one at a time. */
#include "device/stage_adapter.hpp"

#include "device/access_attributes.hpp"
#include "device/at_payload.hpp"
#include "kernels/table/table.h"
#include "model/port_translator.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

void stage_adapter_stats::visit(stat_visitor &v) const
{
    v.count("accesses", accesses, "accesses", "taken from above");
    v.count("translations", translations, "translations", "asked of the stage, one a page of an access");
    v.count("faults", faults, "accesses", "refused: a page of theirs has no translation");
    v.count("no_right", no_right, "accesses", "refused: a page of theirs may not be read or not be written");
    v.count("illegal", illegal, "accesses", "refused: lengths, streaming or byte enables of none");
    v.count("again", again, "accesses", "translated anew: an invalidate had come meanwhile");
}

stage_accesses::stage_accesses(const sc_core::sc_module_name &name, const clock_domain &clock,
                               uint32_t accesses)
    : block(name, clock), xlat("xlat", *this, *this), most_(accesses), down_(agenda_), turn_(*this, xlat),
      arrivals_(clock), translated_(clock)
{
    if (accesses == 0)
        throw std::runtime_error(std::string(this->name()) + ": 0 accesses: it would take none");
    names()->add_track({this, ""});
}

void stage_accesses::start(tlm::tlm_bw_transport_if<> *above, tlm::tlm_fw_transport_if<> *below)
{
    above_ = above;
    below_ = below;
    down_.start(below, {});
    agenda_.start();
}

std::string stage_accesses::waiting() const
{
    if (accesses_.live() == 0)
        return "";
    return std::to_string(accesses_.live()) + " accesses, " + std::to_string(asks_.size()) +
           " of them with a page to request";
}

/* ---- From above ---- */

tlm::tlm_sync_enum stage_accesses::nb_transport_fw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ) {
        if (!acquired(p))
            return tlm::TLM_COMPLETED;
        access &a = accesses_.take();
        a.p = &p;
        a.ready = a.begun = false;
        wake(arrivals_.push(arrival(delay), &a));
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::END_RESP || answering_ == nullptr || answering_->p != &p)
        return tlm::TLM_ACCEPTED;
    agenda_.at(sc_core::sc_time_stamp() + delay, [this] { end(); });
    return tlm::TLM_COMPLETED;
}

void stage_accesses::b_transport(payload &p, sc_core::sc_time &)
{
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

bool stage_accesses::get_direct_mem_ptr(payload &, tlm::tlm_dmi &dmi)
{
    dmi.allow_none();
    dmi.set_start_address(0);
    dmi.set_end_address(UINT64_MAX);
    return false;
}

static uint16_t vmid_of(const tlm::tlm_generic_payload &p)
{
    const auto *e = p.get_extension<attributes_extension>();
    return e == nullptr || !e->of.has_vmid ? uint16_t{0} : e->of.vmid;
}

static uint8_t needs(const tlm::tlm_generic_payload &p)
{
    const auto *e = p.get_extension<attributes_extension>();
    const bool execute = e != nullptr && e->of.execute;
    return p.is_write() ? WW_PERM_W : p.is_read() ? (execute ? WW_PERM_X : WW_PERM_R) : 0;
}

/* Makes debug accesses below, up to the first page without a permitted translation. */
unsigned stage_accesses::transport_dbg(payload &p)
{
    const uint64_t va = p.get_address();
    unsigned char *data = p.get_data_ptr();
    const unsigned length = p.get_data_length();
    port_translator stage(xlat);
    unsigned done = 0;
    while (done < length && ww_va_walkable(va + done)) {
        const now_answer a = stage.translate_now({va + done, vmid_of(p)}, now(), now_how::look);
        if (a.fault || (needs(p) & ~a.xlat.perm) != 0)
            break;
        const uint64_t rest = ww_page_after(va + done, a.xlat.page_shift) - (va + done);
        const unsigned part = static_cast<unsigned>(std::min<uint64_t>(rest, length - done));
        p.set_address(ww_xlat_pa(&a.xlat, va + done));
        p.set_data_ptr(data + done);
        p.set_data_length(part);
        const unsigned got = below_->transport_dbg(p);
        done += std::min(got, part);
        if (got < part)
            break;
    }
    p.set_address(va);
    p.set_data_ptr(data);
    p.set_data_length(length);
    return done;
}

/* ---- Translation ---- */

void stage_accesses::step(tick now)
{
    access *a = nullptr;
    while (translated_.pop(now, a))
        found(*a);
    if (turn_.next() <= now) {
        const uint8_t before = turn_.generation();
        turn_.step(now);
        notices_ += turn_.generation() != before;
    }
    while (arrivals_.pop(now, a))
        held_.push_back(a);
    admit();
    ask(now);
    wake(std::min({arrivals_.next(), translated_.next(), turn_.next()}));
}

void stage_accesses::admit()
{
    while (!held_.empty() && under_way_ < most_) {
        access &a = *held_.front();
        held_.pop_front();
        ++under_way_;
        ++stats_.accesses;
        order_.push_back(&a);
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time none;
        above_->nb_transport_bw(*a.p, phase, none);
        const tlm::tlm_response_status illegal = burst::refusal(*a.p);
        if (illegal != tlm::TLM_OK_RESPONSE) {
            ++stats_.illegal;
            refuse(a, illegal);
            continue;
        }
        if (!ww_va_walkable(a.p->get_address() + (burst::reach(*a.p) - 1))) {
            ++stats_.faults;
            refuse(a, tlm::TLM_ADDRESS_ERROR_RESPONSE);
            continue;
        }
        a.needs = needs(*a.p);
        a.pages.start(*a.p);
        asks_.push_back(&a);
    }
}

void stage_accesses::ask(tick now)
{
    while (!asks_.empty() && xlat.can_send()) {
        access &a = *asks_.front();
        asks_.pop_front();
        ++stats_.translations;
        xlat_request &r = a;
        r.va = a.pages.va();
        r.vmid = vmid_of(*a.p);
        r.access = a.p->is_write() ? access_kind::write : access_kind::read;
        r.cu = 0;
        r.instruction = r.owner = 0;
        r.serial = static_cast<uint32_t>(stats_.translations);
        r.start(now);
        xlat.send(r, now);
    }
}

void stage_accesses::on_response(xlat_request &r, tick at, unsigned)
{
    wake(translated_.push(at, &static_cast<access &>(r)));
}

void stage_accesses::found(access &a)
{
    if (!a.pages.begun())
        a.notices = notices_;
    if (a.fault || (a.needs & ~a.result.perm) != 0) {
        ++(a.fault ? stats_.faults : stats_.no_right);
        refuse(a, a.fault ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
        return;
    }
    a.pages.add(a.result);
    if (!a.pages.known()) {
        asks_.push_back(&a);
        return;
    }
    a.ready = true;
    go_on();
}

void stage_accesses::refuse(access &a, tlm::tlm_response_status status)
{
    a.p->set_response_status(status);
    order_.erase(std::find(order_.begin(), order_.end(), &a));
    answered(a);
    go_on();
}

/* ---- Below ---- */

tlm::tlm_sync_enum stage_accesses::nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay)
{
    return down_.nb_transport_bw(p, phase, delay);
}

/* True if an invalidate arrived after the access's first translation and the access sent no part yet (an
 * invalidate does not wait for such accesses). The access then requests its pages again. */
bool stage_accesses::old(access &a)
{
    if (a.begun || a.notices == notices_)
        return false;
    ++stats_.again;
    a.pages.start(*a.p);
    asks_.push_back(&a);
    wake(clock().ceil(now()));
    return true;
}

/* Forwards accesses in the order of their requests, a burst's parts one after the other. */
void stage_accesses::go_on()
{
    while (!order_.empty() && order_.front()->ready) {
        access &a = *order_.front();
        a.ready = false; /* its next part becomes ready when this one is answered */
        if (old(a))
            return;
        if (!a.begun) {
            a.begun = true;
            a.generation = turn_.generation();
            turn_.begin();
        }
        send_part(a);
        if (a.pages.more())
            return;
        order_.pop_front();
    }
}

void stage_accesses::send_part(access &a)
{
    at_link::transaction &t = down_.take();
    a.part = &t;
    t.set_command(a.p->get_command());
    a.pages.next(*a.p, t);
    for (unsigned i = 0; i < tlm::max_num_extensions(); ++i)
        if (const tlm::tlm_extension_base *e = a.p->get_extension(i))
            if (tlm::tlm_extension_base *copy = e->clone())
                t.set_auto_extension(i, copy);
    t.answered = [this, &a] { part_answered(a); };
    down_.send(t);
}

void stage_accesses::part_answered(access &a)
{
    at_link::transaction &t = *a.part;
    const tlm::tlm_response_status status = t.get_response_status();
    a.p->update_extensions_from(t);
    t.release();
    const bool more = a.pages.more();
    if (status > tlm::TLM_INCOMPLETE_RESPONSE && more) {
        a.ready = true;
        go_on();
        return;
    }
    a.p->set_response_status(status);
    if (more) /* its other parts are not sent; it is still the first in order_ */
        order_.pop_front();
    answered(a);
    if (more)
        go_on();
}

/* ---- Answers ---- */

void stage_accesses::answered(access &a)
{
    if (a.begun)
        turn_.end(a.generation, now());
    a.p->set_dmi_allowed(false);
    answers_.push_back(&a);
    respond();
}

void stage_accesses::respond()
{
    if (answering_ != nullptr || answers_.empty())
        return;
    answering_ = answers_.front();
    answers_.pop_front();
    access *const a = answering_;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum status = above_->nb_transport_bw(*a->p, phase, delay);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
        agenda_.at(sc_core::sc_time_stamp() + delay, [this] { end(); });
}

void stage_accesses::end()
{
    access &a = *answering_;
    answering_ = nullptr;
    --under_way_;
    a.p->release();
    accesses_.give(a);
    if (!held_.empty())
        wake(clock().ceil(now()));
    respond();
}

} // namespace walkway
