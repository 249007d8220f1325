/* SPDX-License-Identifier: MIT */
/* report/svg.hpp - a picture of shapes and words, self-contained: no fonts, scripts or files from elsewhere.
 * Its colours are classes of one style sheet, which has a light and a dark form (prefers-color-scheme). */
#ifndef WALKWAY_REPORT_SVG_HPP
#define WALKWAY_REPORT_SVG_HPP

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace walkway
{

/* Classes: "panel" (a frame), "grid", "axis", "mark" (dashed line); text "title", "head", "label", "tick";
 * series "s0" to "s4" to be filled, "l0" to "l4" as lines, "faint" fills for the background. */
class svg
{
public:
    svg(double width, double height, const std::string &title);

    void rect(double x, double y, double width, double height, const std::string &css,
              const std::string &hint = "");
    void line(double x1, double y1, double x2, double y2, const std::string &css);
    void polyline(const std::vector<std::pair<double, double>> &points, const std::string &css);
    void polygon(const std::vector<std::pair<double, double>> &points, const std::string &css);
    /* anchor: "start", "middle" or "end"; turned: reads upwards. */
    void text(double x, double y, const std::string &words, const std::string &css,
              const char *anchor = "start", bool turned = false);

    std::string finished() const { return body_ + "</svg>\n"; }

private:
    void points(const std::vector<std::pair<double, double>> &list);
    std::string body_;
};

/* Fit to stand in XML: what is not printable ASCII becomes '?'. */
std::string xml_text(const std::string &text);
/* `text` cut to `length` characters; the last three of a cut text are dots. */
std::string shortened(const std::string &text, size_t length);

/* 1, 2 or 5 times a power of ten: steps that cut 0 ... `most` into at most `steps` parts. */
double nice_step(double most, unsigned steps);

} // namespace walkway

#endif
