/* SPDX-License-Identifier: MIT */
/* tb/support/base_protocol.cpp - what the checkers of one test share: violations, references and the image of
 * a transaction. */
#include "tb/support/base_protocol_checker.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>

namespace walkway::test
{

using gp = tlm::tlm_generic_payload;

/* free() is called when the payload's last reference is released or the payload is destroyed. */
struct base_protocol::witness final : tlm::tlm_extension<witness> {
    base_protocol *rules;
    gp *p;
    int references;
    std::string where;

    witness(base_protocol *r, gp *of) : rules(r), p(of), references(0) {}
    tlm_extension_base *clone() const override { return nullptr; } /* a copy is another transaction */
    void copy_from(const tlm_extension_base &) override {}
    void free() override
    {
        if (rules != nullptr) {
            rules->witnesses_.erase(this);
            if (rules->outlives)
                rules->kept(*this);
            rules->returned(*p);
        }
        delete this;
    }
};

std::function<void(const std::string &)> base_protocol::complain = [](const std::string &text) {
    BOOST_ERROR(text);
};

bool base_protocol::interposed = std::getenv("WALKWAY_BASE_PROTOCOL") != nullptr;

base_protocol::base_protocol() = default;

base_protocol::~base_protocol()
{
    finish();
    if (!violations_.empty())
        complain("base protocol, rule " + std::to_string(violations_[0].rule) + ": " + violations_[0].what +
                 "; " + std::to_string(violations_.size()) + " violations in all");
    for (witness *w : witnesses_)
        w->rules = nullptr;
}

base_protocol_checker &base_protocol::new_hop()
{
    const std::string name = "rules_" + std::to_string(hops_.size());
    hops_.push_back(std::make_unique<base_protocol_checker>(name.c_str(), *this));
    return *hops_.back();
}

void base_protocol::report(unsigned rule, const std::string &where, const std::string &what)
{
    violations_.push_back({rule, where + ", " + now().to_string() + ": " + what});
}

void base_protocol::watch(gp &p)
{
    witness *w = p.get_extension<witness>();
    if (w == nullptr) {
        w = new witness(this, &p);
        p.set_auto_extension(w);
    }
    w->rules = this;
    w->references = p.get_ref_count();
    witnesses_.insert(w);
}

void base_protocol::returned(gp &p)
{
    const auto known = journeys_.find(&p);
    if (known == journeys_.end())
        return;
    for (base_protocol_checker *hop : known->second.seen_by) {
        auto &entry = hop->all_[&p];
        if (entry.now == base_protocol_checker::state::idle)
            continue;
        entry.returned = true;
        if (!entry.nested)
            hop->breaks(p, 6, "the last reference was given back before the end of the transaction");
    }
}

/* Rule 6 at the end of the test. */
void base_protocol::kept(const witness &w)
{
    journey &j = journeys_[w.p];
    if (j.broken || !j.path.empty())
        return; /* already reported, or in progress when the run ended */
    const int by_test = held_ && held_(*w.p) ? w.references : 0;
    j.broken = w.p->get_ref_count() > by_test;
    if (j.broken)
        report(6, j.first,
               std::to_string(w.p->get_ref_count() - by_test) + " references were not given back");
}

void base_protocol::finish()
{
    for (const witness *w : witnesses_)
        kept(*w);
}

std::vector<base_protocol::place> base_protocol::places() const
{
    std::vector<place> all;
    for (const auto &hop : hops_)
        all.push_back({hop->from_, hop->to_, hop->begun_});
    return all;
}

base_protocol_checker::image::image(const gp &p)
    : command(p.get_command()), address(p.get_address()), data(p.get_data_ptr()),
      enables(p.get_byte_enable_ptr()), length(p.get_data_length()),
      enable_length(p.get_byte_enable_length()), streaming(p.get_streaming_width())
{
    if (p.is_write() && data != nullptr)
        bytes.assign(data, data + length);
    if (enables != nullptr)
        mask.assign(enables, enables + enable_length);
}

std::string base_protocol_checker::image::differs(const image &o) const
{
    const std::pair<bool, const char *> all[] = {{command != o.command, "command"},
                                                 {data != o.data, "data pointer"},
                                                 {length != o.length, "data length"},
                                                 {enables != o.enables, "byte enable pointer"},
                                                 {enable_length != o.enable_length, "byte enable length"},
                                                 {streaming != o.streaming, "streaming width"},
                                                 {bytes != o.bytes, "data of a write"},
                                                 {mask != o.mask, "byte enables"}};
    for (const auto &[is, what] : all)
        if (is)
            return what;
    return "";
}

std::string base_protocol_checker::image::changed(const gp &p) const
{
    return differs(image(p));
}

} // namespace walkway::test
