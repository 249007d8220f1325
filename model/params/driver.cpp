/* SPDX-License-Identifier: MIT */
/* model/params/driver.cpp - the parameters of the driver. */
#include "model/params/driver.hpp"

#include "kernels/bits.h"
#include "kernels/table/hpt_map.h"

namespace walkway
{

void driver_params::visit(param_visitor &v)
{
    v.number("oversubscription", oversubscription,
             {"%", 0, 10000,
              "the program's pages in percent of device memory's frames: 150 leaves room for two thirds; 0: "
              "memory is large enough, and there is no driver",
              neutral});
    v.needs("oversubscription");
    v.only_timed(callers_tables);
    v.number("m_percent", m_percent,
             {"%", 1, WW_HPTMAP_MOST_PERCENT,
              "hashed table: slots in use at most, in percent of those that pages in all frames would take"});
    v.number("fetch_pages", fetch_pages,
             {"4 KiB pages", 1, WW_HASHED_PTES,
              "that come together at a fault, aligned; a power of two; a page that is larger comes alone"});
    v.number("migrate_after", migrate_after,
             {"lines", 0, UINT32_MAX - 1,
              "of 64 KiB, or of a page that is larger, read or written in host memory, before its pages are "
              "fetched; 0: never"});
    v.flag("flush", flush,
           {"", 0, 0,
            "what caches have of a page is written back before it moves; false: what they write back later "
            "finds its page gone, as where a paper leaves the time of it out",
            neutral});
    v.choice(
        "start", start, {"device", "host"},
        {"", 0, 0,
         "with address_space.map = all_paged, where pages lie at the start: as many as there is room for "
         "in device memory, the others mapped in host memory, or all of them there",
         neutral});
}

std::string driver_params::validate() const
{
    if (present() && oversubscription < 100)
        return "oversubscription = " + std::to_string(oversubscription) +
               ": below 100 there is more memory than pages; 0 is for that";
    if (!ww_is_pow2(fetch_pages))
        return "fetch_pages is not a power of two";
    return "";
}

} // namespace walkway
