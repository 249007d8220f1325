/* SPDX-License-Identifier: MIT */
/* Shared by the tests of the analysis: runs it on a made-up trace and frees its results. */
#ifndef WW_TB_ANALYSIS_FIXTURE_HPP
#define WW_TB_ANALYSIS_FIXTURE_HPP

#include "analysis/trace_pages.h"
#include "tb/support/traces.hpp"

namespace walkway::test
{

constexpr uint64_t page_bytes = 4096;

/* A load with a lane per entry of `vpns`; a lane reads its page's first word in the generators' buffer. */
inline wkt_record load_pages(const std::vector<uint64_t> &vpns)
{
    wkt_record r = record(WKT_LOAD);
    r.mask = vpns.size() == 64 ? UINT64_MAX : (uint64_t{1} << vpns.size()) - 1;
    for (size_t lane = 0; lane < vpns.size(); ++lane)
        r.va[lane] = buffer_va + vpns[lane] * page_bytes;
    return r;
}

inline ww_pages_cfg pages_cfg(uint8_t page_shift = 12, uint32_t waves = 320, uint32_t windows = 64)
{
    return {page_shift, windows, {waves, UINT32_MAX}};
}

class analysed
{
public:
    explicit analysed(wkt_reader *reader, const ww_pages_cfg &cfg = pages_cfg())
    {
        wkt_error error{};
        BOOST_REQUIRE_MESSAGE(ww_pages_open(reader, &cfg, &pages_, &error) == WKT_OK, error.text);
        int status = 1;
        while (status == 1)
            status = ww_pages_advance(pages_, 7, &error);
        BOOST_REQUIRE_MESSAGE(status == 0, error.text);
    }
    ~analysed() { ww_pages_close(pages_); }
    analysed(const analysed &) = delete;
    analysed &operator=(const analysed &) = delete;
    const ww_pages *get() const { return pages_; }
    const ww_pages_part &whole() const { return *ww_pages_whole(pages_); }
    const ww_pages_part &kernel(uint32_t i) const { return ww_pages_kernel(pages_, i)->part; }

private:
    ww_pages *pages_ = nullptr;
};

} // namespace walkway::test

#endif
