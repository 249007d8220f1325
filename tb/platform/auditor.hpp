/* SPDX-License-Identifier: MIT */
/* tb/platform/auditor.hpp - compares every completed translation with page tables; and programs for such
 * audits. */
#ifndef WW_TB_PLATFORM_AUDITOR_HPP
#define WW_TB_PLATFORM_AUDITOR_HPP

#include "tb/platform/apu_rig.hpp"

namespace walkway::test
{

/* `launches` times: eight work-groups of divergent rows, then `scattered` ones with accesses all over
 * `bytes`. */
inline trace_spec rows_and_scattered(unsigned launches, unsigned scattered = 20, uint64_t bytes = 2 << 20)
{
    trace_spec spec = row_major(8, 6, 4, 16384);
    const trace_spec more = scatter(scattered, 8, bytes, 30);
    for (const group_spec &g : more.launches[0].groups)
        spec.launches[0].groups.push_back(g);
    spec.launches.resize(launches, spec.launches[0]);
    return spec;
}

/* The program for tests of whole machines on other page tables: divergent rows, scattered accesses, and a
 * buffer so far away that no region of it is in a group of the others. */
inline const trace &rows_and_far()
{
    static const trace t([] {
        trace_spec spec = rows_and_scattered(2, 16, 4 << 20);
        spec.buffers[0].bytes += 4 << 20;
        return spec;
    }());
    return t;
}

struct auditor final : account_observer {
    const address_spaces &spaces;
    uint64_t seen = 0, absent = 0; /* whose page is in no table */
    uint64_t wrong = 0;
    std::map<uint64_t, std::map<uint16_t, uint64_t>> frames; /* by 4 KiB and VM-ID, as the tables have it */

    explicit auditor(const address_spaces &s) : spaces(s) {}
    void on_closed(const block &, const xlat_request &r, tick) override
    {
        ww_xlat expected{};
        const bool exists = spaces[r.vmid].translate(r.va, &expected);
        ++seen;
        absent += !exists;
        wrong +=
            exists == r.fault ||
            (exists && (r.result.page_pa != expected.page_pa || r.result.page_shift != expected.page_shift));
        if (exists)
            frames[r.va >> 12][r.vmid] = expected.page_pa;
    }
};

} // namespace walkway::test

#endif
