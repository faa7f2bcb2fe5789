#include "encodings/rotary/frequency_settings.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/number.h"
#include "encodings/rotary/frequency_fit.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Setting;
using evidence::SimpleNumber;

using Frequencies = std::vector<Measured>;
using Found = std::vector<RopeSettings>;

void append(Found& found, Found more) { std::ranges::move(more, std::back_inserter(found)); }

Found unscaled(const Frequencies& frequencies) {
    Found found;
    const Bounds bounds = base_bounds(frequencies, frequencies.size());
    for (const SimpleNumber& base : bases_within(bounds, 3)) found.push_back(scaled("none", base));
    return found;
}

/// Returns the factors by which the fastest frequency, 1 without scaling, is divided.
std::vector<SimpleNumber> divisors_of(const Frequencies& frequencies) {
    const auto [low, high] = bounds_of(frequencies.front());
    if (!(low > 0)) return {};
    std::vector<SimpleNumber> factors = numbers_within({1 / high, 1 / low}, 3);
    std::erase_if(factors, [](const SimpleNumber& factor) { return factor.value == 1; });
    return factors;
}

Found linear(const Frequencies& frequencies) {
    Found found;
    for (const SimpleNumber& factor : divisors_of(frequencies)) {
        const Bounds bounds = base_bounds(frequencies, frequencies.size(), factor.value);
        for (const SimpleNumber& base : bases_within(bounds, 2)) {
            RopeSettings settings = scaled("linear", base);
            add(settings, "factor", factor);
            found.push_back(settings);
        }
    }
    return found;
}

/// Returns by how much the slowest wavelength is longer than with `base`.
Bounds stretch(const Bounds& stretched, double base, std::size_t pairs) {
    const double exponent = static_cast<double>(pairs - 1) / static_cast<double>(pairs);
    return {std::pow(stretched.low / base, exponent), std::pow(stretched.high / base, exponent)};
}

/// Numbers that nobody would choose for a factor cost more.
constexpr double most_bits_of_factor = 14;

Found ntk(const Frequencies& frequencies) {
    Found found;
    if (frequencies.size() < 2) return found;
    const Bounds stretched = base_bounds(frequencies, frequencies.size());
    for (const double base : known_bases()) {
        for (const SimpleNumber& factor :
             numbers_within(stretch(stretched, base, frequencies.size()), 1)) {
            if (factor.value <= 1 || factor.bits > most_bits_of_factor) continue;
            RopeSettings settings = scaled("ntk", {shortest(base), base, 3});
            add(settings, "factor", factor);
            found.push_back(settings);
        }
    }
    return found;
}

/// The base of dynamic scaling grows with the sequence beyond the longest of the model:
/// stretch = 1 + factor * (positions - longest) / longest.
Found dynamic(const Frequencies& frequencies, std::int64_t positions) {
    Found found;
    if (frequencies.size() < 2 || positions < 2) return found;
    const Bounds stretched = base_bounds(frequencies, frequencies.size());
    const auto length = static_cast<double>(positions);
    for (const double base : known_bases()) {
        const Bounds by = stretch(stretched, base, frequencies.size());
        if (by.is_empty() || by.low <= 1 || std::isinf(by.high)) continue;
        for (const double factor : {1.0, 2.0, 4.0, 8.0, 3.0, 10.0}) {
            const Bounds longest{length * factor / (by.high - 1 + factor),
                                 length * factor / (by.low - 1 + factor)};
            for (const SimpleNumber& number : lengths_within(longest, 1)) {
                // Others are what any stretched base would have.
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

/// Returns shares of `pairs` pairs that are rounded down to `rotated`.
std::vector<SimpleNumber> shares_of(std::size_t rotated, std::size_t pairs) {
    const auto count = static_cast<double>(pairs);
    const double least = static_cast<double>(rotated) / count;
    std::vector<SimpleNumber> shares{{shortest(least), least, 3}};
    for (const SimpleNumber& number : numbers_within({least, least + 0.999 / count}, 2)) {
        if (number.value != least) shares.push_back(number);
    }
    std::erase_if(shares, [&](const SimpleNumber& share) {
        return share.value > 1 || std::floor(share.value * count) != static_cast<double>(rotated);
    });
    return shares;
}

Found proportional(const Frequencies& frequencies) {
    std::size_t rotated = frequencies.size();
    while (rotated > 0 && bounds_of(frequencies[rotated - 1]).contains(0)) --rotated;
    Found found;
    if (rotated == 0 || rotated == frequencies.size()) return found;
    std::vector<SimpleNumber> factors = divisors_of(frequencies);
    if (bounds_of(frequencies.front()).contains(1)) factors.insert(factors.begin(), {"1", 1, 0});
    for (const SimpleNumber& factor : factors) {
        for (const SimpleNumber& base :
             bases_within(base_bounds(frequencies, rotated, factor.value), 2)) {
            for (const SimpleNumber& share : shares_of(rotated, frequencies.size())) {
                RopeSettings settings = scaled("proportional", base);
                add(settings, "partial-rotary-factor", share);
                if (factor.value != 1) add(settings, "factor", factor);
                found.push_back(settings);
            }
        }
    }
    return found;
}

/// Returns the divisors that turn `base` into these frequencies, as a list; none if they are not
/// like those of models, which are 1 or more.
std::optional<RopeSettings> divided(const Frequencies& frequencies, double base) {
    std::string list;
    std::size_t simple = 0;
    RopeSettings settings = scaled("longrope", {shortest(base), base, 3});
    for (const Measured& ratio : ratios_to(base, frequencies)) {
        const auto [low, high] = bounds_of(ratio);
        if (!(low > 1e-3) || high > 1.1) return std::nullopt;
        const std::vector<SimpleNumber> numbers = numbers_within({1 / high, 1 / low}, 1);
        if (numbers.empty()) return std::nullopt;
        if (!list.empty()) list += ',';
        list += numbers.front().text;
        settings.bits += numbers.front().bits;
        constexpr std::size_t longest = 6;
        if (numbers.front().text.size() <= longest) ++simple;
    }
    // Any frequencies have some divisors; those of models have few digits.
    if (4 * simple < 3 * frequencies.size()) return std::nullopt;
    settings.settings.push_back({"short-factor", list});
    settings.settings.push_back({"long-factor", list});
    return settings;
}

Found longrope(const Frequencies& frequencies) {
    constexpr std::size_t fewest = 8, most = 512;
    if (frequencies.size() < fewest || frequencies.size() > most) return {};
    for (const double base : known_bases().first(4)) {
        if (std::optional<RopeSettings> settings = divided(frequencies, base)) {
            // The length and the factor only choose a list and the attention factor.
            add(*settings, "original-max-position-embeddings", {"4096", 4096, 4});
            add(*settings, "factor", {"1", 1, 1});
            return {*settings};
        }
    }
    return {};
}

const std::string* find(const RopeSettings& settings, std::string_view name) {
    const auto found = std::ranges::find(settings.settings, name, &Setting::name);
    return found == settings.settings.end() ? nullptr : &found->value;
}

std::string scaling_of(const RopeSettings& settings) {
    const std::string* const type = find(settings, "scaling");
    return type == nullptr ? "none" : *type;
}

/// Returns the attention factor that these settings have by themselves.
double own_attention_factor(const RopeSettings& settings) {
    if (scaling_of(settings) != "yarn") return 1;
    const double factor = std::stod(*find(settings, "factor"));
    return factor <= 1 ? 1 : 0.1 * std::log(factor) + 1;
}

/// Lets cos and sin have the factor that is shown. False if the scaling has none.
bool set_attention_factor(RopeSettings& settings, const Measured& shown) {
    const auto [low, high] = bounds_of(shown);
    const double slack = 1e-15 * shown.value;
    if (Bounds{low - slack, high + slack}.contains(own_attention_factor(settings))) return true;
    const std::vector<SimpleNumber> numbers = numbers_within({low, high}, 1);
    if (numbers.empty() || !(numbers.front().value > 0)) return false;
    const std::string type = scaling_of(settings);
    if (type == "none") {
        // YaRN by a factor of 1 changes no frequency.
        add_word(settings, "scaling", "yarn");
        add(settings, "factor", {"1", 1, 1});
        add(settings, "original-max-position-embeddings", {"4096", 4096, 4});
    } else if (type != "yarn" && type != "longrope") {
        return false;
    }
    add(settings, "attention-factor", numbers.front());
    return true;
}

bool is_usable(const Frequencies& frequencies) {
    return !frequencies.empty() && frequencies.size() <= std::size_t{1} << 16 &&
           std::ranges::all_of(frequencies, [](const Measured& w) {
               return std::isfinite(w.value) && w.error >= 0;
           });
}

}  // namespace

std::vector<RopeSettings> rope_settings(const ShownTurning& shown, std::size_t most) {
    const Frequencies& frequencies = shown.frequencies;
    if (!is_usable(frequencies)) return {};
    Found found = unscaled(frequencies);
    append(found, linear(frequencies));
    append(found, ntk(frequencies));
    append(found, dynamic(frequencies, shown.positions));
    append(found, proportional(frequencies));
    // What a base alone explains is no ramp.
    if (found.empty() || found.front().bits > 2 * most_bits_of_factor) {
        append(found, ramp_settings(frequencies));
    }
    if (found.empty()) append(found, longrope(frequencies));
    if (shown.attention_factor) {
        std::erase_if(found, [&](RopeSettings& settings) {
            return !set_attention_factor(settings, *shown.attention_factor);
        });
    }
    for (RopeSettings& settings : found) {
        settings.settings.insert(settings.settings.begin(),
                                 {"d", std::to_string(2 * frequencies.size())});
    }
    std::ranges::stable_sort(found, {}, &RopeSettings::bits);
    if (found.size() > most) found.resize(most);
    return found;
}

}  // namespace pegen::encodings
