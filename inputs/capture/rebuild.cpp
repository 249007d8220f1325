/* SPDX-License-Identifier: MIT */
/* capture/rebuild.cpp - see rebuild.hpp. */
#include "capture/rebuild.hpp"

#include <algorithm>
#include <cstring>

namespace walkway::capture
{
namespace
{

constexpr size_t max_open_loads = 64; /* per site; bounds the loads of lanes that diverged for good */

uint32_t first_lane(uint64_t mask)
{
    return uint32_t(__builtin_ctzll(mask));
}

uint64_t lane_bit(uint32_t lane)
{
    return uint64_t(1) << lane;
}

uint32_t saturated(uint64_t v)
{
    return uint32_t(std::min<uint64_t>(v, UINT32_MAX));
}

bool is_local(uint8_t kind)
{
    return kind == WKT_LOCAL_LOAD || kind == WKT_LOCAL_STORE || kind == WKT_LOCAL_ATOMIC;
}

bool has_value(uint8_t kind)
{
    return kind != WKT_STORE && kind != WKT_LOCAL_STORE && kind != WKT_BARRIER;
}

} // namespace

std::string packing_failure(int status)
{
    return status == WKT_E_LIMIT ? records_too_large : "out of memory";
}

void wave_rebuild::start(rebuild_context &c, uint32_t wave_number, uint32_t lanes)
{
    ctx = &c;
    wave = wave_number;
    lanes_n = lanes;
    clock = after_last = barrier_lanes = 0;
    barrier_pc = none;
    for (uint32_t &s : segment_of)
        s = none;
    open.resize(c.code->sites.size());
    for (auto &loads : open)
        loads.clear();
    std::memset(&record, 0, sizeof record);
    int status = wkt_packer_wave(c.packer, lanes == WKT_WAVE_LANES ? UINT64_MAX : lane_bit(lanes) - 1);
    if (status && !c.status)
        c.status = status;
}

void wave_rebuild::run()
{
    uint64_t live = 0;
    for (uint32_t l = 0; l < lanes_n; l++) {
        if (barrier_lanes & lane_bit(l))
            continue;
        segment_of[l] = logs[l].segment();
        if (segment_of[l] != none)
            live |= lane_bit(l);
    }
    while (live) {
        uint32_t lowest = segment_of[0];
        for (uint32_t l = 1; l < WKT_WAVE_LANES; l++)
            lowest = std::min(lowest, segment_of[l]);
        uint64_t mask = 0;
        for (uint32_t l = 0; l < WKT_WAVE_LANES; l++)
            mask |= uint64_t(segment_of[l] == lowest) << l;
        run_segment(lowest, mask);
        const bool waits = ctx->code->segments[lowest].barrier_pc != none;
        for (uint64_t rest = mask; rest; rest &= rest - 1) {
            uint32_t l = first_lane(rest);
            segment_of[l] = waits ? none : logs[l].segment();
            if (segment_of[l] == none)
                live &= ~lane_bit(l);
        }
    }
}

void wave_rebuild::run_segment(uint32_t number, uint64_t mask)
{
    const layout &code = *ctx->code;
    const segment &s = code.segments[number];
    for (uint32_t i = 0; i < s.events; i++) {
        const segment_event &e = code.events[s.first_event + i];
        uint64_t position = clock + e.offset;
        if (e.use) {
            if (!open[e.site].empty())
                use(e.site, position, mask);
        } else if (code.sites[e.site].dynamic) {
            dynamic_access(code.sites[e.site], e.site, position, mask);
        } else {
            access(code.sites[e.site], e.site, position, mask);
        }
    }
    clock += s.count;
    if (s.barrier_pc != none) {
        barrier_lanes |= mask;
        barrier_pc = std::min(barrier_pc, s.barrier_pc);
    }
}

void wave_rebuild::access(const access_site &s, uint32_t site, uint64_t position, uint64_t mask)
{
    uint64_t address[WKT_WAVE_LANES];
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        uint32_t l = first_lane(rest);
        address[l] = logs[l].address();
    }
    emit(s.pc, s.kind, s.bytes, mask, address, position, site);
}

/* Lanes may make different numbers of accesses. Their n-th ones become one record if kind and size agree. */
void wave_rebuild::dynamic_access(const access_site &s, uint32_t site, uint64_t position, uint64_t mask)
{
    uint64_t address[WKT_WAVE_LANES];
    uint32_t left[WKT_WAVE_LANES] = {}, what[WKT_WAVE_LANES] = {};
    uint64_t busy = 0, records = 0;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        uint32_t l = first_lane(rest);
        left[l] = logs[l].word();
        busy |= left[l] ? lane_bit(l) : 0;
    }
    while (busy) {
        for (uint64_t rest = busy; rest; rest &= rest - 1) {
            uint32_t l = first_lane(rest);
            what[l] = logs[l].word();
            address[l] = logs[l].address();
            left[l]--;
        }
        for (uint64_t rest = busy; rest;) {
            uint32_t first = what[first_lane(rest)];
            uint64_t alike = 0;
            for (uint64_t scan = rest; scan; scan &= scan - 1) {
                uint32_t l = first_lane(scan);
                alike |= what[l] == first ? lane_bit(l) : 0;
            }
            rest &= ~alike;
            records += emit(s.pc, uint8_t(first & ((1u << dynamic_kind_bits) - 1)),
                            uint8_t(first >> dynamic_kind_bits), alike, address, position + records, site);
        }
        for (uint64_t rest = busy; rest; rest &= rest - 1) {
            uint32_t l = first_lane(rest);
            busy &= left[l] ? ~uint64_t(0) : ~lane_bit(l);
        }
    }
    if (records > 1)
        clock += records - 1; /* the layout counted one */
}

/* Writes one record. Returns false if no lane of it is inside a buffer. */
bool wave_rebuild::emit(uint32_t pc, uint8_t kind, uint8_t bytes, uint64_t mask, const uint64_t *address,
                        uint64_t position, uint32_t site)
{
    const address_map &map = is_local(kind) ? *ctx->local : *ctx->global;
    uint64_t inside = mask;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        uint32_t l = first_lane(rest);
        if (!map.translate(address[l], bytes, record.va[l])) {
            inside &= ~lane_bit(l);
            ctx->lanes_dropped++;
        }
    }
    if (!inside)
        return false;
    record.pc = pc;
    record.kind = kind;
    record.bytes = bytes;
    record.mask = inside;
    record.compute = saturated(position - after_last);
    record.use = WKT_USE_NEVER;
    after_last = position + 1;
    uint32_t number = 0;
    int status = wkt_packer_record(ctx->packer, wave, &record, &number);
    if (status && !ctx->status)
        ctx->status = status;
    if (site == none || !ctx->code->sites[site].result || !has_value(kind))
        return true;
    auto &loads = open[site];
    /* Drops loads whose value these lanes overwrite, and another one if there are max_open_loads. */
    for (size_t i = 0; i < loads.size();) {
        if ((loads[i].mask & ~inside) != 0 && loads.size() < max_open_loads) {
            i++;
            continue;
        }
        if (ctx->code->sites[site].through_phi || (loads[i].mask & ~inside) != 0)
            wkt_packer_use(ctx->packer, wave, loads[i].record, WKT_USE_UNKNOWN);
        loads[i] = loads.back();
        loads.pop_back();
    }
    loads.push_back({inside, position, number});
    return true;
}

void wave_rebuild::use(uint32_t site, uint64_t position, uint64_t mask)
{
    auto &loads = open[site];
    for (size_t i = 0; i < loads.size();) {
        if (!(loads[i].mask & mask)) {
            i++;
            continue;
        }
        uint64_t distance = std::min<uint64_t>(position - loads[i].position, WKT_USE_UNKNOWN - 1);
        wkt_packer_use(ctx->packer, wave, loads[i].record, uint32_t(std::max<uint64_t>(distance, 1)));
        loads[i] = loads.back();
        loads.pop_back();
    }
}

/* Oclgrind copies element by element, load and store in turn. As many loads as the wave has lanes become one
 * record, then their stores another. */
void wave_rebuild::run_group_accesses(const std::vector<group_access> &accesses)
{
    for (size_t first = 0; first + 1 < accesses.size(); first += size_t(2) * lanes_n) {
        uint32_t n = uint32_t(std::min<size_t>((accesses.size() - first) / 2, lanes_n));
        for (size_t half = 0; half < 2; half++) {
            uint64_t rest = n == WKT_WAVE_LANES ? UINT64_MAX : lane_bit(n) - 1;
            while (rest) { /* one pass, unless the chunk has copies of different kinds */
                const group_access &a = accesses[first + 2 * first_lane(rest) + half];
                uint64_t address[WKT_WAVE_LANES] = {}, mask = 0;
                for (uint64_t scan = rest; scan; scan &= scan - 1) {
                    const group_access &element = accesses[first + 2 * first_lane(scan) + half];
                    if (element.kind == a.kind && element.bytes == a.bytes) {
                        address[first_lane(scan)] = element.address;
                        mask |= scan & (0 - scan);
                    }
                }
                rest &= ~mask;
                clock += emit(barrier_pc, a.kind, uint8_t(a.bytes), mask, address, clock, none);
            }
        }
    }
}

bool wave_rebuild::pass_barrier()
{
    if (!barrier_lanes)
        return false;
    record.pc = barrier_pc;
    record.kind = WKT_BARRIER;
    record.bytes = 0;
    record.mask = barrier_lanes;
    record.compute = saturated(clock - after_last);
    record.use = WKT_USE_NEVER;
    int status = wkt_packer_record(ctx->packer, wave, &record, nullptr);
    if (status && !ctx->status)
        ctx->status = status;
    after_last = ++clock;
    barrier_lanes = 0;
    barrier_pc = none;
    return true;
}

void wave_rebuild::finish()
{
    wkt_packer_tail(ctx->packer, wave, saturated(clock - after_last));
}

} // namespace walkway::capture
