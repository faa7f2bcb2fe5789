#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/apply/array.h"
#include "cli/apply/operations.h"
#include "core/error.h"
#include "rows/arithmetic.h"

namespace pegen::cli {
namespace {

constexpr std::array add_parameters{x_parameter, dtype_parameter};

constexpr std::array bias_parameters{
    ParameterSpec{.name = "scores",
                  .aliases = "input x",
                  .type = ParameterType::path,
                  .summary = "the array (..., heads, queries, keys), an NPY file; - is standard "
                             "input"},
    dtype_parameter};

/// Returns the parameter for the extent of an axis of this kind; "" if no single parameter
/// determines it.
std::string_view extent_parameter(AxisKind kind) {
    switch (kind) {
        case AxisKind::position:
        case AxisKind::query:
            return "len";
        case AxisKind::key:
            return "key-len";
        case AxisKind::head:
            return "heads";
        case AxisKind::channel:
            return "d";
        default:
            return "";
    }
}

/// Returns `parameters` with the extents of the array's last axes, where the user gave no extents.
Parameters fitted(Parameters parameters, const Plan& plan, const Shape& array) {
    const int missing = array.rank() - plan.shape.rank();
    for (int axis = std::max(0, -missing); axis < plan.shape.rank(); ++axis) {
        const Axis& counted = plan.axes[axis];
        const std::string_view name = extent_parameter(counted.kind);
        if (name.empty() || !parameters.knows(name) || parameters.given(name)) continue;
        if (name == "len" && parameters.knows("positions") && parameters.has("positions")) continue;
        const std::int64_t extent = array[axis + missing] - counted.rows_before;
        parameters.set(name, fmt::format("{}", std::max<std::int64_t>(extent, 1)), Origin::preset);
    }
    return parameters;
}

/// Returns `parameters` with as many queries as keys if only the number of keys is given. This is
/// enough to plan the axes.
Parameters for_axes(Parameters parameters) {
    const bool has_keys = parameters.knows("key-len") && parameters.given("key-len");
    if (has_keys && !parameters.given("len")) {
        parameters.resolve("len", parameters.value("key-len"));
    }
    return parameters;
}

/// An operation that adds a table to an array.
struct Sum {
    std::string_view name;
    std::string_view example;
    bool is_of_scores;  ///< the last axes of array and table are queries and keys
};

/// Throws: UsageError if the array of scores has fewer than two axes, or the last two axes of the
/// table are not queries and keys.
void check_scores(const ArrayFile& scores, const Request& bias, const Plan& plan) {
    if (scores.table.shape.rank() < 2) {
        throw UsageError(fmt::format("{}: shape {}: needs the axes (..., heads, queries, keys)",
                                     scores.path, to_string(scores.table.shape)));
    }
    const std::size_t rank = plan.axes.size();
    const bool is_bias = rank >= 2 && plan.axes[rank - 2].kind == AxisKind::query &&
                         plan.axes[rank - 1].kind == AxisKind::key;
    if (is_bias) return;
    throw UsageError(
        fmt::format("apply bias: the table {} of {} has no axes of queries and keys; apply add "
                    "adds any table",
                    bias.tables.front().spec->name, bias.subject.name()));
}

PlannedTable plan_sum(const OperationInput& input, const Sum& sum) {
    const std::string command = fmt::format("apply {}", sum.name);
    if (input.behind.size() != 1) {
        throw UsageError(fmt::format("{}: needs one encoding after '--', as in pe-gen {}", command,
                                     sum.example));
    }
    const Request request = parse_behind_dashes(input.behind.front(), command, sum.example);
    const Encoding& encoding = *request.subject.encoding;
    const RequestedTable& wanted = request.tables.front();
    if (!is_floating(wanted.dtype)) {
        throw UsageError(
            fmt::format("{}: the table {} holds integers; add a --table of real numbers", command,
                        wanted.spec->name));
    }
    const ArrayFile x = open_floats(input.own.word(input.own.entries().front().spec->name));
    const Plan axes = plan_of(encoding, for_axes(request.parameters), wanted.spec->name);
    if (sum.is_of_scores) check_scores(x, request, axes);
    const Parameters parameters = fitted(request.parameters, axes, x.table.shape);
    const PlannedTable addend = plan_table(encoding, *wanted.spec, parameters,
                                           request.is_dtype_given ? wanted.dtype : DType::float64);
    if (!rows::fits_into(addend.table.shape, x.table.shape)) {
        throw UsageError(fmt::format(
            "{}: {} has shape {}, {} shape {}; a table's extents must be the last ones of the "
            "array",
            command, x.path, to_string(x.table.shape), request.subject.name(),
            to_string(addend.table.shape)));
    }
    const DType dtype = result_dtype(input.own, x);
    return {result_of(x, dtype, addend.table.axes, fmt::format("with {}", request.subject.name())),
            [=, array = x.table](const Progress& progress) {
                Table table = addend.table;
                table.rows = addend.make_rows(progress);
                return rows::sum(array, table, dtype);
            }};
}

PlannedTable plan_add(const OperationInput& input) {
    return plan_sum(input, {"add", "apply add --x embedded.npy -- sinusoid", false});
}

PlannedTable plan_bias(const OperationInput& input) {
    return plan_sum(input, {"bias", "apply bias --scores scores.npy -- alibi", true});
}

}  // namespace

constinit const Operation operations::add{
    .name = "add",
    .arguments = "--x FILE [outputs] -- NAME [parameters]",
    .summary = "add a table to the last axes of an array, such as (..., len, d)",
    .examples =
        "apply add --x embedded.npy -o sum.npy -- sinusoid\n"
        "apply add --x embedded.npy -o sum.npy -- fairseq --dtype float32",
    .parameters = add_parameters,
    .plan = plan_add};

constinit const Operation operations::bias{
    .name = "bias",
    .arguments = "--scores FILE [outputs] -- NAME [parameters]",
    .summary = "add a bias to attention scores (..., heads, queries, keys)",
    .examples = "apply bias --scores scores.npy -o biased.npy -- alibi",
    .parameters = bias_parameters,
    .plan = plan_bias};

}  // namespace pegen::cli
