#include <array>
#include <cmath>

#include "core/number.h"
#include "recognition/rotary/frequency_fit.h"

// The scalings that change the base, to base * stretch^(d / (d - 2)).
namespace pegen::recognition {
namespace {

using evidence::Measured;
using evidence::SimpleNumber;

using Frequencies = std::span<const Measured>;
using Found = std::vector<RopeSettings>;

/// Returns the factor by which the slowest wavelength is longer than with `base`. `stretched`
/// bounds the measured base.
evidence::Bounds stretch(const evidence::Bounds& stretched, double base, std::size_t pairs) {
    const double exponent = static_cast<double>(pairs - 1) / static_cast<double>(pairs);
    return {std::pow(stretched.low / base, exponent), std::pow(stretched.high / base, exponent)};
}

/// Factors by which models stretch their base. Dynamic scaling by 2 has the factor 3 for twice the
/// length.
constexpr std::array usual_factors{2.0, 4.0, 8.0, 3.0, 16.0, 32.0};

/// Limits for a factor that somebody would choose: in bits, and in digits.
constexpr double most_bits_of_factor = 14;
constexpr std::size_t longest_factor = 5;

}  // namespace

std::vector<RopeSettings> stretched_to(const SimpleNumber& plain, Frequencies frequencies) {
    Found found;
    if (frequencies.size() < 2) return found;
    const auto pairs = static_cast<double>(frequencies.size());
    const auto [low, high] = base_bounds(frequencies, frequencies.size());
    for (const double factor : usual_factors) {
        const double by = std::pow(factor, pairs / (pairs - 1));
        constexpr double slack = 4e-15;
        const evidence::Bounds bounds{low / by * (1 - slack), high / by * (1 + slack)};
        for (const SimpleNumber& base : bases_within(bounds, 1)) {
            constexpr double saved_bits = 2;
            const bool is_likely = is_known_base(base.value) ||
                                   (is_simple_base(base) && !is_known_base(plain.value)) ||
                                   base.bits + saved_bits <= plain.bits;
            if (!is_likely || base.value <= 1) continue;
            RopeSettings settings = scaled("ntk", base);
            add(settings, "factor", {shortest(factor), factor, 3});
            found.push_back(settings);
        }
    }
    return found;
}

std::vector<RopeSettings> ntk_settings(Frequencies frequencies) {
    Found found;
    if (frequencies.size() < 2) return found;
    const evidence::Bounds stretched = base_bounds(frequencies, frequencies.size());
    for (const double base : known_bases()) {
        for (const SimpleNumber& factor :
             evidence::numbers_within(stretch(stretched, base, frequencies.size()), 1)) {
            const bool is_likely =
                factor.bits <= most_bits_of_factor && factor.text.size() <= longest_factor;
            if (factor.value <= 1 || !is_likely) continue;
            RopeSettings settings = scaled("ntk", {shortest(base), base, 3});
            add(settings, "factor", factor);
            found.push_back(settings);
        }
    }
    return found;
}

std::vector<RopeSettings> dynamic_settings(Frequencies frequencies, std::int64_t positions) {
    Found found;
    if (frequencies.size() < 2 || positions < 2) return found;
    const evidence::Bounds stretched = base_bounds(frequencies, frequencies.size());
    const auto length = static_cast<double>(positions);
    // stretch = 1 + factor * (length - longest) / longest
    for (const double base : known_bases()) {
        const evidence::Bounds by = stretch(stretched, base, frequencies.size());
        if (by.is_empty() || by.low <= 1 || std::isinf(by.high)) continue;
        for (const double factor : {1.0, 2.0, 4.0, 8.0, 3.0, 10.0}) {
            const evidence::Bounds longest{length * factor / (by.high - 1 + factor),
                                           length * factor / (by.low - 1 + factor)};
            for (const SimpleNumber& number : evidence::lengths_within(longest, 1)) {
                // Any stretched base can be explained by some length, so only usual lengths count.
                const bool is_usual = std::rint(number.value / 256) * 256 == number.value;
                if (!is_usual || number.value >= length) continue;
                RopeSettings settings = scaled("dynamic", {shortest(base), base, 3});
                add(settings, "factor", {shortest(factor), factor, factor});
                add(settings, "max-position-embeddings", number);
                found.push_back(settings);
            }
        }
    }
    return found;
}

}  // namespace pegen::recognition
