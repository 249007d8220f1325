/* SPDX-License-Identifier: MIT */
/* tb/device/tlb_device.hpp - a device with a TLB of its own: requests translations and pages, receives
 * invalidates and the answers to its page requests, and then does what a test chooses. */
#ifndef WW_TB_DEVICE_TLB_DEVICE_HPP
#define WW_TB_DEVICE_TLB_DEVICE_HPP

#include "device/access_attributes.hpp"
#include "device/held.hpp"
#include "device/translation_services.hpp"
#include "tb/support/blocking_ends.hpp"

#include <systemc>
#include <tlm>

#include <functional>
#include <vector>

namespace walkway::test
{

struct tlb_device final : sc_core::sc_module, blocking_target, blocking_initiator {
    using payload = tlm::tlm_generic_payload;
    struct heard {
        access_attributes who;
        device_invalidation what;
        sc_core::sc_time at;
    };
    struct answered {
        access_attributes who;
        page_response what;
    };
    tlm::tlm_initiator_socket<32> asks{"asks"}, pages{"pages"};
    tlm::tlm_target_socket<32> forgets{"forgets"}, hears{"hears"};
    std::vector<heard> invalidates;
    std::vector<answered> answers;
    sc_core::sc_time takes;                         /* for an invalidate, annotated */
    std::function<void()> on_invalidate, on_answer; /* may wait */
    tlm::tlm_response_status completes = tlm::TLM_OK_RESPONSE;

    explicit tlb_device(const sc_core::sc_module_name &n) : sc_module(n)
    {
        asks.bind(*this);
        pages.bind(*this);
        forgets.bind(*this);
        hears.bind(*this);
    }

    struct translated {
        tlm::tlm_response_status status;
        translation_request of;
        sc_core::sc_time delay;
    };
    /* For a process that may wait. */
    translated translate(uint64_t va, uint8_t wants, const access_attributes &who = {}, unsigned length = 0)
    {
        payload p;
        attributes_extension from(who);
        translation_extension ask;
        ask.of.wants = wants;
        p.set_address(va);
        p.set_data_length(length);
        const carried who_asks(p, from);
        const carried what_for(p, ask);
        sc_core::sc_time delay;
        asks->b_transport(p, delay);
        return {p.get_response_status(), ask.of, delay};
    }
    tlm::tlm_response_status request(uint64_t va, const page_request &of, const access_attributes &who = {})
    {
        payload p;
        attributes_extension from(who);
        page_request_extension ask(of);
        p.set_address(va);
        const carried who_asks(p, from);
        const carried what_for(p, ask);
        sc_core::sc_time delay;
        pages->b_transport(p, delay);
        return p.get_response_status();
    }

    void b_transport(payload &p, sc_core::sc_time &delay) override
    {
        const attributes_extension *who = p.get_extension<attributes_extension>();
        if (const auto *r = p.get_extension<page_response_extension>()) {
            answers.push_back({who->of, r->of});
            if (on_answer)
                on_answer();
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            return;
        }
        invalidates.push_back(
            {who->of, p.get_extension<invalidation_extension>()->of, sc_core::sc_time_stamp() + delay});
        if (on_invalidate)
            on_invalidate();
        delay += takes;
        p.set_response_status(completes);
    }
};

} // namespace walkway::test

#endif
