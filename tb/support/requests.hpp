/* SPDX-License-Identifier: MIT */
/* tb/support/requests.hpp - payloads for module tests: translations whose account is checked when they
 * return, and whole-line memory transactions. */
#ifndef WW_TB_SUPPORT_REQUESTS_HPP
#define WW_TB_SUPPORT_REQUESTS_HPP

#include "model/address_space.hpp"
#include "model/common/mem.hpp"
#include "model/common/stats.hpp"
#include "model/common/xlat.hpp"
#include "tb/support/simulation.hpp"

namespace walkway::test
{

using xlat_requester = requester<xlat_protocol>;
using xlat_responder = responder<xlat_protocol>;
using mem_requester = requester<mem_protocol>;
using mem_responder = responder<mem_protocol>;

/* A page's translation for tests without a page table. */
inline ww_xlat invented(uint64_t va)
{
    return ww_xlat{(va & ~uint64_t{4095}) ^ (uint64_t{1} << 40), 12, WW_PERM_ALL};
}

class translations
{
public:
    /* Checks each answer that `top` receives: the causes add up to the latency, to the picosecond. */
    explicit translations(xlat_requester &top) : top_(top)
    {
        top.on_answer = [this](xlat_request &r, tick at) { prove(r, at); };
    }
    xlat_request &ask(uint64_t va, tick at, uint32_t instruction = 0, uint16_t cu = 0, uint16_t vmid = 0)
    {
        xlat_request &r = make(va, at, instruction, cu, vmid);
        top_.ask(r, at);
        return r;
    }
    xlat_request &make(uint64_t va, tick at, uint32_t instruction = 0, uint16_t cu = 0, uint16_t vmid = 0)
    {
        all_.emplace_back();
        xlat_request &r = all_.back();
        r.va = va;
        r.instruction = instruction;
        r.cu = cu;
        r.vmid = vmid;
        r.access = access_kind::read;
        r.start(at);
        return r;
    }
    uint64_t proved() const { return proved_; }

private:
    void prove(xlat_request &r, tick at)
    {
        r.charge(cause::response, at);
        tick sum = 0;
        r.each_segment([&](cause, tick ps) { sum += ps; });
        BOOST_TEST(sum == at - r.issued, "causes of 0x" << std::hex << r.va << std::dec << " add up to "
                                                        << sum << " ps, its latency is " << at - r.issued);
        BOOST_TEST(r.depth == 0, "a route is left over");
        ++proved_;
    }

    xlat_requester &top_;
    std::deque<xlat_request> all_;
    uint64_t proved_ = 0;
};

/* The request's time in the rows of that name, over all stages. */
inline tick spent(const xlat_request &r, const std::string &name)
{
    const auto names = account_names::here();
    const auto &rows = names->rows();
    BOOST_REQUIRE_MESSAGE(std::any_of(rows.begin(), rows.end(), [&](auto &row) { return row.name == name; }),
                          "no stage has a cause " << name);
    tick sum = 0;
    r.each_segment([&](cause c, tick ps) { sum += names->row_of(c).name == name ? ps : 0; });
    return sum;
}

/* A cause of a test's own block. */
inline cause cause_of(const block &b, const std::string &name)
{
    return b.names()->add(b.names()->add_track({&b, ""}), name, "of the test");
}

/* Answers translations in place of a level below the block, with invent()ed pages. */
inline void invent(xlat_responder &below)
{
    below.answer = [c = cause_of(below, "below")](xlat_request &r, tick at) {
        r.result = invented(r.va);
        r.fault = false;
        r.charge(c, at);
    };
}

/* Answers accesses from the store; M is mem_responder or foreign_memory. */
template <class M> void serve(M &below, memory_store &store)
{
    below.answer = [&store](tlm::tlm_generic_payload &p, auto...) {
        store.apply(p);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    below.on_debug = [&store](tlm::tlm_generic_payload &p) {
        store.apply(p);
        return p.get_data_length();
    };
}

/* A foreign transaction, from none of our pools. */
struct foreign_payload final : tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
    foreign_payload() : tlm_generic_payload(static_cast<tlm_mm_interface *>(this)) { acquire(); }

private:
    void free(tlm::tlm_generic_payload *p) override { p->reset(); }
};

/* The test's own lines; the destructor releases all of them. */
class lines
{
public:
    tlm::tlm_generic_payload &read(uint64_t pa) { return keep(pool_.read(pa)); }
    tlm::tlm_generic_payload &write(uint64_t pa) { return keep(pool_.write_data(pa)); }
    tlm::tlm_generic_payload &atomic(uint64_t pa)
    {
        mem_line &line = pool_.write_data(pa);
        line.ext.atomic = true;
        return keep(line);
    }
    bool holds(const tlm::tlm_generic_payload &p) const
    {
        return std::find(all_.begin(), all_.end(), &p) != all_.end();
    }
    ~lines()
    {
        for (mem_line *line : all_)
            line->release();
    }

private:
    tlm::tlm_generic_payload &keep(mem_line &line)
    {
        all_.push_back(&line);
        return line;
    }
    mem_pool pool_;
    std::vector<mem_line *> all_;
};

/* Statistics as text, to compare two moments or two runs. */
class stat_text final : public stat_visitor
{
public:
    std::map<std::string, std::string> all;

    template <class S> static std::map<std::string, std::string> of(const S &stats)
    {
        stat_text text;
        stats.visit(text);
        return text.all;
    }
    void begin(const std::string &group, const char *) override { path_.push_back(group); }
    void end() override { path_.pop_back(); }
    void count(const char *name, uint64_t value, const char *, const char *) override
    {
        all[full(name)] = std::to_string(value);
    }
    void real(const char *name, double value, const char *, const char *) override
    {
        all[full(name)] = std::to_string(value);
    }
    void hist(const char *name, const histogram &h, const char *, const char *) override
    {
        std::string text = std::to_string(h.count()) + " values, sum " + std::to_string(h.sum()) + ":";
        for (unsigned i = 0; i < histogram::buckets; ++i)
            if (h.bucket(i) != 0)
                text += " " + std::to_string(histogram::bucket_low(i)) + "*" + std::to_string(h.bucket(i));
        all[full(name)] = text;
    }

private:
    std::string full(const char *name) const
    {
        std::string text;
        for (const std::string &part : path_)
            text += part + ".";
        return text + name;
    }
    std::vector<std::string> path_;
};

} // namespace walkway::test

#endif
