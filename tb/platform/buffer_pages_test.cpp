/* SPDX-License-Identifier: MIT */
/* Buffers with pages of another size than the rest, on whole machines: no law breaks and every translation is
 * the table's; if all buffers have one size, the run equals one with pages of this size, to the cycle.
 * faults_test and page_changes_test test faults and changes of such pages. */
#include "tb/platform/audited.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace buffer_pages
{

const char *const pages[] = {"4k", "64k", "2m", "mixed"};

/* A program with a few buffers that end anywhere. */
struct drawn_program {
    trace_spec spec = rows_and_scattered(2, 12, 6 << 20);
    explicit drawn_program(ww_rng *random)
    {
        const uint64_t bytes = spec.buffers[0].bytes;
        std::vector<uint64_t> cuts;
        for (unsigned i = 1 + ww_rng_below(random, 5); i > 0; --i)
            cuts.push_back(ww_rng_next(random) % (bytes / 256) * 256);
        spec = in_buffers(spec, cuts);
    }
    size_t buffers() const { return spec.buffers.size(); }
};

std::string drawn_machine_settings(ww_rng *random)
{
    const std::vector<std::vector<std::string>> some = {
        {"", "address_space.table=amd_v1", "address_space.table=hashed", "address_space.table=nested",
         "address_space.table=hashed_stepless"},
        {"", "address_space.frames=random", "address_space.frames=fragmented address_space.run_frames=1024"},
        {"walk_unit.coalesce=off", "walk_unit.coalesce=leaf", "walk_unit.coalesce=full"},
        {"", "l1_tlb.size_probe_cycles=2 l2_tlb.size_probe_cycles=3", "l2_tlb.store=compressed",
         "l1_tlb.store=subentry l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.store=subentry"},
        {"", "address_space.spaces=2 dispatcher.space=group"},
        {"", "lds.banks=32 lds_tx.translations=on l1_tlb.entries=4 l1_tlb.ways=4",
         "icache.entries=64 icache_tx.translations=on l1_tlb.entries=4 l1_tlb.ways=4"},
        {"gpu.cus=2", "gpu.cus=4 walk_unit.walkers=2"},
    };
    std::string all;
    for (const auto &one : some)
        all += one[ww_rng_below(random, static_cast<uint32_t>(one.size()))] + " ";
    return all;
}

std::string one_of_the_pages(ww_rng *random)
{
    return pages[ww_rng_below(random, 4)];
}

/* Returns results without what the run cost the simulator. */
std::map<std::string, std::string> results_of(const std::string &settings, const trace &t)
{
    outcome o = run_apu(configured(settings), t);
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), settings << ": " << l.name);
    for (auto it = o.stats.begin(); it != o.stats.end();)
        it = it->first.compare(0, 6, "model.") == 0 ? o.stats.erase(it) : std::next(it);
    return o.stats;
}

std::string refusal(const std::string &settings, const program_list &all)
{
    try {
        simulation sim;
        const gpu_machine made(configured(settings), all);
    } catch (const std::runtime_error &e) {
        return e.what();
    }
    return "";
}

} // namespace buffer_pages

using namespace buffer_pages;

BOOST_AUTO_TEST_SUITE(pages_by_buffer)

BOOST_DATA_TEST_CASE(every_translation_is_the_tables, data::xrange(24), seed)
{
    ww_rng random;
    ww_rng_init(&random, 100 + static_cast<uint64_t>(seed));
    const drawn_program program(&random);
    std::string own;
    for (size_t i = 0; i < program.buffers(); ++i)
        if (ww_rng_below(&random, 3) != 0)
            own += (own.empty() ? "" : "+") + std::to_string(i) + ":" + one_of_the_pages(&random);
    const std::string settings = drawn_machine_settings(&random) +
                                 "address_space.page=" + one_of_the_pages(&random) +
                                 " address_space.buffer_pages=" + (own.empty() ? "none" : own);
    BOOST_TEST_CONTEXT(settings)
    audited<apu_machine>(settings, trace(program.spec), 100);
}

BOOST_DATA_TEST_CASE(all_buffers_of_one_size_are_a_run_of_that_size, data::xrange(12), seed)
{
    ww_rng random;
    ww_rng_init(&random, 200 + static_cast<uint64_t>(seed));
    const drawn_program program(&random);
    const trace t(program.spec);
    const std::string others = drawn_machine_settings(&random), size = pages[seed % 4];
    const std::string every = "0-" + std::to_string(program.buffers() - 1) + ":" + size;
    const auto by_page = results_of(others + "address_space.page=" + size, t);
    const auto by_buffer = results_of(others + "address_space.page=" + one_of_the_pages(&random) +
                                          " address_space.buffer_pages=" + every,
                                      t);
    BOOST_TEST((by_page == by_buffer), others << every);
}

BOOST_AUTO_TEST_CASE(buffers_that_are_not_there_are_refused)
{
    const trace t(in_buffers(row_major(2, 2, 4, 4096), {65536}));
    const trace one(row_major(2, 2, 4, 4096));
    BOOST_TEST(refusal("address_space.buffer_pages=0-1:64k", t.reader()) == "");
    BOOST_TEST(
        refusal("address_space.buffer_pages=0-2:64k", t.reader()) ==
        "address_space.buffer_pages = 0-2:64k: the program has buffers 0 to 1; 'walkway trace info' has "
        "them");
    BOOST_TEST(refusal("address_space.buffer_pages=1:64k", one.reader()) ==
               "address_space.buffer_pages = 1:64k: the program has one buffer, 0; 'walkway trace info' has "
               "them");
    BOOST_TEST(refusal("address_space.buffer_pages=0:2m", program_list({t.reader(), one.reader()})) ==
               "2 programs at a time: address_space.buffer_pages = 0:2m names buffers of one");
}

/* A frame that a page leaves must fit the next page. */
BOOST_AUTO_TEST_CASE(a_driver_wants_pages_of_one_size)
{
    const auto wrong = [](const std::string &settings) {
        return configured("driver.oversubscription=200 address_space.map=first_touch " + settings).validate();
    };
    BOOST_TEST(wrong("address_space.buffer_pages=0:64k").find("and address_space.buffer_pages = none") !=
               std::string::npos);
    BOOST_TEST(wrong("address_space.page=64k address_space.buffer_pages=0:64k") == "");
    BOOST_TEST(wrong("address_space.page=mixed").find("buffer_pages") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_text_is_read_and_said_again)
{
    const std::vector<std::pair<std::string, std::string>> legal = {
        {"none", "none"},
        {"0:64k", "0:64k"},
        {"7:2m+0-3:4k", "0-3:4k+7:2m"},
        {"1:mixed+0:mixed+2:64k", "0-1:mixed+2:64k"},
        {"65535:2m", "65535:2m"},
    };
    for (const auto &[text, said] : legal) {
        pages_of_buffers p;
        BOOST_TEST(p.read(text) == "", text);
        BOOST_TEST(p.text() == said);
    }
    pages_of_buffers kept;
    BOOST_TEST(kept.read("3:2m") == "");
    for (const char *wrong :
         {"", "+", "0", "0:", ":2m", "0:3m", "0:2m+", "+0:2m", "a:2m", "3-1:2m", "-1:2m", "1-:2m",
          "0:2m+0:2m", "0-4:2m+2:64k", "65536:2m", "0:2m 1:2m", "0:64k:2m", "none+0:2m", "1--2:2m"})
        BOOST_TEST(kept.read(wrong) != "", wrong);
    BOOST_TEST(kept.text() == "3:2m");
    BOOST_TEST(kept.last() == 3u);
    BOOST_TEST(kept.sizes() == 1u << 21);
    BOOST_TEST(int{kept.of(3, 0)} == 2);
    BOOST_TEST(int{kept.of(2, 1)} == 1);
}

BOOST_AUTO_TEST_SUITE_END()
