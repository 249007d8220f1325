/* SPDX-License-Identifier: MIT */
/* model/copy_engine.cpp - behaviour of the copy engine. */
#include "model/copy_engine.hpp"

#include <utility>

namespace walkway
{

void copy_engine_stats::visit(stat_visitor &v) const
{
    v.count("orders", orders, "count", "sets of pages that were moved together");
    v.count("bytes", bytes, "bytes", "moved, in both directions");
    v.count("reads", reads, "count", "lines read");
    v.count("writes", writes, "count", "lines written; = reads at the end of a run");
    v.count("busy_ps", busy_ps, "ps", "time in which pages were being moved");
}

copy_engine::copy_engine(const sc_core::sc_module_name &name, const clock_domain &clock,
                         const copy_engine_params &p)
    : block(name, clock), mem("mem", *this, *this), params_(p), here_(clock), answers_(clock)
{
}

void copy_engine::copy(const std::vector<page_copy> &what, std::function<void(tick)> done)
{
    if (done_ || what.empty())
        fail("/walkway/copy_engine", std::string(name()) + ": an order within an order, or of nothing");
    order_.clear();
    for (const page_copy &c : what)
        for (uint64_t at = 0; at < c.bytes; at += line_bytes)
            order_.push_back({c.from_pa + at, c.to_pa + at});
    read_ = written_ = 0;
    began_ = now();
    done_ = std::move(done);
    ++stats_.orders;
    stats_.bytes += order_.size() * line_bytes;
    wake(clock().ceil(now()));
}

void copy_engine::laws(law_list &list) const
{
    list.add("lines read = lines written", stats_.reads, stats_.writes);
}

void copy_engine::on_response(tlm::tlm_generic_payload &p, tick at, unsigned)
{
    if (p.is_response_error())
        fail("/walkway/copy_engine", std::string(name()) + ": memory answers " + p.get_response_string() +
                                         " at " + std::to_string(p.get_address()));
    const mem_ext &ext = mem_ext_of(p);
    wake(p.is_write() ? answers_.push(at, true) : here_.push(at, ext.owner));
    ext.home->release();
}

/* Sends one line per cycle, writes before reads. */
void copy_engine::send(tick now)
{
    if (!mem.can_send() || sent_at_ == now)
        return;
    if (!to_write_.empty()) {
        mem_line &line = lines_.write_data(order_[to_write_.front()].to);
        to_write_.pop_front();
        ++stats_.writes;
        mem.send(line, now + clock().period());
    } else if (read_ != order_.size() && open_ != params_.lines) {
        mem_line &line = lines_.read_data(order_[read_].from);
        line.ext.owner = static_cast<uint32_t>(read_++);
        ++open_;
        ++stats_.reads;
        mem.send(line, now + clock().period());
    } else {
        return;
    }
    sent_at_ = now;
    wake(now + clock().period());
}

void copy_engine::step(tick now)
{
    uint32_t line = 0;
    while (here_.pop(now, line))
        to_write_.push_back(line);
    for (bool answer = true; answers_.pop(now, answer); ++written_)
        --open_;
    if (done_ && written_ == order_.size()) {
        stats_.busy_ps += now - began_;
        const std::function<void(tick)> done = std::exchange(done_, nullptr);
        done(now);
    }
    if (done_)
        send(now);
    wake(here_.next());
    wake(answers_.next());
}

std::string copy_engine::waiting() const
{
    return done_ ? std::to_string(order_.size() - written_) + " lines are to be moved" : "";
}

void copy_engine::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        v.value("open", 13, open_, "lines on their way");
        v.value("left", 24, order_.size() - written_, "lines of the order that are not there");
        v.pulse("read", 4, stats_.reads, "lines read");
        v.pulse("write", 4, stats_.writes, "lines written");
    });
}

} // namespace walkway
