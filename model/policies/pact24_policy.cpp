/* SPDX-License-Identifier: MIT */
/* model/policies/pact24_policy.cpp - [P24 sections 2.1, 3.7] handles one fault at a time, fetches the
 * untouched pages of the aligned group of fetch_pages around it, and maps evicted pages in host memory. */
#include "kernels/bits.h"
#include "model/driver_policy.hpp"
#include "model/params/driver.hpp"

namespace walkway
{

namespace
{

class pact24 final : public driver_policy
{
public:
    explicit pact24(uint32_t together) : together_(together) {}
    region_served serve(const region_faults &of) override
    {
        region_served all;
        for (size_t page = 0; page < of.faulted.size(); ++page)
            for (size_t n = 0; of.faulted[page] && n < together_; ++n)
                all.come.set(page / together_ * together_ + n);
        return all;
    }
    uint32_t together(uint32_t) const override { return together_; }

private:
    uint32_t together_; /* pages */
};

class pact24_kind final : public driver_policy_kind
{
public:
    const char *text() const override
    {
        return "a fault at a time, and pages that leave are mapped in host memory, [P24]";
    }
    std::vector<policy_key> keys() const override
    {
        return {
            {"fetch_pages", "4 KiB pages", 1, WW_HASHED_PTES,
             "that come together at a fault, aligned; a power of two; a page that is larger comes alone"}};
    }
    std::string fault(const driver_params &p) const override
    {
        return ww_is_pow2(p.of_policy("fetch_pages")) ? "" : "fetch_pages is not a power of two";
    }
    std::unique_ptr<driver_policy> make(const driver_params &p, uint8_t page_shift) const override
    {
        const auto pages = static_cast<uint32_t>(p.of_policy("fetch_pages"));
        return std::make_unique<pact24>(in_pages(pages, page_shift));
    }
};

} // namespace

const driver_policy_kind &pact24_policy()
{
    static const pact24_kind kind;
    return kind;
}

} // namespace walkway
