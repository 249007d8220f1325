/* SPDX-License-Identifier: MIT */
/* observe/transactions/tracks.hpp - processes and tracks of a file of translations, from what the stages of a
 * machine registered: a process per unit with tracks, in the order of the machine's blocks, and in it the
 * tracks of its blocks in the order of their registration. */
#ifndef WALKWAY_OBSERVE_TRANSACTIONS_TRACKS_HPP
#define WALKWAY_OBSERVE_TRANSACTIONS_TRACKS_HPP

#include "model/common/account.hpp"

#include <map>

namespace walkway
{

class transaction_tracks
{
public:
    static constexpr uint32_t nobody = UINT32_MAX; /* no server, or an unknown one */

    struct track {
        uint32_t process;
        std::string name; /* names of the module without the top, and of its part: "walk_unit.walker_3" */
    };

    explicit transaction_tracks(const std::vector<block *> &blocks);
    const std::vector<std::string> &processes() const { return processes_; }
    const std::vector<track> &all() const { return all_; }
    const account_names &names() const { return *names_; }
    /* Rows of the account in the order of the blocks. */
    const std::vector<uint16_t> &rows() const { return rows_; }
    /* Returns the track of a requester's whole translations. */
    size_t home_of(const block &requester) const { return home_.at(&requester); }
    /* Returns the block name of the stage that spends the time; empty for the way back. */
    std::string stage_of(cause c) const;
    /* Returns the track of a segment; `home` if it belongs to no stage. */
    size_t of(cause c, uint32_t server, size_t home) const;

private:
    void add(uint32_t number, uint32_t process);

    std::shared_ptr<const account_names> names_;
    std::vector<std::string> processes_;
    std::vector<track> all_;
    /* Index in all_ of each registered track; of a track with servers, that of the unknown server, which
     * the servers follow. */
    std::vector<size_t> place_;
    std::map<const block *, size_t> home_;
    std::vector<uint16_t> rows_;
};

} // namespace walkway

#endif
