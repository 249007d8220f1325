/* SPDX-License-Identifier: MIT */
/* capi/snapshot.cpp - saves the state of an object as bytes and restores it. The bytes are a header (format,
 * configuration, checksum), then the state in the order in which snapshot() appends it. Kernels' storage is
 * copied unchanged, since it holds indices instead of pointers. */
#include "capi/object.hpp"

#include "capi/refusal.hpp"

#include <algorithm>
#include <cstring>

using namespace walkway;

namespace
{

struct header {
    char magic[8];
    uint32_t format, endian;
    uint64_t configuration, bytes, checksum; /* bytes, checksum: of the data after the header */
};
constexpr char magic[9] = "WWKYSNAP";
constexpr uint32_t endian = 0x01020304;

uint64_t digest(const void *data, size_t bytes, uint64_t from = 0xcbf29ce484222325)
{
    const auto *p = static_cast<const unsigned char *>(data);
    for (size_t i = 0; i < bytes; ++i)
        from = (from ^ p[i]) * 0x100000001b3;
    return from;
}

void put(std::string *out, const void *data, size_t bytes)
{
    if (bytes != 0)
        out->append(static_cast<const char *>(data), bytes);
}
void put(std::string *out, uint64_t word)
{
    put(out, &word, sizeof word);
}

class reader
{
public:
    reader(const char *at, size_t bytes) : at_(at), left_(bytes) {}
    void get(void *to, size_t bytes)
    {
        if (bytes > left_)
            throw refusal(WALKWAY_E_SNAPSHOT, "snapshot: it ends too soon");
        if (bytes != 0) /* `to` may be null for 0 bytes */
            std::memcpy(to, at_, bytes);
        at_ += bytes;
        left_ -= bytes;
    }
    uint64_t word()
    {
        uint64_t w = 0;
        get(&w, sizeof w);
        return w;
    }
    uint64_t word_up_to(uint64_t most)
    {
        const uint64_t w = word();
        if (w > most)
            throw refusal(WALKWAY_E_SNAPSHOT, "snapshot: a count is larger than the object has room for");
        return w;
    }
    bool done() const { return left_ == 0; }

private:
    const char *at_;
    size_t left_;
};

/* Returns the storage of every kernel. The cast is legal: the object owns it. */
std::vector<std::pair<void *, size_t>> storage_of(class chain &c)
{
    std::vector<std::pair<void *, size_t>> all;
    c.states([&](const char *, const void *bytes, size_t size) {
        all.emplace_back(const_cast<void *>(bytes), size);
    });
    return all;
}

std::vector<char> copy_of(const std::vector<std::pair<void *, size_t>> &storage)
{
    std::vector<char> all;
    for (const auto &[bytes, size] : storage)
        all.insert(all.end(), static_cast<const char *>(bytes), static_cast<const char *>(bytes) + size);
    return all;
}

void write_back(const std::vector<std::pair<void *, size_t>> &storage, const char *from)
{
    for (const auto &[bytes, size] : storage) {
        std::memcpy(bytes, from, size);
        from += size;
    }
}

} // namespace

uint64_t walkway_chain::configuration() const
{
    std::string all;
    for (const chain_parameter &p : parameters.all())
        if (parameters.without_effect(p.name).empty())
            all += p.name + "=" + p.value + "\n";
    for (const uint32_t o :
         {options.table, options.vmids, options.pending, options.faults, options.physical_bits})
        all += std::to_string(o) + "\n";
    return digest(all.data(), all.size());
}

std::string walkway_chain::snapshot() const
{
    auto &own = const_cast<walkway_chain &>(*this).chain; /* is only read */
    std::string out(sizeof(header), 0);
    put(&out, now_ps);
    put(&out, submissions);
    put(&out, &counts, sizeof counts);
    for (const uint64_t *n : own.counters())
        put(&out, *n);
    for (uint32_t vmid = 0; vmid < rooted.size(); ++vmid) {
        put(&out, rooted[vmid]);
        put(&out, own.table(vmid).regs.word, sizeof own.table(vmid).regs.word);
    }
    std::vector<pending_answer> in_order = pending;
    std::sort(in_order.begin(), in_order.end(),
              [](const pending_answer &a, const pending_answer &b) { return due_later(b, a); });
    put(&out, in_order.size());
    put(&out, in_order.data(), in_order.size() * sizeof in_order[0]);
    put(&out, queued_faults);
    for (size_t i = 0; i < queued_faults; ++i)
        put(&out, &faults[(first_fault + i) % faults.size()], sizeof faults[0]);
    for (const auto &[bytes, size] : storage_of(own))
        put(&out, bytes, size);
    header h = {};
    std::memcpy(h.magic, magic, sizeof h.magic);
    h.format = WALKWAY_SNAPSHOT_FORMAT;
    h.endian = endian;
    h.configuration = configuration();
    h.bytes = out.size() - sizeof h;
    h.checksum = digest(out.data() + sizeof h, h.bytes);
    std::memcpy(&out[0], &h, sizeof h);
    return out;
}

uint64_t walkway_chain::state_hash() const
{
    const std::string all = snapshot();
    return digest(all.data(), all.size());
}

void walkway_chain::restore(const void *snapshot, size_t size)
{
    header h = {};
    reader in(static_cast<const char *>(snapshot), size);
    in.get(&h, sizeof h);
    const char *body = static_cast<const char *>(snapshot) + sizeof h;
    if (std::memcmp(h.magic, magic, sizeof h.magic) != 0 || h.endian != endian)
        throw refusal(WALKWAY_E_SNAPSHOT, "snapshot: these bytes are none of this library and kind of host");
    if (h.format != WALKWAY_SNAPSHOT_FORMAT)
        throw refusal(WALKWAY_E_SNAPSHOT, "snapshot: format " + std::to_string(h.format) +
                                              ", and this library has " +
                                              std::to_string(WALKWAY_SNAPSHOT_FORMAT));
    if (h.bytes != size - sizeof h || h.checksum != digest(body, size - sizeof h))
        throw refusal(WALKWAY_E_SNAPSHOT, "snapshot: it is damaged or cut off");
    if (h.configuration != configuration())
        throw refusal(WALKWAY_E_OTHER_CONFIG, "snapshot: of an object with other parameters or options");

    const uint64_t new_now = in.word(), new_submissions = in.word();
    access_counts new_counts;
    in.get(&new_counts, sizeof new_counts);
    const std::vector<uint64_t *> counters = chain.counters();
    std::vector<uint64_t> new_counters(counters.size());
    for (uint64_t &n : new_counters)
        n = in.word();
    std::vector<uint8_t> new_rooted(rooted.size());
    std::vector<ww_table_regs> regs(rooted.size());
    for (size_t vmid = 0; vmid < rooted.size(); ++vmid) {
        new_rooted[vmid] = static_cast<uint8_t>(in.word_up_to(1));
        in.get(&regs[vmid], sizeof regs[vmid]);
    }
    std::vector<pending_answer> new_pending(in.word_up_to(options.pending));
    in.get(new_pending.data(), new_pending.size() * sizeof(pending_answer));
    const size_t new_queued = in.word_up_to(faults.size());
    std::vector<walkway_fault> new_faults(faults.size());
    in.get(new_faults.data(), new_queued * sizeof(walkway_fault));
    const auto storage = storage_of(chain);
    const std::vector<char> old = copy_of(storage);
    std::vector<char> fresh(old.size());
    in.get(fresh.data(), fresh.size());
    if (!in.done())
        throw refusal(WALKWAY_E_SNAPSHOT, "snapshot: it is longer than the object's state");
    new_pending.reserve(options.pending);

    write_back(storage, fresh.data());
    if (const char *wrong = chain.check()) {
        write_back(storage, old.data());
        throw refusal(WALKWAY_E_SNAPSHOT,
                      std::string("snapshot: what it holds contradicts itself: ") + wrong);
    }
    now_ps = new_now;
    submissions = new_submissions;
    counts = new_counts;
    for (size_t i = 0; i < counters.size(); ++i)
        *counters[i] = new_counters[i];
    rooted.swap(new_rooted);
    for (uint32_t vmid = 0; vmid < rooted.size(); ++vmid)
        chain.set_table(vmid, {chain.table(vmid).kind, regs[vmid]});
    std::make_heap(new_pending.begin(), new_pending.end(), due_later);
    pending.swap(new_pending);
    faults.swap(new_faults);
    first_fault = 0;
    queued_faults = new_queued;
}
