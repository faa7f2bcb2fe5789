#pragma once

#include <cstdint>

#include "core/dtype.h"
#include "core/table.h"
#include "numerics/frequencies.h"

namespace exhaustive {

/// How the positions are given to the program.
enum class Given { progression, list };

/// A table of the public API: sin and cos interleaved, positions start + step * row.
struct SinusoidTable {
    pegen::DType dtype;
    std::int64_t d;
    double base;
    double start;
    double step;
    std::int64_t rows;
    Given given = Given::progression;
    double finest = 0;  ///< one more position of a list, or an addition to the step that rounding
                        ///< takes back: makes positions wide, seen as multiples of one unit
    double scale = 1;
    double shift = 0;

    /// Returns the frequencies of the channel pairs.
    pegen::numerics::GeometricProgression frequencies() const {
        return {
            .base = base, .step = 2, .width = d, .shift = shift, .scale = scale, .count = d / 2};
    }
};

pegen::Table promise_of(const SinusoidTable& table);

/// The number of rows of a run. The rows are checked run by run.
inline constexpr std::int64_t run_rows = 2048;

std::int64_t runs_of(const SinusoidTable& table);
pegen::RowRange rows_of_run(const SinusoidTable& table, std::int64_t run);

}  // namespace exhaustive
