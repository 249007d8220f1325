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
    explicit translations(xlat_requester &top);
    xlat_request &ask(uint64_t va, tick at, uint32_t instruction = 0, uint16_t cu = 0, uint16_t vmid = 0);
    xlat_request &make(uint64_t va, tick at, uint32_t instruction = 0, uint16_t cu = 0, uint16_t vmid = 0);
    uint64_t proved() const { return proved_; }

private:
    void prove(xlat_request &r, tick at);

    xlat_requester &top_;
    std::deque<xlat_request> all_;
    uint64_t proved_ = 0;
};

/* The request's time in the rows of that name, over all stages. */
tick spent(const xlat_request &r, const std::string &name);

/* A cause of a test's own block. */
cause cause_of(const block &b, const std::string &name);

/* Answers translations in place of a level below the block, with invent()ed pages. */
void invent(xlat_responder &below);

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
    tlm::tlm_generic_payload &read(uint64_t pa);
    tlm::tlm_generic_payload &write(uint64_t pa);
    tlm::tlm_generic_payload &atomic(uint64_t pa);
    bool holds(const tlm::tlm_generic_payload &p) const;
    ~lines();

private:
    tlm::tlm_generic_payload &keep(mem_line &line);
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
    void begin(const std::string &group, const char *) override;
    void end() override;
    void count(const char *name, uint64_t value, const char *, const char *) override;
    void real(const char *name, double value, const char *, const char *) override;
    void hist(const char *name, const histogram &h, const char *, const char *) override;

private:
    std::string full(const char *name) const;
    std::vector<std::string> path_;
};

/* Instantiated in requests.cpp, once for all tests. */
extern template class requester<xlat_protocol>;
extern template class responder<xlat_protocol>;
extern template class requester<mem_protocol>;
extern template class responder<mem_protocol>;
extern template void check_rows(simulation &, xlat_requester &, std::vector<row<xlat_protocol>>);
extern template void check_rows(simulation &, mem_requester &, std::vector<row<mem_protocol>>);

} // namespace walkway::test

#endif
