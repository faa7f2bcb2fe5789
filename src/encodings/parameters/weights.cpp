#include "encodings/parameters/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/initializer.h"
#include "files/array_file.h"

namespace pegen::encodings {
namespace {

constexpr std::int64_t most_weights = std::int64_t{1} << 26;

Weights file_weights(const std::string& path, const WeightsSpec& spec) {
    const ArrayFile file = with_floats({path, read_array(path)}, "weights");
    const Shape needed{spec.rows, spec.columns};
    const bool is_list = spec.columns == 1 && file.table.shape == Shape{spec.rows};
    if (file.table.shape != needed && !is_list) {
        throw FormatError(
            path, fmt::format("shape {}: weights must be {} = {}", to_string(file.table.shape),
                              spec.extents, to_string(needed)));
    }
    return {.rows = spec.rows, .columns = spec.columns, .values = [=] {
                return finite_elements(file, "weights");
            }};
}

Weights drawn_weights(const Parameters& p, const WeightsSpec& spec) {
    return {.rows = spec.rows,
            .columns = spec.columns,
            .values = [spec, initializer = parse_initializer(p.word("init"), spec.columns),
                       seed = p.integer("seed"), path = code_path(p)] {
                return elements_of(later_tensor(initializer, spec.rows, spec.columns, seed,
                                                spec.drawn_before, path),
                                   0, spec.rows * spec.columns);
            }};
}

}  // namespace

Parameters with_extent_of(Parameters p, std::string_view file_parameter, int axis,
                          std::string_view name) {
    if (!p.has(file_parameter) || p.given(name)) return p;
    const Shape shape = read_array(p.word(file_parameter)).shape;
    if (shape.rank() == 1 && axis == 1) p.resolve(name, std::int64_t{1});
    if (shape.rank() == 1 && axis == 0 && shape[0] > 0) p.resolve(name, shape[0]);
    if (shape.rank() == 2 && shape[axis] > 0) p.resolve(name, shape[axis]);
    return p;
}

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
    const auto [lowest, highest] = std::ranges::minmax(values);
    check_holds(dtype, std::max(-lowest, highest), "the largest weight");
    return std::make_shared<const std::vector<double>>(std::move(values));
}

Rows weight_rows(const Weights& weights, DType dtype) {
    return rounded(rows::kept_rows(read_weights(weights, dtype), weights.columns), dtype);
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
