/* SPDX-License-Identifier: MIT */
/* Machines with a random path: kinds of levels, order, groups, sizes, on four programs and on two of them
 * together. Each completes with every law; at quiet moments, translations within a call equal the answers in
 * time, and for lone requests so do their times. Illegal machines are refused with a sentence that names the
 * level. One seed per day, which is printed: $WALKWAY_SEED repeats it, $WALKWAY_MACHINES draws more,
 * $WALKWAY_MACHINE_FILE runs a file instead. A machine that fails is made smaller, and printed as a file. */
#include "tb/platform/drawn_machine.hpp"
#include "tb/platform/path_runs.hpp"
#include "tb/support/test_share.hpp"

#include <chrono>
#include <cstdlib>
#include <fstream>

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t lone_gap = 6000; /* cycles between lone loads */

/* One load per wave, all its lanes at one address, so far apart that nothing else is in flight. Pages are
 * used again while levels have them, and while only lower ones do. */
const std::vector<uint64_t> &lone_addresses()
{
    static const std::vector<uint64_t> all = [] {
        std::vector<uint64_t> vas;
        ww_rng random;
        ww_rng_init(&random, 5);
        for (unsigned i = 0; i < 48; ++i)
            vas.push_back(buffer_va + (ww_rng_below(&random, i % 3 == 0 ? 200 : 12) << 12) + 64 * i);
        return vas;
    }();
    return all;
}
trace_spec lone_loads()
{
    std::vector<wave_spec> waves(1);
    for (const uint64_t va : lone_addresses())
        waves[0].records.push_back(uniform(WKT_LOAD, va, 1, lone_gap));
    return one_launch({waves}, 1 << 20);
}
trace_spec twice(trace_spec spec)
{
    spec.launches.push_back(spec.launches[0]);
    return spec;
}

constexpr unsigned programs = 4, lone = 3;
wkt_reader *program(unsigned n)
{
    static const trace all[programs] = {trace(mixed_spec(6)), trace(twice(row_major(4, 4, 4, 8192))),
                                        trace(scatter(10, 4, 1 << 20, 40)), trace(lone_loads())};
    return all[n].reader();
}

/* Flushes of a page, of some, and of everything; with a pager, also pages that are unmapped and mapped
 * again. */
std::vector<os_event> some_events(bool pager, uint64_t seed)
{
    ww_rng random;
    ww_rng_init(&random, seed);
    std::vector<os_event> list(ww_rng_below(&random, 3) == 0 ? 12 : 0);
    uint64_t cycle = 1100;
    for (os_event &e : list) {
        const uint64_t va = buffer_va + (ww_rng_below(&random, 200) << 12);
        const uint32_t n = ww_rng_below(&random, 8);
        e.where = "drawn";
        e.number = cycle;
        e.scope = n == 0 ? ww_inval_all() : ww_inval_range(va, n < 3 ? 1 : 4096 * 9 * n, 0);
        e.tables = n == 0;
        if (pager && n > 3) {
            e.what = os_event::action::change;
            e.change = static_cast<page_change>(ww_rng_below(&random, 5));
            e.of = {va, 1 + 4096 * (n - 4), 0};
        }
        cycle += n == 0 ? 6000 : 300 + ww_rng_below(&random, 400);
    }
    return list;
}

struct counts {
    unsigned ran = 0, refused = 0, foreseen = 0;
    uint64_t looked = 0, timed = 0, flushed = 0;
    std::map<std::string, unsigned> kinds; /* kinds that ran */
};

bool answers_within_a_call(const gpu_machine_params &p)
{
    const std::vector<level *> there = p.path.present();
    return std::all_of(there.begin(), there.end(), [](const level *l) { return l->why_not_now().empty(); });
}

/* Lone loads, over memory that takes no time: walks that read it at once take the time of a look. */
std::string lone_times(gpu_machine_params p, counts &all)
{
    param_setter set("address_space.map=all address_space.spaces=1 walk_unit.walk_path=dram");
    p.visit(set);
    if (!answers_within_a_call(p) || p.perfect())
        return "";
    simulation sim;
    instant_memory memory;
    path_run r(p, memory.under(program(lone)));
    r.expects(lone_addresses(), lone_gap,
              set.values.at("walk_unit.pte_cache_bytes") == 0 ? path_run::takes::as_long
              : p.address_space.table.is("nested")            ? path_run::takes::any
                                                              : path_run::takes::longer);
    const std::string wrong = r.run();
    all.timed += r.timed;
    return wrong.empty() && r.timed != lone_addresses().size() ? "not every lone translation ended" : wrong;
}

std::string run_on(const gpu_machine_params &p, unsigned n, counts &all)
{
    simulation sim;
    path_run r(p, program_list({program(n)}, some_events(p.faults(), n + p.gpu.cus)));
    const std::string wrong = r.run();
    all.looked += r.looked;
    all.flushed += r.flushed;
    return wrong;
}

/* Two programs together, each in its own address space; their pages have the same addresses. */
std::string run_together(const gpu_machine_params &p, counts &all)
{
    if (p.address_space.spaces != 1)
        return "";
    simulation sim;
    path_run r(p, program_list({program(0), program(2)}));
    const std::string wrong = r.run();
    all.looked += r.looked;
    return wrong.empty() ? "" : "two programs: " + wrong;
}

/* Returns "" or what is wrong: a run that fails, a refusal without need, or a missing refusal. */
std::string runs(const std::string &text, counts &all)
{
    try {
        const gpu_machine_params p = params_of_text(text);
        for (unsigned n = 0; n < programs; ++n)
            if (const std::string wrong = run_on(p, n, all); !wrong.empty())
                return "program " + std::to_string(n) + ": " + wrong;
        if (const std::string wrong = run_together(p, all); !wrong.empty())
            return wrong;
        const std::string wrong = lone_times(p, all);
        return wrong.empty() ? "" : "alone: " + wrong;
    } catch (const failure &) {
        throw;
    } catch (const sc_core::sc_report &e) {
        return e.what();
    } catch (const std::exception &e) {
        return e.what();
    }
}

/* Returns whether a refusal says where to look. A section's own values may be wrong besides a misplaced
 * level, and are checked first: "SECTION: ...". */
bool names(const std::string &sentence, const drawn_machine &m, const std::string &section)
{
    const auto own = [&](const std::string &of) {
        return sentence.rfind(of + ": ", 0) == 0 || sentence.find(": path '" + of + "'") != std::string::npos;
    };
    const auto named = [&](const std::string &word) { return sentence.find(word) != std::string::npos; };
    const bool of_level = std::any_of(m.path.begin(), m.path.end(), [&](const drawn_level &l) {
        return own(l.section) || (section.empty() && named(l.section));
    });
    const bool of_other = std::any_of(m.settings.begin(), m.settings.end(), [&](const auto &s) {
        const std::string of = s.first.substr(0, s.first.find('.'));
        return own(of) || (section.empty() && named(of));
    });
    return of_level || of_other || (!section.empty() && named(section));
}

std::string fault_of(const drawn_machine &m, counts &all)
{
    const std::string broken = path_rules::broken_by(m);
    try {
        const std::string wrong = runs(m.text(), all);
        if (!broken.empty())
            return "RULES: it is not refused, and " + broken + " cannot be there";
        ++all.ran;
        for (const drawn_level &l : m.path)
            ++all.kinds[l.kind()];
        return wrong;
    } catch (const failure &e) {
        ++all.refused;
        all.foreseen += !broken.empty();
        return names(e.what(), m, broken) ? ""
                                          : std::string("RULES: it is refused without the name of ") +
                                                (broken.empty() ? "a level" : broken) + ": " + e.what();
    }
}

/* Returns whether it fails in the same way: in its run, or in its refusal. */
bool fails_alike(const drawn_machine &m, const std::string &fault)
{
    counts ignored;
    const std::string now = fault_of(m, ignored);
    return !now.empty() && (now.rfind("RULES", 0) == 0) == (fault.rfind("RULES", 0) == 0);
}

uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *const text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoull(text);
}

/* The number of machines to draw. */
uint64_t few()
{
    return short_tests() ? 100 / sanitized_part : 500;
}

uint64_t seed_of_today()
{
    using namespace std::chrono;
    return static_cast<uint64_t>(duration_cast<hours>(system_clock::now().time_since_epoch()).count() / 24);
}

} // namespace

BOOST_AUTO_TEST_SUITE(random_paths)

BOOST_AUTO_TEST_CASE(each_runs_with_all_laws_and_answers_alike_within_a_call)
{
    if (const char *const file = std::getenv("WALKWAY_MACHINE_FILE")) {
        std::ifstream in(file);
        counts all;
        const std::string wrong = runs({std::istreambuf_iterator<char>(in), {}}, all);
        BOOST_TEST(wrong == "");
        return;
    }
    const uint64_t seed = from_environment("WALKWAY_SEED", seed_of_today());
    const uint64_t wanted = from_environment("WALKWAY_MACHINES", few());
    std::cerr << "WALKWAY_SEED=" << seed << "\n";
    machine_drawer drawer(seed);
    counts all;
    while (all.ran < wanted) {
        const drawn_machine m = drawer.next();
        BOOST_TEST_CHECKPOINT("WALKWAY_SEED=" << seed << ", machine " << all.ran + all.refused);
        const std::string fault = fault_of(m, all);
        if (fault.empty())
            continue;
        const drawn_machine least =
            machine_shrinker::smallest(m, [&](const drawn_machine &s) { return fails_alike(s, fault); });
        counts ignored;
        BOOST_FAIL("WALKWAY_SEED=" << seed << ", machine " << all.ran + all.refused << ": " << fault << "\n"
                                   << m.text()
                                   << "\nThe smallest that fails (WALKWAY_MACHINE_FILE=FILE runs it): "
                                   << fault_of(least, ignored) << "\n"
                                   << least.text());
    }
    std::cerr << all.ran << " ran, " << all.refused << " refused, " << all.foreseen << " of them foreseen; "
              << all.looked << " looks, " << all.timed << " lone times, " << all.flushed << " invalidates\n";
    BOOST_TEST(all.looked > 1000 * all.ran);
    BOOST_TEST(all.timed > all.ran);
    BOOST_TEST(all.flushed > all.ran);
    if (wanted < 300) /* chance may miss something */
        return;
    for (const std::string &kind : level_kinds())
        BOOST_TEST(all.kinds[kind] > 0u, "no " << kind << " was in a machine that ran");
    BOOST_TEST(all.refused < all.ran / 2);
    BOOST_TEST(all.foreseen > all.ran / 20);
}

/* The shrinker alone: of a large machine, only what fails remains. */
BOOST_AUTO_TEST_CASE(a_machine_that_fails_is_made_as_small_as_it_can_be)
{
    machine_drawer drawer(1);
    const auto fails = [](const drawn_machine &m) {
        const auto has = [&](const char *kind, unsigned entries) {
            return std::any_of(m.path.begin(), m.path.end(), [&](const drawn_level &l) {
                const auto e = l.values.find("entries");
                return l.kind() == kind && e != l.values.end() && std::stoull(e->second) >= entries;
            });
        };
        return m.cus > 2 && has("victim", 3) && has("tlb", 1);
    };
    unsigned shrunk = 0;
    while (shrunk < 20) {
        const drawn_machine m = drawer.next();
        if (!fails(m))
            continue;
        ++shrunk;
        const drawn_machine least = machine_shrinker::smallest(m, fails, 100000);
        BOOST_TEST(fails(least));
        BOOST_TEST(least.path.size() == 2u);
        BOOST_TEST(least.settings.size() == 0u);
        BOOST_TEST(least.cus <= 5u);
        for (const drawn_level &l : least.path) {
            BOOST_TEST(l.values.size() == 1u);
            BOOST_TEST(std::stoull(l.values.at("entries")) <= (l.kind() == "victim" ? 5u : 1u));
            BOOST_TEST(l.shared_by == "");
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
