/* SPDX-License-Identifier: MIT */
/* translate/tlb_stores.cpp - the kinds of stores by name: the build lists them (store_kinds.inc). */
#include "translate/tlb_stores.hpp"

#include "model/common/params.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

#define X(kind) const tlb_store_kind &kind##_store();
#include "store_kinds.inc"
#undef X

const std::vector<named_store> &tlb_stores()
{
    static const std::vector<named_store> all = {
#define X(kind) {#kind, &kind##_store()},
#include "store_kinds.inc"
#undef X
    };
    return all;
}

namespace
{

struct owned_key {
    const named_store *owner;
    store_key key;
};

/* The keys of all kinds, in their order. */
const std::vector<owned_key> &all_keys()
{
    static const std::vector<owned_key> all = [] {
        std::vector<owned_key> list;
        for (const named_store &s : tlb_stores())
            for (const store_key &key : s.kind->keys())
                list.push_back({&s, key});
        return list;
    }();
    return all;
}

/* Returns the key's index; all_keys().size() if no kind has it. */
size_t find_key(const std::string &name)
{
    const auto found = std::find_if(all_keys().begin(), all_keys().end(),
                                    [&name](const owned_key &k) { return name == k.key.name; });
    return static_cast<size_t>(found - all_keys().begin());
}

size_t known_key(const std::string &name)
{
    const size_t found = find_key(name);
    if (found == all_keys().size())
        throw std::invalid_argument("no kind of store has a key '" + name + "'");
    return found;
}

/* Returns "what holds the translations: KIND, TEXT; KIND, TEXT ..." for all kinds. */
const std::string &text_of_choice()
{
    static const std::string text = [] {
        std::string all = "what holds the translations";
        for (const named_store &s : tlb_stores())
            all += std::string(&s == &tlb_stores().front() ? ": " : "; ") + s.name + ", " + s.kind->text();
        return all;
    }();
    return text;
}

} // namespace

bool is_store_key(const std::string &key)
{
    return find_key(key) != all_keys().size();
}

store_choice::store_choice() : keys_(all_keys().size(), 0) {}

void store_choice::visit(param_visitor &v)
{
    choice_names names;
    for (const named_store &s : tlb_stores())
        names.push_back(s.name);
    v.choice("store", kind_, names, {"", 0, 0, text_of_choice().c_str(), neutral});
    for (size_t i = 0; i < keys_.size(); ++i) {
        const auto &[owner, key] = all_keys()[i];
        v.needs((std::string("store=") + owner->name).c_str());
        if (key.choices.empty()) {
            v.number(key.name, keys_[i], {key.unit, key.least, key.most, key.text});
            continue;
        }
        auto chosen = static_cast<uint8_t>(keys_[i]);
        v.choice(key.name, chosen, key.choices, {"", 0, 0, key.text, neutral});
        keys_[i] = chosen;
    }
}

const tlb_store_kind &store_choice::kind() const
{
    return *tlb_stores().at(kind_).kind;
}

uint64_t store_choice::key(const std::string &name) const
{
    return keys_[known_key(name)];
}

void store_choice::set(const std::string &name, uint64_t value)
{
    keys_[known_key(name)] = value;
}

void store_choice::choose(const std::string &name)
{
    for (size_t i = 0; i < tlb_stores().size(); ++i)
        if (name == tlb_stores()[i].name) {
            kind_ = static_cast<uint8_t>(i);
            for (const store_key &own : tlb_stores()[i].kind->keys())
                set(own.name, own.value);
            return;
        }
    throw std::invalid_argument("there is no kind of store '" + name + "'");
}

stage_store make_tlb_store(const tlb_section &s)
{
    stage_store made = s.store.kind().make(s);
    if (made.storage.bytes() == 0)
        throw std::invalid_argument("no TLB has " + std::to_string(s.sets()) + " sets of " +
                                    std::to_string(s.ways) + " ways of this kind");
    return made;
}

std::string fault_of_store(const tlb_section &s)
{
    return s.store.kind().fault(s);
}

uint64_t bytes_of_store(const tlb_section &s)
{
    return s.store.kind().bytes(s);
}

uint64_t bits_of_store(const tlb_section &s, const ww_widths &w)
{
    const stage_store made = s.store.kind().make(s);
    return made.storage.bytes() == 0 ? 0 : made.kind->bits(made.storage.as<void>(), &w);
}

tlb_section plain_tlb(uint32_t entries, uint32_t ways, uint32_t page_sizes)
{
    tlb_section s;
    s.entries = entries;
    s.ways = ways;
    s.page_sizes = page_sizes;
    return s;
}

} // namespace walkway
