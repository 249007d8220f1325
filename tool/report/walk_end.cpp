/* SPDX-License-Identifier: MIT */
/* report/walk_end.cpp - prints the page with its rights, or the fault with its reason. */
#include "report/walk_end.hpp"

#include "image/hex.hpp"
#include "support/numbers.hpp"

#include <ostream>

namespace walkway
{

using json = nlohmann::ordered_json;

void print_end(std::ostream &out, const memory_image &image, const walk_end &end)
{
    if (!end.page) {
        out << "  fault: " << end.fault->text << '\n';
        return;
    }
    const uint64_t pa = ww_xlat_pa(&*end.page, end.va);
    out << "  physical " << hex(pa) << ", in the page of "
        << text_of_bytes(ww_page_bytes(end.page->page_shift)) << " at " << hex(end.page->page_pa) << ", "
        << end.rights << (image.has(pa, 1) ? "\n" : ", not in the image\n");
}

json end_json(const walk_end &end, json steps)
{
    json j = {{"va", hex(end.va)}, {"steps", std::move(steps)}};
    if (end.page) {
        j["pa"] = hex(ww_xlat_pa(&*end.page, end.va));
        j["page"] = {{"pa", hex(end.page->page_pa)},
                     {"bytes", ww_page_bytes(end.page->page_shift)},
                     {"rights", end.rights}};
    } else {
        j["fault"] = {{"why", end.fault->why}, {"text", end.fault->text}};
        if (end.fault->level)
            j["fault"]["level"] = *end.fault->level;
    }
    return j;
}

table ends_table(const std::string &last_column, const std::vector<walk_end> &ends)
{
    table rows({"va", "pa", "page_pa", "page_bytes", "rights", "fault", last_column});
    for (const walk_end &end : ends)
        if (end.page)
            rows.row({hex(end.va), hex(ww_xlat_pa(&*end.page, end.va)), hex(end.page->page_pa),
                      std::to_string(ww_page_bytes(end.page->page_shift)), end.rights, "", ""});
        else
            rows.row({hex(end.va), "", "", "", "", end.fault->why, end.fault->step});
    rows.number_columns(3);
    return rows;
}

} // namespace walkway
