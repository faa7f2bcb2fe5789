#include "sinusoid_table.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/sinusoid.h"

namespace exhaustive {
namespace {

using namespace pegen::numerics;
using pegen::Positions;

Positions positions_of(const SinusoidTable& table) {
    const Positions progression(table.start, table.step + table.finest, table.rows);
    if (table.given == Given::progression) return progression;
    std::vector<double> list;
    for (std::int64_t row = 0; row < table.rows; ++row) {
        list.push_back(std::fma(table.step, static_cast<double>(row), table.start));
    }
    if (table.finest != 0) list.push_back(table.finest);
    return Positions(std::move(list));
}

}  // namespace

pegen::Table promise_of(const SinusoidTable& table) {
    pegen::Table promise;
    const Positions positions = positions_of(table);
    promise.shape = pegen::Shape{positions.size(), table.d};
    promise.dtype = table.dtype;
    promise.rows = sinusoid_rows(positions, Frequencies(table.frequencies()), interleaved(table.d),
                                 1, table.dtype);
    return promise;
}

std::int64_t runs_of(const SinusoidTable& table) { return (table.rows + run_rows - 1) / run_rows; }

pegen::RowRange rows_of_run(const SinusoidTable& table, std::int64_t run) {
    const std::int64_t first = run * run_rows;
    return {first, std::min(run_rows, table.rows - first)};
}

}  // namespace exhaustive
