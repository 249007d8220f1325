/* SPDX-License-Identifier: MIT */
/* tb/device/base_protocol_wrong.hpp - memories that break base-protocol rules which need their own stimuli
 * (16 to 18, 21, 23 to 26), each in one way. */
#ifndef WW_TB_DEVICE_BASE_PROTOCOL_WRONG_HPP
#define WW_TB_DEVICE_BASE_PROTOCOL_WRONG_HPP

#include "device/test_memory.hpp"
#include "tb/support/base_protocol_stimuli.hpp"

namespace walkway::test::breaking
{

using gp = tlm::tlm_generic_payload;

struct right_memory : test_memory<32> {
    explicit right_memory(const sc_core::sc_module_name &n)
        : test_memory<32>(n, 1 << 16, sc_core::sc_time(20, sc_core::SC_NS), 2)
    {
    }
    virtual std::map<std::string, std::string> state() const
    {
        return {{"number of accesses", std::to_string(accesses)}};
    }
    virtual void reset() {}
};

/* ---- Rule 16 ---- */

struct ignores_byte_enables : right_memory {
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        unsigned char *const enables = p.get_byte_enable_ptr();
        p.set_byte_enable_ptr(nullptr);
        const tlm::tlm_response_status status = right_memory::serve(p);
        p.set_byte_enable_ptr(enables);
        return status;
    }
};
struct ignores_streaming : right_memory {
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        const unsigned width = p.get_streaming_width();
        p.set_streaming_width(p.get_data_length());
        const tlm::tlm_response_status status = right_memory::serve(p);
        p.set_streaming_width(width);
        return status;
    }
};
struct clears_disabled_bytes : right_memory { /* in a read */
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        if (p.is_read())
            std::memset(p.get_data_ptr(), 0, p.get_data_length());
        return right_memory::serve(p);
    }
};
struct does_not_repeat_enables : right_memory { /* writes bytes beyond the last enable */
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        unsigned char *const enables = p.get_byte_enable_ptr();
        if (enables == nullptr)
            return right_memory::serve(p);
        const unsigned n = p.get_byte_enable_length();
        std::vector<unsigned char> longer(p.get_data_length(), TLM_BYTE_ENABLED);
        std::copy(enables, enables + std::min(n, p.get_data_length()), longer.begin());
        p.set_byte_enable_ptr(longer.data());
        p.set_byte_enable_length(p.get_data_length());
        const tlm::tlm_response_status status = right_memory::serve(p);
        p.set_byte_enable_ptr(enables);
        p.set_byte_enable_length(n);
        return status;
    }
};
struct refuses_enables_as_a_burst : right_memory {
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        return p.get_byte_enable_ptr() != nullptr ? tlm::TLM_BURST_ERROR_RESPONSE : right_memory::serve(p);
    }
};

/* ---- Rule 17 ---- */

struct says_ok_outside : right_memory {
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        right_memory::serve(p);
        return tlm::TLM_OK_RESPONSE;
    }
};
struct says_generic_error : right_memory {
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        return right_memory::serve(p) == tlm::TLM_OK_RESPONSE ? tlm::TLM_OK_RESPONSE
                                                              : tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
};
struct reads_what_is_to_be_ignored : right_memory {
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
            std::memset(p.get_data_ptr(), 0, p.get_data_length());
        return right_memory::serve(p);
    }
};
struct does_not_add_in_64_bits : right_memory { /* the sum of address and length wraps */
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        if (p.get_address() + p.get_data_length() <= bytes.size())
            return tlm::TLM_OK_RESPONSE;
        return right_memory::serve(p);
    }
};

/* ---- Rule 18 ---- */

struct its_own : tlm::tlm_extension<its_own> {
    tlm::tlm_extension_base *clone() const override { return new its_own; }
    void copy_from(const tlm::tlm_extension_base &) override {}
    void free() override {} /* it is a member of a memory */
};
struct leaves_an_extension : right_memory {
    its_own extension;
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        if (!p.has_mm())
            p.set_extension(&extension);
        return right_memory::serve(p);
    }
};
struct takes_extensions_off : right_memory {
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        for (unsigned i = 0; i < tlm::max_num_extensions(); ++i)
            p.set_extension(i, nullptr);
        return right_memory::serve(p);
    }
};
struct needs_an_extension : right_memory { /* and accepts any extension as that */
    using right_memory::right_memory;
    tlm::tlm_response_status serve(gp &p) override
    {
        for (unsigned i = 0; i < tlm::max_num_extensions(); ++i)
            if (p.get_extension(i) != nullptr)
                return right_memory::serve(p);
        return p.is_read() ? tlm::TLM_GENERIC_ERROR_RESPONSE : right_memory::serve(p);
    }
};

/* ---- Rule 21 ---- */

struct points_to_a_copy : right_memory {
    std::vector<unsigned char> copy = std::vector<unsigned char>(1 << 16);
    using right_memory::right_memory;
    bool direct(gp &p, tlm::tlm_dmi &dmi) override
    {
        const bool given = right_memory::direct(p, dmi);
        copy = bytes;
        dmi.set_dmi_ptr(copy.data());
        return given;
    }
};
struct points_beside : right_memory {
    using right_memory::right_memory;
    bool direct(gp &p, tlm::tlm_dmi &dmi) override
    {
        const bool given = right_memory::direct(p, dmi);
        dmi.set_dmi_ptr(bytes.data() + p.get_address()); /* although the range begins at 0 */
        return given;
    }
};

/* ---- Rule 23 ---- */

struct counts_debug_access : right_memory {
    using right_memory::right_memory;
    unsigned debug(gp &p) override
    {
        ++accesses;
        return right_memory::debug(p);
    }
};
struct only_says_that_debug_access_writes : right_memory {
    using right_memory::right_memory;
    unsigned debug(gp &p) override { return p.is_write() ? p.get_data_length() : right_memory::debug(p); }
};

/* ---- Rule 24 ---- */

struct adds_absolute_time : right_memory {
    using right_memory::right_memory;
    void block(gp &p, sc_core::sc_time &delay) override
    {
        right_memory::block(p, delay);
        delay += sc_core::sc_time_stamp();
    }
};
struct serves_in_the_order_of_calls : right_memory { /* one after the other, whatever their times */
    sc_core::sc_time free_at;
    using right_memory::right_memory;
    void block(gp &p, sc_core::sc_time &delay) override
    {
        delay = std::max(delay, free_at > sc_core::sc_time_stamp() ? free_at - sc_core::sc_time_stamp()
                                                                   : sc_core::SC_ZERO_TIME);
        right_memory::block(p, delay);
        free_at = sc_core::sc_time_stamp() + delay;
    }
};

/* ---- Rule 25 ---- */

struct forgets_data_in_phases : right_memory {
    using right_memory::right_memory;
    void respond(unsigned socket, gp &p) override
    {
        if (p.is_read())
            std::memset(p.get_data_ptr(), 0, p.get_data_length());
        right_memory::respond(socket, p);
    }
};
struct counts_twice_in_phases : right_memory {
    using right_memory::right_memory;
    void respond(unsigned socket, gp &p) override
    {
        ++accesses;
        right_memory::respond(socket, p);
    }
};

/* ---- Rule 26 ---- */

struct forgets_at_reset : right_memory { /* never answers accesses in flight */
    bool was_reset = false;
    using right_memory::right_memory;
    void reset() override { was_reset = true; }
    void respond(unsigned socket, gp &p) override
    {
        if (!was_reset)
            right_memory::respond(socket, p);
    }
};
struct stays_in_reset : right_memory {
    bool was_reset = false;
    using right_memory::right_memory;
    void reset() override { was_reset = true; }
    tlm::tlm_response_status serve(gp &p) override
    {
        return was_reset ? tlm::TLM_GENERIC_ERROR_RESPONSE : right_memory::serve(p);
    }
};
struct answers_without_a_status : right_memory {
    bool was_reset = false;
    using right_memory::right_memory;
    void reset() override { was_reset = true; }
    void respond(unsigned socket, gp &p) override
    {
        if (was_reset)
            p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        right_memory::respond(socket, p);
    }
};

} // namespace walkway::test::breaking

#endif
