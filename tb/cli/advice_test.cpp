/* SPDX-License-Identifier: MIT */
/* tb/cli/advice_test.cpp - the settings that `walkway advise` tries and chooses, without runs, compared with
 * all choices. */
#include "report/advice.hpp"

#include "kernels/bits.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <sstream>

using namespace walkway;

namespace
{

json cycles(uint64_t n)
{
    return {{"headline", {{"cycles", {{"value", n}}}}}};
}

advised_run run_of(uint32_t buffer, const std::string &size, uint64_t n, uint64_t wasted)
{
    return {advice::pages,
            buffer,
            {"address_space.buffer_pages=" + std::to_string(buffer) + ":" + size},
            wasted,
            cycles(n)};
}

std::vector<advised_buffer> with_misses(const std::vector<uint64_t> &misses)
{
    std::vector<advised_buffer> all;
    for (const uint64_t m : misses)
        all.push_back({static_cast<uint32_t>(all.size()), 4096, m, ""});
    return all;
}

std::vector<std::string> left_out(std::vector<advised_buffer> buffers, uint64_t percent, uint64_t most)
{
    leave_out(buffers, percent, most);
    std::vector<std::string> all;
    for (const advised_buffer &b : buffers)
        all.push_back(b.left_out);
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(advised)

BOOST_AUTO_TEST_CASE(a_buffer_is_left_out_for_a_reason)
{
    using texts = std::vector<std::string>;
    const auto buffers = with_misses({500, 0, 10, 9, 481});
    BOOST_TEST(left_out(buffers, 1, 16) == (texts{"", "not touched", "", "0.9 % of the misses", ""}),
               boost::test_tools::per_element());
    BOOST_TEST(left_out(buffers, 0, 16) == (texts{"", "not touched", "", "", ""}),
               boost::test_tools::per_element());
    BOOST_TEST(left_out(buffers, 1, 2) == (texts{"", "not touched", "2 others have as many misses or more",
                                                 "0.9 % of the misses", ""}),
               boost::test_tools::per_element());
    BOOST_TEST(
        left_out(with_misses({5, 7, 7, 7}), 1, 2) ==
            (texts{"2 others have as many misses or more", "", "", "2 others have as many misses or more"}),
        boost::test_tools::per_element());
    BOOST_TEST(left_out(buffers, 1, 0)[0] == "--buffers 0");
    BOOST_TEST(left_out(with_misses({0, 0}), 1, 16) == (texts{"not touched", "not touched"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_wasted_is_beyond_pages_of_4_kib)
{
    const uint64_t va = uint64_t{1} << 32, mib = 1 << 20;
    const space_ranges buffers = {{va, 5000}, {va + 65536, 65536}, {va + 8 * mib, 3 * mib}};
    BOOST_TEST(wasted_bytes(buffers, "none") == 0u);
    BOOST_TEST(wasted_bytes(buffers, "0:64k") == 65536u - 8192u);
    BOOST_TEST(wasted_bytes(buffers, "1:64k") == 0u);
    BOOST_TEST(wasted_bytes(buffers, "1:2m") == 2 * mib - 65536 - 8192); /* buffer 0 lies in the same 2 MiB */
    BOOST_TEST(wasted_bytes(buffers, "0-1:2m") == 2 * mib - 65536 - 8192);
    BOOST_TEST(wasted_bytes(buffers, "2:2m") == mib);
    BOOST_TEST(wasted_bytes(buffers, "0:64k+2:2m") == 65536 - 8192 + mib);
}

BOOST_AUTO_TEST_CASE(the_choice_is_the_best_of_all)
{
    ww_rng random;
    ww_rng_init(&random, 7);
    for (unsigned n = 0; n < 200; ++n) {
        std::vector<advised_run> runs = {{advice::baseline, 0, {}, 0, cycles(100000)}};
        const unsigned buffers = 1 + ww_rng_below(&random, 5);
        for (uint32_t b = 0; b < buffers; ++b)
            for (const char *size : {"64k", "2m"})
                runs.push_back(
                    run_of(b, size, 90000 + ww_rng_below(&random, 14000), ww_rng_below(&random, 1000)));
        const uint64_t most = ww_rng_below(&random, 2500);
        uint64_t best = 0;
        unsigned choices = 1;
        for (unsigned b = 0; b < buffers; ++b)
            choices *= 3;
        for (unsigned c = 0; c < choices; ++c) {
            uint64_t saved = 0, wasted = 0;
            bool gains = true;
            for (unsigned b = 0, rest = c; b < buffers; ++b, rest /= 3)
                if (rest % 3 != 0) {
                    const advised_run &r = runs[1 + 2 * b + rest % 3 - 1];
                    const auto took = static_cast<uint64_t>(r.stats["headline"]["cycles"]["value"]);
                    gains = gains && 100000.0 >= least_gain * static_cast<double>(took);
                    saved += gains ? 100000 - took : 0;
                    wasted += r.wasted;
                }
            best = gains && wasted <= most && saved > best ? saved : best;
        }
        uint64_t saved = 0, wasted = 0;
        std::vector<uint32_t> of;
        for (const size_t i : best_together(runs, most)) {
            saved += 100000 - static_cast<uint64_t>(runs[i].stats["headline"]["cycles"]["value"]);
            wasted += runs[i].wasted;
            BOOST_TEST((of.empty() || of.back() < runs[i].buffer));
            of.push_back(runs[i].buffer);
        }
        BOOST_TEST(saved == best);
        BOOST_TEST(wasted <= most);
    }
}

BOOST_AUTO_TEST_CASE(what_gains_nothing_is_not_chosen_and_a_run_without_a_result_neither)
{
    std::vector<advised_run> runs = {{advice::baseline, 0, {}, 0, cycles(100000)},
                                     run_of(0, "64k", 99502, 0),
                                     run_of(1, "64k", 99503, 0),
                                     run_of(2, "2m", 1, 11),
                                     run_of(3, "2m", 1, 0)};
    runs[4].stats = nullptr;
    runs.push_back({advice::order, 0, {"dispatcher.policy=compact"}, 0, cycles(1)});
    BOOST_TEST(best_together(runs, 10) == std::vector<size_t>{1}, boost::test_tools::per_element());
    BOOST_TEST(best_together(runs, 11) == (std::vector<size_t>{1, 3}), boost::test_tools::per_element());
    const space_ranges buffers = {{0, 4096}, {1 << 21, 4096}, {1 << 22, 4096}};
    const advised_run all = together(runs, {1, 3}, buffers);
    BOOST_TEST(all.text() == "address_space.buffer_pages=0:64k+2:2m");
    BOOST_TEST(all.wasted == 65536u - 4096u + (2u << 20) - 4096u);
}

BOOST_AUTO_TEST_CASE(the_largest_gains_come_first_and_every_buffer_has_a_row)
{
    std::vector<advised_run> runs = {{advice::baseline, 0, {}, 0, cycles(1000)},
                                     run_of(0, "64k", 900, 1),
                                     run_of(0, "2m", 2000, 2),
                                     {advice::order, 0, {"dispatcher.policy=compact"}, 0, cycles(500)},
                                     run_of(2, "64k", 1, 3),
                                     {advice::padding, 0, {}, 640, cycles(800), 2048, 64}};
    runs[4].stats = nullptr;
    std::vector<advised_buffer> buffers = with_misses({60, 0, 40});
    leave_out(buffers, 1, 16);
    const advice_report report = {"p", "m", buffers, runs, {1}, 64, {{2048, 9, 10}, {0, 0, 4}, {1000, 3, 4}}};
    std::ostringstream csv, text;
    advice_table(report).print_csv(csv);
    BOOST_TEST(csv.str() == "advice,buffer,setting,cycles,speed-up,wasted bytes,% of misses,chosen,left out\n"
                            "baseline,,,1000,1.000000,0,,,\n"
                            "order of work-groups,,dispatcher.policy=compact,500,2.000000,,,,\n"
                            "padding,0,rows of 2048 + 64 bytes,800,1.250000,640,60.000000,,\n"
                            "pages,0,address_space.buffer_pages=0:64k,900,1.111111,1,60.000000,yes,\n"
                            "pages,0,address_space.buffer_pages=0:2m,2000,0.500000,2,60.000000,,\n"
                            "pages,2,address_space.buffer_pages=2:64k,,,3,40.000000,,no result\n"
                            "pages,1,,,,,0.000000,,not touched\n"
                            "padding,2,,,,,40.000000,,\"rows of 1,000 bytes, no multiple of 2 KiB\"\n");
    print_advice(text, report);
    std::string flat = text.str();
    std::replace(flat.begin(), flat.end(), '\n', ' ');
    for (const char *said :
         {"p on m with pages of 4 KiB: 1,000 cycles", "left out: buffer 1: not touched",
          "best of at most 64 B wasted: --set address_space.buffer_pages=0:64k: 1.111 times faster, 1 B "
          "wasted",
          "buffer 0, rows of 2,048 bytes (90.0 % of its instructions), 64 longer: 1.250 times faster, 640 B "
          "more",
          "left out: buffer 2: rows of 1,000 bytes, no multiple of 2 KiB",
          "Order of work-groups: --set dispatcher.policy=compact: 2.000 times faster", "no result"})
        BOOST_TEST(flat.find(said) != std::string::npos, said);
}

BOOST_AUTO_TEST_SUITE_END()
