/* SPDX-License-Identifier: MIT */
/* run/events.cpp - reads a list of events. */
#include "run/events.hpp"

#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"

#include <fstream>
#include <sstream>

namespace walkway
{

const char *const event_grammar =
    "at cycle N | at launch N, then one of\n"
    "  map | unmap | remap | protect | permit | fetch PLACE [pages N] [of VMID]\n"
    "  flush all | flush space VMID | flush page PLACE [of VMID] | flush range PLACE BYTES [of VMID]\n"
    "  root VMID | switch root VMID VMID\n"
    "A PLACE is a virtual address (0x...), or buffer:N or buffer:N+OFFSET of the trace. '#' begins a "
    "comment.";

namespace
{

const std::vector<std::string> &change_names()
{
    static const std::vector<std::string> names = {
#define X(name, text) #name,
        WALKWAY_PAGE_CHANGE_LIST(X)
#undef X
    };
    return names;
}

/* Parses one line. */
class event_line
{
public:
    event_line(const std::string &where, const std::string &text, const std::vector<wkt_reader *> &programs)
        : where_(where), programs_(programs)
    {
        std::istringstream in(text);
        for (std::string word; in >> word;)
            words_.push_back(word);
    }
    bool empty() const { return words_.empty(); }

    os_event read()
    {
        os_event e;
        e.where = where_;
        for (const std::string &w : words_)
            e.text += (e.text.empty() ? "" : " ") + w;
        choice({"at"}, "a line begins with");
        e.at = choice({"cycle", "launch"}, "a moment is") == 0 ? os_event::moment::cycle
                                                               : os_event::moment::launch;
        e.number = number("the number of a " + words_[next_ - 1]);
        std::vector<std::string> actions = change_names();
        const size_t changes = actions.size();
        actions.insert(actions.end(), {"flush", "root", "switch"});
        const size_t action = choice(actions, "what happens is");
        if (action < changes)
            read_change(e, static_cast<page_change>(action));
        else if (action == changes)
            read_flush(e);
        else if (action == changes + 1)
            read_root(e);
        else
            read_switch(e);
        if (next_ != words_.size())
            wrong("'" + as_written(words_[next_]) + "' is too much");
        return e;
    }

private:
    [[noreturn]] void wrong(const std::string &text) const
    {
        throw failure(exit_input, where_ + ": " + text);
    }
    bool take(const char *word)
    {
        const bool there = next_ < words_.size() && words_[next_] == word;
        next_ += there ? 1 : 0;
        return there;
    }
    std::string word(const std::string &what)
    {
        if (next_ == words_.size())
            wrong("the line ends where " + what + " should be");
        return words_[next_++];
    }
    size_t choice(const std::vector<std::string> &valid, const std::string &what)
    {
        std::string all;
        for (size_t i = 0; i < valid.size(); ++i)
            all += (i == 0 ? "'" : i + 1 == valid.size() ? " or '" : ", '") + valid[i] + "'";
        const std::string w = word(all);
        for (size_t i = 0; i < valid.size(); ++i)
            if (w == valid[i])
                return i;
        wrong("'" + as_written(w) + "': " + what + " " + all + did_you_mean(w, valid));
    }
    uint64_t value_of(const std::string &text, const std::string &what) const
    {
        uint64_t value = 0;
        if (!parse_number(text, value))
            wrong("'" + as_written(text) + "' is not " + what);
        return value;
    }
    uint64_t number(const std::string &what) { return value_of(word(what), what); }
    uint16_t vmid()
    {
        const uint64_t n = number("a VM-ID");
        if (n > UINT16_MAX)
            wrong("VM-ID " + std::to_string(n) + " is above 65535");
        return static_cast<uint16_t>(n);
    }
    /* vm: the VM-ID of the program whose buffers are meant, the first if there is none; the line has it after
     * the place. */
    uint64_t place(const std::string &text, uint16_t vm) const
    {
        const std::string mark = "buffer:";
        if (text.compare(0, mark.size(), mark) != 0)
            return value_of(text, "an address, or buffer:N");
        const wkt_reader *trace = programs_[vm < programs_.size() ? vm : 0];
        const size_t plus = text.find('+');
        const uint64_t n = value_of(text.substr(mark.size(), plus - mark.size()), "the number of a buffer");
        const uint64_t count = wkt_reader_info(trace)->buffers;
        if (n >= count)
            wrong("'" + as_written(text) + "': the trace has " + std::to_string(count) + " buffers, from 0");
        const wkt_buffer *b = wkt_reader_buffer(trace, static_cast<uint32_t>(n));
        const uint64_t offset =
            plus == std::string::npos ? 0 : value_of(text.substr(plus + 1), "an offset in bytes");
        if (offset >= b->bytes)
            wrong("'" + as_written(text) + "': the buffer has " + std::to_string(b->bytes) + " bytes");
        return b->base_va + offset;
    }
    void read_change(os_event &e, page_change change)
    {
        constexpr uint64_t page = 4096;
        e.what = os_event::action::change;
        e.change = change;
        const std::string at = word("an address, or buffer:N,");
        const uint64_t pages = take("pages") ? number("a number of pages") : 1;
        if (pages == 0 || pages > (uint64_t{1} << 24))
            wrong(std::to_string(pages) + " pages: there are 1 to " + std::to_string(1u << 24) +
                  " in an event");
        e.of.vmid = take("of") ? vmid() : uint16_t{0};
        e.of.va = place(at, e.of.vmid);
        e.of.bytes = (pages - 1) * page + 1;
    }
    void read_flush(os_event &e)
    {
        switch (choice({"all", "space", "page", "range"}, "a flush is of")) {
        case 0:
            e.scope = ww_inval_all();
            e.tables = true;
            return;
        case 1:
            e.scope = ww_inval_space(vmid());
            e.tables = true;
            return;
        case 2: {
            const std::string at = word("an address, or buffer:N,");
            const uint16_t vm = take("of") ? vmid() : uint16_t{0};
            e.scope = ww_inval_range(place(at, vm), 1, vm);
            return;
        }
        default: {
            const std::string at = word("an address, or buffer:N,");
            const uint64_t bytes = number("a number of bytes");
            if (bytes == 0)
                wrong("a range has at least one byte");
            const uint16_t vm = take("of") ? vmid() : uint16_t{0};
            e.scope = ww_inval_range(place(at, vm), bytes, vm);
            return;
        }
        }
    }
    /* [H14]: a write of the root register flushes everything, whichever address space it is for. */
    void read_root(os_event &e)
    {
        const uint16_t vm = vmid();
        e.scope = ww_inval_all();
        e.scope.vmid = vm;
        e.tables = true;
    }
    void read_switch(os_event &e)
    {
        choice({"root"}, "a switch is of the");
        e.what = os_event::action::exchange;
        e.of.vmid = vmid();
        e.other = vmid();
        if (e.other == e.of.vmid)
            wrong("VM-ID " + std::to_string(e.other) + " has its own table");
    }

    std::string where_;
    const std::vector<wkt_reader *> &programs_;
    std::vector<std::string> words_;
    size_t next_ = 0;
};

} // namespace

std::vector<os_event> parse_events(const std::string &text, const std::string &name,
                                   const std::vector<wkt_reader *> &programs)
{
    std::vector<os_event> events;
    std::istringstream in(text);
    std::string line;
    for (uint64_t n = 1; std::getline(in, line); ++n) {
        event_line one(name + ":" + std::to_string(n), line.substr(0, line.find('#')), programs);
        if (!one.empty())
            events.push_back(one.read());
    }
    if (events.empty())
        throw failure(exit_input, name + ": no event is in it");
    return events;
}

std::vector<os_event> read_events(const std::string &path, const std::vector<wkt_reader *> &programs)
{
    std::ifstream in(path, std::ios::binary);
    std::stringstream contents;
    contents << in.rdbuf();
    if (!in || in.bad())
        throw failure(exit_input, path + ": cannot be read");
    return parse_events(contents.str(), path, programs);
}

/* Omits counts that are 0. */
static nlohmann::ordered_json dropped_json(const drop_counts &dropped)
{
    auto all = nlohmann::ordered_json::object();
#define X(name, text)                                                                                        \
    if (dropped.name != 0)                                                                                   \
        all[#name] = dropped.name;
    WALKWAY_DROPPED_LIST(X)
#undef X
    return all;
}

nlohmann::ordered_json events_json(const std::vector<os_event> &events,
                                   const std::vector<os_event_result> &results)
{
    auto all = nlohmann::ordered_json::array();
    for (size_t i = 0; i < events.size() && i < results.size(); ++i) {
        const os_event_result &r = results[i];
        nlohmann::ordered_json e = {{"event", as_written(events[i].text)}, {"due", r.due}};
        if (r.due)
            e["asked_cycle"] = r.asked_cycle;
        if (r.acknowledged) {
            e["acknowledged_cycle"] = r.acknowledged_cycle;
            e["pages_changed"] = r.pages.changed;
            e["pages_same"] = r.pages.same;
            e["pages_absent"] = r.pages.absent;
            e["lines_written"] = r.pages.lines;
            e["dropped"] = dropped_json(r.pages.dropped);
        }
        all.push_back(e);
    }
    return all;
}

} // namespace walkway
