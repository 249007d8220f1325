/* SPDX-License-Identifier: MIT */
/* model/port_translator.hpp - translate_now() of the target below a port: the translator of a block of ours,
 * or the debug transport of a foreign target, which has no commit and takes no time. */
#ifndef WALKWAY_MODEL_PORT_TRANSLATOR_HPP
#define WALKWAY_MODEL_PORT_TRANSLATOR_HPP

#include "model/common/link.hpp"
#include "model/common/xlat.hpp"
#include "translate/translator.hpp"

namespace walkway
{

class port_translator final : public translator
{
public:
    explicit port_translator(out_port<xlat_protocol> &port) : port_(port) {}
    now_answer translate_now(const now_request &r, tick t, now_how how) override
    {
        if (translator *one = below())
            return one->translate_now(r, t, how);
        xlat_request p{};
        p.va = r.va;
        p.vmid = r.vmid;
        const bool answered = port_->transport_dbg(p) != 0;
        return {p.result, p.fault || !answered, t};
    }
    bool fill_now(const ww_mapping &page) override
    {
        translator *one = below();
        return one != nullptr && one->fill_now(page);
    }
    void forget_now(const ww_inval_scope &scope) override
    {
        if (translator *one = below())
            one->forget_now(scope);
    }

private:
    translator *below() const
    {
        const serving_end *to = port_.target();
        return to == nullptr ? nullptr : to->translates();
    }
    out_port<xlat_protocol> &port_;
};

/* Debug transport: translates without side effect. */
inline unsigned debug_by(translator &t, xlat_request &r, tick now)
{
    const now_answer a = t.translate_now({r.va, r.vmid}, now, now_how::look);
    r.fault = a.fault;
    if (!a.fault)
        r.result = a.xlat;
    return 1;
}

} // namespace walkway

#endif
