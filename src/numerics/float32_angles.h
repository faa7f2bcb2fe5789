#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/channel_layout.h"

// Sines and cosines as float32 code computes them, with angles that are off by some position *
// 2^-24: for tables that are to equal those of such code, not the formula.
namespace pegen::numerics {

/// The angles of a position in float32.
struct Float32Angles {
    std::int64_t count;  ///< of frequencies
    /// Sets angles[k] for each frequency k. Pure.
    std::function<void(float position, std::span<float> angles)> fill;
};

/// Returns the angles  position * frequencies[k], each product rounded once.
Float32Angles angle_products(std::vector<float> frequencies);

/// How angles are changed, each in its own way.
struct Interpolation {
    float scale;                  ///< of all angles
    std::vector<float> divisors;  ///< of each
    std::vector<float> kept;      ///< the share of each that is not scaled
};

/// Returns the angles  scale * theta * (1 - kept[m]) + theta * kept[m],  theta = product[m] /
/// divisors[m],  product[0] = position,  product[m + 1] = product[m] * ratio,  each operation
/// rounded once.
Float32Angles repeated_products(float ratio, Interpolation interpolation);

/// Returns the angles followed by their negatives.
Float32Angles with_negatives(Float32Angles angles);

/// Returns the rows of  table[row, channel] = scale * function(angle), where position, angle,
/// function and product are each rounded to float32, the functions correctly. The results are
/// rounded once more to a narrower dtype.  Shape: (positions.size(), layout.channels).
/// `dtype` is float32, float64, float16 or bfloat16. Precondition: all angles are finite.
RowSource float32_wave_rows(Positions positions, Float32Angles angles, ChannelLayout layout,
                            float scale, DType dtype);

/// Returns the angles themselves, rounded likewise.  Shape: (positions.size(), angles.count).
RowSource float32_angle_rows(Positions positions, Float32Angles angles, DType dtype);

/// Return the power and the exponential, correctly rounded.
float float32_pow(float base, float exponent);
float float32_exp(float exponent);

}  // namespace pegen::numerics
