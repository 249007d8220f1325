/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_map_test.cpp - the address map: fields by hand, bijection by exhaustion, and the effect of
 * the hashes. */
#include "kernels/dram/dram_map.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace
{

ww_dram_map make(std::vector<ww_dram_piece> pieces, bool channel_xor, bool bank_xor)
{
    ww_dram_map_cfg cfg{};
    cfg.pieces = uint32_t(pieces.size());
    for (size_t i = 0; i < pieces.size(); i++)
        cfg.piece[i] = pieces[i];
    cfg.channel_xor = channel_xor;
    cfg.bank_xor = bank_xor;
    ww_dram_map map;
    BOOST_REQUIRE_EQUAL(ww_dram_map_init(&map, &cfg), WW_OK);
    return map;
}

ww_dram_map default_map(bool channel_xor)
{
    ww_dram_map_cfg cfg;
    ww_dram_map_cfg_default(&cfg);
    BOOST_TEST(cfg.channel_xor);
    cfg.channel_xor = channel_xor;
    ww_dram_map map;
    BOOST_REQUIRE_EQUAL(ww_dram_map_init(&map, &cfg), WW_OK);
    return map;
}

bool equal(const ww_dram_loc &a, const ww_dram_loc &b)
{
    return a.channel == b.channel && a.rank == b.rank && a.bank == b.bank && a.row == b.row && a.col == b.col;
}

constexpr uint8_t ROW = WW_DRAM_FIELD_ROW, BANK = WW_DRAM_FIELD_BANK, RANK = WW_DRAM_FIELD_RANK,
                  COL = WW_DRAM_FIELD_COL, CH = WW_DRAM_FIELD_CHANNEL, OFFSET = WW_DRAM_FIELD_OFFSET;

} // namespace

BOOST_AUTO_TEST_CASE(default_map_is_row_bank3_rank1_col7_ch1_offset6)
{
    ww_dram_map map = default_map(false);
    BOOST_TEST(ww_dram_map_size_bytes(&map) == 16ULL << 30);
    BOOST_TEST(ww_dram_map_count(&map, WW_DRAM_FIELD_CHANNEL) == 2U);
    BOOST_TEST(ww_dram_map_count(&map, WW_DRAM_FIELD_RANK) * ww_dram_map_count(&map, WW_DRAM_FIELD_BANK) ==
               16U);
    uint64_t pa = 0x1234ULL << 18 | 5ULL << 15 | 1ULL << 14 | 77ULL << 7 | 1ULL << 6 | 63;
    ww_dram_loc loc = ww_dram_decode(&map, pa);
    BOOST_TEST(equal(loc, {1, 1, 5, 0x1234, 77}));
    BOOST_TEST(ww_dram_encode(&map, &loc) == (pa & ~63ULL));
}

BOOST_AUTO_TEST_CASE(small_maps_are_bijections)
{
    const std::vector<std::vector<ww_dram_piece>> layouts = {
        {{ROW, 5}, {BANK, 3}, {RANK, 1}, {COL, 3}, {CH, 1}, {OFFSET, 6}},
        {{ROW, 3}, {COL, 1}, {ROW, 2}, {CH, 2}, {BANK, 2}, {COL, 2}, {CH, 1}, {RANK, 2}, {OFFSET, 5}},
        {{CH, 2}, {ROW, 4}, {BANK, 1}, {COL, 2}, {BANK, 2}, {OFFSET, 6}},
        {{ROW, 6}, {BANK, 2}, {CH, 0}, {COL, 4}, {OFFSET, 6}},
        {{ROW, 3}, {CH, 1}, {BANK, 1}, {RANK, 1}, {COL, 2}, {OFFSET, 4}, {OFFSET, 2}},
    };
    for (const auto &layout : layouts)
        for (int hashes = 0; hashes < 4; hashes++) {
            ww_dram_map map = make(layout, hashes & 1, hashes & 2);
            uint64_t line = ww_dram_map_count(&map, WW_DRAM_FIELD_OFFSET);
            std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>> seen;
            for (uint64_t pa = 0; pa < ww_dram_map_size_bytes(&map); pa += line) {
                ww_dram_loc loc = ww_dram_decode(&map, pa + line - 1);
                BOOST_REQUIRE_EQUAL(ww_dram_encode(&map, &loc), pa);
                BOOST_REQUIRE(seen.insert({loc.channel, loc.rank, loc.bank, loc.row, loc.col}).second);
            }
        }
}

BOOST_AUTO_TEST_CASE(encode_inverts_decode_at_full_size)
{
    std::mt19937_64 rng(7);
    for (bool channel_xor : {false, true}) {
        ww_dram_map map = default_map(channel_xor);
        for (int i = 0; i < 20000; i++) {
            uint64_t pa = rng() % ww_dram_map_size_bytes(&map) & ~63ULL;
            ww_dram_loc loc = ww_dram_decode(&map, pa);
            BOOST_REQUIRE_EQUAL(ww_dram_encode(&map, &loc), pa);
        }
    }
}

BOOST_AUTO_TEST_CASE(hashed_channel_is_the_parity_of_all_bits_above_the_offset)
{
    ww_dram_map map = default_map(true);
    std::mt19937_64 rng(8);
    for (int i = 0; i < 1000; i++) {
        uint64_t pa = rng() % ww_dram_map_size_bytes(&map);
        uint32_t parity = 0;
        for (uint32_t bit = 6; bit < 34; bit++)
            parity ^= uint32_t(pa >> bit & 1);
        BOOST_REQUIRE_EQUAL(ww_dram_decode(&map, pa).channel, parity);
    }
}

BOOST_AUTO_TEST_CASE(hashed_channel_spreads_power_of_two_strides)
{
    for (bool channel_xor : {false, true}) {
        ww_dram_map map = default_map(channel_xor);
        for (uint32_t shift = 7; shift < 26; shift++) {
            uint32_t on_one = 0;
            for (uint64_t i = 0; i < 256; i++)
                on_one += ww_dram_decode(&map, i << shift).channel;
            BOOST_TEST(on_one == (channel_xor ? 128U : 0U), "stride 2^" << shift << ": " << on_one);
        }
    }
}

BOOST_AUTO_TEST_CASE(hashed_channel_of_several_bits_uses_all_channels)
{
    ww_dram_map map = make({{ROW, 8}, {BANK, 3}, {COL, 5}, {CH, 4}, {OFFSET, 6}}, true, false);
    for (uint32_t shift : {10U, 12U, 14U, 15U, 18U}) {
        std::set<uint32_t> channels;
        for (uint64_t i = 0; i < 256 && i << shift < ww_dram_map_size_bytes(&map); i++)
            channels.insert(ww_dram_decode(&map, i << shift).channel);
        BOOST_TEST(channels.size() == 16U, "stride 2^" << shift);
    }
}

BOOST_AUTO_TEST_CASE(bank_xor_spreads_rows_over_banks)
{
    for (bool bank_xor : {false, true}) {
        ww_dram_map map = make({{ROW, 8}, {BANK, 3}, {COL, 5}, {OFFSET, 6}}, false, bank_xor);
        std::set<uint32_t> banks;
        for (uint64_t row = 0; row < 8; row++)
            banks.insert(ww_dram_decode(&map, row << 14).bank);
        BOOST_TEST(banks.size() == (bank_xor ? 8U : 1U));
    }
}

BOOST_AUTO_TEST_CASE(illegal_maps_are_refused)
{
    ww_dram_map map;
    auto status = [&](std::vector<ww_dram_piece> pieces, uint32_t count, bool bank_xor) {
        ww_dram_map_cfg cfg{};
        for (size_t i = 0; i < pieces.size(); i++)
            cfg.piece[i] = pieces[i];
        cfg.pieces = count;
        cfg.bank_xor = bank_xor;
        return ww_dram_map_init(&map, &cfg);
    };
    BOOST_TEST(status({}, 0, false) == WW_E_ARG);
    BOOST_TEST(status({}, 17, false) == WW_E_ARG);
    BOOST_TEST(status({{WW_DRAM_FIELDS, 1}}, 1, false) == WW_E_ARG);
    BOOST_TEST(status({{ROW, 33}}, 1, false) == WW_E_ARG);
    BOOST_TEST(status({{ROW, 20}, {COL, 10}, {ROW, 13}}, 3, false) == WW_E_ARG);
    BOOST_TEST(status({{ROW, 32}, {COL, 25}}, 2, false) == WW_E_ARG);
    BOOST_TEST(status({{ROW, 2}, {BANK, 3}}, 2, true) == WW_E_ARG);
    BOOST_TEST(status({{ROW, 3}, {BANK, 3}}, 2, true) == WW_OK);
    BOOST_TEST(status({{ROW, 32}, {COL, 24}}, 2, false) == WW_OK);
}

BOOST_AUTO_TEST_CASE(addresses_and_coordinates_outside_are_caught)
{
    ww_dram_map map = default_map(true);
    ww_dram_loc loc = {0, 2, 0, 0, 0};
    BOOST_CHECK_THROW(ww_dram_decode(&map, ww_dram_map_size_bytes(&map)), std::logic_error);
    BOOST_CHECK_THROW(ww_dram_encode(&map, &loc), std::logic_error);
}

BOOST_AUTO_TEST_CASE(fields_have_the_names_of_the_text_form)
{
    BOOST_TEST(ww_dram_field_name(WW_DRAM_FIELD_CHANNEL) == std::string("ch"));
    BOOST_TEST(ww_dram_field_name(WW_DRAM_FIELD_OFFSET) == std::string("offset"));
    BOOST_TEST(ww_dram_field_name(WW_DRAM_FIELD_ROW) == std::string("row"));
}
