/* SPDX-License-Identifier: MIT */
/* tb/platform/path_runs.hpp - runs a machine from the text of a file, and reports what is wrong with it: a
 * broken law, a missing end, a translation that differs from a look, a lone one with another time. */
#ifndef WW_TB_PLATFORM_PATH_RUNS_HPP
#define WW_TB_PLATFORM_PATH_RUNS_HPP

#include "model/os_event.hpp"
#include "support/errors.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/platform/machines.hpp"
#include "tb/support/foreign_memory.hpp"
#include "translate/translator.hpp"

#include <sstream>

namespace walkway::test
{

/* A machine's parameters from the text of its file, as run/config.cpp reads one. Throws failure, with file
 * and line. */
inline gpu_machine_params params_of_text(const std::string &text)
{
    const platform_chain chain = read_platform_chain(parse_platform_file(text, "drawn.cfg"),
                                                     [](const std::string &name, const platform_file &) {
                                                         return read_platform_file(path_of_machine(name));
                                                     });
    const path_fault fault = fault_of_path(chain.levels);
    if (!fault.why.empty())
        throw failure(exit_usage, chain.origin + ": path " + fault.why);
    gpu_machine_params p(chain.levels);
    const platform_values values = values_of_chain(chain, [](const std::string &levels) {
        const std::unique_ptr<machine_params> of = make_machine_params(levels);
        return parameter_names([&of](param_visitor &v) { of->visit(v); });
    });
    set_parameters([&p](param_visitor &v) { p.visit(v); }, values.now, "");
    const std::string wrong = gpu_machine_params(p).validate();
    const std::string made = wrong.empty() ? p.resolved(1).validate() : wrong;
    if (!made.empty())
        throw failure(exit_usage, made);
    return p;
}

/* A machine that runs, and its observer. */
class path_run : account_observer
{
public:
    uint64_t seen = 0, looked = 0, timed = 0, flushed = 0;

    path_run(const gpu_machine_params &of_one, const program_list &all)
        : page_mask_((uint64_t{1} << of_one.address_space.page_shift()) - 1)
    {
        gpu_machine_params p = of_one;
        p.set_programs(all.size());
        world_ = std::make_shared<memory_world>(p.address_space_of_run(), all, p.memory_end());
        auto made = std::make_unique<gpu_top>("top", p.resolved(world_->spaces.pages()), *world_, all);
        top_ = made.get();
        period_ = top_->clock().period();
        for (coalescer *c : top_->coalescer)
            c->watch(this);
        machine_ = std::make_unique<machine>(machine::parts{world_, std::move(made)});
    }
    /* Returns "" or what is wrong. */
    std::string run()
    {
        if (machine_->run({}) != run_end::complete)
            return "it ends before its program: " + machine_->stuck();
        for (const law &l : machine_->laws())
            if (!l.holds())
                say(l.name + ": " + std::to_string(l.left) + " and " + std::to_string(l.right) + " " +
                    l.story);
        look_everywhere();
        for (const walk_unit *w : top_->walk_units)
            flushed += w->stats().invalidates;
        return wrong_.str();
    }
    /* A lone translation takes the time that a look says; longer, where a walk may lose lines from a cache in
     * which the look finds them; or any time, where it may find lines that it has read itself
     * (docs/use/translate-now.md). */
    enum class takes { as_long, longer, any };
    /* Expects the lone loads of a program: their addresses, in order, `cycles` apart. A look precedes each
     * request. */
    void expects(std::vector<uint64_t> lone, uint64_t cycles, takes time)
    {
        lone_ = std::move(lone);
        for (uint64_t &va : lone_)
            va &= ~page_mask_; /* as the coalescer requests */
        time_ = time;
        look_ahead(cycles / 2);
        gap_ = cycles;
    }

private:
    void say(const std::string &what)
    {
        if (++said_ <= 5)
            wrong_ << what << "\n";
    }
    /* Returns whether no invalidate is open and the pager has no page. */
    bool quiet() const
    {
        for (const walk_unit *w : top_->walk_units)
            if (w->stats().invalidates != w->stats().invalidate_latency.count())
                return false;
        return top_->pager.empty() || top_->pager[0]->waiting().empty();
    }
    translator &first_of(unsigned unit) const { return *top_->coalescer[unit]->xlat.target()->translates(); }

    void on_closed(const block &, const xlat_request &r, tick now) override
    {
        ++seen;
        if (r.serial % 4 == 0 && quiet())
            compare(r, first_of(r.cu).translate_now({r.va, r.vmid}, now, now_how::look));
        if (lone_.empty())
            return;
        check_time(r, now);
        look_ahead(gap_ / 2);
    }
    void compare(const xlat_request &r, const now_answer &a)
    {
        ++looked;
        if (a.fault != r.fault ||
            (!a.fault && (a.xlat.page_pa != r.result.page_pa || a.xlat.page_shift != r.result.page_shift)))
            say("a look at " + std::to_string(r.va) + " finds " + text_of(a.fault, a.xlat) +
                ", and in time it was " + text_of(r.fault, r.result));
    }
    static std::string text_of(bool fault, const ww_xlat &x)
    {
        return fault
                   ? "a fault"
                   : std::to_string(x.page_pa) + " of 2^" + std::to_string(unsigned{x.page_shift}) + " bytes";
    }

    /* The unit that will request is not known, so this looks at each. */
    void look_ahead(uint64_t cycles)
    {
        if (next_ == lone_.size())
            return;
        clockwork_.at(top_->clock().ceil(clockwork_.now()) + cycles * period_, [this] {
            ahead_.clear();
            for (unsigned i = 0; i < top_->coalescer.size(); ++i)
                ahead_.push_back(first_of(i).translate_now({lone_[next_], 0}, 0, now_how::look));
        });
    }
    /* A cycle passes between the coalescer and its first level. */
    void check_time(const xlat_request &r, tick now)
    {
        if (next_ == lone_.size() || r.va != lone_[next_] || ahead_.empty()) {
            say("another translation than the next lone one ends: " + std::to_string(r.va));
            return;
        }
        const now_answer &a = ahead_[r.cu];
        compare(r, a);
        ++next_;
        ++timed;
        const tick took = now - r.issued, by_look = a.at + period_;
        if (time_ != takes::any && (took < by_look || (took > by_look && time_ == takes::as_long)))
            say("lone translation " + std::to_string(next_) + " takes " + std::to_string(took / period_) +
                " cycles, and by a look " + std::to_string(by_look / period_));
        ahead_.clear();
    }

    /* Requires that every stage, at every link, answers as the tables do, and that a look leaves no trace. */
    void look_everywhere()
    {
        std::map<std::string, translator *> all;
        for (const block *b : top_->blocks())
            for (const serving_end *end : b->serves())
                if (end->translates() != nullptr)
                    all[std::string(b->name()) + "." + end->port()] = end->translates();
        const auto before = states(all);
        for (uint16_t vm = 0; vm < world_->spaces.count(); ++vm)
            for (uint64_t va = buffer_va; va < buffer_va + (1 << 20); va += 4096 * 13)
                for (const auto &[name, t] : all) {
                    ww_xlat x{};
                    const bool mapped = world_->spaces[vm].translate(va, &x);
                    const now_answer a = t->translate_now({va, vm}, 0, now_how::look);
                    if (a.fault == mapped ||
                        (mapped && (a.xlat.page_pa != x.page_pa || a.xlat.page_shift != x.page_shift)))
                        say(name + ": after the run a look at " + std::to_string(va) + " finds " +
                            text_of(a.fault, a.xlat) + ", and the table has " + text_of(!mapped, x));
                    ++looked;
                }
        if (states(all) != before)
            say("a look has changed something");
    }
    std::map<std::string, std::string> states(const std::map<std::string, translator *> &all)
    {
        std::map<std::string, std::string> d;
        for (const auto &[name, t] : all) {
            if (t->check() != nullptr)
                say(name + ": " + t->check());
            t->states([&d, of = name](const char *store, const void *bytes, size_t size) {
                d[of + " " + store].assign(static_cast<const char *>(bytes), size);
            });
        }
        return d;
    }

    std::shared_ptr<memory_world> world_;
    uint64_t page_mask_;
    gpu_top *top_;
    std::unique_ptr<machine> machine_;
    tick period_ = 0;
    std::ostringstream wrong_;
    unsigned said_ = 0;
    std::vector<uint64_t> lone_;
    size_t next_ = 0;
    uint64_t gap_ = 0;
    takes time_ = takes::as_long;
    std::vector<now_answer> ahead_; /* by compute unit */
    actor clockwork_{"clockwork"};
};

/* Main memory that answers at once, as looks assume. */
class instant_memory
{
public:
    program_list under(wkt_reader *trace)
    {
        program_list all(trace);
        all.use_memory(std::make_shared<memory_ways>([this](unsigned way) -> memory_socket & {
            ways_.push_back(std::make_unique<foreign_memory>(("ram_" + std::to_string(way)).c_str()));
            foreign_memory &m = *ways_.back();
            m.latency = m.jitter = 0;
            m.only = foreign_memory::completed;
            serve(m, bytes_);
            return m.up;
        }));
        return all;
    }

private:
    memory_store bytes_;
    std::vector<std::unique_ptr<foreign_memory>> ways_;
};

} // namespace walkway::test

#endif
