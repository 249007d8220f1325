/* SPDX-License-Identifier: MIT */
/* capture/worker.hpp - records one work-group: a log for each work-item, merged into waves at barriers and at
 * the end. executed() runs once for every IR instruction of every work-item: it is the capture's cost.
 * Memory: one work-group's logs and records. Thread-safety: one thread, the one that runs the work-group. */
#ifndef WW_CAPTURE_WORKER_HPP
#define WW_CAPTURE_WORKER_HPP

#include "capture/lane_log.hpp"
#include "capture/rebuild.hpp"

#include <string>
#include <vector>

namespace walkway::capture
{

class worker
{
    struct item {
        lane_log log;
        uint32_t place = none; /* instruction it executed last */
        bool begun = false;
    };
    struct pending_access {
        uint64_t address;
        uint32_t bytes;
        uint8_t kind;
    };

    const layout *code = nullptr;
    rebuild_context context{};
    std::vector<item> items;
    std::vector<wave_rebuild> waves;
    std::vector<pending_access> pending; /* of the instruction being executed */
    std::vector<group_access> group_pending;
    item *current = nullptr;
    size_t items_n = 0;

public:
    const void *current_key = nullptr; /* Oclgrind's work-item of the present instructions */
    std::string problem;               /* the reason why the group cannot be recorded */
    uint32_t group_number = 0;
    address_map local;

    void begin_group(const layout &l, const address_map &global, wkt_packer *packer, uint32_t number,
                     size_t item_count, uint32_t width);
    void select(const void *key, size_t linear_id);
    void executed(const llvm::Instruction *i)
    {
        uint32_t place = current->place + 1;
        const placed_instruction *p = &code->instructions[place];
        if (p->instruction != i || p->head) {
            p = jump(i);
            if (!p)
                return;
        }
        current->place = uint32_t(p - code->instructions.data());
        if (p->site != none)
            log_accesses(*p);
        else if (!pending.empty())
            unexpected_access();
    }
    void accessed(uint64_t address, uint64_t bytes, uint8_t kind);
    void atomic_stored(uint64_t address, uint64_t bytes, uint8_t kind);
    void group_accessed(uint64_t address, uint64_t bytes, uint8_t kind);
    void barrier();
    /* Packs the group; completes the packer given to begin_group(). */
    void end_group();
    wkt_packer *packer() const { return context.packer; }
    uint64_t lanes_dropped() const { return context.lanes_dropped; }

private:
    const placed_instruction *jump(const llvm::Instruction *i);
    void log_accesses(const placed_instruction &p);
    void merge_texels();
    void unexpected_access();
    void run_waves();
};

} // namespace walkway::capture

#endif
