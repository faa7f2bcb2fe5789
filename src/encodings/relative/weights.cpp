#include "encodings/relative/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "core/to_size.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/initializer.h"
#include "files/array_file.h"

namespace pegen::encodings {
namespace {

constexpr std::int64_t most_weights = std::int64_t{1} << 26;

Table open_file(const std::string& path, const WeightsSpec& spec) {
    Table table = read_array(path);
    const auto refuse = [&](std::string_view what, std::string_view rule) {
        throw FormatError(path, fmt::format("{}: {}", what, rule));
    };
    if (!is_floating(table.dtype)) {
        refuse(fmt::format("dtype {}", info(table.dtype).name),
               "weights must be floats; save weights.astype(float)");
    }
    const Shape needed{spec.rows, spec.columns};
    if (table.shape != needed) {
        refuse(fmt::format("shape {}", to_string(table.shape)),
               fmt::format("weights must be {} = {}", spec.extents, to_string(needed)));
    }
    return table;
}

void check_finite(const Weights& weights, const std::vector<double>& values) {
    const auto found = std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); });
    if (found == values.end()) return;
    const std::int64_t place = found - values.begin();
    throw FormatError(weights.path, fmt::format("{} in row {}, column {}: weights must be finite",
                                                shortest(*found), place / weights.columns,
                                                place % weights.columns));
}

std::vector<double> all_elements(const TensorFill& tensor, std::int64_t count) {
    std::vector<double> elements;
    elements.reserve(to_size(count));
    tensor(0, count, [&](std::span<const float> some) {
        elements.insert(elements.end(), some.begin(), some.end());
    });
    return elements;
}

Weights file_weights(const std::string& path, const WeightsSpec& spec) {
    return {.rows = spec.rows,
            .columns = spec.columns,
            .path = path,
            .values = [table = open_file(path, spec)] {
                return read_rows(table, {0, table.shape.rows()});
            }};
}

Weights drawn_weights(const Parameters& p, const WeightsSpec& spec) {
    return {.rows = spec.rows,
            .columns = spec.columns,
            .path = {},
            .values = [spec, initializer = parse_initializer(p.word("init"), spec.columns),
                       seed = p.integer("seed"), path = code_path(p)] {
                return all_elements(later_tensor(initializer, spec.rows, spec.columns, seed,
                                                 spec.drawn_before, path),
                                    spec.rows * spec.columns);
            }};
}

}  // namespace

Weights open_weights(const Parameters& p, const WeightsSpec& spec) {
    if (spec.rows > most_weights / spec.columns) {
        throw UsageError(fmt::format("{} = {}: weights end at 2^26 numbers", spec.extents,
                                     to_string(Shape{spec.rows, spec.columns})));
    }
    return p.has(spec.file_parameter) ? file_weights(p.word(spec.file_parameter), spec)
                                      : drawn_weights(p, spec);
}

rows::KeptRows read_weights(const Weights& weights, DType dtype) {
    std::vector<double> values = weights.values();
    check_finite(weights, values);
    const auto [lowest, highest] = std::ranges::minmax(values);
    check_holds(dtype, std::max(-lowest, highest), "the largest weight");
    return std::make_shared<const std::vector<double>>(std::move(values));
}

RowSource weight_rows(const Weights& weights, DType dtype) {
    return rounded(rows::kept_rows(read_weights(weights, dtype), weights.columns), weights.columns,
                   dtype);
}

Parameters without_idle_initializer(Parameters p,
                                    const std::vector<std::string_view>& file_parameters) {
    const auto is_file = [&](std::string_view name) { return p.has(name); };
    if (!std::ranges::all_of(file_parameters, is_file)) return p;
    for (const char* name : {"init", "seed", "rng"}) {
        if (p.given(name)) {
            throw UsageError(
                fmt::format("--{} {}: nothing is drawn, all weights are in files; "
                            "leave --{} or --{} out",
                            name, to_string(p.value(name)), name, file_parameters.back()));
        }
        p.resolve(name, {});
    }
    return p;
}

}  // namespace pegen::encodings
