/* SPDX-License-Identifier: MIT */
/* tb/platform/wrong_links.hpp - an error in a link of a machine that otherwise runs normally: a module below
 * a checker changes a response, one above it changes it back. */
#ifndef WW_TB_PLATFORM_WRONG_LINKS_HPP
#define WW_TB_PLATFORM_WRONG_LINKS_HPP

#include "tb/support/checked_links.hpp"

namespace walkway::test
{

/* Passes everything on. */
class passer : public sc_core::sc_module,
               protected tlm::tlm_fw_transport_if<>,
               protected tlm::tlm_bw_transport_if<>
{
public:
    using payload = tlm::tlm_generic_payload;
    tlm::tlm_target_socket<32> up{"up"};
    tlm::tlm_initiator_socket<32> down{"down"};

    explicit passer(const sc_core::sc_module_name &name) : sc_module(name)
    {
        up.bind(static_cast<tlm::tlm_fw_transport_if<> &>(*this));
        down.bind(static_cast<tlm::tlm_bw_transport_if<> &>(*this));
    }

protected:
    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        return up->nb_transport_bw(p, phase, delay);
    }

private:
    tlm::tlm_sync_enum nb_transport_fw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        return down->nb_transport_fw(p, phase, delay);
    }
    void b_transport(payload &p, sc_core::sc_time &delay) override { down->b_transport(p, delay); }
    unsigned transport_dbg(payload &p) override { return down->transport_dbg(p); }
    bool get_direct_mem_ptr(payload &p, tlm::tlm_dmi &dmi) override
    {
        return down->get_direct_mem_ptr(p, dmi);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override
    {
        up->invalidate_direct_mem_ptr(first, last);
    }
};

enum class wrong { granted_twice, without_status, at_another_address, turned_into_a_write };

/* Below a checker: does one thing wrong in each fifth response. */
class meddler final : public passer
{
public:
    meddler(const sc_core::sc_module_name &name, wrong what) : passer(name), what_(what) {}
    /* Restores what it changed. */
    void mend(payload &p) const
    {
        if (&p != of_)
            return;
        p.set_response_status(status_);
        p.set_address(address_);
        p.set_command(command_);
    }

private:
    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase != tlm::BEGIN_RESP || ++responses_ % 5 != 0)
            return up->nb_transport_bw(p, phase, delay);
        status_ = p.get_response_status();
        address_ = p.get_address();
        command_ = p.get_command();
        of_ = &p;
        if (what_ == wrong::granted_twice) {
            tlm::tlm_phase again = tlm::END_REQ;
            sc_core::sc_time then = delay;
            up->nb_transport_bw(p, again, then);
        }
        if (what_ == wrong::without_status)
            p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        if (what_ == wrong::at_another_address)
            p.set_address(address_ + line_bytes);
        if (what_ == wrong::turned_into_a_write)
            p.set_command(p.is_write() ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
        const auto answer = up->nb_transport_bw(p, phase, delay);
        of_ = nullptr;
        return answer;
    }

    wrong what_;
    unsigned responses_ = 0;
    const payload *of_ = nullptr; /* the payload whose response is changed, and its former values: */
    tlm::tlm_response_status status_ = tlm::TLM_OK_RESPONSE;
    uint64_t address_ = 0;
    tlm::tlm_command command_ = tlm::TLM_IGNORE_COMMAND;
};

/* Above a checker: gives a block the right response. */
class mender final : public passer
{
public:
    mender(const sc_core::sc_module_name &name, const meddler &of) : passer(name), of_(of) {}

private:
    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        of_.mend(p);
        return passer::nb_transport_bw(p, phase, delay);
    }
    const meddler &of_;
};

/* A checker between the two in every memory link of the machines that are built while it lives. */
class wrong_links
{
public:
    checked_links checked;

    explicit wrong_links(wrong what)
    {
        checked_links::from::between = [this, what](checked_links::from &above, checked_links::to &below) {
            const std::string number = std::to_string(below_.size());
            below_.push_back(std::make_unique<meddler>(("meddler_" + number).c_str(), what));
            above_.push_back(std::make_unique<mender>(("mender_" + number).c_str(), *below_.back()));
            above.bind(above_.back()->up);
            checked.rules.interpose(above_.back()->down, below_.back()->up);
            below_.back()->down.bind(below);
            links_.push_back(above.name());
        };
    }
    /* The requester's port at each checker. */
    const std::vector<std::string> &links() const { return links_; }

private:
    std::vector<std::unique_ptr<meddler>> below_;
    std::vector<std::unique_ptr<mender>> above_;
    std::vector<std::string> links_;
};

} // namespace walkway::test

#endif
