#include <fmt/format.h>

#include <array>

#include "cli/apply/array.h"
#include "cli/apply/operations.h"
#include "cli/arguments.h"
#include "core/error.h"
#include "encodings/registry.h"
#include "rows/rotated.h"

namespace pegen::cli {
namespace {

constexpr std::array rope_parameters{
    x_parameter,
    ParameterSpec{.name = "inverse",
                  .type = ParameterType::flag,
                  .summary = "undo the rotation and the attention factor"},
    dtype_parameter,
};

const Encoding& rope() { return *find_encoding("rope"); }

/// The parameters of rope but the layout of its tables.
std::vector<const ParameterSpec*> rope_options() {
    std::vector<const ParameterSpec*> specs;
    for (const ParameterSpec& spec : rope().parameters) {
        if (spec.name != "layout") specs.push_back(&spec);
    }
    return specs;
}

PlannedTable plan_rope(const OperationInput& input) {
    refuse_dashes(input, "rope");
    const ArrayFile x = open_floats(input.own.word("x"));
    const Shape& shape = x.table.shape;
    if (shape.rank() < 2) {
        throw UsageError(
            fmt::format("{}: shape {}: needs the axes (..., len, d)", x.path, to_string(shape)));
    }
    const std::int64_t len = shape[shape.rank() - 2];
    Parameters parameters = with_options(input.subject.defaults(), input.options);
    // As the user's: neither a preset nor a configuration may change it.
    parameters.set("layout", "single", Origin::user);
    if (!parameters.given("d"))
        parameters.set("d", fmt::format("{}", shape.columns()), Origin::specification);
    if (!parameters.given("len") && !parameters.has("positions")) {
        parameters.set("len", fmt::format("{}", len), Origin::specification);
    }
    const auto planned = [](std::string_view table, const Parameters& with) {
        return plan_table(rope(), *find_table(rope(), table), with, DType::float64);
    };
    const PlannedTable cos = planned("cos", parameters);
    const Parameters& resolved = cos.table.provenance.parameters;
    // Of the same parameters: a configuration is read once, since it may be standard input.
    const PlannedTable sin = planned("sin", resolved);
    const std::int64_t d_of_rope = resolved.integer("d");
    if (d_of_rope != shape.columns() || cos.table.shape[0] != len) {
        throw UsageError(fmt::format(
            "apply rope: {} has shape {}, its last extents are not those of rope with {} positions "
            "of {} channels; they come from the array unless given",
            x.path, to_string(shape), cos.table.shape[0], d_of_rope));
    }
    const Axis channel{.kind = AxisKind::channel, .name = "channel", .label = "Channel"};
    const DType dtype = result_dtype(input.own, x);
    const auto pairing =
        resolved.word("pairing") == "half" ? rows::Pairing::half : rows::Pairing::interleaved;
    return {result_of(x, dtype, {cos.table.axes.front(), channel}, "rotated"),
            [=, table = x.table, is_inverse = input.own.flag("inverse")](const Progress& progress) {
                return rows::rotated(table,
                                     {.positions = len,
                                      .pairs = cos.table.shape.columns(),
                                      .cos = cos.make_rows(progress),
                                      .sin = sin.make_rows(progress),
                                      .pairing = pairing,
                                      .is_inverse = is_inverse},
                                     dtype);
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

}  // namespace pegen::cli
