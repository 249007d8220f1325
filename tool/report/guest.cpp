/* SPDX-License-Identifier: MIT */
/* report/guest.cpp - see guest.hpp. */
#include "report/guest.hpp"

#include "support/numbers.hpp"

#include <iomanip>
#include <ostream>
#include <sstream>

namespace walkway
{

static std::string text_of_address(uint64_t value)
{
    std::ostringstream text;
    text << "0x" << std::hex << value;
    return text.str();
}

static const char *text_of_outcome(const disagreement &d)
{
    static const char *const texts[] = {
#define X(name, text) text,
        WW_GUEST_WALK_LIST(X)
#undef X
    };
    return texts[ww_bits_get(WW_GUEST_OUTCOME, d.record.what)];
}

static json disagreement_json(const disagreement &d)
{
    json entries = json::array();
    for (uint64_t i = 0; i < ww_bits_get(WW_GUEST_ENTRIES, d.record.what); ++i)
        entries.push_back(text_of_address(d.record.entry[i]));
    return {{"by", d.held ? "timed" : "walk"},
            {"va", text_of_address(d.record.va)},
            {"emulator_pa", text_of_address(d.record.pa)},
            {"pa", text_of_address(d.pa)},
            {"store", ww_bits_get(WW_GUEST_STORE, d.record.what) != 0},
            {"bytes", uint64_t{1} << ww_bits_get(WW_GUEST_SIZE, d.record.what)},
            {"walk", text_of_outcome(d)},
            {"entries", entries}};
}

json guest_json(const guest_session &session)
{
    const ww_guest_counts &c = session.counts();
    json all;
    all["headline"] = {
        {"accesses",
         {{"value", c.accesses}, {"unit", "accesses"}, {"description", "data accesses of the guest"}}},
        {"compared",
         {{"value", c.agreed + c.differed + c.faulted},
          {"unit", "accesses"},
          {"description", "of them, walked through the guest's own page table and compared"}}},
        {"disagreed",
         {{"value", session.disagreed()},
          {"unit", "accesses"},
          {"description", "whose walk, or whose translation in time, is not the emulator's"}}},
        {"timed",
         {{"value", session.timed().accesses}, {"unit", "accesses"}, {"description", "translated in time"}}}};
    all["disagreements"] = json::array();
    for (const disagreement &d : session.disagreements())
        all["disagreements"].push_back(disagreement_json(d));
    all["statistics"] = statistics_json([&](stat_visitor &v) { session.visit(v); });
    all["laws"] = laws_json(session.laws());
    return all;
}

static void print_parts(std::ostream &out, const timed_chain &chain, uint64_t accesses)
{
    const auto n = static_cast<double>(accesses), total = static_cast<double>(chain.now());
    const std::vector<part_account> &parts = chain.parts();
    out << "  " << std::left << std::setw(12) << "part" << std::right << std::setw(16) << "lookups"
        << std::setw(24) << "cycles per translation" << std::setw(9) << "share" << '\n';
    for (size_t i = 0; i < parts.size(); ++i) {
        const tick own = parts[i].whole_ps - (i + 1 < parts.size() ? parts[i + 1].whole_ps : 0);
        const auto cycles = static_cast<double>(own) / static_cast<double>(chain.period());
        out << "  " << std::left << std::setw(12) << parts[i].name << std::right << std::setw(16)
            << text_of_count(parts[i].lookups) << std::setw(24) << text_of_real(cycles / n, 2) << std::setw(9)
            << text_of_share(static_cast<double>(own) / total) << '\n';
    }
    out << "  " << std::left << std::setw(12) << "together" << std::right << std::setw(16)
        << text_of_count(accesses) << std::setw(24)
        << text_of_real(total / static_cast<double>(chain.period()) / n, 2) << '\n';
}

static void print_recorded(std::ostream &out, const guest_recorder &r, const recorded_pages &pages)
{
    out << "recorded " << text_of_count(r.accesses()) << " accesses in " << text_of_count(r.launches())
        << " launches under " << text_of_count(r.roots()) << " roots; of their pages at the end "
        << text_of_count(pages.same) << " lie where they did, " << text_of_count(pages.moved) << " moved, "
        << text_of_count(pages.gone) << " are gone\n";
}

void print_guest(std::ostream &out, const guest_session &session, const std::string &platform,
                 const std::string &end, double seconds)
{
    const ww_guest_counts &c = session.counts();
    const timed_counts &t = session.timed();
    out << "guest: " << end << " after " << text_of_duration(seconds)
        << (end == "complete" ? "" : " (PARTIAL)") << ", "
        << text_of_rate(static_cast<double>(c.accesses) / seconds) << " accesses a second\n"
        << text_of_count(c.accesses) << " data accesses: " << text_of_count(c.agreed)
        << " agree with the emulator, " << text_of_count(c.differed) << " differ, "
        << text_of_count(c.faulted) << " fault, " << text_of_count(c.unpaged) << " before paging, "
        << text_of_count(c.devices) << " to devices, " << text_of_count(c.unknown) << " unknown\n"
        << text_of_count(c.root_writes) << " writes of CR3, " << text_of_count(c.mode_writes)
        << " of other modes, " << text_of_count(c.page_drops) << " INVLPG, " << text_of_count(c.whole_drops)
        << " of all\n";
    if (t.accesses != 0) {
        out << text_of_count(t.accesses) << " timed on " << platform << " ("
            << text_of_rate(static_cast<double>(t.accesses) / seconds)
            << " a second): " << text_of_count(t.agreed) << " agree, " << text_of_count(t.held_old)
            << " held old, " << text_of_count(t.faulted) << " fault\n";
        print_parts(out, session.chain(), t.accesses);
    }
    if (session.recorder() != nullptr)
        print_recorded(out, *session.recorder(), session.pages());
    for (const disagreement &d : session.disagreements())
        out << "disagreement (" << (d.held ? "in time" : "walk") << "): " << text_of_address(d.record.va)
            << " is " << text_of_address(d.record.pa) << " for the emulator, here " << text_of_address(d.pa)
            << ", the walk: " << text_of_outcome(d) << '\n';
}

} // namespace walkway
