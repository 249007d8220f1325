/* SPDX-License-Identifier: MIT */
/* platforms/levels/lds_tx_level.cpp - translations in the idle segments of local memory, one instance per
 * compute unit: docs/lds-translations.md. */
#include "model/params/lds.hpp"
#include "platforms/level.hpp"

namespace walkway
{

namespace
{

class lds_tx_level final : public level_of<lds_tx_params>
{
public:
    using level_of::level_of;
    std::unique_ptr<level> copy() const override { return std::make_unique<lds_tx_level>(*this); }
    const char *kind() const override { return "lds_tx"; }
    std::string plural() const override { return "translations in local memory"; }
    std::string text() const override { return "translations in each local memory"; }
    void visit(param_visitor &v) override { v.section(section().c_str(), text().c_str(), params); }
    std::string presence() const override { return section() + ".translations"; }
    bool present() const override { return params.present(); }
    uint32_t ports() const override { return 1; }
    uint32_t queue_entries() const override { return params.lent.queue_entries; }
    uint64_t wire_slots() const override { return params.lent.holds(); }
    bool lets_go() const override { return true; } /* always */
    bool lives_on_victims() const override { return true; }
    level_wants wants() const override
    {
        level_wants w;
        w.lds = true;
        return w;
    }
    void know(const level_facts &f) override
    {
        params.lent.page_sizes = f.page_sizes;
        params.bytes = f.lds->bytes;
        params.word_bytes = f.lds->word_bytes;
        params.banks = f.lds->banks;
    }
    std::string why_not_now() const override
    {
        return "local memory is a compute unit's, and there is none here";
    }
};

} // namespace

std::unique_ptr<level> make_lds_tx_level(const std::string &section)
{
    return std::make_unique<lds_tx_level>(section);
}

} // namespace walkway
