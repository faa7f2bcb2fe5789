#include "recognition/rotary/frequency_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/number.h"
#include "encodings/registry.h"
#include "recognition/rotary/frequency_fit.h"

namespace pegen::recognition {
namespace {

using Frequencies = std::vector<Measured>;
using Found = std::vector<PricedSettings>;

void append(Found& found, Found more) { std::ranges::move(more, std::back_inserter(found)); }

/// Returns the divisors of the fastest frequency, which is 1 without scaling.
std::vector<SimpleNumber> divisors_of(const Frequencies& frequencies) {
    const auto [low, high] = evidence::bounds_of(frequencies.front());
    if (!(low > 0) || (low <= 1 && high >= 1)) return {};
    return evidence::numbers_within({1 / high, 1 / low}, 3);
}

Found linear(const Frequencies& frequencies) {
    Found found;
    for (const SimpleNumber& factor : divisors_of(frequencies)) {
        const evidence::Bounds bounds = base_bounds(frequencies, frequencies.size(), factor.value);
        for (const SimpleNumber& base : bases_within(bounds, 2)) {
            PricedSettings settings = scaled("linear", base);
            add(settings, "factor", factor);
            found.push_back(settings);
        }
    }
    return found;
}

/// Returns the values of --partial-rotary-factor that rotate `rotated` of `pairs` pairs, rounded
/// down.
std::vector<SimpleNumber> shares_of(std::size_t rotated, std::size_t pairs) {
    const auto count = static_cast<double>(pairs);
    const double least = static_cast<double>(rotated) / count;
    std::vector<SimpleNumber> shares{usual_number(least)};
    for (const SimpleNumber& number : evidence::numbers_within({least, least + 0.999 / count}, 2)) {
        if (number.value != least) shares.push_back(number);
    }
    std::erase_if(shares, [&](const SimpleNumber& share) {
        return share.value > 1 || std::floor(share.value * count) != static_cast<double>(rotated);
    });
    return shares;
}

Found proportional(const Frequencies& frequencies) {
    std::size_t rotated = frequencies.size();
    while (rotated > 0 && evidence::bounds_of(frequencies[rotated - 1]).contains(0)) --rotated;
    Found found;
    if (rotated == 0 || rotated == frequencies.size()) return found;
    std::vector<SimpleNumber> factors = divisors_of(frequencies);
    if (evidence::bounds_of(frequencies.front()).contains(1))
        factors.insert(factors.begin(), {"1", 1, 0});
    for (const SimpleNumber& factor : factors) {
        for (const SimpleNumber& base :
             bases_within(base_bounds(frequencies, rotated, factor.value), 2)) {
            for (const SimpleNumber& share : shares_of(rotated, frequencies.size())) {
                PricedSettings settings = scaled("proportional", base);
                add(settings, "partial-rotary-factor", share);
                if (factor.value != 1) add(settings, "factor", factor);
                found.push_back(settings);
            }
        }
    }
    return found;
}

/// Returns longrope with the divisors that turn the frequencies of `base` into these ones; none if
/// the divisors are unlike the divisors of published models, which are at least 1.
std::optional<PricedSettings> divided(const Frequencies& frequencies, double base) {
    std::string list;
    std::size_t simple = 0;
    PricedSettings settings = scaled("longrope", usual_number(base));
    for (const Measured& ratio : ratios_to(base, frequencies)) {
        const auto [low, high] = evidence::bounds_of(ratio);
        if (!(low > 1e-3) || high > 1.1) return std::nullopt;
        const std::vector<SimpleNumber> numbers = evidence::numbers_within({1 / high, 1 / low}, 1);
        if (numbers.empty()) return std::nullopt;
        if (!list.empty()) list += ',';
        list += numbers.front().text;
        settings.bits += numbers.front().bits;
        constexpr std::size_t longest = 6;
        if (numbers.front().text.size() <= longest) ++simple;
    }
    // Any frequencies have some divisors, but the divisors of published models have few digits.
    if (4 * simple < 3 * frequencies.size()) return std::nullopt;
    settings.settings.push_back({"short-factor", list});
    settings.settings.push_back({"long-factor", list});
    return settings;
}

Found longrope(const Frequencies& frequencies) {
    constexpr std::size_t fewest = 8, most = 512;
    if (frequencies.size() < fewest || frequencies.size() > most) return {};
    for (const double base : known_bases().first(4)) {
        if (std::optional<PricedSettings> settings = divided(frequencies, base)) {
            // For given frequencies, the length and the factor only select a list and the attention
            // factor.
            add(*settings, "original-max-position-embeddings", {"4096", 4096, 4});
            add(*settings, "factor", {"1", 1, 1});
            return {*settings};
        }
    }
    return {};
}

// Scalings that change the base, to base * stretch^(d / (d - 2)).

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

/// Lengths of texts for which models were trained, the most frequent first.
constexpr std::array lengths{4096.0,   2048.0,  8192.0, 32768.0, 16384.0,
                             131072.0, 65536.0, 1024.0, 512.0,   256.0};

/// Returns settings of ntk that explain the same frequencies as the base `plain` without scaling: a
/// base of few digits, stretched by a usual factor, may equal another base of few digits.
Found stretched_to(const SimpleNumber& plain, const Frequencies& frequencies) {
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
            PricedSettings settings = scaled("ntk", base);
            add(settings, "factor", usual_number(factor));
            found.push_back(settings);
        }
    }
    return found;
}

/// Returns the settings of ntk in which a factor of few digits stretches the base of a published
/// model.
Found ntk_settings(const Frequencies& frequencies) {
    Found found;
    if (frequencies.size() < 2) return found;
    const evidence::Bounds stretched = base_bounds(frequencies, frequencies.size());
    for (const double base : known_bases()) {
        for (const SimpleNumber& factor :
             evidence::numbers_within(stretch(stretched, base, frequencies.size()), 1)) {
            const bool is_likely =
                factor.bits <= most_bits_of_factor && factor.text.size() <= longest_factor;
            if (factor.value <= 1 || !is_likely) continue;
            PricedSettings settings = scaled("ntk", usual_number(base));
            add(settings, "factor", factor);
            found.push_back(settings);
        }
    }
    return found;
}

/// Returns the settings of dynamic scaling, whose base grows with the sequence once it is longer
/// than the model's maximum. `positions` is the length of the sequence; none if it is 0.
Found dynamic_settings(const Frequencies& frequencies, std::int64_t positions) {
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
            const auto* const number = std::ranges::find_if(
                lengths, [&](double usual) { return longest.contains(usual) && usual < length; });
            // Any stretched base can be explained by some length, so only usual lengths count.
            if (number == lengths.end()) continue;
            PricedSettings settings = scaled("dynamic", usual_number(base));
            add(settings, "factor", {shortest(factor), factor, factor});
            add(settings, "max-position-embeddings", usual_number(*number));
            found.push_back(settings);
        }
    }
    return found;
}

// The attention factor.

const std::string* find(const PricedSettings& settings, std::string_view name) {
    const auto found = std::ranges::find(settings.settings, name, &Setting::name);
    return found == settings.settings.end() ? nullptr : &found->value;
}

std::string scaling_of(const PricedSettings& settings) {
    const std::string* const type = find(settings, "scaling");
    return type == nullptr ? "none" : *type;
}

/// Returns the attention factor that these settings have by default.
double own_attention_factor(const PricedSettings& settings) {
    if (scaling_of(settings) != "yarn") return 1;
    const double factor = std::stod(*find(settings, "factor"));
    return factor <= 1 ? 1 : 0.1 * std::log(factor) + 1;
}

/// Adds the settings that give cos and sin the factor `shown`. False if the scaling cannot have it.
bool set_attention_factor(PricedSettings& settings, const Measured& shown) {
    const auto [low, high] = evidence::bounds_of(shown);
    const double slack = 1e-15 * shown.value;
    if (evidence::Bounds{low - slack, high + slack}.contains(own_attention_factor(settings)))
        return true;
    const std::vector<SimpleNumber> numbers = evidence::numbers_within({low, high}, 1);
    if (numbers.empty() || !(numbers.front().value > 0)) return false;
    // A number of three digits that 8-bit values do not distinguish from its neighbours is an
    // accidental fit.
    constexpr double most_bits = 14, exact = 1e-4;
    if (numbers.front().bits > most_bits && high - low > exact * shown.value) return false;
    const std::string type = scaling_of(settings);
    if (type == "none") {
        // YaRN with a factor of 1 changes no frequency.
        add_word(settings, "scaling", "yarn");
        add(settings, "factor", {"1", 1, 1});
        add(settings, "original-max-position-embeddings", {"4096", 4096, 4});
    } else if (type != "yarn" && type != "longrope") {
        return false;
    }
    add(settings, "attention-factor", numbers.front());
    return true;
}

/// True if the base is a plausible explanation and not merely a number fitted to the frequencies.
bool explains(const SimpleNumber& base, const evidence::Bounds& bounds) {
    constexpr double some_bits = 24, narrow = 1e-5;
    const bool is_exact = bounds.high - bounds.low < narrow * base.value;
    return is_simple_base(base) || (is_exact && base.bits <= some_bits);
}

bool is_usable(const Frequencies& frequencies) {
    return !frequencies.empty() && frequencies.size() <= std::size_t{1} << 16 &&
           std::ranges::all_of(frequencies, [](const Measured& w) {
               return std::isfinite(w.value) && w.error >= 0;
           });
}

}  // namespace

std::vector<PricedSettings> rope_settings(const ShownTurning& shown, std::size_t most) {
    const Frequencies& frequencies = shown.frequencies;
    if (!is_usable(frequencies)) return {};
    const evidence::Bounds bounds = base_bounds(frequencies, frequencies.size());
    const std::vector<SimpleNumber> plain = bases_within(bounds, 3);
    Found found;
    for (const SimpleNumber& base : plain) found.push_back(scaled("none", base));
    append(found, linear(frequencies));
    if (!plain.empty()) append(found, stretched_to(plain.front(), frequencies));
    if (plain.empty() || !is_simple_base(plain.front())) append(found, ntk_settings(frequencies));
    append(found, dynamic_settings(frequencies, shown.positions));
    // If a base alone explains the frequencies, ramps that change frequencies are tried only where
    // the attention factor indicates one. A ramp that changes no frequency is always possible.
    const bool is_one =
        !shown.attention_factor || evidence::bounds_of(*shown.attention_factor).contains(1);
    const bool is_plain = !plain.empty() && explains(plain.front(), bounds);
    if (is_plain) append(found, hidden_ramps(frequencies, plain.front()));
    Found partial = proportional(frequencies);
    if (is_plain && partial.size() > 1) partial.resize(1);
    append(found, std::move(partial));
    if (!is_plain || !is_one) append(found, ramps(frequencies));
    if (found.empty()) append(found, longrope(frequencies));
    if (shown.attention_factor) {
        std::erase_if(found, [&](PricedSettings& settings) {
            return !set_attention_factor(settings, *shown.attention_factor);
        });
    }
    for (PricedSettings& settings : found) {
        settings.settings.insert(settings.settings.begin(),
                                 {"d", std::to_string(2 * frequencies.size())});
    }
    std::ranges::stable_sort(found, {}, &PricedSettings::bits);
    if (found.size() > most) found.resize(most);
    return found;
}

Parameters rope_parameters(const std::vector<Setting>& settings, std::int64_t channels) {
    Parameters parameters(find_encoding("rope")->parameters);
    parameters.set("d", fmt::format("{}", channels), Origin::user);
    for (const Setting& setting : settings) {
        parameters.set(setting.name, setting.value, Origin::user);
    }
    return parameters;
}

std::vector<double> frequencies_of(const std::vector<Setting>& settings, std::int64_t dim) {
    try {
        const Encoding& rope = *find_encoding("rope");
        const Table table = make_table(rope, *find_table(rope, "inv-freq"),
                                       rope_parameters(settings, dim), DType::float64);
        return read_rows(table, {0, table.shape.rows()});
    } catch (const UsageError&) {
        return {};
    }
}

double attention_factor_of(const std::vector<Setting>& settings, std::int64_t dim) {
    const Plan plan = find_encoding("rope")->plan(rope_parameters(settings, dim), "cos");
    return plan.parameters.has("attention-factor") ? plan.parameters.real("attention-factor") : 1;
}

}  // namespace pegen::recognition
