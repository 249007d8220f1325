/* SPDX-License-Identifier: MIT */
/* guest/session.cpp - see session.hpp. */
#include "guest/session.hpp"

#include "guest/walk.h"
#include "support/errors.hpp"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace walkway
{

constexpr size_t records_at_once = 1024;

shared_file::shared_file(const char *what, uint64_t bytes)
    : file_(memfd_create(what, 0)), bytes_(bytes), at_(nullptr)
{
    void *at = MAP_FAILED;
    if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(bytes)) == 0)
        at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (at == MAP_FAILED) {
        const std::string why = std::strerror(errno);
        if (file_ >= 0)
            close(file_);
        throw failure(exit_input, std::string("no memory for ") + what + ": " + why);
    }
    at_ = static_cast<unsigned char *>(at);
}

shared_file::~shared_file()
{
    munmap(at_, bytes_);
    close(file_);
}

std::string shared_file::path() const
{
    return "/proc/self/fd/" + std::to_string(file_);
}

guest_session::guest_session(uint64_t ram_bytes, uint64_t ring_records, uint64_t every,
                             const gpu_machine_params &machine)
    : ram_("the guest's memory", ram_bytes),
      file_("the stream of the guest", ww_guest_share_bytes(ring_records)),
      share_(reinterpret_cast<ww_guest_share *>(file_.at())), chain_(machine, {ram_.at(), ram_bytes}),
      records_(records_at_once)
{
    share_->magic = WW_GUEST_MAGIC;
    share_->records = ring_records;
    share_->ram_bytes = ram_bytes;
    share_->every = every;
    share_->upto = share_->most = UINT64_MAX;
}

std::string guest_session::reason() const
{
    const size_t length = strnlen(share_->reason, sizeof share_->reason);
    return as_written(std::string(share_->reason, length));
}

uint64_t guest_session::take()
{
    const uint64_t n = ww_guest_pop(share_, records_.data(), records_.size());
    if (n == UINT64_MAX)
        throw failure(exit_input, "the emulator's stream claims more records than its ring holds");
    for (uint64_t i = 0; i < n; ++i)
        take(records_[i]);
    return n;
}

/* Returns the address that a record's walk found, from its last entry; 0: it found no page. */
static uint64_t walked_pa(const ww_guest_record &r)
{
    if (ww_bits_get(WW_GUEST_OUTCOME, r.what) != WW_GUEST_WALK_PAGE)
        return 0;
    const uint64_t entries = ww_bits_get(WW_GUEST_ENTRIES, r.what);
    const uint64_t level = ww_bits_get(WW_GUEST_LEVELS, r.what) - entries + 1;
    return ww_guest_page_pa(r.entry[entries - 1], ww_level_shift(static_cast<uint32_t>(level)), r.va);
}

void guest_session::take(const ww_guest_record &r)
{
    const char *wrong = ww_guest_record_check(&r);
    if (wrong != nullptr)
        throw failure(exit_input, "the emulator's stream, record " + std::to_string(taken_) + ": " + wrong);
    ++taken_;
    switch (ww_bits_get(WW_GUEST_KIND, r.what)) {
    case WW_GUEST_ACCESS:
        ++timed_.accesses;
        time(r);
        if (recorder_ != nullptr)
            recorder_->access(r);
        break;
    case WW_GUEST_ROOT:
        ++timed_.roots;
        chain_.root(r.va, r.pa);
        if (recorder_ != nullptr)
            recorder_->root(r.va);
        break;
    case WW_GUEST_DROP_PAGE:
        ++timed_.drops;
        chain_.drop_page(r.va);
        break;
    case WW_GUEST_DROP_ALL:
        ++timed_.drops;
        chain_.drop_all();
        break;
    default:
        ++timed_.other;
        keep({r, false, walked_pa(r)});
    }
}

void guest_session::time(const ww_guest_record &r)
{
    uint64_t pa = 0;
    if (!chain_.translate(r, &pa)) {
        ++timed_.faulted;
        keep({r, true, 0});
    } else if (pa != r.pa) {
        ++timed_.held_old;
        keep({r, true, pa});
    } else {
        ++timed_.agreed;
    }
}

void guest_session::keep(const disagreement &d)
{
    if (disagreements_.size() < kept)
        disagreements_.push_back(d);
}

uint64_t guest_session::disagreed() const
{
    return share_->counts.differed + share_->counts.faulted + timed_.held_old + timed_.faulted;
}

void guest_session::visit(stat_visitor &v) const
{
    const ww_guest_counts &c = share_->counts;
    v.begin("guest", "what the plugin in the emulator counted");
#define X(name, text) v.count(#name, c.name, "count", text);
    WW_GUEST_COUNT_LIST(X)
    WW_GUEST_EVENT_LIST(X)
#undef X
    v.end();
    if (recorder_ != nullptr) {
        v.begin("recorded", "the window that was kept as a trace");
        v.count("accesses", recorder_->accesses(), "count", "accesses in it");
        v.count("launches", recorder_->launches(), "count", "stretches under one root");
        v.count("roots", recorder_->roots(), "count", "different ones");
        v.count("pages_same", pages_.same, "count",
                "pages of 4 KiB, under each root, that memory at the end has where they were");
        v.count("pages_moved", pages_.moved, "count", "that it has elsewhere, or that were elsewhere before");
        v.count("pages_gone", pages_.gone, "count", "that it does not map any more");
        v.end();
    }
    v.begin("timed", "accesses that were translated in time");
    v.count("accesses", timed_.accesses, "count", "accesses that were sent");
    v.count("agreed", timed_.agreed, "count", "translations in time equal to the emulator's");
    v.count("held_old", timed_.held_old, "count",
            "those that a TLB or a walk cache held and the guest's table no longer said");
    v.count("faulted", timed_.faulted, "count", "those that found no page");
    v.count("walked_again", chain_.again(), "count",
            "translations whose first walk met an absent entry by way of a walk cache");
    v.count("roots", timed_.roots, "count", "roots and modes that were sent; each drops all that is held");
    v.count("drops", timed_.drops, "count", "invalidations of a page or of all that were sent");
    v.count("picoseconds", chain_.now(), "ps", "sum of the latencies: the account's total");
    v.hist("latency", chain_.latency(), "cycles", "of a translation, from the access to its answer");
    const std::vector<part_account> &parts = chain_.parts();
    for (size_t i = 0; i < parts.size(); ++i) {
        const tick below = i + 1 < parts.size() ? parts[i + 1].whole_ps : 0;
        v.begin(parts[i].name, parts[i].text.c_str());
        v.count("lookups", parts[i].lookups, "count", "requests that came here");
        v.count("picoseconds", parts[i].whole_ps - below, "ps", "time spent here, without what is below");
        v.end();
    }
    v.end();
}

std::vector<law> guest_session::laws() const
{
    const ww_guest_counts &c = share_->counts;
    tick account = 0;
    const std::vector<part_account> &parts = chain_.parts();
    for (size_t i = 0; i < parts.size(); ++i)
        account += parts[i].whole_ps - (i + 1 < parts.size() ? parts[i + 1].whole_ps : 0);
    std::vector<law> all;
    all.push_back({"guest: accesses = unpaged + devices + unknown + agreed + differed + faulted", c.accesses,
                   c.unpaged + c.devices + c.unknown + c.agreed + c.differed + c.faulted, ""});
    all.push_back({"guest: records sent = taken", c.sent, taken_, ""});
    if (recorder_ != nullptr)
        all.push_back({"recorded: accesses = timed", recorder_->accesses(), timed_.accesses, ""});
    all.push_back({"timed: accesses = agreed + held_old + faulted", timed_.accesses,
                   timed_.agreed + timed_.held_old + timed_.faulted, ""});
    all.push_back({"timed: parts' time = time of all translations (ps)", account, chain_.now(), ""});
    return all;
}

} // namespace walkway
