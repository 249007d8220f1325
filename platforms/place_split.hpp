/* SPDX-License-Identifier: MIT */
/* platforms/place_split.hpp - the costs of translation by place in the program: by buffer, from the address,
 * and by instruction, from the serial number of the request's access, whose instruction the compute unit
 * reports at issue. An observer of blocks, attached only on request. Docs: docs/use/by-buffer.md. */
#ifndef WALKWAY_PLATFORMS_PLACE_SPLIT_HPP
#define WALKWAY_PLATFORMS_PLACE_SPLIT_HPP

#include "platforms/buffer_map.hpp"
#include "platforms/gpu.hpp"

#include <optional>
#include <unordered_map>

namespace walkway
{

class place_split final : public observer, public account_observer
{
public:
    /* For a run of one program. Both must outlive it. */
    place_split(gpu_top &top, const wkt_reader *trace);
    void by(place_kind what);
    void on_event(const observed_event &event) override;
    void on_closed(const block &requester, const xlat_request &r, tick now) override;
    std::vector<place_part> parts(place_kind what) const;

private:
    struct counts {
        uint64_t accesses = 0, translations = 0, requests = 0, walks = 0;
        tick waited = 0, stood = 0;
        std::vector<uint64_t> misses; /* by stage */
        std::vector<tick> account;    /* by row */
    };
    struct instruction {
        uint32_t kernel, pc;
        access_kind access;
    };
    void issued(uint64_t serial_and_kind, uint64_t pc_and_launch);
    uint32_t row_of(uint32_t kernel, uint32_t pc, access_kind access);
    uint32_t kernel_of(uint32_t launch);
    counts &of_instruction(const xlat_request &r);
    counts fresh() const;
    /* Calls f with the counts to which this request belongs. */
    template <class F> void count(const xlat_request &r, F f)
    {
        if (buffers_)
            f(of_buffer_[buffers_->find(r.va)]);
        if (by_instruction_)
            f(of_instruction(r));
    }
    place_part part(place_kind what, uint32_t row) const;

    const gpu_top &top_;
    const wkt_reader *trace_;
    const std::shared_ptr<const account_names> names_;
    std::vector<uint16_t> order_; /* rows of the account in the order of the run's statistics */
    std::vector<std::string> stages_;
    std::unordered_map<const block *, size_t> stage_of_; /* never iterated */

    std::optional<buffer_map> buffers_; /* empty: buffers are not distinguished */
    std::vector<counts> of_buffer_;     /* by number; addresses in no buffer are last */

    bool by_instruction_ = false;
    std::vector<std::string> kernels_;
    std::vector<uint32_t> kernel_of_launch_;
    std::vector<instruction> instructions_; /* by row; the first, of prefetches, has none */
    std::vector<counts> of_row_;
    std::unordered_map<uint64_t, uint32_t> rows_; /* by instruction; never iterated */
    std::vector<uint32_t> row_of_serial_;
};

} // namespace walkway

#endif
