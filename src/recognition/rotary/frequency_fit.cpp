#include "recognition/rotary/frequency_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/number.h"
#include "recognition/evidence/geometric.h"

namespace pegen::recognition {
namespace {

constexpr std::array bases{10000.0,  500000.0, 1e6,       100.0,      150000.0, 5e6,
                           1e7,      8e6,      20000.0,   50000.0,    1000.0,   100000.0,
                           160000.0, 250000.0, 7500000.0, 75000000.0, 2e6,      40000.0,
                           3e6,      1e8,      5e7,       10.0,       20.0,     25000.0};

constexpr std::array factors{8.0, 4.0, 32.0, 40.0, 2.0, 16.0, 64.0, 10.0, 128.0, 5.0,  20.0,
                             3.0, 6.0, 12.0, 24.0, 1.5, 2.5,  7.0,  9.0,  50.0,  30.0, 100.0};

/// The bits of naming a parameter.
constexpr double bits_of_name = 4;

SimpleNumber simple(double value) {
    const std::string text = shortest(value);
    return {text, value, evidence::bits_of_number(text)};
}

/// Returns the bases within narrow bounds that mistakes make of popular ones.
std::vector<SimpleNumber> mistaken_within(const evidence::Bounds& bounds) {
    constexpr double bits = 12, widest = 1e-4;
    std::vector<SimpleNumber> found;
    if (bounds.high > (1 + widest) * bounds.low) return found;
    if (const SimpleNumber base = evidence::base_of_log10(); bounds.contains(base.value)) {
        found.push_back(base);
    }
    for (const BaseRoot& root : roots_within(bounds)) {
        found.push_back({fmt::format("{}^(1/{})", root.base, root.heads), root.value, bits});
    }
    return found;
}

}  // namespace

std::span<const double> known_bases() { return bases; }

std::span<const double> known_factors() { return factors; }

bool is_known_base(double base) { return std::ranges::find(bases, base) != bases.end(); }

SimpleNumber usual_number(double value) { return {shortest(value), value, 3}; }

bool is_simple_base(const SimpleNumber& base) {
    constexpr double few_bits = 12.5;
    return is_known_base(base.value) || base.bits <= few_bits;
}

evidence::Bounds base_bounds(std::span<const Measured> frequencies, std::size_t count,
                             double factor) {
    evidence::Bounds log_base{0, std::numeric_limits<double>::infinity()};
    const auto pairs = static_cast<double>(frequencies.size());
    for (std::size_t m = 0; m < count; ++m) {
        const auto [low, high] = evidence::bounds_of(frequencies[m]);
        if (!(high > 0)) return {1, 0};
        // A division and a power in double precision have a relative error of a few 2^-53.
        constexpr double slack = 1e-15;
        const double least = -std::log(high * factor) - slack;
        const double most =
            low > 0 ? slack - std::log(low * factor) : std::numeric_limits<double>::infinity();
        if (m == 0) {
            if (!evidence::Bounds{least, most}.contains(0)) return {1, 0};
            continue;
        }
        const double share = pairs / static_cast<double>(m);
        log_base = evidence::both(log_base, {least * share, most * share});
    }
    return {std::exp(log_base.low), std::exp(log_base.high)};
}

std::vector<BaseRoot> roots_within(const evidence::Bounds& bounds) {
    constexpr double most_heads = 512;
    std::vector<BaseRoot> roots;
    if (!(bounds.low > 1)) return roots;
    for (const double base : std::span(bases).first(3)) {
        const double heads = std::rint(std::log(base) / std::log(bounds.low));
        const double root = std::pow(base, 1 / heads);
        if (heads < 2 || heads > most_heads || !bounds.contains(root)) continue;
        roots.push_back({base, heads, root});
    }
    return roots;
}

std::vector<SimpleNumber> bases_within(const evidence::Bounds& bounds, std::size_t most) {
    std::vector<SimpleNumber> found;
    for (const double base : bases) {
        if (found.size() < most && bounds.contains(base)) found.push_back(simple(base));
    }
    if (!found.empty()) return found;
    found = mistaken_within(bounds);
    std::ranges::move(evidence::numbers_within(bounds, most), std::back_inserter(found));
    return found;
}

std::vector<Measured> ratios_to(double base, std::span<const Measured> frequencies) {
    const double logarithm = std::log(base) / static_cast<double>(frequencies.size());
    std::vector<Measured> ratios;
    for (std::size_t m = 0; m < frequencies.size(); ++m) {
        const double power = std::exp(logarithm * static_cast<double>(m));
        const double ratio = frequencies[m].value * power;
        ratios.push_back({ratio, frequencies[m].error * power + 4e-15 * ratio});
    }
    return ratios;
}

void add(PricedSettings& settings, std::string_view name, const SimpleNumber& number) {
    settings.settings.push_back({name, number.text});
    settings.bits += bits_of_name + number.bits;
}

void add_word(PricedSettings& settings, std::string_view name, std::string_view word) {
    settings.settings.push_back({name, std::string(word)});
    settings.bits += bits_of_name + 3;
}

void add_flag(PricedSettings& settings, std::string_view name) {
    settings.settings.push_back({name, "true"});
    settings.bits += bits_of_name;
}

PricedSettings scaled(std::string_view type, const SimpleNumber& base) {
    PricedSettings settings;
    if (base.value != 10000) add(settings, "base", base);
    if (type != "none") add_word(settings, "scaling", type);
    return settings;
}

}  // namespace pegen::recognition
