/* SPDX-License-Identifier: MIT */
/* model/dram.cpp - behaviour of main memory. */
#include "model/dram.hpp"

#include "kernels/bits.h"

#include <algorithm>

namespace walkway
{

namespace
{

constexpr uint32_t posted = UINT32_MAX; /* id of a write: nobody waits for it */

uint8_t log2_of(uint64_t n)
{
    return static_cast<uint8_t>(ww_log2_u64(n));
}

/* Most significant first; bits follow from the geometry. */
ww_dram_map_cfg map_of(const dram_params &p)
{
    const uint8_t col = log2_of(p.row_bytes / line_bytes);
    const ww_dram_piece row = {WW_DRAM_FIELD_ROW, static_cast<uint8_t>(p.row_bits)};
    const ww_dram_piece bank = {WW_DRAM_FIELD_BANK, log2_of(p.banks)};
    const ww_dram_piece rank = {WW_DRAM_FIELD_RANK, log2_of(p.ranks)};
    const ww_dram_piece column = {WW_DRAM_FIELD_COL, col};
    const ww_dram_piece channel = {WW_DRAM_FIELD_CHANNEL, log2_of(p.channels)};
    const ww_dram_piece offset = {WW_DRAM_FIELD_OFFSET, 6};
    ww_dram_map_cfg cfg = {};
    cfg.pieces = 6;
    cfg.channel_xor = p.channel_xor;
    cfg.bank_xor = p.bank_xor;
    const ww_dram_piece orders[3][6] = {
        {row, bank, rank, column, channel, offset},
        {row, column, rank, bank, channel, offset},
        {row, rank, bank, channel, column, offset},
    };
    for (unsigned i = 0; i < 6; ++i)
        cfg.piece[i] = orders[p.map][i];
    return cfg;
}

ww_dram_cfg channel_of(const dram_params &p)
{
    ww_dram_cfg cfg = {};
    cfg.timing = {p.cl,   p.cwl, p.burst, p.rcd,       p.rp,        p.ras,       p.rc,
                  p.rrd,  p.faw, p.ccd,   p.rtp,       p.wr,        p.wtr,       p.rtrs,
                  p.turn, p.rfc, p.refi,  p.rcd_write, p.ccd_group, p.rrd_group, p.wtr_group};
    cfg.ranks = p.ranks;
    cfg.banks = p.banks;
    cfg.groups = p.groups;
    cfg.bursts = p.bursts;
    cfg.read_entries = p.read_entries;
    cfg.write_entries = p.write_entries;
    cfg.write_high = p.write_high;
    cfg.write_low = p.write_low;
    cfg.hit_cap = p.hit_cap;
    cfg.overhead_cycles = p.overhead_cycles;
    cfg.row_policy = p.row_policy;
    return cfg;
}

} // namespace

void dram_params::visit(param_visitor &v)
{
    const auto table = paper("[M18] Table I");
    const auto part = assumed("DDR3-1600 11-11-11, 4 Gb x8; [M18] names only DDR3-1600");
    const auto standard = derived("JESD79-3, for the DDR3-1600 of [M18] Table I");
    const auto bus = chosen("bus out of order, row hits first; docs/reproduction.md");
    v.number("tck_ps", tck_ps,
             {"ps", 100, 100000, "period of the command clock", derived("800 MHz of [M18] Table I")});
    v.number("channels", channels, {"channels", 1, 64, "independent channels", table});
    v.number("ranks", ranks, {"ranks", 1, 8, "ranks of a channel", table});
    v.number(
        "banks", banks,
        {"banks", 1, 32, "banks of a rank", assumed("DDR3 parts have 8; [M18] Table I says 16 per rank")});
    v.number("groups", groups,
             {"bank groups", 1, 32, "bank groups of a rank: by the lowest bits of the bank",
              derived("JESD79-3: DDR3 has none")});
    v.number("bursts", bursts, {"column commands", 1, 8, "bursts of a line of 64 bytes", standard});
    v.number("row_bytes", row_bytes,
             {"bytes", 64, 65536, "row buffer of a bank over the rank's devices", part});
    v.number("row_bits", row_bits, {"bits", 10, 24, "rows of a bank: 2 to this power", part});
    v.choice(
        "map", map, {"row_bank_rank_col_ch", "row_col_rank_bank_ch", "row_rank_bank_ch_col"},
        {"", 0, 0, "address bits from most to least significant, above the 6 bits of a line", assumed()});
    v.flag("channel_xor", channel_xor,
           {"", 0, 0, "the channel is hashed with the address bits above it",
            chosen("lets many walkers scale; docs/reproduction.md")});
    v.flag("bank_xor", bank_xor, {"", 0, 0, "the bank is hashed with low row bits", assumed()});
    v.choice("row_policy", row_policy, {"open", "closed"},
             {"", 0, 0, "what happens to a row after its accesses", bus});
    v.number("read_entries", read_entries, {"requests", 1, 1024, "reads a channel can reorder", bus});
    v.number("write_entries", write_entries, {"requests", 1, 1024, "writes a channel can hold", assumed()});
    v.number("write_high", write_high,
             {"requests", 1, 1024, "as many waiting writes start a drain", assumed()});
    v.number("write_low", write_low, {"requests", 0, 1023, "a drain ends at this many", assumed()});
    v.number("hit_cap", hit_cap,
             {"requests", 0, 65535, "row hits served past an older request; 0: no limit", bus});
    v.number("overhead_cycles", overhead_cycles,
             {"memory cycles", 0, 1000, "controller time of each request",
              assumed("what public simulators have; docs/dram.md")});
    v.number("queue_entries", queue_entries,
             {"requests", 1, 65536, "input queue of each requester", assumed()});
    v.number(
        "ports", ports,
        {"requests per memory cycle", 1, 64, "requests taken from all requesters in one cycle", assumed()});
    v.number("cl", cl, {"memory cycles", 1, 255, "read to data", part});
    v.number("cwl", cwl, {"memory cycles", 1, 255, "write to data", standard});
    v.number("burst", burst, {"memory cycles", 1, 64, "data bus time of a burst", standard});
    v.number("rcd", rcd, {"memory cycles", 1, 255, "activate to column command", part});
    v.number("rp", rp, {"memory cycles", 1, 255, "precharge to activate", part});
    v.number("ras", ras, {"memory cycles", 1, 255, "activate to precharge", standard});
    v.number("rc", rc, {"memory cycles", 1, 511, "activate to activate of one bank", part});
    v.number("rrd", rrd, {"memory cycles", 1, 255, "activate to activate within a rank", part});
    v.number("faw", faw, {"memory cycles", 1, 511, "window of at most four activates of a rank", part});
    v.number("ccd", ccd, {"memory cycles", 1, 255, "column command to column command of a rank", standard});
    v.number("rtp", rtp, {"memory cycles", 1, 255, "read to precharge", standard});
    v.number("wr", wr, {"memory cycles", 1, 255, "end of write data to precharge", standard});
    v.number("wtr", wtr, {"memory cycles", 1, 255, "end of write data to read of a rank", standard});
    v.number(
        "rtrs", rtrs,
        {"memory cycles", 0, 255, "data bus gap between ranks", assumed("DRAMsim3, DDR3_4Gb_x8_1600.ini")});
    v.number("turn", turn,
             {"memory cycles", 0, 255, "data bus gap between reads and writes of a rank", standard});
    v.number("rfc", rfc, {"memory cycles", 1, 4095, "refresh", part});
    v.number("refi", refi,
             {"memory cycles", 0, 1u << 20, "one refresh per rank in this time; 0: none", standard});
    v.number("rcd_write", rcd_write,
             {"memory cycles", 0, 255, "activate to write; 0: as rcd", derived("JESD79-3: one tRCD")});
    const auto no_groups = derived("JESD79-3: DDR3 has no bank groups");
    v.number("ccd_group", ccd_group,
             {"memory cycles", 0, 255,
              "column command to column command of a bank group, where more than ccd", no_groups});
    v.number(
        "rrd_group", rrd_group,
        {"memory cycles", 0, 255, "activate to activate of a bank group, where more than rrd", no_groups});
    v.number("wtr_group", wtr_group,
             {"memory cycles", 0, 255, "end of write data to read of a bank group, where more than wtr",
              no_groups});
    v.choice("currents", currents, {"ddr3l_4gb_x8", "gddr6_8gb"},
             {"", 0, 0, "the part whose currents are energy: 8 devices a rank, or one",
              assumed("as public simulators have them; docs/dram.md")});
}

std::string dram_params::validate() const
{
    if (!ww_is_pow2(channels) || !ww_is_pow2(ranks) || !ww_is_pow2(banks) || !ww_is_pow2(row_bytes))
        return "channels, ranks, banks and row_bytes must be powers of two";
    if (banks % groups != 0)
        return "groups does not divide banks";
    const ww_dram_map_cfg map_cfg = map_of(*this);
    ww_dram_map built;
    if (ww_dram_map_init(&built, &map_cfg) != WW_OK)
        return "the address map does not fit (bank_xor needs as many row bits as bank bits)";
    const ww_dram_cfg cfg = channel_of(*this);
    if (ww_dram_bytes(&cfg) == 0)
        return "the timing or queue values contradict each other (ras <= rc, write_low < write_high <= "
               "write_entries, rrd <= faw, rfc < refi)";
    return "";
}

uint64_t dram_params::state_bytes() const
{
    const ww_dram_cfg cfg = channel_of(*this);
    return channels * uint64_t{ww_dram_bytes(&cfg)};
}

dram::dram(const sc_core::sc_module_name &name, const dram_params &p, memory_store &store,
           unsigned requesters)
    : block(name, clock_domain(p.tck_ps)), params_(p), store_(store)
{
    for (unsigned i = 0; i < requesters; ++i)
        up.push_back(std::make_unique<in_port<mem_protocol>>(("up_" + std::to_string(i)).c_str(), *this,
                                                             *this, p.queue_entries));
    const ww_dram_map_cfg map_cfg = map_of(p);
    const ww_dram_cfg cfg = channel_of(p);
    bool ok = ww_dram_map_init(&map_, &map_cfg) == WW_OK;
    for (uint32_t c = 0; c < p.channels && ok; ++c) {
        channels_.emplace_back(ww_dram_bytes(&cfg));
        ok = ww_dram_init(channels_.back().as<ww_dram>(), channels_.back().bytes(), &cfg) == WW_OK;
        touched_.push_back(0);
        due_.push_back(ok ? ww_dram_due(channels_.back().as<ww_dram>()) : WW_DRAM_NEVER);
        stats_.walk_reads_of.push_back(0);
    }
    ww_dram_energy_cfg energy_cfg;
    (p.currents == 0 ? ww_dram_energy_cfg_ddr3_1600 : ww_dram_energy_cfg_gddr6)(&energy_cfg, &cfg.timing);
    ok = ok && ww_dram_energy_init(&energy_, &energy_cfg) == WW_OK;
    if (!ok)
        fail("/walkway/dram", std::string(this->name()) + ": " + p.validate());
}

/* Answered without the channels. */
void dram::answer_at_once(unsigned port, tlm::tlm_response_status status, tick now)
{
    payload_t &p = up[port]->front();
    if (p.is_read() && status != tlm::TLM_OK_RESPONSE)
        ++stats_.refused_reads;
    p.set_response_status(status);
    up[port]->pop();
    up[port]->respond(p, now + clock().period());
}

/* No byte lies beyond memory: of any 64-bit address, so without a sum that could wrap. */
bool dram::holds(const payload_t &p) const
{
    const uint64_t size = ww_dram_map_size_bytes(&map_);
    return p.get_data_length() <= size && p.get_address() <= size - p.get_data_length();
}

bool dram::accept(unsigned port, uint64_t cycle, tick now)
{
    payload_t &p = up[port]->front();
    const uint64_t pa = p.get_address();
    if (p.get_streaming_width() < p.get_data_length()) {
        answer_at_once(port, tlm::TLM_BURST_ERROR_RESPONSE, now);
        return true;
    }
    if (!holds(p) || p.get_data_length() == 0) {
        answer_at_once(port, tlm::TLM_ADDRESS_ERROR_RESPONSE, now);
        return true;
    }
    if (p.get_command() == tlm::TLM_IGNORE_COMMAND) {
        answer_at_once(port, tlm::TLM_OK_RESPONSE, now);
        return true;
    }
    const ww_dram_loc loc = ww_dram_decode(&map_, pa);
    ww_dram *channel = channels_[loc.channel].as<ww_dram>();
    const bool is_write = p.is_write();
    if (!ww_dram_can_enqueue(channel, is_write))
        return false;
    const uint32_t id = is_write ? posted : reads_.put(pending{&p, port, cycle});
    if (observed())
        tell_idle_refreshes(loc.channel, cycle);
    ww_dram_enqueue(channel, &loc, is_write, id, cycle);
    due_[loc.channel] = ww_dram_due(channel);
    if (sampled())
        touch(loc.channel, loc.rank, loc.bank);
    queued_ps_ += now - up[port]->due();
    up[port]->pop();
    ++(is_write ? stats_.writes : stats_.reads);
    if (is_write) {
        store_.apply(p);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        up[port]->respond(p, now + clock().period());
    }
    return true;
}

/* Takes what has arrived, as many as there is room for. Answers a mask of the ports whose oldest request has
 * to wait for room in its channel. */
uint64_t dram::take(uint64_t cycle, tick now)
{
    const auto ports = static_cast<unsigned>(up.size());
    if (cycle != taken_cycle_) {
        taken_cycle_ = cycle;
        taken_ = 0;
    }
    uint64_t waiting_ports = 0;
    auto port = static_cast<unsigned>(cycle % ports); /* the turn goes round with the clock */
    for (unsigned i = 0; i < ports; ++i) {
        while (taken_ < params_.ports && up[port]->ready(now)) {
            if (!accept(port, cycle, now)) {
                stalled_since_ = now; /* a command of the full channel makes room: from its next cycle on */
                waiting_ports |= uint64_t{1} << port;
                break;
            }
            ++taken_;
        }
        port = port + 1 == ports ? 0 : port + 1;
    }
    return waiting_ports;
}

void dram::commit(tick until)
{
    if (first_over_ <= until)
        command_before(clock().floor_cycle(until));
    if (observed() && between_steps()) /* else our own step notifies, after which signals are looked at */
        for (uint32_t c = 0; c < params_.channels; ++c)
            tell_idle_refreshes(c, clock().floor_cycle(until));
}

/* The commands before cycle `end`. Nobody sees them: they come when something else happens to memory, or when
 * the answer to a read must leave. Channels in the order of their cycles, as if each came in its own. */
void dram::command_before(uint64_t end)
{
    for (;;) {
        uint32_t first = 0;
        for (uint32_t c = 1; c < params_.channels; ++c)
            first = due_[c] < due_[first] ? c : first;
        if (due_[first] >= end) {
            first_over_ = due_[first] == WW_DRAM_NEVER ? never : clock().cycles(due_[first] + 1);
            return;
        }
        command(first, due_[first]);
    }
}

void dram::tell(uint32_t c, uint64_t cycle, const ww_dram_event &e) const
{
    observe_at(clock().cycles(cycle), dram_events::command,
               (uint64_t{c} << 16) | (uint64_t{e.rank} << 8) | e.bank, e.cmd);
}

/* Each in its cycle, instead of all at once and unseen with what the kernel is asked for next. */
void dram::tell_idle_refreshes(uint32_t c, uint64_t cycle)
{
    ww_dram_event e;
    for (uint64_t at = 0; ww_dram_idle_refresh(channels_[c].as<ww_dram>(), cycle, &at, &e);)
        tell(c, at, e);
}

/* The channel's command of a cycle, if it has one. */
void dram::command(uint32_t c, uint64_t cycle)
{
    ww_dram_event event;
    due_[c] = ww_dram_step(channels_[c].as<ww_dram>(), cycle, &event);
    if (event.cmd == WW_DRAM_ACT && event.id != posted)
        stats_.walk_activates += is_walk(*reads_[event.id].p);
    last_step_ = std::max(last_step_, clock().cycles(cycle));
    if (event.cmd == WW_DRAM_NONE)
        return;
    if (sampled())
        touch(c, event.rank, event.bank);
    tell(c, cycle, event);
    if (event.cmd == WW_DRAM_RD) {
        stats_.walk_reads += is_walk(*reads_[event.id].p);
        stats_.walk_reads_of[c] += is_walk(*reads_[event.id].p);
    }
    if ((event.cmd == WW_DRAM_RD && event.done_cycle != 0) || event.cmd == WW_DRAM_FORWARD) {
        const pending done = reads_.take(event.id);
        store_.apply(*done.p);
        done.p->set_response_status(tlm::TLM_OK_RESPONSE);
        stats_.read_latency.add(event.done_cycle - done.since);
        up[done.port]->respond(*done.p, clock().cycles(event.done_cycle));
    }
}

void dram::step(tick now)
{
    const uint64_t cycle = clock().floor_cycle(now);
    if (stalled_since_ != never)
        stats_.stall_cycles += clock().floor_cycle(now - stalled_since_);
    stalled_since_ = never;
    command_before(cycle);
    uint64_t waiting_ports = 0;
    for (const auto &port : up)
        if (port->ready(now)) {
            waiting_ports = take(cycle, now);
            last_step_ = now;
            break;
        }
    plan(now, waiting_ports);
}

/* The next step: a command is not chosen before its cycle is over, what arrives within it may change the
 * choice. Where somebody looks, or a request waits for the room that a command makes, none is late. */
void dram::plan(tick now, uint64_t waiting_ports)
{
    const bool in_time = observed() || any_sampled() || stalled_since_ != never;
    uint64_t first_due = WW_DRAM_NEVER;
    tick first = never;
    for (uint32_t c = 0; c < params_.channels; ++c) {
        const uint64_t due = due_[c];
        if (due == WW_DRAM_NEVER)
            continue;
        first_due = std::min(first_due, due);
        const uint64_t patience = in_time ? due : ww_dram_patience(channels_[c].as<ww_dram>());
        first = std::min(first, clock().cycles(std::max(patience, due + 1)));
    }
    first_over_ = first_due == WW_DRAM_NEVER ? never : clock().cycles(first_due + 1);
    for (unsigned port = 0; port < up.size(); ++port) {
        tick next = up[port]->next();
        if (next <= now)
            next = (waiting_ports >> port & 1) == 0 ? now + clock().period() : never;
        first = std::min(first, next);
    }
    wake(first);
}

unsigned dram::debug(payload_t &p)
{
    if (p.is_write())
        commit(now()); /* reads before it get what was there before it */
    if (!holds(p)) {
        p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return 0;
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    store_.apply(p);
    return p.get_data_length();
}

ww_dram_activity dram::activity(tick now) const
{
    ww_dram_activity sum = {};
    for (blob channel : channels_) { /* a copy: an idle channel's refreshes are brought up to date in it */
        ww_dram_activity a;
        ww_dram_activity_at(channel.as<ww_dram>(), clock().ceil_cycle(now), &a);
        sum.acts += a.acts;
        sum.reads += a.reads;
        sum.writes += a.writes;
        sum.refreshes += a.refreshes;
        sum.forwards += a.forwards;
        sum.read_requests += a.read_requests;
        sum.row_hits += a.row_hits;
        sum.total_cycles += a.total_cycles;
        sum.open_cycles += a.open_cycles;
    }
    return sum;
}

ww_dram_energy_pj dram::energy(tick now) const
{
    const ww_dram_activity a = activity(now);
    return ww_dram_energy_of(&energy_, &a);
}

std::string dram::waiting() const
{
    uint64_t queued = 0, writes = 0;
    for (const auto &port : up)
        queued += port->size();
    for (const blob &b : channels_)
        writes += ww_dram_waiting(b.as<ww_dram>(), true);
    if (queued == 0 && reads_.live() == 0 && writes == 0)
        return "";
    return std::to_string(queued) + " requests queued, " + std::to_string(reads_.live()) + " reads and " +
           std::to_string(writes) + " writes in channels";
}

} // namespace walkway
