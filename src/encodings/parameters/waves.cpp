#include "encodings/parameters/waves.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "core/number.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/shared.h"
#include "numerics/real.h"
#include "numerics/sinusoid.h"

namespace pegen::encodings {
namespace {

/// Returns the value of the parameter as a factor: "1000 * "; "" if it is 1.
std::string factor_text(const Parameters& p, std::string_view name) {
    const std::string factor = to_string(p.value(name));
    return factor == "1" ? "" : fmt::format("{} * ", factor);
}

std::string width_text(const Parameters& p, std::string_view width) {
    const std::string shift = to_string(p.value("denom-shift"));
    return shift == "0" ? std::string(width) : fmt::format("({} - {})", width, shift);
}

std::string base_text(const Parameters& p) {
    const std::string base = to_string(p.value("base"));
    return base.find(',') == base.npos ? base : "base_a";
}

}  // namespace

std::string wave_text(const Parameters& parameters, std::string_view function,
                      const WaveNames& names) {
    return fmt::format("{}{}({}{} / {}^({} / {}))", factor_text(parameters, "out-scale"), function,
                       factor_text(parameters, "freq-scale"), names.position, base_text(parameters),
                       names.exponent, width_text(parameters, names.width));
}

std::string progression_text(std::string_view first, std::string_view step,
                             std::string_view index) {
    const std::string moved =
        step == "1" ? std::string(index) : fmt::format("{} * {}", step, index);
    return first == "0" ? moved : fmt::format("{} + {}", first, moved);
}

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

Waves geometric_waves(const Parameters& p, const Positions& positions,
                      numerics::ChannelLayout layout,
                      const numerics::GeometricProgression& progression, std::string_view options) {
    Waves waves{.positions = positions,
                .layout = std::move(layout),
                .frequencies = [=] { return numerics::Frequencies(progression); },
                .terms = [=](std::int64_t k) { return frequency_term(progression, k); },
                .options = options};
    if (is_exact(p)) return waves;
    waves.float32 = [=] {
        return numerics::angle_products(positions, float32_frequencies("base", progression),
                                        to_float32("freq-scale", progression.scale));
    };
    return waves;
}

Rows wave_rows(const Waves& waves, DType dtype) {
    const numerics::Frequencies omega = waves.frequencies();
    check_angles(waves.positions, omega, waves.options);
    check_holds(dtype, waves.scale, "the largest value");
    if (!waves.float32) {
        return numerics::sinusoid_rows(waves.positions, omega, waves.layout, waves.scale, dtype);
    }
    return numerics::float32_wave_rows(waves.float32(), waves.layout,
                                       to_float32(waves.scale_name, waves.scale), dtype);
}

Cell cell_of(const Waves& waves, std::int64_t row, std::int64_t channel) {
    return layout_cell(waves.scale, waves.layout, channel, number_term(waves.positions[row]),
                       waves.terms);
}

Plan wave_plan(Parameters p, const Waves& waves, Axis rows) {
    return {.parameters = std::move(p),
            .shape = {waves.positions.size(), waves.layout.channels},
            .axes = {std::move(rows), channel_axis()},
            .make_rows = [waves](DType dtype) { return wave_rows(waves, dtype); },
            .pairs = [layout = waves.layout] { return numerics::pairs_of(layout); },
            .cell =
                [waves](std::span<const std::int64_t> index) {
                    return cell_of(waves, index[0], index[1]);
                }};
}

namespace {

using numerics::Frequencies;

Rows frequency_rows(const Frequencies& omega, DType dtype) {
    check_holds(dtype, omega.largest(), "the fastest frequency");
    return numerics::frequency_rows(omega, dtype);
}

/// A pair that does not turn has an infinite wavelength.
Rows wavelength_rows(const Frequencies& omega, DType dtype) {
    for (const numerics::Real& frequency : omega.reals()) {
        const double w = std::fabs(nearest_double(frequency));
        if (w != 0) check_holds(dtype, 2 * std::numbers::pi / w, "the longest wavelength");
    }
    return numerics::wavelength_rows(omega, dtype);
}

Cell cell_of(Term frequency, bool is_wavelength, std::int64_t k) {
    const Term wavelength{[=] { return 2 * numerics::pi() / frequency.value(); },
                          fmt::format("2 * pi / ({})", frequency.text)};
    return {
        .value = is_wavelength ? wavelength : frequency, .pair = k, .frequency = frequency.value};
}

}  // namespace

Plan frequency_plan(Parameters p, std::string_view table, std::int64_t count,
                    std::function<Frequencies()> frequencies, FrequencyTerms terms) {
    const bool is_wavelength = table == "wavelengths";
    const auto rows = is_wavelength ? wavelength_rows : frequency_rows;
    if (!terms) terms = digits_terms(frequencies);
    return {.parameters = std::move(p),
            .shape = {count},
            .axes = {frequency_axis()},
            .make_rows = [rows, frequencies = std::move(frequencies)](
                             DType dtype) { return rows(frequencies(), dtype); },
            .cell =
                [terms = std::move(terms), is_wavelength](std::span<const std::int64_t> index) {
                    return cell_of(terms(index[0]), is_wavelength, index[0]);
                }};
}

}  // namespace pegen::encodings
