#include <algorithm>
#include <array>

#include "encodings/encoding.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "numerics/rounding.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{len_parameter};

Plan plan(Parameters p, std::string_view) {
    const std::int64_t len = p.integer("len");
    const Positions positions(0, 1, len);
    const auto last = static_cast<double>(std::max<std::int64_t>(len - 1, 1));
    return {.parameters = std::move(p),
            .shape = {len, 1},
            .axes = {position_axis(positions), channel_axis()},
            .make_rows =
                [positions, last](DType dtype) {
                    return rounded({[=](RowRange range, std::span<double> out) {
                                        positions.read(range.first, out);
                                        numerics::divide_for(dtype, out, last);
                                    },
                                    positions.size(), 1},
                                   dtype);
                },
            .cell =
                [last](std::span<const std::int64_t> index) {
                    return Cell{.value = ratio_term(static_cast<double>(index[0]), last)};
                }};
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the position from 0 to 1, (len, 1)",
                                      .title = "Normalized Position (max_len={len})",
                                      .value_label = "Position / Last Position",
                                      .promises = "unique bounded spacing"}};

}  // namespace

/// pos = 0 ... len - 1. If len is 1, the only position gives 0.
/// Table: encoding (len, 1), axes (position, channel). Correctly rounded.
extern constinit const Encoding normalized{
    .name = "normalized",
    .summary = "the position as a number from 0 to 1: bounded, but its steps depend on the length",
    .formula = "PE[pos] = pos / (len - 1)",
    .source = "the second idea of every introduction; no paper proposes it",
    .examples =
        "normalized --len 5\n"
        "normalized --len 400 --dtype float64 --npy normalized.npy\n"
        "normalized --len 100 --csv normalized.csv",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
