/* SPDX-License-Identifier: MIT */
/* tb/walk_unit/driver.cpp - plays cases of reference.py on our IOMMU: the same requests at the same cycles,
 * the same bytes of the page table, a memory of fixed latency. Writes what the reference writes, and every
 * counter:
 *
 *     walk_unit_driver [--late] CASE...     CASE's result goes to CASE.model
 *
 * --late: the memory announces an answer when it is due, not in advance when the read arrives. */
#include "model/address_space.hpp"
#include "tb/model/iommu_params.hpp"
#include "tb/support/block_numbers.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

using namespace walkway;
using namespace walkway::test;

namespace
{

const int silence = setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0); /* before libsystemc's main() */

struct asked {
    uint64_t cycle, va;
    uint16_t vm, cu;
    uint32_t instruction;
};

[[noreturn]] void refuse(const std::string &why)
{
    std::cerr << "walk_unit_driver: " << why << "\n";
    std::exit(2);
}

/* Sets the parameter with a given name. */
class setter final : public param_visitor
{
public:
    setter(std::string key, std::string value) : key_(std::move(key)), value_(std::move(value)) {}
    bool found = false;

    void begin(const char *, const char *) override {}
    void end() override {}
    void number(const char *name, uint64_t &value, const param_info &) override
    {
        if (name == key_)
            value = std::stoull(value_);
        found = found || name == key_;
    }
    void choice(const char *name, uint8_t &value, const choice_names &names, const param_info &) override
    {
        for (size_t i = 0; name == key_ && i < names.size(); ++i)
            if (value_ == names[i]) {
                value = static_cast<uint8_t>(i);
                found = true;
            }
    }
    void flag(const char *name, bool &value, const param_info &) override
    {
        if (name != key_)
            return;
        value = value_ == "true";
        found = value_ == "true" || value_ == "false";
    }

private:
    std::string key_, value_;
};

struct test_case {
    test::iommu_params unit;
    address_space_params space = numbers_of<address_space_params>();
    tick clock_ps = 0, memory_ps = 0;
    std::vector<std::pair<uint64_t, uint64_t>> words;
    std::vector<asked> requests;

    explicit test_case(const std::string &path)
    {
        std::ifstream in(path);
        if (!in)
            refuse(path + " cannot be read");
        unit.tlb.page_sizes = 0;
        for (std::string line; std::getline(in, line);)
            take(line);
        unit.walk.response_cycles = 0;                                   /* the TLBs count this */
        unit.tlb.queue_entries = static_cast<uint32_t>(requests.size()); /* arrivals never wait outside */
        if (!unit.validate().empty())
            refuse(path + ": " + unit.validate());
    }

private:
    void take(const std::string &line)
    {
        std::istringstream text(line);
        std::string key, word;
        text >> key;
        std::vector<uint64_t> n;
        const std::string rest = line.substr(key.size());
        while (text >> word)
            n.push_back(std::strtoull(word.c_str(), nullptr, 0));
        if (key == "word") {
            words.emplace_back(n.at(0), n.at(1));
        } else if (key == "request") {
            requests.push_back({n.at(0), n.at(1), static_cast<uint16_t>(n.at(2)),
                                static_cast<uint16_t>(n.at(3)), static_cast<uint32_t>(n.at(4))});
        } else if (key == "root") {
            space.table_pa = n.at(1); /* one table for every address space */
        } else if (key == "page_shifts") {
            for (const uint64_t shift : n)
                unit.tlb.page_sizes |= 1u << shift;
        } else if (key == "levels") {
            space.levels = static_cast<uint32_t>(n.at(0));
        } else if (key == "clock_ps" || key == "memory_ps") {
            (key == "clock_ps" ? clock_ps : memory_ps) = n.at(0);
        } else {
            setter one(key, word);
            unit.visit(one);
            if (!one.found)
                refuse("no parameter " + key + rest);
        }
    }
};

class requester final : public block, public initiator_of<xlat_protocol>
{
public:
    out_port<xlat_protocol> down;
    std::vector<xlat_request> requests;
    std::vector<tick> done;

    requester(const sc_core::sc_module_name &name, const clock_domain &clk, const std::vector<asked> &list)
        : block(name, clk), down("down", *this, *this), requests(list.size()), done(list.size(), never)
    {
        for (size_t i = 0; i < list.size(); ++i) {
            xlat_request &r = requests[i];
            r.va = list[i].va;
            r.vmid = list[i].vm;
            r.cu = list[i].cu;
            r.instruction = list[i].instruction;
            r.owner = static_cast<uint32_t>(i);
            r.access = access_kind::read;
            r.start(clk.cycles(list[i].cycle));
        }
        wake(0);
    }
    std::string waiting() const override { return ""; }

private:
    void step(tick) override
    {
        for (; sent_ < requests.size(); ++sent_)
            down.send(requests[sent_], requests[sent_].issued);
    }
    void on_response(xlat_request &r, tick at, unsigned) override
    {
        if (done[r.owner] != never)
            refuse("request " + std::to_string(r.owner) + " is answered twice");
        done[r.owner] = at;
        r.charge(cause::response, at);
    }
    size_t sent_ = 0;
};

/* Acts on every picosecond, not on clock edges. */
class memory final : public block, public target_of<mem_protocol>
{
public:
    in_port<mem_protocol> up;

    memory(const sc_core::sc_module_name &name, memory_store &store, tick latency, bool late)
        : block(name, clock_domain{1}), up("up", *this, *this, 1024), store_(store), latency_(latency),
          late_(late), ends_(clock())
    {
    }
    std::string waiting() const override { return ""; }

private:
    void step(tick now) override
    {
        for (tlm::tlm_generic_payload *p = nullptr; ends_.pop(now, p);)
            up.respond(*p, now);
        while (up.ready(now)) {
            tlm::tlm_generic_payload &p = up.front();
            up.pop();
            store_.read(p.get_address(), p.get_data_ptr(), p.get_data_length());
            p.set_response_status(tlm::TLM_OK_RESPONSE);
            if (late_)
                ends_.push(now + latency_, &p);
            else
                up.respond(p, now + latency_);
        }
        wake(ends_.next());
        wake(up.next());
    }
    unsigned debug(tlm::tlm_generic_payload &p) override
    {
        store_.read(p.get_address(), p.get_data_ptr(), p.get_data_length());
        return p.get_data_length();
    }

    memory_store &store_;
    tick latency_;
    bool late_;
    due_queue<tlm::tlm_generic_payload *> ends_;
};

/* Writes every counter as a line; of a histogram the number of values and their sum. */
class totals final : public stat_visitor
{
public:
    explicit totals(std::ostream &out) : out_(out) {}
    void begin(const std::string &, const char *) override {}
    void end() override {}
    void count(const char *name, uint64_t value, const char *, const char *) override
    {
        out_ << "total " << name << " " << value << "\n";
    }
    void real(const char *, double, const char *, const char *) override {}
    void hist(const char *name, const histogram &h, const char *, const char *) override
    {
        out_ << "total " << name << "_values " << h.count() << "\ntotal " << name << "_sum " << h.sum()
             << "\n";
    }

private:
    std::ostream &out_;
};

void write(std::ostream &out, const requester &top, tick period)
{
    for (size_t i = 0; i < top.requests.size(); ++i) {
        const xlat_request &r = top.requests[i];
        out << "request " << i;
        if (top.done[i] == never) {
            out << " is not answered\n";
            continue;
        }
        out << " cycle " << top.done[i] / period;
        if (r.fault)
            out << " fault :";
        else
            out << " page 0x" << std::hex << r.result.page_pa << std::dec << " "
                << unsigned{r.result.page_shift} << " r" << ((r.result.perm & WW_PERM_W) != 0 ? "w" : "-")
                << ((r.result.perm & WW_PERM_X) != 0 ? "x" : "-") << " :";
        const account_names &names = *top.names();
        for (size_t c = 1; c <= names.causes(); ++c) { /* the first cause is the last in time */
            const auto why = static_cast<cause>(c % names.causes());
            if (const tick ps = r.spent(why))
                out << " " << names.row_of(why).name << "=" << ps / period
                    << (ps % period != 0 ? " and a part" : "");
        }
        out << "\n";
    }
}

void play(const std::string &path, bool late)
{
    const auto context = std::make_unique<sc_core::sc_simcontext>();
    sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = context.get();
    const test_case c(path);
    memory_store store;
    const address_space space(c.space, {{0, 4096}}, store);
    for (uint32_t word = 0; word < space.table_nodes() * 512; ++word)
        store.dense()[word] = 0; /* the case has its own table */
    for (const auto &[pa, value] : c.words)
        store.write(pa, reinterpret_cast<const unsigned char *>(&value), sizeof value);

    const clock_domain clk{c.clock_ps};
    requester top("top", clk, c.requests);
    memory below("below", store, c.memory_ps, late); /* first: without latency it answers in the same cycle */
    iommu_tlb tlbs("iommu_tlb", clk, c.unit.tlb, 1);
    walk_unit dut("walk_unit", clk, c.unit.walk, space.table(), 1);
    top.down.bind(*tlbs.up[0]);
    tlbs.down.bind(*dut.up[0]);
    dut.mem.bind(below.up);
    sc_core::sc_start();

    std::ofstream out(path + ".model");
    write(out, top, c.clock_ps);
    if (dut.live() != 0 || !dut.waiting().empty() || !tlbs.waiting().empty())
        out << "at the end: " << tlbs.waiting() << " " << dut.waiting() << "\n";
    totals all(out);
    tlbs.visit(all, dut.now());
    dut.visit(all, dut.now());
    out.close();
    if (!out)
        refuse(path + ".model cannot be written");
}

} // namespace

int sc_main(int argc, char *argv[])
{
    static sc_core::sc_simcontext *const spare = new sc_core::sc_simcontext; /* always a context */
    bool late = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--late") == 0)
            late = true;
        else
            play(argv[i], late);
        sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = spare;
    }
    return silence;
}
