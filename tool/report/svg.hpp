/* SPDX-License-Identifier: MIT */
/* report/svg.hpp - a picture of shapes and words, self-contained: no fonts, scripts or files from elsewhere.
 * Its colours are classes of one style sheet with a light and a dark form (prefers-color-scheme). */
#ifndef WALKWAY_REPORT_SVG_HPP
#define WALKWAY_REPORT_SVG_HPP

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace walkway
{

/* Classes: "panel" (a frame), "grid", "axis", "mark" (dashed line); text "title", "head", "label", "tick";
 * series "s0" to "s4" for fills, "l0" to "l4" for lines, "faint" fills for the background. */
class svg
{
public:
    svg(double width, double height, const std::string &title);

    void rect(double x, double y, double width, double height, const std::string &css,
              const std::string &hint = "");
    void line(double x1, double y1, double x2, double y2, const std::string &css);
    void polyline(const std::vector<std::pair<double, double>> &points, const std::string &css);
    void polygon(const std::vector<std::pair<double, double>> &points, const std::string &css);
    /* Adds text. anchor: "start", "middle" or "end"; turned: reads upwards. */
    void text(double x, double y, const std::string &words, const std::string &css,
              const char *anchor = "start", bool turned = false);

    std::string finished() const { return body_ + "</svg>\n"; }

private:
    void points(const std::vector<std::pair<double, double>> &list);
    std::string body_;
};

/* Returns the text escaped for XML; unprintable and non-ASCII characters become '?'. */
std::string xml_text(const std::string &text);
/* Returns `text` cut to `length` characters; a cut text ends with three dots. */
std::string shortened(const std::string &text, size_t length);

/* Returns 1, 2 or 5 times a power of ten: a step that cuts 0 ... `most` into at most `steps` parts. */
double nice_step(double most, unsigned steps);

} // namespace walkway

#endif
