/* SPDX-License-Identifier: MIT */
/* sample/live_points.cpp - see live_points.hpp. */
#include "sample/live_points.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <unistd.h>
#include <zstd.h>

namespace walkway
{

static constexpr uint64_t magic = 0x32746e696f707777; /* "wwpoint2" */

namespace
{

/* Serialises values in the order of the calls, in the host's byte order. */
class packer
{
public:
    std::vector<unsigned char> bytes;
    void put(const void *data, size_t n)
    {
        const auto *from = static_cast<const unsigned char *>(data);
        bytes.insert(bytes.end(), from, from + n);
    }
    template <class T> void put(const T &value) { put(&value, sizeof value); }
    template <class T> void put_all(const std::vector<T> &all)
    {
        put<uint64_t>(all.size());
        put(all.data(), all.size() * sizeof(T));
    }
    void put_text(const std::string &text) { put_all(std::vector<char>(text.begin(), text.end())); }
};

class unpacker
{
public:
    unpacker(const std::vector<unsigned char> &bytes, const std::string &path) : bytes_(bytes), path_(path) {}
    void get(void *data, size_t n)
    {
        if (n > bytes_.size() - at_)
            throw std::runtime_error(path_ + ": ends too early");
        std::memcpy(data, bytes_.data() + at_, n);
        at_ += n;
    }
    template <class T> T get()
    {
        T value;
        get(&value, sizeof value);
        return value;
    }
    template <class T> std::vector<T> get_all()
    {
        const auto n = get<uint64_t>();
        if (n > (bytes_.size() - at_) / sizeof(T))
            throw std::runtime_error(path_ + ": ends too early");
        std::vector<T> all(n);
        if (n != 0)
            get(all.data(), n * sizeof(T));
        return all;
    }
    std::string get_text()
    {
        const std::vector<char> all = get_all<char>();
        return {all.begin(), all.end()};
    }

private:
    const std::vector<unsigned char> &bytes_;
    const std::string &path_;
    size_t at_ = 0;
};

std::vector<unsigned char> packed(const live_point &p)
{
    packer all;
    all.put(p.at.launch);
    all.put(p.at.next_group);
    all.put(p.at.unit);
    all.put(p.warm_up);
    all.put(p.measured);
    all.put(p.to_end);
    all.put<uint64_t>(p.at.resident.size());
    for (const resident_group &g : p.at.resident) {
        all.put(g.number);
        all.put(g.unit);
        all.put_all(g.records);
    }
    all.put_all(p.at.used);
    return all.bytes;
}

live_point unpacked(const std::vector<unsigned char> &bytes, const std::string &path)
{
    unpacker all(bytes, path);
    live_point p;
    p.at.launch = all.get<uint32_t>();
    p.at.next_group = all.get<uint32_t>();
    p.at.unit = all.get<uint32_t>();
    p.warm_up = all.get<uint64_t>();
    p.measured = all.get<work_done>();
    p.to_end = all.get<bool>();
    p.at.resident.resize(all.get<uint64_t>());
    for (resident_group &g : p.at.resident) {
        g.number = all.get<uint32_t>();
        g.unit = all.get<uint32_t>();
        g.records = all.get_all<uint32_t>();
    }
    p.at.used = all.get_all<recent_use>();
    return p;
}

/* One pass over the program in one order of waves. Calls `found` with the live point of each of the order's
 * windows as it closes. */
class pass
{
public:
    using found_fn = std::function<void(size_t window, const live_point &)>;
    pass(const sample_plan &plan, unsigned order, const recent_limits &limits, found_fn found)
        : plan_(plan), limits_(limits), found_(std::move(found))
    {
        for (size_t i = 0; i < plan.windows.size(); ++i)
            if (plan.windows[i].order == order)
                to_begin_.push_back(i);
        std::sort(to_begin_.begin(), to_begin_.end(),
                  [&plan](size_t a, size_t b) { return plan.windows[a].from < plan.windows[b].from; });
    }
    void run(wkt_reader *trace, const residency &on, const wave_pace &pace)
    {
        wave_schedule schedule(trace, on, pace);
        recent_uses uses(on.cus, limits_);
        wave_schedule::access a;
        begin(schedule, uses, plan_.place(schedule.done()));
        while (!over() && schedule.step(a)) {
            if (a.to != nullptr)
                uses.access(*a.to, a.unit, a.writes);
            const double here = plan_.place(schedule.done());
            begin(schedule, uses, here);
            go_on(schedule.done(), here);
        }
        for (const open_window &w : open_) {
            live_point p = w.point;
            p.to_end = true;
            finish(w, p, schedule.done());
        }
    }

private:
    struct open_window {
        size_t window;
        bool opened;
        work_done begun, at_open;
        live_point point;
    };
    bool over() const { return next_ == to_begin_.size() && open_.empty(); }
    void begin(const wave_schedule &schedule, const recent_uses &uses, double here)
    {
        while (next_ < to_begin_.size() && plan_.windows[to_begin_[next_]].from <= here) {
            open_window w{to_begin_[next_++], false, schedule.done(), {}, {}};
            w.point.at = schedule.place();
            w.point.at.used = uses.latest();
            open_.push_back(std::move(w));
            open_if(open_.back(), schedule.done(), here);
        }
    }
    void open_if(open_window &w, const work_done &done, double here) const
    {
        if (w.opened || here < plan_.windows[w.window].open)
            return;
        w.opened = true;
        w.at_open = done;
        w.point.warm_up = done.instructions - w.begun.instructions;
    }
    void go_on(const work_done &done, double here)
    {
        for (size_t i = 0; i < open_.size();) {
            open_if(open_[i], done, here);
            if (!open_[i].opened || here < plan_.windows[open_[i].window].close) {
                ++i;
                continue;
            }
            finish(open_[i], open_[i].point, done);
            open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    void finish(const open_window &w, live_point p, const work_done &done) const
    {
        p.measured = {done.pages - w.at_open.pages, done.instructions - w.at_open.instructions,
                      done.accesses - w.at_open.accesses};
        found_(w.window, p);
    }

    const sample_plan &plan_;
    recent_limits limits_;
    found_fn found_;
    std::vector<size_t> to_begin_;
    size_t next_ = 0;
    std::vector<open_window> open_;
};

} // namespace

void live_points::write(const std::string &path, wkt_reader *trace, const residency &on,
                        const sample_request &asked, const recent_limits &limits)
{
    const sample_plan plan = plan_sample(trace, work_of_launches(trace, on.lanes), on, asked);
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "wb"), &std::fclose);
    const auto failed = [&path](bool really) {
        if (really)
            throw std::runtime_error(path + ": " + std::strerror(errno));
    };
    failed(file == nullptr);
    std::vector<place> places(plan.windows.size());
    uint64_t at = 0;
    const auto add = [&](const std::vector<unsigned char> &bytes) {
        std::vector<unsigned char> stored(ZSTD_compressBound(bytes.size()));
        const size_t n = ZSTD_compress(stored.data(), stored.size(), bytes.data(), bytes.size(), 1);
        if (ZSTD_isError(n) != 0)
            throw std::runtime_error(path + ": " + ZSTD_getErrorName(n));
        failed(std::fwrite(stored.data(), 1, n, file.get()) != n);
        const place p = {at, n, bytes.size()};
        at += n;
        return p;
    };
    for (unsigned order = 0; order < wave_orders; ++order)
        pass(plan, order, limits, [&](size_t window, const live_point &p) {
            places[window] = add(packed(p));
        }).run(trace, on, {order != 0, asked.seed});
    packer index;
    index.put(plan.work);
    index.put(plan.warm_up);
    index.put(plan.length);
    index.put<uint64_t>(plan.strata.size());
    for (const sample_stratum &s : plan.strata) {
        index.put_text(s.name);
        index.put(s.length);
    }
    index.put_all(plan.windows);
    index.put_all(places);
    const place of_index = add(index.bytes);
    const uint64_t end[] = {of_index.at, of_index.stored, of_index.bytes, magic};
    failed(std::fwrite(end, sizeof end, 1, file.get()) != 1 || std::fflush(file.get()) != 0);
}

static std::vector<unsigned char> read_piece(std::FILE *file, const std::string &path, uint64_t at,
                                             uint64_t stored, uint64_t bytes)
{
    std::vector<unsigned char> packed(stored), all(bytes);
    if (pread(fileno(file), packed.data(), stored, static_cast<off_t>(at)) != static_cast<ssize_t>(stored) ||
        ZSTD_decompress(all.data(), bytes, packed.data(), stored) != bytes)
        throw std::runtime_error(path + ": is damaged");
    return all;
}

live_points::live_points(const std::string &path)
    : file_(std::fopen(path.c_str(), "rb"), [](std::FILE *f) { return f == nullptr ? 0 : std::fclose(f); }),
      path_(path)
{
    uint64_t end[4] = {};
    if (file_ == nullptr || std::fseek(file_.get(), -static_cast<long>(sizeof end), SEEK_END) != 0 ||
        std::fread(end, sizeof end, 1, file_.get()) != 1 || end[3] != magic || end[1] > 1 << 30 ||
        end[2] > 1 << 30)
        throw std::runtime_error(path + ": holds no points of a sample");
    const std::vector<unsigned char> bytes = read_piece(file_.get(), path, end[0], end[1], end[2]);
    unpacker index(bytes, path_);
    plan_.work = index.get<work_done>();
    plan_.warm_up = index.get<uint64_t>();
    plan_.length = index.get<double>();
    plan_.strata.resize(index.get<uint64_t>());
    for (sample_stratum &s : plan_.strata) {
        s.name = index.get_text();
        s.length = index.get<double>();
    }
    plan_.windows = index.get_all<sample_window>();
    places_ = index.get_all<place>();
    if (places_.size() != plan_.windows.size())
        throw std::runtime_error(path + ": is damaged");
}

live_point live_points::read(size_t window) const
{
    const place &p = places_.at(window);
    return unpacked(read_piece(file_.get(), path_, p.at, p.stored, p.bytes), path_);
}

} // namespace walkway
