#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/parameters.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "encodings/rotary/config/model_config.h"
#include "encodings/rotary/config/report.h"
#include "encodings/rotary/rope_tables.h"
#include "encodings/rotary/scaling.h"
#include "files/array_file.h"
#include "numerics/float32_angles.h"
#include "numerics/sinusoid.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;
using numerics::Function;

// The frequencies and angles of RoPE as other code computes them in float32, step by step.

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
        // `1 - kept` differs from `share` by the rounding of `kept`, as in the original code.
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

/// Returns the frequencies of llama3 scaling. PyTorch divides a number by a tensor by multiplying
/// with rounded reciprocals.
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

/// Returns an interpolation that changes nothing.
Interpolation ggml_none(const Parameters&, const Rope& rope) {
    const std::size_t pairs = rope.dim / 2;
    return {1.0F, Floats(pairs, 1.0F), Floats(pairs, 0.0F)};
}

Interpolation ggml_linear(const Parameters& p, const Rope& rope) {
    Interpolation result = ggml_none(p, rope);
    result.scale = 1.0F / number(p, "factor");
    return result;
}

Interpolation ggml_yarn(const Parameters& p, const Rope& rope) {
    Interpolation result = ggml_linear(p, rope);
    // ggml always rounds the bounds of the ramp to integers.
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

/// Returns the divisors that llama.cpp's converter writes for Llama 3.1, computed in double from
/// float32 frequencies.
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

/// The functions that compute a scaling type; null if the code in question does not have the type.
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

/// Checks that --arith supports --scaling and the table. Throws: UsageError.
void check_arith(const Parameters& p, std::string_view table) {
    check_rounded(p);
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

/// Opens the array of --freqs-file. Throws: FileError; FormatError if it is none of one axis.
ArrayFile open_frequencies(const Parameters& p) {
    const std::string& path = p.word("freqs-file");
    ArrayFile file = with_floats({path, read_array(path)}, "frequencies");
    const Shape& shape = file.table.shape;
    if (shape.rank() == 1 && shape.size() > 0 && shape.size() <= most_channels / 2) return file;
    throw FormatError(path, fmt::format("shape {}: frequencies must be (pairs,), 1 to 2^19 of them",
                                        to_string(shape)));
}

/// Returns the inverse frequencies of --arith float32: the operations of Hugging Face Transformers,
/// src/transformers/modeling_rope_utils.py, each rounded to float32, with powers correctly rounded.
/// Throws: UsageError if a parameter or a frequency is not a float32 number.
Floats float32_frequencies(const Parameters& p, const Rope& rope) {
    if (p.has("freqs-file")) {
        Floats frequencies;
        for (const double w : finite_elements(open_frequencies(p), "frequencies")) {
            frequencies.push_back(to_float32("freqs-file", w));
        }
        return frequencies;
    }
    return checked_frequencies(recipe_of(p).frequencies(p, rope));
}

/// Returns the angles of --arith float32 or --arith ggml. The latter follow ggml,
/// ggml/src/ggml-cpu/ops.cpp, with the divisors of llama.cpp's converter. Throws: as
/// float32_frequencies().
numerics::Float32Angles float32_angles(const Parameters& p, const Rope& rope,
                                       const Positions& positions) {
    if (p.word("arith") == "ggml") return ggml_angles(p, rope, positions);
    return angles_by(p, positions, float32_frequencies(p, rope));
}

/// The parameter --len without the alias seq-len, which is a parameter of the scaling here.
constexpr ParameterSpec rope_len_parameter = [] {
    ParameterSpec spec = len_parameter;
    spec.aliases =
        "n max-len length max-length max-seq-len max-seq-length n-positions num-positions";
    return spec;
}();

constexpr std::array own_parameters{
    rope_len_parameter,
    ParameterSpec{.name = "d",
                  .aliases = "d head-dim dim d-head size-per-head",
                  .type = ParameterType::integer,
                  .default_value = "128",
                  .range = any_channel_count,
                  .summary = "channels of a head",
                  .role = Role::extent},
    ParameterSpec{.name = "partial-rotary-factor",
                  .aliases = "rotary-pct rotary-percent",
                  .default_value = "1",
                  .range = {.lowest = 0, .highest = 1, .lowest_is_open = true},
                  .summary = "fraction of a head's channels that is rotated"},
    ParameterSpec{.name = "rotary-dim",
                  .aliases = "rotary-ndims",
                  .type = ParameterType::integer,
                  .range = any_channel_count,
                  .summary = "number of rotated channels [d times --partial-rotary-factor]"},
    ParameterSpec{.name = "base",
                  .aliases = "theta rope-theta rotary-base rotary-emb-base freq-base temperature "
                             "max-wavelength",
                  .default_value = "10000",
                  .range = positive,
                  .summary = "ratio of the longest to the shortest wavelength (about)"},
    ParameterSpec{.name = "freqs-file",
                  .aliases = "inv-freq",
                  .type = ParameterType::path,
                  .summary = "NPY file: the frequencies of the pairs, instead of --base and "
                             "--scaling"},
    rotary_layout_parameter,
    ParameterSpec{.name = "pairing",
                  .type = ParameterType::word,
                  .default_value = "half",
                  .choices = "half interleaved",
                  .summary = "which channels are rotated together: m and m + r/2, or 2m and 2m + "
                             "1; for --table rotation and for apply"},
    start_parameter,
    step_parameter,
    positions_parameter,
    positions_file_parameter,
    reverse_parameter,
    arith_parameter("exact float32 ggml bfloat16 float16",
                    "the exact formula, or the float32 arithmetic of Hugging Face's code, or of "
                    "llama.cpp (ggml), or Hugging Face's code in 16 bits"),
    rounded_parameter,
    config_parameter,
    layer_type_parameter,
};

constexpr std::array parameters =
    joined(own_parameters, scaling_parameters, std::array{keep_channels_parameter, view_parameter});

Parameters resolve_dim(Parameters p) {
    const std::int64_t d = p.integer("d");
    const double factor = p.real("partial-rotary-factor");
    // Scaling type proportional uses the factor for the share of frequencies that are not 0.
    const bool is_whole = factor == 1 || p.word("scaling") == "proportional";
    const std::int64_t share =
        is_whole ? d : static_cast<std::int64_t>(factor * static_cast<double>(d));
    const bool is_given = p.has("rotary-dim");
    const std::int64_t dim = is_given ? p.integer("rotary-dim") : share;
    if (dim < 1 || dim % 2 != 0) {
        const char* const cause = is_given   ? "rotary-dim"
                                  : is_whole ? "d"
                                             : "partial-rotary-factor";
        throw UsageError(fmt::format(
            "--{} {}: the rotary dimension is {} and must be even, since channels turn in pairs",
            cause, to_string(p.value(cause)), dim));
    }
    if (!is_whole && dim != share) {
        throw UsageError(
            fmt::format("--partial-rotary-factor {}: means {} of {} channels, and --rotary-dim "
                        "says {}; give one of them",
                        to_string(p.value("partial-rotary-factor")), share, d, dim));
    }
    if (dim > d) {
        throw UsageError(fmt::format("--rotary-dim {}: must be at most --d, {}", dim, d));
    }
    p.resolve("rotary-dim", dim);
    return p;
}

Rope rope_of(const Parameters& p, const Positions& positions) {
    const double longest = positions.largest() + 1;
    return {.dim = p.integer("rotary-dim"),
            .base = p.has("base") ? p.real("base") : 1,
            .rotated_share = p.real("partial-rotary-factor"),
            .positions = static_cast<std::int64_t>(std::min(longest, two_to_53))};
}

/// Returns the form of the matrix that rotates `dim` channels. Pair m is the channels m and m + dim
/// / 2 if `is_half`, otherwise 2m and 2m + 1.
RotaryForm rotation_form(std::int64_t dim, bool is_half) {
    const std::int64_t stride = (is_half ? 1 : 2) * (dim + 1), apart = is_half ? dim / 2 : 1;
    return {{dim, dim},
            {{.kind = AxisKind::channel, .name = "output", .label = "Channel of the Result"},
             {.kind = AxisKind::channel, .name = "input", .label = "Channel before Rotation"}},
            {{Function::cos, 0, stride},
             {Function::sin, apart, stride, true},
             {Function::sin, apart * dim, stride},
             {Function::cos, apart * (dim + 1), stride}}};
}

RotaryForm form_of(const Parameters& p, std::string_view table) {
    const std::int64_t dim = p.integer("rotary-dim");
    if (table == "angles") return {{dim / 2}, {frequency_axis()}, {}};
    if (table == "rotation") return rotation_form(dim, p.word("pairing") == "half");
    std::string_view layout = p.word("layout");
    // Both values of a pair are in signed-sin, in the channels that --pairing rotates.
    if (table == "signed-sin" && layout == "single") layout = p.word("pairing");
    if (table == "sin-cos" || table == "cos-sin") layout = "single";
    return rotary_form(table, layout, dim / 2);
}

constexpr std::string_view angle_options = "--base, --start, --step, --positions";

/// Clears --base and --scaling, and fills in --d, for the frequencies of --freqs-file. Throws:
/// UsageError if another parameter of the frequencies is given, or if --d or --rotary-dim has not
/// as many pairs as the file; as open_frequencies().
Parameters resolve_frequencies(Parameters p) {
    if (!p.has("freqs-file")) return p;
    for (const char* name : {"base", "scaling", "partial-rotary-factor"}) {
        if (!p.given(name)) continue;
        throw UsageError(fmt::format("--{} {}: cannot be used with --freqs-file; leave --{} out",
                                     name, to_string(p.value(name)), name));
    }
    if (p.word("arith") == "ggml") {
        throw UsageError(
            "--arith ggml: such code multiplies by one ratio; with --freqs-file use "
            "--arith float32 or exact");
    }
    const std::int64_t dim = 2 * open_frequencies(p).table.shape.size();
    const char* const name = p.has("rotary-dim") ? "rotary-dim" : "d";
    if (!p.given("d") && !p.given("rotary-dim")) p.resolve("d", dim);
    if (p.integer(name) != dim) {
        throw UsageError(
            fmt::format("--{} {}: --freqs-file has the frequencies of {} channels; "
                        "use --rotary-dim {}",
                        name, p.integer(name), dim, dim));
    }
    p.resolve("base", {});
    p.resolve("scaling", std::string("none"));
    return p;
}

Frequencies exact_frequencies(const Parameters& p, const Rope& rope) {
    if (!p.has("freqs-file")) return Frequencies([=] { return scaled_frequencies(p, rope); });
    return Frequencies([=] {
        const std::vector<double> list = finite_elements(open_frequencies(p), "frequencies");
        return std::vector<numerics::Real>(list.begin(), list.end());
    });
}

double attention_factor(const Parameters& p) {
    return p.has("attention-factor") ? p.real("attention-factor") : 1.0;
}

/// Returns the terms of the exact frequencies: powers of the base without scaling, digits with it.
FrequencyTerms terms_of(const Parameters& p, const Rope& rope) {
    const bool is_scaled = p.word("scaling") != "none" && p.word("scaling") != "default";
    if (is_scaled || p.has("freqs-file")) {
        return digits_terms([=] { return exact_frequencies(p, rope); });
    }
    return [progression = numerics::paired_progression(rope.base, rope.dim)](std::int64_t k) {
        return frequency_term(progression, k);
    };
}

Waves waves_of(const Parameters& p, const Positions& positions, const Rope& rope,
               const RotaryForm& form) {
    Waves waves{
        .positions = positions,
        .layout = turning_layout(form, {{0, rope.dim / 2}}),
        .frequencies = [=] { return turning_frequencies(form, exact_frequencies(p, rope)); },
        .terms = nullptr,
        .options = angle_options,
        .scale = attention_factor(p),
        .scale_name = "attention-factor"};
    if (is_exact(p)) return waves;
    waves.float32 = [=] {
        numerics::Float32Angles angles = float32_angles(p, rope, positions);
        return form.has_negatives() ? with_negatives(std::move(angles)) : angles;
    };
    return waves;
}

Rows angle_rows(const Parameters& p, const Positions& positions, const Rope& rope, DType dtype) {
    const Frequencies omega = exact_frequencies(p, rope);
    check_holds(dtype, omega.largest() * positions.largest(), "the largest angle");
    if (is_exact(p)) return numerics::angle_rows(positions, omega, dtype);
    check_angles(positions, omega, angle_options);
    return numerics::float32_angle_rows(float32_angles(p, rope, positions), dtype);
}

Frequencies inverse_frequencies(const Parameters& p, const Rope& rope) {
    if (is_exact(p)) return exact_frequencies(p, rope);
    return exactly(rounded_by(p, float32_frequencies(p, rope)));
}

/// Returns the cell of value number `value` of a row.
Cell cell_of(const Parameters& p, const Rope& rope, const RotaryForm& form, const Term& position,
             std::int64_t value) {
    const FrequencyTerms frequencies = terms_of(p, rope);
    if (form.places.empty()) return angle_cell(position, frequencies(value), value);
    return turning_cell(
        form, {{0, rope.dim / 2}}, value, attention_factor(p),
        [&](std::int64_t) { return position; }, frequencies);
}

Plan table_plan(const Parameters& p, std::string_view table, const Positions& positions,
                const Rope& rope) {
    if (table == "inv-freq" || table == "wavelengths") {
        const auto frequencies = table == "inv-freq" ? inverse_frequencies : exact_frequencies;
        return frequency_plan(
            p, table, rope.dim / 2, [=] { return frequencies(p, rope); }, terms_of(p, rope));
    }
    check_narrow_angles(p, positions, [=] { return exact_frequencies(p, rope); });
    const RotaryForm form = form_of(p, table);
    return rotary_plan(
        p, positions.size(), position_axis(positions), form,
        [=, is_of_angles = table == "angles"](DType dtype) {
            return is_of_angles ? angle_rows(p, positions, rope, dtype)
                                : wave_rows(waves_of(p, positions, rope, form), dtype);
        },
        [=](std::int64_t row, std::int64_t value) {
            return cell_of(p, rope, form, number_term(positions[row]), value);
        });
}

Plan plan_of(Parameters p, std::string_view table) {
    p = resolve_dim(resolve_frequencies(resolve_positions(std::move(p))));
    const Positions positions = positions_of(p);
    const Rope rope = rope_of(p, positions);
    p = resolve_scaling(std::move(p), rope);
    check_arith(p, table);
    // The file may change, so the parameters record its values instead of its name.
    p.resolve("config", {});
    p.resolve("layer-type", {});
    return table_plan(p, table, positions, rope);
}

/// Checks the configuration without the user's options. Throws: FormatError if it is invalid.
void check_alone(const ModelConfig& config) {
    try {
        const Plan alone = plan_of(with_config(Parameters(parameters), config), "cos");
        alone.make_rows(DType::float64);
    } catch (const UsageError& error) {
        blame(config, error);
    }
}

/// Returns the result of `make`. Throws: FormatError instead of a UsageError that the configuration
/// alone causes.
template <typename Make>
auto made_of(const ModelConfig& config, const Make& make) {
    try {
        return make();
    } catch (const UsageError&) {
        check_alone(config);
        throw;
    }
}

Plan plan_with(const ModelConfig& config, const Parameters& p, std::string_view table) {
    Plan result = made_of(config, [&] { return plan_of(with_config(p, config), table); });
    result.notes = {summary(config, result.parameters)};
    result.make_rows = [config, make_rows = result.make_rows](DType dtype) {
        return made_of(config, [&] { return make_rows(dtype); });
    };
    return result;
}

Plan plan(Parameters p, std::string_view table) {
    if (p.has("freqs-file") && p.given("config")) {
        throw UsageError("--config: cannot be used with --freqs-file, which has the frequencies");
    }
    const std::optional<ModelConfig> config = config_of(p);
    return config ? plan_with(*config, p, table) : plan_of(std::move(p), table);
}

constexpr std::array tables{
    TableSpec{.name = "cos",
              .summary = "A cos(pos w), (len, rotary-dim), or half as wide with --layout single",
              .title = "RoPE, Cosines (d={rotary-dim}, max_len={len})",
              .value_label = "cos",
              .promises = "bounded",
              .scored_by = "sin-cos"},
    TableSpec{.name = "sin",
              .summary = "A sin(pos w), likewise",
              .title = "RoPE, Sines (d={rotary-dim}, max_len={len})",
              .value_label = "sin",
              .promises = "bounded",
              .scored_by = "sin-cos"},
    TableSpec{.name = "inv-freq",
              .summary = "w, the frequency of each pair, scaled, (rotary-dim / 2,)",
              .title = "RoPE, Inverse Frequencies (d={rotary-dim})",
              .value_label = "Radians per Position",
              .idle_parameters = "keep-channels view",
              .has_frequencies = true,
              .has_powers = true},
    TableSpec{.name = "angles",
              .summary = "pos w, (len, rotary-dim / 2)",
              .title = "RoPE, Angles (d={rotary-dim}, max_len={len})",
              .value_label = "Radians",
              .idle_parameters = "keep-channels view",
              .scored_by = "sin-cos"},
    TableSpec{.name = "freqs-cis",
              .summary = "A cos and A sin side by side: real and imaginary parts of complex "
                         "numbers, (len, rotary-dim / 2, 2)",
              .title = "RoPE, cos + i sin (d={rotary-dim}, max_len={len})",
              .value_label = "cos, sin",
              .idle_parameters = "keep-channels view",
              .promises = "unique bounded rotation offset spacing"},
    TableSpec{
        .name = "sin-cos",
        .summary =
            "all sines, then all cosines, as GPT-J and RoFormer store them, (len, rotary-dim)",
        .title = "RoPE, sin | cos (d={rotary-dim}, max_len={len})",
        .value_label = "sin, cos",
        .promises = "unique bounded rotation offset spacing"},
    TableSpec{.name = "cos-sin",
              .summary = "all cosines, then all sines, as vLLM and SGLang store them, (len, "
                         "rotary-dim)",
              .title = "RoPE, cos | sin (d={rotary-dim}, max_len={len})",
              .value_label = "cos, sin",
              .promises = "unique bounded rotation offset spacing"},
    TableSpec{.name = "signed-sin",
              .summary = "sin, negative in the first channel of each pair, as SpeechBrain stores "
                         "it, (len, rotary-dim)",
              .title = "RoPE, Signed Sines (d={rotary-dim}, max_len={len})",
              .value_label = "sin",
              .promises = "bounded",
              .scored_by = "sin-cos"},
    TableSpec{.name = "matrices",
              .summary = "[[cos, -sin], [sin, cos]] of each pair, as Flux stores them, (len, "
                         "rotary-dim / 2, 2, 2)",
              .title = "RoPE, Rotation Matrices (d={rotary-dim}, max_len={len})",
              .value_label = "Matrix Elements",
              .idle_parameters = "keep-channels view",
              .promises = "unique bounded rotation offset spacing"},
    TableSpec{
        .name = "rotation",
        .summary = "the matrix that rotates a head, by --pairing, (len, rotary-dim, rotary-dim)",
        .title = "RoPE, Rotation (d={rotary-dim}, pairing={pairing})",
        .value_label = "Matrix Elements",
        .idle_parameters = "keep-channels view",
        .promises = "bounded"},
    TableSpec{.name = "wavelengths",
              .summary = "2 pi / w, (rotary-dim / 2,)",
              .title = "RoPE, Wavelengths (d={rotary-dim})",
              .value_label = "Positions",
              .idle_parameters = "keep-channels view",
              .has_powers = true},
};

FileDescription describe_config(const Parameters& given) {
    const ModelConfig config = config_of(given).value();
    return description(config, plan_with(config, given, tables.front().name).parameters);
}

// The numbers are from the published config.json. Other sizes of a family differ in --d or --base,
// which --config reads.
constexpr std::array rope_presets{
    PresetSpec{.name = "cohere",
               .aliases = "command-r",
               .settings = "--pairing interleaved --d 128 --base 8000000 --layout interleaved",
               .summary = "Cohere's Command R, as its code stores the table",
               .source = "huggingface/transformers, src/transformers/models/cohere/"
                         "modeling_cohere.py; config of command-r-v01",
               .note = "Pairing interleaved, layout interleaved. Command R+ has base 75000000."},
    PresetSpec{.name = "deepseek",
               .aliases = "deepseek-v3 deepseek-r1",
               .settings = "--pairing interleaved --d 64 --scaling yarn --factor 40 "
                           "--original-max-position-embeddings "
                           "4096 --mscale 1 --mscale-all-dim 1",
               .summary = "DeepSeek V3 and R1's rotated channels, in Hugging Face's layout",
               .source = "huggingface/transformers, src/transformers/models/deepseek_v3/"
                         "modeling_deepseek_v3.py; config of DeepSeek-V3",
               .note =
                   "Pairing interleaved, layout half: neighbours are read as a pair, the result "
                   "is written in halves. Only 64 channels of a head are rotated. The two "
                   "mscales cancel in the table; their square goes into the softmax."},
    PresetSpec{.name = "gemma",
               .aliases = "gemma2",
               .settings = "--d 256",
               .summary = "Gemma and Gemma 2",
               .source = "huggingface/transformers, src/transformers/models/gemma/"
                         "modeling_gemma.py; config of gemma-7b",
               .note = "Pairing half, layout half. head_dim is 256 although hidden_size / heads is "
                       "not, in some sizes."},
    PresetSpec{.name = "gemma3",
               .settings = "--d 256 --base 1000000 --scaling linear --factor 8",
               .summary = "Gemma 3: the layers with full attention",
               .source = "huggingface/transformers, src/transformers/models/gemma3/"
                         "modeling_gemma3.py; config of gemma-3-4b",
               .note = "Pairing half, layout half. The layers with a sliding window are "
                       "gemma3-local. The 1b model is not scaled: --scaling none."},
    PresetSpec{.name = "gemma3-local",
               .settings = "--d 256",
               .summary = "Gemma 3: the layers with a sliding window",
               .source = "huggingface/transformers, src/transformers/models/gemma3/"
                         "modeling_gemma3.py, rope_local_base_freq",
               .note = "Pairing half, layout half."},
    PresetSpec{.name = "glm",
               .aliases = "glm4",
               .settings = "--pairing interleaved --d 128 --partial-rotary-factor 0.5",
               .summary = "GLM-4 in Hugging Face's code",
               .source = "huggingface/transformers, src/transformers/models/glm/modeling_glm.py; "
                         "config of glm-4-9b-hf",
               .note = "Pairing interleaved, layout half: the code repeats the first half of this "
                       "table to get --layout interleaved. Half of a head is rotated."},
    PresetSpec{.name = "gpt-j",
               .settings = "--pairing interleaved --d 256 --rotary-dim 64 --layout single",
               .summary = "GPT-J 6B: the first 64 of 256 channels",
               .source = "huggingface/transformers, src/transformers/models/gptj/modeling_gptj.py",
               .note = "Pairing interleaved. The code keeps the sines, then the cosines, of each "
                       "frequency once: --table sin-cos."},
    PresetSpec{
        .name = "gpt-neox",
        .settings = "--d 96 --partial-rotary-factor 0.25",
        .summary = "GPT-NeoX 20B: a quarter of each head",
        .source = "EleutherAI/gpt-neox, megatron/model/positional_embeddings.py",
        .note = "Pairing half, layout half. Pythia: --d 64 to 256, as its config.json says."},
    PresetSpec{.name = "gpt-oss",
               .settings = "--d 64 --base 150000 --layout single --scaling yarn --factor 32 "
                           "--original-max-position-embeddings 4096 --no-truncate",
               .summary = "gpt-oss: YaRN with unrounded bounds",
               .source = "huggingface/transformers, src/transformers/models/gpt_oss/"
                         "modeling_gpt_oss.py; config of gpt-oss-20b",
               .note = "Pairing half, layout single."},
    PresetSpec{
        .name = "llama",
        .aliases = "llama2 vicuna",
        .settings = "--d 128",
        .summary = "Llama and Llama 2 in Hugging Face's code",
        .source = "huggingface/transformers, src/transformers/models/llama/modeling_llama.py",
        .note = "Pairing half, layout half. Meta's own checkpoints are meta-llama: the rows "
                "of q and k are in another order there."},
    PresetSpec{
        .name = "llama3",
        .aliases = "olmo2",
        .settings = "--d 128 --base 500000",
        .summary = "Llama 3 in Hugging Face's code",
        .source = "huggingface/transformers, src/transformers/models/llama/modeling_llama.py",
        .note = "Pairing half, layout half. Not scaled: that is llama3.1."},
    PresetSpec{.name = "llama3.1",
               .aliases = "llama3.3",
               .settings = "--d 128 --base 500000 --scaling llama3 --factor 8 "
                           "--original-max-position-embeddings 8192",
               .summary = "Llama 3.1 and 3.3",
               .source =
                   "huggingface/transformers, src/transformers/modeling_rope_utils.py; config "
                   "of Llama-3.1-8B",
               .note = "Pairing half, layout half. The frequencies change for short texts, too."},
    PresetSpec{.name = "llama3.2",
               .settings = "--d 64 --base 500000 --scaling llama3 --factor 32 "
                           "--original-max-position-embeddings 8192",
               .summary = "Llama 3.2 1B",
               .source =
                   "huggingface/transformers, src/transformers/modeling_rope_utils.py; config "
                   "of Llama-3.2-1B",
               .note = "Pairing half, layout half. The 3B model has --d 128."},
    PresetSpec{.name = "llama4",
               .settings = "--pairing interleaved --d 128 --base 500000 --layout single --scaling "
                           "llama3 --factor 16 "
                           "--low-freq-factor 1 --high-freq-factor 1 "
                           "--original-max-position-embeddings 8192",
               .summary = "Llama 4 Scout: the layers with rotary positions",
               .source = "huggingface/transformers, src/transformers/models/llama4/"
                         "modeling_llama4.py; config of Llama-4-Scout",
               .note = "Pairing interleaved; the code keeps complex numbers: --table freqs-cis. "
                       "Every fourth layer has no positions."},
    PresetSpec{.name = "meta-llama",
               .settings = "--pairing interleaved --d 128 --layout single",
               .summary = "Llama and Llama 2 in Meta's own code",
               .source = "meta-llama/llama, llama/model.py, precompute_freqs_cis",
               .note = "Pairing interleaved; the code keeps complex numbers: --table freqs-cis. "
                       "Llama 3: --base 500000."},
    PresetSpec{
        .name = "mistral",
        .aliases = "mixtral",
        .settings = "--d 128 --base 1000000",
        .summary = "Mistral 7B from version 0.2 on, and Mixtral",
        .source = "huggingface/transformers, src/transformers/models/mistral/modeling_mistral.py",
        .note = "Pairing half, layout half in Hugging Face's code; Mistral's own pairs "
                "neighbours. Version 0.1 has base 10000."},
    PresetSpec{.name = "phi2",
               .settings = "--d 80 --partial-rotary-factor 0.4",
               .summary = "Phi-2: 32 of 80 channels",
               .source = "huggingface/transformers, src/transformers/models/phi/modeling_phi.py; "
                         "config of phi-2",
               .note = "Pairing half, layout half."},
    PresetSpec{.name = "phi3",
               .aliases = "phi3-4k",
               .settings = "--d 96",
               .summary = "Phi-3 mini with 4,096 positions",
               .source = "huggingface/transformers, src/transformers/models/phi3/modeling_phi3.py",
               .note =
                   "Pairing half, layout half. The models with 128k positions have LongRoPE and "
                   "96 factors of their own: --config config.json."},
    PresetSpec{
        .name = "qwen2",
        .aliases = "qwen2.5 qwen3",
        .settings = "--d 128 --base 1000000",
        .summary = "Qwen 2, 2.5 and 3",
        .source = "huggingface/transformers, src/transformers/models/qwen2/modeling_qwen2.py",
        .note = "Pairing half, layout half. With YaRN as its authors advise: --scaling yarn "
                "--factor 4 --original-max-position-embeddings 32768; Transformers 4.43 to "
                "4.55 computed it otherwise."},
    PresetSpec{.name = "roformer",
               .settings = "--pairing interleaved --d 64 --layout single",
               .summary = "RoFormer, which introduced rotary positions",
               .source = "huggingface/transformers, src/transformers/models/roformer/"
                         "modeling_roformer.py",
               .note = "Pairing interleaved. The code keeps the sines, then the cosines: --table "
                       "sin-cos."},
    PresetSpec{.name = "stablelm",
               .settings = "--d 80 --partial-rotary-factor 0.25",
               .summary = "StableLM 3B: 20 of 80 channels",
               .source = "huggingface/transformers, src/transformers/models/stablelm/"
                         "modeling_stablelm.py; config of stablelm-3b-4e1t",
               .note = "Pairing half, layout half."},
};

}  // namespace

/// The tables that rotate pairs of a head's channels: y_a = x_a cos - x_b sin, y_b = x_a sin + x_b
/// cos. Only the table rotation depends on which channels form a pair: m and m + rotary-dim / 2
/// (half, as in GPT-NeoX), or 2m and 2m + 1 (interleaved, as in GPT-J); --layout only says where
/// the values are. Positions count from 0. A is the attention factor of yarn and longrope,
/// otherwise 1.
///
/// Tables: cos, sin and sin-cos (position, channel), inv-freq and wavelengths (frequency), angles
/// (position, frequency), freqs-cis (position, frequency, function), matrices (position, frequency,
/// output, input), rotation (position, output, input). Correctly rounded; the attention factor is
/// the nearest double to its formula. --arith float32 and ggml round at every step, like the code
/// for which they are named.
extern constinit const Encoding rope{
    .name = "rope",
    .summary = "rotary positions: cosines and sines that rotate pairs of channels",
    .formula =
        "w[m]        = base^(-2m / r), m = 0 ... r/2 - 1, changed by --scaling\n"
        "cos[pos, m] = A cos(pos * w[m])\n"
        "sin[pos, m] = A sin(pos * w[m])\n"
        "r = rotary-dim; A = 1, but of yarn and longrope the attention factor",
    .source = "Su et al. 2021, RoFormer, arXiv:2104.09864, section 3.2.2",
    .examples =
        "rope --d 16 --len 6 --table cos\n"
        "rope --d 128 --len 400 --layout half --table sin --png sin.png\n"
        "rope --d 128 --base 500000 --scaling linear --factor 4 --table inv-freq",
    .parameters = parameters,
    .tables = tables,
    .presets = rope_presets,
    .plan = plan,
    .describe_config = describe_config};

}  // namespace pegen::encodings
