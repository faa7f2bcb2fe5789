#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "cli/apply/array.h"
#include "cli/apply/operations.h"
#include "cli/arguments.h"
#include "core/error.h"
#include "encodings/registry.h"
#include "rows/arranged.h"
#include "rows/rotated.h"

namespace pegen::cli {
namespace {

constexpr std::array rope_parameters{
    x_parameter,
    ParameterSpec{.name = "position-axis",
                  .type = ParameterType::integer,
                  .range = {.lowest = -64, .highest = 63},
                  .summary = "the axis along which positions are counted [the last but one]"},
    ParameterSpec{.name = "heads",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = any_count,
                  .summary = "heads in the last axis, one after the other, each rotated alike"},
    ParameterSpec{.name = "inverse",
                  .type = ParameterType::flag,
                  .summary = "undo the rotation and the attention factor"},
    dtype_parameter,
};

/// The options for encodings whose presets do not say which channels are a pair.
constexpr std::array pairing_parameters =
    joined(rope_parameters,
           std::array{ParameterSpec{
               .name = "pairing",
               .type = ParameterType::word,
               .choices = "half interleaved",
               .summary = "which channels are rotated together: m and m + d/2, or 2m and 2m + 1"}});

bool has_parameter(const Encoding& encoding, std::string_view name) {
    return std::ranges::count(encoding.parameters, name, &ParameterSpec::name) > 0;
}

/// Returns the parameters of a rotary encoding, except parameters that only change the form of its
/// tables.
std::vector<const ParameterSpec*> options_of(std::string_view encoding) {
    constexpr std::array<std::string_view, 4> of_tables{"layout", "keep-channels", "view",
                                                        "prefix-rows"};
    std::vector<const ParameterSpec*> specs;
    for (const ParameterSpec& spec : find_encoding(encoding)->parameters) {
        if (std::ranges::count(of_tables, spec.name) == 0) specs.push_back(&spec);
    }
    return specs;
}

std::vector<const ParameterSpec*> rope_options() { return options_of("rope"); }
std::vector<const ParameterSpec*> grid_options() { return options_of("rope-grid"); }
std::vector<const ParameterSpec*> mrope_options() { return options_of("mrope"); }

/// Returns the pairing of the encoding, or of the option. Throws: UsageError if neither says it.
rows::Pairing pairing_of(const OperationInput& input, const Parameters& resolved) {
    const bool is_own = has_parameter(*input.subject.encoding, "pairing");
    const Parameters& from = is_own ? resolved : input.own;
    if (!from.has("pairing")) {
        throw UsageError(
            fmt::format("apply {0}: needs --pairing half or --pairing interleaved: which channels "
                        "are a pair, as the note of a preset says",
                        input.subject.encoding->name));
    }
    return from.word("pairing") == "half" ? rows::Pairing::half : rows::Pairing::interleaved;
}

/// Returns the axis of the positions. Throws: UsageError if the array has no such axis.
int position_axis(const Parameters& own, const ArrayFile& x) {
    const Shape& shape = x.table.shape;
    if (shape.rank() < 2) {
        throw UsageError(
            fmt::format("{}: shape {}: needs the axes (..., len, d)", x.path, to_string(shape)));
    }
    if (!own.has("position-axis")) return shape.rank() - 2;
    const std::int64_t wanted = own.integer("position-axis");
    const std::int64_t axis = wanted < 0 ? wanted + shape.rank() : wanted;
    if (axis < 0 || axis > shape.rank() - 2) {
        throw UsageError(fmt::format(
            "--position-axis {}: {} has shape {}; the last axis is that of the channels", wanted,
            x.path, to_string(shape)));
    }
    return static_cast<int>(axis);
}

/// Returns the number of channels per head. Throws: UsageError if the number of heads does not
/// divide the last axis.
std::int64_t channels_of_head(const Parameters& own, const ArrayFile& x) {
    const std::int64_t heads = own.integer("heads"), channels = x.table.shape.columns();
    if (channels % heads != 0) {
        throw UsageError(fmt::format("--heads {}: must divide {}, the last extent of {}, {}", heads,
                                     channels, x.path, to_string(x.table.shape)));
    }
    return channels / heads;
}

PlannedTable plan_rope(const OperationInput& input) {
    const Encoding& encoding = *input.subject.encoding;
    refuse_dashes(input, encoding.name);
    const ArrayFile x = open_floats(input.own.word("x"));
    const Shape& shape = x.table.shape;
    const int axis = position_axis(input.own, x);
    const std::int64_t len = shape[axis], channels = channels_of_head(input.own, x),
                       heads = input.own.integer("heads");
    Parameters parameters = with_options(input.subject.defaults(), input.options);
    // Set as if by the user, so that neither a preset nor a configuration can change it.
    parameters.set("layout", "single", Origin::user);
    if (!parameters.given("d"))
        parameters.set("d", fmt::format("{}", channels), Origin::specification);
    if (has_parameter(encoding, "len") && !parameters.given("len") &&
        !parameters.has("positions")) {
        parameters.set("len", fmt::format("{}", len), Origin::specification);
    }
    const auto planned = [&](std::string_view table, const Parameters& with) {
        return plan_table(encoding, *find_table(encoding, table), with, DType::float64);
    };
    const PlannedTable cos = planned("cos", parameters);
    const Parameters& resolved = cos.table.provenance.parameters;
    // Planned from the resolved parameters: a configuration is read only once, since it may be
    // standard input.
    const PlannedTable sin = planned("sin", resolved);
    const std::int64_t d_of_rope = resolved.integer("d");
    if (d_of_rope != channels || cos.table.shape[0] != len) {
        throw UsageError(fmt::format(
            "apply {0}: {1} has shape {2}, its last extents are not those of {0} with {3} "
            "positions of {4} channels; {5}",
            encoding.name, x.path, to_string(shape), cos.table.shape[0], d_of_rope,
            has_parameter(encoding, "len") ? "they come from the array unless given"
                                           : "the positions are the tokens of its parameters"));
    }
    const rows::Pairing pairing = pairing_of(input, resolved);
    const Axis channel{.kind = AxisKind::channel, .name = "channel", .label = "Channel"};
    std::vector<Axis> axes(shape.rank() - axis);
    axes.front() = cos.table.axes.front();
    axes.back() = channel;
    // A position has a row for each index of the axes between it and the channels.
    std::int64_t rows_of_position = heads;
    for (int between = axis + 1; between < shape.rank() - 1; ++between) {
        rows_of_position *= shape[between];
    }
    const DType dtype = result_dtype(input.own, x);
    return {result_of(x, dtype, axes, "rotated"),
            [=, x = rows::reshaped(x.table.rows, channels),
             is_inverse = input.own.flag("inverse")](const Progress& progress) {
                const auto angles = [&](const PlannedTable& waves) {
                    return rows::repeated(waves.make_rows(progress), rows_of_position);
                };
                const Rows rotated = rows::rotated(x,
                                                   {.cos = angles(cos),
                                                    .sin = angles(sin),
                                                    .pairing = pairing,
                                                    .is_inverse = is_inverse},
                                                   dtype);
                return rows::reshaped(rotated, channels * heads);
            },
            cos.notes};
}

}  // namespace

constinit const Operation operations::rope{
    .name = "rope",
    .arguments = "--x FILE [parameters of rope] [outputs]",
    .summary =
        "rotate queries or keys (..., len, d) by their positions; any preset of rope works too",
    .examples =
        "apply rope --x q.npy --npy rotated.npy\n"
        "apply gpt-j --x q.npy -o rotated.npy\n"
        "apply rope --x q.npy --rotary-dim 32 --start 100 --inverse",
    .parameters = rope_parameters,
    .encoding = "rope",
    .more_options = rope_options,
    .plan = plan_rope};

constinit const Operation operations::rope_grid{
    .name = "rope-grid",
    .arguments = "--x FILE --pairing P [parameters of rope-grid] [outputs]",
    .summary =
        "rotate queries or keys (..., tokens, d) of images, videos or points; also its presets",
    .examples =
        "apply rope-grid --x q.npy --height 14 --width 14 --pairing half --npy rotated.npy\n"
        "apply wan-video --x q.npy --depth 5 --height 6 --width 4 --pairing interleaved -o r.npy",
    .parameters = pairing_parameters,
    .encoding = "rope-grid",
    .more_options = grid_options,
    .plan = plan_rope};

constinit const Operation operations::mrope{
    .name = "mrope",
    .arguments = "--x FILE --pairing P [parameters of mrope] [outputs]",
    .summary = "rotate queries or keys (..., tokens, d) of text with images; also its presets",
    .examples =
        "apply qwen2-vl --x q.npy --sequence text:5,image:4x6 --pairing half --npy rotated.npy\n"
        "apply mrope --x q.npy --position-ids ids.npy --pairing half -o rotated.npy",
    .parameters = pairing_parameters,
    .encoding = "mrope",
    .more_options = mrope_options,
    .plan = plan_rope};

}  // namespace pegen::cli
