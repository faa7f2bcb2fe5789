#pragma once

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/frequencies.h"

namespace pegen::numerics {

/// Returns the rows of  table[row, k] = positions[row] * frequency[k], each correctly rounded.
/// Shape: (positions.size(), frequencies.size()), axes (position, frequency).
/// `dtype` is float32, float64, float16 or bfloat16.
Rows angle_rows(Positions positions, Frequencies frequencies, DType dtype);

}  // namespace pegen::numerics
