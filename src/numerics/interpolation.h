#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "numerics/real.h"

namespace pegen::numerics {

enum class Kernel : std::uint8_t {
    nearest,        ///< input floor(i scale), in float32 as PyTorch computes it
    nearest_exact,  ///< input floor((i + 0.5) scale), in float32 as PyTorch computes it
    linear,
    cubic,             ///< Keys' cubic convolution, with the inputs at the ends repeated
    area,              ///< the mean of the inputs that an output covers, wholly or in part
    geometric_linear,  ///< linear between inputs at BEiT's places, see weights_of()
    geometric_cubic,   ///< the not-a-knot cubic spline through inputs at BEiT's places
    crop,              ///< input i
    repeat,            ///< input i modulo the number of inputs
};

/// How `from` values along an axis become `to` values.
struct Interpolation {
    Kernel kernel = Kernel::crop;
    std::int64_t from = 1;
    std::int64_t to = 1;
    double cubic = -0.75;              ///< a of Keys' convolution
    bool is_antialiased = false;       ///< linear and cubic: the kernel is widened to make fewer
    bool has_aligned_corners = false;  ///< linear and cubic: the ends are kept
    double scale = 0;                  ///< outputs per input; 0: the ratio of the sizes
};

/// The weights of the inputs first, first + 1, ... that one output is the weighted sum of.
struct Weights {
    std::int64_t first;
    std::vector<Real> values;
};

/// Returns the weights of output `index`, counted from 0. Output i is at place (i + 0.5) s - 0.5 of
/// the inputs, s = from / to or 1 / scale (a double), or at i (from - 1) / (to - 1) with aligned
/// corners. Each weight is off by at most some units of the last of Precision's bits, of 1.
///
/// In the geometric kernels, output i is at i - to / 2, and input from / 2 + k at
/// 1 + q + ... + q^(k - 1), where bisection between 1.01 and 1.5 finds the q that puts the last
/// input at the last output (microsoft/unilm, beit/run_class_finetuning.py); outputs beyond the
/// last input have its value.
/// Precondition: crop has from >= to; geometric kernels have odd sizes, the cubic one from >= 4.
Weights weights_of(const Interpolation& how, std::int64_t index);

/// Returns a double whose rounding to `dtype` is an output of a grid of two axes, rounded once.
/// `inputs` are the finite inputs that have a weight, in C order.
double interpolated(DType dtype, const std::array<Interpolation, 2>& axes,
                    const std::array<std::int64_t, 2>& index, std::span<const double> inputs);

}  // namespace pegen::numerics
