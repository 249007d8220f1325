/* SPDX-License-Identifier: MIT */
/* Every order in which fills, lookups, memory's answers and an invalidate can meet at one line of a table of
 * translations, each distinct state once: page A moves, page B shares its line. The stage's rules are those
 * of docs/model/ducati.md, the line's those of the kernel; leaving out any rule causes a fault. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/table/slot_table.h"

#include <array>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace bdata = boost::unit_test::data;

namespace
{

constexpr uint64_t va_a = 1 << 12, va_b = 2 << 12, old_pa = 1 << 20, new_pa = 2 << 20, pa_b = 3 << 20;
using words = std::array<uint64_t, WW_SLOT_LINE_WORDS>;

/* The rule left out. */
enum class without { nothing, mask, generations, one_buffer, waiting_for_memory };
struct plan {
    const char *name;
    without rule;
    bool wide;    /* the invalidate begins an epoch; else it drops by line */
    bool held;    /* page A is in the line at the start */
    bool crowded; /* and so are three others */
    const char *fault;
};
std::ostream &operator<<(std::ostream &out, const plan &p)
{
    return out << p.name;
}

enum op : uint8_t { fill_old, fill_b, look_1, look_2, fill_new, drop_a, ops };
const char *const op_names[ops] = {"old fill of A",  "fill of B",     "lookup",
                                   "another lookup", "new fill of A", "drop"};
enum class status : uint8_t { idle, here, at_line, done };

struct buffer {
    words line{};
    std::vector<op> waits;
    bool writing = false, drops = false;
};

struct machine {
    plan p;
    words memory{};
    std::vector<buffer> buffers; /* one, unless that rule is left out */
    std::array<status, ops> is{};
    std::array<uint8_t, ops> generation{};
    uint8_t now_generation = 0, epoch = 0;
    bool out = false, dropping = false, drops_out = false, acknowledged = false;
    int resident = 0;
    std::string wrong;

    explicit machine(const plan &with) : p(with)
    {
        if (p.held)
            put(memory, va_a, old_pa);
        for (uint64_t n = 5; p.crowded && n < 8; ++n)
            put(memory, n << 12, n << 20);
    }
    bool put(words &line, uint64_t va, uint64_t pa)
    {
        const ww_mapping m = {va, {pa, 12, WW_PERM_ALL}, 0};
        const ww_slot_filled f = ww_slot_fill(line.data(), &m, epoch);
        resident += f.result == WW_SLOT_KEPT && !f.displaced;
        return f.result != WW_SLOT_SAME;
    }
    uint64_t in(const words &line, uint64_t va) const
    {
        ww_xlat x{};
        return ww_slot_find(line.data(), va, 0, epoch, &x) ? x.page_pa : 0;
    }
    bool masked() const { return dropping && p.rule != without::mask; }

    /* Steps: an operation arrives; it enters the line; memory answers; the invalidate arrives; it
     * completes. */
    static constexpr unsigned steps = 2 * ops + 3 + 2;
    std::string name(unsigned s) const
    {
        return s < ops            ? std::string(op_names[s]) + " arrives"
               : s < 2 * ops      ? std::string(op_names[s - ops]) + " at the line"
               : s < 2 * ops + 3  ? "memory answers buffer " + std::to_string(s - 2 * ops)
               : s == 2 * ops + 3 ? "the invalidate arrives"
                                  : "it is acknowledged";
    }
    bool can(unsigned s) const
    {
        if (s < ops) {
            if (is[s] != status::idle || s == drop_a)
                return false;
            return s == fill_old   ? !out
                   : s == fill_new ? out
                                   : true; /* either before the message or after it */
        }
        if (s < 2 * ops)
            return is[s - ops] == status::here && (p.rule != without::one_buffer || buffers.size() < 3);
        if (s < 2 * ops + 3)
            return s - 2 * ops < buffers.size();
        return s == 2 * ops + 3 ? !out : dropping && !drops_out && is[drop_a] != status::here;
    }
    void take(unsigned s)
    {
        if (s < ops) {
            is[s] = status::here;
            generation[s] = now_generation;
        } else if (s < 2 * ops) {
            go_to_line(static_cast<op>(s - ops));
        } else if (s < 2 * ops + 3) {
            answered(s - 2 * ops);
        } else if (s == 2 * ops + 3) {
            arrive();
        } else {
            dropping = false;
            acknowledged = true;
        }
        for (const buffer &b : buffers)
            if (ww_slot_check(b.line.data()) != nullptr)
                wrong = ww_slot_check(b.line.data());
        if (acknowledged && in(memory, va_a) == old_pa)
            wrong = "memory holds it";
    }
    void arrive()
    {
        out = dropping = true;
        ++now_generation;
        if (p.wide) {
            ++epoch;
            resident = 0;
            is[drop_a] = status::done;
        } else {
            is[drop_a] = status::here;
        }
    }
    void go_to_line(op o)
    {
        is[o] = status::at_line;
        if (o == drop_a)
            drops_out = true;
        if (buffers.empty() || p.rule == without::one_buffer) {
            buffers.push_back({});
            buffers.back().waits = {o};
        } else if ((o == look_1 || o == look_2) && buffers[0].writing) {
            look(o, buffers[0].line);
        } else {
            buffers[0].waits.push_back(o);
        }
    }
    /* After the message no lookup may return the old translation: a stage above would keep it. */
    void look(op o, const words &line)
    {
        is[o] = status::done;
        if (in(line, va_a) == old_pa && out && !masked())
            wrong = "a lookup is answered with it";
    }
    bool enter(op o, words &line)
    {
        is[o] = status::done;
        if (generation[o] != now_generation && p.rule != without::generations)
            return false;
        return o == fill_b ? put(line, va_b, pa_b) : put(line, va_a, o == fill_old ? old_pa : new_pa);
    }
    bool drop(words &line)
    {
        const ww_inval_scope s = ww_inval_range(va_a, 4096, 0);
        is[drop_a] = status::done;
        const uint32_t n = ww_slot_drop(line.data(), &s, epoch);
        resident -= static_cast<int>(n);
        return n != 0;
    }
    void answered(size_t i)
    {
        buffer b = buffers[i];
        buffers.erase(buffers.begin() + static_cast<long>(i));
        if (b.writing)
            memory = b.line;
        else
            b.line = memory;
        if (b.writing && b.drops)
            drops_out = false;
        bool changed = false, dropped = false;
        for (const op o : b.waits) {
            if (o == look_1 || o == look_2)
                look(o, b.line);
            else if (o == drop_a) {
                changed |= drop(b.line);
                dropped = true;
            } else {
                changed |= enter(o, b.line);
            }
        }
        if (dropped && (!changed || p.rule == without::waiting_for_memory))
            drops_out = false;
        if (!changed)
            return;
        b.waits.clear();
        b.writing = true;
        b.drops = dropped;
        buffers.push_back(b);
    }
    /* Checks the end of an order. */
    void end()
    {
        for (uint8_t o = 0; o < ops; ++o)
            if (is[o] != status::done &&
                !(o == fill_old && is[o] == status::idle)) /* too late: it never arrives */
                wrong = "something is under way, and nothing can happen";
        if (!acknowledged)
            wrong = "never acknowledged";
        if (static_cast<int>(ww_slot_count(memory.data(), epoch)) != resident)
            wrong = "memory has not what was counted";
    }
    std::string key() const
    {
        std::string k(reinterpret_cast<const char *>(memory.data()), sizeof memory);
        for (const buffer &b : buffers) {
            k.append(reinterpret_cast<const char *>(b.line.data()), sizeof b.line);
            k.append(b.waits.begin(), b.waits.end());
            k += static_cast<char>('A' + b.writing * 2 + b.drops);
        }
        for (const status s : is)
            k += static_cast<char>(s);
        k.append(generation.begin(), generation.end());
        k += static_cast<char>(out * 8 + dropping * 4 + drops_out * 2 + acknowledged);
        return k + static_cast<char>(resident) + static_cast<char>(epoch);
    }
};

struct outcome {
    std::set<std::string> states;
    std::string fault, way;
    uint64_t ends = 0, hits_of_new = 0, kept_b = 0;
};

void go_on(const machine &m, outcome &o, const std::string &way)
{
    if (!o.fault.empty() || !o.states.insert(m.key()).second)
        return;
    bool moved = false;
    for (unsigned s = 0; s < machine::steps && o.fault.empty(); ++s)
        if (m.can(s)) {
            moved = true;
            machine next = m;
            next.take(s);
            if (!next.wrong.empty()) {
                o.fault = next.wrong;
                o.way = way + m.name(s);
                return;
            }
            go_on(next, o, way + m.name(s) + ", ");
        }
    if (moved || !o.fault.empty())
        return;
    machine last = m;
    last.end();
    ++o.ends;
    o.hits_of_new += last.in(last.memory, va_a) == new_pa;
    o.kept_b += last.in(last.memory, va_b) == pa_b;
    o.fault = last.wrong;
    o.way = way;
}

outcome enumerate(const plan &p)
{
    outcome o;
    go_on(machine(p), o, "");
    BOOST_TEST_MESSAGE(p << ": " << o.states.size() << " states, " << o.ends
                         << " ends: " << (o.fault.empty() ? "holds" : o.fault + ": " + o.way));
    return o;
}

const plan as_written[] = {
    {"empty", without::nothing, false, false, false, ""},
    {"held", without::nothing, false, true, false, ""},
    {"held and crowded", without::nothing, false, true, true, ""},
    {"an epoch, empty", without::nothing, true, false, false, ""},
    {"an epoch, held and crowded", without::nothing, true, true, true, ""},
};

const plan left_out[] = {
    {"no mask", without::mask, false, true, false, "a lookup is answered with it"},
    {"old fills are entered after the line was dropped", without::generations, false, false, false,
     "memory holds it"},
    {"old fills are entered in the new epoch", without::generations, true, false, false,
     "a lookup is answered with it"},
    {"two buffers for a line", without::one_buffer, false, true, false, "memory has not what was counted"},
    {"acknowledged before memory has it", without::waiting_for_memory, false, true, false, "memory holds it"},
};

} // namespace

BOOST_AUTO_TEST_SUITE(slot_table_orders)

BOOST_DATA_TEST_CASE(in_no_order_does_an_old_translation_outlive_the_message, bdata::make(as_written), p)
{
    const outcome o = enumerate(p);
    BOOST_TEST(o.fault == "", o.way);
    BOOST_TEST(o.ends > 0u);
    BOOST_TEST(o.states.size() > 1000u);
    BOOST_TEST(o.hits_of_new > 0u); /* later fills may enter */
    BOOST_TEST(o.kept_b > 0u);      /* and so may pages out of scope */
}

BOOST_DATA_TEST_CASE(each_rule_is_needed, bdata::make(left_out), p)
{
    const outcome o = enumerate(p);
    BOOST_TEST(o.fault == p.fault, o.way);
}

BOOST_AUTO_TEST_SUITE_END()
