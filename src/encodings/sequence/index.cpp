#include <array>

#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{len_parameter,       start_parameter,          step_parameter,
                                positions_parameter, positions_file_parameter, reverse_parameter};

Plan plan(Parameters given, std::string_view) {
    const Parameters p = resolve_positions(std::move(given));
    const Positions positions = positions_of(p);
    return {.parameters = p,
            .shape = {p.integer("len"), 1},
            .axes = {position_axis(positions), channel_axis()},
            .make_rows =
                [positions](DType dtype) {
                    check_holds(dtype, positions.largest(), "the largest position");
                    return rounded({[positions](RowRange range, std::span<double> out) {
                                        positions.read(range.first, out);
                                    },
                                    positions.size(), 1},
                                   dtype);
                },
            .cell =
                [positions](std::span<const std::int64_t> index) {
                    return Cell{.value = number_term(positions[index[0]])};
                }};
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the position, (len, 1)",
                                      .title = "Position Index (max_len={len})",
                                      .value_label = "Position",
                                      .promises = "unique spacing"}};

}  // namespace

/// Table: encoding (len, 1), axes (position, channel). Correctly rounded.
/// Throws: UsageError if the dtype cannot hold a position.
extern constinit const Encoding index{
    .name = "index",
    .summary = "the position itself, as one unbounded channel",
    .formula = "PE[pos] = pos",
    .source = "the starting point of every introduction; no paper proposes it",
    .examples =
        "index --len 10\n"
        "index --positions 0,1,10,999 --dtype float64\n"
        "index --len 100 --csv index.csv",
    .parameters = parameters,
    .tables = tables,
    .plan = plan};

}  // namespace pegen::encodings
