/* SPDX-License-Identifier: MIT */
/* guest/recorder.hpp - a window of a guest's accesses as a trace (docs/develop/trace-format.md): one
 * processor is one lane; a launch is a sequence of accesses under one root, named by it, and ends when the
 * guest writes CR3 or when it is long enough to be packed. Not recorded: instructions (the plugin sees none:
 * pc and compute are 0, the use of a value is unknown). Memory: a launch, and some 50 bytes for each page
 * that was accessed. */
#ifndef WALKWAY_GUEST_RECORDER_HPP
#define WALKWAY_GUEST_RECORDER_HPP

#include "guest/stream.h"
#include "guest/walk.h"
#include "model/common/stats.hpp"
#include "trace/wkt.h"

#include <string>
#include <unordered_map>

namespace walkway
{

/* Pages of 4 KiB, per root, by whether the final table in memory still maps them as at the access. A run in
 * that memory uses that table. */
struct recorded_pages {
    uint64_t same = 0;
    uint64_t moved = 0; /* the final table maps another address, or accesses found different ones */
    uint64_t gone = 0;  /* the final table maps no page there: a run's access faults */
};

class guest_recorder
{
public:
    static constexpr uint32_t launch_records = 1u << 16; /* most accesses of a launch */

    /* Writes beside the path until finish(), and removes the file without it. Throws failure(exit_output). */
    guest_recorder(const std::string &path, const std::string &command, const std::string &producer);
    ~guest_recorder();
    guest_recorder(const guest_recorder &) = delete;
    guest_recorder &operator=(const guest_recorder &) = delete;

    /* The guest has written CR3: ends the launch. Throws failure(exit_output). */
    void root(uint64_t cr3);
    /* Records an access. Throws failure(exit_input) before the first root; failure(exit_output). Required:
     * ww_guest_record_check() has passed. */
    void access(const ww_guest_record &r);
    /* Compares the recording with the tables that memory has now. */
    recorded_pages compare(ww_guest_ram ram) const;
    /* Gives the file its name; partial: the window was not filled. Returns false, without a file, if there
     * was no access. Throws failure(exit_output). Call once, after the last access. */
    bool finish(bool partial);

    uint64_t accesses() const { return accesses_; }
    uint64_t launches() const { return launches_; } /* includes the open one */
    uint64_t roots() const;                         /* different roots with accesses */
    const std::string &path() const { return path_; }

private:
    struct page_key {
        uint64_t root, vpn; /* root: in the format of a launch */
        bool operator==(const page_key &o) const { return root == o.root && vpn == o.vpn; }
    };
    struct page_hash {
        size_t operator()(const page_key &k) const;
    };
    struct page {
        uint64_t pa; /* of its first byte, at the last access */
        bool moved;
    };

    void begin_launch(uint64_t root);
    void end_launch();
    void must(int status) const;

    std::string path_;
    wkt_writer *writer_ = nullptr;
    mutable wkt_error error_{};
    bool rooted_ = false;
    uint64_t cr3_ = 0;
    uint64_t launch_root_ = 0; /* 0: no launch is open */
    uint32_t in_launch_ = 0;
    uint64_t accesses_ = 0, launches_ = 0;
    std::unordered_map<page_key, page, page_hash> pages_;
};

} // namespace walkway

#endif
