/* SPDX-License-Identifier: MIT */
/* tb/remote_port/peer_driver.cpp - one side of a session in a simulation, for peer_test.py. First word: the
 * peer's address. Second: "agent" (answers translations: 1 MiB from IOVA 0x10000 on is at 0x800000, its upper
 * half read only; then invalidates a page when a wire rises), "endpoint" (requests translations, reads and
 * writes, and raises a wire), or "ended" (makes the request that the third word names; when a wire rises
 * during it, its process is killed or reset, as the fourth word says; then requests a translation). A last
 * word "late": the simulation starts long after the greeting; "alone": it waits 1 s for its peer, else 20 s.
 * Prints what happens. */
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "remote_port/peer.hpp"

#include "kernels/base.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <tlm_utils/simple_target_socket.h>

using namespace walkway;

extern "C" [[noreturn]] void ww_assert_fail(const char *expr, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    std::abort();
}

namespace
{

constexpr uint64_t first_iova = 0x10000, region = 0x100000, first_pa = 0x800000;

void say(const char *what, uint64_t a = 0, uint64_t b = 0, uint64_t c = 0)
{
    std::printf("%s %llx %llx %llx\n", what, static_cast<unsigned long long>(a),
                static_cast<unsigned long long>(b), static_cast<unsigned long long>(c));
}

/* 4 KiB at 0. An access takes 100 ns; one at address `never` does not end. */
struct memory : sc_core::sc_module {
    tlm_utils::simple_target_socket<memory> up{"up"};
    static constexpr uint64_t never = 4000;
    sc_core::sc_event answers;
    unsigned char byte[4096] = {};
    explicit memory(const sc_core::sc_module_name &n) : sc_module(n)
    {
        up.register_b_transport(this, &memory::b);
    }
    void b(tlm::tlm_generic_payload &p, sc_core::sc_time &delay)
    {
        delay += sc_core::sc_time(100, sc_core::SC_NS);
        if (p.get_address() + p.get_data_length() > sizeof byte) {
            p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        if (p.get_address() == never)
            wait(answers);
        for (unsigned i = 0; i < p.get_data_length(); ++i) {
            if (p.get_byte_enable_ptr() != nullptr &&
                p.get_byte_enable_ptr()[i % p.get_byte_enable_length()] == 0)
                continue;
            unsigned char &here = byte[p.get_address() + i];
            (p.is_read() ? p.get_data_ptr()[i] : here) = p.is_read() ? here : p.get_data_ptr()[i];
        }
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

struct service : remote_port_service {
    sc_core::sc_event rises;
    remote_translation translate(uint32_t stream, uint64_t iova, uint64_t wanted) override
    {
        say("translate", stream, iova, wanted);
        if (iova < first_iova || iova >= first_iova + region)
            return {false, 0, 0, 0};
        const uint64_t off = iova - first_iova;
        const bool upper = off >= region / 2;
        return {true, first_pa + off, (upper ? region : region / 2) - off,
                WW_RP_ATS_READ | (upper ? 0 : WW_RP_ATS_WRITE)};
    }
    bool invalidate(uint32_t stream, uint64_t iova, uint64_t length) override
    {
        say("invalidate", stream, iova, length);
        return iova % 4096 == 0;
    }
    void interrupt(uint32_t stream, uint32_t line, bool value) override
    {
        say("interrupt", stream, line, value);
        if (value)
            rises.notify();
    }
    void ended(const std::string &why) override { std::printf("ended: %s\n", why.c_str()); }
};

/* The requests that one side makes. */
struct actor : sc_core::sc_module {
    SC_HAS_PROCESS(actor);
    remote_port_peer &port;
    service &mine;
    std::string what, how; /* the third and fourth word for "ended" */
    actor(const sc_core::sc_module_name &n, remote_port_peer &p, service &s,
          const std::vector<std::string> &role)
        : sc_module(n), port(p), mine(s)
    {
        if (role[0] == "endpoint") {
            SC_THREAD(endpoint_work);
        } else if (role[0] == "agent") {
            SC_THREAD(agent_work);
        } else {
            what = role.at(1);
            how = role.at(2);
            SC_THREAD(ended_work);
        }
    }
    void access(bool read, uint64_t address, const char *data, const char *enable = nullptr)
    {
        char bytes[16] = {};
        unsigned char enables[16];
        const auto count = static_cast<unsigned>(std::strlen(data));
        std::memcpy(bytes, data, count);
        tlm::tlm_generic_payload t;
        t.set_command(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
        t.set_address(address);
        t.set_data_ptr(reinterpret_cast<unsigned char *>(bytes));
        t.set_data_length(count);
        t.set_streaming_width(count);
        for (unsigned i = 0; enable != nullptr && i < count; ++i)
            enables[i] = enable[i] == '1' ? 0xff : 0;
        t.set_byte_enable_ptr(enable == nullptr ? nullptr : enables);
        t.set_byte_enable_length(enable == nullptr ? 0 : count);
        port.access(3, t, true);
        std::printf("%s %llx %s %s\n", read ? "read" : "wrote", static_cast<unsigned long long>(address),
                    bytes, t.get_response_string().c_str());
    }
    void endpoint_work()
    {
        for (const uint64_t iova : {first_iova + 8, first_iova + region / 2, first_iova + region}) {
            const remote_translation t = port.translate(21, iova, WW_RP_ATS_READ | WW_RP_ATS_WRITE);
            say(t.ok ? "translated" : "untranslated", t.pa, t.length, t.granted);
        }
        access(false, 0x100, "abcdefgh");
        access(false, 0x100, "ABCDEFGH", "10101010");
        access(true, 0x100, "????????");
        access(true, 0x100, "????????", "11110000");
        access(true, 0x10000, "????");
        std::printf("sync %d\n", port.sync(0));
        std::printf("wire %d\n", port.interrupt(1, 5, true));
    }
    void request()
    {
        std::printf("begins\n");
        if (what == "read")
            access(true, 0x100, "????????");
        else if (what == "translate" || what == "greeting")
            say("got", port.translate(7, first_iova, WW_RP_ATS_READ).pa);
        else if (what == "invalidate")
            port.invalidate(7, first_iova, 4096);
        else if (what == "interrupt")
            port.interrupt(7, 5, true);
        else
            port.sync(7);
        std::printf("done\n");
    }
    void ended_work()
    {
        sc_core::sc_process_handle victim =
            what == "serve" /* as by a framework that resets all processes of a module */
                ? sc_core::sc_process_handle(sc_core::sc_find_object("port.serve_accesses"))
                : sc_core::sc_spawn([this] { request(); });
        what == "greeting" ? wait(1, sc_core::SC_NS) : wait(mine.rises);
        how == "kill" ? victim.kill() : victim.reset();
        std::printf("ended\n");
        say("translated", port.translate(21, first_iova, WW_RP_ATS_READ).pa);
    }
    void agent_work()
    {
        wait(mine.rises);
        std::printf("dropped %d\n", port.invalidate(21, first_iova, 4096));
        std::printf("dropped %d\n", port.invalidate(21, first_iova + 1, 4096));
        sc_core::sc_stop();
    }
};

} // namespace

int sc_main(int argc, char *argv[])
{
    std::vector<std::string> role(argv + std::min(argc, 2), argv + argc);
    const bool late = !role.empty() && role.back() == "late", alone = !role.empty() && role.back() == "alone";
    if (late || alone)
        role.pop_back();
    if (role.size() != 1 && role.size() != 3)
        return 2;
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const remote_port_place place{argv[1], false};
    try {
        service mine;
        memory m("memory");
        remote_port_peer port("port", place, mine, alone ? 1.0 : 20.0);
        port.accesses.bind(m.up);
        actor work("actor", port, mine, role);
        if (late)
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
        sc_core::sc_start();
        say("time_ns", static_cast<uint64_t>(sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS)));
    } catch (const std::runtime_error &e) {
        std::printf("refused: %s\n", e.what());
        return 1;
    }
    return 0;
}
