/* SPDX-License-Identifier: MIT */
/* cli/accelsim_verify.cpp - walkway trace verify-accelsim: reads the source's kernels again and compares each
 * line with the trace's records. It implements docs/use/accelsim.md in the simplest way and without the
 * import's parser of kernels, so that each finds the other's errors. It does not compare use distances. */
#include "cli/accelsim.hpp"

#include "import/asim_text.h"
#include "report/table.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cinttypes>
#include <iostream>
#include <map>
#include <optional>
#include <string_view>

namespace walkway
{

namespace
{

using words = std::vector<std::string_view>;

struct access {
    uint32_t pc, mask;
    uint8_t kind, bytes;
    std::array<uint64_t, ASIM_LANES> va;
};

/* Thrown for lines that the import refuses. */
struct unreadable {
};

/* Returns at least one word. Throws unreadable if there is none. */
words split(std::string_view text, std::string_view separators)
{
    words result;
    for (size_t at = 0; (at = text.find_first_not_of(separators, at)) != std::string_view::npos;) {
        const size_t end = std::min(text.find_first_of(separators, at), text.size());
        result.push_back(text.substr(at, end - at));
        at = end;
    }
    if (result.empty())
        throw unreadable();
    return result;
}

template <class T> T number(std::string_view word, int base)
{
    if (base == 16 && word.substr(0, 2) == "0x")
        word.remove_prefix(2);
    T value{};
    const auto result = std::from_chars(word.data(), word.data() + word.size(), value, base);
    if (result.ec != std::errc() || result.ptr != word.data() + word.size())
        throw unreadable();
    return value;
}

std::array<uint32_t, 3> triple(std::string_view text)
{
    const words parts = split(text, "(), \t");
    if (parts.size() != 3)
        throw unreadable();
    return {number<uint32_t>(parts[0], 10), number<uint32_t>(parts[1], 10), number<uint32_t>(parts[2], 10)};
}

class source_lines
{
public:
    explicit source_lines(const std::string &path) : path_(path)
    {
        asim_error error{};
        if (asim_text_open(&text_, path.c_str(), &error) != WKT_OK)
            throw failure(exit_input, error.text);
    }
    ~source_lines() { asim_text_close(&text_); }
    source_lines(const source_lines &) = delete;
    source_lines &operator=(const source_lines &) = delete;

    /* Returns the next line that is not blank, without its leading blanks. */
    std::optional<std::string_view> next()
    {
        const char *line = nullptr, *end = nullptr;
        asim_error error{};
        for (;;) {
            const int status = asim_text_line(&text_, &line, &end, &error);
            if (status < 0)
                throw failure(exit_input, error.text);
            if (status == 0)
                return std::nullopt;
            const std::string_view text(line, static_cast<size_t>(end - line));
            const size_t begin = text.find_first_not_of(" \t");
            if (begin != std::string_view::npos)
                return text.substr(begin);
        }
    }
    std::string_view must()
    {
        const auto line = next();
        if (!line)
            throw unreadable();
        return *line;
    }
    std::string place() const { return path_ + ":" + std::to_string(text_.line) + ": "; }

private:
    std::string path_;
    asim_text text_{};
};

struct kernel_head {
    std::string name;
    std::array<uint32_t, 3> grid{}, block{};
    uint32_t shmem = 0, sm = 0, version = 0;
    bool lineinfo = false, begun = false; /* begun: #BEGIN_TB, not a comment, ended the header */
    std::optional<uint64_t> shared, local;

    uint32_t threads() const { return block[0] * block[1] * block[2]; }
    uint32_t warps() const { return (threads() + 31) / 32; }
};

/* Reads up to and including the first line that begins with '#'. */
kernel_head read_head(source_lines &in)
{
    std::map<std::string, std::string> kept;
    std::string_view line;
    for (line = in.must(); line[0] != '#'; line = in.must()) {
        const size_t equals = line.find('='), value = line.find_first_not_of(" \t", equals + 1);
        std::string key(line.substr(1, equals - 1));
        key.erase(key.find_last_not_of(" \t") + 1);
        kept[key] = value == std::string_view::npos ? "" : std::string(line.substr(value));
    }
    kernel_head h;
    const words said = split(line, " \t");
    h.begun = said.size() == 1 && said[0] == "#BEGIN_TB";
    h.name = kept["kernel name"].substr(0, WKT_NAME_BYTES - 1);
    std::replace_if(
        h.name.begin(), h.name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    h.grid = triple(kept["grid dim"]);
    h.block = triple(kept["block dim"]);
    h.shmem = kept.count("shmem") != 0 ? number<uint32_t>(split(kept["shmem"], " \t")[0], 10) : 0;
    h.version = number<uint32_t>(split(kept["accelsim tracer version"], " \t.")[0], 10);
    h.lineinfo =
        kept.count("enable lineinfo") != 0 && number<int>(split(kept["enable lineinfo"], " \t")[0], 10) == 1;
    if (kept.count("shmem base_addr") != 0)
        h.shared = number<uint64_t>(split(kept["shmem base_addr"], " \t")[0], 16);
    if (kept.count("local mem base_addr") != 0)
        h.local = number<uint64_t>(split(kept["local mem base_addr"], " \t")[0], 16);
    return h;
}

/* The memory space and kind of access of an opcode with addresses. */
struct meaning {
    char space; /* g global, s shared, l local, ? generic */
    uint8_t access;
};

std::optional<meaning> meaning_of(std::string_view opcode)
{
    static const std::map<std::string_view, meaning> known = {
        {"LDG", {'g', WKT_LOAD}},    {"STG", {'g', WKT_STORE}},   {"LDGSTS", {'g', WKT_LOAD}},
        {"RED", {'g', WKT_ATOMIC}},  {"REDG", {'g', WKT_ATOMIC}}, {"ATOMG", {'g', WKT_ATOMIC}},
        {"ATOM", {'?', WKT_ATOMIC}}, {"LD", {'?', WKT_LOAD}},     {"ST", {'?', WKT_STORE}},
        {"LDS", {'s', WKT_LOAD}},    {"LDSM", {'s', WKT_LOAD}},   {"STS", {'s', WKT_STORE}},
        {"STSM", {'s', WKT_STORE}},  {"LDSLK", {'s', WKT_LOAD}},  {"STSCUL", {'s', WKT_STORE}},
        {"LDL", {'l', WKT_LOAD}},    {"STL", {'l', WKT_STORE}},   {"ATOMS", {'s', WKT_ATOMIC}},
    };
    const auto found = known.find(opcode.substr(0, opcode.find('.')));
    return found == known.end() ? std::nullopt : std::optional<meaning>(found->second);
}

/* An instruction as its source line states it. */
struct source_instruction {
    uint32_t pc = 0, mask = 0, bytes = 0;
    std::string_view opcode;
    std::array<uint64_t, ASIM_LANES> va{};
};

/* Returns the width of an access for which the tracer printed 4, its default if it finds no width. */
uint32_t bytes_of(std::string_view opcode)
{
    for (const auto part : split(opcode, "."))
        if (part == "S8" || part == "S16" || part == "S64" || part == "F64")
            return number<uint32_t>(part.substr(1), 10) / 8;
    return 4;
}

/* `lanes`: the lanes of the warp that have a thread. */
source_instruction read_instruction(std::string_view line, const kernel_head &h, uint32_t lanes)
{
    const words w = split(line, " \t");
    size_t at = (h.version < 3 ? 4u : 0u) + (h.lineinfo ? 1u : 0u);
    const auto take = [&]() {
        if (at >= w.size())
            throw unreadable();
        return w[at++];
    };
    source_instruction in;
    in.pc = number<uint32_t>(take(), 16);
    in.mask = number<uint32_t>(take(), 16);
    at += number<uint32_t>(take(), 10);
    in.opcode = take();
    at += number<uint32_t>(take(), 10);
    in.bytes = number<uint32_t>(take(), 10);
    if (in.bytes == 0 || in.mask == 0)
        return in;
    if (in.bytes == 4)
        in.bytes = bytes_of(in.opcode);
    const auto mode = number<uint32_t>(take(), 10);
    const auto addresses = std::count_if(w.begin(), w.end(), [](auto v) { return v.substr(0, 2) == "0x"; });
    const bool all = h.version == 1 && mode == 0 && addresses != __builtin_popcount(in.mask);
    const uint32_t listed = all ? lanes : in.mask;
    uint64_t base = mode == 0 ? 0 : number<uint64_t>(take(), 16);
    const uint64_t stride = mode == 1 ? static_cast<uint64_t>(number<int64_t>(take(), 10)) : 0;
    bool first = true;
    for (unsigned lane = 0; lane < ASIM_LANES; ++lane) {
        if ((listed >> lane & 1) == 0)
            continue;
        if (mode == 0)
            base = number<uint64_t>(take(), 16);
        else if (!first)
            base += mode == 1 ? stride : static_cast<uint64_t>(number<int64_t>(take(), 10));
        in.va[lane] = base;
        first = false;
    }
    return in;
}

/* Returns the records that the import must make of an instruction. */
std::vector<access> records_of(const source_instruction &in, const kernel_head &h, uint64_t first_thread)
{
    const std::string_view base = in.opcode.substr(0, in.opcode.find('.'));
    if (in.mask == 0)
        return {};
    if (in.bytes == 0) {
        const words parts = split(in.opcode, ".");
        if (base != "BAR" || std::find(parts.begin(), parts.end(), "ARV") != parts.end())
            return {};
        return {{in.pc / 8, in.mask, WKT_BARRIER, 0, {}}};
    }
    auto what = meaning_of(in.opcode);
    if (!what)
        return {};
    constexpr uint64_t window = 16 << 20, threads = 1 << 18;
    const auto inside = [](uint64_t va, std::optional<uint64_t> start) {
        return start && va >= *start && va < *start + window;
    };
    if (base == "LDGSTS") { /* its load and its store to shared memory have a line each */
        bool stores = true;
        for (unsigned lane = 0; lane < ASIM_LANES; ++lane)
            stores = stores &&
                     ((in.mask >> lane & 1) == 0 || in.va[lane] < window || inside(in.va[lane], h.shared));
        if (stores)
            what = {'s', WKT_STORE};
    }
    std::map<int, uint32_t> lanes; /* by space, in the order of the records: s l g */
    for (unsigned lane = 0; lane < ASIM_LANES; ++lane) {
        if ((in.mask >> lane & 1) == 0)
            continue;
        char space = what->space;
        if (space == '?')
            space = inside(in.va[lane], h.shared) ? 's' : inside(in.va[lane], h.local) ? 'l' : 'g';
        lanes[space == 's' ? 0 : space == 'l' ? 1 : 2] |= 1u << lane;
    }
    std::vector<access> result;
    for (const auto &[order, mask] : lanes) {
        const uint32_t bytes = order == 1 && in.bytes > 4 ? 4 : in.bytes;
        const auto kind = static_cast<uint8_t>(order == 0 ? what->access + 3 : what->access);
        for (uint32_t word = 0; word < (order == 1 ? (in.bytes + 3) / 4 : 1); ++word) {
            access a{in.pc / 8, mask, kind, static_cast<uint8_t>(bytes), in.va};
            for (unsigned lane = 0; lane < ASIM_LANES; ++lane) {
                uint64_t &va = a.va[lane];
                if (order == 0 && inside(va, h.shared))
                    va -= *h.shared;
                if (order == 1) {
                    const uint64_t offset = inside(va, h.local) ? va - *h.local : va;
                    va = (uint64_t{1} << 47) + (offset / 4 + word) * threads * 4 +
                         (first_thread + lane) % threads * 4 + offset % 4;
                }
            }
            result.push_back(a);
        }
    }
    return result;
}

class verification
{
public:
    explicit verification(wkt_reader *trace) : trace_(trace)
    {
        for (uint32_t i = 0; i < wkt_reader_info(trace)->buffers; ++i) {
            const wkt_buffer *b = wkt_reader_buffer(trace, i);
            uint64_t &end = ends_[b->base_va];
            end = std::max(end, b->base_va + b->bytes);
        }
        /* merges adjacent buffers: an access may cross into the next */
        for (auto range = ends_.begin(); range != ends_.end(); ++range)
            for (auto next = std::next(range); next != ends_.end() && next->first <= range->second;
                 next = ends_.erase(next))
                range->second = std::max(range->second, next->second);
    }
    void copy(uint64_t va, uint64_t bytes, const std::string &place) const
    {
        if (!mapped(va, bytes))
            throw failure(exit_input, place + "the copy's bytes are not in the trace's buffers");
    }
    void kernel(uint32_t launch, const std::string &path);

    uint64_t records = 0, addresses = 0;

private:
    bool mapped(uint64_t va, uint64_t bytes) const
    {
        const auto behind = ends_.upper_bound(va);
        return behind != ends_.begin() && va + bytes <= std::prev(behind)->second;
    }
    void load(uint32_t launch, uint32_t group, const std::string &place);
    void block(source_lines &in, const kernel_head &h, uint32_t launch, uint32_t group);
    void warp(source_lines &in, const kernel_head &h, uint64_t first_thread, uint32_t wave);
    void compare(const access &want, uint64_t before, wkt_cursor &cursor, const std::string &place);

    wkt_reader *trace_;
    group_ptr group_;
    wkt_record record_{};
    std::map<uint64_t, uint64_t> ends_; /* ends of the ranges that the buffers cover, by first address */
};

std::string text_of(uint8_t kind, uint32_t bytes, uint64_t mask, uint32_t pc)
{
    char text[96];
    std::snprintf(text, sizeof text, "%s of %" PRIu32 " bytes at pc %" PRIu32 " by lanes %08" PRIx64,
                  wkt_kind_name(kind), bytes, pc, mask);
    return text;
}

void verification::compare(const access &want, uint64_t before, wkt_cursor &cursor, const std::string &place)
{
    const std::string wanted = text_of(want.kind, want.bytes, want.mask, want.pc);
    if (!wkt_next(&cursor, &record_))
        throw failure(exit_input, place + "the source has a " + wanted + "; the trace's wave ends before");
    if (record_.kind != want.kind || record_.bytes != want.bytes || record_.mask != want.mask ||
        record_.pc != want.pc)
        throw failure(exit_input, place + "the source has a " + wanted + "; the trace has a " +
                                      text_of(record_.kind, record_.bytes, record_.mask, record_.pc));
    if (record_.compute != before)
        throw failure(exit_input, place + "the source has " + std::to_string(before) +
                                      " instructions before this " + wanted + ", the trace has " +
                                      std::to_string(record_.compute));
    ++records;
    if (want.kind == WKT_BARRIER)
        return;
    for (unsigned lane = 0; lane < ASIM_LANES; ++lane) {
        if ((want.mask >> lane & 1) == 0)
            continue;
        char text[80];
        std::snprintf(text, sizeof text, "lane %u: 0x%" PRIx64 " in the source, 0x%" PRIx64 " in the trace",
                      lane, want.va[lane], record_.va[lane]);
        if (record_.va[lane] != want.va[lane])
            throw failure(exit_input, place + text);
        if (want.kind < WKT_LOCAL_LOAD && !mapped(want.va[lane], want.bytes))
            throw failure(exit_input, place + text + ", and in none of its buffers");
        ++addresses;
    }
}

void verification::warp(source_lines &in, const kernel_head &h, uint64_t first_thread, uint32_t wave)
{
    const auto count = number<uint32_t>(split(in.must(), "= \t").back(), 10);
    wkt_cursor cursor{};
    wkt_cursor_start(group_.get(), wave, &cursor);
    const uint32_t threads = std::min(h.threads() - 32 * wave, 32u);
    if (cursor.lanes != (uint64_t{1} << threads) - 1)
        throw failure(exit_input, in.place() + "the trace has other lanes in this wave");
    uint64_t before = 0;
    const auto lanes = static_cast<uint32_t>(cursor.lanes);
    for (uint32_t i = 0; i < count; ++i) {
        const std::vector<access> wanted = records_of(read_instruction(in.must(), h, lanes), h, first_thread);
        if (wanted.empty())
            ++before;
        for (const access &a : wanted) {
            compare(a, before, cursor, in.place());
            before = 0;
        }
    }
    if (cursor.records_left != 0 || cursor.tail_compute != before)
        throw failure(exit_input, in.place() + "here the warp ends; the trace's wave goes on");
}

void verification::load(uint32_t launch, uint32_t group, const std::string &place)
{
    wkt_group *loaded = group_.release();
    wkt_error error{};
    const int status = wkt_group_load(trace_, launch, group, &loaded, &error);
    group_.reset(loaded);
    if (status == WKT_E_ARG)
        throw failure(exit_input, place + "the trace has no such work-group");
    if (status != WKT_OK)
        throw failure(exit_input, error.text);
}

/* Reads a thread block from after #BEGIN_TB to #END_TB. */
void verification::block(source_lines &in, const kernel_head &h, uint32_t launch, uint32_t group)
{
    const std::string_view head = in.must();
    const auto at = triple(head.substr(head.find('=') + 1));
    const uint64_t number_of_block = at[0] + uint64_t{h.grid[0]} * (at[1] + uint64_t{h.grid[1]} * at[2]);
    load(launch, group, in.place());
    if (wkt_group_waves(group_.get()) != h.warps())
        throw failure(exit_input, in.place() + "the trace's work-group has another number of waves");
    std::vector<bool> seen(h.warps());
    for (std::string_view line = in.must(); split(line, " \t")[0] != "#END_TB"; line = in.must()) {
        const words w = split(line, "= \t");
        if (w[0] == "cluster")
            continue;
        const auto wave = number<uint32_t>(w.back(), 10);
        if (w[0] != "warp" || wave >= h.warps())
            throw unreadable();
        seen[wave] = true;
        warp(in, h, (number_of_block * h.warps() + wave) * 32, wave);
    }
    for (uint32_t wave = 0; wave < h.warps(); ++wave) {
        wkt_cursor cursor{};
        wkt_cursor_start(group_.get(), wave, &cursor);
        if (!seen[wave] && (cursor.records_left != 0 || cursor.tail_compute != 0))
            throw failure(exit_input, in.place() + "the source has no warp " + std::to_string(wave) +
                                          " here, the trace has");
    }
}

void verification::kernel(uint32_t launch, const std::string &path)
{
    source_lines in(path);
    try {
        const kernel_head h = read_head(in);
        const wkt_launch *l = wkt_reader_launch(trace_, launch);
        if (l == nullptr)
            throw failure(exit_input,
                          in.place() + "the trace has only " + std::to_string(launch) + " launches");
        for (size_t d = 0; d < 3; ++d)
            if (l->grid[d] != h.grid[d] * h.block[d] || l->group[d] != h.block[d])
                throw failure(exit_input, in.place() + "the trace has another grid or block");
        if (l->lds_bytes != h.shmem || h.name != l->name)
            throw failure(exit_input, in.place() + "the trace has another kernel's name or shared memory");
        uint32_t group = 0;
        while ((group == 0 && h.begun) || in.next()) { /* each line read here is #BEGIN_TB */
            block(in, h, launch, group++);
            if (interrupted())
                throw failure(exit_interrupted, "interrupted");
        }
        if (group != l->groups)
            throw failure(exit_input, in.place() + "the source ends; the trace has more work-groups");
    } catch (const unreadable &) {
        throw failure(exit_input, in.place() + "cannot be read; 'walkway trace import-accelsim' says why");
    }
}

} // namespace

int verify_accelsim_main(const arguments &, const std::vector<std::string> &files)
{
    const accelsim_list list = read_accelsim_list(files[0]);
    const trace_file trace = open_trace(files[1]);
    const wkt_info &info = *wkt_reader_info(trace.get());
    if (info.wave_lanes != ASIM_LANES)
        throw failure(exit_input, files[1] + ": waves of " + std::to_string(info.wave_lanes) +
                                      " lanes: not an import of an Accel-Sim trace");
    verification v(trace.get());
    uint32_t launch = 0;
    for (size_t i = 0; i < list->n; ++i) {
        const asim_entry &entry = list->entries[i];
        if (entry.command == ASIM_COPY)
            v.copy(entry.va, entry.bytes, list->path + (":" + std::to_string(entry.line) + ": "));
        else if (entry.command == ASIM_KERNEL)
            v.kernel(launch++, entry.text);
    }
    if (launch != info.launches)
        throw failure(exit_input, files[1] + ": has " + std::to_string(info.launches) +
                                      " launches, the list " + std::to_string(launch));
    std::cout << files[1] << ": the " << text_of_count(v.addresses) << " lane addresses of "
              << text_of_count(v.records) << " records are those of " << list->path
              << ", each at its place, and there is no other\n";
    return exit_ok;
}

} // namespace walkway
