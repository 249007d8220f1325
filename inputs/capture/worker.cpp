/* SPDX-License-Identifier: MIT */
/* capture/worker.cpp - see worker.hpp. */
#include "capture/worker.hpp"

#include <algorithm>
#include <tuple>

namespace walkway::capture
{

constexpr uint64_t max_access_bytes = 128; /* of one record; larger accesses of a work-item are split */
constexpr uint32_t max_texel_bytes = 16;

void worker::begin_group(const layout &l, const address_map &global, wkt_packer *packer, uint32_t number,
                         size_t item_count, uint32_t width)
{
    code = &l;
    context = {code, &global, &local, packer, 0, 0};
    group_number = number;
    items_n = item_count;
    problem.clear();
    pending.clear();
    group_pending.clear();
    current_key = nullptr;
    if (items.size() < items_n)
        items.resize(items_n);
    for (item &i : items) {
        i.log.clear();
        i.place = none;
        i.begun = false;
    }
    size_t waves_n = (items_n + WKT_WAVE_LANES - 1) / WKT_WAVE_LANES;
    if (waves.size() < waves_n)
        waves.resize(waves_n);
    wkt_packer_begin(packer, width);
    for (size_t w = 0; w < waves_n; w++) {
        size_t lanes = std::min<size_t>(items_n - w * WKT_WAVE_LANES, WKT_WAVE_LANES);
        waves[w].start(context, uint32_t(w), uint32_t(lanes));
    }
}

void worker::select(const void *key, size_t linear_id)
{
    current_key = key;
    current = &items[linear_id];
}

/* Finds and logs the segment that begins with the instruction. Returns NULL on failure. */
const placed_instruction *worker::jump(const llvm::Instruction *i)
{
    if (!problem.empty()) { /* the log is incomplete */
        pending.clear();
        return nullptr;
    }
    const placed_instruction *all = code->instructions.data(), *to = nullptr;
    if (!current->begun) {
        current->begun = true;
        to = all;
    } else {
        const placed_instruction &from = all[current->place];
        if (from.next_count == 0)
            to = &from + 1;
        for (uint32_t n = 0; n < from.next_count && !to; n++) {
            const placed_instruction *candidate = all + code->next[from.first_next + n];
            to = candidate->instruction == i ? candidate : nullptr;
        }
    }
    if (!to || to->instruction != i) {
        if (problem.empty())
            problem = "lost track of a work-item's instructions";
        pending.clear();
        return nullptr;
    }
    current->log.make_room(*code, sizeof(uint32_t));
    current->log.put_word(to->segment);
    return to;
}

void worker::log_accesses(const placed_instruction &p)
{
    const access_site &s = code->sites[p.site];
    if (s.dynamic) {
        if (s.image)
            merge_texels();
        current->log.put_word(uint32_t(pending.size()));
        for (const pending_access &a : pending) {
            current->log.put_word(dynamic_access(a.kind, a.bytes));
            current->log.put_address(a.address);
        }
    } else if (pending.size() == 1) {
        current->log.put_address(pending[0].address);
    } else {
        unexpected_access();
    }
    pending.clear();
}

/* A filter reads a texel once per channel, and some texels twice. Drops an access that lies within the one
 * before it in address order, and joins adjacent ones up to the size of a texel of four floats. */
void worker::merge_texels()
{
    std::sort(pending.begin(), pending.end(), [](const pending_access &a, const pending_access &b) {
        return std::tie(a.address, a.bytes) < std::tie(b.address, b.bytes);
    });
    size_t kept = 0;
    for (const pending_access &a : pending) {
        pending_access *before = kept ? &pending[kept - 1] : nullptr;
        if (before && a.address + a.bytes <= before->address + before->bytes)
            continue;
        if (before && a.address == before->address + before->bytes &&
            before->bytes + a.bytes <= max_texel_bytes)
            before->bytes += a.bytes;
        else
            pending[kept++] = a;
    }
    pending.resize(kept);
}

void worker::unexpected_access()
{
    if (problem.empty())
        problem = "an instruction accessed memory in a way its type does not show";
    pending.clear();
}

void worker::accessed(uint64_t address, uint64_t bytes, uint8_t kind)
{
    for (; bytes > max_access_bytes; address += max_access_bytes, bytes -= max_access_bytes)
        pending.push_back({address, uint32_t(max_access_bytes), kind});
    if (bytes)
        pending.push_back({address, uint32_t(bytes), kind});
}

/* Oclgrind reports both halves of an atomic: records one access. */
void worker::atomic_stored(uint64_t address, uint64_t bytes, uint8_t kind)
{
    if (pending.empty() || pending.back().address != address || pending.back().kind != kind)
        accessed(address, bytes, kind);
}

void worker::group_accessed(uint64_t address, uint64_t bytes, uint8_t kind)
{
    if (bytes && bytes <= max_access_bytes)
        group_pending.push_back({address, uint32_t(bytes), kind});
}

void worker::run_waves()
{
    for (size_t first = 0; first < items_n; first += WKT_WAVE_LANES) {
        wave_rebuild &wave = waves[first / WKT_WAVE_LANES];
        size_t lanes = std::min<size_t>(items_n - first, WKT_WAVE_LANES);
        for (size_t l = 0; l < lanes; l++)
            wave.read(uint32_t(l), items[first + l].log);
        wave.run();
    }
    for (size_t i = 0; i < items_n; i++)
        items[i].log.clear();
}

void worker::barrier()
{
    if (!problem.empty())
        return;
    run_waves();
    waves[0].run_group_accesses(group_pending);
    group_pending.clear();
    for (size_t first = 0; first < items_n; first += WKT_WAVE_LANES)
        waves[first / WKT_WAVE_LANES].pass_barrier();
}

void worker::end_group()
{
    if (!problem.empty())
        return;
    run_waves();
    for (size_t first = 0; first < items_n; first += WKT_WAVE_LANES)
        waves[first / WKT_WAVE_LANES].finish();
    if (!context.status)
        context.status = wkt_packer_end(context.packer);
    if (context.status)
        problem = packing_failure(context.status);
}

} // namespace walkway::capture
