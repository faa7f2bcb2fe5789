#pragma once

#include <array>
#include <optional>
#include <vector>

// Least squares of one wave with an amplitude and an offset.
namespace pegen::evidence {

/// A value that a wave is to go through.
struct WaveCell {
    double row;  ///< counted from the middle, for precision
    double value;
    double error;
};

/// Of advance, phase, amplitude and offset, in this order.
using WaveVector = std::array<double, 4>;
using WaveMatrix = std::array<WaveVector, 4>;

/// amplitude * sin(phase + row * advance) + offset; those of `is_free` are to be found.
struct WaveModel {
    WaveVector parameters;
    std::array<bool, 4> is_free;

    double operator()(double row) const;
    /// Returns the derivatives, 0 for what is not free.
    WaveVector gradient(double row) const;
};

struct WaveFit {
    WaveModel model;
    double squares;  ///< of the distances, in errors
    WaveMatrix covariance;
};

/// Fits the free parameters by least squares (Levenberg, Marquardt), from a first guess; none if
/// that does not end.
std::optional<WaveFit> fitted(WaveModel model, const std::vector<WaveCell>& cells);

}  // namespace pegen::evidence
