/* SPDX-License-Identifier: MIT */
/* tb/device/at_master.hpp - a four-phase master: one request at a time, with a memory manager, and each way
 * to take a response; and the same accesses for a device of either mode. */
#ifndef WW_TB_DEVICE_AT_MASTER_HPP
#define WW_TB_DEVICE_AT_MASTER_HPP

#include "tb/device/iommu_rig.hpp"

namespace walkway::test
{

/* A transaction with a memory manager, its data, and the times of its phases. */
struct at_access final : tlm::tlm_mm_interface {
    gp p{this};
    std::vector<unsigned char> data;
    sc_core::sc_time sent, granted, answered, ended;
    bool was_granted = false, was_answered = false;
    unsigned freed = 0;

    at_access(tlm::tlm_command command, uint64_t at, unsigned bytes, unsigned char fill = 0)
        : data(bytes, fill)
    {
        p.set_command(command);
        p.set_address(at);
        p.set_data_ptr(data.data());
        p.set_data_length(bytes);
        p.set_streaming_width(bytes);
        p.set_byte_enable_ptr(nullptr);
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        p.acquire();
    }
    access_attributes &with()
    {
        auto *e = new attributes_extension;
        p.set_auto_extension(e);
        return e->of;
    }
    sc_core::sc_time took() const { return answered - sent; }
    tlm::tlm_response_status status() const { return p.get_response_status(); }
    void free(gp *) override
    {
        ++freed;
        p.reset();
    }
};

class at_master
{
public:
    enum way : unsigned { completes, updates, updates_ahead, ends_in_call, ends_later, ways };
    unsigned how = completes;
    sc_core::sc_time keeps = ns(5); /* a response, if it ends later or is announced to */
    std::vector<at_access *> answers;

    explicit at_master(lt_master &socket) : socket_(socket)
    {
        socket_.on_phase = [this](gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) {
            return on_phase(p, phase, delay);
        };
        agenda_.start();
    }
    /* Sends now, or when the previous request has ended. */
    void send(at_access &a)
    {
        queue_.push_back(&a);
        pump();
    }
    bool quiet() const { return queue_.empty() && out_.empty(); }

private:
    void pump()
    {
        if (queue_.empty() || requesting_ != nullptr)
            return;
        at_access &a = *queue_.front();
        queue_.pop_front();
        requesting_ = &a;
        out_.push_back(&a);
        a.sent = sc_core::sc_time_stamp();
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        const tlm::tlm_sync_enum status = socket_.out->nb_transport_fw(a.p, phase, delay);
        BOOST_TEST(status == tlm::TLM_ACCEPTED);
    }
    at_access &of(gp &p)
    {
        const auto it =
            std::find_if(out_.begin(), out_.end(), [&p](const at_access *a) { return &a->p == &p; });
        BOOST_REQUIRE(it != out_.end());
        return **it;
    }
    tlm::tlm_sync_enum on_phase(gp &p, tlm::tlm_phase &phase, sc_core::sc_time &delay)
    {
        at_access &a = of(p);
        const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
        if (phase == tlm::END_REQ) {
            BOOST_TEST(requesting_ == &a);
            requesting_ = nullptr;
            a.granted = at;
            a.was_granted = true;
            agenda_.at(at, [this] { pump(); });
            return tlm::TLM_ACCEPTED;
        }
        BOOST_TEST(phase == tlm::BEGIN_RESP);
        BOOST_TEST((at >= free_at_));
        a.answered = at;
        a.was_answered = true;
        answers.push_back(&a);
        const unsigned w = how == ways ? next_++ % ways : how;
        if (w == ends_later)
            agenda_.at(at + keeps, [this, &a] { end(a); });
        if (w == ends_in_call)
            end(a);
        if (w == ends_later || w == ends_in_call)
            return tlm::TLM_ACCEPTED;
        if (w == updates_ahead)
            delay += keeps;
        over(a, delay);
        phase = tlm::END_RESP;
        return w == completes ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
    }
    void end(at_access &a)
    {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time none;
        a.p.acquire();
        socket_.out->nb_transport_fw(a.p, phase, none);
        over(a, none);
        a.p.release();
    }
    void over(at_access &a, const sc_core::sc_time &delay)
    {
        a.ended = free_at_ = sc_core::sc_time_stamp() + delay;
        out_.erase(std::find(out_.begin(), out_.end(), &a));
        agenda_.at(a.ended, [&a] { a.p.release(); }); /* not during the call with the response */
    }

    lt_master &socket_;
    at_agenda agenda_;
    std::deque<at_access *> queue_;
    std::vector<at_access *> out_;
    at_access *requesting_ = nullptr;
    sc_core::sc_time free_at_; /* when the previous response ends */
    unsigned next_ = 0;
};

inline iommu_device_params in_phases(iommu_device_params p = {})
{
    p.mode = static_cast<uint8_t>(transport_mode::at);
    return p;
}

/* A four-phase device between masters and a memory, with some pages of device 0. */
struct at_rig : iommu_rig {
    uint64_t root;
    std::vector<std::unique_ptr<at_master>> from;

    explicit at_rig(const iommu_device_params &p = {}, unsigned ports = 1) : iommu_rig(in_phases(p), ports)
    {
        for (unsigned i = 0; i < ports; ++i) {
            from.push_back(std::make_unique<at_master>(masters[i]));
            iommu.set_stream(i, 0);
        }
        settling = ns(1000);
        root = own_table(0, 7);
        map(root, 0x5000, data_pa);
        map(root, 0x6000, data_pa + 0x9000);
        map(root, 0x7000, data_pa + 0x3000, WW_AMD_IR);
        map(root, 0x400000, data_pa + 0x200000, WW_AMD_IR | WW_AMD_IW, 2);
        enable();
    }
    void ways(unsigned memory_way, unsigned master_way)
    {
        for (auto &f : fronts)
            f->how = memory_way;
        for (auto &m : from)
            m->how = master_way;
    }
    /* Sends one access alone, and runs until it has ended. */
    void one(at_access &a, unsigned port = 0)
    {
        from[port]->send(a);
        settle();
        BOOST_TEST(a.was_answered);
        BOOST_TEST(a.freed == 1u);
    }
    void warm(std::initializer_list<uint64_t> pages)
    {
        for (const uint64_t at : pages) {
            at_access a(tlm::TLM_READ_COMMAND, at, 4);
            one(a);
        }
    }
};

} // namespace walkway::test

#endif
