/* SPDX-License-Identifier: MIT */
/* workbench/constraint.cpp - a precedence parser that evaluates while it parses. */
#include "workbench/constraint.hpp"

#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"

#include <algorithm>
#include <cctype>

namespace walkway
{

namespace
{

struct operand {
    enum class kind { number, truth, word } what;
    int64_t number;      /* 0 or 1 for a truth */
    std::string word;    /* a choice; a number as written, which may be one, too; a computed one: empty */
    const parameter *of; /* whose choice; null: a bare word */
};

/* Returns the value that the parameter has when it is set to this word; empty if it cannot be. Groups and
 * pages are lists, too many to be choices; a condition can write those of one word. */
std::string value_of(const parameter &p, const std::string &word)
{
    unit_groups groups;
    pages_of_buffers pages;
    switch (p.what) {
    case parameter::kind::groups:
        return groups.read(word).empty() && groups.number() <= p.max ? groups.text() : "";
    case parameter::kind::pages:
        return pages.read(word).empty() ? pages.text() : "";
    default:
        return is_among(word, p.choices) ? word : "";
    }
}

class reader
{
public:
    reader(const std::string &text, std::string origin, const std::vector<parameter> &parameters)
        : text_(text), origin_(std::move(origin)), parameters_(parameters)
    {
        advance();
    }

    bool whole()
    {
        const operand value = joined_by(0);
        if (!token_.empty())
            fail("'" + as_written(token_) + "' is one too many");
        return truth(value);
    }

private:
    [[noreturn]] void fail(const std::string &why) const
    {
        throw failure(exit_usage, origin_ + ": '" + as_written(text_) + "': " + why);
    }

    static bool in_word(char c)
    {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
    }

    void advance()
    {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
        size_t end = at_;
        while (end < text_.size() && in_word(text_[end]))
            ++end;
        if (end == at_ && at_ < text_.size()) {
            const bool pair = is_among(text_.substr(at_, 2), {"<=", ">=", "==", "!="});
            end = at_ + (pair ? 2 : 1);
        }
        token_ = text_.substr(at_, end - at_);
        at_ = end;
    }

    bool take(const std::string &token)
    {
        if (token_ != token)
            return false;
        advance();
        return true;
    }

    bool truth(const operand &value) const
    {
        if (value.what != operand::kind::truth)
            fail("wants a comparison: <, <=, ==, !=, >=, >");
        return value.number != 0;
    }

    int64_t number(const operand &value) const
    {
        if (value.what != operand::kind::number)
            fail(value.what == operand::kind::truth ? "a comparison is no number"
                                                    : "'" + as_written(value.word) + "' is no number");
        return value.number;
    }

    static operand truth_of(bool value) { return {operand::kind::truth, value ? 1 : 0, "", nullptr}; }
    static operand number_of(int64_t value, const std::string &as = "")
    {
        return {operand::kind::number, value, as, nullptr};
    }

    /* Binary operators by precedence, the lowest first. */
    static const std::vector<std::vector<std::string>> &operators()
    {
        static const std::vector<std::vector<std::string>> all = {
            {"or"}, {"and"}, {"<=", ">=", "==", "!=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};
        return all;
    }
    static constexpr size_t comparisons =
        2; /* index of the comparisons; `not` may precede one, and they do not chain */

    /* Parses an expression of operators of at least this precedence. */
    operand joined_by(size_t strength)
    {
        if (strength == operators().size())
            return single();
        if (strength == comparisons && take("not"))
            return truth_of(!truth(joined_by(strength)));
        operand left = joined_by(strength + 1);
        while (is_among(token_, operators()[strength])) {
            const std::string sign = token_;
            advance();
            left = joined(left, sign, joined_by(strength + 1));
            if (strength == comparisons)
                break;
        }
        return left;
    }

    operand joined(const operand &a, const std::string &sign, const operand &b) const
    {
        if (sign == "or" || sign == "and") {
            const bool first = truth(a), second = truth(b);
            return truth_of(sign == "or" ? first || second : first && second);
        }
        if (is_among(sign, operators()[comparisons]))
            return truth_of(compare(a, sign, b));
        const int64_t x = number(a), y = number(b);
        int64_t z = 0;
        if ((sign == "/" || sign == "%") && y == 0)
            fail("divides by nought");
        if (sign == "+"   ? __builtin_add_overflow(x, y, &z)
            : sign == "-" ? __builtin_sub_overflow(x, y, &z)
            : sign == "*" ? __builtin_mul_overflow(x, y, &z)
                          : sign == "/" && x == INT64_MIN && y == -1)
            fail("is too large for 64 bits");
        /* The processor refuses INT64_MIN % -1, too. */
        return number_of(sign == "/" ? x / y : sign != "%" ? z : y == -1 ? 0 : x % y);
    }

    bool compare(const operand &a, const std::string &sign, const operand &b) const
    {
        if (a.what == operand::kind::word || b.what == operand::kind::word) {
            const bool same = is_same_choice(a, b);
            if (sign != "==" && sign != "!=")
                fail("choices have no order: == and != only");
            return same == (sign == "==");
        }
        const int64_t x = number(a), y = number(b);
        const bool less = sign.front() == '<', greater = sign.front() == '>', equal = sign.back() == '=';
        if (less || greater)
            return (less && x < y) || (greater && x > y) || (equal && x == y);
        return (x == y) == (sign == "==");
    }

    bool is_same_choice(const operand &a, const operand &b) const
    {
        const operand &of = a.of != nullptr ? a : b, &word = a.of != nullptr ? b : a;
        if (of.of == nullptr) /* two bare words, or one compared with a number */
            fail("'" + as_written((a.what == operand::kind::word ? a : b).word) +
                 "' is neither a parameter nor compared with one that has choices");
        const std::string value = value_of(*of.of, word.word);
        if (!value.empty())
            return of.word == value;
        if (word.what != operand::kind::word &&
            (of.of->what != parameter::kind::groups || word.word.empty())) /* a computed number */
            fail("a choice is compared with a number");
        fail("'" + as_written(word.word) + "' is not among " +
             (of.of->choices.empty() ? of.of->range()
                                     : "the choices" + did_you_mean(word.word, of.of->choices)));
    }

    operand single()
    {
        if (take("(")) {
            const operand inner = joined_by(0);
            if (!take(")"))
                fail("a ')' is missing");
            return inner;
        }
        const std::string word = token_;
        if (word.empty())
            fail("ends too early");
        if (!in_word(word.front()))
            fail("'" + as_written(word) + "' is not expected there");
        advance();
        if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
            uint64_t value = 0;
            const number_kind what = read_number(word, value);
            if (what == number_kind::none && word.find('.') == std::string::npos)
                return {operand::kind::word, 0, word, nullptr}; /* a choice: "2m" */
            if (what != number_kind::whole || value > INT64_MAX)
                fail("'" + as_written(word) + "' is no whole number of 63 bits");
            return number_of(static_cast<int64_t>(value), word);
        }
        const auto p = std::find_if(parameters_.begin(), parameters_.end(),
                                    [&](const parameter &one) { return one.name == word; });
        if (p != parameters_.end()) {
            if (p->what == parameter::kind::number) {
                if (p->number > INT64_MAX)
                    fail(word + " is too large");
                return number_of(static_cast<int64_t>(p->number));
            }
            return {operand::kind::word, 0, p->value, &*p};
        }
        if (word.find('.') != std::string::npos)
            fail("no parameter '" + as_written(word) + "'" + did_you_mean(word, names_of(parameters_)));
        return {operand::kind::word, 0, word, nullptr};
    }

    const std::string &text_;
    const std::string origin_;
    const std::vector<parameter> &parameters_;
    size_t at_ = 0;
    std::string token_;
};

} // namespace

bool satisfied(const std::string &expression, const std::string &origin,
               const std::vector<parameter> &parameters)
{
    return reader(expression, origin, parameters).whole();
}

} // namespace walkway
