#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/formula/formula_places.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/weights.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    with_default(value_parameter, "min(abs(q - k), buckets - 1)"),
    token_count_parameter,
    more_keys_parameter,
    heads_parameter,
    with_default(d_parameter, "64"),
    token_image_parameter,
    token_points_parameter,
    ParameterSpec{.name = "buckets",
                  .aliases = "num-buckets rows",
                  .type = ParameterType::integer,
                  .default_value = "32",
                  .range = {.lowest = 1, .highest = 1 << 26},
                  .summary = "number of rows of weights"},
    ParameterSpec{.name = "weights",
                  .aliases = "bias-table",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (buckets, heads), or (buckets, d) for vectors"},
    with_default(init_parameter, "normal:0,0.02"),
    seed_parameter,
    rng_parameter,
};

/// Returns a function that returns the number of a row. Throws: UsageError if it is no row's.
ValueAt row_number(const FormulaTable& table, std::int64_t buckets) {
    return [=](std::span<const std::int64_t> index) {
        const double number = table.value(index, DType::float64);
        if (std::floor(number) != number) {
            throw UsageError(
                fmt::format("--value: {} is {}, and the number of a row is whole; use floor, or "
                            "pe-gen formula for the values themselves",
                            table.text(index), shortest(number)));
        }
        if (number < 0 || number >= static_cast<double>(buckets)) {
            throw UsageError(
                fmt::format("--value: {} is {}; rows have the numbers 0 to {}; use "
                            "clip, or another number of --buckets",
                            table.text(index), shortest(number), buckets - 1));
        }
        return number;
    };
}

/// Returns the row of weights of each place, (place, column).
RealRows gathered(const RealRows& numbers, rows::KeptRows weights, std::int64_t columns) {
    return {[=, weights = std::move(weights)](RowRange range, std::span<double> out) {
                std::vector<double> row(numbers.columns);
                for (std::int64_t i = 0; i < range.count; ++i) {
                    const std::int64_t place = range.first + i;
                    if (i == 0 || place % numbers.columns == 0) {
                        numbers.fill({place / numbers.columns, 1}, row);
                    }
                    const auto number = static_cast<std::int64_t>(row[place % numbers.columns]);
                    std::copy_n(weights->begin() + number * columns, columns,
                                out.begin() + i * columns);
                }
            },
            numbers.count * numbers.columns, columns};
}

/// Returns the cell of a weight in the row of this place.
Cell weight_cell(const FormulaTable& table, std::span<const std::int64_t> place) {
    return {.value = {nullptr, fmt::format("a weight of row {} = {}",
                                           shortest(table.value(place, DType::float64)),
                                           table.text(place))}};
}

Weights weights_of(const Parameters& p, const std::string& columns) {
    return open_weights(p, {.file_parameter = "weights",
                            .extents = columns == "heads" ? "(buckets, heads)" : "(buckets, d)",
                            .rows = p.integer("buckets"),
                            .columns = p.integer(columns)});
}

Plan plan(Parameters given, std::string_view name) {
    Parameters p = resolve_places(std::move(given), FormulaOf::row_numbers);
    p = without_idle_initializer(std::move(p), {"weights"});
    const std::string columns = name == "vectors" ? "d" : "heads";
    p = with_extent_of(std::move(p), "weights", 0, "buckets");
    p = with_extent_of(std::move(p), "weights", 1, columns);
    const FormulaTable table = formula_table(p);
    const ValueAt number = row_number(table, p.integer("buckets"));
    Plan plan{.parameters = p,
              .shape = table.shape,
              .axes = table.axes,
              .make_rows = nullptr,
              .title = p.word("value")};
    if (name == "index") {
        plan.make_rows = [=](DType dtype) {
            return rows_of(table, number,
                           [=](const RealRows& numbers) { return rounded(numbers, dtype); });
        };
        plan.cell = table.cell;
        return plan;
    }
    const Weights weights = weights_of(p, columns);
    std::vector<std::int64_t> extents = table.shape.extents();
    if (name == "vectors") {
        extents.push_back(weights.columns);
        plan.axes.push_back(channel_axis());
        plan.cell = [=](std::span<const std::int64_t> index) {
            return weight_cell(table, index.first(index.size() - 1));
        };
        plan.make_rows = [=](DType dtype) {
            return rows_of(table, number,
                           [=, kept = read_weights(weights, dtype)](const RealRows& numbers) {
                               return rounded(gathered(numbers, kept, weights.columns), dtype);
                           });
        };
    } else {
        if (!table.is_of_pairs) {
            throw UsageError(
                "--table bias: needs a formula of queries and keys: q, k, xq, xk ...; "
                "--table vectors has a row for each position");
        }
        extents.insert(extents.begin(), weights.columns);
        plan.axes.insert(plan.axes.begin(), head_axis());
        plan.cell = [=](std::span<const std::int64_t> index) {
            return weight_cell(table, index.subspan(1));
        };
        plan.make_rows = [=](DType dtype) {
            return rows_of(
                table, number, [=, kept = read_weights(weights, dtype)](const RealRows& numbers) {
                    return rounded(rows::gathered_by_head(numbers, kept, weights.columns), dtype);
                });
        };
    }
    plan.shape = Shape(std::move(extents));
    return plan;
}

std::string formula_of(const Parameters& p) {
    return fmt::format("index = {}\nbias[h] = weights[index, h],  vectors = weights[index]",
                       p.word("value"));
}

constexpr std::array tables{
    TableSpec{.name = "index",
              .summary = "the row of each place, whole numbers",
              .title = "",  // Plan::title
              .value_label = "Row of the Table",
              .dtype = DType::int64,
              .idle_parameters = "heads d weights init seed rng"},
    TableSpec{.name = "bias",
              .summary = "the bias of each pair, (heads, queries, keys)",
              .title = "",
              .value_label = "Bias",
              .is_initial = true,
              .idle_parameters = "d"},
    TableSpec{.name = "vectors",
              .summary = "the vector of each place, channels last",
              .title = "",
              .value_label = "Weights",
              .is_initial = true,
              .idle_parameters = "heads"},
};

}  // namespace

/// The formula is written as for the encoding formula, without heads and channels, and its value is
/// the number of a row of weights, from 0 to buckets - 1.
///
/// Tables: index, integers, with the axes of formula; bias (heads, queries, keys), axes (head,
/// query, key); vectors, the axes of index and channel. The weights are read from --weights, each
/// rounded once, or are a tensor that PyTorch draws by --init right after seeding; all are kept in
/// memory, and so are the rows of all distances, as for formula.
extern constinit const Encoding buckets{
    .name = "buckets",
    .summary = "learned weights for each bucket, of which a formula of your own is the number",
    .formula =
        "index = f(q, k), ...    --value has f\n"
        "bias[h] = weights[index, h],  vectors = weights[index]",
    .formula_of = formula_of,
    .source =
        "for rules of buckets that have no name here yet, such as HSTU's, of times: clip(floor("
        "log(max(abs(xq - xk), 1))/0.301), 0, 128)",
    .examples =
        "buckets --value 'clip(q - k, 0, 15)' --buckets 16 --len 32\n"
        "buckets --value 'max(abs(xq-xk), abs(yq-yk))' --image 6x8 --png rows.png\n"
        "buckets --value 'min((q - k)^2, 31)' --table bias --heads 4 --len 12",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
