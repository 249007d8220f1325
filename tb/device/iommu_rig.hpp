/* SPDX-License-Identifier: MIT */
/* tb/device/iommu_rig.hpp - a foreign platform around the IOMMU: masters, a memory of bytes with a latency of
 * its own, an interrupt line; and the software that fills device table, page tables and command buffer. */
#ifndef WW_TB_DEVICE_IOMMU_RIG_HPP
#define WW_TB_DEVICE_IOMMU_RIG_HPP

#include "device/at_agenda.hpp"
#include "device/iommu_device.hpp"
#include "kernels/table/amd_pte.h"
#include "tb/device/tlb_device.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/simulation.hpp"
#include "tb/support/zeroed_bytes.hpp"

#include <cstring>
#include <map>

namespace walkway::test
{

using gp = tlm::tlm_generic_payload;

inline sc_core::sc_time ns(double n)
{
    return sc_core::sc_time(n, sc_core::SC_NS);
}

/* Bytes [first, first + size), DMI on all of them; anything else is an address error. */
struct byte_memory : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    sc_core::sc_vector<tlm::tlm_target_socket<32>> up;
    zeroed_bytes bytes;
    sc_core::sc_time latency = ns(20);
    uint64_t first = 0;
    uint64_t bad_first = UINT64_MAX, bad_last = 0; /* refused */
    unsigned takes = UINT32_MAX;                   /* bytes at a time */
    uint64_t accesses = 0, debugged = 0;
    std::vector<std::pair<uint64_t, unsigned>> seen; /* address and length of each access */
    sc_core::sc_time latest;                         /* annotated to an access at its arrival */
    std::function<void(gp &)> before, after;         /* of each access */
    bool gives_dmi = true, tells_refusal = false;    /* reports the addresses that it refuses */
    uint64_t dmi_first = 0, dmi_last = UINT64_MAX;
    tlm::tlm_dmi::dmi_access_e dmi_access = tlm::tlm_dmi::DMI_ACCESS_READ_WRITE;
    std::function<void()> on_dmi;

    byte_memory(const sc_core::sc_module_name &n, unsigned ports, uint64_t size = 1 << 24)
        : sc_module(n), up("up", ports), bytes(size)
    {
        for (auto &s : up)
            s.bind(*this);
    }
    bool serve(gp &p)
    {
        const uint64_t at = p.get_address() - first;
        const unsigned n = p.get_data_length();
        if (n > takes) {
            p.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
            return false;
        }
        if (n > bytes.size() || at > bytes.size() - n || (at <= bad_last && bad_first < at + n)) {
            p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return false;
        }
        const unsigned width = p.get_streaming_width();
        for (unsigned i = 0; i < n; ++i) {
            const unsigned char *be = p.get_byte_enable_ptr();
            if (be != nullptr && be[i % p.get_byte_enable_length()] != TLM_BYTE_ENABLED)
                continue;
            if (p.is_read())
                p.get_data_ptr()[i] = bytes[at + i % width];
            else if (p.is_write())
                bytes[at + i % width] = p.get_data_ptr()[i];
        }
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        return true;
    }
    void b_transport(gp &p, sc_core::sc_time &delay) override
    {
        ++accesses;
        seen.push_back({p.get_address(), p.get_data_length()});
        latest = std::max(latest, delay);
        if (before)
            before(p);
        delay += latency;
        p.set_dmi_allowed(serve(p) && gives_dmi);
        if (after)
            after(p);
    }
    unsigned transport_dbg(gp &p) override
    {
        ++debugged;
        return serve(p) ? p.get_data_length() : 0;
    }
    bool get_direct_mem_ptr(gp &p, tlm::tlm_dmi &dmi) override
    {
        if (on_dmi)
            on_dmi();
        const bool reads_only = dmi_access == tlm::tlm_dmi::DMI_ACCESS_READ;
        const bool gives =
            gives_dmi && p.get_address() - first < bytes.size() && !(p.is_write() && reads_only);
        if (!gives && !tells_refusal)
            return false;
        const uint64_t last = std::min<uint64_t>(dmi_last, bytes.size() - 1);
        dmi.set_start_address(first + dmi_first);
        dmi.set_end_address(first + last);
        if (!gives)
            return false;
        dmi.set_dmi_ptr(bytes.data() + dmi_first);
        dmi.set_granted_access(dmi_access);
        dmi.set_read_latency(latency);
        dmi.set_write_latency(latency);
        return true;
    }
    tlm::tlm_sync_enum nb_transport_fw(gp &, tlm::tlm_phase &, sc_core::sc_time &) override
    {
        return tlm::TLM_COMPLETED;
    }
    template <class T> T get(uint64_t at) const
    {
        T t;
        std::memcpy(&t, &bytes[at], sizeof t);
        return t;
    }
    void put(uint64_t at, uint64_t value) { std::memcpy(&bytes[at], &value, 8); }
};

struct lt_master final : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    tlm::tlm_initiator_socket<32> out{"out"};
    std::vector<std::pair<uint64_t, uint64_t>> revoked;
    std::function<void()> on_revoked;
    std::function<tlm::tlm_sync_enum(gp &, tlm::tlm_phase &, sc_core::sc_time &)> on_phase;

    explicit lt_master(const sc_core::sc_module_name &n) : sc_module(n) { out.bind(*this); }
    tlm::tlm_sync_enum nb_transport_bw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        return on_phase ? on_phase(p, phase, delay) : tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override
    {
        revoked.push_back({first, last});
        if (on_revoked)
            on_revoked();
    }
};

/* A four-phase port of the memory: each transaction is answered after the memory's latency, in one of the
 * ways that the base protocol allows a target. */
struct at_front final : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    enum way : unsigned {
        completed,       /* in the requesting call */
        updated,         /* the same as BEGIN_RESP; END_RESP follows */
        granted,         /* END_REQ in the return value, BEGIN_RESP later */
        granted_ahead,   /* the same, with the time at which the next request may arrive */
        granted_in_call, /* END_REQ as a call within the requesting one */
        granted_late,    /* END_REQ later, BEGIN_RESP later still */
        implied,         /* BEGIN_RESP later, which is also END_REQ */
        answered_in_call,
        ways
    };
    tlm::tlm_target_socket<32> up{"up"};
    byte_memory &memory;
    unsigned how = granted; /* ways: each transaction in another way */
    sc_core::sc_time grant_after = ns(3);
    std::function<sc_core::sc_time(const gp &)> more_latency;
    uint64_t taken[ways] = {};

    at_front(const sc_core::sc_module_name &n, byte_memory &m) : sc_module(n), memory(m) { up.bind(*this); }
    tlm::tlm_sync_enum nb_transport_fw(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase == tlm::END_RESP) {
            BOOST_TEST(open_ == &p);
            close();
            return tlm::TLM_COMPLETED;
        }
        BOOST_TEST(phase == tlm::BEGIN_REQ);
        BOOST_TEST((sc_core::sc_time_stamp() + delay >= free_at_));
        unsigned w = how == ways ? next_++ % ways : how;
        if ((w == updated || w == answered_in_call) && open_ != nullptr)
            w = granted;
        ++taken[w];
        sc_core::sc_time took = more_latency ? more_latency(p) : sc_core::SC_ZERO_TIME;
        memory.b_transport(p, took);
        if (w == completed || w == updated) {
            delay += took;
            phase = tlm::BEGIN_RESP;
            if (w == completed)
                return tlm::TLM_COMPLETED;
            p.acquire();
            open_ = &p;
            return tlm::TLM_UPDATED;
        }
        p.acquire();
        if (w == answered_in_call) {
            respond(p, delay + took);
            return tlm::TLM_ACCEPTED;
        }
        agenda_.at(sc_core::sc_time_stamp() + delay + took,
                   [this, &p] { respond(p, sc_core::SC_ZERO_TIME); });
        if (w == granted_in_call)
            grant(p);
        if (w == granted_late)
            agenda_.at(sc_core::sc_time_stamp() + delay + grant_after, [this, &p] { grant(p); });
        if (w != granted && w != granted_ahead)
            return tlm::TLM_ACCEPTED;
        if (w == granted_ahead)
            delay += grant_after;
        free_at_ = sc_core::sc_time_stamp() + delay;
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void b_transport(gp &p, sc_core::sc_time &delay) override { memory.b_transport(p, delay); }
    unsigned transport_dbg(gp &p) override { return memory.transport_dbg(p); }
    bool get_direct_mem_ptr(gp &p, tlm::tlm_dmi &dmi) override { return memory.get_direct_mem_ptr(p, dmi); }

private:
    void grant(gp &p)
    {
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time none;
        up->nb_transport_bw(p, phase, none);
    }
    void respond(gp &p, sc_core::sc_time delay)
    {
        if (open_ != nullptr) { /* one response at a time */
            waiting_.push_back(&p);
            return;
        }
        open_ = &p;
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        const tlm::tlm_sync_enum status = up->nb_transport_bw(p, phase, delay);
        if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
            close();
    }
    void close()
    {
        open_->release();
        open_ = nullptr;
        if (waiting_.empty())
            return;
        gp &p = *waiting_.front();
        waiting_.pop_front();
        agenda_.at(sc_core::sc_time_stamp(), [this, &p] { respond(p, sc_core::SC_ZERO_TIME); });
    }
    void end_of_elaboration() override { agenda_.start(); }

    at_agenda agenda_;
    gp *open_ = nullptr; /* BEGIN_RESP without END_RESP */
    sc_core::sc_time free_at_;
    std::deque<gp *> waiting_;
    unsigned next_ = 0;
};

/* A transaction with its data and its results. */
struct transaction {
    gp p;
    std::vector<unsigned char> data;
    attributes_extension extension;
    sc_core::sc_time delay;

    transaction(tlm::tlm_command command, uint64_t at, unsigned bytes, unsigned char fill = 0)
        : data(bytes, fill)
    {
        p.set_command(command);
        p.set_address(at);
        p.set_data_ptr(data.data());
        p.set_data_length(bytes);
        p.set_streaming_width(bytes);
        p.set_byte_enable_ptr(nullptr);
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    }
    ~transaction() { p.clear_extension(&extension); }
    access_attributes &with()
    {
        p.set_extension(&extension);
        return extension.of;
    }
    access_attributes &with_pasid(uint32_t device, uint32_t pasid)
    {
        with().stream_id = device;
        with().has_pasid = true;
        with().pasid = pasid;
        return with();
    }
};

struct iommu_rig {
    static constexpr uint64_t devtab_pa = 0x10000, commands_pa = 0x20000, events_pa = 0x30000,
                              ppr_pa = 0x38000, tables_pa = 0x100000, data_pa = 0x800000;
    simulation sim;
    iommu_device<32> iommu;
    byte_memory memory;
    sc_core::sc_vector<lt_master> masters;
    lt_master cpu;
    std::vector<std::unique_ptr<at_front>>
        fronts; /* of a device in four phases; the last one is the walker's */
    std::vector<std::unique_ptr<tlb_device>>
        devices; /* with TLBs of their own, one per port, when requested */
    sc_core::sc_time settling = ns(1);
    sc_core::sc_signal<bool> irq{"irq"}, rst{"rst"};
    base_protocol rules; /* checks the links above */
    uint64_t next_node = tables_pa;
    uint64_t tail = 0;

    /* Makes the initiator of a port's accesses, instead of a master. */
    using initiator_fn = std::function<tlm::tlm_initiator_socket<32> &(unsigned port)>;

    explicit iommu_rig(const iommu_device_params &p = {}, unsigned ports = 1, bool with_tlbs = false,
                       const initiator_fn &make = {})
        : iommu("iommu", ports, p), memory("memory", phases(p) ? 0 : ports + 1),
          masters("master", make ? 0 : ports), cpu("cpu")
    {
        for (unsigned i = 0; phases(p) && i <= ports; ++i)
            fronts.push_back(std::make_unique<at_front>(("front_" + std::to_string(i)).c_str(), memory));
        for (unsigned i = 0; i < ports; ++i) {
            rules.bind(make ? make(i) : masters[i].out, iommu.up[i]);
            rules.bind(iommu.down[i], phases(p) ? fronts[i]->up : memory.up[i]);
        }
        for (unsigned i = 0; with_tlbs && i < ports; ++i) {
            devices.push_back(std::make_unique<tlb_device>(("device_" + std::to_string(i)).c_str()));
            rules.bind(devices[i]->asks, iommu.ats_req[i]);
            rules.bind(devices[i]->pages, iommu.pri_req[i]);
            rules.bind(iommu.ats_inv[i], devices[i]->forgets);
            rules.bind(iommu.pri_resp[i], devices[i]->hears);
        }
        rules.bind(iommu.walker, phases(p) ? fronts[ports]->up : memory.up[ports]);
        rules.bind(cpu.out, iommu.registers);
        iommu.interrupt.bind(irq);
        iommu.rst.bind(rst);
        settle();
    }
    static bool phases(const iommu_device_params &p)
    {
        return static_cast<transport_mode>(p.mode) == transport_mode::at;
    }
    /* Runs until the IOMMU has nothing to do by itself; in four phases its own accesses take time. */
    void settle() { sc_core::sc_start(settling); }

    void write(uint32_t offset, uint64_t value)
    {
        transaction t(tlm::TLM_WRITE_COMMAND, offset, 8);
        std::memcpy(t.data.data(), &value, 8);
        cpu.out->b_transport(t.p, t.delay);
        BOOST_TEST(t.p.is_response_ok());
        settle();
    }
    /* Writes from within an access of the IOMMU to memory, as if the memory were the register file. */
    void write_within(uint32_t offset, uint64_t value)
    {
        transaction t(tlm::TLM_WRITE_COMMAND, offset, 8);
        std::memcpy(t.data.data(), &value, 8);
        const_cast<iommu_core &>(iommu.core()).register_access(t.p);
    }
    uint64_t read(uint32_t offset)
    {
        transaction t(tlm::TLM_READ_COMMAND, offset, 8);
        cpu.out->b_transport(t.p, t.delay);
        BOOST_TEST(t.p.is_response_ok());
        uint64_t value;
        std::memcpy(&value, t.data.data(), 8);
        return value;
    }

    /* For memory.before or memory.after: accesses to [first, end) take 50 ns. */
    static std::function<void(gp &)> slow(uint64_t first, uint64_t end)
    {
        return [first, end](gp &p) {
            if (p.get_address() >= first && p.get_address() < end)
                sc_core::wait(ns(50));
        };
    }

    /* As a driver does at its start: 256 commands, 256 events, all interrupts, then enabled. */
    void enable(uint64_t more_control = 0)
    {
        write(0x00, devtab_pa | 15);
        write(0x08, commands_pa | UINT64_C(8) << 56);
        write(0x10, events_pa | UINT64_C(8) << 56);
        write(0x18, 0x1101d | more_control);
        tail = 0;
    }
    void device_entry(uint32_t device, uint64_t word0, uint64_t word1)
    {
        memory.put(devtab_pa + device * 32, word0);
        memory.put(devtab_pa + device * 32 + 8, word1);
    }
    uint64_t new_node()
    {
        const uint64_t pa = next_node;
        next_node += 4096;
        return pa;
    }
    /* Gives a device a three-level table of its own; returns its root. */
    uint64_t own_table(uint32_t device, uint16_t domain, uint64_t more1 = 0)
    {
        const uint64_t root = new_node();
        device_entry(device, root | UINT64_C(3) << 9 | 3 | WW_AMD_IR | WW_AMD_IW, domain | more1);
        return root;
    }
    /* Maps a page of a level (1: 4 KiB, 2: 2 MiB) in a three-level table. */
    void map(uint64_t root, uint64_t va, uint64_t pa, uint64_t rights = WW_AMD_IR | WW_AMD_IW,
             uint32_t level = 1)
    {
        uint64_t node = root;
        for (uint32_t l = 3; l > level; --l) {
            const uint64_t at = node + ww_index(va, l) * 8;
            if (memory.get<uint64_t>(at) == 0)
                memory.put(at, ww_amd_table_entry(new_node(), l - 1));
            node = memory.get<uint64_t>(at) & WW_AMD_ADDR;
        }
        memory.put(node + ww_index(va, level) * 8, pa | WW_AMD_PR | rights);
    }
    /* A PASID's table under a one-level GCR3 table: a four-level root, as processors use it. */
    uint64_t gcr3_table(uint32_t device, uint16_t domain)
    {
        const uint64_t gcr3 = new_node();
        device_entry(device,
                     3 | WW_AMD_IR | WW_AMD_IW | WW_DTE_GV | ww_bits_put(WW_DTE_GCR3_A, 0, gcr3 >> 12 & 7),
                     domain | ww_bits_put(WW_DTE_GCR3_B, 0, gcr3 >> 15 & 0xffff));
        return gcr3;
    }
    uint64_t pasid_table(uint64_t gcr3, uint32_t pasid)
    {
        const uint64_t root = new_node();
        memory.put(gcr3 + pasid * 8, root | 1);
        return root;
    }
    void map_x86(uint64_t root, uint64_t va, uint64_t pa, uint64_t flags)
    {
        uint64_t node = root;
        for (uint32_t l = 4; l > 1; --l) {
            const uint64_t at = node + ww_index(va, l) * 8;
            if (memory.get<uint64_t>(at) == 0)
                memory.put(at, new_node() | 7);
            node = memory.get<uint64_t>(at) & WW_AMD_ADDR;
        }
        memory.put(node + ww_index(va, 1) * 8, pa | flags);
    }

    void command(uint64_t word0, uint64_t word1 = 0)
    {
        memory.put(commands_pa + tail, word0);
        memory.put(commands_pa + tail + 8, word1);
        tail = (tail + 16) & 0xfff;
        write(0x2008, tail);
    }
    static uint64_t opcode(uint64_t n) { return n << 60; }
    void inval_pages(uint16_t domain, uint64_t va)
    {
        command(opcode(3) | uint64_t{domain} << 32, va & ~UINT64_C(0xfff));
    }
    void inval_devtab(uint16_t device) { command(opcode(2) | device); }
    void inval_all() { command(opcode(8)); }

    void access(transaction &t, unsigned port = 0)
    {
        masters[port].out->b_transport(t.p, t.delay);
        settle();
    }
    struct event {
        uint64_t word0, word1;
        unsigned code() const { return static_cast<unsigned>(word0 >> 60); }
    };
    /* Removes the entries of the log, as a driver does. */
    std::vector<event> events() { return entries(0x2010, events_pa); }
    std::vector<event> page_requests() { return entries(0x2030, ppr_pa); }
    std::vector<event> entries(uint32_t head_at, uint64_t log_pa)
    {
        std::vector<event> all;
        uint64_t head = read(head_at);
        for (const uint64_t end = read(head_at + 8); head != end; head = (head + 16) & 0xfff)
            all.push_back({memory.get<uint64_t>(log_pa + head), memory.get<uint64_t>(log_pa + head + 8)});
        write(head_at, head);
        return all;
    }
};

} // namespace walkway::test

#endif
