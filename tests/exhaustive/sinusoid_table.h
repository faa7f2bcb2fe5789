#pragma once

#include <cstdint>

#include "core/dtype.h"
#include "core/table.h"

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
};

pegen::Table promise_of(const SinusoidTable& table);

/// The rows are taken in runs of this many.
inline constexpr std::int64_t run_rows = 2048;

std::int64_t runs_of(const SinusoidTable& table);
pegen::RowRange rows_of_run(const SinusoidTable& table, std::int64_t run);

}  // namespace exhaustive
