#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/shape.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/window.h"
#include "files/array_file.h"
#include "numerics/sinusoid.h"
#include "numerics/ziv_loop.h"
#include "rows/arranged.h"
#include "rows/by_distance.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;
using numerics::Real;

constexpr std::array parameters{
    heads_parameter,
    queries_parameter,
    keys_parameter,
    ParameterSpec{.name = "image",
                  .type = ParameterType::text,
                  .summary = "ROWSxCOLUMNS or N: the queries and keys are the tokens of an image"},
    ParameterSpec{.name = "prefix",
                  .type = ParameterType::word,
                  .default_value = "none",
                  .choices = "none cls",
                  .summary = "cls adds a class token in front of an image, with a bias of 0",
                  .is_rare = true},
    ParameterSpec{.name = "form",
                  .type = ParameterType::word,
                  .default_value = "signed",
                  .choices = "signed symmetric causal sqrt key last-key euclidean manhattan",
                  .summary = "what the slope multiplies: key - query, -|key - query|, "
                             "min(key - query, 0), -sqrt(max(query - key, 0)), key, key - last "
                             "key, or the negative distance of two tokens of an image"},
    ParameterSpec{.name = "first-key",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = 1 << 30},
                  .summary = "position of the first key for --form key",
                  .is_rare = true},
    ParameterSpec{.name = "period",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = {.lowest = 1, .highest = 1 << 20},
                  .summary = "N distances count as one, for --form signed, symmetric and causal: "
                             "their quotients by N, rounded to 0",
                  .is_rare = true},
    ParameterSpec{.name = "slopes",
                  .type = ParameterType::word,
                  .default_value = "nearest-power",
                  .choices = "nearest-power geometric",
                  .summary = "how slopes are chosen if the number of heads is not a power of 2: "
                             "from the powers around it, or by the paper's formula"},
    ParameterSpec{.name = "max-bias",
                  .aliases = "alibi-bias-max",
                  .default_value = "8",
                  .range = positive,
                  .summary = "the last head's slope is 2^-X"},
    ParameterSpec{.name = "slope-list",
                  .type = ParameterType::reals,
                  .summary = "the slopes of the heads, instead of --slopes and --max-bias",
                  .is_rare = true},
    ParameterSpec{.name = "slopes-file",
                  .aliases = "alibi-slopes",
                  .type = ParameterType::path,
                  .summary = "NPY file: the slopes of the heads, instead of --slopes and "
                             "--max-bias",
                  .is_rare = true},
    ParameterSpec{.name = "groups",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = {.lowest = 1, .highest = 1 << 16},
                  .summary = "groups of heads, each with the slopes of heads / groups heads",
                  .is_rare = true},
    ParameterSpec{.name = "out-scale",
                  .aliases = "alibi-scale",
                  .default_value = "1",
                  .range = positive,
                  .summary = "factor of all slopes",
                  .is_rare = true},
    mask_parameter,
};

/// Returns 2^(-max_bias k / n) for `count` values k = first, first + stride, ...
Frequencies powers_of_two(double max_bias, std::int64_t n, std::int64_t first, std::int64_t count,
                          std::int64_t stride = 1) {
    const Frequencies all({.base = 2,
                           .step = max_bias,
                           .width = n,
                           .shift = 0,
                           .scale = 1,
                           .count = first + count * stride});
    return slice(all, first, count, stride);
}

/// The parameter that has the slopes as numbers; nullptr if they follow a rule.
const char* numbers_of(const Parameters& p) {
    if (p.has("slope-list")) return "slope-list";
    return p.has("slopes-file") ? "slopes-file" : nullptr;
}

/// Returns the numbers of --slope-list or --slopes-file. Throws: FileError; FormatError if the
/// array has not one axis.
std::vector<double> slope_numbers(const Parameters& p) {
    if (p.has("slope-list")) return p.reals("slope-list");
    const std::string& path = p.word("slopes-file");
    const ArrayFile file = with_floats({path, read_array(path)}, "slopes");
    const Shape& shape = file.table.shape;
    if (shape.rank() == 1 && heads_parameter.range.contains_whole(shape.size())) {
        return finite_elements(file, "slopes");
    }
    throw FormatError(path, fmt::format("shape {}: slopes must be (heads,), 1 to 65536 of them",
                                        to_string(shape)));
}

/// Clears the rule of the slopes and fills in --heads for slopes that are numbers. Throws:
/// UsageError if a part of the rule is given, or --heads is not --groups times as many; as
/// slope_numbers().
Parameters resolve_slopes(Parameters p) {
    const std::int64_t groups = p.integer("groups");
    if (const char* const numbers = numbers_of(p)) {
        for (const char* name : {"slopes", "max-bias", "slopes-file"}) {
            if (!p.given(name) || name == std::string_view(numbers)) continue;
            throw UsageError(fmt::format("--{} {}: --{} has the slopes; leave --{} out", name,
                                         to_string(p.value(name)), numbers, name));
        }
        const std::int64_t count = std::ssize(slope_numbers(p));
        if (!p.given("heads")) p.resolve("heads", count * groups);
        if (p.integer("heads") != count * groups) {
            throw UsageError(fmt::format(
                "--heads {}: --{} has {} slopes{}; use --heads {}", p.integer("heads"), numbers,
                count, groups == 1 ? "" : " for each of --groups", count * groups));
        }
        p.resolve("slopes", {});
        p.resolve("max-bias", {});
    }
    if (p.integer("heads") % groups != 0) {
        throw UsageError(
            fmt::format("--groups {}: must divide --heads {}", groups, p.integer("heads")));
    }
    return p;
}

/// Returns the slopes of the heads of a group, without --out-scale.
Frequencies group_slopes(const Parameters& p) {
    if (numbers_of(p)) {
        return Frequencies([numbers = slope_numbers(p)] {
            return std::vector<Real>(numbers.begin(), numbers.end());
        });
    }
    const std::int64_t heads = p.integer("heads") / p.integer("groups");
    const double max_bias = p.real("max-bias");
    if (p.word("slopes") == "geometric") return powers_of_two(max_bias, heads, 1, heads);
    const auto n = static_cast<std::int64_t>(std::bit_floor(to_size(heads)));
    return concatenated(powers_of_two(max_bias, n, 1, n),
                        powers_of_two(max_bias, 2 * n, 1, heads - n, 2));
}

Frequencies slopes_of(const Parameters& p) {
    return Frequencies(
        [group = group_slopes(p), groups = p.integer("groups"), factor = p.real("out-scale")] {
            std::vector<Real> slopes;
            for (std::int64_t i = 0; i < groups; ++i) {
                for (const Real& slope : group.reals()) slopes.push_back(slope * factor);
            }
            return slopes;
        });
}

/// Returns the slope of a head of a group with its formula, without --out-scale.
Term group_term(const Parameters& p, std::int64_t head) {
    if (numbers_of(p)) {
        const double slope = slope_numbers(p)[head];
        return {[=] { return Real(slope); }, shortest(slope)};
    }
    const std::int64_t heads = p.integer("heads") / p.integer("groups");
    const auto power = static_cast<std::int64_t>(std::bit_floor(to_size(heads)));
    std::int64_t numerator = head + 1, n = heads;
    if (p.word("slopes") != "geometric") {
        n = power;
        if (head >= power) {
            numerator = 2 * (head - power) + 1;
            n = 2 * power;
        }
    }
    const double max_bias = p.real("max-bias");
    return {[=] {
                return pow(
                    2, Real(-max_bias) * static_cast<double>(numerator) / static_cast<double>(n));
            },
            fmt::format("2^(-{} * {}/{})", shortest(max_bias), numerator, n)};
}

/// Returns the slope of a head with its formula.
Term slope_term(const Parameters& p, std::int64_t head) {
    const Term slope = group_term(p, head % (p.integer("heads") / p.integer("groups")));
    const double factor = p.real("out-scale");
    if (factor == 1) return slope;
    return {[=] { return slope.value() * factor; },
            fmt::format("{} * {}", shortest(factor), slope.text)};
}

/// Returns the factor of the slope for a query and a key at these positions: the signed distance or
/// the key's position, by `form`. --form sqrt takes the root of its magnitude.
std::int64_t distance_of(std::string_view form, std::int64_t query, std::int64_t key,
                         std::int64_t keys) {
    if (form == "key") return key;
    if (form == "last-key") return key - (keys - 1);
    const std::int64_t distance = key - query;
    if (form == "symmetric") return -std::abs(distance);
    return form == "signed" ? distance : std::min<std::int64_t>(distance, 0);
}

Cell bias_cell(const Term& slope, std::string_view form, std::int64_t distance) {
    const auto factor = static_cast<double>(distance);
    if (form == "sqrt") {
        return {.value = {[=] { return slope.value() * (0 - sqrt(Real(-factor))); },
                          fmt::format("-sqrt({}) * {}", -distance, slope.text)}};
    }
    return {.value = {[=] { return slope.value() * factor; },
                      fmt::format("{} * {}", distance, slope.text)}};
}

/// Returns the positions times the sign of the slope, so that no product with the slope's magnitude
/// is -0.
Positions with_sign_of(const Real& slope, const Positions& positions) {
    const double sign = slope < 0 ? -1 : slope == 0 ? 0 : 1;
    if (const auto progression = positions.progression()) {
        return {0 + sign * progression->start, 0 + sign * progression->step, positions.size()};
    }
    std::vector<double> list;
    for (std::int64_t i = 0; i < positions.size(); ++i) list.push_back(0 + sign * positions[i]);
    return Positions(std::move(list));
}

/// Returns a table (slopes, positions) of the products of each slope with the positions in `first`,
/// then in `second`.
Rows lines(const Frequencies& slopes, const Positions& first, const Positions& second,
           DType dtype) {
    std::vector<Rows> columns;
    for (std::int64_t head = 0; head < slopes.size(); ++head) {
        const Real& slope = slopes.reals()[head];
        const Frequencies magnitude([=] { return std::vector{abs(slopes.reals()[head])}; });
        for (const Positions& positions : {first, second}) {
            columns.push_back(
                numerics::angle_rows(with_sign_of(slope, positions), magnitude, dtype));
        }
    }
    return rows::reshaped(rows::concatenated(columns), first.size() + second.size());
}

/// Returns the difference of the factor of the slope, see distance_of(), between neighbouring keys
/// after the query.
double step_after_query(std::string_view form) {
    if (form == "signed") return 1;
    return form == "symmetric" ? -1 : 0;
}

/// Returns a table (slopes, distances) of the slopes times -sqrt(max(query - key, 0)).
Rows root_lines(const Frequencies& slopes, rows::AttentionSize size, DType dtype) {
    const auto distance = [size](std::int64_t column) {
        return static_cast<double>(std::max<std::int64_t>(-size.smallest_distance() - column, 0));
    };
    return numerics::real_rows(
        [=](std::int64_t head, std::int64_t column) {
            return 0 - slopes.reals()[head] * sqrt(Real(distance(column)));
        },
        [=, near = nearest_doubles(slopes)](std::int64_t head, std::int64_t column) {
            return 0 - near[head] * std::sqrt(distance(column));
        },
        slopes.size(), size.distances(), dtype);
}

/// Returns the quotients of the distances by the period, rounded to 0.
Positions in_periods(const Positions& distances, std::int64_t period) {
    if (period == 1) return distances;
    std::vector<double> list;
    for (std::int64_t i = 0; i < distances.size(); ++i) {
        list.push_back(0 + std::trunc(distances[i] / static_cast<double>(period)));
    }
    return Positions(std::move(list));
}

Rows bias_rows(const Frequencies& slopes, const Parameters& p, rows::AttentionSize size,
               DType dtype) {
    const std::string& form = p.word("form");
    const Positions none(0, 0, 0), up_to_0(static_cast<double>(1 - size.keys), 1, size.keys);
    if (form == "key" || form == "last-key") {
        const Positions keys =
            form == "key" ? Positions(static_cast<double>(p.integer("first-key")), 1, size.keys)
                          : up_to_0;
        return rows::by_key(lines(slopes, keys, none, dtype), size);
    }
    if (form == "sqrt") return rows::by_distance(root_lines(slopes, size, dtype), size);
    const double step = step_after_query(form);
    const Positions after_query(step, step, size.queries - 1);
    const std::int64_t period = p.integer("period");
    return rows::by_distance(
        lines(slopes, in_periods(up_to_0, period), in_periods(after_query, period), dtype), size);
}

bool is_of_image(std::string_view form) { return form == "euclidean" || form == "manhattan"; }

/// Returns the image that --image describes. Throws: UsageError.
Window image_of(const Parameters& p) {
    const std::string& text = p.word("image");
    const std::vector<std::string_view> extents = fields(text, 'x');
    if (extents.size() > 2 || text.find_first_of("*,") != text.npos) {
        refuse("image", text, "must be ROWSxCOLUMNS, as in 14x10, or N");
    }
    std::vector<std::int64_t> sizes;
    for (const std::string_view extent : extents) {
        sizes.push_back(parse_integer(extent, "--image"));
        if (!any_window.contains_whole(sizes.back())) {
            refuse("image", text, fmt::format("{} {}", extent, describe(any_window)));
        }
    }
    return {.height = sizes.front(),
            .width = sizes.back(),
            .has_class_token = p.word("prefix") == "cls",
            .is_absolute = true};
}

/// Fills in --form for an image, and clears --len and --key-len. Throws: UsageError if a length is
/// given, or a form or another parameter that does not go together with the tokens.
Parameters resolve_image(Parameters p) {
    const std::string form = p.word("form");
    if (!p.has("image")) {
        if (is_of_image(form)) {
            throw UsageError(fmt::format("--form {}: needs --image ROWSxCOLUMNS", form));
        }
        if (p.word("prefix") == "cls") {
            throw UsageError("--prefix cls: needs --image ROWSxCOLUMNS");
        }
        return p;
    }
    if (p.given("form") && !is_of_image(form)) {
        throw UsageError(
            fmt::format("--form {}: tokens of an image have --form euclidean or manhattan", form));
    }
    p = without(std::move(p), {"len", "key-len"}, "is the number of tokens of the image");
    if (!is_of_image(form)) p.resolve("form", std::string("euclidean"));
    p.resolve("len", {});
    return p;
}

/// Returns the distance of two tokens `dy` rows and `dx` columns apart.
template <class Number>
Number distance_in_image(std::string_view form, double dy, double dx) {
    using std::sqrt;
    return form == "manhattan" ? Number(std::fabs(dy) + std::fabs(dx))
                               : sqrt(Number(dy * dy + dx * dx));
}

/// Returns the rows (head, query, key) of the tokens of an image.
Rows image_rows(const Frequencies& slopes, const std::string& form, const Window& image,
                DType dtype) {
    const auto bias = [=](const auto& slope, std::int64_t offset) {
        using Number = std::remove_cvref_t<decltype(slope)>;
        // The class token has the last offsets, and a bias of 0.
        if (offset >= image.height * image.width) return Number(0);
        return 0 - slope * distance_in_image<Number>(form,
                                                     static_cast<double>(offset / image.width),
                                                     static_cast<double>(offset % image.width));
    };
    const auto lines = numerics::real_rows(
        [=](std::int64_t head, std::int64_t offset) { return bias(slopes.reals()[head], offset); },
        [=, near = nearest_doubles(slopes)](std::int64_t head, std::int64_t offset) {
            return bias(near[head], offset);
        },
        slopes.size(), image.offsets(), dtype);
    return by_offset(lines, image);
}

/// Returns the cell of the bias of two tokens of an image.
Cell image_cell(const Term& slope, const std::string& form, const Window& image, std::int64_t query,
                std::int64_t key) {
    const std::int64_t before = image.has_class_token ? 1 : 0;
    if (std::min(query, key) < before) {
        return {.value = {[] { return Real(0); }, "0"}, .note = "The class token has no distance."};
    }
    const auto [query_y, query_x] = std::div(query - before, image.width);
    const auto [key_y, key_x] = std::div(key - before, image.width);
    const std::int64_t dy = std::abs(query_y - key_y), dx = std::abs(query_x - key_x);
    return {.value = {[=] {
                          return 0 - slope.value() *
                                         distance_in_image<Real>(form, static_cast<double>(dy),
                                                                 static_cast<double>(dx));
                      },
                      form == "manhattan"
                          ? fmt::format("-({} + {}) * {}", dy, dx, slope.text)
                          : fmt::format("-sqrt({}^2 + {}^2) * {}", dy, dx, slope.text)}};
}

/// Plans the bias of the tokens of an image, or the row of the last one.
Plan image_plan(const Parameters& p, bool is_row) {
    const Window image = image_of(p);
    const std::string form = p.word("form");
    constexpr std::int64_t most_values = 1 << 26;
    const Frequencies slopes = slopes_of(p);
    if (image.offsets() > most_values / slopes.size()) {
        throw UsageError("--image: at most 2^26 values of all heads");
    }
    Plan plan = bias_plan(
        p, {image.queries(), image.keys()},
        [=](DType dtype) {
            const Real farthest = distance_in_image<Real>(
                form, static_cast<double>(image.height - 1), static_cast<double>(image.width - 1));
            check_holds(dtype, nearest_double(farthest) * slopes.largest(), "the largest bias");
            return image_rows(slopes, form, image, dtype);
        },
        [=](std::int64_t head, std::int64_t query, std::int64_t key) {
            return image_cell(slope_term(p, head), form, image, query, key);
        });
    plan.is_before_mask = false;
    plan.axes[1] = window_axis(AxisKind::query, image);
    plan.axes[2] = window_axis(AxisKind::key, image);
    if (!is_row) return plan;
    const std::int64_t last = image.queries() - 1;
    plan.shape = {slopes.size(), 1, image.keys()};
    plan.axes[1] = query_axis({1, image.keys()});
    plan.make_rows = [=, all = plan.make_rows](DType dtype) {
        std::vector<std::int64_t> chosen;
        for (std::int64_t head = 0; head < slopes.size(); ++head) {
            chosen.push_back(head * image.queries() + last);
        }
        return rows::chosen_rows(all(dtype), chosen);
    };
    plan.cell = [last, all = plan.cell](std::span<const std::int64_t> index) {
        return all(std::array{index[0], last, index[2]});
    };
    return plan;
}

Plan slopes_plan(const Parameters& p) {
    const Frequencies slopes = slopes_of(p);
    return {.parameters = p,
            .shape = {slopes.size()},
            .axes = {head_axis()},
            .make_rows = [slopes](DType dtype) { return numerics::frequency_rows(slopes, dtype); },
            .cell =
                [p](std::span<const std::int64_t> index) {
                    return Cell{.value = slope_term(p, index[0])};
                }};
}

Plan plan(Parameters p, std::string_view table) {
    p = resolve_slopes(resolve_image(std::move(p)));
    if (!p.has("image")) p = resolve_keys(std::move(p));
    if (p.given("first-key") && p.word("form") != "key") {
        throw UsageError(fmt::format("--first-key {}: only --form key counts keys; leave it out",
                                     p.integer("first-key")));
    }
    const std::string form = p.word("form");
    const std::int64_t period = p.integer("period");
    if (period > 1 && form != "signed" && form != "symmetric" && form != "causal") {
        throw UsageError(
            fmt::format("--period {}: --form {} has no distances along one axis; use --form "
                        "signed, symmetric or causal",
                        period, form));
    }
    if (table == "slopes") return slopes_plan(p);
    if (p.has("image")) return image_plan(p, table == "row");
    rows::AttentionSize size = attention_size(p);
    if (table == "row") size = {1, size.keys};
    const Frequencies slopes = slopes_of(p);
    const std::int64_t first_key = p.integer("first-key");
    const auto rows = [=](DType dtype) {
        const auto farthest = static_cast<double>(first_key + size.keys - 1);
        check_holds(dtype, (form == "sqrt" ? std::sqrt(farthest) : farthest) * slopes.largest(),
                    "the largest bias");
        return bias_rows(slopes, p, size, dtype);
    };
    Plan plan =
        bias_plan(p, size, rows, [=](std::int64_t head, std::int64_t query, std::int64_t key) {
            const std::int64_t position = size.seen_by(query) - 1;
            return bias_cell(slope_term(p, head), form,
                             (distance_of(form, position, key, size.keys) + first_key) / period);
        });
    if (form == "symmetric") plan.is_before_mask = false;
    return plan;
}

constexpr std::array tables{
    TableSpec{.name = "bias",
              .summary = "the bias added to the scores, (heads, len, key-len)",
              .title = "ALiBi (heads={heads}, form={form})",
              .value_label = "Bias",
              .promises = "relative"},
    TableSpec{.name = "row",
              .summary = "the bias of the last query, (heads, 1, key-len)",
              .title = "ALiBi, the Last Query (heads={heads}, form={form})",
              .value_label = "Bias"},
    TableSpec{.name = "slopes",
              .summary = "the slope of each head, (heads)",
              .title = "ALiBi's Slopes (heads={heads}, slopes={slopes})",
              .value_label = "Slope",
              .has_powers = true},
};

constexpr std::array alibi_presets{
    PresetSpec{.name = "attention-gym",
               .aliases = "alibi-paper",
               .settings = "--slopes geometric",
               .summary = "ALiBi by the paper's formula for any number of heads, as attention-gym",
               .source = "meta-pytorch/attention-gym, attn_gym/mods/alibi.py",
               .note = "Positive above the diagonal: only a causal mask makes it a penalty. Where "
                       "heads is not a power of 2, the slopes are not those of trained models."},
    PresetSpec{.name = "baichuan",
               .settings = "--heads 40 --form key --mask causal",
               .summary = "Baichuan-13B: the position of the key times the slope, and the mask",
               .source = "baichuan-inc/Baichuan-13B-Chat, modeling_baichuan.py, _gen_alibi_mask",
               .note = "40 heads: 32 slopes, then 8 of those in between. Its 7B model is rotary."},
    PresetSpec{.name = "bipe-alibi",
               .settings = "--heads 12 --form key --out-scale 96",
               .summary = "BiPE-ALiBi between segments: slopes times 96, keys are segments",
               .source = "zhenyuhe00/BiPE, my_modeling_llama_bipe_alibi.py, _init_alibi_mul96",
               .note = "A key is a sentence: its tokens have the bias of their sentence's number. "
                       "Within a sentence, positions are learned vectors."},
    PresetSpec{.name = "bloom",
               .settings = "--heads 112 --form key",
               .summary = "BLOOM: the position of the key times the slope",
               .source = "huggingface/transformers, src/transformers/models/bloom/"
                         "modeling_bloom.py, build_alibi_tensor",
               .note =
                   "Its tensor is --table row, for each sequence of a batch; padded keys do "
                   "not count, and its slopes are rounded: the last digit may differ. bloom-560m "
                   "has --heads 16, bloom-7b1 --heads 32."},
    PresetSpec{.name = "faceformer",
               .aliases = "codetalker init-biased-mask",
               .settings = "--heads 4 --form causal --mask causal --period 30",
               .summary = "FaceFormer's biased mask: 30 frames count as one distance",
               .source = "EvelynFan/FaceFormer, faceformer.py, init_biased_mask",
               .note = "Other models of talking faces have its code; of BIWI, --period 25."},
    PresetSpec{.name = "falcon",
               .settings = "--heads 32 --form key",
               .summary = "Falcon-RW: BLOOM's bias before its rounding to bfloat16",
               .source = "huggingface/transformers, src/transformers/models/falcon/"
                         "modeling_falcon.py, build_alibi_tensor",
               .note =
                   "Falcon rounds the slopes to bfloat16 and the product again, which is off by "
                   "up to 1.6 at 300 keys; this table is not. Falcon-7B and 40B are rotary."},
    PresetSpec{
        .name = "gpt-neox-alibi",
        .settings = "--form causal",
        .summary = "GPT-NeoX with pos_emb alibi: 0 above the diagonal",
        .source = "EleutherAI/gpt-neox, megatron/model/positional_embeddings.py, AliBi",
        .note = "Its class defaults to mp_rank 1 of 1, which has no slopes: pass mp_rank=0."},
    PresetSpec{.name = "labml-alibi",
               .aliases = "labml",
               .settings = "--form key --first-key 1 --mask causal",
               .summary = "labml's annotated ALiBi: the position of the key, counted from 1",
               .source = "labmlai/annotated_deep_learning_paper_implementations, "
                         "labml_nn/transformers/alibi/__init__.py, get_alibi_biases",
               .note = "The table after its mask: before it, keys after the query have the query's "
                       "own bias. Its tensor has the heads last."},
    PresetSpec{.name = "mpt",
               .settings = "--heads 32 --form last-key",
               .summary = "MPT: the key's distance from the last key times the slope",
               .source = "huggingface/transformers, src/transformers/models/mpt/modeling_mpt.py, "
                         "build_mpt_alibi_tensor",
               .note = "Its tensor is --table row. --max-bias is alibi_bias_max, in whose place "
                       "Transformers' code has 8, and ALiBi whatever the file says. mpt-30b has "
                       "--heads 64. With alibi_full it is x-transformers-alibi."},
    PresetSpec{.name = "press",
               .aliases = "ofirpress",
               .settings = "--form key",
               .summary = "ALiBi's own code: the position of the key times the slope",
               .source = "ofirpress/attention_with_linear_biases, fairseq/models/transformer.py",
               .note = "Its tensor is --table row. All queries have the same row: softmax does not "
                       "see what a whole row is shifted by."},
    PresetSpec{.name = "retnet-decay",
               .settings = "--form causal --mask causal --slope-list "
                           "0.0317486983145803,0.015748356968139168,0.007843177461025893",
               .summary = "RetNet's decay as a bias: the logarithm of gamma^(query - key)",
               .source = "microsoft/torchscale, torchscale/architecture/retnet.py, RetNetRelPos",
               .note = "gamma of head h is 1 - 2^(-5 - h), its slope -ln gamma; these are the 3 "
                       "heads of the code's own configuration. Retention is multiplied by exp of "
                       "this table, which the code divides by the square root of its row's sum; "
                       "there is no softmax. list --search retnet has its rotation."},
    PresetSpec{.name = "step-audio",
               .aliases = "step1",
               .settings = "--heads 48 --form sqrt --mask causal",
               .summary = "Step-Audio: the square root of the distance",
               .source = "stepfun-ai/Step-Audio-TTS-3B, modeling_step1.py, build_alibi_cache",
               .note = "48 heads: 32 slopes, then 16 of those in between. Kernels call it "
                       "use_sqrt_alibi."},
    PresetSpec{.name = "tranception",
               .settings = "--heads 20 --groups 4 --form key",
               .summary = "Tranception: four groups of heads with the same slopes",
               .source = "OATML-Markslab/Tranception, tranception/model_pytorch.py, get_slopes",
               .note = "Its tensor is --table row. 20 heads are Tranception Large: five slopes, "
                       "the last one steeper than the first."},
    PresetSpec{.name = "x-transformers-alibi",
               .aliases = "flash-attn-alibi mpt-full opennmt-alibi",
               .settings = "--form symmetric",
               .summary = "ALiBi in both directions, as x-transformers, FlashAttention and OpenNMT",
               .source = "lucidrains/x-transformers, x_transformers/x_transformers.py, "
                         "AlibiPositionalBias",
               .note = "The bias of a key and a query does not tell which comes first. Heads "
                       "beyond alibi_num_heads have --slope-list ...,0,0."},
};

}  // namespace

/// Attention with linear biases: a penalty proportional to the distance, steeper for some heads
/// than for others. Key k is at position k; the queries are at the last of the keys' positions;
/// heads count from 0. With --image they are the tokens of an image, row by row, with --prefix cls
/// after a class token, whose bias is 0 both as a query and as a key. If the number of
/// heads is not a power of 2, --slopes nearest-power takes the slopes for the next lower power of
/// 2, and then every other slope for the next higher power of 2.
///
/// Tables: bias (heads, len, key-len), axes (head, query, key); row (heads, 1, key-len), the last
/// query of bias; slopes (heads), axis (head), with --out-scale.
/// Correctly rounded: slopes are exact powers until the product with the distance is rounded.
/// Kept in memory: a line of len + key-len - 1 values for each head.
extern constinit const Encoding alibi{
    .name = "alibi",
    .summary = "a bias that falls linearly with the distance, with a slope per head: ALiBi",
    .formula =
        "bias[h, q, k] = slope[h] * distance\n"
        "distance = k - q, -|k - q|, min(k - q, 0), -sqrt(max(q - k, 0)), k + first-key, or\n"
        "k - last k: --form\n"
        "--form euclidean: distance = -sqrt(dy^2 + dx^2), in rows and columns of an image\n"
        "--form manhattan: distance = -(|dy| + |dx|);  --period N: distances / N, rounded to 0\n"
        "slope[h] = 2^(-max_bias * (h + 1) / n), n the power of 2 at or below heads; from h = n "
        "on\n"
        "slope[h] = 2^(-max_bias * (2 (h - n) + 1) / (2 n))\n"
        "--slopes geometric: slope[h] = 2^(-max_bias * (h + 1) / heads)\n"
        "--groups G: h mod heads / G in place of h, heads / G in place of heads\n"
        "all slopes times out-scale; --slope-list, --slopes-file: the slopes of a group",
    .source =
        "Press et al. 2022, Train Short, Test Long, arXiv:2108.12409, section 3; images: Fuller et "
        "al. 2023, CROMA, arXiv:2311.00566, antofuller/CROMA, get_2dalibi; MahmoodLab/TITAN, "
        "vision_transformer.py; data2vec 2.0, facebookresearch/fairseq",
    .examples =
        "alibi --heads 8 --len 1024\n"
        "alibi --heads 12 --table slopes\n"
        "alibi --heads 4 --len 32 --form symmetric --png alibi.png",
    .parameters = parameters,
    .tables = tables,
    .presets = alibi_presets,
    .plan = plan};

}  // namespace pegen::encodings
