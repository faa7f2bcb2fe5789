#include "encodings/sequence/index.h"

#include <array>

#include "encodings/parameters/checks.h"
#include "encodings/parameters/position_parameters.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{len_parameter, start_parameter, step_parameter, positions_parameter,
                                reverse_parameter};

Shape shape(const Parameters& p) { return {p.integer("len"), 1}; }

RowSource rows(const Parameters& p, DType dtype) {
    const Positions positions = positions_of(p);
    check_holds(dtype, positions.largest(), "the largest position");
    return rounded(
        [positions](RowRange range, std::span<double> out) {
            for (std::int64_t row = 0; row < range.count; ++row) {
                out[static_cast<std::size_t>(row)] = positions[range.first + row];
            }
        },
        1, dtype);
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the position, (len, 1)",
                                      .axes = position_channel_axes,
                                      .title = "Position Index (len={len})",
                                      .value_label = "Position",
                                      .shape = shape,
                                      .rows = rows}};

}  // namespace

constinit const Encoding index{
    .name = "index",
    .summary = "the position itself: unbounded, and so the first idea to be given up",
    .formula = "PE[pos] = pos",
    .source = "the starting point of every introduction; no paper proposes it",
    .examples =
        "index --len 10\n"
        "index --positions 0,1,10,999 --dtype float64\n"
        "index --len 100 --csv index.csv",
    .parameters = parameters,
    .tables = tables,
    .resolve = resolve_positions};

}  // namespace pegen::encodings
