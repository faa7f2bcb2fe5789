#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/channel_layout.h"
#include "numerics/plane_waves.h"

// Sines and cosines as float32 code computes them, with angles that are off by about position *
// 2^-24: for tables that must equal the tables of such code, not the formula.
namespace pegen::numerics {

/// The angles of each row in float32.
struct Float32Angles {
    std::int64_t rows;
    std::int64_t count;  ///< the number of angles of a row
    /// Sets the angles of a row. Pure.
    std::function<void(std::int64_t row, std::span<float> angles)> fill;
};

/// The numbers that code in 16 bits rounds to its format on the way to an angle.
struct RoundedSteps {
    DType format = DType::float32;  ///< float16 or bfloat16
    bool positions = false;
    bool angles = false;
};

/// Rounds each number to the format, float16 or bfloat16.
void round_all(std::span<float> numbers, DType format);

/// Return the angles  position * factor * frequencies[k]  and  position / divisors[k],  where every
/// result is rounded to float32 before the next operation, and then as `steps` say.
Float32Angles angle_products(const Positions& positions, std::vector<float> frequencies,
                             float factor = 1, const RoundedSteps& steps = {});
Float32Angles angle_quotients(const Positions& positions, std::vector<float> divisors);

/// Returns the angles  (c_0 * weights_0[k] + c_1 * weights_1[k] + ...) * factor,  where c_a is the
/// coordinate of axis a. Coordinates, weights and every result are rounded once to float32.
Float32Angles projected_angles(std::vector<WaveAxis> axes, float factor);

/// The parameters of a position interpolation in which each angle has its own share.
struct Interpolation {
    float scale;                  ///< the scale of all angles
    std::vector<float> divisors;  ///< the divisor of each angle
    std::vector<float> kept;      ///< the share of each angle that is not scaled
};

/// Returns the angles  scale * theta * (1 - kept[m]) + theta * kept[m],  theta = product[m] /
/// divisors[m],  product[0] = position,  product[m + 1] = product[m] * ratio,  each operation
/// rounded once.
Float32Angles repeated_products(const Positions& positions, float ratio,
                                Interpolation interpolation);

/// Returns the angles followed by their negatives.
Float32Angles with_negatives(Float32Angles angles);

/// Returns the rows of  table[row, channel] = scale * function(angle), where function and product
/// are each rounded to float32, the function correctly. For a narrower dtype the results are
/// rounded once more.  `dtype` is float32, float64, float16 or bfloat16.  Shape: (angles.rows,
/// layout.channels). Precondition: all angles are finite.
Rows float32_wave_rows(Float32Angles angles, ChannelLayout layout, float scale, DType dtype);

/// Returns the rows of the angles themselves, rounded once more for a narrower dtype.  Shape:
/// (angles.rows, angles.count).
Rows float32_angle_rows(Float32Angles angles, DType dtype);

/// Return base^exponent and e^exponent, correctly rounded.
float float32_pow(float base, float exponent);
float float32_exp(float exponent);

}  // namespace pegen::numerics
