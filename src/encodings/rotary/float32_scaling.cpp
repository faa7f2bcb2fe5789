#include "encodings/rotary/float32_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "core/error.h"
#include "core/to_size.h"
#include "encodings/parameters/arith.h"

namespace pegen::encodings {
namespace {

using Floats = std::vector<float>;

float number(const Parameters& p, std::string_view name) { return to_float32(name, p.real(name)); }

/// Returns base^(2 m / dim) for m = 0 ... dim / 2 - 1.
Floats powers(double base, std::int64_t dim) {
    return float32_powers("base", numerics::paired_progression(base, dim));
}

Floats reciprocals(Floats values) {
    for (float& value : values) value = 1.0F / value;
    return values;
}

Floats unscaled(const Parameters&, const Rope& rope) {
    return reciprocals(powers(rope.base, rope.dim));
}

Floats linear(const Parameters& p, const Rope& rope) {
    Floats frequencies = unscaled(p, rope);
    for (float& w : frequencies) w /= number(p, "factor");
    return frequencies;
}

Floats ntk(const Parameters& p, const Rope& rope) {
    return reciprocals(powers(nearest_double(ntk_base(p, rope)), rope.dim));
}

Floats dynamic(const Parameters& p, const Rope& rope) {
    return reciprocals(powers(nearest_double(dynamic_base(p, rope)), rope.dim));
}

/// A Ramp in float32.
struct NarrowRamp {
    float low, width;
};

NarrowRamp narrow(const Ramp& ramp) {
    return {static_cast<float>(nearest_double(ramp.low)),
            static_cast<float>(nearest_double(ramp.high - ramp.low))};
}

Floats yarn(const Parameters& p, const Rope& rope) {
    const auto [low, width] = narrow(yarn_ramp(p, rope, !p.flag("no-truncate")));
    const float factor = number(p, "factor");
    Floats frequencies = powers(rope.base, rope.dim);
    for (std::size_t m = 0; m < frequencies.size(); ++m) {
        const float share = std::clamp((static_cast<float>(m) - low) / width, 0.0F, 1.0F);
        const float kept = 1.0F - share;
        const float divided = 1.0F / (factor * frequencies[m]), w = 1.0F / frequencies[m];
        // Not `share`: taking it from 1 twice rounds.
        frequencies[m] = divided * (1.0F - kept) + w * kept;
    }
    return frequencies;
}

Floats longrope(const Parameters& p, const Rope& rope) {
    const std::vector<double>& factors = longrope_factors(p);
    Floats frequencies = powers(rope.base, rope.dim);
    for (std::size_t m = 0; m < frequencies.size(); ++m) {
        const float factor = to_float32("short-factor, --long-factor", factors[m]);
        frequencies[m] = 1.0F / (factor * frequencies[m]);
    }
    return frequencies;
}

/// PyTorch divides a number by a tensor by multiplying it with reciprocals, which round, too.
Floats llama3(const Parameters& p, const Rope& rope) {
    const auto length = static_cast<double>(p.integer("original-max-position-embeddings"));
    const double low = p.real("low-freq-factor"), high = p.real("high-freq-factor");
    const auto longest = static_cast<float>(length / low);
    const auto shortest = static_cast<float>(length / high);
    const float factor = number(p, "factor");
    Floats frequencies = unscaled(p, rope);
    for (float& w : frequencies) {
        const float wavelength = 1.0F / w * static_cast<float>(2 * std::numbers::pi);
        if (wavelength < shortest) continue;
        if (wavelength > longest) {
            w /= factor;
            continue;
        }
        const float turns = 1.0F / wavelength * static_cast<float>(length);
        const float share = (turns - static_cast<float>(low)) / static_cast<float>(high - low);
        w = (1.0F - share) * w / factor + share * w;
    }
    return frequencies;
}

Floats proportional(const Parameters& p, const Rope& rope) {
    Floats frequencies = linear(p, rope);
    std::fill(frequencies.begin() + rotated_pairs(rope), frequencies.end(), 0.0F);
    return frequencies;
}

using numerics::Interpolation;

/// Changes nothing.
Interpolation ggml_none(const Parameters&, const Rope& rope) {
    const std::size_t pairs = to_size(rope.dim / 2);
    return {1.0F, Floats(pairs, 1.0F), Floats(pairs, 0.0F)};
}

Interpolation ggml_linear(const Parameters& p, const Rope& rope) {
    Interpolation result = ggml_none(p, rope);
    result.scale = 1.0F / number(p, "factor");
    return result;
}

Interpolation ggml_yarn(const Parameters& p, const Rope& rope) {
    Interpolation result = ggml_linear(p, rope);
    // ggml always rounds the bounds.
    const auto [low, width] = narrow(yarn_ramp(p, rope, true));
    for (std::size_t m = 0; m < result.kept.size(); ++m) {
        const float y = (static_cast<float>(m) - low) / std::max(0.001F, width);
        result.kept[m] = 1.0F - std::clamp(y, 0.0F, 1.0F);
    }
    return result;
}

Interpolation ggml_longrope(const Parameters& p, const Rope& rope) {
    Interpolation result = ggml_none(p, rope);
    std::ranges::transform(longrope_factors(p), result.divisors.begin(), [](double factor) {
        return to_float32("short-factor, --long-factor", factor);
    });
    return result;
}

/// The divisors that llama.cpp's converter writes for Llama 3.1, in double but for the frequencies.
Interpolation ggml_llama3(const Parameters& p, const Rope& rope) {
    const auto length = static_cast<double>(p.integer("original-max-position-embeddings"));
    const double low = p.real("low-freq-factor"), high = p.real("high-freq-factor");
    const double factor = p.real("factor");
    Interpolation result = ggml_none(p, rope);
    const Floats frequencies = unscaled(p, rope);
    for (std::size_t m = 0; m < frequencies.size(); ++m) {
        const double wavelength = 2 * std::numbers::pi / static_cast<double>(frequencies[m]);
        if (wavelength < length / high) continue;
        const double share = (length / wavelength - low) / (high - low);
        const double divisor =
            wavelength > length / low ? factor : 1 / ((1 - share) / factor + share);
        result.divisors[m] = to_float32("factor", divisor);
    }
    return result;
}

/// How a scaling type is computed; null where such code does not have it.
struct Recipe {
    std::string_view scaling;
    Floats (*frequencies)(const Parameters&, const Rope&);
    Interpolation (*ggml)(const Parameters&, const Rope&);
};

constexpr Recipe recipes[] = {
    {"none", unscaled, ggml_none},
    {"linear", linear, ggml_linear},
    {"ntk", ntk, nullptr},
    {"dynamic", dynamic, nullptr},
    {"part-ntk", nullptr, nullptr},
    {"yarn", yarn, ggml_yarn},
    {"longrope", longrope, ggml_longrope},
    {"llama3", llama3, ggml_llama3},
    {"proportional", proportional, nullptr},
};

const Recipe& recipe_of(const Parameters& p) {
    return *std::ranges::find(recipes, p.word("scaling"), &Recipe::scaling);
}

numerics::Float32Angles ggml_angles(const Parameters& p, const Rope& rope,
                                    const Positions& positions) {
    const float exponent = -2.0F / static_cast<float>(rope.dim);
    const float ratio = numerics::float32_pow(to_float32("base", rope.base), exponent);
    return numerics::repeated_products(positions, ratio, recipe_of(p).ggml(p, rope));
}

}  // namespace

void check_arith(const Parameters& p, std::string_view table) {
    if (is_exact(p)) return;
    const std::string& arith = p.word("arith");
    const bool is_ggml = arith == "ggml";
    if (table == "wavelengths" || (is_ggml && table == "inv-freq")) {
        throw UsageError(fmt::format(
            "--arith {}: has no --table {}, since such code keeps none; use --arith exact", arith,
            table));
    }
    if (is_ggml && p.given("no-truncate") && p.flag("no-truncate")) {
        throw UsageError(
            "--no-truncate: such code always rounds the bounds; leave it out with --arith ggml");
    }
    const Recipe& recipe = recipe_of(p);
    const bool is_known = is_ggml ? recipe.ggml != nullptr : recipe.frequencies != nullptr;
    if (!is_known) {
        throw UsageError(fmt::format("--arith {}: has no --scaling {}; use --arith exact", arith,
                                     recipe.scaling));
    }
}

Floats float32_frequencies(const Parameters& p, const Rope& rope) {
    return checked_frequencies(recipe_of(p).frequencies(p, rope));
}

numerics::Float32Angles float32_angles(const Parameters& p, const Rope& rope,
                                       const Positions& positions) {
    if (p.word("arith") == "ggml") return ggml_angles(p, rope, positions);
    return numerics::angle_products(positions, float32_frequencies(p, rope));
}

}  // namespace pegen::encodings
