#include "formats/animation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "figure/ticks.h"
#include "numerics/real.h"

namespace pegen {
namespace {

using numerics::Real;

/// What --animate says: the parameter, and the ends between which it runs.
struct Course {
    const std::string& text;  ///< as the user wrote it
    const ParameterSpec* spec;
    double from;
    double to;
};

[[noreturn]] void refuse(const std::string& text, std::string_view reason) {
    throw UsageError(fmt::format("--animate {}: {}", text, reason));
}

bool is_whole(const ParameterSpec& spec) {
    return spec.type == ParameterType::integer || spec.type == ParameterType::integers;
}

/// True for a number, and for a list of numbers, which may have a single one.
bool is_number(const ParameterSpec& spec) {
    return is_whole(spec) || spec.type == ParameterType::real || spec.type == ParameterType::reals;
}

const ParameterSpec& parameter_named(std::string_view name, const Table& table,
                                     const std::string& text) {
    const std::string hyphens = hyphenated(name);
    std::vector<std::string_view> numbers;
    for (const Parameters::Entry& entry : table.provenance.parameters.entries()) {
        const ParameterSpec& spec = *entry.spec;
        const bool is_alias = hyphens.size() > 1 && has_word(spec.aliases, hyphens);
        if (spec.name == hyphens || is_alias) {
            if (is_number(spec)) return spec;
            refuse(text, fmt::format("{} is not a number, so it cannot run", spec.name));
        }
        if (is_number(spec)) numbers.push_back(spec.name);
    }
    refuse(text, fmt::format("{} has no parameter {}{}", table.provenance.encoding, name,
                             did_you_mean(name, numbers)));
}

Course course_of(const Table& table, const std::string& text) {
    if (!table.sibling) refuse(text, "this table has no parameters that could run");
    const auto parts = animated_parameter(text);
    if (!parts) refuse(text, "must be NAME=FROM..TO, as in base=10..1e6");
    const ParameterSpec& spec = parameter_named(parts->name, table, text);
    const std::string what = fmt::format("--animate {}:", text);
    const Course course{text, &spec, parse_real(parts->from, what), parse_real(parts->to, what)};
    if (course.from == course.to) refuse(text, "begins where it ends, so nothing would run");
    if (!is_whole(spec)) return course;
    for (const double end : {course.from, course.to}) {
        const bool fits = end == std::trunc(end) && std::fabs(end) <= two_to_53;
        if (!fits) refuse(text, fmt::format("{} is a whole number", spec.name));
    }
    return course;
}

/// Returns a value of the course, at a fraction `index` / `last` of its way.
double value_at(const Course& course, std::int64_t index, std::int64_t last) {
    if (index == 0) return course.from;
    if (index == last) return course.to;
    const Real share = Real(static_cast<double>(index)) / Real(static_cast<double>(last));
    const Real from(course.from), to(course.to);
    constexpr double far_apart = 20;
    const double least = std::min(course.from, course.to);
    const bool is_geometric = least > 0 && std::max(course.from, course.to) / far_apart > least;
    return numerics::nearest_double(is_geometric ? from * pow(to / from, share)
                                                 : from + (to - from) * share);
}

/// Returns the power of ten of the first digit.
int exponent_of(double value) {
    const std::string text = fmt::format("{:e}", value);
    return std::atoi(text.c_str() + text.find('e') + 1);
}

/// Returns the value with as many digits as tell it from another one at this distance.
double rounded_within(double value, double distance) {
    if (value == 0 || distance == 0) return value;
    const int digits = std::max(0, exponent_of(value) - exponent_of(distance) + 1);
    return parse_real(fmt::format("{:.{}e}", value, digits), "--animate");
}

/// Returns the number with commas between thousands.
std::string grouped(double value) {
    const std::string text = plain(std::fabs(value));
    std::string shown(value < 0 ? minus_sign : "");
    if (text.find('e') != text.npos) return shown + text;
    const std::size_t whole = std::min(text.find('.'), text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0) shown += ',';
        shown += text[i];
    }
    return shown;
}

/// A value that the parameter takes, and when.
struct Step {
    std::string typed;  ///< as an option has it
    std::string shown;  ///< as the title has it: "base = 1,000"
    FrameTimes times;
};

/// Makes all values as wide as the widest one, with spaces as wide as the digits and the commas
/// that they lack, so that a title in the middle stays where it is.
void pad(std::vector<Step>& steps) {
    constexpr std::string_view marks = ",.";
    constexpr std::string_view as_digit = "\u2007", as_mark = "\u2008";
    const auto count = [&](const std::string& text, bool are_marks) {
        return std::count_if(text.begin(), text.end(), [&](char c) {
            return are_marks ? marks.find(c) != marks.npos : c >= '0' && c <= '9';
        });
    };
    for (const bool are_marks : {false, true}) {
        std::ptrdiff_t most = 0;
        for (const Step& step : steps) most = std::max(most, count(step.shown, are_marks));
        for (Step& step : steps) {
            for (auto n = count(step.shown, are_marks); n < most; ++n) {
                step.shown += are_marks ? as_mark : as_digit;
            }
        }
    }
}

std::vector<Step> steps_of(const Course& course, const Parameters& figure) {
    const double seconds = figure.real("seconds");
    const std::int64_t length = std::llround(1000 * seconds);
    const std::int64_t frames = std::max<std::int64_t>(
        2, std::llround(seconds * static_cast<double>(figure.integer("fps"))));
    const std::int64_t last = frames - 1;
    std::string name(course.spec->name);  // as titles have it, which name parameters of Python
    std::replace(name.begin(), name.end(), '-', '_');
    std::vector<Step> steps;
    for (std::int64_t i = 0; i < frames; ++i) {
        double value = value_at(course, i, last);
        if (is_whole(*course.spec)) {
            value = std::round(value);
        } else if (i > 0 && i < last) {
            const double before = std::fabs(value - value_at(course, i - 1, last));
            const double behind = std::fabs(value_at(course, i + 1, last) - value);
            value = rounded_within(value, std::min(before, behind));
        }
        const std::int64_t end = length * (i + 1) / frames;
        std::string typed = is_whole(*course.spec)
                                ? fmt::format("{}", static_cast<std::int64_t>(value))
                                : shortest(value);
        if (!steps.empty() && steps.back().typed == typed) {
            steps.back().times.end = end;
        } else {
            steps.push_back({std::move(typed),
                             fmt::format("{} = {}", name, grouped(value)),
                             {length * i / frames, end, length}});
        }
    }
    pad(steps);
    return steps;
}

/// Returns the table of a step. Throws: UsageError if its shape is not `shape`.
Table table_at(const Step& step, const Course& course, const Table& table,
               const std::optional<Shape>& shape) {
    Table made = table.sibling({.parameter = course.spec->name, .value = step.typed});
    made.other = table.other;
    if (!shape || made.shape == *shape) return made;
    refuse(course.text,
           fmt::format("changes the shape of the table from {} to {}; only a parameter that keeps "
                       "it can run",
                       to_string(*shape), to_string(made.shape)));
}

/// Returns what the titles of two frames have in common: the title without the part of its list
/// that says the value, "Wavelengths (d_model=64)" of "Wavelengths (d_model=64, base=10)". Returns
/// "" if they differ otherwise.
std::string common_title(const std::string& first, const std::string& last) {
    if (first == last) return first;
    const auto differs_at = static_cast<std::size_t>(
        std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first - first.begin());
    const std::size_t begin = first.substr(0, differs_at).find_last_of("(,");
    const std::size_t end = first.find_first_of(",)", differs_at);
    if (begin == first.npos || end == first.npos) return "";
    const std::string before = first.substr(0, begin), rest = first.substr(end);
    if (!last.ends_with(rest)) return "";
    if (first[begin] == ',') return before + rest;
    if (rest.starts_with(", ")) return before + "(" + rest.substr(2);
    return before.substr(0, before.find_last_not_of(' ') + 1) + rest.substr(1);
}

/// Returns the places of all lines, and the numbers of axes with their places, as a text.
std::string axes_of(const Figure& figure) {
    std::string all;
    for (const Box& line : figure.lines) {
        all += fmt::format("{} {} {} {}\n", line.left, line.top, line.right, line.bottom);
    }
    for (const PlacedText& text : figure.texts) {
        const bool is_of_axis = text.role == TextRole::x_tick || text.role == TextRole::y_tick ||
                                text.role == TextRole::x_power || text.role == TextRole::y_power;
        if (is_of_axis) all += fmt::format("{} {} {}\n", text.text, text.x, text.y);
    }
    return all;
}

}  // namespace

std::optional<AnimatedParameter> animated_parameter(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::size_t dots = equals == text.npos ? text.npos : text.find("..", equals);
    if (dots == text.npos) return {};
    const AnimatedParameter parts{
        text.substr(0, equals), text.substr(equals + 1, dots - equals - 1), text.substr(dots + 2)};
    if (parts.name.empty() || parts.from.empty() || parts.to.empty()) return {};
    return parts;
}

std::vector<std::string> draw_frames(const Table& table, const Parameters& figure, Texts texts,
                                     const std::function<void(Frame)>& take) {
    if (!figure.has("animate")) {
        Figure still = compose_figure(table, figure, texts);
        std::vector<std::string> notes = std::move(still.notes);
        std::string title = still.title;
        take({std::move(still), std::move(title), {0, 1, 1}, 1});
        return notes;
    }
    const Course course = course_of(table, figure.word("animate"));
    const std::vector<Step> steps = steps_of(course, figure);
    const Shape shape = table_at(steps.front(), course, table, {}).shape;
    table_at(steps.back(), course, table, shape);  // refuses most other shapes at once

    Parameters options = figure;
    if (figure.word("limits") == "own") {
        throw UsageError("--limits own: not with --animate, whose frames have the same limits");
    }
    options.resolve("limits", std::string("shared"));
    if (figure.word("colour-scale") == "auto") {  // which depends on the values of one frame
        options.resolve("colour-scale", std::string("linear"));
    }
    Limits limits = no_limits;
    std::vector<std::string> titles;
    for (const Step& step : steps) {
        const Figure still = compose_figure(table_at(step, course, table, shape), options, texts);
        limits = merge(limits, still.of_values);
        titles.push_back(still.title);
    }
    const std::string title = common_title(titles.front(), titles.back());
    std::string axes;
    std::vector<std::string> notes;
    for (const Step& step : steps) {
        if (!title.empty()) options.resolve("title", fmt::format("{}, {}", title, step.shown));
        Frame frame{compose_figure(table_at(step, course, table, shape), options, texts, limits),
                    title, step.times, static_cast<std::uint32_t>(steps.size())};
        if (axes.empty()) axes = axes_of(frame.figure);
        if (axes != axes_of(frame.figure)) {
            refuse(course.text, "changes the axes, which stay in an animation");
        }
        for (const std::string& note : frame.figure.notes) {
            if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
        }
        take(std::move(frame));
    }
    return notes;
}

}  // namespace pegen
