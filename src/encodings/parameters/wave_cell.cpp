#include "encodings/parameters/wave_cell.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/number.h"
#include "numerics/decimal_text.h"

namespace pegen::encodings {
namespace {

using numerics::Function;
using numerics::GeometricProgression;
using numerics::Real;

/// Returns the number as text, integers with all their digits: "1000000".
std::string number_text(double number) {
    const bool is_whole = std::fabs(number) < two_to_53 && std::trunc(number) == number;
    return is_whole ? fmt::format("{}", static_cast<std::int64_t>(number)) : shortest(number);
}

/// Returns "1000 * "; "" if the factor is 1.
std::string factor_text(double factor) {
    return factor == 1 ? "" : fmt::format("{} * ", number_text(factor));
}

/// Returns the exponent as text: "-4/(128 - 2)".
std::string exponent_text(const GeometricProgression& progression, double u) {
    const auto& [base, step, width, shift, scale, count] = progression;
    const bool is_single = u == 0 && static_cast<double>(width) == shift;
    if (is_single) return "0";
    if (shift == 0) return fmt::format("{}/{}", number_text(u), width);
    return fmt::format("{}/({} {} {})", number_text(u), width, shift < 0 ? '+' : '-',
                       number_text(shift < 0 ? -shift : shift));
}

Real frequency_of(const GeometricProgression& progression, std::int64_t k) {
    if (k == 0) return progression.scale;
    const Real u = Real(-progression.step) * static_cast<double>(k);
    const Real width = Real(static_cast<double>(progression.width)) - progression.shift;
    return pow(progression.base, u / width) * progression.scale;
}

}  // namespace

Term number_term(double number) {
    return {[number] { return Real(number); }, number_text(number)};
}

Term frequency_term(const GeometricProgression& progression, std::int64_t k) {
    const double u = k == 0 ? 0.0 : -progression.step * static_cast<double>(k);
    return {[=] { return frequency_of(progression, k); },
            fmt::format("{}{}^({})", factor_text(progression.scale), number_text(progression.base),
                        exponent_text(progression, u))};
}

Term digits_term(std::function<Real()> value) {
    constexpr int digits = 17;
    std::string text = numerics::short_decimal_text(value(), digits);
    return {std::move(value), std::move(text)};
}

Term ratio_term(double numerator, double denominator) {
    if (denominator == 1) return number_term(numerator);
    return {[=] { return Real(numerator) / denominator; },
            fmt::format("{}/{}", number_text(numerator), number_text(denominator))};
}

Cell wave_cell(double factor, Function function, const Term& position, const Term& frequency) {
    const auto angle = [=] { return position.value() * frequency.value(); };
    const bool is_sine = function == Function::sin;
    return {.value = {[=] { return (is_sine ? sin(angle()) : cos(angle())) * factor; },
                      fmt::format("{}{}({} * {})", factor_text(factor), is_sine ? "sin" : "cos",
                                  position.text, frequency.text)},
            .function = function,
            .frequency = frequency.value,
            .angle = angle};
}

Cell wave_cell_of_sum(Function function, double factor, std::vector<WeightedTerm> terms) {
    std::string text;
    for (const auto& [coordinate, weight] : terms) {
        text +=
            fmt::format("{}{} * {}", text.empty() ? "" : " + ", coordinate.text, shortest(weight));
    }
    if (factor != 1) text = fmt::format("{} * ({})", shortest(factor), text);
    const Term angle{[=, terms = std::move(terms)] {
                         Real sum = 0.0;
                         for (const auto& [coordinate, weight] : terms) {
                             sum = sum + coordinate.value() * weight;
                         }
                         return sum * factor;
                     },
                     text};
    Cell cell = wave_cell(1, function, angle, number_term(1));
    cell.value.text = fmt::format("{}({})", function == Function::sin ? "sin" : "cos", text);
    cell.frequency = nullptr;
    return cell;
}

Cell angle_cell(const Term& position, const Term& frequency, std::int64_t pair) {
    const auto angle = [=] { return position.value() * frequency.value(); };
    return {.value = {angle, fmt::format("{} * {}", position.text, frequency.text)},
            .pair = pair,
            .frequency = frequency.value,
            .angle = angle};
}

FrequencyTerms digits_terms(std::function<numerics::Frequencies()> frequencies) {
    return [frequencies = std::move(frequencies)](std::int64_t k) {
        const numerics::Frequencies omega = frequencies();
        return digits_term([=] { return omega.reals()[k]; });
    };
}

Cell layout_cell(double factor, const numerics::ChannelLayout& layout, std::int64_t channel,
                 const Term& position, const FrequencyTerms& frequencies) {
    const auto content = content_of(layout, channel);
    if (!content) return zero_cell("The channel is filled up with zeros.");
    const auto [function, frequency] = *content;
    Cell cell = wave_cell(factor, function, position, frequencies(frequency));
    cell.pair = frequency;
    cell.partner = channel_with(layout, {other(function), frequency});
    return cell;
}

Cell zero_cell(std::string note) {
    return {.value = {[] { return Real(0.0); }, ""}, .note = std::move(note)};
}

}  // namespace pegen::encodings
