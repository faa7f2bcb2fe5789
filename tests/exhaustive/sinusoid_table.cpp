#include "sinusoid_table.h"

#include <algorithm>
#include <vector>

#include "numerics/sinusoid.h"

namespace exhaustive {
namespace {

using namespace pegen::numerics;
using pegen::Positions;

Positions positions_of(const SinusoidTable& table) {
    const Positions progression(table.start, table.step, table.rows);
    if (table.given == Given::progression) return progression;
    std::vector<double> list;
    for (std::int64_t row = 0; row < table.rows; ++row) list.push_back(progression[row]);
    return Positions(std::move(list));
}

}  // namespace

pegen::Table promise_of(const SinusoidTable& table) {
    const std::int64_t d = table.d;
    const Frequencies frequencies(
        {.base = table.base, .step = 2, .width = d, .shift = 0, .scale = 1, .count = d / 2});
    pegen::Table promise;
    promise.shape = pegen::Shape{table.rows, d};
    promise.dtype = table.dtype;
    promise.rows = sinusoid_rows(positions_of(table), frequencies, interleaved(d), 1, table.dtype);
    return promise;
}

std::int64_t runs_of(const SinusoidTable& table) { return (table.rows + run_rows - 1) / run_rows; }

pegen::RowRange rows_of_run(const SinusoidTable& table, std::int64_t run) {
    const std::int64_t first = run * run_rows;
    return {first, std::min(run_rows, table.rows - first)};
}

}  // namespace exhaustive
