#include "encodings/sequence/normalized.h"

#include <algorithm>
#include <array>

#include "encodings/parameters/position_parameters.h"
#include "numerics/rounding.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{len_parameter};

Parameters resolve(Parameters p) { return p; }

Shape shape(const Parameters& p) { return {p.integer("len"), 1}; }

RowSource rows(const Parameters& p, DType dtype) {
    const auto last = static_cast<double>(std::max<std::int64_t>(p.integer("len") - 1, 1));
    return rounded(
        [=](RowRange range, std::span<double> out) {
            for (std::int64_t row = 0; row < range.count; ++row) {
                const auto position = static_cast<double>(range.first + row);
                out[static_cast<std::size_t>(row)] = numerics::quotient_for(dtype, position, last);
            }
        },
        1, dtype);
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the position from 0 to 1, (len, 1)",
                                      .axes = position_channel_axes,
                                      .title = "Normalized Position (len={len})",
                                      .value_label = "Position / Last Position",
                                      .shape = shape,
                                      .rows = rows}};

}  // namespace

constinit const Encoding normalized{
    .name = "normalized",
    .summary = "the position as a number from 0 to 1: bounded, but a step depends on the length",
    .formula = "PE[pos] = pos / (len - 1)",
    .source = "the second idea of every introduction; no paper proposes it",
    .examples =
        "normalized --len 5\n"
        "normalized --len 400 --dtype float64 --npy normalized.npy\n"
        "normalized --len 100 --csv normalized.csv",
    .parameters = parameters,
    .tables = tables,
    .resolve = resolve};

}  // namespace pegen::encodings
