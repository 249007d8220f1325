/* SPDX-License-Identifier: MIT */
/* tb/bench/dram/replay.cpp - sends a trace of requests to the bare channels of main memory: each once it has
 * arrived, its predecessor was accepted and its channel has room. Prints as JSON the figures that
 * bench/dram/compare compares with those of public simulators. Usage: bench_dram TRACE CHANNELS
 * [NAME=VALUE]...: differences from the DDR3-1600 of kernels/dram/dram.h. */
#include "kernels/dram/dram.h"
#include "kernels/dram/dram_map.h"
#include "tb/bench/storage.hpp"

#include <algorithm>
#include <cinttypes>
#include <string>
#include <vector>

namespace
{

constexpr double cycle_ns = 1.25;
constexpr unsigned line_bytes = 64;

[[noreturn]] void refuse(const std::string &why)
{
    bench::give_up(("bench_dram: " + why).c_str());
}

struct request {
    uint64_t arrival, address;
    bool is_write;
    uint64_t accepted = 0, done = 0; /* done: cycle of the last data beat */
};

std::vector<request> read_trace(const std::string &path)
{
    const std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "r"), std::fclose);
    if (!file)
        refuse(path + ": cannot be opened");
    std::vector<request> list;
    uint64_t cycle = 0, address = 0;
    char kind = 0;
    int fields = 0;
    while ((fields = std::fscanf(file.get(), "%" SCNu64 " %" SCNx64 " %c", &cycle, &address, &kind)) == 3) {
        if ((kind != 'R' && kind != 'W') || (!list.empty() && cycle < list.back().arrival))
            break;
        list.push_back({cycle, address, kind == 'W'});
    }
    if (fields != EOF || list.empty())
        refuse(path + ":" + std::to_string(list.size() + 1) +
               ": not `CYCLE ADDRESS R|W` in the order of cycles");
    return list;
}

uint32_t number(const std::string &text)
{
    char *end = nullptr;
    const unsigned long value = std::strtoul(text.c_str(), &end, 10);
    if (text.empty() || *end != 0 || value > UINT32_MAX)
        refuse("'" + text + "' is not a whole number");
    return static_cast<uint32_t>(value);
}

void set(ww_dram_cfg &cfg, const std::string &word)
{
    const std::pair<const char *, uint32_t *> known[] = {
        {"read_entries", &cfg.read_entries}, {"write_entries", &cfg.write_entries},
        {"write_high", &cfg.write_high},     {"write_low", &cfg.write_low},
        {"hit_cap", &cfg.hit_cap},           {"refi", &cfg.timing.refi_cycles},
    };
    const size_t equals = word.find('=');
    std::string names;
    for (const auto &k : known) {
        if (equals != std::string::npos && word.substr(0, equals) == k.first) {
            *k.second = number(word.substr(equals + 1));
            return;
        }
        names += std::string(" ") + k.first;
    }
    refuse(word + ": not NAME=VALUE with one of" + names);
}

/* row | bank | rank | column | channel | offset, without hashing, as in the simulators. */
ww_dram_map map_of(uint32_t channels)
{
    uint8_t bits = 0;
    while (bits < 6 && 1U << bits < channels)
        ++bits;
    const ww_dram_piece pieces[] = {{WW_DRAM_FIELD_ROW, 16},       {WW_DRAM_FIELD_BANK, 3},
                                    {WW_DRAM_FIELD_RANK, 1},       {WW_DRAM_FIELD_COL, 7},
                                    {WW_DRAM_FIELD_CHANNEL, bits}, {WW_DRAM_FIELD_OFFSET, 6}};
    ww_dram_map_cfg cfg = {};
    for (const ww_dram_piece &p : pieces)
        if (p.bits != 0)
            cfg.piece[cfg.pieces++] = p;
    ww_dram_map map;
    if (1U << bits != channels || ww_dram_map_init(&map, &cfg) != WW_OK)
        refuse("CHANNELS is not 1, 2, 4 ... 64");
    return map;
}

class memory
{
public:
    memory(uint32_t channels, const ww_dram_cfg &cfg) : cfg_(cfg), map_(map_of(channels))
    {
        for (uint32_t c = 0; c < channels; ++c)
            channels_.emplace_back(ww_dram_bytes, ww_dram_init, cfg);
        fresh_.resize(channels);
    }

    void run(std::vector<request> &list)
    {
        size_t next = 0;
        for (uint64_t now = 0; now != WW_DRAM_NEVER;) {
            while (next < list.size() && list[next].arrival <= now && offer(list, next, now))
                ++next;
            uint64_t due = WW_DRAM_NEVER;
            bool issued = false;
            for (uint32_t c = 0; c < channels_.size(); ++c) {
                issued |= ww_dram_due(channels_[c]) <= now && command(list, c, now);
                due = std::min(due, ww_dram_due(channels_[c]));
            }
            /* A command may have made room, from the next cycle on. */
            if (next < list.size())
                due = list[next].arrival > now ? std::min(due, list[next].arrival) : issued ? now + 1 : due;
            now = due;
        }
    }

    uint64_t last = 0;    /* cycle of the last data beat of all */
    uint64_t acts = 0;    /* activations */
    uint64_t useless = 0; /* of these, closed again without a column command */

private:
    bool offer(std::vector<request> &list, size_t n, uint64_t now)
    {
        const ww_dram_loc loc = ww_dram_decode(&map_, list[n].address);
        list[n].accepted = now;
        return ww_dram_enqueue(channels_[loc.channel], &loc, list[n].is_write, static_cast<uint32_t>(n), now);
    }

    bool command(std::vector<request> &list, uint32_t c, uint64_t now)
    {
        ww_dram_event e;
        ww_dram_step(channels_[c], now, &e);
        const uint64_t bank = uint64_t{1} << (e.rank * cfg_.banks + e.bank);
        const uint64_t rank = ((uint64_t{1} << cfg_.banks) - 1) << (e.rank * cfg_.banks);
        if (e.cmd == WW_DRAM_ACT) {
            ++acts;
            fresh_[c] |= bank;
        } else if (e.cmd == WW_DRAM_PRE || e.cmd == WW_DRAM_PREA) {
            const uint64_t closed = fresh_[c] & (e.cmd == WW_DRAM_PRE ? bank : rank);
            useless += static_cast<unsigned>(__builtin_popcountll(closed));
            fresh_[c] &= ~closed;
        } else if (e.done_cycle != 0) {
            fresh_[c] &= e.cmd == WW_DRAM_FORWARD ? ~uint64_t{0} : ~bank;
            list[e.id].done = e.done_cycle;
            last = std::max(last, e.done_cycle);
        }
        return e.cmd != WW_DRAM_NONE;
    }

    ww_dram_cfg cfg_;
    ww_dram_map map_;
    std::vector<bench::kernel<ww_dram>> channels_;
    std::vector<uint64_t> fresh_; /* per channel: banks opened without a column command so far */
};

/* Latencies of some requests, from acceptance to the last data beat. */
struct latency {
    std::vector<uint64_t> sorted;
    explicit latency(const std::vector<request> &list, bool reads, bool writes)
    {
        for (const request &r : list)
            if (r.is_write ? writes : reads)
                sorted.push_back(r.done - r.accepted);
        std::sort(sorted.begin(), sorted.end());
    }
    double mean_ns() const
    {
        double sum = 0;
        for (const uint64_t cycles : sorted)
            sum += static_cast<double>(cycles);
        return sorted.empty() ? 0 : sum / static_cast<double>(sorted.size()) * cycle_ns;
    }
    /* Returns the smallest latency that `percent` percent of the requests do not exceed. */
    double percentile_ns(size_t percent) const
    {
        return sorted.empty()
                   ? 0
                   : static_cast<double>(sorted[(sorted.size() * percent + 99) / 100 - 1]) * cycle_ns;
    }
};

void print(const std::vector<request> &list, const memory &m, double seconds)
{
    double from_arrival = 0;
    for (const request &r : list) {
        if (r.done == 0)
            refuse("a request was not served");
        from_arrival += static_cast<double>(r.done - r.arrival);
    }
    const latency all(list, true, true), reads(list, true, false), writes(list, false, true);
    const auto n = static_cast<double>(list.size());
    std::printf("{\"requests\": %zu, \"acc_mean_ns\": %.2f, \"acc_p50_ns\": %.2f, \"acc_p99_ns\": %.2f, "
                "\"arr_mean_ns\": %.2f, \"GBps\": %.3f, \"activates\": %" PRIu64 ", ",
                list.size(), all.mean_ns(), all.percentile_ns(50), all.percentile_ns(99),
                from_arrival / n * cycle_ns, n * line_bytes / (static_cast<double>(m.last) * cycle_ns),
                m.acts);
    std::printf("\"useless_activates\": %" PRIu64 ", \"read_mean_ns\": %.2f, \"read_p99_ns\": %.2f, "
                "\"write_mean_ns\": %.2f, \"write_p99_ns\": %.2f, \"seconds\": %.3f}\n",
                m.useless, reads.mean_ns(), reads.percentile_ns(99), writes.mean_ns(),
                writes.percentile_ns(99), seconds);
}

} // namespace

extern "C" void ww_assert_fail(const char *expr, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    std::abort();
}

int main(int argc, char **argv)
{
    if (argc < 3)
        refuse("usage: bench_dram TRACE CHANNELS [NAME=VALUE]...");
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    cfg.hit_cap = 0; /* as in the shipped machine */
    for (int i = 3; i < argc; ++i)
        set(cfg, argv[i]);
    if (ww_dram_bytes(&cfg) == 0)
        refuse("these values contradict each other");
    std::vector<request> list = read_trace(argv[1]);
    memory m(number(argv[2]), cfg);
    const double start = bench::processor_seconds();
    m.run(list);
    print(list, m, bench::processor_seconds() - start);
    return 0;
}
