#pragma once

#include <vector>

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/frequencies.h"

namespace pegen::numerics {

/// Returns the rows of  table[row, i] = scales[row] * (sum over k of cos(positions[i] *
/// frequency[k])), each correctly rounded.  Shape: (scales.size(), positions.size()).
/// The sums are made now and kept, as two doubles for each position.
/// `dtype` is float32, float64, float16 or bfloat16.
/// Precondition: positions are whole numbers, and positions.largest() * frequencies.largest() <=
/// largest_angle.
Rows cosine_sum_rows(Positions positions, Frequencies frequencies, const std::vector<Ratio>& scales,
                     DType dtype);

}  // namespace pegen::numerics
