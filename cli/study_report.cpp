/* SPDX-License-Identifier: MIT */
/* cli/study_report.cpp - a study's figures as text, as Markdown and as JSON. Both means are given: papers
 * seldom say which they print. */
#include "cli/study.hpp"

#include "cli/simulate.hpp"
#include "cli/table.hpp"

#include <cmath>
#include <limits>
#include <ostream>

namespace walkway
{

double arithmetic_mean(const std::vector<double> &values)
{
    double sum = 0;
    for (const double v : values)
        sum += v;
    return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : sum / static_cast<double>(values.size());
}

double geometric_mean(const std::vector<double> &values)
{
    double sum = 0;
    for (const double v : values)
        sum += std::log(v);
    return values.empty() ? std::numeric_limits<double>::quiet_NaN()
                          : std::exp(sum / static_cast<double>(values.size()));
}

static std::string text_of_arguments(const study_program &program, const std::string &scale)
{
    std::string text = program.workload;
    for (const std::string &word : program.arguments.at(scale))
        text += " " + word;
    return text;
}

static std::string text_of_band(const figure_claim &claim)
{
    if (!claim.has_band())
        return "";
    if (std::isinf(claim.high))
        return "over " + text_of_real(claim.low, 2);
    return text_of_real(claim.low, 2) + " to " + text_of_real(claim.high, 2);
}

static std::string verdict(const figure_claim &claim)
{
    if (!claim.has_band() || !std::isfinite(claim.ours))
        return "";
    return claim.in_band() ? "in" : "OUT";
}

figure make_figure(const study &s, const figure_def &f, const study_results &results)
{
    std::vector<study_program> programs;
    for (const study_program &p : s.programs)
        if (p.group == f.group)
            programs.push_back(p);
    figure made = f.make(results, programs);
    for (const study_program &p : programs)
        made.programs.push_back(p.code);
    return made;
}

static std::string title_of(const figure &f)
{
    return (std::isdigit(static_cast<unsigned char>(f.id.front())) != 0 ? "Figure " : "Table ") + f.id +
           ": " + f.title;
}

static table values_table(const figure &f)
{
    std::vector<std::string> head = {""};
    for (const figure_bar &bar : f.bars)
        head.push_back(bar.name);
    table t(head);
    for (size_t p = 0; p < f.programs.size(); ++p) {
        std::vector<std::string> cells = {f.programs[p]};
        for (const figure_bar &bar : f.bars)
            cells.push_back(text_of_real(bar.values[p], f.decimals));
        t.row(cells);
    }
    std::vector<std::string> mean = {"mean"}, geometric = {"geometric mean"};
    for (const figure_bar &bar : f.bars) {
        mean.push_back(text_of_real(arithmetic_mean(bar.values), f.decimals));
        geometric.push_back(text_of_real(geometric_mean(bar.values), f.decimals));
    }
    t.row(mean);
    if (f.ratio)
        t.row(geometric);
    return t;
}

/* Bands mean nothing at other sizes than theirs. */
static table claims_table(const figure &f, bool judged)
{
    if (!judged) {
        table t({"", "paper", "ours"});
        for (const figure_claim &claim : f.claims)
            t.row({claim.text, claim.paper, text_of_real(claim.ours, f.decimals)});
        return t;
    }
    table t({"", "paper", "ours", "band", ""});
    for (const figure_claim &claim : f.claims)
        t.row({claim.text, claim.paper, text_of_real(claim.ours, f.decimals), text_of_band(claim),
               verdict(claim)});
    return t;
}

void print_report(std::ostream &out, const study &s, const report_head &head,
                  const std::vector<figure> &figures, bool markdown)
{
    const auto print = [&](const table &t) {
        if (markdown)
            t.print_markdown(out);
        else
            t.print(out);
        out << '\n';
    };
    out << (markdown ? "# " : "") << s.paper << ", reproduced on " << s.platform << " at --scale "
        << head.scale << "\n\n";
    for (const std::string &change : head.changes)
        out << "Changed: " << change << "\n\n";
    table sizes({"", "program and size"});
    sizes.align_left();
    for (const study_program &p : s.programs)
        sizes.row({p.code, text_of_arguments(p, head.scale)});
    print(sizes);
    out << head.runs << " runs"
        << (head.missing != 0 ? ", " + std::to_string(head.missing) + " WITHOUT RESULT" : "")
        << ". Speed-ups are ratios of cycles.";
    if (head.scale != s.band_scale)
        out << " The paper's values are those of --scale " << s.band_scale << ".";
    out << "\n\n";
    for (const figure &f : figures) {
        out << (markdown ? "## " : "") << title_of(f) << "\n\n";
        print(values_table(f));
        if (!f.claims.empty())
            print(claims_table(f, head.scale == s.band_scale));
    }
}

/* JSON has no infinity and no not-a-number: null. */
static json number_or_null(double value)
{
    return std::isfinite(value) ? json(value) : json(nullptr);
}

json report_json(const study &s, const report_head &head, const std::vector<figure> &figures)
{
    json programs = json::array();
    for (const study_program &p : s.programs)
        programs.push_back({{"code", p.code}, {"command", text_of_arguments(p, head.scale)}});
    json list = json::array();
    for (const figure &f : figures) {
        json bars = json::array();
        for (const figure_bar &bar : f.bars) {
            json values = json::object();
            for (size_t p = 0; p < f.programs.size(); ++p)
                values[f.programs[p]] = number_or_null(bar.values[p]);
            bars.push_back({{"name", bar.name},
                            {"values", values},
                            {"arithmetic_mean", number_or_null(arithmetic_mean(bar.values))},
                            {"geometric_mean", number_or_null(geometric_mean(bar.values))}});
        }
        json claims = json::array();
        for (const figure_claim &c : f.claims) {
            json entry = {{"text", c.text}, {"paper", c.paper}, {"ours", number_or_null(c.ours)}};
            if (c.has_band() && head.scale == s.band_scale) {
                entry["low"] = number_or_null(c.low);
                entry["high"] = number_or_null(c.high);
                entry["in_band"] = c.in_band();
            }
            claims.push_back(entry);
        }
        list.push_back({{"id", f.id}, {"title", f.title}, {"bars", bars}, {"claims", claims}});
    }
    return {{"schema_version", 1},     {"program", program_json()},
            {"study", s.name},         {"scale", head.scale},
            {"changes", head.changes}, {"programs", programs},
            {"missing", head.missing}, {"figures", list}};
}

} // namespace walkway
