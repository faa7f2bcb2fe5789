#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/arguments.h"
#include "cli/operation.h"
#include "core/error.h"
#include "core/to_size.h"
#include "encodings/registry.h"
#include "files/input_file.h"
#include "files/read_npy.h"
#include "rows/as_float64.h"
#include "rows/permuted.h"
#include "rows/rotated.h"
#include "rows/sum.h"

namespace pegen::cli {
namespace {

constexpr ParameterSpec x_parameter{.name = "x",
                                    .aliases = "input",
                                    .type = ParameterType::path,
                                    .summary = "the array, an NPY file; - is standard input"};

constexpr ParameterSpec dtype_parameter{
    .name = "dtype",
    .type = ParameterType::word,
    .choices = "float32 float64 float16 bfloat16 f32 f64 f16 bf16",
    .summary = "the type of the result; that of the array unless given"};

constexpr std::string_view pairings = "half interleaved";

struct Array {
    std::string path;
    Table table;
};

Array opened(const std::string& path) {
    const auto file = InputFile::regular_or_pipe(path);
    return {file->path(), read_npy(file).table};
}

/// Opens an array of floats with values in it. Throws: UsageError if it is none.
Array opened_floats(const std::string& path) {
    Array array = opened(path);
    if (!is_floating(array.table.dtype)) {
        throw UsageError(fmt::format("{}: holds {}; save array.astype('float32')", array.path,
                                     info(array.table.dtype).name));
    }
    if (array.table.shape.size() == 0) {
        throw UsageError(
            fmt::format("{}: shape {}: has no values", array.path, to_string(array.table.shape)));
    }
    return array;
}

DType result_dtype(const Parameters& own, const Array& array) {
    return own.has("dtype") ? dtype_named(own.word("dtype")) : array.table.dtype;
}

/// Returns the result of an operation on `array`, without its rows; the names of the last axes are
/// those of a table.
Table result_of(const Array& array, DType dtype, const std::vector<Axis>& last_axes,
                std::string_view what) {
    Table table{.shape = array.table.shape,
                .dtype = dtype,
                .axes = array.table.axes,
                .rows = nullptr,
                .title = fmt::format("{}, {}", array.path, what),
                .value_label = "Value",
                .provenance = {}};
    std::ranges::copy(last_axes, table.axes.end() - std::ssize(last_axes));
    return table;
}

void refuse_dashes(const OperationInput& input, std::string_view name) {
    if (!input.behind.empty()) {
        throw UsageError(fmt::format("apply {}: nothing stands behind '--'", name));
    }
}

// ---- rope

constexpr std::array rope_parameters{
    x_parameter,
    ParameterSpec{.name = "inverse",
                  .type = ParameterType::flag,
                  .summary = "undo the rotation, and the attention factor"},
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
    const Array x = opened_floats(input.own.word("x"));
    const Shape& shape = x.table.shape;
    if (shape.rank() < 2) {
        throw UsageError(
            fmt::format("{}: shape {}: needs the axes (..., len, d)", x.path, to_string(shape)));
    }
    const std::int64_t len = shape[shape.rank() - 2];
    Parameters parameters = with_options(input.subject.defaults(), input.options);
    parameters.set("layout", "single", Origin::preset);
    if (!parameters.given("d"))
        parameters.set("d", fmt::format("{}", shape.columns()), Origin::preset);
    if (!parameters.given("len") && !parameters.has("positions")) {
        parameters.set("len", fmt::format("{}", len), Origin::preset);
    }
    const auto planned = [&](std::string_view table) {
        return plan_table(rope(), *find_table(rope(), table), parameters, DType::float64);
    };
    const PlannedTable cos = planned("cos"), sin = planned("sin");
    const Parameters& resolved = cos.table.provenance.parameters;
    const std::int64_t d_of_rope = resolved.integer("d");
    if (d_of_rope != shape.columns() || cos.table.shape[0] != len) {
        throw UsageError(fmt::format(
            "apply rope: {} has shape {}, its last extents are not those of rope with {} positions "
            "of {} channels; leave out --len and --d",
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

// ---- add, bias

constexpr std::array add_parameters{x_parameter, dtype_parameter};

constexpr std::array bias_parameters{
    ParameterSpec{.name = "scores",
                  .aliases = "x input",
                  .type = ParameterType::path,
                  .summary = "the array (..., heads, queries, keys), an NPY file; - is standard "
                             "input"},
    dtype_parameter};

/// The parameter that says how many indices an axis has; "" if it depends on more.
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

/// Sets the extents that the user did not give to those of the array's last axes.
Parameters fitted(Parameters parameters, const Plan& plan, const Shape& array) {
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(parameters.entries(), [&](const Parameters::Entry& entry) {
            return entry.spec->name == name;
        });
    };
    const int missing = array.rank() - plan.shape.rank();
    for (int axis = std::max(0, -missing); axis < plan.shape.rank(); ++axis) {
        const Axis& counted = plan.axes[to_size(axis)];
        const std::string_view name = extent_parameter(counted.kind);
        if (name.empty() || !has(name) || parameters.given(name)) continue;
        if (name == "len" && has("positions") && parameters.has("positions")) continue;
        const std::int64_t extent = array[axis + missing] - counted.rows_before;
        parameters.set(name, fmt::format("{}", std::max<std::int64_t>(extent, 1)), Origin::preset);
    }
    return parameters;
}

PlannedTable plan_sum(const OperationInput& input, std::string_view name,
                      std::string_view example) {
    const std::string command = fmt::format("apply {}", name);
    if (input.behind.size() != 1) {
        throw UsageError(
            fmt::format("{}: needs one table, behind '--', as in pe-gen {}", command, example));
    }
    const Request request = parse_behind_dashes(input.behind.front(), command, example);
    const Encoding& encoding = *request.subject.encoding;
    const RequestedTable& wanted = request.tables.front();
    if (!is_floating(wanted.dtype)) {
        throw UsageError(fmt::format("{}: the table {} holds integers; add one of real numbers",
                                     command, wanted.spec->name));
    }
    const Array x = opened_floats(input.own.word(input.own.entries().front().spec->name));
    const Parameters parameters = fitted(
        request.parameters, encoding.plan(request.parameters, wanted.spec->name), x.table.shape);
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
                return rows::sum(array, rows::as_float64(table), dtype);
            }};
}

PlannedTable plan_add(const OperationInput& input) {
    return plan_sum(input, "add", "apply add --x embedded.npy -- sinusoid");
}

PlannedTable plan_bias(const OperationInput& input) {
    return plan_sum(input, "bias", "apply bias --scores scores.npy -- alibi");
}

// ---- rope-permute

constexpr std::array permute_parameters{
    x_parameter,
    ParameterSpec{.name = "from",
                  .type = ParameterType::word,
                  .choices = pairings,
                  .summary = "the pairing that the weights were trained with"},
    ParameterSpec{.name = "to",
                  .type = ParameterType::word,
                  .choices = pairings,
                  .summary = "the pairing of the code that they are for"},
    ParameterSpec{.name = "heads",
                  .aliases = "num-heads n-heads num-attention-heads num-key-value-heads",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "heads along the axis: for k, the heads of the keys"},
    ParameterSpec{.name = "rotary-dim",
                  .aliases = "rotary-ndims n-rot",
                  .type = ParameterType::integer,
                  .range = {.lowest = 2, .highest = 1 << 20},
                  .summary = "channels of a head that are rotated; all unless given"},
    ParameterSpec{.name = "axis",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = any_index,
                  .summary = "the axis of the outputs: 0 of a weight (out, in) or a bias (out,)"},
};

/// Returns which channel of a head comes to each place.
std::vector<std::int64_t> head_order(std::int64_t head_dim, std::int64_t r, bool to_interleaved) {
    std::vector<std::int64_t> order(to_size(head_dim));
    for (std::int64_t i = 0; i < head_dim; ++i) order[to_size(i)] = i;
    for (std::int64_t m = 0; m < r / 2; ++m) {
        for (std::int64_t part = 0; part < 2; ++part) {
            const std::int64_t of_halves = part * r / 2 + m, of_pairs = 2 * m + part;
            order[to_size(to_interleaved ? of_pairs : of_halves)] =
                to_interleaved ? of_halves : of_pairs;
        }
    }
    return order;
}

PlannedTable plan_permute(const OperationInput& input) {
    refuse_dashes(input, "rope-permute");
    const Parameters& own = input.own;
    for (const std::string_view name : {"from", "to", "heads"}) {
        if (own.has(name)) continue;
        throw UsageError(fmt::format(
            "apply rope-permute: needs --{}, as in pe-gen apply rope-permute --from half --to "
            "interleaved --heads 32 --x wq.npy",
            name));
    }
    if (own.word("from") == own.word("to")) {
        throw UsageError(fmt::format("--to {}: is --from; nothing would change", own.word("to")));
    }
    const Array x = opened(own.word("x"));
    const Shape& shape = x.table.shape;
    const std::int64_t axis = own.integer("axis");
    if (axis >= shape.rank()) {
        throw UsageError(
            fmt::format("--axis {}: {} has {} axes, counted from 0", axis, x.path, shape.rank()));
    }
    const std::int64_t extent = shape[static_cast<int>(axis)];
    const std::int64_t heads = own.integer("heads");
    if (extent == 0 || extent % heads != 0) {
        throw UsageError(fmt::format("--heads {}: must divide {}, the extent of axis {} of {}, {}",
                                     heads, extent, axis, x.path, to_string(shape)));
    }
    const std::int64_t head_dim = extent / heads;
    const std::int64_t r = own.has("rotary-dim") ? own.integer("rotary-dim") : head_dim;
    if (r > head_dim || r % 2 != 0) {
        throw UsageError(fmt::format(
            "--rotary-dim {}: must be even and at most {}, the channels of a head", r, head_dim));
    }
    return {
        result_of(x, x.table.dtype, {}, fmt::format("{} pairs", own.word("to"))),
        [table = x.table, axis, order = head_order(head_dim, r, own.word("to") == "interleaved")](
            const Progress&) { return rows::permuted(table, static_cast<int>(axis), order); }};
}

constexpr std::array operations{
    Operation{.name = "rope",
              .arguments = "--x FILE [parameters of rope] [outputs]",
              .summary =
                  "rotate queries or keys (..., len, d) by position; also gpt-j or any other "
                  "preset of rope",
              .examples = "apply rope --x q.npy --npy rotated.npy\n"
                          "apply gpt-j --x q.npy -o rotated.npy\n"
                          "apply rope --x q.npy --rotary-dim 32 --start 100 --inverse",
              .parameters = rope_parameters,
              .encoding = "rope",
              .more_options = rope_options,
              .plan = plan_rope},
    Operation{.name = "add",
              .arguments = "--x FILE [outputs] -- NAME [parameters]",
              .summary = "add a table to the last axes of an array, such as (..., len, d)",
              .examples = "apply add --x embedded.npy -o sum.npy -- sinusoid\n"
                          "apply add --x embedded.npy -o sum.npy -- fairseq --dtype float32",
              .parameters = add_parameters,
              .plan = plan_add},
    Operation{.name = "bias",
              .arguments = "--scores FILE [outputs] -- NAME [parameters]",
              .summary = "add a bias to attention scores (..., heads, queries, keys)",
              .examples = "apply bias --scores scores.npy -o biased.npy -- alibi",
              .parameters = bias_parameters,
              .plan = plan_bias},
    Operation{.name = "rope-permute",
              .arguments = "--from PAIRING --to PAIRING --heads N --x FILE [outputs]",
              .summary = "turn a projection of queries or keys into one for the other pairing",
              .examples = "apply rope-permute --from half --to interleaved --heads 32 --x wq.npy "
                          "-o permuted.npy",
              .parameters = permute_parameters,
              .plan = plan_permute},
};

}  // namespace

std::span<const Operation> all_operations() { return operations; }

}  // namespace pegen::cli
