/* SPDX-License-Identifier: MIT */
/* observe/transactions/tracks.cpp - registered tracks as processes and threads. */
#include "observe/transactions/tracks.hpp"

#include "model/common/block.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

std::string name_of(const block &b)
{
    const std::string name = b.name();
    return name.substr(name.find('.') + 1); /* "iommu" for "top.iommu" */
}

} // namespace

transaction_tracks::transaction_tracks(const std::vector<block *> &blocks)
    : names_(account_names::here()), place_(names_->tracks().size(), SIZE_MAX),
      rows_(names_->in_order_of({blocks.begin(), blocks.end()}))
{
    std::vector<const block *> all(blocks.begin(), blocks.end());
    for (const account_track &t : names_->tracks()) /* segments need the tracks of owners not in the list */
        if (std::find(all.begin(), all.end(), t.owner) == all.end())
            all.push_back(t.owner);
    std::vector<const block *> units;
    for (const block *b : all)
        if (std::find(units.begin(), units.end(), &b->unit()) == units.end())
            units.push_back(&b->unit());
    for (const block *unit : units) {
        const auto process = static_cast<uint32_t>(processes_.size());
        for (const block *b : all)
            for (uint32_t n = 0; &b->unit() == unit && n < place_.size(); ++n)
                if (names_->tracks()[n].owner == b)
                    add(n, process);
        if (!all_.empty() && all_.back().process == process)
            processes_.push_back(name_of(*unit));
    }
}

void transaction_tracks::add(uint32_t number, uint32_t process)
{
    const account_track &t = names_->tracks()[number];
    place_[number] = all_.size();
    home_.emplace(t.owner, all_.size());
    const std::string name = name_of(*t.owner) + (t.part.empty() ? "" : "." + t.part);
    all_.push_back(track{process, t.servers == 0 ? name : name + "s"});
    for (uint32_t s = 0; s < t.servers; ++s)
        all_.push_back(track{process, name + "_" + std::to_string(s)});
}

std::string transaction_tracks::stage_of(cause c) const
{
    const uint32_t number = names_->of(c).track;
    return number == account_names::no_track ? "" : name_of(*names_->tracks()[number].owner);
}

size_t transaction_tracks::of(cause c, uint32_t server, size_t home) const
{
    const uint32_t number = names_->of(c).track;
    if (number == account_names::no_track)
        return home;
    return place_[number] + (server == nobody ? 0 : 1 + server);
}

} // namespace walkway
