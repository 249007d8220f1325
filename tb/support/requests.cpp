/* SPDX-License-Identifier: MIT */
#include "tb/support/requests.hpp"

#include <algorithm>

namespace walkway::test
{

template class requester<xlat_protocol>;
template class responder<xlat_protocol>;
template class requester<mem_protocol>;
template class responder<mem_protocol>;
template void check_rows(simulation &, xlat_requester &, std::vector<row<xlat_protocol>>);
template void check_rows(simulation &, mem_requester &, std::vector<row<mem_protocol>>);

translations::translations(xlat_requester &top) : top_(top)
{
    top.on_answer = [this](xlat_request &r, tick at) { prove(r, at); };
}

xlat_request &translations::ask(uint64_t va, tick at, uint32_t instruction, uint16_t cu, uint16_t vmid)
{
    xlat_request &r = make(va, at, instruction, cu, vmid);
    top_.ask(r, at);
    return r;
}

xlat_request &translations::make(uint64_t va, tick at, uint32_t instruction, uint16_t cu, uint16_t vmid)
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

void translations::prove(xlat_request &r, tick at)
{
    r.charge(cause::response, at);
    tick sum = 0;
    r.each_segment([&](cause, tick ps) { sum += ps; });
    BOOST_TEST(sum == at - r.issued, "causes of 0x" << std::hex << r.va << std::dec << " add up to " << sum
                                                    << " ps, its latency is " << at - r.issued);
    BOOST_TEST(r.depth == 0, "a route is left over");
    ++proved_;
}

tick spent(const xlat_request &r, const std::string &name)
{
    const auto names = account_names::here();
    const auto &rows = names->rows();
    BOOST_REQUIRE_MESSAGE(std::any_of(rows.begin(), rows.end(), [&](auto &row) { return row.name == name; }),
                          "no stage has a cause " << name);
    tick sum = 0;
    r.each_segment([&](cause c, tick ps) { sum += names->row_of(c).name == name ? ps : 0; });
    return sum;
}

cause cause_of(const block &b, const std::string &name)
{
    return b.names()->add(b.names()->add_track({&b, ""}), name, "of the test");
}

void invent(xlat_responder &below)
{
    below.answer = [c = cause_of(below, "below")](xlat_request &r, tick at) {
        r.result = invented(r.va);
        r.fault = false;
        r.charge(c, at);
    };
}

tlm::tlm_generic_payload &lines::read(uint64_t pa)
{
    return keep(pool_.read(pa));
}

tlm::tlm_generic_payload &lines::write(uint64_t pa)
{
    return keep(pool_.write_data(pa));
}

tlm::tlm_generic_payload &lines::atomic(uint64_t pa)
{
    mem_line &line = pool_.write_data(pa);
    line.ext.atomic = true;
    return keep(line);
}

bool lines::holds(const tlm::tlm_generic_payload &p) const
{
    return std::find(all_.begin(), all_.end(), &p) != all_.end();
}

lines::~lines()
{
    for (mem_line *line : all_)
        line->release();
}

tlm::tlm_generic_payload &lines::keep(mem_line &line)
{
    all_.push_back(&line);
    return line;
}

void stat_text::begin(const std::string &group, const char *)
{
    path_.push_back(group);
}

void stat_text::end()
{
    path_.pop_back();
}

void stat_text::count(const char *name, uint64_t value, const char *, const char *)
{
    all[full(name)] = std::to_string(value);
}

void stat_text::real(const char *name, double value, const char *, const char *)
{
    all[full(name)] = std::to_string(value);
}

void stat_text::hist(const char *name, const histogram &h, const char *, const char *)
{
    std::string text = std::to_string(h.count()) + " values, sum " + std::to_string(h.sum()) + ":";
    for (unsigned i = 0; i < histogram::buckets; ++i)
        if (h.bucket(i) != 0)
            text += " " + std::to_string(histogram::bucket_low(i)) + "*" + std::to_string(h.bucket(i));
    all[full(name)] = text;
}

std::string stat_text::full(const char *name) const
{
    std::string text;
    for (const std::string &part : path_)
        text += part + ".";
    return text + name;
}

} // namespace walkway::test
