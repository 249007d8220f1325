/* SPDX-License-Identifier: MIT */
/* tb/cli/row_pitch_test.cpp - the distance between rows of made-up accesses. */
#include "report/row_pitch.hpp"

#include "tb/support/traces.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

row_pitch pitch_of(const std::vector<wkt_record> &records, uint32_t buffer = 0)
{
    trace_spec spec = one_launch({{{records}}}, 1 << 20);
    spec.buffers.push_back({buffer_va + (1 << 20), 1 << 20, 0, 0, 1});
    const trace t(spec);
    return row_pitches(t.path(), t.reader()).at(buffer);
}

wkt_record at(uint64_t va, uint64_t step, uint32_t pc = 0)
{
    wkt_record r = stride(WKT_LOAD, buffer_va + va, step);
    r.pc = pc;
    return r;
}

} // namespace

BOOST_AUTO_TEST_SUITE(pitches)

BOOST_AUTO_TEST_CASE(of_rows_that_lanes_have_one_each)
{
    const row_pitch p = pitch_of({at(0, 2048), at(4, 2048), at(8, 4096)});
    BOOST_TEST(p.bytes == 2048u);
    BOOST_TEST(p.instructions == 2u);
    BOOST_TEST(p.of_instructions == 3u);
}

BOOST_AUTO_TEST_CASE(of_rows_that_a_wave_goes_through_one_by_one)
{
    std::vector<wkt_record> records;
    for (uint64_t row = 0; row < 6; ++row) {
        records.push_back(at(row * 3000, 4, 8));
        records.push_back(at(512 * 1024 + row * 4, 4, 16)); /* along a row, by another instruction */
    }
    BOOST_TEST(pitch_of(records).bytes == 0u); /* 5 of 12 steps */
    records.push_back(at(6 * 3000, 4, 8));
    records.push_back(at(7 * 3000, 4, 8));
    BOOST_TEST(pitch_of(records).bytes == 3000u); /* 7 of 14 steps */
    BOOST_TEST(pitch_of(records, 1).of_instructions == 0u);
}

BOOST_AUTO_TEST_CASE(steps_along_a_row_are_none_and_uneven_ones_neither)
{
    BOOST_TEST(pitch_of({at(0, 255), at(0, 4), at(4, 4)}).bytes == 0u);
    BOOST_TEST(pitch_of({at(0, 256)}).bytes == 256u);
    wkt_record uneven = at(0, 2048);
    uneven.va[9] += 4;
    BOOST_TEST(pitch_of({uneven}).bytes == 0u);
    uneven.mask = ~(uint64_t{1} << 9);
    BOOST_TEST(pitch_of({uneven}).bytes == 2048u); /* the lane is not active */
    for (uint64_t lane = 10; lane < WKT_WAVE_LANES; ++lane)
        uneven.va[lane] += 100;
    BOOST_TEST(pitch_of({uneven}).bytes == 2048u); /* lanes beside an inactive one are not neighbours */
}

BOOST_AUTO_TEST_CASE(backwards_is_as_far)
{
    wkt_record r = at(0, 0);
    for (uint64_t lane = 0; lane < 64; ++lane)
        r.va[lane] = buffer_va + (63 - lane) * 4096;
    BOOST_TEST(pitch_of({r}).bytes == 4096u);
}

BOOST_AUTO_TEST_CASE(each_buffer_has_its_own)
{
    const std::vector<wkt_record> records = {at(0, 2048), at(1 << 20, 4096), at((1 << 20) + 4, 4096)};
    BOOST_TEST(pitch_of(records, 0).bytes == 2048u);
    BOOST_TEST(pitch_of(records, 1).bytes == 4096u);
}

BOOST_AUTO_TEST_SUITE_END()
