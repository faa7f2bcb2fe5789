#include "encodings/rotary/grid_spectrum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "core/number.h"
#include "encodings/rotary/frequency_fit.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::SimpleNumber;

using Axes = std::vector<AxisTurning>;

/// A factor of the frequencies of each axis, and the settings that have it.
struct Scale {
    std::vector<double> of_axis;
    std::vector<evidence::Setting> settings;
    double bits;
};

/// Returns the cheapest numbers within the bounds that are no accident: numbers of many digits are
/// within any bounds, and those of few digits within wide ones.
std::vector<SimpleNumber> shown_numbers(const Bounds& bounds, std::size_t most) {
    std::vector<SimpleNumber> numbers = numbers_within(bounds, most);
    constexpr double most_bits = 21, margin = 4;
    const double shown = std::log2(bounds.middle() / bounds.measured().error) - margin;
    std::erase_if(numbers, [=](const SimpleNumber& number) {
        return !(number.value > 0 && number.bits <= std::min(most_bits, shown));
    });
    return numbers;
}

/// Returns the frequency of pair 0 of an axis, which is its scale with most spectra.
Bounds first_of(const AxisTurning& axis) { return bounds_of(axis.frequencies.front()); }

SimpleNumber named(const SimpleNumber& number) {
    const auto is = [&](double value) { return std::fabs(number.value - value) <= 1e-15 * value; };
    if (is(2 * std::numbers::pi)) return {"2*pi", number.value, 3};
    if (is(std::numbers::pi)) return {"pi", number.value, 3};
    return number;
}

std::vector<Scale> freq_scales(const Axes& axes) {
    std::vector<Scale> scales;
    for (const AxisTurning& axis : axes) {
        if (axis.frequencies.empty()) continue;
        const Bounds first = first_of(axis);
        std::vector<SimpleNumber> numbers;
        for (const double usual : {1.0, 2 * std::numbers::pi, std::numbers::pi}) {
            if (first.contains(usual)) numbers.push_back({shortest(usual), usual, 3});
        }
        if (numbers.empty()) numbers = shown_numbers(first, 2);
        for (const SimpleNumber& number : numbers) {
            Scale scale{std::vector<double>(axes.size(), number.value), {}, 0};
            if (number.value != 1) {
                scale.settings.push_back({"freq-scale", named(number).text});
                scale.bits = 4 + named(number).bits;
            }
            scales.push_back(scale);
        }
        return scales;
    }
    return scales;
}

double extent_of(const AxisTurning& axis) { return static_cast<double>(axis.extent); }

/// Returns the reference extents for which the first pair of an axis has a frequency of 1.
Bounds reference_of(const AxisTurning& axis) {
    const Bounds first = first_of(axis);
    return {first.low * extent_of(axis), first.high * extent_of(axis)};
}

/// Coordinates are multiplied by one reference extent / extent of the axis.
std::vector<Scale> ref_extents(const Axes& axes) {
    std::vector<Scale> scales;
    if (axes.front().frequencies.empty()) return scales;
    for (const SimpleNumber& number : shown_numbers(reference_of(axes.front()), 1)) {
        Scale scale{{}, {{"ref-extent", number.text}}, 4 + number.bits};
        for (const AxisTurning& axis : axes) {
            scale.of_axis.push_back(number.value / extent_of(axis));
        }
        scales.push_back(scale);
    }
    return scales;
}

/// The same with one for each axis, in the order t, y, x.
std::vector<Scale> own_ref_extents(const Axes& axes) {
    Scale scale{std::vector<double>(axes.size()), {}, 4};
    std::string list;
    for (const char name : {'t', 'y', 'x'}) {
        for (std::size_t i = 0; i < axes.size(); ++i) {
            if (axes[i].axis != name) continue;
            if (axes[i].frequencies.empty()) return {};
            const auto numbers = shown_numbers(reference_of(axes[i]), 1);
            if (numbers.empty()) return {};
            if (!list.empty()) list += ',';
            list += numbers[0].text;
            scale.bits += numbers[0].bits;
            scale.of_axis[i] = numbers[0].value / extent_of(axes[i]);
        }
    }
    scale.settings.push_back({"ref-extent", list});
    return {scale};
}

constexpr std::array spectra{
    PowerSpectrum{"own",
                  [](double k, double pairs, double, double, double, double) { return k / pairs; }},
    PowerSpectrum{"strided", [](double k, double, double rank, double axes, double,
                                double all) { return (axes * k + rank) / all; }},
    PowerSpectrum{"sections", [](double k, double, double, double, double first,
                                 double all) { return (first + k) / all; }},
};

/// Returns the bases of this spectrum; empty if there is none.
Bounds spectrum_bases(const Axes& axes, const Scale& scale, const PowerSpectrum& spectrum) {
    double all = 0, first = 0;
    for (const AxisTurning& axis : axes) all += static_cast<double>(axis.frequencies.size());
    Bounds log_base{0, std::numeric_limits<double>::infinity()};
    for (std::size_t rank = 0; rank < axes.size(); ++rank) {
        const auto pairs = static_cast<double>(axes[rank].frequencies.size());
        for (std::size_t k = 0; k < axes[rank].frequencies.size(); ++k) {
            const auto [low, high] = bounds_of(axes[rank].frequencies[k]);
            if (!(high > 0)) return {1, 0};
            constexpr double slack = 1e-14;
            const double least = -std::log(high / scale.of_axis[rank]) - slack;
            const double most = low > 0 ? slack - std::log(low / scale.of_axis[rank])
                                        : std::numeric_limits<double>::infinity();
            const double exponent =
                spectrum.exponent(static_cast<double>(k), pairs, static_cast<double>(rank),
                                  static_cast<double>(axes.size()), first, all);
            if (exponent == 0) {
                if (!Bounds{least, most}.contains(0)) return {1, 0};
                continue;
            }
            log_base = both(log_base, {least / exponent, most / exponent});
        }
        first += pairs;
    }
    return {std::exp(log_base.low), std::exp(log_base.high)};
}

void add_powers(std::vector<RopeSettings>& found, const Axes& axes, const Scale& scale) {
    for (const PowerSpectrum& spectrum : spectra) {
        for (const SimpleNumber& base : bases_within(spectrum_bases(axes, scale, spectrum), 2)) {
            RopeSettings settings = scaled("none", base);
            settings.bits += scale.bits;
            if (spectrum.name != "own") add_word(settings, "spectrum", spectrum.name);
            for (const evidence::Setting& more : scale.settings) settings.settings.push_back(more);
            found.push_back(settings);
        }
    }
}

/// True if the axes have these bands between `low` and `high`.
bool are_bands(const Axes& axes, bool is_linear, double low, double high) {
    return std::ranges::all_of(axes, [&](const AxisTurning& axis) {
        const auto last = std::max(1.0, static_cast<double>(axis.frequencies.size()) - 1);
        for (std::size_t k = 0; k < axis.frequencies.size(); ++k) {
            const double part = static_cast<double>(k) / last;
            const double band = is_linear ? low * (1 - part) + high * part
                                          : std::pow(low, 1 - part) * std::pow(high, part);
            const Bounds bounds = bounds_of(axis.frequencies[k]);
            const double slack = 1e-14 * band;
            if (!Bounds{bounds.low - slack, bounds.high + slack}.contains(band)) return false;
        }
        return true;
    });
}

void add_bands(std::vector<RopeSettings>& found, const Axes& axes) {
    const auto longest = std::ranges::max_element(
        axes, {}, [](const AxisTurning& axis) { return axis.frequencies.size(); });
    if (longest->frequencies.size() < 2) return;
    for (const double scale : {1.0, std::numbers::pi, 2 * std::numbers::pi}) {
        const auto end = [&](const Measured& frequency) {
            const auto [low, high] = bounds_of(frequency);
            return shown_numbers({low / scale, high / scale}, 1);
        };
        const auto lows = end(longest->frequencies.front()),
                   highs = end(longest->frequencies.back());
        if (lows.empty() || highs.empty()) continue;
        for (const bool is_linear : {true, false}) {
            if (!are_bands(axes, is_linear, lows[0].value * scale, highs[0].value * scale))
                continue;
            RopeSettings settings;
            add_word(settings, "spectrum", is_linear ? "linear" : "geometric");
            settings.settings.push_back({"freqs", lows[0].text + "," + highs[0].text});
            settings.bits += 4 + lows[0].bits + highs[0].bits;
            if (scale != 1) add(settings, "freq-scale", named({"", scale, 3}));
            found.push_back(settings);
        }
    }
}

}  // namespace

std::span<const PowerSpectrum> power_spectra() { return spectra; }

std::vector<RopeSettings> grid_settings(const Axes& axes) {
    std::vector<RopeSettings> found;
    for (const Scale& scale : freq_scales(axes)) add_powers(found, axes, scale);
    for (const Scale& scale : ref_extents(axes)) add_powers(found, axes, scale);
    if (found.empty()) {
        for (const Scale& scale : own_ref_extents(axes)) add_powers(found, axes, scale);
    }
    if (found.empty() || found.front().bits > 40) add_bands(found, axes);
    std::ranges::stable_sort(found, {}, &RopeSettings::bits);
    constexpr std::size_t most = 6;
    if (found.size() > most) found.resize(most);
    return found;
}

}  // namespace pegen::encodings
