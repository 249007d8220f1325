/* SPDX-License-Identifier: MIT */
/* report/row_pitch.cpp - counts the distances between accesses, by buffer. */
#include "report/row_pitch.hpp"

#include "support/interrupt.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace walkway
{

namespace
{

uint64_t distance(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

/* Returns the distance between neighbouring lanes; uneven: it is not the same for all; 0: no two neighbours
 * are active. */
constexpr uint64_t uneven = UINT64_MAX;
uint64_t step_of_lanes(const wkt_record &r)
{
    uint64_t step = 0;
    bool first = true;
    for (uint32_t lane = 1; lane < WKT_WAVE_LANES; ++lane) {
        if ((r.mask >> (lane - 1) & 3) != 3)
            continue;
        const uint64_t here = distance(r.va[lane - 1], r.va[lane]);
        if (!first && here != step)
            return uneven;
        step = here;
        first = false;
    }
    return step;
}

constexpr size_t most_steps = 1024; /* distinct steps that are counted; a frequent one occurs early */

class pitch_count
{
public:
    explicit pitch_count(wkt_reader *trace) : trace_(trace), of_(wkt_reader_info(trace)->buffers) {}

    void begin_launch(uint32_t launch)
    {
        ranges_.clear();
        for (uint32_t i = 0; i < of_.size(); ++i) {
            const wkt_buffer &b = *wkt_reader_buffer(trace_, i);
            if (b.bytes != 0 && launch >= b.first_launch && launch < b.end_launch)
                ranges_[b.base_va] = i;
        }
    }
    void begin_wave() { last_.clear(); }
    void add(const wkt_record &r)
    {
        const uint64_t va = r.va[__builtin_ctzll(r.mask)];
        const auto behind = ranges_.upper_bound(va);
        if (behind == ranges_.begin())
            return;
        const auto &[base_va, number] = *std::prev(behind);
        if (va - base_va >= wkt_reader_buffer(trace_, number)->bytes)
            return;
        counts &c = of_[number];
        ++c.instructions;
        const uint64_t lanes = step_of_lanes(r);
        const uint64_t access = uint64_t{r.pc} << 32 | number;
        const auto before = last_.find(access);
        const uint64_t step = lanes >= least_pitch    ? lanes
                              : before == last_.end() ? 0
                                                      : distance(before->second, va);
        last_[access] = va;
        if (step >= least_pitch && step < wkt_reader_buffer(trace_, number)->bytes &&
            (c.by_step.size() < most_steps || c.by_step.count(step) != 0))
            ++c.by_step[step];
    }
    std::vector<row_pitch> result() const
    {
        std::vector<row_pitch> all;
        for (const counts &c : of_) {
            row_pitch p = {0, 0, c.instructions};
            for (const auto &[step, count] : c.by_step)
                if (2 * count >= c.instructions && count > p.instructions) {
                    p.bytes = step;
                    p.instructions = count;
                }
            all.push_back(p);
        }
        return all;
    }

private:
    struct counts {
        uint64_t instructions = 0;
        std::map<uint64_t, uint64_t> by_step;
    };
    wkt_reader *trace_;
    std::vector<counts> of_;
    std::map<uint64_t, uint32_t> ranges_;         /* of the launch: buffers by their first addresses */
    std::unordered_map<uint64_t, uint64_t> last_; /* of the wave: by instruction and buffer; never iterated */
};

} // namespace

std::vector<row_pitch> row_pitches(const std::string &path, wkt_reader *trace)
{
    pitch_count count(trace);
    wkt_error error{};
    wkt_group *loaded = nullptr;
    for (uint32_t l = 0; l < wkt_reader_info(trace)->launches; ++l) {
        count.begin_launch(l);
        for (uint32_t i = 0; i < wkt_reader_launch(trace, l)->groups; ++i) {
            if (interrupted())
                throw failure(exit_interrupted, "interrupted");
            const int status = wkt_group_load(trace, l, i, &loaded, &error);
            const group_ptr group(std::exchange(loaded, nullptr));
            if (status != WKT_OK)
                throw failure(exit_input, path + ": " + error.text);
            for (uint32_t w = 0; w < wkt_group_waves(group.get()); ++w) {
                wkt_cursor c{};
                wkt_record r{};
                wkt_cursor_start(group.get(), w, &c);
                count.begin_wave();
                while (wkt_next(&c, &r))
                    if (r.kind <= WKT_ATOMIC)
                        count.add(r);
                if (wkt_cursor_failed(&c))
                    throw failure(exit_input, path + ": a record does not decode");
            }
        }
    }
    return count.result();
}

} // namespace walkway
