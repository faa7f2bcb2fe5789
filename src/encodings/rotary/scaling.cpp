#include "encodings/rotary/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"

namespace pegen::encodings {
namespace {

using numerics::Real;
using Reals = std::vector<Real>;

/// Returns base^(-2 m / dim) for m = 0 ... dim / 2 - 1.
Reals geometric(const Real& base, std::int64_t dim) {
    const Real ratio = pow(base, Real(-2) / static_cast<double>(dim));
    Reals frequencies;
    Real frequency(1);
    for (std::int64_t m = 0; m < dim / 2; ++m) {
        frequencies.push_back(frequency);
        frequency = frequency * ratio;
    }
    return frequencies;
}

Reals unscaled(const Parameters&, const Rope& rope) { return geometric(rope.base, rope.dim); }

Reals linear(const Parameters& p, const Rope& rope) {
    Reals frequencies = unscaled(p, rope);
    for (Real& w : frequencies) w = w / p.real("factor");
    return frequencies;
}

/// Returns base * ratio^(dim / (dim - 2)): the slowest wavelength becomes `ratio` times as long.
Real stretched_base(const Rope& rope, const Real& ratio) {
    const auto dim = static_cast<double>(rope.dim);
    return Real(rope.base) * pow(ratio, Real(dim) / (dim - 2));
}

Reals ntk(const Parameters& p, const Rope& rope) { return geometric(ntk_base(p, rope), rope.dim); }

Reals dynamic(const Parameters& p, const Rope& rope) {
    return geometric(dynamic_base(p, rope), rope.dim);
}

/// Returns the pair, as a fraction, whose wavelength fits `turns` times into the original length.
Real pair_of_turns(const Parameters& p, const Rope& rope, double turns) {
    const auto length = static_cast<double>(p.integer("original-max-position-embeddings"));
    return Real(static_cast<double>(rope.dim)) *
           log(Real(length) / (Real(turns) * 2 * numerics::pi())) /
           (Real(2) * log(Real(rope.base)));
}

/// Returns the ramp from the pair that makes `fast` turns to the pair that makes `slow` turns. Its
/// upper limit is dim - 1, although the last pair is dim / 2 - 1, as in the code of YaRN's authors.
Ramp ramp_between(const Parameters& p, const Rope& rope, double fast, double slow, bool truncate) {
    Real low = pair_of_turns(p, rope, fast), high = pair_of_turns(p, rope, slow);
    if (truncate) low = floor(low), high = ceil(high);
    const Real last(static_cast<double>(rope.dim - 1));
    if (low < 0.0) low = Real(0);
    if (last < high) high = last;
    if (low == high) high = high + 0.001;
    return {low, high};
}

/// Returns a + share * (b - a).
Real mixed(const Real& a, const Real& b, const Real& share) {
    return a * (Real(1) - share) + b * share;
}

Reals yarn(const Parameters& p, const Rope& rope) {
    const Ramp ramp = yarn_ramp(p, rope, !p.flag("no-truncate"));
    Reals frequencies = unscaled(p, rope);
    for (std::size_t m = 0; m < frequencies.size(); ++m) {
        const Real w = frequencies[m];
        frequencies[m] = mixed(w, w / p.real("factor"), ramp.at(m));
    }
    return frequencies;
}

/// Returns the frequencies of NTK by parts. A first ramp mixes the linear and the NTK-aware
/// frequencies; a second ramp mixes the result with the original frequencies.
Reals part_ntk(const Parameters& p, const Rope& rope) {
    const Ramp to_linear = ramp_between(p, rope, 1.25, 0.75, true);
    const Ramp from_original = ramp_between(p, rope, 16, 2, true);
    const Reals interpolated = linear(p, rope), stretched = ntk(p, rope);
    Reals frequencies = unscaled(p, rope);
    for (std::size_t m = 0; m < frequencies.size(); ++m) {
        const Real scaled = mixed(stretched[m], interpolated[m], to_linear.at(m));
        frequencies[m] = mixed(frequencies[m], scaled, from_original.at(m));
    }
    return frequencies;
}

Reals longrope(const Parameters& p, const Rope& rope) {
    const std::vector<double>& factors = longrope_factors(p);
    Reals frequencies = unscaled(p, rope);
    for (std::size_t m = 0; m < frequencies.size(); ++m) {
        frequencies[m] = frequencies[m] / factors[m];
    }
    return frequencies;
}

Reals llama3(const Parameters& p, const Rope& rope) {
    const Real length = static_cast<double>(p.integer("original-max-position-embeddings"));
    const Real low = p.real("low-freq-factor"), high = p.real("high-freq-factor");
    Reals frequencies = unscaled(p, rope);
    for (Real& w : frequencies) {
        const Real turns = length * w / (Real(2) * numerics::pi());
        if (high < turns) continue;
        const Real divided = w / p.real("factor");
        w = turns < low || low == high ? divided : mixed(divided, w, (turns - low) / (high - low));
    }
    return frequencies;
}

Reals proportional(const Parameters& p, const Rope& rope) {
    Reals frequencies = linear(p, rope);
    std::fill(frequencies.begin() + rotated_pairs(rope), frequencies.end(), Real(0));
    return frequencies;
}

Real factor_one(const Parameters&) { return Real(1); }

/// Returns 0.1 * mscale * ln(factor) + 1, or 1 if the factor is at most 1.
Real yarn_scale(double factor, double mscale) {
    return factor <= 1 ? Real(1) : Real(0.1) * mscale * log(Real(factor)) + 1;
}

Real yarn_factor(const Parameters& p) {
    const double factor = p.real("factor");
    const auto given = [&](const char* name) { return p.has(name) && p.real(name) != 0; };
    if (!given("mscale") || !given("mscale-all-dim")) return yarn_scale(factor, 1);
    return yarn_scale(factor, p.real("mscale")) / yarn_scale(factor, p.real("mscale-all-dim"));
}

Real longrope_factor(const Parameters& p) {
    const double factor = p.real("factor");
    if (factor <= 1) return Real(1);
    const auto original = static_cast<double>(p.integer("original-max-position-embeddings"));
    return sqrt(Real(1) + log(Real(factor)) / log(Real(original)));
}

struct ScalingType {
    std::string_view name;
    std::string_view needed;  ///< required parameters, without a default
    Reals (*frequencies)(const Parameters&, const Rope&);
    Real (*attention_factor)(const Parameters&) = factor_one;
};

constexpr std::array types{
    ScalingType{"none", "", unscaled},
    ScalingType{"linear", "factor", linear},
    ScalingType{"dynamic", "factor max-position-embeddings", dynamic},
    ScalingType{"ntk", "factor", ntk},
    ScalingType{"part-ntk", "factor original-max-position-embeddings", part_ntk},
    ScalingType{"yarn", "factor original-max-position-embeddings", yarn, yarn_factor},
    ScalingType{"longrope", "short-factor long-factor original-max-position-embeddings factor",
                longrope, longrope_factor},
    ScalingType{"llama3", "factor original-max-position-embeddings", llama3},
    ScalingType{"proportional", "", proportional},
};

const ScalingType& type_of(const Parameters& p) {
    return *std::ranges::find(types, p.word("scaling"), &ScalingType::name);
}

bool uses(const ScalingType& type, std::string_view name) {
    const auto* const spec = std::ranges::find(scaling_parameters, name, &ParameterSpec::name);
    return has_word(spec->used_with.choices, type.name);
}

struct Default {
    std::string_view name;
    double value;
};

constexpr Default defaults[] = {
    {"beta-fast", 32}, {"beta-slow", 1}, {"low-freq-factor", 1}, {"high-freq-factor", 4}};

void clear_unused(Parameters& p, const ScalingType& type) {
    if (p.given("seq-len") && !uses(type, "seq-len")) {
        throw UsageError(fmt::format(
            "--seq-len: has no effect with --scaling {}; the number of positions is --len",
            type.name));
    }
    check_used(p);
    for (const ParameterSpec& spec : scaling_parameters) {
        if (is_used(spec, p)) continue;
        p.resolve(spec.name, spec.type == ParameterType::flag ? Value(false) : Value());
    }
}

/// Fills in parameters that follow from the two lengths, and each length from the other.
void resolve_lengths(Parameters& p, const ScalingType& type, const Rope& rope) {
    constexpr const char* longest = "max-position-embeddings";
    constexpr const char* original = "original-max-position-embeddings";
    const bool may_take = p.has(longest) && uses(type, longest);
    if (uses(type, original) && !p.has(original) && may_take) {
        p.resolve(original, p.integer(longest));
    }
    if (uses(type, "factor") && !p.has("factor") && may_take && p.has(original)) {
        p.resolve("factor", static_cast<double>(p.integer(longest)) /
                                static_cast<double>(p.integer(original)));
    }
    if (type.name == "proportional" && !p.has("factor")) p.resolve("factor", 1.0);
    if (uses(type, "seq-len") && !p.has("seq-len")) p.resolve("seq-len", rope.positions);
}

void check(const Parameters& p, const ScalingType& type, const Rope& rope) {
    for (const std::string_view name : words(type.needed)) {
        if (!p.has(name))
            throw UsageError(fmt::format("--scaling {}: needs --{}", type.name, name));
    }
    const bool has_new_base =
        type.name == "dynamic" || type.name == "ntk" || type.name == "part-ntk";
    if (has_new_base && rope.dim == 2) {
        throw UsageError(fmt::format(
            "--scaling {}: divides by the rotary dimension less 2, and it is 2", type.name));
    }
    if ((type.name == "yarn" || type.name == "part-ntk") && rope.base == 1) {
        throw UsageError(fmt::format("--base 1: --scaling {} divides by its logarithm", type.name));
    }
    if (type.name == "llama3" && p.real("low-freq-factor") > p.real("high-freq-factor")) {
        throw UsageError(fmt::format("--low-freq-factor {}: must be at most --high-freq-factor, {}",
                                     shortest(p.real("low-freq-factor")),
                                     shortest(p.real("high-freq-factor"))));
    }
    if (type.name != "longrope") return;
    for (const char* name : {"short-factor", "long-factor"}) {
        const std::int64_t count = std::ssize(p.reals(name));
        if (count != rope.dim / 2) {
            throw UsageError(fmt::format("--{}: {} numbers; must be {}, half the rotary dimension",
                                         name, count, rope.dim / 2));
        }
    }
    if (p.integer("original-max-position-embeddings") == 1 && p.real("factor") > 1) {
        throw UsageError("--original-max-position-embeddings 1: longrope divides by its logarithm");
    }
}

}  // namespace

Parameters resolve_scaling(Parameters p, const Rope& rope) {
    if (p.word("scaling") == "default") p.resolve("scaling", std::string("none"));
    if (p.word("scaling") == "su") p.resolve("scaling", std::string("longrope"));
    const ScalingType& type = type_of(p);
    clear_unused(p, type);
    resolve_lengths(p, type, rope);
    for (const Default& standard : defaults) {
        if (uses(type, standard.name) && !p.has(standard.name)) {
            p.resolve(standard.name, standard.value);
        }
    }
    check(p, type, rope);
    if (uses(type, "attention-factor") && !p.has("attention-factor")) {
        p.resolve("attention-factor", nearest_double(type.attention_factor(p)));
    }
    return p;
}

std::vector<Real> scaled_frequencies(const Parameters& parameters, const Rope& rope) {
    return type_of(parameters).frequencies(parameters, rope);
}

Real ntk_base(const Parameters& p, const Rope& rope) {
    return stretched_base(rope, p.real("factor"));
}

Real dynamic_base(const Parameters& p, const Rope& rope) {
    const std::int64_t longest = p.integer("max-position-embeddings");
    const std::int64_t beyond = std::max<std::int64_t>(p.integer("seq-len") - longest, 0);
    // The ratio is factor * length / longest - (factor - 1), rearranged to avoid cancellation.
    return stretched_base(rope, 1 + Real(p.real("factor")) * static_cast<double>(beyond) /
                                        static_cast<double>(longest));
}

Real Ramp::at(std::size_t pair) const {
    const Real value = (Real(static_cast<double>(pair)) - low) / (high - low);
    return value < 0.0 ? Real(0) : Real(1) < value ? Real(1) : value;
}

Ramp yarn_ramp(const Parameters& p, const Rope& rope, bool truncate) {
    return ramp_between(p, rope, p.real("beta-fast"), p.real("beta-slow"), truncate);
}

bool has_long_factors(const Parameters& p) {
    return p.integer("seq-len") > p.integer("original-max-position-embeddings");
}

const std::vector<double>& longrope_factors(const Parameters& p) {
    return p.reals(has_long_factors(p) ? "long-factor" : "short-factor");
}

std::int64_t rotated_pairs(const Rope& rope) {
    return static_cast<std::int64_t>(rope.rotated_share * static_cast<double>(rope.dim) / 2);
}

}  // namespace pegen::encodings
