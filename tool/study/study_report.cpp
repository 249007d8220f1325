/* SPDX-License-Identifier: MIT */
/* study/study_report.cpp - a study's figures as text and as Markdown. Both means are given: papers seldom say
 * which they print. */
#include "study/study.hpp"

#include "report/table.hpp"
#include "study/study_samples.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <ostream>

namespace walkway
{

std::string text_of_arguments(const study_program &program, const std::string &scale)
{
    std::string text = program.workload;
    for (const std::string &word : program.arguments.at(scale))
        text += " " + word;
    return text;
}

static std::string title_of(const figure &f)
{
    const auto is = [&](int (*kind)(int)) { return kind(static_cast<unsigned char>(f.id.front())) != 0; };
    if (is(std::islower)) { /* "table-2", "section-6.3.1" */
        std::string id = f.id;
        id.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(id.front())));
        std::replace(id.begin(), id.end(), '-', ' ');
        return id + ": " + f.title;
    }
    return (is(std::isdigit) ? "Figure " : "Table ") + f.id + ": " + f.title;
}

namespace
{

using column = std::vector<std::string>; /* its head, then its cells */

class report
{
public:
    report(std::ostream &out, bool markdown, bool judged) : out_(out), markdown_(markdown), judged_(judged) {}

    void print(const table &t)
    {
        if (markdown_)
            t.print_markdown(out_);
        else
            t.print(out_);
        out_ << '\n';
    }
    void print(const figure_samples &samples)
    {
        const figure &f = samples.front();
        out_ << (markdown_ ? "## " : "") << title_of(f) << "\n\n";
        print_bars(samples, &figure::bars, f.decimals);
        if (!f.beside.empty())
            out_ << "Beside it: " << f.beside_title << "\n\n";
        print_bars(samples, &figure::beside, 2);
        print_claims(samples);
        print_guards(samples);
    }

private:
    /* As many columns beside the first as fit the width; the others in further tables. */
    void print_columns(const column &first, const std::vector<column> &columns)
    {
        constexpr size_t width = 100;
        for (size_t at = 0; at < columns.size();) {
            std::vector<const column *> shown = {&first};
            size_t used = widest(first);
            do {
                shown.push_back(&columns[at]);
                used += 2 + widest(columns[at]);
                ++at;
            } while (at < columns.size() && (markdown_ || used + 2 + widest(columns[at]) <= width));
            print_rows(shown);
        }
    }
    static size_t widest(const column &c)
    {
        size_t width = 0;
        for (const std::string &cell : c)
            width = std::max(width, cell.size());
        return width;
    }
    void print_rows(const std::vector<const column *> &columns)
    {
        const auto row = [&](size_t i) {
            std::vector<std::string> cells;
            for (const column *c : columns)
                cells.push_back((*c)[i]);
            return cells;
        };
        table t(row(0));
        for (size_t i = 1; i < columns.front()->size(); ++i)
            t.row(row(i));
        print(t);
    }

    void print_bars(const figure_samples &samples, std::vector<figure_bar> figure::*part, int decimals)
    {
        const figure &f = samples.front();
        const std::vector<figure_bar> &bars = f.*part;
        if (bars.empty())
            return;
        const bool any_ratio =
            std::any_of(bars.begin(), bars.end(), [](const figure_bar &bar) { return bar.ratio; });
        column first = {""};
        first.insert(first.end(), f.programs.begin(), f.programs.end());
        first.emplace_back("mean");
        if (any_ratio)
            first.emplace_back("geometric mean");
        if (f.gains)
            first.emplace_back("gains, %, geometric");
        std::vector<column> columns;
        for (size_t b = 0; b < bars.size(); ++b) {
            const bar_spreads all = spreads_of(samples, part, b);
            column c = {bars[b].name};
            for (const spread &s : all.programs)
                c.push_back(text_of_spread(s, decimals));
            c.push_back(text_of_spread(all.mean, decimals));
            if (any_ratio)
                c.push_back(bars[b].ratio ? text_of_spread(all.geometric_mean, decimals) : "");
            if (f.gains)
                c.push_back(bars[b].speedup ? text_of_spread(all.gain_mean, 1) : "");
            columns.push_back(c);
        }
        if (f.bars_are_rows)
            transpose(first, columns);
        print_columns(first, columns);
    }
    static void transpose(column &first, std::vector<column> &columns)
    {
        std::vector<column> rows;
        for (size_t i = 1; i < first.size(); ++i) {
            rows.push_back({first[i]});
            for (const column &c : columns)
                rows.back().push_back(c[i]);
        }
        column heads = {""};
        for (const column &c : columns)
            heads.push_back(c[0]);
        first = heads;
        columns = rows;
    }

    /* What the paper states means nothing at other sizes than its own. */
    void print_claims(const figure_samples &samples)
    {
        const figure &f = samples.front();
        if (f.claims.empty())
            return;
        table t =
            judged_ ? table({"", "the paper", "ours", "", "matched when"}) : table({"", "the paper", "ours"});
        for (size_t i = 0; i < f.claims.size(); ++i) {
            const figure_claim &c = f.claims[i];
            const spread ours = spread_over(samples, [i](const figure &g) { return g.claims[i].ours; });
            std::vector<std::string> cells = {c.text, c.paper.text, text_of_spread(ours, f.decimals)};
            if (judged_) {
                cells.push_back(verdict_of(c.paper, ours));
                cells.push_back(c.paper.rule());
            }
            t.row(cells);
        }
        print(t);
    }
    void print_guards(const figure_samples &samples)
    {
        const figure &f = samples.front();
        if (f.guards.empty() || !judged_)
            return;
        table t({"guard bands, ours", "ours", "band", ""});
        for (size_t i = 0; i < f.guards.size(); ++i) {
            const figure_guard &g = f.guards[i];
            const spread ours = spread_over(samples, [i](const figure &s) { return s.guards[i].ours; });
            const std::string band = std::isinf(g.high)
                                         ? "over " + text_of_real(g.low, 2)
                                         : text_of_real(g.low, 2) + " to " + text_of_real(g.high, 2);
            t.row({g.text, text_of_spread(ours, f.decimals), band,
                   ours.runs == 0     ? ""
                   : in_band(g, ours) ? "in"
                                      : "OUT"});
        }
        print(t);
    }

    std::ostream &out_;
    bool markdown_, judged_;
};

std::string text_of_softness(const std::vector<figure_samples> &figures)
{
    for (const figure_samples &samples : figures)
        for (const figure_claim &c : samples.front().claims)
            if (c.paper.soft)
                return " soft: outside the rule, and hangs on what the paper does not give.";
    return "";
}

std::string text_of_others(const study_program &p)
{
    std::string text;
    for (const std::string &code : p.beside)
        text += " beside " + code;
    return text;
}

void print_head(std::ostream &out, report &r, const study &s, const report_head &head,
                const std::vector<figure_samples> &figures, bool markdown)
{
    out << (markdown ? "# " : "") << s.paper << ", reproduced on " << platform_of(s, head) << " at --scale "
        << head.scale << "\n\n";
    for (const std::string &change : head.changes)
        out << "Changed: " << change << "\n\n";
    if (head.programs_left_out != 0)
        out << wrapped("PARTIAL: " + std::to_string(s.programs.size()) + " of the study's " +
                       std::to_string(s.programs.size() + head.programs_left_out) +
                       " programs; means are of those.")
            << "\n\n";
    if (!head.windows.empty())
        out << wrapped("PARTIAL: a window of " +
                       (head.windows.size() == 1
                            ? "1 program, as its line says"
                            : std::to_string(head.windows.size()) + " programs, as their lines say") +
                       "; docs/windows.md.")
            << "\n\n";
    table sizes({"", "program and size"});
    sizes.align_left();
    for (const study_program &p : s.programs) {
        const auto window = head.windows.find(p.code);
        sizes.row({p.code, text_of_arguments(p, head.scale) + text_of_others(p) +
                               (window == head.windows.end() ? "" : "; " + window->second)});
    }
    r.print(sizes);
    std::string text = std::to_string(head.runs) + " runs" +
                       (head.missing != 0 ? ", " + std::to_string(head.missing) + " WITHOUT RESULT" : "") +
                       ". Speed-ups are ratios of cycles.";
    if (!head.perturbations.empty())
        text += " Each number is a median (low ... high) over the machine as it is and " +
                std::to_string(head.perturbations.size()) + " perturbations, alike on all machines.";
    if (is_judged(s, head))
        text += " matched: the median satisfies the rule, or what the paper states lies in the range. Guard "
                "bands come from a model of ours before this one and are no evidence." +
                text_of_softness(figures);
    else if (!s.band_scale.empty())
        text += " The paper's values are those of whole runs of --scale " + s.band_scale + ".";
    out << wrapped(text) << "\n\n";
    for (size_t k = 0; k < head.perturbations.size(); ++k)
        out << (markdown ? "- " : "") << "perturbation " << k + 1 << ": " << head.perturbations[k] << '\n';
    if (!head.perturbations.empty())
        out << '\n';
}

} // namespace

void print_report(std::ostream &out, const study &s, const report_head &head,
                  const std::vector<figure_samples> &figures, bool markdown)
{
    report r(out, markdown, is_judged(s, head));
    print_head(out, r, s, head, figures, markdown);
    for (const figure_samples &samples : figures)
        r.print(samples);
}

} // namespace walkway
