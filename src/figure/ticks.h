#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figure/limits.h"

namespace pegen {

/// The minus of the numbers in figures.
inline constexpr std::string_view minus_sign = "\u2212";

struct Tick {
    double value;
    std::string label;      ///< may be empty
    bool is_minor = false;  ///< drawn shorter
    std::string digits{};   ///< if not empty, label can be written shorter as digits * 10^exponent
    int exponent = 0;
};

/// Returns ticks of a continuous axis: the multiples of a step inside the limits (ends included).
/// The step is the first of 1, 2, 2.5, 5, 10 (times a power of ten) that makes at most `intervals`
/// intervals, or a smaller one if fewer than two ticks would be inside.
/// Labels are exact decimals, all with the same number of digits after the point. If the largest
/// magnitude is below 1e-4 or at least 1e6 and an exponent makes the labels shorter, all labels
/// have the same exponent: "1.5e-6", with U+2212 as the minus.
std::vector<Tick> value_ticks(Limits limits, int intervals);

/// Returns ticks of an axis of indices, like value_ticks() but with whole steps and no exponents.
std::vector<Tick> index_ticks(Limits limits, int intervals);

/// Returns ticks at these values, in this order. Labels are the shortest decimals that read back as
/// the same doubles, in the form of value_ticks(), or of index_ticks() if all are whole. If they
/// would have more than 18 digits, each has a form of its own.
std::vector<Tick> ticks_at(std::span<const double> values);

/// Returns "10⁷" for 7, with superscript digits.
std::string power_of_ten_text(int exponent);

/// Returns ticks of a logarithmic axis: powers of ten ("10⁴", with superscript digits), each or
/// every second, third ... one, so that there are at most `intervals` intervals; between powers
/// that are neighbours, minor ticks at their multiples. If there are fewer than two powers between
/// the limits, returns value_ticks(). Precondition: 0 < low < high.
std::vector<Tick> power_ticks(Limits limits, int intervals);

/// Returns ticks of an axis that is linear up to `threshold`, a power of ten, and logarithmic
/// beyond: 0, and on both sides the threshold and the powers of ten beyond it, each or every
/// second, third ... one, so that there are at most `intervals` intervals ("−10⁻²", "0"). If these
/// are fewer than two, returns value_ticks().
std::vector<Tick> symlog_ticks(Limits limits, double threshold, int intervals);

}  // namespace pegen
