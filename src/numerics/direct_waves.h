#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/dtype.h"
#include "core/positions.h"
#include "core/table.h"
#include "numerics/channel_layout.h"
#include "numerics/real.h"

// Waves at any positions: each angle is reduced by itself, which is quicker than rotations where
// the positions have nothing in common, and where there are few waves.
namespace pegen::numerics {

/// Numbers as double-doubles, with the high and the low halves in separate arrays.
struct SplitNumbers {
    std::vector<double> high;
    std::vector<double> low;
};

SplitNumbers split(const std::vector<Real>& numbers);

/// The positions of `count` neighbouring waves: in row `row`, all of them are at
/// positions[row / stride % positions.size()].
struct WavePositions {
    std::shared_ptr<const Positions> positions;
    std::int64_t stride;
    std::size_t count;
};

/// For each row and wave the product of the wave's position and its factor.
struct WaveProducts {
    std::vector<WavePositions> positions;  ///< wave after wave, as many as there are factors
    SplitNumbers factors;
};

/// Weights, for each row and wave  shares[wave] * exp(-exponent(row, wave)). A weight is a finite
/// double; exponents below -700 are not allowed, and above 746 only with a share of at most 1.
struct DirectWeights {
    SplitNumbers shares;
    WaveProducts exponents;
};

/// The data that direct_wave_rows() makes rows from.
struct DirectWaves {
    std::vector<WaveProducts> summands;  ///< of the angles
    std::optional<DirectWeights> weights{};
    ChannelLayout layout;
    /// Returns a double whose rounding to the dtype is the exact value, rounded once.
    std::function<double(Function, std::int64_t row, std::size_t wave)> exact;
};

/// True if direct_wave_rows() can make tables whose largest angle is `largest` and has this number
/// of summands.
bool is_direct(double largest, std::size_t summands);

/// True if each number is 0 or between 2^-400 and 2^400.
bool are_moderate(const std::vector<Real>& numbers);

/// True if, besides, no product of a position and a factor is so small that a double loses it.
bool are_moderate(const Positions& positions, const std::vector<Real>& factors);

/// Returns the rows of  table[row, channel] = weight(row, wave) * function(angle(row, wave)).
///
/// Max error: 0.5 ULP. Values are computed in doubles, for float64 in double-doubles; where the
/// rounding is then in doubt, for one value in millions, they come from `exact`. docs/numerics.md
/// has the errors. `dtype` is float32, float64, float16 or bfloat16.
///
/// Shape: (points, layout.channels).
///
/// Precondition: is_direct(), all factors and shares are_moderate(), also together with their
/// positions, and all summands have the same number of waves, at least one.
Rows direct_wave_rows(DirectWaves waves, std::int64_t points, DType dtype);

}  // namespace pegen::numerics
