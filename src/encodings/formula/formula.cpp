#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/formula/formula_places.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/shared.h"

namespace pegen::encodings {
namespace {

/// Not an extent: a formula without channels refuses it.
constexpr ParameterSpec channels_parameter = [] {
    ParameterSpec spec = with_default(d_parameter, "64");
    spec.role = Role::other;
    return spec;
}();

constexpr std::array parameters{with_default(value_parameter, "exp(-abs(q - k)/8)"),
                                token_count_parameter,
                                more_keys_parameter,
                                heads_parameter,
                                channels_parameter,
                                token_image_parameter,
                                token_points_parameter};

Plan plan(Parameters given, std::string_view) {
    Parameters p = resolve_places(std::move(given), FormulaOf::values);
    const FormulaTable table = formula_table(p);
    std::string title = p.word("value");
    return {.parameters = std::move(p),
            .shape = table.shape,
            .axes = table.axes,
            .make_rows =
                [table](DType dtype) {
                    const auto value = [=](std::span<const std::int64_t> index) {
                        const double number = table.value(index, dtype);
                        if (std::fabs(number) > info(dtype).largest && !std::isinf(number)) {
                            check_holds(dtype, table.value(index, DType::float64),
                                        table.text(index));
                        }
                        return number;
                    };
                    return rows_of(table, value,
                                   [=](const RealRows& values) { return rounded(values, dtype); });
                },
            .cell = table.cell,
            .title = title};
}

std::string formula_of(const Parameters& p) { return "value = " + p.word("value"); }

constexpr std::array tables{TableSpec{.name = "values",
                                      .summary = "the formula at each place",
                                      .title = "",  // Plan::title
                                      .value_label = "Value"}};

}  // namespace

/// Table: values. The names in the formula say which axes it has, in this order: head (h), position
/// (pos), pixels (x, y, t; frames first) or point of --points, query and key (q, k, or xq, yq, tq,
/// xk, yk, tk), channel (i). All count from 0; of more keys than queries, the queries are at the
/// last positions. Tokens are numbered row by row, frame by frame. The numbers in the formula are
/// doubles; no operation is rounded, but the value. Correctly rounded, with the assumption of
/// docs/numerics.md on ties, which also decides floor, ceil, //, % and comparisons of numbers that
/// 5120 bits cannot tell apart. A formula that names q and k only to subtract or compare them is
/// evaluated once for each distance, and these values are kept in memory, up to 2^24.
extern constinit const Encoding formula{
    .name = "formula",
    .summary = "a formula of your own, of positions, queries and keys, heads and channels",
    .formula = "value = f(pos, i)  or  f(h, q, k)  or  f(x, y), ...    --value has f",
    .formula_of = formula_of,
    .source = "for what has no name here yet; no paper proposes it",
    .examples =
        "formula --value 'exp(-abs(q - k)/8)' --len 32 --png decay.png\n"
        "formula --value 'sin(pos/10000^(i/d))' --len 50 --d 16\n"
        "formula --value 'where(k > q, -inf, k - q)' --len 8",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
