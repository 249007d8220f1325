/* SPDX-License-Identifier: MIT */
/* guest/recorder.cpp - see recorder.hpp. */
#include "guest/recorder.hpp"

#include "support/errors.hpp"

#include <cinttypes>
#include <cstdio>
#include <set>

namespace walkway
{

guest_recorder::guest_recorder(const std::string &path, const std::string &command,
                               const std::string &producer)
    : path_(path)
{
    const wkt_writer_cfg cfg = {"guest", command.c_str(), producer.c_str(), 0};
    must(wkt_writer_open(path.c_str(), &cfg, &writer_, &error_));
}

guest_recorder::~guest_recorder()
{
    wkt_writer_abort(writer_);
}

void guest_recorder::must(int status) const
{
    if (status != WKT_OK)
        throw failure(exit_output, error_.text);
}

void guest_recorder::root(uint64_t cr3)
{
    end_launch();
    cr3_ = cr3;
    rooted_ = true;
}

void guest_recorder::begin_launch(uint64_t root)
{
    wkt_launch l{};
    std::snprintf(l.name, sizeof l.name, "root_0x%" PRIx64, root & WKT_ROOT_PA);
    for (int d = 0; d < 3; ++d)
        l.grid[d] = l.group[d] = 1;
    l.root = root;
    must(wkt_writer_launch_begin(writer_, &l, &error_));
    must(wkt_writer_group_begin(writer_, &error_));
    must(wkt_writer_wave(writer_, 1, &error_));
    launch_root_ = root;
    in_launch_ = 0;
    ++launches_;
}

void guest_recorder::end_launch()
{
    if (launch_root_ == 0)
        return;
    launch_root_ = 0;
    must(wkt_writer_group_end(writer_, &error_));
    must(wkt_writer_launch_end(writer_, &error_));
}

void guest_recorder::access(const ww_guest_record &r)
{
    const auto levels = static_cast<uint32_t>(ww_bits_get(WW_GUEST_LEVELS, r.what));
    const uint64_t root = (cr3_ & WKT_ROOT_PA) | levels, size = ww_bits_get(WW_GUEST_SIZE, r.what);
    const bool store = ww_bits_get(WW_GUEST_STORE, r.what) != 0;
    if (!rooted_)
        throw failure(exit_input, "the emulator's stream has an access before a root");
    if (uint64_t{1} << size > 64)
        throw failure(exit_input, "the emulator's stream has an access of more than 64 bytes");
    if (root != launch_root_ || in_launch_ == launch_records) {
        end_launch();
        begin_launch(root);
    }
    wkt_record record{};
    record.kind = store ? WKT_STORE : WKT_LOAD;
    record.bytes = static_cast<uint8_t>(1u << size);
    record.use = store ? WKT_USE_NEVER : WKT_USE_UNKNOWN;
    record.mask = 1;
    record.va[0] = r.va & ww_page_mask(ww_va_bits(levels));
    must(wkt_writer_record(writer_, &record, &error_));
    ++in_launch_;
    ++accesses_;
    const uint64_t page_pa = ww_page_base(r.pa, WW_PAGE_4K);
    const auto at = pages_.try_emplace({root, record.va[0] >> WW_PAGE_4K}, page{page_pa, false});
    page &p = at.first->second;
    p.moved = p.moved || p.pa != page_pa;
    p.pa = page_pa;
}

recorded_pages guest_recorder::compare(ww_guest_ram ram) const
{
    recorded_pages n;
    for (const auto &[key, was] : pages_) {
        const uint32_t levels = wkt_root_levels(key.root);
        uint64_t entry[WW_GUEST_LEVELS_MAX];
        const ww_guest_walked w = ww_guest_walk(ram, key.root & WKT_ROOT_PA, levels,
                                                ww_x86_canonical(key.vpn << WW_PAGE_4K, levels), entry);
        if (w.outcome != WW_GUEST_WALK_PAGE)
            ++n.gone;
        else if (was.moved || ww_page_base(w.pa, WW_PAGE_4K) != was.pa)
            ++n.moved;
        else
            ++n.same;
    }
    return n;
}

bool guest_recorder::finish(bool partial)
{
    wkt_writer *w = writer_;
    if (accesses_ == 0)
        return false;
    end_launch();
    writer_ = nullptr;
    must(wkt_writer_finish(w, partial, &error_));
    return true;
}

uint64_t guest_recorder::roots() const
{
    std::set<uint64_t> all;
    for (const auto &[key, was] : pages_)
        all.insert(key.root);
    return all.size();
}

size_t guest_recorder::page_hash::operator()(const page_key &k) const
{
    return static_cast<size_t>(ww_mix64(k.root ^ ww_mix64(k.vpn)));
}

} // namespace walkway
