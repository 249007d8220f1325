/* SPDX-License-Identifier: MIT */
/* Tests what each pattern promises, on the traces that it makes. */
#include "generate/generate.h"
#include "generate/pattern_internal.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace
{

using settings = std::map<ww_gen_param_name, uint64_t>;

ww_gen_cfg configured(ww_gen_pattern pattern, const settings &changes)
{
    ww_gen_cfg cfg;
    ww_gen_defaults(&cfg, static_cast<uint8_t>(pattern));
    for (const auto &change : changes)
        cfg.value[change.first] = change.second;
    return cfg;
}

struct one_access {
    uint32_t launch, group, wave;
    wkt_record record;
    std::vector<uint64_t> offset; /* of each active lane, from the footprint's start */
};

/* Returns every access by launch, group and wave, and checks the trace. */
std::vector<one_access> accesses_of(const ww_gen_cfg &cfg)
{
    wkt_reader *r = nullptr;
    wkt_error error;
    BOOST_REQUIRE_EQUAL(ww_gen_open(&cfg, "test", &r, &error), WKT_OK);
    wkt_report report;
    BOOST_REQUIRE_EQUAL(wkt_check_reader(r, &report), WKT_OK); /* the totals are as stated */
    BOOST_REQUIRE_EQUAL(report.lanes_unmapped, 0);
    std::vector<one_access> all;
    bool aligned = true;
    wkt_group *g = nullptr;
    for (uint32_t l = 0; l < wkt_reader_info(r)->launches; ++l)
        for (uint32_t i = 0; i < wkt_reader_launch(r, l)->groups; ++i) {
            BOOST_REQUIRE_EQUAL(wkt_group_load(r, l, i, &g, &error), WKT_OK);
            for (uint32_t w = 0; w < wkt_group_waves(g); ++w) {
                wkt_cursor c;
                one_access a{l, i, w, {}, {}};
                wkt_cursor_start(g, w, &c);
                while (wkt_next(&c, &a.record)) {
                    a.offset.clear();
                    for (unsigned lane = 0; lane < 64; ++lane)
                        if (a.record.mask >> lane & 1) {
                            a.offset.push_back(a.record.va[lane] - WW_GEN_BASE_VA);
                            aligned = aligned && a.offset.back() % a.record.bytes == 0;
                        }
                    all.push_back(a);
                }
            }
        }
    wkt_group_free(g);
    wkt_close(r);
    BOOST_REQUIRE(aligned);
    return all;
}

std::vector<uint64_t> first_offsets(const std::vector<one_access> &all)
{
    std::vector<uint64_t> offsets;
    for (const one_access &a : all)
        offsets.push_back(a.offset.front());
    return offsets;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_tables_are_sound)
{
    for (unsigned p = 0; p < WW_GEN_PATTERNS; ++p) {
        ww_gen_cfg cfg;
        ww_gen_defaults(&cfg, static_cast<uint8_t>(p));
        BOOST_CHECK(ww_gen_check(&cfg) == nullptr);
        for (unsigned i = 0; i < WW_GEN_PARAMS; ++i)
            for (const bool high : {false, true}) {
                ww_gen_cfg edge = cfg;
                const uint64_t limit = high ? ww_gen_params[i].max : ww_gen_params[i].min;
                if (limit == (high ? UINT64_MAX : 0))
                    continue;
                edge.value[i] = high ? limit + 1 : limit - 1;
                BOOST_CHECK_EQUAL(ww_gen_check(&edge), "a parameter is outside its range");
            }
    }
    ww_gen_cfg none = configured(WW_GEN_stream, {});
    none.pattern = WW_GEN_PATTERNS;
    wkt_reader *r = nullptr;
    wkt_error error;
    BOOST_CHECK_EQUAL(ww_gen_open(&none, "x", &r, &error), WKT_E_ARG);
    BOOST_CHECK_EQUAL(std::string(error.text), "x: there is no such pattern");
    BOOST_CHECK_EQUAL(ww_gen_pattern_name(WW_GEN_PATTERNS), "?");
    BOOST_CHECK_EQUAL(ww_gen_pattern_text(WW_GEN_PATTERNS), "?");
}

BOOST_AUTO_TEST_CASE(what_contradicts_itself_is_named)
{
    const auto wrong = [](ww_gen_pattern p, const settings &s) {
        const ww_gen_cfg cfg = configured(p, s);
        const char *text = ww_gen_check(&cfg);
        return std::string(text == nullptr ? "" : text);
    };
    BOOST_CHECK_EQUAL(wrong(WW_GEN_chase, {{WW_GEN_P_footprint, 4096}, {WW_GEN_P_node, 4097}}),
                      "node: larger than the footprint");
    BOOST_CHECK_EQUAL(wrong(WW_GEN_chase, {{WW_GEN_P_node, 66}}), "node: not a multiple of bytes");
    BOOST_CHECK_EQUAL(wrong(WW_GEN_chase, {{WW_GEN_P_offset, 6}}), "offset: not a multiple of bytes");
    for (const auto &[warm, rounds, is_wrong] :
         {std::tuple(1, 1023, false), std::tuple(1, 1024, true), std::tuple(0, 1025, true)})
        BOOST_CHECK_EQUAL(wrong(WW_GEN_chase, {{WW_GEN_P_warm, warm}, {WW_GEN_P_rounds, rounds}}),
                          is_wrong ? "warm, rounds: more accesses of a wave than 16777216" : "");
    /* the footprint is rounded up to pages: 128 nodes, not 64; without rounds a wave makes `accesses`
     * accesses */
    for (const auto &[warm, rounds, accesses, is_wrong] :
         {std::tuple(0, 131072, 1, false), std::tuple(0, 131073, 1, true), std::tuple(0, 0, 1 << 24, false),
          std::tuple(1, 0, (1 << 24) - 128, false), std::tuple(1, 0, (1 << 24) - 127, true)})
        BOOST_CHECK_EQUAL(wrong(WW_GEN_chase, {{WW_GEN_P_footprint, 4097},
                                               {WW_GEN_P_node, 64},
                                               {WW_GEN_P_warm, warm},
                                               {WW_GEN_P_rounds, rounds},
                                               {WW_GEN_P_accesses, accesses}}),
                          is_wrong ? "warm, rounds: more accesses of a wave than 16777216" : "");
    for (const uint64_t turns : {0, 1, 2}) {
        BOOST_CHECK_EQUAL(wrong(WW_GEN_chase, {{WW_GEN_P_turns, turns}, {WW_GEN_P_first, 64}}),
                          turns == 0 ? "" : "first: no wave has this number");
        BOOST_CHECK_EQUAL(wrong(WW_GEN_chase, {{WW_GEN_P_turns, turns}, {WW_GEN_P_second, 64}}),
                          turns != 2 ? "" : "second: no wave has this number");
        BOOST_CHECK_EQUAL(wrong(WW_GEN_chase, {{WW_GEN_P_turns, turns}, {WW_GEN_P_kernels, 2}}),
                          turns != 2 ? "" : "kernels: turns=two are three launches by themselves");
    }
    BOOST_CHECK_EQUAL(wrong(WW_GEN_neighbourhood, {{WW_GEN_P_neighbourhoods, 5}, {WW_GEN_P_lanes, 4}}),
                      "neighbourhoods: more than lanes");
    BOOST_CHECK_EQUAL(wrong(WW_GEN_neighbourhood, {{WW_GEN_P_footprint, 4 * 32768 - 1}}),
                      "neighbourhoods: more than the footprint has (32768 bytes each)");
    BOOST_CHECK_EQUAL(wrong(WW_GEN_phases, {{WW_GEN_P_footprint, 1 << 19}}),
                      "region: larger than the footprint");
    BOOST_CHECK_EQUAL(wrong(WW_GEN_neighbourhood, {{WW_GEN_P_footprint, 4 * 32768}}), "");
}

BOOST_AUTO_TEST_CASE(the_text_says_everything_and_names_the_trace)
{
    char text[WW_GEN_TEXT_BYTES];
    const ww_gen_cfg chase = configured(WW_GEN_chase, {{WW_GEN_P_by, 1}, {WW_GEN_P_bytes, 7}});
    ww_gen_text(&chase, text, sizeof text);
    BOOST_CHECK_EQUAL(
        std::string(text),
        "chase,waves=64,group_waves=1,accesses=256,compute=4,use=1,bytes=128,lanes=64,stores=0,"
        "footprint=67108864,kernels=1,seed=1,by=wave,node=4096,order=random,place=drawn,offset=0,"
        "warm=0,rounds=0,turns=all,first=0,second=0");
    ww_gen_text(&chase, text, 9);
    BOOST_CHECK_EQUAL(std::string(text), "chase,wa");
    size_t longest = 0;
    for (unsigned p = 0; p < WW_GEN_PATTERNS; ++p) {
        ww_gen_cfg most;
        ww_gen_defaults(&most, static_cast<uint8_t>(p));
        for (unsigned i = 0; i < WW_GEN_PARAMS; ++i)
            most.value[i] = ww_gen_params[i].max;
        ww_gen_text(&most, text, sizeof text);
        longest = std::max(longest, std::strlen(text));
    }
    BOOST_CHECK_LT(longest + 1, WW_GEN_TEXT_BYTES);
    /* equal parameters have one checksum, others another; the text is the command */
    std::set<uint64_t> sums;
    for (const uint64_t seed : {1, 2, 1}) {
        const ww_gen_cfg cfg = configured(WW_GEN_uniform, {{WW_GEN_P_seed, seed}});
        wkt_reader *r = nullptr;
        wkt_error error;
        BOOST_REQUIRE_EQUAL(ww_gen_open(&cfg, "x", &r, &error), WKT_OK);
        sums.insert(wkt_reader_info(r)->checksum);
        BOOST_CHECK_EQUAL(std::string(wkt_reader_info(r)->command).substr(0, 12), "gen:uniform,");
        wkt_close(r);
    }
    BOOST_CHECK_EQUAL(sums.size(), 2);
}

BOOST_AUTO_TEST_CASE(common_parameters_do_what_they_say)
{
    const std::vector<one_access> all = accesses_of(configured(WW_GEN_stream, {{WW_GEN_P_waves, 7},
                                                                               {WW_GEN_P_group_waves, 3},
                                                                               {WW_GEN_P_accesses, 20},
                                                                               {WW_GEN_P_compute, 9},
                                                                               {WW_GEN_P_use, 0},
                                                                               {WW_GEN_P_bytes, 3},
                                                                               {WW_GEN_P_lanes, 5},
                                                                               {WW_GEN_P_stores, 35},
                                                                               {WW_GEN_P_kernels, 2}}));
    BOOST_REQUIRE_EQUAL(all.size(), 2 * 7 * 20);
    BOOST_CHECK_EQUAL(all.back().launch, 1);
    BOOST_CHECK_EQUAL(all.back().group, 2);
    BOOST_CHECK_EQUAL(all.back().wave, 0); /* the last group has one wave */
    unsigned stores = 0;
    for (const one_access &a : all) {
        stores += a.record.kind == WKT_STORE ? 1 : 0;
        BOOST_CHECK_EQUAL(a.record.mask, 31);
        BOOST_CHECK_EQUAL(a.record.bytes, 8);
        BOOST_CHECK_EQUAL(a.record.compute, 9);
        BOOST_CHECK_EQUAL(a.record.use, WKT_USE_NEVER);
    }
    BOOST_CHECK_EQUAL(stores, 2 * 7 * 7); /* 35 % of 20, in every wave */
    for (const one_access &a :
         accesses_of(configured(WW_GEN_uniform, {{WW_GEN_P_use, 3}, {WW_GEN_P_stores, 50}})))
        BOOST_REQUIRE_EQUAL(a.record.use, a.record.kind == WKT_STORE ? WKT_USE_NEVER : 3);
}

BOOST_AUTO_TEST_CASE(stream_takes_every_element_once_a_round)
{
    const std::vector<one_access> all = accesses_of(
        configured(WW_GEN_stream, {{WW_GEN_P_waves, 4}, {WW_GEN_P_accesses, 8}, {WW_GEN_P_footprint, 8192}}));
    std::vector<unsigned> seen(2048);
    for (const one_access &a : all)
        for (const uint64_t offset : a.offset)
            ++seen[offset / 4];
    for (const unsigned n : seen)
        BOOST_REQUIRE_EQUAL(n, 1);
    BOOST_CHECK_EQUAL(all[8].offset[0], 256);  /* wave 1 follows wave 0 */
    BOOST_CHECK_EQUAL(all[1].offset[0], 1024); /* after wave 3 */
}

BOOST_AUTO_TEST_CASE(stride_keeps_lanes_and_accesses_apart)
{
    const std::vector<one_access> own = accesses_of(configured(
        WW_GEN_stride,
        {{WW_GEN_P_waves, 2}, {WW_GEN_P_accesses, 3}, {WW_GEN_P_stride, 8192}, {WW_GEN_P_step, 4}}));
    for (size_t i = 0; i < own.size(); ++i)
        for (size_t l = 0; l < 64; ++l)
            BOOST_REQUIRE_EQUAL(own[i].offset[l], (i / 3 * 64 + l) * 8192 + i % 3 * 4);
    /* without a step, an access continues after the last one of all waves; the end wraps */
    const std::vector<one_access> row =
        accesses_of(configured(WW_GEN_stride, {{WW_GEN_P_waves, 1},
                                               {WW_GEN_P_accesses, 70},
                                               {WW_GEN_P_lanes, 1},
                                               {WW_GEN_P_footprint, 33 * 4096}}));
    for (size_t i = 0; i < row.size(); ++i)
        BOOST_REQUIRE_EQUAL(row[i].offset[0], i % 33 * 4096);
    /* the largest values do not overflow */
    const uint64_t huge = 1ull << 40;
    accesses_of(configured(WW_GEN_stride, {{WW_GEN_P_waves, 64},
                                           {WW_GEN_P_accesses, 16},
                                           {WW_GEN_P_stride, huge - 1},
                                           {WW_GEN_P_step, huge - 1},
                                           {WW_GEN_P_footprint, huge}}));
}

BOOST_AUTO_TEST_CASE(uniform_is_uniform)
{
    std::vector<unsigned> pages(64);
    std::set<uint64_t> elements;
    for (const one_access &a :
         accesses_of(configured(WW_GEN_uniform, {{WW_GEN_P_footprint, 64 * 4096}, {WW_GEN_P_accesses, 64}})))
        for (const uint64_t offset : a.offset) {
            ++pages[offset / 4096];
            elements.insert(offset);
        }
    /* 64 * 64 * 64 draws into 64 pages: 4096 each, standard deviation 64; chance does not reach 5
     * deviations */
    for (const unsigned n : pages)
        BOOST_CHECK_LT(std::abs(double(n) - 4096), 5 * 64);
    /* 262144 draws from 65536 elements miss e^-4 of them: 1200 +- 35 */
    BOOST_CHECK_LT(std::abs(65536.0 * (1 - std::exp(-4.0)) - double(elements.size())), 5 * 35);
}

BOOST_AUTO_TEST_CASE(a_wave_that_draws_for_its_lanes_has_them_side_by_side)
{
    for (const ww_gen_pattern p : {WW_GEN_uniform, WW_GEN_zipf, WW_GEN_phases})
        for (const uint64_t bytes : {0, 2, 7})
            for (const one_access &a : accesses_of(
                     configured(p, {{WW_GEN_P_by, 1}, {WW_GEN_P_accesses, 32}, {WW_GEN_P_bytes, bytes}}))) {
                const uint64_t size = 1ull << bytes;
                std::set<uint64_t> pages;
                for (size_t l = 1; l < 64; ++l) {
                    pages.insert(a.offset[l] / 4096);
                    if (l * size < 4096)
                        BOOST_REQUIRE_EQUAL(a.offset[l], a.offset[0] + l * size);
                }
                BOOST_REQUIRE_LE(pages.size(), bytes == 7 ? 2 : 1);
            }
}

/* For a fixed seed, the frequency of each rank is within five standard deviations of the formula. */
BOOST_AUTO_TEST_CASE(zipf_frequencies_are_those_of_the_formula)
{
    for (const double s : {0.0, 0.5, 0.99, 1.0, 1.2, 2.5}) {
        const uint64_t ranks = 1000;
        const unsigned draws = 400000;
        ww_gen_zipf z;
        ww_gen_zipf_init(&z, ranks, s);
        ww_rng rng;
        ww_rng_init(&rng, 42);
        std::vector<unsigned> seen(ranks + 1);
        for (unsigned i = 0; i < draws; ++i) {
            const uint64_t k = ww_gen_zipf_rank(&z, &rng);
            BOOST_REQUIRE(k >= 1 && k <= ranks);
            ++seen[k];
        }
        double whole = 0;
        for (uint64_t k = 1; k <= ranks; ++k)
            whole += std::pow(double(k), -s);
        double chi = 0;
        for (uint64_t k = 1; k <= ranks; ++k) {
            const double expected = draws * std::pow(double(k), -s) / whole;
            const double off = seen[k] - expected;
            if (expected > 30)
                BOOST_CHECK_LT(std::abs(off), 5 * std::sqrt(expected));
            chi += off * off / expected;
        }
        BOOST_CHECK_LT(std::abs(chi - 999), 5 * std::sqrt(2 * 999.0)); /* 999 degrees of freedom */
    }
}

/* The first draws for a seed match a recorded hash: they are equal on every platform. */
BOOST_AUTO_TEST_CASE(zipf_draws_the_same_everywhere)
{
    ww_gen_zipf z;
    ww_gen_zipf_init(&z, 1u << 20, 0.99);
    ww_rng rng;
    ww_rng_init(&rng, 7);
    uint64_t hash = 0;
    for (unsigned i = 0; i < 100000; ++i) {
        const uint64_t k = ww_gen_zipf_rank(&z, &rng);
        hash = wkt_hash64(&k, sizeof k, hash);
    }
    BOOST_CHECK_EQUAL(hash, 7380379459569298041u);
}

BOOST_AUTO_TEST_CASE(zipf_pages_follow_their_ranks)
{
    std::map<uint64_t, unsigned> pages;
    unsigned draws = 0;
    for (const one_access &a : accesses_of(configured(WW_GEN_zipf, {{WW_GEN_P_footprint, 1 << 20}})))
        for (const uint64_t offset : a.offset) {
            ++pages[offset / 4096];
            ++draws;
        }
    BOOST_CHECK_EQUAL(pages.size(), 256);
    unsigned most = 0;
    for (const auto &page : pages)
        most = std::max(most, page.second);
    double whole = 0;
    for (int k = 1; k <= 256; ++k)
        whole += 1.0 / k;
    BOOST_CHECK_CLOSE(double(most), draws / whole, 1.0);
}

BOOST_AUTO_TEST_CASE(a_chain_meets_every_node_once_a_round)
{
    const uint64_t nodes = 37;
    for (const uint64_t node_bytes : {64, 4096, 12288}) {
        const std::vector<one_access> all =
            accesses_of(configured(WW_GEN_chase, {{WW_GEN_P_footprint, nodes * 12288},
                                                  {WW_GEN_P_node, node_bytes},
                                                  {WW_GEN_P_waves, 1},
                                                  {WW_GEN_P_lanes, 3},
                                                  {WW_GEN_P_accesses, 2 * nodes * 12288 / node_bytes}}));
        const uint64_t n = nodes * 12288 / node_bytes;
        for (size_t lane = 0; lane < 3; ++lane) {
            std::set<uint64_t> seen;
            std::map<uint64_t, uint64_t> next; /* one successor per node: a permutation with one cycle */
            for (size_t i = 0; i < 2 * n; ++i) {
                const uint64_t offset = all[i].offset[lane];
                if (i < n)
                    seen.insert(offset / node_bytes);
                else
                    BOOST_REQUIRE_EQUAL(offset, all[i - n].offset[lane]);
                if (i > 0)
                    BOOST_REQUIRE_EQUAL(next.emplace(all[i - 1].offset[lane], offset).first->second, offset);
            }
            BOOST_REQUIRE_EQUAL(seen.size(), n);
        }
    }
}

/* Per access of a one-lane chase: launch, wave (its group's number), node, whether it is a store. */
static std::vector<std::tuple<uint32_t, uint32_t, uint64_t, bool>> steps_of(const settings &changes,
                                                                            uint64_t node, uint64_t place)
{
    settings all = {{WW_GEN_P_lanes, 1}, {WW_GEN_P_node, node}, {WW_GEN_P_order, 1}, {WW_GEN_P_place, 1}};
    for (const auto &[name, value] : changes)
        all[name] = value;
    std::vector<std::tuple<uint32_t, uint32_t, uint64_t, bool>> steps;
    for (const one_access &a : accesses_of(configured(WW_GEN_chase, all))) {
        BOOST_REQUIRE_EQUAL(a.offset[0] % node, place);
        steps.emplace_back(a.launch, a.group, a.offset[0] / node, a.record.kind == WKT_STORE);
    }
    return steps;
}

BOOST_AUTO_TEST_CASE(an_ascending_chain_goes_by_address_in_whole_rounds_of_which_the_first_store)
{
    const uint64_t node = 8192;
    const auto steps = steps_of({{WW_GEN_P_waves, 1},
                                 {WW_GEN_P_footprint, 3 * node},
                                 {WW_GEN_P_offset, 4 * node + 64},
                                 {WW_GEN_P_warm, 1},
                                 {WW_GEN_P_rounds, 2}},
                                node, 64);
    BOOST_REQUIRE_EQUAL(steps.size(), 9);
    for (uint64_t i = 0; i < 9; ++i)
        BOOST_TEST((steps[i] == std::tuple(0u, 0u, 4 + i % 3, i < 3)), i);
    /* without rounds, `accesses` accesses follow the warming rounds; a share of them stores */
    const auto some = steps_of({{WW_GEN_P_waves, 1},
                                {WW_GEN_P_footprint, 3 * node},
                                {WW_GEN_P_warm, 2},
                                {WW_GEN_P_accesses, 4},
                                {WW_GEN_P_stores, 50}},
                               node, 0);
    BOOST_REQUIRE_EQUAL(some.size(), 10);
    for (uint64_t i = 0; i < 10; ++i)
        BOOST_TEST((some[i] == std::tuple(0u, 0u, i % 3, i < 6 || i % 2 == 1)), i);
}

BOOST_AUTO_TEST_CASE(one_wave_of_many_goes_alone_and_a_second_one_in_between_through_other_nodes)
{
    const uint64_t node = 4096;
    settings s = {{WW_GEN_P_waves, 5}, {WW_GEN_P_footprint, 2 * node},
                  {WW_GEN_P_warm, 1},  {WW_GEN_P_rounds, 1},
                  {WW_GEN_P_turns, 1}, {WW_GEN_P_first, 3},
                  {WW_GEN_P_second, 1}};
    using step = std::tuple<uint32_t, uint32_t, uint64_t, bool>;
    /* a wave's chain begins where it does when the other waves run too */
    const std::vector<step> one = {{0, 3, 1, true}, {0, 3, 0, true}, {0, 3, 1, false}, {0, 3, 0, false}};
    BOOST_TEST((steps_of(s, node, 0) == one));
    s[WW_GEN_P_turns] = 2;
    s[WW_GEN_P_rounds] = 2;
    const std::vector<step> two = {{0, 3, 1, true},  {0, 3, 0, true},  {1, 1, 2, true},  {1, 1, 3, true},
                                   {2, 3, 1, false}, {2, 3, 0, false}, {2, 3, 1, false}, {2, 3, 0, false}};
    BOOST_TEST((steps_of(s, node, 0) == two));
    s[WW_GEN_P_second] = 3; /* one wave is both first and second */
    const std::vector<step> self = {{0, 3, 1, true},  {0, 3, 0, true},  {1, 3, 3, true},  {1, 3, 2, true},
                                    {2, 3, 1, false}, {2, 3, 0, false}, {2, 3, 1, false}, {2, 3, 0, false}};
    BOOST_TEST((steps_of(s, node, 0) == self));
}

BOOST_AUTO_TEST_CASE(lanes_of_a_chase_by_wave_share_a_node)
{
    for (const one_access &a : accesses_of(
             configured(WW_GEN_chase, {{WW_GEN_P_by, 1}, {WW_GEN_P_node, 256}, {WW_GEN_P_accesses, 64}})))
        for (size_t l = 0; l < 64; ++l)
            BOOST_REQUIRE_EQUAL(a.offset[l] / 256, a.offset[0] / 256);
}

BOOST_AUTO_TEST_CASE(neighbourhoods_and_pages_are_as_many_as_asked_for)
{
    for (const uint64_t k : {1, 3, 4, 16, 64})
        for (const uint64_t density : {1, 3, 8})
            for (const uint64_t lanes : {64, 40}) {
                if (k > lanes)
                    continue;
                for (const one_access &a :
                     accesses_of(configured(WW_GEN_neighbourhood, {{WW_GEN_P_neighbourhoods, k},
                                                                   {WW_GEN_P_density, density},
                                                                   {WW_GEN_P_lanes, lanes},
                                                                   {WW_GEN_P_accesses, 4},
                                                                   {WW_GEN_P_footprint, 64 * 32768}}))) {
                    std::map<uint64_t, std::set<uint64_t>> found;
                    for (const uint64_t offset : a.offset)
                        found[offset / 32768].insert(offset / 4096);
                    BOOST_REQUIRE_EQUAL(found.size(), k);
                    size_t pages = 0, wanted = 0;
                    for (const auto &n : found)
                        pages += n.second.size();
                    for (uint64_t n = 0; n < k; ++n)
                        wanted += std::min(density, (lanes - n + k - 1) / k);
                    BOOST_REQUIRE_EQUAL(pages, wanted);
                }
            }
}

BOOST_AUTO_TEST_CASE(phases_stay_in_their_regions_and_move_on)
{
    const uint64_t page = 4096, region = 16 * page;
    for (const uint64_t together : {0, 1})
        for (const uint64_t overlap : {0, 50}) {
            const std::vector<one_access> all =
                accesses_of(configured(WW_GEN_phases, {{WW_GEN_P_footprint, 64 * page},
                                                       {WW_GEN_P_region, region},
                                                       {WW_GEN_P_overlap, overlap},
                                                       {WW_GEN_P_move, together},
                                                       {WW_GEN_P_phase, 10},
                                                       {WW_GEN_P_accesses, 80},
                                                       {WW_GEN_P_waves, 9}}));
            const uint64_t apart = overlap ? 8 * page : region, regions = overlap ? 7 : 4;
            std::map<uint64_t, std::set<uint64_t>> pages; /* touched in each region */
            for (size_t i = 0; i < all.size(); ++i) {
                const uint64_t wave = i / 80, phase = i % 80 / 10;
                const uint64_t start = ((together ? 0 : wave) + phase) % regions * apart;
                for (const uint64_t offset : all[i].offset) {
                    BOOST_REQUIRE(offset >= start && offset < start + region);
                    pages[start].insert(offset / page);
                }
            }
            BOOST_CHECK_EQUAL(pages.size(), regions);
            for (const auto &r : pages)
                BOOST_CHECK_EQUAL(r.second.size(), 16);
        }
}

BOOST_AUTO_TEST_CASE(a_group_is_the_same_alone_and_in_its_turn)
{
    for (unsigned p = 0; p < WW_GEN_PATTERNS; ++p) {
        const ww_gen_cfg cfg =
            configured(static_cast<ww_gen_pattern>(p), {{WW_GEN_P_kernels, 2}, {WW_GEN_P_accesses, 8}});
        const std::vector<uint64_t> whole = first_offsets(accesses_of(cfg));
        wkt_reader *r = nullptr;
        wkt_error error;
        BOOST_REQUIRE_EQUAL(ww_gen_open(&cfg, "x", &r, &error), WKT_OK);
        wkt_group *g = nullptr;
        BOOST_REQUIRE_EQUAL(wkt_group_load(r, 1, 63, &g, &error), WKT_OK);
        BOOST_REQUIRE_EQUAL(wkt_group_load(r, 1, 3, &g, &error), WKT_OK);
        wkt_cursor c;
        wkt_record record;
        wkt_cursor_start(g, 0, &c);
        for (size_t i = 0; i < 8; ++i) {
            BOOST_REQUIRE(wkt_next(&c, &record));
            BOOST_CHECK_EQUAL(record.va[0] - WW_GEN_BASE_VA, whole[(64 + 3) * 8 + i]);
        }
        wkt_group_free(g);
        wkt_close(r);
    }
    /* draws differ between kernels, waves and seeds */
    std::set<std::vector<uint64_t>> all;
    for (const uint64_t seed : {1, 2}) {
        const std::vector<uint64_t> offsets = first_offsets(accesses_of(configured(
            WW_GEN_uniform, {{WW_GEN_P_kernels, 2}, {WW_GEN_P_accesses, 8}, {WW_GEN_P_seed, seed}})));
        for (size_t i = 0; i < offsets.size(); i += 8)
            all.insert({offsets.begin() + long(i), offsets.begin() + long(i) + 8});
    }
    BOOST_CHECK_EQUAL(all.size(), 2 * 2 * 64);
}
