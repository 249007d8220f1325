/* SPDX-License-Identifier: MIT */
#include "tb/kernels/reach_machine.hpp"

#include <type_traits>

namespace reach
{

namespace
{
const ww_inval_scope scope = ww_inval_range(va_of(page_a), 4096, 0);
constexpr item the_inval{pages, false, true};
constexpr uint64_t code_line = 0; /* in the set of the line of all pages */

/* Sets i to the item that a store's answer carries. Returns whether the answer is of page p. */
bool read_back(const ww_xlat &x, page p, item &i)
{
    i = {p, (x.page_pa >> 12 & 1) != 0, false};
    const ww_mapping m = i.mapping();
    return ww_xlat_same(&m.xlat, &x);
}

class digest
{
public:
    template <class T> void add(const T &value)
    {
        static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
        add_word(static_cast<uint64_t>(value));
    }
    void add(const item &i) { add(i.p * 4u + i.fresh * 2u + i.inval); }
    void add(const lane &l)
    {
        add(l.size);
        for (uint8_t n = 0; n < l.size; ++n)
            add(l.at.at(n));
    }
    void add(const ww_inval &v) { add(v.open * 16u + v.away); }
    template <class T> void add(const blob<T> &b)
    {
        std::vector<uint64_t> words(b.bytes() / 8);
        std::memcpy(words.data(), static_cast<const T *>(b), words.size() * 8);
        for (const uint64_t w : words)
            add_word(w);
    }
    std::array<uint64_t, 2> value() const { return {a_, b_}; }

private:
    void add_word(uint64_t w)
    {
        a_ = (a_ ^ w) * 0x9e3779b97f4a7c15u;
        a_ ^= a_ >> 29;
        b_ = (b_ + w) * 0xd6e8feb86659fd93u;
        b_ ^= b_ >> 32;
    }
    uint64_t a_ = 1, b_ = 2;
};
} // namespace

void lane::push_ahead(item i)
{
    for (uint8_t n = size++; n > 0; --n)
        at.at(n) = at.at(n - 1u);
    at[0] = i;
}

item lane::pop()
{
    const item first = at[0];
    for (uint8_t n = 1; n < size; ++n)
        at.at(n - 1u) = at.at(n);
    at.at(--size) = {};
    return first;
}

machine::machine(const plan &p) : plan_(&p), lds_(0), icache_(0)
{
    const ww_lds_tx_cfg lds{1024, 32, WW_INDEX_MODULO, p.lds_mismatch, WW_LDS_TX_TOGETHER, 1u << 12};
    const ww_icache_tx_cfg icache{32, 8, WW_ICACHE_TX_FLUSH, p.icache_mismatch, 2, WW_INDEX_MODULO, 1u << 12};
    lds_ = blob<ww_lds_tx>(ww_lds_tx_bytes(&lds));
    icache_ = blob<ww_icache_tx>(ww_icache_tx_bytes(&icache));
    ww_lds_tx_init(lds_, lds_.bytes(), &lds);
    ww_icache_tx_init(icache_, icache_.bytes(), &icache);
    for (ww_inval *v : {&at_lds_, &at_icache_, &at_walk_})
        ww_inval_init(v, 1);
    ww_turn_init(&turn_);
    for (const page in : p.in_lds) {
        const ww_mapping m = item{in}.mapping();
        ww_lds_tx_store.insert(static_cast<ww_lds_tx *>(lds_), &m, nullptr);
    }
    for (const page in : p.in_icache) {
        const ww_mapping m = item{in}.mapping();
        ww_icache_tx_store.insert(static_cast<ww_icache_tx *>(icache_), &m, nullptr);
    }
    l1_ = {p.in_l1, false, false};
    seen none;
    collect(none);
}

bool machine::can(step s) const
{
    const auto room = [](const lane &l) { return l.size <= 4; };
    switch (s) {
    case ask:
        return asked_ < plan_->asks.size() && out_ + inside_.size() < 2 && requests_[0].size == 0;
    case lds_request:
        return requests_[0].size != 0 && requests_[1].size == 0 && room(answers_[0]);
    case icache_request:
        return requests_[1].size != 0 && requests_[2].size == 0 && room(answers_[1]);
    case walk:
        return requests_[2].size != 0 && room(answers_[2]);
    case icache_answer:
        return answers_[2].size != 0 && room(answers_[1]);
    case lds_answer:
        return answers_[1].size != 0 && room(answers_[0]);
    case requester_answer:
        return answers_[0].size != 0 && room(fills_[0]);
    case end_first:
        return !inside_.empty();
    case end_second:
        return inside_.size() > 1;
    case turn_back:
        return plan_->with.turn ? ww_turn_ready(&turn_) : turn_.open;
    case lds_fill:
        return fills_[0].size != 0 && room(fills_[1]);
    case icache_fill:
        return fills_[1].size != 0 && room(fills_[2]);
    case last_fill:
        return fills_[2].size != 0;
    case local_access:
        return plan_->local_accesses && local_ < 3;
    case fetch:
        return plan_->fetches && fetch_ < 3;
    case invalidate:
        return plan_->invalidates && !moved_;
    default:
        return false;
    }
}

/* Handles a request at a store: answers it from the store or passes it on. */
template <class KIND, class T>
bool machine::serve(const KIND &kind, blob<T> &store, lane &requests, lane &answers, lane &below)
{
    const item wanted = requests.pop();
    ww_xlat x{};
    T *t = store;
    const bool hit = plan_->moves ? kind.take(t, va_of(page(wanted.p)), 0, &x)
                                  : kind.lookup(t, va_of(page(wanted.p)), 0, &x);
    if (!hit) {
        below.push(wanted);
        return false;
    }
    item i;
    if (!read_back(x, page(wanted.p), i))
        wrong_ = "a store answers with another page";
    answers.push(i);
    return true;
}

/* Handles a fill, or the returning invalidate, at a store. */
template <class KIND, class T>
void machine::sink(const KIND &kind, blob<T> &store, ww_inval &inval, bool refuses, lane &from, lane &to,
                   seen &into)
{
    const item i = from.pop();
    if (i.inval) {
        if (ww_inval_back(&inval)) {
            if (plan_->with.behind_fills)
                to.push(i);
            else
                to.push_ahead(i);
        }
        return;
    }
    const ww_mapping m = i.mapping();
    if (refuses && ww_inval_refuses(&inval, m.va, m.xlat.page_shift, m.vmid)) {
        ++into.refused;
        return;
    }
    std::array<ww_mapping, 9> victims;
    T *t = store;
    const ww_store_entered e = kind.insert(t, &m, victims.data());
    for (uint32_t n = 0; n < e.victims; ++n)
        for (uint8_t p = 0; p < pages; ++p)
            if (victims.at(n).va == va_of(page(p))) {
                item out;
                if (!read_back(victims.at(n).xlat, page(p), out))
                    wrong_ = "a victim has another page's translation";
                to.push(out);
            }
    if (e.result == WW_STORE_PASSED)
        to.push(i);
    else if (e.result == WW_STORE_REFUSED)
        wrong_ = "a fill is refused by a store";
}

/* Handles an answer, or the outgoing invalidate, at a stage. */
template <class KIND, class T>
void machine::pass_up(const KIND &kind, blob<T> &store, ww_inval &inval, bool drops, lane &from, lane &to)
{
    const item i = from.pop();
    if (!i.inval) {
        to.push(i);
        return;
    }
    T *t = store;
    if (drops)
        kind.invalidate(t, &scope);
    ww_inval_out(&inval, &scope);
    if (plan_->with.behind_answers)
        to.push(i);
    else
        to.push_ahead(i);
}

void machine::begin(item i)
{
    if (acknowledged_ && i.stale())
        wrong_ = "an access begins with the old translation";
    inside_.push_back({i, ww_turn_begin(&turn_)});
}

void machine::end(size_t which)
{
    ww_turn_end(&turn_, inside_[which].generation);
    inside_.erase(inside_.begin() + static_cast<std::ptrdiff_t>(which));
}

void machine::answered(item i)
{
    if (i.inval) {
        if (l1_.p == page_a)
            l1_ = {};
        ww_turn_out(&turn_);
        return;
    }
    if (l1_.p != pages && l1_.p != i.p)
        fills_[0].push(l1_);
    l1_ = i;
    --out_;
    begin(i);
}

/* A work-group allocates the segment of all pages, uses it, and ends. */
void machine::local()
{
    if (local_ == 0)
        ww_lds_tx_allocate(lds_, 0, 32);
    else if (local_ == 1)
        ww_lds_tx_access(lds_, 8, 4);
    else
        ww_lds_tx_release(lds_, 0, 32);
    ++local_;
}

/* Eight lines of instructions are filled, the last into the line of all pages; then another kernel begins. */
void machine::code()
{
    if (fetch_ == 0) {
        ww_icache_tx_fetch(icache_, code_line, 0);
    } else if (fetch_ == 1) {
        for (uint64_t n = 0; n < 8; ++n)
            ww_icache_tx_fill(icache_, code_line + n * 4 * 64, 0);
    } else {
        ww_icache_tx_kernel(icache_, false);
    }
    ++fetch_;
}

void machine::take(step s, seen &into)
{
    switch (s) {
    case ask: {
        const page p = plan_->asks[asked_++];
        if (l1_.p == p) {
            begin(l1_);
        } else {
            ++out_;
            requests_[0].push({p});
        }
        break;
    }
    case lds_request:
        into.lds_hits += serve(ww_lds_tx_store, lds_, requests_[0], answers_[0], requests_[1]);
        break;
    case icache_request:
        into.icache_hits += serve(ww_icache_tx_store, icache_, requests_[1], answers_[1], requests_[2]);
        break;
    case walk: {
        item i = requests_[2].pop();
        i.fresh = i.p == page_a && moved_;
        answers_[2].push(i);
        break;
    }
    case icache_answer:
        pass_up(ww_icache_tx_store, icache_, at_icache_, plan_->with.icache_drops, answers_[2], answers_[1]);
        break;
    case lds_answer:
        pass_up(ww_lds_tx_store, lds_, at_lds_, plan_->with.lds_drops, answers_[1], answers_[0]);
        break;
    case requester_answer:
        answered(answers_[0].pop());
        break;
    case end_first:
    case end_second:
        end(s - end_first);
        break;
    case turn_back:
        if (plan_->with.turn)
            ww_turn_back(&turn_);
        else
            turn_.open = false;
        if (plan_->with.behind_fills)
            fills_[0].push(the_inval);
        else
            fills_[0].push_ahead(the_inval);
        break;
    case lds_fill:
        sink(ww_lds_tx_store, lds_, at_lds_, plan_->with.lds_refuses, fills_[0], fills_[1], into);
        break;
    case icache_fill:
        sink(ww_icache_tx_store, icache_, at_icache_, plan_->with.icache_refuses, fills_[1], fills_[2], into);
        break;
    case last_fill:
        if (fills_[2].pop().inval)
            acknowledged_ = ww_inval_back(&at_walk_);
        break;
    case local_access:
        local();
        break;
    case fetch:
        code();
        break;
    case invalidate:
        moved_ = true;
        ww_inval_out(&at_walk_, &scope);
        if (plan_->with.behind_answers)
            answers_[2].push(the_inval);
        else
            answers_[2].push_ahead(the_inval);
        break;
    default:
        break;
    }
    collect(into);
}

/* Moves the counters into what was seen, so that two paths to one state count as one. */
void machine::collect(seen &into)
{
    const auto add = [](auto &sum, auto &counts) {
        uint64_t to[sizeof sum / sizeof(uint64_t)], from[sizeof sum / sizeof(uint64_t)];
        std::memcpy(to, &sum, sizeof sum);
        std::memcpy(from, &counts, sizeof sum);
        for (size_t n = 0; n < sizeof sum / sizeof(uint64_t); ++n)
            to[n] += from[n];
        std::memcpy(&sum, to, sizeof sum);
        counts = {};
    };
    add(into.lds, lds_->counts);
    add(into.icache, icache_->counts);
    icache_->kernel_misses = 0;
}

bool machine::holds_stale() const
{
    const auto has = [](const lane &l) {
        for (uint8_t n = 0; n < l.size; ++n)
            if (!l.at.at(n).inval && l.at.at(n).stale())
                return true;
        return false;
    };
    const auto held = [](const auto &kind, const void *store) {
        ww_xlat x{};
        item i;
        return kind.probe(store, va_of(page_a), 0, &x) && read_back(x, page_a, i) && !i.fresh;
    };
    bool any = (l1_.p == page_a && !l1_.fresh) ||
               held(ww_lds_tx_store, static_cast<const ww_lds_tx *>(lds_)) ||
               held(ww_icache_tx_store, static_cast<const ww_icache_tx *>(icache_));
    for (int n = 0; n < 3; ++n)
        any = any || has(answers_[n]) || has(fills_[n]);
    for (const access &a : inside_)
        any = any || a.of.stale();
    return any;
}

std::string machine::wrong() const
{
    if (!wrong_.empty())
        return wrong_;
    const char *const waits = plan_->with.turn ? ww_turn_check(&turn_) : nullptr;
    const auto broken = {ww_lds_tx_store.check(static_cast<const ww_lds_tx *>(lds_)),
                         ww_icache_tx_store.check(static_cast<const ww_icache_tx *>(icache_)),
                         ww_inval_check(&at_lds_), ww_inval_check(&at_icache_), waits};
    for (const char *text : broken)
        if (text != nullptr)
            return text;
    if (acknowledged_ && holds_stale())
        return "acknowledged, and the old translation is there";
    if (local_ == 2 && ww_lds_tx_mode_of(lds_, 0) != WW_LDS_TX_USED)
        return "a segment in use holds translations";
    if (fetch_ == 2 && !ww_icache_tx_has(icache_, code_line, 0))
        return "a translation took a line of instructions";
    return "";
}

bool machine::done() const
{
    bool still = out_ == 0 && inside_.empty() && asked_ == plan_->asks.size() && (!moved_ || acknowledged_);
    for (int n = 0; n < 3; ++n)
        still = still && requests_[n].size == 0 && answers_[n].size == 0 && fills_[n].size == 0;
    return still;
}

std::array<uint64_t, 2> machine::key() const
{
    digest d;
    d.add(lds_);
    d.add(icache_);
    d.add(l1_);
    for (int n = 0; n < 3; ++n) {
        d.add(requests_[n]);
        d.add(answers_[n]);
        d.add(fills_[n]);
    }
    d.add(at_lds_);
    d.add(at_icache_);
    d.add(at_walk_);
    d.add(turn_.inside[0] * 8 + turn_.inside[1]);
    d.add(turn_.generation * 2u + turn_.open);
    for (const access &a : inside_) {
        d.add(a.of);
        d.add(a.generation);
    }
    d.add(inside_.size());
    d.add(asked_ * 64u + out_ * 16u + local_ * 4u + fetch_);
    d.add(moved_ * 2u + acknowledged_);
    return d.value();
}

} // namespace reach
