/* SPDX-License-Identifier: MIT */
/* platforms/levels/lds_tx_level.cpp - translations in the idle segments of local memory, one instance per
 * compute unit: docs/model/lds-translations.md. */
#include "model/params/lds.hpp"
#include "platforms/level_ways.hpp"

namespace walkway
{

namespace
{

class lds_tx_level final : public lent_level<lds_tx_params>
{
public:
    using lent_level::lent_level;
    std::unique_ptr<level> copy() const override { return std::make_unique<lds_tx_level>(*this); }
    const char *kind() const override { return "lds_tx"; }
    const char *sentence() const override { return "translations in idle segments of local memory"; }
    std::string plural() const override { return "translations in local memory"; }
    std::string text() const override { return "translations in each local memory"; }
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

protected:
    void visit_order(param_visitor &) override {} /* an instance has one requester */
};

} // namespace

std::unique_ptr<level> make_lds_tx_level(const std::string &section)
{
    return std::make_unique<lds_tx_level>(section);
}

} // namespace walkway
